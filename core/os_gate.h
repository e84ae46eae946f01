/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_OS_GATE_H
#define EDGEWISE_CORE_OS_GATE_H

/*
 * A decorator over os.h that puts somebody else in charge of when the reactor goes on. By R-L-04 a
 * wait that may block means that the reactor has nothing left to do: the gate then never sleeps in
 * the kernel, but collects with zero wait, and with nothing there asks `idle`. The calls that a
 * reactor works with pass `enter` first, so that a count can end one that spins, wherever it spins.
 */

#include <stdbool.h>

#include "core/os.h"

struct os_gate_hooks {
    /* Before every call that the reactor works with: all but now, unread and wake. May not
     * return. */
    void (*enter)(void *arg);
    /* Before the wait of a new round. May block, to hold the reactor between two rounds. */
    void (*round)(void *arg);
    /* Nothing is there and `deadline` is what the reactor would wait for. Runs on its thread and
     * may call its functions. True: the wait returns at once with 0 events; false: it collects
     * again. */
    bool (*idle)(void *arg, struct instant deadline);
    /* The reactor's clock. */
    struct instant (*now)(void *arg);
};

struct os_gate {
    struct os inner; /* first: os_pass */
    const struct os_gate_hooks *hooks;
    void *arg;
};

/* Wraps `inner`; `gate` must stay where it is as long as the table is used. Every hook is given. */
struct os os_gate_wrap(struct os_gate *gate, struct os inner, const struct os_gate_hooks *hooks,
                       void *arg);

#endif
