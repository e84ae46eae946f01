/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cancellation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

static const struct request_config config = {
    .admitted = CANCELLATION_ADMITTED, .bytes = CANCELLATION_BYTES, .slots = CANCELLATION_SLOTS,
    .buffers = CANCELLATION_SLOTS, .generation = CANCELLATION_GENERATION,
};

/* A ledger that is being written. */
struct play {
    struct cancellation_ledger *ledger;
    struct request_ledger account;
    void *memory;
    void *copy; /* of the account before an event */
    struct identity ids[CANCELLATION_SCRIPT_WORDS_MAX]; /* in the order of submission */
    uint32_t count;
};

static bool live(const struct play *play, struct identity id)
{
    return identity_valid(play->account.ids, id);
}

/* The oldest request that is not retired, or the youngest. */
static struct identity meant(const struct play *play)
{
    for (uint32_t i = 0; i < play->count; i++)
        if (live(play, play->ids[i]))
            return play->ids[i];
    return play->count > 0 ? play->ids[play->count - 1] : IDENTITY_NONE;
}

static struct request record_of(const struct play *play, struct identity id)
{
    const struct request *record = request_at(&play->account, id);

    return record ? *record : (struct request){.id = id, .state = REQUEST_RETIRED};
}

/* Whether the account is what it was, its count of refusals aside. */
static bool same(struct play *play)
{
    struct request_table *table = play->account.table;
    const struct request_table *old =
        (const void *)((const char *)play->copy + ((char *)table - (char *)play->memory));
    uint64_t refused = table->refused;
    bool equal;

    table->refused = old->refused;
    equal = memcmp(play->memory, play->copy, request_size(&config)) == 0;
    table->refused = refused;
    return equal;
}

static struct identity submit(struct play *play, const struct cancellation *cancellation,
                              struct cancellation_row *row)
{
    enum request_lease lease =
        cancellation->early_lease ? REQUEST_LEASE_EARLY : REQUEST_LEASE_NONE;
    struct identity id;

    row->effect = (struct request_effect){.verdict = REQUEST_REFUSE, .token = UINT32_MAX};
    if (request_submit(&play->account, CANCELLATION_BYTES, lease, &id) < 0)
        return meant(play);
    row->effect.verdict = REQUEST_STEP;
    play->ids[play->count++] = id;
    play->ledger->submitted++;
    return id;
}

static struct identity apply(struct play *play, struct cancellation_row *row)
{
    struct identity id = meant(play);
    struct identity named = id;

    if (row->word->aged)
        named.generation = row->word->generation;
    row->stale = !live(play, named);
    row->before = record_of(play, id);
    row->effect = request_apply(&play->account, named, &row->word->act);
    play->ledger->returned += row->effect.returned;
    play->ledger->retired += row->effect.retired;
    play->ledger->ignored += row->effect.verdict == REQUEST_IGNORE;
    return id;
}

static void add_row(struct play *play, const struct cancellation *cancellation,
                    const struct cancellation_script_word *word)
{
    struct cancellation_row *row = &play->ledger->rows[play->ledger->row_count++];
    const struct request_table *table = play->account.table;
    struct identity id;

    *row = (struct cancellation_row){.word = word};
    memcpy(play->copy, play->memory, request_size(&config));
    id = word->submit ? submit(play, cancellation, row) : apply(play, row);
    row->after = record_of(play, id);
    if (word->submit)
        row->before = row->after;
    row->open = table->open;
    row->unretired = table->unretired;
    row->peak = table->peak;
    row->refused = table->refused;
    row->delivered = table->delivered;
    row->consumed = table->consumed;
    row->held_bytes = play->account.pool->held_bytes;
    row->unchanged = same(play);
    row->sound = request_check(&play->account);
}

void cancellation_play(const struct cancellation *cancellation,
                       struct cancellation_ledger *ret_ledger)
{
    const struct cancellation_script *script = &cancellation->script;
    struct play play = {.ledger = ret_ledger};

    memset(ret_ledger, 0, sizeof(*ret_ledger));
    play.memory = memory_zeroed(1, request_size(&config));
    play.copy = memory_zeroed(1, request_size(&config));
    request_open(&play.account, cancellation->rules ? cancellation->rules : &request_rules,
                 &config, play.memory);
    for (uint32_t i = 0; i < script->word_count; i++)
        add_row(&play, cancellation, &script->words[i]);
    ret_ledger->peak_bytes = play.account.pool->peak_bytes;
    free(play.copy);
    free(play.memory);
}
