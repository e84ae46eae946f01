/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/latency.h"

#include "harness/memory.h"
#include "harness/model/stage.h"
#include "harness/report/value.h"

#define ITEM_US 100
#define QUANTA  2 /* that each source has items for */

/* One run that is being measured. */
struct play {
    struct stage stage;
    int64_t quantum_us;
    int64_t waited_us;
    int64_t ready_ns[STAGE_SOURCES_MAX]; /* 0: has begun its first quantum */
    int64_t began_ns;
};

/* An item: an empty frame, which costs its time and is given back. */
static void take(struct reactor *r, struct identity id, const uint8_t *payload, uint32_t size,
                 void *app)
{
    struct play *play = app;
    struct instant end = instant_add(kernel_now(play->stage.kernel), DURATION_US(ITEM_US));

    (void)payload;
    (void)size;
    (void)kernel_sleep(play->stage.kernel, end);
    (void)reactor_release(r, id, 1);
}

static void longest(int64_t *most, int64_t ns)
{
    if (ns / 1000 > *most)
        *most = ns / 1000;
}

static void measure(struct play *play, const struct journal_record *record)
{
    uint32_t source = stage_source(&play->stage, record->subject);

    if (source == STAGE_SOURCES_MAX)
        return;
    if (record->kind == JOURNAL_READY) {
        play->ready_ns[source] = record->at.ns;
    } else if (record->kind == JOURNAL_QUANTUM) {
        play->began_ns = record->at.ns;
        if (play->ready_ns[source] > 0)
            longest(&play->waited_us, record->at.ns - play->ready_ns[source]);
        play->ready_ns[source] = 0;
    } else if (record->kind == JOURNAL_STOP) {
        longest(&play->quantum_us, record->at.ns - play->began_ns);
    }
}

static void run(struct play *play)
{
    enum stage_end end;

    do {
        end = stage_round(&play->stage);
        for (uint64_t i = 0; i < play->stage.journal->count; i++)
            measure(play, journal_at(play->stage.journal, i));
    } while (end == STAGE_ON);
}

static void play_one(uint32_t sources, uint32_t items, enum defects defect, struct play *play)
{
    static const struct reactor_handlers handlers = {.frame = take};
    static const uint8_t header[2] = {0, 0};
    const struct stage_config config = {
        .sources = sources, .bytes = sources * items * QUANTA * 2, .trigger = REACTOR_ET,
        .collect = 16, .format = {.header = 2, .payload_max = 0}, .capacity = 4,
        .limits = {.bytes = 1024, .attempts = 1024, .items = items}, .defect = defect,
        .calls = 1000, .handlers = &handlers, .app = play,
    };

    *play = (struct play){0};
    stage_open(&play->stage, &config);
    for (uint32_t i = 0; i < sources; i++)
        for (uint32_t item = 0; item < items * QUANTA; item++)
            stage_send(&play->stage, i, header, sizeof(header));
    for (uint32_t i = 0; i < sources; i++)
        stage_adopt(&play->stage, i);
    run(play);
    stage_close(&play->stage);
}

/* Nobody waits longer than H + (N - 1) TQ, H being nothing here. */
static bool is_within(const struct latency *latency, uint32_t i)
{
    return latency->rows[i].waited_us <=
           (latency->rows[i].sources - 1) * latency->rows[i].quantum_us;
}

void latency_play(enum defects defect, struct latency *ret_latency, struct checks *checks)
{
    static const uint32_t items[] = {32, 8};

    for (uint32_t i = 0; i < LATENCY_ROWS; i++) {
        uint32_t sources = 1 + i / 2;
        uint32_t count = items[i % 2];
        struct play play;

        play_one(sources, count, defect, &play);
        ret_latency->rows[i].sources = sources;
        ret_latency->rows[i].items = count;
        ret_latency->rows[i].quantum_us = play.quantum_us;
        ret_latency->rows[i].waited_us = play.waited_us;
        checks_that(checks, play.quantum_us == (count == 32 ? 3200 : 800),
                    "%u items take %lld us; the requirement says %d", count,
                    (long long)play.quantum_us, count == 32 ? 3200 : 800);
        checks_that(checks, is_within(ret_latency, i),
                    "with %u sources nobody waits longer than H + (N - 1) TQ: %lld us", sources,
                    (long long)play.waited_us);
    }
}

static json_t *make_row(const struct latency *latency, uint32_t i)
{
    json_t *object = value_object();

    value_put(object, "sources", value_number(latency->rows[i].sources));
    value_put(object, "items", value_number(latency->rows[i].items));
    value_put(object, "quantum_us", value_number(latency->rows[i].quantum_us));
    value_put(object, "waited_us", value_number(latency->rows[i].waited_us));
    return object;
}

void latency_value_put(json_t *object, const struct latency *latency)
{
    json_t *rows = value_list();
    json_t *input = value_object();
    json_t *peaks = value_object();
    json_t *totals = value_object();
    json_t *outcome = value_object();
    int64_t quantum = 0;
    int64_t waited = 0;
    bool within = true;

    for (uint32_t i = 0; i < LATENCY_ROWS; i++) {
        value_append(rows, make_row(latency, i));
        longest(&quantum, latency->rows[i].quantum_us * 1000);
        longest(&waited, latency->rows[i].waited_us * 1000);
        within = within && is_within(latency, i);
    }
    value_put(input, "item_us", value_number(ITEM_US));
    value_put(totals, "runs", value_number(LATENCY_ROWS));
    value_put(peaks, "quantum_us", value_number(quantum));
    value_put(peaks, "waited_us", value_number(waited));
    value_put(outcome, "within_bounds", memory_must(json_boolean(within)));
    value_put(object, "input", input);
    value_put(object, "rows", rows);
    value_put(object, "totals", totals);
    value_put(object, "peaks", peaks);
    value_put(object, "outcome", outcome);
}
