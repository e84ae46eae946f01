/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CORE_REQUEST_PROBES_H
#define EDGEWISE_TESTS_CORE_REQUEST_PROBES_H

/*
 * Probes of rules: every word, from every kind of record, must do what the good rules make of it:
 * the same effect, and the same account afterwards, byte by byte.
 */

#include "tests/core/request_play.h"

static const struct probe {
    const char *words;
    enum request_lease lease;
    bool spent; /* the lease was handed over until only the target's token is left */
} probes[] = {
    {"", REQUEST_LEASE_NONE, false},
    {"deliver", REQUEST_LEASE_NONE, false},
    {"deadline", REQUEST_LEASE_NONE, false},
    {"deadline deliver deliver", REQUEST_LEASE_NONE, false},
    {"deadline:submitfail", REQUEST_LEASE_NONE, false},
    {"deadline:submitfail deliver", REQUEST_LEASE_NONE, false},
    {"logical_exit cancel:already", REQUEST_LEASE_NONE, false},
    {"target:ok:borrow", REQUEST_LEASE_NONE, false},
    {"target:err:borrow borrow", REQUEST_LEASE_NONE, false},
    {"deadline target:ok:borrow", REQUEST_LEASE_NONE, false},
    {"deadline target:ok:borrow deliver", REQUEST_LEASE_NONE, false},
    {"deadline target:ok:borrow borrow", REQUEST_LEASE_NONE, false},
    {"logical_exit target:ok:borrow borrow", REQUEST_LEASE_NONE, false},
    {"deadline cancel:ok target:canceled:borrow", REQUEST_LEASE_NONE, false},
    {"deadline target:ok", REQUEST_LEASE_NONE, false},
    {"deadline target:ok deliver", REQUEST_LEASE_NONE, false},
    {"target:ok", REQUEST_LEASE_NONE, false},
    {"", REQUEST_LEASE_EARLY, false},
    {"deadline", REQUEST_LEASE_EARLY, false},
    {"deadline cancel:badid", REQUEST_LEASE_EARLY, false},
    {"", REQUEST_LEASE_EARLY, true},
    {"deadline", REQUEST_LEASE_EARLY, true},
    {"deadline:submitfail", REQUEST_LEASE_EARLY, true},
    {"target:ok", REQUEST_LEASE_EARLY, true},
    {"deadline target:ok", REQUEST_LEASE_EARLY, true},
    {"deadline target:ok release:62", REQUEST_LEASE_EARLY, true},
};

#define PROBE_COUNT (sizeof(probes) / sizeof(*probes))

static void probe_start(const struct probe *probe, const struct request_rules *rules,
                        struct play *p)
{
    struct request_act pass = {.kind = REQUEST_KIND_HANDOFF};

    play_submitted(p, rules, probe->lease);
    for (; probe->spent && pass.token < REQUEST_TOKENS - 2; pass.token++)
        (void)request_apply(&p->ledger, p->id, &pass);
    (void)play_all(p, probe->words);
}

struct found {
    uint64_t memory[sizeof(((struct play *)0)->memory) / sizeof(uint64_t)];
    struct request_effect effect;
};

/* What becomes of `start` by word `word`, for its own generation (stale 0) or for the next. */
static void probe_word(struct play *start, size_t word, uint32_t stale, struct found *ret_found)
{
    struct identity id = {start->id.slot, start->id.generation + stale};
    struct found before;

    memcpy(before.memory, start->memory, sizeof(before.memory));
    memset(ret_found, 0, sizeof(*ret_found));
    ret_found->effect = request_apply(&start->ledger, id, &play_words[word].act);
    memcpy(ret_found->memory, start->memory, sizeof(before.memory));
    memcpy(start->memory, before.memory, sizeof(before.memory));
}

/* Filled by the group's setup: what the good rules make of each, and the cells that were asked. */
static struct found good[PROBE_COUNT][PLAY_WORD_COUNT][2];
static bool asked[REQUEST_STATE_COUNT][REQUEST_EVENT_COUNT];

static void probe_good_rules(void)
{
    for (size_t i = 0; i < PROBE_COUNT; i++) {
        struct play p;

        probe_start(&probes[i], &request_rules, &p);
        for (size_t word = 0; word < PLAY_WORD_COUNT; word++)
            for (uint32_t stale = 0; stale < 2; stale++) {
                struct found *found = &good[i][word][stale];

                probe_word(&p, word, stale, found);
                if (play_record(&p)->state < REQUEST_STATE_COUNT)
                    asked[play_record(&p)->state][found->effect.event] = true;
            }
    }
}

static unsigned every_word_does_what_it_did(const struct request_rules *rules)
{
    unsigned broken = 0;

    for (size_t i = 0; i < PROBE_COUNT; i++) {
        struct play p;

        probe_start(&probes[i], rules, &p);
        for (size_t word = 0; word < PLAY_WORD_COUNT; word++)
            for (uint32_t stale = 0; stale < 2; stale++) {
                const struct found *want = &good[i][word][stale];
                struct found found;

                probe_word(&p, word, stale, &found);
                broken += memcmp(found.memory, want->memory, sizeof(found.memory)) != 0 ||
                          memcmp(&found.effect, &want->effect, sizeof(found.effect)) != 0;
            }
    }
    return broken;
}

#endif
