/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_SMALL_KERNEL_H
#define EDGEWISE_TESTS_SUPPORT_SMALL_KERNEL_H

/* A simulated kernel that is soon out of everything, with two processes. */

#include "sim/kernel/kernel.h"

extern const struct kernel_config small_kernel_config;

/* A new one. Freeing asserts that nothing is alive once both processes are gone. */
struct kernel *small_kernel_new(void);
void small_kernel_free(struct kernel *k);

/* Two ends of a TCP connection, both of process 0. */
void small_kernel_connect(struct kernel *k, int ret_ends[2]);

#endif
