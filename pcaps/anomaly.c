/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/anomaly.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int anomaly_add(struct anomaly_list *list, enum anomaly_kind kind, size_t packet_number,
                const char *format, ...)
{
    struct anomaly *anomaly;
    va_list arguments;

    assert(kind < ANOMALY_KIND_COUNT);
    assert(list->count <= list->total);
    if (list->kept == NULL)
        list->kept = calloc(ANOMALY_KEPT_MAX, sizeof(*list->kept));
    if (list->kept == NULL)
        return -ENOMEM;
    list->total++;
    list->totals[kind]++;
    if (list->count == ANOMALY_KEPT_MAX)
        return 0;

    anomaly = &list->kept[list->count++];
    anomaly->kind = kind;
    anomaly->packet_number = packet_number;
    va_start(arguments, format);
    (void)vsnprintf(anomaly->text, sizeof(anomaly->text), format, arguments);
    va_end(arguments);
    return 0;
}

void anomaly_free(struct anomaly_list *list)
{
    free(list->kept);
    *list = (struct anomaly_list){.count = 0};
}

const char *anomaly_text(enum anomaly_kind kind)
{
    static const char *const texts[] = {
#define ANOMALY_WORDS(name, text) [ANOMALY_##name] = text,
        ANOMALY_LIST(ANOMALY_WORDS)
#undef ANOMALY_WORDS
    };

    _Static_assert(sizeof(texts) / sizeof(texts[0]) == ANOMALY_KIND_COUNT, "a text each");
    assert(kind < ANOMALY_KIND_COUNT);
    return texts[kind];
}
