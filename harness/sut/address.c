/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/address.h"

#include "harness/peer.h"
#include "harness/sut/callers.h"
#include "netns/link.h"

#define ADDRESS_NAME "edgewise-sut"

static sa_family_t address_domain(enum plan_family family)
{
    return family == PLAN_IPV6 ? AF_INET6 : AF_INET;
}

int address_sut(enum plan_family family, struct sockaddr_storage *ret_address,
                socklen_t *ret_length)
{
    if (family == PLAN_UNIX)
        return peer_unix_address(ADDRESS_NAME, ret_address, ret_length);
    *ret_length = link_address(LINK_SUT, address_domain(family), ADDRESS_PORT, ret_address);
    return 0;
}

int address_peer(enum plan_family family, uint32_t peer, struct sockaddr_storage *ret_address,
                 socklen_t *ret_length)
{
    char name[CALLERS_NAME_MAX];

    if (family == PLAN_UNIX) {
        callers_name(peer, name);
        return peer_unix_address(name, ret_address, ret_length);
    }
    *ret_length = link_address(LINK_PEER, address_domain(family), (uint16_t)(CALLERS_PORT + peer),
                               ret_address);
    return 0;
}
