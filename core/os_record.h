/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_OS_RECORD_H
#define EDGEWISE_CORE_OS_RECORD_H

/* A decorator over os.h: the bytes of every successful read go to a journal's side log. */

#include "core/journal.h"
#include "core/os.h"

struct os_record {
    struct os inner; /* first: os_pass */
    struct journal *journal;
};

/* Wraps `inner`; `record` must stay where it is as long as the table is used. */
struct os os_record_wrap(struct os_record *record, struct os inner, struct journal *journal);

#endif
