/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_PRETEND_H
#define EDGEWISE_TESTS_SUPPORT_PRETEND_H

/* What a conductor needs around it, without any kernel. */

#include "harness/sut/sut.h"
#include "harness/world/world.h"

#define PRETEND_PIPES 4

struct pretend_pipe {
    size_t held;
    size_t lost; /* taken from the peer, and never seen again */
    bool closed;
};

/* A kernel of pipes that only count, whose clock moves when somebody waits; a world around it; and
 * a sut that reads from the pipes and says what it was told to say. */
struct pretend {
    struct instant now;
    struct pretend_pipe pipes[PRETEND_PIPES];
    int pipe_count;
    size_t room;
    size_t lose;   /* of the next bytes written */
    long fail_unread;
    long fail_write;
    unsigned collects;
    unsigned finishes;
    unsigned interrupt_after; /* pumps; 0: never */
    unsigned pumps;

    /* The sut. */
    struct journal *journal;
    struct lines grants;
    unsigned grant_count;
    size_t appetite;     /* bytes of each pipe that one grant reads */
    int fail_grant;      /* what grant number `fail_at` (from 1) says */
    unsigned fail_at;
    enum sut_status status_at; /* the status of grant number `limit_at` */
    unsigned limit_at;
    struct instant alarm; /* what it waits for until it has come */
    bool ended[PRETEND_PIPES];
    int adopted;
    enum happened_fate fate;
    const char *fate_text;
};

/* Nothing goes wrong: pipes with room, a sut that reads all there is and stops when told. */
void pretend_init(struct pretend *pretend);
/* Frees what it has written down. */
void pretend_free(struct pretend *pretend);

/* The world, and the sut in it; both borrow `pretend`. */
struct world pretend_world(struct pretend *pretend);
struct sut pretend_sut(struct pretend *pretend);

#endif
