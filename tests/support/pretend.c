/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/pretend.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/rows.h"

/* --- The kernel --- */

static struct instant pretend_now(void *self)
{
    return ((struct pretend *)self)->now;
}

static int pretend_pipe_call(void *self, int ret_ends[2])
{
    struct pretend *pretend = self;

    ret_ends[0] = 2 * pretend->pipe_count;
    ret_ends[1] = 2 * pretend->pipe_count++ + 1;
    return 0;
}

static struct pretend_pipe *pipe_of(struct pretend *pretend, int fd)
{
    return &pretend->pipes[fd / 2];
}

static int pretend_close(void *self, int fd)
{
    if (fd % 2 == 1)
        pipe_of(self, fd)->closed = true;
    return 0;
}

static long pretend_write(void *self, int fd, const void *bytes, size_t size)
{

    struct pretend *pretend = self;
    struct pretend_pipe *pipe = pipe_of(pretend, fd);
    size_t room = pretend->room - pipe->held;
    size_t lost;

    (void)bytes;
    if (pretend->fail_write != 0)
        return pretend->fail_write;
    if (room == 0)
        return -EAGAIN;
    size = size < room ? size : room;
    lost = pretend->lose < size ? pretend->lose : size;
    pretend->lose -= lost;
    pipe->held += size - lost;
    return (long)size;
}

static long pretend_unread(void *self, int fd)
{
    struct pretend *pretend = self;

    return pretend->fail_unread != 0 ? pretend->fail_unread : (long)pipe_of(self, fd)->held;
}

static const struct sys_ops pretend_sys_ops = {
    .now = pretend_now,
    .pipe = pretend_pipe_call,
    .close = pretend_close,
    .write = pretend_write,
    .unread = pretend_unread,
};

/* --- The world --- */

static struct sys world_sys(void *self)
{
    return (struct sys){.ops = &pretend_sys_ops, .self = self};
}

static void world_confirm(void *self, struct confirm *ret_confirm, const struct peer *peer)
{
    (void)self;
    confirm_open(ret_confirm, peer, NULL, NULL);
}

static int world_pump(void *self, struct instant until, bool (*condition)(void *arg), void *arg)
{
    struct pretend *pretend = self;

    if (++pretend->pumps == pretend->interrupt_after)
        return -EINTR;
    for (;;) {
        if (condition && condition(arg))
            return 1;
        if (!instant_before(pretend->now, until))
            return 0;
        pretend->now = condition ? instant_add(pretend->now, DURATION_MS(100)) : until;
    }
}

static int world_collect(void *self, struct packet_list *packets, struct failure *failure)
{
    (void)packets;
    (void)failure;
    ((struct pretend *)self)->collects++;
    return 0;
}

static int world_finish(void *self, struct packet_list *packets, struct failure *failure)
{
    (void)packets;
    (void)failure;
    ((struct pretend *)self)->finishes++;
    return 0;
}

static const struct world_ops world_ops = {
    .sys = world_sys,
    .confirm = world_confirm,
    .pump = world_pump,
    .collect = world_collect,
    .finish = world_finish,
};

/* --- The sut --- */

static void sut_row(struct pretend *pretend, enum journal_kind kind, int source, int32_t result)
{
    struct journal_record record = {.kind = (uint8_t)kind,
                                    .subject = {(uint32_t)source, 1},
                                    .state = READER_WAITING,
                                    .result = result};

    if (kind == JOURNAL_END)
        record.state = READER_FINISHED;
    journal_write(pretend->journal, &record);
}

/* Reads as much as it likes of every pipe. */
static void sut_read(struct pretend *pretend)
{
    for (int i = 0; i < pretend->adopted; i++) {
        struct pretend_pipe *pipe = &pretend->pipes[i];
        size_t size = pipe->held < pretend->appetite ? pipe->held : pretend->appetite;

        if (size > 0)
            sut_row(pretend, JOURNAL_READ, i, (int32_t)size);
        pipe->held -= size;
        if (pipe->held == 0 && pipe->closed && !pretend->ended[i]) {
            pretend->ended[i] = true;
            sut_row(pretend, JOURNAL_END, i, 0);
        }
    }
}

static bool sut_verbs(struct pretend *pretend, const struct sut_order *order, char *text,
                      size_t size)
{
    static const char *const names[] = {
#define X(name) [SUT_##name] = #name,
        SUT_VERBS(X)
#undef X
    };
    bool stop = false;

    for (uint32_t i = 0; i < order->verb_count; i++) {
        size_t used = strlen(text);

        (void)snprintf(text + used, size - used, " %s", names[order->verbs[i].kind]);
        stop |= order->verbs[i].kind == SUT_STOP;
        if (order->verbs[i].kind == SUT_ADOPT)
            sut_row(pretend, JOURNAL_ADOPT, pretend->adopted++, 0);
    }
    return stop;
}

static int sut_grant(void *self, const struct sut_order *order, struct sut_report *ret_report)
{
    struct pretend *pretend = self;
    char text[1024];
    bool stop;

    (void)snprintf(text, sizeof(text), "%lldms", (long long)(order->now.ns / 1000000));
    if (order->rounds > 0 || order->quanta > 0)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), " r%d q%d",
                       (int)order->rounds, (int)order->quanta);
    stop = sut_verbs(pretend, order, text, sizeof(text));
    lines_add(&pretend->grants, "%s", text);
    if (++pretend->grant_count == pretend->fail_at)
        return pretend->fail_grant;
    if (order->rounds == 0 && order->quanta == 0)
        sut_read(pretend);
    *ret_report = (struct sut_report){.status = stop ? SUT_STOPPED : SUT_IDLE,
                                      .deadline = INSTANT_NEVER};
    if (instant_before(order->now, pretend->alarm))
        ret_report->deadline = pretend->alarm;
    if (pretend->grant_count == pretend->limit_at)
        ret_report->status = pretend->status_at;
    return 0;
}

static int sut_give(void *self, int fd)
{
    (void)self;
    (void)fd;
    return 0;
}

static const struct journal *sut_journal(void *self)
{
    return ((struct pretend *)self)->journal;
}

static enum happened_fate sut_finish(void *self, char **ret_text)
{
    struct pretend *pretend = self;

    *ret_text = pretend->fate_text ? strdup(pretend->fate_text) : NULL;
    return pretend->fate;
}

static const struct sut_ops sut_ops = {
    .grant = sut_grant,
    .give = sut_give,
    .journal = sut_journal,
    .finish = sut_finish,
};

/* --- Outside --- */

void pretend_init(struct pretend *pretend)
{
    *pretend = (struct pretend){
        .now = {INT64_C(1) << 40},
        .room = 65536,
        .appetite = SIZE_MAX,
        .alarm = INSTANT_NEVER,
        .journal = rows_new(),
    };
}

void pretend_free(struct pretend *pretend)
{
    lines_free(&pretend->grants);
    rows_free(pretend->journal);
}

struct world pretend_world(struct pretend *pretend)
{
    return (struct world){.ops = &world_ops, .self = pretend};
}

struct sut pretend_sut(struct pretend *pretend)
{
    return (struct sut){.ops = &sut_ops, .self = pretend};
}
