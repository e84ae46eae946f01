/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/wallclock.h"

#include <time.h>

int64_t wallclock_seconds(void)
{
    return time(NULL);
}
