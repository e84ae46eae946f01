/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLEAN_WALLCLOCK_H
#define EDGEWISE_HARNESS_CLEAN_WALLCLOCK_H

#include <stdint.h>

/* Seconds since 1970, as files are stamped. */
int64_t wallclock_now_s(void);

#endif
