/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/journal.h"

static struct journal *make_journal(uint64_t records, uint64_t side)
{
    /* aligned_alloc wants a multiple of the alignment; the journal may not use the rest. */
    size_t size = (journal_size(records, side) + 63) / 64 * 64;
    void *block = aligned_alloc(64, size);

    assert_non_null(block);
    memset(block, 0xa5, size);
    return journal_init(block, records, side);
}

static void write_number(struct journal *journal, uint32_t number)
{
    const struct journal_record record = {
        .kind = JOURNAL_QUANTUM, .subject = {1, 2}, .number = number, .at = {number}};

    journal_write(journal, &record);
}

/* Logs `text` and a record that names it. */
static void write_text(struct journal *journal, const char *text)
{
    const struct journal_record record = {.kind = JOURNAL_READ,
                                          .side_at = journal_side_mark(journal),
                                          .side_length = (uint32_t)strlen(text)};

    journal_side(journal, text, strlen(text));
    journal_write(journal, &record);
}

static void assert_text(const struct journal *journal, uint64_t i, const char *text)
{
    size_t size = 99;
    const uint8_t *bytes = journal_bytes(journal, journal_at(journal, i), &size);

    assert_int_equal(size, strlen(text));
    if (size != 0)
        assert_memory_equal(bytes, text, size);
    else
        assert_null(bytes);
}

static void sizes_out_of_range_are_zero(void **context)
{
    const uint64_t records_max = UINT64_C(1) << 24, side_max = UINT64_C(1) << 32;

    (void)context;
    assert_int_equal(journal_size(0, 0), 0);
    assert_int_equal(journal_size(records_max + 1, 0), 0);
    assert_int_equal(journal_size(UINT64_MAX, UINT64_MAX), 0);
    assert_int_equal(journal_size(1, side_max + 1), 0);
    assert_int_equal(journal_size(1, 0), 128);
    assert_int_equal(journal_size(3, 10), 64 + 3 * 64 + 10);
    assert_int_equal(journal_size(records_max, side_max), 64 + (records_max << 6) + side_max);
}

static void records_come_back_in_order(void **context)
{
    struct journal *journal = make_journal(100, 0);

    (void)context;
    assert_int_equal(atomic_load(&journal->count), 0);
    for (uint32_t i = 0; i < 100; i++)
        write_number(journal, i);
    assert_int_equal(atomic_load(&journal->count), 100);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(journal_at(journal, i)->kind, JOURNAL_QUANTUM);
        assert_int_equal(journal_at(journal, i)->number, i);
        assert_int_equal((uintptr_t)journal_at(journal, i) % 64, 0);
    }
    assert_false(atomic_load(&journal->overflow));
    free(journal);
}

static void a_full_journal_keeps_what_it_has(void **context)
{
    struct journal *journal = make_journal(2, 4);

    (void)context;
    write_number(journal, 10);
    write_number(journal, 11);
    assert_false(atomic_load(&journal->overflow));
    write_number(journal, 12);
    write_number(journal, 13);
    assert_true(atomic_load(&journal->overflow));
    assert_int_equal(atomic_load(&journal->count), 2);
    assert_int_equal(journal_at(journal, 0)->number, 10);
    assert_int_equal(journal_at(journal, 1)->number, 11);
    free(journal);
}

static void side_bytes_come_back(void **context)
{
    struct journal *journal = make_journal(4, 8);

    (void)context;
    write_text(journal, "abc");
    write_text(journal, "");
    write_text(journal, "defgh");
    assert_false(atomic_load(&journal->overflow));
    assert_int_equal(journal_side_mark(journal), 8);
    assert_text(journal, 0, "abc");
    assert_text(journal, 1, "");
    assert_text(journal, 2, "defgh");
    free(journal);
}

/* Lost bytes are told by `overflow`, and nobody else's bytes ever take their place. */
static void lost_side_bytes_are_not_replaced_by_others(void **context)
{
    struct journal *journal = make_journal(8, 8);

    (void)context;
    write_text(journal, "abcd");
    write_text(journal, "12345");
    assert_true(atomic_load(&journal->overflow));
    write_text(journal, "xy");
    write_text(journal, "zw");
    assert_text(journal, 0, "abcd");
    assert_text(journal, 1, "");
    assert_text(journal, 2, "");
    assert_text(journal, 3, "");
    assert_int_equal(journal_side_mark(journal), 4);
    assert_int_equal(atomic_load(&journal->count), 4);
    assert_true(atomic_load(&journal->overflow));
    free(journal);
}

static void a_record_of_bytes_that_never_were_has_none(void **context)
{
    struct journal *journal = make_journal(4, 8);
    struct journal_record record = {.kind = JOURNAL_READ, .side_at = 1, .side_length = 4};
    size_t size;

    (void)context;
    journal_side(journal, "abcd", 4);
    assert_null(journal_bytes(journal, &record, &size));
    assert_int_equal(size, 0);
    record.side_at = UINT64_MAX;
    assert_null(journal_bytes(journal, &record, &size));
    record.side_at = 1;
    record.side_length = 3;
    assert_memory_equal(journal_bytes(journal, &record, &size), "bcd", 3);
    assert_int_equal(size, 3);
    free(journal);
}

static void no_journal_means_off(void **context)
{
    (void)context;
    write_number(NULL, 1);
    journal_side(NULL, "x", 1);
    assert_int_equal(journal_side_mark(NULL), 0);
}

/* What a writer has counted is there for a process that outlives it. */
static void records_survive_the_death_of_the_writer(void **context)
{
    const uint64_t records = 1000, side = 4000;
    size_t size = journal_size(records, side);
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct journal *journal;
    pid_t writer;

    (void)context;
    assert_true(block != MAP_FAILED);
    journal = journal_init(block, records, side);
    writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        for (uint64_t i = 0; i < records; i++)
            write_text(journal, "four");
        _exit(0);
    }
    for (uint64_t seen = 0; seen < records;) {
        uint64_t count = atomic_load_explicit(&journal->count, memory_order_acquire);

        for (; seen < count; seen++)
            assert_text(journal, seen, "four");
        if (seen < records && waitpid(writer, NULL, WNOHANG) == writer) {
            writer = 0;
            assert_int_equal(atomic_load(&journal->count), records);
        }
    }
    if (writer > 0)
        assert_int_equal(waitpid(writer, NULL, 0), writer);
    assert_false(atomic_load(&journal->overflow));
    munmap(block, size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_out_of_range_are_zero),
        cmocka_unit_test(records_come_back_in_order),
        cmocka_unit_test(a_full_journal_keeps_what_it_has),
        cmocka_unit_test(side_bytes_come_back),
        cmocka_unit_test(lost_side_bytes_are_not_replaced_by_others),
        cmocka_unit_test(a_record_of_bytes_that_never_were_has_none),
        cmocka_unit_test(no_journal_means_off),
        cmocka_unit_test(records_survive_the_death_of_the_writer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
