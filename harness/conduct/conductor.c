/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/conductor.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return c->plan->pace == PLAN_LOCKSTEP;
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
    (void)follow_update(&c->follow);
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

static int conductor_verb(struct conductor *c, const struct sut_verb *verb)
{
    if (c->order.verb_count == SUT_VERBS_MAX)
        return failure_set(c->failure, -E2BIG, "more than %d verbs for the sut in one instant",
                           SUT_VERBS_MAX);
    c->order.verbs[c->order.verb_count++] = *verb;
    return 0;
}

/* --- The peers' part --- */

static void conductor_action_failed(struct conductor *c, uint32_t peer, int error)
{
    for (uint32_t i = c->happened->action_count; i-- > 0;) {
        struct happened_action *action = &c->happened->actions[i];

        if (c->plan->statements[action->statement].peer != peer)
            continue;
        if (action->error == 0)
            action->error = error;
        return;
    }
}

static bool conductor_push(struct conductor *c)
{
    bool moved = false;

    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        int rc = peer_push(&c->peers[i]);

        if (rc < 0)
            conductor_action_failed(c, i, -rc);
        c->unsettled[i] |= rc != 0;
        moved |= rc != 0;
    }
    return moved;
}

/* What the peers' settling comes to. */
struct conductor_settling {
    struct conductor *c;
    bool moved;
    int error;
};

/* True when nothing that a peer did is still on its way. */
static bool conductor_arrived(void *arg)
{
    struct conductor_settling *settling = arg;
    struct conductor *c = settling->c;
    bool pending = false;

    settling->moved |= conductor_push(c);
    (void)follow_update(&c->follow);
    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        if (!c->confirming[i] || !c->unsettled[i])
            continue;
        c->answers[i] = confirm_check(&c->confirms[i], c->follow.peers[i].read);
        if (c->answers[i] < 0)
            settling->error = c->answers[i];
        c->unsettled[i] = c->answers[i] != CONFIRM_DONE;
        pending |= c->answers[i] == CONFIRM_PENDING;
    }
    return !pending || settling->error != 0;
}

static int conductor_missing(struct conductor *c)
{
    char text[160] = "a peer's action did not arrive";

    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        if (!c->confirming[i] || c->answers[i] != CONFIRM_PENDING)
            continue;
        confirm_explain(&c->confirms[i], text, sizeof(text));
        break;
    }
    return conductor_over(c, text);
}

/* Pushes and confirms until all has arrived or waits for the sut. 1 when something moved. */
static int conductor_settle_peers(struct conductor *c)
{
    struct conductor_settling settling = {.c = c};
    int rc = c->world.ops->pump(c->world.self, conductor_limit(c, CONDUCTOR_PATIENCE),
                                conductor_arrived, &settling);

    if (rc < 0)
        return rc;
    if (settling.error != 0)
        return failure_set(c->failure, settling.error, "asking what has arrived at the sut");
    if (rc == 0)
        return conductor_missing(c);
    return settling.moved;
}

/* The fixpoint. */
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
    }
}

/* --- Statements --- */

static int conductor_connect_pipe(struct conductor *c, uint32_t peer)
{
    struct sys sys = c->world.ops->sys(c->world.self);
    struct sut_verb verb = {.kind = SUT_ADOPT, .peer = peer};
    int ends[2];
    int rc = sys_pipe(sys, ends);

    if (rc < 0)
        return rc;
    rc = c->sut.ops->give(c->sut.self, ends[0]);
    /* A copy of the sut's end would hide the peer's end from it. */
    (void)sys_close(sys, ends[0]);
    if (rc == 0)
        rc = peer_adopt(&c->peers[peer], ends[1]);
    if (rc < 0) {
        (void)sys_close(sys, ends[1]);
        return rc;
    }
    return conductor_verb(c, &verb);
}

static int conductor_connect_socket(struct conductor *c, uint32_t peer)
{
    struct sockaddr_storage address;
    socklen_t length;
    int rc = c->world.ops->listener(c->world.self, &address, &length);

    if (rc == 0)
        rc = peer_connect(&c->peers[peer], (const struct sockaddr *)&address, length);
    if (rc < 0)
        conductor_action_failed(c, peer, -rc);
    return rc == -ECONNREFUSED ? 0 : rc;
}

static int conductor_connect(struct conductor *c, uint32_t peer)
{
    int rc = c->family == PLAN_PIPE ? conductor_connect_pipe(c, peer)
                                    : conductor_connect_socket(c, peer);

    if (rc < 0)
        return failure_set(c->failure, rc, "%s connect", c->plan->peers[peer].name);
    c->world.ops->confirm(c->world.self, &c->confirms[peer], &c->peers[peer]);
    c->confirming[peer] = true;
    follow_connected(&c->follow, peer);
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
        return conductor_connect(c, s->peer);
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
        assert(!"a peer's verb");
    }
    if (rc < 0)
        conductor_action_failed(c, s->peer, -rc);
    return rc == -ENOMEM ? rc : 0;
}

static int conductor_peer_statement(struct conductor *c, const struct plan_statement *s)
{
    struct happened_action *action = &c->happened->actions[c->happened->action_count++];
    int rc;

    action->statement = (uint32_t)(s - c->plan->statements);
    action->due = instant_add(c->start, (struct duration){s->at.ns});
    action->actual = sys_now(c->world.ops->sys(c->world.self));
    rc = conductor_line_up(c, s);
    if (rc < 0)
        return rc;
    c->unsettled[s->peer] = true;
    rc = conductor_settle_peers(c);
    return rc < 0 ? rc : 0;
}

static bool conductor_holds(void *arg)
{
    struct conductor *c = ((void **)arg)[0];
    const struct plan_statement *s = ((void **)arg)[1];
    struct conductor_settling settling = {.c = c};
    const struct follow_source *source = NULL;

    (void)conductor_arrived(&settling);
    if (s->peer != PLAN_NOBODY)
        source = &c->follow.peers[s->peer];
    switch (s->condition) {
    case PLAN_UNTIL_UNREAD:
        return c->confirms[s->peer].arrived - source->read == s->count;
    case PLAN_UNTIL_BLOCKED:
        return c->answers[s->peer] == CONFIRM_BLOCKED;
    case PLAN_UNTIL_ENDED:
        return source->ended;
    case PLAN_UNTIL_IDLE:
        return conductor_lockstep(c) || settling.moved == false;
    case PLAN_CONDITION_COUNT:
        break;
    }
    assert(!"a condition of the plan");
    return false;
}

static int conductor_wait_until(struct conductor *c, const struct plan_statement *s)
{
    void *arg[2] = {c, (void *)(uintptr_t)s};
    char text[160];
    int rc = conductor_settle(c);

    if (rc < 0 || c->over)
        return rc;
    rc = c->world.ops->pump(c->world.self, conductor_limit(c, CONDUCTOR_PATIENCE),
                            conductor_holds, arg);
    if (rc != 0)
        return rc < 0 ? rc : 0;
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
    struct sut_verb verb = {.peer = s->peer, .count = s->count, .fault = s->fault};

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
    (void)conductor_push(arg);
    return false;
}

/* Lets real time come to script time `at`; peers of a free run go on pushing meanwhile. */
static int conductor_pass_time(struct conductor *c, struct instant at)
{
    struct instant until = instant_add(c->start, (struct duration){at.ns});
    bool free_pace = !conductor_lockstep(c);

    return c->world.ops->pump(c->world.self, until, free_pace ? conductor_keep_pushing : NULL, c);
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

static int conductor_instant(struct conductor *c, const struct plan_statement *s,
                             const struct plan_statement *end)
{
    int rc = conductor_pass_time(c, s->at);

    c->now = s->at;
    c->partial = false;
    for (; rc >= 0 && s < end && !c->over; s++)
        rc = conductor_statement(c, s);
    if (rc < 0 || c->over)
        return rc;
    if (!c->partial)
        rc = conductor_settle(c);
    if (rc < 0)
        return rc;
    return c->world.ops->collect(c->world.self, c->happened->packets, c->failure);
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

/* Free pace: the sut has taken all it can from a peer when it has read every byte and seen the end,
 * or has paused, or has closed. */
static bool conductor_source_done(const struct conductor *c, uint32_t i)
{
    const struct follow_source *source = &c->follow.peers[i];
    const struct peer *peer = &c->peers[i];
    bool ended = peer->state == PEER_SHUT || peer->state == PEER_CLOSED ||
                 peer->state == PEER_RESET || peer->state == PEER_BROKEN;

    if (!c->confirming[i] || source->closed || source->ended)
        return true;
    if (c->answers[i] == CONFIRM_PENDING)
        return false;
    return source->state == READER_PAUSED || (!ended && source->read == peer->bytes_taken);
}

static bool conductor_all_done(void *arg)
{
    struct conductor *c = arg;
    struct conductor_settling settling = {.c = c};

    (void)conductor_arrived(&settling);
    for (uint32_t i = 0; i < c->plan->peer_count; i++)
        if (!conductor_source_done(c, i))
            return false;
    return true;
}

static int conductor_stop(struct conductor *c)
{
    struct sut_verb stop = {.kind = SUT_STOP, .peer = PLAN_NOBODY};
    int rc = 0;

    if (!conductor_lockstep(c))
        rc = c->world.ops->pump(c->world.self, conductor_limit(c, CONDUCTOR_PATIENCE),
                                conductor_all_done, c);
    if (rc >= 0)
        rc = conductor_verb(c, &stop);
    return rc < 0 ? rc : conductor_grant(c, 0, 0);
}

static void conductor_end_sut(struct conductor *c)
{
    char *text;
    enum happened_fate fate = c->sut.ops->finish(c->sut.self, &text);

    (void)follow_update(&c->follow);
    if (c->happened->fate_text) {
        free(text); /* the bench has given up before; that is the reason */
        return;
    }
    c->happened->fate = fate;
    c->happened->fate_text = text;
}

static bool conductor_peers_ended(void *arg)
{
    struct conductor *c = arg;
    bool waiting = false;

    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        struct peer *peer = &c->peers[i];

        if (peer->fd < 0 || c->family == PLAN_PIPE || !peer->connected)
            continue;
        (void)peer_drain(peer);
        waiting |= peer->saw == PLAN_SAW_NOTHING;
    }
    return !waiting;
}

static int conductor_part_peers(struct conductor *c)
{
    int rc = c->world.ops->pump(c->world.self, conductor_limit(c, CONDUCTOR_PARTING),
                                conductor_peers_ended, c);

    return rc < 0 ? rc : c->world.ops->finish(c->world.self, c->happened->packets, c->failure);
}

/* --- What is left in the record --- */

static void conductor_record_peer(struct conductor *c, uint32_t i)
{
    struct peer *peer = &c->peers[i];
    struct happened_peer *record = &c->happened->peers[i];

    *record = (struct happened_peer){
        .peer = i,
        .connected = peer->connected,
        .saw = peer->saw,
        .near = peer->near,
        .far = peer->far,
    };
    record->received_size = peer->received.size;
    record->received = peer->received.data;
    peer->received = (struct peer_bytes){0};
    if (peer_unsent(peer) > 0)
        lines_add(&c->happened->left_over, "%s %zu bytes not sent", peer->name,
                  peer_unsent(peer));
}

/* A SEND may go on long after its instant: what each one brought follows from the peer's total. */
static void conductor_record_sends(struct conductor *c, uint32_t peer)
{
    uint64_t taken = c->peers[peer].bytes_taken;

    for (uint32_t i = 0; i < c->happened->action_count; i++) {
        struct happened_action *action = &c->happened->actions[i];
        const struct plan_statement *s = &c->plan->statements[action->statement];

        if (s->peer != peer || s->verb != PLAN_SEND)
            continue;
        action->bytes = s->bytes.size < taken ? s->bytes.size : taken;
        taken -= action->bytes;
    }
}

static void conductor_record(struct conductor *c)
{
    for (uint32_t i = 0; i < c->plan->peer_count; i++) {
        conductor_record_sends(c, i);
        conductor_record_peer(c, i);
    }
    for (uint32_t i = 0; i < c->follow.connected; i++)
        c->happened->sources[i] = c->follow.order[i];
    c->happened->source_count = c->follow.connected;
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
    rc = conductor_timeline(c);
    c->happened->timeline = instant_since(sys_now(sys), c->start);
    if (rc >= 0 && !c->over)
        rc = conductor_stop(c);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < c->plan->peer_count; i++)
        peer_options_tell(&c->peers[i], &c->happened->notes);
    conductor_end_sut(c);
    rc = conductor_part_peers(c);
    conductor_record(c);
    return rc;
}

void conductor_close(struct conductor *c)
{
    for (uint32_t i = 0; i < c->plan->peer_count; i++)
        peer_free(&c->peers[i]);
}
