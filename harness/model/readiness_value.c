/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/readiness_value.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/memory.h"
#include "harness/model/wording.h"
#include "harness/report/value.h"

static const char *name_of(const struct readiness *readiness, uint32_t source)
{
    return source < readiness->count ? readiness->sources[source].name : "?";
}

static json_t *make_reads(const struct readiness_ledger *ledger, const struct readiness_row *row)
{
    json_t *list = value_list();

    for (uint32_t i = 0; i < row->reads; i++) {
        const struct readiness_read *read = &ledger->reads[row->read_at + i];
        json_t *object = value_object();

        value_put(object, "asked", value_number(read->asked));
        value_put(object, "got", wording_got(read->result));
        if (read->result > 0)
            value_put(object, "data", wording_hex(ledger->bytes + read->at,
                                                  (size_t)read->result));
        value_append(list, object);
    }
    return list;
}

static json_t *make_queue(const struct readiness *readiness, const struct readiness_row *row)
{
    json_t *list = value_list();

    for (uint32_t i = 0; i < row->queue_count; i++)
        value_append(list, value_text(name_of(readiness, row->queue[i])));
    return list;
}

static json_t *make_row(const struct readiness *readiness, const struct readiness_ledger *ledger,
                        const struct readiness_row *row)
{
    json_t *object = value_object();
    json_t *unread = value_object();

    for (uint32_t i = 0; i < readiness->count; i++)
        value_put(unread, name_of(readiness, i), value_number(row->unread[i]));
    value_put(object, "quantum", value_number(row->quantum));
    value_put(object, "head", value_text(name_of(readiness, row->head)));
    value_put(object, "reads", make_reads(ledger, row));
    value_put(object, "stop", wording_stop(row->reasons, row->outcome));
    value_put(object, "state", value_text(reader_state_name(row->state)));
    value_put(object, "hint", value_number(row->hint));
    value_put(object, "queue", make_queue(readiness, row));
    value_put(object, "unread", unread);
    return object;
}

static json_t *make_source(const struct readiness_source *source)
{
    static const char *const finishes[] = {
        [READINESS_OPEN] = "open", [READINESS_EOF] = "eof", [READINESS_FATAL] = "fatal"};
    json_t *object = value_object();

    value_put(object, "name", value_text(source->name));
    value_put(object, "data", wording_hex(source->bytes, source->size));
    if (source->round > 1)
        value_put(object, "arrives_before_round", value_number(source->round));
    if (source->eintr == READINESS_FOR_EVER)
        value_put(object, "eintr", value_text("always"));
    else if (source->eintr > 0)
        value_put(object, "eintr", value_number(source->eintr));
    value_put(object, "then", value_text(finishes[source->finish]));
    return object;
}

static json_t *make_input(const struct readiness *readiness)
{
    json_t *object = value_object();
    json_t *sources = value_list();

    for (uint32_t i = 0; i < readiness->count; i++)
        value_append(sources, make_source(&readiness->sources[i]));
    value_put(object, "sources", sources);
    value_put(object, "trigger", value_text(reactor_trigger_name(readiness->trigger)));
    value_put(object, "h", value_number(readiness->collect));
    value_put(object, "quantum", value_number(readiness->quantum));
    value_put(object, "attempts", value_number(readiness->attempts));
    value_put(object, "requeue", memory_must(json_boolean(!readiness->no_requeue)));
    return object;
}

static json_t *make_totals(const struct reactor_account *account)
{
    json_t *object = value_object();

#define PUT(key, member) value_put(object, key, value_number((int64_t)account->member))
    PUT("registrations", registrations);
    PUT("notices", notices);
    PUT("notices_again", notices_again);
    PUT("rounds", rounds);
    PUT("quanta", quanta);
    PUT("reads", reads);
    PUT("data", reads_data);
    PUT("eagain", reads_eagain);
    PUT("eintr", reads_eintr);
    PUT("bytes", bytes);
    PUT("yields", yields);
    PUT("ends", ends);
#undef PUT
    return object;
}

/* Quanta that some source stood in the queue for, before its own began. */
static int64_t longest_wait(const struct readiness_ledger *ledger)
{
    uint32_t most = 0;

    for (size_t i = 0; i < ledger->row_count; i++)
        if (ledger->rows[i].before_count > most)
            most = ledger->rows[i].before_count;
    return most > 0 ? (int64_t)most - 1 : 0;
}

static json_t *make_peaks(const struct readiness_ledger *ledger)
{
    json_t *object = value_object();

    value_put(object, "queue", value_number((int64_t)ledger->account.ready_peak));
    value_put(object, "notices_in_a_round",
              value_number((int64_t)ledger->account.round_notices_peak));
    value_put(object, "quanta_waited", value_number(longest_wait(ledger)));
    return object;
}

/* All bytes that `source` delivered. */
static json_t *make_output(const struct readiness_ledger *ledger, uint32_t source)
{
    uint8_t *bytes = memory_zeroed(ledger->byte_count + 1, 1);
    size_t size = 0;
    json_t *value;

    for (size_t i = 0; i < ledger->row_count; i++) {
        const struct readiness_row *row = &ledger->rows[i];

        for (uint32_t j = 0; row->head == source && j < row->reads; j++) {
            const struct readiness_read *read = &ledger->reads[row->read_at + j];

            for (int32_t byte = 0; byte < read->result; byte++)
                bytes[size++] = ledger->bytes[read->at + (uint32_t)byte];
        }
    }
    value = wording_hex(bytes, size);
    free(bytes);
    return value;
}

static json_t *make_last(const struct readiness *readiness, const struct readiness_ledger *ledger,
                         uint32_t i)
{
    json_t *object = value_object();

    value_put(object, "name", value_text(name_of(readiness, i)));
    value_put(object, "output", make_output(ledger, i));
    value_put(object, "unread", value_number(ledger->last[i].unread));
    value_put(object, "state", value_text(reader_state_name(ledger->last[i].state)));
    value_put(object, "hint", value_number(ledger->last[i].hint));
    value_put(object, "end", value_text(reader_outcome_name(ledger->last[i].outcome)));
    return object;
}

static json_t *make_outcome(const struct readiness *readiness,
                            const struct readiness_ledger *ledger)
{
    static const char *const ends[] = {
        [STAGE_ON] = "limit", [STAGE_IDLE] = "idle", [STAGE_BROKEN] = "broken"};
    json_t *object = value_object();
    json_t *sources = value_list();

    for (uint32_t i = 0; i < readiness->count; i++)
        value_append(sources, make_last(readiness, ledger, i));
    value_put(object, "end", value_text(ends[ledger->end]));
    value_put(object, "sources", sources);
    return object;
}

void readiness_value_put(json_t *object, const struct readiness *readiness,
                         const struct readiness_ledger *ledger)
{
    json_t *rows = value_list();

    for (size_t i = 0; i < ledger->row_count; i++)
        value_append(rows, make_row(readiness, ledger, &ledger->rows[i]));
    value_put(object, "input", make_input(readiness));
    value_put(object, "rows", rows);
    value_put(object, "totals", make_totals(&ledger->account));
    value_put(object, "peaks", make_peaks(ledger));
    value_put(object, "outcome", make_outcome(readiness, ledger));
}

char *readiness_value_text(const struct readiness *readiness,
                           const struct readiness_ledger *ledger, size_t i)
{
    const struct readiness_row *row = &ledger->rows[i];
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    fprintf(out, "%s:", name_of(readiness, row->head));
    for (uint32_t j = 0; j < row->reads; j++) {
        const struct readiness_read *read = &ledger->reads[row->read_at + j];

        fputs(j ? "," : "", out);
        if (read->result > 0)
            fwrite(ledger->bytes + read->at, 1, (size_t)read->result, out);
        else
            fputs(read->result == 0 ? "EOF" : wording_error(read->result), out);
    }
    fputs(" [", out);
    for (uint32_t j = 0; j < row->queue_count; j++)
        fprintf(out, "%s%s", j ? "," : "", name_of(readiness, row->queue[j]));
    fputs("]", out);
    fclose(out);
    return memory_must(text);
}
