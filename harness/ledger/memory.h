/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_MEMORY_H
#define EDGEWISE_HARNESS_LEDGER_MEMORY_H

/* Memory that is there or the process ends with a message (exit status 3), as with `lines`: half
 * a ledger cannot be judged. */

#include <stddef.h>

/* `count` zeroed elements of `size` bytes; a count of 0 is fine. The caller frees them. */
void *memory_zeroed(size_t count, size_t size);

/* Room for one more element behind `count` of them: returns `array`, moved when `*room` had to
 * grow. */
void *memory_grow(void *array, size_t count, size_t *room, size_t size);

/* A copy of `length` bytes with a NUL behind them. */
char *memory_text(const char *text, size_t length);

#endif
