/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/checkup.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netlink/version.h>
#include <pcap/pcap.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/conduct/bench.h"

/* The oldest kernel with every call that is used: pidfd_getfd came last. */
#define KERNEL_MAJOR 5
#define KERNEL_MINOR 6

static const char *const state_names[] = {
#define X(name, text) [CHECKUP_##name] = text,
    CHECKUP_STATES(X)
#undef X
};
_Static_assert(sizeof(state_names) / sizeof(*state_names) == CHECKUP_STATE_COUNT, "a name each");

static void __attribute__((format(printf, 2, 3)))
found(struct checkup_row *row, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(row->found, sizeof(row->found), format, args);
    va_end(args);
}

static void lack(struct checkup_row *row, enum checkup_state state, const char *mend)
{
    row->state = state;
    snprintf(row->mend, sizeof(row->mend), "%s", mend);
}

/* The first line of a small file, "" when it cannot be read. */
static void read_word(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, text, size - 1);

    text[got < 0 ? 0 : got] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (fd >= 0)
        close(fd);
}

static void try_kernel(struct checkup_row *row)
{
    struct utsname name;
    char *end;
    long major;
    long minor;

    uname(&name);
    found(row, "%s %s", name.sysname, name.release);
    major = strtol(name.release, &end, 10);
    minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    if (major < KERNEL_MAJOR || (major == KERNEL_MAJOR && minor < KERNEL_MINOR))
        lack(row, CHECKUP_MISSING, "a kernel of 5.6 or later");
}

static bool has_capability(cap_value_t capability)
{
    cap_t mine = cap_get_proc();
    cap_flag_value_t value = CAP_CLEAR;

    if (mine) {
        cap_get_flag(mine, capability, CAP_EFFECTIVE, &value);
        cap_free(mine);
    }
    return value == CAP_SET;
}

/* What a container lacks that has its root without these rights. */
#define CONTAINER "docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add NET_RAW ..."
#define UNFILTERED                                                                            \
    "docker run --security-opt seccomp=unconfined --cap-add SYS_ADMIN --cap-add NET_ADMIN "   \
    "--cap-add NET_RAW ..."

static const struct {
    cap_value_t capability;
    const char *name;
} wanted[] = {
    {CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
    {CAP_NET_ADMIN, "CAP_NET_ADMIN"},
    {CAP_NET_RAW, "CAP_NET_RAW"},
};
#define WANTED_COUNT (sizeof(wanted) / sizeof(*wanted))

struct checkup_rights checkup_rights(void)
{
    struct checkup_rights rights = {.root = geteuid() == 0, .all = true};

    for (size_t i = 0; i < WANTED_COUNT; i++)
        rights.all = rights.all && has_capability(wanted[i].capability);
    return rights;
}

static void try_privilege(struct checkup_row *row)
{
    bool all = true;

    found(row, "%s", geteuid() == 0 ? "root" : "an ordinary user");
    for (size_t i = 0; i < WANTED_COUNT; i++) {
        size_t used = strlen(row->found);

        if (has_capability(wanted[i].capability))
            continue;
        snprintf(row->found + used, sizeof(row->found) - used, "%s%s", all ? ", without " : " ",
                 wanted[i].name);
        all = false;
    }
    if (!all && geteuid() == 0)
        lack(row, CHECKUP_NOTE, CONTAINER);
    else if (!all)
        lack(row, CHECKUP_NOTE, "sudo, or a user namespace (the next row)");
}

/* Runs `attempt` in a child: 0 or a positive errno, and what it wrote into `text`. */
static int try_aside(int (*attempt)(char *text, size_t size), char *text, size_t size)
{
    int ends[2];
    int status = 0;
    ssize_t got;
    pid_t child;

    text[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    child = fork();
    if (child == 0) {
        int failed = attempt(text, size);

        if (write(ends[1], text, strlen(text)) < 0)
            _exit(EIO);
        _exit(failed);
    }
    close(ends[1]);
    got = child < 0 ? 0 : read(ends[0], text, size - 1);
    text[got < 0 ? 0 : got] = '\0';
    close(ends[0]);
    if (child < 0)
        return EAGAIN;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

static int enter_user_namespace(char *text, size_t size)
{
    text[size - 1] = '\0';
    return unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 ? errno : 0;
}

/* A run needs two or three namespaces of a kind, and those of the last run go a moment after it. */
#define NAMESPACES_LEAST 16

/* The switches that keep users out, each with the command that opens it: closed at one word, or
 * below a number. */
struct gate {
    const char *path;
    const char *closed;
    unsigned long least;
    const char *mend;
};

static const struct gate user_gates[] = {
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", 0,
     "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
    {"/proc/sys/kernel/unprivileged_userns_clone", "0", 0,
     "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
    {"/proc/sys/user/max_user_namespaces", NULL, NAMESPACES_LEAST,
     "sudo sysctl -w user.max_user_namespaces=1000"},
};

/* These keep root out, too. */
static const struct gate world_gates[] = {
    {"/proc/sys/user/max_net_namespaces", NULL, NAMESPACES_LEAST,
     "sudo sysctl -w user.max_net_namespaces=1000"},
    {"/proc/sys/user/max_pid_namespaces", NULL, NAMESPACES_LEAST,
     "sudo sysctl -w user.max_pid_namespaces=1000"},
};

static bool gate_closed(const struct gate *gate, const char *value)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);

    if (gate->closed)
        return strcmp(value, gate->closed) == 0;
    return end != value && number < gate->least;
}

/* The command for the first gate that is closed, NULL when none is. */
static const char *closed_gate(const struct gate *gates, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char value[32];

        read_word(gates[i].path, value, sizeof(value));
        if (gate_closed(&gates[i], value))
            return gates[i].mend;
    }
    return NULL;
}

static const char *user_namespace_mend(void)
{
    return closed_gate(user_gates, sizeof(user_gates) / sizeof(*user_gates));
}

static const char *world_mend(void)
{
    return closed_gate(world_gates, sizeof(world_gates) / sizeof(*world_gates));
}

void checkup_mend(struct checkup_rights rights, struct lines *ret_commands)
{
    const char *world = world_mend();
    const char *user = user_namespace_mend();

    if (world)
        lines_add(ret_commands, "%s", world);
    else if (rights.root && rights.all)
        lines_add(ret_commands, "%s", UNFILTERED);
    if (user && !(rights.root && rights.all))
        lines_add(ret_commands, "%s", user);
    if (rights.root && !rights.all)
        lines_add(ret_commands, "%s", CONTAINER);
}

static void try_user_namespace(struct checkup_row *row)
{
    char text[2];
    int error = try_aside(enter_user_namespace, text, sizeof(text));
    const char *mend = user_namespace_mend();

    if (error) {
        found(row, "refused: %s", strerror(error));
        lack(row, CHECKUP_NOTE,
             mend ? mend : geteuid() == 0 ? "root needs none, with the rights above" : "use sudo");
    } else if (mend && geteuid() != 0) {
        found(row, "they open, but give no rights");
        lack(row, CHECKUP_NOTE, mend);
    } else {
        found(row, "they open");
    }
}

static int prepare_veth(char *text, size_t size)
{
    struct bench_failure failure = {0};
    int status = bench_prepare(RESULT_WORLD_VETH, &failure);

    if (status < 0)
        snprintf(text, size, "%s", failure.text);
    return status < 0 ? 1 : 0;
}

static void try_veth(struct checkup_row *row)
{
    char text[sizeof(row->found)];
    struct lines mends = {0};

    if (try_aside(prepare_veth, text, sizeof(text)) == 0) {
        found(row, "%s", geteuid() == 0 ? "works" : "works, in a user namespace");
        return;
    }
    found(row, "%s", *text ? text : "it does not work");
    checkup_mend(checkup_rights(), &mends);
    lack(row, CHECKUP_MISSING, mends.count > 0 ? mends.line[0] : "use sudo");
    lines_free(&mends);
}

static void try_sock_diag(struct checkup_row *row)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

    if (fd >= 0) {
        close(fd);
        found(row, "there");
        return;
    }
    found(row, "%s", strerror(errno));
    lack(row, CHECKUP_MISSING, "a kernel with CONFIG_INET_DIAG; sudo modprobe inet_diag tcp_diag");
}

static void try_tun(struct checkup_row *row)
{
    if (access("/dev/net/tun", R_OK | W_OK) == 0) {
        found(row, "can be opened");
        return;
    }
    found(row, "%s", strerror(errno));
    lack(row, CHECKUP_NOTE,
         errno == ENOENT ? "sudo modprobe tun; in a container --device /dev/net/tun"
                         : "sudo chmod 0666 /dev/net/tun");
}

static void try_cpus(struct checkup_row *row)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof(set), &set) < 0 ? 1 : CPU_COUNT(&set);

    found(row, "%d", count);
    if (count < 2)
        lack(row, CHECKUP_NOTE, "with one CPU `pace free` is often late; lock-step needs no more");
}

static void try_congestion(struct checkup_row *row)
{
    static const char reno[] = "reno";
    char available[128];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int status = fd < 0 ? -1 : setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, reno, sizeof(reno) - 1);

    read_word("/proc/sys/net/ipv4/tcp_available_congestion_control", available, sizeof(available));
    found(row, "%s", status == 0 && *available ? available : status == 0 ? reno : strerror(errno));
    if (status < 0)
        lack(row, CHECKUP_MISSING, "a kernel with IPv4 and TCP");
    if (fd >= 0)
        close(fd);
}

static void try_ipv6(struct checkup_row *row)
{
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

    found(row, "%s", fd >= 0 ? "there" : strerror(errno));
    if (fd >= 0)
        close(fd);
    else
        lack(row, CHECKUP_NOTE, "boot without ipv6.disable=1, or use --family ipv4");
}

static void try_libraries(struct checkup_row *row)
{
    const char *pcap = pcap_lib_version();

    found(row, "libnl %d.%d.%d, jansson %s, %.*s", nl_ver_maj, nl_ver_min, nl_ver_mic,
          jansson_version_str(), (int)strcspn(pcap, "(") - (strchr(pcap, '(') ? 1 : 0), pcap);
}

static const struct {
    const char *check;
    const char *needed;
    void (*attempt)(struct checkup_row *row);
} checks[] = {
    {"kernel", "everything", try_kernel},
    {"privilege", "namespaces, links, captures", try_privilege},
    {"user namespaces", "running without root", try_user_namespace},
    {"veth world", "all scenarios", try_veth},
    {"sock_diag", "lock-step", try_sock_diag},
    {"congestion control", "reno, which scripts use", try_congestion},
    {"IPv6", "family ipv6", try_ipv6},
    {"CPUs", "pace free", try_cpus},
    {"/dev/net/tun", "TAP devices", try_tun},
    {"libraries", "everything", try_libraries},
};

size_t checkup_count(void)
{
    return sizeof(checks) / sizeof(*checks);
}

void checkup_try(size_t index, struct checkup_row *ret_row)
{
    assert(index < checkup_count());
    *ret_row = (struct checkup_row){.check = checks[index].check, .needed = checks[index].needed};
    checks[index].attempt(ret_row);
}

const char *checkup_state_name(enum checkup_state state)
{
    assert(state < CHECKUP_STATE_COUNT);
    return state_names[state];
}
