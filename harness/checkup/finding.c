/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/finding.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const state_names[] = {
#define X(name, text) [FINDING_##name] = text,
    FINDING_STATES(X)
#undef X
};
_Static_assert(sizeof(state_names) / sizeof(*state_names) == FINDING_STATE_COUNT, "a name each");

void finding_say(struct finding *finding, const char *format, ...)
{
    size_t used = strlen(finding->found);
    va_list args;

    va_start(args, format);
    vsnprintf(finding->found + used, sizeof(finding->found) - used, format, args);
    va_end(args);
}

static void __attribute__((format(printf, 4, 0)))
lack(struct finding *finding, enum finding_state state, bool typed, const char *format,
     va_list args)
{
    assert(state != FINDING_OK);
    finding->state = state;
    finding->typed = typed;
    vsnprintf(finding->mend, sizeof(finding->mend), format, args);
}

void finding_mend(struct finding *finding, enum finding_state state, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    lack(finding, state, true, format, args);
    va_end(args);
}

void finding_advise(struct finding *finding, enum finding_state state, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    lack(finding, state, false, format, args);
    va_end(args);
}

const char *finding_state_name(enum finding_state state)
{
    assert(state < FINDING_STATE_COUNT);
    return state_names[state];
}
