/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_FLOW_H
#define EDGEWISE_SIM_KERNEL_FLOW_H

/*
 * The bytes of a TCP connection. What fits into the receiver's window arrives at once, and counts
 * as acknowledged then; the rest waits at the sender. A FIN goes when all before it has gone. The
 * buffers count payload, where Linux counts memory: near full the two differ.
 */

#include "sim/kernel/socket.h"

/* Moves what the receiver has room for, then the FIN. */
void flow_push(struct kernel *k, uint32_t socket);

/* A read would find enough (E36); there is room to write (E80). */
bool flow_readable(const struct socket *self);
bool flow_writable(const struct socket *self);

/* As the calls of socket_ops, on a socket of any state. */
long flow_send(struct kernel *k, uint32_t socket, const void *bytes, size_t size, unsigned flags);
long flow_recv(struct kernel *k, uint32_t socket, void *bytes, size_t size, unsigned flags);
long flow_unread(struct kernel *k, uint32_t socket);
long flow_unacked(const struct kernel *k, uint32_t socket);

/* RCVLOWAT and SNDBUF may turn the levels. */
void flow_changed(struct kernel *k, uint32_t socket, int option);

#endif
