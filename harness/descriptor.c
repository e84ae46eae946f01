/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

int descriptor_hold_standard(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* The lowest that is free is this one. */
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return -errno;
    }
    return 0;
}

union descriptor_room {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

int descriptor_send(int socket, int fd)
{
    char byte = 0;
    struct iovec iov = {.iov_base = &byte, .iov_len = 1};
    union descriptor_room room = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
                                             .cmsg_level = SOL_SOCKET,
                                             .cmsg_type = SCM_RIGHTS}};
    struct msghdr message = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = &room,
                             .msg_controllen = sizeof(room)};

    memcpy(CMSG_DATA(&room.header), &fd, sizeof(fd));
    return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* The one descriptor of a message. Others that came along are not ours to keep. */
static int descriptor_take(const struct cmsghdr *header)
{
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    int fd = -ENOMSG;

    for (size_t i = 0; i < count; i++) {
        memcpy(&fd, CMSG_DATA(header) + i * sizeof(fd), sizeof(fd));
        if (count > 1)
            (void)close(fd);
    }
    return count == 1 ? fd : -ENOMSG;
}

int descriptor_receive(int socket)
{
    char byte;
    struct iovec iov = {.iov_base = &byte, .iov_len = 1};
    union descriptor_room room = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = &room,
                             .msg_controllen = sizeof(room)};
    const struct cmsghdr *header;
    int flags;
    int fd;

    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) < 0)
        return -errno;
    header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
        return -ENOMSG;
    fd = descriptor_take(header);
    if (fd < 0)
        return fd;
    flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) {
        flags = -errno;
        (void)close(fd);
        return flags;
    }
    return fd;
}
