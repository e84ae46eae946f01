/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/report/score.h"
static enum status status_of(const char *verdicts)
{
    struct score score = {{0}};

    for (; *verdicts; verdicts++)
        score_add(&score, *verdicts == 'p'   ? RESULT_PASS
                          : *verdicts == 'f' ? RESULT_FAIL
                          : *verdicts == 'l' ? RESULT_LATE
                          : *verdicts == 'e' ? RESULT_ERROR
                                             : RESULT_SKIP);
    return score_status(&score);
}

static void the_worst_verdict_is_the_exit_status(void **state)
{
    (void)state;
    assert_int_equal(status_of("ppp"), 0);
    assert_int_equal(status_of("ps"), 0);
    assert_int_equal(status_of("plp"), 5);
    assert_int_equal(status_of("plf"), 1);
    assert_int_equal(status_of("lfe"), 3);
    assert_int_equal(status_of("ss"), 4);
    assert_int_equal(status_of("sl"), 5);
    assert_int_equal(status_of(""), 2);
}

static void each_run_counts_once_under_its_verdict(void **state)
{
    struct score score = {{0}};

    (void)state;
    assert_int_equal(score_total(&score), 0);
    score_add(&score, RESULT_LATE);
    score_add(&score, RESULT_LATE);
    score_add(&score, RESULT_SKIP);
    assert_int_equal(score.count[RESULT_LATE], 2);
    assert_int_equal(score.count[RESULT_SKIP], 1);
    assert_int_equal(score.count[RESULT_PASS], 0);
    assert_int_equal(score_total(&score), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_verdict_is_the_exit_status),
        cmocka_unit_test(each_run_counts_once_under_its_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
