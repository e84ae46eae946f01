/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_FRAMING_SCRIPT_H
#define EDGEWISE_HARNESS_MODEL_FRAMING_SCRIPT_H

/*
 * What happens around a reactor, as words with blanks between them:
 *
 *     in:HEX       bytes arrive
 *     run[:N]      the reactor runs until it would sleep, or for N quanta
 *     consume[:N]  the oldest frame, or the N oldest, are given back
 *     eof          the stream ends behind what arrived
 *     reset        a reset follows what arrived
 *     eintr:N      the next N reads are interrupted
 *     notify       a notice comes, with nothing behind it
 */

#include <stddef.h>
#include <stdint.h>

#define FRAMING_SCRIPT_WORDS_MAX 256
#define FRAMING_SCRIPT_BYTES_MAX 4096
#define FRAMING_SCRIPT_COUNT_MAX 10000
#define FRAMING_SCRIPT_INTERRUPTIONS_MAX 16 /* words eintr:N */

#define FRAMING_SCRIPT_VERBS(X) \
    X(IN, "in")                 \
    X(RUN, "run")               \
    X(CONSUME, "consume")       \
    X(EOF, "eof")               \
    X(RESET, "reset")           \
    X(EINTR, "eintr")           \
    X(NOTIFY, "notify")

enum framing_script_verb {
#define X(name, text) FRAMING_SCRIPT_##name,
    FRAMING_SCRIPT_VERBS(X)
#undef X
        FRAMING_SCRIPT_VERB_COUNT
};

struct framing_script_word {
    uint8_t verb;   /* enum framing_script_verb */
    uint32_t count; /* RUN: quanta, 0: until it would sleep; CONSUME, EINTR */
    uint32_t at;    /* IN: its bytes */
    uint32_t size;
};

struct framing_script {
    struct framing_script_word words[FRAMING_SCRIPT_WORDS_MAX];
    uint32_t word_count;
    uint8_t bytes[FRAMING_SCRIPT_BYTES_MAX]; /* all that arrives, in order */
    uint32_t byte_count;
    const char *text; /* as it was read; borrowed */
};

/* Reads a script. 0; -EINVAL with what is wrong, and what would be right, in `ret_error`. */
int framing_script_read(const char *text, struct framing_script *ret_script, size_t error_size,
                        char *ret_error);

#endif
