/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/follow.h"

#include <assert.h>
#include <stddef.h>

void follow_init(struct follow *follow, const struct journal *journal)
{
    *follow = (struct follow){.journal = journal, .capacity = journal ? journal->capacity : 0};
    for (uint32_t i = 0; i < PLAN_PEERS_MAX; i++)
        follow->peers[i].id = IDENTITY_NONE;
}

void follow_connected(struct follow *follow, uint32_t peer)
{
    assert(follow->connected < PLAN_PEERS_MAX);
    follow->order[follow->connected++] = peer;
}

/* A source comes into service: false when it is not known whose it is. */
static bool follow_in_service(struct follow *follow, struct identity id)
{
    if (follow->sources == follow->connected)
        return false;
    follow->peers[follow->order[follow->sources++]].id = id;
    return true;
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

/* False: not yet. */
static bool follow_record(struct follow *follow, const struct journal_record *record)
{
    struct follow_source *source;

    if (record->kind == JOURNAL_ACCEPT && record->result == 0)
        return follow_in_service(follow, record->object);
    if (record->kind == JOURNAL_ADOPT)
        return follow_in_service(follow, record->subject);
    source = follow_find(follow, record->subject);
    if (source)
        follow_source_record(source, record);
    return true;
}

bool follow_update(struct follow *follow)
{
    uint64_t before = follow->next;
    uint64_t end;

    if (!follow->journal)
        return false;
    end = atomic_load_explicit(&follow->journal->count, memory_order_acquire);
    if (end > follow->capacity)
        end = follow->capacity;
    while (follow->next < end &&
           follow_record(follow, journal_at(follow->journal, follow->next)))
        follow->next++;
    return follow->next > before;
}
