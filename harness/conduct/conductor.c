/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/conductor.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/conduct/record.h"
#include "harness/conduct/settle.h"
#include "harness/trail.h"

/* How long a named condition may take before the run is given up. Everything here takes
 * microseconds. */
#define CONDUCTOR_PATIENCE DURATION_MS(5000)
/* How long the peers may take to see the end of a sut that is gone. */
#define CONDUCTOR_PARTING DURATION_MS(2000)

static struct instant conductor_limit(const struct conductor *c, struct duration patience)
{
    return instant_add(sys_now(c->world.ops->sys(c->world.self)), patience);
}

static bool conductor_lockstep(const struct conductor *c)
{
    return c->plan->pace == PLAN_LOCKSTEP || c->world.ops->stepped;
}

/* --- The sut's part of an instant --- */

/* The sut will not go on. What became of it is found out at the end. */
static int conductor_over(struct conductor *c, const char *text)
{
    c->over = true;
    if (text && !c->happened->fate_text) {
        c->happened->fate = HAPPENED_HUNG;
        c->happened->fate_text = strdup(text);
    }
    return 0;
}

/* Hands the sut the verbs that have gathered, with a bound on rounds or quanta or none. */
static int conductor_grant(struct conductor *c, uint32_t rounds, uint32_t quanta)
{
    struct sut_report report;
    int rc;

    c->order.now = c->now;
    c->order.rounds = rounds;
    c->order.quanta = quanta;
    rc = c->sut.ops->grant(c->sut.self, &c->order, &report);
    c->order.verb_count = 0;
    settle_follow(c);
    if (rc == SUT_GONE)
        return conductor_over(c, NULL);
    if (rc == SUT_HUNG)
        return conductor_over(c, "the sut did not come back from its turn");
    if (rc < 0)
        return rc;
    c->deadline = report.deadline;
    if (report.status != SUT_IDLE && report.status != SUT_HELD)
        return conductor_over(c, NULL);
    return 0;
}

/* Verbs that one order does not hold go ahead in orders of their own, without a turn: between them
 * the sut does not move. */
static int conductor_verb(struct conductor *c, const struct sut_verb *verb)
{
    int rc = 0;

    if (c->order.verb_count == SUT_VERBS_MAX) {
        c->order.more = true;
        rc = conductor_grant(c, 0, 0);
        c->order.more = false;
    }
    if (rc < 0 || c->over)
        return rc;
    c->order.verbs[c->order.verb_count++] = *verb;
    return 0;
}

/* --- The peers' part --- */

static int conductor_looked(struct conductor *c, const struct settle *settle)
{
    if (settle->error == 0)
        return 0;
    return failure_set(c->failure, settle->error, "asking what has arrived at the sut");
}

/* What the sut cannot have caused is no part of what happened. 0 or -errno. */
static int conductor_check_peers(struct conductor *c)
{
    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        const struct peer *peer = &c->peers[i];

        if (peer_own_fault(peer))
            return failure_set(c->failure, -peer->error, "%s %s", peer->name, peer->failed_call);
    }
    return 0;
}

/* Waits for a condition of settle.h. 1 when it is true, 0 when the patience is over, -errno. */
static int conductor_await(struct conductor *c, struct settle *settle, bool (*condition)(void *))
{
    int rc;

    settle->conductor = c;
    rc = c->world.ops->pump(c->world.self, conductor_limit(c, CONDUCTOR_PATIENCE), condition,
                            settle);
    if (rc > 0 && conductor_looked(c, settle) < 0)
        return settle->error;
    int fault = rc < 0 ? 0 : conductor_check_peers(c);
    return fault < 0 ? fault : rc;
}

/* Pushes and confirms until all has arrived or waits for the sut. 1 when something moved. */
static int conductor_settle_peers(struct conductor *c)
{
    struct settle settle = {0};
    char text[160];
    int rc = conductor_await(c, &settle, settle_arrived);

    if (rc < 0)
        return rc;
    if (rc > 0)
        return settle.moved;
    settle_explain_arrived(c, text, sizeof(text));
    return conductor_over(c, text);
}

/* Frames that were captured wait in a queue of bounded size. */
static int conductor_collect(struct conductor *c)
{
    return c->world.ops->collect(c->world.self, c->happened->packets, c->failure);
}

/* The fixpoint. What one round moves is bounded by the sockets' buffers, all of it is not. */
static int conductor_settle(struct conductor *c)
{
    for (;;) {
        uint64_t before = c->follow.next;
        int moved = conductor_settle_peers(c);
        int rc;

        if (moved < 0 || c->over || c->held)
            return moved < 0 ? moved : 0;
        if (!conductor_lockstep(c) && c->order.verb_count == 0)
            return 0;
        rc = conductor_grant(c, 0, 0);
        if (rc < 0 || c->over || !conductor_lockstep(c))
            return rc;
        if (c->follow.next == before && !moved)
            return 0;
        rc = conductor_collect(c);
        if (rc < 0)
            return rc;
    }
}

/* --- Statements --- */

static int conductor_connect_pipe(struct conductor *c, const struct plan_statement *s)
{
    struct sys sys = c->world.ops->sys(c->world.self);
    struct sut_verb verb = {.kind = SUT_ADOPT, .peer = s->peer, .line = s->place.line};
    int ends[2];
    int rc = sys_pipe(sys, ends);

    if (rc < 0)
        return rc;
    rc = c->sut.ops->give(c->sut.self, ends[0]);
    /* A copy of the sut's end would hide the peer's end from it. */
    (void)sys_close(sys, ends[0]);
    if (rc == 0)
        rc = peer_adopt(&c->peers[s->peer], ends[1]);
    if (rc < 0) {
        (void)sys_close(sys, ends[1]);
        return rc;
    }
    return conductor_verb(c, &verb);
}

static int conductor_bind(struct conductor *c, uint32_t peer)
{
    struct sockaddr_storage near;
    socklen_t length;
    int rc;

    if (!c->world.ops->caller)
        return 0;
    rc = c->world.ops->caller(c->world.self, peer, &near, &length);
    return rc < 0 ? rc : peer_bind(&c->peers[peer], (const struct sockaddr *)&near, length);
}

static int conductor_connect_socket(struct conductor *c, const struct plan_statement *s)
{
    struct sockaddr_storage address;
    socklen_t length;
    int rc = c->world.ops->listener(c->world.self, &address, &length);

    if (rc == 0)
        rc = conductor_bind(c, s->peer);
    if (rc == 0)
        rc = peer_connect(&c->peers[s->peer], (const struct sockaddr *)&address, length);
    if (rc < 0)
        record_failure(c, s->peer, -rc);
    return rc == -ECONNREFUSED ? 0 : rc;
}

static int conductor_connect(struct conductor *c, const struct plan_statement *s)
{
    const struct peer *peer = &c->peers[s->peer];
    int rc = c->family == PLAN_PIPE ? conductor_connect_pipe(c, s)
                                    : conductor_connect_socket(c, s);

    if (rc < 0)
        return failure_set(c->failure, rc, "%s %s", peer->name,
                           peer->failed_call ? peer->failed_call : "connect");
    c->world.ops->confirm(c->world.self, &c->confirms[s->peer], &c->peers[s->peer]);
    c->confirming[s->peer] = true;
    c->callers[c->caller_count++] = s->peer;
    if (!c->sut.ops->source)
        follow_connected(&c->follow, s->peer);
    return 0;
}

/* Lines a statement of a peer up. The plan's checks have refused what cannot be done; what the
 * kernel refuses because the sut was faster (a broken connection) is part of what happened. */
static int conductor_line_up(struct conductor *c, const struct plan_statement *s)
{
    struct peer *peer = &c->peers[s->peer];
    int rc = 0;

    switch (s->verb) {
    case PLAN_CONNECT:
        return conductor_connect(c, s);
    case PLAN_SEND:
        rc = peer_queue(peer, s->bytes.data, s->bytes.size);
        break;
    case PLAN_SHUTDOWN:
        rc = peer_shutdown(peer, s->how);
        break;
    case PLAN_RESET:
        rc = peer_reset(peer);
        break;
    case PLAN_CLOSE:
        rc = peer_close(peer);
        break;
    default:
        assert(false && "a peer's verb");
    }
    if (rc < 0)
        record_failure(c, s->peer, -rc);
    return rc == -ENOMEM ? rc : 0;
}

static int conductor_peer_statement(struct conductor *c, const struct plan_statement *s)
{
    struct happened_action *action = &c->happened->actions[c->happened->action_count++];
    int rc;

    action->statement = (uint32_t)(s - c->plan->statements);
    action->due = instant_add(c->start, (struct duration){s->at.ns});
    action->free = c->free;
    action->actual = sys_now(c->world.ops->sys(c->world.self));
    rc = conductor_line_up(c, s);
    if (rc < 0)
        return rc;
    c->unsettled[s->peer] = true;
    rc = conductor_settle_peers(c);
    return rc < 0 ? rc : 0;
}

static int conductor_wait_until(struct conductor *c, const struct plan_statement *s)
{
    struct settle settle = {.statement = s};
    char text[160];
    int rc = conductor_settle(c);

    if (rc < 0 || c->over)
        return rc;
    rc = conductor_await(c, &settle, settle_holds);
    if (rc < 0)
        return rc;
    if (settle_sut_over(c))
        return conductor_over(c, NULL);
    if (rc > 0)
        return 0;
    (void)snprintf(text, sizeof(text), "line %u: `%s%swait-until %s` did not come true",
                   s->place.line, s->peer == PLAN_NOBODY ? "" : c->plan->peers[s->peer].name,
                   s->peer == PLAN_NOBODY ? "" : " ", plan_condition_name(s->condition));
    return conductor_over(c, text);
}

/* `sut run`: what has been done so far arrives, and the sut gets a part of a turn. */
static int conductor_part(struct conductor *c, const struct plan_statement *s)
{
    int rc = conductor_settle_peers(c);

    c->partial = true;
    return rc < 0 || c->over ? rc : conductor_grant(c, s->rounds, s->quanta);
}

static int conductor_statement(struct conductor *c, const struct plan_statement *s)
{
    struct sut_verb verb = {
        .line = s->place.line, .peer = s->peer, .count = s->count, .fault = s->fault};

    trail_begin(c->happened->trail, (uint32_t)(s - c->plan->statements));

    switch (s->verb) {
    case PLAN_CONSUME:
        verb.kind = SUT_CONSUME;
        return conductor_verb(c, &verb);
    case PLAN_FAULT:
        verb.kind = SUT_FAULT;
        return conductor_verb(c, &verb);
    case PLAN_RUN:
        return conductor_part(c, s);
    case PLAN_HOLD:
        c->held = true;
        return 0;
    case PLAN_GO:
        c->held = false;
        return 0;
    case PLAN_WAIT_UNTIL:
        return conductor_wait_until(c, s);
    default:
        return conductor_peer_statement(c, s);
    }
}

/* --- Instants --- */

static bool conductor_keep_pushing(void *arg)
{
    (void)settle_push(arg);
    return settle_sut_over(arg);
}

/* Lets real time come to script time `at`; peers of a free run go on pushing meanwhile. */
static int conductor_pass_time(struct conductor *c, struct instant at)
{
    struct instant until = instant_add(c->start, (struct duration){at.ns});
    bool free_pace = !conductor_lockstep(c);
    int rc = c->world.ops->pump(c->world.self, until, free_pace ? conductor_keep_pushing : NULL, c);

    if (rc >= 0 && conductor_check_peers(c) < 0)
        return c->failure->code;
    return rc > 0 ? conductor_over(c, NULL) : rc;
}

/* Deadlines of the sut that come before `at` are instants of their own. */
static int conductor_deadlines(struct conductor *c, struct instant at)
{
    while (conductor_lockstep(c) && !c->over && !c->held && instant_before(c->deadline, at)) {
        int rc = conductor_pass_time(c, c->deadline);

        if (rc < 0)
            return rc;
        c->now = c->deadline;
        c->deadline = INSTANT_NEVER;
        rc = conductor_settle(c);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* One statement of an instant, and then, in a time that is past, whether to go on: an instant of
 * many thousand statements waits for nothing. */
static int conductor_step(struct conductor *c, const struct plan_statement *s)
{
    int rc = conductor_statement(c, s);

    return rc < 0 || c->over ? rc : c->world.ops->pump(c->world.self, c->start, NULL, NULL);
}

static int conductor_instant(struct conductor *c, const struct plan_statement *s,
                             const struct plan_statement *end)
{
    int rc;

    c->free = sys_now(c->world.ops->sys(c->world.self));
    rc = conductor_pass_time(c, s->at);
    c->now = s->at;
    c->partial = false;
    for (; rc >= 0 && s < end && !c->over; s++)
        rc = conductor_step(c, s);
    if (rc < 0 || c->over)
        return rc;
    if (!c->partial)
        rc = conductor_settle(c);
    return rc < 0 ? rc : conductor_collect(c);
}

static int conductor_timeline(struct conductor *c)
{
    const struct plan_statement *s = c->plan->statements;
    const struct plan_statement *last = s + c->plan->statement_count;
    int rc = 0;

    while (rc >= 0 && s < last && !c->over) {
        const struct plan_statement *end = s + 1;

        while (end < last && instant_equal(end->at, s->at))
            end++;
        rc = conductor_deadlines(c, s->at);
        if (rc >= 0 && !c->over)
            rc = conductor_instant(c, s, end);
        s = end;
    }
    return rc;
}

/* --- The end --- */

/* Free pace: before it is stopped the sut is to read what there is. */
static int conductor_read_out(struct conductor *c)
{
    struct settle settle = {0};
    char text[160];
    int rc = conductor_await(c, &settle, settle_read);

    if (rc < 0)
        return rc;
    if (settle_sut_over(c))
        return conductor_over(c, NULL);
    if (rc > 0)
        return 0;
    settle_explain_read(c, text, sizeof(text));
    return conductor_over(c, text);
}

static int conductor_stop(struct conductor *c)
{
    struct sut_verb stop = {.kind = SUT_STOP, .peer = PLAN_NOBODY};
    int rc = conductor_lockstep(c) ? 0 : conductor_read_out(c);

    if (rc >= 0 && !c->over)
        rc = conductor_verb(c, &stop);
    return rc < 0 || c->over ? rc : conductor_grant(c, 0, 0);
}

static void conductor_end_sut(struct conductor *c)
{
    char *text;
    enum happened_fate fate = c->sut.ops->finish(c->sut.self, &text);

    settle_follow(c);
    if (c->sut.ops->left_over)
        c->sut.ops->left_over(c->sut.self, &c->happened->left_over);
    if (c->happened->fate_text) {
        free(text); /* the bench has given up before; that is the reason */
        return;
    }
    c->happened->fate = fate;
    c->happened->fate_text = text;
}

/* True while `peer` may still see how the sut ended its direction. */
static bool conductor_listens(const struct conductor *c, const struct peer *peer)
{
    return peer->fd >= 0 && c->family != PLAN_PIPE && peer->connected && !peer->shut_read &&
           peer->saw == PLAN_SAW_NOTHING;
}

static bool conductor_peers_ended(void *arg)
{
    struct conductor *c = arg;
    bool waiting = false;

    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        int rc = peer_drain(&c->peers[i]);

        /* Nothing more comes of one that cannot be read. */
        waiting |= rc >= 0 && conductor_listens(c, &c->peers[i]);
    }
    return !waiting;
}

/* A sut that has ended has ended its connections; one that was only given up has not. */
static int conductor_part_peers(struct conductor *c)
{
    bool ended = c->happened->fate == HAPPENED_STOPPED || c->happened->fate == HAPPENED_DIED;
    struct duration patience = ended ? CONDUCTOR_PARTING : DURATION_ZERO;
    int rc = c->world.ops->pump(c->world.self, conductor_limit(c, patience),
                                conductor_peers_ended, c);

    if (rc >= 0)
        rc = conductor_check_peers(c);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; ended && i < c->plan->peer_count; i++)
        if (conductor_listens(c, &c->peers[i]))
            lines_add(&c->happened->left_over, "%s saw no end within %d ms of the stop",
                      c->plan->peers[i].name, (int)(CONDUCTOR_PARTING.ns / 1000000));
    return c->world.ops->finish(c->world.self, c->happened->packets, c->failure);
}

/* --- Outside --- */

void conductor_open(struct conductor *c, struct world world, struct sut sut,
                    struct happened *happened, struct failure *failure)
{
    *c = (struct conductor){
        .plan = happened->plan,
        .family = happened->family,
        .world = world,
        .sut = sut,
        .happened = happened,
        .failure = failure,
        .deadline = INSTANT_NEVER,
    };
    for (uint32_t i = 0; i < c->plan->peer_count; i++)
        peer_open(&c->peers[i], world.ops->sys(world.self), c->plan->peers[i].name, c->family,
                  &c->plan->sockets);
    follow_init(&c->follow, sut.ops->journal(sut.self));
}

int conductor_run(struct conductor *c)
{
    struct sys sys = c->world.ops->sys(c->world.self);
    int rc;

    c->start = sys_now(sys);
    c->happened->started = c->start;
    trail_enter(c->happened->trail, TRAIL_TIMELINE);
    rc = conductor_timeline(c);
    trail_enter(c->happened->trail, TRAIL_END);
    c->happened->timeline = instant_since(sys_now(sys), c->start);
    if (rc >= 0 && !c->over)
        rc = conductor_stop(c);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < c->plan->peer_count; i++)
        peer_options_tell(&c->peers[i], &c->happened->notes);
    conductor_end_sut(c);
    rc = conductor_part_peers(c);
    record_end(c);
    return rc;
}

void conductor_close(struct conductor *c)
{
    for (uint32_t i = 0; i < c->plan->peer_count; i++)
        peer_free(&c->peers[i]);
}
