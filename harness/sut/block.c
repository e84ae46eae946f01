/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/block.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Rows of a run that does something in each of many thousand rounds. */
#define BLOCK_RECORDS (UINT64_C(1) << 19)
/* The queue lists of all rows together, and what a defect reads twice. */
#define BLOCK_SIDE_SPARE (UINT64_C(32) << 20)

/* In the private page before the block. */
struct block_keep {
    size_t size; /* of the block */
    uint64_t side;
};

static size_t block_page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static struct block_keep *block_keep(const struct block *block)
{
    return (struct block_keep *)(void *)((uint8_t *)(uintptr_t)block - block_page());
}

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
    struct block_keep keep = {.side = block_side(plan)};
    size_t page = block_page();
    struct block *block;
    uint8_t *memory;

    keep.size = sizeof(struct block) + journal_size(BLOCK_RECORDS, keep.side);
    memory = mmap(NULL, page + keep.size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    block = mmap(memory + page, keep.size, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (block == MAP_FAILED) {
        (void)munmap(memory, page + keep.size);
        return NULL;
    }
    *block_keep(block) = keep;
    handover_init(&block->handover);
    (void)journal_init(block->journal, BLOCK_RECORDS, keep.side);
    return block;
}

size_t block_size(const struct block *block)
{
    return block_keep(block)->size;
}

struct journal *block_journal(struct block *block)
{
    return (struct journal *)block->journal;
}

void block_source(struct block *block, uint32_t peer)
{
    struct block_sources *sources = &block->sources;
    uint32_t count = atomic_load_explicit(&sources->count, memory_order_relaxed);

    assert(count < PLAN_PEERS_MAX);
    sources->peer[count] = peer;
    atomic_store_explicit(&sources->count, count + 1, memory_order_release);
}

uint32_t block_peer(const struct block *block, uint32_t n)
{
    const struct block_sources *sources = &block->sources;

    assert(n < PLAN_PEERS_MAX);
    if (n >= atomic_load_explicit(&sources->count, memory_order_acquire))
        return PLAN_NOBODY;
    return sources->peer[n];
}

struct sut_report block_report(const struct block *block)
{
    struct sut_report report = handover_left(&block->handover) ? block->last : block->report;

    if ((unsigned)report.status >= SUT_STATUS_COUNT)
        report.status = SUT_FAILED;
    report.text[sizeof(report.text) - 1] = '\0';
    return report;
}

bool block_mend(struct block *block)
{
    const struct block_keep *keep = block_keep(block);
    struct journal *journal = block_journal(block);
    bool sound = journal->capacity == BLOCK_RECORDS && journal->side_capacity == keep->side &&
                 journal->count <= BLOCK_RECORDS && journal->side_used <= keep->side;

    if (sound)
        return true;
    journal->capacity = BLOCK_RECORDS;
    journal->side_capacity = keep->side;
    if (journal->count > BLOCK_RECORDS)
        journal->count = 0;
    if (journal->side_used > keep->side)
        journal->side_used = 0;
    return false;
}

enum happened_fate block_fate(const struct sut_report *report, char **ret_text)
{
    *ret_text = NULL;
    if (report->status == SUT_STOPPED)
        return HAPPENED_STOPPED;
    if (report->status != SUT_LIMIT) {
        *ret_text = strdup(report->text);
        return HAPPENED_DIED;
    }
    if (asprintf(ret_text, "the limit of %s was used up (round %llu, call %llu)", report->text,
                 (unsigned long long)report->rounds, (unsigned long long)report->calls) < 0)
        *ret_text = NULL;
    return HAPPENED_LIMIT;
}

void block_deliver(struct block *block, bool lent, struct happened *happened)
{
    if (block && !block_mend(block) && happened)
        lines_add(&happened->notes, "the sut wrote over its journal's bounds; rows may be lost");
    if (happened && block)
        happened->journal = block_journal(block);
    if (happened && !lent)
        happened->block = block;
    else if (!lent)
        block_unmap(block);
}

void block_hide(struct block *block)
{
    size_t page = block_page();

    (void)madvise((uint8_t *)block - page, page + block_size(block), MADV_DONTFORK);
}

void block_unmap(struct block *block)
{
    size_t page = block_page();

    if (block)
        (void)munmap((uint8_t *)block - page, page + block_size(block));
}
