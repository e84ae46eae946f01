/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_BACKLOG_H
#define EDGEWISE_SIM_KERNEL_BACKLOG_H

#include "sim/kernel/kernel.h"

/* Whether a TCP connection that is being made waits because the listener has room for no more
 * (E79). When it has again only time is missing: until the SYN goes out once more. */
bool backlog_blocks(const struct kernel *k, uint32_t process, int fd);

#endif
