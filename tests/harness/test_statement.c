/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/statement.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/script.h"

#define TIMELINE "  2ms sut consume c\n"

/* The plan with `lines` in place of line 19; its statements from there on begin at index 3. */
static struct plan *with(const char *lines)
{
    return script_accept(TIMELINE, lines);
}

static const struct plan_statement *only(struct plan **plan, const char *lines)
{
    *plan = with(lines);
    assert_int_equal((*plan)->statement_count, 5);
    return &(*plan)->statements[3];
}

static void each_verb_of_a_peer_becomes_a_statement(void **state)
{
    struct plan *plan = script_accept("  3ms c shutdown write\n",
                                      "  3ms c shutdown read\n  4ms c shutdown both\n"
                                      "  5ms d reset\n  6s c close\n");

    (void)state;
    assert_int_equal(plan->statement_count, 8);
    assert_int_equal(plan->statements[0].verb, PLAN_CONNECT);
    assert_int_equal(plan->statements[2].verb, PLAN_SEND);
    assert_int_equal(plan->statements[2].place.line, 18);
    assert_int_equal(plan->statements[2].place.column, 7);
    assert_int_equal(plan->statements[2].at.ns, 1000000);
    assert_int_equal(plan->statements[4].verb, PLAN_SHUTDOWN);
    assert_int_equal(plan->statements[4].how, PLAN_HOW_READ);
    assert_int_equal(plan->statements[5].how, PLAN_HOW_BOTH);
    assert_int_equal(plan->statements[6].verb, PLAN_RESET);
    assert_int_equal(plan->statements[6].peer, 1);
    assert_int_equal(plan->statements[7].verb, PLAN_CLOSE);
    assert_int_equal(plan->statements[7].at.ns, 6000000000);
    plan_free(plan);
}

static void each_verb_of_the_sut_becomes_a_statement(void **state)
{
    struct plan *plan = with("  2ms sut consume c 3\n  2ms sut run rounds=5\n"
                             "  2ms sut run quanta=7\n  2ms sut hold\n  2ms sut go\n");
    const struct plan_statement *statements = plan->statements + 3;

    (void)state;
    assert_int_equal(statements[0].verb, PLAN_CONSUME);
    assert_int_equal(statements[0].peer, 0);
    assert_int_equal(statements[0].count, 3);
    assert_int_equal(statements[1].verb, PLAN_RUN);
    assert_int_equal(statements[1].peer, PLAN_NOBODY);
    assert_int_equal(statements[1].rounds, 5);
    assert_int_equal(statements[1].quanta, 0);
    assert_int_equal(statements[2].quanta, 7);
    assert_int_equal(statements[3].verb, PLAN_HOLD);
    assert_int_equal(statements[4].verb, PLAN_GO);
    plan_free(plan);
}

static void each_fault_becomes_a_rule(void **state)
{
    static const struct {
        const char *line;
        struct plan_fault fault;
        uint32_t peer;
    } cases[] = {
        {"  2ms sut fault read c EINTR x4\n", {PLAN_CALL_READ, PLAN_FAULT_ERRNO, EINTR, 0, 4}, 0},
        {"  2ms sut fault read d ECONNRESET\n",
         {PLAN_CALL_READ, PLAN_FAULT_ERRNO, ECONNRESET, 0, 1},
         1},
        {"  2ms sut fault read c short=1 always\n", {PLAN_CALL_READ, PLAN_FAULT_SHORT, 0, 1, 0}, 0},
        {"  2ms sut fault accept EMFILE x2\n",
         {PLAN_CALL_ACCEPT, PLAN_FAULT_ERRNO, EMFILE, 0, 2},
         PLAN_NOBODY},
        {"  2ms sut fault wait hold d\n", {PLAN_CALL_WAIT, PLAN_FAULT_HOLD, 0, 0, 1}, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct plan *plan;
        const struct plan_statement *statement = only(&plan, cases[i].line);

        assert_int_equal(statement->verb, PLAN_FAULT);
        assert_int_equal(statement->peer, cases[i].peer);
        assert_int_equal(statement->fault.call, cases[i].fault.call);
        assert_int_equal(statement->fault.kind, cases[i].fault.kind);
        assert_int_equal(statement->fault.error, cases[i].fault.error);
        assert_int_equal(statement->fault.bytes, cases[i].fault.bytes);
        assert_int_equal(statement->fault.times, cases[i].fault.times);
        plan_free(plan);
    }
}

static void a_wait_takes_the_time_before_it(void **state)
{
    struct plan *plan = with("  wait-until c unread 4\n  2ms wait-until c blocked\n"
                             "  wait-until c ended\n  wait-until sut idle\n");
    const struct plan_statement *statements = plan->statements + 3;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(statements[i].verb, PLAN_WAIT_UNTIL);
    assert_int_equal(statements[0].at.ns, 1000000);
    assert_int_equal(statements[0].condition, PLAN_UNTIL_UNREAD);
    assert_int_equal(statements[0].count, 4);
    assert_int_equal(statements[1].at.ns, 2000000);
    assert_int_equal(statements[1].condition, PLAN_UNTIL_BLOCKED);
    assert_int_equal(statements[2].at.ns, 2000000);
    assert_int_equal(statements[2].condition, PLAN_UNTIL_ENDED);
    assert_int_equal(statements[2].peer, 0);
    assert_int_equal(statements[3].condition, PLAN_UNTIL_IDLE);
    assert_int_equal(statements[3].peer, PLAN_NOBODY);
    plan_free(plan);
}

static void repeats_fall_among_later_statements_by_time(void **state)
{
    static const struct {
        int64_t ms;
        uint32_t line;
        uint32_t peer;
    } order[] = {
        {2, 20, 0}, {3, 20, 0}, {3, 21, 1}, {4, 20, 0}, {4, 22, 0},
        {4, 22, 1}, {4, 22, 0}, {4, 22, 1}, {5, 23, 0},
    };
    struct plan *plan;

    (void)state;
    plan = script_accept(
        "  c tcp\n  d tcp\ntimeline\n  0ms c connect\n  0ms d connect\n"
        "  1ms c send 00 03 \"CAT\"\n" TIMELINE "  3ms c shutdown write\n",
        "  c1 tcp\n  c2 tcp\n  c tcp\ntimeline\n  0ms c*2 connect\n  0ms c connect\n"
        "  1ms c send 00\n"
        "  2ms c1 send 00 repeat=3 every=1ms\n  3ms c2 send 01\n"
        "  4ms c*2 send 02 repeat=2\n  5ms c1 close\n");
    assert_int_equal(plan->statement_count, 4 + sizeof(order) / sizeof(order[0]));
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        const struct plan_statement *statement = &plan->statements[4 + i];

        assert_int_equal(statement->at.ns, order[i].ms * 1000000);
        assert_int_equal(statement->place.line, order[i].line);
        assert_int_equal(statement->peer, order[i].peer);
    }
    plan_free(plan);
}

static void as_many_statements_as_there_may_be_are_fine(void **state)
{
    struct plan *plan = with("  2ms c send 00 repeat=99996\n");

    (void)state;
    assert_int_equal(plan->statement_count, PLAN_STATEMENTS_MAX);
    assert_ptr_equal(plan->statements[3].bytes.data, plan->statements[9999].bytes.data);
    plan_free(plan);
}

static const struct script_case mistaken[] = {
    {"1ms c send", "1msec c send",
     "18:3: time: '1msec' has an unknown unit; write digits and one of ns, us, ms, s, such "
     "as 200us"},
    {"1ms c send", "1 c send",
     "18:3: time: '1' has no unit; write digits and one of ns, us, ms, s, such as 200us"},
    {"1ms c send", "soon c send",
     "18:3: time: 'soon' is not a duration; write digits and one of ns, us, ms, s, such as "
     "200us"},
    {"1ms c send", "100000s c send", "18:3: time: '100000s' is too long; at most 86400s"},
    {"2ms sut consume c", "0ms sut consume c",
     "19:3: time goes backwards to '0ms'; write a time that is not before the line above"},
    {"1ms c send", "1ms c sned", "18:9: unknown verb 'sned'; did you mean 'send'?"},
    {"1ms c send", "1ms sut send", "18:11: the sut cannot send; write 'TIME PEER send BYTES'"},
    {"2ms sut consume c", "2ms c consume c",
     "19:9: a peer cannot consume; write 'TIME sut consume PEER [COUNT]'"},
    {"2ms sut consume c", "2ms c wait-until idle",
     "19:9: a peer cannot wait-until; write 'wait-until PEER unread COUNT'"},
    {"1ms c send 00 03 \"CAT\"", "1ms",
     "18:6: a subject is missing; write 'TIME SUBJECT VERB ...'"},
    {"1ms c send 00 03 \"CAT\"", "1ms c", "18:8: a verb is missing; write 'TIME SUBJECT VERB ...'"},
    {"1ms c send 00 03 \"CAT\"", "1ms c send",
     "18:13: a word is missing; write 'TIME PEER send BYTES'"},
    {"1ms c send 00 03 \"CAT\"", "1ms c send \"\"",
     "18:14: nothing to send; write at least one byte"},
    {"0ms d connect", "0ms d connect now", "17:17: 'now' is too much; write 'TIME PEER connect'"},
    {"shutdown write", "shutdown", "20:17: a word is missing; write 'TIME PEER shutdown write'"},
    {"shutdown write", "shutdown wirte", "20:18: unknown direction 'wirte'; did you mean 'write'?"},
    {"shutdown write", "shutdown write now",
     "20:24: 'now' is too much; write 'TIME PEER shutdown write'"},
    {"2ms sut consume c", "2ms sut consume",
     "19:18: a word is missing; write 'TIME sut consume PEER [COUNT]'"},
    {"2ms sut consume c", "2ms sut consume c 0",
     "19:21: consume: '0' is out of range; write 1 to 4294967295"},
    {"2ms sut consume c", "2ms sut consume c 1 2",
     "19:23: '2' is too much; write 'TIME sut consume PEER [COUNT]'"},
    {"2ms sut consume c", "2ms sut run",
     "19:14: a word is missing; write 'TIME sut run rounds=N, or quanta=N'"},
    {"2ms sut consume c", "2ms sut run 5",
     "19:15: '5' has no value; write 'TIME sut run rounds=N, or quanta=N'"},
    {"2ms sut consume c", "2ms sut run rounds=0",
     "19:22: rounds: '0' is out of range; write 1 to 4294967295"},
    {"2ms sut consume c", "2ms sut run turns=1",
     "19:15: unknown key 'turns'; known: rounds, quanta"},
    {"2ms sut consume c", "2ms sut fault",
     "19:16: a word is missing; write 'TIME sut fault read PEER ERROR [x4]'"},
    {"2ms sut consume c", "2ms sut fault write c EINTR",
     "19:17: unknown call 'write'; known: read, accept, wait"},
    {"2ms sut consume c", "2ms sut fault read",
     "19:21: a word is missing; write 'TIME sut fault read PEER ERROR [x4]'"},
    {"2ms sut consume c", "2ms sut fault read c",
     "19:23: a word is missing; write 'TIME sut fault read PEER ERROR [x4]'"},
    {"2ms sut consume c", "2ms sut fault read c ENOTHING",
     "19:24: unknown error 'ENOTHING'; write the name of an errno, such as ECONNRESET"},
    {"2ms sut consume c", "2ms sut fault read c short=0",
     "19:30: short: '0' is out of range; write 1 to 4294967295"},
    {"2ms sut consume c", "2ms sut fault read c EINTR 4",
     "19:30: '4' says not how often; write x4 for four times, or always"},
    {"2ms sut consume c", "2ms sut fault read c EINTR x0",
     "19:31: times: '0' is out of range; write 1 to 4294967295"},
    {"2ms sut consume c", "2ms sut fault read c EINTR x4 x5",
     "19:33: 'x5' is too much; write 'TIME sut fault read PEER ERROR [x4]'"},
    {"2ms sut consume c", "2ms sut fault accept",
     "19:23: a word is missing; write 'TIME sut fault accept ERROR [x4]'"},
    {"2ms sut consume c", "2ms sut fault accept short=1",
     "19:24: unknown error 'short=1'; write the name of an errno, such as ECONNRESET"},
    {"2ms sut consume c", "2ms sut fault wait hold",
     "19:26: a word is missing; write 'TIME sut fault wait hold PEER'"},
    {"2ms sut consume c", "2ms sut fault wait drop c",
     "19:22: unknown fault 'drop'; write 'TIME sut fault wait hold PEER'"},
    {"2ms sut consume c", "wait-until c",
     "19:15: a word is missing; write 'wait-until PEER unread COUNT'"},
    {"2ms sut consume c", "wait-until c idle",
     "19:16: only the sut can be idle; write 'wait-until sut idle'"},
    {"2ms sut consume c", "wait-until sut ended",
     "19:18: the sut itself can only be waited for as 'sut idle'"},
    {"2ms sut consume c", "wait-until c unread",
     "19:22: a word is missing; write 'wait-until PEER unread COUNT'"},
    {"2ms sut consume c", "wait-until c unread x",
     "19:23: unread: 'x' is not a number; write 0 to 4294967295"},
    {"2ms sut consume c", "wait-until c blokced",
     "19:16: unknown condition 'blokced'; did you mean 'blocked'?"},
    {"2ms sut consume c", "wait-until e ended", "19:14: unknown peer 'e'; known: c, d"},
    {"2ms sut consume c", "2ms sut consume c repeat=0",
     "19:28: repeat: '0' is out of range; write 1 to 100000"},
    {"2ms sut consume c", "2ms sut consume c every=1ms",
     "19:21: every= without repeat=; write 'repeat=N every=DURATION'"},
    {"2ms sut consume c", "2ms sut consume c repeat=2 every=1",
     "19:36: every: '1' has no unit; write digits and one of ns, us, ms, s, such as 200us"},
    {"2ms sut consume c", "2ms sut consume c repeat=3 every=86400s",
     "19:7: the repeats take too long; at most 86400s from the start"},
    {"1ms c send 00 03 \"CAT\"", "1ms c send 00 repeat=100000",
     "18:7: too many statements; at most 100000"},
    {"1ms c send 00 03 \"CAT\"", "1ms c send pattern:1000000 repeat=100",
     "18:7: too many bytes of all payloads; at most 67108864"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_verb_of_a_peer_becomes_a_statement),
        cmocka_unit_test(each_verb_of_the_sut_becomes_a_statement),
        cmocka_unit_test(each_fault_becomes_a_rule),
        cmocka_unit_test(a_wait_takes_the_time_before_it),
        cmocka_unit_test(repeats_fall_among_later_statements_by_time),
        cmocka_unit_test(as_many_statements_as_there_may_be_are_fine),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
