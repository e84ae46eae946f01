/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_ASIDE_H
#define EDGEWISE_HARNESS_CHECKUP_ASIDE_H

/* Trying something that changes the process for good: in a child, which takes it along. */

#include <stddef.h>

#define ASIDE_LIMIT_MS 1500
#define ASIDE_TEXT_BYTES 320

struct aside {
    int status;                  /* what the attempt returned, or see aside_run */
    char text[ASIDE_TEXT_BYTES]; /* what it had to say, "" for nothing */
};

/*
 * Runs `attempt` in a child of one thread, which dies with us. It returns 0 or -errno and may fill
 * `text`, of ASIDE_TEXT_BYTES. Returns its value, which is also in `ret_aside`; -ETIMEDOUT when
 * it was not done within ASIDE_LIMIT_MS, -EIO when it died, -EAGAIN and the like when there is no
 * child to be had. Afterwards the child is gone in every case.
 */
int aside_run(int (*attempt)(void *arg, char *text), void *arg, struct aside *ret_aside);

#endif
