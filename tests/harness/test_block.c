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
    assert_int_equal(block_size(block),
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
    assert_true(side + journal->side_capacity <= (const uint8_t *)block + block_size(block));
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

/* A sut that dies may have written anything anywhere. */
static void bounds_that_a_sut_wrote_over_are_put_back(void **state)
{
    static const struct plan plan;
    struct block *block = block_map(&plan);
    struct journal *journal = block_journal(block);
    const struct journal sound = *journal;
    pid_t child;
    int status;

    (void)state;
    journal_write(journal, &(struct journal_record){.kind = JOURNAL_HALT});
    assert_true(block_mend(block));
    assert_int_equal(journal->count, 1);
    child = fork();
    if (child == 0) {
        memset(block, 0xa5, sizeof(*block) + sizeof(*journal));
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(block_mend(block));
    assert_int_equal(journal->capacity, sound.capacity);
    assert_int_equal(journal->side_capacity, sound.side_capacity);
    assert_true(journal->count <= journal->capacity);
    assert_true(journal->side_used <= journal->side_capacity);
    block_unmap(block); /* all of it, and nothing else */
}

static void a_report_of_rubbish_is_a_failure_with_a_text_that_ends(void **state)
{
    static const struct plan plan;
    struct block *block = block_map(&plan);
    struct sut_report report;

    (void)state;
    memset(&block->report, 0x7f, sizeof(block->report));
    report = block_report(block);
    assert_int_equal(report.status, SUT_FAILED);
    assert_int_equal(strlen(report.text), sizeof(report.text) - 1);
    block->last = (struct sut_report){.status = SUT_LIMIT, .text = "rounds"};
    assert_int_equal(block_report(block).status, SUT_FAILED);
    handover_leave(&block->handover);
    assert_int_equal(block_report(block).status, SUT_LIMIT);
    block_unmap(block);
}

static void sources_have_the_peers_that_the_sut_names(void **state)
{
    static const struct plan plan;
    struct block *block = block_map(&plan);

    (void)state;
    assert_int_equal(block_peer(block, 0), PLAN_NOBODY);
    block_source(block, 7);
    block_source(block, 3);
    assert_int_equal(block_peer(block, 0), 7);
    assert_int_equal(block_peer(block, 1), 3);
    assert_int_equal(block_peer(block, 2), PLAN_NOBODY);
    block_unmap(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_begins_empty_and_has_the_bench_first),
        cmocka_unit_test(the_side_log_grows_with_the_payload),
        cmocka_unit_test(the_last_record_and_byte_lie_inside),
        cmocka_unit_test(what_a_child_writes_the_bench_reads_after_its_death),
        cmocka_unit_test(bounds_that_a_sut_wrote_over_are_put_back),
        cmocka_unit_test(a_report_of_rubbish_is_a_failure_with_a_text_that_ends),
        cmocka_unit_test(sources_have_the_peers_that_the_sut_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
