/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/plans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/script/parser.h"

static const char *or(const char *text, const char *usual)
{
    return text ? text : usual;
}

static char *script_of(const struct plans_text *text)
{
    const char *family = or(text->family, "ipv4");
    const char *link = strstr(family, "ipv") ? "  link sut peer\n" : "";
    char *script = NULL;
    int size = asprintf(
        &script,
        "scenario test/plan\nabout \"A plan for a test.\"\n"
        "topology\n%s  family %s\nreactor\n%s%s%speers\n%s%s%stimeline\n%sexpect\n  sut stale 0\n",
        link, family, or(text->reactor, "  trigger et\n"), text->run ? "run\n" : "",
        or(text->run, ""), or(text->peers, "  c tcp\n"), text->reactions ? "reactions\n" : "",
        or(text->reactions, ""), or(text->timeline, "  0ms c connect\n"));

    assert_true(size > 0);
    return script;
}

struct plan *plans_make(const struct plans_text *text)
{
    char *script = script_of(text);
    struct parser_input input = {
        .path = "scenarios/test/plan.scn", .text = script, .size = strlen(script)};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;
    int code = parser_parse(&input, &plan, &mistakes);

    for (size_t i = 0; code < 0 && i < mistakes.lines.count; i++)
        print_error("%s\n", mistakes.lines.line[i]);
    mistakes_free(&mistakes);
    free(script);
    assert_int_equal(code, 0);
    return plan;
}
