/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/spoiler.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "core/os_pass.h"

/* --- Who is who --- */

/* A number belongs to whoever got it last. */
static struct spoiler_entry *spoiler_by_number(struct spoiler *spoiler, int fd)
{
    for (uint32_t i = spoiler->count; i > 0; i--)
        if (spoiler->entries[i - 1].fd == fd)
            return &spoiler->entries[i - 1];
    return NULL;
}

static struct spoiler_entry *spoiler_by_data(struct spoiler *spoiler, uint64_t data)
{
    for (uint32_t i = 0; i < spoiler->count; i++)
        if (spoiler->entries[i].data == data)
            return &spoiler->entries[i];
    return NULL;
}

static int spoiler_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    struct spoiler *spoiler = self;
    int rc = os_pass_ctl(self, op, fd, events, data);

    if (rc < 0 || op != OS_ADD || spoiler->count == SPOILER_ENTRIES)
        return rc;
    spoiler->entries[spoiler->count] = (struct spoiler_entry){.data = data, .fd = fd};
    spoiler->count++;
    return rc;
}

/* --- Waits --- */

static bool spoiler_queued(const struct reactor *r)
{
    for (uint32_t slot = 0; slot < PLAN_PEERS_MAX + 2; slot++) {
        struct reactor_view view;

        if (reactor_view(r, reactor_at(r, slot), &view) == 0 && view.state == READER_QUEUED)
            return true;
    }
    return false;
}

static int spoiler_wait_when_idle(void *self, struct os_event *events, int max,
                                  struct instant deadline)
{
    const struct spoiler *spoiler = self;

    if (spoiler_queued(*spoiler->reactor))
        return 0;
    return os_pass_wait(self, events, max, deadline);
}

static int spoiler_wait_for_hangups(void *self, struct os_event *events, int max,
                                    struct instant deadline)
{
    int count = os_pass_wait(self, events, max, deadline);

    for (int i = 0; i < count; i++) {
        struct spoiler_entry *entry = spoiler_by_data(self, events[i].data);

        if (entry && (events[i].events & (OS_RDHUP | OS_ERR | OS_HUP)))
            entry->hung = true;
    }
    return count;
}

static int spoiler_wait_by_number(void *self, struct os_event *events, int max,
                                  struct instant deadline)
{
    int count = os_pass_wait(self, events, max, deadline);

    for (int i = 0; i < count; i++) {
        const struct spoiler_entry *entry = spoiler_by_data(self, events[i].data);

        if (entry)
            events[i].data = spoiler_by_number(self, entry->fd)->data;
    }
    return count;
}

/* --- Reads --- */

static long spoiler_read_gap(void *self, int fd, void *bytes, size_t size)
{
    long result = os_pass_read(self, fd, bytes, size);

    return result == -EAGAIN ? 0 : result;
}

static long spoiler_read_hung(void *self, int fd, void *bytes, size_t size)
{
    const struct spoiler_entry *entry = spoiler_by_number(self, fd);

    return entry && entry->hung ? 0 : os_pass_read(self, fd, bytes, size);
}

static long spoiler_read_ahead(void *self, int fd, void *bytes, size_t size)
{
    struct spoiler_entry *entry = spoiler_by_number(self, fd);

    if (!entry)
        return os_pass_read(self, fd, bytes, size);
    if (entry->begin == entry->end) {
        long result = os_pass_read(self, fd, entry->ahead, sizeof(entry->ahead));

        if (result <= 0)
            return result;
        entry->begin = 0;
        entry->end = (uint32_t)result;
    }
    if (size > entry->end - entry->begin)
        size = entry->end - entry->begin;
    memcpy(bytes, entry->ahead + entry->begin, size);
    entry->begin += (uint32_t)size;
    return (long)size;
}

/* Linux says ECONNRESET once, and then the end of the stream (E64). */
static long spoiler_read_on(void *self, int fd, void *bytes, size_t size)
{
    long result = os_pass_read(self, fd, bytes, size);

    return result == -ECONNRESET ? os_pass_read(self, fd, bytes, size) : result;
}

/* --- Outside --- */

#define SPOILER_OPS(wait_, read_)                                                            \
    {                                                                                        \
        .now = os_pass_now, .wait = wait_, .ctl = spoiler_ctl, .read = read_,                \
        .accept = os_pass_accept, .close = os_pass_close, .unread = os_pass_unread,          \
        .wake = os_pass_wake,                                                                \
    }

static const struct os_ops spoiler_ops[] = {
    [SPOILER_NONE] = SPOILER_OPS(os_pass_wait, os_pass_read),
    [SPOILER_COLLECT_WHEN_IDLE] = SPOILER_OPS(spoiler_wait_when_idle, os_pass_read),
    [SPOILER_EAGAIN_IS_EOF] = SPOILER_OPS(os_pass_wait, spoiler_read_gap),
    [SPOILER_HANGUP_IS_EOF] = SPOILER_OPS(spoiler_wait_for_hangups, spoiler_read_hung),
    [SPOILER_READ_AHEAD] = SPOILER_OPS(os_pass_wait, spoiler_read_ahead),
    [SPOILER_TOLD_BY_NUMBER] = SPOILER_OPS(spoiler_wait_by_number, os_pass_read),
    [SPOILER_READ_PAST_RESET] = SPOILER_OPS(os_pass_wait, spoiler_read_on),
};
_Static_assert(sizeof(spoiler_ops) / sizeof(*spoiler_ops) == SPOILER_KIND_COUNT, "a table each");

struct os spoiler_wrap(struct spoiler *spoiler, enum spoiler_kind kind, struct os inner,
                       struct reactor *const *reactor)
{
    assert(kind < SPOILER_KIND_COUNT);
    if (kind == SPOILER_NONE)
        return inner;
    spoiler->inner = inner;
    spoiler->reactor = reactor;
    spoiler->count = 0;
    return (struct os){.ops = &spoiler_ops[kind], .self = spoiler};
}
