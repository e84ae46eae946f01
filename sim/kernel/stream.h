/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_STREAM_H
#define EDGEWISE_SIM_KERNEL_STREAM_H

/* A TCP connection as an application sees it: no segments, but every state, end and error
 * (E51..E79). What happens to the bytes is flow. */

#include "core/instant.h"
#include "sim/kernel/description.h"
#include "sim/kernel/socket.h"

extern const struct description_ops stream_ops;

/* When a connect that got no answer asks again; INSTANT_NEVER. */
struct instant stream_due(const struct kernel *k);
/* Those that are due ask. */
void stream_retry(struct kernel *k);

/* Our FIN has nothing before it any more: it arrives, and is acknowledged. */
void stream_fin_leaves(struct kernel *k, uint32_t socket);
/* Data came for a socket that closed its reading side after its FIN: both are reset (E58, E65). */
void stream_refuse_data(struct kernel *k, uint32_t socket);

/* Takes the pending error: it, negative, or else `otherwise`. */
int stream_error_or(struct socket *self, int otherwise);

#endif
