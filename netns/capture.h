/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_CAPTURE_H
#define EDGEWISE_NETNS_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netns/failure.h"
#include "netns/space.h"

/* Every frame of one interface, by a plain packet socket: no ring, for opening and closing one
 * costs tens of milliseconds. A frame is in the queue when the send() that caused it returns
 * (E126), and a marker frame proves that nothing is missing. */

/* The marker: IEEE 802 local experimental ethertype, so nothing in either stack takes it. */
#define CAPTURE_MARKER_ETHERTYPE 0x88b5

struct capture_frame {
    const uint8_t *bytes;  /* from the Ethernet header on; valid during the callback */
    size_t length;         /* captured bytes; equals full_length unless a giant was cut */
    size_t full_length;    /* on the wire */
    uint64_t stamp_ns;     /* CLOCK_REALTIME, made when the frame passed */
    bool outgoing;         /* sent by this end, else received by it */
    bool checksum_pending; /* the checksum is left to a device: only with offloads on */
};

/* Takes one frame. 0 goes on; any other value stops and is handed to the caller. Must not call
 * the same capture. */
typedef int capture_fn(void *arg, const struct capture_frame *frame);

struct capture_place {
    const struct space *space; /* borrowed for the call */
    const char *interface;     /* name inside that space */
};

struct capture {
    int fd;              /* readable when frames wait: for poll() */
    int marker_fd;       /* packet socket at the other end */
    uint64_t marker;     /* number of the last marker */
    size_t memory_bytes; /* what the kernel granted for waiting frames, bookkeeping included */
    uint64_t frames;     /* read so far, markers included */
    uint64_t markers;    /* among them */
    bool loopback;       /* each frame comes twice: the outgoing one is left out */
    uint8_t *buffer;
};

#define CAPTURE_NONE ((struct capture){.fd = -1, .marker_fd = -1})

/* Starts to capture at `here`, an interface that is up; `there` is the other end of the link, from
 * where the markers are sent (loopback: the same place). memory_bytes bounds the frames that wait
 * to be drained (0: 64 MiB); an ordinary user may get less and has to drain in time. When
 * this returns a first marker has come through with a stamp of its own, so that a capture that sees
 * nothing is found out here. Errors: -EPERM (CAP_NET_RAW), -ENODEV, -ENETDOWN, -ETIMEDOUT. */
int capture_open(struct capture *ret_capture, const struct capture_place *here,
                 const struct capture_place *there, size_t memory_bytes,
                 struct failure *failure);

/* Hands over every waiting frame in order, without blocking. 0, the callback's value, or -errno. */
int capture_drain(struct capture *capture, capture_fn *take, void *arg, struct failure *failure);

/* Sends a marker and drains until it has been read: each frame that was sent before by either end
 * has been handed over then, none behind it is. Call while the link is at rest. The capture can go
 * on afterwards, but not after an error. limit_ms bounds the wait.
 * Errors: -ETIMEDOUT (marker not seen), -ENOBUFS (the kernel dropped frames: the text says how
 * many), the callback's value. */
int capture_finish(struct capture *capture, int limit_ms, capture_fn *take, void *arg,
                   struct failure *failure);

/* Ends it and frees all; harmless when called twice. The kernel makes the caller wait about 12 ms
 * for each of the two packet sockets; a process that only has to end leaves them to its end. */
void capture_close(struct capture *capture);

#endif
