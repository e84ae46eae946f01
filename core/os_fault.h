/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_OS_FAULT_H
#define EDGEWISE_CORE_OS_FAULT_H

/*
 * A decorator over os.h that makes calls go wrong on demand, exactly and without losing a byte: an
 * errno in place of the call (Linux never gives EINTR on a nonblocking read, E103, so here it is),
 * a read cut short, a notice kept back until its descriptor number has a new holder (E6, R-ID-07).
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/os.h"

#define OS_FAULT_RULES_MAX 64

enum os_fault_call {
    OS_FAULT_READ,
    OS_FAULT_ACCEPT,
};

/* Concerns one call on one descriptor number until that number is closed. */
struct os_fault_rule {
    enum os_fault_call call;
    int fd;
    int error;       /* positive: the call fails with it and nothing happens; 0: `bytes` */
    uint32_t bytes;  /* a read asks for at most this many, at least 1 */
    uint32_t times;  /* calls it lasts for; 0: for ever */
    bool used;       /* a call has met it; false in a rule that is added */
};

/* Where a notice that is kept back stands. */
enum os_fault_stage {
    OS_FAULT_UNUSED,
    OS_FAULT_WATCHING, /* no notice of it has come yet */
    OS_FAULT_CAUGHT,   /* the kernel has reported it, the reactor does not know */
    OS_FAULT_CLOSED,   /* and the reactor has closed the number */
    OS_FAULT_DUE,      /* and the number has a new holder: it joins the next batch */
};

struct os_fault_held {
    enum os_fault_stage stage;
    int fd;
    uint16_t events;
    uint64_t data;
};

struct os_fault {
    struct os inner; /* first: os_pass */
    struct os_fault_rule rules[OS_FAULT_RULES_MAX];
    uint32_t rule_count;
    struct os_fault_held held;
};

/* Wraps `inner`; `fault` must stay where it is as long as the table is used. */
struct os os_fault_wrap(struct os_fault *fault, struct os inner);

/* Adds a rule behind those that are there; the first that fits a call is used. 0, -EINVAL, or
 * -ENOSPC. */
int os_fault_add(struct os_fault *fault, const struct os_fault_rule *rule);

/* Keeps the notices of the entry with `data` on `fd` from now on. 0, or -EBUSY: one at a time. */
int os_fault_hold(struct os_fault *fault, int fd, uint64_t data);

#endif
