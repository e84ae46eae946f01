/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CATALOG_H
#define EDGEWISE_HARNESS_CATALOG_H

/*
 * Which scenarios there are: the `.scn` files below one directory, `topic/behaviour.scn` being
 * scenario `topic/behaviour`. No script is read here.
 */

#include <stdbool.h>
#include <stddef.h>

/* Bounds of a tree. */
#define CATALOG_DEPTH_MAX 4     /* folders above a script */
#define CATALOG_ENTRIES_MAX 20000
#define CATALOG_NAME_MAX 200    /* bytes of a scenario's name */
#define CATALOG_ERROR_BYTES 320

struct catalog_entry {
    char *name; /* "framing/one-frame-per-quantum" */
    char *path; /* of the script */
};

struct catalog {
    struct catalog_entry *entries; /* sorted by name */
    size_t count;
    size_t room;
};

struct catalog_error {
    char text[CATALOG_ERROR_BYTES];
};

/*
 * Lists the scripts below `directory`. Hidden names and links to directories are passed over. 0;
 * -errno (-ENOENT: no such directory; -E2BIG: a bound above is hit; -EINVAL: a name that no
 * scenario can have) with `error` filled and `ret_catalog` untouched. Free with catalog_free.
 */
int catalog_open(const char *directory, struct catalog *ret_catalog, struct catalog_error *error);

/*
 * Appends to `chosen` what `pattern` names and is not in it yet, in the catalogue's order: `all`,
 * a scenario, a topic (all below it), a glob whose `*` crosses slashes, or a file that ends in
 * `.scn`, anywhere; whether that can be read shows when it is. 0; -ENOENT when it names nothing,
 * with `error` saying what there is instead, -ENOMEM.
 */
int catalog_select(const struct catalog *catalog, const char *pattern, struct catalog *chosen,
                   struct catalog_error *error);

/* Whether `name` can be a scenario's: parts of letters, digits, `-`, `_`, `.`, `+`, divided by
 * slashes, none of them empty or starting with a dot, so that a path made of it stays below its
 * folder. */
bool catalog_name_valid(const char *name);

/* Frees what it holds; all zero afterwards. */
void catalog_free(struct catalog *catalog);

#endif
