/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/record.h"

#include <stddef.h>

#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/socket.h"

/* A buffer of Linux: its head is rounded up to a size of the allocator, with a note at its end, and
 * is described by a structure. */
#define HEAD_LEAST   512
#define HEAD_NOTE    320
#define HEAD_ALIGN   64
#define DESCRIBED_BY 256
#define PAGE         4096

_Static_assert(sizeof(struct record) == 4 * sizeof(uint32_t), "no padding");

static uint32_t record_round(uint32_t size, uint32_t unit)
{
    return (size + unit - 1) / unit * unit;
}

uint32_t record_charge(uint32_t size, uint32_t head)
{
    uint32_t pages = size > head ? record_round(size - head, PAGE) : 0;
    uint32_t bucket = HEAD_LEAST;

    if (pages > size)
        pages = size;
    while (bucket < record_round(size - pages, HEAD_ALIGN) + HEAD_NOTE)
        bucket *= 2;
    return bucket + DESCRIBED_BY + record_round(pages, PAGE);
}

bool record_room(const struct kernel *k, uint32_t socket, uint32_t size)
{
    return k->records.used < k->records.count &&
           chain_room(k, &socket_peek(k, socket)->in) >= size;
}

void record_push(struct kernel *k, uint32_t socket, uint32_t owner, const void *bytes,
                 uint32_t size, uint32_t charge)
{
    struct socket *self = socket_at(k, socket);
    uint32_t handle = slab_take(k, &k->records);

    assert(handle != 0);
    *(struct record *)kernel_at(k, &k->records, handle) =
        (struct record){.owner = owner, .length = size, .charge = charge};
    if (self->record_last == 0)
        self->record_first = handle;
    else
        ((struct record *)kernel_at(k, &k->records, self->record_last))->after = handle;
    self->record_last = handle;
    self->record_count++;
    self->held += charge;
    if (owner != 0)
        socket_at(k, owner)->charged += charge;
    chain_append(k, &self->in, bytes, size);
}

const struct record *record_first(const struct kernel *k, uint32_t socket)
{
    uint32_t handle = socket_peek(k, socket)->record_first;

    return handle == 0 ? NULL : kernel_peek(k, &k->records, handle);
}

void record_eat(struct kernel *k, uint32_t socket, uint32_t size)
{
    struct socket *self = socket_at(k, socket);
    struct record *first = kernel_at(k, &k->records, self->record_first);

    assert(size <= first->length);
    first->length -= size;
    chain_drop(k, &self->in, size);
}

uint32_t record_pop(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    uint32_t handle = self->record_first;
    struct record *first = kernel_at(k, &k->records, handle);
    uint32_t owner = first->owner;

    record_eat(k, socket, first->length);
    self->record_first = first->after;
    if (self->record_first == 0)
        self->record_last = 0;
    self->record_count--;
    self->held -= first->charge;
    if (owner != 0)
        socket_at(k, owner)->charged -= first->charge;
    slab_give(k, &k->records, handle);
    return owner;
}

void record_drop_all(struct kernel *k, uint32_t socket)
{
    while (record_first(k, socket) != NULL)
        (void)record_pop(k, socket);
}

void record_disown(struct kernel *k, uint32_t owner)
{
    for (uint32_t i = 1; i <= k->records.count && k->records.used > 0; i++) {
        struct record *record = kernel_at(k, &k->records, i);

        if (record->owner == owner)
            record->owner = 0;
    }
}
