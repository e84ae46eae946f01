/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/callers.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/os_pass.h"

#define NAME "edgewise-peer-"

void callers_name(uint32_t peer, char ret_name[CALLERS_NAME_MAX])
{
    (void)snprintf(ret_name, CALLERS_NAME_MAX, NAME "%u", peer);
}

/* An abstract name begins behind a NUL and ends with the address. */
static uint32_t callers_by_name(const char *path, size_t length)
{
    char number[CALLERS_NAME_MAX] = "";
    size_t skipped = 1 + sizeof(NAME) - 1;

    if (length <= skipped || length - skipped >= sizeof(number) ||
        memcmp(path + 1, NAME, sizeof(NAME) - 1) != 0)
        return PLAN_NOBODY;
    memcpy(number, path + skipped, length - skipped);
    return (uint32_t)strtoul(number, NULL, 10);
}

static uint32_t callers_by_port(in_port_t port)
{
    return ntohs(port) < CALLERS_PORT ? PLAN_NOBODY : (uint32_t)ntohs(port) - CALLERS_PORT;
}

uint32_t callers_peer(const void *address, size_t length)
{
    struct sockaddr_storage storage = {0};
    uint32_t peer = PLAN_NOBODY;

    memcpy(&storage, address, length < sizeof(storage) ? length : sizeof(storage));
    if (storage.ss_family == AF_INET)
        peer = callers_by_port(((const struct sockaddr_in *)&storage)->sin_port);
    else if (storage.ss_family == AF_INET6)
        peer = callers_by_port(((const struct sockaddr_in6 *)&storage)->sin6_port);
    else if (storage.ss_family == AF_UNIX && length > offsetof(struct sockaddr_un, sun_path))
        peer = callers_by_name(((const struct sockaddr_un *)&storage)->sun_path,
                               length - offsetof(struct sockaddr_un, sun_path));
    return peer < PLAN_PEERS_MAX ? peer : PLAN_NOBODY;
}

static int callers_accept_real(void *arg, int fd, struct sockaddr_storage *ret_address,
                               socklen_t *ret_length)
{
    int accepted;

    (void)arg;
    *ret_length = sizeof(*ret_address);
    accepted = accept4(fd, (struct sockaddr *)ret_address, ret_length,
                       SOCK_NONBLOCK | SOCK_CLOEXEC);
    return accepted < 0 ? -errno : accepted;
}

static int callers_accept(void *self, int fd)
{
    struct callers *callers = self;
    struct sockaddr_storage address = {0};
    socklen_t length = 0;
    int accepted = callers->accept(callers->arg, fd, &address, &length);

    if (accepted >= 0)
        callers->heard(callers->arg, callers_peer(&address, length));
    return accepted;
}

static const struct os_ops callers_ops = {
    .now = os_pass_now,
    .wait = os_pass_wait,
    .ctl = os_pass_ctl,
    .read = os_pass_read,
    .accept = callers_accept,
    .close = os_pass_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

struct os callers_wrap(struct callers *callers, struct os inner,
                       void (*heard)(void *arg, uint32_t peer), void *arg)
{
    *callers = (struct callers){
        .inner = inner, .heard = heard, .accept = callers_accept_real, .arg = arg};
    return (struct os){.ops = &callers_ops, .self = callers};
}
