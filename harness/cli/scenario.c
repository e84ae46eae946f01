/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/scenario.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "harness/cli/blessing.h"
#include "harness/cli/checkup.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/runner.h"
#include "harness/cli/selection.h"
#include "harness/cli/variant.h"
#include "harness/cli/version.h"
#include "harness/memory.h"
#include "harness/report/artefacts.h"
#include "harness/report/cell.h"
#include "harness/report/json.h"
#include "harness/report/text.h"

/* One call of the verb. */
struct session {
    const struct verbs_call *call;
    const struct options *options;
    enum result_world world;
    struct selection selection;
    struct person person;
    struct artefacts artefacts;
    struct text_style style;
    struct json_document document; /* with --json only */
    struct progress progress;
    struct score score;
    struct instant started;
    uint64_t seed;
    char *repeat; /* --set and the like, for the next command */
    char here[PATH_MAX + 1]; /* the working directory and a `/`; "" when it cannot be told */
    struct lines said; /* why nothing runs */
    size_t made;       /* runs so far */
    bool rootless; /* called by an ordinary user */
    bool broken;  /* something could not be written */
    bool refused; /* something could not be blessed */
};

/* The runs of one scenario, as they come in. */
struct table {
    struct runner_outcome *outcomes;
    size_t count;
};

static void __attribute__((format(printf, 2, 3)))
complain(const struct session *session, const char *format, ...)
{
    va_list args;

    progress_clear(&session->progress);
    fprintf(stderr, "%s: ", VERSION_TOOL);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
}

static void print_lines(const struct session *session, FILE *out, const struct lines *lines)
{
    progress_clear(&session->progress);
    for (size_t i = 0; i < lines->count; i++)
        fprintf(out, "%s\n", lines->line[i]);
    if (lines->count > 0 && out != stderr)
        putc('\n', out);
}

/* Before the first run. What goes wrong here is kept in `said`, since --json tells it as well. */

static int select_all(struct session *session)
{
    const struct verbs_call *call = session->call;
    struct lines *errors = &session->said;
    int status;

    if (call->options->operand_count == 0) {
        lines_add(errors, "%s: scenario: which one? %s list names them; all is all of them",
                  VERSION_TOOL, call->program->bare);
        return STATUS_USAGE;
    }
    status =
        selection_scripts(call->options, call->program->scenarios, &session->selection, errors);
    if (status == 0)
        status = selection_filter(&session->selection, call->options, errors);
    if (status == 0)
        status = selection_machine(&session->selection, call->options, errors);
    if (status == 0)
        status = selection_expected(&session->selection, errors);
    return status < 0 ? STATUS_USAGE : STATUS_OK;
}

/* This very command behind sudo. */
static char *sudo_command(const struct session *session)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    fprintf(out, "sudo %s", session->call->program->bare);
    for (char *const *word = session->call->words; *word; word++) {
        putc(' ', out);
        options_quote(out, *word);
    }
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}

static int refuse_world(struct session *session, struct checkup_rights rights,
                        const struct bench_failure *failure)
{
    struct lines *said = &session->said;
    struct lines commands = {0};

    if (session->rootless) {
        char *command = sudo_command(session);

        lines_add(&commands, "%s", command);
        free(command);
    }
    checkup_mend(rights, &commands);
    lines_add(said, "%s: cannot run here: %s", VERSION_TOOL, failure->text);
    for (size_t i = 0; i < commands.count; i++)
        lines_add(said, "%s: %s: %s", VERSION_TOOL, i == 0 ? "type" : "or", commands.line[i]);
    lines_add(said, "%s: %s doctor tells what is missing", VERSION_TOOL,
              session->call->program->bare);
    lines_free(&commands);
    return STATUS_CANNOT;
}

static int prepare_world(struct session *session)
{
    struct bench_failure failure = {0};
    struct checkup_rights rights = checkup_rights();

    session->world = RESULT_WORLD_VETH;
    /* Before a user namespace hides who called. */
    session->rootless = !rights.root;
    if (person_find(&session->person) < 0) {
        lines_add(&session->said, "%s: SUDO_UID and SUDO_GID are no numbers of a user and a group; "
                  "unset them, or call by sudo", VERSION_TOOL);
        return STATUS_USAGE;
    }
    if (bench_prepare(session->world, &failure) < 0)
        return refuse_world(session, rights, &failure);
    return STATUS_OK;
}

static int prepare_out(struct session *session)
{
    struct folder_error error;

    session->artefacts =
        (struct artefacts){.out = session->options->out, .person = &session->person};
    if (artefacts_probe(&session->artefacts, &error) == 0)
        return STATUS_OK;
    lines_add(&session->said, "%s: cannot write artefacts: %s; --out DIR puts them elsewhere",
              VERSION_TOOL, error.text);
    return STATUS_BROKEN;
}

static int prepare(struct session *session)
{
    int status = select_all(session);

    if (status == STATUS_OK)
        status = prepare_world(session);
    if (status == STATUS_OK)
        status = prepare_out(session);
    return status;
}

static uint64_t choose_seed(const struct options *options)
{
    uint64_t seed = 0;

    if (options->seed_given)
        return options->seed;
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
        seed = (uint64_t)runner_now().ns;
    return seed;
}

static void print_replay(const struct session *session)
{
    FILE *out = session->call->out;

    fprintf(out, "replay: %s scenario", session->call->program->command);
    options_repeat(out, session->options);
    fprintf(out, " --seed 0x%llx\n", (unsigned long long)session->seed);
}

/* What a command must say again to get the same scripts, and the artefacts in the same place. */
static char *repeat_rest(const struct options *options)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    for (size_t i = 0; i < options->set_count; i++) {
        fputs(" --set ", out);
        options_quote(out, options->sets[i]);
    }
    if (strcmp(options->out, OPTIONS_OUT) != 0) {
        fputs(" --out ", out);
        options_quote(out, options->out);
    }
    fclose(out);
    return text;
}

static void find_here(char *here, size_t size)
{
    size_t length;

    if (!getcwd(here, size - 1)) {
        here[0] = '\0';
        return;
    }
    length = strlen(here);
    if (here[length - 1] != '/')
        memcpy(here + length, "/", 2);
}

static void begin_report(struct session *session)
{
    const struct options *options = session->options;

    session->started = runner_now();
    session->seed = choose_seed(options);
    session->repeat = repeat_rest(options);
    find_here(session->here, sizeof(session->here));
    session->style = (struct text_style){
        .colour = session->call->colour,
        .quiet = options->quiet,
        .verbose = options->verbose,
        .out = options->out,
        .command = session->call->program->command,
        .scenarios = session->call->program->scenarios,
        .options = session->repeat,
        .here = session->here,
    };
    progress_begin(&session->progress, !options->quiet, selection_runs(&session->selection));
    if (options->json) {
        json_document_begin(&session->document, VERSION_TOOL, VERSION_NUMBER, session->seed);
    } else if (!options->quiet) {
        print_replay(session);
        if (session->rootless)
            fprintf(session->call->out, "world: %s, in a user namespace\n",
                    result_world_name(session->world));
        putc('\n', session->call->out);
        fflush(session->call->out);
    }
}

/* The runs. */

/* Where one cannot be written the next cannot either: 0, or what ends the runs. */
static int write_artefacts(struct session *session, const struct runner_outcome *outcome)
{
    const struct packet_list *packets = outcome->recorded ? outcome->happened.packets : NULL;
    struct folder_error error;
    int status = artefacts_write(&session->artefacts, &outcome->result, packets, &error);
    size_t left = selection_runs(&session->selection) - session->made;

    if (status == 0)
        return 0;
    session->broken = true;
    complain(session, "cannot write artefacts: %s; %zu run%s not made", error.text, left,
             left == 1 ? " was" : "s were");
    return status;
}

static int run_cell(struct session *session, const struct selection_item *item,
                    const struct bench_job *job, struct table *table)
{
    struct result place = {.world = job->world, .trigger = job->trigger, .family = job->family};
    struct runner_patience patience = {session->options->retries, session->options->bless};
    struct runner_outcome *outcome = &table->outcomes[table->count];
    int status;

    progress_step(&session->progress, item->plan->name, cell_name(&place).text);
    if (interrupt_signal())
        return -EINTR;
    status = runner_run(job, &item->expected, patience, outcome);
    if (status < 0)
        return status;
    table->count++;
    session->made++;
    status = write_artefacts(session, outcome);
    /* Blessing judges all of them again. */
    if (!session->options->bless)
        runner_forget(outcome);
    return status;
}

static int run_cells(struct session *session, const struct selection_item *item,
                     struct table *table)
{
    for (unsigned family = 0; family < PLAN_FAMILY_COUNT; family++)
        for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
            struct bench_job job = {
                .plan = item->plan,
                .world = session->world,
                .trigger = (enum reactor_trigger)trigger,
                .family = (enum plan_family)family,
                .defect = defects_find(session->options->defect),
            };
            int status;

            if (!(item->families & 1u << family) || !(item->triggers & 1u << trigger))
                continue;
            status = run_cell(session, item, &job, table);
            if (status < 0)
                return status;
        }
    return 0;
}

static void bless(struct session *session, const struct selection_item *item, struct table *table,
                  struct lines *said)
{
    struct blessing blessing;

    if (blessing_make(item->plan, &item->expected, table->outcomes, table->count, &blessing,
                      said) < 0) {
        session->refused = true;
        return;
    }
    session->broken |= blessing_write(&blessing, &session->person, said) < 0;
    blessing_free(&blessing);
}

static void report(struct session *session, const struct table *table)
{
    struct result *results = memory_zeroed(table->count, sizeof(*results));

    for (size_t i = 0; i < table->count; i++) {
        results[i] = table->outcomes[i].result;
        score_add(&session->score, results[i].verdict);
        if (session->options->json)
            json_document_add(&session->document, &results[i]);
    }
    progress_clear(&session->progress);
    if (!session->options->json && table->count > 0) {
        text_scenario(session->call->out, &session->style, results, table->count);
        fflush(session->call->out);
    }
    free(results);
}

static int run_item(struct session *session, const struct selection_item *item)
{
    size_t runs = selection_item_runs(item);
    struct table table = {.outcomes = memory_zeroed(runs, sizeof(*table.outcomes))};
    struct lines said = {0};
    int status = run_cells(session, item, &table);

    assert(table.count <= runs);
    if (session->options->bless && status == 0)
        bless(session, item, &table, &said);
    report(session, &table);
    print_lines(session, session->options->json ? stderr : session->call->out, &said);
    lines_free(&said);
    for (size_t i = 0; i < table.count; i++)
        runner_free(&table.outcomes[i]);
    free(table.outcomes);
    return status;
}

/* The end. */

static void end_report(struct session *session)
{
    FILE *out = session->call->out;
    enum status status = score_status(&session->score);

    progress_clear(&session->progress);
    if (session->options->json) {
        json_document_end(&session->document, &session->score, out);
        return;
    }
    text_summary(out, &session->style, &session->score,
                 instant_since(runner_now(), session->started));
    if (!session->style.quiet || status != STATUS_OK)
        print_replay(session);
}

static int final_status(const struct session *session)
{
    int status = (int)score_status(&session->score);

    if (session->broken || status == STATUS_BROKEN)
        return STATUS_BROKEN;
    return session->refused ? STATUS_FAILED : status;
}

static int run_all(struct session *session)
{
    int status = 0;
    int came;

    interrupt_watch();
    begin_report(session);
    for (size_t i = 0; i < session->selection.count && status == 0; i++)
        status = run_item(session, &session->selection.items[i]);
    end_report(session);
    came = interrupt_signal();
    if (came) {
        complain(session, "interrupted by SIG%s; what ran is above", sigabbrev_np(came));
        return STATUS_SIGNAL + came;
    }
    return final_status(session);
}

int scenario_run(const struct verbs_call *call)
{
    struct session session = {.call = call, .options = call->options};
    int status = variant_become(call, &session.said);

    if (status == STATUS_OK)
        status = prepare(&session);
    if (status == STATUS_OK)
        status = run_all(&session);
    else
        verbs_refuse(call->out, call->options->json, status, &session.said);
    lines_free(&session.said);
    selection_free(&session.selection);
    free(session.repeat);
    return status;
}
