/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/packet.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64

void packet_list_init(struct packet_list *list, size_t count_max, size_t bytes_max)
{
    assert(count_max > 0);
    assert(bytes_max > 0);
    *list = (struct packet_list){.count_max = count_max, .bytes_max = bytes_max};
}

static int check_packet(const struct packet *packet)
{
    if (packet->captured_bytes > packet->original_bytes || packet->stamp_ns < 0)
        return -EINVAL;
    if (packet->captured_bytes > PACKET_BYTES_MAX)
        return -EMSGSIZE;
    return 0;
}

static int make_room(struct packet_list *list, size_t bytes)
{
    struct packet *grown;
    size_t room;

    if (list->count >= list->count_max || bytes > list->bytes_max - list->bytes)
        return -EFBIG;
    if (list->count < list->room)
        return 0;
    room = list->room == 0 ? ROOM_FIRST : list->room * 2;
    if (room < list->room || room > SIZE_MAX / sizeof(*grown))
        return -ENOMEM;
    grown = realloc(list->packets, room * sizeof(*grown));
    if (grown == NULL)
        return -ENOMEM;
    list->packets = grown;
    list->room = room;
    return 0;
}

int packet_list_append(struct packet_list *list, const struct packet *packet)
{
    size_t bytes = packet->captured_bytes;
    uint8_t *copy;
    int r;

    assert(list->bytes <= list->bytes_max);
    r = check_packet(packet);
    if (r == 0)
        r = make_room(list, bytes);
    if (r < 0)
        return r;
    copy = malloc(bytes > 0 ? bytes : 1);
    if (copy == NULL)
        return -ENOMEM;
    if (bytes > 0)
        memcpy(copy, packet->bytes, bytes);

    list->packets[list->count] = *packet;
    list->packets[list->count].bytes = copy;
    list->count++;
    list->bytes += bytes;
    return 0;
}

void packet_list_truncate(struct packet_list *list, size_t count)
{
    assert(count <= list->count);
    while (list->count > count) {
        const struct packet *last = &list->packets[--list->count];

        list->bytes -= last->captured_bytes;
        free((void *)(uintptr_t)last->bytes);
    }
}

void packet_list_free(struct packet_list *list)
{
    if (list == NULL)
        return;
    packet_list_truncate(list, 0);
    assert(list->bytes == 0);
    free(list->packets);
    packet_list_init(list, list->count_max, list->bytes_max);
}
