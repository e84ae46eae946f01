/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_FRAME_H
#define EDGEWISE_CORE_FRAME_H

/*
 * Length-prefixed frames, exact mode: a read asks for the missing header or the missing payload and
 * for nothing more, so no byte of the next frame ever leaves the kernel early (R-F-04, R-F-12). The
 * header is a big-endian length of the payload alone. The bytes lie with the caller.
 */

#include <stdbool.h>
#include <stdint.h>

/* The largest payload that a format may allow: 1 MiB. */
#define FRAME_PAYLOAD_MAX (UINT32_C(1) << 20)

struct frame_format {
    uint8_t header;       /* bytes of the length: 1, 2 or 4; 0 means "no frames" */
    uint32_t payload_max; /* 0 .. what the header can say, at most FRAME_PAYLOAD_MAX */
};

/* The parse continuation of one read direction; lives in the arena. All zero: at a boundary. */
struct frame {
    uint32_t have; /* bytes of the present frame that arrived, header included */
    uint32_t size; /* encoded size (header + payload), 0 while the header is incomplete */
};

enum frame_result {
    FRAME_MORE,     /* bytes are missing; frame_missing says how many */
    FRAME_SIZED,    /* the header has just been completed, the payload is missing */
    FRAME_COMPLETE, /* `size` bytes are there */
    FRAME_OVERSIZE, /* the declared payload is above payload_max (R-F-16) */
};

/* True when the format can be used. */
bool frame_format_valid(const struct frame_format *format);

/* FMAX: the largest encoded frame. */
uint32_t frame_size_max(const struct frame_format *format);

/* At a boundary: nothing of a frame has arrived. */
void frame_reset(struct frame *frame);

/* Bytes that the next read asks for, at least 1; never asked of a complete frame (a zero-length
 * payload needs no read: R-F-15). */
uint32_t frame_missing(const struct frame_format *format, const struct frame *frame);

/* Takes note of `count` new bytes, at most frame_missing. `encoded` is the start of the frame,
 * header first, the new bytes included. */
enum frame_result frame_advance(const struct frame_format *format, struct frame *frame,
                                const uint8_t *encoded, uint32_t count);

/* True inside a header or a payload: an end here is a truncation (R-F-17). */
bool frame_partial(const struct frame *frame);

#endif
