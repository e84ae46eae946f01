/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame.h"

#include <assert.h>
#include <stddef.h>

/* The largest payload that a header of so many bytes may announce; 0 for other sizes. */
static uint32_t frame_payload_limit(uint8_t header)
{
    switch (header) {
    case 1:
        return UINT8_MAX;
    case 2:
        return UINT16_MAX;
    case 4:
        return FRAME_PAYLOAD_MAX;
    default:
        return 0;
    }
}

bool frame_format_valid(const struct frame_format *format)
{
    if (format->header != 0 && frame_payload_limit(format->header) == 0)
        return false;
    return format->payload_max <= frame_payload_limit(format->header);
}

uint32_t frame_size_max(const struct frame_format *format)
{
    assert(frame_format_valid(format));
    return format->header + format->payload_max;
}

void frame_reset(struct frame *frame)
{
    *frame = (struct frame){0};
}

uint32_t frame_missing(const struct frame_format *format, const struct frame *frame)
{
    uint32_t end = frame->have < format->header ? format->header : frame->size;

    assert(format->header != 0);
    assert(frame->have < end);
    return end - frame->have;
}

static uint32_t frame_length(const uint8_t *header, uint8_t size)
{
    uint32_t length = 0;

    for (size_t i = 0; i < size; i++)
        length = length << 8 | header[i];
    return length;
}

/* The header has just been completed: what does it announce? */
static enum frame_result frame_size(const struct frame_format *format, struct frame *frame,
                                    const uint8_t *encoded)
{
    uint32_t length = frame_length(encoded, format->header);

    if (length > format->payload_max)
        return FRAME_OVERSIZE;
    frame->size = format->header + length;
    return length == 0 ? FRAME_COMPLETE : FRAME_SIZED;
}

enum frame_result frame_advance(const struct frame_format *format, struct frame *frame,
                                const uint8_t *encoded, uint32_t count)
{
    assert(frame_format_valid(format));
    assert(count >= 1 && count <= frame_missing(format, frame));

    frame->have += count;
    if (frame->have < format->header)
        return FRAME_MORE;
    if (frame->have == format->header)
        return frame_size(format, frame, encoded);
    assert(frame->have <= frame->size);
    return frame->have == frame->size ? FRAME_COMPLETE : FRAME_MORE;
}

bool frame_partial(const struct frame *frame)
{
    /* Both 0 at a boundary, equal again at the end, and `size` 0 inside a header. */
    return frame->have != frame->size;
}
