/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/memory.h"

#include <stdlib.h>
#include <string.h>

void *memory_must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

void *memory_zeroed(size_t count, size_t size)
{
    return memory_must(calloc(count ? count : 1, size));
}

void *memory_grow(void *array, size_t count, size_t *room, size_t size)
{
    size_t more;

    if (count < *room)
        return array;
    more = *room ? 2 * *room : 16;
    array = memory_must(reallocarray(array, more, size));
    *room = more;
    return array;
}

char *memory_text(const char *text, size_t length)
{
    return memory_must(strndup(text, length));
}
