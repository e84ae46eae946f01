/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * normal: the wire ledger's normal form as text (`.wire`), made for diff and for reading aloud.
 *
 *     c > SYN                                  `>` is from the peer to the sut
 *     c < SYN                                  `<` from the sut to the peer
 *     c > 9 "\x00\x03CAT\x00\x02OK"            the whole stream of that direction: 9 bytes
 *     c < 300000 "abcdefgh".. fnv1a=0123456789abcdef
 *     c > FIN at 9                             behind how many bytes of its own direction
 *     c < RST at 300000
 *
 * Connections come in the caller's order; of each the SYNs, the stream of each direction, the ends.
 *
 * In it, because a change of behaviour shows there:
 *   every byte of both streams   one row per direction; a long one by its head and a digest of all
 *                                of it, so equal text means equal bytes
 *   SYN                          once per direction, the opener first
 *   FIN, RST                     at their stream offset; `after FIN` where a RST stands behind its
 *                                own side's FIN, `refused` from a side that sent no SYN
 *   the order of ends            FIN and RST of both directions in the order in which they count:
 *                                who closed first is behaviour
 *   missing bytes                `c > missing 4 at 5`: text with a hole is never equal to text
 *                                without; it is an anomaly too
 *
 * Not in it, because it varies while behaviour does not:
 *   segment boundaries           coalescing depends on ACKs and the congestion window (E122)
 *   pure ACKs, windows, SACK     delayed ACKs and buffers of the kernel
 *   retransmissions              a lossless link still has tail-loss probes (E121)
 *   how often a RST is repeated  one per segment that hits a closed socket
 *   order of data between        directions and connections run side by side; causality that
 *   directions                   matters is in the events ledger
 *   sequence numbers, ports,     chosen by the kernel
 *   MACs, IP ids, timestamps
 *   time                         the peers ledger has it, with its tolerance
 *   housekeeping, markers        not TCP
 */
#ifndef EDGEWISE_PCAPS_NORMAL_H
#define EDGEWISE_PCAPS_NORMAL_H

#include <stddef.h>

#include "pcaps/transcript.h"

/* How many bytes of a stream are printed before `..` and the digest take over. */
#define NORMAL_BYTES_SHOWN 64

/*
 * The normal form of `transcript`, one row a line, each ended by '\n'; empty text for no rows.
 * 0 and a string that the caller frees (`ret_length` without the NUL; may be NULL); -ENOMEM.
 */
int normal_text(const struct transcript *transcript, char **ret_text, size_t *ret_length);

#endif
