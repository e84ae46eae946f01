/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "tests/pcaps/crafted.h"

#include "pcaps/anomaly.h"

static void keeps_what_it_was_told_in_order(void **state)
{
    struct anomaly_list list = {.count = 0};

    (void)state;
    assert_int_equal(anomaly_add(&list, ANOMALY_GAP, 7, "packet %d: %s", 7, "a hole"), 0);
    assert_int_equal(anomaly_add(&list, ANOMALY_CHECKSUM, 9, "second"), 0);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.total, 2);
    assert_int_equal(list.totals[ANOMALY_GAP], 1);
    assert_int_equal(list.totals[ANOMALY_CHECKSUM], 1);
    assert_int_equal(list.totals[ANOMALY_NO_SYN], 0);
    assert_int_equal(list.kept[0].kind, ANOMALY_GAP);
    assert_int_equal(list.kept[0].packet_number, 7);
    assert_string_equal(list.kept[0].text, "packet 7: a hole");
    assert_string_equal(list.kept[1].text, "second");
    anomaly_free(&list);
}

static void above_the_limit_it_only_counts(void **state)
{
    struct anomaly_list list = {.count = 0};

    (void)state;
    for (size_t i = 0; i < ANOMALY_KEPT_MAX + 3; i++)
        assert_int_equal(anomaly_add(&list, ANOMALY_CONFLICT, i + 1, "number %zu", i), 0);
    assert_int_equal(list.count, ANOMALY_KEPT_MAX);
    assert_int_equal(list.total, ANOMALY_KEPT_MAX + 3);
    assert_int_equal(list.totals[ANOMALY_CONFLICT], ANOMALY_KEPT_MAX + 3);
    assert_int_equal(list.kept[ANOMALY_KEPT_MAX - 1].packet_number, ANOMALY_KEPT_MAX);
    anomaly_free(&list);
}

static void a_long_text_is_cut(void **state)
{
    struct anomaly_list list = {.count = 0};

    (void)state;
    assert_int_equal(anomaly_add(&list, ANOMALY_GAP, 1, "%0*d", 2 * ANOMALY_TEXT_BYTES, 5), 0);
    assert_int_equal(strlen(list.kept[0].text), ANOMALY_TEXT_BYTES - 1);
    anomaly_free(&list);
}

static void a_freed_list_is_empty_and_can_be_used_again(void **state)
{
    struct anomaly_list list = {.count = 0};

    (void)state;
    assert_int_equal(anomaly_add(&list, ANOMALY_GAP, 1, "one"), 0);
    anomaly_free(&list);
    assert_null(list.kept);
    assert_int_equal(list.total, 0);
    assert_int_equal(list.totals[ANOMALY_GAP], 0);
    assert_int_equal(anomaly_add(&list, ANOMALY_GAP, 2, "two"), 0);
    assert_string_equal(list.kept[0].text, "two");
    anomaly_free(&list);
    anomaly_free(&list);
}

static void each_kind_has_words_of_its_own(void **state)
{
    (void)state;
    assert_string_equal(anomaly_text(ANOMALY_BEHIND_FIN), "bytes behind the FIN");
    for (enum anomaly_kind a = 0; a < ANOMALY_KIND_COUNT; a++)
        for (enum anomaly_kind b = 0; b < a; b++)
            assert_string_not_equal(anomaly_text(a), anomaly_text(b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_it_was_told_in_order),
        cmocka_unit_test(above_the_limit_it_only_counts),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(a_freed_list_is_empty_and_can_be_used_again),
        cmocka_unit_test(each_kind_has_words_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
