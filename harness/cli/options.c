/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/status.h"
#include "harness/report/artefacts.h"
#include "harness/result.h"
#include "harness/script/plan.h"
#include "harness/shell.h"
#include "harness/suggest.h"
#include "harness/sut/defects.h"

typedef int taker(struct options *options, const char *value, struct options_error *error);

static taker take_world, take_trigger, take_family, take_set, take_out, take_seed, take_retries;
static taker take_defect, take_defects;
static taker take_jobs, take_repeat, take_until_fail, take_shuffle, take_fail_fast, take_timeout;
static taker take_junit, take_tap, take_json_lines, take_skip_code;
static taker take_json, take_names, take_verbose, take_quiet, take_bless, take_no_color, take_help;
static taker take_dry_run;

struct option_row {
    const char *name;
    char letter; /* 0: none */
    const char *argument; /* NULL: none */
    const char *help;
    unsigned verbs;
    taker *take;
};

static const struct option_row rows[] = {
    {"world", 0, "LIST", "where it runs: veth, sim, or all", OPTIONS_SCENARIO, take_world},
    {"trigger", 0, "LIST", "only these triggers: et, lt, os", OPTIONS_SCENARIO, take_trigger},
    {"family", 0, "LIST", "only these families: ipv4, ipv6, unix, pipe", OPTIONS_SCENARIO,
     take_family},
    {"set", 0, "KEY=VALUE", "change a value of the scripts, may be repeated", OPTIONS_SCENARIO,
     take_set},
    {"out", 0, "DIR", "where the artefacts go (out)", OPTIONS_SCENARIO | OPTIONS_CLEAN, take_out},
    {"seed", 0, "N", "repeat a run (random; printed)", OPTIONS_SCENARIO, take_seed},
    {"jobs", 'j', "N", "runs at the same time (1)", OPTIONS_SCENARIO, take_jobs},
    {"repeat", 0, "N", "make each run N times", OPTIONS_SCENARIO, take_repeat},
    {"until-fail", 0, NULL, "go on until a run fails", OPTIONS_SCENARIO, take_until_fail},
    {"shuffle", 0, NULL, "in an order that --seed repeats", OPTIONS_SCENARIO, take_shuffle},
    {"fail-fast", 0, NULL, "begin no run after one that failed", OPTIONS_SCENARIO, take_fail_fast},
    {"timeout", 0, "DURATION", "end a run after 500ms, 30s, 2m (60s + its script)",
     OPTIONS_SCENARIO, take_timeout},
    {"retries", 0, "N", "how often a late run is repeated (2)", OPTIONS_SCENARIO, take_retries},
    {"defect", 0, "NAME", "take a rule away; list --defects tells which", OPTIONS_SCENARIO,
     take_defect},
    {"bless", 0, NULL, "write what happens as what is expected", OPTIONS_SCENARIO, take_bless},
    {"verbose", 'v', NULL, "show the ledgers, not only differences", OPTIONS_SCENARIO,
     take_verbose},
    {"quiet", 'q', NULL, "only failures and the summary", OPTIONS_SCENARIO, take_quiet},
    {"defects", 0, NULL, "the rules that can be taken away, and what goes wrong", OPTIONS_LIST,
     take_defects},
    {"dry-run", 'n', NULL, "remove nothing, only tell", OPTIONS_CLEAN, take_dry_run},
    {"names", 0, NULL, "the bare names, one a line", OPTIONS_LIST, take_names},
    {"json", 0, NULL, "one JSON document on standard output",
     OPTIONS_SCENARIO | OPTIONS_LIST | OPTIONS_DOCTOR | OPTIONS_CLEAN, take_json},
    {"json-lines", 0, NULL, "one JSON object a line, as runs end", OPTIONS_SCENARIO,
     take_json_lines},
    {"tap", 0, NULL, "Test Anything Protocol on standard output", OPTIONS_SCENARIO, take_tap},
    {"junit", 0, "FILE", "write JUnit XML to FILE, too", OPTIONS_SCENARIO, take_junit},
    {"skip-code", 0, "N", "exit status when nothing can run (4)", OPTIONS_SCENARIO,
     take_skip_code},
    {"no-color", 0, NULL, "no colours (as NO_COLOR=1 and CI=1)",
     OPTIONS_SCENARIO | OPTIONS_LIST | OPTIONS_DOCTOR, take_no_color},
    {"help", 'h', NULL, "this text", ~0u, take_help},
};

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

static int __attribute__((format(printf, 2, 3)))
refuse(struct options_error *error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return -EINVAL;
}

/* A word list: `name` of each index below `count`. */
struct vocabulary {
    const char *option;
    const char *(*name)(unsigned index);
    unsigned count;
};

static const char *world_name(unsigned index)
{
    return result_world_name((enum result_world)index);
}

static const char *trigger_name(unsigned index)
{
    return reactor_trigger_name((enum reactor_trigger)index);
}

static const char *family_name(unsigned index)
{
    return plan_family_name((enum plan_family)index);
}

static const struct vocabulary worlds = {"--world", world_name, RESULT_WORLD_COUNT};
static const struct vocabulary triggers = {"--trigger", trigger_name, REACTOR_TRIGGER_COUNT};
static const struct vocabulary families = {"--family", family_name, PLAN_FAMILY_COUNT};

static int refuse_word(struct options_error *error, const struct vocabulary *words,
                       const char *word)
{
    char known[80] = "";

    for (unsigned i = 0; i < words->count; i++) {
        size_t used = strlen(known);

        snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "", words->name(i));
    }
    return refuse(error, "%s: there is no '%.40s'; there is %s", words->option, word, known);
}

static int take_word(const struct vocabulary *words, const char *word, unsigned *bits,
                     struct options_error *error)
{
    for (unsigned i = 0; i < words->count; i++)
        if (strcmp(words->name(i), word) == 0) {
            *bits |= 1u << i;
            return 0;
        }
    return refuse_word(error, words, word);
}

/* Words with commas or blanks between them. */
static int take_list(const struct vocabulary *words, const char *value, unsigned *bits,
                     struct options_error *error)
{
    static const char between[] = ", ";
    unsigned found = 0;

    for (value += strspn(value, between); *value; value += strspn(value, between)) {
        char word[64];
        size_t length = strcspn(value, between);
        int status;

        snprintf(word, sizeof(word), "%.*s", (int)(length < 63 ? length : 63), value);
        status = take_word(words, word, &found, error);
        if (status < 0)
            return status;
        value += length;
    }
    if (found == 0)
        return refuse_word(error, words, "");
    *bits |= found;
    return 0;
}

static int take_world(struct options *options, const char *value, struct options_error *error)
{
    if (strcmp(value, "all") == 0) {
        options->worlds = (1u << RESULT_WORLD_COUNT) - 1;
        return 0;
    }
    return take_list(&worlds, value, &options->worlds, error);
}

static int take_trigger(struct options *options, const char *value, struct options_error *error)
{
    return take_list(&triggers, value, &options->triggers, error);
}

static int take_family(struct options *options, const char *value, struct options_error *error)
{
    return take_list(&families, value, &options->families, error);
}

static int take_set(struct options *options, const char *value, struct options_error *error)
{
    const char *equals = strchr(value, '=');

    if (!equals || equals == value)
        return refuse(error, "--set wants KEY=VALUE, such as capacity=9, not '%.80s'", value);
    if (options->set_count == OPTIONS_SETS_MAX)
        return refuse(error, "--set can be given %d times at most", OPTIONS_SETS_MAX);
    options->sets[options->set_count++] = value;
    return 0;
}

static int take_out(struct options *options, const char *value, struct options_error *error)
{
    if (*value == '\0')
        return refuse(error, "--out wants a directory; '' is none");
    options->out = value;
    return 0;
}

/* A whole number, decimal or with 0x; nothing else around it. */
static int take_number(const char *value, uint64_t *ret_number)
{
    int base = strncmp(value, "0x", 2) == 0 ? 16 : 10;
    const char *digits = value + (base == 16 ? 2 : 0);
    char *end;

    if (strspn(digits, base == 16 ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits) ||
        *digits == '\0')
        return -EINVAL;
    errno = 0;
    *ret_number = strtoull(digits, &end, base);
    return -errno;
}

static int take_seed(struct options *options, const char *value, struct options_error *error)
{
    if (take_number(value, &options->seed) < 0)
        return refuse(error, "--seed wants a number of 64 bits, such as 42 or 0x2a, not '%.80s'",
                      value);
    options->seed_given = true;
    return 0;
}

static int take_retries(struct options *options, const char *value, struct options_error *error)
{
    uint64_t number;

    if (take_number(value, &number) < 0 || number > OPTIONS_RETRIES_MAX)
        return refuse(error, "--retries wants a number up to %d, not '%.80s'", OPTIONS_RETRIES_MAX,
                      value);
    options->retries = (unsigned)number;
    return 0;
}

static int take_defect(struct options *options, const char *value, struct options_error *error)
{
    const char *nearest = defects_nearest(value);

    options->defect = value;
    if (defects_find(value) != DEFECTS_NONE)
        return 0;
    return refuse(error, "--defect: there is no '%.60s'%s%s%s", value,
                  nearest ? "; did you mean " : "; list --defects names them",
                  nearest ? nearest : "", nearest ? "?" : "");
}

/* A number from `least` to `most` for --`option`. */
static int take_between(const char *option, const char *value, uint64_t least, uint64_t most,
                        uint64_t *ret_number, struct options_error *error)
{
    if (take_number(value, ret_number) == 0 && *ret_number >= least && *ret_number <= most)
        return 0;
    return refuse(error, "--%s wants a number from %llu to %llu, not '%.80s'", option,
                  (unsigned long long)least, (unsigned long long)most, value);
}

static int take_jobs(struct options *options, const char *value, struct options_error *error)
{
    uint64_t number;
    int status = take_between("jobs", value, 1, OPTIONS_JOBS_MAX, &number, error);

    if (status == 0)
        options->jobs = (unsigned)number;
    return status;
}

static int take_repeat(struct options *options, const char *value, struct options_error *error)
{
    uint64_t number;
    int status = take_between("repeat", value, 1, OPTIONS_REPEAT_MAX, &number, error);

    if (status == 0)
        options->repeat = (uint32_t)number;
    return status;
}

static int take_skip_code(struct options *options, const char *value, struct options_error *error)
{
    uint64_t number;
    int status = take_between("skip-code", value, 0, 255, &number, error);

    if (status == 0)
        options->skip_code = (int)number;
    return status;
}

static int take_timeout(struct options *options, const char *value, struct options_error *error)
{
    static const struct {
        const char *name;
        uint64_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}};
    size_t digits = strspn(value, "0123456789");
    char number[24];
    uint64_t count;

    snprintf(number, sizeof(number), "%.*s", digits < 20 ? (int)digits : 20, value);
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
        if (strcmp(value + digits, units[i].name) != 0 || take_number(number, &count) < 0 ||
            count == 0 || count > UINT64_C(1000) * OPTIONS_TIMEOUT_MAX_S / units[i].ms)
            continue;
        options->timeout = DURATION_MS(count * units[i].ms);
        return 0;
    }
    return refuse(error, "--timeout wants a time from 1ms to %dm, such as 500ms, 30s or 2m, "
                  "not '%.80s'", OPTIONS_TIMEOUT_MAX_S / 60, value);
}

static int take_junit(struct options *options, const char *value, struct options_error *error)
{
    if (*value == '\0')
        return refuse(error, "--junit wants a file; '' is none");
    options->junit = value;
    return 0;
}

#define SWITCH(name)                                                  \
    static int take_##name(struct options *options, const char *value, \
                           struct options_error *error)                \
    {                                                                 \
        (void)value;                                                  \
        (void)error;                                                  \
        options->name = true;                                         \
        return 0;                                                     \
    }
SWITCH(until_fail)
SWITCH(shuffle)
SWITCH(fail_fast)
SWITCH(json)
SWITCH(json_lines)
SWITCH(tap)
SWITCH(names)
SWITCH(defects)
SWITCH(verbose)
SWITCH(quiet)
SWITCH(bless)
SWITCH(dry_run)
SWITCH(no_color)
SWITCH(help)
#undef SWITCH

/* What getopt_long wants, made of the rows of one verb. */
struct table {
    struct option longs[ROW_COUNT + 1];
    char shorts[2 + 3 * ROW_COUNT];
};

#define LONG_BASE 256

static void make_table(unsigned verb, struct table *table)
{
    size_t count = 0;
    size_t used = 0;

    *table = (struct table){0};
    table->shorts[used++] = ':';
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!(rows[i].verbs & verb))
            continue;
        table->longs[count++] = (struct option){
            .name = rows[i].name,
            .has_arg = rows[i].argument ? required_argument : no_argument,
            .val = LONG_BASE + (int)i,
        };
        if (rows[i].letter)
            table->shorts[used++] = rows[i].letter;
        if (rows[i].letter && rows[i].argument)
            table->shorts[used++] = ':';
    }
}

static const struct option_row *find_row(int code)
{
    if (code >= LONG_BASE)
        return &rows[code - LONG_BASE];
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].letter && rows[i].letter == code)
            return &rows[i];
    return NULL;
}

/* The letter or the word that getopt did not know. */
static int refuse_option(const struct table *table, const char *verb, const char *typed,
                         struct options_error *error)
{
    const char *names[ROW_COUNT];
    const char *nearest;
    char word[SUGGEST_WORD_MAX + 1];
    size_t count = 0;

    if (optopt > 0 && optopt < LONG_BASE)
        return refuse(error, "%s: there is no option -%c", verb, optopt);
    if (optopt >= LONG_BASE)
        return refuse(error, "%s: --%s takes no value", verb, rows[optopt - LONG_BASE].name);
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
    while (table->longs[count].name) {
        names[count] = table->longs[count].name;
        count++;
    }
    nearest = suggest_nearest(word, names, count);
    return refuse(error, "%s: there is no option --%.60s%s%s%s", verb, word,
                  nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "");
}

static int check_together(const struct options *options, struct options_error *error)
{
    if (options->quiet && options->verbose)
        return refuse(error, "-q and -v exclude each other");
    if (options->bless && (options->triggers || options->families || options->set_count > 0))
        return refuse(error,
                      "--bless runs every trigger and family of the script as it is written; "
                      "drop --trigger, --family and --set");
    if (options->bless && options->worlds & ~(1u << RESULT_WORLD_VETH))
        return refuse(error, "--bless writes what the real kernel does; drop --world, or say "
                             "--world veth");
    if (options->bless && options->defect)
        return refuse(error, "--bless writes what is right, so --defect excludes it");
    if (options->defects && (options->names || options->operand_count > 0))
        return refuse(error, "list --defects lists all of them, with or without --json");
    if (options->bless && (options->repeat || options->until_fail || options->shuffle ||
                           options->fail_fast))
        return refuse(error, "--bless makes each run once, whatever it comes to; drop --repeat, "
                             "--until-fail, --shuffle and --fail-fast");
    if (options->json + options->json_lines + options->tap > 1)
        return refuse(error, "--json, --json-lines and --tap exclude each other: standard output "
                             "is one of them");
    if (options->names && options->json)
        return refuse(error, "--names and --json exclude each other");
    return 0;
}

/* A defect without a scenario: the one that shows it. */
static void choose_scenario(struct options *options)
{
    const struct defects_entry *entry = defects_entry(defects_find(options->defect));

    options->operands = (char *const *)&entry->scenario;
    options->operand_count = 1;
}

int options_parse(unsigned verb, int argc, char **argv, struct options *ret_options,
                  struct options_error *error)
{
    struct options options = {
        .out = ARTEFACTS_OUT, .retries = 2, .jobs = 1, .skip_code = STATUS_CANNOT};
    struct table table;
    int code;

    assert(argc > 0);
    make_table(verb, &table);
    optind = 0; /* start anew, also within one word */
    opterr = 0;
    while ((code = getopt_long(argc, argv, table.shorts, table.longs, NULL)) != -1) {
        const struct option_row *row = find_row(code == ':' ? optopt : code);
        int status;

        if (code == '?')
            return refuse_option(&table, argv[0], argv[optind - 1], error);
        if (code == ':')
            return refuse(error, "%s: --%s wants %s", argv[0], row->name, row->argument);
        status = row->take(&options, optarg, error);
        if (status < 0)
            return status;
    }
    options.operands = argv + optind;
    options.operand_count = (size_t)(argc - optind);
    if (options.defect && options.operand_count == 0)
        choose_scenario(&options);
    if (!options.help && check_together(&options, error) < 0)
        return -EINVAL;
    *ret_options = options;
    return 0;
}

void options_help(FILE *out, unsigned verb)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct option_row *row = &rows[i];
        char left[64];

        if (!(row->verbs & verb))
            continue;
        snprintf(left, sizeof(left), "%c%c%c --%s%s%s", row->letter ? '-' : ' ',
                 row->letter ? row->letter : ' ', row->letter ? ',' : ' ', row->name,
                 row->argument ? " " : "", row->argument ? row->argument : "");
        fprintf(out, "  %-24s %s\n", left, row->help);
    }
}

static void repeat_list(FILE *out, const struct vocabulary *words, unsigned bits)
{
    const char *separator = " ";

    if (bits == 0)
        return;
    fprintf(out, " %s", words->option);
    for (unsigned i = 0; i < words->count; i++)
        if (bits & 1u << i) {
            fprintf(out, "%s%s", separator, words->name(i));
            separator = ",";
        }
}

void options_repeat(FILE *out, const struct options *options)
{
    for (size_t i = 0; i < options->operand_count; i++) {
        putc(' ', out);
        /* A file whose name looks like an option. */
        if (options->operands[i][0] == '-')
            fputs("./", out);
        shell_quote(out, options->operands[i]);
    }
    if (options->defect)
        fprintf(out, " --defect %s", options->defect);
    repeat_list(out, &worlds, options->worlds);
    repeat_list(out, &triggers, options->triggers);
    repeat_list(out, &families, options->families);
    for (size_t i = 0; i < options->set_count; i++) {
        fputs(" --set ", out);
        shell_quote(out, options->sets[i]);
    }
    if (options->jobs > 1)
        fprintf(out, " -j %u", options->jobs);
    if (options->repeat > 0)
        fprintf(out, " --repeat %u", options->repeat);
    if (options->until_fail)
        fputs(" --until-fail", out);
    if (options->timeout.ns > 0)
        fprintf(out, " --timeout %lldms", (long long)(options->timeout.ns / 1000000));
    if (options->shuffle)
        fputs(" --shuffle", out);
    if (options->fail_fast)
        fputs(" --fail-fast", out);
}
