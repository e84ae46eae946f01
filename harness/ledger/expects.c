/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/expects.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/unread.h"
#include "harness/ledger/quote.h"
#include "harness/ledger/sent.h"

#define ITEMS_SHOWN 8
#define BYTES_SHOWN 24

/* One expectation, and where its verdict goes. */
struct check {
    const struct happened *happened;
    const struct tally *tally;
    const struct plan_expect *expect;
    const struct tally_source
        *source; /* of expect->peer; NULL for all, or when it never became one */
    struct lines *lines;
};

struct text {
    char at[1024];
    size_t length;
};

static const char *subject(const struct check *check)
{
    const struct plan *plan = check->happened->plan;

    return check->expect->peer < plan->peer_count ? plan->peers[check->expect->peer].name : "sut";
}

static void differs(const struct check *check, const char *expected, const char *happened)
{
    lines_add(check->lines, "%s:%u:%u: expected %s %s %s, happened %s", check->happened->plan->file,
              check->expect->place.line, check->expect->place.column, subject(check),
              plan_expect_name(check->expect->kind), expected, happened);
}

static void text_add(struct text *text, const char *more)
{
    size_t length = strlen(more);

    if (length >= sizeof(text->at) - text->length)
        length = sizeof(text->at) - text->length - 1;
    memcpy(text->at + text->length, more, length);
    text->length += length;
    text->at[text->length] = '\0';
}

static void text_item(struct text *text, const uint8_t *bytes, size_t size)
{
    char quoted[QUOTE_SIZE(BYTES_SHOWN)];

    quote_bytes(bytes, size, BYTES_SHOWN, quoted);
    text_add(text, text->length ? " " : "");
    text_add(text, quoted);
}

static void text_rest(struct text *text, size_t count)
{
    char more[40];

    if (count == 0) {
        text_add(text, "none");
    } else if (count > ITEMS_SHOWN) {
        (void)snprintf(more, sizeof(more), " .. (%zu in all)", count);
        text_add(text, more);
    }
}

/* NULL for a frame without payload. */
static const uint8_t *payload_of(const struct tally_source *source, const struct tally_frame *frame)
{
    return frame->size > 0 ? source->payload.data + frame->at : NULL;
}

static bool frames_equal(const struct plan_expect *expect, const struct tally_source *source)
{
    if (source->frame_count != expect->item_count || !source->payload.known)
        return false;
    for (uint32_t i = 0; i < expect->item_count; i++) {
        const struct tally_frame *frame = &source->frames[i];
        const struct plan_bytes *item = &expect->items[i];

        if (frame->size != item->size)
            return false;
        if (item->size > 0 && memcmp(payload_of(source, frame), item->data, item->size) != 0)
            return false;
    }
    return true;
}

static void check_frames(const struct check *check)
{
    static const struct tally_source none = {.payload.known = true};
    const struct tally_source *source = check->source ? check->source : &none;
    const struct plan_expect *expect = check->expect;
    struct text expected = {0}, happened = {0};

    if (frames_equal(expect, source))
        return;
    for (uint32_t i = 0; i < expect->item_count && i < ITEMS_SHOWN; i++)
        text_item(&expected, expect->items[i].data, expect->items[i].size);
    for (size_t i = 0; i < source->frame_count && i < ITEMS_SHOWN; i++)
        text_item(&happened, payload_of(source, &source->frames[i]), source->frames[i].size);
    text_rest(&expected, expect->item_count);
    text_rest(&happened, source->frame_count);
    differs(check, expected.at, happened.at);
}

static void text_bytes(struct text *text, const uint8_t *data, size_t size)
{
    char count[40];

    if (size == 0) {
        text_add(text, "none");
        return;
    }
    text_item(text, data, size);
    (void)snprintf(count, sizeof(count), " (%zu byte%s)", size, size == 1 ? "" : "s");
    text_add(text, count);
}

/* Two streams: equal, or each by its head, and where they part. */
static void check_stream(const struct check *check, const uint8_t *data, size_t size)
{
    const struct plan_expect *expect = check->expect;
    struct plan_bytes should = expect->item_count > 0 ? expect->items[0] : (struct plan_bytes){0};
    struct text expected = {0}, happened = {0};
    size_t shorter = size < should.size ? size : should.size;
    size_t at = 0;
    char place[40];

    while (at < shorter && data[at] == should.data[at])
        at++;
    if (at == size && at == should.size)
        return;
    text_bytes(&expected, should.data, should.size);
    text_bytes(&happened, data, size);
    if (at > 0) {
        (void)snprintf(place, sizeof(place), "; the first %zu agree", at);
        text_add(&happened, place);
    }
    differs(check, expected.at, happened.at);
}

static void check_bytes(const struct check *check)
{
    static const struct tally_source none = {.read.known = true};
    const struct tally_source *source = check->source ? check->source : &none;

    if (!source->read.known)
        differs(check, "to be compared", "more than the journal kept");
    else
        check_stream(check, source->read.data, source->read.size);
}

static void outcome_text(enum reader_outcome outcome, int error, char *text, size_t size)
{
    const char *name = outcome == READER_END_ERROR ? strerrorname_np(error) : NULL;

    (void)snprintf(text, size, "%s%s%s", reader_outcome_name(outcome), name ? " " : "",
                   name ? name : "");
}

static void check_end(const struct check *check)
{
    const struct plan_expect *expect = check->expect;
    enum reader_outcome outcome = check->source ? check->source->outcome : READER_END_NONE;
    int error = check->source ? check->source->error : 0;
    char expected[64], happened[64];

    if (outcome == expect->outcome && (outcome != READER_END_ERROR || error == expect->error))
        return;
    outcome_text(expect->outcome, expect->error, expected, sizeof(expected));
    outcome_text(outcome, error, happened, sizeof(happened));
    differs(check, expected, happened);
}

static void check_number(const struct check *check, int64_t number)
{
    char expected[32], happened[32] = "unknown";

    if (number >= 0 && (uint64_t)number == check->expect->value)
        return;
    (void)snprintf(expected, sizeof(expected), "%" PRIu64, check->expect->value);
    if (number >= 0)
        (void)snprintf(happened, sizeof(happened), "%" PRId64, number);
    differs(check, expected, happened);
}

static void check_peak(const struct check *check)
{
    check_number(check, check->source ? (int64_t)check->source->peak : 0);
}

static void check_unread(const struct check *check)
{
    check_number(check, check->source ? unread_bytes(check->happened, check->source) : 0);
}

static void check_held(const struct check *check)
{
    check_number(check, check->source ? (int64_t)check->source->used : 0);
}

static const struct happened_peer *find_peer(const struct check *check)
{
    for (uint32_t i = 0; i < check->happened->peer_count; i++)
        if (check->happened->peers[i].peer == check->expect->peer)
            return &check->happened->peers[i];
    return NULL;
}

static void check_received(const struct check *check)
{
    const struct happened_peer *peer = find_peer(check);

    check_stream(check, peer ? peer->received : NULL, peer ? peer->received_size : 0);
}

static void check_saw(const struct check *check)
{
    const struct happened_peer *peer = find_peer(check);
    enum plan_saw saw = peer ? peer->saw : PLAN_SAW_NOTHING;

    if (saw != check->expect->saw)
        differs(check, plan_saw_name(check->expect->saw), plan_saw_name(saw));
}

static uint64_t count_of(const struct tally_source *source, enum plan_expect_kind kind)
{
    switch (kind) {
    case PLAN_EXPECT_NOTICES:
        return source->notices;
    case PLAN_EXPECT_QUANTA:
        return source->quanta;
    case PLAN_EXPECT_READS:
        return source->reads;
    case PLAN_EXPECT_EAGAIN:
        return source->eagain;
    case PLAN_EXPECT_EINTR:
        return source->eintr;
    case PLAN_EXPECT_STALE:
        return source->stale;
    default:
        return 0;
    }
}

static void check_count(const struct check *check)
{
    uint64_t count = 0;

    for (size_t i = 0; i < check->tally->count; i++) {
        const struct tally_source *source = &check->tally->sources[i];

        if (check->expect->peer == PLAN_NOBODY || source->peer == check->expect->peer)
            count += count_of(source, check->expect->kind);
    }
    check_number(check, (int64_t)count);
}

static void (*const checks[])(const struct check *) = {
    [PLAN_EXPECT_FRAMES] = check_frames,     [PLAN_EXPECT_BYTES] = check_bytes,
    [PLAN_EXPECT_END] = check_end,           [PLAN_EXPECT_PEAK] = check_peak,
    [PLAN_EXPECT_UNREAD] = check_unread,     [PLAN_EXPECT_HELD] = check_held,
    [PLAN_EXPECT_RECEIVED] = check_received, [PLAN_EXPECT_SAW] = check_saw,
    [PLAN_EXPECT_NOTICES] = check_count,     [PLAN_EXPECT_QUANTA] = check_count,
    [PLAN_EXPECT_READS] = check_count,       [PLAN_EXPECT_EAGAIN] = check_count,
    [PLAN_EXPECT_EINTR] = check_count,       [PLAN_EXPECT_STALE] = check_count,
};
_Static_assert(sizeof(checks) / sizeof(*checks) == PLAN_EXPECT_COUNT, "a check each");

static bool applies(const struct happened *happened, const struct plan_expect *expect)
{
    return expect->triggers & 1u << happened->trigger;
}

void expects_check(const struct happened *happened, const struct tally *tally,
                   struct lines *ret_lines)
{
    for (uint32_t i = 0; i < happened->plan->expect_count; i++) {
        const struct plan_expect *expect = &happened->plan->expects[i];
        struct check check = {.happened = happened,
                              .tally = tally,
                              .expect = expect,
                              .source = tally_find(tally, expect->peer),
                              .lines = ret_lines};

        if (expect->peer == PLAN_NOBODY)
            check.source = NULL;
        if (applies(happened, expect))
            checks[expect->kind](&check);
    }
}

bool expects_named(const struct happened *happened, uint32_t peer, enum plan_expect_kind kind)
{
    const struct plan *plan = happened->plan;

    for (uint32_t i = 0; i < plan->expect_count; i++)
        if (plan->expects[i].kind == kind && plan->expects[i].peer == peer &&
            applies(happened, &plan->expects[i]))
            return true;
    return false;
}

static void left_of_end(const struct happened *happened, const struct tally_source *source,
                        const char *name, struct lines *lines)
{
    struct sent sent;

    if (source->ends > 0 || expects_named(happened, source->peer, PLAN_EXPECT_END))
        return;
    sent_make(happened, source->peer, &sent);
    if (sent.ended)
        lines_add(lines, "%s end not seen", name);
    sent_free(&sent);
}

static void left_of(const struct happened *happened, const struct tally_source *source,
                    struct lines *lines)
{
    const char *name = happened->plan->peers[source->peer].name;
    int64_t unread = unread_bytes(happened, source);

    if (source->closed_early)
        return;
    if (unread > 0 && !expects_named(happened, source->peer, PLAN_EXPECT_UNREAD))
        lines_add(lines, "%s unread %" PRId64, name, unread);
    if (source->used > 0 && !expects_named(happened, source->peer, PLAN_EXPECT_HELD))
        lines_add(lines, "%s held %u", name, source->used);
    if (source->state == READER_QUEUED)
        lines_add(lines, "%s queued", name);
    left_of_end(happened, source, name, lines);
}

static void left_of_peer(const struct happened *happened, const struct happened_peer *peer,
                         struct lines *lines)
{
    if (peer->received_size > 0 && !expects_named(happened, peer->peer, PLAN_EXPECT_RECEIVED))
        lines_add(lines, "%s received %zu byte%s that nothing names",
                  happened->plan->peers[peer->peer].name, peer->received_size,
                  peer->received_size == 1 ? "" : "s");
}

void expects_left_over(const struct happened *happened, const struct tally *tally,
                       struct lines *ret_lines)
{
    for (size_t i = 0; i < tally->count; i++)
        if (tally->sources[i].peer != PLAN_NOBODY)
            left_of(happened, &tally->sources[i], ret_lines);
    for (uint32_t i = 0; i < happened->peer_count; i++)
        left_of_peer(happened, &happened->peers[i], ret_lines);
    for (size_t i = 0; i < happened->left_over.count; i++)
        lines_add(ret_lines, "%s", happened->left_over.line[i]);
}
