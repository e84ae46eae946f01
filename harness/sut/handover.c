/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/handover.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

void handover_init(struct handover *handover)
{
    atomic_store(&handover->turn, HANDOVER_BENCH);
}

void handover_pass(struct handover *handover, enum handover_side side)
{
    atomic_store(&handover->turn, side);
    (void)syscall(SYS_futex, &handover->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

int handover_await(struct handover *handover, enum handover_side side, struct duration limit)
{
    struct timespec left = {.tv_sec = limit.ns / NS_PER_S, .tv_nsec = limit.ns % NS_PER_S};
    uint32_t turn;

    while ((turn = atomic_load(&handover->turn)) != (uint32_t)side) {
        if (syscall(SYS_futex, &handover->turn, FUTEX_WAIT, turn, &left, NULL, 0) == 0)
            continue;
        if (errno == ETIMEDOUT || errno == EINTR)
            return -errno;
    }
    return 0;
}
