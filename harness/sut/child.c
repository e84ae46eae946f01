/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/child.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "core/os_linux.h"
#include "core/os_record.h"
#include "harness/cpu.h"
#include "harness/descriptor.h"
#include "harness/peer.h"
#include "harness/sut/app_sink.h"
#include "harness/sut/callers.h"
#include "harness/sut/faults.h"
#include "harness/sut/gatekeeper.h"
#include "harness/sut/turnstile.h"
#include "harness/sys_linux.h"
#include "harness/urgency.h"
#include "netns/link.h"

/* Everything that the process holds. */
struct child_state {
    const struct child *child;
    struct sys_linux kernel;
    struct sys sys;
    struct os_linux *linux_os;
    struct callers callers;
    struct faults faults;
    struct spoiler spoiler;
    struct os_record record;
    struct os_gate gate;        /* lock-step */
    struct turnstile turnstile; /* free pace */
    struct gatekeeper keeper;
    struct app_sink app;
    struct reader_rules rules;
    struct reactor_protocol protocol;
    struct reactor *reactor;
    int listener;
    struct identity listener_id;
    uint32_t caller; /* the peer of the source that comes into service next */
    uint32_t taken;  /* free pace: the last order that was passed on */
};

static int child_fail(struct child_state *state, const char *step, int rc)
{
    char text[160];

    (void)snprintf(text, sizeof(text), "%s: %s", step, strerror(-rc));
    gatekeeper_report(&state->keeper, SUT_FAILED, text);
    return 3;
}

/* --- The listener --- */

static int child_address(enum plan_family family, struct sockaddr_storage *ret_address,
                           socklen_t *ret_length)
{
    if (family == PLAN_UNIX)
        return peer_unix_address(CHILD_UNIX_NAME, ret_address, ret_length);
    *ret_length = link_address(LINK_SUT, family == PLAN_IPV6 ? AF_INET6 : AF_INET, CHILD_PORT,
                               ret_address);
    return 0;
}

static int child_listen(struct child_state *state, const char **ret_step)
{
    const struct child *child = state->child;
    struct sockaddr_storage address;
    socklen_t length;
    int rc = child_address(child->family, &address, &length);

    *ret_step = "listener";
    if (rc < 0)
        return rc;
    state->listener = sys_socket(state->sys, address.ss_family, SOCK_STREAM, 0);
    if (state->listener < 0)
        return state->listener;
    rc = peer_options_set(state->sys, state->listener, child->family, &child->plan->sockets,
                          ret_step);
    if (rc < 0)
        return rc;
    *ret_step = "bind";
    rc = sys_bind(state->sys, state->listener, (const struct sockaddr *)&address, length);
    if (rc < 0)
        return rc;
    *ret_step = "listen";
    rc = sys_listen(state->sys, state->listener, (int)child->plan->backlog);
    if (rc < 0)
        return rc;
    *ret_step = "listener into service";
    return reactor_listen(state->reactor, state->listener, 0, &state->listener_id);
}

/* --- Sources --- */

/* A line of the script cannot be carried out, and without it nothing means what it should. */
static _Noreturn void child_give_up(struct child_state *state, uint32_t line, const char *what,
                                    int rc)
{
    char text[160];

    (void)snprintf(text, sizeof(text), "line %u: %s: %s", line, what, strerror(-rc));
    gatekeeper_end(&state->keeper, SUT_FAILED, text);
}

/* Before the row of the source is written, so that the bench knows it when it reads that. */
static void child_heard(void *arg, uint32_t peer)
{
    struct child_state *state = arg;

    if (peer >= state->child->plan->peer_count)
        gatekeeper_end(&state->keeper, SUT_FAILED, "a connection of nobody's came");
    if (state->child->block->sources.count == state->child->plan->peer_count)
        gatekeeper_end(&state->keeper, SUT_FAILED, "more connections than peers came");
    state->caller = peer;
    block_source(state->child->block, peer);
}

static uint32_t child_caller(void *arg)
{
    return ((struct child_state *)arg)->caller;
}

/* Arms the faults of `peer` that wait, if there is something to arm them on. */
static void child_arm(struct child_state *state, uint32_t peer)
{
    struct identity id = peer == PLAN_NOBODY ? state->listener_id : state->app.ids[peer];
    int fd = reactor_descriptor(state->reactor, id);
    uint32_t line = 0;
    int rc = 0;

    if (fd >= 0)
        rc = faults_arm(&state->faults, peer, fd, identity_pack(id), &line);
    if (rc < 0)
        child_give_up(state, line, "fault", rc);
}

static void child_in_service(void *arg, uint32_t peer)
{
    child_arm(arg, peer);
}

/* --- Verbs, on the reactor's thread --- */

static const char *child_name(const struct child_state *state, uint32_t peer)
{
    return state->child->plan->peers[peer].name;
}

static void child_consume(struct child_state *state, const struct sut_verb *verb)
{
    uint32_t done = app_sink_consume(&state->app, verb->peer, verb->count);

    if (done < verb->count)
        remarks_add(&state->child->block->remarks, "line %u: sut consume %s: %u of %u given back",
                    verb->line, child_name(state, verb->peer), done, verb->count);
}

static void child_fault(struct child_state *state, const struct sut_verb *verb)
{
    int rc = faults_add(&state->faults, verb);

    if (rc < 0)
        child_give_up(state, verb->line, "fault", rc);
    child_arm(state, verb->peer);
}

static void child_adopt(struct child_state *state, const struct sut_verb *verb)
{
    struct identity id;
    int fd = descriptor_receive(state->child->control);
    int rc = fd;

    if (fd >= 0) {
        child_heard(state, verb->peer);
        rc = reactor_adopt(state->reactor, fd, 0, &id);
    }
    if (rc < 0)
        child_give_up(state, verb->line, "adopt", rc);
}

static void child_verb(void *arg, const struct sut_verb *verb)
{
    struct child_state *state = arg;

    switch (verb->kind) {
    case SUT_CONSUME:
        child_consume(state, verb);
        break;
    case SUT_ADOPT:
        child_adopt(state, verb);
        break;
    case SUT_FAULT:
        child_fault(state, verb);
        break;
    case SUT_STOP:
        reactor_stop(state->reactor);
        break;
    case SUT_VERB_COUNT:
        assert(false && "a verb");
    }
}

static void child_takes(void *arg, struct duration duration)
{
    struct child_state *state = arg;

    gatekeeper_takes(&state->keeper, duration);
}

static void child_fell_short(void *arg, const struct plan_reaction *reaction, uint32_t done)
{
    struct child_state *state = arg;
    struct remarks *remarks = &state->child->block->remarks;
    const char *target = child_name(state, reaction->target);

    if (reaction->action == PLAN_DO_CONSUME)
        remarks_add(remarks, "line %u: consume %s: %u of %u given back", reaction->place.line,
                    target, done, reaction->count);
    else
        remarks_add(remarks, "line %u: close %s: it is not in service", reaction->place.line,
                    target);
}

/* A script that waits for what never comes tests nothing there. */
static void child_tell_idle_reactions(struct child_state *state)
{
    const struct plan *plan = state->child->plan;

    for (uint32_t i = 0; i < plan->reaction_count; i++)
        if (!app_sink_happened(&state->app, &plan->reactions[i]))
            remarks_add(&state->child->block->remarks, "line %u: this reaction never happened",
                        plan->reactions[i].place.line);
}

/* --- Free pace: orders come to a thread of their own and go on by the reactor's inbox --- */

/* The bench waits for the answer, so the order stays as it is until then. */
static void child_post(struct reactor *r, uint64_t word, void *app)
{
    struct child_state *state = ((struct app_sink *)app)->arg;
    const struct sut_order *order = &state->child->block->order;

    (void)r;
    (void)word;
    for (uint32_t i = 0; i < order->verb_count; i++) {
        child_verb(state, &order->verbs[i]);
        if (order->verbs[i].kind == SUT_STOP)
            return; /* the next report is that it has stopped */
    }
    gatekeeper_answer(&state->keeper);
}

/* False when the reactor takes no more: it has its stop, or is over. */
static bool child_pass_on(struct child_state *state)
{
    int rc;

    while ((rc = reactor_post(state->reactor, state->taken)) == -EAGAIN)
        (void)sched_yield();
    return rc == 0;
}

static void *child_listen_to_bench(void *arg)
{
    struct child_state *state = arg;
    struct handover *handover = &state->child->block->handover;

    do {
        while (handover_await_order(handover, state->taken, DURATION_MS(1000)) < 0)
            continue;
        state->taken = handover_orders(handover);
    } while (child_pass_on(state));
    return NULL;
}

/* The order that the sut is being started by is answered here, and never passed on. */
static int child_start_thread(struct child_state *state)
{
    pthread_t thread;
    int rc;

    state->taken = handover_orders(&state->child->block->handover);
    rc = pthread_create(&thread, NULL, child_listen_to_bench, state);
    if (rc != 0)
        return -rc;
    (void)pthread_detach(thread);
    gatekeeper_answer(&state->keeper);
    return 0;
}

/* --- Putting it together --- */

static int child_os(struct child_state *state, struct os *ret_os)
{
    const struct child *child = state->child;
    struct os os = callers_wrap(&state->callers, os_linux_table(state->linux_os), child_heard,
                                state);
    int rc = faults_open(&state->faults, os, child->plan, &child->block->remarks, &os);

    if (rc < 0)
        return rc;
    os = spoiler_wrap(&state->spoiler, defects_spoiler(child->defect), os, &state->reactor);
    os = os_record_wrap(&state->record, os, block_journal(child->block));
    if (child->plan->pace == PLAN_LOCKSTEP)
        *ret_os = os_gate_wrap(&state->gate, os, &gatekeeper_hooks, &state->keeper);
    else
        *ret_os = turnstile_wrap(&state->turnstile, os, &state->keeper);
    return 0;
}

/* `requeue off`: a quantum that a budget ended leaves the source to the kernel's next notice
 * (W2). */
static void child_make_rules(struct child_state *state)
{
    struct reader_cell *yield = &state->rules.cell[READER_RUNNING][READER_YIELD_ROOM];

    state->rules = reader_rules;
    defects_change_rules(state->child->defect, &state->rules);
    if (state->child->plan->requeue)
        return;
    yield->next = READER_WAITING;
    yield->queue = READER_QUEUE_KEEP;
}

static int child_open_reactor(struct child_state *state)
{
    const struct plan *plan = state->child->plan;
    struct reactor_config config = {
        .slots = plan->peer_count + 2, /* the listener, and one free, so that it sees EAGAIN */
        .collect = plan->collect,
        .trigger = state->child->trigger,
        .rules = &state->rules,
        .protocols = &state->protocol,
        .protocol_count = 1,
        .journal = block_journal(state->child->block),
        .inbox = 16,
        .post = child_post,
        .app = &state->app,
        /* Without requeueing (WAITING, hint 1) is a pair that no rule allows; what comes of a
         * defect is to be seen, not stopped. */
        .checks = plan->requeue && state->child->defect == DEFECTS_NONE,
    };
    struct os os;
    int rc = child_os(state, &os);

    if (rc < 0)
        return rc;
    child_make_rules(state);
    state->protocol = (struct reactor_protocol){
        .format = plan->format,
        .capacity = plan->capacity,
        .limits = plan->limits,
        .handlers = &app_sink_handlers,
    };
    defects_change_protocol(state->child->defect, &state->protocol);
    rc = reactor_open(&config, os, &state->reactor);
    if (rc < 0)
        return rc;
    state->app.reactor = state->reactor;
    state->keeper.reactor = state->reactor;
    return 0;
}

static int child_go(struct child_state *state)
{
    int rc;

    if (state->child->plan->pace == PLAN_FREE) {
        rc = child_start_thread(state);
        if (rc < 0)
            return child_fail(state, "thread", rc);
    }
    rc = reactor_run(state->reactor);
    if (rc < 0)
        return child_fail(state, "the reactor gave up", rc);
    faults_close(&state->faults);
    child_tell_idle_reactions(state);
    gatekeeper_report(&state->keeper, SUT_STOPPED, "");
    return 0;
}

static void child_make_app(struct child_state *state)
{
    app_sink_init(&state->app, state->child->plan);
    state->app.takes = child_takes;
    state->app.caller = child_caller;
    state->app.in_service = child_in_service;
    state->app.fell_short = child_fell_short;
    state->app.arg = state;
}

int child_run(void *arg)
{
    static struct child_state state;
    const struct child *child = arg;
    const char *step = "reactor";
    int rc;

    state = (struct child_state){.child = child, .listener = -1,
                                  .listener_id = IDENTITY_NONE};
    state.sys = sys_linux_open(&state.kernel, NULL);
    child_make_app(&state);
    gatekeeper_init(&state.keeper, child->block, child->plan, child_verb, &state);
    defects_switch(child->defect);
    if (child->cpu >= 0)
        (void)cpu_pin(child->cpu);
    if (!child->patient)
        (void)urgency_raise(URGENCY_SUT);
    rc = os_linux_open(&state.linux_os);
    if (rc == 0)
        rc = child_open_reactor(&state);
    if (rc == 0 && child->family != PLAN_PIPE)
        rc = child_listen(&state, &step);
    return rc < 0 ? child_fail(&state, step, rc) : child_go(&state);
}
