/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/decimal.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX 9 /* fit in 32 bits, whatever they are */

bool decimal_read(const char *text, uint32_t least, uint32_t most, uint32_t *ret_number)
{
    size_t length = strlen(text);
    unsigned long number;

    if (length == 0 || length > DIGITS_MAX || strspn(text, "0123456789") != length)
        return false;
    number = strtoul(text, NULL, 10);
    if (number < least || number > most)
        return false;
    *ret_number = (uint32_t)number;
    return true;
}
