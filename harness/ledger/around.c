/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/around.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/cause.h"
#include "harness/ledger/wire.h"
#include "harness/memory.h"
#include "pcaps/dissect.h"

/* A packet that somebody may want to see. */
struct seen {
    const struct packet *packet;
    int64_t ns; /* since the timeline's start */
    size_t connection; /* of the naming; `count` there: none of them */
    enum naming_direction direction;
    int64_t seq; /* bytes of its direction before it */
    int64_t ack; /* bytes of the other one that it confirms */
};

/* The first sequence number of each direction. */
struct start {
    bool known[NAMING_DIRECTIONS];
    uint32_t seq[NAMING_DIRECTIONS];
};

struct around {
    const struct happened *happened;
    struct naming naming;
    struct naming_index index;
    struct start *starts;
    struct seen *seen;
    size_t count;
};

/* [begin, end) of what was seen. */
struct range {
    size_t begin;
    size_t end;
};

/* The connection of the two ends, in the order given; the naming's count when it is none. */
static size_t find_tuple(const struct around *around, const struct endpoint *peer,
                         const struct endpoint *sut)
{
    struct naming_connection tuple = {.peer = *peer, .sut = *sut};
    size_t place = naming_index_find(&around->index, &tuple);
    size_t found = place < around->naming.count ? around->index.order[place] : 0;

    if (place < around->naming.count &&
        naming_same_tuple(&around->naming.connections[found], &tuple))
        return found;
    return around->naming.count;
}

static void find_connection(const struct around *around, const struct dissect *d,
                            struct seen *seen)
{
    seen->direction = NAMING_TO_SUT;
    seen->connection = find_tuple(around, &d->source, &d->target);
    if (seen->connection < around->naming.count)
        return;
    seen->direction = NAMING_TO_PEER;
    seen->connection = find_tuple(around, &d->target, &d->source);
}

static enum naming_direction other(enum naming_direction direction)
{
    return direction == NAMING_TO_SUT ? NAMING_TO_PEER : NAMING_TO_SUT;
}

/* The difference of two sequence numbers, which wrap. */
static int64_t behind(uint32_t seq, uint32_t start)
{
    return (int32_t)(seq - start) - 1;
}

static void number(struct around *around, const struct dissect_tcp *tcp, struct seen *seen)
{
    struct start *start;

    if (seen->connection == around->naming.count)
        return;
    start = &around->starts[seen->connection];
    if (tcp->flags & DISSECT_SYN) {
        start->known[seen->direction] = true;
        start->seq[seen->direction] = tcp->seq;
    }
    seen->seq = start->known[seen->direction] ? behind(tcp->seq, start->seq[seen->direction])
                                              : tcp->seq;
    seen->ack = start->known[other(seen->direction)]
                    ? behind(tcp->ack, start->seq[other(seen->direction)])
                    : tcp->ack;
}

/* Housekeeping and markers are none of the script's doing. */
static bool interesting(const struct dissect *dissect)
{
    enum dissect_class class = dissect_kind_class(dissect->kind);

    return class == DISSECT_TCP || class == DISSECT_UNEXPLAINED;
}

static void see(struct around *around, const struct packet *packet)
{
    const struct happened *happened = around->happened;
    struct seen *seen = &around->seen[around->count];
    struct dissect dissect = dissect_packet(packet);

    if (!interesting(&dissect))
        return;
    *seen = (struct seen){.packet = packet};
    seen->ns = packet->stamp_ns - happened->wall_offset_ns - happened->started.ns;
    find_connection(around, &dissect, seen);
    number(around, &dissect.tcp, seen);
    around->count++;
}

/* False when there is nothing to be told. */
static bool around_open(const struct happened *happened, struct around *around)
{
    *around = (struct around){.happened = happened};
    if (!happened->packets || happened->packets->count == 0 ||
        wire_naming(happened, &around->naming) < 0)
        return false;
    if (naming_index_make(&around->naming, &around->index) < 0) {
        wire_naming_free(&around->naming);
        return false;
    }
    around->starts = memory_zeroed(around->naming.count + 1, sizeof(*around->starts));
    around->seen = memory_zeroed(happened->packets->count, sizeof(*around->seen));
    for (size_t i = 0; i < happened->packets->count; i++)
        see(around, &happened->packets->packets[i]);
    return true;
}

static void around_close(struct around *around)
{
    free(around->seen);
    free(around->starts);
    naming_index_free(&around->index);
    wire_naming_free(&around->naming);
}

/* What a segment says, behind its direction: "PSH seq 4 len 5 ack 0". */
static void tell_segment(const struct seen *seen, const struct dissect *dissect, char *text,
                         size_t size)
{
    static const struct {
        uint8_t flag;
        const char *name;
    } flags[] = {{DISSECT_SYN, " SYN"}, {DISSECT_FIN, " FIN"}, {DISSECT_RST, " RST"},
                 {DISSECT_PSH, " PSH"}, {DISSECT_URG, " URG"}};
    const struct dissect_tcp *tcp = &dissect->tcp;
    size_t bytes = dissect->payload_bytes;
    char ack[32] = "";
    char seq[48] = "";
    size_t used = 0;

    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
        if (tcp->flags & flags[i].flag)
            used += (size_t)snprintf(text + used, size - used, "%s", flags[i].name);
    if (!(tcp->flags & DISSECT_SYN) && (bytes > 0 || tcp->flags & (DISSECT_FIN | DISSECT_RST)))
        (void)snprintf(seq, sizeof(seq), " seq %lld len %zu", (long long)seen->seq, bytes);
    if (tcp->flags & DISSECT_ACK)
        (void)snprintf(ack, sizeof(ack), " ack %lld", (long long)seen->ack);
    (void)snprintf(text + used, size - used, "%s%s%s", seq, ack,
                   tcp->window == 0 && !(tcp->flags & DISSECT_RST) ? " window 0" : "");
}

static void tell_packet(const struct around *around, size_t i, bool marked, struct lines *lines)
{
    const struct seen *seen = &around->seen[i];
    struct dissect dissect = dissect_packet(seen->packet);
    char text[128] = "";
    char ends[2 * ENDPOINT_TEXT_BYTES + 4] = "?";
    const char *name = ends;

    if (dissect.kind != DISSECT_KIND_TCP_SEGMENT) {
        lines_add(lines, "  %c %9.3f  %s", marked ? '*' : ' ', (double)seen->ns / 1e6,
                  dissect_kind_text(dissect.kind));
        return;
    }
    tell_segment(seen, &dissect, text, sizeof(text));
    if (seen->connection < around->naming.count)
        name = around->naming.connections[seen->connection].name;
    else
        (void)endpoint_text(&dissect.source, ends);
    lines_add(lines, "  %c %9.3f  %s %c%s", marked ? '*' : ' ', (double)seen->ns / 1e6, name,
              naming_sign(seen->direction), text);
}

/* Those of the range marked, and their neighbours. */
static void tell_range(const struct around *around, struct range range, struct lines *lines)
{
    size_t first = range.begin > AROUND_BEFORE ? range.begin - AROUND_BEFORE : 0;
    size_t last = range.end + AROUND_AFTER < around->count ? range.end + AROUND_AFTER
                                                           : around->count;

    for (size_t i = first; i < last; i++) {
        size_t within = i - range.begin;

        if (i < range.begin || i >= range.end || within < AROUND_AT)
            tell_packet(around, i, i >= range.begin && i < range.end, lines);
        else if (within == AROUND_AT)
            lines_add(lines, "  * .. and %zu more of them", range.end - i);
    }
}

static const struct plan_statement *statement_of(const struct happened *happened, uint32_t action)
{
    return &happened->plan->statements[happened->actions[action].statement];
}

/* From when on packets are of instant `at`: from its first action on; where no peer acts in it,
 * from when it was due or the peers' last action before it. */
static int64_t begin_of(const struct happened *happened, struct instant at)
{
    int64_t ns = at.ns;

    for (uint32_t i = 0; i < happened->action_count; i++) {
        struct instant due = statement_of(happened, i)->at;
        int64_t actual = instant_since(happened->actions[i].actual, happened->started).ns;

        if (instant_before(at, due))
            break;
        if (instant_equal(at, due))
            return actual;
        if (actual > ns)
            ns = actual;
    }
    return ns;
}

/* Up to the first action of a later instant, or the end of the timeline. */
static int64_t end_of(const struct happened *happened, struct instant at)
{
    for (uint32_t i = 0; i < happened->action_count; i++)
        if (instant_before(at, statement_of(happened, i)->at))
            return instant_since(happened->actions[i].actual, happened->started).ns;
    return happened->timeline.ns > 0 ? happened->timeline.ns : INT64_MAX;
}

static size_t first_from(const struct around *around, int64_t ns)
{
    size_t i = 0;

    while (i < around->count && around->seen[i].ns < ns)
        i++;
    return i;
}

void around_instant(const struct happened *happened, struct instant at, struct lines *ret_lines)
{
    struct around around;
    struct range range;
    char time[32];

    if (!around_open(happened, &around))
        return;
    range.begin = first_from(&around, begin_of(happened, at));
    range.end = first_from(&around, end_of(happened, at));
    if (range.end < range.begin)
        range.end = range.begin;
    cause_time(at, time, sizeof(time));
    if (around.count > 0)
        lines_add(ret_lines, "packets around %s (%s; ms since the start)", time,
                  range.begin < range.end ? "* in it" : "none in it");
    tell_range(&around, range, ret_lines);
    around_close(&around);
}

void around_end(const struct happened *happened, struct lines *ret_lines)
{
    struct around around;
    size_t first;

    if (!around_open(happened, &around))
        return;
    first = around.count > AROUND_AT ? around.count - AROUND_AT : 0;
    if (around.count > 0)
        lines_add(ret_lines, "the last of %zu packets (ms since the start)", around.count);
    for (size_t i = first; i < around.count; i++)
        tell_packet(&around, i, false, ret_lines);
    around_close(&around);
}

static bool goes(const struct around *around, size_t i, const char *name, char sign)
{
    const struct seen *seen = &around->seen[i];

    return seen->connection < around->naming.count &&
           strcmp(around->naming.connections[seen->connection].name, name) == 0 &&
           naming_sign(seen->direction) == sign;
}

static bool is_place(const struct around *around, size_t i, enum around_place place)
{
    struct dissect dissect = dissect_packet(around->seen[i].packet);

    if (place == AROUND_BYTES)
        return dissect.payload_bytes > 0;
    return place == AROUND_BEGINNING || dissect.tcp.flags & (DISSECT_FIN | DISSECT_RST);
}

/* The packet of the place, else the last that way; the count when there is none. */
static size_t find_place(const struct around *around, const char *name, char sign,
                         enum around_place place)
{
    size_t last = around->count;
    size_t found = around->count;

    for (size_t i = 0; i < around->count; i++) {
        if (!goes(around, i, name, sign))
            continue;
        last = i;
        if (is_place(around, i, place) && (found == around->count || place == AROUND_BYTES))
            found = i;
    }
    return found < around->count ? found : last;
}

void around_wire(const struct happened *happened, uint32_t peer, char sign,
                 enum around_place place, struct lines *ret_lines)
{
    static const char *const places[] = {
#define X(name, text) [AROUND_##name] = text,
        AROUND_PLACES(X)
#undef X
    };
    const char *name;
    struct around around;
    size_t packet;

    _Static_assert(sizeof(places) / sizeof(*places) == AROUND_PLACE_COUNT, "words each");
    assert(place < AROUND_PLACE_COUNT);
    if (peer >= happened->plan->peer_count || !around_open(happened, &around))
        return;
    name = happened->plan->peers[peer].name;
    packet = find_place(&around, name, sign, place);
    if (packet < around.count) {
        lines_add(ret_lines, "packets around the %s of `%s %c` (*; ms since the start)",
                  places[place], name, sign);
        tell_range(&around, (struct range){packet, packet + 1}, ret_lines);
    }
    around_close(&around);
}
