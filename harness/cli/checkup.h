/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_CHECKUP_H
#define EDGEWISE_HARNESS_CLI_CHECKUP_H

/* What this machine offers, found out by trying rather than by asking what is configured. */

#include <stdbool.h>
#include <stddef.h>

#include "harness/lines.h"

#define CHECKUP_STATES(X)                                          \
    X(OK, "ok")                                                    \
    X(NOTE, "note")       /* something is missing that few need */ \
    X(MISSING, "missing") /* no scenario can run */

enum checkup_state {
#define X(name, text) CHECKUP_##name,
    CHECKUP_STATES(X)
#undef X
        CHECKUP_STATE_COUNT
};

struct checkup_row {
    const char *check;  /* static */
    const char *needed; /* what for; static */
    enum checkup_state state;
    char found[256];
    char mend[320]; /* "" when there is nothing to mend */
};

/* What this process may do; a user namespace that is entered later would hide it. */
struct checkup_rights {
    bool root;
    bool all; /* every capability that a world needs */
};

/* Those that it has now. */
struct checkup_rights checkup_rights(void);

/*
 * What mends that a process with these rights was refused a world, the most likely first: commands
 * to be typed, none when only sudo helps. For root there is always one.
 */
void checkup_mend(struct checkup_rights rights, struct lines *ret_commands);

/* The rows there are. */
size_t checkup_count(void);

/* Tries row `index`. Some tries need a child process; none leaves anything behind. */
void checkup_try(size_t index, struct checkup_row *ret_row);

/* "ok", "note", "missing". */
const char *checkup_state_name(enum checkup_state state);

#endif
