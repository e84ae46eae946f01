/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_TABLE_H
#define EDGEWISE_SIM_KERNEL_TABLE_H

/* The descriptor numbers of each process: the lowest free one is given out (E5). */

#include <stdint.h>

struct kernel;

/* One process; its numbers lie behind it. */
struct table {
    uint32_t lowest;   /* no number below this one is free */
    uint32_t signalled;
    uint32_t descriptions[]; /* 0: free */
};

/* Bytes of the tables of a config. */
uint64_t table_size(uint32_t processes, uint32_t descriptors);

/* The table of a process. */
struct table *table_of(struct kernel *k, uint32_t process);

/* The description behind a number, 0 when it is not open. */
uint32_t table_get(const struct kernel *k, uint32_t process, int fd);

/* Gives a description a number, and a reference; -EMFILE, then nothing changed. */
int table_add(struct kernel *k, uint32_t process, uint32_t description);
/* The same under a number that is free. */
void table_put(struct kernel *k, uint32_t process, int fd, uint32_t description);
/* Whether `count` more numbers are free: 0 or -EMFILE. */
int table_room(const struct kernel *k, uint32_t process, uint32_t count);
/* Frees a number that is open, and releases its description. */
void table_remove(struct kernel *k, uint32_t process, int fd);

#endif
