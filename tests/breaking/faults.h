/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BREAKING_FAULTS_H
#define EDGEWISE_TESTS_BREAKING_FAULTS_H

/*
 * The calls that the bench makes of the C library fail, each in turn: test_faults.c takes some of
 * those that come often, soak/test_every_fault.c takes every one. Each failure must end in an exit
 * status of 3 or 4 with a text that says why, and nothing may be left; or it stands in the table of
 * failures that the design bears.
 */

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/breaking/failing.h"
#include "tests/support/sealed.h"
#include "tests/support/victim.h"

#define FAULTS_SHEET SEALED_FOLDER "/sheet"
#define FAULTS_END_MS 30000
#define FAULTS_CLEAN_MS 60000

static struct failing_sheet *faults_sheet;
static pid_t faults_program;   /* the process that was started last */
static unsigned faults_wrong; /* calls whose failure ended as it should not */

static const struct faults_name {
    const char *name;
    int error;
} faults_names[] = {
#define FAULTS_NAME(function, code) {#function, code},
    FAILING_FUNCTIONS(FAULTS_NAME)
#undef FAULTS_NAME
};

/* What the trial before the first run is not permitted is tried again in a user namespace. The runs
 * themselves have processes of their own. */
static bool faults_is_trial(void)
{
    return faults_sheet->error == EPERM && atomic_load(&faults_sheet->pid) == faults_program;
}

/* What the design bears: the call, the exit statuses beside 0 and 5 that are right, and why. */
static const struct faults_borne {
    const char *call; /* as failing_sheet.what, a glob */
    int status;       /* 0: the run goes on as if nothing had been */
    const char *why;
} faults_borne[] = {
    /* The script and what is expected of it are the user's files. */
    {"open *.scn", 2, "a script that cannot be read"},
    {"open *.events", 2, "an expected ledger that cannot be read"},
    {"open *.wire", 2, "an expected ledger that cannot be read"},
    {"openat */scenarios", 2, "the folder of scenarios cannot be read"},
    {"read *", 2, "the script or an expected ledger cannot be read to its end"},
    {"fstat *", 2, "the script or an expected ledger cannot be looked at"},
    {"stat *", 2, "the script cannot be found"},
    /* Nothing but the way or the text is lost. */
    {"setsockopt 270 10", 0, "NETLINK_CAP_ACK only shortens an error"},
    {"setsockopt 270 11", 0, "NETLINK_EXT_ACK only adds the kernel's words to an error"},
    {"setsockopt 1 33", 0, "SO_RCVBUFFORCE is for root alone; SO_RCVBUF is next"},
    {"getsockopt 1 7", 0, "the note of a peer's SO_SNDBUF is left out"},
    {"getsockopt 1 8", 0, "the note of a peer's SO_RCVBUF is left out"},
    {"getsockopt 6 13", 0, "the note of a peer's congestion control is left out"},
    {"getsockopt 6 1", 0, "the note of a peer's TCP_NODELAY is left out"},
    {"open /dev/urandom", 0, "libjansson seeds its tables by the clock"},
    {"read 4", 0, "libjansson seeds its tables by the clock"},
    {"getrandom 8", 0, "the seed is the clock"},
    {"mkdir out", 0, "it is there already"},
    {"unlinkat *", 0, "there was nothing to remove"},
    {"stat *", 0, "how a place is named in the report"},
    /* Asked again, or another way. */
    {"recv 1 64", 0, "news that were not thrown away are only looked at once more"},
    {"recvmsg 1073741824", 0, "init's report is still there and is read again"},
    {"poll 1 *", 0, "whoever waits for an end asks waitid; this only sleeps"},
    {"ppoll *", 0, "this only sleeps"},
    {"clock_nanosleep *", 0, "who sleeps asks the clock afterwards"},
    {"waitpid *", 0, "interrupted, and asked again"},
    /* Exactness that not every machine gives. A run is late then, not wrong. */
    {"sched_setaffinity *", 0, "where the bench runs"},
    {"sched_setscheduler *", 0, "how urgent it is"},
    {"prctl *", 0, "how exact its timers are"},
    {"fcntl 1031", 0, "the pipe for a run's result is as large as pipes are"},
    {"fcntl 1", 0, "whether descriptors 0 to 2 are open: F_GETFD cannot fail on one that is"},
    {"sigaction *", 0, "the kernel has no way to refuse it"},
};

static bool faults_is_borne(const char *call, int status)
{
    for (size_t i = 0; i < sizeof(faults_borne) / sizeof(faults_borne[0]); i++)
        if (faults_borne[i].status == (status == 5 ? 0 : status) &&
            fnmatch(faults_borne[i].call, call, 0) == 0)
            return true;
    return false;
}

/* The scripts, one for each kind of stream. */
static void faults_write_script(const char *name, const char *family, const char *kind,
                                const char *end)
{
    char path[VICTIM_PATH_BYTES];

    (void)snprintf(path, sizeof(path), SEALED_FOLDER "/faults/%s.scn", name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "scenario faults/%s\nabout    \"Bytes come and end.\"\n"
                  "topology\n  link     sut peer\n  family   %s\n"
                  "reactor\n  trigger  et\n  app      sink\n"
                  "run\n  tolerance 10s\n"
                  "peers\n  c  %s\n"
                  "timeline\n  0ms  c connect\n  1ms  c send \"hello\"\n  2ms  c send \"world\"\n"
                  "  3ms  c %s\n"
                  "expect\n  c  bytes \"helloworld\"\n  c  end clean\n", name, family, kind,
            end);
    assert_int_equal(fclose(file), 0);
}

static void faults_map_sheet(void)
{
    int fd = open(FAULTS_SHEET, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, sizeof(*faults_sheet)), 0);
    faults_sheet = mmap(NULL, sizeof(*faults_sheet), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(faults_sheet != MAP_FAILED);
    (void)close(fd);
}

/* Runs the program; the exit status, what it wrote in *ret_text. */
static int faults_run(const struct victim_start *start, char **ret_text)
{
    struct victim victim;

    assert_int_equal(victim_begin(&victim, start), 0);
    faults_program = victim.pid;
    int status = victim_end(&victim, FAULTS_END_MS, ret_text);
    return status < 0 ? status : victim_status(status);
}

static void faults_need_nothing_left(const char *what)
{
    char remains[SEALED_TEXT_BYTES];

    if (sealed_await_nothing(FAULTS_CLEAN_MS, remains) < 0)
        fail_msg("%s: left %s", what, remains);
}

static int faults_remove_one(const char *path, const struct stat *about, int kind,
                             struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

/* With the sheet as it is, and nothing written before. */
static int faults_run_script(const char *script, const char *option, char **ret_text)
{
    const struct victim_start start = {
        .words = {"scenario", script, "--out", "out", option}, .sheet = FAULTS_SHEET, .limit = -1,
    };

    (void)nftw(SEALED_FOLDER "/out", faults_remove_one, 8, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < FAILING_COUNT; i++)
        atomic_store(&faults_sheet->counts[i], 0);
    atomic_store(&faults_sheet->failed, 0);
    faults_sheet->what[0] = '\0';
    return faults_run(&start, ret_text);
}

static void faults_bless(const char *script)
{
    char *text;

    faults_sheet->nth = 0;
    int status = faults_run_script(script, "--bless", &text);
    if (status != 0)
        fail_msg("%s: status %d:\n%s", script, status, text);
    free(text);
}

static int faults_setup(void **state)
{
    static char why[SEALED_TEXT_BYTES];

    if (sealed_enter(why) < 0) {
        *state = why;
        return 0;
    }
    if (mkdir(SEALED_FOLDER "/faults", 0755) < 0)
        return -1;
    faults_map_sheet();
    faults_write_script("tcp", "ipv4", "tcp", "shutdown write");
    faults_write_script("unix", "unix", "stream", "shutdown write");
    faults_write_script("pipe", "pipe", "pipe", "close");
    faults_bless("faults/tcp.scn");
    faults_bless("faults/unix.scn");
    faults_bless("faults/pipe.scn");
    return 0;
}

static void faults_need_world(void **state)
{
    if (*state) {
        printf("%s\n", (const char *)*state);
        skip();
    }
}

/* "what was tried: why it failed", and never the why alone. */
static bool faults_names_step(const char *text, int error)
{
    char why[128];
    char *line = strdup(text);
    bool named;

    assert_non_null(line);
    victim_unbreak(line);
    (void)snprintf(why, sizeof(why), ": %s", strerror(error));
    named = strstr(line, why) != NULL;
    free(line);
    return named;
}

/* Call number nth of the function fails; false: it did not come to that. */
static bool faults_fail_one(const char *script, size_t function, uint32_t nth, int error)
{
    char what[FAILING_WHAT_BYTES + 100];
    char *text;

    faults_sheet->function = (enum failing_function)function;
    faults_sheet->nth = nth;
    faults_sheet->error = error;
    int status = faults_run_script(script, NULL, &text);
    bool failed = atomic_load(&faults_sheet->failed) > 0;
    (void)snprintf(what, sizeof(what), "%s: %s number %u (%s) fails with %s", script,
                   faults_names[function].name, nth, faults_sheet->what, strerrorname_np(error));
    bool told = (status == 3 || status == 4) && faults_names_step(text, error);
    bool fine = status == 0 || status == 5;
    if (failed && !(fine && faults_is_trial()))
        fine = told || faults_is_borne(faults_sheet->what, status);
    if (!fine) {
        printf("%s%s: exit status %d\n", text, what, status);
        faults_wrong++;
    }
    free(text);
    faults_need_nothing_left(what);
    return failed;
}

/* Each call of the function is interrupted once: none is given up for that. */
static inline void faults_interrupt(const char *script, enum failing_function function)
{
    bool failed = true;

    for (uint32_t nth = 1; failed; nth++) {
        char *text;

        faults_sheet->function = function;
        faults_sheet->nth = nth;
        faults_sheet->error = EINTR;
        int status = faults_run_script(script, NULL, &text);
        failed = atomic_load(&faults_sheet->failed) > 0;
        if (status != 0 && status != 5)
            fail_msg("%s: %s number %u (%s) is interrupted: exit status %d:\n%s", script,
                     faults_names[function].name, nth, faults_sheet->what, status, text);
        free(text);
    }
}

/* Which of many calls: all, or of those in the middle only some. */
static bool faults_take(uint32_t nth, uint32_t count, uint32_t most)
{
    uint32_t edge = most / 3;

    assert_true(edge > 0);
    return count <= most || nth <= edge || nth > count - edge || nth % (count / edge) == 0;
}

/* Every function; of each about `most` calls, at least 3. */
static inline void faults_walk(const char *script, uint32_t most)
{
    uint32_t counts[FAILING_COUNT];
    char *text;

    faults_wrong = 0;
    faults_sheet->nth = 0;
    int status = faults_run_script(script, NULL, &text);
    assert_true(status == 0 || status == 5);
    free(text);
    for (size_t i = 0; i < FAILING_COUNT; i++)
        counts[i] = atomic_load(&faults_sheet->counts[i]);
    /* The library is there, and the program goes through it. */
    assert_true(counts[FAILING_socket] > 0);
    for (size_t i = 0; i < FAILING_COUNT; i++)
        for (uint32_t nth = 1; nth <= counts[i]; nth++)
            if (faults_take(nth, counts[i], most))
                (void)faults_fail_one(script, i, nth, faults_names[i].error);
    char remains[SEALED_TEXT_BYTES];
    if (sealed_await_no_namespace(FAULTS_CLEAN_MS, remains) < 0)
        fail_msg("%s: left %s", script, remains);
    assert_int_equal(faults_wrong, 0);
}

#endif
