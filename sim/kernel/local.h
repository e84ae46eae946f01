/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_LOCAL_H
#define EDGEWISE_SIM_KERNEL_LOCAL_H

/* UNIX stream sockets with abstract names (E41, E42, E85..E89). */

#include "sim/kernel/description.h"
#include "sim/kernel/socket.h"

extern const struct description_ops local_ops;

/* Whether a UNIX socket of either kind has room to send (E89). */
bool local_writable(const struct socket *self);
/* Takes the first record of a socket away; its sender may have room again (E41). */
void local_pop(struct kernel *k, uint32_t socket);
/* Drops all that `socket` has received, the same way. */
void local_drain(struct kernel *k, uint32_t socket);
/* What `socket` began to send is given up, which looks like room to its watchers. */
void local_undo(struct kernel *k, uint32_t socket);
/* Room was changed by SO_SNDBUF. */
void local_changed(struct kernel *k, uint32_t socket, int option);

#endif
