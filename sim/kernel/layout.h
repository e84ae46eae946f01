/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_LAYOUT_H
#define EDGEWISE_SIM_KERNEL_LAYOUT_H

/* Where in its one block a kernel of some config keeps what. */

#include <stddef.h>

#include "sim/kernel/kernel.h"

/* Writes the places into `head`; the bytes of the whole block, 0 for a config out of range. */
size_t layout_place(struct kernel *head, const struct kernel_config *config);

#endif
