/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crafted: captures built in a test, packet by packet, from a template and named overrides.
 *
 * Sequence numbers start just below the wrap; `at` counts bytes of the stream of that direction.
 */
#ifndef EDGEWISE_TESTS_PCAPS_CRAFTED_H
#define EDGEWISE_TESTS_PCAPS_CRAFTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pcaps/compose.h"
#include "pcaps/naming.h"
#include "pcaps/normal.h"
#include "pcaps/packet.h"
#include "pcaps/transcript.h"

#define CRAFTED_FRAME_BYTES 4096
#define CRAFTED_CONNECTIONS 3
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { FIN = DISSECT_FIN, SYN = DISSECT_SYN, RST = DISSECT_RST, ACK = DISSECT_ACK };

static const uint32_t crafted_isn[NAMING_DIRECTIONS] = {
    [NAMING_TO_SUT] = 0xfffffffc,
    [NAMING_TO_PEER] = 0xfffffffe,
};

/* c, d and e: 10.0.0.2:5001.. to 10.0.0.1:7000; c6, d6, e6 the same over IPv6. */
static const struct naming_connection crafted_ipv4[CRAFTED_CONNECTIONS] = {
    {"c", {4, 5001, {10, 0, 0, 2}}, {4, 7000, {10, 0, 0, 1}}},
    {"d", {4, 5002, {10, 0, 0, 2}}, {4, 7000, {10, 0, 0, 1}}},
    {"e", {4, 5003, {10, 0, 0, 2}}, {4, 7000, {10, 0, 0, 1}}},
};
static const struct naming_connection crafted_ipv6[CRAFTED_CONNECTIONS] = {
    {"c", {6, 5001, {0xfd, [15] = 2}}, {6, 7000, {0xfd, [15] = 1}}},
    {"d", {6, 5002, {0xfd, [15] = 2}}, {6, 7000, {0xfd, [15] = 1}}},
    {"e", {6, 5003, {0xfd, [15] = 2}}, {6, 7000, {0xfd, [15] = 1}}},
};

struct crafted_segment {
    const struct naming_connection *of; /* NULL: c over IPv4 */
    enum naming_direction direction;
    uint8_t flags;    /* ACK is added except to a SYN of the peer */
    int64_t at;       /* stream offset */
    const char *data; /* a string; or `bytes` of it when that is set */
    size_t bytes;
    uint32_t isn; /* 0: crafted_isn */
    uint32_t ack;
    uint16_t window;
    struct dissect_tcp_options options;
    int64_t ms;
};

static inline struct packet_list crafted_list(void)
{
    struct packet_list list;

    packet_list_init(&list, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    return list;
}

static inline void crafted_add_frame(struct packet_list *list, const uint8_t *frame, size_t bytes,
                                     int64_t ms)
{
    struct packet packet = {
        .stamp_ns = ms * 1000000,
        .captured_bytes = (uint32_t)bytes,
        .original_bytes = (uint32_t)bytes,
        .bytes = frame,
    };

    assert_int_equal(packet_list_append(list, &packet), 0);
}

static inline struct dissect crafted_value(const struct crafted_segment *s)
{
    const struct naming_connection *of = s->of != NULL ? s->of : &crafted_ipv4[0];
    bool to_sut = s->direction == NAMING_TO_SUT;
    uint32_t isn = s->isn != 0 ? s->isn : crafted_isn[s->direction];
    uint32_t behind_syn = (s->flags & SYN) == 0;
    struct dissect value = {
        .source = to_sut ? of->peer : of->sut,
        .target = to_sut ? of->sut : of->peer,
        .source_mac = {2, 0, 0, 0, 1, to_sut ? 2 : 1},
        .target_mac = {2, 0, 0, 0, 1, to_sut ? 1 : 2},
        .ip = {.hop_limit = 64},
        .payload = (const uint8_t *)s->data,
        .payload_bytes = s->bytes != 0 ? s->bytes : s->data != NULL ? strlen(s->data) : 0,
    };

    value.tcp = (struct dissect_tcp){
        .seq = isn + behind_syn + (uint32_t)s->at,
        .ack = s->ack,
        .flags = (uint8_t)(s->flags | (to_sut && behind_syn == 0 ? 0 : ACK)),
        .window = s->window,
        .options = s->options,
    };
    return value;
}

static inline size_t crafted_frame(const struct crafted_segment *s,
                                   uint8_t frame[static CRAFTED_FRAME_BYTES])
{
    struct dissect value = crafted_value(s);
    ptrdiff_t bytes = compose_tcp(&value, frame, CRAFTED_FRAME_BYTES);

    assert_true(bytes > 0);
    return (size_t)bytes;
}

static inline void crafted_add(struct packet_list *list, const struct crafted_segment *s)
{
    uint8_t frame[CRAFTED_FRAME_BYTES];
    size_t bytes = crafted_frame(s, frame);

    crafted_add_frame(list, frame, bytes, s->ms);
}

/* PEER_SENDS(&list, .at = 3, .data = "abc"), SUT_SENDS(&list, .flags = RST) and so on. */
#define PEER_SENDS(list, ...)                                                                      \
    crafted_add((list), &(struct crafted_segment){.direction = NAMING_TO_SUT, __VA_ARGS__})
#define SUT_SENDS(list, ...)                                                                       \
    crafted_add((list), &(struct crafted_segment){.direction = NAMING_TO_PEER, __VA_ARGS__})

/* SYN, SYN+ACK, ACK. */
static inline void crafted_handshake(struct packet_list *list, const struct naming_connection *of)
{
    struct dissect_tcp_options options = {.has_mss = true, .mss = 1460};

    PEER_SENDS(list, .of = of, .flags = SYN, .options = options);
    SUT_SENDS(list, .of = of, .flags = SYN, .options = options);
    PEER_SENDS(list, .of = of, .flags = ACK);
}

static inline struct transcript crafted_transcript(const struct packet_list *list,
                                                   const struct naming_connection *connections)
{
    struct naming naming = {.connections = connections, .count = CRAFTED_CONNECTIONS};
    struct transcript transcript;

    assert_int_equal(transcript_make(list, &naming, &transcript), 0);
    return transcript;
}

/* Checks that the list reads as `rows`, without an anomaly, then frees the list. */
static inline void crafted_expect(struct packet_list *list, const char *rows)
{
    struct transcript transcript = crafted_transcript(list, crafted_ipv4);
    char *text;

    if (transcript.anomalies.total > 0)
        fail_msg("%s", transcript.anomalies.kept[0].text);
    assert_int_equal(normal_text(&transcript, &text, NULL), 0);
    assert_string_equal(text, rows);
    free(text);
    transcript_free(&transcript);
    packet_list_free(list);
}

/* Checks that the list has one anomaly, of `kind` and with `words`, then frees the list. */
static inline void crafted_expect_anomaly(struct packet_list *list, enum anomaly_kind kind,
                                          const char *words)
{
    struct transcript transcript = crafted_transcript(list, crafted_ipv4);

    assert_int_equal(transcript.anomalies.total, 1);
    assert_int_equal(transcript.anomalies.totals[kind], 1);
    assert_string_equal(transcript.anomalies.kept[0].text, words);
    transcript_free(&transcript);
    packet_list_free(list);
}

#endif
