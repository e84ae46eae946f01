/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_LOSS_H
#define EDGEWISE_TESTS_SUPPORT_LOSS_H

/*
 * What a run lost, as text to be laid beside what it must lose: no time, path, line or port in it,
 * so it is the same on every machine, and for every family but for what crosses the wire.
 */

#include "harness/ledger/judge.h"

/*
 * Tells of one judged run:
 *
 *     verdict fail
 *     expectations that do not hold:
 *         expected A quanta 4, happened 1
 *     left over:
 *         A unread 4
 *     counts:
 *         A: quanta 1 from 1, reads 1, EAGAIN 0, notices 1
 *         all: quanta 1, reads 1, EAGAIN 0, notices 1
 *     events (- expected, + happened):
 *         A read 2 = 2 61 62
 *       - A stop bytes attempts        QUEUED   hint=1 credit=0+0 queue=[B,A] unread=4
 *       + A stop bytes attempts        WAITING  hint=1 credit=0+0 queue=[B] unread=4
 *
 * then `wire` and `peers` likewise, where there is anything to say.
 */
void loss_tell(const struct result *result, const struct judge_expected *expected,
               struct lines *ret_lines);

#endif
