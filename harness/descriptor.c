/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/descriptor.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

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
    int fd;

    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) < 0)
        return -errno;
    header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int)))
        return -ENOMSG;
    memcpy(&fd, CMSG_DATA(header), sizeof(fd));
    return fd;
}
