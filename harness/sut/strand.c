/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/strand.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define STRAND_STACK_BYTES ((size_t)512 << 10)
/* A stack that is used up has no room for a handler. */
#define STRAND_HANDLER_BYTES ((size_t)32 << 10)

static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define CRASH_COUNT (sizeof(crashes) / sizeof(*crashes))

/* What signals of a crash did before. */
struct watch {
    struct sigaction actions[CRASH_COUNT];
    stack_t stack;
};

static struct strand *running;

static size_t strand_guard(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t strand_bytes(void)
{
    return strand_guard() + STRAND_STACK_BYTES + STRAND_HANDLER_BYTES;
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
    uint8_t *stack = mmap(NULL, strand_bytes(), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);

    if (stack == MAP_FAILED)
        return -errno;
    if (mprotect(stack, guard, PROT_NONE) < 0 || getcontext(&strand->own) < 0) {
        int rc = -errno;

        (void)munmap(stack, strand_bytes());
        return rc;
    }
    strand->run = run;
    strand->arg = arg;
    strand->stack = stack;
    strand->handler = stack + guard + STRAND_STACK_BYTES;
    strand->ended = false;
    strand->signal = 0;
    strand->own.uc_stack.ss_sp = stack + guard;
    strand->own.uc_stack.ss_size = STRAND_STACK_BYTES;
    strand->own.uc_link = &strand->caller;
    makecontext(&strand->own, (void (*)(void))strand_begin, 2, (unsigned)(self >> 32),
                (unsigned)self);
    return 0;
}

/* The caller's context has its own signal mask. */
static void strand_crashed(int signal)
{
    running->signal = signal;
    (void)setcontext(&running->caller);
}

static void strand_watch(struct strand *strand, struct watch *watch)
{
    const struct sigaction action = {.sa_handler = strand_crashed, .sa_flags = SA_ONSTACK};
    const stack_t stack = {.ss_sp = strand->handler, .ss_size = STRAND_HANDLER_BYTES};

    running = strand;
    (void)sigaltstack(&stack, &watch->stack);
    for (size_t i = 0; i < CRASH_COUNT; i++)
        (void)sigaction(crashes[i], &action, &watch->actions[i]);
}

static void strand_unwatch(const struct watch *watch)
{
    for (size_t i = 0; i < CRASH_COUNT; i++)
        (void)sigaction(crashes[i], &watch->actions[i], NULL);
    (void)sigaltstack(&watch->stack, NULL);
    running = NULL;
}

void strand_resume(struct strand *strand)
{
    struct watch watch;

    assert(strand->stack && !strand->ended && !strand->signal && !running);
    strand_watch(strand, &watch);
    (void)swapcontext(&strand->caller, &strand->own);
    strand_unwatch(&watch);
}

void strand_yield(struct strand *strand)
{
    (void)swapcontext(&strand->own, &strand->caller);
}

void strand_close(struct strand *strand)
{
    if (strand->stack)
        (void)munmap(strand->stack, strand_bytes());
    strand->stack = NULL;
}
