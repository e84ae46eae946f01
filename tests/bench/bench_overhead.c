/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run costs beside its own timeline and its set-up: stopping the sut, the proof that the
 * capture is complete, taking the world down, judging. Over all scenarios on IPv4.
 */
#include "tests/bench/figures.h"
#include "tests/bench/stage.h"

#define RUNS 20
#define RUNS_QUICK 2
#define GOAL_MS 5.0

static double ms(struct duration duration)
{
    return (double)duration.ns / 1e6;
}

struct overhead {
    struct figures setup;
    struct figures rest;  /* wall - timeline - set-up */
    struct figures share; /* of the wall */
};

static bool measure(const struct stage *stage, struct overhead *overhead)
{
    for (size_t i = 0; i < stage->cell_count; i++) {
        struct outcome outcome;
        double wall, rest;

        if (!stage_run(&stage->cells[i], &outcome))
            return false;
        if (outcome.recorded) {
            wall = ms(outcome.result.wall);
            rest = wall - ms(outcome.result.timeline) - ms(outcome.result.setup);
            figures_add(&overhead->setup, ms(outcome.result.setup));
            figures_add(&overhead->rest, rest);
            figures_add(&overhead->share, rest / wall);
        }
        outcome_free(&outcome);
    }
    return true;
}

static void tell_row(const char *what, struct figures *figures)
{
    printf("  %-34s %8.2f %8.2f %8.2f\n", what, figures_at(figures, 0.5), figures_at(figures, 0.99),
           figures_at(figures, 1));
}

static void tell(struct overhead *overhead)
{
    printf("\n  %-34s %8s %8s %8s\n", "one run, in ms", "median", "p99", "max");
    tell_row("set-up", &overhead->setup);
    tell_row("overhead: wall - timeline - set-up", &overhead->rest);
    printf("  %zu runs; goal: a median overhead below %.0f ms\n\n", overhead->rest.count, GOAL_MS);
    figures_tell("overhead.median", figures_at(&overhead->rest, 0.5), "ms");
    figures_tell("overhead.p99", figures_at(&overhead->rest, 0.99), "ms");
    figures_tell("overhead.share_of_wall.median", figures_at(&overhead->share, 0.5), "ratio");
    figures_tell("overhead.setup.median", figures_at(&overhead->setup, 0.5), "ms");
}

int main(int argc, char **argv)
{
    struct stage_options options = stage_read_options(argc, argv);
    unsigned runs = options.runs > 0 ? options.runs : options.quick ? RUNS_QUICK : RUNS;
    struct overhead overhead = {0};
    struct stage stage;

    stage_prepare();
    stage_load(options.patterns, 1u << PLAN_IPV4, &stage);
    for (unsigned run = 0; run < runs && measure(&stage, &overhead); run++)
        continue;
    tell(&overhead);
    figures_free(&overhead.setup);
    figures_free(&overhead.rest);
    figures_free(&overhead.share);
    stage_free(&stage);
    return stage_exit(0);
}
