/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cancellation_value.h"

#include <stdio.h>
#include <string.h>

#include "harness/report/value.h"

static const char *pool_word(const struct request *request)
{
    return request->returned ? "RETURNED" : "HELD";
}

static const char *record_word(const struct request *request)
{
    return request->state == REQUEST_RETIRED ? "retired" : "retained";
}

static json_t *make_moves(const struct request_effect *effect)
{
    json_t *list = value_list();

    for (uint8_t i = 0; i < effect->moves; i++) {
        char text[32];

        snprintf(text, sizeof(text), "%d,%d", effect->after[i].device, effect->after[i].borrows);
        value_append(list, value_text(text));
    }
    return list;
}

static json_t *make_row(const struct cancellation_row *row)
{
    const struct request *request = &row->after;
    json_t *object = value_object();

    value_put(object, "after", value_text(row->word->text));
    value_put(object, "logical", value_text(request_logical_name(request->logical)));
    value_put(object, "target", value_text(request_target_name(request->target)));
    value_put(object, "cancel", value_text(request_cancel_name(request->cancel)));
    value_put(object, "d", value_number(request->device));
    value_put(object, "b", value_number(request->borrows));
    value_put(object, "pool", value_text(pool_word(request)));
    value_put(object, "request", value_text(record_word(request)));
    value_put(object, "logical_open", value_number(row->open));
    value_put(object, "unretired", value_number(row->unretired));
    value_put(object, "refused", value_number((int64_t)row->refused));
    value_put(object, "moves", make_moves(&row->effect));
    return object;
}

static json_t *make_input(const struct cancellation *cancellation)
{
    json_t *object = value_object();

    value_put(object, "events", value_text(cancellation->script.text));
    value_put(object, "early_lease", value_number(cancellation->early_lease));
    value_put(object, "admitted", value_number(CANCELLATION_ADMITTED));
    value_put(object, "bytes", value_number(CANCELLATION_BYTES));
    value_put(object, "generation", value_number(CANCELLATION_GENERATION));
    return object;
}

static json_t *make_totals(const struct cancellation_ledger *ledger)
{
    const struct cancellation_row *last = &ledger->rows[ledger->row_count - 1];
    json_t *object = value_object();

    value_put(object, "events", value_number(ledger->row_count));
    value_put(object, "submitted", value_number(ledger->submitted));
    value_put(object, "returned", value_number(ledger->returned));
    value_put(object, "retired", value_number(ledger->retired));
    value_put(object, "ignored", value_number(ledger->ignored));
    value_put(object, "refused", value_number((int64_t)last->refused));
    value_put(object, "delivered", value_number((int64_t)last->delivered));
    value_put(object, "consumed", value_number((int64_t)last->consumed));
    return object;
}

static json_t *make_peaks(const struct cancellation_ledger *ledger)
{
    json_t *object = value_object();

    value_put(object, "unretired", value_number(ledger->rows[ledger->row_count - 1].peak));
    value_put(object, "held_bytes", value_number((int64_t)ledger->peak_bytes));
    return object;
}

/* Who keeps the account from zero: it is theirs to act, and no timer's (R-A-17). */
static json_t *make_owed(const struct request *request)
{
    json_t *list = value_list();

    if (request->device > 0)
        value_append(list, value_text("device"));
    if (request->cancel == REQUEST_CANCEL_PENDING)
        value_append(list, value_text("cancel"));
    if (request->borrows > 0)
        value_append(list, value_text("borrower"));
    return list;
}

static json_t *make_outcome(const struct cancellation_ledger *ledger)
{
    const struct cancellation_row *last = &ledger->rows[ledger->row_count - 1];
    json_t *object = value_object();

    value_put(object, "logical", value_text(request_logical_name(last->after.logical)));
    value_put(object, "pool", value_text(pool_word(&last->after)));
    value_put(object, "request", value_text(record_word(&last->after)));
    value_put(object, "logical_open", value_number(last->open));
    value_put(object, "unretired", value_number(last->unretired));
    value_put(object, "held_bytes", value_number((int64_t)last->held_bytes));
    value_put(object, "owed_by", make_owed(&last->after));
    return object;
}

void cancellation_value_put(json_t *object, const struct cancellation *cancellation,
                            const struct cancellation_ledger *ledger)
{
    json_t *rows = value_list();

    for (uint32_t i = 0; i < ledger->row_count; i++)
        value_append(rows, make_row(&ledger->rows[i]));
    value_put(object, "input", make_input(cancellation));
    value_put(object, "rows", rows);
    value_put(object, "totals", make_totals(ledger));
    value_put(object, "peaks", make_peaks(ledger));
    value_put(object, "outcome", make_outcome(ledger));
}

void cancellation_value_text(const struct cancellation_row *row,
                             char ret_text[CANCELLATION_VALUE_TEXT])
{
    const struct request *request = &row->after;
    int used = snprintf(ret_text, CANCELLATION_VALUE_TEXT, "%s/%s/%s %d,%d %s,%s %u %u %llu",
                        request_logical_name(request->logical),
                        request_target_name(request->target),
                        request_cancel_name(request->cancel), request->device, request->borrows,
                        pool_word(request), record_word(request), row->open, row->unretired,
                        (unsigned long long)row->refused);

    for (uint8_t i = 0; i < row->effect.moves && used < CANCELLATION_VALUE_TEXT; i++)
        used += snprintf(ret_text + used, (size_t)(CANCELLATION_VALUE_TEXT - used), "%s(%d,%d)",
                         i ? "" : " ", row->effect.after[i].device, row->effect.after[i].borrows);
}
