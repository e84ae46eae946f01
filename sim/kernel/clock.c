/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/clock.h"

#include <errno.h>

#include "sim/kernel/adversary.h"
#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/stream.h"
#include "sim/kernel/table.h"
#include "sim/kernel/timer.h"

struct instant clock_due(const struct kernel *k)
{
    return instant_earlier(timer_due(k), stream_due(k));
}

bool clock_step(struct kernel *k, struct instant deadline)
{
    struct instant next = instant_earlier(clock_due(k), deadline);

    if (instant_equal(next, INSTANT_NEVER))
        return false;
    next = adversary_late(k, next);
    if (instant_before(k->now, next))
        k->now = next;
    timer_fire(k);
    stream_retry(k);
    return true;
}

int clock_wait(struct kernel *k, uint32_t process, struct instant deadline)
{
    struct table *table = table_of(k, process);

    if (!instant_before(k->now, deadline))
        return 0;
    if (table->signalled) {
        table->signalled = 0;
        return -EINTR;
    }
    if (adversary_acts(k, KERNEL_INTERRUPT))
        return -EINTR;
    return clock_step(k, deadline) ? 1 : -EDEADLK;
}
