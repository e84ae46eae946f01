/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/text_table.h"

#include <string.h>

#include "harness/report/cell.h"
#include "harness/report/page.h"
#include "harness/report/text_paint.h"

#define NAME_WIDTH    8  /* of a family, behind two blanks */
#define VERDICT_WIDTH 6
#define CELL_WIDTH    22
#define GAP           2
_Static_assert(2 + NAME_WIDTH + REACTOR_TRIGGER_COUNT * (CELL_WIDTH + GAP) - GAP <= PAGE_COLUMNS,
               "a row fits");

static const struct result *find(const struct result *results, size_t count,
                                 enum plan_family family, enum reactor_trigger trigger)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].family == family && results[i].trigger == trigger)
            return &results[i];
    return NULL;
}

static bool has_family(const struct result *results, size_t count, enum plan_family family)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].family == family)
            return true;
    return false;
}

static bool has_trigger(const struct result *results, size_t count, enum reactor_trigger trigger)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].trigger == trigger)
            return true;
    return false;
}

/* Blanks are printed only before something: no line ends in one. */
static void print_head(FILE *out, const struct result *results, size_t count)
{
    const char *world = result_world_name(results->world);
    int blanks = NAME_WIDTH - (int)strlen(world);

    fprintf(out, "  %s", world);
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        const char *name = reactor_trigger_name((enum reactor_trigger)trigger);

        if (!has_trigger(results, count, (enum reactor_trigger)trigger))
            continue;
        fprintf(out, "%*s%s", blanks, "", name);
        blanks = CELL_WIDTH + GAP - (int)strlen(name);
    }
    putc('\n', out);
}

/* Returns the cell's width. */
static int print_cell(FILE *out, const struct text_style *style, const struct result *result)
{
    const char *word = cell_verdict_word(result->verdict);
    struct cell_text text = cell_text(result, CELL_WIDTH - VERDICT_WIDTH);

    text_paint(out, style, result->verdict, word);
    if (!*text.text)
        return (int)strlen(word);
    return (int)strlen(word) +
           fprintf(out, "%*s%s", VERDICT_WIDTH - (int)strlen(word), "", text.text);
}

static void print_row(FILE *out, const struct text_style *style, const struct result *results,
                      size_t count, enum plan_family family)
{
    const char *name = plan_family_name(family);
    int blanks = NAME_WIDTH - (int)strlen(name);

    fprintf(out, "  %s", name);
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        const struct result *result;

        if (!has_trigger(results, count, (enum reactor_trigger)trigger))
            continue;
        result = find(results, count, family, (enum reactor_trigger)trigger);
        if (result) {
            fprintf(out, "%*s", blanks, "");
            blanks = CELL_WIDTH + GAP - print_cell(out, style, result);
        } else {
            blanks += CELL_WIDTH + GAP;
        }
        blanks = blanks < GAP ? GAP : blanks;
    }
    putc('\n', out);
}

/* The cells of one world. */
static void print_block(FILE *out, const struct text_style *style, const struct result *results,
                        size_t count)
{
    print_head(out, results, count);
    for (int family = 0; family < PLAN_FAMILY_COUNT; family++)
        if (has_family(results, count, (enum plan_family)family))
            print_row(out, style, results, count, (enum plan_family)family);
}

void text_table_print(FILE *out, const struct text_style *style, const struct result *results,
                      size_t count)
{
    for (size_t first = 0, size; first < count; first += size) {
        size = result_same_world(results + first, count - first);
        print_block(out, style, results + first, size);
    }
}
