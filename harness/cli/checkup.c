/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/checkup.h"

#include <assert.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/checkup/bounds.h"
#include "harness/checkup/leftovers.h"
#include "harness/checkup/mends.h"
#include "harness/checkup/network.h"
#include "harness/checkup/rights.h"
#include "harness/checkup/simulated.h"
#include "harness/checkup/system.h"
#include "harness/checkup/timing.h"

static const char here[] = "system";
static const char rights[] = "rights";
static const char network[] = "network";
static const char timing[] = "time";
static const char bounds[] = "bounds";
static const char left[] = "leftovers";

static const struct {
    const char *group;
    const char *check;
    const char *needed;
    void (*attempt)(const struct place *place, int which, struct finding *finding);
    int which;
} checks[] = {
    {here, "kernel", "everything: 5.11", system_kernel, 0},
    {here, "system calls", "everything", system_calls, 0},
    {here, "container", "which mends apply", system_container, 0},
    {here, "libraries", "everything", system_libraries, 0},
    {rights, "privilege", "namespaces", rights_privileges, 0},
#define X(name, needed) {rights, "CAP_" #name, needed, rights_capability, CAP_##name},
    RIGHTS(X)
#undef X
    {rights, "user namespaces", "running without root", rights_user, 0},
    {rights, "namespace limits", "runs close together", rights_limits, 0},
    {network, "veth world", "all scenarios", network_veth, 0},
    {network, "sim world", "them without a link", simulated_world, 0},
    {network, "IPv6", "family ipv6", network_ipv6, 0},
    {network, "sock_diag TCP", "lock-step over TCP", network_diag, AF_INET},
    {network, "sock_diag UNIX", "lock-step over UNIX", network_diag, AF_UNIX},
    {network, "congestion control", "reno, for scripts", network_congestion, 0},
    {network, "/dev/net/tun", "TAP devices", network_tun, 0},
    {timing, "clock", "times in reports", timing_clock, 0},
    {timing, "timers", "being on time", timing_timers, 0},
    {timing, "urgent timers", "the same, when busy", timing_timers, 1},
    {timing, "scheduling", "the same, when busy", timing_urgency, 0},
    {timing, "CPUs", "exact rows; pace free", timing_cpus, 0},
    {timing, "CPU quota", "being on time", timing_quota, 0},
    {timing, "load", "being on time", timing_load, 0},
    {bounds, "open files", "scripts of many peers", bounds_descriptors, 0},
    {bounds, "memory", "journal and captures", bounds_memory, 0},
    {bounds, "file size", "captures", bounds_file, 0},
    {bounds, "out/", "artefacts", bounds_out, 0},
    {left, "of ours", "a tidy machine", leftovers_ours, 0},
    {left, "named namespaces", "a tidy machine", leftovers_spaces, 0},
    {left, "links", "a tidy machine", leftovers_links, 0},
    {left, "other tools", "a quiet machine", leftovers_tools, 0},
};

struct checkup_rights checkup_rights(void)
{
    return (struct checkup_rights){.root = geteuid() == 0, .all = place_has_all()};
}

void checkup_mend(struct checkup_rights rights_then, int code, const char *sudo,
                  struct lines *ret_commands)
{
    struct place place;

    if (code == EMFILE)
        lines_add(ret_commands, "ulimit -n 1024");
    /* Rights and limits of namespaces; whatever else it is, no right mends it. */
    if (code != EPERM && code != EACCES && code != ENOSPC)
        return;
    place_find(&place);
    if (!rights_then.root && place_lets_sudo(&place))
        lines_add(ret_commands, "%s", sudo);
    mends_world(&place, rights_then.root, rights_then.all, ret_commands);
}

size_t checkup_count(void)
{
    return sizeof(checks) / sizeof(*checks);
}

void checkup_try(const struct place *place, size_t index, struct finding *ret_finding)
{
    assert(index < checkup_count());
    *ret_finding = (struct finding){
        .group = checks[index].group,
        .check = checks[index].check,
        .needed = checks[index].needed,
    };
    checks[index].attempt(place, checks[index].which, ret_finding);
}
