/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/script.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

static const char base[] = "scenario t/base\n" /* 1 */
                           "about    \"A base.\"\n"
                           "topology\n"
                           "  link     sut peer\n"
                           "  family   ipv4 ipv6\n" /* 5 */
                           "reactor\n"
                           "  trigger  et lt os\n"
                           "  quantum  bytes=9 attempts=2 frames=1\n"
                           "  frame    header=2 payload=3\n"
                           "  capacity 9\n" /* 10 */
                           "  app      sink consume=manual\n"
                           "peers\n"
                           "  c tcp\n"
                           "  d tcp\n"
                           "timeline\n" /* 15 */
                           "  0ms c connect\n"
                           "  0ms d connect\n"
                           "  1ms c send 00 03 \"CAT\"\n"
                           "  2ms sut consume c\n"
                           "  3ms c shutdown write\n" /* 20 */
                           "expect\n"
                           "  c frames \"CAT\"\n"
                           "  c end clean\n";

char *script_text(const char *from, const char *to)
{
    const char *at = from ? strstr(base, from) : base;
    size_t cut = from ? strlen(from) : 0;
    size_t added = from ? strlen(to) : 0;
    size_t before;
    char *text;

    assert_non_null(at);
    before = (size_t)(at - base);
    text = malloc(sizeof(base) - cut + added);
    assert_non_null(text);
    memcpy(text, base, before);
    if (added > 0)
        memcpy(text + before, to, added);
    memcpy(text + before + added, at + cut, sizeof(base) - before - cut);
    return text;
}

/* The mistakes behind "t.scn:", one a line. */
static char *join(const struct mistakes *mistakes)
{
    struct lines lines = {0};
    char *text;

    for (size_t i = 0; i < mistakes->lines.count; i++) {
        const char *line = mistakes->lines.line[i];

        lines_add(&lines, "%s", strncmp(line, "t.scn:", 6) == 0 ? line + 6 : line);
    }
    text = lines_join(&lines, NULL);
    lines_free(&lines);
    text[strlen(text) - 1] = '\0';
    return text;
}

char *script_mistakes(const char *text, size_t size, const char *const *sets, uint32_t set_count)
{
    struct parser_input input = {"t.scn", text, size, sets, set_count};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;
    char *joined = NULL;

    if (parser_parse(&input, &plan, &mistakes) == 0) {
        assert_int_equal(mistakes.lines.count, 0);
        plan_free(plan);
    } else {
        assert_null(plan);
        joined = join(&mistakes);
    }
    mistakes_free(&mistakes);
    return joined;
}

void script_reject(const struct script_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = script_text(cases[i].from, cases[i].to);
        char *mistakes = script_mistakes(text, strlen(text), NULL, 0);

        if (!mistakes)
            fail_msg("no mistake in '%s'", cases[i].to);
        assert_string_equal(mistakes, cases[i].mistakes);
        free(mistakes);
        free(text);
    }
}

struct plan *script_accept(const char *from, const char *to)
{
    char *text = script_text(from, to);
    struct parser_input input = {.path = "t.scn", .text = text, .size = strlen(text)};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;

    if (parser_parse(&input, &plan, &mistakes) < 0)
        fail_msg("%s", mistakes.lines.line[0]);
    mistakes_free(&mistakes);
    free(text);
    return plan;
}
