/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/interrupted.h"

#include <signal.h>

static volatile sig_atomic_t interrupted_flag;

void interrupted_set(void)
{
    interrupted_flag = 1;
}

bool interrupted(void)
{
    return interrupted_flag != 0;
}
