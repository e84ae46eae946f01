/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/follow.h"

#include <assert.h>
#include <stddef.h>

void follow_init(struct follow *follow, const struct journal *journal)
{
    *follow = (struct follow){.journal = journal};
    for (uint32_t i = 0; i < PLAN_PEERS_MAX; i++)
        follow->peers[i].id = IDENTITY_NONE;
}

void follow_connected(struct follow *follow, uint32_t peer)
{
    assert(follow->connected < PLAN_PEERS_MAX);
    follow->order[follow->connected++] = peer;
}

static void follow_in_service(struct follow *follow, struct identity id)
{
    if (follow->sources < follow->connected)
        follow->peers[follow->order[follow->sources]].id = id;
    follow->sources++;
}

static struct follow_source *follow_find(struct follow *follow, struct identity id)
{
    for (uint32_t i = 0; i < follow->connected; i++) {
        struct follow_source *source = &follow->peers[follow->order[i]];

        if (identity_equal(source->id, id))
            return source;
    }
    return NULL;
}

static void follow_source_record(struct follow_source *source, const struct journal_record *record)
{
    switch ((enum journal_kind)record->kind) {
    case JOURNAL_READ:
        source->read += record->result > 0 ? (uint64_t)record->result : 0;
        break;
    case JOURNAL_END:
        source->ended = true;
        source->state = (enum reader_state)record->state;
        break;
    case JOURNAL_READY:
    case JOURNAL_STOP:
    case JOURNAL_RESUME:
        source->state = (enum reader_state)record->state;
        break;
    case JOURNAL_CLOSE:
        source->closed = true;
        break;
    default:
        break;
    }
}

static void follow_record(struct follow *follow, const struct journal_record *record)
{
    struct follow_source *source;

    if (record->kind == JOURNAL_ACCEPT && record->result == 0) {
        follow_in_service(follow, record->object);
        return;
    }
    if (record->kind == JOURNAL_ADOPT) {
        follow_in_service(follow, record->subject);
        return;
    }
    source = follow_find(follow, record->subject);
    if (source)
        follow_source_record(source, record);
}

bool follow_update(struct follow *follow)
{
    uint64_t end = atomic_load_explicit(&follow->journal->count, memory_order_acquire);
    bool any = follow->next < end;

    for (; follow->next < end; follow->next++)
        follow_record(follow, journal_at(follow->journal, follow->next));
    return any;
}
