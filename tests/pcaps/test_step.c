/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/pcaps/crafted.h"

#include "pcaps/step.h"

/* Facts named by what they are; `packet` is the index into the script's times. */
#define FACT(kind_, direction_, packet_, offset_, length_)                                         \
    {.kind = TRANSCRIPT_##kind_, .direction = NAMING_##direction_, .packet = (packet_),            \
     .offset = (offset_), .length = (length_)}
#define STEP(ns_, kind_, direction_, offset_, length_)                                             \
    {.script_ns = (ns_), .kind = TRANSCRIPT_##kind_, .direction = NAMING_##direction_,             \
     .offset = (offset_), .length = (length_)}

static void expect_steps(const struct transcript_fact *facts, size_t fact_count,
                         const int64_t *script_ns, const struct step *expected, size_t count)
{
    struct transcript_fact copies[16];
    struct transcript_connection connection = {.facts = copies, .fact_count = fact_count};
    struct step_list list;

    assert_true(fact_count <= COUNT_OF(copies));
    if (fact_count > 0)
        memcpy(copies, facts, fact_count * sizeof(*facts));
    assert_int_equal(step_list_make(&connection, script_ns, &list), 0);
    assert_int_equal(list.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(list.steps[i].script_ns, expected[i].script_ns);
        assert_int_equal(list.steps[i].kind, expected[i].kind);
        assert_int_equal(list.steps[i].direction, expected[i].direction);
        assert_int_equal(list.steps[i].offset, expected[i].offset);
        assert_int_equal(list.steps[i].length, expected[i].length);
    }
    step_list_free(&list);
    assert_int_equal(list.count, 0);
    step_list_free(&list);
}

static const struct transcript_fact conversation[] = {
    FACT(SYN, TO_SUT, 0, 0, 0),   FACT(SYN, TO_PEER, 1, 0, 0),  FACT(DATA, TO_SUT, 2, 0, 3),
    FACT(DATA, TO_PEER, 3, 0, 4), FACT(DATA, TO_SUT, 4, 3, 5),  FACT(FIN, TO_SUT, 4, 8, 0),
    FACT(DATA, TO_PEER, 5, 4, 1), FACT(FIN, TO_PEER, 5, 5, 0),
};

static void with_times_the_order_is_that_of_the_facts(void **state)
{
    const int64_t times[] = {10, 10, 20, 20, 30, 30};
    const struct step expected[] = {
        STEP(10, SYN, TO_SUT, 0, 0),   STEP(10, SYN, TO_PEER, 0, 0),
        STEP(20, DATA, TO_SUT, 0, 3),  STEP(20, DATA, TO_PEER, 0, 4),
        STEP(30, DATA, TO_SUT, 3, 5),  STEP(30, FIN, TO_SUT, 8, 0),
        STEP(30, DATA, TO_PEER, 4, 1), STEP(30, FIN, TO_PEER, 5, 0),
    };

    (void)state;
    expect_steps(conversation, COUNT_OF(conversation), times, expected, COUNT_OF(expected));
}

static void without_times_each_stream_is_one_step_and_the_ends_come_last(void **state)
{
    const struct step expected[] = {
        STEP(0, SYN, TO_SUT, 0, 0),  STEP(0, SYN, TO_PEER, 0, 0),
        STEP(0, DATA, TO_SUT, 0, 8), STEP(0, DATA, TO_PEER, 0, 5),
        STEP(0, FIN, TO_SUT, 8, 0),  STEP(0, FIN, TO_PEER, 5, 0),
    };

    (void)state;
    expect_steps(conversation, COUNT_OF(conversation), NULL, expected, COUNT_OF(expected));
}

static void growths_at_one_time_are_one_step(void **state)
{
    const struct transcript_fact facts[] = {
        FACT(DATA, TO_SUT, 0, 0, 3), FACT(DATA, TO_SUT, 1, 3, 2), FACT(DATA, TO_SUT, 2, 5, 4),
    };
    const int64_t times[] = {7, 7, 8};
    const struct step expected[] = {STEP(7, DATA, TO_SUT, 0, 5), STEP(8, DATA, TO_SUT, 5, 4)};

    (void)state;
    expect_steps(facts, COUNT_OF(facts), times, expected, COUNT_OF(expected));
}

static void what_stands_between_divides_a_stream(void **state)
{
    const struct transcript_fact facts[] = {
        FACT(DATA, TO_SUT, 0, 0, 3), FACT(DATA, TO_PEER, 0, 0, 1), FACT(DATA, TO_SUT, 0, 3, 2),
    };
    const int64_t times[] = {7};
    const struct step expected[] = {STEP(7, DATA, TO_SUT, 0, 3), STEP(7, DATA, TO_PEER, 0, 1),
                                    STEP(7, DATA, TO_SUT, 3, 2)};

    (void)state;
    expect_steps(facts, COUNT_OF(facts), times, expected, COUNT_OF(expected));
}

static void every_kind_of_reset_is_an_end(void **state)
{
    const struct transcript_fact facts[] = {
        FACT(RST_REFUSED, TO_PEER, 0, 0, 0), FACT(RST, TO_SUT, 0, 2, 0),
        FACT(RST_AFTER_FIN, TO_PEER, 0, 9, 0), FACT(DATA, TO_SUT, 0, 0, 2),
        FACT(SYN, TO_SUT, 0, 0, 0),
    };
    const struct step expected[] = {
        STEP(0, SYN, TO_SUT, 0, 0),          STEP(0, DATA, TO_SUT, 0, 2),
        STEP(0, RST_REFUSED, TO_PEER, 0, 0), STEP(0, RST, TO_SUT, 2, 0),
        STEP(0, RST_AFTER_FIN, TO_PEER, 9, 0),
    };

    (void)state;
    expect_steps(facts, COUNT_OF(facts), NULL, expected, COUNT_OF(expected));
}

static void no_facts_are_no_steps(void **state)
{
    const int64_t times[] = {1};

    (void)state;
    expect_steps(NULL, 0, NULL, NULL, 0);
    expect_steps(NULL, 0, times, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_times_the_order_is_that_of_the_facts),
        cmocka_unit_test(without_times_each_stream_is_one_step_and_the_ends_come_last),
        cmocka_unit_test(growths_at_one_time_are_one_step),
        cmocka_unit_test(what_stands_between_divides_a_stream),
        cmocka_unit_test(every_kind_of_reset_is_an_end),
        cmocka_unit_test(no_facts_are_no_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
