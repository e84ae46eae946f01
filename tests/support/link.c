/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/link.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

#include "pcaps/compose.h"

static void address(struct sockaddr_storage *storage, const char *text, uint16_t port)
{
    struct sockaddr_in *in = (struct sockaddr_in *)storage;
    int done = inet_pton(AF_INET, text, &in->sin_addr);

    assert(done == 1);
    (void)done;
    in->sin_family = AF_INET;
    in->sin_port = htons(port);
}

static void ends(const struct sockaddr_storage *storage, struct endpoint *ret_endpoint)
{
    int rc = endpoint_from_sockaddr((const struct sockaddr *)storage, sizeof(*storage),
                                    ret_endpoint);

    assert(rc == 0);
    (void)rc;
}

void link_begin(struct link *link, struct happened *happened)
{
    struct happened_peer *peer = &happened->peers[0];

    *link = (struct link){.to_sut = {.ip.hop_limit = 64, .tcp.window = 1000, .tcp.seq = 7}};
    packet_list_init(&link->packets, 100, 10000);
    address(&peer->near, "192.0.2.1", 4000);
    address(&peer->far, "192.0.2.2", 7000);
    ends(&peer->near, &link->to_sut.source);
    ends(&peer->far, &link->to_sut.target);
    link->to_peer = link->to_sut;
    link->to_peer.source = link->to_sut.target;
    link->to_peer.target = link->to_sut.source;
    happened->packets = &link->packets;
}

void link_end(struct link *link)
{
    packet_list_free(&link->packets);
}

void link_crosses(struct link *link, struct dissect *value, int64_t us, uint8_t flags,
                  const char *payload)
{
    struct dissect *other = value == &link->to_sut ? &link->to_peer : &link->to_sut;
    uint8_t frame[256];
    struct packet packet = {.stamp_ns = us * 1000, .bytes = frame};
    ptrdiff_t size;
    int rc;

    value->tcp.flags = flags;
    value->payload = (const uint8_t *)payload;
    value->payload_bytes = strlen(payload);
    size = compose_tcp(value, frame, sizeof(frame));
    assert(size > 0);
    packet.captured_bytes = packet.original_bytes = (uint32_t)size;
    rc = packet_list_append(&link->packets, &packet);
    assert(rc == 0);
    (void)rc;
    value->tcp.seq += (uint32_t)strlen(payload) + ((flags & (DISSECT_SYN | DISSECT_FIN)) ? 1 : 0);
    other->tcp.ack = value->tcp.seq;
}
