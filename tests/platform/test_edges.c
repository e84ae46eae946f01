/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cmocka.h>

/* What makes an edge, and what each trigger mode then tells. The reactor's rule "read on until
 * EAGAIN or an end, then wait" leans on these. */

#define STREAM(rig, pipe, other) (rig_ground_of(rig) == RIG_PIPE ? (pipe) : (other))

/* E29: an edge entry tells the level once when added, and then only after a wake. */
static void edge_add_tells_the_level_once(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_send(rig, a.far, "1");
    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_string_equal(rig_look(rig, 8), "");
}

/* E30, K2: wakes between two collects are one event, data and FIN too. */
static void wakes_between_collects_merge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLRDHUP | EPOLLET);
    rig_send(rig, a.far, "1");
    rig_send(rig, a.far, "2");
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), STREAM(rig, "a IN HUP", "a IN RDHUP"));
    assert_string_equal(rig_look(rig, 8), "");
}

/* E31, K2: the rest of a partial read makes no event; new data behind it does. */
static void partial_read_makes_no_edge_and_new_data_does(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "1234");
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_string_equal(rig_reads(rig, a.near, 2, 1), "2");
    assert_string_equal(rig_look(rig, 8), "");
    rig_send(rig, a.far, "5");
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_string_equal(rig_reads(rig, a.near, 8, 2), "3 EAGAIN");
}

/* E32: arrived and drained before the collect leaves nothing, or a needless OUT if that was
 * asked. */
static void drained_before_collect_leaves_no_input_event(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_watch(rig, 'b', b.near, EPOLLIN | EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "b OUT");
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "1");
    assert_string_equal(rig_reads(rig, b.near, 8, 1), "1");
    assert_string_equal(rig_look(rig, 8), "b OUT");
}

/* E33: without RDHUP in the mask, who stops at a short read never hears of a FIN merged behind
 * it ... */
static void short_read_misses_a_merged_fin(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "12345");
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "5");
    assert_string_equal(rig_look(rig, 8), "");
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "0");
}

/* ... and with it the same event says so. */
static void rdhup_tells_a_merged_fin(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLRDHUP | EPOLLET);
    rig_send(rig, a.far, "12345");
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "a IN RDHUP");
}

/* E34, K10: after one event an ONESHOT entry is silent, even about ends; MOD tells what is
 * there. */
static void oneshot_is_silent_until_mod(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLRDHUP | EPOLLET | EPOLLONESHOT);
    rig_send(rig, a.far, "1");
    assert_string_equal(rig_look(rig, 8), "a IN");
    rig_send(rig, a.far, "2");
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "");
    struct epoll_event again = {.events = EPOLLIN};
    assert_int_equal(sys_epoll_ctl(rig_sys(rig), rig_epoll(rig), EPOLL_CTL_ADD, a.near, &again),
                     -EEXIST);
    rig_rewatch(rig, 'a', a.near, EPOLLIN | EPOLLRDHUP | EPOLLET | EPOLLONESHOT);
    assert_string_equal(rig_look(rig, 8), STREAM(rig, "a IN HUP", "a IN RDHUP"));
    assert_string_equal(rig_look(rig, 8), "");
}

/* E34: a disabled entry hears nothing of a reset, one with an empty mask does. */
static void oneshot_hides_a_reset_and_an_empty_mask_does_not(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLONESHOT);
    rig_send(rig, a.far, "1");
    assert_string_equal(rig_look(rig, 8), "a IN");
    rig_reset(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "");
    rig_rewatch(rig, 'a', a.near, EPOLLONESHOT);
    assert_string_equal(rig_look(rig, 8), "a ERR HUP");
}

/* E36: below SO_RCVLOWAT there is no event and no IN, yet a read gets the bytes. */
static void rcvlowat_holds_events_back_but_not_reads(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_setsockopt(rig_sys(rig), a.near, SOL_SOCKET, SO_RCVLOWAT, &(int){3},
                                    sizeof(int)), 0);
    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "12");
    assert_string_equal(rig_look(rig, 8), "");
    assert_string_equal(rig_level(rig, a.near), "OUT");
    rig_send(rig, a.far, "3");
    assert_string_equal(rig_look(rig, 8), "a IN");
    rig_send(rig, a.far, "4");
    assert_string_equal(rig_reads(rig, a.near, 3, 2), "3 1");
}

/* E37: a FIN wakes without a key, so that an entry for OUT alone has a needless event. */
static void fin_wakes_an_entry_for_output(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "a OUT");
    rig_send(rig, a.far, "1");
    assert_string_equal(rig_look(rig, 8), "");
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "a OUT");
}

/* E37: one's own shutdown is an event; so is the acknowledgement of its FIN, merged here. */
static void own_shutdown_is_an_event(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "a OUT");
    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_WR), 0);
    assert_string_equal(rig_look(rig, 8), "a OUT");
}

/* E37: a reset behind a FIN that was told is an event of its own. */
static void reset_after_fin_is_a_second_event(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLRDHUP | EPOLLET);
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "a IN RDHUP");
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "0");
    rig_reset(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "a IN RDHUP ERR HUP");
}

/* E39: the far end's reading is no event while the buffer was never full. */
static void far_reading_is_no_output_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "a OUT");
    assert_string_equal(rig_writes(rig, a.near, 3), "1 1 1");
    assert_string_equal(rig_reads(rig, a.far, 8, 1), "3");
    assert_string_equal(rig_look(rig, 8), "");
}

/* K6: behind a FIN a level entry goes on being told, while writing still works. */
static void level_entry_goes_on_telling_a_fin(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLRDHUP);
    rig_send(rig, a.far, "1");
    rig_fin(rig, a.far);
    assert_string_equal(rig_reads(rig, a.near, 8, 3), "1 0 0");
    assert_string_equal(rig_look(rig, 8), "a IN RDHUP");
    assert_string_equal(rig_look(rig, 8), "a IN RDHUP");
    assert_string_equal(rig_writes(rig, a.near, 1), "1");
}

/* K7: with both directions closed an empty mask still tells HUP, again and again. */
static void empty_mask_still_tells_hup(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, 0);
    assert_string_equal(rig_look(rig, 8), "");
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "");
    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_WR), 0);
    assert_string_equal(rig_look(rig, 8), "a HUP");
    assert_string_equal(rig_look(rig, 8), "a HUP");
}

/* E40: each handshake is an edge of the listener; accepting one of two is none. */
static void each_handshake_is_an_edge(void **state)
{
    struct rig *rig = rig_of(state);

    rig_watch(rig, 'l', rig_listener(rig), EPOLLIN | EPOLLET);
    (void)rig_dial(rig);
    assert_string_equal(rig_look(rig, 8), "l IN");
    (void)rig_dial(rig);
    assert_string_equal(rig_look(rig, 8), "l IN");
    assert_true(rig_accept(rig) >= 0);
    assert_string_equal(rig_look(rig, 8), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT_STREAMS(edge_add_tells_the_level_once),
        RIG_FACT_STREAMS(wakes_between_collects_merge),
        RIG_FACT_STREAMS(partial_read_makes_no_edge_and_new_data_does),
        RIG_FACT_TCP(drained_before_collect_leaves_no_input_event),
        RIG_FACT_TCP(short_read_misses_a_merged_fin),
        RIG_FACT_TCP(rdhup_tells_a_merged_fin),
        RIG_FACT(rdhup_tells_a_merged_fin, UNIX),
        RIG_FACT_STREAMS(oneshot_is_silent_until_mod),
        RIG_FACT_TCP(oneshot_hides_a_reset_and_an_empty_mask_does_not),
        RIG_FACT_TCP(rcvlowat_holds_events_back_but_not_reads),
        RIG_FACT_TCP(fin_wakes_an_entry_for_output),
        RIG_FACT_TCP(own_shutdown_is_an_event),
        RIG_FACT_TCP(reset_after_fin_is_a_second_event),
        RIG_FACT_TCP(far_reading_is_no_output_edge),
        RIG_FACT_TCP(level_entry_goes_on_telling_a_fin),
        RIG_FACT_TCP(empty_mask_still_tells_hup),
        RIG_FACT_TCP(each_handshake_is_an_edge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
