/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes are a script to the parser: it gives a plan that holds what plan.h promises, or at
 * least one mistake, and leaves nothing behind. Input before the first form feed is one --set.
 */

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/script/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Payloads are bytes of their own: reading all of them shows a short one. */
static void check_statements(const struct plan *plan)
{
    struct instant last = {0};
    unsigned sum = 0;

    for (uint32_t i = 0; i < plan->statement_count; i++) {
        const struct plan_statement *statement = &plan->statements[i];

        assert(!instant_before(statement->at, last));
        assert(statement->peer == PLAN_NOBODY || statement->peer < plan->peer_count);
        assert((statement->verb == PLAN_SEND) == (statement->bytes.size > 0));
        for (size_t k = 0; k < statement->bytes.size; k += 509)
            sum += statement->bytes.data[k];
        last = statement->at;
    }
    assert(sum <= PLAN_PAYLOAD_MAX);
}

static void check_plan(const struct plan *plan)
{
    assert(strchr(plan->name, '/'));
    assert(plan->families != 0 && plan->families < 1u << PLAN_FAMILY_COUNT);
    assert(plan->triggers != 0 && plan->triggers < 1u << REACTOR_TRIGGER_COUNT);
    assert(plan->peer_count >= 1 && plan->peer_count <= PLAN_PEERS_MAX);
    assert(plan->limits.bytes >= 1 && plan->limits.attempts >= 1);
    assert(plan->format.header == 0 || frame_size_max(&plan->format) <= plan->capacity);
    assert(plan->statement_count <= PLAN_STATEMENTS_MAX);
    for (uint32_t i = 0; i < plan->peer_count; i++)
        assert(plan_peer_find(plan, plan->peers[i].name) == i);
    for (uint32_t i = 0; i < plan->expect_count; i++)
        assert(plan->expects[i].triggers && !(plan->expects[i].triggers & ~plan->triggers));
    check_statements(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *feed = size ? memchr(data, '\f', size) : NULL;
    size_t set_size = feed ? (size_t)(feed - data) : 0;
    char *set = strndup(set_size ? (const char *)data : "", set_size);
    const char *sets[] = {set};
    size_t skip = feed ? set_size + 1 : 0;
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;
    struct parser_input input = {"fuzz.scn", (const char *)data + skip, size - skip, sets,
                                 feed ? 1 : 0};

    if (parser_parse(&input, &plan, &mistakes) == 0) {
        assert(mistakes.lines.count == 0);
        check_plan(plan);
    } else {
        assert(!plan && mistakes.lines.count > 0 && mistakes.lines.count <= MISTAKES_MAX);
    }
    plan_free(plan);
    mistakes_free(&mistakes);
    free(set);
    return 0;
}
