/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/timing.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "harness/checkup/aside.h"
#include "harness/checkup/mends.h"
#include "harness/cpu.h"
#include "harness/numbers.h"
#include "harness/small_file.h"
#include "harness/sys_linux.h"
#include "harness/urgency.h"

#define READINGS 1000
#define RESOLUTION_MAX_NS 1000
#define SLEEPS 15
#define SLEEP DURATION_MS(1)
/* On a busy machine fewer sleeps tell enough. */
#define SLEEPING DURATION_MS(150)
/* A run whose timers are half of them later than this is late before it has begun. */
#define LATE_MEDIAN_US 1000

#define CLOCK_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static struct sys kernel(void)
{
    static struct sys_linux linux_kernel;

    return sys_linux_open(&linux_kernel, NULL);
}

void timing_clock(const struct place *place, int which, struct finding *finding)
{
    struct sys sys = kernel();
    struct timespec step = {0};
    struct instant begin = sys_now(sys);
    char source[32];
    int64_t cost_ns;

    (void)which;
    for (int i = 1; i < READINGS; i++)
        (void)sys_now(sys);
    cost_ns = instant_since(sys_now(sys), begin).ns / READINGS;
    clock_getres(CLOCK_MONOTONIC, &step);
    small_file_line(CLOCK_SOURCE, source, sizeof(source));
    finding_say(finding, "%s, steps of %ld ns, read in %lld ns", *source ? source : "unknown",
                step.tv_nsec, (long long)cost_ns);
    if (step.tv_sec > 0 || step.tv_nsec > RESOLUTION_MAX_NS)
        finding_advise(finding, FINDING_NOTE, "boot without highres=off and nohz=off");
    else if (strcmp(source, "acpi_pm") == 0 || strcmp(source, "hpet") == 0 ||
             strcmp(source, "jiffies") == 0)
        finding_mend(finding, FINDING_NOTE, "echo tsc | %stee %s", mends_sudo(place),
                     CLOCK_SOURCE);
}

static int by_size(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* How late short sleeps end, as three numbers: the slack, the median and the worst. */
static int try_timers(void *arg, char *text)
{
    struct sys sys = kernel();
    struct instant end = instant_add(sys_now(sys), SLEEPING);
    int64_t late_us[SLEEPS];
    size_t count = 0;

    if (*(int *)arg && urgency_raise(URGENCY_BENCH) < 0)
        return -EPERM;
    do {
        struct instant due = instant_add(sys_now(sys), SLEEP);

        (void)sys_sleep_until(sys, due);
        late_us[count++] = instant_since(sys_now(sys), due).ns / 1000;
    } while (count < SLEEPS && instant_before(sys_now(sys), end));
    qsort(late_us, count, sizeof(*late_us), by_size);
    snprintf(text, ASIDE_TEXT_BYTES, "%d %lld %lld", prctl(PR_GET_TIMERSLACK),
             (long long)late_us[count / 2], (long long)late_us[count - 1]);
    return 0;
}

void timing_timers(const struct place *place, int which, struct finding *finding)
{
    struct aside aside;
    int64_t figures[3] = {0}; /* slack in ns, median and worst in us */
    int status = aside_run(try_timers, &which, &aside);

    (void)place;
    if (status == 0 && numbers_read(aside.text, figures, 3) != 3)
        status = -EIO;
    if (status == -EPERM) {
        finding_say(finding, "not tried, for SCHED_FIFO is refused");
        return;
    }
    if (status == 0)
        finding_say(finding, "%" PRId64 " us late, at worst %" PRId64 " us; slack %" PRId64 " ns",
                    figures[1], figures[2], figures[0]);
    else
        finding_say(finding, "%s", strerror(-status));
    if (status < 0 || figures[1] > LATE_MEDIAN_US)
        finding_advise(finding, FINDING_NOTE, "let other work end, or use --retries 20");
}

static int try_urgency(void *arg, char *text)
{
    (void)arg;
    (void)text;
    return urgency_raise(URGENCY_BENCH);
}

int timing_try_urgency(void)
{
    struct aside aside;

    return aside_run(try_urgency, NULL, &aside);
}

void timing_urgency(const struct place *place, int which, struct finding *finding)
{
    char command[MENDS_BYTES];
    struct rlimit limit = {0};
    int status = timing_try_urgency();

    (void)which;
    getrlimit(RLIMIT_RTPRIO, &limit);
    finding_say(finding, "SCHED_FIFO %s%s", status == 0 ? "allowed" : "refused: ",
                status == 0 ? "" : strerror(-status));
    if (limit.rlim_cur == RLIM_INFINITY)
        finding_say(finding, "; RLIMIT_RTPRIO unlimited");
    else
        finding_say(finding, "; RLIMIT_RTPRIO %llu", (unsigned long long)limit.rlim_cur);
    if (status == 0)
        return;
    if (place->container && !place_bounds(CAP_SYS_NICE)) {
        mends_capability(place, "SYS_NICE", command);
        finding_mend(finding, FINDING_NOTE, "%s", command);
    } else if (place->mapped) {
        finding_advise(finding, FINDING_NOTE, "root outside of this user namespace");
    } else if (place->root && place_has(CAP_SYS_NICE, CAP_EFFECTIVE)) {
        /* With real-time groups each has a budget of its own, which is none. */
        finding_advise(finding, FINDING_NOTE, "a control group with a cpu.rt_runtime_us");
    } else if (place->root) {
        finding_advise(finding, FINDING_NOTE, "CAP_SYS_NICE, which this root has given up");
    } else {
        finding_mend(finding, FINDING_NOTE,
                     "echo \"$USER - rtprio %d\" | sudo tee -a /etc/security/limits.conf"
                     "  # then log in anew", URGENCY_BENCH);
    }
}

/* The number of the CPU that cannot be pinned to, from 1; 0 when all can. */
static int try_pins(void *arg, char *text)
{
    const cpu_set_t *allowed = arg;

    (void)text;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, allowed) && (cpu_pin(cpu) < 0 || sched_getcpu() != cpu))
            return cpu + 1;
    return 0;
}

void timing_cpus(const struct place *place, int which, struct finding *finding)
{
    cpu_set_t allowed;
    struct aside aside;
    int count;
    int refused;

    (void)place;
    (void)which;
    if (cpu_save(&allowed) < 0)
        CPU_ZERO(&allowed);
    count = CPU_COUNT(&allowed);
    refused = aside_run(try_pins, &allowed, &aside);
    finding_say(finding, "%d of %ld, ", count, sysconf(_SC_NPROCESSORS_ONLN));
    if (refused > 0)
        finding_say(finding, "number %d cannot be pinned", refused - 1);
    else
        finding_say(finding, "%s", refused == 0 ? "each can be pinned" : strerror(-refused));
    if (refused != 0)
        finding_advise(finding, FINDING_NOTE, "allow sched_setaffinity, and a cpuset that stays");
    else if (count < 2)
        finding_advise(finding, FINDING_NOTE,
                       "two CPUs: with one `pace free` is often late; lock-step needs no more");
}

/* The file of the control group of this process, in version 2 of the hierarchy. */
static void read_group(const char *name, char *text, size_t size)
{
    char line[200] = "";
    char path[320];

    small_file_line("/proc/self/cgroup", line, sizeof(line));
    if (strncmp(line, "0::/", 4) != 0) {
        text[0] = '\0';
        return;
    }
    snprintf(path, sizeof(path), "/sys/fs/cgroup%s/%s", line + 3, name);
    small_file_line(path, text, size);
}

void timing_quota(const struct place *place, int which, struct finding *finding)
{
    char text[64];
    int64_t limit[2]; /* so many us of each so many */

    (void)which;
    read_group("cpu.max", text, sizeof(text));
    if (numbers_read(text, limit, 2) != 2 || limit[1] <= 0) {
        finding_say(finding, "%s", strncmp(text, "max", 3) == 0 ? "none" : "none can be read");
        return;
    }
    finding_say(finding, "%" PRId64 " of each %" PRId64 " us", limit[0], limit[1]);
    if (limit[0] >= limit[1])
        return;
    if (place->container && strcmp(place->container, "kubernetes") != 0)
        finding_mend(finding, FINDING_NOTE, "docker run --cpus 2 ...");
    else
        finding_advise(finding, FINDING_NOTE, "a control group with at least one whole CPU");
}

void timing_load(const struct place *place, int which, struct finding *finding)
{
    double load[1] = {0};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);

    (void)place;
    (void)which;
    if (getloadavg(load, 1) != 1) {
        finding_say(finding, "unknown");
        return;
    }
    finding_say(finding, "%.1f running, on %ld CPUs", load[0], cpus);
    if (load[0] > (double)cpus)
        finding_advise(finding, FINDING_NOTE, "let other work end, or use --retries 20");
}
