/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/plan_check.h"

#include "harness/script/setting.h"

#define BIT_IP    (1u << PLAN_IPV4 | 1u << PLAN_IPV6)
#define BIT_LOCAL (1u << PLAN_UNIX | 1u << PLAN_PIPE)

static void check_topology(struct draft *draft)
{
    static const enum setting of_sockets[] = {SETTING_RCVBUF, SETTING_SNDBUF, SETTING_CONGESTION,
                                              SETTING_BACKLOG};
    const struct plan *plan = &draft->plan;

    if (plan->families & BIT_IP && !draft_said(draft->link))
        mistakes_add(draft->mistakes, draft->family,
                     "families ipv4 and ipv6 need a link; write 'link sut peer' in topology");
    if (plan->families != 1u << PLAN_PIPE)
        return;
    for (size_t i = 0; i < sizeof(of_sockets) / sizeof(of_sockets[0]); i++)
        if (draft_said(setting_place(draft, of_sockets[i])))
            mistakes_add(draft->mistakes, setting_place(draft, of_sockets[i]),
                         "family pipe has no sockets; leave the lines socket and backlog away");
}

/* Frames: header, payload and capacity, all or none, and each fits the next. */
static void check_frames(struct draft *draft)
{
    const struct plan *plan = &draft->plan;
    struct plan_place header = setting_place(draft, SETTING_HEADER);
    struct plan_place payload = setting_place(draft, SETTING_PAYLOAD);
    struct plan_place capacity = setting_place(draft, SETTING_CAPACITY);

    if (draft_said(header) != draft_said(payload))
        mistakes_add(draft->mistakes, draft_said(header) ? header : payload,
                     "half a frame format; write 'frame header=N payload=BYTES'");
    else if (draft_said(header) && !frame_format_valid(&plan->format))
        mistakes_add(draft->mistakes, payload,
                     "frame.payload: %u bytes do not fit a header of %u; write a smaller payload "
                     "or a larger header",
                     plan->format.payload_max, plan->format.header);
    else if (draft_said(header) && !draft_said(capacity))
        mistakes_add(draft->mistakes, header,
                     "frames need a capacity; write 'capacity %u' or more in reactor",
                     frame_size_max(&plan->format));
    else if (!draft_said(header) && draft_said(capacity))
        mistakes_add(draft->mistakes, capacity,
                     "a capacity without frames; write 'frame header=N payload=BYTES', or leave it "
                     "away");
    else if (draft_said(header) && frame_size_max(&plan->format) > plan->capacity)
        mistakes_add(draft->mistakes, capacity,
                     "the largest frame (%u bytes) does not fit the capacity %u; write %u or more",
                     frame_size_max(&plan->format), plan->capacity, frame_size_max(&plan->format));
}

/* The settings that need another one. */
static void check_settings(struct draft *draft)
{
    const struct plan *plan = &draft->plan;

    if (plan->format.header == 0 && plan->limits.frames > 0)
        mistakes_add(draft->mistakes, setting_place(draft, SETTING_FRAMES),
                     "a budget of frames without frames; write 'frame header=N payload=BYTES', or "
                     "leave frames= away");
    if (plan->format.header == 0 && plan->consume == PLAN_CONSUME_MANUAL)
        mistakes_add(draft->mistakes, setting_place(draft, SETTING_CONSUME),
                     "consume=manual gives frames back; write 'frame header=N payload=BYTES', or "
                     "leave it away");
    if (plan->pace == PLAN_FREE && plan->compare == PLAN_EXACT)
        mistakes_add(draft->mistakes, setting_place(draft, SETTING_PACE),
                     "free pace has no exact rows; write 'compare streams' too");
}

static void check_peers(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->plan.peer_count; i++) {
        unsigned lost = draft->plan.families & ~draft_kind_families(draft->kinds[i]);

        if (lost != 0)
            mistakes_add(draft->mistakes, draft->peers[i].place,
                         "peer %s is %s, which family %s cannot carry; write %s",
                         draft->peers[i].name, draft_kind_name(draft->kinds[i]),
                         plan_family_name((enum plan_family)__builtin_ctz(lost)),
                         draft->plan.families == 1u << PLAN_PIPE ? "pipe"
                         : lost & 1u << PLAN_PIPE                ? "another family"
                                                                 : "stream");
    }
}

/* What a peer has done so far; places of line 0 and column 0 are still to come. */
struct life {
    struct plan_place connected;
    struct plan_place write_shut;
    struct plan_place closed;
};

struct timeline {
    struct draft *draft;
    struct life lives[PLAN_PEERS_MAX];
    struct plan_place held; /* the last hold without a go */
};

/* Whether the peer is connected; statements of its own also need it to be open. */
static bool check_alive(struct timeline *timeline, const struct plan_statement *statement,
                        bool open)
{
    struct mistakes *mistakes = timeline->draft->mistakes;
    const char *name = timeline->draft->peers[statement->peer].name;
    const struct life *life = &timeline->lives[statement->peer];

    if (!draft_said(life->connected))
        mistakes_add(mistakes, statement->place,
                     "%s has not connected; write 'TIME %s connect' before", name, name);
    else if (open && draft_said(life->closed))
        mistakes_add(mistakes, statement->place, "%s is closed since line %u; write this before it",
                     name, life->closed.line);
    else
        return true;
    return false;
}

static void check_connect(struct timeline *timeline, const struct plan_statement *statement)
{
    struct life *life = &timeline->lives[statement->peer];

    if (draft_said(life->connected))
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "%s connects twice; use another peer, the first is in line %u",
                     timeline->draft->peers[statement->peer].name, life->connected.line);
    else
        life->connected = statement->place;
}

static bool check_writing(struct timeline *timeline, const struct plan_statement *statement)
{
    const struct life *life = &timeline->lives[statement->peer];

    if (!check_alive(timeline, statement, true))
        return false;
    if (draft_said(life->write_shut))
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "%s has shut its write direction in line %u; write this before it",
                     timeline->draft->peers[statement->peer].name, life->write_shut.line);
    return !draft_said(life->write_shut);
}

static void check_send(struct timeline *timeline, const struct plan_statement *statement)
{
    (void)check_writing(timeline, statement);
}

static void check_shutdown(struct timeline *timeline, const struct plan_statement *statement)
{
    bool reading = statement->how == PLAN_HOW_READ;

    if (timeline->draft->plan.families & 1u << PLAN_PIPE)
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "a pipe cannot be shut down; write 'TIME PEER close'");
    else if (reading)
        (void)check_alive(timeline, statement, true);
    else if (check_writing(timeline, statement))
        timeline->lives[statement->peer].write_shut = statement->place;
}

static void check_close(struct timeline *timeline, const struct plan_statement *statement)
{
    if (check_alive(timeline, statement, true))
        timeline->lives[statement->peer].closed = statement->place;
}

static void check_reset(struct timeline *timeline, const struct plan_statement *statement)
{
    unsigned local = timeline->draft->plan.families & BIT_LOCAL;

    if (local)
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "family %s knows no reset; write 'TIME PEER close', or only ipv4 and ipv6",
                     plan_family_name((enum plan_family)__builtin_ctz(local)));
    else
        check_close(timeline, statement);
}

/* Whether the script says when frames are given back; a statement or reaction at `place` does. */
static bool check_manual(struct draft *draft, struct plan_place place)
{
    if (draft->plan.format.header > 0 && draft->plan.consume == PLAN_CONSUME_MANUAL)
        return true;
    mistakes_add(draft->mistakes, place,
                 "nothing to consume; write 'frame header=N payload=BYTES' "
                 "and 'app sink consume=manual' in reactor");
    return false;
}

static void check_consume(struct timeline *timeline, const struct plan_statement *statement)
{
    if (check_manual(timeline->draft, statement->place))
        (void)check_alive(timeline, statement, false);
}

static void check_lockstep(struct timeline *timeline, const struct plan_statement *statement)
{
    if (timeline->draft->plan.pace == PLAN_FREE)
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "free pace grants nothing; leave '%s' away, or write 'pace lockstep'",
                     plan_verb_name(statement->verb));
}

/* What a held sut cannot do. */
static void check_not_held(struct timeline *timeline, const struct plan_statement *statement)
{
    if (draft_said(timeline->held))
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "the sut is held since line %u; write 'TIME sut go' before",
                     timeline->held.line);
}

static void check_hold(struct timeline *timeline, const struct plan_statement *statement)
{
    check_lockstep(timeline, statement);
    check_not_held(timeline, statement);
    timeline->held = statement->place;
}

static void check_go(struct timeline *timeline, const struct plan_statement *statement)
{
    check_lockstep(timeline, statement);
    if (!draft_said(timeline->held))
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "nothing is held; write 'TIME sut hold' before");
    timeline->held = (struct plan_place){0};
}

static void check_run(struct timeline *timeline, const struct plan_statement *statement)
{
    check_lockstep(timeline, statement);
    check_not_held(timeline, statement);
}

/* What can come true without the sut: what its kernel holds. */
static bool needs_sut(enum plan_condition condition)
{
    return condition != PLAN_UNTIL_UNREAD && condition != PLAN_UNTIL_BLOCKED;
}

static void check_wait(struct timeline *timeline, const struct plan_statement *statement)
{
    if (statement->condition == PLAN_UNTIL_IDLE && timeline->draft->plan.pace == PLAN_FREE)
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "nobody knows when a sut at free pace is idle; wait for a peer, or write "
                     "'pace lockstep'");
    else if (needs_sut(statement->condition))
        check_not_held(timeline, statement);
    if (statement->peer != PLAN_NOBODY)
        (void)check_alive(timeline, statement, false);
}

/* A fault is a rule, and may be there before its peer is. */
static void check_fault(struct timeline *timeline, const struct plan_statement *statement)
{
    if (statement->fault.call == PLAN_CALL_ACCEPT &&
        timeline->draft->plan.families & 1u << PLAN_PIPE)
        mistakes_add(timeline->draft->mistakes, statement->place,
                     "family pipe accepts nothing; write a fault of read");
}

static void (*const checks[])(struct timeline *timeline, const struct plan_statement *statement) = {
    [PLAN_CONNECT] = check_connect,   [PLAN_SEND] = check_send,       [PLAN_RESET] = check_reset,
    [PLAN_SHUTDOWN] = check_shutdown, [PLAN_CLOSE] = check_close,     [PLAN_RUN] = check_run,
    [PLAN_CONSUME] = check_consume,   [PLAN_HOLD] = check_hold,       [PLAN_GO] = check_go,
    [PLAN_FAULT] = check_fault,       [PLAN_WAIT_UNTIL] = check_wait,
};

_Static_assert(sizeof(checks) / sizeof(checks[0]) == PLAN_VERB_COUNT, "one check per verb");

static void check_timeline(struct draft *draft)
{
    struct timeline timeline = {.draft = draft};

    for (uint32_t i = 0; i < draft->plan.statement_count; i++)
        checks[draft->statements[i].verb](&timeline, &draft->statements[i]);
    if (draft_said(timeline.held))
        mistakes_add(draft->mistakes, timeline.held,
                     "the sut is held for ever; write 'TIME sut go' later");
    for (uint32_t i = 0; i < draft->plan.peer_count; i++)
        if (!draft_said(timeline.lives[i].connected))
            mistakes_add(draft->mistakes, draft->peers[i].place,
                         "peer %s never connects; write 'TIME %s connect', or leave it away",
                         draft->peers[i].name, draft->peers[i].name);
}

static bool same_reaction(const struct plan_reaction *a, const struct plan_reaction *b)
{
    return a->peer == b->peer && a->on == b->on && a->number == b->number &&
           a->action == b->action && a->target == b->target;
}

static void check_reaction(struct draft *draft, uint32_t i)
{
    const struct plan_reaction *reaction = &draft->reactions[i];
    bool framed = draft->plan.format.header > 0;

    if (reaction->on == PLAN_ON_FRAME && !framed)
        mistakes_add(draft->mistakes, reaction->place,
                     "there are no frames; write 'on PEER data N', or 'frame header=N "
                     "payload=BYTES' in reactor");
    if (reaction->on == PLAN_ON_DATA && framed)
        mistakes_add(draft->mistakes, reaction->place,
                     "data comes as frames here; write 'on PEER frame N'");
    if (reaction->action == PLAN_DO_CONSUME)
        (void)check_manual(draft, reaction->place);
    if (reaction->action == PLAN_DO_TAKES && draft->plan.pace == PLAN_FREE)
        mistakes_add(draft->mistakes, reaction->place,
                     "takes is script time, and free pace has none; leave it away, or write "
                     "'pace lockstep'");
    for (uint32_t k = 0; k < i; k++)
        if (same_reaction(&draft->reactions[k], reaction)) {
            (void)draft_once(draft, &draft->reactions[k].place, reaction->place, "this reaction");
            return;
        }
}

static void check_claim_frames(struct draft *draft, const struct plan_expect *expect)
{
    for (uint32_t i = 0; i < expect->item_count; i++)
        if (expect->items[i].size > draft->plan.format.payload_max)
            mistakes_add(draft->mistakes, expect->place,
                         "frame %u has %zu bytes, above frame payload=%u; expect a shorter one",
                         i + 1, expect->items[i].size, draft->plan.format.payload_max);
}

/* An expectation that speaks of frames. */
static bool needs_frames(const struct plan_expect *expect)
{
    switch (expect->kind) {
    case PLAN_EXPECT_FRAMES:
    case PLAN_EXPECT_PEAK:
    case PLAN_EXPECT_HELD:
        return true;
    case PLAN_EXPECT_END:
        return expect->outcome == READER_END_TRUNCATED || expect->outcome == READER_END_OVERSIZE;
    default:
        return false;
    }
}

static void check_claim(struct draft *draft, const struct plan_expect *expect)
{
    bool framed = draft->plan.format.header > 0;
    const char *name = plan_expect_name(expect->kind);

    if (needs_frames(expect) && !framed)
        mistakes_add(draft->mistakes, expect->place,
                     "'%s' speaks of frames, and there are none; write 'frame header=N "
                     "payload=BYTES' in reactor",
                     name);
    else if (expect->kind == PLAN_EXPECT_BYTES && framed)
        mistakes_add(draft->mistakes, expect->place,
                     "data comes as frames here; write 'PEER frames'");
    else if (expect->kind == PLAN_EXPECT_FRAMES)
        check_claim_frames(draft, expect);
    else if ((expect->kind == PLAN_EXPECT_PEAK || expect->kind == PLAN_EXPECT_HELD) &&
             expect->value > draft->plan.capacity)
        mistakes_add(draft->mistakes, expect->place, "%s is above the capacity; expect at most %u",
                     name, draft->plan.capacity);
    else if (expect->kind == PLAN_EXPECT_HELD && expect->value > 0 &&
             draft->plan.consume == PLAN_CONSUME_AUTO)
        mistakes_add(draft->mistakes, expect->place,
                     "nothing is held when frames are given back at once; write 'app sink "
                     "consume=manual' in reactor");
}

static void check_expects(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->plan.expect_count; i++) {
        const struct plan_expect *expect = &draft->expects[i];

        check_claim(draft, expect);
        for (uint32_t k = 0; k < i; k++)
            if (draft->expects[k].peer == expect->peer && draft->expects[k].kind == expect->kind &&
                draft->expects[k].triggers & expect->triggers) {
                (void)draft_once(draft, &draft->expects[k].place, expect->place,
                                 plan_expect_name(expect->kind));
                break;
            }
    }
}

/* Without these nothing else can be judged. */
static bool check_complete(struct draft *draft)
{
    const struct plan *plan = &draft->plan;
    const char *missing = plan->families == 0     ? "no family; write 'family ipv4' in topology"
                          : plan->triggers == 0   ? "no trigger; write 'trigger et' in reactor"
                          : plan->peer_count == 0 ? "no peer; write 'NAME tcp' in peers"
                          : plan->statement_count == 0 ? "no statement; write one in timeline"
                          : plan->expect_count == 0    ? "no expectation; write one in expect"
                                                       : NULL;

    if (missing)
        mistakes_add(draft->mistakes, draft->end, "%s", missing);
    return !missing;
}

/* In stages: what is wrong in one would only be told again by the next. */
void plan_check_all(struct draft *draft)
{
    size_t before = draft->mistakes->lines.count;

    if (!check_complete(draft))
        return;
    check_topology(draft);
    check_frames(draft);
    check_peers(draft);
    if (draft->mistakes->lines.count == before)
        check_settings(draft);
    if (draft->mistakes->lines.count > before)
        return;
    check_timeline(draft);
    for (uint32_t i = 0; i < draft->plan.reaction_count; i++)
        check_reaction(draft, i);
    check_expects(draft);
}
