/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/judge.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/around.h"
#include "harness/ledger/cause.h"
#include "harness/ledger/chronicle.h"
#include "harness/ledger/diff.h"
#include "harness/ledger/events.h"
#include "harness/ledger/expects.h"
#include "harness/ledger/fold.h"
#include "harness/ledger/invariants.h"
#include "harness/ledger/lateness.h"
#include "harness/ledger/names.h"
#include "harness/ledger/peers.h"
#include "harness/ledger/row.h"
#include "harness/ledger/tally.h"
#include "harness/ledger/wire.h"
#include "harness/memory.h"

#define SCRIPT_SUFFIX ".scn"
#define REASON_MAX    (PATH_MAX + 1024)
#define LAST_ROWS     8 /* told of a sut that came to a bad end */

/* "x.scn" -> "x" `suffix`. The caller frees it. */
static char *beside(const char *script, const char *suffix)
{
    size_t length = strlen(script), scn = strlen(SCRIPT_SUFFIX);
    size_t size;
    char *file;

    if (length > scn && strcmp(script + length - scn, SCRIPT_SUFFIX) == 0)
        length -= scn;
    size = length + strlen(suffix) + 1;
    file = memory_zeroed(size, 1);
    (void)snprintf(file, size, "%.*s%s", (int)length, script, suffix);
    return file;
}

static int read_beside(const struct plan *plan, const char *suffix, enum expected_kind kind,
                       struct expected *ret_expected, struct lines *errors)
{
    char *file = beside(plan->file, suffix);
    int rc = expected_read(file, kind, ret_expected, errors);

    free(file);
    return rc;
}

int judge_expected_read(const struct plan *plan, struct judge_expected *ret_expected,
                        struct lines *errors)
{
    struct judge_expected expected;
    int rc;

    rc = read_beside(plan, ".events", EXPECTED_EVENTS, &expected.events, errors);
    if (rc < 0)
        return rc;
    rc = read_beside(plan, ".wire", EXPECTED_PLAIN, &expected.wire, errors);
    if (rc < 0) {
        expected_free(&expected.events);
        return rc;
    }
    *ret_expected = expected;
    return 0;
}

void judge_expected_free(struct judge_expected *expected)
{
    expected_free(&expected->events);
    expected_free(&expected->wire);
}

struct judging {
    const struct happened *happened;
    const struct judge_expected *expected;
    struct result *result;
    struct names names;
    struct tally tally;
    struct events events;
    struct lateness late;
    bool broken; /* the bench's own fault: the verdict is `error` */
};

static bool exact(const struct judging *judging)
{
    return judging->happened->plan->compare == PLAN_EXACT;
}

static bool word_is(const char *word, int length, const char *text)
{
    return (size_t)length == strlen(text) && memcmp(word, text, (size_t)length) == 0;
}

/* The packets behind a row of the wire ledger: `c < FIN at 0`, `c > SYN`, `c > 9 "..."`. */
static void wire_parted(const struct happened *happened, const char *row, struct lines *packets)
{
    enum around_place place = AROUND_BYTES;
    int name_length = 0, sign_length = 0, length = 0;
    const char *word = row_word(&row, &name_length);
    const char *sign = row_word(&row, &sign_length);
    const char *what = row_word(&row, &length);
    char *name;

    if (!word || !sign || !what)
        return;
    if (word_is(what, length, "SYN"))
        place = AROUND_BEGINNING;
    else if (word_is(what, length, "FIN") || word_is(what, length, "RST"))
        place = AROUND_END;
    name = memory_text(word, (size_t)name_length);
    around_wire(happened, plan_peer_find(happened->plan, name), *sign, place, packets);
    free(name);
}

/* Keeps the packets around the first difference, that of events before that of the wire. */
static void parted(struct judging *judging, const struct diff_place *place)
{
    const struct happened *happened = judging->happened;
    struct lines *packets = &judging->result->packets;

    if (packets->count > 0 || happened->fate != HAPPENED_STOPPED)
        return;
    if (place->timed)
        around_instant(happened, place->at, packets);
    else
        wire_parted(happened, place->row, packets);
}

static void compare(struct judging *judging, const char *what, const struct expected *expected,
                    struct result_ledger *ledger, const struct instant *at)
{
    struct diff diff = {.what = what,
                        .file = expected->file,
                        .happened = &ledger->rows,
                        .at = at,
                        .plan = judging->happened->plan};
    const struct expected_row **rows;
    struct diff_place place;

    if (expected->missing) {
        lines_add(&judging->result->failed, "%s: no expected %s; --bless would write the file",
                  expected->file, what);
        return;
    }
    rows = expected_select(expected, judging->happened->trigger, &diff.expected_count);
    diff.expected = rows;
    if (!diff_rows(&diff, &ledger->diff, &place))
        parted(judging, &place);
    free(rows);
}

/* Where the script was when the sut told its last row. */
static void tell_last_time(const struct judging *judging, char *text, size_t size)
{
    const struct plan *plan = judging->happened->plan;
    size_t rows = judging->result->events.rows.count;
    const struct plan_statement *statement;
    char time[32], words[CAUSE_TEXT_MAX];

    if (rows == 0) {
        (void)snprintf(text, size, "; it has no rows");
        return;
    }
    cause_time(judging->events.at[rows - 1], time, sizeof(time));
    statement = cause_of_row(plan, judging->events.at[rows - 1],
                             judging->result->events.rows.line[rows - 1]);
    if (!statement) {
        (void)snprintf(text, size, "; its last row is of %s, before the first statement", time);
        return;
    }
    cause_statement(plan, statement, words);
    (void)snprintf(text, size, "; its last row is of %s, %s:%u: %s", time, plan->file,
                   statement->place.line, words);
}

/* A sut that did not stop when told has failed by that alone; what it left undone says no more. */
static void judge_fate(struct judging *judging)
{
    static const char *const fates[] = {
        [HAPPENED_STOPPED] = "the sut stopped",
        [HAPPENED_LIMIT] = "the sut went over its limit",
        [HAPPENED_HUNG] = "the run did not go on",
        [HAPPENED_DIED] = "the sut died",
    };
    struct result *result = judging->result;
    const struct lines *rows = &result->events.rows;
    size_t first = rows->count > LAST_ROWS ? rows->count - LAST_ROWS : 0;
    char *last = memory_zeroed(REASON_MAX, 1);

    tell_last_time(judging, last, REASON_MAX);
    lines_add(&result->failed, "%s: %s%s", fates[judging->happened->fate],
              judging->happened->fate_text ? judging->happened->fate_text : "nobody knows why",
              last);
    for (size_t i = first; i < rows->count; i++)
        lines_add(&result->last, "%s", rows->line[i]);
    result->cut_short = true;
    around_end(judging->happened, &result->packets);
    free(last);
}

static void judge_events(struct judging *judging)
{
    struct result_ledger *ledger = &judging->result->events;

    ledger->rows = judging->events.text;
    judging->events.text = (struct lines){0};
    if (judging->happened->fate != HAPPENED_STOPPED)
        judge_fate(judging);
    if (exact(judging))
        compare(judging, "events", &judging->expected->events, ledger, judging->events.at);
}

static void judge_wire(struct judging *judging)
{
    struct result *result = judging->result;
    int rc;

    if (!judging->happened->packets)
        return;
    rc = wire_tell(judging->happened, &result->wire.rows, &result->left_over, &result->notes);
    if (rc < 0) {
        judging->broken = true;
        lines_add(&result->notes, "the capture could not be read: %s", strerror(-rc));
        return;
    }
    if (exact(judging))
        compare(judging, "wire", &judging->expected->wire, &result->wire, NULL);
}

static void judge_peers(struct judging *judging)
{
    struct result *result = judging->result;

    peers_tell(judging->happened, &result->peers.rows);
    peers_check(judging->happened, &judging->tally, &result->peers.diff);
    judging->late = lateness_of(judging->happened);
    result->worst_late = judging->late.worst;
    result->late_by_work = judging->late.by_work;
}

/* What only a run that came to its end can be held to. */
static void judge_end(struct judging *judging)
{
    struct result *result = judging->result;

    judge_wire(judging);
    judge_peers(judging);
    expects_check(judging->happened, &judging->tally, &result->failed);
    expects_left_over(judging->happened, &judging->tally, &result->left_over);
}

static bool clean(const struct result *result)
{
    return result->events.diff.count == 0 && result->wire.diff.count == 0 &&
           result->peers.diff.count == 0 && result->failed.count == 0 &&
           result->left_over.count == 0;
}

static void decide(struct judging *judging)
{
    static const char full[] = "the journal is full: rows or their bytes are lost";
    static const char unread[] = "the capture could not be read";
    struct result *result = judging->result;

    /* A sut that spins until its limit fills the journal on the way: the limit is the verdict. */
    bool spun = judging->happened->fate == HAPPENED_LIMIT;

    if (chronicle_of(judging->happened).overflow && !spun) {
        result->verdict = RESULT_ERROR;
        result->reason = memory_text(full, sizeof(full) - 1);
    } else if (judging->broken) {
        result->verdict = RESULT_ERROR;
        result->reason = memory_text(unread, sizeof(unread) - 1);
    } else if (!clean(result)) {
        result->verdict = RESULT_FAIL;
    } else if (result->worst_late.ns > judging->happened->plan->tolerance.ns) {
        result->verdict = RESULT_LATE;
        result->reason = lateness_reason(judging->happened->plan, &judging->late);
    } else {
        result->verdict = RESULT_PASS;
    }
}

void judge_run(const struct happened *happened, const struct judge_expected *expected,
               struct result *result)
{
    struct judging judging = {.happened = happened, .expected = expected, .result = result};

    result->plan = happened->plan;
    result->trigger = happened->trigger;
    result->family = happened->family;
    result->setup = happened->setup;
    result->timeline = happened->timeline;
    fold_notes(happened->plan, &happened->notes, &result->notes);
    names_make(happened, &judging.names);
    tally_make(happened, &judging.names, &judging.tally);
    events_make(happened, &judging.events);
    judge_events(&judging);
    invariants_check(happened, &judging.names, &result->events.rows, &result->failed);
    if (happened->fate == HAPPENED_STOPPED)
        judge_end(&judging);
    else
        peers_tell(happened, &result->peers.rows);
    decide(&judging);
    events_free(&judging.events);
    tally_free(&judging.tally);
    names_free(&judging.names);
}
