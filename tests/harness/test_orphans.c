/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/clean/orphans.h"

#define NOBODY 65534
#define GONE_LIMIT_MS 10000

/* A process that outlives whoever started it. */
struct stray {
    pid_t pid;
    int pidfd;
};

static struct stray take(pid_t pid)
{
    struct stray stray = {.pid = pid, .pidfd = (int)syscall(SYS_pidfd_open, pid, 0)};

    assert_true(stray.pidfd >= 0);
    return stray;
}

static bool is_gone(const struct stray *stray, int limit_ms)
{
    struct pollfd wanted = {.fd = stray->pidfd, .events = POLLIN};

    return poll(&wanted, 1, limit_ms) > 0;
}

static void drop(struct stray *stray)
{
    (void)syscall(SYS_pidfd_send_signal, stray->pidfd, SIGKILL, NULL, 0);
    assert_true(is_gone(stray, GONE_LIMIT_MS));
    close(stray->pidfd);
}

static pid_t read_pid(int fd)
{
    pid_t pid = -1;

    assert_int_equal(read(fd, &pid, sizeof(pid)), sizeof(pid));
    return pid;
}

/* The life of a stray. Its own end, should the test die, and nobody waits for its output. */
static _Noreturn void stay(void)
{
    alarm(60);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    for (;;)
        pause();
}

/* In a process of its own: starts a child and says its number. */
static pid_t start_child(int tell, unsigned long flags)
{
    pid_t child = (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);

    if (child == 0)
        stay();
    if (write(tell, &child, sizeof(child)) != sizeof(child))
        _exit(1);
    return child;
}

/* A child whose parent has died, in new namespaces as `flags` say; -1 when these are refused. */
static pid_t orphan(unsigned long flags)
{
    int ends[2];
    int status;
    pid_t parent;
    pid_t pid;

    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    parent = fork();
    assert_true(parent >= 0);
    if (parent == 0)
        _exit(start_child(ends[1], flags) < 0);
    pid = read_pid(ends[0]);
    assert_int_equal(waitpid(parent, &status, 0), parent);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

/* What the list says about a process; REMAINS_FATE_COUNT: nothing. */
static enum remains_fate fate_of(const struct remains *remains, pid_t pid)
{
    char name[24];

    snprintf(name, sizeof(name), "%ld", (long)pid);
    for (size_t i = 0; i < remains->count; i++)
        if (strcmp(remains->items[i].name, name) == 0)
            return remains->items[i].fate;
    return REMAINS_FATE_COUNT;
}

static enum remains_fate cleaned(bool dry_run, pid_t pid)
{
    struct remains remains = {0};
    enum remains_fate fate;

    assert_int_equal(orphans_remove(dry_run, &remains), 0);
    fate = fate_of(&remains, pid);
    remains_free(&remains);
    return fate;
}

static void kills_what_has_lost_its_bench(void **state)
{
    struct stray stray = take(orphan(0));

    (void)state;
    assert_int_equal(cleaned(true, stray.pid), REMAINS_FOUND);
    assert_false(is_gone(&stray, 0));
    assert_int_equal(cleaned(false, stray.pid), REMAINS_REMOVED);
    assert_true(is_gone(&stray, 0));
    /* A second call has nothing to do. */
    assert_int_equal(cleaned(false, stray.pid), REMAINS_FATE_COUNT);
    close(stray.pidfd);
}

static void kills_one_that_is_stopped(void **state)
{
    struct stray stray = take(orphan(0));

    (void)state;
    assert_int_equal(kill(stray.pid, SIGSTOP), 0);
    assert_int_equal(cleaned(false, stray.pid), REMAINS_REMOVED);
    assert_true(is_gone(&stray, 0));
    close(stray.pidfd);
}

static void kills_the_init_of_a_space_that_nobody_holds(void **state)
{
    pid_t pid = orphan(CLONE_NEWPID | (geteuid() == 0 ? 0 : CLONE_NEWUSER));
    struct stray stray;

    (void)state;
    if (pid < 0) {
        print_message("needs root or a user namespace: a PID namespace is made\n");
        skip();
    }
    stray = take(pid);
    assert_int_equal(cleaned(false, stray.pid), REMAINS_REMOVED);
    assert_true(is_gone(&stray, 0));
    close(stray.pidfd);
}

static void spares_the_processes_of_a_living_bench(void **state)
{
    struct stray bench;
    struct stray run;
    int ends[2];
    pid_t pid;

    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        start_child(ends[1], 0);
        stay();
    }
    bench = take(pid);
    run = take(read_pid(ends[0]));
    assert_int_equal(cleaned(false, bench.pid), REMAINS_FATE_COUNT);
    assert_int_equal(cleaned(false, run.pid), REMAINS_FATE_COUNT);
    assert_false(is_gone(&bench, 0));
    assert_false(is_gone(&run, 0));
    drop(&bench);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    /* Now it has none. */
    assert_int_equal(cleaned(false, run.pid), REMAINS_REMOVED);
    drop(&run);
    close(ends[0]);
    close(ends[1]);
}

/* Runs `program` as `role`, its number or what it prints going into the result. */
static pid_t execute(const char *program, const char *role)
{
    int ends[2];
    pid_t child;
    pid_t told;

    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(program, program, role, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    told = read_pid(ends[0]);
    close(ends[0]);
    if (told != child)
        assert_int_equal(waitpid(child, NULL, 0), child);
    return told;
}

static void spares_a_program_that_somebody_started(void **state)
{
    struct stray stray = take(execute("/proc/self/exe", "stay"));

    (void)state;
    assert_int_equal(cleaned(false, stray.pid), REMAINS_LEFT);
    assert_false(is_gone(&stray, 0));
    drop(&stray);
    waitpid(stray.pid, NULL, 0);
}

static void copy_program(const char *path)
{
    char buffer[65536];
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    ssize_t got;

    assert_true(from >= 0 && to >= 0);
    while ((got = read(from, buffer, sizeof(buffer))) > 0)
        assert_int_equal(write(to, buffer, (size_t)got), got);
    close(from);
    close(to);
}

static char folder[] = "/tmp/test_orphans.XXXXXX";
static char copy[64];
static char newer[64];

static int make_copies(void **state)
{
    (void)state;
    memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
    if (!mkdtemp(folder))
        return -1;
    snprintf(copy, sizeof(copy), "%s/copy", folder);
    snprintf(newer, sizeof(newer), "%s/newer", folder);
    copy_program(copy);
    return 0;
}

static int remove_copies(void **state)
{
    (void)state;
    unlink(copy);
    unlink(newer);
    return rmdir(folder);
}

static void spares_the_orphans_of_another_checkout(void **state)
{
    struct stray stray = take(execute(copy, "orphan"));

    (void)state;
    assert_int_equal(cleaned(false, stray.pid), REMAINS_FATE_COUNT);
    assert_false(is_gone(&stray, 0));
    drop(&stray);
}

static void kills_an_orphan_from_before_the_last_build(void **state)
{
    struct stray stray = take(execute(copy, "orphan"));

    (void)state;
    copy_program(newer);
    assert_int_equal(rename(newer, copy), 0);
    execute(copy, "clean");
    assert_true(is_gone(&stray, 0));
    close(stray.pidfd);
}

static void a_user_touches_nothing_of_another(void **state)
{
    struct stray stray;
    int status;
    pid_t child;

    (void)state;
    if (geteuid() != 0) {
        print_message("needs root: becomes somebody else\n");
        skip();
    }
    stray = take(orphan(0));
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
            setresuid(NOBODY, NOBODY, NOBODY) < 0)
            _exit(2);
        _exit(cleaned(false, stray.pid) != REMAINS_FATE_COUNT);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_false(is_gone(&stray, 0));
    drop(&stray);
}

/* What this program is when it executes itself; it says a number first. */
static int play(const char *role)
{
    struct remains remains = {0};
    pid_t self = getpid();

    if (strcmp(role, "orphan") == 0)
        return start_child(STDOUT_FILENO, 0) < 0;
    if (strcmp(role, "clean") == 0) {
        pid_t none = 0;

        orphans_remove(false, &remains);
        remains_free(&remains);
        return write(STDOUT_FILENO, &none, sizeof(none)) != sizeof(none);
    }
    if (write(STDOUT_FILENO, &self, sizeof(self)) != sizeof(self))
        return 1;
    stay();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kills_what_has_lost_its_bench),
        cmocka_unit_test(kills_one_that_is_stopped),
        cmocka_unit_test(kills_the_init_of_a_space_that_nobody_holds),
        cmocka_unit_test(spares_the_processes_of_a_living_bench),
        cmocka_unit_test(spares_a_program_that_somebody_started),
        cmocka_unit_test_setup_teardown(spares_the_orphans_of_another_checkout, make_copies,
                                        remove_copies),
        cmocka_unit_test_setup_teardown(kills_an_orphan_from_before_the_last_build, make_copies,
                                        remove_copies),
        cmocka_unit_test(a_user_touches_nothing_of_another),
    };

    if (argc == 2)
        return play(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
