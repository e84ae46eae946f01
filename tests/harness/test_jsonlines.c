/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "harness/report/json.h"
#include "harness/report/jsonlines.h"
#include "tests/harness/sample_sink.h"

/* A clock that moves on by 1.5 ms each time it is looked at. */
static int64_t looks;

static struct instant fake_now(void)
{
    return (struct instant){1000000000 + 1500000 * looks++};
}

#define START                                                                              \
    "{\"event\":\"start\",\"tool\":\"edgewise\",\"version\":\"1.2.3\",\"seed\":\"0x1f\","  \
    "\"replay\":\"" SAMPLE_REPLAY "\",\"runs\":6}\n"
#define NOTHING(name) "\"" name "\":{\"rows\":0,\"diff\":[]}"
#define LATE                                                                               \
    "{\"scenario\":\"framing/one\",\"world\":\"veth\",\"trigger\":\"lt\",\"family\":\"ipv6\"," \
    "\"verdict\":\"late\",\"reason\":\"c came late\",\"events\":{\"rows\":2,\"diff\":[]},"  \
    NOTHING("wire") "," NOTHING("peers") ",\"failed_expectations\":[],\"left_over\":[],"    \
    "\"notes\":[],\"attempts\":1,"                                                          \
    "\"runs\":{\"pass\":0,\"fail\":0,\"late\":1,\"error\":0,\"skip\":0},"                   \
    "\"worst_late_us\":41,\"setup_ms\":2.1,\"timeline_ms\":6.25,\"wall_ms\":12.4}"
#define END                                                                                \
    "{\"event\":\"end\",\"passed\":3,\"failed\":1,\"late\":2,\"errors\":0,\"skipped\":0,"   \
    "\"left\":2,\"wall_ms\":1234.567,\"exit\":5}\n"

static void each_event_is_its_line(void **state)
{
    struct result late =
        sample_once(sample_with_reason(REACTOR_LT, PLAN_IPV6, RESULT_LATE, "c came late"));
    struct sample_stream stream;
    struct jsonlines lines;
    struct sink sink;
    char *text;

    (void)state;
    looks = 0;
    sample_open(&stream);
    sink = jsonlines_sink(&lines, fake_now, stream.out);
    sample_begin(sink, 6);
    sample_tell(sink, &late, 1);
    assert_int_equal(sample_end(sink, 2, 5), 0);
    text = sample_text(&stream);
    assert_string_equal(
        text, START "{\"event\":\"run\",\"at_ms\":1.5,\"result\":" LATE "}\n"
                    "{\"event\":\"scenario\",\"at_ms\":3.0,\"scenario\":\"framing/one\","
                    "\"world\":\"veth\",\"cells\":[{\"trigger\":\"lt\",\"family\":\"ipv6\","
                    "\"verdict\":\"late\","
                    "\"runs\":{\"pass\":0,\"fail\":0,\"late\":1,\"error\":0,\"skip\":0}}]}\n" END);
    free(text);
    result_free(&late);
}

static void each_world_has_its_event(void **state)
{
    struct result results[] = {sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1)),
                               sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1)),
                               sample_once(sample_pass(REACTOR_LT, PLAN_IPV4, 1))};
    const char *real, *simulated;
    struct sample_stream stream;
    struct jsonlines lines;
    struct sink sink;
    char *text;

    (void)state;
    results[1].world = results[2].world = RESULT_WORLD_SIM;
    sample_open(&stream);
    sink = jsonlines_sink(&lines, fake_now, stream.out);
    sink.ops->scenario(sink.self, results, 3);
    text = sample_text(&stream);
    real = strstr(text, "\"world\":\"veth\",\"cells\":[{\"trigger\":\"et\"");
    simulated = strstr(text, "\"world\":\"sim\",\"cells\":[{\"trigger\":\"et\"");
    assert_non_null(real);
    assert_non_null(simulated);
    assert_true(real < strchr(text, '\n') && simulated > strchr(text, '\n'));
    assert_non_null(strstr(simulated, "\"trigger\":\"lt\""));
    free(text);
    for (size_t i = 0; i < 3; i++)
        result_free(&results[i]);
}

/* A reader at the other end of a pipe has each line before the next call. */
static void a_line_is_there_as_soon_as_it_happens(void **state)
{
    struct result pass = sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1));
    struct sample_stream stream;
    struct jsonlines lines;
    struct sink sink;
    size_t before;

    (void)state;
    sample_open(&stream);
    sink = jsonlines_sink(&lines, fake_now, stream.out);
    sample_begin(sink, 1);
    assert_string_equal(strchr(stream.text, '\n'), "\n");
    before = stream.size;
    sink.ops->run(sink.self, &pass);
    assert_true(stream.size > before);
    assert_memory_equal(stream.text + before, "{\"event\":\"run\"", 14);
    assert_int_equal(stream.text[stream.size - 1], '\n');
    free(sample_text(&stream));
    result_free(&pass);
}

static void any_row_gives_one_valid_line(void **state)
{
    struct result result = sample_once(sample_fail(REACTOR_ET, PLAN_IPV4));
    struct sample_stream stream;
    struct jsonlines lines;
    struct sink sink;
    char *text;
    json_t *event;

    (void)state;
    lines_add(&result.left_over, "%s", "\n" SAMPLE_HOSTILE);
    sample_open(&stream);
    sink = jsonlines_sink(&lines, fake_now, stream.out);
    sink.ops->run(sink.self, &result);
    text = sample_text(&stream);
    assert_string_equal(strchr(text, '\n'), "\n");
    for (const char *at = text; *at; at++)
        assert_in_range(*at, 1, 0x7f);
    event = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(event);
    json_decref(event);
    free(text);
    result_free(&result);
}

static void what_cannot_start_is_the_only_line(void **state)
{
    struct sample_stream stream;
    struct lines said = {0};
    char *text;

    (void)state;
    lines_add(&said, "x.scn:1:1: \"no\"");
    lines_add(&said, "y.scn:2:1: no");
    sample_open(&stream);
    jsonlines_error("edgewise", "1.2.3", 2, &said, stream.out);
    text = sample_text(&stream);
    assert_string_equal(text, "{\"event\":\"error\",\"tool\":\"edgewise\",\"version\":\"1.2.3\","
                              "\"exit\":2,\"text\":\"x.scn:1:1: \\\"no\\\"\\ny.scn:2:1: no\"}\n");
    free(text);
    lines_free(&said);
}

static void the_first_failed_write_is_told_at_the_end(void **state)
{
    FILE *full = fopen("/dev/full", "w");
    struct jsonlines lines;
    struct sink sink = jsonlines_sink(&lines, fake_now, full);

    (void)state;
    assert_non_null(full);
    sample_begin(sink, 1);
    assert_int_equal(lines.status, -ENOSPC);
    assert_int_equal(sample_end(sink, 0, 0), -ENOSPC);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_is_its_line),
        cmocka_unit_test(each_world_has_its_event),
        cmocka_unit_test(a_line_is_there_as_soon_as_it_happens),
        cmocka_unit_test(any_row_gives_one_valid_line),
        cmocka_unit_test(what_cannot_start_is_the_only_line),
        cmocka_unit_test(the_first_failed_write_is_told_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
