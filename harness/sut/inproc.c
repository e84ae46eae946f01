/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/inproc.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sut/strand.h"
#include "harness/sut/subject.h"
#include "harness/sys_sim.h"
#include "sim/kernel/os_sim.h"

/* Descriptors that were given and not yet received. */
struct inproc_given {
    int fds[PLAN_PEERS_MAX]; /* of the bench */
    uint32_t count;
    uint32_t received;
};

struct inproc_body {
    struct kernel *kernel;
    struct os_sim os;
    struct sys_sim sys;
    struct inproc_given given;
    struct subject subject;
    struct strand strand;
    struct inproc_body *next; /* of those that could not be freed */
};

/* --- The sut's side --- */

static void inproc_rest(void *arg)
{
    strand_yield(&((struct inproc_body *)arg)->strand);
}

static int inproc_receive(void *arg)
{
    struct inproc_body *body = arg;
    struct inproc_given *given = &body->given;
    int fd, received;

    if (given->received == given->count)
        return -ENOMSG;
    fd = given->fds[given->received++];
    received = kernel_pass(body->kernel, INPROC_BENCH, fd, INPROC_SUT);
    (void)kernel_close(body->kernel, INPROC_BENCH, fd);
    return received;
}

static int inproc_accept(void *arg, int fd, struct sockaddr_storage *ret_address,
                         socklen_t *ret_length)
{
    struct inproc_body *body = arg;
    struct kernel_address remote;
    int accepted = kernel_accept(body->kernel, INPROC_SUT, fd);

    if (accepted < 0)
        return accepted;
    if (kernel_remote(body->kernel, INPROC_SUT, accepted, &remote) == 0)
        *ret_length = sys_sim_address(&remote, ret_address);
    return accepted;
}

static int inproc_open(struct inproc_body *body, const char **ret_step)
{
    int rc = os_sim_open(body->kernel, INPROC_SUT, &body->os);

    *ret_step = "reactor";
    if (rc < 0)
        return rc;
    body->subject.config.os = os_sim_table(&body->os);
    return subject_open(&body->subject, ret_step);
}

static void inproc_run(void *arg)
{
    struct inproc_body *body = arg;
    const char *step;
    int rc = inproc_open(body, &step);

    if (rc < 0)
        (void)subject_fail(&body->subject, step, rc);
    else
        (void)subject_run(&body->subject);
}

/* --- The bench's side --- */

static void inproc_make_body(struct inproc *inproc, const struct sut_start *start)
{
    struct inproc_body *body = inproc->body;
    struct subject_config config = {
        .block = inproc->block,
        .plan = start->plan,
        .trigger = start->trigger,
        .family = start->family,
        .defect = start->defect,
        .receive = inproc_receive,
        .accept = inproc_accept,
        .rest = inproc_rest,
        .arg = body,
    };

    body->kernel = start->kernel;
    config.sys = sys_sim_open(&body->sys, start->kernel, INPROC_SUT);
    subject_init(&body->subject, &config);
}

static bool inproc_done(const struct inproc *inproc)
{
    return handover_left(&inproc->block->handover) || inproc->body->strand.signal;
}

static int inproc_start(void *self, const struct sut_start *start, struct failure *failure)
{
    struct inproc *inproc = self;
    struct sut_report report;
    int rc;

    assert(start->kernel);
    inproc->lent = start->block != NULL;
    inproc->block = inproc->lent ? start->block : block_map(start->plan);
    inproc->body = calloc(1, sizeof(*inproc->body));
    if (!inproc->block || !inproc->body)
        return failure_set(failure, -ENOMEM, "the sut");
    inproc_make_body(inproc, start);
    rc = strand_open(&inproc->body->strand, inproc_run, inproc->body);
    if (rc < 0)
        return failure_set(failure, rc, "the sut's stack");
    strand_resume(&inproc->body->strand);
    if (inproc->body->strand.signal)
        return failure_set(failure, SUT_GONE, "the sut did not come into service");
    report = block_report(inproc->block);
    if (report.status == SUT_FAILED)
        return failure_set(failure, -EIO, "the sut could not start: %s", report.text);
    return 0;
}

static int inproc_grant(void *self, const struct sut_order *order, struct sut_report *ret_report)
{
    struct inproc *inproc = self;

    inproc->block->order = *order;
    if (!inproc_done(inproc))
        strand_resume(&inproc->body->strand);
    if (inproc->body->strand.signal)
        return SUT_GONE;
    *ret_report = block_report(inproc->block);
    return 0;
}

/* It stays on its way when the caller closes its own. */
static int inproc_give(void *self, int fd)
{
    struct inproc_body *body = ((struct inproc *)self)->body;
    int copy = kernel_dup(body->kernel, INPROC_BENCH, fd);

    if (copy < 0)
        return copy;
    assert(body->given.count < PLAN_PEERS_MAX);
    body->given.fds[body->given.count++] = copy;
    return 0;
}

static const struct journal *inproc_journal(void *self)
{
    return block_journal(((struct inproc *)self)->block);
}

static uint32_t inproc_source(void *self, uint32_t n)
{
    return block_peer(((struct inproc *)self)->block, n);
}

static bool inproc_over(void *self)
{
    return inproc_done(self);
}

static enum happened_fate inproc_fate(const struct inproc *inproc, char **ret_text)
{
    const struct strand *strand = &inproc->body->strand;
    struct sut_report report = block_report(inproc->block);

    if (!strand->signal && handover_left(&inproc->block->handover))
        return block_fate(&report, ret_text);
    if (!strand->signal) {
        *ret_text = strdup("it went on without end");
        return HAPPENED_HUNG;
    }
    if (asprintf(ret_text, "killed by SIG%s", sigabbrev_np(strand->signal)) < 0)
        *ret_text = NULL;
    return HAPPENED_DIED;
}

/* Its descriptors go as those of a process that ends; one that is over its limit hangs on. */
static enum happened_fate inproc_finish(void *self, char **ret_text)
{
    struct inproc *inproc = self;
    enum happened_fate fate = inproc_fate(inproc, ret_text);

    if (fate == HAPPENED_STOPPED || fate == HAPPENED_DIED)
        kernel_exit(inproc->body->kernel, INPROC_SUT);
    return fate;
}

static void inproc_left_over(void *self, struct lines *lines)
{
    remarks_tell(&((struct inproc *)self)->block->remarks, lines);
}

static void inproc_free(struct inproc_body *body)
{
    static struct inproc_body *kept;

    if (body->strand.stack && !body->strand.ended) {
        body->next = kept;
        kept = body;
        return;
    }
    strand_close(&body->strand);
    subject_close(&body->subject);
    free(body);
}

static void inproc_close(void *self, struct happened *happened)
{
    struct inproc *inproc = self;

    if (inproc->body)
        inproc_free(inproc->body);
    inproc->body = NULL;
    block_deliver(inproc->block, inproc->lent, happened);
    inproc->block = NULL;
}

static const struct sut_ops inproc_ops = {
    .start = inproc_start,
    .grant = inproc_grant,
    .give = inproc_give,
    .journal = inproc_journal,
    .source = inproc_source,
    .over = inproc_over,
    .finish = inproc_finish,
    .left_over = inproc_left_over,
    .close = inproc_close,
};

struct sut inproc_sut(struct inproc *inproc)
{
    *inproc = (struct inproc){0};
    return (struct sut){.ops = &inproc_ops, .self = inproc};
}
