/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/credit.h"

#include <assert.h>
#include <errno.h>

void credit_init(struct credit *credit, uint32_t capacity)
{
    *credit = (struct credit){.capacity = capacity};
}

uint32_t credit_total(const struct credit *credit)
{
    assert(credit_check(credit));
    return credit->used + credit->reserved;
}

bool credit_allows(const struct credit *credit, uint32_t need)
{
    assert(credit_check(credit));
    /* A held reservation is the room: asking for `need` on top of it would strand a half frame. */
    return credit->reserved > 0 || need <= credit->capacity - credit->used;
}

int credit_reserve(struct credit *credit, uint32_t need)
{
    if (!credit_allows(credit, need))
        return -ENOSPC;
    if (credit->reserved == 0)
        credit->reserved = need;
    assert(credit_check(credit));
    return 0;
}

void credit_shrink(struct credit *credit, uint32_t size)
{
    assert(size <= credit->reserved);
    credit->reserved = size;
}

void credit_commit(struct credit *credit, uint32_t size)
{
    assert(size <= credit->reserved);
    credit->used += size;
    credit->reserved = 0;
    assert(credit_check(credit));
}

void credit_drop(struct credit *credit)
{
    assert(credit_check(credit));
    credit->reserved = 0;
}

int credit_release(struct credit *credit, uint32_t bytes)
{
    assert(credit_check(credit));
    if (bytes > credit->used)
        return -EINVAL;
    credit->used -= bytes;
    return 0;
}

bool credit_check(const struct credit *credit)
{
    return (uint64_t)credit->used + credit->reserved <= credit->capacity;
}
