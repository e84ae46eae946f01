/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/space.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

/* Of the thread, not of the process: another thread may be elsewhere. */
#define SPACE_PATH "/proc/thread-self/ns/net"

static int space_current(struct space *ret_space, struct failure *failure)
{
    int fd = open(SPACE_PATH, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return failure_set(failure, -errno, "open %s", SPACE_PATH);
    ret_space->fd = fd;
    return 0;
}

int space_open(struct space *ret_space, struct failure *failure)
{
    struct space previous = SPACE_NONE;
    struct space made = SPACE_NONE;
    int err = space_current(&previous, failure);

    if (err < 0)
        return err;
    if (unshare(CLONE_NEWNET) < 0) {
        err = failure_set(failure, -errno, "make a network namespace");
        space_close(&previous);
        return err;
    }
    err = space_current(&made, failure);
    int left = space_leave(&previous, err < 0 ? NULL : failure);
    if (err == 0)
        err = left;
    if (err < 0) {
        space_close(&made);
        space_close(&previous);
        return err;
    }
    *ret_space = made;
    return 0;
}

void space_close(struct space *space)
{
    if (space->fd >= 0)
        (void)close(space->fd);
    space->fd = -1;
}

int space_enter(const struct space *space, struct space *ret_previous, struct failure *failure)
{
    assert(space->fd >= 0);

    struct space previous = SPACE_NONE;
    int err = space_current(&previous, failure);
    if (err < 0)
        return err;
    if (setns(space->fd, CLONE_NEWNET) < 0) {
        err = failure_set(failure, -errno, "enter a network namespace");
        space_close(&previous);
        return err;
    }
    *ret_previous = previous;
    return 0;
}

int space_leave(struct space *previous, struct failure *failure)
{
    assert(previous->fd >= 0);

    if (setns(previous->fd, CLONE_NEWNET) < 0)
        return failure_set(failure, -errno, "return to the previous network namespace");
    space_close(previous);
    return 0;
}

int space_run(const struct space *space, int (*run)(void *arg), void *arg,
              struct failure *failure)
{
    struct space previous = SPACE_NONE;
    int err = space_enter(space, &previous, failure);

    if (err < 0)
        return err;
    int value = run(arg);
    err = space_leave(&previous, failure);
    if (err < 0) {
        space_close(&previous);
        return err;
    }
    return value;
}

struct space_socket_call {
    int domain, type, protocol;
};

static int space_socket_here(void *arg)
{
    const struct space_socket_call *call = arg;
    int fd = socket(call->domain, call->type | SOCK_CLOEXEC, call->protocol);

    return fd < 0 ? -errno : fd;
}

int space_socket(const struct space *space, int domain, int type, int protocol,
                 struct failure *failure)
{
    struct space_socket_call call = {.domain = domain, .type = type, .protocol = protocol};
    struct failure inner = {.code = 0};
    int fd = space_run(space, space_socket_here, &call, &inner);

    if (fd >= 0)
        return fd;
    if (inner.code == 0)
        return failure_set(failure, fd, "socket of family %d, type %d", domain, type);
    if (failure != NULL)
        *failure = inner;
    return fd;
}

static int space_write(const char *path, const char *text, const char *refusal,
                       struct failure *failure)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return failure_set(failure, -errno, "open %s", path);
    size_t length = strlen(text);
    ssize_t written = write(fd, text, length);
    int err = written < 0 ? -errno : (size_t)written == length ? 0 : -EIO;
    (void)close(fd);
    return err < 0 ? failure_set(failure, err, "write %s%s", path, err == -EPERM ? refusal : "")
                   : 0;
}

/* Whether a switch of the kernel is there and reads 0. */
static bool space_switched_off(const char *path)
{
    char value[2] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, value, sizeof(value));

    if (fd >= 0)
        (void)close(fd);
    return length > 0 && value[0] == '0' && (length == 1 || value[1] == '\n');
}

/* The kernel's reason is only a number; what is behind it is worth a word. */
static const char *space_refusal(int error)
{
    switch (error) {
    case ENOSPC:
        if (space_switched_off("/proc/sys/user/max_user_namespaces"))
            return " (user.max_user_namespaces is 0)";
        return " (limit user.max_user_namespaces or user.max_net_namespaces)";
    case EPERM:
        if (space_switched_off("/proc/sys/kernel/unprivileged_userns_clone"))
            return " (kernel.unprivileged_userns_clone is 0)";
        if (prctl(PR_GET_SECCOMP) == SECCOMP_MODE_FILTER)
            return " (forbidden by a seccomp filter, as containers have)";
        return " (forbidden by AppArmor, another security module or a chroot)";
    case EINVAL:
        return " (the process has more than one thread, or the kernel has no CONFIG_USER_NS)";
    default:
        return "";
    }
}

/* Why a map of one's own id is refused. Only somebody who may give files capabilities may hand on
 * root: user_namespaces(7), CAP_SETFCAP. */
static const char *space_map_refusal(unsigned id)
{
    return id == 0 ? " (to map root needs CAP_SETFCAP)"
                   : " (AppArmor: kernel.apparmor_restrict_unprivileged_userns)";
}

static int space_map(const char *path, unsigned id, struct failure *failure)
{
    char map[64];

    (void)snprintf(map, sizeof(map), "0 %u 1", id);
    return space_write(path, map, space_map_refusal(id), failure);
}

int space_user_enter(struct failure *failure)
{
    uid_t uid = geteuid();
    gid_t gid = getegid();

    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) {
        int error = errno;
        return failure_set(failure, -error, "make a user namespace%s", space_refusal(error));
    }
    /* Without "deny" an ordinary user may not write gid_map: user_namespaces(7). */
    int err = space_write("/proc/self/setgroups", "deny", space_map_refusal(uid), failure);
    if (err < 0)
        return err;
    err = space_map("/proc/self/uid_map", uid, failure);
    if (err < 0)
        return err;
    return space_map("/proc/self/gid_map", gid, failure);
}
