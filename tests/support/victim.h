/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_VICTIM_H
#define EDGEWISE_TESTS_SUPPORT_VICTIM_H

/* The program itself, started as by a person, to be hurt from outside. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

#define VICTIM_WORDS_MAX 24
#define VICTIM_PATH_BYTES 4096

struct victim_start {
    const char *words[VICTIM_WORDS_MAX]; /* behind the program's name, NULL at the end */
    const char *sheet; /* for failing.so (tests/breaking/failing.h); NULL: not loaded */
    int limit;         /* RLIMIT_...; -1: none is set */
    rlim_t limit_value;
    const char *output; /* standard output's file; NULL: kept; "": closed */
};

struct victim {
    pid_t pid;
    int output; /* a pipe: standard error, and standard output unless it is elsewhere */
};

/* A process of the program: victim_find. */
enum victim_process {
    VICTIM_BENCH, /* the one that was started */
    VICTIM_RUN,   /* a child of it outside of every PID namespace; there may be none */
    VICTIM_INIT,  /* pid 1 of the sut's PID namespace */
    VICTIM_SUT,   /* pid 2 of it */
    VICTIM_PROCESSES,
};

/* A file beside this test program in the build folder: "edgewise", "tests/breaking/failing.so". */
void victim_built(const char *name, char path[VICTIM_PATH_BYTES]);

/* Starts it in SEALED_FOLDER. 0 or -errno. */
int victim_begin(struct victim *ret_victim, const struct victim_start *start);

/* The process now, -1: there is none. */
pid_t victim_find(const struct victim *victim, enum victim_process which);

/* Waits for its end, at most limit_ms; a process that does not end is killed with all of its
 * descendants. The wait status or -ETIMEDOUT; *ret_text is what it wrote, to be freed. */
int victim_end(struct victim *victim, int limit_ms, char **ret_text);

/* What a shell would call the status: 128 and the signal's number for one that was killed. */
int victim_status(int wait_status);

/* Joins the lines that a report was broken into, with one blank between words. */
void victim_unbreak(char *text);

#endif
