/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/gatekeeper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/fake_os.h"
#include "tests/support/rows.h"

#define SOURCES 3
/* Longer than any machine needs for a turn. */
#define PATIENCE DURATION_MS(30000)

/* The sut's process: a reactor of raw bytes, one a read, behind a gate on the fake kernel. The verb
 * CONSUME makes bytes arrive. Nothing is asserted in there. */
struct side {
    struct fake_os kernel;
    struct os_gate gate;
    struct gatekeeper keeper;
    struct reactor *reactor;
    int fds[SOURCES];
};

/* What the tests differ in. */
struct setting {
    uint64_t rounds_max;
    uint64_t calls_max;
    struct budget_limits limits;
    struct duration takes; /* each delivery */
};

/* The bench's process. */
struct bench {
    struct plan plan;
    struct setting setting;
    struct block *block;
    struct sut_report report;
    pid_t child;
};

static struct setting setting_now;

static void side_data(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size,
                      void *app)
{
    (void)r;
    (void)id;
    (void)bytes;
    (void)size;
    gatekeeper_takes(&((struct side *)app)->keeper, setting_now.takes);
}

static void side_verb(void *arg, const struct sut_verb *verb)
{
    struct side *side = arg;
    static const char bytes[FAKE_OS_BYTES];

    if (verb->kind == SUT_CONSUME)
        fake_os_arrive(&side->kernel, side->fds[verb->peer], bytes, verb->count);
    if (verb->kind == SUT_STOP)
        reactor_stop(side->reactor);
}

static int side_run(struct bench *bench)
{
    static struct side side;
    static const struct reactor_handlers handlers = {.data = side_data};
    const struct reactor_protocol protocol = {
        .limits = bench->setting.limits, .handlers = &handlers};
    const struct reactor_config config = {
        .slots = SOURCES,
        .collect = 8,
        .protocols = &protocol,
        .protocol_count = 1,
        .inbox = 2,
        .journal = block_journal(bench->block),
        .app = &side,
    };
    struct identity id;
    struct os os;

    setting_now = bench->setting;
    fake_os_init(&side.kernel);
    gatekeeper_init(&side.keeper, bench->block, &bench->plan, side_verb, &side);
    os = os_gate_wrap(&side.gate, fake_os_table(&side.kernel), &gatekeeper_hooks, &side.keeper);
    if (reactor_open(&config, os, &side.reactor) < 0)
        return 1;
    side.keeper.reactor = side.reactor;
    for (int i = 0; i < SOURCES; i++) {
        side.fds[i] = fake_os_stream(&side.kernel);
        if (reactor_adopt(side.reactor, side.fds[i], 0, &id) < 0)
            return 2;
    }
    if (reactor_run(side.reactor) < 0)
        return 3;
    gatekeeper_report(&side.keeper, SUT_STOPPED, "");
    return 0;
}

static void await(struct bench *bench)
{
    assert_int_equal(handover_await(&bench->block->handover, HANDOVER_BENCH, PATIENCE), 0);
    bench->report = block_report(bench->block);
}

static void bench_begin(struct bench *bench, struct setting setting)
{
    const pid_t bench_pid = getpid();

    *bench = (struct bench){
        .plan = {.rounds_max = setting.rounds_max, .calls_max = setting.calls_max},
        .setting = setting,
    };
    bench->block = block_map(&bench->plan);
    assert_non_null(bench->block);
    handover_pass(&bench->block->handover, HANDOVER_SUT);
    bench->child = fork();
    if (bench->child == 0) {
        /* A failed test must not leave it behind. */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        _exit(getppid() == bench_pid ? side_run(bench) : 4);
    }
    assert_true(bench->child > 0);
    await(bench);
}

static void grant(struct bench *bench, struct sut_order order)
{
    bench->block->order = order;
    handover_pass(&bench->block->handover, HANDOVER_SUT);
    await(bench);
}

/* An order that makes bytes arrive. */
static struct sut_order arrivals(uint32_t peer, uint32_t count)
{
    return (struct sut_order){
        .verb_count = 1, .verbs = {{.kind = SUT_CONSUME, .peer = peer, .count = count}}};
}

static unsigned quanta(const struct bench *bench)
{
    return rows_count(block_journal(bench->block), "quantum");
}

/* Ends the sut, which stops when it can. */
static void bench_end(struct bench *bench)
{
    int status;

    if (bench->report.status == SUT_LIMIT) {
        assert_int_equal(kill(bench->child, SIGKILL), 0);
        assert_int_equal(waitpid(bench->child, &status, 0), bench->child);
        assert_true(WIFSIGNALED(status));
    } else {
        grant(bench, (struct sut_order){.verb_count = 1, .verbs = {{.kind = SUT_STOP}}});
        assert_int_equal(bench->report.status, SUT_STOPPED);
        assert_int_equal(waitpid(bench->child, &status, 0), bench->child);
        assert_int_equal(status, 0);
    }
    block_unmap(bench->block);
}

static const struct setting usual = {
    .rounds_max = 1000, .calls_max = 10000, .limits = {.bytes = 2, .attempts = 1}};

static void a_sut_without_work_is_idle_until_it_gets_some(void **state)
{
    struct bench bench;

    (void)state;
    bench_begin(&bench, usual);
    assert_int_equal(bench.report.status, SUT_IDLE);
    assert_true(instant_equal(bench.report.deadline, INSTANT_NEVER));
    assert_int_equal(bench.report.rounds, 0);
    grant(&bench, (struct sut_order){0});
    assert_int_equal(bench.report.status, SUT_IDLE);
    assert_int_equal(bench.report.rounds, 0);
    grant(&bench, arrivals(0, 5));
    assert_int_equal(bench.report.status, SUT_IDLE);
    assert_int_equal(quanta(&bench), 4); /* 2 + 2 + 1 bytes, EAGAIN */
    bench_end(&bench);
}

static void a_bound_of_rounds_holds_exactly_there(void **state)
{
    (void)state;
    for (uint64_t rounds = 1; rounds < 6; rounds++) {
        struct bench bench;
        struct sut_order order = arrivals(0, 100);
        uint64_t before;

        bench_begin(&bench, usual);
        order.rounds = rounds;
        grant(&bench, order);
        assert_int_equal(bench.report.status, SUT_HELD);
        assert_int_equal(bench.report.rounds, rounds);
        /* The round of the verb itself finds nothing: its wait had returned before. */
        assert_int_equal(quanta(&bench), rounds - 1);
        before = bench.report.rounds;
        grant(&bench, (struct sut_order){.rounds = 2});
        assert_int_equal(bench.report.status, SUT_HELD);
        assert_int_equal(bench.report.rounds, before + 2);
        assert_int_equal(quanta(&bench), rounds + 1);
        bench_end(&bench);
    }
}

static void a_bound_of_quanta_holds_exactly_there(void **state)
{
    (void)state;
    for (uint64_t bound = 1; bound < 6; bound++) {
        struct bench bench;
        struct sut_order order = arrivals(0, 100);

        bench_begin(&bench, usual);
        order.quanta = bound;
        grant(&bench, order);
        assert_int_equal(bench.report.status, SUT_HELD);
        assert_int_equal(quanta(&bench), bound);
        grant(&bench, (struct sut_order){.quanta = 3});
        assert_int_equal(bench.report.status, SUT_HELD);
        assert_int_equal(quanta(&bench), bound + 3);
        bench_end(&bench);
    }
}

static void a_bound_that_is_not_reached_ends_in_idle(void **state)
{
    struct bench bench;
    struct sut_order order = arrivals(0, 2);

    (void)state;
    bench_begin(&bench, usual);
    order.rounds = 50;
    grant(&bench, order);
    assert_int_equal(bench.report.status, SUT_IDLE);
    assert_int_equal(quanta(&bench), 2);
    order = arrivals(0, 2);
    order.quanta = 50;
    grant(&bench, order);
    assert_int_equal(bench.report.status, SUT_IDLE);
    assert_int_equal(quanta(&bench), 4);
    bench_end(&bench);
}

static void no_bound_lifts_the_one_before(void **state)
{
    struct bench bench;
    struct sut_order order = arrivals(0, 20);

    (void)state;
    bench_begin(&bench, usual);
    order.quanta = 2;
    grant(&bench, order);
    assert_int_equal(bench.report.status, SUT_HELD);
    grant(&bench, (struct sut_order){0});
    assert_int_equal(bench.report.status, SUT_IDLE);
    assert_int_equal(quanta(&bench), 11);
    bench_end(&bench);
}

static void all_verbs_of_an_order_are_carried_out(void **state)
{
    struct bench bench;
    struct sut_order order = {.verb_count = SUT_VERBS_MAX};

    (void)state;
    bench_begin(&bench, usual);
    for (uint32_t i = 0; i < SUT_VERBS_MAX; i++)
        order.verbs[i] =
            (struct sut_verb){.kind = SUT_CONSUME, .peer = i % SOURCES, .count = 1};
    grant(&bench, order);
    assert_int_equal(bench.report.status, SUT_IDLE);
    /* 22 + 21 + 21 bytes, two a read, and EAGAIN for each source */
    assert_int_equal(rows_count(block_journal(bench.block), "read "), 11 + 11 + 11 + SOURCES);
    bench_end(&bench);
}

/* An order with more to come gives no turn: its verbs and the next ones are one order's. */
static void verbs_of_several_orders_are_those_of_one_turn(void **state)
{
    struct bench bench;
    struct sut_order order = arrivals(0, 4);

    (void)state;
    bench_begin(&bench, usual);
    order.more = true;
    for (int i = 0; i < 3; i++) {
        grant(&bench, order);
        assert_int_equal(bench.report.status, SUT_IDLE);
        assert_int_equal(quanta(&bench), 0);
    }
    order.more = false;
    order.quanta = 1;
    grant(&bench, order);
    assert_int_equal(bench.report.status, SUT_HELD);
    assert_int_equal(quanta(&bench), 1);
    grant(&bench, (struct sut_order){0});
    assert_int_equal(quanta(&bench), 8 + 1); /* 16 bytes, two a quantum, EAGAIN */
    bench_end(&bench);
}

static void the_orders_time_is_the_reactors_and_callbacks_add_to_it(void **state)
{
    struct setting setting = usual;
    struct bench bench;
    struct sut_order order = arrivals(0, 4);
    const struct journal *journal;

    (void)state;
    setting.takes = DURATION_MS(3);
    bench_begin(&bench, setting);
    order.now = (struct instant){DURATION_MS(100).ns};
    grant(&bench, order);
    journal = block_journal(bench.block);
    assert_int_equal(journal_at(journal, atomic_load(&journal->count) - 1)->at.ns,
                     DURATION_MS(106).ns);
    grant(&bench, (struct sut_order){.now = {DURATION_MS(200).ns}});
    bench_end(&bench);
}

/* --- Limits --- */

static void the_limit_of_rounds_ends_the_run(void **state)
{
    struct setting setting = usual;
    struct bench bench;

    (void)state;
    setting.rounds_max = 10;
    bench_begin(&bench, setting);
    grant(&bench, arrivals(0, 1000));
    assert_int_equal(bench.report.status, SUT_LIMIT);
    assert_string_equal(bench.report.text, "rounds");
    assert_int_equal(quanta(&bench), 9);
    bench_end(&bench);
}

/* A quantum that does not end is stopped between two of its calls. */
static void the_limit_of_calls_stops_inside_a_quantum(void **state)
{
    struct setting setting = usual;
    struct bench bench;

    (void)state;
    setting.limits = (struct budget_limits){.bytes = 1000000, .attempts = 1000000};
    setting.calls_max = 20;
    bench_begin(&bench, setting);
    for (int i = 0; bench.report.status == SUT_IDLE && i < 20; i++)
        grant(&bench, arrivals(0, 1));
    assert_int_equal(bench.report.status, SUT_LIMIT);
    assert_string_equal(bench.report.text, "calls");
    assert_int_equal(bench.report.calls, 21);
    bench_end(&bench);
}

static void the_limit_of_calls_counts_to_the_last_one(void **state)
{
    struct setting setting = usual;
    struct bench bench;
    struct bench again;
    uint64_t calls;

    (void)state;
    bench_begin(&bench, setting);
    grant(&bench, arrivals(0, 40));
    assert_int_equal(bench.report.status, SUT_IDLE);
    calls = bench.report.calls;
    bench_end(&bench);
    for (uint64_t less = 0; less < 2; less++) {
        setting.calls_max = calls - less;
        bench_begin(&again, setting);
        grant(&again, arrivals(0, 40));
        assert_int_equal(again.report.status, less == 0 ? SUT_IDLE : SUT_LIMIT);
        if (less == 0)
            again.report.status = SUT_LIMIT; /* it has no call left to stop with: kill it */
        bench_end(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sut_without_work_is_idle_until_it_gets_some),
        cmocka_unit_test(a_bound_of_rounds_holds_exactly_there),
        cmocka_unit_test(a_bound_of_quanta_holds_exactly_there),
        cmocka_unit_test(a_bound_that_is_not_reached_ends_in_idle),
        cmocka_unit_test(no_bound_lifts_the_one_before),
        cmocka_unit_test(all_verbs_of_an_order_are_carried_out),
        cmocka_unit_test(verbs_of_several_orders_are_those_of_one_turn),
        cmocka_unit_test(the_orders_time_is_the_reactors_and_callbacks_add_to_it),
        cmocka_unit_test(the_limit_of_rounds_ends_the_run),
        cmocka_unit_test(the_limit_of_calls_stops_inside_a_quantum),
        cmocka_unit_test(the_limit_of_calls_counts_to_the_last_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
