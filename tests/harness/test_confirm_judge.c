/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/confirm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* The judgement alone, also on views that a real kernel shows only for an instant. */

struct sight {
    const char *name;
    enum peer_state state;
    uint64_t taken;
    size_t unsent;
    unsigned ends;
    enum diag_state sut; /* 0: none */
    uint64_t received;
    struct diag_counters sender;
    bool full;
    bool listener_is_full;
    enum confirm_answer answer;
    enum confirm_missing missing;
};

#define NEEDS(word) CONFIRM_PENDING, CONFIRM_MISSING_##word
#define BLOCKS(word) CONFIRM_BLOCKED, CONFIRM_MISSING_##word
#define IS_DONE CONFIRM_DONE, CONFIRM_MISSING_NOTHING
#define SHUT_WINDOW {.bytes_sent = 7, .bytes_retrans = 2, .notsent_bytes = 4}

static const struct sight sights[] = {
    { "connecting", PEER_CONNECTING, 0, 0, 0, 0, 0, { 0 }, false, false, NEEDS(CONNECT) },
    { "connecting, accepted by the kernel only", PEER_CONNECTING, 0, 0, 0, DIAG_ESTABLISHED, 0,
      {0}, false, false, NEEDS(CONNECT) },
    { "connecting to a full listener", PEER_CONNECTING, 0, 0, 0, 0, 0, { 0 }, false, true,
      BLOCKS(CONNECT) },
    { "half open", PEER_OPEN, 0, 0, 0, DIAG_SYN_RECV, 0, { 0 }, false, false, NEEDS(CONNECT) },
    { "half open, as a request", PEER_OPEN, 0, 0, 0, DIAG_NEW_SYN_RECV, 0, { 0 }, false, false,
      NEEDS(CONNECT) },
    { "half open, listener full", PEER_OPEN, 5, 0, 0, DIAG_SYN_RECV, 0, { 0 }, false, true,
      BLOCKS(CONNECT) },
    { "open", PEER_OPEN, 0, 0, 0, DIAG_ESTABLISHED, 0, { 0 }, false, false, IS_DONE },
    { "all arrived", PEER_OPEN, 5, 0, 0, DIAG_ESTABLISHED, 5, { 0 }, false, false, IS_DONE },
    { "bytes under way", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5,
      {.bytes_sent = 9, .unacked_segments = 1}, false, false, NEEDS(BYTES) },
    { "window shut", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5, SHUT_WINDOW, true, false,
      BLOCKS(BYTES) },
    { "window shut, more lined up", PEER_OPEN, 9, 3, 0, DIAG_ESTABLISHED, 5, SHUT_WINDOW, true,
      false, BLOCKS(BYTES) },
    { "window shut behind a retransmission under way", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 4,
      SHUT_WINDOW, true, false, NEEDS(BYTES) },
    { "small window", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5,
      {.bytes_sent = 5, .notsent_bytes = 4, .snd_wnd_bytes = 1}, true, false, NEEDS(BYTES) },
    { "window shut, acknowledgement under way", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5,
      {.bytes_sent = 5, .notsent_bytes = 4, .unacked_segments = 1}, false, false,
      NEEDS(BYTES) },
    { "kernel full, acknowledgement under way", PEER_OPEN, 5, 4, 0, DIAG_ESTABLISHED, 5,
      {.bytes_sent = 5, .unacked_segments = 1}, true, false, NEEDS(ACK) },
    { "not pushed", PEER_OPEN, 5, 4, 0, DIAG_ESTABLISHED, 5, { .bytes_sent = 5 }, false, false,
      NEEDS(BYTES) },
    { "end not pushed", PEER_OPEN, 5, 0, PEER_END_WRITE, DIAG_ESTABLISHED, 5, { 0 }, false, false,
      NEEDS(END) },
    { "FIN under way", PEER_SHUT, 5, 0, 0, DIAG_ESTABLISHED, 5, { .unacked_segments = 1 }, false,
      false, NEEDS(END) },
    { "FIN of a close under way", PEER_CLOSED, 5, 0, 0, DIAG_FIN_WAIT2, 5,
      {.unacked_segments = 1}, false, false, NEEDS(END) },
    { "FIN behind a shut window", PEER_SHUT, 5, 0, 0, DIAG_ESTABLISHED, 5,
      {.bytes_sent = 5, .notsent_bytes = 1}, false, false, BLOCKS(END) },
    { "FIN arrived", PEER_SHUT, 5, 0, 0, DIAG_CLOSE_WAIT, 6, { 0 }, false, false, IS_DONE },
    { "FIN arrived, the sut ends too", PEER_SHUT, 5, 0, 0, DIAG_LAST_ACK, 6, { 0 }, false, false,
      IS_DONE },
    { "FINs crossed", PEER_CLOSED, 5, 0, 0, DIAG_CLOSING, 6, { 0 }, false, false, IS_DONE },
    { "FIN behind the sut's own", PEER_CLOSED, 5, 0, 0, DIAG_TIME_WAIT, 6, { 0 }, false, false,
      IS_DONE },
    { "the sut's side gone", PEER_OPEN, 5, 0, 0, 0, 0, { 0 }, false, false, IS_DONE },
    { "the sut's side gone, bytes lined up", PEER_OPEN, 5, 2, 0, 0, 0, { 0 }, false, false,
      NEEDS(BYTES) },
    { "RST under way", PEER_RESET, 5, 0, 0, DIAG_CLOSE_WAIT, 6, { 0 }, false, false, NEEDS(RST) },
    { "RST arrived", PEER_RESET, 5, 2, 0, 0, 0, { 0 }, false, false, IS_DONE },
    { "broken", PEER_BROKEN, 5, 2, 0, DIAG_TIME_WAIT, 3, { 0 }, false, false, IS_DONE },
    { "broken, close lined up", PEER_BROKEN, 5, 2, PEER_END_CLOSE, 0, 0, { 0 }, false, false,
      NEEDS(BYTES) },
};

static void each_sight_is_judged_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(sights) / sizeof(sights[0]); i++) {
        const struct sight *sight = &sights[i];
        const struct peer peer = {
            .name = "c", .state = sight->state, .bytes_taken = sight->taken, .fd = -1,
            .queue = {.size = sight->unsent}, .ends = sight->ends, .full = sight->full,
        };
        const struct confirm_view view = {
            .has_sut = sight->sut != 0,
            .sut = { .state = sight->sut, .has_counters = true,
                     .counters = {.bytes_received = sight->received} },
            .is_whole = true, .has_sender = true,
            .sender = {.has_counters = true, .counters = sight->sender},
            .listener_is_full = sight->listener_is_full,
        };
        struct confirm confirm;
        char expected[128], actual[128];

        confirm_open(&confirm, &peer, NULL, NULL);
        enum confirm_answer answer = confirm_judge(&confirm, &view);
        (void)snprintf(expected, sizeof(expected), "%s: %d %d", sight->name, (int)sight->answer,
                       (int)sight->missing);
        (void)snprintf(actual, sizeof(actual), "%s: %d %d", sight->name, (int)answer,
                       (int)confirm.missing);
        assert_string_equal(actual, expected);
    }
}

/* Orphaned in FIN_WAIT2 the sut's side has no counters: what it acknowledged, it has. */
static void a_remnant_is_judged_by_what_it_acknowledged(void **state)
{
    const struct peer peer = { .name = "c", .state = PEER_OPEN, .bytes_taken = 5, .fd = -1 };
    struct confirm_view view = { .has_sut = true, .sut = {.state = DIAG_FIN_WAIT2} };
    struct confirm confirm;
    char text[128];

    (void)state;
    confirm_open(&confirm, &peer, NULL, NULL);
    assert_int_equal(confirm_judge(&confirm, &view), CONFIRM_PENDING);
    view.is_whole = view.has_sender = true;
    view.sender.wqueue = 1;
    assert_int_equal(confirm_judge(&confirm, &view), CONFIRM_PENDING);
    confirm_explain(&confirm, text, sizeof(text));
    assert_string_equal(text,
                        "c: still to come is an acknowledgement; the sut's side is FIN_WAIT2");
    view.sender.wqueue = 0;
    assert_int_equal(confirm_judge(&confirm, &view), CONFIRM_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sight_is_judged_right),
        cmocka_unit_test(a_remnant_is_judged_by_what_it_acknowledged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
