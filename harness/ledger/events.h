/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_EVENTS_H
#define EDGEWISE_HARNESS_LEDGER_EVENTS_H

/*
 * The events ledger of one run: the journal, told in rows. No time, descriptor, port or address is
 * in a row, so the rows of two runs are the same text when the reactor did the same.
 *
 *     c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=4
 *     0                            29       38     45         56        66
 *
 * A row has these columns as far as it has these parts; a part that does not fit pushes the next
 * one away by a blank. Two classes: rows of the dialogue with the kernel (notice, ctl) depend on
 * the trigger, all others do not.
 */

#include "harness/happened.h"
#include "harness/ledger/names.h"
#include "harness/lines.h"

/* A read row shows this many bytes, a frame row as many of its payload, then `..`. */
#define EVENTS_READ_SHOWN  8
#define EVENTS_FRAME_SHOWN 32

struct events {
    struct lines text;  /* the rows, without tags */
    struct instant *at; /* script time of each row */
    size_t room;
};

/* Tells `happened`'s journal. An identity that nobody named is written `?`. Free with
 * events_free. */
void events_make(const struct happened *happened, struct events *ret_events);
void events_free(struct events *events);

/* Whether a record has a row. The listener's entry and its close have none. */
bool events_told(const struct names *names, const struct journal_record *record);

#endif
