/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/gatekeeper.h"

#include <stdio.h>
#include <unistd.h>

#define GATEKEEPER_FOR_EVER ((struct duration){INT64_C(3600) * 1000000000})

void gatekeeper_init(struct gatekeeper *keeper, struct block *block, const struct plan *plan,
                     void (*verb)(void *arg, const struct sut_verb *verb), void *arg)
{
    *keeper = (struct gatekeeper){
        .block = block,
        .plan = plan,
        .verb = verb,
        .arg = arg,
        .rounds_end = UINT64_MAX,
        .quanta_end = UINT64_MAX,
    };
}

void gatekeeper_takes(struct gatekeeper *keeper, struct duration duration)
{
    keeper->now = instant_add(keeper->now, duration);
}

static struct sut_report gatekeeper_make(const struct gatekeeper *keeper, enum sut_status status,
                                         struct instant deadline)
{
    return (struct sut_report){
        .status = status,
        .deadline = deadline,
        .rounds = keeper->rounds,
        .calls = keeper->calls,
    };
}

static void gatekeeper_tell(struct gatekeeper *keeper, enum sut_status status,
                            struct instant deadline)
{
    keeper->block->report = gatekeeper_make(keeper, status, deadline);
    handover_pass(&keeper->block->handover, HANDOVER_BENCH);
}

void gatekeeper_answer(struct gatekeeper *keeper)
{
    gatekeeper_tell(keeper, SUT_IDLE, INSTANT_NEVER);
}

/* The bench may be reading the report of the last order: this one has a place of its own. */
void gatekeeper_report(struct gatekeeper *keeper, enum sut_status status, const char *text)
{
    struct sut_report *last = &keeper->block->last;

    *last = gatekeeper_make(keeper, status, INSTANT_NEVER);
    (void)snprintf(last->text, sizeof(last->text), "%s", text);
    handover_leave(&keeper->block->handover);
}

static void gatekeeper_rest(struct gatekeeper *keeper)
{
    struct handover *handover = &keeper->block->handover;

    if (keeper->rest)
        keeper->rest(keeper->arg);
    else if (handover_left(handover))
        (void)pause();
    else
        while (handover_await(handover, HANDOVER_SUT, GATEKEEPER_FOR_EVER) < 0)
            continue;
}

void gatekeeper_end(struct gatekeeper *keeper, enum sut_status status, const char *text)
{
    gatekeeper_report(keeper, status, text);
    /* A signal must not let it slip through. */
    for (;;)
        gatekeeper_rest(keeper);
}

static uint64_t gatekeeper_bound(uint64_t count, uint64_t granted)
{
    return granted == 0 ? UINT64_MAX : count + granted;
}

static void gatekeeper_carry_out(struct gatekeeper *keeper, const struct sut_order *order)
{
    keeper->now = order->now;
    keeper->rounds_end = gatekeeper_bound(keeper->rounds, order->rounds);
    keeper->quanta_end =
        gatekeeper_bound(reactor_account(keeper->reactor)->quanta, order->quanta);
    for (uint32_t i = 0; i < order->verb_count; i++)
        keeper->verb(keeper->arg, &order->verbs[i]);
}

/* Reports, rests until the next order, and carries out its verbs; again while more are to come.
 * True when there were any. */
static bool gatekeeper_yield(struct gatekeeper *keeper, enum sut_status status,
                             struct instant deadline)
{
    const struct sut_order *order = &keeper->block->order;
    bool verbs = false;

    do {
        gatekeeper_tell(keeper, status, deadline);
        gatekeeper_rest(keeper);
        gatekeeper_carry_out(keeper, order);
        verbs |= order->verb_count > 0;
    } while (order->more);
    return verbs;
}

static void gatekeeper_enter(void *arg)
{
    struct gatekeeper *keeper = arg;

    if (++keeper->calls <= keeper->plan->calls_max)
        return;
    gatekeeper_end(keeper, SUT_LIMIT, "calls");
}

static void gatekeeper_round(void *arg)
{
    struct gatekeeper *keeper = arg;

    if (keeper->rounds >= keeper->rounds_end ||
        reactor_account(keeper->reactor)->quanta >= keeper->quanta_end)
        (void)gatekeeper_yield(keeper, SUT_HELD, INSTANT_NEVER);
    if (++keeper->rounds <= keeper->plan->rounds_max)
        return;
    gatekeeper_end(keeper, SUT_LIMIT, "rounds");
}

static bool gatekeeper_idle(void *arg, struct instant deadline)
{
    struct gatekeeper *keeper = arg;
    bool verbs;

    /* The wait that is being granted belongs to the first of the granted rounds. */
    keeper->rounds--;
    verbs = gatekeeper_yield(keeper, SUT_IDLE, deadline);
    keeper->rounds++;
    return verbs;
}

static struct instant gatekeeper_now(void *arg)
{
    return ((struct gatekeeper *)arg)->now;
}

const struct os_gate_hooks gatekeeper_hooks = {
    .enter = gatekeeper_enter,
    .round = gatekeeper_round,
    .idle = gatekeeper_idle,
    .now = gatekeeper_now,
};
