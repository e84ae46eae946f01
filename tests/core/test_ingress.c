/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/ingress.h"

static struct ingress *make_inbox(uint32_t capacity)
{
    struct ingress *inbox = malloc(ingress_size(capacity));

    assert_non_null(inbox);
    ingress_init(inbox, capacity);
    return inbox;
}

static void assert_takes(struct ingress *inbox, uint64_t expected)
{
    uint64_t word = ~expected;

    assert_true(ingress_pending(inbox));
    assert_true(ingress_take(inbox, &word));
    assert_true(word == expected);
}

static void assert_empty(struct ingress *inbox)
{
    uint64_t word = 4711;

    assert_false(ingress_pending(inbox));
    assert_false(ingress_take(inbox, &word));
    assert_int_equal(word, 4711);
}

static void words_come_out_in_order(void **context)
{
    struct ingress *inbox = make_inbox(8);

    (void)context;
    assert_empty(inbox);
    for (uint64_t word = 0; word < 5; word++)
        assert_int_equal(ingress_post(inbox, word), 0);
    for (uint64_t word = 0; word < 5; word++)
        assert_takes(inbox, word);
    assert_empty(inbox);
    free(inbox);
}

static void a_full_inbox_refuses_and_keeps_its_words(void **context)
{
    static const uint32_t capacities[] = {2, 4, 64};

    (void)context;
    for (size_t i = 0; i < sizeof(capacities) / sizeof(capacities[0]); i++) {
        struct ingress *inbox = make_inbox(capacities[i]);

        for (uint64_t word = 0; word < capacities[i]; word++)
            assert_int_equal(ingress_post(inbox, word), 0);
        assert_int_equal(ingress_post(inbox, 999), -EAGAIN);
        assert_int_equal(ingress_post(inbox, 999), -EAGAIN);
        assert_takes(inbox, 0);
        assert_int_equal(ingress_post(inbox, capacities[i]), 0);
        assert_int_equal(ingress_post(inbox, 999), -EAGAIN);
        for (uint64_t word = 1; word <= capacities[i]; word++)
            assert_takes(inbox, word);
        assert_empty(inbox);
        free(inbox);
    }
}

static void places_are_used_again_lap_after_lap(void **context)
{
    struct ingress *inbox = make_inbox(4);
    uint64_t posted = 0, taken = 0;

    (void)context;
    for (int lap = 0; lap < 1000; lap++) {
        for (int i = 0; i < 3; i++)
            assert_int_equal(ingress_post(inbox, posted++), 0);
        for (int i = 0; i < 3; i++)
            assert_takes(inbox, taken++);
        assert_empty(inbox);
    }
    free(inbox);
}

enum { SENDERS = 4 };

struct sender {
    struct ingress *inbox;
    uint64_t name;
    uint64_t words;
    uint64_t refused;
};

static void *send_words(void *arg)
{
    struct sender *sender = arg;

    for (uint64_t i = 0; i < sender->words; i++)
        while (ingress_post(sender->inbox, sender->name << 32 | i) == -EAGAIN) {
            sender->refused++;
            sched_yield();
        }
    return NULL;
}

static void *send_until_closed(void *arg)
{
    struct sender *sender = arg;

    for (uint64_t i = 0; i < sender->words; i++)
        sender->refused += ingress_post(sender->inbox, i) != 0;
    return NULL;
}

/* Takes every word; false as soon as one is not the next of its sender. */
static bool receive_words(struct ingress *inbox, uint64_t words)
{
    uint64_t next[SENDERS] = {0};

    for (uint64_t total = 0; total < SENDERS * words;) {
        bool pending = ingress_pending(inbox);
        uint64_t word;

        if (!ingress_take(inbox, &word)) {
            if (pending)
                return false;
            sched_yield();
            continue;
        }
        if (word >> 32 >= SENDERS || (uint32_t)word != next[word >> 32])
            return false;
        next[word >> 32]++;
        total++;
    }
    return true;
}

static void no_word_is_lost_or_overtaken(void **context)
{
    /* In a small ring each word may cost both sides a turn on the CPU. */
    static const struct {
        uint32_t capacity;
        uint64_t words;
    } cases[] = {{2, 1000}, {1024, 100000}};

    (void)context;
    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        struct ingress *inbox = make_inbox(cases[c].capacity);
        struct sender sender[SENDERS];
        pthread_t thread[SENDERS];

        for (size_t i = 0; i < SENDERS; i++) {
            sender[i] = (struct sender){.inbox = inbox, .name = i, .words = cases[c].words};
            assert_int_equal(pthread_create(&thread[i], NULL, send_words, &sender[i]), 0);
        }
        assert_true(receive_words(inbox, cases[c].words));
        for (size_t i = 0; i < SENDERS; i++)
            assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_empty(inbox);
        free(inbox);
    }
}

static void a_closed_inbox_takes_nothing_and_loses_nothing(void **context)
{
    struct ingress *inbox = make_inbox(4);
    uint64_t word;

    (void)context;
    assert_int_equal(ingress_post(inbox, 7), 0);
    ingress_close(inbox);
    assert_int_equal(ingress_post(inbox, 8), -ESHUTDOWN);
    assert_false(ingress_drained(inbox));
    assert_true(ingress_take(inbox, &word));
    assert_int_equal(word, 7);
    assert_true(ingress_drained(inbox));
    assert_false(ingress_take(inbox, &word));
    free(inbox);
}

/* What a post answered with 0 is taken, however the close falls between. */
static void a_close_among_posts_parts_taken_from_refused(void **context)
{
    (void)context;
    for (int round = 0; round < 200; round++) {
        struct ingress *inbox = make_inbox(64);
        struct sender sender = {.inbox = inbox, .words = 50};
        uint64_t taken = 0;
        pthread_t thread;
        uint64_t word;

        assert_int_equal(pthread_create(&thread, NULL, send_until_closed, &sender), 0);
        for (int i = 0; i < round; i++)
            taken += ingress_take(inbox, &word);
        ingress_close(inbox);
        while (!ingress_drained(inbox))
            taken += ingress_take(inbox, &word);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(taken, sender.words - sender.refused);
        free(inbox);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_out_in_order),
        cmocka_unit_test(a_full_inbox_refuses_and_keeps_its_words),
        cmocka_unit_test(places_are_used_again_lap_after_lap),
        cmocka_unit_test(no_word_is_lost_or_overtaken),
        cmocka_unit_test(a_closed_inbox_takes_nothing_and_loses_nothing),
        cmocka_unit_test(a_close_among_posts_parts_taken_from_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
