/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_TURNSTILE_H
#define EDGEWISE_HARNESS_SUT_TURNSTILE_H

/*
 * Free pace, the sut's side: a decorator over os.h that lets every call through, waits included,
 * and counts it as the gate of lock-step does, so that the script's limits end a run that is over
 * them.
 */

#include "core/os.h"
#include "harness/sut/gatekeeper.h"

struct turnstile {
    struct os inner; /* first: os_pass */
    struct gatekeeper *keeper;
};

/* Wraps `inner`; `turnstile` must stay where it is as long as the table is used. */
struct os turnstile_wrap(struct turnstile *turnstile, struct os inner, struct gatekeeper *keeper);

#endif
