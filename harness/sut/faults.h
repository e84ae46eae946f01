/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_FAULTS_H
#define EDGEWISE_HARNESS_SUT_FAULTS_H

/*
 * The script's faults. A rule is about a peer and may be there before its source is: it waits until
 * it is armed. A rule that was not used up by the time its descriptor is closed, or at the end, is
 * told, since a fault that never came has tested nothing.
 */

#include "core/os_fault.h"
#include "harness/sut/remarks.h"
#include "harness/sut/sut.h"

struct faults_rule {
    uint32_t line; /* of the script */
    uint32_t peer; /* PLAN_NOBODY: the listener */
    struct plan_fault fault;
    int fd;       /* where it is armed, -1: nowhere now */
    bool armed;   /* it was */
    bool settled; /* it is used up, or what was left of it has been told */
};

struct faults {
    struct os inner; /* first: os_pass; the table of `os_fault` */
    struct os_fault os_fault;
    const struct plan *plan;
    struct remarks *remarks;
    struct faults_rule *rules;
    uint32_t count;
    uint32_t room;
};

/* Wraps `inner` with no rule; `faults` must stay where it is as long as the table is used. 0 and
 * `ret_os`, or -ENOMEM. */
int faults_open(struct faults *faults, struct os inner, const struct plan *plan,
                struct remarks *remarks, struct os *ret_os);

/* Adds the rule of a verb; it waits for faults_arm. 0, or -ENOSPC: more than the plan has. */
int faults_add(struct faults *faults, const struct sut_verb *verb);

/* `peer` (PLAN_NOBODY: the listener) has descriptor `fd` and the entry `data`: arms its rules that
 * wait. 0; -ENOSPC, -EBUSY as os_fault says, with the line of that rule in `ret_line`. */
int faults_arm(struct faults *faults, uint32_t peer, int fd, uint64_t data, uint32_t *ret_line);

/* Tells of what is left; to be called once, at the end. */
void faults_close(struct faults *faults);

#endif
