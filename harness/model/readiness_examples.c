/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/readiness_examples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/readiness_value.h"

#define BYTES(text) .bytes = (const uint8_t *)(text), .size = sizeof(text) - 1
#define A_B {{.name = "A", BYTES("abcdef")}, {.name = "B", BYTES("XY")}}
#define FIFTY "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HOT FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY

#define FIGURES(quanta_, reads_, data_, eagain_, notices_, bytes_, left_, first_)         \
    {.quanta = quanta_, .reads = reads_, .data = data_, .eagain = eagain_,                \
     .notices = notices_, .bytes = bytes_, .left = left_, .first_service = first_}

static const struct readiness_example readiness_examples[] = {
    {
        .name = "six-quanta",
        .about = "Work that a budget left over stays in our queue: one notice is enough for six "
                 "quanta.",
        .covers = "W1 R-Q-05 R-ET-04 R-ST-10 R-ST-17",
        .play = {.sources = A_B, .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 2,
                 .attempts = 1},
        .rows = {"A:ab [B,A]", "B:XY [A,B]", "A:cd [B,A]", "B:EAGAIN [A]", "A:ef [A]",
                 "A:EAGAIN []"},
        .figures = FIGURES(6, 6, 4, 2, 2, 8, 0, 2),
    },
    {
        .name = "six-quanta-level",
        .about = "A level-triggered kernel repeats itself, and changes neither quanta nor bytes.",
        .covers = "W1 R-Q-10 R-ET-05",
        .play = {.sources = A_B, .count = 2, .trigger = REACTOR_LT, .collect = 16, .quantum = 2,
                 .attempts = 1},
        .rows = {"A:ab [B,A]", "B:XY [A,B]", "A:cd [B,A]", "B:EAGAIN [A]", "A:ef [A]",
                 "A:EAGAIN []"},
        .figures = FIGURES(6, 6, 4, 2, 7, 8, 0, 2),
    },
    {
        .name = "one-notice-a-round",
        .about = "With one notice a round B is known a quantum later; the bytes are the same.",
        .covers = "W1 R-L-07 R-L-08",
        .play = {.sources = A_B, .count = 2, .trigger = REACTOR_ET, .collect = 1, .quantum = 2,
                 .attempts = 1},
        .rows = {"A:ab [A]", "A:cd [B,A]", "B:XY [A,B]", "A:ef [B,A]", "B:EAGAIN [A]",
                 "A:EAGAIN []"},
        .figures = FIGURES(6, 6, 4, 2, 2, 8, 0, 3),
    },
    {
        .name = "no-requeue",
        .about = "Edge-triggered, a source that is not queued again is never heard of again: cdef "
                 "stays.",
        .covers = "W2 R-ET-01 R-ET-04",
        .play = {.sources = A_B, .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 2,
                 .attempts = 1, .no_requeue = true},
        .rows = {"A:ab [B]", "B:XY []"},
        .figures = FIGURES(2, 2, 2, 0, 2, 4, 4, 2),
    },
    {
        .name = "no-requeue-level",
        .about = "Level-triggered it is completed, by repeated notices alone; nobody sees EAGAIN.",
        .covers = "W2 R-ET-01",
        .play = {.sources = A_B, .count = 2, .trigger = REACTOR_LT, .collect = 16, .quantum = 2,
                 .attempts = 1, .no_requeue = true},
        .rows = {"A:ab [B]", "B:XY [A]", "A:cd []", "A:ef []"},
        .figures = FIGURES(4, 4, 4, 0, 6, 8, 0, 2),
    },
    {
        .name = "one-byte-a-quantum",
        .about = "A byte fills the quantum, so the second attempt is never made.",
        .covers = "W3 R-B-03",
        .play = {.sources = A_B, .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 1,
                 .attempts = 2},
        .rows = {"A:a [B,A]", "B:X [A,B]", "A:b [B,A]", "B:Y [A,B]", "A:c [B,A]", "B:EAGAIN [A]",
                 "A:d [A]", "A:e [A]", "A:f [A]", "A:EAGAIN []"},
        .figures = FIGURES(10, 10, 8, 2, 2, 8, 0, 2),
    },
    {
        .name = "four-bytes-two-attempts",
        .about = "Here both budgets matter: the second attempt finds the end of the input.",
        .covers = "W3 R-B-03",
        .play = {.sources = A_B, .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 4,
                 .attempts = 2},
        .rows = {"A:abcd [B,A]", "B:XY,EAGAIN [A]", "A:ef,EAGAIN []"},
        .figures = FIGURES(3, 5, 3, 2, 2, 8, 0, 2),
    },
    {
        .name = "interrupted-for-ever",
        .about = "An interruption costs an attempt: A never reads a byte, and B is served all the "
                 "same. It ends by its limit.",
        .covers = "R-B-02 R-B-03 R-NEG-03",
        .play = {.sources = {{.name = "A", BYTES("abcdef"), .eintr = READINESS_FOR_EVER},
                             {.name = "B", BYTES("XY")}},
                 .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 2, .attempts = 3,
                 .limit = 8},
        .rows = {"A:EINTR,EINTR,EINTR [B,A]", "B:XY [A,B]", "A:EINTR,EINTR,EINTR [B,A]",
                 "B:EAGAIN [A]", "A:EINTR,EINTR,EINTR [A]"},
        .first_rows = true,
        .figures = FIGURES(8, 20, 1, 1, 2, 2, 6, 2),
    },
    {
        .name = "orderly-end",
        .about = "Only a read that returns 0 finishes a direction.",
        .covers = "R-ST-13 R-ST-16",
        .play = {.sources = {{.name = "A", BYTES("abcdef"), .finish = READINESS_EOF},
                             {.name = "B", BYTES("XY")}},
                 .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 2, .attempts = 1},
        .rows = {"A:ab [B,A]", "B:XY [A,B]", "A:cd [B,A]", "B:EAGAIN [A]", "A:ef [A]", "A:EOF []"},
        .figures = FIGURES(6, 6, 4, 1, 2, 8, 0, 2),
    },
    {
        .name = "reset-behind-bytes",
        .about = "The bits of a reset are a hint to read on: the tail comes first, then the error, "
                 "which is final.",
        .covers = "R-ST-15 R-ST-20",
        .play = {.sources = {{.name = "A", BYTES("abcdef"), .finish = READINESS_FATAL},
                             {.name = "B", BYTES("XY")}},
                 .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 2, .attempts = 1},
        .rows = {"A:ab [B,A]", "B:XY [A,B]", "A:cd [B,A]", "B:EAGAIN [A]", "A:ef [A]",
                 "A:ECONNRESET []"},
        .figures = FIGURES(6, 6, 4, 1, 2, 8, 0, 2),
    },
    {
        .name = "late-arrival",
        .about = "B arrives before round 5 of a hot A: it is collected at once, and one quantum "
                 "of A later it is served.",
        .covers = "R-FA-01 R-FA-09 R-L-02",
        .play = {.sources = {{.name = "A", BYTES(HOT)}, {.name = "B", BYTES("XY"), .round = 5}},
                 .count = 2, .trigger = REACTOR_ET, .collect = 16, .quantum = 2, .attempts = 1},
        .rows = {"A:aa [A]", "A:aa [A]", "A:aa [A]", "A:aa [A]", "A:aa [B,A]", "B:XY [A,B]",
                 "A:aa [B,A]", "B:EAGAIN [A]"},
        .first_rows = true,
        .figures = FIGURES(203, 203, 201, 2, 2, 402, 0, 6),
    },
};

size_t readiness_examples_count(void)
{
    return sizeof(readiness_examples) / sizeof(*readiness_examples);
}

const struct readiness_example *readiness_examples_at(size_t i)
{
    assert(i < readiness_examples_count());
    return &readiness_examples[i];
}

static void check_figure(struct checks *checks, const char *what, uint64_t actual,
                         uint32_t expected)
{
    checks_that(checks, actual == expected, "%s: %llu; the requirement says %u", what,
                (unsigned long long)actual, expected);
}

static uint32_t first_service(const struct readiness_ledger *ledger)
{
    for (size_t i = 0; i < ledger->row_count; i++)
        if (ledger->rows[i].head == 1)
            return ledger->rows[i].quantum;
    return 0;
}

static void check_rows(const struct readiness_example *example,
                       const struct readiness_ledger *ledger, struct checks *checks)
{
    size_t count = 0;

    for (; example->rows[count]; count++) {
        char *text = count < ledger->row_count
                         ? readiness_value_text(&example->play, ledger, count) : NULL;

        checks_that(checks, text && strcmp(text, example->rows[count]) == 0,
                    "row %zu: %s; the requirement says %s", count + 1, text ? text : "none",
                    example->rows[count]);
        free(text);
    }
    if (!example->first_rows)
        check_figure(checks, "rows", ledger->row_count, (uint32_t)count);
}

void readiness_examples_check(const struct readiness_example *example,
                              const struct readiness_ledger *ledger, struct checks *checks)
{
    uint64_t left = 0;

    for (uint32_t i = 0; i < example->play.count; i++)
        left += ledger->last[i].unread;
    check_rows(example, ledger, checks);
    check_figure(checks, "quanta", ledger->account.quanta, example->figures.quanta);
    check_figure(checks, "reads", ledger->account.reads, example->figures.reads);
    check_figure(checks, "reads with data", ledger->account.reads_data, example->figures.data);
    check_figure(checks, "EAGAIN", ledger->account.reads_eagain, example->figures.eagain);
    check_figure(checks, "notices", ledger->account.notices, example->figures.notices);
    check_figure(checks, "bytes", ledger->account.bytes, example->figures.bytes);
    check_figure(checks, "bytes left", left, example->figures.left);
    check_figure(checks, "first service of B", first_service(ledger),
                 example->figures.first_service);
}
