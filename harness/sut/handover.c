/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/handover.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)
/* In the place of an answered order: nothing more will be answered. */
#define FOR_GOOD UINT32_MAX

void handover_init(struct handover *handover)
{
    atomic_store(&handover->order_seq, 0);
    atomic_store(&handover->report_seq, 0);
}

static void handover_set(_Atomic uint32_t *word, uint32_t value)
{
    atomic_store(word, value);
    (void)syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void handover_pass(struct handover *handover, enum handover_side side)
{
    uint32_t order = atomic_load(&handover->order_seq);

    if (side == HANDOVER_BENCH)
        handover_set(&handover->report_seq, order);
    else
        handover_set(&handover->order_seq, order + 1 == FOR_GOOD ? 0 : order + 1);
}

/* Sleeps as long as `word` is `value`, at most for `limit`. 0 when it may have changed. */
static int handover_sleep(_Atomic uint32_t *word, uint32_t value, struct duration limit)
{
    struct timespec left = {.tv_sec = limit.ns / NS_PER_S, .tv_nsec = limit.ns % NS_PER_S};

    if (syscall(SYS_futex, word, FUTEX_WAIT, value, &left, NULL, 0) == 0)
        return 0;
    return errno == ETIMEDOUT || errno == EINTR ? -errno : 0;
}

static int handover_await_report(struct handover *handover, struct duration limit)
{
    uint32_t report;
    int rc = 0;

    while (rc == 0) {
        report = atomic_load(&handover->report_seq);
        if (report == FOR_GOOD || report == atomic_load(&handover->order_seq))
            return 0;
        rc = handover_sleep(&handover->report_seq, report, limit);
    }
    return rc;
}

int handover_await(struct handover *handover, enum handover_side side, struct duration limit)
{
    if (side == HANDOVER_BENCH)
        return handover_await_report(handover, limit);
    return handover_await_order(handover, atomic_load(&handover->report_seq), limit);
}

uint32_t handover_orders(const struct handover *handover)
{
    return atomic_load(&handover->order_seq);
}

int handover_await_order(struct handover *handover, uint32_t taken, struct duration limit)
{
    int rc = 0;

    while (rc == 0) {
        if (atomic_load(&handover->order_seq) != taken)
            return 0;
        rc = handover_sleep(&handover->order_seq, taken, limit);
    }
    return rc;
}

void handover_leave(struct handover *handover)
{
    handover_set(&handover->report_seq, FOR_GOOD);
}

bool handover_left(const struct handover *handover)
{
    return atomic_load(&handover->report_seq) == FOR_GOOD;
}
