/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "harness/conduct/bench.h"

static volatile sig_atomic_t came;

static void on_signal(int signal_number)
{
    if (!came)
        came = signal_number;
    bench_interrupt();
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int interrupt_signal(void)
{
    return came;
}
