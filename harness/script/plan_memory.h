/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_PLAN_MEMORY_H
#define EDGEWISE_HARNESS_SCRIPT_PLAN_MEMORY_H

/*
 * The memory of one plan: taken piece by piece, given back all at once. Out of memory is the
 * business of harness/memory.h: nothing here is ever NULL.
 */

#include <stddef.h>

struct plan_memory;

/* Empty memory; plan_memory_free frees it. */
struct plan_memory *plan_memory_new(void);

/* `size` bytes (0 is fine), zeroed and aligned for any type. */
void *plan_memory_take(struct plan_memory *memory, size_t size);

/* A copy of `size` bytes with a NUL behind them. */
char *plan_memory_text(struct plan_memory *memory, const char *text, size_t size);

/*
 * Makes room for one more element behind `count`, at least doubling a full array: returns `array`
 * or a larger copy of it, new elements zeroed. `room` starts at 0.
 */
void *plan_memory_grow(struct plan_memory *memory, void *array, size_t element, size_t count,
                       size_t *room);

/* Frees all of it. NULL is fine. */
void plan_memory_free(struct plan_memory *memory);

#endif
