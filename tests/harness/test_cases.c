/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/model/cases.h"

/* What the model cannot carry: there is no number that is used again, and no second connection
 * beside a paused one. Their scenarios show these on a real kernel and on the simulated one. */
static bool carried(enum defects which)
{
    return which != DEFECTS_TOLD_BY_NUMBER && which != DEFECTS_BATCH_UNCHECKED &&
           which != DEFECTS_QUEUE_BEFORE_TURN;
}

/* In a child, since the reactor's own assertions may end it. True when a check failed so or so. */
static bool noticed(enum defects which)
{
    const struct rlimit none = {0, 0};
    int status;
    pid_t child = fork();

    if (child == 0) {
        struct checks checks = {0};

        setrlimit(RLIMIT_CORE, &none);
        json_decref(cases_all(which, &checks));
        _exit(checks.failed > 0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void all_cases_hold(void **state)
{
    struct checks checks = {0};
    json_t *cases = cases_all(DEFECTS_NONE, &checks);

    (void)state;
    for (size_t line = 0; line < checks.told.count; line++)
        print_error("%s\n", checks.told.line[line]);
    assert_int_equal(checks.failed, 0);
    assert_true(checks.run > 0);
    assert_true(json_array_size(cases) > 50);
    json_decref(cases);
    checks_free(&checks);
}

/* R-CK-10. */
static void every_defect_makes_a_check_fail(void **state)
{
    uint32_t tried = 0;

    (void)state;
    for (int which = DEFECTS_NONE + 1; which < DEFECTS_COUNT; which++) {
        enum defects defect = (enum defects)which;

        if (!defects_possible(defect))
            continue;
        tried++;
        if (noticed(defect) != carried(defect))
            fail_msg("%s is %s", defects_name(defect),
                     carried(defect) ? "on, and no check fails" : "noticed, and was thought not "
                                                                  "to be");
    }
    assert_true(tried >= 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cases_hold),
        cmocka_unit_test(every_defect_makes_a_check_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
