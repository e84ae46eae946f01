/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/subject.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/peer_options.h"
#include "harness/sut/address.h"

/* --- The listener --- */

static int subject_listen(struct subject *subject, const char **ret_step)
{
    const struct subject_config *config = &subject->config;
    struct sockaddr_storage address;
    socklen_t length;
    int rc = address_sut(config->family, &address, &length);
    int fd;

    *ret_step = "listener";
    if (rc < 0)
        return rc;
    fd = sys_socket(config->sys, address.ss_family, SOCK_STREAM, 0);
    if (fd < 0)
        return fd;
    rc = peer_options_set(config->sys, fd, config->family, &config->plan->sockets, ret_step);
    if (rc < 0)
        return rc;
    *ret_step = "bind";
    rc = sys_bind(config->sys, fd, (const struct sockaddr *)&address, length);
    if (rc < 0)
        return rc;
    *ret_step = "listen";
    rc = sys_listen(config->sys, fd, (int)config->plan->backlog);
    if (rc < 0)
        return rc;
    *ret_step = "listener into service";
    return reactor_listen(subject->reactor, fd, 0, &subject->listener);
}

/* --- Sources --- */

/* A line of the script cannot be carried out, and without it nothing means what it should. */
static _Noreturn void subject_give_up(struct subject *subject, uint32_t line, const char *what,
                                    int rc)
{
    char text[160];

    (void)snprintf(text, sizeof(text), "line %u: %s: %s", line, what, strerror(-rc));
    gatekeeper_end(&subject->keeper, SUT_FAILED, text);
}

/* Before the row of the source is written, so that the bench knows it when it reads that. */
static void subject_heard(void *arg, uint32_t peer)
{
    struct subject *subject = arg;

    if (peer >= subject->config.plan->peer_count)
        gatekeeper_end(&subject->keeper, SUT_FAILED, "a connection of nobody's came");
    if (subject->config.block->sources.count == subject->config.plan->peer_count)
        gatekeeper_end(&subject->keeper, SUT_FAILED, "more connections than peers came");
    subject->caller = peer;
    block_source(subject->config.block, peer);
}

static uint32_t subject_caller(void *arg)
{
    return ((struct subject *)arg)->caller;
}

/* Arms the faults of `peer` that wait, if there is something to arm them on. */
static void subject_arm(struct subject *subject, uint32_t peer)
{
    struct identity id = peer == PLAN_NOBODY ? subject->listener : subject->app.ids[peer];
    int fd = reactor_descriptor(subject->reactor, id);
    uint32_t line = 0;
    int rc = 0;

    if (fd >= 0)
        rc = faults_arm(&subject->faults, peer, fd, identity_pack(id), &line);
    if (rc < 0)
        subject_give_up(subject, line, "fault", rc);
}

static void subject_in_service(void *arg, uint32_t peer)
{
    subject_arm(arg, peer);
}

/* --- Verbs, on the reactor's thread --- */

static const char *subject_name(const struct subject *subject, uint32_t peer)
{
    return subject->config.plan->peers[peer].name;
}

static void subject_consume(struct subject *subject, const struct sut_verb *verb)
{
    uint32_t done = app_sink_consume(&subject->app, verb->peer, verb->count);

    if (done < verb->count)
        remarks_add(&subject->config.block->remarks, "line %u: sut consume %s: %u of %u given back",
                    verb->line, subject_name(subject, verb->peer), done, verb->count);
}

static void subject_fault(struct subject *subject, const struct sut_verb *verb)
{
    int rc = faults_add(&subject->faults, verb);

    if (rc < 0)
        subject_give_up(subject, verb->line, "fault", rc);
    subject_arm(subject, verb->peer);
}

static void subject_adopt(struct subject *subject, const struct sut_verb *verb)
{
    struct identity id;
    int fd = subject->config.receive(subject->config.arg);
    int rc = fd;

    if (fd >= 0) {
        subject_heard(subject, verb->peer);
        rc = reactor_adopt(subject->reactor, fd, 0, &id);
    }
    if (rc < 0)
        subject_give_up(subject, verb->line, "adopt", rc);
}

static void subject_verb(void *arg, const struct sut_verb *verb)
{
    struct subject *subject = arg;

    switch (verb->kind) {
    case SUT_CONSUME:
        subject_consume(subject, verb);
        break;
    case SUT_ADOPT:
        subject_adopt(subject, verb);
        break;
    case SUT_FAULT:
        subject_fault(subject, verb);
        break;
    case SUT_STOP:
        reactor_stop(subject->reactor);
        break;
    case SUT_VERB_COUNT:
        assert(false && "a verb");
    }
}

static void subject_takes(void *arg, struct duration duration)
{
    struct subject *subject = arg;

    gatekeeper_takes(&subject->keeper, duration);
}

static void subject_fell_short(void *arg, const struct plan_reaction *reaction, uint32_t done)
{
    struct subject *subject = arg;
    struct remarks *remarks = &subject->config.block->remarks;
    const char *target = subject_name(subject, reaction->target);

    if (reaction->action == PLAN_DO_CONSUME)
        remarks_add(remarks, "line %u: consume %s: %u of %u given back", reaction->place.line,
                    target, done, reaction->count);
    else
        remarks_add(remarks, "line %u: close %s: it is not in service", reaction->place.line,
                    target);
}

/* A script that waits for what never comes tests nothing there. */
static void subject_tell_idle_reactions(struct subject *subject)
{
    const struct plan *plan = subject->config.plan;

    for (uint32_t i = 0; i < plan->reaction_count; i++)
        if (!app_sink_happened(&subject->app, &plan->reactions[i]))
            remarks_add(&subject->config.block->remarks, "line %u: this reaction never happened",
                        plan->reactions[i].place.line);
}

static int subject_accept(void *arg, int fd, struct sockaddr_storage *ret_address,
                          socklen_t *ret_length)
{
    const struct subject_config *config = &((struct subject *)arg)->config;

    return config->accept(config->arg, fd, ret_address, ret_length);
}

static void subject_rest(void *arg)
{
    const struct subject_config *config = &((struct subject *)arg)->config;

    config->rest(config->arg);
}

/* --- Free pace: the order of a word that was posted --- */

/* The bench waits for the answer, so the order stays as it is until then. */
static void subject_post(struct reactor *r, uint64_t word, void *app)
{
    struct subject *subject = ((struct app_sink *)app)->arg;
    const struct sut_order *order = &subject->config.block->order;

    (void)r;
    (void)word;
    for (uint32_t i = 0; i < order->verb_count; i++) {
        subject_verb(subject, &order->verbs[i]);
        if (order->verbs[i].kind == SUT_STOP)
            return; /* the next report is that it has stopped */
    }
    gatekeeper_answer(&subject->keeper);
}

/* --- Putting it together --- */

static int subject_os(struct subject *subject, struct os *ret_os)
{
    const struct subject_config *config = &subject->config;
    struct os os = callers_wrap(&subject->callers, config->os, subject_heard, subject);
    int rc;

    if (config->accept)
        subject->callers.accept = subject_accept;
    rc = faults_open(&subject->faults, os, config->plan, &config->block->remarks, &os);
    if (rc < 0)
        return rc;
    os = spoiler_wrap(&subject->spoiler, defects_spoiler(config->defect), os, &subject->reactor);
    os = os_record_wrap(&subject->record, os, block_journal(config->block));
    if (config->free_pace)
        *ret_os = turnstile_wrap(&subject->turnstile, os, &subject->keeper);
    else
        *ret_os = os_gate_wrap(&subject->gate, os, &gatekeeper_hooks, &subject->keeper);
    return 0;
}

/* `requeue off`: a quantum that a budget ended leaves the source to the kernel's next notice
 * (W2). */
static void subject_make_rules(struct subject *subject)
{
    struct reader_cell *yield = &subject->rules.cell[READER_RUNNING][READER_YIELD_ROOM];

    subject->rules = reader_rules;
    defects_change_rules(subject->config.defect, &subject->rules);
    if (subject->config.plan->requeue)
        return;
    yield->next = READER_WAITING;
    yield->queue = READER_QUEUE_KEEP;
}

static int subject_open_reactor(struct subject *subject)
{
    const struct plan *plan = subject->config.plan;
    struct reactor_config config = {
        .slots = plan->peer_count + 2, /* the listener, and one free, so that it sees EAGAIN */
        .collect = plan->collect,
        .trigger = subject->config.trigger,
        .rules = &subject->rules,
        .protocols = &subject->protocol,
        .protocol_count = 1,
        .journal = block_journal(subject->config.block),
        .inbox = 16,
        .post = subject_post,
        .app = &subject->app,
        /* Without requeueing (WAITING, hint 1) is a pair that no rule allows; what comes of a
         * defect is to be seen, not stopped. */
        .checks = plan->requeue && subject->config.defect == DEFECTS_NONE,
    };
    struct os os;
    int rc = subject_os(subject, &os);

    if (rc < 0)
        return rc;
    subject_make_rules(subject);
    subject->protocol = (struct reactor_protocol){
        .format = plan->format,
        .capacity = plan->capacity,
        .limits = plan->limits,
        .handlers = &app_sink_handlers,
    };
    defects_change_protocol(subject->config.defect, &subject->protocol);
    rc = reactor_open(&config, os, &subject->reactor);
    if (rc < 0)
        return rc;
    subject->app.reactor = subject->reactor;
    subject->keeper.reactor = subject->reactor;
    return 0;
}

static void subject_make_app(struct subject *subject)
{
    app_sink_init(&subject->app, subject->config.plan);
    subject->app.takes = subject_takes;
    subject->app.caller = subject_caller;
    subject->app.in_service = subject_in_service;
    subject->app.fell_short = subject_fell_short;
    subject->app.arg = subject;
}

/* --- Outside --- */

void subject_init(struct subject *subject, const struct subject_config *config)
{
    *subject = (struct subject){.config = *config, .listener = IDENTITY_NONE};
    subject_make_app(subject);
    gatekeeper_init(&subject->keeper, config->block, config->plan, subject_verb, subject);
    if (config->rest)
        subject->keeper.rest = subject_rest;
    defects_switch(config->defect);
}

int subject_open(struct subject *subject, const char **ret_step)
{
    int rc;

    *ret_step = "reactor";
    rc = subject_open_reactor(subject);
    if (rc == 0 && subject->config.family != PLAN_PIPE)
        rc = subject_listen(subject, ret_step);
    return rc;
}

int subject_run(struct subject *subject)
{
    int rc = reactor_run(subject->reactor);

    if (rc < 0)
        return subject_fail(subject, "the reactor gave up", rc);
    faults_close(&subject->faults);
    subject_tell_idle_reactions(subject);
    gatekeeper_report(&subject->keeper, SUT_STOPPED, "");
    return 0;
}

int subject_fail(struct subject *subject, const char *step, int rc)
{
    char text[160];

    (void)snprintf(text, sizeof(text), "%s: %s", step, strerror(-rc));
    gatekeeper_report(&subject->keeper, SUT_FAILED, text);
    return rc;
}

void subject_close(struct subject *subject)
{
    if (subject->reactor)
        reactor_free(subject->reactor);
    free(subject->faults.rules);
    *subject = (struct subject){0};
}
