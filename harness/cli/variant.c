/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/variant.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/version.h"
#include "harness/memory.h"

#define PROGRAM "/defects/edgewise"

#ifdef DEFECTS
#define HAS_DEFECTS true
#else
#define HAS_DEFECTS false
#endif

/* The other program's path, which the caller frees. */
static char *other_program(void)
{
    char own[PATH_MAX] = "";
    ssize_t size = readlink("/proc/self/exe", own, sizeof(own) - 1);
    char *slash;
    char *path = NULL;

    own[size < 0 ? 0 : size] = '\0';
    slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    memory_must(asprintf(&path, "%s%s", own, PROGRAM) < 0 ? NULL : path);
    return path;
}

/* Returns only when it cannot; -errno. */
static int become(const char *path, char *const *words)
{
    size_t count = 0;
    char **argv;
    int error;

    while (words[count])
        count++;
    argv = memory_zeroed(count + 2, sizeof(*argv));
    argv[0] = (char *)(uintptr_t)path;
    memcpy(argv + 1, words, count * sizeof(*argv));
    (void)execv(path, argv);
    error = errno;
    free(argv);
    return -error;
}

/* By the launcher's path: a checkout can build it, an installed program cannot. */
static void tell_command(const struct program *program, struct lines *said)
{
    const char *slash = strrchr(program->bare, '/');
    int length = slash ? (int)(slash - program->bare) : 0;

    if (strcmp(program->bare, "./run") == 0)
        lines_add(said, "%s: type: make DEFECTS=1", VERSION_TOOL);
    else if (slash)
        lines_add(said, "%s: type: make -C %.*s DEFECTS=1", VERSION_TOOL, length, program->bare);
    else
        lines_add(said, "%s: ./run in a checkout builds it", VERSION_TOOL);
}

int variant_become(const struct verbs_call *call, struct lines *said)
{
    char *path;
    int rc;

    if (!call->options->defect || HAS_DEFECTS)
        return STATUS_OK;
    path = other_program();
    rc = become(path, call->words);
    lines_add(said, "%s: --defect needs the build that has them, %s: %s", VERSION_TOOL, path,
              strerror(-rc));
    tell_command(call->program, said);
    free(path);
    return STATUS_CANNOT;
}
