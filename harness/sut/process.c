/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/process.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/descriptor.h"
#include "harness/interrupted.h"
#include "harness/trail.h"

/* How long the sut may go without reporting, and how often we look whether it still lives. A turn
 * takes microseconds; this is only for a callback that never returns. */
#define PROCESS_PATIENCE_MS 10000
#define PROCESS_LOOK_MS 50

/* A signal that is not meant to end the bench does not end the wait. */
static int process_await(struct process *process)
{
    for (int waited = 0; waited < PROCESS_PATIENCE_MS; waited += PROCESS_LOOK_MS) {
        int rc = handover_await(&process->block->handover, HANDOVER_BENCH,
                                DURATION_MS(PROCESS_LOOK_MS));

        if (rc == 0)
            return 0;
        if (interrupted())
            return -EINTR;
        if (rc == -ETIMEDOUT && !pidspace_alive(&process->pidspace))
            return SUT_GONE;
    }
    return SUT_HUNG;
}

static int process_control(struct process *process)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return -errno;
    process->control = ends[0];
    process->child.control = ends[1];
    return 0;
}

static int process_spawn(struct process *process, const struct sut_start *start,
                         struct failure *failure)
{
    struct pidspace_options options = {
        .space = start->space,
        .keep = &process->child.control,
        .keep_count = 1,
        .interrupted = interrupted,
    };
    int rc;

    /* The sut has the turn until it first reports. */
    handover_pass(&process->block->handover, HANDOVER_SUT);
    rc = pidspace_spawn(&process->pidspace, &options, child_run, &process->child, failure);
    (void)close(process->child.control);
    process->child.control = -1;
    return rc;
}

static char *process_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *process_text(const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    return text;
}

static char *process_end_text(const struct pidspace_end *end)
{
    if (WIFSIGNALED(end->status))
        return process_text("killed by SIG%s%s", sigabbrev_np(WTERMSIG(end->status)),
                            end->init ? ", which ended the init of its namespace" : "");
    return process_text("exited with status %d", WEXITSTATUS(end->status));
}

/* It did not report. Who killed it is told rather than that it is gone. */
static int process_fail_start(struct process *process, int code, struct failure *failure)
{
    struct pidspace_end end;

    if (code != SUT_GONE || pidspace_wait(&process->pidspace, 0, &end) < 0)
        return failure_set(failure, code, "the sut did not come into service");
    char *text = process_end_text(&end);
    failure_tell(failure, code, "the sut did not come into service: %s", text ? text : "it died");
    free(text);
    return code;
}

static int process_start(void *self, const struct sut_start *start, struct failure *failure)
{
    struct process *process = self;
    int rc;

    process->lent = start->block != NULL;
    process->block = process->lent ? start->block : block_map(start->plan);
    if (!process->block)
        return failure_set(failure, -ENOMEM, "the journal");
    process->child = (struct child){
        .block = process->block,
        .plan = start->plan,
        .trigger = start->trigger,
        .family = start->family,
        .defect = start->defect,
        .cpu = start->cpu,
        .patient = start->patient,
    };
    rc = process_control(process);
    if (rc < 0)
        return failure_set(failure, rc, "the sut's control socket");
    rc = process_spawn(process, start, failure);
    if (rc < 0)
        return rc;
    trail_spawned(start->trail, process->pidspace.init);
    rc = process_await(process);
    if (rc < 0)
        return process_fail_start(process, rc, failure);
    process->report = block_report(process->block);
    if (process->report.status == SUT_FAILED)
        return failure_set(failure, -EIO, "the sut could not start: %s", process->report.text);
    return 0;
}

static int process_grant(void *self, const struct sut_order *order, struct sut_report *ret_report)
{
    struct process *process = self;
    int rc;

    process->block->order = *order;
    handover_pass(&process->block->handover, HANDOVER_SUT);
    rc = process_await(process);
    if (rc < 0)
        return rc;
    process->report = block_report(process->block);
    *ret_report = process->report;
    return 0;
}

static int process_give(void *self, int fd)
{
    return descriptor_send(((struct process *)self)->control, fd);
}

static const struct journal *process_journal(void *self)
{
    return block_journal(((struct process *)self)->block);
}

static uint32_t process_source(void *self, uint32_t n)
{
    return block_peer(((struct process *)self)->block, n);
}

static bool process_over(void *self)
{
    struct process *process = self;

    return handover_left(&process->block->handover) || !pidspace_alive(&process->pidspace);
}

static enum happened_fate process_finish(void *self, char **ret_text)
{
    struct process *process = self;
    bool parked = handover_left(&process->block->handover);
    struct pidspace_end end;
    bool stopped;
    int rc;

    *ret_text = NULL;
    if (parked)
        process->report = block_report(process->block);
    stopped = parked && process->report.status == SUT_STOPPED;
    /* Nothing but a kill ends it. */
    if (parked && !stopped)
        return block_fate(&process->report, ret_text);
    rc = pidspace_wait(&process->pidspace, stopped ? PROCESS_PATIENCE_MS : 0, &end);
    if (rc < 0) {
        *ret_text = rc == -ETIMEDOUT
                        ? process_text("it went on without end")
                        : process_text("how it ended could not be learnt: %s", strerror(-rc));
        return HAPPENED_HUNG;
    }
    if (stopped && WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0 && !end.leftovers)
        return HAPPENED_STOPPED;
    *ret_text = end.leftovers ? process_text("it left processes behind")
                              : process_end_text(&end);
    return HAPPENED_DIED;
}

static void process_left_over(void *self, struct lines *lines)
{
    remarks_tell(&((struct process *)self)->block->remarks, lines);
}

static void process_close(void *self, struct happened *happened)
{
    struct process *process = self;

    pidspace_close(&process->pidspace);
    if (process->control >= 0)
        (void)close(process->control);
    process->control = -1;
    block_deliver(process->block, process->lent, happened);
    process->block = NULL;
}

static const struct sut_ops process_ops = {
    .start = process_start,
    .grant = process_grant,
    .give = process_give,
    .journal = process_journal,
    .source = process_source,
    .over = process_over,
    .finish = process_finish,
    .left_over = process_left_over,
    .close = process_close,
};

struct sut process_sut(struct process *process)
{
    *process = (struct process){.pidspace = PIDSPACE_NONE, .control = -1};
    return (struct sut){.ops = &process_ops, .self = process};
}
