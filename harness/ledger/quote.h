/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_QUOTE_H
#define EDGEWISE_HARNESS_LEDGER_QUOTE_H

#include <stddef.h>
#include <stdint.h>

/* Room for `shown` bytes as text, each as \xNN at worst, in quotes, with `..` and a NUL. */
#define QUOTE_SIZE(shown) (4 * (shown) + 5)

/* Bytes as text in quotes: printable ASCII as it is, `"`, `\` and all others as \xNN, as in a
 * wire ledger. When there are more than `shown` bytes, `..` stands behind the quotes. `ret_text`
 * has QUOTE_SIZE(shown) bytes. */
void quote_bytes(const uint8_t *bytes, size_t size, size_t shown, char *ret_text);

#endif
