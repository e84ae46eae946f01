/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/victim.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/breaking/failing.h"
#include "tests/support/sealed.h"

#define VICTIM_OUTPUT_BYTES (1 << 18)
#define VICTIM_DEPTH_MAX 4
#define VICTIM_CHILDREN_MAX 16

void victim_built(const char *name, char path[VICTIM_PATH_BYTES])
{
    ssize_t length = readlink("/proc/self/exe", path, VICTIM_PATH_BYTES / 2);

    assert(length > 0);
    path[length] = '\0';
    /* BUILD/tests/FOLDER/PROGRAM */
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(path, '/');
        assert(slash);
        *slash = '\0';
    }
    (void)snprintf(path + strlen(path), VICTIM_PATH_BYTES / 2, "/%s", name);
}

static void victim_redirect(const struct victim_start *start, int output)
{
    (void)dup2(output, STDERR_FILENO);
    if (!start->output) {
        (void)dup2(output, STDOUT_FILENO);
    } else if (*start->output) {
        int fd = open(start->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        (void)dup2(fd, STDOUT_FILENO);
    } else {
        (void)close(STDOUT_FILENO);
    }
}

static void victim_prepare(const struct victim_start *start)
{
    char path[VICTIM_PATH_BYTES];

    (void)setenv("NO_COLOR", "1", 1);
    (void)setenv("LC_ALL", "C", 1);
    (void)setenv("EDGEWISE_SCENARIOS", SEALED_FOLDER "/scenarios", 1);
    (void)unsetenv("SUDO_UID");
    (void)unsetenv("SUDO_GID");
    if (start->sheet) {
        victim_built("tests/breaking/failing.so", path);
        (void)setenv("LD_PRELOAD", path, 1);
        (void)setenv(FAILING_SHEET, start->sheet, 1);
        (void)setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    } else {
        /* A sanitizer has a process of its own for leaks, and another end for a fault. */
        (void)setenv("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0", 1);
    }
    if (start->limit >= 0) {
        const struct rlimit limit = {start->limit_value, start->limit_value};
        (void)setrlimit((__rlimit_resource_t)start->limit, &limit);
    }
}

static _Noreturn void victim_become(const struct victim_start *start, int output)
{
    char *words[VICTIM_WORDS_MAX + 1] = {0};
    char path[VICTIM_PATH_BYTES];

    victim_built("edgewise", path);
    words[0] = path;
    for (size_t i = 0; i < VICTIM_WORDS_MAX && start->words[i]; i++)
        words[i + 1] = (char *)(uintptr_t)start->words[i];
    if (chdir(SEALED_FOLDER) < 0)
        _exit(127);
    victim_redirect(start, output);
    victim_prepare(start);
    (void)execv(path, words);
    _exit(127);
}

/* Room for all that it may write: nobody reads before its end. A limit on files is none on this. */
static int victim_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
        return -errno;
    (void)fcntl(ends[1], F_SETPIPE_SZ, VICTIM_OUTPUT_BYTES);
    /* Only the reader is not to wait. */
    (void)fcntl(ends[1], F_SETFL, 0);
    return 0;
}

int victim_begin(struct victim *ret_victim, const struct victim_start *start)
{
    int ends[2];
    int err = victim_pipe(ends);
    pid_t pid = err < 0 ? -1 : fork();

    if (pid == 0)
        victim_become(start, ends[1]);
    if (err < 0)
        return err;
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return -EAGAIN;
    }
    *ret_victim = (struct victim){.pid = pid, .output = ends[0]};
    return 0;
}

/* --- Who is there --- */

static size_t victim_add_children(const char *path, pid_t *children, size_t count)
{
    FILE *file = fopen(path, "re");
    int pid;

    while (file && count < VICTIM_CHILDREN_MAX && fscanf(file, "%d", &pid) == 1)
        children[count++] = (pid_t)pid;
    if (file)
        (void)fclose(file);
    return count;
}

/* The children of all threads. */
static size_t victim_children(pid_t parent, pid_t *children)
{
    char path[300];
    const struct dirent *task;
    size_t count = 0;

    (void)snprintf(path, sizeof(path), "/proc/%d/task", parent);
    DIR *tasks = opendir(path);
    while (tasks && (task = readdir(tasks))) {
        if (task->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof(path), "/proc/%d/task/%.20s/children", parent, task->d_name);
        count = victim_add_children(path, children, count);
    }
    if (tasks)
        (void)closedir(tasks);
    return count;
}

/* Its pid in the innermost of its PID namespaces; 0 when it is in ours. */
static int victim_inner_pid(pid_t pid)
{
    char path[64];
    char line[256];
    int outer = 0, inner = 0;

    (void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "NSpid: %d %d", &outer, &inner) > 0)
            break;
    if (file)
        (void)fclose(file);
    return inner;
}

static bool victim_is(pid_t pid, enum victim_process which)
{
    int inner = victim_inner_pid(pid);

    return inner == (which == VICTIM_INIT ? 1 : which == VICTIM_SUT ? 2 : 0);
}

static pid_t victim_find_below(pid_t parent, enum victim_process which, int depth)
{
    pid_t children[VICTIM_CHILDREN_MAX];
    size_t count = depth < VICTIM_DEPTH_MAX ? victim_children(parent, children) : 0;

    for (size_t i = 0; i < count; i++) {
        if (victim_is(children[i], which))
            return children[i];
        pid_t found = victim_find_below(children[i], which, depth + 1);
        if (found > 0)
            return found;
    }
    return -1;
}

pid_t victim_find(const struct victim *victim, enum victim_process which)
{
    return which == VICTIM_BENCH ? victim->pid : victim_find_below(victim->pid, which, 0);
}

/* --- The end --- */

static void victim_kill_all(pid_t pid, int depth)
{
    pid_t children[VICTIM_CHILDREN_MAX];
    size_t count = depth < VICTIM_DEPTH_MAX ? victim_children(pid, children) : 0;

    (void)kill(pid, SIGKILL);
    for (size_t i = 0; i < count; i++)
        victim_kill_all(children[i], depth + 1);
}

static char *victim_text(int output)
{
    char *text = calloc(1, VICTIM_OUTPUT_BYTES + 1);
    size_t size = 0;
    ssize_t part;

    assert(text);
    while (size < VICTIM_OUTPUT_BYTES &&
           (part = read(output, text + size, VICTIM_OUTPUT_BYTES - size)) > 0)
        size += (size_t)part;
    return text;
}

int victim_end(struct victim *victim, int limit_ms, char **ret_text)
{
    struct pollfd entry = {.fd = (int)syscall(SYS_pidfd_open, victim->pid, 0), .events = POLLIN};
    bool ended = entry.fd >= 0 && poll(&entry, 1, limit_ms) > 0;
    int status = 0;

    if (!ended)
        victim_kill_all(victim->pid, 0);
    (void)waitpid(victim->pid, &status, 0);
    *ret_text = victim_text(victim->output);
    (void)close(victim->output);
    if (entry.fd >= 0)
        (void)close(entry.fd);
    *victim = (struct victim){.pid = -1, .output = -1};
    return ended ? status : -ETIMEDOUT;
}

int victim_status(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

void victim_unbreak(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        bool blank = *from == ' ' || *from == '\n';

        if (!blank)
            *to++ = *from;
        else if (to == text || to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}
