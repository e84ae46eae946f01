/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/setting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void every_setting_has_its_default(void **state)
{
    struct plan plan = {0};

    (void)state;
    setting_defaults(&plan);
    assert_string_equal(plan.sockets.congestion, "reno");
    assert_int_equal(plan.sockets.rcvbuf, 0);
    assert_int_equal(plan.backlog, 128);
    assert_int_equal(plan.collect, 64);
    assert_int_equal(plan.limits.bytes, 65536);
    assert_int_equal(plan.limits.attempts, 16);
    assert_int_equal(plan.limits.frames, 0);
    assert_int_equal(plan.limits.items, 0);
    assert_int_equal(plan.limits.time.ns, 0);
    assert_true(plan.requeue);
    assert_int_equal(plan.consume, PLAN_CONSUME_AUTO);
    assert_int_equal(plan.rounds_max, 100000);
    assert_int_equal(plan.calls_max, 1000000);
    assert_int_equal(plan.pace, PLAN_LOCKSTEP);
    assert_int_equal(plan.compare, PLAN_EXACT);
    assert_int_equal(plan.tolerance.ns, 5000000);
}

static void each_word_of_a_script_sets_its_field(void **state)
{
    struct plan *plan = script_accept("frames=1\n", "frames=3 items=5 time=7us\n"
                                                    "  collect h=1024\n  requeue off\n"
                                                    "  limit rounds=500 calls=20000\n");

    (void)state;
    assert_int_equal(plan->limits.bytes, 9);
    assert_int_equal(plan->limits.attempts, 2);
    assert_int_equal(plan->limits.frames, 3);
    assert_int_equal(plan->limits.items, 5);
    assert_int_equal(plan->limits.time.ns, 7000);
    assert_int_equal(plan->collect, 1024);
    assert_false(plan->requeue);
    assert_int_equal(plan->rounds_max, 500);
    assert_int_equal(plan->calls_max, 20000);
    assert_int_equal(plan->consume, PLAN_CONSUME_MANUAL);
    plan_free(plan);
    plan = script_accept("peers\n",
                         "run\n  pace free\n  compare streams\n  tolerance 0ms\npeers\n");
    assert_int_equal(plan->pace, PLAN_FREE);
    assert_int_equal(plan->compare, PLAN_STREAMS);
    assert_int_equal(plan->tolerance.ns, 0);
    plan_free(plan);
    plan = script_accept("reactor\n", "  socket rcvbuf=4096 sndbuf=8192 congestion=cubic\n"
                                      "  backlog 1\nreactor\n");
    assert_int_equal(plan->sockets.rcvbuf, 4096);
    assert_int_equal(plan->sockets.sndbuf, 8192);
    assert_string_equal(plan->sockets.congestion, "cubic");
    assert_int_equal(plan->backlog, 1);
    plan_free(plan);
}

/* What is wrong with the correct script under `set`; NULL when nothing is. */
static char *mistakes_under(const char *set)
{
    char *text = script_text(NULL, NULL);
    char *mistakes = script_mistakes(text, strlen(text), &set, 1);

    free(text);
    return mistakes;
}

static void each_setting_can_be_set_from_the_command_line(void **state)
{
    static const char *const sets[] = {
        "backlog=7",          "socket.rcvbuf=9",    "socket.sndbuf=9",  "socket.congestion=cubic",
        "quantum.bytes=4",    "quantum.attempts=1", "quantum.frames=2", "quantum.items=2",
        "quantum.time=1ms",   "frame.header=4",     "frame.payload=5",  "capacity=10",
        "app.consume=manual", "collect.h=1",        "requeue=off",      "limit.rounds=1",
        "limit.calls=1",      "pace=lockstep",      "compare=streams",  "tolerance=1s",
    };

    (void)state;
    assert_int_equal(sizeof(sets) / sizeof(sets[0]), SETTING_COUNT);
    for (size_t i = 0; i < SETTING_COUNT; i++)
        assert_null(mistakes_under(sets[i]));
}

static void the_last_set_of_a_setting_holds(void **state)
{
    static const char *const sets[] = {"quantum.bytes=4", "quantum.bytes=5"};
    char *text = script_text(NULL, NULL);
    struct parser_input input = {"t.scn", text, strlen(text), sets, 2};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;

    (void)state;
    assert_int_equal(parser_parse(&input, &plan, &mistakes), 0);
    assert_int_equal(plan->limits.bytes, 5);
    assert_int_equal(plan->limits.attempts, 2);
    plan_free(plan);
    free(text);
}

#define KNOWN                                                                               \
    "known: backlog, socket.rcvbuf, socket.sndbuf, socket.congestion, quantum.bytes, "      \
    "quantum.attempts, quantum.frames, quantum.items, quantum.time, frame.header, "         \
    "frame.payload, capacity, app.consume, collect.h, requeue, limit.rounds, limit.calls, " \
    "pace, compare, tolerance"

static void a_bad_set_names_its_argument(void **state)
{
    static const struct {
        const char *set;
        const char *mistakes;
    } cases[] = {
        {"quantum.bytez=4", "--set quantum.bytez=4: unknown key; " KNOWN},
        {"quantum=4", "--set quantum=4: unknown key; " KNOWN},
        {"", "--set : no value; write KEY=VALUE; " KNOWN},
        {"capacity", "--set capacity: no value; write KEY=VALUE; " KNOWN},
        {"quantum.bytes=0",
         "--set quantum.bytes=0: quantum.bytes: '0' is out of range; write 1 to 4294967295"},
        {"requeue=of", "--set requeue=of: unknown value of requeue 'of'; did you mean 'off'?"},
        {"capacity=4", "--set capacity=4: the largest frame (5 bytes) does not fit the capacity 4; "
                       "write 5 or more"},
        {"pace=free", "--set pace=free: free pace has no exact rows; write 'compare streams' too"},
        {"app.consume=auto", "19:7: nothing to consume; write 'frame header=N payload=BYTES' and "
                             "'app sink consume=manual' in reactor"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *mistakes = mistakes_under(cases[i].set);

        assert_non_null(mistakes);
        assert_string_equal(mistakes, cases[i].mistakes);
        free(mistakes);
    }
}

static const struct script_case mistaken[] = {
    {"bytes=9", "bytez=9", "8:12: unknown key 'bytez'; did you mean 'bytes'?"},
    {"bytes=9", "speed=9",
     "8:12: unknown key 'speed'; known: bytes, attempts, frames, items, time"},
    {"bytes=9", "bytes",
     "8:12: 'bytes' has no value; write KEY=VALUE with one of bytes, attempts, frames, "
     "items, time"},
    {"bytes=9", "bytes=", "8:18: quantum.bytes: '' is not a number; write 1 to 4294967295"},
    {"bytes=9", "bytes=0", "8:18: quantum.bytes: '0' is out of range; write 1 to 4294967295"},
    {"attempts=2", "attempts=0",
     "8:29: quantum.attempts: '0' is out of range; write 1 to 4294967295"},
    {"frames=1", "frames=0", "8:38: quantum.frames: '0' is out of range; write 1 to 4294967295"},
    {"frames=1", "items=0", "8:37: quantum.items: '0' is out of range; write 1 to 4294967295"},
    {"frames=1", "time=0ms", "8:36: quantum.time: '0ms' is no time; write at least 1ns"},
    {"frames=1", "time=1",
     "8:36: quantum.time: '1' has no unit; write digits and one of ns, us, ms, s, such as "
     "200us"},
    {"bytes=9", "bytes=4294967296",
     "8:18: quantum.bytes: '4294967296' is out of range; write 1 to 4294967295"},
    {"bytes=9", "bytes=99999999999999999999999",
     "8:18: quantum.bytes: '99999999999999999999999' is out of range; write 1 to 4294967295"},
    {"bytes=9", "bytes=-1", "8:18: quantum.bytes: '-1' is not a number; write 1 to 4294967295"},
    {"bytes=9", "bytes=9k", "8:18: quantum.bytes: '9k' is not a number; write 1 to 4294967295"},
    {"bytes=9 ", "bytes=9 bytes=9 ",
     "8:20: 'bytes' is said twice; keep one, the first is in line 8"},
    {"bytes=9 ", "bytes=9\n  quantum bytes=9 ",
     "9:11: 'bytes' is said twice; keep one, the first is in line 8"},
    {"quantum  bytes=9 attempts=2 frames=1", "quantum",
     "8:10: a word is missing; write 'quantum KEY=VALUE'"},
    {"header=2", "header=3", "9:19: frame.header: '3' is no header size; write 1, 2 or 4"},
    {"capacity 9", "capacity", "10:11: a word is missing; write 'capacity VALUE'"},
    {"capacity 9", "capacity 9 10", "10:14: '10' is too much; write 'capacity VALUE'"},
    {"capacity 9", "capacity 0", "10:12: capacity: '0' is out of range; write 1 to 1073741824"},
    {"capacity 9", "capacity 1073741825",
     "10:12: capacity: '1073741825' is out of range; write 1 to 1073741824"},
    {"capacity 9", "capacity 9\n  capacity 9",
     "11:3: capacity is said twice; keep one, the first is in line 10"},
    {"consume=manual", "consume=manully",
     "11:25: unknown value of app.consume 'manully'; did you mean 'manual'?"},
    {"consume=manual", "mode=manual", "11:17: unknown key 'mode'; known: consume"},
    {"app  ", "collect h=0\n  app  ", "11:13: collect.h: '0' is out of range; write 1 to 1024"},
    {"app  ", "collect h=1025\n  app  ",
     "11:13: collect.h: '1025' is out of range; write 1 to 1024"},
    {"app  ", "requeue maybe\n  app  ", "11:11: unknown value of requeue 'maybe'; known: off, on"},
    {"app  ", "limit rounds=0\n  app  ",
     "11:16: limit.rounds: '0' is out of range; write 1 to 1000000000000"},
    {"app  ", "limit calls=x\n  app  ",
     "11:15: limit.calls: 'x' is not a number; write 1 to 1000000000000"},
    {"  family", "  socket congestion=Reno\n  family",
     "5:21: socket.congestion: bad name 'Reno'; write 1 to 15 small letters, digits or _"},
    {"  family", "  socket rcvbuf=0\n  family",
     "5:17: socket.rcvbuf: '0' is out of range; write 1 to 1073741823"},
    {"  family", "  backlog 5000\n  family",
     "5:11: backlog: '5000' is out of range; write 1 to 4096"},
    {"peers\n", "run\n  pace fast\npeers\n",
     "13:8: unknown value of pace 'fast'; known: lockstep, free"},
    {"peers\n", "run\n  compare rows\npeers\n",
     "13:11: unknown value of compare 'rows'; known: exact, streams"},
    {"peers\n", "run\n  tolerance 5\npeers\n",
     "13:13: tolerance: '5' has no unit; write digits and one of ns, us, ms, s, such as "
     "200us"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_setting_has_its_default),
        cmocka_unit_test(each_word_of_a_script_sets_its_field),
        cmocka_unit_test(each_setting_can_be_set_from_the_command_line),
        cmocka_unit_test(the_last_set_of_a_setting_holds),
        cmocka_unit_test(a_bad_set_names_its_argument),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
