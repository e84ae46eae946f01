/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/person.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <unistd.h>

/* The largest id: -1 means "none" to the kernel. */
#define ID_MAX 4294967294ul

static int parse_id(const char *text, unsigned *ret_id)
{
    unsigned long id;

    if (*text == '\0' || strlen(text) > 10 || strspn(text, "0123456789") != strlen(text))
        return -EINVAL;
    id = strtoul(text, NULL, 10);
    if (id > ID_MAX)
        return -EINVAL;
    *ret_id = (unsigned)id;
    return 0;
}

static void find_groups(struct person *person)
{
    const struct passwd *entry = getpwuid(person->uid);
    int count = PERSON_GROUPS_MAX;

    person->groups[0] = person->gid;
    person->group_count = 1;
    /* More groups than fit: the first of them are still the person's own. */
    if (entry) {
        getgrouplist(entry->pw_name, person->gid, person->groups, &count);
        person->group_count = count < PERSON_GROUPS_MAX ? count : PERSON_GROUPS_MAX;
    }
}

int person_make(const char *uid, const char *gid, struct person *ret_person)
{
    struct person person = {0};

    if (!uid || strcmp(uid, "0") == 0) {
        *ret_person = person;
        return 0;
    }
    if (parse_id(uid, &person.uid) < 0 || parse_id(gid ? gid : uid, &person.gid) < 0)
        return -EINVAL;
    person.other = person.uid != 0;
    if (person.other)
        find_groups(&person);
    *ret_person = person;
    return 0;
}

int person_find(struct person *ret_person)
{
    if (geteuid() != 0)
        return person_make(NULL, NULL, ret_person);
    return person_make(getenv("SUDO_UID"), getenv("SUDO_GID"), ret_person);
}

/* setfsuid and setfsgid tell nothing but the id before: asking with -1 changes nothing. */
static uid_t fsuid_now(void)
{
    return (uid_t)setfsuid((uid_t)-1);
}

static gid_t fsgid_now(void)
{
    return (gid_t)setfsgid((gid_t)-1);
}

static int change(uid_t uid, gid_t gid, const gid_t *groups, int group_count)
{
    setfsgid(gid);
    if (fsgid_now() != gid)
        return -EPERM;
    if (setgroups((size_t)group_count, groups) < 0)
        return -errno;
    setfsuid(uid);
    return fsuid_now() == uid ? 0 : -EPERM;
}

int person_enter(const struct person *person, struct person_before *ret_before)
{
    struct person_before before = {.changed = true, .fsuid = fsuid_now(), .fsgid = fsgid_now()};
    int status;

    if (!person->other) {
        *ret_before = (struct person_before){0};
        return 0;
    }
    before.group_count = getgroups(PERSON_GROUPS_MAX, before.groups);
    if (before.group_count < 0)
        return -errno;
    status = change(person->uid, person->gid, person->groups, person->group_count);
    if (status < 0) {
        person_leave(&before);
        return status;
    }
    *ret_before = before;
    return 0;
}

void person_leave(const struct person_before *before)
{
    if (!before->changed)
        return;
    setfsuid(before->fsuid);
    /* EPERM: it could not be changed before either. */
    if (setgroups((size_t)before->group_count, before->groups) < 0 && errno != EPERM)
        abort();
    setfsgid(before->fsgid);
    if (fsuid_now() != before->fsuid || fsgid_now() != before->fsgid)
        abort();
}
