/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/adversary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

/* Each freedom shows itself under some seed, and keeps its bounds under all. */

#define SEEDS  200
#define EVENTS 4

struct room {
    struct kernel *k;
    int epoll;
    int counters[EVENTS];
    int ends[2]; /* of a pipe */
};

static void open_room(struct room *room, uint32_t freedoms, uint32_t seed)
{
    const struct kernel_config config = {
        .processes = 1, .descriptors = 16, .descriptions = 16, .items = 8, .epolls = 1,
        .pipes = 1, .counters = EVENTS, .timers = 1, .blocks = 8, .block_size = 64,
        .sndbuf = 4608, .rcvbuf = 4608, .freedoms = freedoms, .seed = seed,
    };
    void *memory = malloc(kernel_size(&config));

    assert_non_null(memory);
    room->k = kernel_init(memory, &config);
    room->epoll = kernel_epoll(room->k, 0);
    assert_int_equal(kernel_pipe(room->k, 0, room->ends), 0);
    for (int i = 0; i < EVENTS; i++) {
        room->counters[i] = kernel_eventfd(room->k, 0, 1, false);
        assert_int_equal(kernel_epoll_ctl(room->k, 0, room->epoll, OS_ADD, room->counters[i],
                                          OS_IN | OS_ET, (uint64_t)i), 0);
    }
}

static int look(struct room *room, struct os_event *events, int max)
{
    return kernel_epoll_wait(room->k, 0, room->epoll, events, max, INSTANT_PAST);
}

static void linux_draws_nothing(void **state)
{
    struct os_event events[EVENTS];
    struct room room;

    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        open_room(&room, 0, seed);
        assert_int_equal(look(&room, events, EVENTS), EVENTS);
        for (int i = 0; i < EVENTS; i++)
            assert_int_equal(events[i].data, i);
        assert_int_equal(look(&room, events, EVENTS), 0);
        free(room.k);
    }
}

static void equal_seeds_do_the_same(void **state)
{
    struct os_event events[EVENTS];
    struct room rooms[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        open_room(&rooms[i], KERNEL_ADVERSARY, 7);
        for (int turn = 0; turn < 8; turn++)
            (void)look(&rooms[i], events, EVENTS);
    }
    assert_true(kernel_digest(rooms[0].k) == kernel_digest(rooms[1].k));
    free(rooms[0].k);
    free(rooms[1].k);
}

/* A1: each once, and no later than the round in which it stood. */
static void shuffled_events_are_all_there(void **state)
{
    struct os_event events[EVENTS];
    struct room room;
    unsigned moved = 0;

    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        open_room(&room, KERNEL_SHUFFLE, seed);
        for (uint64_t turn = 0; turn < 2; turn++) {
            assert_int_equal(look(&room, events, 2), 2);
            assert_int_equal(events[0].data + events[1].data, 1 + 4 * turn);
            moved += events[0].data > events[1].data;
        }
        assert_int_equal(look(&room, events, 2), 0);
        free(room.k);
    }
    assert_in_range(moved, SEEDS / 2, 2 * SEEDS * 3 / 4);
}

/* A2: the others are kept, edges too. */
static void fewer_events_lose_none(void **state)
{
    struct os_event events[EVENTS];
    struct room room;
    unsigned fewer = 0;

    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        int told = 0, count;

        open_room(&room, KERNEL_FEWER, seed);
        while ((count = look(&room, events, EVENTS)) > 0) {
            fewer += told == 0 && count < EVENTS;
            told += count;
        }
        assert_int_equal(told, EVENTS);
        free(room.k);
    }
    assert_true(fewer > 0);
}

/* A3: an edge that nothing made; never of an entry that is disabled, or has nothing (A13). */
static void more_events_tell_the_level(void **state)
{
    struct os_event events[EVENTS];
    struct room room;
    unsigned more = 0;
    uint64_t value;

    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        open_room(&room, KERNEL_MORE, seed);
        assert_int_equal(kernel_read(room.k, 0, room.counters[0], &value, sizeof(value)), 8);
        assert_int_equal(kernel_epoll_ctl(room.k, 0, room.epoll, OS_MOD, room.counters[1],
                                          OS_IN | OS_ONESHOT, 1), 0);
        assert_int_equal(look(&room, events, EVENTS), EVENTS - 1);
        for (int turn = 0; turn < 8; turn++) {
            int count = look(&room, events, EVENTS);

            assert_in_range(count, 0, 1);
            if (count > 0)
                assert_in_range(events[0].data, 2, EVENTS - 1);
            more += (unsigned)count;
        }
        free(room.k);
    }
    assert_true(more > 0);
}

/* A4: only a wait that would sleep. A9: never early. */
static void waits_are_interrupted_or_late(void **state)
{
    struct os_event events[EVENTS];
    struct room room;
    unsigned interrupted = 0, late = 0;

    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct instant deadline;
        int code;

        open_room(&room, KERNEL_INTERRUPT | KERNEL_LATE, seed);
        assert_int_equal(look(&room, events, EVENTS), EVENTS);
        assert_int_equal(look(&room, events, EVENTS), 0);
        deadline = instant_add(kernel_now(room.k), DURATION_MS(1));
        code = kernel_epoll_wait(room.k, 0, room.epoll, events, EVENTS, deadline);
        if (code == 0)
            assert_false(instant_before(kernel_now(room.k), deadline));
        else
            assert_int_equal(code, -EINTR);
        interrupted += code == -EINTR;
        late += code == 0 && instant_before(deadline, kernel_now(room.k));
        free(room.k);
    }
    assert_true(interrupted > 0);
    assert_true(late > 0);
}

/* A5, A14: in pieces of a byte or more, and in order. A pipe's small writes stay whole. */
static void short_reads_lose_nothing(void **state)
{
    struct room room;
    unsigned shorter = 0;

    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        char bytes[8] = "";
        long done = 0, got;

        open_room(&room, KERNEL_SHORT, seed);
        assert_int_equal(kernel_write(room.k, 0, room.ends[1], "abcdefg", 7), 7);
        while ((got = kernel_read(room.k, 0, room.ends[0], bytes + done, 7)) > 0) {
            shorter += done == 0 && got < 7;
            done += got;
        }
        assert_int_equal(got, -EAGAIN);
        assert_string_equal(bytes, "abcdefg");
        free(room.k);
    }
    assert_true(shorter > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linux_draws_nothing),
        cmocka_unit_test(equal_seeds_do_the_same),
        cmocka_unit_test(shuffled_events_are_all_there),
        cmocka_unit_test(fewer_events_lose_none),
        cmocka_unit_test(more_events_tell_the_level),
        cmocka_unit_test(waits_are_interrupted_or_late),
        cmocka_unit_test(short_reads_lose_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
