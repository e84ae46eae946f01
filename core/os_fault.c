/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_fault.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "core/os_pass.h"

static void os_fault_drop(struct os_fault *fault, uint32_t i)
{
    fault->rule_count--;
    memmove(&fault->rules[i], &fault->rules[i + 1],
            (fault->rule_count - i) * sizeof(*fault->rules));
}

/* The rule for this call; it is spent by that. All zero when there is none. */
static struct os_fault_rule os_fault_use(struct os_fault *fault, enum os_fault_call call, int fd)
{
    for (uint32_t i = 0; i < fault->rule_count; i++) {
        struct os_fault_rule rule = fault->rules[i];

        if (rule.call != call || rule.fd != fd)
            continue;
        fault->rules[i].used = true;
        if (rule.times == 1)
            os_fault_drop(fault, i);
        else if (rule.times > 1)
            fault->rules[i].times--;
        return rule;
    }
    return (struct os_fault_rule){0};
}

static long os_fault_read(void *self, int fd, void *bytes, size_t size)
{
    struct os_fault_rule rule = os_fault_use(self, OS_FAULT_READ, fd);

    if (rule.error != 0)
        return -rule.error;
    if (rule.bytes != 0 && rule.bytes < size)
        size = rule.bytes;
    return os_pass_read(self, fd, bytes, size);
}

static int os_fault_accept(void *self, int fd)
{
    struct os_fault *fault = self;
    struct os_fault_rule rule = os_fault_use(fault, OS_FAULT_ACCEPT, fd);
    int accepted;

    if (rule.error != 0)
        return -rule.error;
    accepted = os_pass_accept(self, fd);
    if (fault->held.stage == OS_FAULT_CLOSED && accepted == fault->held.fd)
        fault->held.stage = OS_FAULT_DUE;
    return accepted;
}

static int os_fault_close(void *self, int fd)
{
    struct os_fault *fault = self;

    for (uint32_t i = fault->rule_count; i-- > 0;)
        if (fault->rules[i].fd == fd)
            os_fault_drop(fault, i);
    if (fault->held.fd == fd && fault->held.stage == OS_FAULT_CAUGHT)
        fault->held.stage = OS_FAULT_CLOSED;
    else if (fault->held.fd == fd && fault->held.stage == OS_FAULT_WATCHING)
        fault->held.stage = OS_FAULT_UNUSED;
    return os_pass_close(self, fd);
}

/* Takes the held entry's notice out of a batch of `count`; the new count is returned. */
static int os_fault_catch(struct os_fault *fault, struct os_event *events, int count)
{
    struct os_fault_held *held = &fault->held;
    int kept = 0;

    if (held->stage != OS_FAULT_WATCHING && held->stage != OS_FAULT_CAUGHT)
        return count;
    for (int i = 0; i < count; i++) {
        if (events[i].data != held->data) {
            events[kept++] = events[i];
            continue;
        }
        held->events |= events[i].events;
        held->stage = OS_FAULT_CAUGHT;
    }
    return kept;
}

static int os_fault_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    struct os_fault *fault = self;
    int count = 0;

    if (fault->held.stage != OS_FAULT_DUE) {
        count = os_pass_wait(self, events, max, deadline);
        return count < 0 ? count : os_fault_catch(fault, events, count);
    }
    if (max > 1)
        count = os_pass_wait(self, events, max - 1, INSTANT_PAST);
    if (count < 0)
        return count;
    events[count].data = fault->held.data;
    events[count].events = fault->held.events;
    fault->held = (struct os_fault_held){0};
    return count + 1;
}

static const struct os_ops os_fault_ops = {
    .now = os_pass_now,
    .wait = os_fault_wait,
    .ctl = os_pass_ctl,
    .read = os_fault_read,
    .accept = os_fault_accept,
    .close = os_fault_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

struct os os_fault_wrap(struct os_fault *fault, struct os inner)
{
    *fault = (struct os_fault){.inner = inner};
    return (struct os){.ops = &os_fault_ops, .self = fault};
}

int os_fault_add(struct os_fault *fault, const struct os_fault_rule *rule)
{
    bool short_read = rule->error == 0 && rule->call == OS_FAULT_READ && rule->bytes > 0;

    if (rule->error < 0 || (rule->error == 0 && !short_read))
        return -EINVAL;
    if (fault->rule_count == OS_FAULT_RULES_MAX)
        return -ENOSPC;
    fault->rules[fault->rule_count++] = *rule;
    return 0;
}

int os_fault_hold(struct os_fault *fault, int fd, uint64_t data)
{
    if (fault->held.stage != OS_FAULT_UNUSED)
        return -EBUSY;
    fault->held = (struct os_fault_held){.stage = OS_FAULT_WATCHING, .fd = fd, .data = data};
    return 0;
}
