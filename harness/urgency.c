/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/urgency.h"

#include <errno.h>
#include <sched.h>

void urgency_save(struct urgency *ret_before)
{
    struct sched_param param = {0};

    ret_before->policy = sched_getscheduler(0);
    (void)sched_getparam(0, &param);
    ret_before->priority = param.sched_priority;
}

void urgency_restore(const struct urgency *before)
{
    struct sched_param param = {.sched_priority = before->priority};

    /* Going back down needs no right. */
    if (before->policy >= 0)
        (void)sched_setscheduler(0, before->policy, &param);
}

int urgency_raise(enum urgency_rank rank)
{
    struct sched_param param = {.sched_priority = rank};

    return sched_setscheduler(0, SCHED_FIFO, &param) < 0 ? -errno : 0;
}
