/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * canon: the canonical capture: what `--bless` writes and the repository keeps.
 *
 * It is not an edited copy. It is composed anew from the transcript, that is from facts only; what
 * varies in a capture without a change of behaviour cannot be in it, so unchanged behaviour gives
 * identical bytes on any machine. Reading it back gives the same normal form.
 *
 * Order. Script time first; inside an instant connection by connection in the caller's order;
 * inside a connection the order in which facts came to count, so a response follows its request.
 * Without script times (free pace claims no order) each connection is written whole: the SYNs, the
 * bytes to the sut, the bytes to the peer, the ends.
 *
 * Segments. Bytes of one direction that follow each other within an instant are one burst, cut at
 * the receiver's MSS; the last segment has PSH. A FIN has a segment of its own. ACKs are made by
 * rule, not taken over: the third packet of the handshake, after every second segment, and at the
 * end of a burst or FIN unless that side speaks next anyway. None after a RST.
 *
 * Fixed. MACs, addresses (the documentation prefixes of RFC 5737 and 3849), ports, ISN 0, IP id 0,
 * hop limit 64, window, window scale; no SACK. Timestamp options count script milliseconds from 1.
 * Kept: the IP version, and the MSS that each SYN offered.
 *
 * A packet's stamp is its script time plus its index in nanoseconds, so stamps increase.
 *
 * Limit: when one connection streams in both directions within one instant and a window is full,
 * the kernel decides how the bursts interleave; such a run has to be blessed without script times.
 */
#ifndef EDGEWISE_PCAPS_CANON_H
#define EDGEWISE_PCAPS_CANON_H

#include <stddef.h>
#include <stdint.h>

#include "pcaps/naming.h"
#include "pcaps/packet.h"
#include "pcaps/transcript.h"

/* Ports that Wireshark decodes as TCP and nothing more. */
#define CANON_SUT_PORT 7001
#define CANON_PEER_PORT_FIRST 40001
#define CANON_CONNECTIONS_MAX (65536 - CANON_PEER_PORT_FIRST)

/*
 * Appends the canonical capture of `transcript` to the empty list `list`.
 * `script_ns` holds the script time of each packet of the original list (>= 0, never falling), or
 * is NULL.
 * 0; -EBADMSG when the transcript has anomalies: what is not understood cannot be blessed; -EINVAL
 * for script times that are negative or fall; -E2BIG above CANON_CONNECTIONS_MAX connections; else
 * as packet_list_append(). On error `list` is left empty.
 */
int canon_make(const struct transcript *transcript, const int64_t *script_ns,
               struct packet_list *list);

/*
 * The naming of connection number `index` (from 0) in a canonical capture, for reading one back.
 * `version` is 4 or 6; `name` is borrowed. Needs index < CANON_CONNECTIONS_MAX.
 */
struct naming_connection canon_naming(size_t index, const char *name, uint8_t version);

#endif
