/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/utf8.h"

static const struct utf8_character replacement = {UTF8_REPLACEMENT, sizeof(UTF8_REPLACEMENT) - 1,
                                                  0xfffd};

/* How many bytes a first byte announces, 0 when it can be none. */
static size_t announced_size(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >> 5 == 6)
        return 2;
    if (first >> 4 == 14)
        return 3;
    return first >> 3 == 30 ? 4 : 0;
}

/* How many bytes the character at `text` has, 0 when it is no valid UTF-8. */
static size_t character_size(const char *text, uint32_t *ret_code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t size = announced_size(first);
    uint32_t code = size > 1 ? first & (0x7fu >> size) : first;

    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)text[i];

        if (next >> 6 != 2)
            return 0;
        code = code << 6 | (next & 0x3fu);
    }
    if (size > 1 && (code < least[size] || code > 0x10ffff || code >> 11 == 0x1b))
        return 0;
    *ret_code = code;
    return size;
}

struct utf8_character utf8_next(const char **text)
{
    struct utf8_character next = {.bytes = *text};

    if (**text == '\0')
        return next;
    next.size = character_size(*text, &next.code);
    *text += next.size > 0 ? next.size : 1;
    return next.size > 0 ? next : replacement;
}

static bool is_printable(uint32_t code)
{
    if (code < 0x20)
        return code == '\t' || code == '\n';
    if (code >= 0x7f && code < 0xa0)
        return false;
    /* Two separators that some readers take for the end of a line; a byte order mark. */
    return code != 0x2028 && code != 0x2029 && code != 0xfeff && code != 0xfffe && code != 0xffff;
}

struct utf8_character utf8_next_printable(const char **text)
{
    struct utf8_character next = utf8_next(text);

    return next.size == 0 || is_printable(next.code) ? next : replacement;
}
