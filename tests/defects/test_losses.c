/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every defect on the real and on the simulated kernel, under every trigger: where the catalogue
 * says that it shows, the scenario fails with exactly the loss that NAME.TRIGGER.txt beside this
 * file tells; elsewhere, and without the defect, it passes. In the plain build, which has no
 * defects, only that the files are those of the catalogue.
 *
 *     test_losses [--bless]       writes the files; each was typed from the requirement first, so
 *                                 read every line that changes
 *
 * EDGEWISE_FAMILIES=all: not over IPv4 alone.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/conduct/bench.h"
#include "harness/script/parser.h"
#include "harness/script/source.h"
#include "tests/support/loss.h"

#define FOLDER "tests/defects"
#define LATE_MAX 10 /* repeats of a run that the machine was too slow for */

static void file_of(enum defects which, unsigned trigger, char path[128])
{
    (void)snprintf(path, 128, FOLDER "/%s.%s.txt", defects_name(which),
                   reactor_trigger_name((enum reactor_trigger)trigger));
}

static unsigned files_in_folder(void)
{
    DIR *folder = opendir(FOLDER);
    const struct dirent *entry;
    unsigned count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)))
        count += strstr(entry->d_name, ".txt") != NULL;
    (void)closedir(folder);
    return count;
}

/* A file for each trigger under which a defect shows, and no other. */
static void the_files_are_those_of_the_catalogue(void **state)
{
    unsigned wanted = 0;

    (void)state;
    for (int which = DEFECTS_NONE + 1; which < DEFECTS_COUNT; which++)
        for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
            struct source source;
            char path[128];

            if (!(defects_entry((enum defects)which)->triggers & 1u << trigger))
                continue;
            file_of((enum defects)which, trigger, path);
            if (source_read(path, SOURCE_SCRIPT_MAX, &source))
                fail_msg("%s: cannot be read", path);
            source_free(&source);
            wanted++;
        }
    assert_int_equal(files_in_folder(), wanted);
}

#ifdef DEFECTS

#define ET (1u << REACTOR_ET)
#define LT (1u << REACTOR_LT)
#define OS (1u << REACTOR_OS)

/* The figures of the requirements, whatever the files say: a line that the loss must have. */
static const struct {
    enum defects which;
    unsigned triggers;
    const char *line;
} predicted[] = {
    {DEFECTS_NO_REQUEUE, ET | OS, "    A unread 4"},
    {DEFECTS_NO_REQUEUE, ET | OS, "    all: quanta 2, reads 2, EAGAIN 0, notices 2"},
    {DEFECTS_NO_REQUEUE, LT, "    all: quanta 4, reads 4, EAGAIN 0, notices 6"},
    {DEFECTS_NO_ATTEMPT_LIMIT, ET | LT | OS, "    B: quanta 0, reads 0, EAGAIN 0, notices 1"},
    {DEFECTS_COLLECT_WHEN_IDLE, ET | LT | OS,
     "    B: quanta 2 from 202, reads 2, EAGAIN 1, notices 1"},
    {DEFECTS_REQUEUE_ON_EAGAIN, ET | OS, "    all: quanta 500, reads 500, EAGAIN 496, notices 2"},
    {DEFECTS_REQUEUE_ON_EAGAIN, LT, "    all: quanta 500, reads 500, EAGAIN 496, notices 7"},
    {DEFECTS_HINT_CLEARED, ET, "    A unread 4"},
    {DEFECTS_HINT_CLEARED, LT, "    all: quanta 4, reads 4, EAGAIN 0, notices 6"},
    {DEFECTS_HINT_CLEARED, OS, "    all: quanta 4, reads 4, EAGAIN 0, notices 4"},
    {DEFECTS_NO_DEDUP, LT, "    notice A IN again"},
    {DEFECTS_EAGAIN_IS_EOF, ET | LT | OS, "    expected c end clean, happened truncated"},
    {DEFECTS_HANGUP_IS_EOF, ET | LT | OS, "    c unread 8"},
    {DEFECTS_HANGUP_IS_EOF, ET | LT | OS, "    expected c end reset, happened clean"},
    {DEFECTS_NO_CAPACITY_EVENT, ET | LT | OS, "    c unread 4"},
    {DEFECTS_NO_CAPACITY_EVENT, ET | LT | OS,
     "    expected c frames \"CAT\" \"OK\", happened \"CAT\""},
    {DEFECTS_PAUSED_REQUEUES, ET | OS, "    c: quanta 499 from 1, reads 2, EAGAIN 0, notices 1"},
    {DEFECTS_PAUSED_REQUEUES, LT, "    c: quanta 499 from 1, reads 2, EAGAIN 0, notices 499"},
    {DEFECTS_ROOM_BESIDE_RESERVATION, ET | LT | OS,
     "  + c stop attempts capacity     PAUSED   hint=1 credit=0+5 queue=[]  unread=0"},
    {DEFECTS_ROOM_BESIDE_RESERVATION, ET | LT | OS, "    c unread 1"},
    {DEFECTS_READ_AHEAD, ET | LT | OS,
     "  + c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=0"},
    {DEFECTS_TOLD_BY_NUMBER, ET | LT | OS, "    expected d stale 1, happened 0"},
    {DEFECTS_TOLD_BY_NUMBER, ET | LT | OS,
     "  + e read 2 = EAGAIN                            credit=0+5"},
    {DEFECTS_BATCH_UNCHECKED, ET | LT | OS, "    notice d IN"},
    {DEFECTS_QUEUE_BEFORE_TURN, ET | LT | OS,
     "  + c resume                     QUEUED   hint=1 credit=0+0 queue=[c]"},
    {DEFECTS_READ_PAST_RESET, ET | LT | OS, "    expected c end reset, happened clean"},
    {DEFECTS_PAUSED_UNMASKED, LT, "    c: quanta 1 from 1, reads 2, EAGAIN 0, notices 499"},
    {DEFECTS_HANGUP_ENTRY_KEPT, LT, "    notice c ERR HUP again"},
};

static bool blessing;

/* A scenario, and what is expected of it. */
struct stage {
    struct plan *plan;
    struct judge_expected expected;
};

static void open_stage(struct stage *stage, const char *scenario)
{
    struct mistakes mistakes = {0};
    struct lines errors = {0};
    char path[160];

    (void)snprintf(path, sizeof(path), "scenarios/%s.scn", scenario);
    if (parser_load(path, NULL, 0, &stage->plan, &mistakes) < 0)
        fail_msg("%s", mistakes.lines.line[0]);
    if (judge_expected_read(stage->plan, &stage->expected, &errors) < 0)
        fail_msg("%s", errors.line[0]);
    mistakes_free(&mistakes);
    lines_free(&errors);
}

static void close_stage(struct stage *stage)
{
    judge_expected_free(&stage->expected);
    plan_free(stage->plan);
}

/* Runs and judges; again while only the machine was too slow. */
static void run(const struct stage *stage, struct bench_job job, struct result *ret_result)
{
    job.plan = stage->plan;
    for (int i = 0; i <= LATE_MAX; i++) {
        struct bench_failure failure = {0};
        struct happened happened;

        *ret_result = (struct result){.world = job.world};
        if (bench_run(&job, &happened, &failure) < 0)
            fail_msg("%s", failure.text);
        judge_run(&happened, &stage->expected, ret_result);
        happened_free(&happened);
        if (ret_result->verdict != RESULT_LATE)
            return;
        result_free(ret_result);
    }
    fail_msg("late, %d times", LATE_MAX);
}

static void print_lines(const char *title, const struct lines *lines)
{
    print_error("%s\n", title);
    for (size_t i = 0; i < lines->count; i++)
        print_error("  | %s\n", lines->line[i]);
}

/* What crossed the wire, which is the last but one part, is told of no run without a link. */
static bool same(const struct lines *golden, const struct lines *told, bool link)
{
    bool wire = false;
    size_t at = 0;

    for (size_t i = 0; i < golden->count; i++) {
        const char *line = golden->line[i];

        if (*line != ' ')
            wire = strncmp(line, "wire", 4) == 0;
        if (wire && !link)
            continue;
        if (at == told->count || strcmp(line, told->line[at++]) != 0)
            return false;
    }
    return at == told->count;
}

static struct lines read_golden(const char *path)
{
    struct lines golden = {0};
    struct source source;

    if (source_read(path, SOURCE_SCRIPT_MAX, &source))
        fail_msg("%s: cannot be read", path);
    lines_split(&golden, source.text, source.size);
    source_free(&source);
    return golden;
}

static void write_golden(const char *path, const struct lines *told)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    for (size_t i = 0; i < told->count; i++)
        (void)fprintf(file, "%s\n", told->line[i]);
    assert_int_equal(fclose(file), 0);
}

static bool has(const struct lines *lines, const char *line)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strcmp(lines->line[i], line) == 0)
            return true;
    return false;
}

static bool as_predicted(const struct lines *told, const struct bench_job *job)
{
    unsigned lines = 0;
    bool all = true;

    for (size_t i = 0; i < sizeof(predicted) / sizeof(*predicted); i++) {
        if (predicted[i].which != job->defect || !(predicted[i].triggers & 1u << job->trigger))
            continue;
        lines++;
        if (has(told, predicted[i].line))
            continue;
        print_error("it must lose, and does not: %s\n", predicted[i].line);
        all = false;
    }
    return all && lines > 0;
}

static bool has_wire(const struct bench_job *job)
{
    return job->world == RESULT_WORLD_VETH &&
           (job->family == PLAN_IPV4 || job->family == PLAN_IPV6);
}

static bool loses(const struct stage *stage, const struct bench_job *job, const char *path,
                  bool aloud)
{
    struct lines golden = read_golden(path);
    struct lines told = {0};
    struct result result;
    bool equal;

    run(stage, *job, &result);
    loss_tell(&result, &stage->expected, &told);
    equal = same(&golden, &told, has_wire(job));
    if (equal && job->defect != DEFECTS_NONE)
        equal = result.verdict == RESULT_FAIL && as_predicted(&told, job);
    if (!equal && aloud) {
        print_lines(path, &golden);
        print_lines("but it lost", &told);
    }
    result_free(&result);
    lines_free(&told);
    lines_free(&golden);
    return equal;
}

static void bless(const struct stage *stage, const struct bench_job *job, const char *path)
{
    struct lines told = {0};
    struct result result;

    run(stage, *job, &result);
    loss_tell(&result, &stage->expected, &told);
    write_golden(path, &told);
    result_free(&result);
    lines_free(&told);
}

static void passes(const struct stage *stage, const struct bench_job *job)
{
    struct lines told = {0};
    struct result result;

    run(stage, *job, &result);
    if (result.verdict != RESULT_PASS) {
        loss_tell(&result, &stage->expected, &told);
        print_lines("it must pass", &told);
        fail_msg("%s %s: it does not pass", defects_name(job->defect),
                 reactor_trigger_name(job->trigger));
    }
    result_free(&result);
}

/* With and without the defect. A good run must not match the file, either: a file that says
 * nothing would prove nothing. */
static void try_cell(const struct stage *stage, const struct bench_job *job)
{
    const struct defects_entry *entry = defects_entry(job->defect);
    struct bench_job good = *job;
    char path[128];

    good.defect = DEFECTS_NONE;
    passes(stage, &good);
    if (!(entry->triggers & 1u << job->trigger)) {
        passes(stage, job);
        return;
    }
    file_of(job->defect, job->trigger, path);
    if (blessing && job->family == PLAN_IPV4)
        bless(stage, job, path);
    assert_false(loses(stage, &good, path, false));
    if (!loses(stage, job, path, true))
        fail_msg("%s: another loss", path);
}

static bool family_wanted(const struct plan *plan, unsigned family)
{
    const char *families = getenv("EDGEWISE_FAMILIES");

    return plan->families & 1u << family && (family == PLAN_IPV4 || families);
}

static void try_world(const struct stage *stage, enum defects which, enum result_world world)
{
    for (unsigned family = 0; family < PLAN_FAMILY_COUNT; family++)
        for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
            const struct bench_job job = {
                .world = world,
                .trigger = (enum reactor_trigger)trigger,
                .family = (enum plan_family)family,
                .defect = which,
            };

            if (family_wanted(stage->plan, family) && stage->plan->triggers & 1u << trigger)
                try_cell(stage, &job);
        }
}

/* The files are blessed by the real kernel. */
static void it_loses_the_same_on_the_simulated_kernel(void **state)
{
    const enum defects *which = *state;
    struct stage stage;

    if (blessing)
        return;
    open_stage(&stage, defects_entry(*which)->scenario);
    try_world(&stage, *which, RESULT_WORLD_SIM);
    close_stage(&stage);
}

static void it_loses_exactly_what_it_must(void **state)
{
    const enum defects *which = *state;
    struct bench_failure failure = {0};
    struct stage stage;

    if (bench_prepare(RESULT_WORLD_VETH, &failure) < 0) {
        print_message("%s\n", failure.text);
        skip();
    }
    open_stage(&stage, defects_entry(*which)->scenario);
    try_world(&stage, *which, RESULT_WORLD_VETH);
    close_stage(&stage);
}

int main(int argc, char **argv)
{
    static enum defects defects[DEFECTS_COUNT - 1];
    static char simulated[DEFECTS_COUNT - 1][64];
    struct CMUnitTest tests[1 + 2 * (DEFECTS_COUNT - 1)] = {
        cmocka_unit_test(the_files_are_those_of_the_catalogue),
    };

    blessing = argc > 1 && strcmp(argv[1], "--bless") == 0;
    for (int i = 0; i < DEFECTS_COUNT - 1; i++) {
        defects[i] = (enum defects)(DEFECTS_NONE + 1 + i);
        (void)snprintf(simulated[i], sizeof(simulated[i]), "%s_simulated",
                       defects_name(defects[i]));
        tests[1 + 2 * i] = (struct CMUnitTest){
            .name = defects_name(defects[i]),
            .test_func = it_loses_exactly_what_it_must,
            .initial_state = &defects[i],
        };
        tests[2 + 2 * i] = (struct CMUnitTest){
            .name = simulated[i],
            .test_func = it_loses_the_same_on_the_simulated_kernel,
            .initial_state = &defects[i],
        };
    }
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

#else

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_files_are_those_of_the_catalogue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

#endif
