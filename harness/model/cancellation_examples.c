/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cancellation_examples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/cancellation_value.h"

#define NEVER CANCELLATION_EXAMPLES_NEVER

static const char *const w4[] = {
    "WAITING/INFLIGHT/NONE 1,0 HELD,retained 1 1 0",
    "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0 (1,1)(0,1)",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 0 (0,0)",
    "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 0",
    NULL,
};

static const char *const handoff[] = {
    "WAITING/INFLIGHT/NONE 1,0 HELD,retained 1 1 0",
    "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0 (1,1)(0,1)",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0 (0,2)(0,1)",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 1",
    "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,1 HELD,retained 0 1 1",
    "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 1 (0,0)",
    NULL,
};

/* Two places: in flight, then lent, then back but still owed an answer; only then is one free. */
static const char *const admission[] = {
    "WAITING/INFLIGHT/NONE 1,0 HELD,retained 1 1 0",
    "WAITING/INFLIGHT/NONE 1,0 HELD,retained 2 2 0",
    "WAITING/INFLIGHT/NONE 1,0 HELD,retained 2 2 1",
    "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 1 2 1",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 1 2 1 (1,1)(0,1)",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 1 2 2",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 1 2 2 (0,0)",
    "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 1 2 3",
    "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 1 1 3",
    "WAITING/INFLIGHT/NONE 1,0 HELD,retained 2 2 3",
    NULL,
};

#define W5(name_, about_, events_, last_, returned_, retired_)                           \
    {.name = name_, .about = about_, .covers = "W5", .events = events_, .last = last_,   \
     .returned = returned_, .retired = retired_}

static const struct cancellation_example examples[] = {
    {
        .name = "timeout-then-success",
        .about = "The wait, the buffer and the record end at three moments.",
        .covers = "W4 R-A-02 R-A-03 R-A-04 R-A-07",
        .events = "submit deadline target:ok:borrow release:0 cancel:notfound", .rows = w4,
        .returned = 4, .retired = 5,
    },
    W5("target-before-deadline", "The deadline comes second and sends no cancel.",
       "submit target:ok:borrow deadline release:0",
       "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 0 (0,0)", 4, 4),
    W5("cancel-then-target", "A cancel that succeeds does not end the target: its record does.",
       "submit deadline cancel:ok target:canceled",
       "TIMEOUT/TERMINAL(canceled)/DONE(ok) 0,0 RETURNED,retired 0 0 0 (0,0)", 4, 4),
    W5("target-then-cancel", "The buffer is back, and the record stays for the answer.",
       "submit deadline target:canceled cancel:ok",
       "TIMEOUT/TERMINAL(canceled)/DONE(ok) 0,0 RETURNED,retired 0 0 0", 3, 4),
    W5("not-cancellable", "What cannot be cancelled ends by its own record, if only by an error.",
       "submit deadline cancel:already target:err",
       "TIMEOUT/TERMINAL(err)/DONE(already) 0,0 RETURNED,retired 0 0 0 (0,0)", 4, 4),
    W5("wrong-cancel-identity", "A cancel for nobody is no evidence of an end.",
       "submit deadline cancel:badid target:ok:borrow release:0",
       "TIMEOUT/TERMINAL(ok)/DONE(badid) 0,0 RETURNED,retired 0 0 0 (0,0)", 5, 5),
    W5("cancel-not-submitted", "A cancel that was never accepted owes no answer.",
       "submit deadline:submitfail target:ok:borrow release:0",
       "TIMEOUT/TERMINAL(ok)/DONE(submit_failed) 0,0 RETURNED,retired 0 0 0 (0,0)", 4, 4),
    W5("callback-throws", "A callback that fails gives its borrow back on the way out.",
       "submit deadline target:ok:borrow throw:0 cancel:notfound",
       "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 0", 4, 5),
    {
        .name = "handoff",
        .about = "Another receiver takes over: its borrow is there before the old one ends.",
        .covers = "W5 R-A-14",
        .events = "submit deadline target:ok:borrow handoff:0 release:0 cancel:notfound release:1",
        .rows = handoff, .returned = 7, .retired = 7,
    },
    W5("generation-of-a-live-request", "A record of generation 8 is not for a request of 7.",
       "submit deadline target:ok:borrow@7 target:ok@8 release:0 cancel:notfound",
       "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 1", 5, 6),
    W5("generation-of-a-retired-request", "Nor is any record for a request that is retired.",
       "submit target:ok:borrow release:0 target:ok@7 target:ok@8",
       "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 2", 3, 3),
    W5("everything-twice", "A second end, release or answer is refused and changes nothing.",
       "submit deadline target:ok:borrow target:ok release:0 release:0 cancel:notfound "
       "cancel:notfound",
       "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 3", 5, 7),
    W5("nobody-drains", "Records that nobody takes from the queue are no evidence: all hangs.",
       "submit deadline deliver deliver", "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0",
       NEVER, NEVER),
    W5("never-returned", "A borrower that keeps the buffer keeps the place; no timer ends that.",
       "submit deadline target:ok:borrow handoff:0 cancel:notfound",
       "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,1 HELD,retained 0 1 0", NEVER, NEVER),
    W5("cancel-without-answer", "The buffer serves others, the record waits for its answer.",
       "submit deadline target:ok:borrow release:0",
       "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 0 (0,0)", 4, NEVER),
    W5("device-without-end", "A device that never ends is isolated and told, not waited away.",
       "submit deadline cancel:already",
       "TIMEOUT/INFLIGHT/DONE(already) 1,0 HELD,retained 0 1 0", NEVER, NEVER),
    W5("release-before-the-target", "Under the callback rule there is nothing to release yet.",
       "submit deadline release:0 target:ok:borrow release:0 cancel:notfound",
       "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 1", 5, 6),
    {
        .name = "admission",
        .about = "A place is free when a record is retired, not when a wait or a borrow ends.",
        .covers = "R-A-19 R-A-20",
        .events = "submit submit submit deadline target:ok:borrow submit release:0 submit "
                  "cancel:notfound submit",
        .rows = admission, .returned = 7, .retired = 9,
    },
};

size_t cancellation_examples_count(void)
{
    return sizeof(examples) / sizeof(*examples);
}

const struct cancellation_example *cancellation_examples_at(size_t i)
{
    assert(i < cancellation_examples_count());
    return &examples[i];
}

void cancellation_examples_play(const struct cancellation_example *example,
                                struct cancellation *ret_cancellation)
{
    char error[200];

    ret_cancellation->early_lease = example->early_lease;
    ret_cancellation->rules = NULL;
    if (cancellation_script_read(example->events, &ret_cancellation->script, sizeof(error),
                                 error) < 0)
        abort();
}

static bool same_script(const struct cancellation_script *a, const struct cancellation_script *b)
{
    for (uint32_t i = 0; i < a->word_count && i < b->word_count; i++)
        if (strcmp(a->words[i].text, b->words[i].text) != 0)
            return false;
    return a->word_count == b->word_count;
}

const struct cancellation_example *
cancellation_examples_find(const struct cancellation *cancellation)
{
    for (size_t i = 0; i < cancellation_examples_count(); i++) {
        struct cancellation play;

        cancellation_examples_play(&examples[i], &play);
        if (play.early_lease == cancellation->early_lease &&
            same_script(&play.script, &cancellation->script))
            return &examples[i];
    }
    return NULL;
}

static void check_row(const struct cancellation_ledger *ledger, uint32_t i, const char *expected,
                      struct checks *checks)
{
    char text[CANCELLATION_VALUE_TEXT] = "no more rows";

    if (i < ledger->row_count)
        cancellation_value_text(&ledger->rows[i], text);
    checks_that(checks, strcmp(text, expected) == 0, "after word %u: %s; the requirement says %s",
                i + 1, text, expected);
}

/* The word with which something happens to the first request; 0: never. */
static uint32_t moment(const struct cancellation_ledger *ledger, bool retired)
{
    for (uint32_t i = 0; i < ledger->row_count; i++) {
        const struct request_effect *effect = &ledger->rows[i].effect;

        if (retired ? effect->retired : effect->returned)
            return i + 1;
    }
    return NEVER;
}

void cancellation_examples_check(const struct cancellation_example *example,
                                 const struct cancellation_ledger *ledger, struct checks *checks)
{
    uint32_t returned = moment(ledger, false);
    uint32_t retired = moment(ledger, true);
    uint32_t count = 0;

    for (; example->rows && example->rows[count]; count++)
        check_row(ledger, count, example->rows[count], checks);
    if (example->rows)
        checks_that(checks, ledger->row_count == count, "rows: %u; the requirement says %u",
                    ledger->row_count, count);
    if (example->last)
        check_row(ledger, ledger->row_count - 1, example->last, checks);
    checks_that(checks, returned == example->returned,
                "the buffer returns with word %u; the requirement says %u", returned,
                example->returned);
    checks_that(checks, retired == example->retired,
                "the record retires with word %u; the requirement says %u", retired,
                example->retired);
}
