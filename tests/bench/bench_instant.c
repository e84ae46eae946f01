/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the smallest steps cost: a grant that finds nothing to do, there and back between two
 * processes; a whole instant of one byte, from its send to its read; and a round of the reactor
 * over an os table in memory, without and with its journal, measured in turns.
 */
#include <errno.h>
#include <time.h>

#include "harness/sut/process.h"
#include "harness/world/veth.h"
#include "tests/bench/figures.h"
#include "tests/bench/pinned.h"
#include "tests/bench/stage.h"

#define BATCHES 200
#define BATCHES_QUICK 20
#define GRANTS 500   /* a batch */
#define ROUNDS 10000 /* a batch */
#define INSTANTS 2000
#define INSTANT_RUNS 20
#define INSTANT_RUNS_QUICK 4

static const char script[] = "scenario bench/instants\n"
                             "about    \"Instants of one byte each.\"\n"
                             "topology\n  link sut peer\n  family ipv4\n"
                             "reactor\n  trigger et\n  quantum bytes=64\n  app sink\n"
                             "peers\n  c tcp\n"
                             "timeline\n  0ms c connect\n";
static const char script_end[] = "expect\n  c end none\n";

static double now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* --- A grant, and an instant --- */

/* One instant each nanosecond: all of them are due when the second begins. */
static struct plan *plan_of_instants(int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    struct plan *plan;

    if (!file)
        abort();
    (void)fputs(script, file);
    for (int i = 1; i <= count; i++)
        (void)fprintf(file, "  %dns c send 78\n", i);
    (void)fputs(script_end, file);
    (void)fclose(file);
    plan = stage_parse("scenarios/bench/instants.scn", text);
    free(text);
    return plan;
}

static void broken(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    exit(STAGE_EXIT_BROKEN);
}

static void measure_grants(struct sut sut, int batches, struct figures *grants)
{
    struct sut_order order = {0};
    struct sut_report report;

    for (int batch = 0; batch < batches && !interrupt_signal(); batch++) {
        double begin = now_ns();

        for (int i = 0; i < GRANTS; i++)
            if (sut.ops->grant(sut.self, &order, &report) < 0 || report.status != SUT_IDLE)
                broken("a grant", "the sut is not idle");
        figures_add(grants, (now_ns() - begin) / GRANTS / 1e3);
    }
}

/* A sut in a world as bench_run has it: one CPU, and first in the queue for it. */
static void measure_sut(const struct plan *plan, int batches, struct figures *grants)
{
    static struct veth veth;
    static struct process process;
    struct world world = veth_world(&veth);
    struct sut sut = process_sut(&process);
    struct failure failure = {0};
    struct pinned before;
    struct sut_start start = {.plan = plan, .trigger = REACTOR_ET, .family = PLAN_IPV4};

    start.cpu = pinned_begin(&before);
    if (world.ops->open(world.self, PLAN_IPV4, &failure) < 0)
        broken("the world", failure.text);
    start.space = world.ops->sut_space(world.self);
    if (sut.ops->start(sut.self, &start, &failure) < 0)
        broken("the sut", failure.text);
    measure_grants(sut, batches, grants);
    sut.ops->close(sut.self, NULL);
    world.ops->close(world.self);
    pinned_end(&before);
}

static void measure_instants(const struct plan *plan, int runs, struct figures *instants)
{
    struct bench_job job = {.plan = plan, .trigger = REACTOR_ET, .family = PLAN_IPV4};

    for (int run = 0; run < runs && !interrupt_signal(); run++) {
        struct bench_failure failure = {0};
        struct happened happened;

        if (bench_run(&job, &happened, &failure) < 0)
            return;
        figures_add(instants, (double)happened.timeline.ns / INSTANTS / 1e3);
        happened_free(&happened);
    }
}

/* --- A round --- */

/* A kernel with one stream that is always readable, or with nothing at all. */
struct flat {
    bool readable;
    uint64_t data;
};

static struct instant flat_now(void *self)
{
    (void)self;
    return (struct instant){0};
}

static int flat_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    const struct flat *flat = self;

    (void)max;
    (void)deadline;
    events[0] = (struct os_event){.data = flat->data, .events = OS_IN};
    return flat->readable;
}

static int flat_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    (void)op;
    (void)fd;
    (void)events;
    ((struct flat *)self)->data = data;
    return 0;
}

static long flat_read(void *self, int fd, void *bytes, size_t size)
{
    (void)self;
    (void)fd;
    memset(bytes, 'x', size);
    return (long)size;
}

static int flat_accept(void *self, int fd)
{
    (void)self;
    (void)fd;
    return -EAGAIN;
}

static int flat_close(void *self, int fd)
{
    (void)self;
    (void)fd;
    return 0;
}

static long flat_unread(void *self, int fd)
{
    (void)self;
    (void)fd;
    return 0;
}

static int flat_wake(void *self)
{
    (void)self;
    return 0;
}

static const struct os_ops flat_ops = {flat_now,    flat_wait,  flat_ctl,    flat_read,
                                       flat_accept, flat_close, flat_unread, flat_wake};

/* A batch of rounds of a reactor of its own. ns a round. */
static double measure_rounds(bool readable, struct journal *journal)
{
    const struct reactor_handlers handlers = {0};
    const struct reactor_protocol protocol = {
        .limits = {.bytes = 64, .attempts = 1}, .handlers = &handlers};
    struct flat flat = {.readable = readable};
    struct reactor_config config = {.slots = 2, .collect = 1, .protocols = &protocol,
                                    .protocol_count = 1, .inbox = 2, .journal = journal};
    struct reactor *reactor;
    struct identity id;
    double begin, end;

    if (reactor_open(&config, (struct os){&flat_ops, &flat}, &reactor) < 0)
        broken("the reactor", "cannot be made");
    if (reactor_adopt(reactor, 3, 0, &id) < 0)
        broken("the source", "cannot be adopted");
    begin = now_ns();
    for (int i = 0; i < ROUNDS; i++)
        if (reactor_round(reactor) != 1)
            broken("a round", "the reactor has stopped");
    end = now_ns();
    if (readable && reactor_account(reactor)->quanta < ROUNDS - 1)
        broken("a round", "without a quantum");
    reactor_free(reactor);
    return (end - begin) / ROUNDS;
}

struct rounds {
    struct figures empty;
    struct figures off;
    struct figures on;
    struct figures ratio; /* of neighbours */
};

static void measure_reactor(int batches, struct rounds *rounds)
{
    const uint64_t records = 8 * ROUNDS, side = 64 * ROUNDS;
    struct pinned before;
    void *block = aligned_alloc(64, (journal_size(records, side) + 63) / 64 * 64);

    if (!block)
        abort();
    (void)pinned_begin(&before);
    memset(block, 0, journal_size(records, side));
    for (int batch = 0; batch < batches && !interrupt_signal(); batch++) {
        struct journal *journal = journal_init(block, records, side);
        double off = measure_rounds(true, NULL);
        double on = measure_rounds(true, journal);

        if (journal->overflow)
            broken("the journal", "is full");
        figures_add(&rounds->empty, measure_rounds(false, NULL));
        figures_add(&rounds->off, off);
        figures_add(&rounds->on, on);
        figures_add(&rounds->ratio, on / off);
    }
    pinned_end(&before);
    free(block);
}

/* --- Outside --- */

static void tell_row(const char *what, struct figures *figures, const char *unit)
{
    printf("  %-44s %8.2f %8.2f %8.2f  %s\n", what, figures_at(figures, 0),
           figures_at(figures, 0.5), figures_at(figures, 0.99), unit);
}

static void tell(struct figures *grants, struct figures *instants, struct rounds *rounds)
{
    printf("\n  %-44s %8s %8s %8s\n", "one", "least", "median", "p99");
    tell_row("grant of an idle sut, there and back", grants, "us");
    tell_row("instant of one byte: sent, confirmed, read", instants, "us");
    tell_row("round without a notice", &rounds->empty, "ns");
    tell_row("round with a notice and a read, no journal", &rounds->off, "ns");
    tell_row("the same with a journal", &rounds->on, "ns");
    tell_row("journal on / off", &rounds->ratio, "ratio");
    printf("\n");
    figures_tell("instant.grant.median", figures_at(grants, 0.5), "us");
    figures_tell("instant.whole.median", figures_at(instants, 0.5), "us");
    figures_tell("round.empty.median", figures_at(&rounds->empty, 0.5), "ns");
    figures_tell("round.read.median", figures_at(&rounds->off, 0.5), "ns");
    figures_tell("round.read.journal.median", figures_at(&rounds->on, 0.5), "ns");
    figures_tell("round.journal_ratio.median", figures_at(&rounds->ratio, 0.5), "ratio");
}

int main(int argc, char **argv)
{
    struct stage_options options = stage_read_options(argc, argv);
    int batches = options.quick ? BATCHES_QUICK : BATCHES;
    struct figures grants = {0}, instants = {0};
    struct rounds rounds = {0};
    struct plan *plan;

    stage_prepare();
    plan = plan_of_instants(INSTANTS);
    measure_reactor(batches, &rounds);
    measure_sut(plan, batches, &grants);
    measure_instants(plan, options.quick ? INSTANT_RUNS_QUICK : INSTANT_RUNS, &instants);
    tell(&grants, &instants, &rounds);
    figures_free(&grants);
    figures_free(&instants);
    figures_free(&rounds.empty);
    figures_free(&rounds.off);
    figures_free(&rounds.on);
    figures_free(&rounds.ratio);
    plan_free(plan);
    return stage_exit(0);
}
