/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/canon.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pcaps/compose.h"
#include "pcaps/seq.h"
#include "pcaps/step.h"

#define NS_PER_MS INT64_C(1000000)

#define HOP_LIMIT 64
#define WINDOW 65535
#define WINDOW_SCALE 7
#define SEGMENTS_PER_ACK 2 /* RFC 9293 section 3.8.6.3: at least every second one */

/* Bytes that the timestamp option takes out of every segment (RFC 7323 section 3.2, padded). */
#define TIMESTAMP_BYTES 12u

/* What a SYN without an MSS option stands for (RFC 9293 section 3.7.1). */
#define MSS_DEFAULT_IPV4 536u
#define MSS_DEFAULT_IPV6 1220u
#define MSS_MIN 64u
#define MSS_MAX (65535u - 20u - 20u)

struct side {
    bool started;      /* its SYN is out */
    uint32_t next_seq; /* what the other side acknowledges when it has all */
    uint32_t acked;    /* the last acknowledgement number it sent */
    uint32_t timestamp;
};

struct talk {
    const struct transcript_connection *connection;
    struct naming_connection naming;
    struct step_list steps;
    size_t done; /* steps played */
    bool reset; /* after a RST nobody acknowledges */
    struct side sides[NAMING_DIRECTIONS];
};

struct canon {
    const int64_t *script_ns; /* NULL: no order between directions */
    struct talk *talks;
    size_t talk_count;
    struct packet_list *list;
    uint8_t *frame;   /* COMPOSE_HEADERS_MAX + MSS_MAX bytes */
    uint8_t *payload; /* MSS_MAX bytes */
};

static enum naming_direction other(enum naming_direction direction)
{
    return direction == NAMING_TO_SUT ? NAMING_TO_PEER : NAMING_TO_SUT;
}

/* --- what is fixed --------------------------------------------------------------------------- */

static const uint8_t macs[NAMING_DIRECTIONS][DISSECT_MAC_BYTES] = {
    /* by who sends; locally administered */
    [NAMING_TO_SUT] = {0x02, 0, 0, 0, 0, 2},
    [NAMING_TO_PEER] = {0x02, 0, 0, 0, 0, 1},
};

/* 192.0.2.HOST (RFC 5737) or 2001:db8::HOST (RFC 3849). */
static struct endpoint fixed_endpoint(uint8_t version, uint8_t host, uint16_t port)
{
    static const uint8_t ipv4[] = {192, 0, 2};
    static const uint8_t ipv6[] = {0x20, 0x01, 0x0d, 0xb8};
    struct endpoint endpoint = {.version = version, .port = port};

    assert(version == 4 || version == 6);
    if (version == 4) {
        memcpy(endpoint.address, ipv4, sizeof(ipv4));
        endpoint.address[3] = host;
    } else {
        memcpy(endpoint.address, ipv6, sizeof(ipv6));
        endpoint.address[ENDPOINT_ADDRESS_BYTES - 1] = host;
    }
    return endpoint;
}

struct naming_connection canon_naming(size_t index, const char *name, uint8_t version)
{
    assert(index < CANON_CONNECTIONS_MAX);
    return (struct naming_connection){
        .name = name,
        .peer = fixed_endpoint(version, 2, (uint16_t)(CANON_PEER_PORT_FIRST + index)),
        .sut = fixed_endpoint(version, 1, CANON_SUT_PORT),
    };
}

/* --- one packet ------------------------------------------------------------------------------ */

static uint32_t script_ms(int64_t script_ns)
{
    return (uint32_t)(script_ns / NS_PER_MS + 1);
}

static struct dissect_tcp_options options_of(const struct talk *talk,
                                             enum naming_direction direction, uint8_t flags)
{
    struct dissect_tcp_options options = {
        .has_timestamps = true,
        .timestamp_value = talk->sides[direction].timestamp,
        .timestamp_echo = (flags & DISSECT_ACK) != 0 ? talk->sides[other(direction)].timestamp : 0,
    };

    if ((flags & DISSECT_SYN) != 0) {
        options.mss = talk->connection->sides[direction].mss;
        options.has_mss = options.mss > 0;
        options.has_window_scale = true;
        options.window_scale = WINDOW_SCALE;
    }
    return options;
}

static int append(struct canon *canon, const struct dissect *value, int64_t script_ns)
{
    struct packet packet = {.bytes = canon->frame};
    ptrdiff_t bytes = compose_tcp(value, canon->frame, COMPOSE_HEADERS_MAX + MSS_MAX);

    if (bytes < 0)
        return (int)bytes;
    if (script_ns > INT64_MAX - (int64_t)canon->list->count)
        return -EINVAL;
    packet.stamp_ns = script_ns + (int64_t)canon->list->count;
    packet.captured_bytes = (uint32_t)bytes;
    packet.original_bytes = (uint32_t)bytes;
    return packet_list_append(canon->list, &packet);
}

/* One packet of `direction`; it acknowledges all that the other side has sent so far. */
static int say(struct canon *canon, struct talk *talk, const struct step *step,
               enum naming_direction direction, uint8_t flags, uint32_t seq, size_t payload_bytes)
{
    struct side *side = &talk->sides[direction];
    const struct side *heard = &talk->sides[other(direction)];
    bool to_sut = direction == NAMING_TO_SUT;
    struct dissect value = {
        .source = to_sut ? talk->naming.peer : talk->naming.sut,
        .target = to_sut ? talk->naming.sut : talk->naming.peer,
        .ip.hop_limit = HOP_LIMIT,
        .payload = canon->payload,
        .payload_bytes = payload_bytes,
    };

    side->timestamp = script_ms(step->script_ns);
    if (heard->started) {
        flags |= DISSECT_ACK;
        side->acked = heard->next_seq;
    }
    value.tcp = (struct dissect_tcp){
        .seq = seq,
        .ack = side->acked,
        .flags = flags,
        .window = (flags & DISSECT_RST) != 0 ? 0 : WINDOW,
        .options = options_of(talk, direction, flags),
    };
    memcpy(value.source_mac, macs[direction], DISSECT_MAC_BYTES);
    memcpy(value.target_mac, macs[other(direction)], DISSECT_MAC_BYTES);
    return append(canon, &value, step->script_ns);
}

/* --- one step -------------------------------------------------------------------------------- */

static bool owes_ack(const struct talk *talk, enum naming_direction direction)
{
    return !talk->reset && talk->sides[direction].started &&
           talk->sides[direction].acked != talk->sides[other(direction)].next_seq;
}

static int pure_ack(struct canon *canon, struct talk *talk, const struct step *step,
                    enum naming_direction direction)
{
    if (!owes_ack(talk, direction))
        return 0;
    return say(canon, talk, step, direction, 0, talk->sides[direction].next_seq, 0);
}

/* Whether the listener of `step` says something next in the same instant, and so acknowledges. */
static bool answered_next(const struct talk *talk, const struct step *step)
{
    const struct step *next = step + 1;

    return next < talk->steps.steps + talk->steps.count && next->script_ns == step->script_ns &&
           next->direction != step->direction;
}

static size_t segment_bytes_max(const struct talk *talk, enum naming_direction direction)
{
    size_t mss = talk->connection->sides[other(direction)].mss;

    if (mss == 0)
        mss = talk->naming.peer.version == 4 ? MSS_DEFAULT_IPV4 : MSS_DEFAULT_IPV6;
    if (mss < MSS_MIN)
        mss = MSS_MIN;
    if (mss > MSS_MAX)
        mss = MSS_MAX;
    return mss - TIMESTAMP_BYTES;
}

static int say_burst(struct canon *canon, struct talk *talk, const struct step *step)
{
    const struct reassembly *stream = &talk->connection->sides[step->direction].stream;
    struct side *side = &talk->sides[step->direction];
    size_t segment_bytes = segment_bytes_max(talk, step->direction);
    uint64_t end = step->offset + step->length;
    size_t segments = 0;

    for (uint64_t offset = step->offset; offset < end;) {
        size_t length = end - offset < segment_bytes ? (size_t)(end - offset) : segment_bytes;
        uint32_t seq = seq_add(1, offset);
        int r;

        reassembly_copy(stream, offset, length, canon->payload);
        offset += length;
        side->next_seq = seq_add(1, offset);
        r = say(canon, talk, step, step->direction, offset == end ? DISSECT_PSH : 0, seq, length);
        if (r == 0 && ++segments % SEGMENTS_PER_ACK == 0 && offset < end)
            r = pure_ack(canon, talk, step, other(step->direction));
        if (r < 0)
            return r;
    }
    return 0;
}

/* The number behind the FIN is one further than its stream offset. A refusal has none to give. */
static int say_reset(struct canon *canon, struct talk *talk, const struct step *step)
{
    uint32_t seq = seq_add(1, step->offset);

    if (step->kind == TRANSCRIPT_RST_AFTER_FIN)
        seq = seq_add(seq, 1);
    if (step->kind == TRANSCRIPT_RST_REFUSED)
        seq = 0;
    talk->reset = true;
    return say(canon, talk, step, step->direction, DISSECT_RST, seq, 0);
}

static int say_step(struct canon *canon, struct talk *talk, const struct step *step)
{
    struct side *side = &talk->sides[step->direction];
    uint32_t seq;

    switch (step->kind) {
    case TRANSCRIPT_SYN:
        side->started = true;
        side->next_seq = 1;
        return say(canon, talk, step, step->direction, DISSECT_SYN, 0, 0);
    case TRANSCRIPT_DATA:
        return say_burst(canon, talk, step);
    case TRANSCRIPT_FIN:
        seq = seq_add(1, step->offset);
        side->next_seq = seq_add(seq, 1);
        return say(canon, talk, step, step->direction, DISSECT_FIN, seq, 0);
    case TRANSCRIPT_RST:
    case TRANSCRIPT_RST_AFTER_FIN:
    case TRANSCRIPT_RST_REFUSED:
        return say_reset(canon, talk, step);
    case TRANSCRIPT_KIND_COUNT:
        break;
    }
    assert(step->kind < TRANSCRIPT_KIND_COUNT);
    return -EINVAL;
}

/* A step and what the listener has to say to it. The handshake's ACK is never left to data. */
static int play_step(struct canon *canon, struct talk *talk)
{
    const struct step *step = &talk->steps.steps[talk->done++];
    int r;

    r = say_step(canon, talk, step);
    if (r < 0 || (step->kind != TRANSCRIPT_SYN && answered_next(talk, step)))
        return r;
    return pure_ack(canon, talk, step, other(step->direction));
}

/* --- instants -------------------------------------------------------------------------------- */

/* The next instant in which any connection does something; false when all are through. */
static bool next_instant(const struct canon *canon, int64_t *ret_script_ns)
{
    bool found = false;

    for (size_t i = 0; i < canon->talk_count; i++) {
        const struct talk *talk = &canon->talks[i];

        if (talk->done == talk->steps.count)
            continue;
        if (!found || talk->steps.steps[talk->done].script_ns < *ret_script_ns)
            *ret_script_ns = talk->steps.steps[talk->done].script_ns;
        found = true;
    }
    return found;
}

static int play(struct canon *canon)
{
    int64_t instant_ns = 0;

    while (next_instant(canon, &instant_ns)) {
        for (size_t i = 0; i < canon->talk_count; i++) {
            struct talk *talk = &canon->talks[i];

            while (talk->done < talk->steps.count &&
                   talk->steps.steps[talk->done].script_ns == instant_ns) {
                int r = play_step(canon, talk);

                if (r < 0)
                    return r;
            }
        }
    }
    return 0;
}

/* --- the whole ------------------------------------------------------------------------------- */

static int check_input(const struct transcript *transcript, const int64_t *script_ns)
{
    if (transcript->anomalies.total > 0)
        return -EBADMSG;
    if (transcript->connection_count > CANON_CONNECTIONS_MAX)
        return -E2BIG;
    for (size_t i = 0; script_ns != NULL && i < transcript->packets->count; i++) {
        if (script_ns[i] < 0 || (i > 0 && script_ns[i] < script_ns[i - 1]))
            return -EINVAL;
    }
    return 0;
}

static int open_canon(struct canon *canon, const struct transcript *transcript)
{
    size_t count = transcript->connection_count;
    int r = 0;

    canon->frame = malloc(COMPOSE_HEADERS_MAX + MSS_MAX);
    canon->payload = malloc(MSS_MAX);
    canon->talks = calloc(count + 1, sizeof(*canon->talks));
    if (canon->frame == NULL || canon->payload == NULL || canon->talks == NULL)
        return -ENOMEM;
    canon->talk_count = count;
    for (size_t i = 0; r == 0 && i < count; i++) {
        const struct transcript_connection *c = &transcript->connections[i];
        struct talk *talk = &canon->talks[i];

        talk->connection = c;
        talk->naming = canon_naming(i, c->naming->name, c->naming->peer.version);
        r = step_list_make(c, canon->script_ns, &talk->steps);
    }
    return r;
}

static void close_canon(struct canon *canon)
{
    for (size_t i = 0; i < canon->talk_count; i++)
        step_list_free(&canon->talks[i].steps);
    free(canon->talks);
    free(canon->payload);
    free(canon->frame);
}

int canon_make(const struct transcript *transcript, const int64_t *script_ns,
               struct packet_list *list)
{
    struct canon canon = {.script_ns = script_ns, .list = list};
    int r;

    assert(list->count == 0);
    r = check_input(transcript, script_ns);
    if (r < 0)
        return r;
    r = open_canon(&canon, transcript);
    if (r == 0)
        r = play(&canon);
    if (r < 0)
        packet_list_truncate(list, 0);
    close_canon(&canon);
    return r;
}
