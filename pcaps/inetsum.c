/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/inetsum.h"

#include <assert.h>

#include "pcaps/octets.h"

static uint16_t fold(uint64_t sum)
{
    while (sum > UINT16_MAX)
        sum = (sum & UINT16_MAX) + (sum >> 16);
    return (uint16_t)sum;
}

uint16_t inetsum_add(uint16_t sum, const uint8_t *bytes, size_t length)
{
    uint64_t total = sum;
    size_t i;

    for (i = 0; i + 1 < length; i += 2)
        total += octets_get16(bytes + i);
    if (i < length)
        total += (uint32_t)bytes[i] << 8;
    return fold(total);
}

uint16_t inetsum_pseudo(const struct endpoint *source, const struct endpoint *target,
                        uint8_t protocol, size_t length)
{
    size_t address_bytes = source->version == 4 ? 4 : ENDPOINT_ADDRESS_BYTES;
    uint16_t sum = fold((uint64_t)protocol + length);

    assert(source->version == target->version);
    sum = inetsum_add(sum, source->address, address_bytes);
    return inetsum_add(sum, target->address, address_bytes);
}
