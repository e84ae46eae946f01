/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/budget.h"
#include "core/os.h"
#include "core/reader.h"

#define RECORDS 4096
#define SIDE 65536
#define TEXT 512

struct row {
    const struct journal *journal;
    const struct journal_record *record;
    char *text;
    size_t used;
};

struct journal *rows_new(void)
{
    size_t size = (journal_size(RECORDS, SIDE) + 63) / 64 * 64;
    void *block = aligned_alloc(64, size);

    assert_non_null(block);
    return journal_init(block, RECORDS, SIDE);
}

void rows_free(struct journal *journal)
{
    free(journal);
}

static void add(struct row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct row *row, const char *format, ...)
{
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(row->text + row->used, TEXT - row->used, format, args);
    va_end(args);
    assert_true(size >= 0 && (size_t)size < TEXT - row->used);
    row->used += (size_t)size;
}

static void add_mask(struct row *row, uint16_t events, const char *between)
{
    static const char *const names[] = {"IN", "OUT", "RDHUP", "ERR", "HUP", "ET", "ONESHOT"};
    const char *before = "";

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (!(events & 1u << i))
            continue;
        add(row, "%s%s", before, names[i]);
        before = between;
    }
    if (events == 0)
        add(row, "0");
}

static void add_credit(struct row *row)
{
    add(row, " credit=%u+%u", row->record->credit.used, row->record->credit.reserved);
}

static void add_state(struct row *row)
{
    add(row, " %s hint=%d", reader_state_name((enum reader_state)row->record->state),
        row->record->flags & JOURNAL_FLAG_HINT ? 1 : 0);
    add_credit(row);
}

static void add_queue(struct row *row)
{
    size_t size;
    const uint8_t *bytes = journal_bytes(row->journal, row->record, &size);
    uint64_t word;

    add(row, " queue=[");
    for (size_t i = 0; i < size; i += sizeof(word)) {
        memcpy(&word, bytes + i, sizeof(word));
        add(row, "%s%u", i > 0 ? " " : "", identity_unpack(word).slot);
    }
    add(row, "]");
    assert_true(row->record->number >= size / sizeof(word));
}

static void add_bytes(struct row *row)
{
    size_t size;
    const uint8_t *bytes = journal_bytes(row->journal, row->record, &size);

    if (size > 0)
        add(row, " bytes=");
    for (size_t i = 0; i < size; i++)
        add(row, "%02x", bytes[i]);
}

static void add_reasons(struct row *row)
{
    for (int kind = 0; kind < BUDGET_KIND_COUNT; kind++)
        if (row->record->reasons & 1u << kind)
            add(row, " %s", budget_kind_name((enum budget_kind)kind));
    if (row->record->reasons & JOURNAL_REASON_CAPACITY)
        add(row, " capacity");
    if (row->record->reasons & JOURNAL_REASON_EAGAIN)
        add(row, " EAGAIN");
}

static void add_ctl(struct row *row)
{
    static const char *const ops[] = {[OS_ADD] = "add", [OS_MOD] = "mod", [OS_DEL] = "del"};

    add(row, " %s was=", ops[row->record->op]);
    add_mask(row, row->record->was, "|");
    add(row, " now=");
    add_mask(row, row->record->events, "|");
    add(row, " result=%d", row->record->result);
}

static void add_notice(struct row *row)
{
    add(row, " ");
    add_mask(row, row->record->events, " ");
    if (row->record->flags & JOURNAL_FLAG_AGAIN)
        add(row, " again");
    if (row->record->flags & JOURNAL_FLAG_STALE)
        add(row, " stale");
}

static void add_kind(struct row *row)
{
    const struct journal_record *record = row->record;

    switch ((enum journal_kind)record->kind) {
    case JOURNAL_NOTICE:
        add_notice(row);
        break;
    case JOURNAL_READY:
    case JOURNAL_RESUME:
        add_state(row);
        add_queue(row);
        break;
    case JOURNAL_QUANTUM:
        add(row, " %u", record->number);
        break;
    case JOURNAL_READ:
        add(row, " asked=%u result=%d", record->asked, record->result);
        add_credit(row);
        add_bytes(row);
        break;
    case JOURNAL_FRAME:
        add(row, " %u result=%d", record->number, record->result);
        add_credit(row);
        add_bytes(row);
        break;
    case JOURNAL_STOP:
        add_reasons(row);
        add_state(row);
        add_queue(row);
        add(row, " unread=%d", record->unread);
        break;
    case JOURNAL_END:
        add(row, " %s %d", reader_outcome_name((enum reader_outcome)record->outcome),
            record->result);
        add_state(row);
        add_queue(row);
        add(row, " unread=%d", record->unread);
        break;
    case JOURNAL_CONSUME:
        add(row, " %u", record->number);
        add_credit(row);
        break;
    case JOURNAL_CTL:
        add_ctl(row);
        break;
    case JOURNAL_ACCEPT:
        add(row, " result=%d", record->result);
        if (record->result == 0)
            add(row, " %u", record->object.slot);
        break;
    case JOURNAL_ILLEGAL:
        add(row, " %s %u", reader_state_name((enum reader_state)record->state), record->number);
        break;
    default:
        break;
    }
}

const char *rows_text(const struct journal *journal, uint64_t i)
{
    static const char *const kinds[JOURNAL_KIND_COUNT] = {
        [JOURNAL_NOTICE] = "notice",   [JOURNAL_READY] = "ready",   [JOURNAL_QUANTUM] = "quantum",
        [JOURNAL_READ] = "read",       [JOURNAL_FRAME] = "frame",   [JOURNAL_STOP] = "stop",
        [JOURNAL_END] = "end",         [JOURNAL_CONSUME] = "consume", [JOURNAL_RESUME] = "resume",
        [JOURNAL_CTL] = "ctl",         [JOURNAL_ACCEPT] = "accept", [JOURNAL_ADOPT] = "adopt",
        [JOURNAL_HALT] = "halt",       [JOURNAL_CLOSE] = "close",   [JOURNAL_ILLEGAL] = "illegal",
    };
    static char text[TEXT];
    struct row row = {.journal = journal, .record = journal_at(journal, i), .text = text};

    add(&row, "%s", kinds[row.record->kind]);
    if (row.record->subject.generation != 0)
        add(&row, " %u", row.record->subject.slot);
    add_kind(&row);
    return text;
}

void rows_expect(const struct journal *journal, uint64_t *from, const char *const *lines,
                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (*from + i >= atomic_load(&journal->count))
            fail_msg("no row where this should stand: %s", lines[i]);
        assert_string_equal(rows_text(journal, *from + i), lines[i]);
    }
    *from += count;
    if (atomic_load(&journal->count) > *from)
        fail_msg("a row too many: %s", rows_text(journal, *from));
    assert_false(atomic_load(&journal->overflow));
}

unsigned rows_count(const struct journal *journal, const char *words)
{
    unsigned count = 0;

    for (uint64_t i = 0; i < atomic_load(&journal->count); i++)
        count += strncmp(rows_text(journal, i), words, strlen(words)) == 0;
    return count;
}
