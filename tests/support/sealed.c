/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/sealed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "netns/pidspace.h"
#include "netns/space.h"
#include "tests/support/published.h"

#define SEALED_LOOK_NS 5000000

/* Of this user namespace alone; each counts what is alive, whoever holds it and however. */
#define SEALED_NET_LIMIT "/proc/sys/user/max_net_namespaces"
#define SEALED_PID_LIMIT "/proc/sys/user/max_pid_namespaces"
#define SEALED_MANY "1000"
/* The own one and one to try with. Our PID namespace is the parent's. */
#define SEALED_NET_FEW "2"
#define SEALED_PID_FEW "1"

static bool sealed_counts; /* the limits can be set */

static int sealed_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t written = fd < 0 ? -1 : write(fd, text, strlen(text));
    int err = written < 0 ? -errno : 0;

    if (fd >= 0)
        (void)close(fd);
    return err;
}

static int sealed_fail(char *text, const char *step, int err)
{
    (void)snprintf(text, SEALED_TEXT_BYTES, "%s: %s", step, strerror(-err));
    return err;
}

static int sealed_mount(void)
{
    if (unshare(CLONE_NEWNS | CLONE_NEWIPC) < 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("none", "/dev/shm", "tmpfs", 0, "mode=755") < 0 || mkdir(SEALED_FOLDER, 0755) < 0 ||
        mkdir(SEALED_FOLDER "/scenarios", 0755) < 0 || chdir(SEALED_FOLDER) < 0)
        return -errno;
    return 0;
}

int sealed_enter(char *text)
{
    struct failure failure = {0};
    int err = space_user_enter(&failure);

    if (err < 0) {
        (void)snprintf(text, SEALED_TEXT_BYTES, "%s", failure.text);
        return err;
    }
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
        return sealed_fail(text, "become the parent of orphans", -errno);
    err = sealed_mount();
    if (err < 0)
        return sealed_fail(text, "mount a folder in memory", err);
    sealed_counts = sealed_write(SEALED_NET_LIMIT, SEALED_MANY) == 0 &&
                    sealed_write(SEALED_PID_LIMIT, SEALED_MANY) == 0;
    if (!sealed_counts)
        printf("/proc/sys cannot be written: namespaces are not counted\n");
    return 0;
}

bool sealed_counts_namespaces(void)
{
    return sealed_counts;
}

/* --- What remains: each says false, or true with a text --- */

static bool sealed_process(char *text)
{
    siginfo_t info = {0};

    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD)
        return false;
    (void)snprintf(text, SEALED_TEXT_BYTES, "a process");
    return true;
}

static bool sealed_net_space(char *text)
{
    struct space space = SPACE_NONE;
    int err;

    if (!sealed_counts)
        return false;
    (void)sealed_write(SEALED_NET_LIMIT, SEALED_NET_FEW);
    err = space_open(&space, NULL);
    space_close(&space);
    (void)sealed_write(SEALED_NET_LIMIT, SEALED_MANY);
    (void)snprintf(text, SEALED_TEXT_BYTES, "a network namespace");
    return err < 0;
}

static int sealed_idle(void *arg)
{
    (void)arg;
    return 0;
}

static bool sealed_pid_space(char *text)
{
    struct pidspace space = PIDSPACE_NONE;
    int err;

    if (!sealed_counts)
        return false;
    (void)sealed_write(SEALED_PID_LIMIT, SEALED_PID_FEW);
    err = pidspace_spawn(&space, NULL, sealed_idle, NULL, NULL);
    pidspace_close(&space);
    (void)sealed_write(SEALED_PID_LIMIT, SEALED_MANY);
    (void)snprintf(text, SEALED_TEXT_BYTES, "a PID namespace");
    return err < 0;
}

static bool sealed_link(char *text)
{
    struct if_nameindex *links = if_nameindex();
    bool found = false;

    for (struct if_nameindex *link = links; link && link->if_index != 0 && !found; link++) {
        found = strcmp(link->if_name, "lo") != 0;
        if (found)
            (void)snprintf(text, SEALED_TEXT_BYTES, "link %s", link->if_name);
    }
    if (links)
        if_freenameindex(links);
    return found;
}

/* Whatever lies beside SEALED_FOLDER, and System V's: a table with a head only when empty. */
static bool sealed_memory(char *text)
{
    FILE *table = fopen("/proc/sysvipc/shm", "re");
    DIR *folder = opendir("/dev/shm");
    const struct dirent *entry;
    char line[256];
    int lines = 0;
    bool found = false;

    while (folder && !found && (entry = readdir(folder))) {
        found = entry->d_name[0] != '.' && strcmp(entry->d_name, "run") != 0;
        if (found)
            (void)snprintf(text, SEALED_TEXT_BYTES, "/dev/shm/%s", entry->d_name);
    }
    while (table && fgets(line, sizeof(line), table))
        lines++;
    if (lines > 1)
        (void)snprintf(text, SEALED_TEXT_BYTES, "System V shared memory");
    if (folder)
        (void)closedir(folder);
    if (table)
        (void)fclose(table);
    return found || lines > 1;
}

static bool sealed_file(char *text)
{
    return published_check(SEALED_FOLDER "/out", text, SEALED_TEXT_BYTES) < 0;
}

/* What once is gone does not come back: nobody is there any more who could bring it. */
static int sealed_await(bool (*const looks[])(char *text), size_t count, int limit_ms, char *text)
{
    const struct timespec breath = {.tv_nsec = SEALED_LOOK_NS};
    size_t look = 0;

    for (int64_t left = (int64_t)limit_ms * 1000000;; left -= SEALED_LOOK_NS) {
        while (look < count && !looks[look](text))
            look++;
        if (look == count)
            return 0;
        if (left <= 0)
            return -ETIMEDOUT;
        (void)nanosleep(&breath, NULL);
    }
}

int sealed_await_nothing(int limit_ms, char *text)
{
    static bool (*const looks[])(char *text) = {
        sealed_process, sealed_link, sealed_file, sealed_memory,
    };

    return sealed_await(looks, sizeof(looks) / sizeof(looks[0]), limit_ms, text);
}

int sealed_await_no_namespace(int limit_ms, char *text)
{
    static bool (*const looks[])(char *text) = {sealed_net_space, sealed_pid_space};
    int err = sealed_await_nothing(limit_ms, text);

    return err < 0 ? err : sealed_await(looks, sizeof(looks) / sizeof(looks[0]), limit_ms, text);
}
