/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/container/profile.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "tests/container/failed.h"

/* The published profile lists what is allowed. This is the rest, as far as this machine's headers
 * go: what is refused with EPERM, and the capabilities that open it (NEVER: none does). io_uring
 * is out since Docker 25 and containerd 2.0. Left aside: the values of personality, and other
 * machines' calls. */
#define NEVER -1

struct closed {
    const char *name;
    int opened_by; /* a capability */
    int or_by;     /* another one; 0: no other */
};

static const struct closed closed[] = {
    {"bpf", CAP_SYS_ADMIN, CAP_BPF},
    {"fanotify_init", CAP_SYS_ADMIN, 0},
    {"fsconfig", CAP_SYS_ADMIN, 0},
    {"fsmount", CAP_SYS_ADMIN, 0},
    {"fsopen", CAP_SYS_ADMIN, 0},
    {"fspick", CAP_SYS_ADMIN, 0},
    {"lookup_dcookie", CAP_SYS_ADMIN, 0},
    {"mount", CAP_SYS_ADMIN, 0},
    {"mount_setattr", CAP_SYS_ADMIN, 0},
    {"move_mount", CAP_SYS_ADMIN, 0},
    {"open_tree", CAP_SYS_ADMIN, 0},
    {"perf_event_open", CAP_SYS_ADMIN, CAP_PERFMON},
    {"quotactl", CAP_SYS_ADMIN, 0},
    {"quotactl_fd", CAP_SYS_ADMIN, 0},
    {"setdomainname", CAP_SYS_ADMIN, 0},
    {"sethostname", CAP_SYS_ADMIN, 0},
    {"setns", CAP_SYS_ADMIN, 0},
    {"syslog", CAP_SYS_ADMIN, CAP_SYSLOG},
    {"umount2", CAP_SYS_ADMIN, 0},
    {"unshare", CAP_SYS_ADMIN, 0},
    {"kcmp", CAP_SYS_PTRACE, 0},
    {"pidfd_getfd", CAP_SYS_PTRACE, 0},
    {"process_madvise", CAP_SYS_PTRACE, 0},
    {"acct", CAP_SYS_PACCT, 0},
    {"chroot", CAP_SYS_CHROOT, 0},
    {"clock_settime", CAP_SYS_TIME, 0},
    {"settimeofday", CAP_SYS_TIME, 0},
    {"create_module", CAP_SYS_MODULE, 0},
    {"delete_module", CAP_SYS_MODULE, 0},
    {"finit_module", CAP_SYS_MODULE, 0},
    {"init_module", CAP_SYS_MODULE, 0},
    {"get_mempolicy", CAP_SYS_NICE, 0},
    {"mbind", CAP_SYS_NICE, 0},
    {"set_mempolicy", CAP_SYS_NICE, 0},
    {"set_mempolicy_home_node", CAP_SYS_NICE, 0},
    {"ioperm", CAP_SYS_RAWIO, 0},
    {"iopl", CAP_SYS_RAWIO, 0},
    {"open_by_handle_at", CAP_DAC_READ_SEARCH, 0},
    {"reboot", CAP_SYS_BOOT, 0},
    {"vhangup", CAP_SYS_TTY_CONFIG, 0},
    {"_sysctl", NEVER, 0},
    {"add_key", NEVER, 0},
    {"get_kernel_syms", NEVER, 0},
    {"io_uring_enter", NEVER, 0},
    {"io_uring_register", NEVER, 0},
    {"io_uring_setup", NEVER, 0},
    {"kexec_file_load", NEVER, 0},
    {"kexec_load", NEVER, 0},
    {"keyctl", NEVER, 0},
    {"migrate_pages", NEVER, 0},
    {"move_pages", NEVER, 0},
    {"nfsservctl", NEVER, 0},
    {"pivot_root", NEVER, 0},
    {"query_module", NEVER, 0},
    {"request_key", NEVER, 0},
    {"swapoff", NEVER, 0},
    {"swapon", NEVER, 0},
    {"sysfs", NEVER, 0},
    {"userfaultfd", NEVER, 0},
    {"uselib", NEVER, 0},
    {"ustat", NEVER, 0},
};

static const int namespaces[] = {
    CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
    CLONE_NEWUSER, CLONE_NEWPID,   CLONE_NEWNET,
};

static bool holds(const struct profile *profile, int capability)
{
    return capability >= 0 && profile->held >> (unsigned)capability & 1;
}

static void refuse(scmp_filter_ctx filter, int error, const char *name)
{
    int number = seccomp_syscall_resolve_name(name);

    /* Not known to this library: it is newer than that, and allowed nowhere. */
    if (number == __NR_SCMP_ERROR)
        return;
    errno = -seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)error), number, 0);
    if (errno != 0)
        failed("refuse %s", name);
}

static void refuse_if(scmp_filter_ctx filter, const char *name, struct scmp_arg_cmp condition)
{
    errno = -seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM),
                                    seccomp_syscall_resolve_name(name), 1, &condition);
    if (errno != 0)
        failed("refuse %s", name);
}

static void refuse_closed(scmp_filter_ctx filter, const struct profile *profile)
{
    for (size_t i = 0; i < sizeof(closed) / sizeof(*closed); i++) {
        const struct closed *row = &closed[i];

        if (!holds(profile, row->opened_by) && !(row->or_by && holds(profile, row->or_by)))
            refuse(filter, EPERM, row->name);
    }
}

/* The flags of clone3 lie in memory, where a filter cannot look: without the right to make
 * namespaces it is not there, and libraries fall back to clone. */
static void refuse_namespaces(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < sizeof(namespaces) / sizeof(*namespaces); i++) {
        scmp_datum_t flag = (scmp_datum_t)namespaces[i];

        refuse_if(filter, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
    }
    refuse(filter, ENOSYS, "clone3");
}

static void refuse_mounts(scmp_filter_ctx filter, const struct profile *profile)
{
    /* Otherwise refused already. */
    if (profile->seccomp && !holds(profile, CAP_SYS_ADMIN))
        return;
    refuse(filter, EACCES, "mount");
    refuse(filter, EACCES, "move_mount");
}

void profile_apply(const struct profile *profile)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    if (!filter)
        failed("a filter");
    if (profile->no_new_privileges && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        failed("no new privileges");
    if (profile->seccomp) {
        refuse_closed(filter, profile);
        refuse_if(filter, "socket", SCMP_A0(SCMP_CMP_EQ, AF_VSOCK, 0));
        if (!holds(profile, CAP_SYS_ADMIN))
            refuse_namespaces(filter);
    }
    if (profile->apparmor)
        refuse_mounts(filter, profile);
    errno = -seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);
    if (errno == 0 && (profile->seccomp || profile->apparmor))
        errno = -seccomp_load(filter);
    if (errno != 0)
        failed("load the filter");
    seccomp_release(filter);
}
