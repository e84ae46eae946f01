/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_block_begins_empty_and_has_the_bench_first(void **state)
{
    static const struct plan plan;
    struct block *block = block_map(&plan);
    struct journal *journal;

    (void)state;
    assert_non_null(block);
    journal = block_journal(block);
    assert_int_equal((uintptr_t)journal % 64, 0);
    assert_int_equal(atomic_load(&journal->count), 0);
    assert_int_equal(handover_await(&block->handover, HANDOVER_BENCH, DURATION_ZERO), 0);
    assert_int_equal(block->size,
                     sizeof(*block) + journal_size(journal->capacity, journal->side_capacity));
    block_unmap(block);
    block_unmap(NULL);
}

/* Each byte of the payload is kept twice: as it was read, and inside its frame. */
static void the_side_log_grows_with_the_payload(void **state)
{
    static const struct plan empty;
    const struct plan_statement sends[] = {
        {.verb = PLAN_SEND, .bytes = {.size = 1000}},
        {.verb = PLAN_CONNECT},
        {.verb = PLAN_SEND, .bytes = {.size = PLAN_PAYLOAD_MAX - 1000}},
    };
    const struct plan plan = {.statements = sends, .statement_count = 3};
    struct block *small = block_map(&empty);
    struct block *large = block_map(&plan);

    (void)state;
    assert_non_null(small);
    assert_non_null(large);
    assert_int_equal(block_journal(large)->side_capacity - block_journal(small)->side_capacity,
                     2 * PLAN_PAYLOAD_MAX);
    block_unmap(small);
    block_unmap(large);
}

static void the_last_record_and_byte_lie_inside(void **state)
{
    static const struct plan plan;
    struct block *block = block_map(&plan);
    struct journal *journal;
    const uint8_t *side;
    struct journal_record record;
    size_t size;

    (void)state;
    assert_non_null(block);
    journal = block_journal(block);
    journal_write(journal, &(struct journal_record){.kind = JOURNAL_HALT});
    journal_side(journal, "x", 1);
    record = (struct journal_record){.side_at = 0, .side_length = 1};
    side = journal_bytes(journal, &record, &size);
    assert_true((const uint8_t *)journal_at(journal, 0) + journal->capacity * sizeof(record) <=
                side);
    assert_true(side + journal->side_capacity <= (const uint8_t *)block + block->size);
    block_unmap(block);
}

static void what_a_child_writes_the_bench_reads_after_its_death(void **state)
{
    static const struct plan plan;
    struct block *block = block_map(&plan);
    struct journal *journal;
    pid_t child;
    int status;

    (void)state;
    assert_non_null(block);
    journal = block_journal(block);
    child = fork();
    if (child == 0) {
        for (uint32_t i = 0; i < 1000; i++)
            journal_write(journal, &(struct journal_record){.kind = JOURNAL_HALT, .number = i});
        block->report.status = SUT_HELD;
        _exit(7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_int_equal(atomic_load(&journal->count), 1000);
    assert_int_equal(journal_at(journal, 999)->number, 999);
    assert_int_equal(block->report.status, SUT_HELD);
    block_unmap(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_begins_empty_and_has_the_bench_first),
        cmocka_unit_test(the_side_log_grows_with_the_payload),
        cmocka_unit_test(the_last_record_and_byte_lie_inside),
        cmocka_unit_test(what_a_child_writes_the_bench_reads_after_its_death),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
