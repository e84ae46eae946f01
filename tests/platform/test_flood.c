/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Near a full buffer two kernels may differ in how much they take when. What holds on each: all
 * bytes in order, EAGAIN in the end, and the edge that is owed after it (A14, A15, E38). */

#define STEPS 3000
#define PIECE 8192
#define SMALL 20000 /* SO_SNDBUF where there is one */

struct flood {
    struct rig *rig;
    struct rig_pair pair; /* far sends, near reads */
    uint64_t seed;
    uint64_t sent;
    uint64_t got;
    bool owed; /* a send was EAGAIN, and no OUT has come since */
    unsigned blocked;
};

static uint32_t draw(struct flood *flood, uint32_t below)
{
    flood->seed ^= flood->seed << 13;
    flood->seed ^= flood->seed >> 7;
    flood->seed ^= flood->seed << 17;
    return (uint32_t)(flood->seed >> 33) % below;
}

/* The byte at a place of the stream. */
static uint8_t byte_at(uint64_t place)
{
    return (uint8_t)(place * 31 + place / 256);
}

/* One send of a random size. False when there is no room. */
static bool send_piece(struct flood *flood)
{
    uint8_t bytes[PIECE];
    size_t size = 1 + draw(flood, PIECE);
    long result;

    for (size_t i = 0; i < size; i++)
        bytes[i] = byte_at(flood->sent + i);
    result = sys_write(rig_far_sys(flood->rig), flood->pair.far, bytes, size);
    if (result == -EAGAIN) {
        flood->owed = true;
        flood->blocked++;
        return false;
    }
    assert_in_range(result, 1, size);
    flood->sent += (uint64_t)result;
    return true;
}

static bool read_piece(struct flood *flood)
{
    uint8_t bytes[PIECE];
    long result = sys_read(rig_sys(flood->rig), flood->pair.near, bytes, 1 + draw(flood, PIECE));

    if (result == -EAGAIN)
        return false;
    assert_true(result > 0);
    for (long i = 0; i < result; i++)
        assert_int_equal(bytes[i], byte_at(flood->got + (uint64_t)i));
    flood->got += (uint64_t)result;
    return true;
}

/* Collects; the edge that is owed may be among it. Behind a level that says OUT it must have
 * been. */
static void collect(struct flood *flood)
{
    bool writable = strstr(rig_level(flood->rig, flood->pair.far), "OUT") != NULL;

    if (strstr(rig_look(flood->rig, 8), "OUT") != NULL)
        flood->owed = false;
    else if (writable)
        assert_false(flood->owed);
}

static void settle(struct flood *flood)
{
    struct sys sys = rig_sys(flood->rig);
    struct instant limit = instant_add(sys_now(sys), DURATION_MS(20000));

    while (flood->got < flood->sent) {
        struct pollfd entry = {.fd = flood->pair.near, .events = POLLIN};

        assert_int_equal(sys_poll(sys, &entry, 1, limit), 1);
        while (read_piece(flood)) {
        }
    }
}

/* Read to its end, so a sender that is owed an edge has got one once there is room. */
static void expect_edge(struct flood *flood)
{
    struct sys sys = rig_far_sys(flood->rig);
    struct pollfd entry = {.fd = flood->pair.far, .events = POLLOUT};

    assert_int_equal(sys_poll(sys, &entry, 1, instant_add(sys_now(sys), DURATION_MS(20000))), 1);
    collect(flood);
    assert_false(flood->owed);
}

static void floods_keep_order_and_owe_an_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct flood flood = {.rig = rig, .pair = rig_connect(rig), .seed = 88172645463325252};

    if (rig_ground_of(rig) != RIG_PIPE)
        assert_int_equal(sys_setsockopt(rig_far_sys(rig), flood.pair.far, SOL_SOCKET, SO_SNDBUF,
                                        &(int){SMALL}, sizeof(int)), 0);
    rig_watch(rig, 'w', flood.pair.far, EPOLLOUT | EPOLLET);
    for (int i = 0; i < STEPS; i++) {
        uint32_t what = draw(&flood, 16);

        if (what < 8)
            (void)send_piece(&flood);
        else if (what < 13)
            (void)read_piece(&flood);
        else if (what < 15)
            collect(&flood);
        else
            while (send_piece(&flood)) {
            }
        if (i % 100 == 99) {
            settle(&flood);
            expect_edge(&flood);
        }
    }
    rig_fin(rig, flood.pair.far);
    settle(&flood);
    assert_true(flood.blocked > STEPS / 100);
    assert_string_equal(rig_reads(rig, flood.pair.near, 8, 1), "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT_STREAMS(floods_keep_order_and_owe_an_edge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
