/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whatever comes through the pipe of a run: it is refused, or it is a record whose numbers are
 * within the plan's, and that packs into bytes which open again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/runs/parcel.h"

static const struct plan_statement statements[4];
static const struct plan_peer peers[3];
static const struct plan plan = {
    .peers = peers, .peer_count = 3, .statements = statements, .statement_count = 4};

static void check(const struct happened *happened)
{
    for (uint32_t i = 0; i < happened->source_count; i++)
        if (happened->sources[i] >= plan.peer_count)
            abort();
    for (uint32_t i = 0; i < happened->action_count; i++)
        if (happened->actions[i].statement >= plan.statement_count)
            abort();
    for (uint32_t i = 0; i < happened->peer_count; i++)
        if (happened->peers[i].peer >= plan.peer_count)
            abort();
}

static void again(struct parcel *parcel)
{
    struct parcel other;
    uint8_t *bytes;
    size_t size;

    parcel->happened.plan = &plan;
    if (parcel_pack(parcel, &bytes, &size) < 0 || parcel_open(bytes, size, &plan, &other) < 0)
        abort();
    happened_free(&other.happened);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The head is made right, so that the fields behind it are reached. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct parcel nothing = {.kind = PARCEL_INTERRUPTED};
    struct parcel parcel;
    struct parcel_head head;
    uint8_t *bytes;
    size_t known;

    if (parcel_pack(&nothing, &bytes, &known) < 0)
        abort();
    memcpy(&head, bytes, sizeof(head));
    free(bytes);
    head.size = sizeof(head) + size;
    bytes = malloc(head.size);
    if (!bytes)
        abort();
    memcpy(bytes, &head, sizeof(head));
    if (size > 0)
        memcpy(bytes + sizeof(head), data, size);
    if (parcel_open(bytes, head.size, &plan, &parcel) == 0) {
        check(&parcel.happened);
        again(&parcel);
        happened_free(&parcel.happened);
    }
    free(bytes);
    return 0;
}
