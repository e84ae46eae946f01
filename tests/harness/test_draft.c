/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/draft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void a_star_declares_and_names_peers_in_order(void **state)
{
    struct plan *plan = script_accept("  d tcp\ntimeline\n  0ms c connect\n  0ms d connect\n",
                                      "  d*3 tcp\n  d-_9 stream\n  d stream\ntimeline\n"
                                      "  0ms c connect\n  0ms d*3 connect\n  0ms d connect\n"
                                      "  0ms d-_9 connect\n  0ms d*2 send 00\n");
    static const char *const names[] = {"c", "d1", "d2", "d3", "d-_9", "d"};
    static const uint32_t peers[] = {0, 1, 2, 3, 5, 4, 1, 2};

    (void)state;
    assert_int_equal(plan->peer_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_string_equal(plan->peers[i].name, names[i]);
        assert_int_equal(plan_peer_find(plan, names[i]), i);
    }
    assert_int_equal(plan->peers[3].place.line, 14);
    for (uint32_t i = 0; i < sizeof(peers) / sizeof(peers[0]); i++)
        assert_int_equal(plan->statements[i].peer, peers[i]);
    plan_free(plan);
}

static void as_many_peers_as_there_may_be_are_fine(void **state)
{
    struct plan *plan = script_accept("  d tcp\ntimeline\n  0ms c connect\n  0ms d connect\n",
                                      "  d*63 tcp\ntimeline\n  0ms c connect\n"
                                      "  0ms d*63 connect\n");

    (void)state;
    assert_int_equal(plan->peer_count, PLAN_PEERS_MAX);
    plan_free(plan);
}

static void each_kind_has_a_word_and_families(void **state)
{
    (void)state;
    assert_string_equal(draft_kind_name(DRAFT_TCP), "tcp");
    assert_string_equal(draft_kind_name(DRAFT_STREAM), "stream");
    assert_string_equal(draft_kind_name(DRAFT_PIPE), "pipe");
    assert_int_equal(draft_kind_families(DRAFT_PIPE), 1u << PLAN_PIPE);
    assert_int_equal(draft_kind_families(DRAFT_STREAM) & ~draft_kind_families(DRAFT_TCP),
                     1u << PLAN_UNIX);
}

static const struct script_case mistaken[] = {
    {"  d tcp", "  c tcp", "14:3: peer 'c' is declared twice; keep one, the first is in line 13"},
    {"  d tcp", "  sut tcp",
     "14:3: 'sut' is no name for a peer; the language uses it itself, choose another"},
    {"  d tcp", "  l tcp",
     "14:3: 'l' is no name for a peer; the language uses it itself, choose another"},
    {"  d tcp", "  9d tcp",
     "14:3: bad name '9d' for a peer; begin with a letter, then letters, digits, _ or -, "
     "at most 24"},
    {"  d tcp", "  d.x tcp",
     "14:3: bad name 'd.x' for a peer; begin with a letter, then letters, digits, _ or -, "
     "at most 24"},
    {"  d tcp", "  \"d\" tcp",
     "14:3: bad name 'd' for a peer; begin with a letter, then letters, digits, _ or -, at "
     "most 24"},
    {"  d tcp", "  abcdefghijklmnopqrstuvwxyz tcp",
     "14:3: bad name 'abcdefghijklmnopqrstuvwx..' for a peer; begin with a letter, then "
     "letters, digits, _ or -, at most 24"},
    {"  d tcp", "  d*0 tcp", "14:5: peers: '0' is out of range; write 1 to 64"},
    {"  d tcp", "  d*65 tcp", "14:5: peers: '65' is out of range; write 1 to 64"},
    {"  d tcp", "  d*64 tcp", "14:3: too many peers; at most 64"},
    {"  d tcp", "  d*x tcp", "14:5: peers: 'x' is not a number; write 1 to 64"},
    {"0ms d connect", "0ms e connect", "17:7: unknown peer 'e'; known: c, d"},
    {"0ms d connect", "0ms d*2 connect", "17:7: unknown peer 'd1'; known: c, d"},
    {"0ms d connect", "0ms dd connect", "17:7: unknown peer 'dd'; known: c, d"},
    {"peers\n  c tcp\n  d tcp\n", "peers\n", "14:7: unknown peer 'c'; declare it in section peers"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_star_declares_and_names_peers_in_order),
        cmocka_unit_test(as_many_peers_as_there_may_be_are_fine),
        cmocka_unit_test(each_kind_has_a_word_and_families),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
