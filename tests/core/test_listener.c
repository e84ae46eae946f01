/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/listener.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "core/os_fault.h"
#include "tests/support/bed.h"
#include "tests/support/rows.h"

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/* A listener whose connections may be closed again inside their `open`. */
struct hall {
    struct fake_os kernel;
    struct os_fault fault;
    struct reactor *r;
    struct journal *journal;
    struct reactor_protocol protocol;
    struct reactor_config config;
    struct identity listener;
    int fd;
    uint32_t opens;
    bool close_at_once;
    bool close_listener;
    struct identity last;
};

static void hall_open(struct reactor *r, struct identity id, void *app)
{
    struct hall *hall = app;

    hall->opens++;
    hall->last = id;
    if (hall->close_listener)
        assert_int_equal(reactor_close(r, hall->listener), 0);
    if (hall->close_at_once)
        assert_int_equal(reactor_close(r, id), 0);
}

static const struct reactor_handlers hall_handlers = {.open = hall_open};

static struct hall *hall_new(uint32_t slots)
{
    struct hall *hall = calloc(1, sizeof(*hall));
    struct os os;

    assert_non_null(hall);
    fake_os_init(&hall->kernel);
    hall->journal = rows_new();
    hall->protocol = (struct reactor_protocol){
        .limits = {.bytes = 10, .attempts = 10},
        .handlers = &hall_handlers,
    };
    hall->config = (struct reactor_config){
        .slots = slots,
        .collect = 16,
        .protocols = &hall->protocol,
        .protocol_count = 1,
        .inbox = 2,
        .journal = hall->journal,
        .app = hall,
        .checks = true,
    };
    os = os_fault_wrap(&hall->fault, fake_os_table(&hall->kernel));
    assert_int_equal(reactor_open(&hall->config, os, &hall->r), 0);
    hall->fd = fake_os_listener(&hall->kernel);
    assert_int_equal(reactor_listen(hall->r, hall->fd, 0, &hall->listener), 0);
    return hall;
}

static void hall_free(struct hall *hall)
{
    reactor_free(hall->r);
    rows_free(hall->journal);
    free(hall);
}

static void connect_many(struct hall *hall, int count)
{
    for (int i = 0; i < count; i++)
        fake_os_connect(&hall->kernel, hall->fd);
}

static void turn(struct hall *hall)
{
    assert_int_equal(reactor_round(hall->r), 1);
}

static void rest(struct hall *hall)
{
    unsigned before = hall->kernel.sleeps;

    for (int i = 0; i < 100 && hall->kernel.sleeps == before; i++)
        turn(hall);
    assert_int_equal(hall->kernel.sleeps, before + 1);
}

static void fault(struct hall *hall, int error, uint32_t times)
{
    struct os_fault_rule rule = {
        .call = OS_FAULT_ACCEPT, .fd = hall->fd, .error = error, .times = times};

    assert_int_equal(os_fault_add(&hall->fault, &rule), 0);
}

static void a_turn_is_bounded_and_the_rest_does_not_sleep(void **state)
{
    struct hall *hall = hall_new(4);

    (void)state;
    hall->close_at_once = true;
    connect_many(hall, 2 * LISTENER_TURN + 1);
    turn(hall);
    assert_int_equal(hall->opens, LISTENER_TURN);
    turn(hall);
    assert_int_equal(hall->opens, 2 * LISTENER_TURN);
    turn(hall);
    assert_int_equal(hall->opens, 2 * LISTENER_TURN + 1);
    assert_int_equal(hall->kernel.sleeps, 0);
    rest(hall);
    assert_int_equal(rows_count(hall->journal, "accept 0 result=-11"), 1);
    hall_free(hall);
}

static void two_listeners_share_a_turn(void **state)
{
    struct hall *hall = hall_new(4);
    struct identity other;
    int fd = fake_os_listener(&hall->kernel);

    (void)state;
    hall->close_at_once = true;
    assert_int_equal(reactor_listen(hall->r, fd, 0, &other), 0);
    connect_many(hall, LISTENER_TURN + 5);
    fake_os_connect(&hall->kernel, fd);
    turn(hall);
    assert_int_equal(hall->opens, LISTENER_TURN + 1);
    rest(hall);
    assert_int_equal(hall->opens, LISTENER_TURN + 6);
    hall_free(hall);
}

static void a_connection_that_was_aborted_costs_only_itself(void **state)
{
    static const char *const rows[] = {
        "notice 0 IN",
        "accept 0 result=-103",
        "accept 0 result=-4",
        "accept 0 result=0 1",
        "ctl 1 add was=0 now=IN|RDHUP|ET result=0",
        "accept 0 result=-11",
    };
    struct hall *hall = hall_new(4);
    uint64_t from = 0;

    (void)state;
    fault(hall, ECONNABORTED, 1);
    fault(hall, EINTR, 1);
    connect_many(hall, 1);
    rest(hall);
    rows_expect(hall->journal, &from, rows, LENGTH(rows));
    hall_free(hall);
}

static void an_endless_interruption_is_bounded_by_the_turn(void **state)
{
    struct hall *hall = hall_new(4);

    (void)state;
    fault(hall, EINTR, 0);
    connect_many(hall, 1);
    turn(hall);
    assert_int_equal(rows_count(hall->journal, "accept 0 result=-4"), LISTENER_TURN);
    turn(hall);
    assert_int_equal(hall->kernel.sleeps, 0);
    hall_free(hall);
}

static void without_descriptors_it_rests_until_something_is_closed(void **state)
{
    struct hall *hall = hall_new(4);

    (void)state;
    connect_many(hall, 1);
    rest(hall);
    assert_int_equal(hall->opens, 1);
    fault(hall, EMFILE, 1);
    connect_many(hall, 1);
    rest(hall); /* with a connection pending, and without a spin */
    assert_int_equal(hall->opens, 1);
    assert_int_equal(rows_count(hall->journal, "accept 0 result=-24"), 1);
    assert_int_equal(reactor_close(hall->r, hall->last), 0);
    rest(hall);
    assert_int_equal(hall->opens, 2);
    hall_free(hall);
}

static void without_a_slot_the_listener_is_silent_until_one_is_free(void **state)
{
    struct hall *hall = hall_new(2);

    (void)state;
    connect_many(hall, 3);
    rest(hall);
    assert_int_equal(hall->opens, 1);
    assert_int_equal(hall->kernel.files[hall->fd].mask, 0);
    rest(hall); /* pending connections, and no spin */
    for (uint32_t opens = 2; opens <= 3; opens++) {
        assert_int_equal(reactor_close(hall->r, hall->last), 0);
        rest(hall);
        assert_int_equal(hall->opens, opens);
    }
    hall_free(hall);
}

static void a_listener_closed_by_its_own_connection_accepts_no_more(void **state)
{
    struct hall *hall = hall_new(4);

    (void)state;
    hall->close_listener = true;
    connect_many(hall, 3);
    rest(hall);
    assert_int_equal(hall->opens, 1);
    assert_false(hall->kernel.files[hall->fd].open);
    assert_int_equal(rows_count(hall->journal, "accept"), 1);
    hall_free(hall);
}

static void a_connection_without_an_entry_is_closed_and_the_next_one_taken(void **state)
{
    struct hall *hall = hall_new(4);
    unsigned open_files = 0;

    (void)state;
    connect_many(hall, 2);
    hall->kernel.fail_ctl = ENOSPC;
    rest(hall);
    assert_int_equal(hall->opens, 1);
    assert_int_equal(reactor_account(hall->r)->accepts, 2);
    assert_int_equal(reactor_account(hall->r)->ctl_errors, 1);
    for (int fd = 0; fd < FAKE_OS_FDS; fd++)
        open_files += hall->kernel.files[fd].open;
    assert_int_equal(open_files, 2);
    hall_free(hall);
}

/* Whoever reads the rows counts sources by "accept = 0": one that never came into service must not
 * be among them, or must be seen to go. */
static void a_connection_without_an_entry_is_no_source_in_the_journal(void **state)
{
    struct hall *hall = hall_new(4);

    (void)state;
    connect_many(hall, 2);
    hall->kernel.fail_ctl = ENOSPC;
    rest(hall);
    assert_int_equal(rows_count(hall->journal, "accept 0 result=0"),
                     hall->opens + rows_count(hall->journal, "close"));
    hall_free(hall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_bounded_and_the_rest_does_not_sleep),
        cmocka_unit_test(two_listeners_share_a_turn),
        cmocka_unit_test(a_connection_that_was_aborted_costs_only_itself),
        cmocka_unit_test(an_endless_interruption_is_bounded_by_the_turn),
        cmocka_unit_test(without_descriptors_it_rests_until_something_is_closed),
        cmocka_unit_test(without_a_slot_the_listener_is_silent_until_one_is_free),
        cmocka_unit_test(a_listener_closed_by_its_own_connection_accepts_no_more),
        cmocka_unit_test(a_connection_without_an_entry_is_closed_and_the_next_one_taken),
        cmocka_unit_test(a_connection_without_an_entry_is_no_source_in_the_journal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
