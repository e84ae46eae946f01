/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/reaction.h"

#include "harness/script/number.h"

#define X(name, text) text,
static const char *const triggers[] = {PLAN_TRIGGERS(X)};
static const char *const actions[] = {PLAN_ACTIONS(X)};
#undef X

#define FORM "on PEER open|data N|frame N|end close PEER|consume PEER [N]|takes DURATION"

/* A line that is being read. */
struct rule {
    struct draft *draft;
    const struct lexer_line *line;
    size_t at; /* the next word */
    struct plan_reaction reaction;
    struct draft_group subject;
    struct draft_group target; /* as many as subjects, or one for all, or none */
};

/* Moves to the next word; false, with a mistake, at the end of the line. */
static bool next(struct rule *rule, struct lexer_word *ret_word)
{
    if (rule->at == rule->line->count) {
        (void)draft_count(rule->draft, rule->line, rule->at + 1, FORM);
        return false;
    }
    *ret_word = rule->line->words[rule->at++];
    return true;
}

static bool over(struct rule *rule)
{
    return draft_count(rule->draft, rule->line, rule->at, FORM);
}

static bool take_on(struct rule *rule)
{
    struct mistakes *mistakes = rule->draft->mistakes;
    struct lexer_word word;
    uint64_t number;
    int on;

    if (!next(rule, &word))
        return false;
    on = keyword_require(KEYWORD_TABLE(triggers), word, "callback", mistakes);
    if (on < 0)
        return false;
    rule->reaction.on = (enum plan_on)on;
    if (on != PLAN_ON_DATA && on != PLAN_ON_FRAME)
        return true;
    if (!next(rule, &word) || !number_read(mistakes, word, triggers[on], 1, UINT32_MAX, &number))
        return false;
    rule->reaction.number = (uint32_t)number;
    return true;
}

/* One target for all subjects, or each subject its own. */
static bool take_target(struct rule *rule)
{
    struct lexer_word word;

    if (!next(rule, &word) || !draft_group(rule->draft, word, &rule->target))
        return false;
    if (rule->target.count == 1 || rule->target.count == rule->subject.count)
        return true;
    mistakes_add(rule->draft->mistakes, word.place,
                 "%s names %u peers for %u callbacks; name one, or as many", lexer_show(word).text,
                 rule->target.count, rule->subject.count);
    return false;
}

static bool take_consume(struct rule *rule)
{
    struct lexer_word word;
    uint64_t count = 1;

    if (!take_target(rule))
        return false;
    if (rule->at < rule->line->count &&
        (!next(rule, &word) ||
         !number_read(rule->draft->mistakes, word, "consume", 1, UINT32_MAX, &count)))
        return false;
    rule->reaction.count = (uint32_t)count;
    return true;
}

static bool take_duration(struct rule *rule)
{
    struct lexer_word word;

    return next(rule, &word) &&
           number_duration(rule->draft->mistakes, word, "takes", &rule->reaction.duration);
}

static bool (*const readers[])(struct rule *rule) = {
    [PLAN_DO_CLOSE] = take_target,
    [PLAN_DO_CONSUME] = take_consume,
    [PLAN_DO_TAKES] = take_duration,
};

_Static_assert(sizeof(readers) / sizeof(readers[0]) == PLAN_ACTION_COUNT, "one reader per action");

static bool take_action(struct rule *rule)
{
    struct lexer_word word;
    int action;

    if (!next(rule, &word))
        return false;
    if (lexer_is(word, "connect")) {
        mistakes_add(rule->draft->mistakes, word.place,
                     "a reaction cannot connect; write 'TIME PEER connect' in the timeline");
        return false;
    }
    action = keyword_require(KEYWORD_TABLE(actions), word, "action", rule->draft->mistakes);
    rule->reaction.action = (enum plan_action)action;
    return action >= 0 && readers[action](rule) && over(rule);
}

void reaction_line(struct draft *draft, const struct lexer_line *line)
{
    struct rule rule = {.draft = draft, .line = line, .at = 1};
    struct lexer_word word;

    if (!lexer_is(line->words[0], "on")) {
        mistakes_add(draft->mistakes, line->words[0].place, "%s begins no reaction; write '%s'",
                     lexer_show(line->words[0]).text, FORM);
        return;
    }
    rule.reaction.place = line->words[0].place;
    if (!next(&rule, &word) || !draft_group(draft, word, &rule.subject) || !take_on(&rule) ||
        !take_action(&rule))
        return;
    for (uint32_t i = 0; i < rule.subject.count; i++) {
        rule.reaction.peer = rule.subject.peers[i];
        rule.reaction.target = rule.target.count == 0   ? PLAN_NOBODY
                               : rule.target.count == 1 ? rule.target.peers[0]
                                                        : rule.target.peers[i];
        if (!draft_reaction(draft, &rule.reaction))
            return;
    }
}
