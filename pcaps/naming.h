/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * naming: what the caller knows about a capture: which connection of the script a 4-tuple is. Pure.
 *
 * The connections and their names are borrowed by whatever is made with a naming: they must outlive
 * it.
 */
#ifndef EDGEWISE_PCAPS_NAMING_H
#define EDGEWISE_PCAPS_NAMING_H

#include <stddef.h>

#include "pcaps/endpoint.h"

/* Longest name of a connection. */
#define NAMING_NAME_MAX 64

/* The two directions of a connection, and the sign each has in the wire ledger. */
#define NAMING_DIRECTION_LIST(X)                                                                   \
    X(TO_SUT, '>')                                                                                 \
    X(TO_PEER, '<')

enum naming_direction {
#define NAMING_ENUM(name, sign) NAMING_##name,
    NAMING_DIRECTION_LIST(NAMING_ENUM)
#undef NAMING_ENUM
    NAMING_DIRECTIONS,
};

struct naming_connection {
    const char *name;     /* of the script: printable, no blanks, NAMING_NAME_MAX at most */
    struct endpoint peer; /* both of the same version */
    struct endpoint sut;
};

/*
 * Connections in the order in which the ledger shall show them. Two of them may have the same
 * 4-tuple (a port used again): then they must stand in the order in which they were opened.
 */
struct naming {
    const struct naming_connection *connections;
    size_t count;
};

/* The connections of a naming, sorted by 4-tuple and, where that is equal, by their order. */
struct naming_index {
    struct naming naming;
    size_t *order; /* count entries, each an index into naming.connections */
};

/* `>` or `<`. */
char naming_sign(enum naming_direction direction);

/*
 * Checks `naming` and sorts it. 0; -EINVAL for an empty, unprintable or too long name, the same
 * name twice, an unknown IP version or two ends of different versions; -ENOMEM. Free with
 * naming_index_free(). `ret_index` is untouched on error.
 */
int naming_index_make(const struct naming *naming, struct naming_index *ret_index);
void naming_index_free(struct naming_index *index);

/* The first place in `index->order` whose connection has the 4-tuple of `tuple` (its name is not
 * looked at) or a higher one; count when there is none. */
size_t naming_index_find(const struct naming_index *index, const struct naming_connection *tuple);

/* Whether the 4-tuples are equal. */
bool naming_same_tuple(const struct naming_connection *a, const struct naming_connection *b);

#endif
