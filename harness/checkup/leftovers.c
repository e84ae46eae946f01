/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/leftovers.h"

#include <dirent.h>
#include <linux/if.h>
#include <netlink/cache.h>
#include <netlink/route/link.h>
#include <netlink/socket.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/checkup/mends.h"
#include "harness/clean/litter.h"
#include "harness/clean/orphans.h"
#include "harness/report/artefacts.h"
#include "harness/small_file.h"
#include "harness/wallclock.h"

/* Names that are told; the rest is counted. */
#define NAMES_MAX 4

struct tally {
    char first[64]; /* the first name */
    size_t count;
};

static void count(struct tally *tally, struct finding *finding, const char *name)
{
    if (tally->count++ == 0)
        snprintf(tally->first, sizeof(tally->first), "%s", name);
    if (tally->count <= NAMES_MAX)
        finding_say(finding, "%s%.63s", tally->count > 1 ? ", " : "", name);
}

/* Ends the list; false when it is empty. */
static bool finish(const struct tally *tally, struct finding *finding)
{
    if (tally->count > NAMES_MAX)
        finding_say(finding, " and %zu more", tally->count - NAMES_MAX);
    if (tally->count == 0)
        finding_say(finding, "none");
    return tally->count > 0;
}

/* "s" behind a number that wants it. */
static const char *plural(size_t number)
{
    return number == 1 ? "" : "s";
}

void leftovers_ours(const struct place *place, int which, struct finding *finding)
{
    struct remains processes = {0};
    struct remains files = {0};
    struct person person;
    struct litter litter = {
        .person = &person, .now_s = wallclock_seconds(), .folders = true, .dry_run = true};
    size_t orphans;
    size_t running;
    size_t litters;

    (void)which;
    (void)orphans_remove(true, &processes);
    litter.busy = remains_count(&processes, REMAINS_LEFT) > 0;
    if (person_find(&person) == 0)
        (void)litter_remove(&litter, ARTEFACTS_OUT, &files);
    orphans = remains_count(&processes, REMAINS_FOUND);
    running = remains_count(&processes, REMAINS_LEFT);
    litters = remains_count(&files, REMAINS_FOUND);
    if (orphans + litters == 0)
        finding_say(finding, "none");
    else
        finding_say(finding, "%zu process%s, %zu file%s or folder%s", orphans,
                    orphans == 1 ? "" : "es", litters, plural(litters), plural(litters));
    if (running > 0)
        finding_say(finding, "; %zu running beside this", running);
    if (orphans + litters > 0)
        finding_mend(finding, FINDING_NOTE, "%s clean", place->command);
    remains_free(&processes);
    remains_free(&files);
}

void leftovers_spaces(const struct place *place, int which, struct finding *finding)
{
    DIR *names = opendir("/run/netns");
    struct tally tally = {.count = 0};
    struct dirent *entry;

    (void)which;
    while (names && (entry = readdir(names)))
        if (entry->d_name[0] != '.')
            count(&tally, finding, entry->d_name);
    if (names)
        closedir(names);
    if (finish(&tally, finding))
        finding_mend(finding, FINDING_NOTE, "%sip netns delete %s  # if nobody needs it",
                     mends_sudo(place), tally.first);
}

/* A veth whose other end is here, too, leads nowhere; no container engine makes such. A tap stays
 * behind only when it was told to. */
static bool looks_left(struct rtnl_link *link)
{
    const char *type = rtnl_link_get_type(link);
    int elsewhere;

    if (!type)
        return false;
    if (strcmp(type, "veth") == 0)
        return rtnl_link_get_link_netnsid(link, &elsewhere) < 0;
    return strcmp(type, "tun") == 0 && !(rtnl_link_get_flags(link) & IFF_LOWER_UP);
}

static void count_links(struct nl_sock *socket, struct tally *tally, struct finding *finding)
{
    struct nl_cache *links = NULL;

    if (rtnl_link_alloc_cache(socket, AF_UNSPEC, &links) < 0)
        return;
    for (struct nl_object *at = nl_cache_get_first(links); at; at = nl_cache_get_next(at)) {
        struct rtnl_link *link = (struct rtnl_link *)at;

        if (looks_left(link) && rtnl_link_get_name(link))
            count(tally, finding, rtnl_link_get_name(link));
    }
    nl_cache_free(links);
}

void leftovers_links(const struct place *place, int which, struct finding *finding)
{
    struct nl_sock *socket = nl_socket_alloc();
    struct tally tally = {.count = 0};

    (void)which;
    if (socket && nl_connect(socket, NETLINK_ROUTE) == 0)
        count_links(socket, &tally, finding);
    nl_socket_free(socket);
    if (finish(&tally, finding))
        finding_mend(finding, FINDING_NOTE, "%sip link delete %s  # if nobody needs it",
                     mends_sudo(place), tally.first);
}

/* Tools that take CPU time or rebuild the network while they run, as the kernel cuts names. */
static const char *const tools[] = {
    "packetdrill", "mnexec", "mn", "iperf", "iperf3", "netserver", "netperf", "toxiproxy-serve",
    "tcpreplay", "stress-ng",
};

static bool is_tool(const char *name)
{
    for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
        if (strcmp(name, tools[i]) == 0)
            return true;
    return false;
}

void leftovers_tools(const struct place *place, int which, struct finding *finding)
{
    DIR *processes = opendir("/proc");
    struct tally tally = {.count = 0};
    struct dirent *entry;

    (void)place;
    (void)which;
    while (processes && (entry = readdir(processes))) {
        char path[300];
        char name[32];
        char told[64];

        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
        small_file_line(path, name, sizeof(name));
        if (!is_tool(name))
            continue;
        snprintf(told, sizeof(told), "%s (%.16s)", name, entry->d_name);
        count(&tally, finding, told);
    }
    if (processes)
        closedir(processes);
    if (finish(&tally, finding))
        finding_advise(finding, FINDING_NOTE, "let them end before exact runs");
}
