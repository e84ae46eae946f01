/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/quote.h"

static char *put_byte(char *at, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";

    if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\') {
        *at++ = (char)byte;
        return at;
    }
    *at++ = '\\';
    *at++ = 'x';
    *at++ = digits[byte >> 4];
    *at++ = digits[byte & 15];
    return at;
}

void quote_bytes(const uint8_t *bytes, size_t size, size_t shown, char *ret_text)
{
    char *at = ret_text;

    *at++ = '"';
    for (size_t i = 0; i < size && i < shown; i++)
        at = put_byte(at, bytes[i]);
    *at++ = '"';
    if (size > shown) {
        *at++ = '.';
        *at++ = '.';
    }
    *at = 0;
}
