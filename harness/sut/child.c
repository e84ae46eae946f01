/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/child.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "core/os_fault.h"
#include "core/os_linux.h"
#include "core/os_record.h"
#include "harness/cpu.h"
#include "harness/descriptor.h"
#include "harness/peer.h"
#include "harness/sut/app_sink.h"
#include "harness/sut/gatekeeper.h"
#include "harness/sys_linux.h"
#include "harness/urgency.h"
#include "netns/link.h"

/* Everything that the process holds. */
struct child_state {
    const struct child *child;
    struct sys_linux kernel;
    struct sys sys;
    struct os_linux *linux_os;
    struct os_fault fault;
    struct os_record record;
    struct os_gate gate;
    struct gatekeeper keeper;
    struct app_sink app;
    struct reader_rules rules;
    struct reactor_protocol protocol;
    struct reactor *reactor;
    int listener;
    struct identity listener_id;
    /* Free pace: orders come to a thread of their own and go on by the reactor's inbox. */
    struct sut_order orders[2];
    uint64_t orders_taken;
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

/* --- Verbs, on the reactor's thread --- */

static void child_fault(struct child_state *state, const struct sut_verb *verb)
{
    const struct plan_fault *fault = &verb->fault;
    struct identity id = state->app.ids[verb->peer == PLAN_NOBODY ? 0 : verb->peer];
    struct os_fault_rule rule = {.error = fault->error, .bytes = fault->bytes,
                                 .times = fault->times};

    rule.fd = reactor_descriptor(state->reactor, id);
    if (fault->kind == PLAN_FAULT_HOLD) {
        (void)os_fault_hold(&state->fault, rule.fd, identity_pack(id));
        return;
    }
    rule.call = fault->call == PLAN_CALL_ACCEPT ? OS_FAULT_ACCEPT : OS_FAULT_READ;
    if (fault->call == PLAN_CALL_ACCEPT)
        rule.fd = state->listener;
    (void)os_fault_add(&state->fault, &rule);
}

static void child_adopt(struct child_state *state)
{
    struct identity id;
    int fd = descriptor_receive(state->child->control);

    if (fd >= 0 && reactor_adopt(state->reactor, fd, 0, &id) < 0)
        (void)sys_close(state->sys, fd);
}

static void child_verb(void *arg, const struct sut_verb *verb)
{
    struct child_state *state = arg;

    switch (verb->kind) {
    case SUT_CONSUME:
        app_sink_consume(&state->app, verb->peer, verb->count);
        break;
    case SUT_ADOPT:
        child_adopt(state);
        break;
    case SUT_FAULT:
        child_fault(state, verb);
        break;
    case SUT_STOP:
        reactor_stop(state->reactor);
        break;
    case SUT_VERB_COUNT:
        assert(!"a verb");
    }
}

static void child_takes(void *arg, struct duration duration)
{
    struct child_state *state = arg;

    gatekeeper_takes(&state->keeper, duration);
}

/* --- Free pace --- */

/* A posted word is the number of an order; its verbs are carried out in the local turn. */
static void child_post(struct reactor *r, uint64_t word, void *app)
{
    struct child_state *state = ((struct app_sink *)app)->arg;
    const struct sut_order *order = &state->orders[word % 2];

    (void)r;
    for (uint32_t i = 0; i < order->verb_count; i++) {
        child_verb(state, &order->verbs[i]);
        if (order->verbs[i].kind == SUT_STOP)
            return; /* the next report is that it has stopped */
    }
    gatekeeper_report(&state->keeper, SUT_IDLE, "");
}

static void *child_listen_to_bench(void *arg)
{
    struct child_state *state = arg;
    struct block *block = state->child->block;

    for (;;) {
        while (handover_await(&block->handover, HANDOVER_SUT, DURATION_MS(1000)) < 0)
            continue;
        state->orders[state->orders_taken % 2] = block->order;
        while (reactor_post(state->reactor, state->orders_taken) < 0)
            continue;
        state->orders_taken++;
        /* The reactor's thread answers when the verbs are done. */
        while (atomic_load(&block->handover.turn) == HANDOVER_SUT)
            (void)handover_await(&block->handover, HANDOVER_BENCH, DURATION_MS(1000));
    }
    return NULL;
}

static int child_start_thread(struct child_state *state)
{
    pthread_t thread;
    int rc = pthread_create(&thread, NULL, child_listen_to_bench, state);

    if (rc != 0)
        return -rc;
    (void)pthread_detach(thread);
    gatekeeper_report(&state->keeper, SUT_IDLE, "");
    return 0;
}

/* --- Putting it together --- */

static struct os child_os(struct child_state *state)
{
    const struct child *child = state->child;
    struct os os = os_linux_table(state->linux_os);

    os = os_fault_wrap(&state->fault, os);
    os = os_record_wrap(&state->record, os, block_journal(child->block));
    if (child->plan->pace == PLAN_LOCKSTEP)
        os = os_gate_wrap(&state->gate, os, &gatekeeper_hooks, &state->keeper);
    return os;
}

/* `requeue off`: a quantum that a budget ended leaves the source to the kernel's next notice
 * (W2). */
static void child_make_rules(struct child_state *state)
{
    struct reader_cell *yield = &state->rules.cell[READER_RUNNING][READER_YIELD_ROOM];

    state->rules = reader_rules;
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
        .checks = plan->requeue, /* without it (WAITING, hint 1) is a pair that no rule allows */
    };
    int rc;

    child_make_rules(state);
    state->protocol = (struct reactor_protocol){
        .format = plan->format,
        .capacity = plan->capacity,
        .limits = plan->limits,
        .handlers = &app_sink_handlers,
    };
    rc = reactor_open(&config, child_os(state), &state->reactor);
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
    gatekeeper_report(&state->keeper, SUT_STOPPED, "");
    return 0;
}

int child_run(void *arg)
{
    static struct child_state state;
    const struct child *child = arg;
    const char *step = "reactor";
    int rc;

    state = (struct child_state){.child = child, .listener = -1};
    state.sys = sys_linux_open(&state.kernel, NULL);
    app_sink_init(&state.app, child->plan);
    gatekeeper_init(&state.keeper, child->block, child->plan, child_verb, &state);
    state.app.takes = child_takes;
    state.app.arg = &state;
    if (child->cpu >= 0)
        (void)cpu_pin(child->cpu);
    (void)urgency_raise(URGENCY_SUT);
    rc = os_linux_open(&state.linux_os);
    if (rc == 0)
        rc = child_open_reactor(&state);
    if (rc == 0 && child->family != PLAN_PIPE)
        rc = child_listen(&state, &step);
    return rc < 0 ? child_fail(&state, step, rc) : child_go(&state);
}
