/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BENCH_STAGE_H
#define EDGEWISE_TESTS_BENCH_STAGE_H

/*
 * What every benchmark needs before it measures: its options, a ^C that is heeded, a world that can
 * be built here, and the scenarios, each with its expected ledgers.
 */

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/catalog.h"
#include "harness/cli/interrupt.h"
#include "harness/runs/outcome.h"
#include "harness/script/parser.h"
#include "harness/urgency.h"

/* No run of a benchmark takes as long. */
#define STAGE_LIMIT DURATION_MS(120000)

/* As the program itself exits. */
#define STAGE_EXIT_FAILED 1
#define STAGE_EXIT_USAGE 2
#define STAGE_EXIT_BROKEN 3
#define STAGE_EXIT_CANNOT 4

struct stage_options {
    bool quick;    /* --quick: a few seconds, to see that it works; no figures to keep */
    unsigned runs; /* --runs N; 0: the benchmark's own number */
    char **patterns; /* of scenarios, ends with NULL */
};

/* One cell of the table of all runs. */
struct stage_cell {
    struct stage_scene *scene;
    enum reactor_trigger trigger;
    enum plan_family family;
};

struct stage_scene {
    struct plan *plan;
    struct judge_expected expected;
};

struct stage {
    struct stage_scene *scenes;
    size_t scene_count;
    struct stage_cell *cells; /* scene by scene */
    size_t cell_count;
};

/* Reads the options, or ends the program with a line of usage. */
static inline struct stage_options stage_read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"quick", no_argument, NULL, 'q'}, {"runs", required_argument, NULL, 'r'}, {0}};
    struct stage_options options = {0};
    char *end = NULL;
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (option == 'q')
            options.quick = true;
        else if (option == 'r')
            options.runs = (unsigned)strtoul(optarg, &end, 10);
        if (option == '?' || (end && (*end || options.runs < 2 || options.runs > 1000000))) {
            (void)fprintf(stderr, "usage: %s [--quick] [--runs 2..1000000] [NAME...]\n", argv[0]);
            exit(STAGE_EXIT_USAGE);
        }
    }
    options.patterns = argv + optind;
    return options;
}

/* Ends the program with the reason when no world can be built here. Call it once, first. */
static inline void stage_prepare(void)
{
    struct bench_failure failure = {0};

    setvbuf(stdout, NULL, _IOLBF, 0);
    interrupt_watch();
    if (bench_prepare(RESULT_WORLD_VETH, &failure) == 0)
        return;
    (void)fprintf(stderr, "cannot run here: %s\n", failure.text);
    exit(STAGE_EXIT_CANNOT);
}

/* Tells why a script or a ledger was refused, and ends the program. */
static inline void stage_refuse(const char *file, const struct lines *why)
{
    for (size_t i = 0; i < why->count; i++)
        (void)fprintf(stderr, "%s\n", why->line[i]);
    (void)fprintf(stderr, "%s cannot be used\n", file);
    exit(STAGE_EXIT_USAGE);
}

/* A plan of a script that the benchmark wrote itself; `path` as if it lay there. plan_free. */
static inline struct plan *stage_parse(const char *path, const char *text)
{
    struct parser_input input = {.path = path, .text = text, .size = strlen(text)};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;

    if (parser_parse(&input, &plan, &mistakes) < 0)
        stage_refuse(path, &mistakes.lines);
    mistakes_free(&mistakes);
    return plan;
}

/* One script with what is expected of it. */
static inline void stage_load_scene(const char *path, struct stage_scene *scene)
{
    struct mistakes mistakes = {0};
    struct lines errors = {0};

    if (parser_load(path, NULL, 0, &scene->plan, &mistakes) < 0)
        stage_refuse(path, &mistakes.lines);
    mistakes_free(&mistakes);
    if (judge_expected_read(scene->plan, &scene->expected, &errors) < 0)
        stage_refuse(path, &errors);
    lines_free(&errors);
}

/* The runs of one scene over the families (bits) that it and the caller want. */
static inline void stage_add_cells(struct stage *stage, struct stage_scene *scene,
                                   unsigned families)
{
    families &= scene->plan->families;
    for (enum reactor_trigger trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++)
        for (enum plan_family family = 0; family < PLAN_FAMILY_COUNT; family++)
            if (scene->plan->triggers & 1u << trigger && families & 1u << family)
                stage->cells[stage->cell_count++] =
                    (struct stage_cell){scene, trigger, family};
}

/* The scenarios that the patterns choose (none: all), from the folder that the environment's
 * EDGEWISE_SCENARIOS names, else scenarios/. Ends the program when there are none. */
static inline void stage_choose(char **patterns, struct catalog *ret_chosen)
{
    static char *everything[] = {"all", NULL};
    const char *folder = getenv("EDGEWISE_SCENARIOS");
    struct catalog catalog = {0};
    struct catalog_error error = {{0}};
    int rc = catalog_open(folder ? folder : "scenarios", &catalog, &error);

    patterns = *patterns ? patterns : everything;
    for (; rc == 0 && *patterns; patterns++)
        rc = catalog_select(&catalog, *patterns, ret_chosen, &error);
    catalog_free(&catalog);
    if (rc == 0)
        return;
    (void)fprintf(stderr, "%s\n", error.text);
    exit(STAGE_EXIT_USAGE);
}

/* All cells of the chosen scenarios, for the families (bits 1 << enum plan_family) asked for. */
static inline void stage_load(char **patterns, unsigned families, struct stage *ret_stage)
{
    struct catalog chosen = {0};
    struct stage stage = {0};

    stage_choose(patterns, &chosen);
    stage.scenes = calloc(chosen.count + 1, sizeof(*stage.scenes));
    stage.cells = calloc((chosen.count + 1) * REACTOR_TRIGGER_COUNT * PLAN_FAMILY_COUNT,
                         sizeof(*stage.cells));
    if (!stage.scenes || !stage.cells)
        abort();
    for (; stage.scene_count < chosen.count; stage.scene_count++) {
        struct stage_scene *scene = &stage.scenes[stage.scene_count];

        stage_load_scene(chosen.entries[stage.scene_count].path, scene);
        stage_add_cells(&stage, scene, families);
    }
    catalog_free(&chosen);
    *ret_stage = stage;
}

/* Frees plans, ledgers and cells. */
static inline void stage_free(struct stage *stage)
{
    for (size_t i = 0; i < stage->scene_count; i++) {
        judge_expected_free(&stage->scenes[i].expected);
        plan_free(stage->scenes[i].plan);
    }
    free(stage->scenes);
    free(stage->cells);
}

/* Runs a cell once, in a process of its own as the program does it, and judges it. False after a
 * ^C; else `ret_outcome` is for outcome_free. */
static inline bool stage_run(const struct stage_cell *cell, struct outcome *ret_outcome)
{
    struct job_request request = {.bench = {.plan = cell->scene->plan,
                                            .world = RESULT_WORLD_VETH,
                                            .trigger = cell->trigger,
                                            .family = cell->family},
                                  .limit = STAGE_LIMIT};
    struct bench_failure failure = {0};
    struct urgency before;
    struct job_outcome came;
    int status;

    if (interrupt_signal())
        return false;
    urgency_save(&before);
    (void)urgency_raise(URGENCY_PROGRAM);
    status = job_run(&request, &came, &failure);
    urgency_restore(&before);
    if (status < 0) {
        outcome_blame(&request.bench, &failure, 1, ret_outcome);
        return true;
    }
    if (came.end == JOB_INTERRUPTED)
        return false;
    outcome_judge(&request.bench, &came, &cell->scene->expected, 1, ret_outcome);
    return true;
}

/* The program's exit status: `status`, or what says that a signal ended it. */
static inline int stage_exit(int status)
{
    return interrupt_signal() ? 128 + interrupt_signal() : status;
}

#endif
