/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/setting.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "harness/script/number.h"

#define NAME_MAX_SHOWN 32

enum kind {
    KIND_U32,
    KIND_U64,
    KIND_HEADER, /* 1, 2 or 4 in one byte */
    KIND_DURATION,
    KIND_SWITCH,
    KIND_NAME,
    KIND_CONSUME,
    KIND_PACE,
    KIND_COMPARE,
    KIND_COUNT,
};

static const struct rule {
    const char *word;
    const char *key; /* NULL: the value stands alone */
    enum kind kind;
    size_t offset; /* in struct plan */
    uint64_t min;
    uint64_t max;
} rules[] = {
#define X(name, word, key, kind, field, min, max) \
    [SETTING_##name] = {word, key, KIND_##kind, offsetof(struct plan, field), min, max},
    SETTINGS(X)
#undef X
};

_Static_assert(SETTING_COUNT <= DRAFT_SETTINGS_MAX, "a draft has a place for each setting");

/* Words that a choice is written with, in the order of its enum. */
static const char *const switch_words[] = {"off", "on"};
static const char *const consume_words[] = {
    [PLAN_CONSUME_AUTO] = "auto",
    [PLAN_CONSUME_MANUAL] = "manual",
};
static const char *const pace_words[] = {[PLAN_LOCKSTEP] = "lockstep", [PLAN_FREE] = "free"};
static const char *const compare_words[] = {
    [PLAN_EXACT] = "exact",
    [PLAN_STREAMS] = "streams",
};

void setting_defaults(struct plan *plan)
{
    plan->sockets.congestion = "reno";
    plan->backlog = 128;
    plan->collect = 64;
    plan->limits = (struct budget_limits){.bytes = 65536, .attempts = 16};
    plan->requeue = true;
    plan->consume = PLAN_CONSUME_AUTO;
    plan->rounds_max = 100000;
    plan->calls_max = 1000000;
    plan->pace = PLAN_LOCKSTEP;
    plan->compare = PLAN_EXACT;
    plan->tolerance = DURATION_MS(5);
}

/* "quantum.bytes", or the word alone. */
static void full_name(const struct rule *rule, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", rule->word, rule->key ? "." : "", rule->key ? rule->key : "");
}

/* What reads a value of one kind into the plan's field. */
typedef bool (*reader)(struct draft *draft, struct lexer_word value, const struct rule *rule,
                       void *field);

static bool read_number(struct draft *draft, struct lexer_word value, const struct rule *rule,
                        uint64_t *ret_number)
{
    char name[NAME_MAX_SHOWN];

    full_name(rule, name, sizeof(name));
    return number_read(draft->mistakes, value, name, rule->min, rule->max, ret_number);
}

static bool read_u32(struct draft *draft, struct lexer_word value, const struct rule *rule,
                     void *field)
{
    uint64_t number;

    if (!read_number(draft, value, rule, &number))
        return false;
    *(uint32_t *)field = (uint32_t)number;
    return true;
}

static bool read_u64(struct draft *draft, struct lexer_word value, const struct rule *rule,
                     void *field)
{
    return read_number(draft, value, rule, field);
}

static bool read_header(struct draft *draft, struct lexer_word value, const struct rule *rule,
                        void *field)
{
    if (!lexer_is(value, "1") && !lexer_is(value, "2") && !lexer_is(value, "4")) {
        mistakes_add(draft->mistakes, value.place, "%s.%s: %s is no header size; write 1, 2 or 4",
                     rule->word, rule->key, lexer_show(value).text);
        return false;
    }
    *(uint8_t *)field = (uint8_t)(value.text[0] - '0');
    return true;
}

static bool read_duration(struct draft *draft, struct lexer_word value, const struct rule *rule,
                          void *field)
{
    struct duration duration;
    char name[NAME_MAX_SHOWN];

    full_name(rule, name, sizeof(name));
    if (!number_duration(draft->mistakes, value, name, &duration))
        return false;
    if (duration.ns < (int64_t)rule->min) {
        mistakes_add(draft->mistakes, value.place, "%s: %s is no time; write at least 1ns", name,
                     lexer_show(value).text);
        return false;
    }
    *(struct duration *)field = duration;
    return true;
}

static bool read_name(struct draft *draft, struct lexer_word value, const struct rule *rule,
                      void *field)
{
    static const char known[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const char *text = plan_memory_text(draft->plan.memory, value.text, value.size);

    if (value.size < rule->min || value.size > rule->max || strspn(text, known) != value.size) {
        mistakes_add(draft->mistakes, value.place,
                     "%s.%s: bad name %s; write 1 to %u small letters, digits or _", rule->word,
                     rule->key, lexer_show(value).text, (unsigned)rule->max);
        return false;
    }
    *(const char **)field = text;
    return true;
}

/* The index of a choice's word, -1 after a mistake. */
static int read_choice(struct draft *draft, struct lexer_word value, const struct rule *rule,
                       struct keyword_table table)
{
    char what[NAME_MAX_SHOWN + sizeof("value of ")] = "value of ";

    full_name(rule, what + strlen(what), NAME_MAX_SHOWN);
    return keyword_require(table, value, what, draft->mistakes);
}

static bool read_switch(struct draft *draft, struct lexer_word value, const struct rule *rule,
                        void *field)
{
    int i = read_choice(draft, value, rule, KEYWORD_TABLE(switch_words));

    if (i >= 0)
        *(bool *)field = i;
    return i >= 0;
}

static bool read_consume(struct draft *draft, struct lexer_word value, const struct rule *rule,
                         void *field)
{
    int i = read_choice(draft, value, rule, KEYWORD_TABLE(consume_words));

    if (i >= 0)
        *(enum plan_consume *)field = (enum plan_consume)i;
    return i >= 0;
}

static bool read_pace(struct draft *draft, struct lexer_word value, const struct rule *rule,
                      void *field)
{
    int i = read_choice(draft, value, rule, KEYWORD_TABLE(pace_words));

    if (i >= 0)
        *(enum plan_pace *)field = (enum plan_pace)i;
    return i >= 0;
}

static bool read_compare(struct draft *draft, struct lexer_word value, const struct rule *rule,
                         void *field)
{
    int i = read_choice(draft, value, rule, KEYWORD_TABLE(compare_words));

    if (i >= 0)
        *(enum plan_compare *)field = (enum plan_compare)i;
    return i >= 0;
}

static const reader readers[] = {
    [KIND_U32] = read_u32,           [KIND_U64] = read_u64,       [KIND_HEADER] = read_header,
    [KIND_DURATION] = read_duration, [KIND_SWITCH] = read_switch, [KIND_NAME] = read_name,
    [KIND_CONSUME] = read_consume,   [KIND_PACE] = read_pace,     [KIND_COMPARE] = read_compare,
};

_Static_assert(sizeof(readers) / sizeof(readers[0]) == KIND_COUNT, "one reader per kind");

/* Reads `value` into the plan; nothing is said twice in a script. */
static bool apply(struct draft *draft, enum setting setting, struct lexer_word value)
{
    const struct rule *rule = &rules[setting];

    if (!readers[rule->kind](draft, value, rule, (char *)&draft->plan + rule->offset))
        return false;
    draft->settings[setting] = value.place;
    return true;
}

/* The keys that `word` takes, as a table of names in `names`; the count is 0 when the value
 * stands alone. */
static struct keyword_table keys_of(struct lexer_word word, const char **names,
                                    enum setting *settings)
{
    size_t count = 0;

    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (lexer_is(word, rules[i].word)) {
            settings[count] = (enum setting)i;
            names[count++] = rules[i].key;
        }
    assert(count > 0);
    return (struct keyword_table){names, names[0] ? count : 0, sizeof(names[0])};
}

static void read_pair(struct draft *draft, struct lexer_word word, struct keyword_table keys,
                      const enum setting *settings)
{
    struct lexer_word key, value;
    struct plan_place once;
    char known[128];
    int found;

    if (!lexer_pair(word, &key, &value)) {
        keyword_list(keys, known, sizeof(known));
        mistakes_add(draft->mistakes, word.place, "%s has no value; write KEY=VALUE with one of %s",
                     lexer_show(word).text, known);
        return;
    }
    found = keyword_require(keys, key, "key", draft->mistakes);
    if (found < 0)
        return;
    once = draft->settings[settings[found]];
    if (draft_once(draft, &once, word.place, lexer_show(key).text))
        (void)apply(draft, settings[found], value);
}

void setting_line(struct draft *draft, const struct lexer_line *line, size_t from)
{
    const char *names[SETTING_COUNT];
    enum setting settings[SETTING_COUNT];
    struct keyword_table keys = keys_of(line->words[0], names, settings);
    char form[NAME_MAX_SHOWN + sizeof(" KEY=VALUE")];
    struct plan_place once = draft->settings[settings[0]];

    snprintf(form, sizeof(form), "%s %s", rules[settings[0]].word,
             keys.count ? "KEY=VALUE" : "VALUE");
    if (keys.count == 0) {
        if (draft_count(draft, line, from + 1, form) &&
            draft_once(draft, &once, line->words[0].place, rules[settings[0]].word))
            (void)apply(draft, settings[0], line->words[from]);
        return;
    }
    if (line->count == from)
        (void)draft_count(draft, line, from + 1, form);
    for (size_t i = from; i < line->count; i++)
        read_pair(draft, line->words[i], keys, settings);
}

static void unknown_key(struct draft *draft, struct plan_place place, const char *wrong)
{
    char text[512] = "";
    size_t used = 0;

    for (size_t i = 0; i < SETTING_COUNT; i++) {
        char name[NAME_MAX_SHOWN];

        full_name(&rules[i], name, sizeof(name));
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "", name);
        assert(used < sizeof(text));
    }
    mistakes_add(draft->mistakes, place, "%s; known: %s", wrong, text);
}

bool setting_override(struct draft *draft, const char *text, struct plan_place place)
{
    struct lexer_word word = {text, strlen(text), place, false};
    struct lexer_word key, value;

    if (!lexer_pair(word, &key, &value)) {
        unknown_key(draft, place, "no value; write KEY=VALUE");
        return false;
    }
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        char name[NAME_MAX_SHOWN];

        full_name(&rules[i], name, sizeof(name));
        if (lexer_is(key, name))
            return apply(draft, (enum setting)i, value);
    }
    unknown_key(draft, place, "unknown key");
    return false;
}

struct plan_place setting_place(const struct draft *draft, enum setting setting)
{
    return draft->settings[setting];
}
