/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_FAKE_OS_H
#define EDGEWISE_TESTS_SUPPORT_FAKE_OS_H

/*
 * Just enough of a kernel to drive a reactor by hand: streams and listeners with bytes that the
 * test puts in, and a ready list with the three triggers (E12-E17, E29-E34). It is one plain
 * struct, so that a copy of it is a snapshot. Descriptors count from 3, lowest free first.
 */

#include "core/os.h"

#define FAKE_OS_FDS 16
#define FAKE_OS_BYTES 4096

struct fake_os_file {
    bool open;
    bool listener;
    uint8_t bytes[FAKE_OS_BYTES];
    size_t begin;
    size_t end;
    bool fin;
    int error;   /* given out once, behind the bytes */
    int pending; /* listener: connections not accepted yet */

    bool registered;
    bool queued;
    bool disarmed; /* ONESHOT has fired */
    uint16_t mask;
    uint64_t data;
};

struct fake_os {
    struct fake_os_file files[FAKE_OS_FDS];
    int ready[FAKE_OS_FDS];
    int ready_count;
    struct instant now;
    unsigned ctl_adds;
    unsigned ctl_mods;
    unsigned ctl_dels;
    unsigned sleeps; /* waits that found nothing and might have slept */
    int fail_ctl;            /* positive errno for the next ctl, 0 */
    int fail_wait;           /* the same for the next wait */
};

/* No file, time 0. */
void fake_os_init(struct fake_os *fake);

/* The table over it; a copy of `fake` needs one of its own. */
struct os fake_os_table(struct fake_os *fake);

/* A stream or a listener that nobody has registered yet. */
int fake_os_stream(struct fake_os *fake);
int fake_os_listener(struct fake_os *fake);

/* What peers do. */
void fake_os_arrive(struct fake_os *fake, int fd, const void *bytes, size_t size);
void fake_os_fin(struct fake_os *fake, int fd);
void fake_os_rst(struct fake_os *fake, int fd);
void fake_os_connect(struct fake_os *fake, int listener);

/* Bytes that a read would find. */
size_t fake_os_unread(const struct fake_os *fake, int fd);

#endif
