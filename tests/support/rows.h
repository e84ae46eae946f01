/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_ROWS_H
#define EDGEWISE_TESTS_SUPPORT_ROWS_H

/*
 * A journal to be read by a test: each record is one line of words, every field that its kind has
 * among them, sources by their slot.
 *
 *     notice 0 IN RDHUP again
 *     ready 0 QUEUED hint=1 credit=0+5 queue=[0]
 *     read 0 asked=2 result=1 credit=0+5 bytes=00
 *     stop 0 frames capacity PAUSED hint=1 credit=5+0 queue=[] unread=4
 *     ctl 0 mod was=IN|RDHUP now=0 result=0
 */

#include "core/journal.h"

/* An empty journal; rows_free. */
struct journal *rows_new(void);
void rows_free(struct journal *journal);

/* Record `i` as a line, which lives until the next call. */
const char *rows_text(const struct journal *journal, uint64_t i);

/* Fails unless exactly these lines stand behind the first `*from`, which then counts them too. */
void rows_expect(const struct journal *journal, uint64_t *from, const char *const *lines,
                 size_t count);

/* How many records begin with `words`. */
unsigned rows_count(const struct journal *journal, const char *words);

#endif
