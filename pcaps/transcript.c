/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/transcript.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "pcaps/dissect.h"
#include "pcaps/seq.h"

#define FACTS_FIRST 16

/* The segment at hand: where it stands in the capture and whose it is. */
struct segment {
    struct transcript *transcript;
    size_t packet;
    const struct dissect *dissect;
    struct transcript_connection *connection; /* NULL: not known, or the whole capture */
    enum naming_direction direction;
};

/* --- anomalies ------------------------------------------------------------------------------- */

/* "packet 7: c >: " and the text; without a connection "packet 7: " and the text. */
__attribute__((format(printf, 3, 4))) static int add_anomaly(const struct segment *at,
                                                             enum anomaly_kind kind,
                                                             const char *format, ...)
{
    char text[ANOMALY_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (at->connection == NULL)
        return anomaly_add(&at->transcript->anomalies, kind, at->packet + 1, "packet %zu: %s",
                           at->packet + 1, text);
    return anomaly_add(&at->transcript->anomalies, kind, at->packet + 1, "packet %zu: %s %c: %s",
                       at->packet + 1, at->connection->naming->name, naming_sign(at->direction),
                       text);
}

/* --- facts ----------------------------------------------------------------------------------- */

static int add_fact(const struct segment *at, enum transcript_kind kind, uint64_t offset,
                    uint64_t length)
{
    struct transcript_connection *c = at->connection;

    if (c->fact_count == c->fact_room) {
        size_t room = c->fact_room == 0 ? FACTS_FIRST : c->fact_room * 2;
        struct transcript_fact *grown;

        if (room > SIZE_MAX / sizeof(*grown))
            return -ENOMEM;
        grown = realloc(c->facts, room * sizeof(*grown));
        if (grown == NULL)
            return -ENOMEM;
        c->facts = grown;
        c->fact_room = room;
    }
    c->facts[c->fact_count++] = (struct transcript_fact){
        .kind = kind,
        .direction = at->direction,
        .packet = at->packet,
        .offset = offset,
        .length = length,
    };
    return 0;
}

/* A fact that may come only once, however often it is repeated on the wire. */
static int add_fact_once(const struct segment *at, enum transcript_kind kind, uint64_t offset)
{
    const struct transcript_connection *c = at->connection;

    for (size_t i = c->fact_count; i-- > 0;) {
        const struct transcript_fact *fact = &c->facts[i];

        if (fact->kind == kind && fact->direction == at->direction && fact->offset == offset)
            return 0;
    }
    return add_fact(at, kind, offset, 0);
}

static bool has_fact(const struct transcript_connection *c, enum transcript_kind kind,
                     enum naming_direction direction)
{
    for (size_t i = c->fact_count; i-- > 0;) {
        if (c->facts[i].kind == kind && c->facts[i].direction == direction)
            return true;
    }
    return false;
}

static bool connection_ended(const struct transcript_connection *c)
{
    size_t fins = 0;

    for (int d = 0; d < NAMING_DIRECTIONS; d++) {
        enum naming_direction direction = (enum naming_direction)d;

        if (has_fact(c, TRANSCRIPT_RST, direction) ||
            has_fact(c, TRANSCRIPT_RST_AFTER_FIN, direction) ||
            has_fact(c, TRANSCRIPT_RST_REFUSED, direction))
            return true;
        fins += c->sides[d].fin_counts;
    }
    return fins == NAMING_DIRECTIONS;
}

/* --- one segment ----------------------------------------------------------------------------- */

static struct transcript_side *side_of(const struct segment *at)
{
    return &at->connection->sides[at->direction];
}

/* The FIN counts as soon as all bytes before it are there. */
static int settle_fin(const struct segment *at)
{
    struct transcript_side *side = side_of(at);

    if (!side->fin_seen || side->fin_counts || side->stream.edge < side->fin_offset)
        return 0;
    side->fin_counts = true;
    return add_fact(at, TRANSCRIPT_FIN, side->fin_offset, 0);
}

static int check_behind_fin(const struct segment *at)
{
    const struct transcript_side *side = side_of(at);
    uint64_t end = reassembly_end(&side->stream);

    if (!side->fin_seen || end <= side->fin_offset)
        return 0;
    return add_anomaly(at, ANOMALY_BEHIND_FIN,
                       "FIN at %" PRIu64 ", but the stream has %" PRIu64 " bytes",
                       side->fin_offset, end);
}

static int take_syn(const struct segment *at)
{
    struct transcript_side *side = side_of(at);
    uint32_t isn = at->dissect->tcp.seq;

    if (has_fact(at->connection, TRANSCRIPT_RST_REFUSED, at->direction))
        return add_anomaly(at, ANOMALY_SECOND_SYN, "SYN of a side that refused one");
    if (side->stream.started && side->stream.isn != isn)
        return add_anomaly(at, ANOMALY_SECOND_SYN,
                           "SYN with sequence number %" PRIu32 ", the first had %" PRIu32, isn,
                           side->stream.isn);
    if (side->stream.started)
        return 0;
    reassembly_start(&side->stream, isn);
    side->mss = at->dissect->tcp.options.mss;
    return add_fact(at, TRANSCRIPT_SYN, 0, 0);
}

static int out_of_window(const struct segment *at, int64_t offset)
{
    return add_anomaly(at, ANOMALY_OUT_OF_WINDOW,
                       "stream offset %" PRId64 " while all up to %" PRIu64 " is there", offset,
                       side_of(at)->stream.edge);
}

static int take_data(const struct segment *at, int64_t offset)
{
    struct reassembly *stream = &side_of(at)->stream;
    uint64_t edge = stream->edge;
    uint64_t end = reassembly_end(stream);
    struct reassembly_added added;
    int r;

    r = reassembly_add(stream, offset, at->dissect->payload, at->dissect->payload_bytes, &added);
    if (r == -ERANGE)
        return out_of_window(at, offset);
    if (r == 0 && added.conflict)
        r = add_anomaly(at, ANOMALY_CONFLICT,
                        "byte %" PRIu64 " of the stream differs from the one seen before",
                        added.conflict_offset);
    if (r == 0 && stream->edge > edge)
        r = add_fact(at, TRANSCRIPT_DATA, edge, stream->edge - edge);
    if (r == 0 && reassembly_end(stream) > end)
        r = check_behind_fin(at);
    return r;
}

static int take_fin(const struct segment *at, int64_t offset)
{
    struct transcript_side *side = side_of(at);

    if (offset < 0 || offset > (int64_t)side->stream.edge + REASSEMBLY_AHEAD_MAX)
        return out_of_window(at, offset);
    if (side->fin_seen && side->fin_offset != (uint64_t)offset)
        return add_anomaly(at, ANOMALY_SECOND_FIN,
                           "FIN at %" PRId64 ", the first was at %" PRIu64, offset,
                           side->fin_offset);
    if (side->fin_seen)
        return 0;
    side->fin_seen = true;
    side->fin_offset = (uint64_t)offset;
    return check_behind_fin(at);
}

/* The FIN takes a sequence number: what stands behind it is one further than its stream offset. */
static int take_rst(const struct segment *at, int64_t offset)
{
    const struct transcript_side *side = side_of(at);

    if (offset < 0)
        return out_of_window(at, offset);
    if (side->fin_counts && (uint64_t)offset > side->fin_offset)
        return add_fact_once(at, TRANSCRIPT_RST_AFTER_FIN, (uint64_t)offset - 1);
    return add_fact_once(at, TRANSCRIPT_RST, (uint64_t)offset);
}

/* A RST answers a SYN with any sequence number (RFC 9293 section 3.10.7.1), so it has no offset. */
static int take_unstarted(const struct segment *at)
{
    if ((at->dissect->tcp.flags & DISSECT_RST) != 0)
        return add_fact_once(at, TRANSCRIPT_RST_REFUSED, 0);
    return add_anomaly(at, ANOMALY_NO_SYN, "a segment came before any SYN");
}

static int take_segment(const struct segment *at)
{
    const struct dissect_tcp *tcp = &at->dissect->tcp;
    const struct transcript_side *side = side_of(at);
    bool syn = (tcp->flags & DISSECT_SYN) != 0;
    int64_t offset;
    int r = 0;

    if (syn)
        r = take_syn(at);
    if (r < 0 || (syn && (!side->stream.started || side->stream.isn != tcp->seq)))
        return r;
    if (!side->stream.started)
        return take_unstarted(at);

    offset = reassembly_offset(&side->stream, seq_add(tcp->seq, syn ? 1 : 0));
    if ((tcp->flags & DISSECT_RST) != 0)
        return take_rst(at, offset);
    if (at->dissect->payload_bytes > 0)
        r = take_data(at, offset);
    if (r == 0 && (tcp->flags & DISSECT_FIN) != 0)
        r = take_fin(at, offset + (int64_t)at->dissect->payload_bytes);
    return r < 0 ? r : settle_fin(at);
}

/* --- whose segment it is --------------------------------------------------------------------- */

/* Whether `segment` opens the next connection of a port that is used again after `c`. */
static bool reopens(const struct transcript_connection *c, const struct dissect *segment,
                    enum naming_direction direction)
{
    const struct reassembly *stream = &c->sides[direction].stream;

    return (segment->tcp.flags & (DISSECT_SYN | DISSECT_ACK)) == DISSECT_SYN &&
           (!stream->started || stream->isn != segment->tcp.seq) && connection_ended(c);
}

static struct transcript_connection *find_connection(const struct transcript *t,
                                                     const struct naming_connection *tuple,
                                                     const struct dissect *segment,
                                                     enum naming_direction direction)
{
    struct transcript_connection *found = NULL;

    for (size_t i = naming_index_find(&t->index, tuple); i < t->connection_count; i++) {
        struct transcript_connection *next = &t->connections[t->index.order[i]];

        if (!naming_same_tuple(next->naming, tuple))
            break;
        if (found != NULL && next->fact_count == 0 && !reopens(found, segment, direction))
            break;
        found = next;
        if (found->fact_count == 0)
            break;
    }
    return found;
}

static void find_owner(struct segment *at)
{
    const struct dissect *d = at->dissect;
    struct naming_connection to_sut = {.peer = d->source, .sut = d->target};
    struct naming_connection to_peer = {.peer = d->target, .sut = d->source};

    at->direction = NAMING_TO_SUT;
    at->connection = find_connection(at->transcript, &to_sut, d, at->direction);
    if (at->connection != NULL)
        return;
    at->direction = NAMING_TO_PEER;
    at->connection = find_connection(at->transcript, &to_peer, d, at->direction);
}

/* --- packets --------------------------------------------------------------------------------- */

static int unnamed(const struct segment *at)
{
    char source[ENDPOINT_TEXT_BYTES];
    char target[ENDPOINT_TEXT_BYTES];

    return add_anomaly(at, ANOMALY_UNNAMED,
                       "TCP from %s to %s is no connection of the script",
                       endpoint_text(&at->dissect->source, source),
                       endpoint_text(&at->dissect->target, target));
}

static int read_tcp(struct segment *at)
{
    const struct dissect *d = at->dissect;

    find_owner(at);
    if (d->ip.checksum == DISSECT_CHECKSUM_BAD)
        return add_anomaly(at, ANOMALY_CHECKSUM, "bad IPv4 header checksum");
    if (d->tcp.checksum == DISSECT_CHECKSUM_BAD)
        return add_anomaly(at, ANOMALY_CHECKSUM, "bad TCP checksum");
    if (d->tcp.checksum == DISSECT_CHECKSUM_PARTIAL)
        at->transcript->partial_checksum_count++;
    return at->connection == NULL ? unnamed(at) : take_segment(at);
}

static int unexplained(const struct segment *at, const struct packet *packet)
{
    const char *text = dissect_kind_text(at->dissect->kind);

    return add_anomaly(at, ANOMALY_UNEXPLAINED,
                       "%s (EtherType 0x%04x, IP protocol %u, %" PRIu32 " of %" PRIu32 " bytes)",
                       text, (unsigned int)at->dissect->ethertype,
                       (unsigned int)at->dissect->ip.protocol, packet->captured_bytes,
                       packet->original_bytes);
}

static int read_packet(struct transcript *t, size_t index)
{
    const struct packet *packet = &t->packets->packets[index];
    struct dissect dissect = dissect_packet(packet);
    struct segment at = {.transcript = t, .packet = index, .dissect = &dissect};

    switch (dissect_kind_class(dissect.kind)) {
    case DISSECT_TCP:
        return read_tcp(&at);
    case DISSECT_HOUSEKEEPING:
        t->housekeeping_count++;
        return 0;
    case DISSECT_MARKER:
        return 0;
    case DISSECT_UNEXPLAINED:
        break;
    }
    return unexplained(&at, packet);
}

/* --- the whole ------------------------------------------------------------------------------- */

/* What is still missing at the end. A FIN behind a gap is a fact all the same: it was sent. */
static int finish_side(struct transcript *t, struct transcript_connection *c,
                       enum naming_direction direction)
{
    struct transcript_side *side = &c->sides[direction];
    struct segment at = {
        .transcript = t,
        .packet = t->packets->count - 1,
        .connection = c,
        .direction = direction,
    };
    uint64_t end = reassembly_end(&side->stream);
    int r = 0;

    if (side->fin_seen && side->fin_offset > end)
        end = side->fin_offset;
    if (end > side->stream.edge)
        r = add_anomaly(&at, ANOMALY_GAP,
                        "bytes from %" PRIu64 " on never came, of %" PRIu64, side->stream.edge,
                        end);
    if (r == 0 && side->fin_seen && !side->fin_counts)
        r = add_fact(&at, TRANSCRIPT_FIN, side->fin_offset, 0);
    return r;
}

static int finish(struct transcript *t)
{
    int r = 0;

    for (size_t i = 0; i < t->connection_count; i++) {
        for (int d = 0; r == 0 && d < NAMING_DIRECTIONS; d++)
            r = finish_side(t, &t->connections[i], (enum naming_direction)d);
    }
    return r;
}

static int open_transcript(struct transcript *t, const struct naming *naming)
{
    int r;

    r = naming_index_make(naming, &t->index);
    if (r < 0)
        return r;
    t->connections = calloc(naming->count + 1, sizeof(*t->connections));
    if (t->connections == NULL)
        return -ENOMEM;
    t->connection_count = naming->count;
    for (size_t i = 0; i < naming->count; i++) {
        t->connections[i].naming = &naming->connections[i];
        for (int d = 0; d < NAMING_DIRECTIONS; d++)
            reassembly_init(&t->connections[i].sides[d].stream);
    }
    return 0;
}

int transcript_make(const struct packet_list *packets, const struct naming *naming,
                    struct transcript *ret_transcript)
{
    struct transcript t = {.packets = packets};
    int r;

    r = open_transcript(&t, naming);
    for (size_t i = 0; r == 0 && i < packets->count; i++)
        r = read_packet(&t, i);
    if (r == 0)
        r = finish(&t);
    if (r < 0) {
        transcript_free(&t);
        return r;
    }
    *ret_transcript = t;
    return 0;
}

void transcript_free(struct transcript *transcript)
{
    if (transcript == NULL)
        return;
    for (size_t i = 0; i < transcript->connection_count; i++) {
        struct transcript_connection *c = &transcript->connections[i];

        for (int d = 0; d < NAMING_DIRECTIONS; d++)
            reassembly_free(&c->sides[d].stream);
        free(c->facts);
    }
    free(transcript->connections);
    naming_index_free(&transcript->index);
    anomaly_free(&transcript->anomalies);
    *transcript = (struct transcript){.packets = NULL};
}
