/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_PUBLISHED_H
#define EDGEWISE_TESTS_SUPPORT_PUBLISHED_H

/* What a folder of artefacts may hold at any moment, whatever happened to who writes it. */

#include <stddef.h>

/* Walks `path` (that there is none is fine): only files of the names that artefacts.h lists, each
 * whole: result.json is a JSON object, capture.pcap can be read to its end, the ledgers end with a
 * newline. 0, or -EBADMSG with the first that is not so in `text` of `size` bytes. */
int published_check(const char *path, char *text, size_t size);

#endif
