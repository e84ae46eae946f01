/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/peers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/cause.h"
#include "harness/ledger/expects.h"
#include "harness/ledger/lateness.h"
#include "harness/ledger/parting.h"
#include "harness/ledger/quote.h"
#include "harness/ledger/sent.h"
#include "harness/ledger/unread.h"
#include "harness/memory.h"

#define RECEIVED_SHOWN 32
#define TIME_COLUMN    45

static const char *peer_name(const struct happened *happened, uint32_t peer)
{
    return peer < happened->plan->peer_count ? happened->plan->peers[peer].name : "?";
}

static void tell_action(const struct happened *happened, const struct happened_action *action,
                        struct lines *rows)
{
    const struct plan_statement *statement = &happened->plan->statements[action->statement];
    char text[CAUSE_TEXT_MAX], came[64] = "", row[CAUSE_TEXT_MAX + 64], due[32];
    const char *error = strerrorname_np(action->error);

    cause_statement(happened->plan, statement, text);
    cause_time(statement->at, due, sizeof(due));
    if (statement->verb == PLAN_SEND)
        (void)snprintf(came, sizeof(came), " = %" PRIu64 "%s%s", action->bytes,
                       action->error ? " " : "", action->error && error ? error : "");
    else if (action->error)
        (void)snprintf(came, sizeof(came), " = %s", error ? error : "?");
    (void)snprintf(row, sizeof(row), "%s%s", text, came);
    lines_add(rows, "%-*s due %-7s late %" PRId64 "us", TIME_COLUMN - 1, row, due,
              lateness_of_action(action).ns / 1000);
}

static void tell_peer(const struct happened *happened, const struct happened_peer *peer,
                      struct lines *rows)
{
    const char *name = peer_name(happened, peer->peer);
    char text[QUOTE_SIZE(RECEIVED_SHOWN)];

    quote_bytes(peer->received, peer->received_size, RECEIVED_SHOWN, text);
    lines_add(rows, "%s received %zu%s%s", name, peer->received_size,
              peer->received_size ? " " : "", peer->received_size ? text : "");
    lines_add(rows, "%s saw %s", name, plan_saw_name(peer->saw));
}

void peers_tell(const struct happened *happened, struct lines *ret_rows)
{
    for (uint32_t i = 0; i < happened->action_count; i++)
        tell_action(happened, &happened->actions[i], ret_rows);
    for (uint32_t i = 0; i < happened->peer_count; i++)
        tell_peer(happened, &happened->peers[i], ret_rows);
}

static bool by_peer(const struct plan_statement *statement)
{
    return statement->verb <= PLAN_CLOSE && statement->peer != PLAN_NOBODY;
}
_Static_assert(PLAN_CONNECT == 0 && PLAN_CLOSE < PLAN_CONSUME, "a peer's verbs come first");

/* True when the script says that the sut resets this peer: then its sends may fail. */
static bool reset_expected(const struct happened *happened, uint32_t peer)
{
    const struct plan *plan = happened->plan;

    for (uint32_t i = 0; i < plan->expect_count; i++) {
        const struct plan_expect *expect = &plan->expects[i];

        if (expect->kind == PLAN_EXPECT_SAW && expect->saw == PLAN_SAW_RESET &&
            expect->peer == peer && expect->triggers & 1u << happened->trigger)
            return true;
    }
    return false;
}

/* The ways in which a statement goes wrong, and what is said of those that are only counted. */
#define WRONGS(X)                         \
    X(FAILED, "failed")                   \
    X(PARTLY, "were taken in part")       \
    X(NEVER, "were not carried out")

enum wrong {
#define X(name, text) WRONG_##name,
    WRONGS(X)
#undef X
        WRONG_COUNT
};

static const char *const wrong_names[] = {
#define X(name, text) [WRONG_##name] = text,
    WRONGS(X)
#undef X
};
_Static_assert(sizeof(wrong_names) / sizeof(*wrong_names) == WRONG_COUNT, "a name each");

/* What went wrong so far: a line of the script may stand for thousands of statements. */
struct wrongs {
    const struct happened *happened;
    struct lines *lines;
    uint32_t line_count;
    uint32_t (*of_line)[WRONG_COUNT];
};

static void wrongs_begin(struct wrongs *wrongs, const struct happened *happened,
                         struct lines *lines)
{
    const struct plan *plan = happened->plan;

    *wrongs = (struct wrongs){.happened = happened, .lines = lines};
    for (uint32_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].place.line >= wrongs->line_count)
            wrongs->line_count = plan->statements[i].place.line + 1;
    wrongs->of_line = memory_zeroed(wrongs->line_count, sizeof(*wrongs->of_line));
}

/* Counts one in; whether it is to be told in full. */
static bool wrongs_tell(struct wrongs *wrongs, const struct plan_statement *statement,
                        enum wrong wrong)
{
    return ++wrongs->of_line[statement->place.line][wrong] <= PEERS_ALIKE_TOLD;
}

static void wrongs_end(struct wrongs *wrongs)
{
    for (uint32_t line = 0; line < wrongs->line_count; line++)
        for (enum wrong i = 0; i < WRONG_COUNT; i++)
            if (wrongs->of_line[line][i] > PEERS_ALIKE_TOLD)
                lines_add(wrongs->lines, "%s:%u: ... and %u more alike that %s",
                          wrongs->happened->plan->file, line,
                          wrongs->of_line[line][i] - PEERS_ALIKE_TOLD, wrong_names[i]);
    free(wrongs->of_line);
}

static void check_action(struct wrongs *wrongs, const struct happened_action *action)
{
    const struct happened *happened = wrongs->happened;
    const struct plan *plan = happened->plan;
    const struct plan_statement *statement = &plan->statements[action->statement];
    char text[CAUSE_TEXT_MAX];
    bool whole = statement->verb != PLAN_SEND || action->bytes == statement->bytes.size;
    const char *error = strerrorname_np(action->error);

    if ((whole && action->error == 0) || reset_expected(happened, statement->peer))
        return;
    cause_statement(plan, statement, text);
    if (action->error && wrongs_tell(wrongs, statement, WRONG_FAILED))
        lines_add(wrongs->lines, "%s:%u: %s: %s", plan->file, statement->place.line, text,
                  error ? error : "an unknown error");
    if (!whole && wrongs_tell(wrongs, statement, WRONG_PARTLY))
        lines_add(wrongs->lines, "%s:%u: %s: %" PRIu64 " of %zu bytes were taken", plan->file,
                  statement->place.line, text, action->bytes, statement->bytes.size);
}

static void check_actions(const struct happened *happened, struct lines *lines)
{
    const struct plan *plan = happened->plan;
    struct wrongs wrongs;
    bool *done = memory_zeroed(plan->statement_count, sizeof(*done));

    wrongs_begin(&wrongs, happened, lines);
    for (uint32_t i = 0; i < happened->action_count; i++) {
        done[happened->actions[i].statement] = true;
        check_action(&wrongs, &happened->actions[i]);
    }
    for (uint32_t i = 0; i < plan->statement_count; i++) {
        char text[CAUSE_TEXT_MAX];

        if (done[i] || !by_peer(&plan->statements[i]) ||
            !wrongs_tell(&wrongs, &plan->statements[i], WRONG_NEVER))
            continue;
        cause_statement(plan, &plan->statements[i], text);
        lines_add(lines, "%s:%u: %s: not carried out", plan->file, plan->statements[i].place.line,
                  text);
    }
    wrongs_end(&wrongs);
    free(done);
}

static bool saw_all(const struct tally_source *source)
{
    return source->outcome == READER_END_CLEAN || source->outcome == READER_END_TRUNCATED;
}

/* While a callback may move the sut's clock, no time of a row can be held against the script's. */
static bool time_moves(const struct plan *plan)
{
    for (uint32_t i = 0; i < plan->reaction_count; i++)
        if (plan->reactions[i].action == PLAN_DO_TAKES)
            return true;
    return false;
}

/* Whether the last stop or end came after all that the peer sent. */
static bool unread_is_last(const struct happened *happened, const struct tally_source *source,
                           const struct sent *sent)
{
    return happened->plan->pace == PLAN_LOCKSTEP && !time_moves(happened->plan) &&
           !instant_before(source->unread_at, sent->last);
}

static void check_amount(const struct happened *happened, const struct tally_source *source,
                         const struct sent *sent, struct lines *lines)
{
    const char *name = peer_name(happened, source->peer);
    bool known = source->unread != JOURNAL_UNREAD_UNKNOWN;
    uint64_t left = known ? (uint64_t)source->unread : 0;
    uint64_t total = source->read_size + left;
    bool told = known && !source->closed_early && !unread_was_reset(source, sent) &&
                unread_is_last(happened, source, sent);
    bool exact = saw_all(source) || told;

    if (total > sent->size || (exact && total < sent->size))
        lines_add(lines, "%s sent %zu bytes; the sut read %" PRIu64 " and left %" PRIu64, name,
                  sent->size, source->read_size, left);
    else if (saw_all(source) && source->read_size < sent->size)
        lines_add(lines, "%s sent %zu bytes; the sut saw the end after %" PRIu64, name, sent->size,
                  source->read_size);
}

static void check_order(const struct happened *happened, const struct tally_source *source,
                        const struct sent *sent, struct lines *lines)
{
    size_t size = source->read.size < sent->size ? source->read.size : sent->size;

    if (!source->read.known)
        return;
    for (size_t i = 0; i < size; i++) {
        if (source->read.data[i] == sent->data[i])
            continue;
        lines_add(lines, "%s: byte %zu that the sut read is %02x; %02x was sent",
                  peer_name(happened, source->peer), i, source->read.data[i], sent->data[i]);
        return;
    }
}

/* The next frame that is wholly in the bytes read: its payload. False when there is none. */
static bool next_frame(const struct frame_format *format, const struct tally_bytes *read,
                       size_t *at, struct tally_frame *ret_frame)
{
    size_t size = 0;

    if (read->size - *at < format->header)
        return false;
    for (uint8_t i = 0; i < format->header; i++)
        size = size << 8 | read->data[*at + i];
    if (size > format->payload_max || read->size - *at - format->header < size)
        return false;
    *ret_frame = (struct tally_frame){.at = *at + format->header, .size = size};
    *at += format->header + size;
    return true;
}

static bool same_frame(const struct tally_source *source, const struct tally_frame *given,
                       const struct tally_frame *frame)
{
    if (given->size != frame->size)
        return false;
    return frame->size == 0 || memcmp(source->payload.data + given->at,
                                      source->read.data + frame->at, frame->size) == 0;
}

/* What the application was given is what the bytes say. */
static void check_frames(const struct happened *happened, const struct tally_source *source,
                         struct lines *lines)
{
    const struct frame_format *format = &happened->plan->format;
    const char *name = peer_name(happened, source->peer);
    struct tally_frame frame;
    size_t at = 0, count = 0;

    if (format->header == 0 || !source->read.known || !source->payload.known)
        return;
    for (; next_frame(format, &source->read, &at, &frame); count++) {
        if (count >= source->frame_count || same_frame(source, &source->frames[count], &frame))
            continue;
        lines_add(lines, "%s: frame %zu is not what the bytes read say", name, count + 1);
        return;
    }
    if (count != source->frame_count && !source->closed_early)
        lines_add(lines, "%s: the bytes read have %zu whole frames; %zu were delivered", name,
                  count, source->frame_count);
}

static void check_source(const struct happened *happened, const struct tally_source *source,
                         struct lines *lines)
{
    struct sent sent;

    if (source->peer == PLAN_NOBODY) {
        lines_add(lines, "the sut got a connection that no peer made");
        return;
    }
    sent_make(happened, source->peer, &sent);
    check_amount(happened, source, &sent, lines);
    check_order(happened, source, &sent, lines);
    check_frames(happened, source, lines);
    sent_free(&sent);
}

static void check_saw(const struct happened *happened, const struct happened_peer *peer,
                      const struct tally_source *source, struct lines *lines)
{
    struct parting parting = parting_of(happened, peer, source);

    if (parting.may & 1u << peer->saw || expects_named(happened, peer->peer, PLAN_EXPECT_SAW))
        return;
    lines_add(lines, "%s saw %s; it should be %s, since %s", peer_name(happened, peer->peer),
              plan_saw_name(peer->saw), parting_text(&parting), parting.why);
}

void peers_check(const struct happened *happened, const struct tally *tally,
                 struct lines *ret_lines)
{
    check_actions(happened, ret_lines);
    for (uint32_t i = 0; i < happened->peer_count; i++)
        if (happened->peers[i].connected && !tally_find(tally, happened->peers[i].peer))
            lines_add(ret_lines, "%s connected; the sut never took it",
                      peer_name(happened, happened->peers[i].peer));
    for (size_t i = 0; i < tally->count; i++)
        check_source(happened, &tally->sources[i], ret_lines);
    for (uint32_t i = 0; i < happened->peer_count; i++)
        check_saw(happened, &happened->peers[i], tally_find(tally, happened->peers[i].peer),
                  ret_lines);
}
