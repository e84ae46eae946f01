/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How late the peers' bytes are: the capture's stamp, at the sender, of the first segment of each
 * SEND, minus the time at which the script has it due. Once as the machine is, once while other
 * processes keep both CPUs busy. Scenarios in which a sender blocks by intent (`compare streams`)
 * are left out: there the window decides when a segment leaves.
 */
#include <endian.h>
#include <string.h>
#include <time.h>

#include "pcaps/dissect.h"
#include "tests/bench/busy.h"
#include "tests/bench/figures.h"
#include "tests/bench/stage.h"

#define RUNS 10
#define RUNS_QUICK 1
#define OFFSET_TRIES 16
/* How far the clocks may drift apart in one run before its figures are worthless. */
#define OFFSET_TOLERANCE_NS 2000

struct injection {
    struct figures late; /* us */
    unsigned runs;
    unsigned moved;   /* runs left out: the real-time clock was set meanwhile */
    unsigned unfound; /* SENDs without a segment of their own */
    double worst_drift_ns;
};

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* CLOCK_REALTIME - CLOCK_MONOTONIC, from the try that was interrupted least. */
static int64_t clock_offset(void)
{
    int64_t best = INT64_MAX, offset = 0;

    for (int i = 0; i < OFFSET_TRIES; i++) {
        int64_t before = clock_ns(CLOCK_MONOTONIC);
        int64_t real = clock_ns(CLOCK_REALTIME);
        int64_t after = clock_ns(CLOCK_MONOTONIC);

        if (after - before >= best)
            continue;
        best = after - before;
        offset = real - (before + (after - before) / 2);
    }
    return offset;
}

/* The stamp of the first segment that begins at byte `at` of the stream of `near`; -1: none. */
static int64_t stamp_of(const struct happened *happened, const struct endpoint *near, uint64_t at)
{
    uint32_t first = 0;

    for (size_t i = 0; i < happened->packets->count; i++) {
        const struct packet *packet = &happened->packets->packets[i];
        struct dissect segment = dissect_packet(packet);

        if (segment.kind != DISSECT_KIND_TCP_SEGMENT ||
            endpoint_compare(&segment.source, near) != 0)
            continue;
        if (segment.tcp.flags & DISSECT_SYN)
            first = segment.tcp.seq + 1;
        else if (segment.payload_bytes > 0 && segment.tcp.seq - first == (uint32_t)at)
            return packet->stamp_ns;
    }
    return -1;
}

static void measure_peer(const struct happened *happened, uint32_t peer, int64_t offset,
                         struct injection *injection)
{
    const struct sockaddr *address = (const struct sockaddr *)&happened->peers[peer].near;
    struct endpoint near;
    uint64_t at = 0;

    if (endpoint_from_sockaddr(address, sizeof(happened->peers[peer].near), &near) < 0)
        return;
    for (uint32_t i = 0; i < happened->action_count; i++) {
        const struct happened_action *action = &happened->actions[i];
        const struct plan_statement *statement = &happened->plan->statements[action->statement];
        int64_t stamp;

        if (statement->peer != peer || statement->verb != PLAN_SEND || action->bytes == 0)
            continue;
        stamp = stamp_of(happened, &near, at);
        at += action->bytes;
        if (stamp < 0)
            injection->unfound++;
        else
            figures_add(&injection->late, (double)(stamp - offset - action->due.ns) / 1e3);
    }
}

static bool measure_run(const struct stage_cell *cell, struct injection *injection)
{
    struct outcome outcome;
    int64_t before = clock_offset(), drift;

    if (!stage_run(cell, &outcome))
        return false;
    drift = llabs(clock_offset() - before);
    injection->runs++;
    if (drift > OFFSET_TOLERANCE_NS)
        injection->moved++;
    else if ((double)drift > injection->worst_drift_ns)
        injection->worst_drift_ns = (double)drift;
    if (drift <= OFFSET_TOLERANCE_NS && outcome.recorded && outcome.happened.packets)
        for (uint32_t i = 0; i < outcome.happened.peer_count; i++)
            measure_peer(&outcome.happened, i, before, injection);
    outcome_free(&outcome);
    return true;
}

static void measure(const struct stage *stage, unsigned runs, struct injection *injection)
{
    for (unsigned run = 0; run < runs; run++)
        for (size_t i = 0; i < stage->cell_count; i++)
            if (stage->cells[i].scene->plan->compare == PLAN_EXACT &&
                !measure_run(&stage->cells[i], injection))
                return;
}

static void tell_row(const char *when, struct injection *injection)
{
    struct figures *late = &injection->late;

    printf("  %-24s %8zu %8.1f %8.1f %8.1f %8.1f\n", when, late->count, figures_at(late, 0.5),
           figures_at(late, 0.9), figures_at(late, 0.99), figures_at(late, 1));
    if (injection->moved + injection->unfound > 0)
        printf("  %-24s %u runs without a steady clock, %u SENDs without a segment\n", "",
               injection->moved, injection->unfound);
}

static void tell(const char *name, struct injection *injection)
{
    char line[64];

    (void)snprintf(line, sizeof(line), "injection.%s.median", name);
    figures_tell(line, figures_at(&injection->late, 0.5), "us");
    (void)snprintf(line, sizeof(line), "injection.%s.p99", name);
    figures_tell(line, figures_at(&injection->late, 0.99), "us");
    (void)snprintf(line, sizeof(line), "injection.%s.max", name);
    figures_tell(line, figures_at(&injection->late, 1), "us");
}

int main(int argc, char **argv)
{
    struct stage_options options = stage_read_options(argc, argv);
    unsigned runs = options.runs > 0 ? options.runs : options.quick ? RUNS_QUICK : RUNS;
    unsigned families = options.quick ? 1u << PLAN_IPV4 : 1u << PLAN_IPV4 | 1u << PLAN_IPV6;
    struct injection idle = {0}, loaded = {0};
    struct stage stage;
    struct busy busy;

    stage_prepare();
    stage_load(options.patterns, families, &stage);
    measure(&stage, runs, &idle);
    busy = busy_start();
    measure(&stage, runs, &loaded);
    busy_stop(&busy);
    printf("\n  %-24s %8s %8s %8s %8s %8s\n", "first segment, us late", "SENDs", "median", "p90",
           "p99", "max");
    tell_row("the machine as it is", &idle);
    tell_row("both CPUs kept busy", &loaded);
    printf("  largest drift of the clocks in a run: %.0f ns\n\n",
           idle.worst_drift_ns > loaded.worst_drift_ns ? idle.worst_drift_ns
                                                       : loaded.worst_drift_ns);
    tell("idle", &idle);
    tell("busy", &loaded);
    figures_free(&idle.late);
    figures_free(&loaded.late);
    stage_free(&stage);
    return stage_exit(0);
}
