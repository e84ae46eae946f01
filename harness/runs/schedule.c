/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/schedule.h"

#include <assert.h>
#include <stdlib.h>

#include "harness/memory.h"

/* splitmix64: small, of full period, and the same everywhere. */
static uint64_t schedule_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The order of the cursor's round: the same for both cursors. */
static void schedule_lay_out(const struct schedule *schedule, struct schedule_cursor *cursor)
{
    size_t cells = schedule->options.cells;
    uint64_t state = schedule->options.seed + cursor->round;

    for (size_t i = 0; i < cells; i++)
        cursor->order[i] = i;
    for (size_t i = cells; schedule->options.shuffle && i > 1; i--) {
        size_t other = (size_t)(schedule_mix(&state) % i);
        size_t cell = cursor->order[i - 1];

        cursor->order[i - 1] = cursor->order[other];
        cursor->order[other] = cell;
    }
    cursor->at = 0;
}

static bool schedule_over(const struct schedule *schedule, const struct schedule_cursor *cursor)
{
    return cursor->cells == 0 || cursor->round == schedule->options.rounds;
}

/* Moves on to a cell of the cursor's kind, at `at` or behind it. */
static void schedule_settle(const struct schedule *schedule, struct schedule_cursor *cursor)
{
    while (!schedule_over(schedule, cursor)) {
        for (; cursor->at < schedule->options.cells; cursor->at++)
            if (schedule->options.exact[cursor->order[cursor->at]] == cursor->exact)
                return;
        cursor->round++;
        schedule_lay_out(schedule, cursor);
    }
}

void schedule_open(struct schedule *schedule, const struct schedule_options *options)
{
    assert(options->rounds > 0);
    *schedule = (struct schedule){.options = *options};
    for (int kind = 0; kind < 2; kind++) {
        struct schedule_cursor *cursor = &schedule->cursors[kind];

        cursor->exact = kind == 0;
        cursor->order = memory_zeroed(options->cells, sizeof(*cursor->order));
        for (size_t i = 0; i < options->cells; i++)
            cursor->cells += options->exact[i] == cursor->exact;
        schedule_lay_out(schedule, cursor);
        schedule_settle(schedule, cursor);
    }
}

void schedule_close(struct schedule *schedule)
{
    free(schedule->cursors[0].order);
    free(schedule->cursors[1].order);
    *schedule = (struct schedule){0};
}

static bool schedule_take_again(struct schedule *schedule, bool free_only,
                                struct schedule_ticket *ret_ticket)
{
    for (size_t i = 0; i < schedule->again_count; i++) {
        struct schedule_ticket ticket = schedule->again[i];

        if (free_only && schedule->options.exact[ticket.cell])
            continue;
        schedule->again_count--;
        for (; i < schedule->again_count; i++)
            schedule->again[i] = schedule->again[i + 1];
        *ret_ticket = ticket;
        return true;
    }
    return false;
}

/* The cursor that is behind the other, if it has anything left. */
static struct schedule_cursor *schedule_first(struct schedule *schedule, bool free_only)
{
    struct schedule_cursor *exact = &schedule->cursors[0];
    struct schedule_cursor *loose = &schedule->cursors[1];

    if (free_only || schedule_over(schedule, exact))
        return schedule_over(schedule, loose) ? NULL : loose;
    if (schedule_over(schedule, loose) || exact->round < loose->round ||
        (exact->round == loose->round && exact->at < loose->at))
        return exact;
    return loose;
}

bool schedule_next(struct schedule *schedule, bool free_only, struct schedule_ticket *ret_ticket)
{
    struct schedule_cursor *cursor;

    if (schedule->stopped)
        return false;
    if (schedule_take_again(schedule, free_only, ret_ticket))
        return true;
    cursor = schedule_first(schedule, free_only);
    if (!cursor)
        return false;
    *ret_ticket = (struct schedule_ticket){
        .cell = cursor->order[cursor->at],
        .round = cursor->round,
        .attempt = 1,
    };
    cursor->at++;
    schedule_settle(schedule, cursor);
    return true;
}

bool schedule_again(struct schedule *schedule, const struct schedule_ticket *ticket)
{
    if (schedule->stopped || schedule->again_count == SCHEDULE_AGAIN_MAX)
        return false;
    schedule->again[schedule->again_count] = *ticket;
    schedule->again[schedule->again_count++].attempt++;
    return true;
}

void schedule_stop(struct schedule *schedule)
{
    schedule->stopped = true;
}

uint64_t schedule_total(const struct schedule *schedule)
{
    return (uint64_t)schedule->options.cells * schedule->options.rounds;
}
