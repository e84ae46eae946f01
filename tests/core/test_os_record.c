/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/fake_os.h"

#define SIDE 8

struct recording {
    struct fake_os kernel;
    struct os_record record;
    struct journal *journal;
    struct os os;
    int fd;
};

static void recording_begin(struct recording *recording, bool journal)
{
    size_t size = (journal_size(4, SIDE) + 63) / 64 * 64;

    fake_os_init(&recording->kernel);
    recording->journal = journal ? journal_init(aligned_alloc(64, size), 4, SIDE) : NULL;
    recording->os = os_record_wrap(&recording->record, fake_os_table(&recording->kernel),
                                   recording->journal);
    recording->fd = fake_os_stream(&recording->kernel);
}

static void expect_side(const struct recording *recording, const char *bytes, uint32_t size)
{
    struct journal_record record = {.side_at = 0, .side_length = size};
    size_t got;
    const uint8_t *side = journal_bytes(recording->journal, &record, &got);

    assert_int_equal(journal_side_mark(recording->journal), size);
    assert_int_equal(got, size);
    assert_memory_equal(side, bytes, size);
}

static void the_bytes_of_every_read_go_to_the_side_log(void **state)
{
    struct recording recording;
    char bytes[8];

    (void)state;
    recording_begin(&recording, true);
    fake_os_arrive(&recording.kernel, recording.fd, "abcde", 5);
    assert_int_equal(os_read(recording.os, recording.fd, bytes, 2), 2);
    expect_side(&recording, "ab", 2);
    assert_int_equal(os_read(recording.os, recording.fd, bytes, 8), 3);
    expect_side(&recording, "abcde", 5);
    assert_memory_equal(bytes, "cde", 3);
    free(recording.journal);
}

static void reads_without_bytes_leave_nothing(void **state)
{
    struct recording recording;
    char bytes[8];

    (void)state;
    recording_begin(&recording, true);
    assert_int_equal(os_read(recording.os, recording.fd, bytes, 8), -EAGAIN);
    fake_os_fin(&recording.kernel, recording.fd);
    assert_int_equal(os_read(recording.os, recording.fd, bytes, 8), 0);
    fake_os_rst(&recording.kernel, recording.fd);
    assert_int_equal(os_read(recording.os, recording.fd, bytes, 8), -ECONNRESET);
    assert_int_equal(journal_side_mark(recording.journal), 0);
    assert_false(atomic_load(&recording.journal->overflow));
    free(recording.journal);
}

static void a_full_side_log_is_told_and_the_read_is_not_touched(void **state)
{
    struct recording recording;
    char bytes[16];

    (void)state;
    recording_begin(&recording, true);
    fake_os_arrive(&recording.kernel, recording.fd, "0123456789", 10);
    assert_int_equal(os_read(recording.os, recording.fd, bytes, 10), 10);
    assert_memory_equal(bytes, "0123456789", 10);
    assert_true(atomic_load(&recording.journal->overflow));
    free(recording.journal);
}

static void without_a_journal_reads_go_on(void **state)
{
    struct recording recording;
    char bytes[8];

    (void)state;
    recording_begin(&recording, false);
    fake_os_arrive(&recording.kernel, recording.fd, "abc", 3);
    assert_int_equal(os_read(recording.os, recording.fd, bytes, 8), 3);
    assert_int_equal(os_unread(recording.os, recording.fd), 0);
    assert_int_equal(os_close(recording.os, recording.fd), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_of_every_read_go_to_the_side_log),
        cmocka_unit_test(reads_without_bytes_leave_nothing),
        cmocka_unit_test(a_full_side_log_is_told_and_the_read_is_not_touched),
        cmocka_unit_test(without_a_journal_reads_go_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
