/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_NAME_H
#define EDGEWISE_SIM_KERNEL_NAME_H

/* Addresses of sockets: who has which, who can be reached under one. */

#include <stdbool.h>

#include "sim/kernel/kernel.h"

/* Gives a socket the address, any port for port 0. 0; -EINVAL (it has one, or no address of its
 * domain), -EADDRINUSE. */
int name_bind(struct kernel *k, uint32_t socket, const struct kernel_address *address);
/* Gives an IP socket without a port one, on `host`'s host. 0, -EADDRINUSE: none is left. */
int name_autobind(struct kernel *k, uint32_t socket, const struct kernel_address *host);
/* Takes from an IP socket of its address what bind did not choose. A port of TCP is still shown,
 * but no longer held. */
void name_release(struct kernel *k, uint32_t socket);

/* The listener of this type at an address, 0. */
uint32_t name_listener(const struct kernel *k, uint32_t type, const struct kernel_address *address);
/* The datagram socket that takes what `from` sends to an address, 0. */
uint32_t name_receiver(const struct kernel *k, const struct kernel_address *address,
                       const struct kernel_address *from);
/* Whether two are the same address, or the first has any host and the same port. */
bool name_meets(const struct kernel_address *bound, const struct kernel_address *asked);

#endif
