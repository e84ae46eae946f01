/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parser alone, then driven as a read direction drives it: reader, budget, credit and frame
 * together over a source that holds its bytes in memory, so that the figures of the worked trace
 * and of its boundary cases come out by arithmetic.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/budget.h"
#include "core/credit.h"
#include "core/frame.h"
#include "core/reader.h"

static const uint8_t cat_ok[] = {0x00, 0x03, 0x43, 0x41, 0x54, 0x00, 0x02, 0x4f, 0x4b};

/* The parser alone: one frame from `bytes`, at most `step` bytes a read. Its last result. */
static enum frame_result parse_one(const struct frame_format *format, struct frame *frame,
                                   const uint8_t *bytes, uint32_t size, uint32_t step)
{
    enum frame_result result = FRAME_MORE;
    uint32_t at = 0;

    frame_reset(frame);
    while (at < size && (result == FRAME_MORE || result == FRAME_SIZED)) {
        uint32_t count = frame_missing(format, frame);

        assert_true(count >= 1);
        count = count < step ? count : step;
        count = count < size - at ? count : size - at;
        at += count;
        result = frame_advance(format, frame, bytes, count);
        assert_int_equal(frame->have, at);
    }
    return result;
}

static void formats_are_bounded(void **context)
{
    static const struct {
        struct frame_format format;
        bool valid;
    } cases[] = {
        {{0, 0}, true},  {{0, 1}, false},     {{1, 0}, true},      {{1, 255}, true},
        {{1, 256}, false}, {{2, 3}, true},    {{2, 65535}, true},  {{2, 65536}, false},
        {{3, 1}, false}, {{4, 0}, true},      {{4, FRAME_PAYLOAD_MAX}, true},
        {{5, 1}, false}, {{255, 1}, false},   {{4, FRAME_PAYLOAD_MAX + 1}, false},
        {{3, 0}, false}, {{8, 0}, false},     {{4, UINT32_MAX}, false},
    };

    (void)context;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(frame_format_valid(&cases[i].format), cases[i].valid);
    assert_int_equal(frame_size_max(&(struct frame_format){2, 3}), 5);
    assert_int_equal(frame_size_max(&(struct frame_format){4, FRAME_PAYLOAD_MAX}),
                     4 + FRAME_PAYLOAD_MAX);
}

static void every_header_size_is_big_endian(void **context)
{
    static const uint8_t headers[][4] = {{3}, {0, 3}, {0, 0, 0, 3}};
    static const uint8_t sizes[] = {1, 2, 4};

    (void)context;
    for (size_t i = 0; i < sizeof(sizes); i++) {
        struct frame_format format = {sizes[i], 3};
        uint32_t size = sizes[i] + 3u;
        uint8_t bytes[7] = {0};
        struct frame frame;

        memcpy(bytes, headers[i], sizes[i]);
        for (uint32_t step = 1; step <= size; step++) {
            assert_int_equal(parse_one(&format, &frame, bytes, size, step), FRAME_COMPLETE);
            assert_int_equal(frame.size, size);
        }
    }
}

static void a_long_length_is_read_whole(void **context)
{
    static const uint8_t two[] = {0x12, 0x34};
    static const uint8_t four[] = {0x00, 0x0f, 0xed, 0xcb};
    struct frame frame;

    (void)context;
    assert_int_equal(parse_one(&(struct frame_format){2, 65535}, &frame, two, 2, 2), FRAME_SIZED);
    assert_int_equal(frame.size, 2 + 0x1234);
    assert_int_equal(parse_one(&(struct frame_format){4, FRAME_PAYLOAD_MAX}, &frame, four, 4, 1),
                     FRAME_SIZED);
    assert_int_equal(frame.size, 4 + 0x0fedcb);
    assert_int_equal(frame_missing(&(struct frame_format){4, FRAME_PAYLOAD_MAX}, &frame),
                     0x0fedcb);
}

static void an_empty_frame_is_complete_with_its_header(void **context)
{
    static const uint8_t zeros[4] = {0};
    static const uint8_t sizes[] = {1, 2, 4};

    (void)context;
    for (size_t i = 0; i < sizeof(sizes); i++)
        for (uint32_t max = 0; max < 2; max++) {
            struct frame_format format = {sizes[i], max};
            struct frame frame;

            assert_int_equal(parse_one(&format, &frame, zeros, sizes[i], 1), FRAME_COMPLETE);
            assert_int_equal(frame.size, sizes[i]);
            assert_false(frame_partial(&frame));
        }
}

static void a_length_above_the_limit_is_oversize(void **context)
{
    static const uint8_t four[] = {0x00, 0x04}, all[] = {0xff, 0xff, 0xff, 0xff};
    struct frame frame;

    (void)context;
    assert_int_equal(parse_one(&(struct frame_format){2, 3}, &frame, four, 2, 2), FRAME_OVERSIZE);
    assert_int_equal(parse_one(&(struct frame_format){2, 4}, &frame, four, 2, 2), FRAME_SIZED);
    assert_int_equal(parse_one(&(struct frame_format){2, 3}, &frame, all, 2, 1), FRAME_OVERSIZE);
    assert_int_equal(parse_one(&(struct frame_format){1, 254}, &frame, all, 1, 1),
                     FRAME_OVERSIZE);
    assert_int_equal(
        parse_one(&(struct frame_format){4, FRAME_PAYLOAD_MAX}, &frame, all, 4, 4),
        FRAME_OVERSIZE);
}

static void a_frame_is_partial_from_its_first_byte_to_its_last(void **context)
{
    const struct frame_format format = {2, 3};

    (void)context;
    for (uint32_t size = 0; size <= 5; size++) {
        struct frame frame;

        parse_one(&format, &frame, cat_ok, size, 1);
        assert_int_equal(frame_partial(&frame), size > 0 && size < 5);
    }
}

/* When the application gives frames back. */
enum consumer {
    PROMPT, /* after each quantum */
    LATE,   /* when the direction is paused, and before the end */
    PAUSED, /* when the direction is paused */
};

/* One connection: capacity 9, two header bytes, payloads of at most 3 (R-F-01, R-F-02). */
struct model {
    const uint8_t *source;
    size_t cut[sizeof(cat_ok) + 1]; /* bytes that have arrived after each batch */
    size_t batches;
    int end; /* 0: orderly; else the errno of the last read */
    struct budget_limits limits;
    enum consumer consumer;

    struct reader reader;
    struct frame frame;
    struct credit credit;
    struct budget budget;
    size_t batch, arrived, taken;
    bool ended;
    uint8_t encoded[5];
    uint32_t held[8]; /* encoded sizes of the frames that were not given back, oldest first */
    size_t held_count;

    char text[64]; /* "CAT, OK, " */
    unsigned quanta, reads, notices;
    uint32_t peak;
    size_t unread; /* in the source at the last pause */
};

static const struct frame_format model_format = {2, 3};
#define MODEL_CAPACITY 9
#define MODEL_FMAX 5

static void model_step(struct model *m, enum reader_event event)
{
    assert_int_equal(reader_step(&reader_rules, &m->reader, event)->verdict, READER_STEP);
    assert_true(reader_check(&m->reader));
    assert_true(credit_check(&m->credit));
}

static long model_read(struct model *m, uint8_t *bytes, uint32_t asked)
{
    size_t count = m->arrived - m->taken;

    assert_true(asked >= 1);
    m->reads++;
    if (count == 0)
        return m->ended ? -m->end : -EAGAIN;
    count = count < asked ? count : asked;
    memcpy(bytes, m->source + m->taken, count);
    m->taken += count;
    return (long)count;
}

static void model_release(struct model *m)
{
    assert_true(m->held_count > 0);
    assert_int_equal(credit_release(&m->credit, m->held[0]), 0);
    m->held_count--;
    memmove(m->held, m->held + 1, m->held_count * sizeof(m->held[0]));
}

static void model_deliver(struct model *m)
{
    size_t length = strlen(m->text);

    snprintf(m->text + length, sizeof(m->text) - length, "%.*s, ", (int)m->frame.size - 2,
             (const char *)m->encoded + 2);
    budget_deliver(&m->budget, true);
    credit_commit(&m->credit, m->frame.size);
    m->held[m->held_count++] = m->frame.size;
    frame_reset(&m->frame);
}

/* The read brought `count` bytes. True when the quantum goes on. */
static bool model_accept(struct model *m, uint32_t count)
{
    enum frame_result result = frame_advance(&model_format, &m->frame, m->encoded, count);

    budget_take(&m->budget, count);
    if (result == FRAME_OVERSIZE) {
        credit_drop(&m->credit);
        model_step(m, READER_OVERSIZE);
        return false;
    }
    if (result == FRAME_SIZED)
        credit_shrink(&m->credit, m->frame.size);
    if (result == FRAME_COMPLETE)
        model_deliver(m);
    if (budget_exhausted(&m->limits, &m->budget, m->budget.start)) {
        model_step(m, credit_allows(&m->credit, MODEL_FMAX) ? READER_YIELD_ROOM
                                                            : READER_YIELD_NO_ROOM);
        return false;
    }
    model_step(m, READER_PROGRESS);
    return true;
}

/* The read brought no byte. */
static void model_stop(struct model *m, int error)
{
    if (error == EAGAIN) {
        model_step(m, READER_EXHAUSTED);
        return;
    }
    credit_drop(&m->credit);
    if (error == 0)
        model_step(m, frame_partial(&m->frame) ? READER_EOF_TRUNCATED : READER_EOF_CLEAN);
    else
        assert_int_equal(reader_fail(&reader_rules, &m->reader, error)->verdict, READER_STEP);
}

static void model_quantum(struct model *m)
{
    bool more = true;

    m->quanta++;
    model_step(m, READER_DISPATCH);
    budget_start(&m->budget, (struct instant){0});
    while (more) {
        uint32_t asked, left = budget_bytes_left(&m->limits, &m->budget);
        long got;

        if (credit_reserve(&m->credit, MODEL_FMAX) != 0) {
            model_step(m, READER_NO_GRANT);
            return;
        }
        m->peak = m->peak > credit_total(&m->credit) ? m->peak : credit_total(&m->credit);
        asked = frame_missing(&model_format, &m->frame);
        budget_attempt(&m->budget);
        got = model_read(m, m->encoded + m->frame.have, asked < left ? asked : left);
        if (got <= 0) {
            model_stop(m, (int)-got);
            return;
        }
        more = model_accept(m, (uint32_t)got);
    }
}

/* The next batch arrives, or the end does. */
static void model_notice(struct model *m)
{
    m->notices++;
    if (m->batch < m->batches)
        m->arrived = m->cut[m->batch++];
    else
        m->ended = true;
    model_step(m, credit_allows(&m->credit, MODEL_FMAX) ? READER_NOTICE_ROOM
                                                        : READER_NOTICE_NO_ROOM);
}

static void model_resume(struct model *m)
{
    m->unread = m->arrived - m->taken;
    model_release(m);
    if (credit_allows(&m->credit, MODEL_FMAX))
        model_step(m, READER_RELEASE_HINT);
}

static void model_run(struct model *m)
{
    credit_init(&m->credit, MODEL_CAPACITY);
    reader_init(&m->reader);
    for (int turn = 0; turn < 200 && !reader_ended(&m->reader); turn++) {
        if (m->reader.state == READER_QUEUED) {
            model_quantum(m);
            while (m->consumer == PROMPT && m->held_count > 0 &&
                   m->reader.state != READER_PAUSED)
                model_release(m);
        } else if (m->reader.state == READER_PAUSED) {
            model_resume(m);
        } else {
            while (m->consumer == LATE && m->held_count > 0 && m->batch == m->batches)
                model_release(m);
            model_notice(m);
        }
    }
    assert_true(reader_ended(&m->reader));
}

static struct model make_model(uint32_t frames, uint32_t attempts, enum consumer consumer)
{
    return (struct model){
        .source = cat_ok,
        .limits = {.bytes = 9, .attempts = attempts, .frames = frames},
        .consumer = consumer,
    };
}

/* Input 00 | 03 43 41 | 54 00 02 4f 4b | end, under other budgets too. */
static void the_worked_trace_has_its_figures(void **context)
{
    static const struct {
        uint32_t frames, attempts;
        unsigned quanta;
    } cases[] = {
        {1, 2, 7}, {1, 1, 10}, {1, 3, 6}, {1, 4, 6}, {2, 1, 10}, {2, 2, 7}, {2, 3, 5}, {2, 4, 5},
    };

    (void)context;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model m = make_model(cases[i].frames, cases[i].attempts, LATE);

        m.cut[0] = 1;
        m.cut[1] = 4;
        m.cut[2] = 9;
        m.batches = 3;
        model_run(&m);
        assert_string_equal(m.text, "CAT, OK, ");
        assert_int_equal(m.quanta, cases[i].quanta);
        assert_int_equal(m.reads, 10);
        assert_int_equal(m.notices, 4);
        assert_int_equal(m.unread, 4); /* OK stays with the kernel (R-F-12) */
        assert_int_equal(m.peak, 9);
        assert_int_equal(credit_total(&m.credit), 0);
        assert_int_equal(m.reader.state, READER_FINISHED);
        assert_int_equal(m.reader.outcome, READER_END_CLEAN);
    }
}

/* Bit i of `cuts`: a batch ends after byte i. */
static void cut_source(struct model *m, unsigned cuts)
{
    m->batches = 0;
    for (size_t i = 0; i + 1 < sizeof(cat_ok); i++)
        if (cuts >> i & 1u)
            m->cut[m->batches++] = i + 1;
    m->cut[m->batches++] = sizeof(cat_ok);
}

static void every_cut_gives_the_same_frames(void **context)
{
    static const uint32_t attempts[] = {1, 2, 5};
    unsigned runs = 0;

    (void)context;
    for (unsigned cuts = 0; cuts < 256; cuts++)
        for (uint32_t frames = 1; frames <= 2; frames++)
            for (size_t k = 0; k < sizeof(attempts) / sizeof(attempts[0]); k++)
                for (int late = 0; late < 2; late++) {
                    struct model m = make_model(frames, attempts[k], late ? LATE : PROMPT);

                    cut_source(&m, cuts);
                    model_run(&m);
                    assert_string_equal(m.text, "CAT, OK, ");
                    assert_true(m.peak <= MODEL_CAPACITY);
                    assert_int_equal(credit_total(&m.credit), 0);
                    assert_int_equal(m.reader.outcome, READER_END_CLEAN);
                    runs++;
                }
    assert_int_equal(runs, 256 * 2 * 3 * 2);
}

/* The table of boundary cases: one frame and two attempts a quantum, everything in one batch. */
static void the_boundaries_have_their_figures(void **context)
{
    static const struct {
        uint8_t bytes[9];
        uint8_t size;
        enum consumer consumer;
        int end;
        const char *text;
        enum reader_outcome outcome;
        uint32_t peak, left;
    } cases[] = {
        {{0, 0}, 2, LATE, 0, ", ", READER_END_CLEAN, 7, 0},
        {{0, 0, 0, 0, 0, 0}, 6, LATE, 0, ", , , ", READER_END_CLEAN, 9, 0},
        {{0, 4, 0xaa, 0xbb, 0xcc, 0xdd}, 6, LATE, 0, "", READER_END_OVERSIZE, 5, 0},
        {{0xff, 0xff}, 2, LATE, 0, "", READER_END_OVERSIZE, 5, 0},
        {{0}, 1, LATE, 0, "", READER_END_TRUNCATED, 5, 0},
        {{0, 3}, 2, LATE, 0, "", READER_END_TRUNCATED, 5, 0},
        {{0, 3, 'C', 'A'}, 4, LATE, 0, "", READER_END_TRUNCATED, 5, 0},
        {{0}, 0, LATE, 0, "", READER_END_CLEAN, 5, 0},
        {{0, 3, 'C', 'A', 'T'}, 5, PAUSED, 0, "CAT, ", READER_END_CLEAN, 5, 0},
        {{0, 3, 'C', 'A', 'T'}, 5, PAUSED, ECONNRESET, "CAT, ", READER_END_RESET, 5, 0},
        {{0, 2, 'O', 'K'}, 4, PAUSED, 0, "OK, ", READER_END_CLEAN, 9, 4},
        {{0, 3, 'C', 'A', 'T', 0, 2, 'O', 'K'}, 9, PROMPT, 0, "CAT, OK, ", READER_END_CLEAN, 5, 0},
    };

    (void)context;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model m = make_model(1, 2, cases[i].consumer);

        m.source = cases[i].bytes;
        m.cut[0] = cases[i].size;
        m.batches = cases[i].size != 0;
        m.end = cases[i].end;
        model_run(&m);
        assert_string_equal(m.text, cases[i].text);
        assert_int_equal(m.reader.outcome, cases[i].outcome);
        assert_int_equal(m.reader.error, cases[i].end);
        assert_int_equal(m.peak, cases[i].peak);
        assert_int_equal(credit_total(&m.credit), cases[i].left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_bounded),
        cmocka_unit_test(every_header_size_is_big_endian),
        cmocka_unit_test(a_long_length_is_read_whole),
        cmocka_unit_test(an_empty_frame_is_complete_with_its_header),
        cmocka_unit_test(a_length_above_the_limit_is_oversize),
        cmocka_unit_test(a_frame_is_partial_from_its_first_byte_to_its_last),
        cmocka_unit_test(the_worked_trace_has_its_figures),
        cmocka_unit_test(every_cut_gives_the_same_frames),
        cmocka_unit_test(the_boundaries_have_their_figures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
