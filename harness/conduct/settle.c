/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/settle.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "harness/conduct/record.h"

bool settle_push(struct conductor *c)
{
    bool moved = false;

    for (uint32_t i = 0; i < c->caller_count; i++) {
        uint32_t peer = c->callers[i];
        int rc = peer_push(&c->peers[peer]);

        if (rc < 0)
            record_failure(c, peer, -rc);
        c->unsettled[peer] |= rc != 0;
        moved |= rc != 0;
    }
    return moved;
}

void settle_follow(struct conductor *c)
{
    while (c->sut.ops->source && c->follow.connected < c->plan->peer_count) {
        uint32_t peer = c->sut.ops->source(c->sut.self, c->follow.connected);

        if (peer >= c->plan->peer_count)
            break;
        follow_connected(&c->follow, peer);
    }
    (void)follow_update(&c->follow);
}

bool settle_arrived(void *arg)
{
    struct settle *settle = arg;
    struct conductor *c = settle->conductor;
    bool pending = false;

    settle->moved |= settle_push(c);
    settle_follow(c);
    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        if (!c->confirming[i] || !c->unsettled[i])
            continue;
        c->answers[i] = confirm_check(&c->confirms[i], c->follow.peers[i].read);
        if (c->answers[i] < 0)
            settle->error = c->answers[i];
        c->unsettled[i] = c->answers[i] != CONFIRM_DONE;
        pending |= c->answers[i] == CONFIRM_PENDING;
    }
    return !pending || settle->error != 0;
}

void settle_explain_arrived(const struct conductor *c, char *text, size_t size)
{
    (void)snprintf(text, size, "a peer's action did not arrive");
    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        if (!c->confirming[i] || c->answers[i] != CONFIRM_PENDING)
            continue;
        confirm_explain(&c->confirms[i], text, size);
        return;
    }
}

bool settle_sut_over(const struct conductor *c)
{
    return c->sut.ops->over && c->sut.ops->over(c->sut.self);
}

bool settle_holds(void *arg)
{
    struct settle *settle = arg;
    struct conductor *c = settle->conductor;
    const struct plan_statement *s = settle->statement;
    const struct follow_source *source = NULL;

    (void)settle_arrived(settle);
    if (settle->error != 0 || settle_sut_over(c))
        return true;
    if (s->peer != PLAN_NOBODY)
        source = &c->follow.peers[s->peer];
    switch (s->condition) {
    case PLAN_UNTIL_UNREAD:
        assert(source);
        return c->confirms[s->peer].arrived - source->read == s->count;
    case PLAN_UNTIL_BLOCKED:
        return c->answers[s->peer] == CONFIRM_BLOCKED;
    case PLAN_UNTIL_ENDED:
        assert(source);
        return source->ended;
    case PLAN_UNTIL_IDLE:
        return true; /* lock-step: it was granted a turn until it was */
    case PLAN_CONDITION_COUNT:
        break;
    }
    assert(false && "a condition of the plan");
    return false;
}

/* It has read every byte and seen the end, or has paused, or has closed. */
static bool settle_source_read(const struct conductor *c, uint32_t i)
{
    const struct follow_source *source = &c->follow.peers[i];
    const struct peer *peer = &c->peers[i];
    bool ended = peer->state == PEER_SHUT || peer->state == PEER_CLOSED ||
                 peer->state == PEER_RESET || peer->state == PEER_BROKEN;

    if (!c->confirming[i] || source->closed || source->ended)
        return true;
    if (c->answers[i] == CONFIRM_PENDING)
        return false;
    return source->state == READER_PAUSED || (!ended && source->read == peer->bytes_taken);
}

/* The peer of the first source that is not read, PLAN_NOBODY when all are. */
static uint32_t settle_unread(const struct conductor *c)
{
    for (uint32_t i = 0; i < c->plan->peer_count; i++)
        if (!settle_source_read(c, i))
            return i;
    return PLAN_NOBODY;
}

bool settle_read(void *arg)
{
    struct settle *settle = arg;

    (void)settle_arrived(settle);
    return settle->error != 0 || settle_sut_over(settle->conductor) ||
           settle_unread(settle->conductor) == PLAN_NOBODY;
}

void settle_explain_read(const struct conductor *c, char *text, size_t size)
{
    uint32_t peer = settle_unread(c);

    if (peer == PLAN_NOBODY)
        (void)snprintf(text, size, "the sut was read to the end at the last moment");
    else if (c->answers[peer] == CONFIRM_PENDING)
        confirm_explain(&c->confirms[peer], text, size);
    else
        (void)snprintf(text, size, "%s: the sut has read %" PRIu64 " of %" PRIu64
                       " bytes and has not come to the end",
                       c->plan->peers[peer].name, c->follow.peers[peer].read,
                       c->peers[peer].bytes_taken);
}
