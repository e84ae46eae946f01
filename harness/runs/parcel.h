/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_PARCEL_H
#define EDGEWISE_HARNESS_RUNS_PARCEL_H

/*
 * What a run came to, as bytes that go from its process to the one that judges: a record, all but
 * the journal, or why there is none. The bytes are of this very program, so they are in its own
 * layout; but the sender may have died in the middle, or of having written anything anywhere, so
 * every length, index and word of a list is checked, and a parcel is opened whole or not at all.
 */

#include <stddef.h>
#include <stdint.h>

#include "harness/conduct/bench.h"

/* No parcel is larger: it holds the frames and what the peers got. */
#define PARCEL_BYTES_MAX (UINT64_C(1) << 30)

enum parcel_kind {
    PARCEL_HAPPENED,
    PARCEL_FAILURE,
    PARCEL_INTERRUPTED,
    PARCEL_KIND_COUNT
};

/* The first bytes of every parcel. */
struct parcel_head {
    uint64_t mark;
    uint64_t size; /* of all of it, the head too */
};

struct parcel {
    enum parcel_kind kind;
    struct happened happened;     /* HAPPENED: without plan and journal */
    struct bench_failure failure; /* FAILURE */
};

/* The bytes of a parcel; the caller frees them. -EFBIG above PARCEL_BYTES_MAX. */
int parcel_pack(const struct parcel *parcel, uint8_t **ret_bytes, size_t *ret_size);

/* How many bytes the parcel takes whose first `size` bytes these are: 0 when that cannot be told
 * yet, -EBADMSG when they begin no parcel. */
int64_t parcel_size(const uint8_t *bytes, size_t size);

/*
 * Opens a parcel of a run of `plan`: 0, and its record is for happened_free; or -EBADMSG when
 * anything in it cannot be, with nothing kept.
 */
int parcel_open(const uint8_t *bytes, size_t size, const struct plan *plan,
                struct parcel *ret_parcel);

#endif
