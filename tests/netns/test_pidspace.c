/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "netns/capture.h"
#include "netns/limit.h"
#include "netns/pidspace.h"

static struct pidspace spawn(const struct pidspace_options *options, int (*run)(void *), void *arg)
{
    struct pidspace ps = PIDSPACE_NONE;
    struct failure failure;

    fixture_assert_ok(pidspace_spawn(&ps, options, run, arg, &failure), &failure);
    return ps;
}

/* How the payload ended; everything is freed. */
static struct pidspace_end finish(struct pidspace *ps)
{
    struct pidspace_end end = {.status = -1};

    int err = pidspace_wait(ps, FIXTURE_LIMIT_MS, &end);
    bool alive = pidspace_alive(ps);
    /* Before the checks, for what is left would disturb the tests that follow. */
    pidspace_close(ps);
    assert_int_equal(err, 0);
    assert_false(alive);
    return end;
}

static int return_argument(void *arg)
{
    return *(int *)arg;
}

static void the_payloads_value_is_its_exit_code(void **state)
{
    int value = 42;
    (void)state;
    fixture_need_namespaces();
    int before = fixture_descriptors();

    struct pidspace ps = spawn(NULL, return_argument, &value);
    struct pidspace_end end = finish(&ps);
    assert_true(WIFEXITED(end.status));
    assert_int_equal(WEXITSTATUS(end.status), 42);
    assert_false(end.leftovers);
    assert_int_equal(fixture_descriptors(), before);
}

static int be_pid_two(void *arg)
{
    (void)arg;
    return getpid() == 2 && getppid() == 1 ? 0 : 1;
}

static void the_payload_is_pid_two(void **state)
{
    (void)state;
    fixture_need_namespaces();
    struct pidspace ps = spawn(NULL, be_pid_two, NULL);
    assert_int_equal(finish(&ps).status, 0);
}

static int abort_now(void *arg)
{
    (void)arg;
    abort();
}

static void a_signal_that_ends_the_payload_is_reported(void **state)
{
    (void)state;
    fixture_need_namespaces();
    struct pidspace ps = spawn(NULL, abort_now, NULL);
    struct pidspace_end end = finish(&ps);

    assert_true(WIFSIGNALED(end.status));
    assert_int_equal(WTERMSIG(end.status), SIGABRT);
}

static int wait_for_ever(void *arg)
{
    (void)arg;
    for (;;)
        (void)pause();
    return 0;
}

static void term_is_passed_on_to_the_payload(void **state)
{
    (void)state;
    fixture_need_namespaces();
    struct pidspace ps = spawn(NULL, wait_for_ever, NULL);

    assert_true(pidspace_alive(&ps));
    assert_int_equal(kill(ps.init, SIGTERM), 0);
    struct pidspace_end end = finish(&ps);
    assert_true(WIFSIGNALED(end.status));
    assert_int_equal(WTERMSIG(end.status), SIGTERM);
}

static void a_wait_ends_at_its_limit(void **state)
{
    struct pidspace_end end = {.status = 77};
    (void)state;
    fixture_need_namespaces();
    struct pidspace ps = spawn(NULL, wait_for_ever, NULL);

    assert_int_equal(pidspace_wait(&ps, 0, &end), -ETIMEDOUT);
    assert_int_equal(pidspace_wait(&ps, 5, &end), -ETIMEDOUT);
    assert_int_equal(end.status, 77);
    assert_true(pidspace_alive(&ps));
    pidspace_close(&ps);
    assert_int_equal(pidspace_wait(&ps, 0, &end), -ECHILD);
    pidspace_close(&ps);
}

static void a_killed_init_takes_the_payload_along(void **state)
{
    (void)state;
    fixture_need_namespaces();
    struct pidspace ps = spawn(NULL, wait_for_ever, NULL);

    int payload = (int)syscall(SYS_pidfd_open, ps.payload, 0);
    assert_true(payload >= 0);
    assert_int_equal(kill(ps.init, SIGKILL), 0);
    struct pidspace_end end = finish(&ps);
    assert_true(WIFSIGNALED(end.status));
    assert_int_equal(WTERMSIG(end.status), SIGKILL);
    assert_true(end.init);
    /* Its pidfd is readable at once: it was gone before init was. */
    struct limit none = LIMIT_NONE;
    assert_int_equal(limit_wait(&none, payload, NULL), 1);
    (void)close(payload);
}

static int leave_a_child(void *arg)
{
    (void)arg;
    return fork() == 0 ? wait_for_ever(NULL) : 3;
}

static int leave_a_child_and_wait(void *arg)
{
    (void)fork();
    return wait_for_ever(arg);
}

static int leave_a_zombie(void *arg)
{
    siginfo_t info;
    pid_t child = fork();

    (void)arg;
    if (child == 0)
        _exit(0);
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0;
}

static void a_child_left_behind_is_told_and_killed(void **state)
{
    (void)state;
    fixture_need_namespaces();
    struct pidspace ps = spawn(NULL, leave_a_child, NULL);
    struct pidspace_end end = finish(&ps);

    assert_int_equal(WEXITSTATUS(end.status), 3);
    assert_true(end.leftovers);
    ps = spawn(NULL, leave_a_zombie, NULL);
    end = finish(&ps);
    assert_int_equal(end.status, 0);
    assert_false(end.leftovers);
}

/* Nothing but 0, 1, 2 and the kept one is open. */
static int check_descriptors(void *arg)
{
    int kept = *(int *)arg;

    for (int fd = 3; fd < 64; fd++)
        if ((fcntl(fd, F_GETFD) >= 0) != (fd == kept))
            return fd;
    return write(kept, "x", 1) == 1 ? 0 : 1;
}

static void only_the_kept_descriptors_are_open_in_the_payload(void **state)
{
    int ends[2];
    char byte;
    (void)state;
    fixture_need_namespaces();
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const struct pidspace_options options = {.keep = &ends[1], .keep_count = 1};

    struct pidspace ps = spawn(&options, check_descriptors, &ends[1]);
    assert_int_equal(finish(&ps).status, 0);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static int close_and_wait(void *arg)
{
    (void)close(*(int *)arg);
    return wait_for_ever(NULL);
}

/* A FIN must come when the payload closes, not when init ends. */
static void init_holds_no_copy_of_a_kept_descriptor(void **state)
{
    int ends[2];
    char byte;
    struct limit limit = LIMIT_NONE;
    (void)state;
    fixture_need_namespaces();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const struct pidspace_options options = {.keep = &ends[1], .keep_count = 1};

    struct pidspace ps = spawn(&options, close_and_wait, &ends[1]);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(limit_open(&limit, FIXTURE_LIMIT_MS, NULL), 0);
    assert_int_equal(limit_wait(&limit, ends[0], NULL), 1);
    assert_int_equal(recv(ends[0], &byte, 1, 0), 0);
    assert_true(pidspace_alive(&ps));
    limit_close(&limit);
    (void)close(ends[0]);
    pidspace_close(&ps);
}

static int check_signals(void *arg)
{
    sigset_t blocked;
    struct sigaction action;

    (void)arg;
    if (sigprocmask(SIG_SETMASK, NULL, &blocked) < 0)
        return 1;
    for (int number = 1; number < 32; number++) {
        if (sigismember(&blocked, number) == 1)
            return number;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            return number;
    }
    return 0;
}

static void the_payload_starts_with_plain_signals(void **state)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL};
    (void)state;
    fixture_need_namespaces();

    assert_int_equal(sigaction(SIGPIPE, &ignore, NULL), 0);
    struct pidspace ps = spawn(NULL, check_signals, NULL);
    assert_int_equal(finish(&ps).status, 0);
    assert_int_equal(sigaction(SIGPIPE, &plain, NULL), 0);
}

static int report_space(void *arg)
{
    return fixture_current_space() == *(ino_t *)arg ? 0 : 1;
}

static void the_payload_runs_in_the_given_network_namespace(void **state)
{
    struct space space = SPACE_NONE;
    struct stat status;
    (void)state;
    fixture_need_namespaces();
    assert_int_equal(space_open(&space, NULL), 0);
    assert_int_equal(fstat(space.fd, &status), 0);
    const struct pidspace_options options = {.space = &space};

    struct pidspace ps = spawn(&options, report_space, &status.st_ino);
    assert_int_equal(finish(&ps).status, 0);
    space_close(&space);
}

static void what_cannot_be_kept_is_refused(void **state)
{
    const int closed[] = {1000};
    const struct pidspace_options many = {.keep = closed, .keep_count = PIDSPACE_KEEP_MAX + 1};
    const struct pidspace_options bad = {.keep = closed, .keep_count = 1};
    struct pidspace ps = PIDSPACE_NONE;
    struct failure failure;
    (void)state;

    assert_int_equal(pidspace_spawn(&ps, &many, wait_for_ever, NULL, &failure), -EINVAL);
    assert_int_equal(pidspace_spawn(&ps, &bad, wait_for_ever, NULL, &failure), -EBADF);
    assert_non_null(strstr(failure.text, "keep descriptor 1000"));
    assert_int_equal(ps.init, -1);
}

static void a_failed_start_leaves_no_process(void **state)
{
    int ends[2];
    struct pidspace ps = PIDSPACE_NONE;
    struct failure failure;
    (void)state;
    fixture_need_namespaces();
    assert_int_equal(pipe(ends), 0);
    int before = fixture_descriptors();
    const struct pidspace_options options = { .space = &(struct space){.fd = ends[0]} };

    assert_int_equal(pidspace_spawn(&ps, &options, wait_for_ever, NULL, &failure), -EINVAL);
    assert_non_null(strstr(failure.text, "start the payload"));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(fixture_descriptors(), before);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* init's setsid() waits for a supervisor's word that never comes, until it is killed. */
static bool stop_setsid(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof(steps) / sizeof(steps[0]), .filter = steps};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                   &program) >= 0;
}

#define CANNOT_STOP 77 /* the kernel has no such filter */

static int start_in_vain(const struct pidspace_options *options, int expected)
{
    struct pidspace ps = PIDSPACE_NONE;
    struct failure failure = {.code = 0};

    if (!stop_setsid())
        return CANNOT_STOP;
    if (pidspace_spawn(&ps, options, wait_for_ever, NULL, &failure) != expected)
        return 1;
    if (strstr(failure.text, "start the payload: ") == NULL || ps.init != -1)
        return 2;
    /* Killed and reaped. */
    return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD ? 0 : 3;
}

static int start_too_late(void)
{
    const struct pidspace_options options = {.start_limit_ms = 20};

    return start_in_vain(&options, -ETIMEDOUT);
}

static void a_payload_that_does_not_start_ends_the_wait_at_its_limit(void **state)
{
    (void)state;
    fixture_need_namespaces();
    int code = fixture_in_child(start_too_late);
    if (code == CANNOT_STOP) {
        print_message("needs seccomp with notices to user space\n");
        skip();
    }
    assert_int_equal(code, 0);
}

static volatile sig_atomic_t alarmed;

static void note_alarm(int number)
{
    (void)number;
    alarmed = 1;
}

static bool was_alarmed(void)
{
    return alarmed != 0;
}

static int start_interrupted(void)
{
    const struct sigaction action = {.sa_handler = note_alarm, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_value.tv_usec = 20000};
    const struct pidspace_options options = { .start_limit_ms = 600000,
                                              .interrupted = was_alarmed };

    if (sigaction(SIGALRM, &action, NULL) < 0 || setitimer(ITIMER_REAL, &soon, NULL) < 0)
        return 4;
    return start_in_vain(&options, -EINTR);
}

static void a_signal_ends_the_wait_for_the_start(void **state)
{
    (void)state;
    fixture_need_namespaces();
    int code = fixture_in_child(start_interrupted);
    if (code == CANNOT_STOP) {
        print_message("needs seccomp with notices to user space\n");
        skip();
    }
    assert_int_equal(code, 0);
}

/* A bench that spawns, tells that the payload runs, and hangs. The payload keeps `alive` open: the
 * pipe ends when bench and payload are gone. */
static _Noreturn void be_a_bench(int alive, int tell)
{
    const struct pidspace_options options = {.keep = &alive, .keep_count = 1};
    struct pidspace ps = PIDSPACE_NONE;

    if (pidspace_spawn(&ps, &options, leave_a_child_and_wait, NULL, NULL) < 0)
        _exit(1);
    (void)!write(tell, "x", 1);
    (void)wait_for_ever(NULL);
    _exit(2);
}

/* Kills a bench that runs its payload (tries < 0), or after so many looks whether it does. */
static void kill_a_bench(int tries)
{
    int alive[2], tell[2];
    char byte;
    struct limit limit = LIMIT_NONE;

    /* The orphaned init comes to us, and no zombie stays with somebody else. */
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe2(alive, O_CLOEXEC), 0);
    assert_int_equal(pipe2(tell, O_CLOEXEC), 0);
    pid_t bench = fork();
    assert_true(bench >= 0);
    if (bench == 0)
        be_a_bench(alive[1], tell[1]);
    (void)close(alive[1]);
    (void)close(tell[1]);
    assert_int_equal(fcntl(tell[0], F_SETFL, tries < 0 ? 0 : O_NONBLOCK), 0);
    for (int i = tries; i != 0 && read(tell[0], &byte, 1) < 0; i--)
        assert_int_equal(errno, EAGAIN);
    assert_int_equal(kill(bench, SIGKILL), 0);
    assert_int_equal(waitpid(bench, NULL, 0), bench);

    assert_int_equal(limit_open(&limit, FIXTURE_LIMIT_MS, NULL), 0);
    assert_int_equal(limit_wait(&limit, alive[0], NULL), 1);
    assert_int_equal(read(alive[0], &byte, 1), 0);
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    assert_int_equal(errno, ECHILD);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    limit_close(&limit);
    (void)close(alive[0]);
    (void)close(tell[0]);
}

static void killing_the_bench_leaves_no_process(void **state)
{
    (void)state;
    fixture_need_namespaces();
    for (int i = 0; i < 5; i++)
        kill_a_bench(-1);
}

/* The kill falls anywhere into fork, clone, prctl and the payload's start. */
static void killing_the_bench_while_it_spawns_leaves_no_process(void **state)
{
    (void)state;
    fixture_need_namespaces();
    for (int i = 0; i < 60; i++)
        kill_a_bench(i * 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_payloads_value_is_its_exit_code),
        cmocka_unit_test(the_payload_is_pid_two),
        cmocka_unit_test(a_signal_that_ends_the_payload_is_reported),
        cmocka_unit_test(term_is_passed_on_to_the_payload),
        cmocka_unit_test(a_wait_ends_at_its_limit),
        cmocka_unit_test(a_killed_init_takes_the_payload_along),
        cmocka_unit_test(a_child_left_behind_is_told_and_killed),
        cmocka_unit_test(only_the_kept_descriptors_are_open_in_the_payload),
        cmocka_unit_test(init_holds_no_copy_of_a_kept_descriptor),
        cmocka_unit_test(the_payload_starts_with_plain_signals),
        cmocka_unit_test(the_payload_runs_in_the_given_network_namespace),
        cmocka_unit_test(what_cannot_be_kept_is_refused),
        cmocka_unit_test(a_failed_start_leaves_no_process),
        cmocka_unit_test(a_payload_that_does_not_start_ends_the_wait_at_its_limit),
        cmocka_unit_test(a_signal_ends_the_wait_for_the_start),
        cmocka_unit_test(killing_the_bench_leaves_no_process),
        cmocka_unit_test(killing_the_bench_while_it_spawns_leaves_no_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
