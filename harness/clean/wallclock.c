/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/clean/wallclock.h"

#include <time.h>

int64_t wallclock_now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec;
}
