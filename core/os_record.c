/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_record.h"

#include "core/os_pass.h"

static long os_record_read(void *self, int fd, void *bytes, size_t size)
{
    struct os_record *record = self;
    long result = os_pass_read(self, fd, bytes, size);

    if (result > 0)
        journal_side(record->journal, bytes, (size_t)result);
    return result;
}

static const struct os_ops os_record_ops = {
    .now = os_pass_now,
    .wait = os_pass_wait,
    .ctl = os_pass_ctl,
    .read = os_record_read,
    .accept = os_pass_accept,
    .close = os_pass_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

struct os os_record_wrap(struct os_record *record, struct os inner, struct journal *journal)
{
    *record = (struct os_record){.inner = inner, .journal = journal};
    return (struct os){.ops = &os_record_ops, .self = record};
}
