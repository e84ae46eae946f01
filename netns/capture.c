/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/capture.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "netns/limit.h"

#define CAPTURE_MEMORY_BYTES ((size_t)64 << 20)
/* The largest giant that segmentation offload makes, and its headers. */
#define CAPTURE_FRAME_BYTES ((size_t)(64 << 10) + 256)
#define CAPTURE_OPEN_LIMIT_MS 2000
#define CAPTURE_MARKER_TEXT "edgewise capture marker "

/* Padded to what an Ethernet frame is at least. */
struct capture_marker {
    struct ethhdr ethernet;
    char text[sizeof(CAPTURE_MARKER_TEXT) - 1];
    uint64_t number;
    char padding[ETH_ZLEN - ETH_HLEN - (sizeof(CAPTURE_MARKER_TEXT) - 1) - sizeof(uint64_t)];
} __attribute__((packed));
_Static_assert(sizeof(struct capture_marker) == ETH_ZLEN, "the shortest frame");

/* One read of the socket. */
struct capture_read {
    struct capture_frame frame;
    bool twin;   /* the outgoing half of a loopback frame */
    bool marker; /* the one that was sent last */
};

/* Index and kind of an interface, asked through any socket of its namespace. */
static int capture_find(int fd, const char *interface, int *ret_index, bool *ret_loopback,
                        struct failure *failure)
{
    struct ifreq request = {.ifr_ifindex = 0};

    if (strlen(interface) >= sizeof(request.ifr_name))
        return failure_set(failure, -ENODEV, "capture on %s", interface);
    memcpy(request.ifr_name, interface, strlen(interface) + 1);
    if (ioctl(fd, SIOCGIFINDEX, &request) < 0)
        return failure_set(failure, -errno, "find interface %s", interface);
    int index = request.ifr_ifindex;
    if (ioctl(fd, SIOCGIFHWADDR, &request) < 0)
        return failure_set(failure, -errno, "find the kind of interface %s", interface);
    *ret_loopback = request.ifr_hwaddr.sa_family == ARPHRD_LOOPBACK;
    *ret_index = index;
    return 0;
}

/* A packet socket with protocol 0 takes nothing until it is bound to one. */
static int capture_bind(int fd, int index, uint16_t protocol, const char *interface,
                        struct failure *failure)
{
    struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(protocol), .sll_ifindex = index,
    };

    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
        return failure_set(failure, -errno, "bind a packet socket to %s", interface);
    return 0;
}

/* The forced size is for root only; else net.core.rmem_max bounds it. The kernel doubles it. */
static int capture_set_memory(int fd, size_t bytes, size_t *ret_bytes, struct failure *failure)
{
    int half = (int)(bytes / 2);
    int granted = 0;
    socklen_t length = sizeof(granted);

    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &half, sizeof(half)) < 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &half, sizeof(half)) < 0)
        return failure_set(failure, -errno, "set the memory of the capture");
    if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &granted, &length) < 0)
        return failure_set(failure, -errno, "ask for the memory of the capture");
    *ret_bytes = (size_t)granted;
    return 0;
}

static int capture_set_options(int fd, struct failure *failure)
{
    int one = 1;
    /* Not SO_TIMESTAMPNS, which gives a frame that passed unstamped the time of the read. */
    int stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;

    if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof(stamps)) < 0)
        return failure_set(failure, -errno, "ask for stamps");
    if (setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) < 0)
        return failure_set(failure, -errno, "ask for the flags of frames");
    return 0;
}

static int capture_open_here(struct capture *capture, const struct capture_place *here,
                             size_t memory_bytes, struct failure *failure)
{
    int index = 0;
    int fd = space_socket(here->space, AF_PACKET, SOCK_RAW, 0, failure);

    if (fd < 0)
        return fd;
    capture->fd = fd;
    int err = capture_find(fd, here->interface, &index, &capture->loopback, failure);
    if (err == 0)
        err = capture_set_memory(fd, memory_bytes, &capture->memory_bytes, failure);
    if (err == 0)
        err = capture_set_options(fd, failure);
    if (err == 0)
        err = capture_bind(fd, index, ETH_P_ALL, here->interface, failure);
    return err;
}

static int capture_open_there(struct capture *capture, const struct capture_place *there,
                              struct failure *failure)
{
    int index = 0;
    bool loopback;
    int fd = space_socket(there->space, AF_PACKET, SOCK_RAW, 0, failure);

    if (fd < 0)
        return fd;
    capture->marker_fd = fd;
    int err = capture_find(fd, there->interface, &index, &loopback, failure);
    /* Protocol 0 again: this one only sends. */
    return err < 0 ? err : capture_bind(fd, index, 0, there->interface, failure);
}

static void capture_take_control(struct msghdr *message, struct capture_frame *frame)
{
    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control)) {
        if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_TIMESTAMPING) {
            struct scm_timestamping stamps;
            memcpy(&stamps, CMSG_DATA(control), sizeof(stamps));
            frame->stamp_ns = (uint64_t)stamps.ts[0].tv_sec * 1000000000U +
                              (uint64_t)stamps.ts[0].tv_nsec;
        } else if (control->cmsg_level == SOL_PACKET && control->cmsg_type == PACKET_AUXDATA) {
            struct tpacket_auxdata flags;
            memcpy(&flags, CMSG_DATA(control), sizeof(flags));
            frame->full_length = flags.tp_len;
            frame->checksum_pending = (flags.tp_status & TP_STATUS_CSUMNOTREADY) != 0;
        }
    }
}

static bool capture_is_marker(const struct capture *capture, const struct capture_frame *frame)
{
    struct capture_marker marker;

    if (frame->length < sizeof(marker))
        return false;
    memcpy(&marker, frame->bytes, sizeof(marker));
    return marker.ethernet.h_proto == htons(CAPTURE_MARKER_ETHERTYPE) &&
           memcmp(marker.text, CAPTURE_MARKER_TEXT, sizeof(marker.text)) == 0 &&
           marker.number == capture->marker;
}

/* 1: a frame, 0: none waits, -errno. */
static int capture_receive(struct capture *capture, struct capture_read *ret_read,
                           struct failure *failure)
{
    struct sockaddr_ll from = {.sll_pkttype = 0};
    struct iovec bytes = {.iov_base = capture->buffer, .iov_len = CAPTURE_FRAME_BYTES};
    _Alignas(struct cmsghdr) char control[256];
    struct msghdr message = {
        .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &bytes, .msg_iovlen = 1,
        .msg_control = control, .msg_controllen = sizeof(control),
    };
    ssize_t length = recvmsg(capture->fd, &message, MSG_DONTWAIT);

    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (length < 0)
        return failure_set(failure, -errno, "read a captured frame");
    struct capture_frame frame = {
        .bytes = capture->buffer,
        .length = (size_t)length,
        .full_length = (size_t)length,
        .outgoing = from.sll_pkttype == PACKET_OUTGOING,
    };
    capture_take_control(&message, &frame);
    capture->frames++;
    *ret_read = (struct capture_read){
        .frame = frame,
        .twin = capture->loopback && frame.outgoing,
        .marker = capture_is_marker(capture, &frame),
    };
    return 1;
}

static int capture_send_marker(struct capture *capture, struct failure *failure)
{
    struct capture_marker marker = {
        .ethernet = {
            .h_dest = {2, 0, 0, 0, 0, 0xff},
            .h_source = {2, 0, 0, 0, 0, 0xfe},
            .h_proto = htons(CAPTURE_MARKER_ETHERTYPE),
        },
        .number = ++capture->marker,
    };

    memcpy(marker.text, CAPTURE_MARKER_TEXT, sizeof(marker.text));
    if (send(capture->marker_fd, &marker, sizeof(marker), 0) < 0)
        return failure_set(failure, -errno, "send a capture marker");
    return 0;
}

/* Reads and hands over until the queue is empty (0), the marker was read (1), or there is an error
 * or a value of the callback, which goes to *ret_value (-1). *read is what was read last. */
static int capture_run(struct capture *capture, capture_fn *take, void *arg,
                       struct capture_read *read, int *ret_value, struct failure *failure)
{
    for (;;) {
        int got = capture_receive(capture, read, failure);
        if (got == 0)
            return 0;
        if (got > 0 && read->twin)
            continue;
        if (got > 0 && read->marker) {
            capture->markers++;
            return 1;
        }
        int value = got < 0 ? got : take == NULL ? 0 : take(arg, &read->frame);
        if (value != 0) {
            *ret_value = value;
            return -1;
        }
    }
}

static int capture_check_drops(struct capture *capture, struct failure *failure)
{
    struct tpacket_stats counts = {.tp_packets = 0};
    socklen_t length = sizeof(counts);

    if (getsockopt(capture->fd, SOL_PACKET, PACKET_STATISTICS, &counts, &length) < 0)
        return failure_set(failure, -errno, "ask for the counts of the capture");
    if (counts.tp_drops > 0)
        return failure_tell(failure, -ENOBUFS,
                            "the capture lost %u of %u frames: its %zu bytes were full; send less "
                            "at one time", counts.tp_drops, counts.tp_packets,
                            capture->memory_bytes);
    return 0;
}

/* Until the marker has been read; its read is left in *read. */
static int capture_await_marker(struct capture *capture, const struct limit *limit,
                                capture_fn *take, void *arg, struct capture_read *read,
                                struct failure *failure)
{
    int more = 1;

    for (;;) {
        int value = 0;
        int stop = capture_run(capture, take, arg, read, &value, failure);
        if (stop != 0)
            return stop > 0 ? 0 : value;
        if (more == 0)
            return failure_set(failure, -ETIMEDOUT, "wait for the capture marker");
        more = limit_wait(limit, capture->fd, failure);
        if (more < 0)
            return more;
    }
}

/* The kernel begins to stamp in the background, once the first socket on the machine asks for it.
 * Markers are sent until one comes with a stamp; between them the kernel's worker gets the CPU,
 * which a pinned process would keep from it. */
static int capture_prove(struct capture *capture, struct failure *failure)
{
    const struct timespec breath = {.tv_nsec = 50000};
    struct limit limit = LIMIT_ON("the capture marker");
    struct capture_read read = {.marker = false};
    int err = limit_open(&limit, CAPTURE_OPEN_LIMIT_MS, failure);

    while (err == 0) {
        err = capture_send_marker(capture, failure);
        if (err == 0)
            err = capture_await_marker(capture, &limit, NULL, NULL, &read, failure);
        if (err < 0 || read.frame.stamp_ns != 0)
            break;
        if (limit_passed(&limit))
            err = failure_set(failure, -ETIMEDOUT, "wait for the kernel to stamp frames");
        (void)ppoll(NULL, 0, &breath, NULL);
    }
    limit_close(&limit);
    return err < 0 ? err : capture_check_drops(capture, failure);
}

int capture_open(struct capture *ret_capture, const struct capture_place *here,
                 const struct capture_place *there, size_t memory_bytes,
                 struct failure *failure)
{
    struct capture capture = CAPTURE_NONE;
    int err = 0;

    assert(memory_bytes <= INT32_MAX);
    capture.buffer = malloc(CAPTURE_FRAME_BYTES);
    if (capture.buffer == NULL)
        err = failure_set(failure, -ENOMEM, "make a capture");
    /* Markers of another capture on the same link must not pass for ours. So few bytes come whole
     * or not at all. */
    if (err == 0 && getrandom(&capture.marker, sizeof(capture.marker), 0) < 0)
        err = failure_set(failure, -errno, "number the markers of the capture");
    if (err == 0)
        err = capture_open_here(&capture, here,
                                memory_bytes > 0 ? memory_bytes : CAPTURE_MEMORY_BYTES, failure);
    if (err == 0)
        err = capture_open_there(&capture, there, failure);
    if (err == 0)
        err = capture_prove(&capture, failure);
    if (err < 0) {
        capture_close(&capture);
        return err;
    }
    *ret_capture = capture;
    return 0;
}

int capture_drain(struct capture *capture, capture_fn *take, void *arg, struct failure *failure)
{
    struct capture_read read = {.marker = false};
    int value = 0;

    (void)capture_run(capture, take, arg, &read, &value, failure);
    return value;
}

int capture_finish(struct capture *capture, int limit_ms, capture_fn *take, void *arg,
                   struct failure *failure)
{
    struct capture_read read = {.marker = false};
    struct limit limit = LIMIT_ON("the capture marker");
    int err = limit_open(&limit, limit_ms, failure);

    if (err == 0)
        err = capture_send_marker(capture, failure);
    if (err == 0)
        err = capture_await_marker(capture, &limit, take, arg, &read, failure);
    limit_close(&limit);
    if (err != 0 && err != -ETIMEDOUT)
        return err;
    /* The marker itself may be among the lost. */
    int lost = capture_check_drops(capture, failure);
    return lost < 0 ? lost : err;
}

void capture_close(struct capture *capture)
{
    if (capture->fd >= 0)
        (void)close(capture->fd);
    if (capture->marker_fd >= 0)
        (void)close(capture->marker_fd);
    free(capture->buffer);
    *capture = CAPTURE_NONE;
}
