/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cancellation_orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/model/cancellation_checks.h"
#include "harness/model/cancellation_value.h"
#include "harness/report/value.h"

#define ROWS_MAX 64 /* different ones; there are nine */

/* What the requirement says of an order; NULL where it is illegal. */
struct figures {
    const char *name;
    const char *callback[3];
    const char *early[3];
};

#define GONE "0,0,RETURNED,retired"

static const struct figures figures[CANCELLATION_ORDERS] = {
    {"CTL", {"1,0,HELD,retained", "0,1,HELD,retained", GONE},
     {"1,1,HELD,retained", "0,1,HELD,retained", GONE}},
    {"CLT", {NULL}, {"1,1,HELD,retained", "1,0,HELD,retained", GONE}},
    {"TCL", {"0,1,HELD,retained", "0,1,HELD,retained", GONE},
     {"0,1,HELD,retained", "0,1,HELD,retained", GONE}},
    {"TLC", {"0,1,HELD,retained", "0,0,RETURNED,retained", GONE},
     {"0,1,HELD,retained", "0,0,RETURNED,retained", GONE}},
    {"LCT", {NULL}, {"1,0,HELD,retained", "1,0,HELD,retained", GONE}},
    {"LTC", {NULL}, {"1,0,HELD,retained", "0,0,RETURNED,retained", GONE}},
};

static const char *word_of(char letter, bool early_lease)
{
    switch (letter) {
    case 'C':
        return "cancel:notfound";
    case 'L':
        return "release:0";
    default:
        return early_lease ? "target:ok" : "target:ok:borrow";
    }
}

/* Plays words that are right by themselves. */
static void play_words(const char *words, bool early_lease, const struct request_rules *rules,
                       struct cancellation_ledger *ret_ledger, struct checks *checks)
{
    struct cancellation cancellation = {.early_lease = early_lease, .rules = rules};
    struct checks part = {0};
    char error[200];

    if (cancellation_script_read(words, &cancellation.script, sizeof(error), error) < 0)
        abort();
    cancellation_play(&cancellation, ret_ledger);
    cancellation_checks(ret_ledger, &part);
    checks_add(checks, words, &part);
    checks_free(&part);
}

static void tell_after(const struct request *request, char ret_text[40])
{
    snprintf(ret_text, 40, "%d,%d,%s,%s", request->device, request->borrows,
             request->returned ? "RETURNED" : "HELD",
             request->state == REQUEST_RETIRED ? "retired" : "retained");
}

static void play_order(uint32_t i, bool early_lease, const struct request_rules *rules,
                       struct cancellation_orders *orders, struct checks *checks)
{
    const struct figures *figure = &figures[i];
    const char *const *expected = early_lease ? figure->early : figure->callback;
    struct cancellation_ledger ledger;
    char words[128];

    snprintf(words, sizeof(words), "submit deadline %s %s %s",
             word_of(figure->name[0], early_lease), word_of(figure->name[1], early_lease),
             word_of(figure->name[2], early_lease));
    play_words(words, early_lease, rules, &ledger, checks);
    orders->name[i] = figure->name;
    orders->legal[i] = ledger.rows[4].refused == 0;
    orders->legal_count += orders->legal[i];
    checks_that(checks, orders->legal[i] == (expected[0] != NULL),
                "%s is %slegal", figure->name, expected[0] ? "" : "il");
    for (uint32_t step = 0; step < 3; step++) {
        const struct request *after = &ledger.rows[2 + step].after;

        tell_after(after, orders->after[i][step]);
        if ((uint32_t)(after->device + after->borrows) > orders->holders)
            orders->holders = (uint32_t)(after->device + after->borrows);
        if (expected[0])
            checks_that(checks, strcmp(orders->after[i][step], expected[step]) == 0,
                        "%s, after %u: %s; the requirement says %s", figure->name, step + 1,
                        orders->after[i][step], expected[step]);
    }
    if (!expected[0])
        checks_that(checks, ledger.rows[4].after.state != REQUEST_RETIRED,
                    "%s: what was refused is still owed", figure->name);
}

/* All sequences of the four words, each at most once, in which every word is a step. */
struct walk {
    const struct request_rules *rules;
    struct cancellation_orders *orders;
    struct checks *checks;
    char rows[ROWS_MAX][CANCELLATION_VALUE_TEXT];
};

static void note_row(struct walk *walk, const struct cancellation_row *row)
{
    char text[CANCELLATION_VALUE_TEXT];
    char *moves;

    cancellation_value_text(row, text);
    moves = strstr(text, " (");
    if (moves)
        *moves = '\0'; /* they are of the way, not of the row */
    for (uint32_t i = 0; i < walk->orders->rows; i++)
        if (strcmp(walk->rows[i], text) == 0)
            return;
    if (walk->orders->rows < ROWS_MAX)
        memcpy(walk->rows[walk->orders->rows++], text, sizeof(text));
}

static void go(struct walk *walk, const char *so_far, unsigned used)
{
    static const char *const words[] = {"deadline", "target:ok:borrow", "release:0",
                                        "cancel:notfound"};
    struct cancellation_ledger ledger;
    const struct cancellation_row *last;

    play_words(so_far, false, walk->rules, &ledger, walk->checks);
    last = &ledger.rows[ledger.row_count - 1];
    if (last->effect.verdict != REQUEST_STEP)
        return;
    note_row(walk, last);
    walk->orders->runs += last->after.state == REQUEST_RETIRED;
    for (unsigned i = 0; i < 4 && last->after.state != REQUEST_RETIRED; i++) {
        char more[128];

        if (used & 1u << i)
            continue;
        snprintf(more, sizeof(more), "%s %s", so_far, words[i]);
        go(walk, more, used | 1u << i);
    }
}

void cancellation_orders_play(bool early_lease, const struct request_rules *rules,
                              struct cancellation_orders *ret_orders, struct checks *checks)
{
    static struct walk walk;

    *ret_orders = (struct cancellation_orders){0};
    for (uint32_t i = 0; i < CANCELLATION_ORDERS; i++)
        play_order(i, early_lease, rules, ret_orders, checks);
    checks_that(checks, ret_orders->legal_count == (early_lease ? 6 : 3),
                "legal orders: %u; the requirement says %d", ret_orders->legal_count,
                early_lease ? 6 : 3);
    if (early_lease)
        return;
    walk = (struct walk){.rules = rules, .orders = ret_orders, .checks = checks};
    go(&walk, "submit", 0);
    checks_that(checks, ret_orders->runs == 4, "complete runs: %u; the requirement says 4",
                ret_orders->runs);
    checks_that(checks, ret_orders->rows == 9, "different rows: %u; the requirement says 9",
                ret_orders->rows);
}

json_t *cancellation_orders_value(const struct cancellation_orders *orders)
{
    json_t *list = value_list();

    for (uint32_t i = 0; i < CANCELLATION_ORDERS; i++) {
        json_t *object = value_object();
        json_t *after = value_list();

        for (uint32_t step = 0; step < 3; step++)
            value_append(after, value_text(orders->after[i][step]));
        value_put(object, "order", value_text(orders->name[i]));
        value_put(object, "legal", memory_must(json_boolean(orders->legal[i])));
        value_put(object, "after", after);
        value_append(list, object);
    }
    return list;
}
