/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/dissect.h"

#include <assert.h>
#include <netinet/in.h>
#include <string.h>

#include "pcaps/inetsum.h"
#include "pcaps/octets.h"

#define ETHERNET_BYTES 14u
#define ARP_BYTES 8u
#define IPV4_BYTES_MIN 20u
#define IPV6_BYTES 40u
#define ICMPV6_BYTES 4u
#define UDP_BYTES 8u
#define TCP_BYTES_MIN 20u

#define IPV4_FRAGMENT_MASK 0x3fffu /* More Fragments and the offset, RFC 791 section 3.1 */

enum {
    ETHERTYPE_IPV4 = 0x0800,
    ETHERTYPE_ARP = 0x0806,
    ETHERTYPE_CVLAN = 0x8100,
    ETHERTYPE_IPV6 = 0x86dd,
    ETHERTYPE_SVLAN = 0x88a8,
};

/* RFC 9293 section 3.1 and, in order, RFC 7323, RFC 2018. */
enum {
    OPTION_END = 0,
    OPTION_NOP = 1,
    OPTION_MSS = 2,
    OPTION_WINDOW_SCALE = 3,
    OPTION_SACK_PERMITTED = 4,
    OPTION_SACK = 5,
    OPTION_TIMESTAMPS = 8,
};

/* What is left of the frame. Each layer checks its lengths once and hands on a smaller view. */
struct view {
    const uint8_t *at;
    size_t bytes;
};

static struct view view_after(struct view view, size_t header_bytes)
{
    assert(header_bytes <= view.bytes);
    return (struct view){.at = view.at + header_bytes, .bytes = view.bytes - header_bytes};
}

/* --- transport ------------------------------------------------------------------------------- */

/* A sum over everything, checksum included, is 0xffff when it is right. PARTIAL: see the header. */
static enum dissect_checksum transport_checksum(const struct dissect *d, struct view view,
                                                size_t field)
{
    uint16_t pseudo = inetsum_pseudo(&d->source, &d->target, d->ip.protocol, view.bytes);

    if (inetsum_add(pseudo, view.at, view.bytes) == UINT16_MAX)
        return DISSECT_CHECKSUM_GOOD;
    if (octets_get16(view.at + field) == pseudo)
        return DISSECT_CHECKSUM_PARTIAL;
    return DISSECT_CHECKSUM_BAD;
}

static bool read_sack(struct dissect_tcp_options *options, struct view value)
{
    size_t count = value.bytes / 8;

    if (value.bytes % 8 != 0 || count == 0 || count > DISSECT_SACK_BLOCKS_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        options->sack[i].left = octets_get32(value.at + 8 * i);
        options->sack[i].right = octets_get32(value.at + 8 * i + 4);
    }
    options->sack_count = count;
    return true;
}

/* One option's value, without kind and length. Unknown kinds are fine. */
static bool read_option(struct dissect_tcp_options *options, uint8_t kind, struct view value)
{
    switch (kind) {
    case OPTION_MSS:
        if (value.bytes != 2)
            return false;
        options->has_mss = true;
        options->mss = octets_get16(value.at);
        return true;
    case OPTION_WINDOW_SCALE:
        if (value.bytes != 1)
            return false;
        options->has_window_scale = true;
        options->window_scale = value.at[0];
        return true;
    case OPTION_SACK_PERMITTED:
        options->sack_permitted = value.bytes == 0;
        return value.bytes == 0;
    case OPTION_SACK:
        return read_sack(options, value);
    case OPTION_TIMESTAMPS:
        if (value.bytes != 8)
            return false;
        options->has_timestamps = true;
        options->timestamp_value = octets_get32(value.at);
        options->timestamp_echo = octets_get32(value.at + 4);
        return true;
    default:
        return true;
    }
}

static bool read_options(struct dissect_tcp_options *options, struct view view)
{
    while (view.bytes > 0 && view.at[0] != OPTION_END) {
        size_t length = 1;

        if (view.at[0] != OPTION_NOP) {
            if (view.bytes < 2 || view.at[1] < 2 || view.at[1] > view.bytes)
                return false;
            length = view.at[1];
            if (!read_option(options, view.at[0],
                             (struct view){.at = view.at + 2, .bytes = length - 2}))
                return false;
        }
        view = view_after(view, length);
    }
    return true;
}

static enum dissect_kind read_tcp(struct dissect *d, struct view view)
{
    struct dissect_tcp_options options = {.has_mss = false};
    size_t header_bytes;

    if (view.bytes < TCP_BYTES_MIN)
        return DISSECT_KIND_SHORT_TCP;
    header_bytes = (size_t)(view.at[12] >> 4) * 4;
    if (header_bytes < TCP_BYTES_MIN || header_bytes > view.bytes)
        return DISSECT_KIND_SHORT_TCP;
    if (!read_options(&options, (struct view){.at = view.at + TCP_BYTES_MIN,
                                              .bytes = header_bytes - TCP_BYTES_MIN}))
        return DISSECT_KIND_BAD_TCP_OPTIONS;

    d->source.port = octets_get16(view.at);
    d->target.port = octets_get16(view.at + 2);
    d->tcp = (struct dissect_tcp){
        .seq = octets_get32(view.at + 4),
        .ack = octets_get32(view.at + 8),
        .flags = view.at[13],
        .window = octets_get16(view.at + 14),
        .checksum = transport_checksum(d, view, 16),
        .options = options,
    };
    d->payload = view.at + header_bytes;
    d->payload_bytes = view.bytes - header_bytes;
    return DISSECT_KIND_TCP_SEGMENT;
}

static enum dissect_kind read_udp(struct dissect *d, struct view view)
{
    size_t length;

    if (view.bytes < UDP_BYTES)
        return DISSECT_KIND_SHORT_UDP;
    length = octets_get16(view.at + 4);
    if (length < UDP_BYTES || length > view.bytes)
        return DISSECT_KIND_SHORT_UDP;
    d->source.port = octets_get16(view.at);
    d->target.port = octets_get16(view.at + 2);
    d->payload = view.at + UDP_BYTES;
    d->payload_bytes = length - UDP_BYTES;
    return DISSECT_KIND_UDP_DATAGRAM;
}

/* Types of RFC 4861 section 4, RFC 2710 section 3 and RFC 3810 section 5.2. */
static enum dissect_kind read_icmpv6(struct view view)
{
    if (view.bytes < ICMPV6_BYTES)
        return DISSECT_KIND_SHORT_ICMPV6;
    switch (view.at[0]) {
    case 130:
    case 131:
    case 132:
    case 143:
        return DISSECT_KIND_MLD;
    case 133:
        return DISSECT_KIND_ROUTER_SOLICITATION;
    case 134:
        return DISSECT_KIND_ROUTER_ADVERTISEMENT;
    case 135:
        return DISSECT_KIND_NEIGHBOUR_SOLICITATION;
    case 136:
        return DISSECT_KIND_NEIGHBOUR_ADVERTISEMENT;
    case 137:
        return DISSECT_KIND_ND_REDIRECT;
    default:
        return DISSECT_KIND_OTHER_ICMPV6;
    }
}

static enum dissect_kind read_transport(struct dissect *d, struct view view)
{
    bool ipv6 = d->ip.version == 6;

    switch (d->ip.protocol) {
    case IPPROTO_TCP:
        return read_tcp(d, view);
    case IPPROTO_UDP:
        return read_udp(d, view);
    case IPPROTO_ICMP:
        return ipv6 ? DISSECT_KIND_OTHER_PROTOCOL : DISSECT_KIND_ICMP;
    case IPPROTO_ICMPV6:
        return ipv6 ? read_icmpv6(view) : DISSECT_KIND_OTHER_PROTOCOL;
    default:
        return DISSECT_KIND_OTHER_PROTOCOL;
    }
}

/* --- network --------------------------------------------------------------------------------- */

static struct endpoint address_at(uint8_t version, const uint8_t *at)
{
    struct endpoint endpoint = {.version = version};

    memcpy(endpoint.address, at, version == 4 ? 4 : ENDPOINT_ADDRESS_BYTES);
    return endpoint;
}

/* Bytes behind the total length are padding of the link (RFC 894) and belong to nobody. */
static enum dissect_kind read_ipv4(struct dissect *d, struct view view)
{
    size_t header_bytes;
    size_t total_bytes;

    if (view.bytes < IPV4_BYTES_MIN)
        return DISSECT_KIND_SHORT_IPV4;
    header_bytes = (size_t)(view.at[0] & 0x0f) * 4;
    total_bytes = octets_get16(view.at + 2);
    if (view.at[0] >> 4 != 4 || header_bytes < IPV4_BYTES_MIN || total_bytes < header_bytes)
        return DISSECT_KIND_BAD_IPV4;
    if (total_bytes > view.bytes)
        return DISSECT_KIND_SHORT_IPV4;

    d->ip = (struct dissect_ip){
        .version = 4,
        .protocol = view.at[9],
        .hop_limit = view.at[8],
        .id = octets_get16(view.at + 4),
        .checksum = inetsum_add(0, view.at, header_bytes) == UINT16_MAX ? DISSECT_CHECKSUM_GOOD
                                                                         : DISSECT_CHECKSUM_BAD,
    };
    d->source = address_at(4, view.at + 12);
    d->target = address_at(4, view.at + 16);
    if ((octets_get16(view.at + 6) & IPV4_FRAGMENT_MASK) != 0)
        return DISSECT_KIND_IPV4_FRAGMENT;
    view.bytes = total_bytes;
    return read_transport(d, view_after(view, header_bytes));
}

/* Hop-by-hop options are what MLD travels with (RFC 3810 section 5); no other extension header
 * has a place on a link of the bench. */
static enum dissect_kind read_ipv6_payload(struct dissect *d, struct view view)
{
    if (d->ip.protocol == IPPROTO_HOPOPTS) {
        size_t header_bytes;

        if (view.bytes < 8)
            return DISSECT_KIND_SHORT_IPV6;
        header_bytes = ((size_t)view.at[1] + 1) * 8;
        if (header_bytes > view.bytes)
            return DISSECT_KIND_SHORT_IPV6;
        d->ip.protocol = view.at[0];
        view = view_after(view, header_bytes);
    }
    if (d->ip.protocol == IPPROTO_FRAGMENT)
        return DISSECT_KIND_IPV6_FRAGMENT;
    return read_transport(d, view);
}

static enum dissect_kind read_ipv6(struct dissect *d, struct view view)
{
    size_t payload_bytes;

    if (view.bytes < IPV6_BYTES)
        return DISSECT_KIND_SHORT_IPV6;
    if (view.at[0] >> 4 != 6)
        return DISSECT_KIND_BAD_IPV6;
    payload_bytes = octets_get16(view.at + 4);
    if (payload_bytes > view.bytes - IPV6_BYTES)
        return DISSECT_KIND_SHORT_IPV6;

    d->ip = (struct dissect_ip){
        .version = 6,
        .protocol = view.at[6],
        .hop_limit = view.at[7],
        .checksum = DISSECT_CHECKSUM_NONE,
    };
    d->source = address_at(6, view.at + 8);
    d->target = address_at(6, view.at + 24);
    view.bytes = IPV6_BYTES + payload_bytes;
    return read_ipv6_payload(d, view_after(view, IPV6_BYTES));
}

/* RFC 826: two addresses of each kind behind the fixed part. */
static enum dissect_kind read_arp(struct view view)
{
    if (view.bytes < ARP_BYTES)
        return DISSECT_KIND_SHORT_ARP;
    if (view.bytes - ARP_BYTES < 2 * ((size_t)view.at[4] + view.at[5]))
        return DISSECT_KIND_SHORT_ARP;
    return DISSECT_KIND_ARP;
}

/* --- link ------------------------------------------------------------------------------------ */

static enum dissect_kind read_ethernet(struct dissect *d, struct view view)
{
    if (view.bytes < ETHERNET_BYTES)
        return DISSECT_KIND_SHORT_ETHERNET;
    memcpy(d->target_mac, view.at, DISSECT_MAC_BYTES);
    memcpy(d->source_mac, view.at + DISSECT_MAC_BYTES, DISSECT_MAC_BYTES);
    d->ethertype = octets_get16(view.at + 12);
    view = view_after(view, ETHERNET_BYTES);

    switch (d->ethertype) {
    case ETHERTYPE_IPV4:
        return read_ipv4(d, view);
    case ETHERTYPE_IPV6:
        return read_ipv6(d, view);
    case ETHERTYPE_ARP:
        return read_arp(view);
    case ETHERTYPE_CVLAN:
    case ETHERTYPE_SVLAN:
        return DISSECT_KIND_VLAN;
    case DISSECT_MARKER_ETHERTYPE:
        return DISSECT_KIND_BENCH_MARKER;
    default:
        return DISSECT_KIND_OTHER_ETHERTYPE;
    }
}

struct dissect dissect_packet(const struct packet *packet)
{
    struct dissect d = {.kind = DISSECT_KIND_CUT};

    if (packet->captured_bytes == packet->original_bytes)
        d.kind = read_ethernet(&d, (struct view){.at = packet->bytes,
                                                 .bytes = packet->captured_bytes});
    assert(d.kind < DISSECT_KIND_COUNT);
    return d;
}

enum dissect_class dissect_kind_class(enum dissect_kind kind)
{
    static const enum dissect_class classes[] = {
#define DISSECT_CLASS(name, class, text) [DISSECT_KIND_##name] = DISSECT_##class,
        DISSECT_KIND_LIST(DISSECT_CLASS)
#undef DISSECT_CLASS
    };

    _Static_assert(sizeof(classes) / sizeof(classes[0]) == DISSECT_KIND_COUNT, "a class each");
    assert(kind < DISSECT_KIND_COUNT);
    return classes[kind];
}

const char *dissect_kind_text(enum dissect_kind kind)
{
    static const char *const texts[] = {
#define DISSECT_TEXT(name, class, text) [DISSECT_KIND_##name] = text,
        DISSECT_KIND_LIST(DISSECT_TEXT)
#undef DISSECT_TEXT
    };

    _Static_assert(sizeof(texts) / sizeof(texts[0]) == DISSECT_KIND_COUNT, "a text each");
    assert(kind < DISSECT_KIND_COUNT);
    return texts[kind];
}
