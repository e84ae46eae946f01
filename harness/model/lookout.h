/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_LOOKOUT_H
#define EDGEWISE_HARNESS_MODEL_LOOKOUT_H

/*
 * A decorator over os.h for a reactor that somebody looks at: it tells of each read before it is
 * made, adds a notice that no arrival is behind, and ends a reactor that never does by itself.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/os.h"

struct lookout {
    struct os inner; /* first: os_pass */
    /* Before a read; NULL: nobody is told. */
    void (*reads)(void *arg, int fd);
    void *arg;
    uint64_t calls_left; /* waits and reads; then each of them is -ECANCELED */
    bool notice;         /* `event` joins the next batch */
    struct os_event event;
};

/* Wraps `inner`; `lookout` must stay where it is as long as the table is used. */
struct os lookout_wrap(struct lookout *lookout, struct os inner, uint64_t calls);

#endif
