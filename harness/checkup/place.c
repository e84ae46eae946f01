/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "harness/checkup/aside.h"
#include "harness/checkup/spaces.h"
#include "harness/numbers.h"
#include "harness/small_file.h"

bool place_lets_sudo(const struct place *place)
{
    return !place->no_new_privs && !place->filtered && place_bounds(CAP_SYS_ADMIN);
}

bool place_has(cap_value_t capability, cap_flag_t set)
{
    cap_t mine = cap_get_proc();
    cap_flag_value_t value = CAP_CLEAR;

    if (mine) {
        cap_get_flag(mine, capability, set, &value);
        cap_free(mine);
    }
    return value == CAP_SET;
}

bool place_bounds(cap_value_t capability)
{
    return prctl(PR_CAPBSET_READ, (unsigned long)capability, 0, 0, 0) == 1;
}

bool place_has_all(void)
{
    return place_has(CAP_SYS_ADMIN, CAP_EFFECTIVE) && place_has(CAP_NET_ADMIN, CAP_EFFECTIVE) &&
           place_has(CAP_NET_RAW, CAP_EFFECTIVE);
}

/* Who leaves which mark on the containers that it makes, the most telling first. */
static const struct {
    const char *name;
    const char *variable; /* in the environment; NULL: not asked */
    const char *file;
} marks[] = {
    {"kubernetes", "KUBERNETES_SERVICE_HOST", NULL},
    {"podman", NULL, "/run/.containerenv"},
    {"docker", NULL, "/.dockerenv"},
};

static const char *find_container(void)
{
    const char *said = getenv("container");

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if ((marks[i].variable && getenv(marks[i].variable)) ||
            (marks[i].file && access(marks[i].file, F_OK) == 0))
            return marks[i].name;
    return said && *said ? said : NULL;
}

/* The first user namespace maps every number to itself. */
static bool is_mapped(void)
{
    char text[128];
    int64_t map[3]; /* inside, outside, how many */

    small_file_line("/proc/self/uid_map", text, sizeof(text));
    return numbers_read(text, map, 3) == 3 &&
           (map[0] != 0 || map[1] != 0 || map[2] != UINT32_MAX);
}

void place_find(struct place *ret_place)
{
    struct place place = {
        .root = geteuid() == 0,
        .mapped = is_mapped(),
        .no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1,
        .container = find_container(),
        .command = "./run",
    };
    struct aside aside;

    place.filtered = prctl(PR_GET_SECCOMP) == 2;
    place.refusal_code = aside_run(spaces_try_user, NULL, &aside);
    place.grants = place.refusal_code == 0;
    snprintf(place.refusal, sizeof(place.refusal), "%.*s", (int)sizeof(place.refusal) - 1,
             *aside.text || place.grants ? aside.text : strerror(-place.refusal_code));
    *ret_place = place;
}
