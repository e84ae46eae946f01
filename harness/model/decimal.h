/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_DECIMAL_H
#define EDGEWISE_HARNESS_MODEL_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* Reads `text` as a decimal number from `least` to `most`, with nothing around it: no sign, blank,
 * point or 0x. False, and `ret_number` untouched, for anything else. */
bool decimal_read(const char *text, uint32_t least, uint32_t most, uint32_t *ret_number);

#endif
