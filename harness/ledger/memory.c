/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (!memory) {
        fputs("edgewise: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

void *memory_zeroed(size_t count, size_t size)
{
    return must(calloc(count ? count : 1, size));
}

void *memory_grow(void *array, size_t count, size_t *room, size_t size)
{
    size_t more;

    if (count < *room)
        return array;
    more = *room ? 2 * *room : 16;
    array = must(reallocarray(array, more, size));
    *room = more;
    return array;
}

char *memory_text(const char *text, size_t length)
{
    return must(strndup(text, length));
}
