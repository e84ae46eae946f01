/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_pcaps: any sequence of frames through dissect, transcript, normal and canon.
 *
 * Input: packets one after another, each a head byte and what it says. Random bytes seldom make a
 * TCP segment with a good checksum, so most heads describe a segment that is then composed; head
 * bit 7 takes raw frame bytes instead. Checked besides memory: invariants of the reassembly, and
 * that a canonical capture reads as the original did.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pcaps/canon.h"
#include "pcaps/compose.h"
#include "pcaps/normal.h"

#define PACKETS_MAX 64
#define FRAME_BYTES 2048

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct naming_connection connections[] = {
    {"c", {4, 5001, {10, 0, 0, 2}}, {4, 7000, {10, 0, 0, 1}}},
    {"again", {4, 5001, {10, 0, 0, 2}}, {4, 7000, {10, 0, 0, 1}}},
    {"d", {6, 5001, {0xfd, [15] = 2}}, {6, 7000, {0xfd, [15] = 1}}},
};
static const struct naming naming = {connections, sizeof(connections) / sizeof(connections[0])};

struct input {
    const uint8_t *at;
    size_t left;
};

static uint8_t take_byte(struct input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

static const uint8_t *take_bytes(struct input *input, size_t *length)
{
    const uint8_t *at = input->at;

    if (*length > input->left)
        *length = input->left;
    input->at += *length;
    input->left -= *length;
    return at;
}

static void add_frame(struct packet_list *list, const uint8_t *bytes, size_t length, uint8_t cut)
{
    struct packet packet = {
        .stamp_ns = (int64_t)list->count,
        .captured_bytes = (uint32_t)length,
        .original_bytes = (uint32_t)length + cut,
        .bytes = bytes,
    };

    (void)packet_list_append(list, &packet);
}

/* Sequence numbers stay near the initial ones, or are anything with bit 5 of the head. */
static uint32_t take_seq(struct input *input, uint8_t head)
{
    uint32_t seq = 0xfffffff8u + take_byte(input);

    if ((head & 0x20) != 0) {
        for (int i = 0; i < 3; i++)
            seq = seq << 8 | take_byte(input);
    }
    return seq;
}

static void add_segment(struct packet_list *list, struct input *input, uint8_t head)
{
    const struct naming_connection *c = &connections[(head & 1) != 0 ? 2 : 0];
    uint8_t frame[FRAME_BYTES];
    struct dissect value = {
        .source = (head & 2) != 0 ? c->peer : c->sut,
        .target = (head & 2) != 0 ? c->sut : c->peer,
    };
    ptrdiff_t bytes;

    value.payload_bytes = (head & 4) != 0 ? take_byte(input) : 0;
    value.tcp.seq = take_seq(input, head);
    value.tcp.flags = take_byte(input);
    value.tcp.options.mss = (uint16_t)(take_byte(input) << 4);
    value.tcp.options.has_mss = (value.tcp.flags & DISSECT_SYN) != 0;
    value.payload = take_bytes(input, &value.payload_bytes);
    bytes = compose_tcp(&value, frame, sizeof(frame));
    assert(bytes > 0);
    if ((head & 8) != 0)
        frame[(size_t)take_byte(input) % (size_t)bytes] ^= take_byte(input);
    add_frame(list, frame, (size_t)bytes, (head & 0x18) == 0x18);
}

static void add_raw(struct packet_list *list, struct input *input)
{
    size_t length = take_byte(input);
    const uint8_t *bytes = take_bytes(input, &length);

    add_frame(list, bytes, length, 0);
}

static char *normal_of(const struct transcript *t)
{
    char *text;

    for (size_t i = 0; i < t->connection_count; i++) {
        for (int d = 0; d < NAMING_DIRECTIONS; d++)
            reassembly_check(&t->connections[i].sides[d].stream);
    }
    if (normal_text(t, &text, NULL) < 0)
        abort();
    return text;
}

static void check_canonical(const struct transcript *before, const int64_t *script_ns)
{
    struct naming_connection all[sizeof(connections) / sizeof(connections[0])];
    struct naming canonical = {.connections = all, .count = naming.count};
    struct packet_list list;
    struct transcript after;
    char *text[2];

    packet_list_init(&list, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    if (canon_make(before, script_ns, &list) < 0)
        abort();
    for (size_t i = 0; i < naming.count; i++)
        all[i] = canon_naming(i, connections[i].name, connections[i].peer.version);
    if (transcript_make(&list, &canonical, &after) < 0)
        abort();
    assert(after.anomalies.total == 0);
    text[0] = normal_of(before);
    text[1] = normal_of(&after);
    assert(strcmp(text[0], text[1]) == 0);
    free(text[0]);
    free(text[1]);
    transcript_free(&after);
    packet_list_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {.at = data, .left = size};
    int64_t script_ns[PACKETS_MAX];
    struct packet_list list;
    struct transcript t;

    packet_list_init(&list, PACKETS_MAX, PACKET_LIST_BYTES_MAX);
    while (input.left > 0 && list.count < PACKETS_MAX) {
        uint8_t head = take_byte(&input);

        if ((head & 0x80) != 0)
            add_raw(&list, &input);
        else
            add_segment(&list, &input, head);
        script_ns[list.count - 1] = (int64_t)list.count / 4 * 1000000;
    }
    if (transcript_make(&list, &naming, &t) < 0)
        abort();
    if (t.anomalies.total == 0) {
        check_canonical(&t, script_ns);
        check_canonical(&t, NULL);
    }
    free(normal_of(&t));
    transcript_free(&t);
    packet_list_free(&list);
    return 0;
}
