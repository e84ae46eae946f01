/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run costs before and after its timeline, against the bare kernel calls of the same world
 * and processes (tests/bench/bare.h says which). Both in turns, in the order A B B A, so that what
 * one leaves to the kernel's background work is paid by both alike: once with a pause before each,
 * in which that work can end, and once without, as runs follow each other.
 */
#include <time.h>

#include "tests/bench/bare.h"
#include "tests/bench/figures.h"
#include "tests/bench/pinned.h"
#include "tests/bench/stage.h"

#define RUNS 100
#define RUNS_QUICK 8
#define GOAL 1.5
/* The kernel needs about half of it to take a world away. */
#define PAUSE_MS 100

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

static void pause_ms(long ms)
{
    const struct timespec pause = {.tv_nsec = ms * 1000000};

    (void)nanosleep(&pause, NULL);
}

static struct turn product_turn(const struct plan *plan)
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

static void measure(const struct plan *plan, const struct bare *bare, unsigned runs, long ms,
                    struct setup *setup)
{
    for (unsigned run = 0; run < runs && !interrupt_signal(); run++) {
        struct turn ours, theirs;

        pause_ms(ms);
        if (run % 2 == 0) {
            ours = product_turn(plan);
            pause_ms(ms);
            theirs = bare_turn(bare);
        } else {
            theirs = bare_turn(bare);
            pause_ms(ms);
            ours = product_turn(plan);
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

static void tell(const char *when, struct setup *setup)
{
    printf("\n  %-22s %10s %10s %8s  %s\n", when, "edgewise", "bare", "ratio", "of all pairs");
    tell_row("set-up, median ms", &setup->product_setup, &setup->bare_setup, &setup->setup_ratio);
    tell_row("end, median ms", &setup->product_rest, &setup->bare_rest, &setup->rest_ratio);
    printf("  %-22s %21s %8.2f  %.2f .. %.2f\n", "both", "", figures_at(&setup->ratio, 0.5),
           figures_at(&setup->ratio, 0), figures_at(&setup->ratio, 1));
    printf("  %zu pairs; goal: a median ratio of at most %.1f\n", setup->ratio.count, GOAL);
}

static void tell_lines(const char *when, struct setup *setup)
{
    static const struct {
        const char *name;
        double fraction;
    } ranks[] = {{"min", 0}, {"median", 0.5}, {"max", 1}};
    char name[64];

    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        (void)snprintf(name, sizeof(name), "setup.%s.ratio.%s", when, ranks[i].name);
        figures_tell(name, figures_at(&setup->ratio, ranks[i].fraction), "ratio");
    }
    (void)snprintf(name, sizeof(name), "setup.%s.edgewise.median", when);
    figures_tell(name, figures_at(&setup->product_setup, 0.5), "ms");
}

static void forget(struct setup *setup)
{
    figures_free(&setup->product_setup);
    figures_free(&setup->product_rest);
    figures_free(&setup->bare_setup);
    figures_free(&setup->bare_rest);
    figures_free(&setup->setup_ratio);
    figures_free(&setup->rest_ratio);
    figures_free(&setup->ratio);
}

int main(int argc, char **argv)
{
    struct stage_options options = stage_read_options(argc, argv);
    unsigned runs = options.runs > 0 ? options.runs : options.quick ? RUNS_QUICK : RUNS;
    struct setup rested = {0}, dense = {0};
    struct plan *plan;
    struct bare bare;

    stage_prepare();
    plan = stage_parse("scenarios/bench/empty.scn", script);
    bare_build(&bare);
    measure(plan, &bare, runs, PAUSE_MS, &rested);
    measure(plan, &bare, runs, 0, &dense);
    tell("after a pause", &rested);
    tell("back to back", &dense);
    printf("\n");
    tell_lines("rested", &rested);
    tell_lines("dense", &dense);
    forget(&rested);
    forget(&dense);
    bare_free(&bare);
    plan_free(plan);
    return stage_exit(0);
}
