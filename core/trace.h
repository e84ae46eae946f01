/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_TRACE_H
#define EDGEWISE_CORE_TRACE_H

/* The reactor's records: one function per kind of row, each a no-op while the journal is off. */

#include "core/reactor.h"

/* `flags` are JOURNAL_FLAG_AGAIN or JOURNAL_FLAG_STALE. */
void trace_notice(struct reactor *r, struct identity id, uint16_t events, uint8_t flags);
void trace_ready(struct reactor *r, struct identity id);
void trace_quantum(struct reactor *r, struct identity id);

/* `mark` is journal_side_mark from before the read: the recording decorator's bytes begin there. */
void trace_read(struct reactor *r, struct identity id, uint32_t asked, long result, uint64_t mark);
void trace_frame(struct reactor *r, struct identity id, const uint8_t *payload, uint32_t size);

/* Asks the kernel how much is unread; `reasons` are budget bits and JOURNAL_REASON_*. */
void trace_stop(struct reactor *r, struct identity id, unsigned reasons);
void trace_end(struct reactor *r, struct identity id);
void trace_consume(struct reactor *r, struct identity id, uint32_t frames);
void trace_resume(struct reactor *r, struct identity id);
void trace_ctl(struct reactor *r, struct identity id, enum os_ctl op, uint16_t was, uint16_t events,
               int result);
void trace_accept(struct reactor *r, struct identity listener, int result, struct identity id);
void trace_adopt(struct reactor *r, struct identity id);
void trace_halt(struct reactor *r);
void trace_close(struct reactor *r, struct identity id);
void trace_illegal(struct reactor *r, struct identity id, enum reader_event event);

#endif
