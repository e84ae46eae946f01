/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/network.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/checkup/aside.h"
#include "harness/checkup/mends.h"
#include "harness/checkup/spaces.h"
#include "harness/conduct/bench.h"
#include "harness/small_file.h"
#include "netns/capture.h"
#include "netns/diag.h"
#include "netns/link.h"

#define CAPTURE_BYTES ((size_t)1 << 20)
#define LINK_LIMIT_MS 1000

static int join_spaces(const struct link_options *options, struct failure *failure)
{
    struct space sut = SPACE_NONE;
    struct space peer = SPACE_NONE;
    struct link link = LINK_NONE;
    struct capture capture = CAPTURE_NONE;
    struct capture_place here = {&peer, LINK_PEER_NAME};
    struct capture_place there = {&sut, LINK_SUT_NAME};
    int status = space_open(&sut, failure);

    if (status == 0)
        status = space_open(&peer, failure);
    if (status == 0)
        status = link_open(&link, &sut, &peer, options, failure);
    if (status == 0)
        status = capture_open(&capture, &here, &there, CAPTURE_BYTES, failure);
    /* All of it goes with this process. */
    return status;
}

/* A pair of veth as a run makes it, over the families that `arg` says. */
static int try_link(void *arg, char *text)
{
    struct bench_failure why = {0};
    struct failure failure = {0};
    int status = bench_prepare(RESULT_WORLD_VETH, &why);

    if (status < 0) {
        snprintf(text, ASIDE_TEXT_BYTES, "%s", why.text);
        return status;
    }
    status = join_spaces(arg, &failure);
    if (status < 0)
        snprintf(text, ASIDE_TEXT_BYTES, "%s", failure.text);
    return status;
}

static void say_failure(struct finding *finding, const struct aside *aside)
{
    finding_say(finding, "%s", *aside->text ? aside->text : strerror(-aside->status));
}

void network_veth(const struct place *place, int which, struct finding *finding)
{
    struct link_options options = {.ipv4 = true, .initcwnd = 10, .limit_ms = LINK_LIMIT_MS};
    struct aside aside;
    struct lines commands = {0};

    (void)which;
    if (aside_run(try_link, &options, &aside) == 0) {
        finding_say(finding, "a pair was made%s",
                    place_has_all() ? "" : ", in a user namespace");
        return;
    }
    say_failure(finding, &aside);
    mends_world(place, place->root && !place->mapped, place_has_all(), &commands);
    if (commands.count > 0)
        finding_mend(finding, FINDING_MISSING, "%s", commands.line[0]);
    else if (place->filtered || place->no_new_privs)
        finding_advise(finding, FINDING_MISSING,
                       "sudo, from a shell without seccomp filter and no_new_privs");
    else
        finding_advise(finding, FINDING_MISSING, "call by sudo");
    lines_free(&commands);
}

/* What a check in a namespace cannot tell because there is none. */
static void pass_over(struct finding *finding)
{
    finding_say(finding, "not tried, for want of a namespace");
    finding_advise(finding, FINDING_NOTE, "what mends the veth world");
}

void network_ipv6(const struct place *place, int which, struct finding *finding)
{
    struct link_options options = {.ipv6 = true, .initcwnd = 10, .limit_ms = LINK_LIMIT_MS};
    struct aside aside;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)place;
    (void)which;
    if (fd >= 0 && aside_run(try_link, &options, &aside) == 0) {
        finding_say(finding, "a pair has its addresses");
    } else {
        finding_say(finding, "%s", fd < 0         ? strerror(errno)
                                   : *aside.text ? aside.text
                                                 : strerror(-aside.status));
        finding_advise(finding, FINDING_NOTE, "%s",
                       fd < 0 ? "boot without ipv6.disable=1, or use --family ipv4"
                              : "what mends the veth world, or --family ipv4");
    }
    if (fd >= 0)
        close(fd);
}

static int is_ours(void *arg, const struct diag_listener *listener)
{
    return listener->inode == *(const uint32_t *)arg;
}

static uint32_t inode_of(int fd)
{
    struct stat about;

    return fstat(fd, &about) < 0 ? 0 : (uint32_t)about.st_ino;
}

/* Whether a listener of ours is seen; nobody else can reach it in here. */
static int ask_tcp(struct diag *diag)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    uint32_t inode = inode_of(fd);
    int status;

    if (fd < 0 || listen(fd, 1) < 0)
        return -errno;
    status = diag_listeners(diag, is_ours, &inode);
    return status == 0 ? -ENOENT : status < 0 ? status : 0;
}

static int ask_unix(struct diag *diag)
{
    struct diag_unix answer;
    int ends[2];
    int status;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return -errno;
    status = diag_unix(diag, inode_of(ends[0]), &answer);
    return status == 0 ? -ENOENT : status < 0 ? status : 0;
}

/* -ENONET: there is no namespace to ask in. */
static int try_diag(void *arg, char *text)
{
    struct failure failure = {0};
    struct space here = SPACE_NONE;
    struct diag diag = DIAG_NONE;
    int status = spaces_enter(text);

    if (status < 0)
        return -ENONET;
    here.fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (here.fd < 0)
        return -errno;
    status = diag_open(&diag, &here, &failure);
    if (status == 0)
        status = *(int *)arg == AF_UNIX ? ask_unix(&diag) : ask_tcp(&diag);
    snprintf(text, ASIDE_TEXT_BYTES, "%s", failure.text);
    return status;
}

void network_diag(const struct place *place, int which, struct finding *finding)
{
    struct aside aside;
    int status = aside_run(try_diag, &which, &aside);

    if (status == 0) {
        finding_say(finding, "it knows a new socket");
        return;
    }
    if (status == -ENONET) {
        pass_over(finding);
        return;
    }
    if (status == -ENOENT)
        finding_say(finding, "it does not know a new socket");
    else
        say_failure(finding, &aside);
    finding_mend(finding, FINDING_MISSING, "%smodprobe %s%s", mends_sudo(place),
                 which == AF_UNIX ? "unix_diag" : "tcp_diag",
                 place->container ? "  # on the host" : "");
}

void network_congestion(const struct place *place, int which, struct finding *finding)
{
    static const char reno[] = "reno";
    char usual[32];
    char available[160];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int status = fd < 0 ? -1 : setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, reno, sizeof(reno) - 1);
    int code = errno;

    (void)place;
    (void)which;
    small_file_line("/proc/sys/net/ipv4/tcp_congestion_control", usual, sizeof(usual));
    small_file_line("/proc/sys/net/ipv4/tcp_available_congestion_control", available,
               sizeof(available));
    if (status == 0)
        finding_say(finding, "reno is allowed");
    else
        finding_say(finding, "reno: %s", strerror(code));
    if (*usual && *available)
        finding_say(finding, "; the default is %s of %s", usual, available);
    if (status < 0)
        finding_advise(finding, FINDING_MISSING, "a kernel with IPv4 and TCP");
    if (fd >= 0)
        close(fd);
}

/* 0: a device was made, 1: the file opens, but there is no namespace for a device. */
static int try_tun(void *arg, char *text)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int inside = spaces_enter(text);
    int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

    (void)arg;
    *text = '\0';
    if (fd < 0)
        return -errno;
    if (inside < 0)
        return 1;
    return ioctl(fd, TUNSETIFF, &request) < 0 ? -errno : 0;
}

void network_tun(const struct place *place, int which, struct finding *finding)
{
    char command[MENDS_BYTES];
    struct aside aside;
    int status = aside_run(try_tun, NULL, &aside);

    (void)which;
    if (status >= 0) {
        finding_say(finding, "%s", status == 0 ? "a device was made" : "it can be opened");
        return;
    }
    finding_say(finding, "%s", strerror(-status));
    if ((status == -ENOENT || status == -EPERM) && place->container) {
        mends_container(place, "--device /dev/net/tun", "privileged: true", command);
        finding_mend(finding, FINDING_NOTE, "%s", command);
    } else if (status == -ENOENT || status == -ENODEV) {
        finding_mend(finding, FINDING_NOTE, "%smodprobe tun", mends_sudo(place));
    } else {
        finding_mend(finding, FINDING_NOTE, "%schmod 0666 /dev/net/tun", mends_sudo(place));
    }
}
