/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/description.h"

#include <assert.h>

#include "sim/kernel/counter.h"
#include "sim/kernel/datagram.h"
#include "sim/kernel/epoll.h"
#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/local.h"
#include "sim/kernel/pipe.h"
#include "sim/kernel/stream.h"
#include "sim/kernel/timer.h"

_Static_assert(sizeof(struct description) == 4 * sizeof(uint32_t), "no padding");

static const struct description_ops *const description_tables[DESCRIPTION_TYPE_COUNT] = {
#define X(name, word) [DESCRIPTION_##name] = &word##_ops,
    DESCRIPTION_TYPES(X)
#undef X
};

const struct description *description_at(const struct kernel *k, uint32_t description)
{
    return kernel_peek(k, &k->descriptions, description);
}

const struct description_ops *description_ops_of(uint32_t type)
{
    assert(type > DESCRIPTION_NONE && type < DESCRIPTION_TYPE_COUNT);
    return description_tables[type];
}

const struct description_ops *description_ops(const struct kernel *k, uint32_t description)
{
    return description_ops_of(description_at(k, description)->type);
}

uint32_t description_new(struct kernel *k, enum description_type type, uint32_t body,
                         uint32_t mode)
{
    uint32_t handle = slab_take(k, &k->descriptions);

    if (handle != 0)
        *(struct description *)kernel_at(k, &k->descriptions, handle) =
            (struct description){.type = type, .body = body, .mode = mode};
    return handle;
}

void description_drop(struct kernel *k, uint32_t description)
{
    assert(description_at(k, description)->references == 0);
    slab_give(k, &k->descriptions, description);
}

void description_hold(struct kernel *k, uint32_t description)
{
    struct description *self = kernel_at(k, &k->descriptions, description);

    self->references++;
}

void description_release(struct kernel *k, uint32_t description)
{
    struct description *self = kernel_at(k, &k->descriptions, description);

    assert(self->references > 0);
    if (--self->references > 0)
        return;
    epoll_forget(k, description);
    description_ops(k, description)->close(k, self->body, self->mode);
    slab_give(k, &k->descriptions, description);
}

uint32_t description_level(struct kernel *k, uint32_t description, uint32_t asked)
{
    const struct description *self = description_at(k, description);

    return description_ops(k, description)->level(k, self->body, self->mode, asked);
}

struct watch *description_watch(struct kernel *k, uint32_t description)
{
    const struct description *self = description_at(k, description);

    return description_ops(k, description)->watch(k, self->body, self->mode);
}
