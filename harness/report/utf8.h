/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_UTF8_H
#define EDGEWISE_HARNESS_REPORT_UTF8_H

/* Text that may hold any bytes, taken as UTF-8 (RFC 3629), one character after the other. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for what cannot be told: U+FFFD. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

struct utf8_character {
    const char *bytes; /* not NUL-terminated */
    size_t size;       /* 1 .. 4; 0 at the end of the text */
    uint32_t code;
};

/* Takes the character at `*text`, which moves behind it; a byte that is no part of valid UTF-8 is
 * taken as U+FFFD. */
struct utf8_character utf8_next(const char **text);

/*
 * The same for a format that cannot carry every character: what moves a cursor, breaks a line in
 * some reader's eyes or may not stand in XML 1.0 (section 2.2) or YAML 1.2 (section 5.1) is U+FFFD
 * as well. A tab and a newline are themselves.
 */
struct utf8_character utf8_next_printable(const char **text);

#endif
