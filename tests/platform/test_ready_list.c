/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

/* In which order, and how often, a collect tells what is ready. The reactor's FIFO and the fixed
 * order of the events ledger lean on these. */

/* E12: first wake first, and once, however often it is woken meanwhile. */
static void ready_list_is_fifo_by_first_wake(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_watch(rig, 'b', b.near, EPOLLIN | EPOLLET);
    rig_send(rig, b.far, "1");
    rig_send(rig, a.far, "2");
    rig_send(rig, b.far, "3");
    assert_string_equal(rig_look(rig, 8), "b IN, a IN");
    assert_string_equal(rig_look(rig, 8), "");
}

/* E13: what is told is the whole level now, not the bit that woke. */
static void collect_tells_the_level_at_collect_time(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLRDHUP | EPOLLET);
    rig_watch(rig, 'b', b.near, EPOLLIN | EPOLLRDHUP | EPOLLET);
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    rig_fin(rig, a.far);
    assert_string_equal(rig_reads(rig, b.near, 1, 1), "1");
    assert_string_equal(rig_look(rig, 8), rig_ground_of(rig) == RIG_PIPE ? "a IN HUP"
                                                                         : "a IN RDHUP");
}

/* E14, E16: a level-triggered entry goes to the tail at once and is dropped when found drained;
 * filled again before that, it keeps its place. */
static void level_entry_goes_round_until_drained(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN);
    rig_watch(rig, 'b', b.near, EPOLLIN);
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    assert_string_equal(rig_look(rig, 8), "a IN, b IN");
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "1");
    rig_send(rig, a.far, "2");
    assert_string_equal(rig_look(rig, 8), "a IN, b IN");
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "1");
    assert_string_equal(rig_look(rig, 8), "b IN");
}

/* E15, K11: asked for fewer than are ready, level-triggered entries take turns ... */
static void small_collects_take_turns(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN);
    rig_watch(rig, 'b', b.near, EPOLLIN);
    rig_send(rig, b.far, "1");
    rig_send(rig, a.far, "1");
    assert_string_equal(rig_look(rig, 1), "b IN");
    assert_string_equal(rig_look(rig, 1), "a IN");
    assert_string_equal(rig_look(rig, 1), "b IN");
    assert_string_equal(rig_look(rig, 1), "a IN");
}

/* ... and an edge that was not collected waits, in front of newer ones. */
static void small_collects_keep_edges(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_watch(rig, 'b', b.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    assert_string_equal(rig_look(rig, 1), "a IN");
    rig_send(rig, a.far, "2");
    assert_string_equal(rig_look(rig, 1), "b IN");
    assert_string_equal(rig_look(rig, 1), "a IN");
    assert_string_equal(rig_look(rig, 1), "");
}

/* E17, K4: what is ready when added comes in the order of the adding, an edge entry too. */
static void ready_before_add_comes_in_order_of_adding(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_send(rig, b.far, "1");
    rig_send(rig, a.far, "1");
    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_watch(rig, 'b', b.near, EPOLLIN | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "a IN, b IN");
}

/* E17, K3: a MOD looks again, with the same mask and with EPOLLOUT only toggled. */
static void mod_tells_unread_data_again(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    const char *toggled = rig_ground_of(rig) == RIG_PIPE ? "a IN" : "a IN OUT";

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "12");
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_string_equal(rig_look(rig, 8), "");
    rig_rewatch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "a IN");
    rig_rewatch(rig, 'a', a.near, EPOLLIN | EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), toggled);
}

/* E8: a MOD changes mask and data of an event that waits; DEL takes it away. */
static void mod_and_del_change_waiting_events(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig), c = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_watch(rig, 'b', b.near, EPOLLIN | EPOLLET);
    rig_watch(rig, 'c', c.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    rig_send(rig, c.far, "1");
    rig_rewatch(rig, 'x', a.near, EPOLLIN | EPOLLET);
    rig_rewatch(rig, 'b', b.near, EPOLLRDHUP | EPOLLET);
    assert_int_equal(sys_epoll_ctl(rig_sys(rig), rig_epoll(rig), EPOLL_CTL_DEL, c.near, NULL), 0);
    assert_string_equal(rig_look(rig, 8), "x IN");
}

/* E18: of several entries of one description the last added is told first. */
static void last_added_of_one_description_comes_first(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, '1', a.near, EPOLLIN | EPOLLET);
    rig_watch(rig, '2', rig_keep(rig, sys_dup(rig_sys(rig), a.near)), EPOLLIN | EPOLLET);
    rig_watch(rig, '3', rig_keep(rig, sys_dup(rig_sys(rig), a.near)), EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "x");
    assert_string_equal(rig_look(rig, 8), "3 IN, 2 IN, 1 IN");
}

/* E3, K8: a closed number goes on being told while a duplicate lives, and nobody can remove it. */
static void closed_number_lives_on_through_a_duplicate(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    int copy = rig_keep(rig, sys_dup(rig_sys(rig), a.near));

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_close(rig, a.near);
    rig_send(rig, a.far, "x");
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_int_equal(sys_epoll_ctl(rig_sys(rig), rig_epoll(rig), EPOLL_CTL_DEL, a.near, NULL),
                     -EBADF);
    assert_int_equal(sys_epoll_ctl(rig_sys(rig), rig_epoll(rig), EPOLL_CTL_DEL, copy, NULL),
                     -ENOENT);
}

/* E4, E5: the last close takes the entry along, its event too; the number is free for the next
 * one. */
static void last_close_drops_the_event(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_watch(rig, 'b', b.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    rig_close(rig, a.near);
    assert_string_equal(rig_look(rig, 8), "b IN");
    assert_int_equal(rig_keep(rig, sys_dup(rig_sys(rig), b.near)), a.near);
}

/* K1: two sources, abcdef and XY, read two bytes at a time from the head of the queue. With
 * edges the two first events are all; with levels each collect tells what is unread. */
static void six_quanta(void **state, uint32_t trigger, const char *const notices[6])
{
    static const struct {
        int source;
        const char *result;
    } quanta[] = {
        { 0, "2" }, { 1, "2" }, { 0, "2" }, { 1, "EAGAIN" }, { 0, "2" }, { 0, "EAGAIN" },
    };
    struct rig *rig = rig_of(state);
    struct rig_pair pairs[] = {rig_connect(rig), rig_connect(rig)};

    rig_watch(rig, 'A', pairs[0].near, EPOLLIN | trigger);
    rig_watch(rig, 'B', pairs[1].near, EPOLLIN | trigger);
    rig_send(rig, pairs[0].far, "abcdef");
    rig_send(rig, pairs[1].far, "XY");
    for (size_t i = 0; i < sizeof(quanta) / sizeof(quanta[0]); i++) {
        assert_string_equal(rig_look(rig, 16), notices[i]);
        assert_string_equal(rig_reads(rig, pairs[quanta[i].source].near, 2, 1), quanta[i].result);
    }
}

static void six_quanta_have_two_edges(void **state)
{
    six_quanta(state, EPOLLET, (const char *const[]){ "A IN, B IN", "", "", "", "", "" });
}

static void six_quanta_have_seven_level_notices(void **state)
{
    six_quanta(state, 0, (const char *const[]){
        "A IN, B IN", "A IN, B IN", "A IN", "A IN", "A IN", "",
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT_STREAMS(ready_list_is_fifo_by_first_wake),
        RIG_FACT_STREAMS(collect_tells_the_level_at_collect_time),
        RIG_FACT_STREAMS(level_entry_goes_round_until_drained),
        RIG_FACT_STREAMS(small_collects_take_turns),
        RIG_FACT_STREAMS(small_collects_keep_edges),
        RIG_FACT_STREAMS(ready_before_add_comes_in_order_of_adding),
        RIG_FACT_STREAMS(mod_tells_unread_data_again),
        RIG_FACT_STREAMS(mod_and_del_change_waiting_events),
        RIG_FACT_STREAMS(last_added_of_one_description_comes_first),
        RIG_FACT_STREAMS(closed_number_lives_on_through_a_duplicate),
        RIG_FACT_STREAMS(last_close_drops_the_event),
        RIG_FACT_STREAMS(six_quanta_have_two_edges),
        RIG_FACT_STREAMS(six_quanta_have_seven_level_notices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
