/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/ask.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/suggest.h"

#define MODIFIERS_MAX 64
#define BIT(which) (1u << ASK_##which)
#define ANY (~0u)

struct row;

/* What a word is of: kept until every source is known. */
struct modifier {
    const struct row *row;
    const char *value;
};

struct parser {
    struct ask ask;
    bool chosen;    /* by --case */
    unsigned cases; /* that every option so far has */
    const struct row *narrow; /* the first option that not every case has */
    bool sources;   /* --source was given */
    struct modifier modifiers[MODIFIERS_MAX];
    uint32_t modifier_count;
    char *error;
};

typedef int taker(struct parser *parser, const struct row *row, const char *value);

static taker take_case, take_defect, take_help;
static taker take_source, take_modifier, take_trigger, take_collect, take_requeue, take_limit;
static taker take_quantum, take_attempts;
static taker apply_eintr, apply_eof, apply_fatal, apply_late;

struct row {
    const char *name;
    const char *argument; /* NULL: none */
    const char *help;
    unsigned cases;
    taker *take;
    taker *apply; /* when take is take_modifier */
};

static const struct row rows[] = {
    {"case", "CASE", "one of them: readiness", ANY, take_case, NULL},
    {"source", "NAME=BYTES", "a source, in order (A=abcdef B=XY)", BIT(READINESS), take_source,
     NULL},
    {"trigger", "WORD", "et or lt (et)", BIT(READINESS), take_trigger, NULL},
    {"h", "N", "notices that a round collects at most (16)", BIT(READINESS), take_collect, NULL},
    {"quantum", "N", "q, bytes that a quantum gets at most (2)", BIT(READINESS), take_quantum,
     NULL},
    {"attempts", "N", "k, attempts that a quantum makes at most (1)", BIT(READINESS),
     take_attempts, NULL},
    {"no-requeue", NULL, "what a budget stops waits for a notice", BIT(READINESS), take_requeue,
     NULL},
    {"eintr", "NAME=N", "the first N reads are interrupted; always: all", BIT(READINESS),
     take_modifier, apply_eintr},
    {"eof", "NAME", "the stream ends behind its bytes", BIT(READINESS), take_modifier, apply_eof},
    {"fatal", "NAME", "a reset follows its bytes", BIT(READINESS), take_modifier, apply_fatal},
    {"late", "NAME=N", "its bytes arrive before round N", BIT(READINESS), take_modifier,
     apply_late},
    {"limit", "N", "end after N quanta", BIT(READINESS), take_limit, NULL},
    {"defect", "NAME", "take a rule away; list --defects tells which", ANY, take_defect, NULL},
    {"help", NULL, "this text", ANY, take_help, NULL},
};

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

static const char *const case_names[] = {
    [ASK_ALL] = "all", [ASK_READINESS] = "readiness"};
_Static_assert(sizeof(case_names) / sizeof(*case_names) == ASK_CASE_COUNT, "a name each");

static int __attribute__((format(printf, 2, 3)))
refuse(struct parser *parser, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(parser->error, ASK_ERROR_BYTES, format, args);
    va_end(args);
    return -EINVAL;
}

/* Values. */

/* A decimal number from `least` to `most`; nothing else around it. */
static bool read_number(const char *text, uint32_t least, uint32_t most, uint32_t *ret_number)
{
    unsigned long number;

    if (*text == '\0' || strlen(text) > 8 || text[strspn(text, "0123456789")] != '\0')
        return false;
    number = strtoul(text, NULL, 10);
    if (number < least || number > most)
        return false;
    *ret_number = (uint32_t)number;
    return true;
}

static int take_number(struct parser *parser, const struct row *row, const char *value,
                       uint32_t least, uint32_t most, uint32_t *ret_number)
{
    if (read_number(value, least, most, ret_number))
        return 0;
    return refuse(parser, "--%s wants a number from %u to %u, not '%.80s'", row->name, least, most,
                  value);
}

static int take_case(struct parser *parser, const struct row *row, const char *value)
{
    const char *nearest = suggest_nearest(value, case_names, ASK_CASE_COUNT);

    (void)row;
    for (int i = 0; i < ASK_CASE_COUNT; i++)
        if (strcmp(case_names[i], value) == 0) {
            parser->ask.which = (enum ask_case)i;
            parser->chosen = true;
            return 0;
        }
    return refuse(parser, "--case: there is no '%.60s'%s%s%s", value,
                  nearest ? "; did you mean " : "; there is readiness",
                  nearest ? nearest : "", nearest ? "?" : "");
}

static int take_defect(struct parser *parser, const struct row *row, const char *value)
{
    const char *nearest = defects_nearest(value);

    (void)row;
    parser->ask.defect = defects_find(value);
    if (parser->ask.defect != DEFECTS_NONE)
        return 0;
    return refuse(parser, "--defect: there is no '%.60s'%s%s%s", value,
                  nearest ? "; did you mean " : "; list --defects names them",
                  nearest ? nearest : "", nearest ? "?" : "");
}

static int take_help(struct parser *parser, const struct row *row, const char *value)
{
    (void)row;
    (void)value;
    parser->ask.help = true;
    return 0;
}

static int take_trigger(struct parser *parser, const struct row *row, const char *value)
{
    if (strcmp(value, "et") != 0 && strcmp(value, "lt") != 0)
        return refuse(parser, "--%s: there is no '%.60s'; there is et, lt", row->name, value);
    parser->ask.readiness.trigger = *value == 'e' ? REACTOR_ET : REACTOR_LT;
    return 0;
}

static int take_collect(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, OS_EVENTS_MAX, &parser->ask.readiness.collect);
}

static int take_quantum(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, ASK_BUDGET_MAX, &parser->ask.readiness.quantum);
}

static int take_attempts(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, ASK_BUDGET_MAX, &parser->ask.readiness.attempts);
}

static int take_limit(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, ASK_BUDGET_MAX, &parser->ask.readiness.limit);
}

static int take_requeue(struct parser *parser, const struct row *row, const char *value)
{
    (void)row;
    (void)value;
    parser->ask.readiness.no_requeue = true;
    return 0;
}

/* Sources. */

static struct readiness_source *find_source(struct readiness *readiness, const char *name,
                                            size_t length)
{
    for (uint32_t i = 0; i < readiness->count; i++) {
        struct readiness_source *source = &readiness->sources[i];

        if (strlen(source->name) == length && memcmp(source->name, name, length) == 0)
            return source;
    }
    return NULL;
}

static bool name_valid(const char *name, size_t length)
{
    if (length == 0 || length > READINESS_NAME_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]))
            return false;
    return true;
}

static int take_source(struct parser *parser, const struct row *row, const char *value)
{
    struct readiness *readiness = &parser->ask.readiness;
    size_t length = strcspn(value, "=");
    struct readiness_source *source;

    (void)row;
    if (!parser->sources)
        readiness->count = 0;
    parser->sources = true;
    if (value[length] != '=' || !name_valid(value, length))
        return refuse(parser, "--source wants NAME=BYTES, NAME of 1 to %d letters and digits, such "
                      "as A=abcdef, not '%.60s'", READINESS_NAME_MAX, value);
    if (find_source(readiness, value, length))
        return refuse(parser, "--source: there is a source '%.*s' already", (int)length, value);
    if (readiness->count == STAGE_SOURCES_MAX)
        return refuse(parser, "--source can be given %d times at most", STAGE_SOURCES_MAX);
    source = &readiness->sources[readiness->count++];
    *source = (struct readiness_source){
        .bytes = (const uint8_t *)value + length + 1,
        .size = strlen(value) - length - 1 > ASK_BYTES_MAX
                    ? ASK_BYTES_MAX + 1 : (uint32_t)(strlen(value) - length - 1),
    };
    memcpy(source->name, value, length);
    return 0;
}

static int take_modifier(struct parser *parser, const struct row *row, const char *value)
{
    if (parser->modifier_count == MODIFIERS_MAX)
        return refuse(parser, "--%s: no more than %d of --eintr, --eof, --fatal and --late",
                      row->name, MODIFIERS_MAX);
    parser->modifiers[parser->modifier_count++] = (struct modifier){row, value};
    return 0;
}

/* The source that a word names, up to its `=` if the option wants a number behind it. */
static struct readiness_source *named(struct parser *parser, const struct row *row,
                                      const char *value)
{
    size_t length = strchr(row->argument, '=') ? strcspn(value, "=") : strlen(value);
    struct readiness_source *source = find_source(&parser->ask.readiness, value, length);

    if (!source)
        (void)refuse(parser, "--%s wants %s, and there is no source '%.*s'", row->name,
                     row->argument, (int)(length < 60 ? length : 60), value);
    return source;
}

static int apply_eintr(struct parser *parser, const struct row *row, const char *value)
{
    struct readiness_source *source = named(parser, row, value);
    const char *number = value + strcspn(value, "=");

    if (!source)
        return -EINVAL;
    if (strcmp(number, "=always") == 0)
        source->eintr = READINESS_FOR_EVER;
    else if (*number != '=' || !read_number(number + 1, 1, ASK_BUDGET_MAX, &source->eintr))
        return refuse(parser, "--eintr wants NAME=N, N from 1 to %d or always, not '%.60s'",
                      ASK_BUDGET_MAX, value);
    return 0;
}

static int apply_late(struct parser *parser, const struct row *row, const char *value)
{
    struct readiness_source *source = named(parser, row, value);
    const char *number = value + strcspn(value, "=");

    if (!source)
        return -EINVAL;
    if (*number != '=' || !read_number(number + 1, 1, ASK_BUDGET_MAX, &source->round))
        return refuse(parser, "--late wants NAME=N, N from 1 to %d, not '%.60s'", ASK_BUDGET_MAX,
                      value);
    return 0;
}

static int finish(struct parser *parser, const struct row *row, const char *value,
                  enum readiness_finish how)
{
    struct readiness_source *source = named(parser, row, value);

    if (!source)
        return -EINVAL;
    if (source->finish != READINESS_OPEN)
        return refuse(parser, "--%s: %s ends already", row->name, source->name);
    source->finish = how;
    return 0;
}

static int apply_eof(struct parser *parser, const struct row *row, const char *value)
{
    return finish(parser, row, value, READINESS_EOF);
}

static int apply_fatal(struct parser *parser, const struct row *row, const char *value)
{
    return finish(parser, row, value, READINESS_FATAL);
}

/* Together. */

static int check_readiness(struct parser *parser)
{
    const struct readiness *readiness = &parser->ask.readiness;
    uint64_t bytes = 0;
    uint64_t eintr = 0;

    for (uint32_t i = 0; i < readiness->count; i++) {
        bytes += readiness->sources[i].size;
        if (readiness->sources[i].eintr != READINESS_FOR_EVER)
            eintr += readiness->sources[i].eintr;
    }
    if (bytes > ASK_BYTES_MAX)
        return refuse(parser, "--source: %d bytes at most, all sources together", ASK_BYTES_MAX);
    if (eintr > ASK_BUDGET_MAX)
        return refuse(parser, "--eintr: %d at most, all sources together", ASK_BUDGET_MAX);
    return 0;
}

/* An option that not every case has chooses one, and must not stand beside another's. */
static int narrow(struct parser *parser, const struct row *row)
{
    if (!(parser->cases & row->cases))
        return refuse(parser, "--%s and --%s are of different cases", parser->narrow->name,
                      row->name);
    parser->cases &= row->cases;
    if (row->cases != ANY)
        parser->narrow = row;
    return 0;
}

static int choose(struct parser *parser)
{
    if (parser->chosen && !(parser->cases & 1u << parser->ask.which))
        return refuse(parser, "--%s is no option of --case %s", parser->narrow->name,
                      case_names[parser->ask.which]);
    for (int which = ASK_ALL; !parser->chosen && which < ASK_CASE_COUNT; which++)
        if (parser->cases & 1u << which) {
            parser->ask.which = (enum ask_case)which;
            return 0;
        }
    return 0;
}

static int finish_parse(struct parser *parser)
{
    int status = choose(parser);

    for (uint32_t i = 0; status == 0 && i < parser->modifier_count; i++) {
        const struct row *row = parser->modifiers[i].row;

        status = row->apply(parser, row, parser->modifiers[i].value);
    }
    return status == 0 ? check_readiness(parser) : status;
}

static void make_longs(struct option longs[ROW_COUNT + 1])
{
    memset(longs, 0, (ROW_COUNT + 1) * sizeof(*longs));
    for (size_t i = 0; i < ROW_COUNT; i++)
        longs[i] = (struct option){
            .name = rows[i].name,
            .has_arg = rows[i].argument ? required_argument : no_argument,
            .val = (int)i + 1,
        };
}

static int refuse_option(struct parser *parser, const char *typed)
{
    const char *names[ROW_COUNT];
    const char *nearest;
    char word[SUGGEST_WORD_MAX + 1];

    if (optopt > 0 && (size_t)optopt <= ROW_COUNT)
        return refuse(parser, "--%s takes no value", rows[optopt - 1].name);
    if (optopt > 0)
        return refuse(parser, "there is no option -%c", optopt);
    for (size_t i = 0; i < ROW_COUNT; i++)
        names[i] = rows[i].name;
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
    nearest = suggest_nearest(word, names, ROW_COUNT);
    return refuse(parser, "there is no option --%.60s%s%s%s", word,
                  nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "");
}

static int parse_words(struct parser *parser, int argc, char **argv)
{
    struct option longs[ROW_COUNT + 1];
    int code;

    make_longs(longs);
    optind = 0; /* start anew, also within one word */
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":h", longs, NULL)) != -1) {
        const struct row *row = &rows[code == 'h' ? ROW_COUNT - 1 : (size_t)code - 1];
        int status;

        if (code == '?')
            return refuse_option(parser, argv[optind - 1]);
        if (code == ':')
            return refuse(parser, "--%s wants %s", rows[optopt - 1].name,
                          rows[optopt - 1].argument);
        status = narrow(parser, row);
        if (status == 0)
            status = row->take(parser, row, optarg);
        if (status < 0)
            return status;
    }
    if (optind < argc)
        return refuse(parser, "there are no names to give, such as '%.60s'", argv[optind]);
    return 0;
}

int ask_parse(int argc, char **argv, struct ask *ret_ask, char ret_error[ASK_ERROR_BYTES])
{
    struct parser parser = {
        .ask = {.readiness = {.sources = {{.name = "A", .bytes = (const uint8_t *)"abcdef",
                                           .size = 6},
                                          {.name = "B", .bytes = (const uint8_t *)"XY",
                                           .size = 2}},
                              .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 2,
                              .attempts = 1}},
        .cases = ANY, .error = ret_error,
    };
    int status = parse_words(&parser, argc, argv);

    if (status == 0 && !parser.ask.help)
        status = finish_parse(&parser);
    if (status == 0)
        *ret_ask = parser.ask;
    return status;
}

void ask_help(FILE *out)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char left[64];

        snprintf(left, sizeof(left), "--%s%s%s", rows[i].name, rows[i].argument ? " " : "",
                 rows[i].argument ? rows[i].argument : "");
        fprintf(out, "  %-24s %s\n", left, rows[i].help);
    }
}
