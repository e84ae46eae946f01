/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/ask.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/cancellation_examples.h"
#include "harness/model/framing_examples.h"
#include "harness/model/decimal.h"
#include "harness/model/readiness_examples.h"
#include "harness/model/readiness_words.h"
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
static taker take_script, take_capacity, take_payload_max, take_frames, take_frame_attempts;
static taker take_frame_bytes, take_mode, take_events, take_lease;

struct row {
    const char *name;
    const char *argument; /* NULL: none */
    const char *help;
    unsigned cases;
    taker *take;
    enum readiness_words_modifier modifier; /* of take_modifier */
};

#define R BIT(READINESS)
#define F BIT(FRAMING)
#define C BIT(CANCELLATION)

static const struct row rows[] = {
    {"case", "CASE", "readiness, framing or cancellation (all)", ANY, take_case, 0},
    {"source", "NAME=BYTES", "a source, in order (A=abcdef B=XY)", R, take_source, 0},
    {"trigger", "WORD", "et or lt (et)", R | F, take_trigger, 0},
    {"h", "N", "notices that a round collects at most (16)", R, take_collect, 0},
    {"quantum", "N", "q, bytes that a quantum gets at most (2)", R, take_quantum, 0},
    {"attempts", "N", "k, attempts that a quantum makes at most (1)", R, take_attempts, 0},
    {"no-requeue", NULL, "what a budget stops waits for a notice", R, take_requeue, 0},
    {"eintr", "NAME=N", "its first N reads are interrupted; always: all", R, take_modifier,
     READINESS_WORDS_EINTR},
    {"eof", "NAME", "its stream ends behind its bytes", R, take_modifier, READINESS_WORDS_EOF},
    {"fatal", "NAME", "a reset follows its bytes", R, take_modifier, READINESS_WORDS_FATAL},
    {"late", "NAME=N", "its bytes arrive before round N", R, take_modifier,
     READINESS_WORDS_LATE},
    {"limit", "N", "end after N quanta", R, take_limit, 0},
    {"script", "WORDS", "what happens: in:HEX run[:N] consume[:N] eof ...", F, take_script, 0},
    {"capacity", "N", "bytes that a connection may be charged (9)", F, take_capacity, 0},
    {"payload-max", "N", "bytes of the largest payload (3)", F, take_payload_max, 0},
    {"frames", "N", "f, frames that a quantum delivers at most (1)", F, take_frames, 0},
    {"frame-attempts", "N", "k, of framing (2)", F, take_frame_attempts, 0},
    {"frame-bytes", "N", "q, of framing (9)", F, take_frame_bytes, 0},
    {"mode", "WORD", "exact: no byte of the next frame is read (exact)", F, take_mode, 0},
    {"events", "WORDS", "what happens: submit deadline target:ok:borrow ...", C, take_events, 0},
    {"early-lease", NULL, "the address is lent before the submission", C, take_lease, 0},
    {"defect", "NAME", "take a rule away; list --defects tells which", BIT(ALL) | R | F,
     take_defect, 0},
    {"help", NULL, "this text", ANY, take_help, 0},
};

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

static const char *const case_names[] = {
    [ASK_ALL] = "all", [ASK_READINESS] = "readiness", [ASK_FRAMING] = "framing",
    [ASK_CANCELLATION] = "cancellation"};
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

static int take_number(struct parser *parser, const struct row *row, const char *value,
                       uint32_t least, uint32_t most, uint32_t *ret_number)
{
    if (decimal_read(value, least, most, ret_number))
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
                  nearest ? "; did you mean " : "; there is readiness, framing, cancellation, all",
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
    parser->ask.framing.trigger = parser->ask.readiness.trigger;
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

static int take_source(struct parser *parser, const struct row *row, const char *value)
{
    (void)row;
    if (!parser->sources)
        parser->ask.readiness.count = 0;
    parser->sources = true;
    return readiness_words_source(&parser->ask.readiness, value, ASK_ERROR_BYTES, parser->error);
}

static int take_modifier(struct parser *parser, const struct row *row, const char *value)
{
    if (parser->modifier_count == MODIFIERS_MAX)
        return refuse(parser, "--%s: no more than %d of --eintr, --eof, --fatal and --late",
                      row->name, MODIFIERS_MAX);
    parser->modifiers[parser->modifier_count++] = (struct modifier){row, value};
    return 0;
}

/* Framing. */

static int take_script(struct parser *parser, const struct row *row, const char *value)
{
    char error[ASK_ERROR_BYTES / 2];

    if (framing_script_read(value, &parser->ask.framing.script, sizeof(error), error) < 0)
        return refuse(parser, "--%s: %s", row->name, error);
    return 0;
}

static int take_capacity(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, ASK_CAPACITY_MAX, &parser->ask.framing.capacity);
}

static int take_payload_max(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 0, UINT16_MAX, &parser->ask.framing.payload_max);
}

static int take_frames(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, ASK_BUDGET_MAX, &parser->ask.framing.frames);
}

static int take_frame_attempts(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, ASK_BUDGET_MAX, &parser->ask.framing.attempts);
}

static int take_frame_bytes(struct parser *parser, const struct row *row, const char *value)
{
    return take_number(parser, row, value, 1, ASK_BUDGET_MAX, &parser->ask.framing.bytes);
}

static int take_mode(struct parser *parser, const struct row *row, const char *value)
{
    if (strcmp(value, "exact") == 0)
        return 0;
    return refuse(parser, "--%s: there is no '%.60s'; there is exact: a read never asks for more "
                  "than the present frame", row->name, value);
}

/* Cancellation. */

static int take_events(struct parser *parser, const struct row *row, const char *value)
{
    char error[ASK_ERROR_BYTES / 2];

    if (cancellation_script_read(value, &parser->ask.cancellation.script, sizeof(error),
                                 error) < 0)
        return refuse(parser, "--%s: %s", row->name, error);
    return 0;
}

static int take_lease(struct parser *parser, const struct row *row, const char *value)
{
    (void)row;
    (void)value;
    parser->ask.cancellation.early_lease = true;
    return 0;
}

/* Together. */

/* The largest frame must fit, or the connection could never start (R-F-24). */
static int check_framing(struct parser *parser)
{
    const struct framing *framing = &parser->ask.framing;

    if (framing->capacity < framing->payload_max + 2)
        return refuse(parser, "--capacity must hold the largest frame: %u for --payload-max %u, "
                      "not %u", framing->payload_max + 2, framing->payload_max,
                      framing->capacity);
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
    struct readiness *readiness = &parser->ask.readiness;
    int status = choose(parser);

    for (uint32_t i = 0; status == 0 && i < parser->modifier_count; i++)
        status = readiness_words_modify(readiness, parser->modifiers[i].row->modifier,
                                        parser->modifiers[i].value, ASK_ERROR_BYTES,
                                        parser->error);
    if (status == 0)
        status = readiness_words_check(readiness, ASK_ERROR_BYTES, parser->error);
    return status == 0 ? check_framing(parser) : status;
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
        const struct row *row;
        int status;

        if (code == '?')
            return refuse_option(parser, argv[optind - 1]);
        if (code == ':')
            return refuse(parser, "--%s wants %s", rows[optopt - 1].name,
                          rows[optopt - 1].argument);
        row = &rows[code == 'h' ? ROW_COUNT - 1 : (size_t)code - 1];
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
        .ask = {.readiness = readiness_examples_at(0)->play}, .cases = ANY, .error = ret_error};
    int status;

    framing_examples_play(framing_examples_at(0), &parser.ask.framing);
    cancellation_examples_play(cancellation_examples_at(0), &parser.ask.cancellation);
    status = parse_words(&parser, argc, argv);

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
