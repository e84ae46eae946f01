/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/reassembly.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pcaps/seq.h"

#define ROOM_FIRST 16

void reassembly_init(struct reassembly *stream)
{
    *stream = (struct reassembly){.started = false};
}

void reassembly_free(struct reassembly *stream)
{
    free(stream->ranges);
    reassembly_init(stream);
}

void reassembly_start(struct reassembly *stream, uint32_t isn)
{
    assert(!stream->started);
    stream->started = true;
    stream->isn = isn;
}

/* The SYN takes the number `isn` itself, so the byte at offset 0 is one behind it. */
int64_t reassembly_offset(const struct reassembly *stream, uint32_t seq)
{
    uint32_t edge_seq = seq_add(stream->isn, stream->edge + 1);

    assert(stream->started);
    return (int64_t)stream->edge + seq_distance(edge_seq, seq);
}

static uint64_t range_end(const struct reassembly_range *range)
{
    return range->offset + range->length;
}

/* Index of the first range that ends behind `offset`, or count. */
static size_t find_range(const struct reassembly *stream, uint64_t offset)
{
    size_t low = offset >= stream->edge ? stream->edge_ranges : 0;
    size_t high = stream->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (range_end(&stream->ranges[middle]) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int insert_range(struct reassembly *stream, size_t at, struct reassembly_range range)
{
    assert(at <= stream->count);
    assert(range.length > 0);
    if (stream->count == stream->room) {
        size_t room = stream->room == 0 ? ROOM_FIRST : stream->room * 2;
        struct reassembly_range *grown;

        if (room > SIZE_MAX / sizeof(*grown))
            return -ENOMEM;
        grown = realloc(stream->ranges, room * sizeof(*grown));
        if (grown == NULL)
            return -ENOMEM;
        stream->ranges = grown;
        stream->room = room;
    }
    memmove(&stream->ranges[at + 1], &stream->ranges[at],
            (stream->count - at) * sizeof(*stream->ranges));
    stream->ranges[at] = range;
    stream->count++;
    return 0;
}

static void compare_bytes(struct reassembly_added *added, uint64_t offset, const uint8_t *seen,
                          const uint8_t *bytes, size_t length)
{
    if (added->conflict || memcmp(seen, bytes, length) == 0)
        return;
    while (*seen == *bytes) {
        seen++;
        bytes++;
        offset++;
    }
    added->conflict = true;
    added->conflict_offset = offset;
}

static size_t smaller(size_t a, uint64_t b)
{
    return b < a ? (size_t)b : a;
}

/* Walks `piece` along the ranges: compares what is covered, inserts what is not. */
static int insert_pieces(struct reassembly *stream, struct reassembly_range piece,
                         struct reassembly_added *added)
{
    size_t i = find_range(stream, piece.offset);

    while (piece.length > 0) {
        const struct reassembly_range *next = i < stream->count ? &stream->ranges[i] : NULL;
        size_t step = piece.length;

        if (next != NULL && next->offset <= piece.offset) {
            step = smaller(step, range_end(next) - piece.offset);
            compare_bytes(added, piece.offset, next->bytes + (piece.offset - next->offset),
                          piece.bytes, step);
        } else {
            struct reassembly_range fresh = piece;
            int r;

            if (next != NULL)
                step = smaller(step, next->offset - piece.offset);
            fresh.length = step;
            r = insert_range(stream, i, fresh);
            if (r < 0)
                return r;
        }
        piece.offset += step;
        piece.bytes += step;
        piece.length -= step;
        if (range_end(&stream->ranges[i]) <= piece.offset)
            i++;
    }
    return 0;
}

static void move_edge(struct reassembly *stream)
{
    while (stream->edge_ranges < stream->count &&
           stream->ranges[stream->edge_ranges].offset == stream->edge)
        stream->edge = range_end(&stream->ranges[stream->edge_ranges++]);
}

int reassembly_add(struct reassembly *stream, int64_t offset, const uint8_t *bytes, size_t length,
                   struct reassembly_added *ret_added)
{
    struct reassembly_added added = {.conflict = false};
    int r;

    assert(stream->started);
    assert(length <= UINT32_MAX);
    if (offset < 0 || offset + (int64_t)length > (int64_t)stream->edge + REASSEMBLY_AHEAD_MAX)
        return -ERANGE;
    r = insert_pieces(stream,
                      (struct reassembly_range){
                          .offset = (uint64_t)offset, .length = length, .bytes = bytes},
                      &added);
    if (r < 0)
        return r;
    move_edge(stream);
    *ret_added = added;
    return 0;
}

uint64_t reassembly_end(const struct reassembly *stream)
{
    return stream->count == 0 ? 0 : range_end(&stream->ranges[stream->count - 1]);
}

void reassembly_copy(const struct reassembly *stream, uint64_t offset, size_t length,
                     uint8_t *bytes)
{
    size_t i = 0;
    size_t high = stream->edge_ranges;

    assert(offset <= stream->edge);
    assert(length <= stream->edge - offset);
    while (i < high) {
        size_t middle = i + (high - i) / 2;

        if (range_end(&stream->ranges[middle]) <= offset)
            i = middle + 1;
        else
            high = middle;
    }
    for (; length > 0; i++) {
        const struct reassembly_range *range = &stream->ranges[i];
        size_t step = smaller(length, range_end(range) - offset);

        memcpy(bytes, range->bytes + (offset - range->offset), step);
        bytes += step;
        offset += step;
        length -= step;
    }
}

void reassembly_check(const struct reassembly *stream)
{
    uint64_t reached = 0;
    size_t whole = 0;

    assert(stream->count <= stream->room);
    for (size_t i = 0; i < stream->count; i++) {
        const struct reassembly_range *range = &stream->ranges[i];

        assert(range->length > 0);
        assert(i == 0 || range->offset >= range_end(range - 1));
        if (range->offset == reached) {
            reached = range_end(range);
            whole++;
        }
    }
    assert(stream->edge == reached);
    assert(stream->edge_ranges == whole);
    assert(stream->started || stream->count == 0);
}
