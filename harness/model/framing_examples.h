/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_FRAMING_EXAMPLES_H
#define EDGEWISE_HARNESS_MODEL_FRAMING_EXAMPLES_H

/* The worked examples of framing, with the figures that the requirement states (W6, W8). */

#include "harness/model/checks.h"
#include "harness/model/framing.h"

#define FRAMING_EXAMPLES_NONE UINT32_MAX /* a figure that the requirement does not state */

/* The script of W6, which is played when nothing else is asked for. */
#define FRAMING_EXAMPLES_SCRIPT \
    "in:00 run in:034341 run in:5400024f4b run consume run consume run eof run"

struct framing_example {
    const char *name;
    const char *about; /* one sentence */
    const char *covers;
    const char *script;
    enum reactor_trigger trigger;
    uint32_t frames;   /* f, k; cap, FMAX and q are 9, 5 and 9 */
    uint32_t attempts;
    const char *const *rows; /* as framing_value_text; NULL: only the figures; NULL behind them */
    const char *delivered;   /* the payloads, each with a `.` behind it */
    enum reader_state state;
    enum reader_outcome outcome;
    uint32_t peak, final; /* of used + reserved */
    uint32_t quanta, reads;
};

/* How many there are. */
size_t framing_examples_count(void);

/* Example `i`. */
const struct framing_example *framing_examples_at(size_t i);

/* What is to be played for one; static text, so this cannot fail. */
void framing_examples_play(const struct framing_example *example, struct framing *ret_framing);

/* The example that plays the same, or NULL. */
const struct framing_example *framing_examples_find(const struct framing *framing);

/* Holds a ledger against the figures of its example. */
void framing_examples_check(const struct framing_example *example,
                            const struct framing_ledger *ledger, struct checks *checks);

/* What is to be played for a script that is right, with cap, FMAX and q as above. `script` is
 * borrowed. */
void framing_examples_make(const char *script, uint32_t frames, uint32_t attempts,
                           struct framing *ret_framing);

/* Checks which payloads were delivered: each with a `.` behind it. */
void framing_examples_delivered(const struct framing_ledger *ledger, const char *expected,
                                struct checks *checks);

#endif
