/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel_frames: frames as a Linux kernel put them on a veth link, for checking the dissector and
 * the composer against something that is not ours. Where the kernel left the TCP checksum to an
 * offload, the full checksum is what Wireshark computes.
 */
#ifndef EDGEWISE_TESTS_PCAPS_KERNEL_FRAMES_H
#define EDGEWISE_TESTS_PCAPS_KERNEL_FRAMES_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* 10.9.0.1:7000 > 10.9.0.2:40736 SYN ACK seq 2313058403 ack 2584284880 win 65160
 * <mss 1460, sackOK, TS val 2844003557 ecr 3143089328, nop, wscale 10> */
#define KERNEL_SYN_ACK_HEAD                                                                        \
    "1261882fb54d d21e5a42dde9 0800"                                                               \
    "4500003c 00004000 400626a8 0a090001 0a090002"                                                 \
    "1b589f20 89de7863 9a090ed0 a012fe88"
#define KERNEL_SYN_ACK_TAIL "0000 020405b4 0402080a a9840ce5 bb57bcb0 0103030a"
#define KERNEL_SYN_ACK KERNEL_SYN_ACK_HEAD "a149" KERNEL_SYN_ACK_TAIL
#define KERNEL_SYN_ACK_OFFLOADED KERNEL_SYN_ACK_HEAD "1443" KERNEL_SYN_ACK_TAIL

/* 10.9.0.2:40736 > 10.9.0.1:7000 PSH ACK seq 2584284880 ack 2313058409 win 63 id 0xbc4b
 * <nop, nop, TS val 3143089329 ecr 2844003558> "abc0" */
#define KERNEL_DATA                                                                                \
    "d21e5a42dde9 1261882fb54d 0800"                                                               \
    "45000038 bc4b4000 40066a60 0a090002 0a090001"                                                 \
    "9f201b58 9a090ed0 89de7869 8018003f 09bd0000 0101080a bb57bcb1 a9840ce6 61626330"

/* [fd09::1]:7000 > [fd09::2]:56230 SYN ACK seq 3629213897 ack 1809127659 win 64260
 * <mss 1440, sackOK, TS val 623654337 ecr 3057290281, nop, wscale 10> */
#define KERNEL_SYN_ACK_IPV6                                                                        \
    "1261882fb54d d21e5a42dde9 86dd"                                                               \
    "60091f55 00280640 fd090000000000000000000000000001 fd090000000000000000000000000002"          \
    "1b58dba6 d85168c9 6bd518eb a012fb04 f8b90000"                                                 \
    "020405a0 0402080a 252c35c1 b63a8c29 0103030a"

/* 10.9.0.1 is at d2:1e:5a:42:dd:e9 */
#define KERNEL_ARP                                                                                 \
    "1261882fb54d d21e5a42dde9 0806"                                                               \
    "0001080006040002 d21e5a42dde9 0a090001 1261882fb54d 0a090002"

/* Multicast listener report v2 behind a hop-by-hop header with router alert */
#define KERNEL_MLD                                                                                 \
    "333300000016 d21e5a42dde9 86dd"                                                               \
    "60000000 00380001 00000000000000000000000000000000 ff020000000000000000000000000016"          \
    "3a00050200000100 8f008f4300000002"                                                            \
    "04000000ff0200000000000000000001ff42dde9 04000000ff0200000000000000000001ff000001"

/* fe80::d01e:5aff:fe42:dde9 > ff02::2 router solicitation */
#define KERNEL_ROUTER_SOLICITATION                                                                 \
    "333300000002 d21e5a42dde9 86dd"                                                               \
    "60000000 00103aff fe80000000000000d01e5afffe42dde9 ff020000000000000000000000000002"          \
    "85006a9800000000 0101d21e5a42dde9"

/* fd09::1 > fd09::2 neighbour advertisement */
#define KERNEL_NEIGHBOUR_ADVERTISEMENT                                                             \
    "1261882fb54d d21e5a42dde9 86dd"                                                               \
    "60000000 00203aff fd090000000000000000000000000001 fd090000000000000000000000000002"          \
    "8800143760000000 fd090000000000000000000000000001 0201d21e5a42dde9"

/* Bytes of a hex text with blanks; returns how many. */
static inline size_t kernel_frame(const char *hex, uint8_t *bytes, size_t room)
{
    size_t count = 0;
    unsigned int byte;
    int used;

    while (sscanf(hex, " %2x%n", &byte, &used) == 1) {
        assert(count < room);
        bytes[count++] = (uint8_t)byte;
        hex += used;
    }
    return count;
}

#endif
