/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/framing_examples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/model/framing_value.h"

#define CAPACITY    9
#define PAYLOAD_MAX 3
#define QUANTUM     9
#define NONE        FRAMING_EXAMPLES_NONE

/* W6. */
static const char *const w6[] = {
    "1 - edge 0+0 QUEUED 1 [c] - 1",
    "2 1 dispatch 0+5 RUNNING 1 [] - 1",
    "3 1 read 2=00 0+5 RUNNING 1 [] 00 0",
    "4 1 read 1=EAGAIN 0+5 WAITING 0 [] 00 0",
    "5 - edge 0+5 QUEUED 1 [c] 00 3",
    "6 2 read 1=03 0+5 RUNNING 1 [] 0003 2",
    "7 2 read 3=4341 0+5 RUNNING 1 [] 00034341 0",
    "8 2 yield attempts 0+5 QUEUED 1 [c] 00034341 0",
    "9 3 read 1=EAGAIN 0+5 WAITING 0 [] 00034341 0",
    "10 - edge 0+5 QUEUED 1 [c] 00034341 5",
    "11 4 read 1=54 0+5 RUNNING 1 [] 0003434154 4",
    "12 4 frame 1 5+0 RUNNING 1 [] - 4",
    "13 4 pause frames capacity 5+0 PAUSED 1 [] - 4",
    "14 - consume 1 0+0 PAUSED 1 [] - 4",
    "15 - resume 0+0 QUEUED 1 [c] - 4",
    "16 5 dispatch 0+5 RUNNING 1 [] - 4",
    "17 5 read 2=0002 0+4 RUNNING 1 [] 0002 2",
    "18 5 read 2=4f4b 0+4 RUNNING 1 [] 00024f4b 0",
    "19 5 frame 2 4+0 RUNNING 1 [] - 0",
    "20 5 yield frames attempts 4+0 QUEUED 1 [c] - 0",
    "21 6 dispatch 4+5 RUNNING 1 [] - 0",
    "22 6 read 2=EAGAIN 4+5 WAITING 0 [] - 0",
    "23 - consume 1 0+5 WAITING 0 [] - 0",
    "24 - edge 0+5 QUEUED 1 [c] - 0",
    "25 7 read 2=EOF 0+5 RUNNING 1 [] - 0",
    "26 7 end clean 0+0 FINISHED 0 [] - 0",
    NULL,
};

#define W6(name_, about_, frames_, attempts_, quanta_)                                     \
    {.name = name_, .about = about_, .covers = "W6", .script = FRAMING_EXAMPLES_SCRIPT,    \
     .frames = frames_, .attempts = attempts_, .delivered = "CAT.OK.",                     \
     .state = READER_FINISHED, .outcome = READER_END_CLEAN, .peak = 9, .final = 0,         \
     .quanta = quanta_, .reads = 10}

#define W8(name_, about_, script_, delivered_, state_, outcome_, peak_, final_)            \
    {.name = name_, .about = about_, .covers = "W8", .script = script_, .frames = 1,       \
     .attempts = 2, .delivered = delivered_, .state = READER_##state_,                     \
     .outcome = READER_END_##outcome_, .peak = peak_, .final = final_, .quanta = NONE,     \
     .reads = NONE}

static const struct framing_example examples[] = {
    {
        .name = "one-frame-per-quantum",
        .about = "A released frame wakes the paused reader; no new edge does.",
        .covers = "W6 R-F-07 R-F-11 R-F-12 R-F-13",
        .script = FRAMING_EXAMPLES_SCRIPT, .frames = 1, .attempts = 2, .rows = w6,
        .delivered = "CAT.OK.", .state = READER_FINISHED, .outcome = READER_END_CLEAN, .peak = 9,
        .final = 0, .quanta = 7, .reads = 10,
    },
    {
        .name = "one-frame-per-quantum-level",
        .about = "Level-triggered, a pause takes the entry out of the mask, and the steps are the "
                 "same.",
        .covers = "W6 R-L-21",
        .script = FRAMING_EXAMPLES_SCRIPT, .trigger = REACTOR_LT, .frames = 1, .attempts = 2,
        .rows = w6, .delivered = "CAT.OK.", .state = READER_FINISHED,
        .outcome = READER_END_CLEAN, .peak = 9, .final = 0, .quanta = 7, .reads = 10,
    },
    W6("one-attempt", "One attempt a quantum: more quanta, the same reads.", 1, 1, 10),
    W6("three-attempts", "Three attempts: CA is known to be all in the same quantum.", 1, 3, 6),
    W6("four-attempts", "A fourth one changes nothing.", 1, 4, 6),
    W6("two-frames-one-attempt", "Two frames, but one attempt: the attempt decides.", 2, 1, 10),
    W6("two-frames-two-attempts", "Two frames and two attempts.", 2, 2, 7),
    W6("two-frames-three-attempts", "Two frames and three attempts.", 2, 3, 5),
    W6("two-frames-four-attempts", "Two frames and four attempts.", 2, 4, 5),
    W8("empty-frame", "A frame without payload is a frame, and needs no second read.",
       "in:0000 run consume run eof run", ".", FINISHED, CLEAN, 7, 0),
    W8("three-empty-frames", "Three of them fill the credit so far that no fourth could be read.",
       "in:000000000000 run consume:3 run eof run", "...", FINISHED, CLEAN, 9, 0),
    W8("too-large", "A length above the maximum fails the direction; nothing is allocated for it.",
       "in:0004aabbccdd run", "", FAILED, OVERSIZE, 5, 0),
    W8("far-too-large", "So does the largest length there is.", "in:ffff run", "", FAILED,
       OVERSIZE, 5, 0),
    W8("half-a-header", "An end inside a header is a truncation.", "in:00 run eof run", "",
       FINISHED, TRUNCATED, 5, 0),
    W8("header-alone", "So is one between header and payload.", "in:0003 run eof run", "",
       FINISHED, TRUNCATED, 5, 0),
    W8("half-a-payload", "And one inside a payload.", "in:00034341 run eof run", "", FINISHED,
       TRUNCATED, 5, 0),
    W8("end-alone", "An end at a boundary is clean, also before the first frame.", "eof run", "",
       FINISHED, CLEAN, 5, 0),
    W8("end-while-paused", "Whoever is paused hears of the end after the resumption.",
       "in:0003434154 run eof run consume run", "CAT.", FINISHED, CLEAN, 5, 0),
    W8("reset-while-paused", "And of a reset.", "in:0003434154 run reset run consume run", "CAT.",
       FAILED, RESET, 5, 0),
    {
        .name = "reset-while-paused-level",
        .about = "Level-triggered, a masked entry that reports the reset is deleted, else the "
                 "wait would never sleep.",
        .covers = "W8 C41", .script = "in:0003434154 run reset run consume run",
        .trigger = REACTOR_LT, .frames = 1, .attempts = 2, .delivered = "CAT.",
        .state = READER_FAILED, .outcome = READER_END_RESET, .peak = 5, .final = 0,
        .quanta = NONE, .reads = NONE,
    },
    W8("not-consumed", "A frame that nobody gives back stays charged after the end.",
       "in:00024f4b eof run", "OK.", FINISHED, CLEAN, 9, 4),
    W8("consumed-before-the-probe", "OK given back before the last probe: the peak is 5.",
       "in:00 run in:034341 run in:5400024f4b run consume run:1 consume run eof run", "CAT.OK.",
       FINISHED, CLEAN, 5, 0),
};

size_t framing_examples_count(void)
{
    return sizeof(examples) / sizeof(*examples);
}

const struct framing_example *framing_examples_at(size_t i)
{
    assert(i < framing_examples_count());
    return &examples[i];
}

void framing_examples_make(const char *script, uint32_t frames, uint32_t attempts,
                           struct framing *ret_framing)
{
    char error[200];

    *ret_framing = (struct framing){
        .capacity = CAPACITY, .payload_max = PAYLOAD_MAX, .frames = frames,
        .attempts = attempts, .bytes = QUANTUM,
    };
    if (framing_script_read(script, &ret_framing->script, sizeof(error), error) < 0)
        abort();
}

void framing_examples_play(const struct framing_example *example, struct framing *ret_framing)
{
    framing_examples_make(example->script, example->frames, example->attempts, ret_framing);
    ret_framing->trigger = example->trigger;
}

static bool same_script(const struct framing_script *a, const struct framing_script *b)
{
    for (uint32_t i = 0; i < a->word_count && i < b->word_count; i++)
        if (a->words[i].verb != b->words[i].verb || a->words[i].count != b->words[i].count ||
            a->words[i].size != b->words[i].size)
            return false;
    return a->word_count == b->word_count && a->byte_count == b->byte_count &&
           memcmp(a->bytes, b->bytes, a->byte_count) == 0;
}

const struct framing_example *framing_examples_find(const struct framing *framing)
{
    for (size_t i = 0; i < framing_examples_count(); i++) {
        struct framing play;

        framing_examples_play(&examples[i], &play);
        if (play.trigger == framing->trigger && play.capacity == framing->capacity &&
            play.payload_max == framing->payload_max && play.frames == framing->frames &&
            play.attempts == framing->attempts && play.bytes == framing->bytes &&
            same_script(&play.script, &framing->script))
            return &examples[i];
    }
    return NULL;
}

static void check_figure(struct checks *checks, const char *what, uint64_t actual,
                         uint32_t expected)
{
    if (expected != NONE)
        checks_that(checks, actual == expected, "%s: %llu; the requirement says %u", what,
                    (unsigned long long)actual, expected);
}

static void check_rows(const struct framing_example *example, const struct framing_ledger *ledger,
                       struct checks *checks)
{
    size_t count = 0;

    for (; example->rows[count]; count++) {
        char *text = count < ledger->row_count ? framing_value_text(ledger, count) : NULL;

        checks_that(checks, text && strcmp(text, example->rows[count]) == 0,
                    "%s; the requirement says %s", text ? text : "no more steps",
                    example->rows[count]);
        free(text);
    }
    check_figure(checks, "steps", ledger->row_count, (uint32_t)count);
}

/* The payloads, each with a `.` behind it; the caller frees the text. */
static char *delivered_of(const struct framing_ledger *ledger)
{
    char *text = memory_zeroed(ledger->payload_count + ledger->frame_count + 1, 1);
    size_t used = 0;
    size_t at = 0;

    for (size_t i = 0; i < ledger->frame_count; at += ledger->sizes[i++]) {
        for (uint32_t j = 0; j < ledger->sizes[i]; j++)
            text[used++] = (char)ledger->payloads[at + j];
        text[used++] = '.';
    }
    return text;
}

void framing_examples_delivered(const struct framing_ledger *ledger, const char *expected,
                                struct checks *checks)
{
    char *delivered = delivered_of(ledger);

    checks_that(checks, strcmp(delivered, expected) == 0,
                "frames: %s; the requirement says %s", delivered, expected);
    free(delivered);
}

void framing_examples_check(const struct framing_example *example,
                            const struct framing_ledger *ledger, struct checks *checks)
{
    const struct framing_row *last =
        ledger->row_count > 0 ? &ledger->rows[ledger->row_count - 1] : NULL;

    if (example->rows)
        check_rows(example, ledger, checks);
    framing_examples_delivered(ledger, example->delivered, checks);
    checks_that(checks, ledger->last.state == example->state,
                "state: %s; the requirement says %s", reader_state_name(ledger->last.state),
                reader_state_name(example->state));
    checks_that(checks, last && last->outcome == example->outcome,
                "outcome: %s; the requirement says %s",
                last ? reader_outcome_name(last->outcome) : "none",
                reader_outcome_name(example->outcome));
    check_figure(checks, "peak", framing_value_peak(ledger), example->peak);
    check_figure(checks, "charged in the end",
                 (uint64_t)ledger->last.credit.used + ledger->last.credit.reserved,
                 example->final);
    check_figure(checks, "quanta", ledger->account.quanta, example->quanta);
    check_figure(checks, "reads", ledger->account.reads, example->reads);
}
