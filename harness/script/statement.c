/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/statement.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/script/number.h"
#include "harness/script/payload.h"

#define X(name, text) text,
static const char *const verbs[] = {PLAN_VERBS(X)};
static const char *const hows[] = {PLAN_HOWS(X)};
static const char *const calls[] = {PLAN_CALLS(X)};
static const char *const conditions[] = {PLAN_CONDITIONS(X)};
#undef X

/* A line that is being read: what is left of it, and the statements that it means. */
struct order {
    struct draft *draft;
    const struct lexer_word *words; /* behind the verb */
    size_t count;
    struct plan_place end;
    const char *form;
    struct plan_statement statement; /* of each peer, at the first time */
    struct draft_group group;        /* count 0: nobody */
    uint64_t repeat;
    struct duration every;
};

/* Exactly `count` words behind the verb. */
static bool want(struct order *order, size_t count)
{
    struct lexer_line line = {order->words, order->count, order->end};

    return draft_count(order->draft, &line, count, order->form);
}

/* At least one word behind the verb. */
static bool want_some(struct order *order)
{
    return order->count > 0 || want(order, 1);
}

static bool read_nothing(struct order *order)
{
    return want(order, 0);
}

static bool read_send(struct order *order)
{
    struct plan_bytes *bytes = &order->statement.bytes;

    if (!want_some(order) || !payload_read(order->draft, order->words, order->count, bytes))
        return false;
    if (bytes->size == 0)
        mistakes_add(order->draft->mistakes, order->words[0].place,
                     "nothing to send; write at least one byte");
    return bytes->size > 0;
}

static bool read_shutdown(struct order *order)
{
    int how = -1;

    if (want(order, 1))
        how = keyword_require(KEYWORD_TABLE(hows), order->words[0], "direction",
                              order->draft->mistakes);
    order->statement.how = (enum plan_how)how;
    return how >= 0;
}

static bool read_consume(struct order *order)
{
    uint64_t count = 1;

    if (!want_some(order) || (order->count > 1 && !want(order, 2)) ||
        !draft_group(order->draft, order->words[0], &order->group))
        return false;
    if (order->count == 2 &&
        !number_read(order->draft->mistakes, order->words[1], "consume", 1, UINT32_MAX, &count))
        return false;
    order->statement.count = (uint32_t)count;
    return true;
}

static bool read_run(struct order *order)
{
    static const char *const keys[] = {"rounds", "quanta"};
    struct lexer_word key, value;
    uint64_t count;
    int found;

    if (!want(order, 1))
        return false;
    if (!lexer_pair(order->words[0], &key, &value)) {
        mistakes_add(order->draft->mistakes, order->words[0].place, "%s has no value; write '%s'",
                     lexer_show(order->words[0]).text, order->form);
        return false;
    }
    found = keyword_require(KEYWORD_TABLE(keys), key, "key", order->draft->mistakes);
    if (found < 0 ||
        !number_read(order->draft->mistakes, value, keys[found], 1, UINT32_MAX, &count))
        return false;
    *(found == 0 ? &order->statement.rounds : &order->statement.quanta) = (uint32_t)count;
    return true;
}

/* `x4`, `always`, or nothing: once. */
static bool read_times(struct order *order, size_t from)
{
    struct plan_fault *fault = &order->statement.fault;
    uint64_t times = 1;

    if (order->count > from + 1)
        return want(order, from + 1);
    fault->times = 1;
    if (order->count == from)
        return true;
    if (lexer_is(order->words[from], "always")) {
        fault->times = 0;
        return true;
    }
    if (!lexer_begins(order->words[from], "x")) {
        mistakes_add(order->draft->mistakes, order->words[from].place,
                     "%s says not how often; write x4 for four times, or always",
                     lexer_show(order->words[from]).text);
        return false;
    }
    if (!number_read(order->draft->mistakes, lexer_skip(order->words[from], 1), "times", 1,
                     UINT32_MAX, &times))
        return false;
    fault->times = (uint32_t)times;
    return true;
}

/* An errno, or for a read `short=BYTES`; then how often. */
static bool read_damage(struct order *order, size_t from)
{
    struct plan_fault *fault = &order->statement.fault;
    struct lexer_word key, value;
    uint64_t bytes;

    if (order->count <= from)
        return want(order, from + 1);
    if (fault->call == PLAN_CALL_READ && lexer_pair(order->words[from], &key, &value) &&
        lexer_is(key, "short")) {
        fault->kind = PLAN_FAULT_SHORT;
        if (!number_read(order->draft->mistakes, value, "short", 1, UINT32_MAX, &bytes))
            return false;
        fault->bytes = (uint32_t)bytes;
    } else {
        fault->kind = PLAN_FAULT_ERRNO;
        if (!number_errno(order->draft->mistakes, order->words[from], &fault->error))
            return false;
    }
    return read_times(order, from + 1);
}

static bool read_fault(struct order *order)
{
    struct plan_fault *fault = &order->statement.fault;
    int call;

    order->form = "TIME sut fault read PEER ERROR [x4]";
    if (!want_some(order))
        return false;
    call = keyword_require(KEYWORD_TABLE(calls), order->words[0], "call", order->draft->mistakes);
    if (call < 0)
        return false;
    fault->call = (enum plan_call)call;
    if (fault->call == PLAN_CALL_ACCEPT) {
        order->form = "TIME sut fault accept ERROR [x4]";
        return read_damage(order, 1);
    }
    if (fault->call == PLAN_CALL_READ)
        return order->count < 2 ? want(order, 3)
                                : draft_group(order->draft, order->words[1], &order->group) &&
                                      read_damage(order, 2);
    order->form = "TIME sut fault wait hold PEER";
    if (!want(order, 3))
        return false;
    if (!lexer_is(order->words[1], "hold")) {
        mistakes_add(order->draft->mistakes, order->words[1].place, "unknown fault %s; write '%s'",
                     lexer_show(order->words[1]).text, order->form);
        return false;
    }
    fault->kind = PLAN_FAULT_HOLD;
    fault->times = 1;
    return draft_group(order->draft, order->words[2], &order->group);
}

/* words: SUBJECT CONDITION [COUNT] */
static bool read_wait(struct order *order)
{
    bool sut = order->count > 0 && lexer_is(order->words[0], "sut");
    uint64_t count = 0;
    int found;

    if (order->count < 2)
        return want(order, 2);
    if (!sut && !draft_group(order->draft, order->words[0], &order->group))
        return false;
    found = keyword_require(KEYWORD_TABLE(conditions), order->words[1], "condition",
                            order->draft->mistakes);
    if (found < 0)
        return false;
    if ((found == PLAN_UNTIL_IDLE) != sut) {
        mistakes_add(order->draft->mistakes, order->words[1].place, "%s",
                     sut ? "the sut itself can only be waited for as 'sut idle'"
                         : "only the sut can be idle; write 'wait-until sut idle'");
        return false;
    }
    if (!want(order, found == PLAN_UNTIL_UNREAD ? 3 : 2) ||
        (found == PLAN_UNTIL_UNREAD &&
         !number_read(order->draft->mistakes, order->words[2], "unread", 0, UINT32_MAX, &count)))
        return false;
    order->statement.condition = (enum plan_condition)found;
    order->statement.count = (uint32_t)count;
    return true;
}

/* Whose each verb is, what reads the words behind it, and the form that messages show. */
static const struct {
    enum { PEER, SUT, BENCH } subject;
    bool (*read)(struct order *order);
    const char *form;
} rules[] = {
    [PLAN_CONNECT] = {PEER, read_nothing, "TIME PEER connect"},
    [PLAN_SEND] = {PEER, read_send, "TIME PEER send BYTES"},
    [PLAN_SHUTDOWN] = {PEER, read_shutdown, "TIME PEER shutdown write"},
    [PLAN_RESET] = {PEER, read_nothing, "TIME PEER reset"},
    [PLAN_CLOSE] = {PEER, read_nothing, "TIME PEER close"},
    [PLAN_CONSUME] = {SUT, read_consume, "TIME sut consume PEER [COUNT]"},
    [PLAN_RUN] = {SUT, read_run, "TIME sut run rounds=N, or quanta=N"},
    [PLAN_HOLD] = {SUT, read_nothing, "TIME sut hold"},
    [PLAN_GO] = {SUT, read_nothing, "TIME sut go"},
    [PLAN_FAULT] = {SUT, read_fault, "TIME sut fault CALL ..."},
    [PLAN_WAIT_UNTIL] = {BENCH, read_wait, "wait-until PEER unread COUNT"},
};

_Static_assert(sizeof(rules) / sizeof(rules[0]) == PLAN_VERB_COUNT, "one rule per verb");

/* Takes `every=` and `repeat=` off the end of the line. */
static bool take_repeat(struct order *order)
{
    struct mistakes *mistakes = order->draft->mistakes;
    struct lexer_word key, value;
    bool every = false;

    order->repeat = 1;
    if (order->count > 0 && lexer_pair(order->words[order->count - 1], &key, &value) &&
        lexer_is(key, "every")) {
        if (!number_duration(mistakes, value, "every", &order->every))
            return false;
        every = true;
        order->count--;
    }
    if (order->count > 0 && lexer_pair(order->words[order->count - 1], &key, &value) &&
        lexer_is(key, "repeat")) {
        order->count--;
        return number_read(mistakes, value, "repeat", 1, PLAN_STATEMENTS_MAX, &order->repeat);
    }
    if (every)
        mistakes_add(mistakes, key.place,
                     "every= without repeat=; write 'repeat=N every=DURATION'");
    return !every;
}

/* The statements of a line, repeat by repeat, in each one peer by peer. */
static void emit(struct order *order)
{
    struct plan_statement *statement = &order->statement;
    int64_t last;

    if (__builtin_mul_overflow((int64_t)order->repeat - 1, order->every.ns, &last) ||
        last > NUMBER_DURATION_MAX - statement->at.ns) {
        mistakes_add(order->draft->mistakes, statement->place,
                     "the repeats take too long; at most 86400s from the start");
        return;
    }
    for (uint64_t i = 0; i < order->repeat; i++) {
        for (uint32_t k = 0; k < order->group.count || k == 0; k++) {
            statement->peer = order->group.count ? order->group.peers[k] : PLAN_NOBODY;
            if (!draft_statement(order->draft, statement))
                return;
        }
        statement->at = instant_add(statement->at, order->every);
    }
}

/* The time that words[0] says; a wait-until without one takes the time before it. */
static bool take_time(struct draft *draft, struct lexer_word word)
{
    struct duration time;

    if (!number_duration(draft->mistakes, word, "time", &time))
        return false;
    if (time.ns < draft->last.ns) {
        mistakes_add(draft->mistakes, word.place,
                     "time goes backwards to %s; write a time that is not before the line above",
                     lexer_show(word).text);
        return false;
    }
    draft->last = (struct instant){time.ns};
    return true;
}

/* Subject and verb; words[0] is the subject, or `wait-until`. Returns the words used, 0 for a
 * mistake. */
static size_t take_verb(struct order *order, const struct lexer_word *words, size_t count)
{
    struct mistakes *mistakes = order->draft->mistakes;
    bool sut = lexer_is(words[0], "sut");
    int verb;

    order->statement.verb = PLAN_WAIT_UNTIL;
    if (lexer_is(words[0], verbs[PLAN_WAIT_UNTIL]))
        return 1;
    if (!sut && !draft_group(order->draft, words[0], &order->group))
        return 0;
    if (count < 2) {
        mistakes_add(mistakes, order->end, "a verb is missing; write 'TIME SUBJECT VERB ...'");
        return 0;
    }
    verb = keyword_require(KEYWORD_TABLE(verbs), words[1], "verb", mistakes);
    if (verb < 0)
        return 0;
    order->statement.verb = (enum plan_verb)verb;
    if ((rules[verb].subject == SUT) == sut && rules[verb].subject != BENCH)
        return 2;
    mistakes_add(mistakes, words[1].place, "%s cannot %s; write '%s'", sut ? "the sut" : "a peer",
                 verbs[verb], rules[verb].form);
    return 0;
}

void statement_line(struct draft *draft, const struct lexer_line *line)
{
    size_t at = lexer_is(line->words[0], verbs[PLAN_WAIT_UNTIL]) ? 0 : 1;
    struct order order = {.draft = draft, .end = line->end};
    size_t used;

    if (at == 1 && !take_time(draft, line->words[0]))
        return;
    if (line->count == at) {
        mistakes_add(draft->mistakes, line->end,
                     "a subject is missing; write 'TIME SUBJECT VERB ...'");
        return;
    }
    order.statement.place = line->words[at].place;
    order.statement.at = draft->last;
    used = take_verb(&order, line->words + at, line->count - at);
    if (used == 0)
        return;
    order.words = line->words + at + used;
    order.count = line->count - at - used;
    order.form = rules[order.statement.verb].form;
    if (take_repeat(&order) && rules[order.statement.verb].read(&order))
        emit(&order);
}

static int by_time(const void *a, const void *b, void *statements)
{
    const struct plan_statement *all = statements;
    uint32_t i = *(const uint32_t *)a;
    uint32_t k = *(const uint32_t *)b;

    if (instant_equal(all[i].at, all[k].at))
        return i < k ? -1 : i > k;
    return instant_before(all[i].at, all[k].at) ? -1 : 1;
}

void statement_sort(struct draft *draft)
{
    struct plan *plan = &draft->plan;
    size_t count = plan->statement_count;
    struct plan_statement *sorted;
    uint32_t *order;

    order = plan_memory_take(plan->memory, count * sizeof(*order));
    sorted = plan_memory_take(plan->memory, count * sizeof(*sorted));
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof(*order), by_time, draft->statements);
    for (size_t i = 0; i < count; i++)
        sorted[i] = draft->statements[order[i]];
    draft->statements = sorted;
    draft->statement_room = count;
    plan->statements = sorted;
}
