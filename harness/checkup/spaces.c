/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/spaces.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/checkup/aside.h"
#include "harness/checkup/place.h"
#include "harness/small_file.h"
#include "netns/space.h"

/* A run holds two network namespaces, rootless one more. */
#define NETWORKS 4
/* Below that, runs close behind each other meet the limit. */
#define LIMIT_LEAST 16

int spaces_try_user(void *arg, char *text)
{
    struct failure failure = {0};
    struct space space = SPACE_NONE;
    int status = space_user_enter(&failure);

    (void)arg;
    if (status == 0)
        status = space_open(&space, &failure);
    if (status < 0)
        snprintf(text, ASIDE_TEXT_BYTES, "%s", failure.text);
    return status;
}

/* Asked for nothing the kernel never refuses; a filter that knows the call's name does. */
int spaces_try_filter(void *arg, char *text)
{
    (void)arg;
    (void)text;
    return unshare(0) < 0 ? -errno : 0;
}

int spaces_enter(char *text)
{
    struct failure failure = {0};
    int status = unshare(CLONE_NEWNET) < 0 ? -errno : 0;

    if (status == -EPERM)
        status = space_user_enter(&failure);
    if (status < 0)
        snprintf(text, ASIDE_TEXT_BYTES, "%s", failure.code ? failure.text : strerror(-status));
    return status;
}

static int try_users(void *arg, char *text)
{
    (void)arg;
    (void)text;
    return unshare(CLONE_NEWUSER) < 0 ? -errno : 0;
}

static int try_networks(void *arg, char *text)
{
    struct space spaces[NETWORKS];
    int status = 0;

    (void)arg;
    if (!place_has(CAP_SYS_ADMIN, CAP_EFFECTIVE))
        status = space_user_enter(NULL);
    (void)text;
    /* They go with this process. */
    for (size_t i = 0; i < NETWORKS && status == 0; i++)
        status = space_open(&spaces[i], NULL);
    return status;
}

static int try_pids(void *arg, char *text)
{
    int status = 0;

    (void)arg;
    (void)text;
    if (!place_has(CAP_SYS_ADMIN, CAP_EFFECTIVE))
        status = space_user_enter(NULL);
    return status == 0 && unshare(CLONE_NEWPID) < 0 ? -errno : status;
}

/* In the order in which a run comes upon them; only the first is for users alone. */
static const struct {
    const char *name;
    int (*attempt)(void *arg, char *text);
} limits[] = {
    {"max_user_namespaces", try_users},
    {"max_net_namespaces", try_networks},
    {"max_pid_namespaces", try_pids},
};

static bool reads_low(const char *name)
{
    char path[64];
    char text[32];
    char *end;
    unsigned long value;

    snprintf(path, sizeof(path), "/proc/sys/user/%s", name);
    small_file_line(path, text, sizeof(text));
    value = strtoul(text, &end, 10);
    return end != text && value < LIMIT_LEAST;
}

const char *spaces_short(void)
{
    bool needs_user = !place_has(CAP_SYS_ADMIN, CAP_EFFECTIVE);

    for (size_t i = needs_user ? 0 : 1; i < sizeof(limits) / sizeof(*limits); i++) {
        struct aside aside;

        if (reads_low(limits[i].name) ||
            aside_run(limits[i].attempt, NULL, &aside) == -ENOSPC)
            return limits[i].name;
    }
    return NULL;
}
