/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/limit.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static const char *limit_what(const struct limit *limit)
{
    return limit->what != NULL ? limit->what : "a descriptor";
}

int limit_open(struct limit *limit, int limit_ms, struct failure *failure)
{
    /* Zero would disarm it. */
    const struct itimerspec when = {
        .it_value = {
            .tv_sec = limit_ms / 1000,
            .tv_nsec = limit_ms > 0 ? (long)(limit_ms % 1000) * 1000000 : 1,
        },
    };
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

    assert(limit_ms >= 0);
    if (fd < 0)
        return failure_set(failure, -errno, "make a timer to wait for %s", limit_what(limit));
    if (timerfd_settime(fd, 0, &when, NULL) < 0) {
        int err = failure_set(failure, -errno, "set a timer to wait for %s", limit_what(limit));
        (void)close(fd);
        return err;
    }
    limit->fd = fd;
    return 0;
}

void limit_close(struct limit *limit)
{
    if (limit->fd >= 0)
        (void)close(limit->fd);
    limit->fd = -1;
}

int limit_wait(const struct limit *limit, int fd, struct failure *failure)
{
    /* poll() passes over a negative descriptor. */
    struct pollfd wanted[] = {
        {.fd = fd, .events = POLLIN},
        {.fd = limit->fd, .events = POLLIN},
    };
    int ready;

    assert(fd >= 0);
    do {
        ready = poll(wanted, sizeof(wanted) / sizeof(wanted[0]), -1);
    } while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return failure_set(failure, -errno, "wait for %s", limit_what(limit));
    return wanted[1].revents == 0;
}

bool limit_passed(const struct limit *limit)
{
    struct pollfd timer = {.fd = limit->fd, .events = POLLIN};

    return poll(&timer, 1, 0) > 0;
}
