/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/world/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/peer.h"
#include "harness/sut/callers.h"
#include "harness/sut/inproc.h"

/* The world, and of the sut only a listener. */
struct ground {
    struct sim sim;
    struct world world;
    struct failure failure;
    struct sys_sim process;
    struct sys sys; /* of the sut */
    int listener;
};

static const struct plan two_peers = {.peer_count = 2};

static void ground_open(struct ground *ground, enum plan_family family, int backlog)
{
    struct sockaddr_storage address;
    socklen_t length;

    *ground = (struct ground){.listener = -1};
    ground->world = sim_world(&ground->sim, &two_peers);
    assert_int_equal(ground->world.ops->open(ground->world.self, family, &ground->failure), 0);
    ground->sys = sys_sim_open(&ground->process, ground->world.ops->sut_kernel(ground->world.self),
                               INPROC_SUT);
    if (family == PLAN_PIPE)
        return;
    assert_int_equal(ground->world.ops->listener(ground->world.self, &address, &length), 0);
    ground->listener = sys_socket(ground->sys, address.ss_family, SOCK_STREAM, 0);
    assert_true(ground->listener >= 0);
    assert_int_equal(sys_setsockopt(ground->sys, ground->listener, SOL_SOCKET, SO_RCVBUF,
                                    &(int){4096}, sizeof(int)), 0);
    assert_int_equal(sys_bind(ground->sys, ground->listener, (struct sockaddr *)&address, length),
                     0);
    assert_int_equal(sys_listen(ground->sys, ground->listener, backlog), 0);
}

static void ground_close(struct ground *ground)
{
    ground->world.ops->close(ground->world.self);
    ground->world.ops->close(ground->world.self);
}

static void call(struct ground *ground, uint32_t number, struct peer *peer,
                 struct confirm *confirm)
{
    const struct plan_sockets sockets = {.rcvbuf = 4096, .sndbuf = 4096};
    const struct world_ops *ops = ground->world.ops;
    struct sockaddr_storage near, far;
    socklen_t near_length, far_length;

    peer_open(peer, ops->sys(ground->world.self), "c", ground->sim.family, &sockets);
    assert_int_equal(ops->caller(ground->world.self, number, &near, &near_length), 0);
    assert_int_equal(callers_peer(&near, near_length), number);
    assert_int_equal(peer_bind(peer, (struct sockaddr *)&near, near_length), 0);
    assert_int_equal(ops->listener(ground->world.self, &far, &far_length), 0);
    assert_int_equal(peer_connect(peer, (struct sockaddr *)&far, far_length), 0);
    ops->confirm(ground->world.self, confirm, peer);
}

static void it_needs_no_link_and_has_no_capture(void **state)
{
    struct ground ground;

    (void)state;
    ground_open(&ground, PLAN_IPV4, 1);
    assert_null(ground.world.ops->sut_space(ground.world.self));
    assert_false(ground.world.ops->has_link(ground.world.self));
    assert_int_equal(ground.world.ops->collect(ground.world.self, NULL, &ground.failure), 0);
    assert_int_equal(ground.world.ops->finish(ground.world.self, NULL, &ground.failure), 0);
    assert_true(ground.world.ops->stepped);
    ground_close(&ground);
}

static bool never(void *arg)
{
    (*(unsigned *)arg)++;
    return false;
}

static bool third_time(void *arg)
{
    return ++*(unsigned *)arg == 3;
}

static void time_passes_in_the_pump_alone_and_takes_none(void **state)
{
    struct ground ground;
    struct instant begin, hour;
    unsigned asked = 0;

    (void)state;
    ground_open(&ground, PLAN_PIPE, 0);
    begin = sys_now(ground.sys);
    hour = instant_add(begin, DURATION_MS(3600000));
    assert_int_equal(ground.world.ops->pump(ground.world.self, hour, NULL, NULL), 0);
    assert_true(instant_equal(sys_now(ground.sys), hour));
    /* What is past is no reason to wait. */
    assert_int_equal(ground.world.ops->pump(ground.world.self, begin, NULL, NULL), 0);
    assert_true(instant_equal(sys_now(ground.sys), hour));
    assert_int_equal(ground.world.ops->pump(ground.world.self, begin, never, &asked), 0);
    assert_int_equal(asked, 1);
    asked = 0;
    assert_int_equal(ground.world.ops->pump(ground.world.self,
                                            instant_add(hour, DURATION_MS(1)), third_time,
                                            &asked), 1);
    assert_true(instant_before(sys_now(ground.sys), instant_add(hour, DURATION_MS(1))));
    ground_close(&ground);
}

static void what_was_taken_has_arrived(void **state)
{
    const enum plan_family *family = *state;
    struct ground ground;
    struct confirm confirm;
    struct peer peer;

    ground_open(&ground, *family, 1);
    call(&ground, 1, &peer, &confirm);
    assert_int_equal(confirm_check(&confirm, 0), CONFIRM_DONE);
    assert_int_equal(peer_queue(&peer, "abc", 3), 0);
    /* Lined up only: nobody has taken it. */
    assert_int_equal(confirm_check(&confirm, 0), CONFIRM_PENDING);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(confirm_check(&confirm, 0), CONFIRM_DONE);
    assert_int_equal(confirm.arrived, 3);
    assert_int_equal(peer_close(&peer), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(confirm_check(&confirm, 0), CONFIRM_DONE);
    peer_free(&peer);
    ground_close(&ground);
}

static void what_has_no_room_waits_for_the_sut(void **state)
{
    static uint8_t much[20000];
    const enum plan_family *family = *state;
    struct ground ground;
    struct confirm confirm;
    struct peer peer;
    int fd;

    ground_open(&ground, *family, 1);
    call(&ground, 0, &peer, &confirm);
    assert_int_equal(peer_queue(&peer, much, sizeof(much)), 0);
    (void)peer_push(&peer);
    assert_int_equal(confirm_check(&confirm, 0), CONFIRM_BLOCKED);
    assert_true(confirm.arrived < sizeof(much));
    fd = sys_accept(ground.sys, ground.listener);
    assert_int_equal(sys_unread(ground.sys, fd), confirm.arrived);
    for (int i = 0; i < 10000 && peer_busy(&peer); i++) {
        (void)sys_read(ground.sys, fd, much, sizeof(much));
        (void)peer_push(&peer);
    }
    (void)sys_read(ground.sys, fd, much, sizeof(much));
    assert_int_equal(confirm_check(&confirm, 0), CONFIRM_DONE);
    assert_int_equal(confirm.arrived, sizeof(much));
    peer_free(&peer);
    ground_close(&ground);
}

struct waiting {
    struct peer *peer;
    struct confirm *confirm;
};

static bool arrived(void *arg)
{
    struct waiting *waiting = arg;

    (void)peer_push(waiting->peer);
    return confirm_check(waiting->confirm, 0) == CONFIRM_DONE;
}

/* Over TCP its SYN comes again after a second (E79). */
static void a_full_backlog_blocks_and_then_only_time_is_missing(void **state)
{
    const enum plan_family *family = *state;
    struct ground ground;
    struct confirm confirms[2];
    struct peer peers[2];
    struct waiting waiting = {&peers[1], &confirms[1]};
    struct instant begin;

    ground_open(&ground, *family, 0);
    call(&ground, 0, &peers[0], &confirms[0]);
    call(&ground, 1, &peers[1], &confirms[1]);
    assert_int_equal(peers[1].state, PEER_CONNECTING);
    assert_int_equal(confirm_check(&confirms[1], 0), CONFIRM_BLOCKED);
    assert_int_equal(confirms[1].missing, CONFIRM_MISSING_CONNECT);
    assert_true(sys_accept(ground.sys, ground.listener) >= 0);
    begin = sys_now(ground.sys);
    if (*family != PLAN_UNIX)
        assert_int_equal(confirm_check(&confirms[1], 0), CONFIRM_PENDING);
    assert_int_equal(ground.world.ops->pump(ground.world.self,
                                            instant_add(begin, DURATION_MS(5000)), arrived,
                                            &waiting), 1);
    assert_int_equal(peers[1].state, PEER_OPEN);
    peer_free(&peers[0]);
    peer_free(&peers[1]);
    ground_close(&ground);
}

int main(void)
{
    static enum plan_family families[] = {PLAN_IPV4, PLAN_IPV6, PLAN_UNIX};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_needs_no_link_and_has_no_capture),
        cmocka_unit_test(time_passes_in_the_pump_alone_and_takes_none),
        cmocka_unit_test_prestate(what_was_taken_has_arrived, &families[0]),
        cmocka_unit_test_prestate(what_was_taken_has_arrived, &families[1]),
        cmocka_unit_test_prestate(what_was_taken_has_arrived, &families[2]),
        cmocka_unit_test_prestate(what_has_no_room_waits_for_the_sut, &families[0]),
        cmocka_unit_test_prestate(what_has_no_room_waits_for_the_sut, &families[2]),
        cmocka_unit_test_prestate(a_full_backlog_blocks_and_then_only_time_is_missing,
                                  &families[0]),
        cmocka_unit_test_prestate(a_full_backlog_blocks_and_then_only_time_is_missing,
                                  &families[2]),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
