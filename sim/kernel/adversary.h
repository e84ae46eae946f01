/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_ADVERSARY_H
#define EDGEWISE_SIM_KERNEL_ADVERSARY_H

/*
 * What a kernel may do and Linux mostly does not: the freedoms of the config, each taken or left by
 * a generator that is part of the block. Without freedoms nothing is drawn. What must never happen
 * (A12..A15) is not in its power: it changes which events are told in one wait and in which order,
 * adds wakes, cuts reads and writes of streams, interrupts waits and makes time late.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/instant.h"
#include "sim/kernel/kernel.h"

/* Below `below`, 1 or more, in the name of a freedom; 0 without it. */
uint32_t adversary_draw(struct kernel *k, enum kernel_freedom freedom, uint32_t below);

/* Takes its chance, one in four. */
bool adversary_acts(struct kernel *k, enum kernel_freedom freedom);

/* How much of a read or write of a stream is done: 1 .. size, or 0 for a size of 0 (A5). */
size_t adversary_cut(struct kernel *k, size_t size);

/* A time, or somewhat later (A9). */
struct instant adversary_late(struct kernel *k, struct instant at);

#endif
