/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ingress.h"

#include <assert.h>
#include <errno.h>

#define INGRESS_CAPACITY_MAX (UINT32_C(1) << 20)

/*
 * Places count up for ever; place p lies in cell p % capacity. The turn of that cell is p while a
 * sender may write place p, and p + 1 while the reader may take it; taking it makes it
 * p + capacity, the sender's turn one lap later. The turn orders a word between its two threads.
 */

#define INGRESS_CLOSED (UINT64_C(1) << 63)

static size_t ingress_cell_of(const struct ingress *ingress, uint64_t place)
{
    return (size_t)(place & (ingress->capacity - 1));
}

size_t ingress_size(uint32_t capacity)
{
    assert(capacity >= 2 && capacity <= INGRESS_CAPACITY_MAX);
    assert((capacity & (capacity - 1)) == 0);
    return sizeof(struct ingress) + capacity * sizeof(struct ingress_cell);
}

void ingress_init(struct ingress *ingress, uint32_t capacity)
{
    assert(capacity >= 2 && capacity <= INGRESS_CAPACITY_MAX);
    assert((capacity & (capacity - 1)) == 0);
    ingress->capacity = capacity;
    atomic_init(&ingress->tail, 0);
    atomic_init(&ingress->head, 0);
    for (uint32_t i = 0; i < capacity; i++) {
        atomic_init(&ingress->cell[i].turn, i);
        ingress->cell[i].word = 0;
    }
}

int ingress_post(struct ingress *ingress, uint64_t word)
{
    uint64_t place = atomic_load_explicit(&ingress->tail, memory_order_relaxed);

    for (;;) {
        struct ingress_cell *cell = &ingress->cell[ingress_cell_of(ingress, place)];
        uint64_t turn = atomic_load_explicit(&cell->turn, memory_order_acquire);

        if (place & INGRESS_CLOSED)
            return -ESHUTDOWN;
        if (turn < place)
            return -EAGAIN; /* the word of one lap ago is still there */
        if (turn > place) {
            /* Another sender has this place. */
            place = atomic_load_explicit(&ingress->tail, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&ingress->tail, &place, place + 1,
                                                         memory_order_relaxed,
                                                         memory_order_relaxed)) {
            cell->word = word;
            atomic_store_explicit(&cell->turn, place + 1, memory_order_release);
            return 0;
        }
    }
}

/* A sender that has not got its place yet fails to get one: the bit changes the word it
 * compares. */
void ingress_close(struct ingress *ingress)
{
    (void)atomic_fetch_or_explicit(&ingress->tail, INGRESS_CLOSED, memory_order_relaxed);
}

bool ingress_drained(const struct ingress *ingress)
{
    uint64_t tail = atomic_load_explicit(&ingress->tail, memory_order_relaxed);

    return (tail & ~INGRESS_CLOSED) ==
           atomic_load_explicit(&ingress->head, memory_order_relaxed);
}

bool ingress_pending(const struct ingress *ingress)
{
    uint64_t place = atomic_load_explicit(&ingress->head, memory_order_relaxed);
    const struct ingress_cell *cell = &ingress->cell[ingress_cell_of(ingress, place)];

    return atomic_load_explicit(&cell->turn, memory_order_acquire) == place + 1;
}

bool ingress_take(struct ingress *ingress, uint64_t *ret_word)
{
    uint64_t place = atomic_load_explicit(&ingress->head, memory_order_relaxed);
    struct ingress_cell *cell = &ingress->cell[ingress_cell_of(ingress, place)];

    if (!ingress_pending(ingress))
        return false;
    *ret_word = cell->word;
    atomic_store_explicit(&cell->turn, place + ingress->capacity, memory_order_release);
    atomic_store_explicit(&ingress->head, place + 1, memory_order_relaxed);
    return true;
}
