/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_PAYLOAD_H
#define EDGEWISE_HARNESS_SCRIPT_PAYLOAD_H

/*
 * Payload as a script writes it: hex words (`00 03 43`, or `000343`), "text", `pattern:SIZE` (byte
 * i, from 0, is i mod 251: a lost or doubled piece shows) and `@file` (relative to the script), in
 * any order.
 */

#include "harness/script/draft.h"

/* The bytes of `count` words, one behind the other; they live as long as the plan. False: a
 * mistake. */
bool payload_read(struct draft *draft, const struct lexer_word *words, size_t count,
                  struct plan_bytes *ret_bytes);

/* Byte `i` of every pattern. */
uint8_t payload_pattern(uint64_t i);

#endif
