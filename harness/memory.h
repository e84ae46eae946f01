/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MEMORY_H
#define EDGEWISE_HARNESS_MEMORY_H

/*
 * Memory that is there, or the process is aborted: the one place where the bench gives up so. Half
 * a ledger cannot be judged, and no caller could do better than stop; the kernel cleans up after
 * us, since namespaces and the sut end with our process. What outside input can make large has
 * bounds of its own, checked before anything is asked for here.
 */

#include <stddef.h>

/* `memory`, which a function of the C library returned: aborts when it is NULL. */
void *memory_must(void *memory);

/* `count` zeroed elements of `size` bytes; a count of 0 is fine. The caller frees them. */
void *memory_zeroed(size_t count, size_t size);

/* Room for one more element behind `count` of them: returns `array`, moved when `*room` had to
 * grow. */
void *memory_grow(void *array, size_t count, size_t *room, size_t size);

/* A copy of `length` bytes with a NUL behind them. */
char *memory_text(const char *text, size_t length);

#endif
