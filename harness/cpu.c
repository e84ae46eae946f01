/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cpu.h"

#include <errno.h>

int cpu_save(cpu_set_t *ret_set)
{
    return sched_getaffinity(0, sizeof(*ret_set), ret_set) < 0 ? -errno : 0;
}

void cpu_restore(const cpu_set_t *set)
{
    /* Fails only when the CPUs of before have gone: then staying where we are is right. */
    (void)sched_setaffinity(0, sizeof(*set), set);
}

int cpu_pin(int cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    return sched_setaffinity(0, sizeof(set), &set) < 0 ? -errno : 0;
}

int cpu_choose(const cpu_set_t *set, int n)
{
    int count = CPU_COUNT(set);

    if (count == 0)
        return -1;
    n %= count;
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
        if (CPU_ISSET((size_t)cpu, set) && n-- == 0)
            return cpu;
    return -1;
}
