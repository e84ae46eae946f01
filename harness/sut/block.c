/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/block.h"

#include <sys/mman.h>

/* Rows of a run that does something in each of many thousand rounds. */
#define BLOCK_RECORDS (UINT64_C(1) << 19)
/* The queue lists of all rows together, and what a defect reads twice. */
#define BLOCK_SIDE_SPARE (UINT64_C(32) << 20)

static uint64_t block_side(const struct plan *plan)
{
    uint64_t payload = 0;

    for (uint32_t i = 0; i < plan->statement_count; i++)
        payload += plan->statements[i].bytes.size;
    /* Each byte once as read and once inside a frame. */
    return 2 * payload + BLOCK_SIDE_SPARE;
}

struct block *block_map(const struct plan *plan)
{
    uint64_t side = block_side(plan);
    size_t size = sizeof(struct block) + journal_size(BLOCK_RECORDS, side);
    struct block *block = mmap(NULL, size, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (block == MAP_FAILED)
        return NULL;
    block->size = size;
    handover_init(&block->handover);
    (void)journal_init(block->journal, BLOCK_RECORDS, side);
    return block;
}

struct journal *block_journal(struct block *block)
{
    return (struct journal *)block->journal;
}

void block_unmap(struct block *block)
{
    if (block)
        (void)munmap(block, block->size);
}
