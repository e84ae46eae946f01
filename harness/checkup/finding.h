/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_FINDING_H
#define EDGEWISE_HARNESS_CHECKUP_FINDING_H

/* One row of what a checkup found, and what mends it. */

#include <stdbool.h>

#define FINDING_STATES(X)                                          \
    X(OK, "ok")                                                    \
    X(NOTE, "note")       /* something is missing that few need */ \
    X(MISSING, "missing") /* no scenario can run on the real kernel */

enum finding_state {
#define X(name, text) FINDING_##name,
    FINDING_STATES(X)
#undef X
        FINDING_STATE_COUNT
};

struct finding {
    const char *group;  /* static */
    const char *check;  /* static */
    const char *needed; /* what for; static */
    enum finding_state state;
    char found[320];
    char mend[320]; /* "" when there is nothing to mend */
    bool typed;     /* `mend` is a command for a shell, not a sentence for a person */
};

/* Appends to what was found, as much of it as fits. */
void finding_say(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* It is not as it should be, and this command mends it. Later ones win. */
void finding_mend(struct finding *finding, enum finding_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same where no command can be given. */
void finding_advise(struct finding *finding, enum finding_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "ok", "note", "missing". */
const char *finding_state_name(enum finding_state state);

#endif
