/* SPDX-License-Identifier: BSD-2-Clause */

/* Imitates what `docker run` puts around a command, on a machine without Docker: namespaces, the
 * default capabilities, the default seccomp profile, AppArmor's ban on mounts, a read-only
 * /proc/sys and /sys, few devices. Options and exit statuses are Docker's. The image is
 * a directory, or else the machine's root, read-only. Needs root.
 *
 * It is no security boundary: what is not filtered here may be filtered there (see profile.c). */

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/container/failed.h"
#include "tests/container/profile.h"
#include "tests/container/rooms.h"

#define LIST_MAX 8
#define NOT_STARTED 126
#define NOT_FOUND 127

struct container {
    rights added, dropped;
    bool privileged;
    bool seccomp, apparmor, system_paths, no_new_privileges;
    bool own_users; /* a user namespace, as rootless engines make one */
    unsigned user, group;
    const char *workdir;
    const char *image; /* NULL: none */
    struct rooms_volume volumes[LIST_MAX];
    size_t volume_count;
    const char *sysctls[LIST_MAX];
    size_t sysctl_count;
    char **command;
};

static _Noreturn void usage(const char *wrong)
{
    fprintf(stderr,
            "container: %s\n"
            "usage: container [--privileged] [--cap-add NAME] [--cap-drop NAME]\n"
            "    [--security-opt seccomp=unconfined|apparmor=unconfined|systempaths=unconfined|\n"
            "    no-new-privileges] [--user UID[:GID]] [--userns] [--sysctl KEY=VALUE]\n"
            "    [--volume FROM:TO] [--workdir DIR] [--image DIR] COMMAND [WORD]...\n",
            wrong);
    _exit(FAILED_STATUS);
}

static rights named(const char *name)
{
    rights found = rights_named(name);

    if (found == 0)
        usage(name);
    return found;
}

static void take_security(struct container *container, const char *word)
{
    if (strcmp(word, "seccomp=unconfined") == 0)
        container->seccomp = false;
    else if (strcmp(word, "apparmor=unconfined") == 0)
        container->apparmor = false;
    else if (strcmp(word, "systempaths=unconfined") == 0)
        container->system_paths = false;
    else if (strcmp(word, "no-new-privileges") == 0)
        container->no_new_privileges = true;
    else
        usage(word);
}

static void take_volume(struct container *container, char *word)
{
    char *colon = strchr(word, ':');

    if (!colon || colon[1] != '/' || container->volume_count == LIST_MAX)
        usage("a volume is FROM:/TO");
    *colon = '\0';
    container->volumes[container->volume_count++] =
        (struct rooms_volume){.from = word, .to = colon + 1};
}

static void take_user(struct container *container, const char *word)
{
    char *end;

    container->user = (unsigned)strtoul(word, &end, 10);
    container->group = *end == ':' ? (unsigned)strtoul(end + 1, &end, 10) : container->user;
    if (*end)
        usage("a user is UID or UID:GID");
}

static void take_sysctl(struct container *container, const char *word)
{
    if (!strchr(word, '=') || container->sysctl_count == LIST_MAX)
        usage("a sysctl is KEY=VALUE");
    container->sysctls[container->sysctl_count++] = word;
}

static void take(struct container *container, int option)
{
    switch (option) {
    case 'p': container->privileged = true; break;
    case 'a': container->added |= named(optarg); break;
    case 'd': container->dropped |= named(optarg); break;
    case 's': take_security(container, optarg); break;
    case 'u': take_user(container, optarg); break;
    case 'n': container->own_users = true; break;
    case 'y': take_sysctl(container, optarg); break;
    case 'v': take_volume(container, optarg); break;
    case 'w': container->workdir = optarg; break;
    case 'i': container->image = optarg; break;
    default: usage("no such option");
    }
}

static void read_options(struct container *container, int argc, char **argv)
{
    static const struct option known[] = {
        {"privileged", no_argument, NULL, 'p'},
        {"cap-add", required_argument, NULL, 'a'},
        {"cap-drop", required_argument, NULL, 'd'},
        {"security-opt", required_argument, NULL, 's'},
        {"user", required_argument, NULL, 'u'},
        {"userns", no_argument, NULL, 'n'},
        {"sysctl", required_argument, NULL, 'y'},
        {"volume", required_argument, NULL, 'v'},
        {"workdir", required_argument, NULL, 'w'},
        {"image", required_argument, NULL, 'i'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "+", known, NULL)) != -1)
        take(container, option);
    container->command = argv + optind;
    if (!*container->command)
        usage("no command");
}

static rights rights_of(const struct container *container)
{
    if (container->privileged)
        return rights_all();
    /* ALL is dropped first, so that single ones can be given back. */
    return (rights_default() & ~container->dropped) | container->added;
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        failed("write %s", path);
    close(fd);
}

static void map_all(pid_t pid, const char *map)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, map);
    write_file(path, "0 0 65536");
}

/* Only somebody outside may map more than one's own id: a helper that was forked before. */
static void make_users(void)
{
    pid_t inside = getpid();
    int ready[2];
    char one = 0;
    pid_t helper;
    int status;

    if (pipe2(ready, O_CLOEXEC) < 0)
        failed("a pipe");
    helper = fork();
    if (helper == 0) {
        if (read(ready[0], &one, 1) != 1)
            _exit(FAILED_STATUS);
        map_all(inside, "uid_map");
        map_all(inside, "gid_map");
        _exit(0);
    }
    if (helper < 0 || unshare(CLONE_NEWUSER) < 0 || write(ready[1], &one, 1) != 1)
        failed("a user namespace");
    close(ready[0]);
    close(ready[1]);
    if (waitpid(helper, &status, 0) < 0 || status != 0)
        failed("map the users");
}

static void write_sysctl(const char *word)
{
    char path[256];
    int length = snprintf(path, sizeof(path), "/proc/sys/%.*s", (int)strcspn(word, "="), word);

    for (int i = 0; i < length; i++)
        if (path[i] == '.')
            path[i] = '/';
    write_file(path, strchr(word, '=') + 1);
}

static void raise_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) < 0)
        failed("raise lo");
    close(fd);
}

static void become(const struct container *container)
{
    rights held = rights_of(container);
    uid_t user = container->user;
    gid_t group = container->group;
    struct profile profile = {
        .held = held,
        .seccomp = container->seccomp && !container->privileged,
        .apparmor = container->apparmor && !container->privileged,
        .no_new_privileges = container->no_new_privileges,
    };

    profile_apply(&profile);
    rights_bound(held);
    if (setgroups(0, NULL) < 0 || setresgid(group, group, group) < 0 ||
        setresuid(user, user, user) < 0)
        failed("become user %u", user);
    rights_keep(user == 0 ? held : 0);
}

static _Noreturn void be_first(const struct container *container)
{
    struct rooms rooms = {
        .image = container->image,
        .volumes = container->volumes,
        .volume_count = container->volume_count,
        .protected = container->system_paths && !container->privileged,
    };

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || setsid() < 0)
        failed("begin a session");
    for (size_t i = 0; i < container->sysctl_count; i++)
        write_sysctl(container->sysctls[i]);
    raise_loopback();
    rooms_lay_out(&rooms);
    if (chdir(container->workdir) < 0)
        failed("go to %s", container->workdir);
    become(container);
    execvp(container->command[0], container->command);
    fprintf(stderr, "container: %s: %s\n", container->command[0], strerror(errno));
    _exit(errno == ENOENT ? NOT_FOUND : NOT_STARTED);
}

static volatile pid_t first;

static void pass_on(int signal_number)
{
    kill(first, signal_number);
}

static int await_first(void)
{
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    int status;

    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    while (waitpid(first, &status, 0) < 0)
        if (errno != EINTR)
            failed("wait for the command");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    struct container container = {
        .seccomp = true, .apparmor = true, .system_paths = true, .workdir = "/",
    };

    read_options(&container, argc, argv);
    if (container.own_users)
        make_users();
    if (unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                CLONE_NEWCGROUP) < 0)
        failed("namespaces");
    first = fork();
    if (first < 0)
        failed("fork");
    if (first == 0)
        be_first(&container);
    return await_first();
}
