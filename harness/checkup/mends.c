/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/mends.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/checkup/aside.h"
#include "harness/checkup/spaces.h"
#include "harness/small_file.h"

/* What a limit is raised to: many runs beside each other. */
#define LIMIT_RAISED 1000

static const struct {
    const char *name; /* below kernel. */
    const char *closed;
    const char *open;
} switches[] = {
    {"apparmor_restrict_unprivileged_userns", "1", "0"},
    {"unprivileged_userns_clone", "0", "1"},
};

const char *mends_sudo(const struct place *place)
{
    return place->root && !place->mapped ? "" : "sudo ";
}

/* /proc/sys is not to be written from within: that takes the machine's own root. */
static const char *where(const struct place *place)
{
    return place->container || place->mapped ? "  # on the host" : "";
}

static const char *host_sudo(const struct place *place)
{
    return *where(place) ? "sudo " : mends_sudo(place);
}

bool mends_switch(const struct place *place, char *command)
{
    for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
        char path[96];
        char value[32];

        snprintf(path, sizeof(path), "/proc/sys/kernel/%s", switches[i].name);
        small_file_line(path, value, sizeof(value));
        if (strcmp(value, switches[i].closed) != 0)
            continue;
        snprintf(command, MENDS_BYTES, "%ssysctl -w kernel.%s=%s%s", host_sudo(place),
                 switches[i].name, switches[i].open, where(place));
        return true;
    }
    return false;
}

bool mends_limit(const struct place *place, char *command)
{
    const char *name = spaces_short();

    if (!name)
        return false;
    snprintf(command, MENDS_BYTES, "%ssysctl -w user.%s=%d%s", host_sudo(place), name,
             LIMIT_RAISED, where(place));
    return true;
}

static bool is_in(const struct place *place, const char *container)
{
    return place->container && strcmp(place->container, container) == 0;
}

void mends_container(const struct place *place, const char *option, const char *field,
                     char *command)
{
    if (is_in(place, "kubernetes"))
        snprintf(command, MENDS_BYTES, "# in the pod: securityContext.%s", field);
    else
        snprintf(command, MENDS_BYTES, "%s run %s ...",
                 is_in(place, "podman") ? "podman" : "docker", option);
}

void mends_capability(const struct place *place, const char *capability, char *command)
{
    char option[64];
    char field[64];

    snprintf(option, sizeof(option), "--cap-add %s", capability);
    snprintf(field, sizeof(field), "capabilities.add: [%s]", capability);
    mends_container(place, option, field, command);
}

void mends_filter(const struct place *place, char *command)
{
    mends_container(place, "--security-opt seccomp=unconfined", "seccompProfile.type: Unconfined",
                    command);
}

#define ADD_OPTIONS "--cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add NET_RAW"
#define ADD_FIELD "capabilities.add: [SYS_ADMIN, NET_ADMIN, NET_RAW]"

void mends_world(const struct place *place, bool root, bool all, struct lines *ret_commands)
{
    char command[MENDS_BYTES];
    struct aside aside;
    bool limit = mends_limit(place, command);

    if (limit)
        lines_add(ret_commands, "%s", command);
    /* Capabilities open the usual filter, too. */
    if (root && !all) {
        mends_container(place, ADD_OPTIONS, ADD_FIELD, command);
        lines_add(ret_commands, "%s", command);
    }
    if (!limit && ((root && all) || (place->container &&
                                     aside_run(spaces_try_filter, NULL, &aside) == -EPERM))) {
        mends_filter(place, command);
        lines_add(ret_commands, "%s", command);
    }
    if (!(root && all) && mends_switch(place, command))
        lines_add(ret_commands, "%s", command);
}
