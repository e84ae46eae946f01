/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/parser.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "harness/script/draft.h"
#include "harness/script/expectation.h"
#include "harness/script/plan_check.h"
#include "harness/script/reaction.h"
#include "harness/script/section.h"
#include "harness/script/setting.h"
#include "harness/script/source.h"
#include "harness/script/statement.h"

/* A section is one line (head) or a line and those indented below it (body). */
static const struct section {
    const char *name;
    void (*head)(struct draft *draft, const struct lexer_line *line);
    void (*body)(struct draft *draft, const struct lexer_line *line);
    bool optional;
} sections[] = {
    {"scenario", .head = section_scenario},
    {"about", .head = section_about},
    {"covers", .head = section_covers, .optional = true},
    {"topology", .body = section_topology},
    {"reactor", .body = section_reactor},
    {"run", .body = section_run, .optional = true},
    {"peers", .body = section_peers},
    {"reactions", .body = reaction_line, .optional = true},
    {"timeline", .body = statement_line},
    {"expect", .body = expectation_line},
};

#define SECTION_COUNT (sizeof(sections) / sizeof(sections[0]))

struct parser {
    struct draft draft;
    struct lexer lexer;
    struct plan_place begun[SECTION_COUNT];
    const struct section *section; /* the last one that began */
    bool skip;                     /* lines of a section that could not begin */
    bool unknown;                  /* some section's name is none: it may be a missing one */
};

/* Whether the section may begin here; it is noted as begun. */
static bool begin(struct parser *parser, size_t i, struct plan_place place)
{
    struct mistakes *mistakes = parser->draft.mistakes;

    if (!draft_once(&parser->draft, &parser->begun[i], place, sections[i].name))
        return false;
    for (size_t k = i + 1; k < SECTION_COUNT; k++)
        if (draft_said(parser->begun[k])) {
            mistakes_add(mistakes, place, "section %s comes too late; write it before %s, line %u",
                         sections[i].name, sections[k].name, parser->begun[k].line);
            return false;
        }
    return true;
}

/* A line at the left edge. */
static void read_head(struct parser *parser, const struct lexer_line *line)
{
    int i = keyword_require(KEYWORD_TABLE(sections), line->words[0], "section",
                            parser->draft.mistakes);

    parser->unknown = parser->unknown || i < 0;
    parser->skip = i < 0 || !begin(parser, (size_t)i, line->words[0].place);
    if (parser->skip)
        return;
    parser->section = &sections[i];
    if (sections[i].head)
        sections[i].head(&parser->draft, line);
    else
        (void)draft_count(&parser->draft, line, 1, sections[i].name);
}

/* An indented line. */
static void read_body(struct parser *parser, const struct lexer_line *line)
{
    if (parser->skip)
        return;
    if (parser->section && parser->section->body)
        parser->section->body(&parser->draft, line);
    else
        mistakes_add(parser->draft.mistakes, line->words[0].place,
                     "an indented line in no section; begin a section at the left edge");
}

static void read_lines(struct parser *parser, const char *text, size_t size)
{
    const char *end = text + size;
    uint32_t number = 1;

    for (const char *at = text; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct lexer_line line;

        assert(newline);
        if (lexer_split(&parser->lexer, at, (size_t)(newline - at), number, &line) == 0 &&
            line.count > 0) {
            if (line.words[0].place.column == 1)
                read_head(parser, &line);
            else
                read_body(parser, &line);
        }
        at = newline + 1;
    }
    parser->draft.end = (struct plan_place){number, 1};
    for (size_t i = 0; i < SECTION_COUNT && !parser->unknown; i++)
        if (!sections[i].optional && !draft_said(parser->begun[i]))
            mistakes_add(parser->draft.mistakes, parser->draft.end,
                         "section %s is missing; a script needs it", sections[i].name);
}

static void read_sets(struct draft *draft, const struct parser_input *input)
{
    for (uint32_t i = 0; i < input->set_count; i++)
        (void)setting_override(draft, input->sets[i], (struct plan_place){0, i + 1});
}

static bool clean(const struct mistakes *mistakes)
{
    return mistakes->lines.count == 0;
}

/* The draft as a plan, in its own memory. */
static struct plan *publish(const struct draft *draft)
{
    struct plan *plan = plan_memory_take(draft->plan.memory, sizeof(*plan));

    *plan = draft->plan;
    plan->sockets.congestion_place = setting_place(draft, SETTING_CONGESTION);
    return plan;
}

int parser_parse(const struct parser_input *input, struct plan **ret_plan,
                 struct mistakes *mistakes)
{
    struct plan_memory *memory = plan_memory_new();
    struct parser parser = {
        .draft = {.plan.memory = memory, .mistakes = mistakes},
        .lexer = {.memory = memory, .mistakes = mistakes},
    };

    mistakes->file = input->path;
    mistakes->sets = input->sets;
    parser.draft.plan.file = plan_memory_text(memory, input->path, strlen(input->path));
    setting_defaults(&parser.draft.plan);
    if (source_check(input->text, input->size, mistakes))
        read_lines(&parser, input->text, input->size);
    read_sets(&parser.draft, input);
    if (clean(mistakes)) {
        statement_sort(&parser.draft);
        plan_check_all(&parser.draft);
    }
    if (!clean(mistakes)) {
        plan_memory_free(memory);
        return -EINVAL;
    }
    *ret_plan = publish(&parser.draft);
    return 0;
}

int parser_load(const char *path, const char *const *sets, uint32_t set_count,
                struct plan **ret_plan, struct mistakes *mistakes)
{
    struct source source;
    const char *error = source_read(path, SOURCE_SCRIPT_MAX, &source);
    int err;

    mistakes->file = path;
    mistakes->sets = sets;
    if (error) {
        mistakes_add(mistakes, (struct plan_place){1, 1}, "%s", error);
        return -EINVAL;
    }
    err = parser_parse(&(struct parser_input){path, source.text, source.size, sets, set_count},
                       ret_plan, mistakes);
    source_free(&source);
    return err;
}
