/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/naming.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char naming_sign(enum naming_direction direction)
{
    static const char signs[] = {
#define NAMING_SIGN(name, sign) [NAMING_##name] = sign,
        NAMING_DIRECTION_LIST(NAMING_SIGN)
#undef NAMING_SIGN
    };

    _Static_assert(sizeof(signs) == NAMING_DIRECTIONS, "a sign each");
    assert(direction < NAMING_DIRECTIONS);
    return signs[direction];
}

static int compare_tuples(const struct naming_connection *a, const struct naming_connection *b)
{
    int difference = endpoint_compare(&a->peer, &b->peer);

    return difference != 0 ? difference : endpoint_compare(&a->sut, &b->sut);
}

static int compare_by_tuple(const void *a, const void *b, void *argument)
{
    const struct naming *naming = argument;
    size_t i = *(const size_t *)a;
    size_t j = *(const size_t *)b;
    int difference = compare_tuples(&naming->connections[i], &naming->connections[j]);

    return difference != 0 ? difference : (i > j) - (i < j);
}

static int compare_by_name(const void *a, const void *b, void *argument)
{
    const struct naming *naming = argument;

    return strcmp(naming->connections[*(const size_t *)a].name,
                  naming->connections[*(const size_t *)b].name);
}

static bool name_is_good(const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < length; i++) {
        if (!isgraph((unsigned char)name[i]))
            return false;
    }
    return length > 0 && length <= NAMING_NAME_MAX;
}

static bool connection_is_good(const struct naming_connection *c)
{
    bool version_known = c->peer.version == 4 || c->peer.version == 6;

    return name_is_good(c->name) && version_known && c->peer.version == c->sut.version;
}

/* Leaves `order` sorted by name. */
static int check_connections(const struct naming *naming, size_t *order)
{
    struct naming view = *naming;

    for (size_t i = 0; i < naming->count; i++) {
        if (!connection_is_good(&naming->connections[i]))
            return -EINVAL;
        order[i] = i;
    }
    qsort_r(order, naming->count, sizeof(*order), compare_by_name, &view);
    for (size_t i = 1; i < naming->count; i++) {
        if (compare_by_name(&order[i - 1], &order[i], &view) == 0)
            return -EINVAL;
    }
    return 0;
}

int naming_index_make(const struct naming *naming, struct naming_index *ret_index)
{
    struct naming view = *naming;
    size_t *order = calloc(naming->count + 1, sizeof(*order));
    int r;

    if (order == NULL)
        return -ENOMEM;
    r = check_connections(naming, order);
    if (r < 0) {
        free(order);
        return r;
    }
    qsort_r(order, naming->count, sizeof(*order), compare_by_tuple, &view);
    *ret_index = (struct naming_index){.naming = *naming, .order = order};
    return 0;
}

void naming_index_free(struct naming_index *index)
{
    free(index->order);
    *index = (struct naming_index){.order = NULL};
}

size_t naming_index_find(const struct naming_index *index, const struct naming_connection *tuple)
{
    size_t low = 0;
    size_t high = index->naming.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_tuples(&index->naming.connections[index->order[middle]], tuple) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool naming_same_tuple(const struct naming_connection *a, const struct naming_connection *b)
{
    return compare_tuples(a, b) == 0;
}
