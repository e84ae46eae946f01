/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/framing_value.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/memory.h"
#include "harness/model/wording.h"
#include "harness/report/value.h"

#define SOURCE "c" /* the connection's name, as in the worked example */

static json_t *null(void)
{
    return memory_must(json_null());
}

/* "pause frames capacity" */
static void print_event(FILE *out, const struct framing_row *row)
{
    static const char *const names[] = {
        [FRAMING_EDGE] = "edge",       [FRAMING_DISPATCH] = "dispatch",
        [FRAMING_RESERVE] = "reserve", [FRAMING_READ] = "read",
        [FRAMING_FRAME] = "frame",     [FRAMING_YIELD] = "yield",
        [FRAMING_PAUSE] = "pause",     [FRAMING_END] = "end",
        [FRAMING_CONSUME] = "consume", [FRAMING_RESUME] = "resume",
    };
    _Static_assert(sizeof(names) / sizeof(*names) == FRAMING_EVENT_COUNT, "a name each");
    json_t *reasons;

    fputs(names[row->event], out);
    if (row->event == FRAMING_FRAME || row->event == FRAMING_CONSUME)
        fprintf(out, " %u", row->number);
    else if (row->event == FRAMING_END)
        fprintf(out, " %s", reader_outcome_name(row->outcome));
    if (row->event != FRAMING_YIELD && row->event != FRAMING_PAUSE)
        return;
    reasons = wording_stop(row->reasons, READER_END_NONE);
    for (size_t i = 0; i < json_array_size(reasons); i++)
        fprintf(out, " %s", json_string_value(json_array_get(reasons, i)));
    json_decref(reasons);
}

static json_t *make_event(const struct framing_row *row)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));
    json_t *value;

    print_event(out, row);
    fclose(out);
    value = value_text(memory_must(text));
    free(text);
    return value;
}

static json_t *make_row(const struct framing_ledger *ledger, size_t i)
{
    const struct framing_row *row = &ledger->rows[i];
    bool read = row->event == FRAMING_READ;
    json_t *object = value_object();
    json_t *queue = value_list();

    if (row->queued)
        value_append(queue, value_text(SOURCE));
    value_put(object, "step", value_number((int64_t)i + 1));
    value_put(object, "quantum", row->quantum ? value_number(row->quantum) : null());
    value_put(object, "event", make_event(row));
    value_put(object, "asked", read ? value_number(row->asked) : null());
    value_put(object, "got", read ? wording_got(row->result) : null());
    value_put(object, "data", read && row->result > 0
                                  ? wording_hex(ledger->bytes + row->at, (size_t)row->result)
                                  : null());
    value_put(object, "used", value_number(row->used));
    value_put(object, "reserved", value_number(row->reserved));
    value_put(object, "state", value_text(reader_state_name(row->state)));
    value_put(object, "hint", value_number(row->hint));
    value_put(object, "queue", queue);
    value_put(object, "partial", wording_hex(ledger->bytes + row->read - row->partial,
                                             row->partial));
    value_put(object, "unread", value_number(row->unread));
    return object;
}

static json_t *make_input(const struct framing *framing)
{
    json_t *object = value_object();

    value_put(object, "script", value_text(framing->script.text));
    value_put(object, "trigger", value_text(reactor_trigger_name(framing->trigger)));
    value_put(object, "capacity", value_number(framing->capacity));
    value_put(object, "payload_max", value_number(framing->payload_max));
    value_put(object, "frames", value_number(framing->frames));
    value_put(object, "attempts", value_number(framing->attempts));
    value_put(object, "bytes", value_number(framing->bytes));
    value_put(object, "mode", value_text("exact"));
    return object;
}

static json_t *make_totals(const struct reactor_account *account)
{
    json_t *object = value_object();

#define PUT(key, member) value_put(object, key, value_number((int64_t)account->member))
    PUT("notices", notices);
    PUT("quanta", quanta);
    PUT("reads", reads);
    PUT("data", reads_data);
    PUT("eagain", reads_eagain);
    PUT("eintr", reads_eintr);
    PUT("bytes", bytes);
    PUT("frames", frames);
    PUT("yields", yields);
    PUT("pauses", pauses);
    PUT("resumes", resumes);
    PUT("ends", ends);
#undef PUT
    return object;
}

uint32_t framing_value_peak(const struct framing_ledger *ledger)
{
    uint32_t peak = 0;

    for (size_t i = 0; i < ledger->row_count; i++) {
        uint32_t total = ledger->rows[i].used + ledger->rows[i].reserved;

        if (total > peak)
            peak = total;
    }
    return peak;
}

static json_t *make_peaks(const struct framing_ledger *ledger)
{
    json_t *object = value_object();
    uint32_t used = 0;

    for (size_t i = 0; i < ledger->row_count; i++)
        if (ledger->rows[i].used > used)
            used = ledger->rows[i].used;
    value_put(object, "used", value_number(used));
    value_put(object, "total", value_number(framing_value_peak(ledger)));
    return object;
}

static json_t *make_frames(const struct framing_ledger *ledger)
{
    json_t *list = value_list();
    size_t at = 0;

    for (size_t i = 0; i < ledger->frame_count; at += ledger->sizes[i++])
        value_append(list, wording_hex(ledger->payloads + at, ledger->sizes[i]));
    return list;
}

static json_t *make_outcome(const struct framing_ledger *ledger)
{
    static const char *const ends[] = {
        [STAGE_ON] = "running", [STAGE_IDLE] = "idle", [STAGE_BROKEN] = "broken"};
    const struct framing_row *last =
        ledger->row_count > 0 ? &ledger->rows[ledger->row_count - 1] : NULL;
    json_t *object = value_object();

    value_put(object, "end", value_text(ends[ledger->end]));
    value_put(object, "state", value_text(reader_state_name(ledger->last.state)));
    value_put(object, "hint", value_number(ledger->last.hint));
    value_put(object, "outcome", value_text(reader_outcome_name(
                                     last ? last->outcome : READER_END_NONE)));
    value_put(object, "frames", make_frames(ledger));
    value_put(object, "held", value_number(ledger->last.frames_held));
    value_put(object, "used", value_number(ledger->last.credit.used));
    value_put(object, "reserved", value_number(ledger->last.credit.reserved));
    value_put(object, "unread", value_number(last ? last->unread : 0));
    return object;
}

void framing_value_put(json_t *object, const struct framing *framing,
                       const struct framing_ledger *ledger)
{
    json_t *rows = value_list();

    for (size_t i = 0; i < ledger->row_count; i++)
        value_append(rows, make_row(ledger, i));
    value_put(object, "input", make_input(framing));
    value_put(object, "rows", rows);
    value_put(object, "totals", make_totals(&ledger->account));
    value_put(object, "peaks", make_peaks(ledger));
    value_put(object, "outcome", make_outcome(ledger));
}

static void print_hex(FILE *out, const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        fprintf(out, "%02x", bytes[i]);
    if (size == 0)
        fputs("-", out);
}

static void print_read(FILE *out, const struct framing_ledger *ledger,
                       const struct framing_row *row)
{
    fprintf(out, " %u=", row->asked);
    if (row->result > 0)
        print_hex(out, ledger->bytes + row->at, (uint32_t)row->result);
    else
        fputs(row->result == 0 ? "EOF" : wording_error(row->result), out);
}

char *framing_value_text(const struct framing_ledger *ledger, size_t i)
{
    const struct framing_row *row = &ledger->rows[i];
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    fprintf(out, "%zu ", i + 1);
    if (row->quantum)
        fprintf(out, "%u ", row->quantum);
    else
        fputs("- ", out);
    print_event(out, row);
    if (row->event == FRAMING_READ)
        print_read(out, ledger, row);
    fprintf(out, " %u+%u %s %d [%s] ", row->used, row->reserved, reader_state_name(row->state),
            row->hint, row->queued ? SOURCE : "");
    print_hex(out, ledger->bytes + row->read - row->partial, row->partial);
    fprintf(out, " %u", row->unread);
    fclose(out);
    return memory_must(text);
}
