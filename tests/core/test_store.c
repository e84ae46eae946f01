/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define CAPACITY_MIN 5
#define CAPACITY_MAX 64
#define STEPS 400

/* A frame that somebody holds. */
struct held {
    uint32_t at;
    uint32_t size;
    uint8_t fill;
};

/* The store beside what it should be: a list of frames, and the bytes under both. */
struct pair {
    uint64_t seed;
    uint32_t capacity;
    uint32_t frame_max;
    uint32_t size;
    struct store store;
    uint8_t bytes[2 * CAPACITY_MAX];
    struct held held[CAPACITY_MAX];
    uint32_t count;
    uint32_t used;
    uint32_t wraps;
    uint8_t fill;
};

static uint32_t pick(struct pair *pair, uint32_t below)
{
    pair->seed ^= pair->seed << 13;
    pair->seed ^= pair->seed >> 7;
    pair->seed ^= pair->seed << 17;
    return (uint32_t)(pair->seed >> 20) % below;
}

static struct pair pair_make(uint32_t capacity, uint32_t frame_max)
{
    return (struct pair){
        .seed = UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)capacity << 32 ^ frame_max,
        .capacity = capacity,
        .frame_max = frame_max,
        .size = store_size(capacity, frame_max),
    };
}

static void expect_intact(const struct pair *pair)
{
    assert_true(store_check(&pair->store, pair->size));
    assert_int_equal(pair->store.frames, pair->count);
    for (uint32_t i = 0; i < pair->count; i++)
        for (uint32_t k = 0; k < pair->held[i].size; k++)
            assert_int_equal(pair->bytes[pair->held[i].at + k], pair->held[i].fill);
}

/* A place for the largest frame, beside everything that is held. */
static uint32_t expect_place(struct pair *pair)
{
    uint32_t at = store_place(&pair->store, pair->size, pair->frame_max);

    assert_true(at <= pair->size - pair->frame_max);
    for (uint32_t i = 0; i < pair->count; i++)
        assert_true(at + pair->frame_max <= pair->held[i].at ||
                    pair->held[i].at + pair->held[i].size <= at);
    return at;
}

static void pair_commit(struct pair *pair, uint32_t at, uint32_t size)
{
    struct held held = {.at = at, .size = size, .fill = ++pair->fill};

    memset(pair->bytes + at, 0, pair->frame_max); /* what a read may scribble over */
    memset(pair->bytes + at, held.fill, size);
    pair->wraps += pair->store.wrap != 0;
    store_commit(&pair->store, size);
    pair->held[pair->count++] = held;
    pair->used += size;
}

static void pair_release(struct pair *pair)
{
    assert_int_equal(store_oldest(&pair->store), pair->held[0].at);
    store_release(&pair->store, pair->held[0].size);
    pair->used -= pair->held[0].size;
    memmove(pair->held, pair->held + 1, --pair->count * sizeof(*pair->held));
}

/* Frames come while there is credit for the largest one, and leave whenever somebody likes. */
static uint32_t pair_walk(struct pair *pair)
{
    for (int step = 0; step < STEPS; step++) {
        bool room = pair->used + pair->frame_max <= pair->capacity;

        if (room && (pair->count == 0 || pick(pair, 8) < 5))
            pair_commit(pair, expect_place(pair), 1 + pick(pair, pair->frame_max));
        else if (pair->count > 0)
            pair_release(pair);
        expect_intact(pair);
    }
    return pair->wraps;
}

static void frames_stay_intact_for_every_capacity_and_frame(void **state)
{
    uint32_t wraps = 0;

    (void)state;
    for (uint32_t capacity = CAPACITY_MIN; capacity <= CAPACITY_MAX; capacity++)
        for (uint32_t frame_max = 1; frame_max <= capacity; frame_max++) {
            struct pair pair = pair_make(capacity, frame_max);

            wraps += pair_walk(&pair);
        }
    assert_true(wraps > 1000);
}

/* The place of a frame that comes in parts is asked for with every part. */
static void a_frame_that_comes_in_parts_stays_where_it_is(void **state)
{
    (void)state;
    for (uint32_t capacity = CAPACITY_MIN; capacity <= CAPACITY_MAX; capacity += 7)
        for (uint32_t frame_max = 2; frame_max < capacity; frame_max++) {
            struct pair pair = pair_make(capacity, frame_max);

            for (int step = 0; step < STEPS; step++) {
                uint32_t at;

                while (pair.used + frame_max > capacity)
                    pair_release(&pair);
                at = expect_place(&pair);
                for (uint32_t i = pick(&pair, 3); i > 0 && pair.count > 1; i--)
                    pair_release(&pair);
                assert_int_equal(expect_place(&pair), at);
                pair_commit(&pair, at, 1 + pick(&pair, frame_max));
                expect_intact(&pair);
            }
        }
}

static void a_frame_in_the_making_stays_where_it_is_when_the_last_whole_one_goes(void **state)
{
    struct pair pair = pair_make(10, 5);
    uint32_t at;

    (void)state;
    pair_commit(&pair, expect_place(&pair), 5);
    at = expect_place(&pair);
    assert_int_equal(at, 5);
    pair_release(&pair);
    assert_int_equal(expect_place(&pair), at);
}

static void an_empty_store_begins_at_its_start(void **state)
{
    struct pair pair = pair_make(9, 5);

    (void)state;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(expect_place(&pair), 0);
        pair_commit(&pair, 0, 5);
        pair_release(&pair);
    }
}

static void a_frame_that_does_not_fit_behind_the_others_goes_below_them(void **state)
{
    struct pair pair = pair_make(10, 4);

    (void)state;
    for (int i = 0; i < 3; i++)
        pair_commit(&pair, expect_place(&pair), i < 2 ? 4 : 2);
    pair_release(&pair);
    assert_int_equal(expect_place(&pair), 10); /* 10 + 4 still fits the 14 */
    pair_commit(&pair, 10, 1);
    pair_release(&pair);
    assert_int_equal(expect_place(&pair), 0);
    assert_int_equal(pair.store.wrap, 11);
    pair_commit(&pair, 0, 4);
    pair_release(&pair);
    pair_release(&pair);
    assert_int_equal(store_oldest(&pair.store), 0);
    assert_int_equal(pair.store.wrap, 0);
    expect_intact(&pair);
}

static void offsets_outside_the_ring_are_found(void **state)
{
    (void)state;
    assert_true(store_check(&(struct store){0}, 1));
    assert_true(store_check(&(struct store){.head = 2, .tail = 8, .frames = 1}, 8));
    assert_false(store_check(&(struct store){.head = 2, .tail = 9, .frames = 1}, 8));
    assert_false(store_check(&(struct store){.head = 3, .tail = 2, .frames = 1}, 8));
    assert_true(store_check(&(struct store){.head = 5, .tail = 2, .wrap = 7, .frames = 2}, 8));
    assert_false(store_check(&(struct store){.head = 5, .tail = 6, .wrap = 7, .frames = 2}, 8));
    assert_false(store_check(&(struct store){.head = 5, .tail = 2, .wrap = 9, .frames = 2}, 8));
    assert_false(store_check(&(struct store){.head = 8, .tail = 2, .wrap = 7, .frames = 2}, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_stay_intact_for_every_capacity_and_frame),
        cmocka_unit_test(a_frame_that_comes_in_parts_stays_where_it_is),
        cmocka_unit_test(
            a_frame_in_the_making_stays_where_it_is_when_the_last_whole_one_goes),
        cmocka_unit_test(an_empty_store_begins_at_its_start),
        cmocka_unit_test(a_frame_that_does_not_fit_behind_the_others_goes_below_them),
        cmocka_unit_test(offsets_outside_the_ring_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
