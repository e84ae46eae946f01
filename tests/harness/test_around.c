/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/around.h"
#include "tests/support/link.h"
#include "tests/support/story.h"

/* A connect at 0 ms, sends at 1 and 3 ms, a consume at 2 ms; a FIN at 5 ms. */
struct scene {
    struct story story;
    struct link link;
    struct lines told;
};

static void at(struct scene *scene, int64_t ms, enum plan_verb verb)
{
    story_at(&scene->story, ms);
    (void)story_does(&scene->story, "A", verb, "hello", verb == PLAN_SEND ? 5 : 0, 0);
}

static void scene_begin(struct scene *scene)
{
    struct link *link = &scene->link;

    *scene = (struct scene){.told = {0}};
    story_begin(&scene->story, REACTOR_ET, "A");
    at(scene, 0, PLAN_CONNECT);
    at(scene, 1, PLAN_SEND);
    at(scene, 3, PLAN_SEND);
    at(scene, 5, PLAN_SHUTDOWN);
    link_begin(link, &scene->story.happened);
    link_crosses(link, &link->to_sut, 20, DISSECT_SYN, "");
    link_crosses(link, &link->to_peer, 30, DISSECT_SYN | DISSECT_ACK, "");
    link_crosses(link, &link->to_sut, 1010, DISSECT_ACK | DISSECT_PSH, "hello");
    link_crosses(link, &link->to_peer, 1020, DISSECT_ACK, "");
    link_crosses(link, &link->to_sut, 3010, DISSECT_ACK | DISSECT_PSH, "hello");
    link->to_peer.tcp.window = 0;
    link_crosses(link, &link->to_peer, 3020, DISSECT_ACK, "");
    link_crosses(link, &link->to_sut, 5010, DISSECT_ACK | DISSECT_FIN, "");
}

static void scene_end(struct scene *scene)
{
    lines_free(&scene->told);
    link_end(&scene->link);
    story_end(&scene->story);
}

static void is(struct scene *scene, const char *expected)
{
    char *text = lines_join(&scene->told, NULL);

    assert_string_equal(text, expected);
    free(text);
    lines_free(&scene->told);
}

static void the_packets_of_an_instant_are_marked(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    around_instant(&scene.story.happened, (struct instant){1000000}, &scene.told);
    is(&scene, "packets around 1ms (* in it; ms since the start)\n"
               "        0.020  A > SYN\n"
               "        0.030  A < SYN ack 0\n"
               "  *     1.010  A > PSH seq 0 len 5 ack 0\n"
               "  *     1.020  A < ack 5\n"
               "        3.010  A > PSH seq 5 len 5 ack 0\n"
               "        3.020  A < ack 10 window 0\n");
    scene_end(&scene);
}

static void an_instant_without_packets_shows_its_neighbours(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    around_instant(&scene.story.happened, (struct instant){4000000}, &scene.told);
    is(&scene, "packets around 4ms (none in it; ms since the start)\n"
               "        3.010  A > PSH seq 5 len 5 ack 0\n"
               "        3.020  A < ack 10 window 0\n"
               "        5.010  A > FIN seq 10 len 0 ack 0\n");
    scene_end(&scene);
}

static void the_clock_of_the_capture_is_taken_off(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    for (size_t i = 0; i < scene.link.packets.count; i++)
        scene.link.packets.packets[i].stamp_ns += INT64_C(1700000000000000000);
    scene.story.happened.wall_offset_ns = INT64_C(1700000000000000000);
    around_instant(&scene.story.happened, (struct instant){5000000}, &scene.told);
    is(&scene, "packets around 5ms (* in it; ms since the start)\n"
               "        3.010  A > PSH seq 5 len 5 ack 0\n"
               "        3.020  A < ack 10 window 0\n"
               "  *     5.010  A > FIN seq 10 len 0 ack 0\n");
    scene_end(&scene);
}

static void of_many_packets_only_some_are_told(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    for (int64_t us = 5020; us < 5040; us++)
        link_crosses(&scene.link, &scene.link.to_peer, us, DISSECT_ACK, "");
    around_instant(&scene.story.happened, (struct instant){5000000}, &scene.told);
    assert_int_equal(scene.told.count, 1 + AROUND_BEFORE + AROUND_AT + 1);
    assert_string_equal(scene.told.line[scene.told.count - 1], "  * .. and 15 more of them");
    scene_end(&scene);
}

static void the_end_is_told_by_the_last_packets(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    around_end(&scene.story.happened, &scene.told);
    assert_int_equal(scene.told.count, 1 + AROUND_AT);
    assert_string_equal(scene.told.line[0], "the last of 7 packets (ms since the start)");
    assert_string_equal(scene.told.line[AROUND_AT], "        5.010  A > FIN seq 10 len 0 ack 0");
    scene_end(&scene);
}

static void a_parting_is_told_by_its_first_end(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    link_crosses(&scene.link, &scene.link.to_peer, 5020, DISSECT_RST, "");
    around_wire(&scene.story.happened, 0, '>', AROUND_END, &scene.told);
    is(&scene, "packets around the end of `A >` (*; ms since the start)\n"
               "        3.010  A > PSH seq 5 len 5 ack 0\n"
               "        3.020  A < ack 10 window 0\n"
               "  *     5.010  A > FIN seq 10 len 0 ack 0\n"
               "        5.020  A < RST seq 0 len 0\n");
    around_wire(&scene.story.happened, 0, '<', AROUND_END, &scene.told);
    is(&scene, "packets around the end of `A <` (*; ms since the start)\n"
               "        3.020  A < ack 10 window 0\n"
               "        5.010  A > FIN seq 10 len 0 ack 0\n"
               "  *     5.020  A < RST seq 0 len 0\n");
    around_wire(&scene.story.happened, PLAN_NOBODY, '>', AROUND_END, &scene.told);
    is(&scene, "");
    scene_end(&scene);
}

static void a_stream_is_told_by_its_first_packet_or_its_last_bytes(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    around_wire(&scene.story.happened, 0, '>', AROUND_BEGINNING, &scene.told);
    is(&scene, "packets around the beginning of `A >` (*; ms since the start)\n"
               "  *     0.020  A > SYN\n"
               "        0.030  A < SYN ack 0\n"
               "        1.010  A > PSH seq 0 len 5 ack 0\n");
    around_wire(&scene.story.happened, 0, '>', AROUND_BYTES, &scene.told);
    assert_string_equal(scene.told.line[0],
                        "packets around the last bytes of `A >` (*; ms since the start)");
    assert_string_equal(scene.told.line[3], "  *     3.010  A > PSH seq 5 len 5 ack 0");
    scene_end(&scene);
}

static void a_stranger_goes_by_its_address_and_noise_by_its_kind(void **state)
{
    static const uint8_t noise[64] = {0};
    struct scene scene;
    struct dissect stranger;

    (void)state;
    scene_begin(&scene);
    stranger = scene.link.to_sut;
    stranger.source.port = 4001;
    link_crosses(&scene.link, &stranger, 5020, DISSECT_SYN, "");
    assert_int_equal(packet_list_append(&scene.link.packets,
                                        &(struct packet){.stamp_ns = 5030000,
                                                         .captured_bytes = 64,
                                                         .original_bytes = 64,
                                                         .bytes = noise}),
                     0);
    around_end(&scene.story.happened, &scene.told);
    assert_non_null(strstr(scene.told.line[AROUND_AT - 1], "192.0.2.1:4001"));
    assert_string_equal(scene.told.line[AROUND_AT], "        5.030  unknown EtherType");
    scene_end(&scene);
}

static void nothing_is_told_without_a_capture(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    scene.story.happened.packets = NULL;
    around_instant(&scene.story.happened, (struct instant){0}, &scene.told);
    around_end(&scene.story.happened, &scene.told);
    around_wire(&scene.story.happened, 0, '>', AROUND_END, &scene.told);
    is(&scene, "");
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_packets_of_an_instant_are_marked),
        cmocka_unit_test(an_instant_without_packets_shows_its_neighbours),
        cmocka_unit_test(the_clock_of_the_capture_is_taken_off),
        cmocka_unit_test(of_many_packets_only_some_are_told),
        cmocka_unit_test(the_end_is_told_by_the_last_packets),
        cmocka_unit_test(a_parting_is_told_by_its_first_end),
        cmocka_unit_test(a_stream_is_told_by_its_first_packet_or_its_last_bytes),
        cmocka_unit_test(a_stranger_goes_by_its_address_and_noise_by_its_kind),
        cmocka_unit_test(nothing_is_told_without_a_capture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
