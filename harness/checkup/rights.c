/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/rights.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/checkup/aside.h"
#include "harness/checkup/mends.h"
#include "harness/checkup/spaces.h"
#include "harness/checkup/timing.h"
#include "harness/small_file.h"

static const struct {
    cap_value_t capability;
    const char *name;
    bool granted; /* by a user namespace, as far as a run needs it */
} rights[] = {
#define X(name, needed) {CAP_##name, #name, CAP_##name != CAP_SYS_NICE},
    RIGHTS(X)
#undef X
};

/* With which words it is not there. */
static const char *distance(cap_value_t capability)
{
    if (place_has(capability, CAP_PERMITTED))
        return "permitted, not effective";
    return place_bounds(capability) ? "no, but within bounds" : "no, and out of bounds";
}

/* Whether what this right is for can be had without it. */
static const char *substitute(const struct place *place, size_t i)
{
    cap_value_t capability = rights[i].capability;

    if (capability == CAP_SYS_NICE)
        return timing_try_urgency() == 0 ? "; a limit allows the same" : NULL;
    if ((capability == CAP_SETUID || capability == CAP_SETGID) && !place->root)
        return "; only sudo needs it";
    return rights[i].granted && place->grants && !place->root ? "; a user namespace gives it"
                                                              : NULL;
}

void rights_capability(const struct place *place, int which, struct finding *finding)
{
    char command[MENDS_BYTES];
    size_t i = 0;
    const char *instead;

    while (rights[i].capability != which)
        i++;
    if (place_has(which, CAP_EFFECTIVE)) {
        finding_say(finding, "%s", "effective");
        return;
    }
    instead = substitute(place, i);
    finding_say(finding, "%s%s", distance(which), instead ? instead : "");
    if (instead)
        return;
    if (place->container && !place_bounds(which)) {
        mends_capability(place, rights[i].name, command);
        finding_mend(finding, FINDING_NOTE, "%s", command);
    } else if (place->no_new_privs) {
        finding_advise(finding, FINDING_NOTE, "a shell without no_new_privs, then sudo");
    } else {
        finding_advise(finding, FINDING_NOTE, "%s",
                       place->root ? "a shell whose root has not given up rights" : "call by sudo");
    }
}

/* What narrows rights whoever one is. It matters only where something is refused. */
void rights_privileges(const struct place *place, int which, struct finding *finding)
{
    char command[MENDS_BYTES];
    struct aside aside;
    bool refused = aside_run(spaces_try_filter, NULL, &aside) == -EPERM;

    (void)which;
    finding_say(finding, "%s%s%s%s", place->root ? "root" : "an ordinary user",
                place->mapped ? " in a user namespace" : "",
                place->no_new_privs ? ", no_new_privs" : "",
                !place->filtered ? ""
                : refused        ? ", a seccomp filter that refuses unshare"
                                 : ", a seccomp filter");
    if (refused && place->container) {
        mends_filter(place, command);
        finding_mend(finding, FINDING_NOTE, "%s", command);
    } else if (refused) {
        finding_advise(finding, FINDING_NOTE,
                       "a shell without that filter; it stays on under sudo, too");
    } else if (place->no_new_privs && !place->root) {
        finding_advise(finding, FINDING_NOTE,
                       "a shell without no_new_privs, where sudo is needed: it has no effect");
    }
}

void rights_user(const struct place *place, int which, struct finding *finding)
{
    char command[MENDS_BYTES];

    (void)which;
    if (place->grants) {
        finding_say(finding, "they give every right");
        return;
    }
    finding_say(finding, "%s", place->refusal);
    if (mends_switch(place, command) ||
        (place->refusal_code == -ENOSPC && mends_limit(place, command)))
        finding_mend(finding, FINDING_NOTE, "%s", command);
    else if (place->root && place_has_all())
        finding_advise(finding, FINDING_NOTE, "nothing: root with its rights needs none");
    else
        finding_advise(finding, FINDING_NOTE, "%s", place->filtered
                       ? "a shell or container without the seccomp filter"
                       : place->root ? "the rights above" : "call by sudo");
}

void rights_limits(const struct place *place, int which, struct finding *finding)
{
    static const char *const names[] = {"user", "net", "pid"};
    char command[MENDS_BYTES];
    const char *separator = "";

    (void)which;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[64];
        char value[32];

        snprintf(path, sizeof(path), "/proc/sys/user/max_%s_namespaces", names[i]);
        small_file_line(path, value, sizeof(value));
        finding_say(finding, "%s%s %s", separator, names[i], *value ? value : "unknown");
        separator = ", ";
    }
    if (mends_limit(place, command))
        finding_mend(finding, FINDING_NOTE, "%s", command);
}
