/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/breaking/faults.h"

/* About so many calls of one function: early ones, late ones, and some between. */
#define MOST 3

static void a_call_that_fails_is_told_and_leaves_nothing(void **state)
{
    faults_need_world(state);
    faults_walk("faults/tcp.scn", MOST);
}

/* Files then have a temporary name while they are written. */
static void a_file_system_without_nameless_files_will_do(void **state)
{
    unsigned refused = 0;
    bool failed = true;

    faults_need_world(state);
    for (uint32_t nth = 1; failed; nth++) {
        char *text;

        faults_sheet->function = FAILING_openat;
        faults_sheet->nth = nth;
        faults_sheet->error = EOPNOTSUPP;
        int status = faults_run_script("faults/tcp.scn", NULL, &text);
        failed = atomic_load(&faults_sheet->failed) > 0;
        if (failed && strcmp(faults_sheet->what, "openat .") == 0) {
            refused++;
            assert_true(status == 0 || status == 5);
        }
        free(text);
        faults_need_nothing_left(faults_sheet->what);
    }
    /* The trial, three ledgers, the capture and the result. */
    assert_int_equal(refused, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_fails_is_told_and_leaves_nothing),
        cmocka_unit_test(a_file_system_without_nameless_files_will_do),
    };

    return cmocka_run_group_tests(tests, faults_setup, NULL) != 0;
}
