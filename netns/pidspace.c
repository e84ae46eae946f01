/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/pidspace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "netns/limit.h"

#define PIDSPACE_INIT_FAILED 125 /* init's own exit code when it could not start the payload */
#define PIDSPACE_STANDARD 3      /* descriptors 0, 1 and 2 */
#define PIDSPACE_NO_MORE ((unsigned int)INT_MAX + 1) /* above every descriptor */
#define PIDSPACE_RETRIES 3 /* of a read that fails for want of memory */
#define PIDSPACE_LOOK_MS 50 /* a signal that came just before a wait is noticed after it */

static const int pidspace_passed_on[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

#define PIDSPACE_PASSED_ON (sizeof(pidspace_passed_on) / sizeof(pidspace_passed_on[0]))

/* What the inside reports, one packet each: first STARTED by the payload, so that the kernel
 * attests its pid, or FAILED by init; at last ENDED by init. */
enum pidspace_kind {
    PIDSPACE_STARTED,
    PIDSPACE_FAILED,
    PIDSPACE_ENDED,
};

struct pidspace_report {
    enum pidspace_kind kind;
    int value;      /* FAILED: -errno; ENDED: the wait status */
    bool leftovers; /* ENDED */
};

/* All that init needs; lives on the stack that the clone copies. */
struct pidspace_plan {
    const struct pidspace_options *options;
    int (*run)(void *arg);
    void *arg;
    int caller;  /* pidfd of the spawning process */
    int channel; /* init's end */
    int signals; /* signalfd */
};

static void pidspace_report(int channel, struct pidspace_report report)
{
    /* Nobody is left to hear of a failure to send. */
    (void)send(channel, &report, sizeof(report), MSG_NOSIGNAL);
}

/* The lowest kept descriptor from `from` on; PIDSPACE_NO_MORE if there is none. */
static unsigned int pidspace_next_kept(const int *keep, size_t count, unsigned int from)
{
    unsigned int next = PIDSPACE_NO_MORE;

    for (size_t i = 0; i < count; i++) {
        unsigned int fd = (unsigned int)keep[i];
        if (fd >= from && fd < next)
            next = fd;
    }
    return next;
}

/* Closes all descriptors from 3 on but those listed. */
static int pidspace_close_others(const int *keep, size_t count)
{
    unsigned int from = PIDSPACE_STANDARD, next;

    do {
        next = pidspace_next_kept(keep, count, from);
        if (next > from && syscall(SYS_close_range, from, next - 1, 0) < 0)
            return -errno;
        from = next + 1;
    } while (next != PIDSPACE_NO_MORE);
    return 0;
}

/* The caller's handlers would run in a process that does not know what they are for. */
static void pidspace_reset_handlers(void)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL};

    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &plain, NULL);
}

static _Noreturn void pidspace_payload(struct pidspace_plan *plan)
{
    sigset_t none;

    /* init's death kills us in any case: this is the end of its namespace. */
    pidspace_report(plan->channel, (struct pidspace_report){.kind = PIDSPACE_STARTED});
    if (pidspace_close_others(plan->options->keep, plan->options->keep_count) < 0)
        _exit(PIDSPACE_INIT_FAILED);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    _exit(plan->run(plan->arg));
}

static _Noreturn void pidspace_give_up(const struct pidspace_plan *plan, int code)
{
    pidspace_report(plan->channel,
                    (struct pidspace_report){.kind = PIDSPACE_FAILED, .value = code});
    _exit(PIDSPACE_INIT_FAILED);
}

/* Reaps whoever ended. Returns only if the payload is still there. */
static void pidspace_reap(const struct pidspace_plan *plan, pid_t payload)
{
    pid_t pid;
    int status;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != payload)
            continue;
        do {
            pid = waitpid(-1, NULL, WNOHANG);
        } while (pid > 0);
        pidspace_report(plan->channel, (struct pidspace_report){
            .kind = PIDSPACE_ENDED, .value = status, .leftovers = pid == 0,
        });
        _exit(0);
    }
}

static void pidspace_take_signal(const struct pidspace_plan *plan, pid_t payload)
{
    struct signalfd_siginfo info;

    if (read(plan->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return;
    if (info.ssi_signo == SIGCHLD)
        pidspace_reap(plan, payload);
    else
        (void)kill(payload, (int)info.ssi_signo);
}

static _Noreturn void pidspace_serve(const struct pidspace_plan *plan, pid_t payload)
{
    struct pollfd wanted[] = {
        {.fd = plan->signals, .events = POLLIN},
        {.fd = plan->caller, .events = POLLIN},
    };

    for (;;) {
        if (poll(wanted, 2, -1) < 0)
            continue;
        /* The second guard beside PDEATHSIG, for a caller that died before it was set. */
        if (wanted[1].revents != 0)
            _exit(PIDSPACE_INIT_FAILED);
        if (wanted[0].revents != 0)
            pidspace_take_signal(plan, payload);
    }
}

static int pidspace_block_signals(void)
{
    sigset_t handled;

    (void)sigemptyset(&handled);
    (void)sigaddset(&handled, SIGCHLD);
    for (size_t i = 0; i < PIDSPACE_PASSED_ON; i++)
        (void)sigaddset(&handled, pidspace_passed_on[i]);
    if (sigprocmask(SIG_SETMASK, &handled, NULL) < 0)
        return -errno;
    int fd = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

/* Pid 1. Its copies of the payload's descriptors would hide every FIN: it closes them. Until the
 * fork it makes system calls only, for it came about without fork()'s handlers; the payload gets
 * them, and with them a library that knows of one thread. */
static _Noreturn void pidspace_init(struct pidspace_plan *plan)
{
    struct space previous = SPACE_NONE;
    const struct space *space = plan->options->space;

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        pidspace_give_up(plan, -errno);
    (void)setsid();
    plan->signals = pidspace_block_signals();
    if (plan->signals < 0)
        pidspace_give_up(plan, plan->signals);
    pidspace_reset_handlers();
    int err = space == NULL ? 0 : space_enter(space, &previous, NULL);
    if (err < 0)
        pidspace_give_up(plan, err);
    pid_t payload = fork();
    if (payload < 0)
        pidspace_give_up(plan, -errno);
    if (payload == 0)
        pidspace_payload(plan);
    const int keep[] = {plan->caller, plan->channel, plan->signals};
    (void)pidspace_close_others(keep, sizeof(keep) / sizeof(keep[0]));
    pidspace_serve(plan, payload);
}

static int pidspace_check_options(const struct pidspace_options *options, struct failure *failure)
{
    if (options->keep_count > PIDSPACE_KEEP_MAX)
        return failure_set(failure, -EINVAL, "keep %zu descriptors, at most %d",
                           options->keep_count, PIDSPACE_KEEP_MAX);
    for (size_t i = 0; i < options->keep_count; i++)
        if (fcntl(options->keep[i], F_GETFD) < 0)
            return failure_set(failure, -errno, "keep descriptor %d", options->keep[i]);
    return 0;
}

/* The kernel fills in the sender's pid as this side sees it. -ECHILD when init ended silently. */
static int pidspace_receive(int channel, struct pidspace_report *ret_report, pid_t *ret_sender)
{
    struct pidspace_report report = {.value = 0};
    struct iovec bytes = {.iov_base = &report, .iov_len = sizeof(report)};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct ucred))];
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1,
        .msg_control = control, .msg_controllen = sizeof(control),
    };
    ssize_t length;
    int more = PIDSPACE_RETRIES;

    /* What could not be read is still there. */
    do {
        length = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    } while (length < 0 && (errno == EINTR || more-- > 0));
    if (length < 0)
        return -errno;
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    if (length != (ssize_t)sizeof(report) || first == NULL ||
        first->cmsg_type != SCM_CREDENTIALS)
        return -ECHILD;
    struct ucred sender;
    memcpy(&sender, CMSG_DATA(first), sizeof(sender));
    *ret_report = report;
    *ret_sender = sender.pid;
    return 0;
}

/* Neither this nor the wait below needs a descriptor or memory that might be short just then: a sut
 * of which we know nothing would be taken for one that goes on for ever. */
static bool pidspace_ended(const struct pidspace *ps)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)ps->init, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

/* Until there is a first report: 0, -ETIMEDOUT, -EINTR. */
static int pidspace_await_report(const struct pidspace *ps, const struct limit *limit,
                                 bool (*interrupted)(void))
{
    struct pollfd wanted = {.fd = ps->channel, .events = POLLIN};

    for (;;) {
        int ready = poll(&wanted, 1, PIDSPACE_LOOK_MS);
        if (ready > 0)
            return 0;
        if (ready < 0 && errno != EINTR)
            return -errno;
        if (interrupted != NULL && interrupted())
            return -EINTR;
        if (limit_passed(limit))
            return -ETIMEDOUT;
    }
}

/* It was killed before it could begin; init tells of the payload, and else of itself. */
static int pidspace_never_began(struct pidspace *ps, const struct pidspace_report *report,
                                struct failure *failure)
{
    int status = report->kind == PIDSPACE_ENDED ? report->value : 0;

    if (report->kind != PIDSPACE_ENDED && waitpid(ps->init, &status, 0) == ps->init)
        ps->init = -1;
    if (WIFSIGNALED(status))
        return failure_tell(failure, -ECHILD, "start the payload: killed by SIG%s",
                            sigabbrev_np(WTERMSIG(status)));
    return failure_tell(failure, -ECHILD, "start the payload: exited with status %d",
                        WEXITSTATUS(status));
}

static int pidspace_await_start(struct pidspace *ps, const struct pidspace_options *options,
                                struct failure *failure)
{
    struct pidspace_report report = {.kind = PIDSPACE_STARTED};
    struct limit limit = LIMIT_ON("the payload to start");
    int limit_ms = options->start_limit_ms > 0 ? options->start_limit_ms : PIDSPACE_START_LIMIT_MS;
    pid_t sender = -1;
    int err = limit_open(&limit, limit_ms, failure);

    if (err < 0)
        return err;
    err = pidspace_await_report(ps, &limit, options->interrupted);
    limit_close(&limit);
    if (err == 0)
        err = pidspace_receive(ps->channel, &report, &sender);
    if (err == -ECHILD || (err == 0 && report.kind == PIDSPACE_ENDED))
        return pidspace_never_began(ps, &report, failure);
    if (err == 0 && report.kind == PIDSPACE_FAILED)
        err = report.value;
    if (err < 0)
        return failure_set(failure, err, "start the payload");
    ps->payload = sender;
    return 0;
}

/* clone(2) as fork: no stack of its own, so the child goes on here. The order of the arguments
 * behind the third differs between machines, but these are zero. */
static int pidspace_clone(struct pidspace *ps, struct pidspace_plan *plan, struct failure *failure)
{
    int pidfd = -1;
    long pid = syscall(SYS_clone, CLONE_NEWPID | CLONE_PIDFD | SIGCHLD, NULL, &pidfd, NULL, NULL);

    if (pid < 0)
        return failure_set(failure, -errno, "make a PID namespace");
    if (pid == 0)
        pidspace_init(plan);
    ps->init = (pid_t)pid;
    ps->pidfd = pidfd;
    return 0;
}

static int pidspace_open_channel(int ends[2], struct failure *failure)
{
    int one = 1;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return failure_set(failure, -errno, "open the channel to the payload");
    if (setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &one, sizeof(one)) == 0)
        return 0;
    int err = failure_set(failure, -errno, "ask for the payload's pid");
    (void)close(ends[0]);
    (void)close(ends[1]);
    return err;
}

int pidspace_spawn(struct pidspace *ret_ps, const struct pidspace_options *options,
                   int (*run)(void *arg), void *arg, struct failure *failure)
{
    static const struct pidspace_options plain = {.space = NULL};
    struct pidspace_plan plan = {
        .options = options != NULL ? options : &plain, .run = run, .arg = arg,
    };
    struct pidspace ps = PIDSPACE_NONE;
    int ends[2];
    int err = pidspace_check_options(plan.options, failure);

    if (err == 0)
        err = pidspace_open_channel(ends, failure);
    if (err < 0)
        return err;
    ps.channel = ends[0];
    plan.channel = ends[1];
    plan.caller = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (plan.caller < 0)
        err = failure_set(failure, -errno, "open a pidfd");
    else
        err = pidspace_clone(&ps, &plan, failure);
    (void)close(ends[1]);
    if (plan.caller >= 0)
        (void)close(plan.caller);
    if (err == 0)
        err = pidspace_await_start(&ps, plan.options, failure);
    if (err < 0) {
        pidspace_close(&ps);
        return err;
    }
    *ret_ps = ps;
    return 0;
}

static bool pidspace_ended_within(const struct pidspace *ps, int timeout_ms)
{
    const struct timespec look = {.tv_nsec = PIDSPACE_LOOK_MS * 1000000L};
    struct pollfd wanted = {.fd = ps->pidfd, .events = POLLIN};

    for (int waited_ms = 0; !pidspace_ended(ps); waited_ms += PIDSPACE_LOOK_MS) {
        if (waited_ms >= timeout_ms)
            return false;
        if (poll(&wanted, 1, PIDSPACE_LOOK_MS) < 0)
            (void)nanosleep(&look, NULL);
    }
    return true;
}

/* What init says about the payload; init's own status when it was killed before it could. */
static int pidspace_take_end(const struct pidspace *ps, int status, struct pidspace_end *ret_end)
{
    struct pidspace_report report = {.value = 0};
    pid_t sender = -1;
    int err = pidspace_receive(ps->channel, &report, &sender);

    if (err == 0 && report.kind == PIDSPACE_ENDED) {
        *ret_end = (struct pidspace_end){.status = report.value, .leftovers = report.leftovers};
        return 0;
    }
    /* It exits with 0 only when it has told. */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return err < 0 ? err : -EPROTO;
    *ret_end = (struct pidspace_end){.status = status, .init = true};
    return 0;
}

int pidspace_wait(struct pidspace *ps, int timeout_ms, struct pidspace_end *ret_end)
{
    pid_t reaped;
    int status;

    if (ps->init < 0)
        return -ECHILD;
    if (timeout_ms >= 0 && !pidspace_ended_within(ps, timeout_ms))
        return -ETIMEDOUT;
    do {
        reaped = waitpid(ps->init, &status, 0);
    } while (reaped < 0 && errno == EINTR);
    if (reaped < 0)
        return -errno;
    ps->init = -1;
    return pidspace_take_end(ps, status, ret_end);
}

bool pidspace_alive(const struct pidspace *ps)
{
    return ps->init >= 0 && !pidspace_ended(ps);
}

void pidspace_close(struct pidspace *ps)
{
    struct pidspace_end end;

    if (ps->init >= 0) {
        /* A child that was not reaped keeps its number. */
        (void)kill(ps->init, SIGKILL);
        (void)pidspace_wait(ps, -1, &end);
    }
    if (ps->pidfd >= 0)
        (void)close(ps->pidfd);
    if (ps->channel >= 0)
        (void)close(ps->channel);
    *ps = PIDSPACE_NONE;
}
