/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/cell.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/sut/defects.h"

static const char *const verdict_words[] = {
#define X(name, text) [RESULT_##name] = #name,
    RESULT_VERDICTS(X)
#undef X
};
_Static_assert(sizeof(verdict_words) / sizeof(*verdict_words) == RESULT_VERDICT_COUNT,
               "a word each");

struct cell_name cell_name(const struct result *result)
{
    struct cell_name name;
    int size = snprintf(name.text, sizeof(name.text), "%s-%s-%s%s%s",
                        result_world_name(result->world), reactor_trigger_name(result->trigger),
                        plan_family_name(result->family), result->defect ? "+" : "",
                        result->defect ? result->defect : "");

    assert(size > 0 && (size_t)size < sizeof(name.text));
    (void)size;
    return name;
}

static bool is_of_run(const char *name, const struct result *run)
{
    struct cell_name proper = cell_name(run);
    size_t length = strlen(proper.text);

    if (strncmp(name, proper.text, length) != 0)
        return false;
    return name[length] == '\0' ||
           (name[length] == '+' && defects_find(name + length + 1) != DEFECTS_NONE);
}

bool cell_is_name(const char *name)
{
    struct result run = {.world = 0};

    for (unsigned world = 0; world < RESULT_WORLD_COUNT; world++)
        for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++)
            for (unsigned family = 0; family < PLAN_FAMILY_COUNT; family++) {
                run.world = (enum result_world)world;
                run.trigger = (enum reactor_trigger)trigger;
                run.family = (enum plan_family)family;
                if (is_of_run(name, &run))
                    return true;
            }
    return false;
}

struct cell_name cell_words(const struct result *result)
{
    bool real = result->world == RESULT_WORLD_VETH;
    struct cell_name words;

    (void)snprintf(words.text, sizeof(words.text), "%s%s%s %s",
                   real ? "" : result_world_name(result->world), real ? "" : " ",
                   reactor_trigger_name(result->trigger), plan_family_name(result->family));
    return words;
}

const char *cell_verdict_word(enum result_verdict verdict)
{
    assert(verdict < RESULT_VERDICT_COUNT);
    return verdict_words[verdict];
}

long long cell_ms(struct duration duration)
{
    return (duration.ns + 500000) / 1000000;
}

uint32_t cell_runs(const struct result *result)
{
    uint32_t runs = 0;

    for (int i = 0; i < RESULT_VERDICT_COUNT; i++)
        runs += result->runs[i];
    return runs > 0 ? runs : 1;
}

static void tell_single(const struct result *result, size_t width, struct cell_text *text)
{
    size_t rows = result->events.rows.count;
    long long ms = cell_ms(result->wall);
    int size = snprintf(text->text, sizeof(text->text), "%zu row%s %lld ms", rows,
                        rows == 1 ? " " : "s", ms);

    if ((size_t)size > width)
        (void)snprintf(text->text, sizeof(text->text), "%lld ms", ms);
}

struct cell_text cell_text(const struct result *result, size_t width)
{
    struct cell_text text = {""};
    uint32_t runs = cell_runs(result);
    uint32_t alike = result->runs[result->verdict];

    if (runs == 1 && result->verdict != RESULT_SKIP)
        tell_single(result, width, &text);
    else if (runs > 1 && alike == runs)
        (void)snprintf(text.text, sizeof(text.text), "%" PRIu32 " runs", runs);
    else if (runs > 1)
        (void)snprintf(text.text, sizeof(text.text), "%" PRIu32 " of %" PRIu32, alike, runs);
    return text;
}
