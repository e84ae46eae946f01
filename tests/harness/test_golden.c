/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * The report of typical failures as a whole, byte for byte, kept in tests/golden. After a change
 * that is meant, `GOLDEN=write` makes the files anew, to be read line by line before they are
 * committed.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/page.h"
#include "harness/report/text.h"

#define CELLS_MAX 6

static const char *const covers[] = {"R-F-07", "R-F-11", "W6"};

static const struct plan plan = {
    .file = "scenarios/framing/one-frame-per-quantum.scn",
    .name = "framing/one-frame-per-quantum",
    .about = "A released frame wakes the paused reader; no new edge does.",
    .covers = covers,
    .cover_count = 3,
    .tolerance = {5000000},
};

static const struct text_style plain = {
    .out = "out", .command = "./run", .scenarios = "scenarios", .here = "/srv/edgewise/"};

/* The cells of one scenario, in the order of its table. */
struct table {
    struct result cells[CELLS_MAX];
    size_t count;
};

static struct result *cell(struct table *table, enum reactor_trigger trigger,
                           enum plan_family family, enum result_verdict verdict)
{
    struct result *result = &table->cells[table->count++];

    *result = (struct result){
        .plan = &plan,
        .trigger = trigger,
        .family = family,
        .verdict = verdict,
        .attempts = 1,
        .runs = {[0] = 0},
        .worst_late = {41999},
        .setup = {2100000},
        .timeline = {6250000},
        .wall = {12400000},
    };
    result->runs[verdict] = 1;
    for (int i = 0; i < 44; i++)
        lines_add(&result->events.rows, "row %d", i);
    lines_add(&result->wire.rows, "c > SYN");
    return result;
}

static struct result *failed(struct table *table, enum reactor_trigger trigger)
{
    return cell(table, trigger, PLAN_IPV4, RESULT_FAIL);
}

/* Adds each of `texts`, which ends with NULL. */
static void add(struct lines *lines, const char *const *texts)
{
    for (; *texts; texts++)
        lines_add(lines, "%s", *texts);
}

#define ADD(lines, ...) add((lines), (const char *const[]){__VA_ARGS__, NULL})

static void packets_around_3ms(struct result *result)
{
    ADD(&result->packets, "packets around 3ms (* in it; ms since the start)",
        "        2.011  c > PSH seq 1 len 3 ack 0", "        2.024  c < ack 4",
        "  *     3.009  c > PSH seq 4 len 5 ack 0", "  *     3.020  c < ack 9",
        "        8.333  c > FIN seq 9 len 0 ack 0", "        8.370  c < ack 10");
}

static char *read_golden(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);

    assert_non_null(text);
    if (!file)
        return text;
    assert_true(fread(text, 1, 65535, file) < 65535);
    fclose(file);
    return text;
}

static void write_golden(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void lines_fit(const char *text)
{
    for (size_t width = 0; *text; text++) {
        width = *text == '\n' ? 0 : width + 1;
        assert_true(width <= PAGE_COLUMNS);
        assert_true(*text == '\n' || (*text >= 0x20 && *text < 0x7f));
    }
}

/* The whole report of one scenario, with its summary. */
static void golden_styled(struct table *table, const struct text_style *style, const char *name)
{
    struct text memory;
    struct score score = {{0}};
    char *text = NULL, *expected, path[128];
    const char *mode = getenv("GOLDEN");
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct sink sink = text_sink(&memory, out, style);
    struct sink_finish finish = {.score = &score, .wall = {214000000}, .exit_status = 1};

    for (size_t i = 0; i < table->count; i++)
        for (int verdict = 0; verdict < RESULT_VERDICT_COUNT; verdict++)
            score.count[verdict] += table->cells[i].runs[verdict];
    sink.ops->begin(sink.self, &(struct sink_start){
                                   .replay = "./run scenario framing/one-frame-per-quantum "
                                             "--family ipv4 --seed 0x7fb2ee58ff1b31b4"});
    sink.ops->scenario(sink.self, table->cells, table->count);
    assert_int_equal(sink.ops->end(sink.self, &finish), 0);
    fclose(out);
    snprintf(path, sizeof(path), "tests/golden/%s.txt", name);
    if (mode && strcmp(mode, "write") == 0)
        write_golden(path, text);
    expected = read_golden(path);
    lines_fit(text);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
    for (size_t i = 0; i < table->count; i++)
        result_free(&table->cells[i]);
}

static void golden(struct table *table, const char *name)
{
    golden_styled(table, &plain, name);
}

/* The failures. */

static void bytes_that_nobody_read(void **state)
{
    struct table table = {.count = 0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct result *result = failed(&table, (enum reactor_trigger)i);

        ADD(&result->events.diff,
            "scenarios/framing/one-frame-per-quantum.events:32: the events ledger parts here, "
            "after 26 equal rows; - expected, + happened",
            "    c frame 1 \"CAT\"                              credit=5+0",
            "    c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=4",
            "    c consume 1                                  credit=0+0",
            "  - c resume                     QUEUED   hint=1 credit=0+0 queue=[c]",
            "  - c quantum 5", "  - c read 2 = 2 00 02                           credit=0+4",
            "  - c read 2 = 2 4f 4b",
            "  - c frame 2 \"OK\"                               credit=4+0",
            "  - c stop frames attempts       QUEUED   hint=1 credit=4+0 queue=[c] unread=0",
            "  - c quantum 6", "  - c read 2 = EAGAIN                            credit=4+5",
            "  - .. and 7 more", "    stop", "    c close",
            "  caused by scenarios/framing/one-frame-per-quantum.scn:24:  4ms  sut consume c",
            "  44 rows expected, 29 happened; 29 of them are equal");
        ADD(&result->failed,
            "scenarios/framing/one-frame-per-quantum.scn:28:3: expected c frames \"CAT\" \"OK\", "
            "happened \"CAT\"",
            "scenarios/framing/one-frame-per-quantum.scn:29:3: expected c end clean, happened none",
            "scenarios/framing/one-frame-per-quantum.scn:30:3: expected c peak 9, happened 5");
        ADD(&result->left_over, "c unread 4");
        ADD(&result->packets, "packets around 4ms (none in it; ms since the start)",
            "        3.009  c > PSH seq 4 len 5 ack 0", "        3.020  c < ack 9",
            "        6.333  c > FIN seq 9 len 0 ack 0", "        6.370  c < ack 10");
    }
    golden(&table, "unread");
}

static void a_frame_that_is_missing(void **state)
{
    struct table table = {.count = 0};
    struct result *result = failed(&table, REACTOR_ET);

    (void)state;
    ADD(&result->failed,
        "scenarios/framing/one-frame-per-quantum.scn:28:3: expected c frames \"CAT\" \"OK\", "
        "happened \"CAT\"");
    ADD(&result->peers.diff, "c: the bytes read have 2 whole frames; 1 were delivered");
    golden(&table, "frame-missing");
}

static void a_reset_taken_for_a_clean_end(void **state)
{
    static const char *const words[] = {"R-ST-20", "R-ST-15"};
    struct plan reset = plan;
    struct table table = {.count = 0};
    struct result *result = failed(&table, REACTOR_LT);

    (void)state;
    reset.file = "scenarios/ends/rst-behind-tail.scn";
    reset.name = "ends/rst-behind-tail";
    reset.about = "The bytes before a reset arrive, then the reset is told.";
    reset.covers = words;
    reset.cover_count = 2;
    result->plan = &reset;
    ADD(&result->events.diff,
        "scenarios/ends/rst-behind-tail.events:14: the events ledger parts here, after 11 equal "
        "rows; - expected, + happened",
        "    c stop attempts              QUEUED   hint=1 queue=[c] unread=0", "    c quantum 2",
        "  - c read 8 = ECONNRESET",
        "  - c end error ECONNRESET       FAILED   hint=0 queue=[]  unread=0",
        "  + c read 8 = EOF", "             ^^^",
        "  + c end clean                  FINISHED hint=0 queue=[]  unread=0", "    stop",
        "    c close", "  caused by scenarios/ends/rst-behind-tail.scn:19:  3ms  c reset",
        "  17 rows expected, 17 happened; 15 of them are equal");
    ADD(&result->failed,
        "scenarios/ends/rst-behind-tail.scn:22:3: expected c end error ECONNRESET, happened clean");
    ADD(&result->packets, "packets around 3ms (* in it; ms since the start)",
        "        2.011  c > PSH seq 0 len 4 ack 0", "        2.024  c < ack 4",
        "  *     3.009  c > RST seq 4 len 0 ack 0");
    golden(&table, "reset-as-clean");
}

static void a_sut_killed_by_a_signal(void **state)
{
    struct table table = {.count = 0};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct result *result = cell(&table, (enum reactor_trigger)(i % 2),
                                     i < 2 ? PLAN_IPV4 : PLAN_IPV6, RESULT_FAIL);

        result->cut_short = true;
        ADD(&result->failed,
            "the sut died: killed by SIGSEGV; its last row is of 3ms, "
            "scenarios/framing/one-frame-per-quantum.scn:23: c send 54 00 02 4f 4b");
        ADD(&result->last, "c quantum 3", "c read 1 = EAGAIN",
            "c stop EAGAIN                WAITING  hint=0 credit=0+5 queue=[]  unread=0",
            "notice c IN",
            "c ready                      QUEUED   hint=1 credit=0+5 queue=[c]", "c quantum 4",
            "c read 1 = 1 54");
        ADD(&result->packets, "the last of 9 packets (ms since the start)",
            "        2.011  c > PSH seq 1 len 3 ack 0", "        2.024  c < ack 4",
            "        3.009  c > PSH seq 4 len 5 ack 0", "        3.020  c < ack 9",
            "        3.166  c < FIN seq 0 len 0 ack 9", "        3.170  c > RST seq 9 len 0");
    }
    golden(&table, "killed");
}

static void a_limit_that_was_used_up(void **state)
{
    struct table table = {.count = 0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct result *result = failed(&table, (enum reactor_trigger)i);

        result->cut_short = true;
        lines_add(&result->failed,
                  "the sut went over its limit: the limit of rounds was used up (round 501, call "
                  "%d); its last row is of 2ms, "
                  "scenarios/framing/one-frame-per-quantum.scn:22: c send 03 43 41",
                  1500 + i);
        ADD(&result->last, "c quantum 498", "c read 1 = EAGAIN",
            "c stop EAGAIN                QUEUED   hint=1 credit=0+5 queue=[c] unread=0",
            "c quantum 499", "c read 1 = EAGAIN",
            "c stop EAGAIN                QUEUED   hint=1 credit=0+5 queue=[c] unread=0");
    }
    golden(&table, "limit");
}

static char *reason(const char *text)
{
    return strdup(text);
}

static void late_by_the_machine_and_by_a_line(void **state)
{
    struct table table = {.count = 0};
    struct result *result = cell(&table, REACTOR_ET, PLAN_IPV4, RESULT_LATE);

    (void)state;
    result->attempts = 4;
    result->reason = reason(
        "scenarios/framing/one-frame-per-quantum.scn:23: c send 54 00 02 4f 4b: 203 ms late; the "
        "tolerance is 5ms; line 22 held it up for 203 ms, until its bytes were with the sut: c "
        "send 03 43 41");
    result = cell(&table, REACTOR_LT, PLAN_IPV4, RESULT_PASS);
    result->attempts = 2;
    result = cell(&table, REACTOR_OS, PLAN_IPV4, RESULT_LATE);
    result->late_by_work = true;
    result->reason = reason(
        "scenarios/framing/one-frame-per-quantum.scn:16: c send 00: 8900 us late; the tolerance "
        "is 5ms; line 15 took 12 ms; write line 16 later, or `tolerance 15ms`");
    golden(&table, "late");
}

static void the_bench_itself_broke(void **state)
{
    struct table table = {.count = 0};
    struct result *result = cell(&table, REACTOR_ET, PLAN_IPV4, RESULT_ERROR);

    (void)state;
    lines_free(&result->events.rows);
    lines_free(&result->wire.rows);
    result->reason = reason("making the veth pair: No buffer space available");
    result = cell(&table, REACTOR_LT, PLAN_IPV4, RESULT_SKIP);
    result->reason = reason("no IPv4 here");
    golden(&table, "error");
}

static void something_is_left_over(void **state)
{
    struct table table = {.count = 0};
    struct result *result = failed(&table, REACTOR_OS);

    (void)state;
    ADD(&result->left_over, "c held 4", "packet 7: UDP datagram",
        "c saw no end within 2000 ms of the stop");
    golden(&table, "left-over");
}

static void the_wire_parts(void **state)
{
    struct table table = {.count = 0};
    struct result *result = failed(&table, REACTOR_ET);

    (void)state;
    ADD(&result->wire.diff,
        "scenarios/framing/one-frame-per-quantum.wire:5: the wire ledger parts here, after 4 equal "
        "rows; - expected, + happened",
        "    c < SYN",
        "    c > 1000 \"\\x00\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09\\x0a\\x0b\\x0c\\x0d\\x0e"
        "\\x0f !\\x22#$%&'()*+,-./0123456789:;<=>?\".. fnv1a=90c604558366906d",
        "    c > FIN at 1000", "  - c < FIN at 0", "  + c < RST at 0", "        ^^^",
        "  5 rows expected, 5 happened; 4 of them are equal");
    ADD(&result->packets, "packets around the end of `c <` (*; ms since the start)",
        "        6.519  c > FIN seq 9 len 0 ack 0", "        6.552  c < ack 10",
        "  *     6.732  c < RST seq 0 len 0 ack 10");
    golden(&table, "wire");
}

static void the_peers_part(void **state)
{
    struct table table = {.count = 0};
    struct result *result = failed(&table, REACTOR_ET);

    (void)state;
    ADD(&result->peers.diff,
        "scenarios/framing/one-frame-per-quantum.scn:23: c send 54 00 02 4f 4b: ECONNRESET",
        "scenarios/framing/one-frame-per-quantum.scn:23: c send 54 00 02 4f 4b: 0 of 5 bytes were "
        "taken",
        "c saw reset; it should be fin, since the sut had read all that was sent");
    ADD(&result->notes, "c send: Connection reset by peer",
        "c rcvbuf 131072 sndbuf 4194304 reno nodelay");
    golden(&table, "peers");
}

static void repeated_runs(void **state)
{
    struct table table = {.count = 0};
    struct result *result;

    (void)state;
    result = failed(&table, REACTOR_ET);
    result->runs[RESULT_FAIL] = 3;
    result->runs[RESULT_LATE] = 7;
    result->runs[RESULT_PASS] = 490;
    ADD(&result->events.diff,
        "scenarios/framing/one-frame-per-quantum.events:29: the events ledger parts here, after 24 "
        "equal rows; - expected, + happened",
        "    c quantum 4", "    c read 1 = 1 54",
        "    c frame 1 \"CAT\"                              credit=5+0",
        "  - c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=4",
        "  + c stop capacity              PAUSED   hint=1 credit=5+0 queue=[]  unread=4",
        "    c consume 1                                  credit=0+0",
        "  caused by scenarios/framing/one-frame-per-quantum.scn:23:  3ms  c send 54 00 02 4f 4b",
        "  44 rows expected, 44 happened; 42 of them are equal; 1 more difference below");
    packets_around_3ms(result);
    result = cell(&table, REACTOR_LT, PLAN_IPV4, RESULT_LATE);
    result->runs[RESULT_LATE] = 7;
    result->runs[RESULT_PASS] = 493;
    result->reason = reason(
        "scenarios/framing/one-frame-per-quantum.scn:23: c send 54 00 02 4f 4b: 6120 us late; the "
        "tolerance is 5ms; no line held it up: the machine was busy");
    result = cell(&table, REACTOR_OS, PLAN_IPV4, RESULT_PASS);
    result->runs[RESULT_PASS] = 500;
    golden(&table, "repeats");
}

/* Whatever is too long goes on in the next line; what is unprintable is told in ASCII. */
static void names_that_are_long_and_strange(void **state)
{
    static const char deep[] =
        "/srv/somebody/with-a-long-name/in/a/deep/folder/of/projects/0123456789012345678901234567"
        "8901234567890123456789/scripts of mine/\xc3\xbc" "ber.scn";
    struct plan strange = plan;
    struct text_style style = plain;
    struct table table = {.count = 0};
    struct result *result = failed(&table, REACTOR_ET);

    (void)state;
    strange.file = deep;
    result->plan = &strange;
    style.out = "/tmp/artefacts of today/'quoted'";
    style.options = " --set quantum.bytes=64 --set quantum.attempts=3 --set frame.payload=1024";
    lines_add(&result->events.diff, "%s:29: the events ledger parts here; - expected, + happened",
              deep);
    ADD(&result->events.diff,
        "    a-peer-with-a-long-name-1 ready           QUEUED   hint=1 credit=0+0 "
        "queue=[a-peer-with-a-long-name-1,b,c]",
        "  - a-peer-with-a-long-name-1 stop frames capacity PAUSED   hint=1 credit=5+0 "
        "queue=[b,c] unread=4",
        "  + a-peer-with-a-long-name-1 stop frames capacity PAUSED   hint=1 credit=5+0 "
        "queue=[b,c] unread=3",
        "                                                                               "
        "           ^^^^^^^^");
    lines_add(&result->events.diff, "  caused by %s:23:  3ms  a-peer-with-a-long-name-1 send 54",
              deep);
    golden_styled(&table, &style, "long-names");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_nobody_read),
        cmocka_unit_test(a_frame_that_is_missing),
        cmocka_unit_test(a_reset_taken_for_a_clean_end),
        cmocka_unit_test(a_sut_killed_by_a_signal),
        cmocka_unit_test(a_limit_that_was_used_up),
        cmocka_unit_test(late_by_the_machine_and_by_a_line),
        cmocka_unit_test(the_bench_itself_broke),
        cmocka_unit_test(something_is_left_over),
        cmocka_unit_test(the_wire_parts),
        cmocka_unit_test(the_peers_part),
        cmocka_unit_test(repeated_runs),
        cmocka_unit_test(names_that_are_long_and_strange),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
