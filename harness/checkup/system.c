/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/system.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <netlink/version.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/checkup/aside.h"
#include "harness/checkup/mends.h"

/* The oldest kernel with every call that is used: epoll_pwait2 came last. */
#define KERNEL_MAJOR 5
#define KERNEL_MINOR 11

void system_kernel(const struct place *place, int which, struct finding *finding)
{
    struct utsname name;
    char *end;
    long major;
    long minor;

    (void)place;
    (void)which;
    uname(&name);
    finding_say(finding, "%s %.60s %s", name.sysname, name.release, name.machine);
    major = strtol(name.release, &end, 10);
    minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    if (major < KERNEL_MAJOR || (major == KERNEL_MAJOR && minor < KERNEL_MINOR))
        finding_advise(finding, FINDING_MISSING, "a kernel of %d.%d or later", KERNEL_MAJOR,
                       KERNEL_MINOR);
}

static long call_wait(void)
{
    struct timespec none = {0};
    struct epoll_event event;
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    return epoll < 0 ? -1 : epoll_pwait2(epoll, &event, 1, &none, NULL);
}

static long call_pidfd(void)
{
    return syscall(SYS_pidfd_open, getpid(), 0);
}

static long call_pidfd_signal(void)
{
    return syscall(SYS_pidfd_send_signal, call_pidfd(), 0, NULL, 0);
}

/* Of a range in which there is none. */
static long call_close_range(void)
{
    return syscall(SYS_close_range, (unsigned)INT_MAX, (unsigned)INT_MAX, 0);
}

static long call_eventfd(void)
{
    return eventfd(0, EFD_CLOEXEC);
}

static long call_timerfd(void)
{
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
}

static long call_signalfd(void)
{
    sigset_t none;

    sigemptyset(&none);
    return signalfd(-1, &none, SFD_CLOEXEC);
}

/* The younger calls that a run makes, and those that filters are known to refuse. */
static const struct {
    const char *name;
    long (*call)(void);
} calls[] = {
    {"epoll_pwait2", call_wait},
    {"pidfd_open", call_pidfd},
    {"pidfd_send_signal", call_pidfd_signal},
    {"close_range", call_close_range},
    {"eventfd2", call_eventfd},
    {"timerfd_create", call_timerfd},
    {"signalfd4", call_signalfd},
};

#define CALL_COUNT (sizeof(calls) / sizeof(*calls))

static int try_calls(void *arg, char *text)
{
    (void)arg;
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (calls[i].call() < 0) {
            int code = -errno;

            snprintf(text, ASIDE_TEXT_BYTES, "%s: %s", calls[i].name, strerror(-code));
            return code;
        }
    return 0;
}

void system_calls(const struct place *place, int which, struct finding *finding)
{
    char command[MENDS_BYTES];
    struct aside aside;
    int status = aside_run(try_calls, NULL, &aside);

    (void)which;
    if (status == 0) {
        finding_say(finding, "all %zu tried answer", CALL_COUNT);
        return;
    }
    finding_say(finding, "%s", *aside.text ? aside.text : "a filter ends who asks");
    if (place->container && place->filtered) {
        mends_filter(place, command);
        finding_mend(finding, FINDING_MISSING, "%s", command);
    } else {
        finding_advise(finding, FINDING_MISSING, "a kernel of %d.%d or later, and no filter",
                       KERNEL_MAJOR, KERNEL_MINOR);
    }
}

void system_container(const struct place *place, int which, struct finding *finding)
{
    (void)which;
    finding_say(finding, "%s", place->container ? place->container : "none was seen");
}

void system_libraries(const struct place *place, int which, struct finding *finding)
{
    static const char intro[] = "libpcap version ";
    const char *pcap = pcap_lib_version();

    (void)place;
    (void)which;
    if (strncmp(pcap, intro, sizeof(intro) - 1) == 0)
        pcap += sizeof(intro) - 1;
    finding_say(finding, "libnl %d.%d.%d, libpcap %.*s, jansson %s", nl_ver_maj, nl_ver_min,
                nl_ver_mic, (int)strcspn(pcap, " ("), pcap, jansson_version_str());
#ifdef LIBCAP_MAJOR
    finding_say(finding, ", libcap %d.%d (as built)", LIBCAP_MAJOR, LIBCAP_MINOR);
#endif
}
