/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/ledger/expected.h"

static void parse(const char *text, struct expected *expected)
{
    struct lines errors = {0};

    assert_int_equal(
        expected_parse("x.events", EXPECTED_EVENTS, text, strlen(text), expected, &errors), 0);
    assert_int_equal(errors.count, 0);
}

/* The one mistake in `size` bytes of `text`. */
static void mistaken_size(enum expected_kind kind, const char *text, size_t size,
                          const char *mistake)
{
    struct lines errors = {0};
    struct expected expected = {.line_count = 77};

    assert_int_equal(expected_parse("x.events", kind, text, size, &expected, &errors), -EINVAL);
    assert_int_equal(expected.line_count, 77);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.line[0], mistake);
    lines_free(&errors);
}

static void mistaken(const char *text, const char *mistake)
{
    mistaken_size(EXPECTED_EVENTS, text, strlen(text), mistake);
}

static void untagged_rows_belong_to_every_run(void **state)
{
    struct expected expected;

    (void)state;
    parse("c quantum 1\nstop", &expected);
    assert_int_equal(expected.count, 2);
    assert_string_equal(expected.rows[0].text, "c quantum 1");
    assert_int_equal(expected.rows[0].triggers, EXPECTED_ALWAYS);
    assert_string_equal(expected.rows[1].text, "stop");
    assert_int_equal(expected.rows[1].line, 2);
    expected_free(&expected);
}

static void tags_choose_the_runs_of_a_row(void **state)
{
    static const struct {
        const char *line;
        unsigned triggers;
    } cases[] = {
        {"et: x", 1},          {"lt: x", 2},    {"os: x", 4},       {"et lt: x", 3},
        {"et os: x", 5},       {"lt os: x", 6}, {"et lt os: x", 7}, {"  et  os :   x  ", 5},
        {"lt:notice c IN", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct expected expected;

        parse(cases[i].line, &expected);
        assert_int_equal(expected.rows[0].triggers, cases[i].triggers);
        assert_null(strpbrk(expected.rows[0].text, ":"));
        assert_int_not_equal(expected.rows[0].text[0], ' ');
        expected_free(&expected);
    }
}

static void a_colon_inside_quotes_is_payload(void **state)
{
    struct expected expected;

    (void)state;
    parse("c frame 1 \"a:b\"\nos: c frame 2 \"et: # \"", &expected);
    assert_string_equal(expected.rows[0].text, "c frame 1 \"a:b\"");
    assert_string_equal(expected.rows[1].text, "c frame 2 \"et: # \"");
    expected_free(&expected);
}

static void comments_and_empty_lines_are_no_rows(void **state)
{
    struct expected expected;

    (void)state;
    parse("# why\n#\n\nc quantum 1\n# between\n   \nstop\n", &expected);
    assert_int_equal(expected.count, 2);
    assert_int_equal(expected.rows[0].line, 4);
    assert_int_equal(expected.rows[1].line, 7);
    assert_int_equal(expected.line_count, 7);
    assert_int_equal(expected.head.count, 2);
    assert_string_equal(expected.head.line[0], "# why");
    expected_free(&expected);
}

static void an_empty_file_has_no_rows(void **state)
{
    struct expected expected;

    (void)state;
    parse("", &expected);
    assert_int_equal(expected.count, 0);
    assert_false(expected.missing);
    expected_free(&expected);
}

static void one_run_gets_its_own_rows_in_order(void **state)
{
    struct expected expected;
    const struct expected_row **rows;
    size_t count;

    (void)state;
    parse("a\net: b\nlt os: c\nd\n", &expected);
    rows = expected_select(&expected, REACTOR_OS, &count);
    assert_int_equal(count, 3);
    assert_string_equal(rows[0]->text, "a");
    assert_string_equal(rows[1]->text, "c");
    assert_string_equal(rows[2]->text, "d");
    free(rows);
    rows = expected_select(&expected, REACTOR_ET, &count);
    assert_int_equal(count, 3);
    assert_string_equal(rows[1]->text, "b");
    free(rows);
    expected_free(&expected);
}

static void mistakes_name_their_place_and_the_mend(void **state)
{
    (void)state;
    mistaken("stop\nxt: c quantum 1\n", "x.events:2:1: tag \"xt\"; one of et, lt, os");
    mistaken("et lx: c quantum 1", "x.events:1:4: tag \"lx\"; one of et, lt, os");
    mistaken("lt et: a", "x.events:1:4: tag \"et\" again or out of order; the order is et lt os");
    mistaken("os os: a", "x.events:1:4: tag \"os\" again or out of order; the order is et lt os");
    mistaken(": a", "x.events:1:1: a colon without a tag; et, lt or os before it");
    mistaken("et: ", "x.events:1:5: tags without a row; a row behind the colon");
    mistaken("notice c IN", "x.events:1:1: a notice row without tags; the triggers it belongs to "
                            "before it, as in \"et os: \"");
    mistaken("  ctl c del", "x.events:1:3: a ctl row without tags; the triggers it belongs to "
                            "before it, as in \"et os: \"");
    mistaken("c frame 1 \"CAT", "x.events:1:11: a quote that does not end; \" at its end, \\x22 "
                                "for one inside");
    mistaken("c\tquantum", "x.events:1:2: a tab; blanks, as many as you like");
    mistaken("stop\r\n", "x.events:1:5: a carriage return; lines end with a newline alone");
    mistaken("a\x01", "x.events:1:2: byte 0x01; printable text, other bytes as \\x01");
    mistaken_size(EXPECTED_EVENTS, "a\0b", 3, "x.events:1:2: byte 0x00; printable text");
}

static void a_line_has_a_bound(void **state)
{
    char text[EXPECTED_ROW_MAX + 1];
    struct lines errors = {0};
    struct expected expected;

    (void)state;
    memset(text, 'a', sizeof(text));
    mistaken_size(EXPECTED_EVENTS, text, sizeof(text),
                  "x.events:1:4097: a line of 4097 bytes; at most 4096");
    assert_int_equal(
        expected_parse("x.events", EXPECTED_EVENTS, text, EXPECTED_ROW_MAX, &expected, &errors), 0);
    expected_free(&expected);
}

static void mistakes_beyond_a_number_are_counted_only(void **state)
{
    struct lines errors = {0};
    struct expected expected;
    char text[4 * (EXPECTED_ERRORS_MAX + 3)];

    (void)state;
    for (size_t i = 0; i < sizeof(text); i += 4)
        memcpy(text + i, "x:a\n", 4);
    assert_int_equal(
        expected_parse("x.events", EXPECTED_EVENTS, text, sizeof(text), &expected, &errors),
        -EINVAL);
    assert_int_equal(errors.count, EXPECTED_ERRORS_MAX + 1);
    assert_string_equal(errors.line[EXPECTED_ERRORS_MAX], "x.events: 3 more mistakes");
    lines_free(&errors);
}

static void a_wire_file_has_plain_lines(void **state)
{
    static const char text[] = "c > SYN\nc > 5 \"a: b\"\nc > FIN at 5\nnotice : x\n";
    struct lines errors = {0};
    struct expected expected;

    (void)state;
    assert_int_equal(
        expected_parse("x.wire", EXPECTED_PLAIN, text, strlen(text), &expected, &errors), 0);
    assert_int_equal(expected.count, 4);
    assert_string_equal(expected.rows[3].text, "notice : x");
    assert_int_equal(expected.rows[3].triggers, EXPECTED_ALWAYS);
    expected_free(&expected);
}

static void a_missing_file_is_a_result_of_its_own(void **state)
{
    struct lines errors = {0};
    struct expected expected;

    (void)state;
    assert_int_equal(expected_read("scenarios/no-such.events", EXPECTED_EVENTS, &expected, &errors),
                     0);
    assert_true(expected.missing);
    assert_int_equal(errors.count, 0);
    assert_string_equal(expected.file, "scenarios/no-such.events");
    expected_free(&expected);
}

static void what_is_no_file_cannot_be_read(void **state)
{
    struct lines errors = {0};
    struct expected expected;

    (void)state;
    assert_int_equal(expected_read("scenarios", EXPECTED_EVENTS, &expected, &errors), -EISDIR);
    assert_int_equal(expected_read("/dev/zero", EXPECTED_EVENTS, &expected, &errors), -EINVAL);
    assert_int_equal(errors.count, 2);
    assert_string_equal(errors.line[0], "scenarios: cannot read: Is a directory");
    lines_free(&errors);
}

static void any_bytes_are_taken_or_refused(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        static const char alphabet[] = "et los:\"\\#\n\tnotice ctl";
        char text[48];
        struct lines errors = {0};
        struct expected expected;
        int rc;

        for (size_t i = 0; i < sizeof(text); i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            text[i] = alphabet[(seed >> 33) % sizeof(alphabet)];
        }
        rc = expected_parse("x", round % 2 ? EXPECTED_EVENTS : EXPECTED_PLAIN, text, sizeof(text),
                            &expected, &errors);
        assert_true(rc == 0 ? errors.count == 0 : errors.count > 0);
        if (rc == 0)
            expected_free(&expected);
        lines_free(&errors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untagged_rows_belong_to_every_run),
        cmocka_unit_test(tags_choose_the_runs_of_a_row),
        cmocka_unit_test(a_colon_inside_quotes_is_payload),
        cmocka_unit_test(comments_and_empty_lines_are_no_rows),
        cmocka_unit_test(an_empty_file_has_no_rows),
        cmocka_unit_test(one_run_gets_its_own_rows_in_order),
        cmocka_unit_test(mistakes_name_their_place_and_the_mend),
        cmocka_unit_test(a_line_has_a_bound),
        cmocka_unit_test(mistakes_beyond_a_number_are_counted_only),
        cmocka_unit_test(a_wire_file_has_plain_lines),
        cmocka_unit_test(a_missing_file_is_a_result_of_its_own),
        cmocka_unit_test(what_is_no_file_cannot_be_read),
        cmocka_unit_test(any_bytes_are_taken_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
