/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/urgency.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>

void urgency_save(struct urgency *ret_before)
{
    struct sched_param param = {0};

    ret_before->policy = sched_getscheduler(0);
    (void)sched_getparam(0, &param);
    ret_before->priority = param.sched_priority;
    ret_before->slack_ns = prctl(PR_GET_TIMERSLACK);
}

void urgency_restore(const struct urgency *before)
{
    struct sched_param param = {.sched_priority = before->priority};

    /* Going back down needs no right. */
    if (before->policy >= 0)
        (void)sched_setscheduler(0, before->policy, &param);
    if (before->slack_ns > 0)
        (void)prctl(PR_SET_TIMERSLACK, (unsigned long)before->slack_ns);
}

int urgency_raise(enum urgency_rank rank)
{
    struct sched_param param = {.sched_priority = (int)rank};

    (void)prctl(PR_SET_TIMERSLACK, 1UL);
    return sched_setscheduler(0, SCHED_FIFO, &param) < 0 ? -errno : 0;
}

void urgency_drop(void)
{
    struct sched_param param = {0};

    (void)sched_setscheduler(0, SCHED_OTHER, &param);
}
