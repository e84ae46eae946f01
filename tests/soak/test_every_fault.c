/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/breaking/faults.h"

static void every_call_that_fails_is_told_over_tcp(void **state)
{
    faults_need_world(state);
    faults_walk("faults/tcp.scn", UINT32_MAX);
}

static void every_call_that_fails_is_told_over_unix_sockets(void **state)
{
    faults_need_world(state);
    faults_walk("faults/unix.scn", UINT32_MAX);
}

static void every_call_that_fails_is_told_over_pipes(void **state)
{
    faults_need_world(state);
    faults_walk("faults/pipe.scn", UINT32_MAX);
}

/* A signal that ends nothing is no failure of any call. */
static void every_call_may_be_interrupted(void **state)
{
    static const enum failing_function interrupted[] = {
        FAILING_recv, FAILING_recvmsg, FAILING_poll, FAILING_ppoll, FAILING_waitpid, FAILING_write,
        FAILING_clock_nanosleep,
    };

    faults_need_world(state);
    for (size_t i = 0; i < sizeof(interrupted) / sizeof(interrupted[0]); i++)
        faults_interrupt("faults/tcp.scn", interrupted[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_that_fails_is_told_over_tcp),
        cmocka_unit_test(every_call_that_fails_is_told_over_unix_sockets),
        cmocka_unit_test(every_call_that_fails_is_told_over_pipes),
        cmocka_unit_test(every_call_may_be_interrupted),
    };

    return cmocka_run_group_tests(tests, faults_setup, NULL) != 0;
}
