/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/lookout.h"

#include <errno.h>

#include "core/os_pass.h"

static bool lookout_spend(struct lookout *lookout)
{
    if (lookout->calls_left == 0)
        return false;
    lookout->calls_left--;
    return true;
}

static int lookout_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    struct lookout *lookout = self;
    int count = 0;

    if (!lookout_spend(lookout))
        return -ECANCELED;
    if (!lookout->notice)
        return os_pass_wait(self, events, max, deadline);
    if (max > 1)
        count = os_pass_wait(self, events, max - 1, INSTANT_PAST);
    if (count < 0)
        return count;
    lookout->notice = false;
    events[count] = lookout->event;
    return count + 1;
}

static long lookout_read(void *self, int fd, void *bytes, size_t size)
{
    struct lookout *lookout = self;

    if (!lookout_spend(lookout))
        return -ECANCELED;
    if (lookout->reads)
        lookout->reads(lookout->arg, fd);
    return os_pass_read(self, fd, bytes, size);
}

static const struct os_ops lookout_ops = {
    .now = os_pass_now,
    .wait = lookout_wait,
    .ctl = os_pass_ctl,
    .read = lookout_read,
    .accept = os_pass_accept,
    .close = os_pass_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

struct os lookout_wrap(struct lookout *lookout, struct os inner, uint64_t calls)
{
    *lookout = (struct lookout){.inner = inner, .calls_left = calls};
    return (struct os){.ops = &lookout_ops, .self = lookout};
}
