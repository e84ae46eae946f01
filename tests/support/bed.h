/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_BED_H
#define EDGEWISE_TESTS_SUPPORT_BED_H

/* A reactor over the fake kernel, ready for a test to drive by hand. */

#include "core/reactor.h"
#include "tests/support/fake_os.h"

/* One reactor over a fake kernel, and what its callbacks saw. */
struct bed {
    struct fake_os kernel;
    struct reactor *r;
    struct reactor_protocol protocol;
    struct reactor_config config;
    bool manual; /* frames are kept until the test releases them */
    char got[256]; /* bytes as they come; frames each with a full stop behind */
    uint32_t opens;
    uint32_t closes;
    uint32_t ends;
    enum reader_outcome outcome;
    int error;
    uint64_t posted;
    struct identity last;
    void (*on_frame)(struct bed *bed, struct identity id);
    void (*on_close)(struct bed *bed, uint64_t tag);
};

/* Raw bytes, two a quantum, one attempt: the exercise of W1. The test may change the config. */
struct bed *bed_new(void);

/* Frames of at most 3 bytes behind a header of 2, credit 9: the exercise of W6. */
struct bed *bed_new_framed(void);

/* Opens the reactor. */
void bed_start(struct bed *bed);

/* A new stream, in service. */
struct identity bed_adopt(struct bed *bed, int *ret_fd);

/* Rounds until the reactor would sleep; a bound makes a spin a failure. */
void bed_run_idle(struct bed *bed);

/* Fails unless the source is in `state` with this credit. */
void bed_expect(struct bed *bed, struct identity id, enum reader_state state, uint32_t used,
                uint32_t reserved);

/* Frees the reactor and the bed. */
void bed_free(struct bed *bed);

#endif
