/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_PERSON_H
#define EDGEWISE_HARNESS_REPORT_PERSON_H

/*
 * Who called sudo: files are made as that person, so that they are theirs and no link leads root
 * astray. Only the file system's view of this thread changes, and only between person_enter and
 * person_leave.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PERSON_GROUPS_MAX 256

struct person {
    bool other; /* false: files are made as this process itself */
    uid_t uid;
    gid_t gid;
    gid_t groups[PERSON_GROUPS_MAX];
    int group_count;
};

/*
 * Reads SUDO_UID and SUDO_GID; they count only for a process whose effective user is root. 0;
 * -EINVAL when they are no numbers. Call before a user namespace is entered.
 */
int person_find(struct person *ret_person);

/* The same with the two variables given, NULL for none. */
int person_make(const char *uid, const char *gid, struct person *ret_person);

/* What to put back. */
struct person_before {
    bool changed;
    uid_t fsuid;
    gid_t fsgid;
    gid_t groups[PERSON_GROUPS_MAX];
    int group_count;
};

/* Opens files as `person` from here on: fsgid, groups, then fsuid. 0, or -errno with nothing
 * changed. The calling thread loses PR_SET_PDEATHSIG and its dumpable flag (fsuid takes both
 * away). */
int person_enter(const struct person *person, struct person_before *ret_before);

/* Back to what it was; ends the process when the kernel refuses, since nothing is safe then. */
void person_leave(const struct person_before *before);

#endif
