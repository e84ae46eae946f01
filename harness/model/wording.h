/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_WORDING_H
#define EDGEWISE_HARNESS_MODEL_WORDING_H

/* What the rows of the model's ledgers are made of, as JSON. Each value belongs to the caller. */

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "core/journal.h"
#include "core/reader.h"

/* "EAGAIN" for -EAGAIN ...; static text, "?" for a number that is no errno. */
const char *wording_error(int32_t result);

/* What a read got: a number, "EOF", "EAGAIN", "EINTR" or another errno's name. */
json_t *wording_got(int32_t result);

/* Bytes as lower-case hexadecimal digits. */
json_t *wording_hex(const uint8_t *bytes, size_t size);

/* Why a quantum ended: ["bytes", "attempts"], ["EAGAIN"], and for a direction that ended ["EOF"],
 * ["fatal"] or ["oversize"]. */
json_t *wording_stop(unsigned reasons, enum reader_outcome outcome);

#endif
