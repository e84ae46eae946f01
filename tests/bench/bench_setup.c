/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run costs before and after its timeline, against the bare kernel calls of the same world
 * and processes (tests/bench/bare.h says which). Both in turns, in the order A B B A, so that what
 * one leaves to the kernel's background work is paid by both alike.
 */
#include <time.h>

#include "tests/bench/bare.h"
#include "tests/bench/figures.h"
#include "tests/bench/pinned.h"
#include "tests/bench/stage.h"

#define RUNS 200
#define RUNS_QUICK 20
#define GOAL 1.5

/* As empty as a script can be: one peer, which only connects. */
static const char script[] = "scenario bench/empty\n"
                             "about    \"Nothing happens.\"\n"
                             "topology\n  link sut peer\n  family ipv4\n"
                             "reactor\n  trigger et\n  app sink\n"
                             "peers\n  c tcp\n"
                             "timeline\n  0ms c connect\n"
                             "expect\n  c end none\n";

/* ms of one turn. */
struct turn {
    double setup;
    double rest;
};

struct setup {
    struct figures product_setup, product_rest;
    struct figures bare_setup, bare_rest;
    struct figures setup_ratio, rest_ratio, ratio; /* of neighbours */
};

static double now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct turn product(const struct plan *plan)
{
    struct bench_job job = {.plan = plan, .trigger = REACTOR_ET, .family = PLAN_IPV4};
    struct bench_failure failure = {0};
    struct happened happened;
    struct turn turn;
    double begin = now_ms();

    if (bench_run(&job, &happened, &failure) < 0) {
        (void)fprintf(stderr, "%s\n", failure.text);
        exit(stage_exit(STAGE_EXIT_BROKEN));
    }
    turn.setup = (double)happened.setup.ns / 1e6;
    turn.rest = -(double)happened.timeline.ns / 1e6 - turn.setup;
    happened_free(&happened);
    turn.rest += now_ms() - begin;
    return turn;
}

static struct turn bare_turn(const struct bare *bare)
{
    struct bare_world world;
    struct pinned before;
    struct turn turn;
    double begin = now_ms();

    (void)pinned_begin(&before);
    bare_open(bare, &world);
    turn.setup = now_ms() - begin;
    bare_close(&world);
    pinned_end(&before);
    turn.rest = now_ms() - begin - turn.setup;
    return turn;
}

static void note(struct setup *setup, struct turn ours, struct turn bare)
{
    figures_add(&setup->product_setup, ours.setup);
    figures_add(&setup->product_rest, ours.rest);
    figures_add(&setup->bare_setup, bare.setup);
    figures_add(&setup->bare_rest, bare.rest);
    figures_add(&setup->setup_ratio, ours.setup / bare.setup);
    figures_add(&setup->rest_ratio, ours.rest / bare.rest);
    figures_add(&setup->ratio, (ours.setup + ours.rest) / (bare.setup + bare.rest));
}

static void measure(const struct plan *plan, const struct bare *bare, unsigned runs,
                    struct setup *setup)
{
    for (unsigned run = 0; run < runs && !interrupt_signal(); run++) {
        struct turn ours, theirs;

        if (run % 2 == 0) {
            ours = product(plan);
            theirs = bare_turn(bare);
        } else {
            theirs = bare_turn(bare);
            ours = product(plan);
        }
        note(setup, ours, theirs);
    }
}

static void tell_row(const char *what, struct figures *product_ms, struct figures *bare_ms,
                     struct figures *ratio)
{
    printf("  %-22s %10.2f %10.2f %8.2f  %.2f .. %.2f\n", what, figures_at(product_ms, 0.5),
           figures_at(bare_ms, 0.5), figures_at(ratio, 0.5), figures_at(ratio, 0),
           figures_at(ratio, 1));
}

static void tell(struct setup *setup)
{
    printf("\n  %-22s %10s %10s %8s  %s\n", "medians of ms", "edgewise", "bare", "ratio",
           "of all pairs");
    tell_row("set-up", &setup->product_setup, &setup->bare_setup, &setup->setup_ratio);
    tell_row("end", &setup->product_rest, &setup->bare_rest, &setup->rest_ratio);
    printf("  %-22s %21s %8.2f  %.2f .. %.2f\n", "both", "", figures_at(&setup->ratio, 0.5),
           figures_at(&setup->ratio, 0), figures_at(&setup->ratio, 1));
    printf("  %zu pairs; goal: a median ratio of at most %.1f\n\n", setup->ratio.count, GOAL);
    figures_tell("setup.ratio.median", figures_at(&setup->ratio, 0.5), "ratio");
    figures_tell("setup.ratio.min", figures_at(&setup->ratio, 0), "ratio");
    figures_tell("setup.ratio.max", figures_at(&setup->ratio, 1), "ratio");
    figures_tell("setup.up.ratio.median", figures_at(&setup->setup_ratio, 0.5), "ratio");
    figures_tell("setup.end.ratio.median", figures_at(&setup->rest_ratio, 0.5), "ratio");
}

int main(int argc, char **argv)
{
    struct stage_options options = stage_read_options(argc, argv);
    unsigned runs = options.runs > 0 ? options.runs : options.quick ? RUNS_QUICK : RUNS;
    struct setup setup = {0};
    struct plan *plan;
    struct bare bare;

    stage_prepare();
    plan = stage_parse("scenarios/bench/empty.scn", script);
    bare_build(&bare);
    measure(plan, &bare, runs, &setup);
    tell(&setup);
    figures_free(&setup.product_setup);
    figures_free(&setup.product_rest);
    figures_free(&setup.bare_setup);
    figures_free(&setup.bare_rest);
    figures_free(&setup.setup_ratio);
    figures_free(&setup.rest_ratio);
    figures_free(&setup.ratio);
    bare_free(&bare);
    plan_free(plan);
    return stage_exit(0);
}
