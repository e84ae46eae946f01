/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cpu.h"
#include "tests/support/plans.h"
#include "tests/support/rows.h"

#define RUNS 50

static const struct plans_text usual = {
    .reactor = "  trigger et lt os\n  quantum bytes=2 attempts=1\n",
    .timeline = "  0ms c connect\n  1ms c send 61 62 63\n  2ms c shutdown write\n",
};

/* Skips where no namespace can be had. */
static void prepare(void)
{
    struct bench_failure failure = {0};

    if (bench_prepare(RESULT_WORLD_VETH, &failure) == 0)
        return;
    print_message("%s\n", failure.text);
    skip();
}

static int run(struct plan *plan, enum reactor_trigger trigger, enum plan_family family,
               struct happened *ret_happened, struct bench_failure *failure)
{
    const struct bench_job job = {
        .plan = plan, .world = RESULT_WORLD_VETH, .trigger = trigger, .family = family};

    return bench_run(&job, ret_happened, failure);
}

/* --- What is there now --- */

/* Counts the numbers in a folder of /proc. */
static unsigned numbers_in(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    unsigned count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)))
        count += isdigit((unsigned char)entry->d_name[0]) != 0;
    (void)closedir(folder);
    return count;
}

static unsigned descriptors(void)
{
    return numbers_in("/proc/self/fd");
}

/* Processes that descend from this one, zombies too. */
static unsigned children(void)
{
    char path[64];
    unsigned count = 0;
    pid_t child;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "re");
    assert_non_null(file);
    while (fscanf(file, "%d", &child) == 1)
        count++;
    (void)fclose(file);
    return count;
}

/* The parent of a process by its folder in /proc; -1 when it is none or has gone. */
static pid_t parent_of(const char *name)
{
    char path[300];
    pid_t parent = -1;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%s/stat", name);
    file = isdigit((unsigned char)name[0]) ? fopen(path, "re") : NULL;
    if (!file)
        return -1;
    if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1)
        parent = -1;
    (void)fclose(file);
    return parent;
}

/* What must be the same before and after every run. A network namespace lives by descriptors,
 * processes and their sockets alone, and these are counted. */
struct state_of_things {
    unsigned descriptors;
    unsigned children;
    ino_t net;
    cpu_set_t cpus;
};

static struct state_of_things take_stock(void)
{
    struct state_of_things now;
    struct stat net;

    memset(&now, 0, sizeof(now));
    now.descriptors = descriptors();
    now.children = children();
    assert_int_equal(stat("/proc/thread-self/ns/net", &net), 0);
    now.net = net.st_ino;
    assert_int_equal(cpu_save(&now.cpus), 0);
    return now;
}

static void expect_unchanged(const struct state_of_things *before)
{
    struct state_of_things now = take_stock();

    /* A closed capture is let go by threads of its own, a moment later. */
    for (int tries = 0; now.descriptors > before->descriptors && tries < 30000; tries++) {
        (void)poll(NULL, 0, 1);
        now = take_stock();
    }
    assert_int_equal(now.descriptors, before->descriptors);
    assert_int_equal(now.children, before->children);
    assert_int_equal(now.net, before->net);
    assert_true(CPU_EQUAL(&now.cpus, &before->cpus));
}

/* --- Whole runs --- */

static void a_run_leaves_the_expected_record(void **state)
{
    static const enum plan_family families[] = {PLAN_IPV4, PLAN_IPV6};

    (void)state;
    prepare();
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++)
        for (int i = 0; i < 2; i++) {
            struct plans_text text = usual;
            struct plan *plan;
            struct bench_failure failure = {0};
            struct happened happened;

            text.family = "ipv4 ipv6";
            plan = plans_make(&text);
            assert_int_equal(run(plan, (enum reactor_trigger)trigger, families[i], &happened,
                                 &failure),
                             0);
            assert_int_equal(happened.fate, HAPPENED_STOPPED);
            assert_null(happened.fate_text);
            assert_int_equal(rows_count(happened.journal, "quantum"), 4);
            assert_int_equal(rows_count(happened.journal, "read "), 4);
            assert_int_equal(rows_count(happened.journal, "end 1 clean 0"), 1);
            assert_int_equal(happened.source_count, 1);
            assert_int_equal(happened.sources[0], 0);
            assert_int_equal(happened.action_count, 3);
            assert_int_equal(happened.actions[1].bytes, 3);
            assert_int_equal(happened.left_over.count, 0);
            assert_true(happened.peers[0].connected);
            assert_int_equal(happened.peers[0].saw, PLAN_SAW_FIN);
            assert_true(happened.packets->count > 0);
            happened_free(&happened);
            plan_free(plan);
        }
}

/* The one before opens what libraries keep for ever. */
static void fifty_runs_leave_nothing_behind(void **state)
{
    struct plan *plan;
    struct state_of_things before;

    (void)state;
    prepare();
    plan = plans_make(&usual);
    for (int i = 0; i <= RUNS; i++) {
        struct bench_failure failure = {0};
        struct happened happened;

        assert_int_equal(run(plan, REACTOR_ET, PLAN_IPV4, &happened, &failure), 0);
        assert_int_equal(happened.fate, HAPPENED_STOPPED);
        happened_free(&happened);
        if (i == 0)
            before = take_stock();
    }
    expect_unchanged(&before);
    plan_free(plan);
}

/* --- A sut that dies --- */

/* The process, other than `but`, whose parent is `parent`; 0 when there is none yet. */
static pid_t child_of(pid_t parent, pid_t but)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    pid_t found = 0;

    while (folder && (entry = readdir(folder))) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        if (pid > 0 && pid != but && parent_of(entry->d_name) == parent)
            found = pid;
    }
    if (folder)
        (void)closedir(folder);
    return found;
}

/* A process that kills the sut, the bench's grandchild, as soon as there is one. */
static pid_t start_killer(int signal)
{
    pid_t bench = getpid();
    pid_t killer = fork();

    assert_true(killer >= 0);
    if (killer > 0)
        return killer;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    while (getppid() == bench) {
        pid_t init = child_of(bench, getpid());
        pid_t sut = init > 0 ? child_of(init, 0) : 0;

        if (sut > 0 && kill(sut, signal) == 0)
            _exit(0);
    }
    _exit(1);
}

static void a_sut_that_dies_in_the_middle_is_told_and_nothing_is_left(void **state)
{
    static const int signals[] = {SIGKILL, SIGSEGV};
    static const char *const texts[] = {"killed by SIGKILL", "killed by SIGSEGV"};
    const struct plans_text text = {
        .timeline = "  0ms c connect\n  1ms c send 61 repeat=3000 every=1ms\n"};

    (void)state;
    prepare();
    for (int i = 0; i < 2; i++) {
        struct plan *plan = plans_make(&text);
        struct state_of_things before = take_stock();
        pid_t killer = start_killer(signals[i]);
        struct bench_failure failure = {0};
        struct happened happened;
        int status;
        int code = run(plan, REACTOR_ET, PLAN_IPV4, &happened, &failure);

        (void)kill(killer, SIGTERM);
        assert_int_equal(waitpid(killer, &status, 0), killer);
        assert_int_equal(status, 0);
        if (code == 0) { /* else it died before it was in service, which the failure tells */
            assert_int_equal(happened.fate, HAPPENED_DIED);
            assert_non_null(happened.fate_text);
            assert_string_equal(happened.fate_text, texts[i]);
            happened_free(&happened);
        } else {
            assert_non_null(strstr(failure.text, "the sut did not come into service"));
        }
        expect_unchanged(&before);
        plan_free(plan);
    }
}

static void a_run_that_cannot_be_built_says_why_and_leaves_nothing(void **state)
{
    struct plans_text text = usual;
    struct plan *plan;
    struct state_of_things before;
    struct bench_failure failure = {0};
    struct happened happened;

    (void)state;
    prepare();
    text.family = "ipv4\n  socket congestion=nosuch";
    plan = plans_make(&text);
    before = take_stock();
    assert_true(run(plan, REACTOR_ET, PLAN_IPV4, &happened, &failure) < 0);
    assert_true(failure.code > 0);
    assert_true(failure.text[0] != '\0');
    expect_unchanged(&before);
    plan_free(plan);
}

/* Last: an interruption is for good. */
static void an_interrupted_run_ends_and_leaves_nothing(void **state)
{
    const struct plans_text text = {.timeline = "  0ms c connect\n  3600s c send 61\n"};
    struct plan *plan;
    struct state_of_things before;
    struct bench_failure failure = {0};
    struct happened happened;

    (void)state;
    prepare();
    plan = plans_make(&text);
    before = take_stock();
    bench_interrupt();
    assert_int_equal(run(plan, REACTOR_ET, PLAN_IPV4, &happened, &failure), -EINTR);
    assert_string_equal(failure.text, "interrupted");
    expect_unchanged(&before);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_leaves_the_expected_record),
        cmocka_unit_test(fifty_runs_leave_nothing_behind),
        cmocka_unit_test(a_sut_that_dies_in_the_middle_is_told_and_nothing_is_left),
        cmocka_unit_test(a_run_that_cannot_be_built_says_why_and_leaves_nothing),
        cmocka_unit_test(an_interrupted_run_ends_and_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
