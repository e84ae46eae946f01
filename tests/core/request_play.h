/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CORE_REQUEST_PLAY_H
#define EDGEWISE_TESTS_CORE_REQUEST_PLAY_H

/*
 * Plays words such as "target:ok:borrow" to the account of requests, and writes the ledger's row
 * after each. A word may carry the generation that its record names: "target:ok@8".
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/request.h"

/* QREQ and MBUF of the worked example, and spare slots and buffers for rules that need them. */
#define PLAY_ADMITTED 2
#define PLAY_BYTES 4096
#define PLAY_SLOTS 4

struct play {
    struct request_ledger ledger;
    struct identity id; /* whom the words are about */
    uint64_t memory[64];
};

static const struct play_word {
    const char *text;
    struct request_act act;
} play_words[] = {
#define TARGET(result, lent) \
    {.kind = REQUEST_KIND_TARGET, .target = REQUEST_TARGET_##result, .borrow = lent}
#define CANCEL(answer) {.kind = REQUEST_KIND_CANCEL, .cancel = REQUEST_CANCEL_##answer}
#define TOKEN(word, number) {.kind = REQUEST_KIND_##word, .token = number}
    {"deadline", {.kind = REQUEST_KIND_DEADLINE}},
    {"deadline:submitfail", {.kind = REQUEST_KIND_DEADLINE, .unsent = true}},
    {"logical_exit", {.kind = REQUEST_KIND_EXIT}},
    {"logical_exit:submitfail", {.kind = REQUEST_KIND_EXIT, .unsent = true}},
    {"deliver", {.kind = REQUEST_KIND_DELIVER}},
    {"target:ok", TARGET(OK, false)},
    {"target:ok:borrow", TARGET(OK, true)},
    {"target:err", TARGET(ERROR, false)},
    {"target:err:borrow", TARGET(ERROR, true)},
    {"target:canceled", TARGET(CANCELED, false)},
    {"target:canceled:borrow", TARGET(CANCELED, true)},
    {"cancel:ok", CANCEL(OK)},
    {"cancel:notfound", CANCEL(NOT_FOUND)},
    {"cancel:already", CANCEL(ALREADY)},
    {"cancel:badid", CANCEL(BAD_ID)},
    {"borrow", {.kind = REQUEST_KIND_BORROW}},
    {"release:0", TOKEN(RELEASE, 0)},
    {"release:1", TOKEN(RELEASE, 1)},
    {"release:2", TOKEN(RELEASE, 2)},
    {"throw:0", TOKEN(THROW, 0)},
    {"throw:1", TOKEN(THROW, 1)},
    {"handoff:0", TOKEN(HANDOFF, 0)},
    {"handoff:1", TOKEN(HANDOFF, 1)},
    {"release:4294967295", TOKEN(RELEASE, UINT32_MAX)},
#undef TARGET
#undef CANCEL
#undef TOKEN
};

#define PLAY_WORD_COUNT (sizeof(play_words) / sizeof(*play_words))

static const struct request_config play_config = {.admitted = PLAY_ADMITTED,
                                                  .bytes = PLAY_BYTES,
                                                  .slots = PLAY_SLOTS,
                                                  .buffers = PLAY_SLOTS,
                                                  .generation = 7};

/* An empty account. */
static void play_open(struct play *play, const struct request_rules *rules)
{
    if (request_size(&play_config) > sizeof(play->memory))
        abort();
    memset(play, 0, sizeof(*play));
    request_open(&play->ledger, rules, &play_config, play->memory);
    play->id = IDENTITY_NONE;
}

/* An account with one request, in generation 7. */
static void play_submitted(struct play *play, const struct request_rules *rules,
                           enum request_lease lease)
{
    play_open(play, rules);
    if (request_submit(&play->ledger, PLAY_BYTES, lease, &play->id) < 0)
        abort();
}

static const struct request *play_record(const struct play *play)
{
    return request_at(&play->ledger, play->id);
}

/* The act of a word; tokens may have any number. */
static struct request_act play_act(const char *text)
{
    size_t length = strcspn(text, " @"), noun = strcspn(text, ": @") + 1;

    for (size_t i = 0; i < PLAY_WORD_COUNT; i++)
        if (strlen(play_words[i].text) == length && memcmp(play_words[i].text, text, length) == 0)
            return play_words[i].act;
    for (size_t i = 0; i < PLAY_WORD_COUNT; i++)
        if (play_words[i].act.kind >= REQUEST_KIND_RELEASE && noun < length &&
            memcmp(play_words[i].text, text, noun) == 0) {
            struct request_act act = play_words[i].act;

            act.token = (uint32_t)strtoul(text + noun, NULL, 10);
            return act;
        }
    (void)fprintf(stderr, "no such word: %s\n", text);
    abort();
}

/* One word; it ends at a space or at the end of `text`. */
static struct request_effect play(struct play *p, const char *text)
{
    size_t length = strcspn(text, " @");
    struct request_act act = play_act(text);
    struct identity id = p->id;

    if (text[length] == '@')
        id.generation = (uint32_t)strtoul(text + length + 1, NULL, 10);
    return request_apply(&p->ledger, id, &act);
}

/* Several; the effect of the last. */
static struct request_effect play_all(struct play *p, const char *text)
{
    struct request_effect effect = {.verdict = REQUEST_VERDICT_COUNT};

    while (*text != '\0') {
        effect = play(p, text);
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    return effect;
}

#define PLAY_ROW 128

/* "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0": Lg/Tg/Cx d,b pool,REQ, logical open,
 * unretired, refused. */
static void play_row(const struct play *p, char row[PLAY_ROW])
{
    const struct request *r = play_record(p);
    const struct request_table *table = p->ledger.table;

    (void)snprintf(row, PLAY_ROW, "%s/%s/%s %d,%d %s,%s %u %u %llu",
                   request_logical_name(r->logical), request_target_name(r->target),
                   request_cancel_name(r->cancel), r->device, r->borrows,
                   r->returned ? "RETURNED" : "HELD",
                   r->state == REQUEST_RETIRED ? "retired" : "retained", table->open,
                   table->unretired, (unsigned long long)table->refused);
}

/* The moves of a step: "(1,1)(0,1)". */
static void play_moves(const struct request_effect *effect, char row[PLAY_ROW])
{
    size_t length = 0;

    row[0] = '\0';
    for (unsigned i = 0; i < effect->moves; i++)
        length += (size_t)snprintf(row + length, PLAY_ROW - length, "(%d,%d)",
                                   effect->after[i].device, effect->after[i].borrows);
}

#endif
