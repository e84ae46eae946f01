/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <jansson.h>

#include "harness/report/json.h"
#include "harness/report/value.h"
#include "tests/harness/sample_sink.h"

static char *document_of(const struct result *results, size_t count)
{
    struct sample_stream stream;
    struct json_document document;
    struct sink sink;

    sample_open(&stream);
    sink = json_sink(&document, stream.out);
    sample_begin(sink, 6);
    if (count > 0)
        sample_tell(sink, results, count);
    assert_int_equal(sample_end(sink, 2, 1), 0);
    return sample_text(&stream);
}

static void a_defect_is_named(void **state)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 1);
    char *text = json_result_text(&result);

    (void)state;
    assert_null(strstr(text, "\"defect\""));
    free(text);
    result.defect = "no-dedup";
    text = json_result_text(&result);
    assert_non_null(strstr(text, "\n  \"defect\": \"no-dedup\",\n"));
    free(text);
    result_free(&result);
}

static void a_result_is_this_text(void **state)
{
    struct result result = sample_once(sample_fail(REACTOR_ET, PLAN_IPV4));
    char *text = json_result_text(&result);

    (void)state;
    assert_string_equal(text,
                        "{\n"
                        "  \"scenario\": \"framing/one\",\n"
                        "  \"world\": \"veth\",\n"
                        "  \"trigger\": \"et\",\n"
                        "  \"family\": \"ipv4\",\n"
                        "  \"verdict\": \"fail\",\n"
                        "  \"events\": {\n"
                        "    \"rows\": 2,\n"
                        "    \"diff\": [\n"
                        "      \"scenarios/framing/one.events:7: the events part here\",\n"
                        "      \"    ctl c add IN RDHUP ET\",\n"
                        "      \"  - c quantum 3\",\n"
                        "      \"  + stop\"\n"
                        "    ]\n"
                        "  },\n"
                        "  \"wire\": {\n"
                        "    \"rows\": 0,\n"
                        "    \"diff\": []\n"
                        "  },\n"
                        "  \"peers\": {\n"
                        "    \"rows\": 0,\n"
                        "    \"diff\": []\n"
                        "  },\n"
                        "  \"failed_expectations\": [\n"
                        "    \"scenarios/framing/one.scn:24:3: c frames: expected 2, got 1\"\n"
                        "  ],\n"
                        "  \"left_over\": [\n"
                        "    \"c unread 4\"\n"
                        "  ],\n"
                        "  \"notes\": [\n"
                        "    \"c rcvbuf 131072\"\n"
                        "  ],\n"
                        "  \"attempts\": 1,\n"
                        "  \"runs\": {\n"
                        "    \"pass\": 0,\n"
                        "    \"fail\": 1,\n"
                        "    \"late\": 0,\n"
                        "    \"error\": 0,\n"
                        "    \"skip\": 0\n"
                        "  },\n"
                        "  \"worst_late_us\": 41,\n"
                        "  \"setup_ms\": 2.1,\n"
                        "  \"timeline_ms\": 6.25,\n"
                        "  \"wall_ms\": 12.4\n"
                        "}\n");
    free(text);
    result_free(&result);
}

static void a_document_has_its_keys_in_order(void **state)
{
    static const char *const keys[] = {"tool",   "version", "seed",    "replay", "results",
                                       "passed", "failed",  "late",    "errors", "skipped",
                                       "left",   "wall_ms", "exit"};
    struct result results[] = {sample_pass(REACTOR_ET, PLAN_IPV4, 1),
                               sample_fail(REACTOR_LT, PLAN_IPV4)};
    char *text = document_of(results, 2);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const char *key;
    json_t *value;
    size_t index = 0;

    (void)state;
    assert_non_null(root);
    json_object_foreach(root, key, value) {
        assert_true(index < sizeof(keys) / sizeof(*keys));
        assert_string_equal(key, keys[index++]);
    }
    assert_int_equal(index, sizeof(keys) / sizeof(*keys));
    assert_int_equal(json_array_size(json_object_get(root, "results")), 2);
    json_decref(root);
    free(text);
    result_free(&results[0]);
    result_free(&results[1]);
}

static void a_document_without_results_is_whole(void **state)
{
    char *text = document_of(NULL, 0);

    (void)state;
    assert_string_equal(text, "{\n"
                              "  \"tool\": \"edgewise\",\n"
                              "  \"version\": \"1.2.3\",\n"
                              "  \"seed\": \"0x1f\",\n"
                              "  \"replay\": \"" SAMPLE_REPLAY "\",\n"
                              "  \"results\": [],\n"
                              "  \"passed\": 3,\n"
                              "  \"failed\": 1,\n"
                              "  \"late\": 2,\n"
                              "  \"errors\": 0,\n"
                              "  \"skipped\": 0,\n"
                              "  \"left\": 2,\n"
                              "  \"wall_ms\": 1234.567,\n"
                              "  \"exit\": 1\n"
                              "}\n");
    free(text);
}

static void repeats_are_one_result_with_their_counts(void **state)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 1);
    char *text;

    (void)state;
    result.runs[RESULT_PASS] = 498;
    result.runs[RESULT_LATE] = 2;
    text = json_result_text(&result);
    assert_non_null(strstr(text, "    \"pass\": 498,\n"
                                 "    \"fail\": 0,\n"
                                 "    \"late\": 2,\n"));
    free(text);
    result_free(&result);
}

static void a_failed_write_is_told_at_the_end(void **state)
{
    FILE *full = fopen("/dev/full", "w");
    struct json_document document;
    struct sink sink = json_sink(&document, full);

    (void)state;
    assert_non_null(full);
    sample_begin(sink, 1);
    assert_int_equal(sample_end(sink, 0, 0), -ENOSPC);
    fclose(full);
}

static void a_reason_is_there_only_when_there_is_one(void **state)
{
    struct result result =
        sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_SKIP, "it is \"not\" here");
    char *text = json_result_text(&result);

    (void)state;
    assert_non_null(strstr(text, "  \"verdict\": \"skip\",\n"
                                 "  \"reason\": \"it is \\\"not\\\" here\",\n"));
    free(text);
    result_free(&result);
}

static void cleans(const char *text, const char *expected)
{
    json_t *clean = value_text(text);

    assert_string_equal(json_string_value(clean), expected);
    json_decref(clean);
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
    (void)state;
    cleans("plain", "plain");
    cleans("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    cleans("a\xff", "a\xef\xbf\xbd");
    cleans("\x80z", "\xef\xbf\xbdz");
    cleans("\xc3", "\xef\xbf\xbd");
    cleans("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");
    cleans("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    cleans("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void any_row_gives_a_valid_document(void **state)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 1);
    char *text;
    json_t *root;

    (void)state;
    lines_add(&result.left_over, "%s", SAMPLE_HOSTILE);
    text = document_of(&result, 1);
    root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    json_decref(root);
    free(text);
    result_free(&result);
}

static void an_error_is_a_document_too(void **state)
{
    struct lines said = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    lines_add(&said, "x.scn:1:1: \"no\"");
    lines_add(&said, "y.scn:2:1: no");
    json_error("edgewise", "1.2.3", 2, &said, out);
    fclose(out);
    assert_string_equal(text, "{\n"
                              "  \"tool\": \"edgewise\",\n"
                              "  \"version\": \"1.2.3\",\n"
                              "  \"error\": {\n"
                              "    \"exit\": 2,\n"
                              "    \"text\": \"x.scn:1:1: \\\"no\\\"\\ny.scn:2:1: no\"\n"
                              "  }\n"
                              "}\n");
    free(text);
    lines_free(&said);
}

static void a_list_without_end_is_counted(void **state)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 0);
    char *text;

    (void)state;
    for (int i = 0; i < JSON_LINES_MAX; i++)
        lines_add(&result.left_over, "c%d", i);
    text = json_result_text(&result);
    assert_non_null(strstr(text, "\"c499\"\n"));
    free(text);
    lines_add(&result.left_over, "one more");
    text = json_result_text(&result);
    assert_null(strstr(text, "\"c499\""));
    assert_non_null(strstr(text, "\"c498\",\n    \"... and 2 more lines\"\n"));
    free(text);
    result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_defect_is_named),
        cmocka_unit_test(a_result_is_this_text),
        cmocka_unit_test(a_document_has_its_keys_in_order),
        cmocka_unit_test(a_document_without_results_is_whole),
        cmocka_unit_test(repeats_are_one_result_with_their_counts),
        cmocka_unit_test(a_failed_write_is_told_at_the_end),
        cmocka_unit_test(a_reason_is_there_only_when_there_is_one),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(any_row_gives_a_valid_document),
        cmocka_unit_test(an_error_is_a_document_too),
        cmocka_unit_test(a_list_without_end_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
