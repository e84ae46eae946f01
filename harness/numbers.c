/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/numbers.h"

#include <errno.h>
#include <inttypes.h>

size_t numbers_read(const char *text, int64_t *ret_numbers, size_t most)
{
    for (size_t count = 0; count < most; count++) {
        char *end;
        int64_t number;

        errno = 0;
        number = strtoimax(text, &end, 10);
        if (end == text || errno != 0)
            return count;
        ret_numbers[count] = number;
        text = end;
    }
    return most;
}
