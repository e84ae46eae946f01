/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dissect: one frame of a capture, taken apart into a value.
 *
 * Pure: bytes in, value out; no state, I/O or allocation. Any bytes are legal input.
 *
 * Every frame is one of four classes. `tcp` belongs to the wire ledger. `housekeeping` is how the
 * link itself lives (ARP, ND, MLD): counted, never compared. A `marker` (EtherType 0x88b5, IEEE
 * local experimental) is made by the bench and is nothing at all: not counted either. Everything
 * else is `unexplained`, and a run with an unexplained packet does not pass. A new kind of traffic
 * is therefore seen, not lost.
 */
#ifndef EDGEWISE_PCAPS_DISSECT_H
#define EDGEWISE_PCAPS_DISSECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcaps/endpoint.h"
#include "pcaps/packet.h"

#define DISSECT_MARKER_ETHERTYPE 0x88b5u
#define DISSECT_MAC_BYTES 6
#define DISSECT_SACK_BLOCKS_MAX 4 /* all that fit in 40 bytes of options, RFC 2018 section 3 */

enum dissect_class {
    DISSECT_TCP,
    DISSECT_HOUSEKEEPING,
    DISSECT_MARKER,
    DISSECT_UNEXPLAINED,
};

/* What a frame is, or why it could not be read: name, class, words for a report. */
#define DISSECT_KIND_LIST(X)                                                                       \
    X(TCP_SEGMENT, TCP, "TCP segment")                                                             \
    X(ARP, HOUSEKEEPING, "ARP")                                                                    \
    X(ROUTER_SOLICITATION, HOUSEKEEPING, "router solicitation")                                    \
    X(ROUTER_ADVERTISEMENT, HOUSEKEEPING, "router advertisement")                                  \
    X(NEIGHBOUR_SOLICITATION, HOUSEKEEPING, "neighbour solicitation")                              \
    X(NEIGHBOUR_ADVERTISEMENT, HOUSEKEEPING, "neighbour advertisement")                            \
    X(ND_REDIRECT, HOUSEKEEPING, "neighbour discovery redirect")                                   \
    X(MLD, HOUSEKEEPING, "multicast listener discovery")                                           \
    X(BENCH_MARKER, MARKER, "marker of the bench")                                                 \
    X(CUT, UNEXPLAINED, "frame cut by the snap length")                                            \
    X(SHORT_ETHERNET, UNEXPLAINED, "shorter than an Ethernet header")                              \
    X(VLAN, UNEXPLAINED, "VLAN tag")                                                               \
    X(OTHER_ETHERTYPE, UNEXPLAINED, "unknown EtherType")                                           \
    X(SHORT_ARP, UNEXPLAINED, "ARP shorter than its header says")                                  \
    X(SHORT_IPV4, UNEXPLAINED, "IPv4 header or total length does not fit the frame")               \
    X(BAD_IPV4, UNEXPLAINED, "malformed IPv4 header")                                              \
    X(IPV4_FRAGMENT, UNEXPLAINED, "IPv4 fragment")                                                 \
    X(SHORT_IPV6, UNEXPLAINED, "IPv6 header or payload length does not fit the frame")             \
    X(BAD_IPV6, UNEXPLAINED, "malformed IPv6 header")                                              \
    X(IPV6_FRAGMENT, UNEXPLAINED, "IPv6 fragment")                                                 \
    X(OTHER_PROTOCOL, UNEXPLAINED, "IP protocol that no ledger knows")                             \
    X(SHORT_ICMPV6, UNEXPLAINED, "shorter than an ICMPv6 header")                                  \
    X(OTHER_ICMPV6, UNEXPLAINED, "ICMPv6 that is neither ND nor MLD")                              \
    X(ICMP, UNEXPLAINED, "ICMP")                                                                   \
    X(SHORT_UDP, UNEXPLAINED, "UDP header or length does not fit the packet")                      \
    X(UDP_DATAGRAM, UNEXPLAINED, "UDP datagram")                                                   \
    X(SHORT_TCP, UNEXPLAINED, "TCP header does not fit the packet")                                \
    X(BAD_TCP_OPTIONS, UNEXPLAINED, "TCP option with a bad length")

enum dissect_kind {
#define DISSECT_ENUM(name, class, text) DISSECT_KIND_##name,
    DISSECT_KIND_LIST(DISSECT_ENUM)
#undef DISSECT_ENUM
    DISSECT_KIND_COUNT,
};

/*
 * PARTIAL: the field holds the sum of the pseudo header only. The sender left the rest to an
 * offload that a virtual link never does; nobody on the link was to check it.
 */
enum dissect_checksum {
    DISSECT_CHECKSUM_NONE, /* the protocol has none, or it was not looked at */
    DISSECT_CHECKSUM_GOOD,
    DISSECT_CHECKSUM_PARTIAL,
    DISSECT_CHECKSUM_BAD,
};

/* TCP flags as in the header's byte 13. */
enum {
    DISSECT_FIN = 0x01,
    DISSECT_SYN = 0x02,
    DISSECT_RST = 0x04,
    DISSECT_PSH = 0x08,
    DISSECT_ACK = 0x10,
    DISSECT_URG = 0x20,
};

struct dissect_tcp_options {
    bool has_mss;
    bool has_window_scale;
    bool has_timestamps;
    bool sack_permitted;
    uint16_t mss;
    uint8_t window_scale;
    uint32_t timestamp_value;
    uint32_t timestamp_echo;
    size_t sack_count; /* blocks present, at most DISSECT_SACK_BLOCKS_MAX */
    struct {
        uint32_t left;
        uint32_t right;
    } sack[DISSECT_SACK_BLOCKS_MAX];
};

struct dissect_tcp {
    uint32_t seq;
    uint32_t ack; /* as in the header, also without the ACK flag */
    uint8_t flags;
    uint16_t window; /* not scaled */
    enum dissect_checksum checksum;
    struct dissect_tcp_options options;
};

struct dissect_ip {
    uint8_t version;   /* 4 or 6; 0: not IP, and nothing below is set */
    uint8_t protocol;  /* of the payload, after IPv6 extension headers */
    uint8_t hop_limit; /* TTL */
    uint16_t id;       /* version 4 */
    enum dissect_checksum checksum; /* of the header; version 4 */
};

struct dissect {
    enum dissect_kind kind;
    uint8_t target_mac[DISSECT_MAC_BYTES];
    uint8_t source_mac[DISSECT_MAC_BYTES];
    uint16_t ethertype;
    struct dissect_ip ip;
    struct endpoint source; /* port: TCP and UDP only */
    struct endpoint target;
    struct dissect_tcp tcp; /* TCP_SEGMENT only */
    const uint8_t *payload; /* of TCP or UDP; borrowed from the packet */
    size_t payload_bytes;
};

/* Takes `packet` apart. Always gives a whole value: fields that the kind does not have are 0. */
struct dissect dissect_packet(const struct packet *packet);

/* The class of a kind, and its words ("IPv4 fragment"); the words are static. */
enum dissect_class dissect_kind_class(enum dissect_kind kind);
const char *dissect_kind_text(enum dissect_kind kind);

#endif
