/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLEAN_REMAINS_H
#define EDGEWISE_HARNESS_CLEAN_REMAINS_H

/* What runs that were killed have left behind: a list of things, and what became of each. */

#include <stddef.h>

#define REMAINS_KINDS(X) \
    X(PROCESS, "process") \
    X(FILE, "file")       \
    X(FOLDER, "folder")

enum remains_kind {
#define X(name, text) REMAINS_##name,
    REMAINS_KINDS(X)
#undef X
        REMAINS_KIND_COUNT
};

#define REMAINS_FATES(X)                                                        \
    X(REMOVED, "removed")                                                       \
    X(FOUND, "found")   /* would be removed, were this not a dry run */         \
    X(LEFT, "left")     /* not provably a leftover of ours */                   \
    X(FAILED, "failed") /* it is one, but could not be removed or looked at */

enum remains_fate {
#define X(name, text) REMAINS_##name,
    REMAINS_FATES(X)
#undef X
        REMAINS_FATE_COUNT
};

struct remains_item {
    enum remains_kind kind;
    enum remains_fate fate;
    char *name; /* "1234", "out/framing/x/.wire.txt.1234.new" */
    char *why;  /* "its bench has gone" */
};

/* Starts as all zero; remains_free. */
struct remains {
    struct remains_item *items;
    size_t count;
    size_t room;
};

/* Appends an item; copies both texts. Running out of memory ends the process, as for lines. */
void remains_add(struct remains *remains, enum remains_kind kind, enum remains_fate fate,
                 const char *name, const char *why);

/* How many have that fate. */
size_t remains_count(const struct remains *remains, enum remains_fate fate);

/* "process", "file", "folder"; "removed", "found", "left", "failed". */
const char *remains_kind_name(enum remains_kind kind);
const char *remains_fate_name(enum remains_fate fate);

/* Frees what it holds; all zero afterwards. */
void remains_free(struct remains *remains);

#endif
