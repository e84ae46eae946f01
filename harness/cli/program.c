/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A build lies at build/edgewise or build/VARIANT/edgewise below the checkout. */
#define LEVELS_MAX 3

static bool is_directory(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool find_checkout(const char *folder, char *root)
{
    char path[PATH_MAX + 32];

    snprintf(root, PATH_MAX, "%s", folder);
    for (int i = 0; i < LEVELS_MAX; i++) {
        char *slash = strrchr(root, '/');

        if (!slash || slash == root)
            return false;
        *slash = '\0';
        snprintf(path, sizeof(path), "%s/run", root);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* The launcher as it is typed from the current directory. */
static void name_launcher(const char *root, struct program *program)
{
    char here[PATH_MAX];

    if (getcwd(here, sizeof(here)) && strcmp(here, root) == 0)
        snprintf(program->bare, sizeof(program->bare), "./run");
    else
        snprintf(program->bare, sizeof(program->bare), "%s/run", root);
}

static void find_scenarios(const char *folder, const char *root, struct program *program)
{
    const char *given = getenv("EDGEWISE_SCENARIOS");
    char here[PATH_MAX];

    if (given && *given) {
        snprintf(program->scenarios, sizeof(program->scenarios), "%.*s", PATH_MAX, given);
        return;
    }
    if (root && getcwd(here, sizeof(here)) && strcmp(here, root) == 0)
        snprintf(program->scenarios, sizeof(program->scenarios), "scenarios"); /* easier to read */
    else if (root)
        snprintf(program->scenarios, sizeof(program->scenarios), "%s/scenarios", root);
    else
        snprintf(program->scenarios, sizeof(program->scenarios), "%s/../share/edgewise", folder);
    if (!is_directory(program->scenarios))
        program->scenarios[0] = '\0';
}

void program_find(struct program *ret_program)
{
    char folder[PATH_MAX] = "";
    char root[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    char *slash;
    bool checkout;

    *ret_program = (struct program){0};
    folder[size < 0 ? 0 : size] = '\0';
    checkout = find_checkout(folder, root);
    slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    if (checkout)
        name_launcher(root, ret_program);
    else
        snprintf(ret_program->bare, sizeof(ret_program->bare), "edgewise");
    find_scenarios(folder, checkout ? root : NULL, ret_program);
    snprintf(ret_program->command, sizeof(ret_program->command), "%s%.*s",
             geteuid() == 0 && getenv("SUDO_UID") ? "sudo " : "", PATH_MAX, ret_program->bare);
}
