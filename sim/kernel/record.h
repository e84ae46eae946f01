/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_RECORD_H
#define EDGEWISE_SIM_KERNEL_RECORD_H

/*
 * Writes to UNIX sockets and datagrams, each a unit in the queue of the socket that received it.
 * Its bytes stand in that socket's `in`; its memory is charged to the sender until it has been read
 * (E41, E47), as much as Linux takes for it.
 */

#include <stdbool.h>
#include <stdint.h>

struct kernel;

struct record {
    uint32_t after;
    uint32_t owner; /* the socket that sent it; 0 when that is gone, or is not charged */
    uint32_t length; /* not read yet */
    uint32_t charge;
};

/* Memory of a record of `size` bytes, of which what exceeds `head` lies in pages. */
uint32_t record_charge(uint32_t size, uint32_t head);

/* Whether there is memory for a record of `size` bytes to `socket`. */
bool record_room(const struct kernel *k, uint32_t socket, uint32_t size);
/* Appends one to the queue of `socket`. There is room. */
void record_push(struct kernel *k, uint32_t socket, uint32_t owner, const void *bytes,
                 uint32_t size, uint32_t charge);
/* The first one of a queue, NULL. */
const struct record *record_first(const struct kernel *k, uint32_t socket);
/* Takes `size` bytes of the first record; one that is used up stays until record_pop. */
void record_eat(struct kernel *k, uint32_t socket, uint32_t size);
/* Drops the first record and what is left of its bytes, and uncharges its owner, which is
 * returned: it may send again; 0. */
uint32_t record_pop(struct kernel *k, uint32_t socket);
/* Drops the queue of a socket; nobody hears of it. */
void record_drop_all(struct kernel *k, uint32_t socket);
/* Nobody is charged any more for what `owner` has sent. */
void record_disown(struct kernel *k, uint32_t owner);

#endif
