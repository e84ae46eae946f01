/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/record.h"

void record_failure(struct conductor *c, uint32_t peer, int error)
{
    char text[160];

    peer_explain(&c->peers[peer], text, sizeof(text));
    if (text[0])
        lines_add(&c->happened->notes, "%s", text);
    for (uint32_t i = c->happened->action_count; i-- > 0;) {
        struct happened_action *action = &c->happened->actions[i];

        if (c->plan->statements[action->statement].peer != peer)
            continue;
        if (action->error == 0)
            action->error = error;
        return;
    }
}

static void record_peer(struct conductor *c, uint32_t i)
{
    struct peer *peer = &c->peers[i];
    struct happened_peer *record = &c->happened->peers[i];

    *record = (struct happened_peer){
        .peer = i,
        .connected = peer->connected,
        .saw = peer->saw,
        .near = peer->near,
        .far = peer->far,
    };
    record->received_size = peer->received.size;
    record->received = peer->received.data;
    peer->received = (struct peer_bytes){0};
    if (peer_unsent(peer) > 0)
        lines_add(&c->happened->left_over, "%s %zu bytes not sent", peer->name,
                  peer_unsent(peer));
}

/* A SEND may go on long after its instant: what each one brought follows from the peer's total. */
static void record_sends(struct conductor *c, uint32_t peer)
{
    uint64_t taken = c->peers[peer].bytes_taken;

    for (uint32_t i = 0; i < c->happened->action_count; i++) {
        struct happened_action *action = &c->happened->actions[i];
        const struct plan_statement *s = &c->plan->statements[action->statement];

        if (s->peer != peer || s->verb != PLAN_SEND)
            continue;
        action->bytes = s->bytes.size < taken ? s->bytes.size : taken;
        taken -= action->bytes;
    }
}

void record_end(struct conductor *c)
{
    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        record_sends(c, i);
        record_peer(c, i);
    }
    for (uint32_t i = 0; i < c->follow.connected; i++)
        c->happened->sources[i] = c->follow.order[i];
    c->happened->source_count = c->follow.connected;
}
