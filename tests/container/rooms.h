/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CONTAINER_ROOMS_H
#define EDGEWISE_TESTS_CONTAINER_ROOMS_H

#include <stdbool.h>
#include <stddef.h>

/* A directory that the container may write: `from` outside is seen as `to`. */
struct rooms_volume {
    const char *from;
    const char *to;
};

/* What the container sees as files. */
struct rooms {
    const char *image; /* the directory that is the root; NULL: the machine's root, read-only */
    const struct rooms_volume *volumes;
    size_t volume_count;
    bool protected; /* /proc/sys and others read-only, some hidden, /sys read-only */
};

/* Lays out the files, in a mount and a PID namespace that are the caller's alone; /proc, /sys, /dev
 * and /tmp are new. */
void rooms_lay_out(const struct rooms *rooms);

#endif
