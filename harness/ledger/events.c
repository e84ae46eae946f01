/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/events.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/chronicle.h"
#include "harness/ledger/names.h"
#include "harness/ledger/quote.h"
#include "harness/memory.h"

#define STATE_COLUMN  29
#define STATE_WIDTH   8
#define CREDIT_COLUMN 45
#define QUEUE_WIDTH   9 /* of `queue=[c]`; what is longer pushes `unread` away */

struct teller {
    struct chronicle chronicle;
    struct names names;
    uint64_t *credits; /* by source: the credit that was printed last */
    struct events *events;
    char text[4096];
    size_t length;
    size_t queue_at;
};

/* A row longer than the buffer loses its end; no plan's names make one that long. */
__attribute__((format(printf, 2, 3))) static void tell(struct teller *teller, const char *format,
                                                       ...)
{
    size_t room = sizeof(teller->text) - teller->length;
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(teller->text + teller->length, room, format, args);
    va_end(args);
    assert(size >= 0);
    teller->length += (size_t)size < room ? (size_t)size : room - 1;
}

static void tell_column(struct teller *teller, size_t column)
{
    size_t gap = teller->length < column ? column - teller->length : 1;

    tell(teller, "%*s", (int)gap, "");
}

static const char *error_name(const struct journal_record *record)
{
    int error = chronicle_error(record);
    const char *name = error ? strerrorname_np(error) : NULL;

    return name ? name : "E?";
}

static uint64_t credit_word(const struct journal_record *record)
{
    return (uint64_t)record->credit.used << 32 | record->credit.reserved;
}

static void tell_credit(struct teller *teller, const struct journal_record *record)
{
    size_t source = names_find(&teller->names, record->subject);

    tell_column(teller, CREDIT_COLUMN);
    tell(teller, "credit=%u+%u", record->credit.used, record->credit.reserved);
    if (source != NAMES_NONE)
        teller->credits[source] = credit_word(record);
}

/* On a read or frame row only what is new. */
static void tell_credit_change(struct teller *teller, const struct journal_record *record)
{
    size_t source = names_find(&teller->names, record->subject);

    if (source == NAMES_NONE || teller->credits[source] != credit_word(record))
        tell_credit(teller, record);
}

static void tell_queue(struct teller *teller, const struct journal_record *record)
{
    size_t size = 0;
    const uint8_t *bytes = chronicle_bytes(&teller->chronicle, record, &size);
    size_t count = size / sizeof(uint64_t);

    if (count > JOURNAL_QUEUE_MAX)
        count = JOURNAL_QUEUE_MAX;
    tell(teller, " ");
    teller->queue_at = teller->length;
    tell(teller, "queue=[");
    for (size_t i = 0; i < count; i++) {
        uint64_t word;

        memcpy(&word, bytes + i * sizeof(word), sizeof(word));
        tell(teller, "%s%s", i ? "," : "", names_text(&teller->names, identity_unpack(word)));
    }
    if (record->number > count)
        tell(teller, "%s..", count ? "," : "");
    tell(teller, "]");
}

static const char *state_name(uint8_t state)
{
    return state < READER_STATE_COUNT ? reader_state_name(state) : "?";
}

static void tell_state(struct teller *teller, const struct journal_record *record)
{
    tell_column(teller, STATE_COLUMN);
    tell(teller, "%-*s hint=%d", STATE_WIDTH, state_name(record->state),
         record->flags & JOURNAL_FLAG_HINT ? 1 : 0);
    tell_credit(teller, record);
    tell_queue(teller, record);
}

static void tell_unread(struct teller *teller, const struct journal_record *record)
{
    if (record->unread == JOURNAL_UNREAD_UNKNOWN)
        return;
    tell_column(teller, teller->queue_at + QUEUE_WIDTH + 1);
    tell(teller, "unread=%d", record->unread);
}

static const struct {
    uint16_t bit;
    const char *name;
} event_names[] = {
#define X(name, bit) {1u << (bit), #name},
    OS_EVENT_BITS(X)
#undef X
        {OS_ET, "ET"},
    {OS_ONESHOT, "ONESHOT"},
};
#define EVENT_NAMES (sizeof(event_names) / sizeof(*event_names))

static void tell_bits(struct teller *teller, unsigned bits, const char *sign)
{
    for (size_t i = 0; i < EVENT_NAMES; i++)
        if (bits & event_names[i].bit)
            tell(teller, " %s%s", sign, event_names[i].name);
}

static void tell_notice(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "notice %s", names_text(&teller->names, record->subject));
    tell_bits(teller, record->events, "");
    if (record->flags & JOURNAL_FLAG_AGAIN)
        tell(teller, " again");
    if (record->flags & JOURNAL_FLAG_STALE)
        tell(teller, " stale");
}

static void tell_ready(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s ready", names_text(&teller->names, record->subject));
    tell_state(teller, record);
}

static void tell_quantum(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s quantum %u", names_text(&teller->names, record->subject), record->number);
}

static void tell_read(struct teller *teller, const struct journal_record *record)
{
    size_t size = 0;
    const uint8_t *bytes = chronicle_bytes(&teller->chronicle, record, &size);

    tell(teller, "%s read %u = ", names_text(&teller->names, record->subject), record->asked);
    if (record->result < 0)
        tell(teller, "%s", error_name(record));
    else if (record->result == 0)
        tell(teller, "EOF");
    else
        tell(teller, "%d", record->result);
    for (size_t i = 0; i < size && i < EVENTS_READ_SHOWN; i++)
        tell(teller, " %02x", bytes[i]);
    if (size > EVENTS_READ_SHOWN)
        tell(teller, " ..");
    tell_credit_change(teller, record);
}

static void tell_frame(struct teller *teller, const struct journal_record *record)
{
    size_t size = 0;
    const uint8_t *bytes = chronicle_bytes(&teller->chronicle, record, &size);
    char payload[QUOTE_SIZE(EVENTS_FRAME_SHOWN)];

    quote_bytes(bytes, size, EVENTS_FRAME_SHOWN, payload);
    tell(teller, "%s frame %u %s", names_text(&teller->names, record->subject), record->number,
         payload);
    tell_credit_change(teller, record);
}

static void tell_stop(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s stop", names_text(&teller->names, record->subject));
    for (unsigned kind = 0; kind < BUDGET_KIND_COUNT; kind++)
        if (record->reasons & 1u << kind)
            tell(teller, " %s", budget_kind_name(kind));
    if (record->reasons & JOURNAL_REASON_CAPACITY)
        tell(teller, " capacity");
    if (record->reasons & JOURNAL_REASON_EAGAIN)
        tell(teller, " EAGAIN");
    tell_state(teller, record);
    tell_unread(teller, record);
}

static void tell_end(struct teller *teller, const struct journal_record *record)
{
    const char *outcome = record->outcome < READER_END_COUNT ? reader_outcome_name(record->outcome)
                                                             : "?";

    tell(teller, "%s end %s", names_text(&teller->names, record->subject), outcome);
    if (record->outcome == READER_END_ERROR)
        tell(teller, " %s", error_name(record));
    tell_state(teller, record);
    tell_unread(teller, record);
}

static void tell_consume(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s consume %u", names_text(&teller->names, record->subject), record->number);
    tell_credit(teller, record);
}

static void tell_resume(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s resume", names_text(&teller->names, record->subject));
    tell_state(teller, record);
}

/* A change shows what it changed and nothing that stayed. */
static void tell_mask(struct teller *teller, unsigned was, unsigned now)
{
    if (was == now)
        tell(teller, " rearm");
    for (size_t i = 0; i < EVENT_NAMES; i++)
        if ((was ^ now) & event_names[i].bit)
            tell_bits(teller, event_names[i].bit, now & event_names[i].bit ? "+" : "-");
}

static void tell_ctl(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "ctl %s", names_text(&teller->names, record->subject));
    if (record->op == OS_ADD) {
        tell(teller, " add");
        tell_bits(teller, record->events, "");
    } else if (record->op == OS_DEL) {
        tell(teller, " del");
    } else {
        tell_mask(teller, record->was, record->events);
    }
    if (record->result < 0)
        tell(teller, " = %s", error_name(record));
}

static void tell_accept(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s accept = %s", names_text(&teller->names, record->subject),
         record->result < 0 ? error_name(record) : names_text(&teller->names, record->object));
}

static void tell_adopt(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s adopt", names_text(&teller->names, record->subject));
}

static void tell_halt(struct teller *teller, const struct journal_record *record)
{
    (void)record;
    tell(teller, "stop");
}

static void tell_close(struct teller *teller, const struct journal_record *record)
{
    tell(teller, "%s close", names_text(&teller->names, record->subject));
}

static void tell_illegal(struct teller *teller, const struct journal_record *record)
{
    const char *event = record->number < READER_EVENT_COUNT ? reader_event_name(record->number)
                                                            : "?";

    tell(teller, "%s illegal %s in %s", names_text(&teller->names, record->subject), event,
         state_name(record->state));
}

static void (*const tellers[])(struct teller *, const struct journal_record *) = {
    [JOURNAL_NOTICE] = tell_notice,   [JOURNAL_READY] = tell_ready,
    [JOURNAL_QUANTUM] = tell_quantum, [JOURNAL_READ] = tell_read,
    [JOURNAL_FRAME] = tell_frame,     [JOURNAL_STOP] = tell_stop,
    [JOURNAL_END] = tell_end,         [JOURNAL_CONSUME] = tell_consume,
    [JOURNAL_RESUME] = tell_resume,   [JOURNAL_CTL] = tell_ctl,
    [JOURNAL_ACCEPT] = tell_accept,   [JOURNAL_ADOPT] = tell_adopt,
    [JOURNAL_HALT] = tell_halt,       [JOURNAL_CLOSE] = tell_close,
    [JOURNAL_ILLEGAL] = tell_illegal,
};
_Static_assert(sizeof(tellers) / sizeof(*tellers) == JOURNAL_KIND_COUNT, "a teller each");

/* The listener's entry and its close belong to the bench, not to what is told. */
bool events_told(const struct names *names, const struct journal_record *record)
{
    return (record->kind != JOURNAL_CTL && record->kind != JOURNAL_CLOSE) ||
           names_find(names, record->subject) != NAMES_NONE;
}

static void tell_record(struct teller *teller, const struct journal_record *record)
{
    struct events *events = teller->events;

    if (!record || !events_told(&teller->names, record))
        return;
    teller->length = 0;
    teller->text[0] = '\0';
    tellers[record->kind](teller, record);
    events->at = memory_grow(events->at, events->text.count, &events->room, sizeof(*events->at));
    events->at[events->text.count] = record->at;
    lines_add(&events->text, "%s", teller->text);
}

void events_make(const struct happened *happened, struct events *ret_events)
{
    struct events events = {0};
    struct teller teller = {.chronicle = chronicle_of(happened), .events = &events};

    names_make(happened, &teller.names);
    teller.credits = memory_zeroed(teller.names.count, sizeof(*teller.credits));
    for (uint64_t i = 0; i < teller.chronicle.count; i++)
        tell_record(&teller, chronicle_at(&teller.chronicle, i));
    free(teller.credits);
    names_free(&teller.names);
    *ret_events = events;
}

void events_free(struct events *events)
{
    lines_free(&events->text);
    free(events->at);
    *events = (struct events){0};
}
