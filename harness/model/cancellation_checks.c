/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cancellation_checks.h"

/* A check of one row. */
#define CHECK(holds, rule) \
    checks_that(checks, holds, "after word %u, %s: %s", number, row->word->text, rule)

static bool terminal(const struct request *request)
{
    return request->target != REQUEST_TARGET_INFLIGHT;
}

/* Three moments, each with its own condition (R-A-03, R-A-06). */
static void check_moments(const struct cancellation_row *row, uint32_t number,
                          struct checks *checks)
{
    const struct request *after = &row->after;
    bool free = terminal(after) && after->device == 0 && after->borrows == 0;
    bool retired = after->state == REQUEST_RETIRED;

    CHECK(after->returned == free,
          "the buffer is back if and only if the target ended and nobody holds it (R-A-06)");
    CHECK(retired == (free && after->logical != REQUEST_LOGICAL_WAITING &&
                      after->cancel != REQUEST_CANCEL_PENDING),
          "the record is retired if and only if nothing is owed (R-A-06)");
    CHECK(after->device == !terminal(after), "the device holds it until it has ended, not longer");
    CHECK(after->borrows >= 0, "no borrow ends twice (R-A-05)");
    CHECK(row->sound, "request_check holds");
}

/* What an event may change. */
static void check_change(const struct cancellation_row *row, uint32_t number,
                         struct checks *checks)
{
    const struct request *before = &row->before;
    const struct request *after = &row->after;
    const struct request_act *act = &row->word->act;
    bool target = !row->word->submit && act->kind == REQUEST_KIND_TARGET;
    bool cancel = !row->word->submit && act->kind == REQUEST_KIND_CANCEL;

    CHECK(before->logical == REQUEST_LOGICAL_WAITING || before->logical == after->logical,
          "what a wait came to is not rewritten (R-A-07)");
    CHECK(target || (before->target == after->target && before->device == after->device),
          "only the device's record ends the target (R-A-11, R-A-12)");
    CHECK(!cancel || (before->borrows == after->borrows && before->returned == after->returned &&
                      before->device == after->device && !row->effect.looks),
          "an answer to a cancel touches the record alone, not the buffer (R-A-08)");
    CHECK(!before->returned || after->returned, "a buffer returns once (R-A-05)");
    CHECK(row->effect.verdict == REQUEST_STEP || row->unchanged,
          "what is refused or ignored changes nothing (R-A-22)");
    CHECK(!row->stale || row->word->submit || row->effect.verdict == REQUEST_REFUSE,
          "a record of another generation is refused (R-A-15)");
}

/* d and b from move to move: only the last move can leave the buffer without a holder. */
static void check_moves(const struct cancellation_row *row, uint32_t number,
                        struct checks *checks)
{
    const struct request_effect *effect = &row->effect;

    for (uint8_t i = 0; i < effect->moves; i++)
        CHECK(i + 1 == effect->moves || effect->after[i].device + effect->after[i].borrows > 0,
              "a new borrow is there before the old holder lets go (R-A-04, R-A-14)");
    if (effect->moves > 0)
        CHECK(effect->after[effect->moves - 1].device == row->after.device &&
                  effect->after[effect->moves - 1].borrows == row->after.borrows,
              "the moves lead to what the row says");
}

static void check_bounds(const struct cancellation_row *row, uint32_t number,
                         struct checks *checks)
{
    CHECK(row->unretired <= CANCELLATION_ADMITTED,
          "no more requests than places, retired or not (R-A-19, R-A-20)");
    CHECK(row->held_bytes <= CANCELLATION_ADMITTED * CANCELLATION_BYTES,
          "held bytes stay within QREQ x MBUF (R-A-19)");
    CHECK(row->open <= row->unretired, "who waits has a record");
    CHECK(row->consumed <= row->delivered, "nothing is consumed before it is delivered (R-A-21)");
}

void cancellation_checks(const struct cancellation_ledger *ledger, struct checks *checks)
{
    const struct cancellation_row *last = &ledger->rows[ledger->row_count - 1];

    for (uint32_t i = 0; i < ledger->row_count; i++) {
        check_moments(&ledger->rows[i], i + 1, checks);
        check_change(&ledger->rows[i], i + 1, checks);
        check_moves(&ledger->rows[i], i + 1, checks);
        check_bounds(&ledger->rows[i], i + 1, checks);
    }
    checks_that(checks, ledger->retired <= ledger->returned && ledger->returned <=
                            ledger->submitted,
                "no record is retired whose buffer is out, and none twice (R-A-05)");
    checks_that(checks, ledger->submitted - ledger->retired == last->unretired,
                "what was submitted is retired or owed");
    checks_that(checks, ledger->peak_bytes <= CANCELLATION_ADMITTED * CANCELLATION_BYTES,
                "held bytes never pass QREQ x MBUF (R-A-19)");
}
