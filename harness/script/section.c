/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/section.h"

#include <string.h>

#include "harness/script/setting.h"

#define SCENARIOS "scenarios/"
#define EXTENSION ".scn"

#define X(name, text) text,
static const char *const families[] = {PLAN_FAMILIES(X)};
static const char *const triggers[] = {REACTOR_TRIGGERS(X)};
#undef X

#define X(name, text, carriers) text,
static const char *const kinds[] = {DRAFT_KINDS(X)};
#undef X

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/* TOPIC/BEHAVIOUR: two parts of small letters, digits and hyphens. */
static bool name_valid(struct lexer_word name)
{
    size_t slashes = 0;

    for (size_t i = 0; i < name.size; i++) {
        if (name.text[i] == '/')
            slashes++;
        else if (!is_name_byte(name.text[i]))
            return false;
    }
    return !name.quoted && slashes == 1 && name.text[0] != '/' && name.text[name.size - 1] != '/';
}

/* The name that a path below a folder scenarios/ stands for, empty outside of one. */
static struct lexer_word name_of_path(const char *path)
{
    struct lexer_word name = {.text = ""};
    size_t extension = sizeof(EXTENSION) - 1;

    for (const char *at = strstr(path, SCENARIOS); at; at = strstr(at + 1, SCENARIOS))
        if (at == path || at[-1] == '/')
            name.text = at + sizeof(SCENARIOS) - 1;
    name.size = strlen(name.text);
    if (name.size > extension && strcmp(name.text + name.size - extension, EXTENSION) == 0)
        name.size -= extension;
    return name;
}

void section_scenario(struct draft *draft, const struct lexer_line *line)
{
    struct lexer_word path = name_of_path(draft->plan.file);
    struct lexer_word name;

    if (!draft_count(draft, line, 2, "scenario TOPIC/BEHAVIOUR"))
        return;
    name = line->words[1];
    if (!name_valid(name)) {
        mistakes_add(draft->mistakes, name.place,
                     "bad name %s; write TOPIC/BEHAVIOUR in small "
                     "letters, digits and hyphens",
                     lexer_show(name).text);
        return;
    }
    if (path.size > 0 && (path.size != name.size || memcmp(path.text, name.text, name.size) != 0)) {
        mistakes_add(draft->mistakes, name.place, "%s is not the name of this file; write %s",
                     lexer_show(name).text, lexer_show(path).text);
        return;
    }
    draft->plan.name = plan_memory_text(draft->plan.memory, name.text, name.size);
}

void section_about(struct draft *draft, const struct lexer_line *line)
{
    if (!draft_count(draft, line, 2, "about \"TEXT\""))
        return;
    if (!line->words[1].quoted || line->words[1].size == 0) {
        mistakes_add(draft->mistakes, line->words[1].place,
                     "%s is no text in quotes; write "
                     "about \"TEXT\"",
                     lexer_show(line->words[1]).text);
        return;
    }
    draft->plan.about = plan_memory_text(draft->plan.memory, line->words[1].text,
                                         line->words[1].size);
}

void section_covers(struct draft *draft, const struct lexer_line *line)
{
    struct plan *plan = &draft->plan;
    const char **covers;

    if (line->count < 2) {
        (void)draft_count(draft, line, 2, "covers WORD ...");
        return;
    }
    covers = plan_memory_take(plan->memory, (line->count - 1) * sizeof(*covers));
    for (size_t i = 1; i < line->count; i++)
        covers[i - 1] = plan_memory_text(plan->memory, line->words[i].text, line->words[i].size);
    plan->covers = covers;
    plan->cover_count = (uint32_t)line->count - 1;
}

/* Reads a line by its first word. */
static void dispatch(struct draft *draft, const struct lexer_line *line, struct keyword_table table,
                     const char *what)
{
    const struct draft_keyword *keywords = table.entries;
    int i = keyword_require(table, line->words[0], what, draft->mistakes);

    if (i >= 0)
        keywords[i].read(draft, line);
}

static void read_setting(struct draft *draft, const struct lexer_line *line)
{
    setting_line(draft, line, 1);
}

static void read_link(struct draft *draft, const struct lexer_line *line)
{
    if (!draft_once(draft, &draft->link, line->words[0].place, "link") ||
        !draft_count(draft, line, 3, "link sut peer"))
        return;
    for (size_t i = 1; i < 3; i++)
        if (!lexer_is(line->words[i], i == 1 ? "sut" : "peer")) {
            mistakes_add(draft->mistakes, line->words[i].place,
                         "%s is no end of the link; write 'link sut peer'",
                         lexer_show(line->words[i]).text);
            return;
        }
}

static void read_family(struct draft *draft, const struct lexer_line *line)
{
    if (!draft_once(draft, &draft->family, line->words[0].place, "family"))
        return;
    draft->plan.families = draft_bits(draft, line, KEYWORD_TABLE(families), "family");
    if (draft->plan.families & 1u << PLAN_PIPE && draft->plan.families != 1u << PLAN_PIPE)
        mistakes_add(draft->mistakes, line->words[0].place,
                     "family pipe beside others; a pipe needs a script of its own");
}

static void read_trigger(struct draft *draft, const struct lexer_line *line)
{
    if (draft_once(draft, &draft->trigger, line->words[0].place, "trigger"))
        draft->plan.triggers = draft_bits(draft, line, KEYWORD_TABLE(triggers), "trigger");
}

static void read_app(struct draft *draft, const struct lexer_line *line)
{
    static const char *const apps[] = {"sink"};

    if (!draft_once(draft, &draft->app, line->words[0].place, "app"))
        return;
    if (line->count < 2)
        (void)draft_count(draft, line, 2, "app sink [consume=manual]");
    else if (keyword_require(KEYWORD_TABLE(apps), line->words[1], "app", draft->mistakes) >= 0 &&
             line->count > 2)
        setting_line(draft, line, 2);
}

void section_topology(struct draft *draft, const struct lexer_line *line)
{
    static const struct draft_keyword keywords[] = {
        {"link", read_link},
        {"family", read_family},
        {"socket", read_setting},
        {"backlog", read_setting},
    };

    dispatch(draft, line, KEYWORD_TABLE(keywords), "word in topology");
}

void section_reactor(struct draft *draft, const struct lexer_line *line)
{
    static const struct draft_keyword keywords[] = {
        {"trigger", read_trigger},  {"quantum", read_setting}, {"frame", read_setting},
        {"capacity", read_setting}, {"app", read_app},         {"collect", read_setting},
        {"requeue", read_setting},  {"limit", read_setting},
    };

    dispatch(draft, line, KEYWORD_TABLE(keywords), "word in reactor");
}

void section_run(struct draft *draft, const struct lexer_line *line)
{
    static const struct draft_keyword keywords[] = {
        {"pace", read_setting},
        {"compare", read_setting},
        {"tolerance", read_setting},
    };

    dispatch(draft, line, KEYWORD_TABLE(keywords), "word in run");
}

void section_peers(struct draft *draft, const struct lexer_line *line)
{
    bool wrong = draft->peers_wrong;
    int kind;

    draft->peers_wrong = true;
    if (!draft_count(draft, line, 2, "NAME tcp|stream|pipe"))
        return;
    kind = keyword_require(KEYWORD_TABLE(kinds), line->words[1], "kind of peer", draft->mistakes);
    if (kind >= 0 && draft_declare(draft, line->words[0], (enum draft_kind)kind))
        draft->peers_wrong = wrong;
}
