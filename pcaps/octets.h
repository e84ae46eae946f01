/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * octets: numbers in network order at any alignment. Pure.
 */
#ifndef EDGEWISE_PCAPS_OCTETS_H
#define EDGEWISE_PCAPS_OCTETS_H

#include <stdint.h>

static inline uint16_t octets_get16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t octets_get32(const uint8_t *at)
{
    return (uint32_t)octets_get16(at) << 16 | octets_get16(at + 2);
}

static inline void octets_put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void octets_put32(uint8_t *at, uint32_t value)
{
    octets_put16(at, (uint16_t)(value >> 16));
    octets_put16(at + 2, (uint16_t)value);
}

#endif
