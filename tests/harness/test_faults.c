/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/fake_os.h"
#include "tests/support/plans.h"

#define DATA 77

/* Rules over the fake kernel, and what was said of them. */
struct stage {
    struct plan *plan;
    struct fake_os kernel;
    struct remarks remarks;
    struct faults faults;
    struct os os;
    struct lines told;
};

/* Adds every rule of the timeline; none is armed. */
static struct stage *stage_new(const char *timeline)
{
    const struct plans_text text = {.peers = "  c tcp\n  d tcp\n", .timeline = timeline};
    static struct stage stage;

    stage = (struct stage){.plan = plans_make(&text)};
    fake_os_init(&stage.kernel);
    assert_int_equal(faults_open(&stage.faults, fake_os_table(&stage.kernel), stage.plan,
                                 &stage.remarks, &stage.os),
                     0);
    for (uint32_t i = 0; i < stage.plan->statement_count; i++) {
        const struct plan_statement *s = &stage.plan->statements[i];
        const struct sut_verb verb = {
            .kind = SUT_FAULT, .line = 7, .peer = s->peer, .fault = s->fault};

        if (s->verb == PLAN_FAULT)
            assert_int_equal(faults_add(&stage.faults, &verb), 0);
    }
    return &stage;
}

static void arm(struct stage *stage, uint32_t peer, int fd)
{
    uint32_t line = 0;

    assert_int_equal(faults_arm(&stage->faults, peer, fd, DATA, &line), 0);
}

static void expect_reads(struct stage *stage, int fd, long result, int times)
{
    char byte;

    while (times-- > 0)
        assert_int_equal(os_read(stage->os, fd, &byte, 1), result);
}

/* Ends the stage; exactly these lines have been said. */
static void stage_end(struct stage *stage, const char *const *lines, size_t count)
{
    faults_close(&stage->faults);
    remarks_tell(&stage->remarks, &stage->told);
    for (size_t i = 0; i < count && i < stage->told.count; i++)
        assert_string_equal(stage->told.line[i], lines[i]);
    assert_int_equal(stage->told.count, count);
    lines_free(&stage->told);
    plan_free(stage->plan);
}

#define SAID(stage, ...)                                \
    stage_end(stage, (const char *const[]){__VA_ARGS__}, \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define SAID_NOTHING(stage) stage_end(stage, NULL, 0)

#define CONNECTS "  0ms c connect\n  0ms d connect\n"

static void a_rule_waits_for_the_source_of_its_peer(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault read c EINTR x2\n" CONNECTS);
    int d = fake_os_stream(&stage->kernel);
    int c = fake_os_stream(&stage->kernel);

    (void)state;
    arm(stage, 1, d);
    expect_reads(stage, d, -EAGAIN, 1);
    arm(stage, 0, c);
    arm(stage, 0, c); /* a rule is armed once */
    expect_reads(stage, c, -EINTR, 2);
    expect_reads(stage, c, -EAGAIN, 1);
    assert_int_equal(os_close(stage->os, c), 0);
    SAID_NOTHING(stage);
}

static void what_was_not_used_by_the_close_is_told(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault read c EINTR x2\n"
                                    "  0ms sut fault read c short=5 x3\n"
                                    "  0ms sut fault read c ETIMEDOUT\n"
                                    "  0ms sut fault read c EIO always\n" CONNECTS);
    int c = fake_os_stream(&stage->kernel);

    (void)state;
    arm(stage, 0, c);
    expect_reads(stage, c, -EINTR, 2);
    expect_reads(stage, c, -EAGAIN, 1);
    assert_int_equal(os_close(stage->os, c), 0);
    SAID(stage, "line 7: sut fault read c short=5: 2 of 3 not used",
         "line 7: sut fault read c ETIMEDOUT: 1 of 1 not used",
         "line 7: sut fault read c EIO: never used");
}

static void one_for_ever_is_told_only_when_no_call_met_it(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault read c EINTR always\n"
                                    "  0ms sut fault read d EINTR always\n"
                                    "  0ms sut fault accept EMFILE always\n" CONNECTS);
    int c = fake_os_stream(&stage->kernel);
    int d = fake_os_stream(&stage->kernel);

    (void)state;
    arm(stage, 0, c);
    arm(stage, 1, d);
    expect_reads(stage, c, -EINTR, 3);
    assert_int_equal(os_close(stage->os, c), 0);
    assert_int_equal(os_close(stage->os, d), 0);
    SAID(stage, "line 7: sut fault read d EINTR: never used",
         "line 7: sut fault accept EMFILE: never used");
}

static void rules_of_another_descriptor_do_not_count(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault read c EINTR\n"
                                    "  0ms sut fault read d EINTR x2\n"
                                    "  0ms sut fault accept EMFILE x2\n" CONNECTS);
    int listener = fake_os_listener(&stage->kernel);
    int c = fake_os_stream(&stage->kernel);
    int d = fake_os_stream(&stage->kernel);

    (void)state;
    arm(stage, PLAN_NOBODY, listener);
    arm(stage, 1, d);
    arm(stage, 0, c);
    expect_reads(stage, c, -EINTR, 1);
    expect_reads(stage, d, -EINTR, 1);
    assert_int_equal(os_accept(stage->os, listener), -EMFILE);
    assert_int_equal(os_close(stage->os, c), 0);
    assert_int_equal(os_close(stage->os, d), 0);
    assert_int_equal(os_close(stage->os, listener), 0);
    SAID(stage, "line 7: sut fault read d EINTR: 1 of 2 not used",
         "line 7: sut fault accept EMFILE: 1 of 2 not used");
}

static void a_rule_whose_source_never_came_is_told(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault read c EINTR x3\n"
                                    "  0ms sut fault wait hold d\n" CONNECTS);

    (void)state;
    SAID(stage, "line 7: sut fault read c EINTR: 3 of 3 not used",
         "line 7: sut fault wait hold d: 1 of 1 not used");
}

static void collect(struct stage *stage, int notices)
{
    struct os_event events[4];

    assert_int_equal(os_wait(stage->os, events, 4, INSTANT_PAST), notices);
}

/* A stream with something to report. */
static int noisy(struct stage *stage)
{
    int fd = fake_os_stream(&stage->kernel);

    assert_int_equal(os_ctl(stage->os, OS_ADD, fd, OS_IN, DATA), 0);
    fake_os_arrive(&stage->kernel, fd, "x", 1);
    return fd;
}

static void retire(struct stage *stage, int fd)
{
    assert_int_equal(os_ctl(stage->os, OS_DEL, fd, 0, 0), 0);
    assert_int_equal(os_close(stage->os, fd), 0);
}

static void a_hold_that_caught_nothing_is_told(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault wait hold c\n" CONNECTS);
    int c = fake_os_stream(&stage->kernel);

    (void)state;
    arm(stage, 0, c);
    collect(stage, 0);
    assert_int_equal(os_close(stage->os, c), 0);
    SAID(stage, "line 7: sut fault wait hold c: no notice came");
}

static void a_hold_whose_number_stays_free_is_told(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault wait hold c\n" CONNECTS);
    int c = noisy(stage);

    (void)state;
    arm(stage, 0, c);
    collect(stage, 0);
    retire(stage, c);
    SAID(stage, "line 7: sut fault wait hold c: its number got no other source");
}

static void a_hold_that_came_due_says_nothing_and_leaves_room_for_another(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault wait hold c\n"
                                    "  0ms sut fault wait hold d\n" CONNECTS);
    int listener = fake_os_listener(&stage->kernel);
    int c = noisy(stage);
    uint32_t line = 0;

    (void)state;
    arm(stage, 0, c);
    assert_int_equal(faults_arm(&stage->faults, 1, 9, DATA, &line), -EBUSY);
    assert_int_equal(line, 7);
    collect(stage, 0);
    retire(stage, c);
    fake_os_connect(&stage->kernel, listener);
    assert_int_equal(os_accept(stage->os, listener), c);
    collect(stage, 1);
    arm(stage, 1, c);
    SAID(stage, "line 7: sut fault wait hold d: its number got no other source");
}

static void more_rules_at_once_than_there_is_room_for_are_an_error(void **state)
{
    struct stage *stage = stage_new("  0ms sut fault read c EINTR repeat=65\n" CONNECTS);
    uint32_t line = 0;

    (void)state;
    assert_int_equal(faults_arm(&stage->faults, 0, 3, DATA, &line), -ENOSPC);
    assert_int_equal(line, 7);
    faults_close(&stage->faults);
    plan_free(stage->plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_waits_for_the_source_of_its_peer),
        cmocka_unit_test(what_was_not_used_by_the_close_is_told),
        cmocka_unit_test(one_for_ever_is_told_only_when_no_call_met_it),
        cmocka_unit_test(rules_of_another_descriptor_do_not_count),
        cmocka_unit_test(a_rule_whose_source_never_came_is_told),
        cmocka_unit_test(a_hold_that_caught_nothing_is_told),
        cmocka_unit_test(a_hold_whose_number_stays_free_is_told),
        cmocka_unit_test(a_hold_that_came_due_says_nothing_and_leaves_room_for_another),
        cmocka_unit_test(more_rules_at_once_than_there_is_room_for_are_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
