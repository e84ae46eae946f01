/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/bless.h"
#include "harness/ledger/expected.h"

static const char *const tags[] = {"et", "lt", "os"};

/* The rows of one trigger, as a run would have made them. */
static struct lines extract(const struct expected *expected, enum reactor_trigger trigger)
{
    struct lines lines = {0};
    size_t count;
    const struct expected_row **rows = expected_select(expected, trigger, &count);

    for (size_t i = 0; i < count; i++)
        lines_add(&lines, "%s", rows[i]->text);
    free(rows);
    return lines;
}

static char *read_file(const char *file)
{
    FILE *in = fopen(file, "re");
    char *text = calloc(1, 1 << 16);

    assert_non_null(in);
    assert_non_null(text);
    (void)!fread(text, 1, (1 << 16) - 1, in);
    (void)fclose(in);
    return text;
}

static void a_normative_ledger_is_merged_from_its_runs_byte_for_byte(void **state)
{
    static const char *const files[] = {
        "scenarios/framing/one-frame-per-quantum.events",
        "scenarios/readiness/six-quanta.events",
        "scenarios/ends/fin-then-rst.events",
        "scenarios/ends/fin-while-paused.events",
        "scenarios/ends/rst-while-paused.events",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        char *text = read_file(files[i]), *merged;
        struct lines rows[3], errors = {0}, blessed = {0};
        struct bless_run runs[3];
        struct expected expected;

        assert_int_equal(
            expected_parse("x", EXPECTED_EVENTS, text, strlen(text), &expected, &errors), 0);
        for (unsigned t = 0; t < 3; t++) {
            rows[t] = extract(&expected, t);
            runs[t] = (struct bless_run){tags[t], t, &rows[t]};
        }
        assert_int_equal(bless_events(runs, 3, &blessed, &errors), 0);
        merged = lines_join(&blessed, NULL);
        assert_string_equal(merged, text);
        free(merged);
        free(text);
        for (unsigned t = 0; t < 3; t++)
            lines_free(&rows[t]);
        lines_free(&blessed);
        expected_free(&expected);
    }
}

struct bench {
    struct lines rows[4];
    struct bless_run runs[4];
    size_t count;
    struct lines blessed;
    struct lines errors;
};

static void add(struct bench *bench, const char *name, enum reactor_trigger trigger,
                const char *rows)
{
    lines_split(&bench->rows[bench->count], rows, strlen(rows));
    bench->runs[bench->count] = (struct bless_run){name, trigger, &bench->rows[bench->count]};
    bench->count++;
}

static void is(const struct lines *lines, const char *golden)
{
    char *text = lines_join(lines, NULL);

    assert_string_equal(text, golden);
    free(text);
}

static void clear(struct bench *bench)
{
    for (size_t i = 0; i < bench->count; i++)
        lines_free(&bench->rows[i]);
    lines_free(&bench->blessed);
    lines_free(&bench->errors);
}

static void rows_of_all_triggers_that_ran_carry_the_tags_of_those(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "os", REACTOR_OS, "notice c IN\nc ready\nctl c rearm\n");
    add(&bench, "et", REACTOR_ET, "notice c IN\nc ready\n");
    assert_int_equal(bless_events(bench.runs, 2, &bench.blessed, &bench.errors), 0);
    is(&bench.blessed, "et os: notice c IN\nc ready\nos: ctl c rearm\n");
    clear(&bench);
}

static void one_trigger_alone_is_tagged_too(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "lt", REACTOR_LT, "notice c IN\nc ready\n");
    assert_int_equal(bless_events(bench.runs, 1, &bench.blessed, &bench.errors), 0);
    is(&bench.blessed, "lt: notice c IN\nc ready\n");
    clear(&bench);
}

static void own_rows_of_a_gap_stand_in_the_order_of_the_tags(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "et", REACTOR_ET, "a\nctl 1\nnotice 2\nctl 4\nb\n");
    add(&bench, "lt", REACTOR_LT, "a\nctl 5\nnotice 2\nctl 6\nctl 4\nb\n");
    add(&bench, "os", REACTOR_OS, "a\nctl 5\nctl 7\nnotice 2\nb\n");
    assert_int_equal(bless_events(bench.runs, 3, &bench.blessed, &bench.errors), 0);
    is(&bench.blessed, "a\net: ctl 1\nlt os: ctl 5\nos: ctl 7\net lt os: notice 2\nlt: ctl 6\n"
                       "et lt: ctl 4\nb\n");
    clear(&bench);
}

static void untagged_rows_that_differ_are_refused_with_the_place(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "veth-et-ipv4", REACTOR_ET, "notice c IN\nc ready\nc quantum 1\n");
    add(&bench, "veth-lt-ipv4", REACTOR_LT, "notice c IN\nctl c rearm\nc ready\nc quantum 2\n");
    assert_int_equal(bless_events(bench.runs, 2, &bench.blessed, &bench.errors), -EINVAL);
    assert_int_equal(bench.blessed.count, 0);
    is(&bench.errors, "nothing to bless: veth-et-ipv4 and veth-lt-ipv4 part\n"
                      "  veth-et-ipv4, row 3:  c quantum 1\n"
                      "  veth-lt-ipv4, row 4:  c quantum 2\n");
    clear(&bench);
}

static void a_run_that_ends_early_is_refused(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "et", REACTOR_ET, "a\nb\n");
    add(&bench, "os", REACTOR_OS, "a\n");
    assert_int_equal(bless_events(bench.runs, 2, &bench.blessed, &bench.errors), -EINVAL);
    is(&bench.errors, "nothing to bless: et and os part\n"
                      "  et, row 2:  b\n"
                      "  os, row 2:  (nothing more)\n");
    clear(&bench);
}

static void families_must_agree_in_the_dialogue_too(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "et-ipv4", REACTOR_ET, "notice c IN\na\n");
    add(&bench, "et-ipv6", REACTOR_ET, "notice c IN again\na\n");
    assert_int_equal(bless_events(bench.runs, 2, &bench.blessed, &bench.errors), -EINVAL);
    is(&bench.errors, "nothing to bless: et-ipv4 and et-ipv6 part\n"
                      "  et-ipv4, row 1:  notice c IN\n"
                      "  et-ipv6, row 1:  notice c IN again\n");
    clear(&bench);
}

static void families_that_agree_are_one(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "et-ipv4", REACTOR_ET, "notice c IN\na\n");
    add(&bench, "os-ipv4", REACTOR_OS, "notice c IN\na\n");
    add(&bench, "et-ipv6", REACTOR_ET, "notice c IN\na\n");
    assert_int_equal(bless_events(bench.runs, 3, &bench.blessed, &bench.errors), 0);
    is(&bench.blessed, "et os: notice c IN\na\n");
    clear(&bench);
}

static void a_wire_ledger_has_to_be_the_same_everywhere(void **state)
{
    struct bench bench = {0};

    (void)state;
    add(&bench, "et-ipv4", REACTOR_ET, "c > SYN\nc > FIN at 9\n");
    add(&bench, "lt-ipv4", REACTOR_LT, "c > SYN\nc > FIN at 9\n");
    assert_int_equal(bless_plain(bench.runs, 2, &bench.blessed, &bench.errors), 0);
    is(&bench.blessed, "c > SYN\nc > FIN at 9\n");
    add(&bench, "os-ipv4", REACTOR_OS, "c > SYN\nc > RST at 9\n");
    assert_int_equal(bless_plain(bench.runs, 3, &bench.blessed, &bench.errors), -EINVAL);
    is(&bench.errors, "nothing to bless: et-ipv4 and os-ipv4 part\n"
                      "  et-ipv4, row 2:  c > FIN at 9\n"
                      "  os-ipv4, row 2:  c > RST at 9\n");
    clear(&bench);
}

/* Whatever the runs say to the kernel, each finds its own rows again. */
static void every_run_finds_its_rows_again(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct bench bench = {0};
        struct expected expected;
        char *text;
        size_t size;

        for (unsigned t = 0; t < 3; t++) {
            struct lines rows = {0};
            char *joined;

            for (int i = 0; i < 12; i++) {
                seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
                if (i % 4 == 3)
                    lines_add(&rows, "row %d", i);
                else if (seed >> 40 & 3)
                    lines_add(&rows, "ctl %d", (int)(seed >> 33 & 3));
            }
            joined = lines_join(&rows, NULL);
            add(&bench, tags[t], t, joined);
            free(joined);
            lines_free(&rows);
        }
        assert_int_equal(bless_events(bench.runs, 3, &bench.blessed, &bench.errors), 0);
        text = lines_join(&bench.blessed, &size);
        assert_int_equal(expected_parse("x", EXPECTED_EVENTS, text, size, &expected, &bench.errors),
                         0);
        for (unsigned t = 0; t < 3; t++) {
            struct lines again = extract(&expected, t);
            char *should = lines_join(&bench.rows[t], NULL);

            is(&again, should);
            free(should);
            lines_free(&again);
        }
        free(text);
        expected_free(&expected);
        clear(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_normative_ledger_is_merged_from_its_runs_byte_for_byte),
        cmocka_unit_test(rows_of_all_triggers_that_ran_carry_the_tags_of_those),
        cmocka_unit_test(one_trigger_alone_is_tagged_too),
        cmocka_unit_test(own_rows_of_a_gap_stand_in_the_order_of_the_tags),
        cmocka_unit_test(untagged_rows_that_differ_are_refused_with_the_place),
        cmocka_unit_test(a_run_that_ends_early_is_refused),
        cmocka_unit_test(families_must_agree_in_the_dialogue_too),
        cmocka_unit_test(families_that_agree_are_one),
        cmocka_unit_test(a_wire_ledger_has_to_be_the_same_everywhere),
        cmocka_unit_test(every_run_finds_its_rows_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
