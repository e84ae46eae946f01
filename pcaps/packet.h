/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet: captured frames as values, and a bounded list of them.
 *
 * Pure but for malloc: no clock, no file. A list owns copies of its frames and never moves their
 * bytes, so pointers into a frame stay good until packet_list_free().
 */
#ifndef EDGEWISE_PCAPS_PACKET_H
#define EDGEWISE_PCAPS_PACKET_H

#include <stddef.h>
#include <stdint.h>

/* The largest frame a list takes: what libpcap itself reads at most for Ethernet. */
#define PACKET_BYTES_MAX 262144u

/* Bounds that suit one run of a scenario; a caller may choose others. */
#define PACKET_LIST_COUNT_MAX ((size_t)1 << 20)
#define PACKET_LIST_BYTES_MAX ((size_t)1 << 28)

struct packet {
    int64_t stamp_ns;        /* nanoseconds since the epoch of whoever stamped it; never negative */
    uint32_t captured_bytes; /* how many bytes of the frame are here */
    uint32_t original_bytes; /* how many it had on the link; captured_bytes <= original_bytes */
    const uint8_t *bytes;    /* borrowed, except inside a list, which owns it */
};

struct packet_list {
    struct packet *packets; /* read [0, count); append only through packet_list_append() */
    size_t count;
    size_t room;
    size_t bytes; /* sum of captured_bytes */
    size_t count_max;
    size_t bytes_max;
};

/* Makes `list` empty, with the bounds given (each > 0). Allocates nothing; cannot fail. */
void packet_list_init(struct packet_list *list, size_t count_max, size_t bytes_max);

/*
 * Copies `packet` to the end of `list`; the caller keeps its own bytes.
 * 0; -EINVAL when captured_bytes > original_bytes or the stamp is negative; -EMSGSIZE for a frame
 * above PACKET_BYTES_MAX; -EFBIG at a bound of the list; -ENOMEM. The list is unchanged on error.
 */
int packet_list_append(struct packet_list *list, const struct packet *packet);

/* Frees the frames from number `count` on; `count` <= list->count. */
void packet_list_truncate(struct packet_list *list, size_t count);

/* Frees all frames and leaves `list` empty with its bounds, ready for use. NULL is allowed. */
void packet_list_free(struct packet_list *list);

#endif
