/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/names.h"

#include <stdlib.h>

#include "harness/ledger/chronicle.h"
#include "harness/memory.h"

static void names_add(struct names *names, struct identity id)
{
    names->sources = memory_grow(names->sources, names->count, &names->room, sizeof(id));
    names->sources[names->count++] = id;
}

void names_make(const struct happened *happened, struct names *ret_names)
{
    struct names names = {.happened = happened, .listener = IDENTITY_NONE};
    struct chronicle chronicle = chronicle_of(happened);

    for (uint64_t i = 0; i < chronicle.count; i++) {
        const struct journal_record *record = chronicle_at(&chronicle, i);

        if (!record)
            continue;
        if (record->kind == JOURNAL_ACCEPT) {
            names.listener = record->subject;
            if (record->result == 0)
                names_add(&names, record->object);
        } else if (record->kind == JOURNAL_ADOPT) {
            names_add(&names, record->subject);
        }
    }
    *ret_names = names;
}

void names_free(struct names *names)
{
    free(names->sources);
    *names = (struct names){0};
}

size_t names_find(const struct names *names, struct identity id)
{
    for (size_t i = names->count; i-- > 0;)
        if (identity_equal(names->sources[i], id))
            return i;
    return NAMES_NONE;
}

uint32_t names_peer(const struct names *names, size_t number)
{
    uint32_t peer;

    if (number >= names->count || number >= names->happened->source_count)
        return PLAN_NOBODY;
    peer = names->happened->sources[number];
    return peer < names->happened->plan->peer_count ? peer : PLAN_NOBODY;
}

const char *names_text(const struct names *names, struct identity id)
{
    size_t number = names_find(names, id);
    uint32_t peer = names_peer(names, number);

    if (peer != PLAN_NOBODY)
        return names->happened->plan->peers[peer].name;
    if (number == NAMES_NONE && identity_equal(id, names->listener))
        return "l";
    /* A sut that got no further than its first notice. */
    if (names->count == 0 && names->listener.generation == 0)
        return "l";
    return "?";
}
