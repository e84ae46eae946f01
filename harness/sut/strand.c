/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/strand.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define STRAND_STACK_BYTES ((size_t)512 << 10)

static size_t strand_guard(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* makecontext hands over nothing wider than an int. */
static void strand_begin(unsigned high, unsigned low)
{
    struct strand *strand = (struct strand *)(uintptr_t)((uint64_t)high << 32 | low);

    strand->run(strand->arg);
    strand->ended = true;
}

int strand_open(struct strand *strand, void (*run)(void *arg), void *arg)
{
    uint64_t self = (uintptr_t)strand;
    size_t guard = strand_guard();
    uint8_t *stack = mmap(NULL, guard + STRAND_STACK_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);

    if (stack == MAP_FAILED)
        return -errno;
    if (mprotect(stack, guard, PROT_NONE) < 0 || getcontext(&strand->own) < 0) {
        int rc = -errno;

        (void)munmap(stack, guard + STRAND_STACK_BYTES);
        return rc;
    }
    strand->run = run;
    strand->arg = arg;
    strand->stack = stack;
    strand->ended = false;
    strand->own.uc_stack.ss_sp = stack + guard;
    strand->own.uc_stack.ss_size = STRAND_STACK_BYTES;
    strand->own.uc_link = &strand->caller;
    makecontext(&strand->own, (void (*)(void))strand_begin, 2, (unsigned)(self >> 32),
                (unsigned)self);
    return 0;
}

void strand_resume(struct strand *strand)
{
    assert(strand->stack && !strand->ended);
    (void)swapcontext(&strand->caller, &strand->own);
}

void strand_yield(struct strand *strand)
{
    (void)swapcontext(&strand->own, &strand->caller);
}

void strand_close(struct strand *strand)
{
    if (strand->stack)
        (void)munmap(strand->stack, strand_guard() + STRAND_STACK_BYTES);
    strand->stack = NULL;
}
