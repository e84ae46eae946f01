/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_AROUND_H
#define EDGEWISE_HARNESS_LEDGER_AROUND_H

/*
 * The few packets of a capture around one place, one line each, for a person:
 *
 *     packets around 3ms (* in it; ms since the start)
 *            2.117  c < ack 4
 *      *     3.101  c > PSH seq 4 len 5
 *
 * `seq` and `ack` count the bytes of each direction from 0, as the wire ledger does.
 */

#include "harness/happened.h"
#include "harness/lines.h"

#define AROUND_BEFORE 2 /* packets told before the place */
#define AROUND_AT     6 /* of it */
#define AROUND_AFTER  2 /* behind it */

/* The packets of one instant of the script; a title comes first. Nothing when there is no capture,
 * or when it has no packet of a connection. */
void around_instant(const struct happened *happened, struct instant at, struct lines *ret_lines);

/* The last packets that passed. */
void around_end(const struct happened *happened, struct lines *ret_lines);

/* A place in one direction of a connection, as the wire ledger has them. */
#define AROUND_PLACES(X)                                   \
    X(BEGINNING, "beginning") /* its first packet */        \
    X(BYTES, "last bytes")    /* its last packet of data */ \
    X(END, "end")             /* its first FIN or RST */

enum around_place {
#define X(name, text) AROUND_##name,
    AROUND_PLACES(X)
#undef X
        AROUND_PLACE_COUNT
};

/* Those around a place of `peer`'s connection in the direction of `sign`, '>' to the sut, '<' from
 * it; where there is no such place, around the last packet that way. */
void around_wire(const struct happened *happened, uint32_t peer, char sign,
                 enum around_place place, struct lines *ret_lines);

#endif
