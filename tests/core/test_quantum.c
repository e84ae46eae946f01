/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/quantum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "core/os_fault.h"
#include "tests/support/bed.h"
#include "tests/support/rows.h"

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))
#define PLENTY 100

/* One source, one quantum. */
struct one {
    struct bed *bed;
    struct journal *journal;
    struct os_fault fault;
    struct identity id;
    int fd;
    uint64_t from;
};

static void one_begin(struct one *one, bool framed, struct budget_limits limits)
{
    one->bed = framed ? bed_new_framed() : bed_new();
    one->bed->protocol.limits = limits;
    one->journal = rows_new();
    one->bed->config.journal = one->journal;
}

static void one_start(struct one *one)
{
    struct bed *bed = one->bed;
    struct os os = os_fault_wrap(&one->fault, fake_os_table(&bed->kernel));

    assert_int_equal(reactor_open(&bed->config, os, &bed->r), 0);
    one->id = bed_adopt(bed, &one->fd);
    one->from = atomic_load(&one->journal->count);
}

static void one_end(struct one *one)
{
    bed_free(one->bed);
    rows_free(one->journal);
}

static void arrive(struct one *one, const char *bytes, size_t size)
{
    fake_os_arrive(&one->bed->kernel, one->fd, bytes, size);
}

static void turn(struct one *one)
{
    assert_int_equal(reactor_round(one->bed->r), 1);
}

/* The last row, which tells how the quantum ended. */
static void expect_last(const struct one *one, const char *row)
{
    assert_string_equal(rows_text(one->journal, atomic_load(&one->journal->count) - 1), row);
}

static void takes_five_ms(struct bed *bed, struct identity id)
{
    (void)id;
    bed->kernel.now = instant_add(bed->kernel.now, DURATION_MS(5));
}

/* --- Each reason alone --- */

struct ending {
    const char *name;
    bool framed;
    struct budget_limits limits;
    uint32_t capacity;
    const char *bytes;
    size_t size;
    const char *row;
};

static const struct ending endings[] = {
    {"bytes", false, {.bytes = 2, .attempts = PLENTY}, 0, "abcde", 5,
     "stop 0 bytes QUEUED hint=1 credit=0+0 queue=[0] unread=3"},
    {"attempts", false, {.bytes = PLENTY, .attempts = 1}, 0, "abcde", 5,
     "stop 0 attempts QUEUED hint=1 credit=0+0 queue=[0] unread=0"},
    {"items", false, {.bytes = PLENTY, .attempts = PLENTY, .items = 1}, 0, "abcde", 5,
     "stop 0 items QUEUED hint=1 credit=0+0 queue=[0] unread=0"},
    {"EAGAIN", false, {.bytes = PLENTY, .attempts = PLENTY}, 0, "abcde", 5,
     "stop 0 EAGAIN WAITING hint=0 credit=0+0 queue=[] unread=0"},
    {"frames", true, {.bytes = PLENTY, .attempts = PLENTY, .frames = 1}, 50, "\0\1A\0\1B", 6,
     "stop 0 frames QUEUED hint=1 credit=3+0 queue=[0] unread=3"},
    {"items of frames", true, {.bytes = PLENTY, .attempts = PLENTY, .items = 2}, 50,
     "\0\1A\0\1B\0\1C", 9, "stop 0 items QUEUED hint=1 credit=6+0 queue=[0] unread=3"},
    {"time", true, {.bytes = PLENTY, .attempts = PLENTY, .time = {5000000}}, 50, "\0\1A\0\1B", 6,
     "stop 0 time QUEUED hint=1 credit=3+0 queue=[0] unread=3"},
    {"capacity", true, {.bytes = PLENTY, .attempts = PLENTY}, 7, "\0\1A\0\1B", 6,
     "stop 0 capacity PAUSED hint=1 credit=3+0 queue=[] unread=3"},
    {"bytes inside a frame", true, {.bytes = 4, .attempts = PLENTY}, 9, "\0\3CAT", 5,
     "stop 0 bytes QUEUED hint=1 credit=0+5 queue=[0] unread=1"},
    {"frames and capacity", true, {.bytes = PLENTY, .attempts = PLENTY, .frames = 1}, 7,
     "\0\1A\0\1B", 6, "stop 0 frames capacity PAUSED hint=1 credit=3+0 queue=[] unread=3"},
    {"bytes and attempts", false, {.bytes = 2, .attempts = 1}, 0, "abcde", 5,
     "stop 0 bytes attempts QUEUED hint=1 credit=0+0 queue=[0] unread=3"},
    {"everything at once", true,
     {.bytes = 3, .attempts = 2, .frames = 1, .items = 1, .time = {5000000}}, 7, "\0\1A\0\1B", 6,
     "stop 0 bytes frames items attempts time capacity PAUSED hint=1 credit=3+0 queue=[] unread=3"},
};

static void every_reason_ends_a_quantum_alone_and_with_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(endings); i++) {
        const struct ending *ending = &endings[i];
        struct one one;

        one_begin(&one, ending->framed, ending->limits);
        one.bed->protocol.capacity = ending->capacity;
        one.bed->on_frame = takes_five_ms;
        one_start(&one);
        arrive(&one, ending->bytes, ending->size);
        turn(&one);
        expect_last(&one, ending->row);
        one_end(&one);
    }
}

/* --- What beats a budget (R-ST-17) --- */

static void eagain_on_the_last_attempt_is_eagain(void **state)
{
    struct one one;

    (void)state;
    one_begin(&one, false, (struct budget_limits){.bytes = PLENTY, .attempts = 1});
    one_start(&one);
    arrive(&one, "a", 1);
    turn(&one);
    expect_last(&one, "stop 0 attempts QUEUED hint=1 credit=0+0 queue=[0] unread=0");
    turn(&one);
    expect_last(&one, "stop 0 EAGAIN WAITING hint=0 credit=0+0 queue=[] unread=0");
    assert_int_equal(reactor_account(one.bed->r)->yields, 1);
    one_end(&one);
}

static void an_end_on_the_last_attempt_is_an_end(void **state)
{
    struct one one;

    (void)state;
    one_begin(&one, false, (struct budget_limits){.bytes = PLENTY, .attempts = 1});
    one_start(&one);
    fake_os_fin(&one.bed->kernel, one.fd);
    turn(&one);
    expect_last(&one, "end 0 clean 0 FINISHED hint=0 credit=0+0 queue=[] unread=0");
    one_end(&one);
}

static void a_fatal_error_on_the_last_attempt_is_the_error(void **state)
{
    struct one one;

    (void)state;
    one_begin(&one, false, (struct budget_limits){.bytes = PLENTY, .attempts = 1});
    one_start(&one);
    assert_int_equal(os_fault_add(&one.fault, &(struct os_fault_rule){
                                                  .fd = one.fd, .error = EIO, .times = 1}),
                     0);
    arrive(&one, "a", 1);
    turn(&one);
    assert_int_equal(one.bed->outcome, READER_END_ERROR);
    assert_int_equal(one.bed->error, EIO);
    assert_int_equal(rows_count(one.journal, "end 0 error -5 FAILED hint=0"), 1);
    assert_int_equal(rows_count(one.journal, "stop"), 0);
    one_end(&one);
}

static void an_oversize_header_that_uses_up_the_bytes_is_oversize(void **state)
{
    struct one one;

    (void)state;
    one_begin(&one, true, (struct budget_limits){.bytes = 2, .attempts = 1});
    one_start(&one);
    arrive(&one, "\0\4ABCD", 6);
    turn(&one);
    assert_int_equal(one.bed->outcome, READER_END_OVERSIZE);
    assert_int_equal(
        rows_count(one.journal, "end 0 oversize 0 FAILED hint=0 credit=0+0 queue=[] unread=4"), 1);
    assert_string_equal(one.bed->got, "");
    one_end(&one);
}

static void an_end_inside_a_header_or_payload_is_truncated(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        enum reader_outcome outcome;
    } cuts[] = {
        {"", 0, READER_END_CLEAN},          {"\0", 1, READER_END_TRUNCATED},
        {"\0\3", 2, READER_END_TRUNCATED},  {"\0\3CA", 4, READER_END_TRUNCATED},
        {"\0\3CAT", 5, READER_END_CLEAN},   {"\0\0", 2, READER_END_CLEAN},
        {"\0\0\0", 3, READER_END_TRUNCATED},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cuts); i++) {
        struct one one;

        one_begin(&one, true, (struct budget_limits){.bytes = PLENTY, .attempts = PLENTY});
        one.bed->protocol.capacity = 20;
        one_start(&one);
        arrive(&one, cuts[i].bytes, cuts[i].size);
        fake_os_fin(&one.bed->kernel, one.fd);
        bed_run_idle(one.bed);
        assert_int_equal(one.bed->ends, 1);
        assert_int_equal(one.bed->outcome, cuts[i].outcome);
        one_end(&one);
    }
}

/* --- EINTR --- */

static void an_interrupted_read_spends_an_attempt_and_no_byte(void **state)
{
    static const char *const rows[] = {
        "notice 0 IN",
        "ready 0 QUEUED hint=1 credit=0+0 queue=[0]",
        "quantum 0 1",
        "read 0 asked=4 result=-4 credit=0+0",
        "read 0 asked=4 result=-4 credit=0+0",
        "read 0 asked=4 result=-4 credit=0+0",
        "stop 0 attempts QUEUED hint=1 credit=0+0 queue=[0] unread=2",
        "quantum 0 2",
        "read 0 asked=4 result=-4 credit=0+0",
        "read 0 asked=4 result=2 credit=0+0",
        "read 0 asked=2 result=-11 credit=0+0",
        "stop 0 EAGAIN WAITING hint=0 credit=0+0 queue=[] unread=0",
    };
    struct one one;

    (void)state;
    one_begin(&one, false, (struct budget_limits){.bytes = 4, .attempts = 3});
    one_start(&one);
    assert_int_equal(os_fault_add(&one.fault, &(struct os_fault_rule){
                                                  .fd = one.fd, .error = EINTR, .times = 4}),
                     0);
    arrive(&one, "ab", 2);
    bed_run_idle(one.bed);
    rows_expect(one.journal, &one.from, rows, LENGTH(rows));
    assert_int_equal(reactor_account(one.bed->r)->reads_eintr, 4);
    assert_string_equal(one.bed->got, "ab");
    one_end(&one);
}

/* --- Time --- */

static void without_a_time_budget_a_long_callback_ends_nothing(void **state)
{
    struct one one;

    (void)state;
    one_begin(&one, true, (struct budget_limits){.bytes = PLENTY, .attempts = PLENTY});
    one.bed->protocol.capacity = 50;
    one.bed->on_frame = takes_five_ms;
    one_start(&one);
    arrive(&one, "\0\1A\0\1B\0\1C", 9);
    turn(&one);
    assert_string_equal(one.bed->got, "A.B.C.");
    one_end(&one);
}

static void time_is_counted_from_the_quantums_own_start(void **state)
{
    struct one one;

    (void)state;
    one_begin(&one, true,
              (struct budget_limits){
                  .bytes = PLENTY, .attempts = PLENTY, .time = {10 * INT64_C(1000000)}});
    one.bed->protocol.capacity = 50;
    one.bed->on_frame = takes_five_ms;
    one.bed->kernel.now.ns = INT64_C(1) << 50;
    one_start(&one);
    arrive(&one, "\0\1A\0\1B\0\1C\0\1D\0\1E", 15);
    turn(&one);
    assert_string_equal(one.bed->got, "A.B.");
    one.bed->kernel.now = instant_add(one.bed->kernel.now, DURATION_MS(500));
    turn(&one);
    assert_string_equal(one.bed->got, "A.B.C.D.");
    one_end(&one);
}

/* --- The stream goes on where it was --- */

static void every_cut_of_a_stream_gives_the_same_frames(void **state)
{
    static const char stream[] = "\0\3CAT\0\2OK\0\0\0\1Z";

    (void)state;
    for (uint32_t bytes = 1; bytes < 9; bytes++)
        for (uint32_t attempts = 1; attempts < 4; attempts++)
            for (size_t cut = 1; cut < sizeof(stream) - 1; cut++) {
                struct one one;

                one_begin(&one, true,
                          (struct budget_limits){.bytes = bytes, .attempts = attempts});
                one.bed->manual = false;
                one_start(&one);
                arrive(&one, stream, cut);
                bed_run_idle(one.bed);
                arrive(&one, stream + cut, sizeof(stream) - 1 - cut);
                bed_run_idle(one.bed);
                assert_string_equal(one.bed->got, "CAT.OK..Z.");
                bed_expect(one.bed, one.id, READER_WAITING, 0, 5);
                one_end(&one);
            }
}

/* The consumer gives the last whole frame back while the next one is half here. */
static void a_half_frame_survives_the_release_of_all_others(void **state)
{
    static const char stream[] = "\0\3CAT\0\2OK";

    (void)state;
    for (size_t cut = 6; cut < sizeof(stream) - 1; cut++) {
        struct one one;

        one_begin(&one, true, (struct budget_limits){.bytes = PLENTY, .attempts = PLENTY});
        one.bed->protocol.capacity = 10;
        one_start(&one);
        arrive(&one, stream, cut);
        bed_run_idle(one.bed);
        assert_string_equal(one.bed->got, "CAT.");
        assert_int_equal(reactor_release(one.bed->r, one.id, 1), 0);
        arrive(&one, stream + cut, sizeof(stream) - 1 - cut);
        bed_run_idle(one.bed);
        assert_string_equal(one.bed->got, "CAT.OK.");
        one_end(&one);
    }
}

/* --- Callbacks --- */

static void close_and_take_the_slot_again(struct bed *bed, struct identity id)
{
    struct identity next;
    int fd;

    assert_int_equal(reactor_close(bed->r, id), 0);
    fd = fake_os_stream(&bed->kernel);
    assert_int_equal(reactor_adopt(bed->r, fd, 0, &next), 0);
    assert_int_equal(next.slot, id.slot);
    assert_true(next.generation != id.generation);
}

static void a_quantum_ends_with_its_source_even_when_slot_and_number_are_taken(void **state)
{
    struct one one;
    struct identity heir;

    (void)state;
    one_begin(&one, true, (struct budget_limits){.bytes = PLENTY, .attempts = PLENTY});
    one.bed->on_frame = close_and_take_the_slot_again;
    one_start(&one);
    arrive(&one, "\0\1A\0\1B", 6);
    turn(&one);
    heir = reactor_at(one.bed->r, one.id.slot);
    bed_expect(one.bed, heir, READER_WAITING, 0, 0);
    assert_int_equal(reactor_descriptor(one.bed->r, heir), one.fd);
    assert_int_equal(reactor_account(one.bed->r)->reads, 2);
    assert_string_equal(one.bed->got, "A.");
    assert_int_equal(rows_count(one.journal, "stop"), 0);
    one_end(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reason_ends_a_quantum_alone_and_with_others),
        cmocka_unit_test(eagain_on_the_last_attempt_is_eagain),
        cmocka_unit_test(an_end_on_the_last_attempt_is_an_end),
        cmocka_unit_test(a_fatal_error_on_the_last_attempt_is_the_error),
        cmocka_unit_test(an_oversize_header_that_uses_up_the_bytes_is_oversize),
        cmocka_unit_test(an_end_inside_a_header_or_payload_is_truncated),
        cmocka_unit_test(an_interrupted_read_spends_an_attempt_and_no_byte),
        cmocka_unit_test(without_a_time_budget_a_long_callback_ends_nothing),
        cmocka_unit_test(time_is_counted_from_the_quantums_own_start),
        cmocka_unit_test(every_cut_of_a_stream_gives_the_same_frames),
        cmocka_unit_test(a_half_frame_survives_the_release_of_all_others),
        cmocka_unit_test(a_quantum_ends_with_its_source_even_when_slot_and_number_are_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
