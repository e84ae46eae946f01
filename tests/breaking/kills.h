/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BREAKING_KILLS_H
#define EDGEWISE_TESTS_BREAKING_KILLS_H

/*
 * Kills at random moments: test_kill.c takes a few in the fast tier, soak/test_kills.c a hundred.
 * There is no process of a peer that could be killed: the peers are sockets of the bench, so what
 * kills the bench kills them.
 *
 * The moments come from a seed: EDGEWISE_KILL_SEED, else the time. Whatever fails prints it.
 */

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/sealed.h"
#include "tests/support/victim.h"

#define KILLS_SCRIPT "kills/long.scn"
/* Until a program that was not hurt, or is to clean up, has ended. The sut has 10 s for a turn. */
#define KILLS_END_MS 40000
#define KILLS_CLEAN_MS 60000
/* A moment is within it: about what the script's runs take. One that is measured would make other
 * moments of the same seed. */
#define KILLS_SPAN_US UINT64_C(240000)

static uint64_t kills_seed;
static unsigned kills_of_suts; /* that were there to be killed */
static unsigned kills_told;    /* reports that name the script's line that was then */

/* splitmix64 */
static uint64_t kills_random(uint64_t number)
{
    uint64_t x = kills_seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void kills_sleep_us(int64_t us)
{
    const struct timespec pause = {us / 1000000, us % 1000000 * 1000};

    (void)nanosleep(&pause, NULL);
}

/* Something happens in each millisecond, in six runs one after the other. */
static void kills_write_script(void)
{
    FILE *file = fopen(SEALED_FOLDER "/" KILLS_SCRIPT, "we");

    assert_non_null(file);
    fputs("scenario kills/long\n"
          "about    \"Frames come in parts for a while.\"\n"
          "topology\n  link     sut peer\n  family   ipv4 unix\n"
          "reactor\n  trigger  et lt os\n  quantum  bytes=9 attempts=2 frames=1\n"
          "  frame    header=2 payload=3\n  capacity 9\n  app      sink\n"
          "run\n  tolerance 10s\n"
          "peers\n  c  stream\n  d  stream\n"
          "timeline\n  0ms  c connect\n  0ms  d connect\n", file);
    for (int ms = 1; ms <= 30; ms += 2)
        fprintf(file, "  %dms  c send 00 03 43\n  %dms  d send 00 01 44\n"
                      "  %dms  c send 41 54\n", ms, ms, ms + 1);
    fputs("  32ms  c shutdown write\n  32ms  d shutdown write\n"
          "expect\n  c  end clean\n  d  end clean\n", file);
    assert_int_equal(fclose(file), 0);
}

static int kills_run(const char *option, char **ret_text)
{
    const struct victim_start start = {
        .words = {"scenario", KILLS_SCRIPT, "--out", "out", option}, .limit = -1,
    };
    struct victim victim;

    assert_int_equal(victim_begin(&victim, &start), 0);
    return victim_end(&victim, KILLS_END_MS, ret_text);
}

/* A run that nobody disturbs: passes, or is late on a busy machine, and leaves nothing behind. */
static void kills_run_whole(const char *option)
{
    char remains[SEALED_TEXT_BYTES];
    char *text;
    int status = kills_run(option, &text);

    if (status < 0 || (victim_status(status) != 0 && victim_status(status) != 5))
        fail_msg("seed 0x%" PRIx64 ": an undisturbed run: status %d:\n%s", kills_seed,
                 status < 0 ? status : victim_status(status), text);
    free(text);
    if (sealed_await_no_namespace(KILLS_CLEAN_MS, remains) < 0)
        fail_msg("seed 0x%" PRIx64 ": an undisturbed run left %s", kills_seed, remains);
}

static int kills_setup(void **state)
{
    static char why[SEALED_TEXT_BYTES];
    const char *seed = getenv("EDGEWISE_KILL_SEED");

    if (sealed_enter(why) < 0) {
        *state = why;
        return 0;
    }
    kills_seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    printf("EDGEWISE_KILL_SEED=0x%" PRIx64 "\n", kills_seed);
    if (mkdir(SEALED_FOLDER "/kills", 0755) < 0)
        return -1;
    kills_write_script();
    kills_run_whole("--bless");
    kills_run_whole(NULL);
    return 0;
}

struct kills_case {
    enum victim_process target;
    int signal;
};

static const char *const kills_targets[] = {
    [VICTIM_BENCH] = "the bench", [VICTIM_RUN] = "its run", [VICTIM_INIT] = "the sut's init",
    [VICTIM_SUT] = "the sut",
};
_Static_assert(sizeof(kills_targets) / sizeof(kills_targets[0]) == VICTIM_PROCESSES, "a name each");

/* The target at the moment, or as soon as there is one; -1 when there was none until the end. */
static pid_t kills_await_target(const struct victim *victim, enum victim_process target)
{
    siginfo_t info = {0};

    for (;;) {
        pid_t pid = victim_find(victim, target);
        if (pid > 0)
            return pid;
        if (waitid(P_PID, (id_t)victim->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
            info.si_pid != 0)
            return -1;
        kills_sleep_us(500);
    }
}

/* Whether a report tells of a sut that was killed: who, by what, and with which last rows; or that
 * it was killed before it had any. */
static bool kills_report_tells(int status, int signal_number, const char *text)
{
    char died[64];

    (void)snprintf(died, sizeof(died), "killed by SIG%s", sigabbrev_np(signal_number));
    if (!strstr(text, died))
        return false;
    kills_told += strstr(text, "caused by " KILLS_SCRIPT ":") != NULL;
    /* Else it was not yet in service, or it was that of the trial before the first run. */
    return status != 1 || (strstr(text, "the sut died: ") &&
                           (strstr(text, "; its last row") || strstr(text, "; it has no rows")));
}

/* Whether the program may end so. What happens to the sut after its run is over is nobody's loss.
 * A signal that init does not pass on never reaches it: it is the first of its namespace. */
static bool kills_expected(const struct kills_case *kill, int status, const char *text)
{
    if (status == 0 || status == 5)
        return true;
    if (kill->target == VICTIM_BENCH)
        return status == 128 + kill->signal;
    if (kill->target == VICTIM_RUN && (kill->signal == SIGTERM || kill->signal == SIGINT))
        return status == 3 || status == 128 + kill->signal;
    if (kill->target == VICTIM_INIT && kill->signal == SIGSEGV)
        return false;
    return (status == 1 || status == 3 || status == 4) &&
           kills_report_tells(status, kill->signal, text);
}

static void kills_fail(uint64_t number, const struct kills_case *kill_case, int64_t moment_us,
                       const char *what)
{
    fail_msg("EDGEWISE_KILL_SEED=0x%" PRIx64 ": moment %" PRIu64 ", SIG%s to %s after %" PRId64
             " us: %s", kills_seed, number, sigabbrev_np(kill_case->signal),
             kills_targets[kill_case->target], moment_us, what);
}

/* One moment: kills, waits for the end, looks for what remains. */
static void kills_strike(uint64_t number, const struct kills_case *kill_case)
{
    const struct victim_start start = {
        .words = {"scenario", KILLS_SCRIPT, "--out", "out"}, .limit = -1,
    };
    int64_t moment_us = (int64_t)(kills_random(number) % KILLS_SPAN_US);
    char remains[SEALED_TEXT_BYTES];
    struct victim victim;
    char *text;

    assert_int_equal(victim_begin(&victim, &start), 0);
    kills_sleep_us(moment_us);
    pid_t target = kills_await_target(&victim, kill_case->target);
    if (target > 0 && kill(target, kill_case->signal) == 0)
        kills_of_suts += kill_case->target == VICTIM_SUT;
    int status = victim_end(&victim, KILLS_END_MS, &text);
    if (status < 0)
        kills_fail(number, kill_case, moment_us, "it did not end");
    victim_unbreak(text);
    if (!kills_expected(kill_case, victim_status(status), text)) {
        printf("%s (exit status %d)\n", text, victim_status(status));
        kills_fail(number, kill_case, moment_us, "an end and a report that do not fit");
    }
    free(text);
    if (sealed_await_no_namespace(KILLS_CLEAN_MS, remains) < 0)
        kills_fail(number, kill_case, moment_us, remains);
}

static const int kills_signals[] = {SIGKILL, SIGSEGV, SIGTERM, SIGINT};

#define KILLS_SIGNALS (sizeof(kills_signals) / sizeof(kills_signals[0]))
#define KILLS_CASES (KILLS_SIGNALS * VICTIM_PROCESSES)

/* `count` moments, over all targets and signals in turn; now and then one that is undisturbed. */
static void kills_strike_often(void **state, uint64_t count)
{
    if (*state) {
        printf("%s\n", (const char *)*state);
        skip();
    }
    for (uint64_t number = 0; number < count; number++) {
        const struct kills_case kill_case = {
            .target = (enum victim_process)(number / KILLS_SIGNALS % VICTIM_PROCESSES),
            .signal = kills_signals[number % KILLS_SIGNALS],
        };

        kills_strike(number, &kill_case);
        if (number % KILLS_CASES == KILLS_CASES - 1)
            kills_run_whole(NULL);
    }
    /* The others were about to end anyway, or had not begun. */
    if (kills_told * 4 < kills_of_suts)
        fail_msg("EDGEWISE_KILL_SEED=0x%" PRIx64 ": %u suts were killed, %u reports say where",
                 kills_seed, kills_of_suts, kills_told);
}

#endif
