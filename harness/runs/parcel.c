/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/parcel.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

#define PARCEL_MARK UINT64_C(0x6c65637261703165) /* "e1parcel" */
#define PARCEL_ROOM_FIRST 4096
/* No single line is longer. */
#define PARCEL_TEXT_MAX (UINT64_C(1) << 20)

/*
 * One walk over the fields serves both ways, so that what is written and what is read cannot part:
 * a field is copied from memory to the bytes, or back. After the first thing that does not fit
 * nothing more is copied.
 */
struct parcel_walk {
    bool reading;
    bool broken;
    uint8_t *bytes;
    size_t at;
    size_t size; /* reading: of the bytes; writing: the room for them */
};

static void parcel_grow(struct parcel_walk *walk, size_t size)
{
    while (size > walk->size - walk->at)
        walk->size *= 2;
    walk->bytes = memory_must(realloc(walk->bytes, walk->size));
}

static void parcel_field(struct parcel_walk *walk, void *field, size_t size)
{
    size_t most = walk->reading ? walk->size : PARCEL_BYTES_MAX;

    walk->broken |= size > most - walk->at;
    if (walk->broken || size == 0)
        return;
    if (size > walk->size - walk->at)
        parcel_grow(walk, size);
    if (walk->reading)
        memcpy(field, walk->bytes + walk->at, size);
    else
        memcpy(walk->bytes + walk->at, field, size);
    walk->at += size;
}

#define PARCEL_FIELD(walk, field) parcel_field(walk, &(field), sizeof(field))

/* A number that must be below `limit`. */
static void parcel_below(struct parcel_walk *walk, uint64_t *number, uint64_t limit)
{
    PARCEL_FIELD(walk, *number);
    if (*number >= limit)
        walk->broken = true;
}

static void parcel_bool(struct parcel_walk *walk, bool *yes)
{
    uint64_t number = *yes;

    parcel_below(walk, &number, 2);
    *yes = number == 1;
}

/* An array of `*count` elements, at most `most`; when read it is made anew, never NULL. */
static void parcel_array(struct parcel_walk *walk, void **array, uint64_t *count, uint64_t most,
                         size_t element)
{
    parcel_below(walk, count, most + 1);
    if (walk->reading && (walk->broken || *count > (walk->size - walk->at) / element)) {
        walk->broken = true;
        *count = 0;
    }
    if (walk->reading)
        *array = memory_zeroed(*count, element);
    parcel_field(walk, *array, *count * element);
}

/* A text or NULL. */
static void parcel_text(struct parcel_walk *walk, char **text)
{
    bool there = *text != NULL;
    uint64_t length = there ? strlen(*text) : 0;
    void *bytes = *text;

    parcel_bool(walk, &there);
    if (walk->broken || !there)
        return;
    if (length > PARCEL_TEXT_MAX)
        length = PARCEL_TEXT_MAX;
    parcel_array(walk, &bytes, &length, PARCEL_TEXT_MAX, 1);
    if (walk->reading) {
        *text = memory_text(bytes, length);
        free(bytes);
    }
}

static void parcel_lines(struct parcel_walk *walk, struct lines *lines)
{
    uint64_t count = lines->count;

    parcel_below(walk, &count, PARCEL_BYTES_MAX);
    for (uint64_t i = 0; i < count && !walk->broken; i++) {
        char *text = NULL;

        assert(walk->reading || lines->line);
        if (!walk->reading)
            text = lines->line[i];

        parcel_text(walk, &text);
        walk->broken |= !text;
        if (walk->reading && text)
            lines_add(lines, "%s", text);
        if (walk->reading)
            free(text);
    }
}

static void parcel_packet(struct parcel_walk *walk, struct packet_list *list, uint64_t i)
{
    struct packet packet = {0};
    uint64_t captured;
    void *bytes;

    assert(list);
    if (!walk->reading)
        packet = list->packets[i];
    captured = packet.captured_bytes;
    bytes = (void *)(uintptr_t)packet.bytes;
    PARCEL_FIELD(walk, packet.stamp_ns);
    PARCEL_FIELD(walk, packet.original_bytes);
    parcel_array(walk, &bytes, &captured, PACKET_BYTES_MAX, 1);
    if (!walk->reading)
        return;
    packet.captured_bytes = (uint32_t)captured;
    packet.bytes = bytes;
    if (!walk->broken && packet_list_append(list, &packet) < 0)
        walk->broken = true;
    free(bytes);
}

static void parcel_packets(struct parcel_walk *walk, struct packet_list **list)
{
    bool there = *list != NULL;
    uint64_t count = there ? (*list)->count : 0;

    parcel_bool(walk, &there);
    if (walk->broken || !there)
        return;
    if (walk->reading) {
        *list = memory_zeroed(1, sizeof(**list));
        packet_list_init(*list, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    }
    parcel_below(walk, &count, PACKET_LIST_COUNT_MAX + 1);
    for (uint64_t i = 0; i < count && !walk->broken; i++)
        parcel_packet(walk, *list, i);
}

static void parcel_sources(struct parcel_walk *walk, struct happened *happened,
                           const struct plan *plan)
{
    uint64_t count = happened->source_count;
    void *sources = happened->sources;

    parcel_array(walk, &sources, &count, PLAN_PEERS_MAX, sizeof(*happened->sources));
    if (!walk->reading)
        return;
    assert(sources);
    happened->sources = sources;
    happened->source_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++)
        walk->broken |= happened->sources[i] >= plan->peer_count;
}

static void parcel_actions(struct parcel_walk *walk, struct happened *happened,
                           const struct plan *plan)
{
    uint64_t count = happened->action_count;
    void *actions = happened->actions;

    parcel_array(walk, &actions, &count, PLAN_STATEMENTS_MAX, sizeof(*happened->actions));
    if (!walk->reading)
        return;
    assert(actions);
    happened->actions = actions;
    happened->action_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++)
        walk->broken |= happened->actions[i].statement >= plan->statement_count;
}

static void parcel_peer(struct parcel_walk *walk, struct happened_peer *peer,
                        const struct plan *plan)
{
    uint64_t size = peer->received_size;
    void *received = peer->received;

    PARCEL_FIELD(walk, peer->peer);
    parcel_bool(walk, &peer->connected);
    PARCEL_FIELD(walk, peer->saw);
    PARCEL_FIELD(walk, peer->near);
    PARCEL_FIELD(walk, peer->far);
    parcel_array(walk, &received, &size, PARCEL_BYTES_MAX, 1);
    if (!walk->reading)
        return;
    peer->received = received;
    peer->received_size = size;
    walk->broken |= peer->peer >= plan->peer_count || (unsigned)peer->saw >= PLAN_SAW_COUNT;
}

static void parcel_peers(struct parcel_walk *walk, struct happened *happened,
                         const struct plan *plan)
{
    uint64_t count = happened->peer_count;

    parcel_below(walk, &count, PLAN_PEERS_MAX + 1);
    if (walk->reading) {
        happened->peers = memory_zeroed(walk->broken ? 0 : count, sizeof(*happened->peers));
        happened->peer_count = walk->broken ? 0 : (uint32_t)count;
    }
    for (uint32_t i = 0; i < happened->peer_count && !walk->broken; i++)
        parcel_peer(walk, &happened->peers[i], plan);
}

/* All of it but plan, journal, block and trail: these are known to both sides. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct happened) == 192, "a field more is packed");

static void parcel_happened(struct parcel_walk *walk, struct happened *happened,
                            const struct plan *plan)
{
    PARCEL_FIELD(walk, happened->trigger);
    PARCEL_FIELD(walk, happened->family);
    PARCEL_FIELD(walk, happened->fate);
    walk->broken |= (unsigned)happened->trigger >= REACTOR_TRIGGER_COUNT ||
                    (unsigned)happened->family >= PLAN_FAMILY_COUNT ||
                    (unsigned)happened->fate > HAPPENED_DIED;
    PARCEL_FIELD(walk, happened->started);
    PARCEL_FIELD(walk, happened->wall_offset_ns);
    PARCEL_FIELD(walk, happened->setup);
    PARCEL_FIELD(walk, happened->timeline);
    parcel_text(walk, &happened->fate_text);
    parcel_lines(walk, &happened->left_over);
    parcel_lines(walk, &happened->notes);
    parcel_sources(walk, happened, plan);
    parcel_actions(walk, happened, plan);
    parcel_peers(walk, happened, plan);
    parcel_packets(walk, &happened->packets);
}

static void parcel_all(struct parcel_walk *walk, struct parcel *parcel, const struct plan *plan)
{
    uint64_t kind = parcel->kind;

    parcel_below(walk, &kind, PARCEL_KIND_COUNT);
    parcel->kind = (enum parcel_kind)kind;
    if (kind == PARCEL_HAPPENED && !walk->broken)
        parcel_happened(walk, &parcel->happened, plan);
    if (kind == PARCEL_FAILURE && !walk->broken)
        PARCEL_FIELD(walk, parcel->failure);
    parcel->failure.text[sizeof(parcel->failure.text) - 1] = '\0';
}

int parcel_pack(const struct parcel *parcel, uint8_t **ret_bytes, size_t *ret_size)
{
    struct parcel_walk walk = {.at = sizeof(struct parcel_head)};
    struct parcel_head head = {.mark = PARCEL_MARK};
    struct parcel copy = *parcel; /* its fields are only read */

    walk.size = PARCEL_ROOM_FIRST;
    walk.bytes = memory_zeroed(walk.size, 1);
    parcel_all(&walk, &copy, parcel->happened.plan);
    if (walk.broken) {
        free(walk.bytes);
        return -EFBIG;
    }
    head.size = walk.at;
    memcpy(walk.bytes, &head, sizeof(head));
    *ret_bytes = walk.bytes;
    *ret_size = walk.at;
    return 0;
}

int64_t parcel_size(const uint8_t *bytes, size_t size)
{
    struct parcel_head head;

    if (size < sizeof(head))
        return 0;
    memcpy(&head, bytes, sizeof(head));
    if (head.mark != PARCEL_MARK || head.size < sizeof(head) || head.size > PARCEL_BYTES_MAX)
        return -EBADMSG;
    return (int64_t)head.size;
}

int parcel_open(const uint8_t *bytes, size_t size, const struct plan *plan,
                struct parcel *ret_parcel)
{
    struct parcel_walk walk = {
        .reading = true,
        .bytes = (uint8_t *)(uintptr_t)bytes,
        .at = sizeof(struct parcel_head),
        .size = size,
    };
    struct parcel parcel = {.kind = PARCEL_FAILURE};

    if (parcel_size(bytes, size) != (int64_t)size || size == 0)
        return -EBADMSG;
    parcel_all(&walk, &parcel, plan);
    if (walk.broken || walk.at != size) {
        happened_free(&parcel.happened);
        return -EBADMSG;
    }
    parcel.happened.plan = parcel.kind == PARCEL_HAPPENED ? plan : NULL;
    *ret_parcel = parcel;
    return 0;
}
