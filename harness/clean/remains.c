/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/clean/remains.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

static const char *const kind_names[] = {
#define X(name, text) [REMAINS_##name] = text,
    REMAINS_KINDS(X)
#undef X
};
_Static_assert(sizeof(kind_names) / sizeof(*kind_names) == REMAINS_KIND_COUNT, "a name each");

static const char *const fate_names[] = {
#define X(name, text) [REMAINS_##name] = text,
    REMAINS_FATES(X)
#undef X
};
_Static_assert(sizeof(fate_names) / sizeof(*fate_names) == REMAINS_FATE_COUNT, "a name each");

void remains_add(struct remains *remains, enum remains_kind kind, enum remains_fate fate,
                 const char *name, const char *why)
{
    assert(kind < REMAINS_KIND_COUNT && fate < REMAINS_FATE_COUNT);
    remains->items = memory_grow(remains->items, remains->count, &remains->room,
                                 sizeof(*remains->items));
    remains->items[remains->count++] = (struct remains_item){
        .kind = kind,
        .fate = fate,
        .name = memory_text(name, strlen(name)),
        .why = memory_text(why, strlen(why)),
    };
}

size_t remains_count(const struct remains *remains, enum remains_fate fate)
{
    size_t count = 0;

    for (size_t i = 0; i < remains->count; i++)
        count += remains->items[i].fate == fate;
    return count;
}

const char *remains_kind_name(enum remains_kind kind)
{
    assert(kind < REMAINS_KIND_COUNT);
    return kind_names[kind];
}

const char *remains_fate_name(enum remains_fate fate)
{
    assert(fate < REMAINS_FATE_COUNT);
    return fate_names[fate];
}

void remains_free(struct remains *remains)
{
    for (size_t i = 0; i < remains->count; i++) {
        free(remains->items[i].name);
        free(remains->items[i].why);
    }
    free(remains->items);
    *remains = (struct remains){0};
}
