/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_SHELF_H
#define EDGEWISE_TESTS_SUPPORT_SHELF_H

/* A folder with two small scenarios for a test: x/one (ipv4, ipv6) and x/two (ipv4). */

/* What each script has behind its topology. */
#define SHELF_REST                                                                           \
    "reactor\n  trigger et lt\n  app sink\npeers\n  c tcp\ntimeline\n  0ms c connect\n" \
    "expect\n  c end none\n"

/* Its path, once it is made. */
extern char shelf_root[64];

/* Makes it, and removes all of it: 0, else cmocka reports the fixture. */
int shelf_make(void **state);
int shelf_remove(void **state);

/* Puts the script x/`name` into it; `text` is what stands behind the about line. */
void shelf_put(const char *name, const char *text);

#endif
