/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/cause.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/ledger/row.h"

#define BYTES_SHOWN 8
#define NAME_BYTES  64 /* of a peer, and more than any has */

static const char *const how_names[] = {
#define X(name, text) [PLAN_HOW_##name] = text,
    PLAN_HOWS(X)
#undef X
};
_Static_assert(sizeof(how_names) / sizeof(*how_names) == PLAN_HOW_COUNT, "a name each");

static const char *const call_names[] = {
#define X(name, text) [PLAN_CALL_##name] = text,
    PLAN_CALLS(X)
#undef X
};
_Static_assert(sizeof(call_names) / sizeof(*call_names) == PLAN_CALL_COUNT, "a name each");

struct text {
    char *at;
    size_t room;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(text->at, text->room, format, args);
    va_end(args);
    if (size < 0 || (size_t)size >= text->room)
        size = (int)text->room - 1;
    text->at += size;
    text->room -= (size_t)size;
}

void cause_time(struct instant at, char *ret_text, size_t size)
{
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t unit = 0;

    if (at.ns == 0)
        unit = 1;
    while (at.ns % units[unit].ns != 0)
        unit++;
    (void)snprintf(ret_text, size, "%" PRId64 "%s", at.ns / units[unit].ns, units[unit].name);
}

void cause_span(struct duration span, char *ret_text, size_t size)
{
    if (span.ns < 10000)
        (void)snprintf(ret_text, size, "%" PRId64 " ns", span.ns);
    else if (span.ns < 10000000)
        (void)snprintf(ret_text, size, "%" PRId64 " us", span.ns / 1000);
    else
        (void)snprintf(ret_text, size, "%" PRId64 " ms", span.ns / 1000000);
}

static const char *peer_name(const struct plan *plan, uint32_t peer)
{
    return peer < plan->peer_count ? plan->peers[peer].name : "?";
}

static void put_bytes(struct text *text, const struct plan_bytes *bytes)
{
    for (size_t i = 0; i < bytes->size && i < BYTES_SHOWN; i++)
        put(text, " %02x", bytes->data[i]);
    if (bytes->size > BYTES_SHOWN)
        put(text, " .. (%zu bytes)", bytes->size);
}

static void put_fault(struct text *text, const struct plan_fault *fault)
{
    const char *error = strerrorname_np(fault->error);

    if (fault->kind == PLAN_FAULT_ERRNO)
        put(text, " %s", error ? error : "?");
    else if (fault->kind == PLAN_FAULT_SHORT)
        put(text, " short %u", fault->bytes);
    if (fault->kind == PLAN_FAULT_HOLD)
        return;
    if (fault->times == 0)
        put(text, " always");
    else if (fault->times > 1)
        put(text, " x%u", fault->times);
}

static void put_sut(struct text *text, const struct plan *plan,
                    const struct plan_statement *statement)
{
    put(text, "sut %s", plan_verb_name(statement->verb));
    if (statement->verb == PLAN_FAULT)
        put(text, " %s%s",
            statement->fault.call < PLAN_CALL_COUNT ? call_names[statement->fault.call] : "?",
            statement->fault.kind == PLAN_FAULT_HOLD ? " hold" : "");
    if (statement->peer != PLAN_NOBODY)
        put(text, " %s", peer_name(plan, statement->peer));
    if (statement->verb == PLAN_CONSUME && statement->count > 1)
        put(text, " %u", statement->count);
    if (statement->verb == PLAN_RUN && statement->rounds > 0)
        put(text, " rounds=%u", statement->rounds);
    if (statement->verb == PLAN_RUN && statement->quanta > 0)
        put(text, " quanta=%u", statement->quanta);
    if (statement->verb == PLAN_FAULT)
        put_fault(text, &statement->fault);
}

static void put_wait(struct text *text, const struct plan *plan,
                     const struct plan_statement *statement)
{
    put(text, "wait-until %s %s",
        statement->condition == PLAN_UNTIL_IDLE ? "sut" : peer_name(plan, statement->peer),
        plan_condition_name(statement->condition));
    if (statement->condition == PLAN_UNTIL_UNREAD)
        put(text, " %u", statement->count);
}

void cause_statement(const struct plan *plan, const struct plan_statement *statement,
                     char ret_text[static CAUSE_TEXT_MAX])
{
    struct text text = {.at = ret_text, .room = CAUSE_TEXT_MAX};

    switch (statement->verb) {
    case PLAN_CONSUME:
    case PLAN_RUN:
    case PLAN_HOLD:
    case PLAN_GO:
    case PLAN_FAULT:
        put_sut(&text, plan, statement);
        return;
    case PLAN_WAIT_UNTIL:
        put_wait(&text, plan, statement);
        return;
    default:
        break;
    }
    put(&text, "%s %s", peer_name(plan, statement->peer), plan_verb_name(statement->verb));
    if (statement->verb == PLAN_SEND)
        put_bytes(&text, &statement->bytes);
    if (statement->verb == PLAN_SHUTDOWN && statement->how < PLAN_HOW_COUNT)
        put(&text, " %s", how_names[statement->how]);
}

const struct plan_statement *cause_find(const struct plan *plan, struct instant at)
{
    uint32_t low = 0, high = plan->statement_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (instant_before(at, plan->statements[middle].at))
            high = middle;
        else
            low = middle + 1;
    }
    return low > 0 ? &plan->statements[low - 1] : NULL;
}

/* The peer that a row of the events ledger is about: its first word, in a row of the dialogue with
 * the kernel its second. */
static uint32_t subject_of(const struct plan *plan, const char *row)
{
    bool second = row_dialogue(row);
    char name[NAME_BYTES + 1];
    int length = 0;
    const char *word = row_word(&row, &length);

    if (second)
        word = row_word(&row, &length);
    if (!word || length > NAME_BYTES)
        return PLAN_NOBODY;
    memcpy(name, word, (size_t)length);
    name[length] = '\0';
    return plan_peer_find(plan, name);
}

const struct plan_statement *cause_of_row(const struct plan *plan, struct instant at,
                                          const char *row)
{
    const struct plan_statement *last = cause_find(plan, at);
    uint32_t peer = subject_of(plan, row);

    if (!last || peer == PLAN_NOBODY)
        return last;
    for (size_t i = (size_t)(last - plan->statements) + 1; i-- > 0;) {
        const struct plan_statement *statement = &plan->statements[i];

        if (!instant_equal(statement->at, last->at))
            break;
        if (statement->peer == peer)
            return statement;
    }
    return last;
}
