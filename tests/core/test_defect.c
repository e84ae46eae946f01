/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/defect.h"

#ifdef DEFECTS

static void no_mark_is_on_until_it_is_switched(void **state)
{
    (void)state;
    for (int mark = DEFECT_NONE + 1; mark < DEFECT_MARK_COUNT; mark++)
        assert_false(defect_is_on((enum defect_mark)mark));
}

static void one_mark_is_on_and_every_other_off(void **state)
{
    (void)state;
    for (int on = DEFECT_NONE + 1; on < DEFECT_MARK_COUNT; on++) {
        defect_switch((enum defect_mark)on);
        for (int mark = DEFECT_NONE + 1; mark < DEFECT_MARK_COUNT; mark++)
            assert_int_equal(defect_is_on((enum defect_mark)mark), mark == on);
    }
    defect_switch(DEFECT_PAUSED_UNMASKED);
    assert_true(DEFECT(PAUSED_UNMASKED));
    assert_false(DEFECT(BATCH_UNCHECKED));
    defect_switch(DEFECT_NONE);
    assert_false(DEFECT(PAUSED_UNMASKED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_mark_is_on_until_it_is_switched),
        cmocka_unit_test(one_mark_is_on_and_every_other_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

#else

/* A constant: an array of it would not compile else. */
static void a_mark_is_false_when_it_is_compiled(void **state)
{
    static const char none[DEFECT(PAUSED_UNMASKED) ? -1 : 1] = {0};

    (void)state;
    assert_int_equal(sizeof(none), 1);
    _Static_assert(!DEFECT(ROOM_BESIDE_RESERVATION) && !DEFECT(BATCH_UNCHECKED) &&
                       !DEFECT(QUEUE_BEFORE_TURN) && !DEFECT(PAUSED_UNMASKED) &&
                       !DEFECT(HANGUP_ENTRY_KEPT),
                   "no mark is there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_is_false_when_it_is_compiled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

#endif
