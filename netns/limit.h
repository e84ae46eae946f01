/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_LIMIT_H
#define EDGEWISE_NETNS_LIMIT_H

#include <stdbool.h>

#include "netns/failure.h"

/* The end of a wait that may take several rounds: a timer that the kernel runs from when it is
 * opened, so that nobody here has to read a clock or to count what is left. */
struct limit {
    int fd;           /* timerfd; -1: no limit */
    const char *what; /* is awaited, for failures: "the capture marker"; NULL: nobody is told */
};

#define LIMIT_NONE ((struct limit){.fd = -1})
#define LIMIT_ON(awaited) ((struct limit){.fd = -1, .what = (awaited)})

/* Starts one that is LIMIT_NONE or LIMIT_ON(...): limit_ms of monotonic time, 0 or more. -EMFILE,
 * -ENOMEM. Ends with limit_close(). */
int limit_open(struct limit *limit, int limit_ms, struct failure *failure);
void limit_close(struct limit *limit);

/* Waits until fd is readable (1) or the time is over (0, also when both are so). -errno. */
int limit_wait(const struct limit *limit, int fd, struct failure *failure);

/* Whether the time is over. */
bool limit_passed(const struct limit *limit);

#endif
