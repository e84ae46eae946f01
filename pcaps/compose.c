/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/compose.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#include "pcaps/inetsum.h"
#include "pcaps/octets.h"

#define ETHERNET_BYTES 14u
#define IPV4_BYTES 20u
#define IPV6_BYTES 40u
#define TCP_BYTES 20u
#define OPTIONS_MAX 40u

_Static_assert(8 * DISSECT_SACK_BLOCKS_MAX <= OPTIONS_MAX, "any value fits an empty area");

#define IPV4_DONT_FRAGMENT 0x4000u

_Static_assert(ETHERNET_BYTES + IPV6_BYTES + TCP_BYTES + OPTIONS_MAX == COMPOSE_HEADERS_MAX,
               "all headers counted");

struct options {
    uint8_t bytes[OPTIONS_MAX];
    size_t length; /* a multiple of 4 */
    bool overflow;
};

/* Appends one option with NOPs before it, so that it ends on a multiple of 4. Returns the place for
 * its value; without room that is somewhere in `bytes`, which nobody uses then. */
static uint8_t *option_add(struct options *options, uint8_t kind, size_t length)
{
    size_t padding = (4 - length % 4) % 4;
    uint8_t *at = options->bytes + options->length;

    if (length + padding > OPTIONS_MAX - options->length) {
        options->overflow = true;
        return options->bytes;
    }
    memset(at, 1, padding);
    at[padding] = kind;
    at[padding + 1] = (uint8_t)length;
    options->length += padding + length;
    return at + padding + 2;
}

static void put_sack(struct options *options, const struct dissect_tcp_options *from)
{
    uint8_t *at = option_add(options, 5, 2 + 8 * from->sack_count);

    assert(from->sack_count <= DISSECT_SACK_BLOCKS_MAX);
    for (size_t i = 0; i < from->sack_count; i++) {
        octets_put32(at + 8 * i, from->sack[i].left);
        octets_put32(at + 8 * i + 4, from->sack[i].right);
    }
}

static void put_options(struct options *options, const struct dissect_tcp_options *from)
{
    if (from->has_mss)
        octets_put16(option_add(options, 2, 4), from->mss);
    if (from->sack_permitted)
        (void)option_add(options, 4, 2);
    if (from->has_timestamps) {
        uint8_t *at = option_add(options, 8, 10);

        octets_put32(at, from->timestamp_value);
        octets_put32(at + 4, from->timestamp_echo);
    }
    if (from->has_window_scale)
        *option_add(options, 3, 3) = from->window_scale;
    if (from->sack_count > 0)
        put_sack(options, from);
}

static void put_ethernet(const struct dissect *value, uint8_t *at)
{
    memcpy(at, value->target_mac, DISSECT_MAC_BYTES);
    memcpy(at + DISSECT_MAC_BYTES, value->source_mac, DISSECT_MAC_BYTES);
    octets_put16(at + 12, value->source.version == 4 ? 0x0800 : 0x86dd);
}

static void put_ipv4(const struct dissect *value, size_t segment_bytes, uint8_t *at)
{
    memset(at, 0, IPV4_BYTES);
    at[0] = 0x45;
    octets_put16(at + 2, (uint16_t)(IPV4_BYTES + segment_bytes));
    octets_put16(at + 4, value->ip.id);
    octets_put16(at + 6, IPV4_DONT_FRAGMENT);
    at[8] = value->ip.hop_limit;
    at[9] = IPPROTO_TCP;
    memcpy(at + 12, value->source.address, 4);
    memcpy(at + 16, value->target.address, 4);
    octets_put16(at + 10, (uint16_t)~inetsum_add(0, at, IPV4_BYTES));
}

static void put_ipv6(const struct dissect *value, size_t segment_bytes, uint8_t *at)
{
    memset(at, 0, IPV6_BYTES);
    at[0] = 0x60;
    octets_put16(at + 4, (uint16_t)segment_bytes);
    at[6] = IPPROTO_TCP;
    at[7] = value->ip.hop_limit;
    memcpy(at + 8, value->source.address, ENDPOINT_ADDRESS_BYTES);
    memcpy(at + 24, value->target.address, ENDPOINT_ADDRESS_BYTES);
}

static void put_tcp(const struct dissect *value, const struct options *options, uint8_t *at)
{
    size_t header_bytes = TCP_BYTES + options->length;
    size_t segment_bytes = header_bytes + value->payload_bytes;
    uint16_t sum;

    assert(header_bytes % 4 == 0);
    memset(at, 0, TCP_BYTES);
    octets_put16(at, value->source.port);
    octets_put16(at + 2, value->target.port);
    octets_put32(at + 4, value->tcp.seq);
    octets_put32(at + 8, value->tcp.ack);
    at[12] = (uint8_t)(header_bytes / 4 << 4);
    at[13] = value->tcp.flags;
    octets_put16(at + 14, value->tcp.window);
    memcpy(at + TCP_BYTES, options->bytes, options->length);
    if (value->payload_bytes > 0)
        memcpy(at + header_bytes, value->payload, value->payload_bytes);
    sum = inetsum_pseudo(&value->source, &value->target, IPPROTO_TCP, segment_bytes);
    octets_put16(at + 16, (uint16_t)~inetsum_add(sum, at, segment_bytes));
}

ptrdiff_t compose_tcp(const struct dissect *value, uint8_t *frame, size_t room)
{
    bool ipv4 = value->source.version == 4;
    size_t ip_bytes = ipv4 ? IPV4_BYTES : IPV6_BYTES;
    size_t payload_max = UINT16_MAX - (ipv4 ? IPV4_BYTES : 0u) - TCP_BYTES;
    struct options options = {.length = 0};
    size_t segment_bytes;

    if (value->source.version != value->target.version || (!ipv4 && value->source.version != 6))
        return -EAFNOSUPPORT;
    put_options(&options, &value->tcp.options);
    if (options.overflow || value->payload_bytes > payload_max - options.length)
        return -EMSGSIZE;
    segment_bytes = TCP_BYTES + options.length + value->payload_bytes;
    if (room < ETHERNET_BYTES + ip_bytes + segment_bytes)
        return -ENOSPC;

    put_ethernet(value, frame);
    if (ipv4)
        put_ipv4(value, segment_bytes, frame + ETHERNET_BYTES);
    else
        put_ipv6(value, segment_bytes, frame + ETHERNET_BYTES);
    put_tcp(value, &options, frame + ETHERNET_BYTES + ip_bytes);
    return (ptrdiff_t)(ETHERNET_BYTES + ip_bytes + segment_bytes);
}
