/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/world/veth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/conduct/bench.h"
#include "harness/interrupted.h"

struct ground {
    struct veth veth;
    struct world world;
    struct failure failure;
};

/* Skips where no namespace can be had. */
static void ground_begin(struct ground *ground, enum plan_family family)
{
    struct bench_failure failure = {0};

    *ground = (struct ground){.failure = {0}};
    if (bench_prepare(RESULT_WORLD_VETH, &failure) < 0) {
        print_message("%s\n", failure.text);
        skip();
    }
    ground->world = veth_world(&ground->veth);
    if (ground->world.ops->open(ground->world.self, family, &ground->failure) < 0)
        fail_msg("%s", ground->failure.text);
}

static void ground_end(struct ground *ground)
{
    ground->world.ops->close(ground->world.self);
    ground->world.ops->close(ground->world.self);
}

static void a_world_that_was_never_opened_can_be_closed(void **state)
{
    struct ground ground;

    (void)state;
    ground.world = veth_world(&ground.veth);
    ground_end(&ground);
}

static void ip_has_a_link_and_two_namespaces(void **state)
{
    static const enum plan_family families[] = {PLAN_IPV4, PLAN_IPV6};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ground ground;
        struct sockaddr_storage address;
        socklen_t length;
        struct stat own;
        struct stat sut;
        struct stat peer;

        ground_begin(&ground, families[i]);
        assert_true(ground.world.ops->has_link(ground.world.self));
        assert_int_equal(ground.world.ops->listener(ground.world.self, &address, &length), 0);
        assert_int_equal(address.ss_family, i == 0 ? AF_INET : AF_INET6);
        assert_int_equal(stat("/proc/thread-self/ns/net", &own), 0);
        assert_int_equal(fstat(ground.world.ops->sut_space(ground.world.self)->fd, &sut), 0);
        assert_int_equal(fstat(ground.veth.peer.fd, &peer), 0);
        assert_true(own.st_ino != sut.st_ino && sut.st_ino != peer.st_ino);
        ground_end(&ground);
    }
}

static void local_families_have_one_namespace_and_no_capture(void **state)
{
    static const enum plan_family families[] = {PLAN_UNIX, PLAN_PIPE};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ground ground;
        struct packet_list packets;

        ground_begin(&ground, families[i]);
        packet_list_init(&packets, 10, 1000);
        assert_false(ground.world.ops->has_link(ground.world.self));
        assert_int_equal(ground.veth.peer.fd, -1);
        assert_int_equal(
            ground.world.ops->collect(ground.world.self, &packets, &ground.failure), 0);
        assert_int_equal(ground.world.ops->finish(ground.world.self, &packets, &ground.failure),
                         0);
        assert_int_equal(packets.count, 0);
        packet_list_free(&packets);
        ground_end(&ground);
    }
}

static void the_unix_listener_has_the_suts_name(void **state)
{
    struct ground ground;
    struct sockaddr_storage address;
    const struct sockaddr_un *local = (const struct sockaddr_un *)&address;
    socklen_t length;

    (void)state;
    ground_begin(&ground, PLAN_UNIX);
    assert_int_equal(ground.world.ops->listener(ground.world.self, &address, &length), 0);
    assert_int_equal(local->sun_family, AF_UNIX);
    assert_int_equal(local->sun_path[0], 0);
    assert_memory_equal(local->sun_path + 1, "edgewise-sut", 12);
    ground_end(&ground);
}

/* A refused connection: SYN and RST cross the link and are captured, the marker is not kept. */
static void what_crosses_the_link_is_captured(void **state)
{
    struct ground ground;
    struct sockaddr_storage address;
    struct packet_list packets;
    socklen_t length;
    struct sys sys;
    int fd;

    (void)state;
    ground_begin(&ground, PLAN_IPV4);
    packet_list_init(&packets, 100, 100000);
    sys = ground.world.ops->sys(ground.world.self);
    assert_int_equal(ground.world.ops->listener(ground.world.self, &address, &length), 0);
    fd = sys_socket(sys, AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    (void)sys_connect(sys, fd, (const struct sockaddr *)&address, length);
    assert_int_equal(sys_close(sys, fd), 0);
    assert_int_equal(ground.world.ops->finish(ground.world.self, &packets, &ground.failure), 0);
    assert_int_equal(packets.count, 2);
    packet_list_free(&packets);
    ground_end(&ground);
}

/* --- Letting time pass --- */

struct counting {
    unsigned asked;
    unsigned yes_after;
};

static bool count(void *arg)
{
    struct counting *counting = arg;

    return ++counting->asked > counting->yes_after;
}

static int pump(struct ground *ground, struct instant until, struct counting *counting)
{
    return ground->world.ops->pump(ground->world.self, until, counting ? count : NULL, counting);
}

static void a_condition_is_asked_at_once_and_until_it_is_true(void **state)
{
    struct ground ground;
    struct counting counting = {0};

    (void)state;
    ground_begin(&ground, PLAN_PIPE);
    assert_int_equal(pump(&ground, INSTANT_PAST, &counting), 1);
    assert_int_equal(counting.asked, 1);
    counting = (struct counting){.yes_after = 500};
    assert_int_equal(pump(&ground, INSTANT_NEVER, &counting), 1);
    assert_int_equal(counting.asked, 501);
    counting = (struct counting){.yes_after = UINT32_MAX - 1};
    assert_int_equal(pump(&ground, INSTANT_PAST, &counting), 0);
    assert_int_equal(counting.asked, 1);
    ground_end(&ground);
}

static void time_is_never_early(void **state)
{
    struct ground ground;
    struct sys sys;

    (void)state;
    ground_begin(&ground, PLAN_PIPE);
    sys = ground.world.ops->sys(ground.world.self);
    for (int us = 1; us < 5000; us *= 3)
        for (int asking = 0; asking < 2; asking++) {
            struct counting counting = {.yes_after = UINT32_MAX - 1};
            struct instant until = instant_add(sys_now(sys), DURATION_US(us));

            assert_int_equal(pump(&ground, until, asking ? &counting : NULL), 0);
            assert_false(instant_before(sys_now(sys), until));
        }
    ground_end(&ground);
}

/* Last: an interruption is for good. A condition that is true all the same is told. */
static void an_interruption_ends_every_wait(void **state)
{
    struct ground ground;
    struct counting counting = {.yes_after = UINT32_MAX - 1};

    (void)state;
    ground_begin(&ground, PLAN_PIPE);
    interrupted_set();
    assert_int_equal(pump(&ground, INSTANT_NEVER, NULL), -EINTR);
    assert_int_equal(pump(&ground, INSTANT_NEVER, &counting), -EINTR);
    counting = (struct counting){0};
    assert_int_equal(pump(&ground, INSTANT_NEVER, &counting), 1);
    ground_end(&ground);
}

/* In a process of its own, since the limit cannot be undone. */
static void without_descriptors_it_says_so(void **state)
{
    pid_t child = fork();
    int status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = {.rlim_cur = 3, .rlim_max = 3};
        struct failure failure = {0};
        struct veth veth;
        struct world world = veth_world(&veth);

        (void)setrlimit(RLIMIT_NOFILE, &none);
        status = world.ops->open(world.self, PLAN_IPV4, &failure);
        _exit(status == -EMFILE && failure.text[0] != '\0' ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_that_was_never_opened_can_be_closed),
        cmocka_unit_test(without_descriptors_it_says_so),
        cmocka_unit_test(ip_has_a_link_and_two_namespaces),
        cmocka_unit_test(local_families_have_one_namespace_and_no_capture),
        cmocka_unit_test(the_unix_listener_has_the_suts_name),
        cmocka_unit_test(what_crosses_the_link_is_captured),
        cmocka_unit_test(a_condition_is_asked_at_once_and_until_it_is_true),
        cmocka_unit_test(time_is_never_early),
        cmocka_unit_test(an_interruption_ends_every_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
