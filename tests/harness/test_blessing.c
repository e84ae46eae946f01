/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/cli/blessing.h"

static const struct person self = {.other = false};

/* Why one run that ended so is no example. */
static void refused(struct result result, const char *why)
{
    struct plan plan = {.file = "x.scn", .name = "x", .compare = PLAN_STREAMS};
    struct judge_expected before = {0};
    struct outcome outcome = {.result = result, .recorded = true};
    struct blessing blessing;
    struct lines said = {0};

    outcome.result.plan = &plan;
    assert_int_equal(blessing_make(&plan, &before, &outcome, 1, &blessing, &said), -EINVAL);
    assert_int_equal(said.count, 1);
    if (!strstr(said.line[0], why))
        fail_msg("expected '%s' in '%s'", why, said.line[0]);
    lines_free(&said);
}

static void what_did_not_pass_is_no_example(void **state)
{
    (void)state;
    refused((struct result){.verdict = RESULT_FAIL}, "would fail whatever is expected");
    refused((struct result){.verdict = RESULT_LATE}, "on an idle machine");
    refused((struct result){.verdict = RESULT_LATE, .late_by_work = true}, "by its own work");
}

static void streams_have_nothing_to_bless(void **state)
{
    struct plan plan = {.file = "x.scn", .name = "x", .compare = PLAN_STREAMS};
    struct judge_expected before = {0};
    struct outcome outcome = {.result = {.plan = &plan}, .recorded = true};
    struct blessing blessing;
    struct lines said = {0};

    (void)state;
    assert_int_equal(blessing_make(&plan, &before, &outcome, 1, &blessing, &said), 0);
    assert_int_equal(blessing_write(&blessing, &self, &said), 0);
    assert_string_equal(said.line[0], "x: nothing to bless: `compare streams` compares no ledger");
    blessing_free(&blessing);
    lines_free(&said);
}

static void a_file_that_would_not_change_is_not_touched(void **state)
{
    char folder[] = "/tmp/test_blessing.XXXXXX";
    char path[64];
    struct plan plan = {.file = path, .name = "x"};
    struct blessing blessing = {.plan = &plan};
    struct lines said = {0};

    (void)state;
    packet_list_init(&blessing.capture, 10, 1000);
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/x.scn", folder);
    lines_add(&blessing.events, "stop");
    assert_int_equal(blessing_write(&blessing, &self, &said), 0);
    assert_int_equal(blessing_write(&blessing, &self, &said), 0);
    assert_int_equal(said.count, 4);
    assert_non_null(strstr(said.line[1], "/x.events: written, 5 bytes"));
    assert_non_null(strstr(said.line[3], "/x.events: unchanged"));
    (void)snprintf(path, sizeof(path), "%s/x.events", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* no other file: there was no wire */
    blessing_free(&blessing);
    lines_free(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_did_not_pass_is_no_example),
        cmocka_unit_test(streams_have_nothing_to_bless),
        cmocka_unit_test(a_file_that_would_not_change_is_not_touched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
