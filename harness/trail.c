/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trail.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/ledger/cause.h"

static const char *const trail_steps[] = {
#define X(name, text) [TRAIL_##name] = text,
    TRAIL_STEPS(X)
#undef X
};
_Static_assert(sizeof(trail_steps) / sizeof(*trail_steps) == TRAIL_STEP_COUNT, "a text each");

static const char *const trail_failures[] = {
#define X(name, text) [TRAIL_FAIL_##name] = text,
    TRAIL_FAILURES(X)
#undef X
};
_Static_assert(sizeof(trail_failures) / sizeof(*trail_failures) == TRAIL_FAILURE_COUNT,
               "a text each");

struct trail *trail_map(void)
{
    void *page = mmap(NULL, sizeof(struct trail), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? NULL : page;
}

void trail_unmap(struct trail *trail)
{
    if (trail)
        (void)munmap(trail, sizeof(*trail));
}

void trail_keep(struct trail *trail)
{
    if (trail)
        (void)madvise(trail, sizeof(*trail), MADV_DONTFORK);
}

void trail_enter(struct trail *trail, enum trail_step step)
{
    if (trail)
        atomic_store_explicit(&trail->step, step, memory_order_relaxed);
}

void trail_begin(struct trail *trail, uint32_t index)
{
    if (trail)
        atomic_store_explicit(&trail->statements, index + 1, memory_order_relaxed);
}

void trail_spawned(struct trail *trail, pid_t init)
{
    if (trail)
        atomic_store_explicit(&trail->sut, init, memory_order_relaxed);
}

void trail_fail(struct trail *trail, enum trail_failure failure, int error)
{
    if (!trail)
        return;
    atomic_store_explicit(&trail->error, error, memory_order_relaxed);
    atomic_store_explicit(&trail->failure, failure, memory_order_relaxed);
}

bool trail_failed(const struct trail *trail, char *ret_text, size_t size)
{
    unsigned failure = trail ? atomic_load_explicit(&trail->failure, memory_order_relaxed)
                             : TRAIL_FAIL_NONE;

    if (failure == TRAIL_FAIL_NONE || failure >= TRAIL_FAILURE_COUNT)
        return false;
    (void)snprintf(ret_text, size, "%s: %s", trail_failures[failure],
                   strerror(atomic_load_explicit(&trail->error, memory_order_relaxed)));
    return true;
}

void trail_tell(const struct trail *trail, const struct plan *plan, char *ret_text, size_t size)
{
    uint32_t begun = trail ? atomic_load_explicit(&trail->statements, memory_order_relaxed) : 0;
    unsigned step = trail ? atomic_load_explicit(&trail->step, memory_order_relaxed) : TRAIL_SETUP;
    char text[CAUSE_TEXT_MAX];

    /* What a run left that died while it wrote anything anywhere is believed within bounds. */
    if (step != TRAIL_TIMELINE || begun == 0 || begun > plan->statement_count) {
        (void)snprintf(ret_text, size, "%s",
                       trail_steps[step < TRAIL_STEP_COUNT ? step : TRAIL_SETUP]);
        return;
    }
    cause_statement(plan, &plan->statements[begun - 1], text);
    (void)snprintf(ret_text, size, "begun last: line %u, %s",
                   plan->statements[begun - 1].place.line, text);
}
