/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/identity.h"

static struct identity_table *make_table(uint32_t count)
{
    struct identity_table *table = malloc(identity_table_size(count));

    assert_non_null(table);
    identity_table_init(table, count);
    assert_true(identity_table_check(table));
    return table;
}

static struct identity take(struct identity_table *table)
{
    struct identity id;

    assert_int_equal(identity_take(table, &id), 0);
    assert_true(identity_valid(table, id));
    return id;
}

static void assert_identity(struct identity id, uint32_t slot, uint32_t generation)
{
    assert_int_equal(id.slot, slot);
    assert_int_equal(id.generation, generation);
}

static void slots_are_taken_from_the_lowest(void **context)
{
    struct identity_table *table = make_table(5);

    (void)context;
    for (uint32_t slot = 0; slot < 5; slot++)
        assert_identity(take(table), slot, 1);
    free(table);
}

static void the_slot_freed_last_is_taken_first(void **context)
{
    struct identity_table *table = make_table(4);
    struct identity a = take(table), b = take(table), c = take(table);

    (void)context;
    assert_int_equal(identity_retire(table, b), 0);
    assert_int_equal(identity_retire(table, a), 0);
    assert_identity(take(table), 0, 2);
    assert_identity(take(table), 1, 2);
    assert_identity(take(table), 3, 1);
    assert_true(identity_valid(table, c));
    free(table);
}

static void a_full_table_leaves_the_output_alone(void **context)
{
    struct identity_table *table = make_table(2);
    struct identity id = {77, 88};

    (void)context;
    take(table);
    take(table);
    assert_int_equal(identity_take(table, &id), -ENFILE);
    assert_identity(id, 77, 88);
    assert_true(identity_table_check(table));
    free(table);
}

static void an_old_holder_is_stale_for_ever(void **context)
{
    struct identity_table *table = make_table(1);
    struct identity old = take(table);
    struct identity new;

    (void)context;
    assert_int_equal(identity_retire(table, old), 0);
    assert_false(identity_valid(table, old));
    assert_int_equal(identity_retire(table, old), -ESTALE);
    new = take(table);
    assert_int_equal(new.slot, old.slot);
    assert_false(identity_equal(new, old));
    assert_false(identity_valid(table, old));
    assert_int_equal(identity_retire(table, old), -ESTALE);
    assert_true(identity_valid(table, new));
    free(table);
}

static void any_word_may_be_asked_about(void **context)
{
    struct identity_table *table = make_table(3);
    struct identity held = take(table);
    static const uint32_t values[] = {0, 1, 2, 3, 4, UINT32_MAX - 1, UINT32_MAX};
    const size_t count = sizeof(values) / sizeof(values[0]);

    (void)context;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            struct identity id = {values[i], values[j]};

            assert_int_equal(identity_valid(table, id), identity_equal(id, held));
        }
    assert_false(identity_valid(table, IDENTITY_NONE));
    assert_true(identity_equal(identity_of(table, 0), held));
    assert_true(identity_equal(identity_of(table, 1), IDENTITY_NONE));
    assert_true(identity_equal(identity_of(table, 3), IDENTITY_NONE));
    assert_true(identity_equal(identity_of(table, UINT32_MAX), IDENTITY_NONE));
    free(table);
}

static void a_packed_word_unpacks_to_itself(void **context)
{
    struct identity id = {0x01234567, 0x89abcdef};

    (void)context;
    assert_true(identity_pack(id) == UINT64_C(0x89abcdef01234567));
    assert_true(identity_equal(identity_unpack(identity_pack(id)), id));
    assert_true(identity_equal(identity_unpack(identity_pack(IDENTITY_NONE)), IDENTITY_NONE));
}

/* R-ID-02: a slot goes out of service instead of counting from the start again. */
static void a_slot_retires_after_its_last_generation(void **context)
{
    struct identity_table *table = make_table(2);
    struct identity id;

    (void)context;
    table->slot[0].generation = IDENTITY_GENERATION_LAST - 2;
    assert_int_equal(identity_retire(table, take(table)), 0);
    assert_int_equal(table->retired, 0);

    id = take(table);
    assert_identity(id, 0, IDENTITY_GENERATION_LAST);
    assert_true(identity_table_check(table));
    assert_int_equal(identity_retire(table, id), 0);
    assert_int_equal(table->retired, 1);
    assert_false(identity_valid(table, id));
    assert_true(identity_table_check(table));

    id = take(table);
    assert_identity(id, 1, 1);
    assert_int_equal(identity_take(table, &id), -ENFILE);
    assert_int_equal(identity_retire(table, id), 0);
    assert_identity(take(table), 1, 2);
    assert_true(identity_table_check(table));
    free(table);
}

/* 10^5 openings and closings in a changing order: no identity ever comes twice (R-ID-16). */
static void no_identity_comes_twice(void **context)
{
    enum { SLOTS = 64, STEPS = 200000 };
    struct identity_table *table = make_table(SLOTS);
    struct identity held[SLOTS];
    uint32_t last[SLOTS] = {0};
    uint32_t count = 0, opened = 0, random = 1;

    (void)context;
    for (int step = 0; step < STEPS; step++) {
        random = random * 1664525u + 1013904223u;
        if (count == 0 || (count < SLOTS && random >> 31)) {
            held[count] = take(table);
            assert_int_equal(held[count].generation, last[held[count].slot] + 1);
            last[held[count].slot]++;
            count++;
            opened++;
        } else {
            uint32_t i = (random >> 8) % count;
            struct identity old = held[i];

            assert_int_equal(identity_retire(table, old), 0);
            assert_false(identity_valid(table, old));
            held[i] = held[--count];
        }
        assert_int_equal(table->held, count);
        if (step % 100 == 0)
            assert_true(identity_table_check(table));
    }
    assert_true(opened >= 100000);
    assert_true(identity_table_check(table));
    free(table);
}

static void the_check_notices_a_broken_table(void **context)
{
    struct identity_table *table = make_table(4);
    uint32_t *fields[] = {&table->held, &table->retired, &table->free, &table->count,
                          &table->slot[2].next, &table->slot[0].generation};
    const uint32_t bad[] = {2, 1, 2, 0, 2, 0};

    (void)context;
    take(table);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        uint32_t good = *fields[i];

        assert_true(identity_table_check(table));
        *fields[i] = bad[i];
        assert_false(identity_table_check(table));
        *fields[i] = good;
    }
    table->slot[3].next = 99;
    assert_false(identity_table_check(table));
    table->slot[3].next = 4;
    assert_true(identity_table_check(table));

    /* As long as the good free list, but through the held slot. */
    table->free = 0;
    table->slot[0].next = 2;
    assert_false(identity_table_check(table));
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_taken_from_the_lowest),
        cmocka_unit_test(the_slot_freed_last_is_taken_first),
        cmocka_unit_test(a_full_table_leaves_the_output_alone),
        cmocka_unit_test(an_old_holder_is_stale_for_ever),
        cmocka_unit_test(any_word_may_be_asked_about),
        cmocka_unit_test(a_packed_word_unpacks_to_itself),
        cmocka_unit_test(a_slot_retires_after_its_last_generation),
        cmocka_unit_test(no_identity_comes_twice),
        cmocka_unit_test(the_check_notices_a_broken_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
