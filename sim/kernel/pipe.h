/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_PIPE_H
#define EDGEWISE_SIM_KERNEL_PIPE_H

/* A pipe or FIFO: a ring of pages, and two ends (E43..E45, E90..E93). */

#include <stdbool.h>

#include "sim/kernel/chain.h"
#include "sim/kernel/description.h"
#include "sim/kernel/watch.h"

#define PIPE_PAGES 16
#define PIPE_PAGE  4096

/* What lies in one page: `start` bytes of it have been read already. */
struct pipe_page {
    uint16_t start;
    uint16_t length;
};

struct pipe {
    struct chain bytes;
    struct watch read_watch;
    struct watch write_watch;
    uint32_t readers;
    uint32_t writers;
    uint32_t polled; /* somebody ever looked: then each write wakes (E43) */
    uint32_t head;   /* the oldest page, of `used` */
    uint32_t used;
    uint32_t name; /* of a FIFO; 0: a pipe */
    uint32_t writings; /* how often it was opened for writing */
    uint32_t unused;
    struct pipe_page pages[PIPE_PAGES];
};

extern const struct description_ops pipe_ops;

/* A pipe with one reader and one writer; 0 when all are taken. */
uint32_t pipe_new(struct kernel *k);

/* One end more of the FIFO of a name, which is there as long as it is open. Its body, and in
 * ret_mode what its description is to have. -ENXIO: nobody reads what would be written; -ENFILE. */
int pipe_open(struct kernel *k, uint32_t name, bool writes, uint32_t *ret_body,
              uint32_t *ret_mode);

#endif
