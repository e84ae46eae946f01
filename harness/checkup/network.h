/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_NETWORK_H
#define EDGEWISE_HARNESS_CHECKUP_NETWORK_H

/* The network that a run needs, each part made once in a namespace that goes at once. */

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"

/* Rows, each for one check; `which` is an address family for network_diag, else not used. */
void network_veth(const struct place *place, int which, struct finding *finding);
void network_ipv6(const struct place *place, int which, struct finding *finding);
void network_diag(const struct place *place, int which, struct finding *finding);
void network_congestion(const struct place *place, int which, struct finding *finding);
void network_tun(const struct place *place, int which, struct finding *finding);

#endif
