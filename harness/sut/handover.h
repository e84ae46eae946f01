/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_HANDOVER_H
#define EDGEWISE_HARNESS_SUT_HANDOVER_H

/*
 * Two processes that take turns, by two futex words in memory that they share. Orders are numbered;
 * the turn is the sut's while the last one is not answered. Each word has one writer and one
 * sleeper: a wake reaches whom it is meant for, and a number never comes back. What one side wrote
 * before it passed the turn, the other sees after it got it. About 5 us a turn on one CPU.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/instant.h"

enum handover_side {
    HANDOVER_BENCH,
    HANDOVER_SUT,
};

struct handover {
    _Atomic uint32_t order_seq;               /* orders so far; only the sut's side sleeps on it */
    _Alignas(64) _Atomic uint32_t report_seq; /* the last one answered; only the bench sleeps */
};

/* The bench has the first turn. */
void handover_init(struct handover *handover);

/* Gives the turn to `side`; the caller has it now. */
void handover_pass(struct handover *handover, enum handover_side side);

/* Sleeps until `side` has the turn, at most for `limit`. 0, or -ETIMEDOUT; -EINTR after a
 * signal. */
int handover_await(struct handover *handover, enum handover_side side, struct duration limit);

/* How many orders there were. For the sut's side, while it has the turn. */
uint32_t handover_orders(const struct handover *handover);

/* For a thread of the sut that takes orders and lets another one answer them: sleeps until there is
 * an order behind number `taken`. As handover_await. */
int handover_await_order(struct handover *handover, uint32_t taken, struct duration limit);

/* The sut's side: gives the turn to the bench for good, whoever has it. */
void handover_leave(struct handover *handover);

/* True after handover_leave. */
bool handover_left(const struct handover *handover);

#endif
