/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/clean/orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/numbers.h"

/* PF_FORKNOEXEC of the kernel's task flags: forked, and nothing executed since. */
#define FORKED_ONLY 0x40ul

/* A killed process of ours has nothing to write back: it is gone at once or held. */
#define DEATH_LIMIT_MS 2000

/* What /proc tells of one process. */
struct process_facts {
    pid_t pid;
    pid_t parent; /* 0: outside of our PID namespace */
    char name[24]; /* of the program, as the kernel cuts it */
    char state;
    bool forked_only;
    uid_t uid; /* real */
};

/* Which file is executed. */
struct image {
    dev_t device;
    ino_t inode;
};

static bool same_image(struct image a, struct image b)
{
    return a.device == b.device && a.inode == b.inode;
}

/* 0, or -errno: -EACCES when it is hidden from us, -ENOENT when it is gone or a kernel thread. */
static int read_image(pid_t pid, struct image *ret_image)
{
    char path[64];
    struct stat about;

    snprintf(path, sizeof(path), "/proc/%ld/exe", (long)pid);
    if (stat(path, &about) < 0)
        return -errno;
    *ret_image = (struct image){about.st_dev, about.st_ino};
    return 0;
}

/* A small file of /proc as text; its size, or -errno. */
static ssize_t read_text(pid_t pid, const char *name, char *text, size_t size)
{
    char path[64];
    ssize_t got;
    int fd;

    snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    got = read(fd, text, size - 1);
    if (got < 0)
        got = -errno;
    close(fd);
    text[got < 0 ? 0 : got] = '\0';
    return got;
}

static int read_link(pid_t pid, const char *name, char *text, size_t size)
{
    char path[64];
    ssize_t got;

    snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
    got = readlink(path, text, size - 1);
    text[got < 0 ? 0 : got] = '\0';
    return got < 0 ? -errno : 0;
}

/* Takes away what the kernel puts behind the path of a file that has gone. */
static bool cut_deleted(char *path)
{
    static const char mark[] = " (deleted)";
    size_t length = strlen(path);

    if (length < sizeof(mark) || strcmp(path + length - (sizeof(mark) - 1), mark) != 0)
        return false;
    path[length - (sizeof(mark) - 1)] = '\0';
    return true;
}

/* The fields behind the name, which may hold blanks and brackets itself: proc_pid_stat(5). */
static int read_stat(struct process_facts *facts)
{
    char text[1024];
    const char *before;
    const char *behind;
    int64_t fields[6]; /* parent, group, session, terminal, its group, flags */

    if (read_text(facts->pid, "stat", text, sizeof(text)) <= 0)
        return -ESRCH;
    before = strchr(text, '(');
    behind = strrchr(text, ')');
    if (!before || !behind || behind < before || strlen(behind) < 4 ||
        numbers_read(behind + 3, fields, 6) != 6)
        return -EIO;
    facts->state = behind[2];
    snprintf(facts->name, sizeof(facts->name), "%.*s", (int)(behind - before - 1), before + 1);
    facts->parent = (pid_t)fields[0];
    facts->forked_only = (uint64_t)fields[5] & FORKED_ONLY;
    return 0;
}

static int read_users(struct process_facts *facts)
{
    char text[4096];
    const char *line;
    int64_t uid;

    if (read_text(facts->pid, "status", text, sizeof(text)) <= 0)
        return -ESRCH;
    line = strstr(text, "\nUid:");
    if (!line || numbers_read(line + 5, &uid, 1) != 1)
        return -EIO;
    facts->uid = (uid_t)uid;
    return 0;
}

static int read_facts(pid_t pid, struct process_facts *ret_facts)
{
    struct process_facts facts = {.pid = pid};
    int status = read_stat(&facts);

    if (status == 0)
        status = read_users(&facts);
    if (status == 0)
        *ret_facts = facts;
    return status;
}

/* The file that has gone from the path of ours was ours before the last build. The same path in
 * another mount namespace says nothing. */
static bool is_older_build(pid_t pid)
{
    char ours[PATH_MAX + 16];
    char theirs[PATH_MAX + 16];
    struct stat here;
    struct stat there;
    char path[64];

    if (read_link(getpid(), "exe", ours, sizeof(ours)) < 0 ||
        read_link(pid, "exe", theirs, sizeof(theirs)) < 0)
        return false;
    cut_deleted(ours);
    if (!cut_deleted(theirs) || strcmp(ours, theirs) != 0)
        return false;
    snprintf(path, sizeof(path), "/proc/%ld/ns/mnt", (long)pid);
    return stat("/proc/self/ns/mnt", &here) == 0 && stat(path, &there) == 0 &&
           here.st_ino == there.st_ino;
}

enum standing {
    STANDING_FOREIGN, /* not ours, no longer there, or held by its bench */
    STANDING_TYPED,   /* a program that somebody started */
    STANDING_UNKNOWN, /* ours, but its parent cannot be looked at */
    STANDING_ORPHAN,
};

/* Whether the parent of a process is the one that started it: then it executes the same file. */
static enum standing judge_parent(const struct process_facts *facts, struct image own)
{
    struct process_facts parent = {0};
    struct image image;
    int status;

    if (facts->parent == 0)
        return STANDING_UNKNOWN;
    status = read_image(facts->parent, &image);
    if (status == 0)
        return same_image(image, own) ? STANDING_FOREIGN : STANDING_ORPHAN;
    /* Gone between two looks: the next call tells. */
    if (status != -EACCES && status != -EPERM)
        return STANDING_UNKNOWN;
    if (read_facts(facts->parent, &parent) < 0)
        return STANDING_UNKNOWN;
    /* Neither a bench nor what it starts changes its name or its user. */
    if (strcmp(parent.name, facts->name) != 0 || parent.uid != facts->uid)
        return STANDING_ORPHAN;
    return STANDING_UNKNOWN;
}

static enum standing judge(pid_t pid, struct image ours)
{
    struct process_facts facts = {0};
    struct image image;

    if (read_image(pid, &image) < 0 || (!same_image(image, ours) && !is_older_build(pid)))
        return STANDING_FOREIGN;
    if (read_facts(pid, &facts) < 0 || facts.state == 'Z' || facts.state == 'X')
        return STANDING_FOREIGN;
    if (geteuid() != 0 && facts.uid != getuid())
        return STANDING_FOREIGN;
    return facts.forked_only ? judge_parent(&facts, image) : STANDING_TYPED;
}

/* 0 once it is gone. */
static int kill_and_wait(int pidfd)
{
    struct pollfd gone = {.fd = pidfd, .events = POLLIN};
    int ready;

    if (syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0) < 0)
        return errno == ESRCH ? 0 : -errno;
    do {
        ready = poll(&gone, 1, DEATH_LIMIT_MS);
    } while (ready < 0 && errno == EINTR);
    return ready > 0 ? 0 : ready < 0 ? -errno : -ETIMEDOUT;
}

static void remove_orphan(int pidfd, const char *name, bool dry_run, struct remains *remains)
{
    char why[160];
    int status = dry_run ? 0 : kill_and_wait(pidfd);

    if (status == 0)
        remains_add(remains, REMAINS_PROCESS, dry_run ? REMAINS_FOUND : REMAINS_REMOVED, name,
                    "its bench has gone");
    else if (status == -ETIMEDOUT)
        remains_add(remains, REMAINS_PROCESS, REMAINS_FAILED, name,
                    "its bench has gone; it was killed, but something holds it: a debugger, or a "
                    "frozen control group");
    else {
        snprintf(why, sizeof(why), "its bench has gone, but it cannot be killed: %s",
                 strerror(-status));
        remains_add(remains, REMAINS_PROCESS, REMAINS_FAILED, name, why);
    }
}

/* The descriptor comes first: what is read while it is open is of this process, not of a later one
 * with the same number, provided that it still lives at the end. */
static void look_at(pid_t pid, struct image ours, bool dry_run, struct remains *remains)
{
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    char name[24];
    enum standing standing;

    if (pidfd < 0)
        return;
    standing = judge(pid, ours);
    snprintf(name, sizeof(name), "%ld", (long)pid);
    if (syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) < 0 && errno == ESRCH)
        standing = STANDING_FOREIGN;
    if (standing == STANDING_ORPHAN)
        remove_orphan(pidfd, name, dry_run, remains);
    else if (standing == STANDING_UNKNOWN)
        remains_add(remains, REMAINS_PROCESS, REMAINS_LEFT, name,
                    "its parent cannot be looked at, and may be a bench");
    else if (standing == STANDING_TYPED)
        remains_add(remains, REMAINS_PROCESS, REMAINS_LEFT, name, "it is running");
    close(pidfd);
}

int orphans_remove(bool dry_run, struct remains *remains)
{
    struct image ours;
    int status = read_image(getpid(), &ours);
    DIR *processes = status < 0 ? NULL : opendir("/proc");
    struct dirent *entry;

    if (!processes)
        return status < 0 ? status : -errno;
    while ((entry = readdir(processes))) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);

        if (*end == '\0' && pid > 0 && pid <= INT32_MAX && pid != getpid())
            look_at((pid_t)pid, ours, dry_run, remains);
    }
    closedir(processes);
    return 0;
}
