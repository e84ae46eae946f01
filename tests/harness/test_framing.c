/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/model/framing_checks.h"
#include "harness/model/framing_cuts.h"
#include "harness/model/framing_examples.h"
#include "harness/model/framing_value.h"

static void examples_come_out_as_they_are_stated(void **state)
{
    (void)state;
    for (size_t i = 0; i < framing_examples_count(); i++) {
        const struct framing_example *example = framing_examples_at(i);
        struct framing_ledger ledger;
        struct checks checks = {0};
        struct framing framing;

        framing_examples_play(example, &framing);
        assert_ptr_equal(framing_examples_find(&framing), example);
        framing_play(&framing, &ledger);
        framing_checks(&framing, &ledger, &checks);
        framing_examples_check(example, &ledger, &checks);
        assert_true(checks.run > 40);
        for (size_t line = 0; line < checks.told.count; line++)
            print_error("%s: %s\n", example->name, checks.told.line[line]);
        assert_int_equal(checks.failed, 0);
        checks_free(&checks);
        framing_free(&ledger);
    }
}

static void every_cut_gives_the_same_frames(void **state)
{
    struct framing_cuts cuts;
    struct checks checks = {0};

    (void)state;
    framing_cuts_play(DEFECTS_NONE, &cuts, &checks);
    assert_int_equal(cuts.runs, 256 * 2 * 3 * 2);
    assert_int_equal(cuts.peak, 9);
    assert_int_equal(cuts.other, 0);
    assert_int_equal(cuts.charged, 0);
    assert_int_equal(checks.failed, 0);
    checks_free(&checks);
}

/* The rows of a script, a line each; the caller frees the text. */
static char *rows_of(const char *script)
{
    struct framing_ledger ledger;
    struct checks checks = {0};
    struct framing framing;
    struct lines rows = {0};
    char *text;

    framing_examples_make(script, 1, 2, &framing);
    framing_play(&framing, &ledger);
    framing_checks(&framing, &ledger, &checks);
    assert_int_equal(checks.failed, 0);
    for (size_t i = 0; i < ledger.row_count; i++) {
        char *row = framing_value_text(&ledger, i);

        lines_add(&rows, "%s", row);
        free(row);
    }
    text = lines_join(&rows, NULL);
    lines_free(&rows);
    checks_free(&checks);
    framing_free(&ledger);
    return text;
}

static void a_script_can_interrupt_and_notify(void **state)
{
    char *rows = rows_of("in:00 eintr:1 run notify run");

    (void)state;
    assert_string_equal(rows, "1 - edge 0+0 QUEUED 1 [c] - 1\n"
                              "2 1 dispatch 0+5 RUNNING 1 [] - 1\n"
                              "3 1 read 2=EINTR 0+5 RUNNING 1 [] - 1\n"
                              "4 1 read 2=00 0+5 RUNNING 1 [] 00 0\n"
                              "5 1 yield attempts 0+5 QUEUED 1 [c] 00 0\n"
                              "6 2 read 1=EAGAIN 0+5 WAITING 0 [] 00 0\n"
                              "7 - edge 0+5 QUEUED 1 [c] 00 0\n"
                              "8 3 read 1=EAGAIN 0+5 WAITING 0 [] 00 0\n");
    free(rows);
}

static void a_run_can_stop_behind_a_quantum(void **state)
{
    char *rows = rows_of("in:0000 run:1");

    (void)state;
    assert_string_equal(rows, "1 - edge 0+0 QUEUED 1 [c] - 2\n"
                              "2 1 dispatch 0+5 RUNNING 1 [] - 2\n"
                              "3 1 read 2=0000 0+2 RUNNING 1 [] 0000 0\n"
                              "4 1 frame 1 2+0 RUNNING 1 [] - 0\n"
                              "5 1 yield frames 2+0 QUEUED 1 [c] - 0\n");
    free(rows);
}

static void more_than_is_held_cannot_be_consumed(void **state)
{
    struct framing_ledger ledger;
    struct framing framing;

    (void)state;
    framing_examples_make("in:0000 run consume:2 eof run", 1, 2, &framing);
    framing_play(&framing, &ledger);
    assert_int_equal(ledger.mistaken, 3);
    assert_int_equal(ledger.held, 1);
    framing_free(&ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_come_out_as_they_are_stated),
        cmocka_unit_test(every_cut_gives_the_same_frames),
        cmocka_unit_test(a_script_can_interrupt_and_notify),
        cmocka_unit_test(a_run_can_stop_behind_a_quantum),
        cmocka_unit_test(more_than_is_held_cannot_be_consumed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
