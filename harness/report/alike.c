/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/alike.h"

#include <string.h>

/* The rows that were missing or too many; the equal ones around them depend on the trigger. */
static const char *next_change(const struct lines *diff, size_t *index)
{
    while (*index < diff->count) {
        const char *line = diff->line[(*index)++];

        line += strspn(line, " ");
        if (*line == '-' || *line == '+')
            return line;
    }
    return NULL;
}

static bool same_changes(const struct lines *a, const struct lines *b)
{
    size_t at_a = 0;
    size_t at_b = 0;

    if (!a->count != !b->count)
        return false;
    for (;;) {
        const char *one = next_change(a, &at_a);
        const char *other = next_change(b, &at_b);

        if (!one || !other)
            return one == other;
        if (strcmp(one, other) != 0)
            return false;
    }
}

static bool same_lines(const struct lines *a, const struct lines *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->line[i], b->line[i]) != 0)
            return false;
    return true;
}

static const char *behind_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

/* Equal but for numbers: how far a sut came before it was ended depends on the trigger. */
static bool same_words(const char *a, const char *b)
{
    for (;; a++, b++) {
        const char *rest_a = behind_digits(a);
        const char *rest_b = behind_digits(b);

        if ((rest_a == a) != (rest_b == b) || *rest_a != *rest_b)
            return false;
        if (*rest_a == '\0')
            return true;
        a = rest_a;
        b = rest_b;
    }
}

static const char *last_of(const struct lines *lines)
{
    return lines->count > 0 ? lines->line[lines->count - 1] : "";
}

static bool same_end(const struct result *a, const struct result *b)
{
    return a->failed.count > 0 && b->failed.count > 0 &&
           same_words(a->failed.line[0], b->failed.line[0]) &&
           strcmp(last_of(&a->last), last_of(&b->last)) == 0;
}

static bool same_reason(const struct result *a, const struct result *b)
{
    if (a->verdict == RESULT_LATE)
        return a->late_by_work == b->late_by_work;
    return !a->reason == !b->reason && (!a->reason || strcmp(a->reason, b->reason) == 0);
}

bool alike(const struct result *a, const struct result *b)
{
    if (a->verdict != b->verdict || a->cut_short != b->cut_short || !same_reason(a, b))
        return false;
    if (a->cut_short)
        return same_end(a, b);
    return same_changes(&a->events.diff, &b->events.diff) &&
           same_changes(&a->wire.diff, &b->wire.diff) &&
           same_lines(&a->peers.diff, &b->peers.diff) && same_lines(&a->failed, &b->failed) &&
           same_lines(&a->left_over, &b->left_over);
}

bool alike_before(const struct result *results, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (alike(&results[i], &results[index]))
            return true;
    return false;
}
