/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All scenarios in the simulated world, by the program itself: scripts read, processes forked,
 * ledgers judged, artefacts written to a temporary folder.
 *
 *     bench_world [--quick]
 */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/figures.h"

#define RUNS       9
#define RUNS_QUICK 1
#define GOAL_S     1.0

static double now_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void must(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "bench_world: %s failed\n", what);
    exit(3);
}

/* The program that was built beside this one. */
static void find_program(char program[PATH_MAX])
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

    must(length > 0, "readlink");
    self[length] = '\0';
    must(snprintf(program, PATH_MAX, "%s/../../edgewise", dirname(self)) < PATH_MAX, "its path");
}

/* Its exit status must be 0; what it prints is nobody's. */
static void carry_out(const char *const words[])
{
    posix_spawn_file_actions_t quiet;
    int status;
    pid_t pid;

    must(posix_spawn_file_actions_init(&quiet) == 0 &&
             posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0) == 0,
         "memory");
    must(posix_spawnp(&pid, words[0], &quiet, NULL, (char *const *)(uintptr_t)words, environ) == 0,
         words[0]);
    must(waitpid(pid, &status, 0) == pid && status == 0, words[0]);
    (void)posix_spawn_file_actions_destroy(&quiet);
}

static double run(const char *program, const char *out, unsigned jobs)
{
    char number[16];
    const char *const words[] = {program, "scenario", "all",    "--world", "sim", "-q",
                                 "-j",    number,     "--out", out,       NULL};
    double begin = now_s();

    (void)snprintf(number, sizeof(number), "%u", jobs);
    carry_out(words);
    return now_s() - begin;
}

static void tell(const char *program, const char *out, unsigned jobs, int runs)
{
    struct figures seconds = {0};
    char name[32];

    for (int i = 0; i < runs; i++)
        figures_add(&seconds, run(program, out, jobs));
    printf("  with -j %u              %8.3f s     (goal %.0f)\n", jobs,
           figures_at(&seconds, 0.5), GOAL_S);
    (void)snprintf(name, sizeof(name), "world_sim_all_j%u", jobs);
    figures_tell(name, figures_at(&seconds, 0.5), "s");
    figures_free(&seconds);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 && strcmp(argv[1], "--quick") == 0 ? RUNS_QUICK : RUNS;
    char folder[] = "/tmp/bench_world.XXXXXX";
    char program[PATH_MAX], out[64];

    find_program(program);
    must(mkdtemp(folder), "mkdtemp");
    (void)snprintf(out, sizeof(out), "%s/out", folder);
    printf("All scenarios in the simulated world (median)\n");
    tell(program, out, 1, runs);
    tell(program, out, 2, runs);
    printf("\n");
    carry_out((const char *const[]){"rm", "-r", folder, NULL});
    return 0;
}
