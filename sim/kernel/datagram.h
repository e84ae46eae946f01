/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_DATAGRAM_H
#define EDGEWISE_SIM_KERNEL_DATAGRAM_H

/* UDP and UNIX datagrams (E46, E47, E94..E96). They are sent to the connected address only. */

#include "sim/kernel/description.h"

extern const struct description_ops datagram_ops;

#endif
