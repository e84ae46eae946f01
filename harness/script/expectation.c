/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/expectation.h"

#include "harness/script/number.h"
#include "harness/script/payload.h"

#define X(name, text) text,
static const char *const kinds[] = {PLAN_EXPECTS(X)};
static const char *const saws[] = {PLAN_SAWS(X)};
static const char *const outcomes[] = {READER_OUTCOMES(X)};
static const char *const triggers[] = {REACTOR_TRIGGERS(X)};
#undef X

/* A line that is being read. */
struct claim {
    struct draft *draft;
    struct lexer_line rest; /* behind the kind */
    const char *form;
    struct plan_expect expect;
};

static bool want(struct claim *claim, size_t count)
{
    return draft_count(claim->draft, &claim->rest, count, claim->form);
}

/* `none` says that there is nothing; it stands alone. */
static bool is_none(const struct claim *claim)
{
    return claim->rest.count == 1 && lexer_is(claim->rest.words[0], "none");
}

static bool set_items(struct claim *claim, const struct plan_bytes *items, uint32_t count)
{
    claim->expect.items = items;
    claim->expect.item_count = count;
    return true;
}

/* Each word is one frame. */
static bool read_frames(struct claim *claim)
{
    size_t count = claim->rest.count;
    struct plan_bytes *items;

    if (count == 0)
        return want(claim, 1);
    if (is_none(claim))
        return set_items(claim, NULL, 0);
    items = plan_memory_take(claim->draft->plan.memory, count * sizeof(*items));
    for (size_t i = 0; i < count; i++)
        if (!payload_read(claim->draft, &claim->rest.words[i], 1, &items[i]))
            return false;
    return set_items(claim, items, (uint32_t)count);
}

/* All words together are one run of bytes. */
static bool read_bytes(struct claim *claim)
{
    struct plan_bytes *item;

    if (claim->rest.count == 0)
        return want(claim, 1);
    item = plan_memory_take(claim->draft->plan.memory, sizeof(*item));
    if (!is_none(claim) && !payload_read(claim->draft, claim->rest.words, claim->rest.count, item))
        return false;
    return set_items(claim, item, 1);
}

static bool read_end(struct claim *claim)
{
    struct mistakes *mistakes = claim->draft->mistakes;
    int outcome;

    if (claim->rest.count == 0)
        return want(claim, 1);
    outcome = keyword_require(KEYWORD_TABLE(outcomes), claim->rest.words[0], "end", mistakes);
    if (outcome < 0)
        return false;
    claim->expect.outcome = (enum reader_outcome)outcome;
    if (outcome != READER_END_ERROR)
        return want(claim, 1);
    claim->form = "PEER end error ETIMEDOUT";
    return want(claim, 2) && number_errno(mistakes, claim->rest.words[1], &claim->expect.error);
}

static bool read_value(struct claim *claim)
{
    return want(claim, 1) &&
           number_read(claim->draft->mistakes, claim->rest.words[0], kinds[claim->expect.kind], 0,
                       UINT32_MAX, &claim->expect.value);
}

static bool read_saw(struct claim *claim)
{
    int saw = -1;

    if (want(claim, 1))
        saw = keyword_require(KEYWORD_TABLE(saws), claim->rest.words[0], "end",
                              claim->draft->mistakes);
    claim->expect.saw = (enum plan_saw)saw;
    return saw >= 0;
}

/* What reads the words of each kind, and whether the kind can be said of the whole sut. */
static const struct {
    bool (*read)(struct claim *claim);
    bool sut;
    const char *form;
} rules[] = {
    [PLAN_EXPECT_FRAMES] = {read_frames, false, "PEER frames \"TEXT\" ..., or none"},
    [PLAN_EXPECT_BYTES] = {read_bytes, false, "PEER bytes BYTES, or none"},
    [PLAN_EXPECT_END] = {read_end, false, "PEER end OUTCOME"},
    [PLAN_EXPECT_PEAK] = {read_value, false, "PEER peak BYTES"},
    [PLAN_EXPECT_UNREAD] = {read_value, false, "PEER unread BYTES"},
    [PLAN_EXPECT_HELD] = {read_value, false, "PEER held BYTES"},
    [PLAN_EXPECT_RECEIVED] = {read_bytes, false, "PEER received BYTES, or none"},
    [PLAN_EXPECT_SAW] = {read_saw, false, "PEER saw fin"},
    [PLAN_EXPECT_NOTICES] = {read_value, true, "PEER notices N, or sut notices N"},
    [PLAN_EXPECT_QUANTA] = {read_value, true, "PEER quanta N, or sut quanta N"},
    [PLAN_EXPECT_READS] = {read_value, true, "PEER reads N, or sut reads N"},
    [PLAN_EXPECT_EAGAIN] = {read_value, true, "PEER eagain N, or sut eagain N"},
    [PLAN_EXPECT_EINTR] = {read_value, true, "PEER eintr N, or sut eintr N"},
    [PLAN_EXPECT_STALE] = {read_value, true, "PEER stale N, or sut stale N"},
};

_Static_assert(sizeof(rules) / sizeof(rules[0]) == PLAN_EXPECT_COUNT, "one rule per expectation");

static bool ends_with_colon(struct lexer_word word)
{
    return !word.quoted && word.size > 0 && word.text[word.size - 1] == ':';
}

/* How many words in front are tags: up to the one that ends with `:`, if any does. */
static size_t count_tags(const struct lexer_line *line)
{
    for (size_t i = 0; i < line->count && i < REACTOR_TRIGGER_COUNT; i++)
        if (ends_with_colon(line->words[i]))
            return i + 1;
    return 0;
}

/* The triggers of `count` tags as bits; every trigger of the script without tags; 0 after a
 * mistake. */
static unsigned read_tags(struct draft *draft, const struct lexer_word *words, size_t count)
{
    unsigned bits = 0;

    for (size_t i = 0; i < count; i++) {
        struct lexer_word tag = words[i];
        int found;

        if (i + 1 == count)
            tag.size--;
        found = keyword_require(KEYWORD_TABLE(triggers), tag, "trigger", draft->mistakes);
        if (found < 0)
            return 0;
        if (!(draft->plan.triggers & 1u << found)) {
            mistakes_add(draft->mistakes, tag.place,
                         "%s is no trigger of this script; add it to the line 'trigger', or leave "
                         "the tag away",
                         triggers[found]);
            return 0;
        }
        bits |= 1u << found;
    }
    return count ? bits : draft->plan.triggers;
}

static bool take_kind(struct claim *claim, struct lexer_word word, bool sut)
{
    int kind = keyword_require(KEYWORD_TABLE(kinds), word, "expectation", claim->draft->mistakes);

    if (kind < 0)
        return false;
    claim->expect.kind = (enum plan_expect_kind)kind;
    claim->form = rules[kind].form;
    if (!sut || rules[kind].sut)
        return true;
    mistakes_add(claim->draft->mistakes, word.place,
                 "%s is said of one peer, not of the sut; write '%s'", kinds[kind], claim->form);
    return false;
}

static void emit(struct claim *claim, const struct draft_group *group)
{
    for (uint32_t i = 0; i < group->count || i == 0; i++) {
        claim->expect.peer = group->count ? group->peers[i] : PLAN_NOBODY;
        if (!draft_expect(claim->draft, &claim->expect))
            return;
    }
}

void expectation_line(struct draft *draft, const struct lexer_line *line)
{
    size_t tags = count_tags(line);
    const struct lexer_word *words = line->words + tags;
    struct claim claim = {.draft = draft};
    struct draft_group group = {.count = 0};
    bool sut;

    claim.expect.triggers = read_tags(draft, line->words, tags);
    if (claim.expect.triggers == 0)
        return;
    if (line->count - tags < 2) {
        mistakes_add(draft->mistakes, line->end, "a word is missing; write 'SUBJECT WHAT ...'");
        return;
    }
    sut = lexer_is(words[0], "sut");
    claim.expect.place = words[0].place;
    claim.rest = (struct lexer_line){words + 2, line->count - tags - 2, line->end};
    if ((sut || draft_group(draft, words[0], &group)) && take_kind(&claim, words[1], sut) &&
        rules[claim.expect.kind].read(&claim))
        emit(&claim, &group);
}
