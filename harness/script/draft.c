/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/draft.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "harness/script/number.h"

/* Names that would read as something else in a script or a ledger; `l` is the listener. */
static const char *const reserved[] = {"sut",        "l",  "on", "none", "stop",
                                       "wait-until", "et", "lt", "os"};

bool draft_said(struct plan_place place)
{
    return place.column > 0;
}

bool draft_once(struct draft *draft, struct plan_place *noted, struct plan_place place,
                const char *what)
{
    if (draft_said(*noted)) {
        mistakes_add(draft->mistakes, place, "%s is said twice; keep one, the first is in line %u",
                     what, noted->line);
        return false;
    }
    *noted = place;
    return true;
}

bool draft_count(struct draft *draft, const struct lexer_line *line, size_t count, const char *form)
{
    if (line->count < count)
        mistakes_add(draft->mistakes, line->end, "a word is missing; write '%s'", form);
    else if (line->count > count)
        mistakes_add(draft->mistakes, line->words[count].place, "%s is too much; write '%s'",
                     lexer_show(line->words[count]).text, form);
    return line->count == count;
}

unsigned draft_bits(struct draft *draft, const struct lexer_line *line, struct keyword_table table,
                    const char *what)
{
    unsigned bits = 0;

    for (size_t i = 1; i < line->count; i++) {
        int found = keyword_require(table, line->words[i], what, draft->mistakes);

        if (found < 0)
            return 0;
        if (bits & 1u << found) {
            mistakes_add(draft->mistakes, line->words[i].place, "%s is there twice; once is enough",
                         lexer_show(line->words[i]).text);
            return 0;
        }
        bits |= 1u << found;
    }
    if (bits == 0) {
        char known[128];

        keyword_list(table, known, sizeof(known));
        mistakes_add(draft->mistakes, line->end, "no %s; write one or more of %s", what, known);
    }
    return bits;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool name_valid(struct lexer_word name)
{
    if (name.quoted || name.size == 0 || name.size > DRAFT_NAME_MAX || !is_letter(name.text[0]))
        return false;
    for (size_t i = 1; i < name.size; i++)
        if (!is_letter(name.text[i]) && !(name.text[i] >= '0' && name.text[i] <= '9') &&
            name.text[i] != '_' && name.text[i] != '-')
            return false;
    return true;
}

/* Splits `c*8` into name and count; a word without `*` is a count of 0: the name itself. */
static bool split_star(struct draft *draft, struct lexer_word word, struct lexer_word *ret_name,
                       uint64_t *ret_count)
{
    const char *star = word.quoted ? NULL : memchr(word.text, '*', word.size);

    *ret_name = word;
    *ret_count = 0;
    if (!star)
        return true;
    ret_name->size = (size_t)(star - word.text);
    return number_read(draft->mistakes, lexer_skip(word, ret_name->size + 1), "peers", 1,
                       PLAN_PEERS_MAX, ret_count);
}

static uint32_t find_peer(const struct draft *draft, struct lexer_word name)
{
    for (uint32_t i = 0; i < draft->plan.peer_count; i++)
        if (lexer_is(name, draft->peers[i].name))
            return i;
    return PLAN_NOBODY;
}

static bool declare_one(struct draft *draft, struct lexer_word name, enum draft_kind kind)
{
    struct plan *plan = &draft->plan;
    uint32_t known = find_peer(draft, name);

    if (known != PLAN_NOBODY) {
        mistakes_add(draft->mistakes, name.place,
                     "peer %s is declared twice; keep one, the first is in line %u",
                     lexer_show(name).text, draft->peers[known].place.line);
        return false;
    }
    if (plan->peer_count == PLAN_PEERS_MAX) {
        mistakes_add(draft->mistakes, name.place, "too many peers; at most %d", PLAN_PEERS_MAX);
        return false;
    }
    draft->peers = plan_memory_grow(plan->memory, draft->peers, sizeof(*draft->peers),
                                    plan->peer_count, &draft->peer_room);
    draft->kinds[plan->peer_count] = kind;
    draft->peers[plan->peer_count++] = (struct plan_peer){
        .name = plan_memory_text(plan->memory, name.text, name.size),
        .place = name.place,
    };
    plan->peers = draft->peers;
    return true;
}

/* The i-th name of `c*8`, from 1; 0 is the name alone. `text` holds it. */
static struct lexer_word numbered(struct lexer_word name, uint64_t i, char *text, size_t size)
{
    if (i == 0)
        return name;
    assert(name.size <= DRAFT_NAME_MAX);
    name.size = (size_t)snprintf(text, size, "%.*s%u", (int)name.size, name.text, (unsigned)i);
    name.text = text;
    return name;
}

bool draft_declare(struct draft *draft, struct lexer_word word, enum draft_kind kind)
{
    char text[DRAFT_NAME_MAX + sizeof("64")];
    struct lexer_word name;
    uint64_t count;

    if (!split_star(draft, word, &name, &count))
        return false;
    if (!name_valid(name)) {
        mistakes_add(draft->mistakes, word.place,
                     "bad name %s for a peer; begin with a letter, then letters, digits, _ or -, "
                     "at most %d",
                     lexer_show(name).text, DRAFT_NAME_MAX);
        return false;
    }
    if (keyword_find(KEYWORD_TABLE(reserved), name) >= 0) {
        mistakes_add(draft->mistakes, word.place,
                     "%s is no name for a peer; the language uses it "
                     "itself, choose another",
                     lexer_show(name).text);
        return false;
    }
    for (uint64_t i = count ? 1 : 0; i <= count; i++)
        if (!declare_one(draft, numbered(name, i, text, sizeof(text)), kind))
            return false;
    return true;
}

/* When a declaration went wrong, only that is told: the peers behind it may be those it meant. */
static void undeclared(struct draft *draft, struct lexer_word name)
{
    if (draft->peers_wrong)
        return;
    draft->peers_wrong = draft->plan.peer_count == 0;
    if (draft->peers_wrong)
        mistakes_add(draft->mistakes, name.place, "unknown peer %s; declare it in section peers",
                     lexer_show(name).text);
    else
        keyword_unknown(
            (struct keyword_table){draft->peers, draft->plan.peer_count, sizeof(*draft->peers)},
            name, "peer", draft->mistakes);
}

bool draft_group(struct draft *draft, struct lexer_word word, struct draft_group *ret_group)
{
    char text[DRAFT_NAME_MAX + sizeof("64")];
    struct lexer_word name;
    uint64_t count;

    ret_group->count = 0;
    if (!split_star(draft, word, &name, &count))
        return false;
    if (count > 0 && name.size > DRAFT_NAME_MAX) {
        undeclared(draft, word);
        return false;
    }
    for (uint64_t i = count ? 1 : 0; i <= count; i++) {
        struct lexer_word one = numbered(name, i, text, sizeof(text));
        uint32_t peer = find_peer(draft, one);

        if (peer == PLAN_NOBODY) {
            undeclared(draft, one);
            return false;
        }
        ret_group->peers[ret_group->count++] = peer;
    }
    return true;
}

/* Told once: what comes later is too much as well. */
static bool too_many(struct draft *draft, struct plan_place place, const char *what, unsigned max)
{
    if (!draft->full)
        mistakes_add(draft->mistakes, place, "too many %s; at most %u", what, max);
    draft->full = true;
    return false;
}

bool draft_statement(struct draft *draft, const struct plan_statement *statement)
{
    struct plan *plan = &draft->plan;

    if (plan->statement_count == PLAN_STATEMENTS_MAX)
        return too_many(draft, statement->place, "statements", PLAN_STATEMENTS_MAX);
    if (statement->bytes.size > PLAN_PAYLOAD_MAX - draft->payload_size)
        return too_many(draft, statement->place, "bytes of all payloads",
                        (unsigned)PLAN_PAYLOAD_MAX);
    draft->payload_size += statement->bytes.size;
    draft->statements = plan_memory_grow(plan->memory, draft->statements, sizeof(*statement),
                                         plan->statement_count, &draft->statement_room);
    draft->statements[plan->statement_count++] = *statement;
    plan->statements = draft->statements;
    return true;
}

bool draft_reaction(struct draft *draft, const struct plan_reaction *reaction)
{
    struct plan *plan = &draft->plan;

    if (plan->reaction_count == DRAFT_REACTIONS_MAX)
        return too_many(draft, reaction->place, "reactions", DRAFT_REACTIONS_MAX);
    draft->reactions = plan_memory_grow(plan->memory, draft->reactions, sizeof(*reaction),
                                        plan->reaction_count, &draft->reaction_room);
    draft->reactions[plan->reaction_count++] = *reaction;
    plan->reactions = draft->reactions;
    return true;
}

bool draft_expect(struct draft *draft, const struct plan_expect *expect)
{
    struct plan *plan = &draft->plan;

    if (plan->expect_count == DRAFT_EXPECTS_MAX)
        return too_many(draft, expect->place, "expectations", DRAFT_EXPECTS_MAX);
    draft->expects = plan_memory_grow(plan->memory, draft->expects, sizeof(*expect),
                                      plan->expect_count, &draft->expect_room);
    draft->expects[plan->expect_count++] = *expect;
    plan->expects = draft->expects;
    return true;
}

const char *draft_kind_name(enum draft_kind kind)
{
#define X(name, text, families) text,
    static const char *const names[] = {DRAFT_KINDS(X)};
#undef X

    assert((unsigned)kind < DRAFT_KIND_COUNT);
    return names[kind];
}

unsigned draft_kind_families(enum draft_kind kind)
{
#define X(name, text, families) families,
    static const unsigned bits[] = {DRAFT_KINDS(X)};
#undef X

    assert((unsigned)kind < DRAFT_KIND_COUNT);
    return bits[kind];
}
