/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_SUBJECT_H
#define EDGEWISE_HARNESS_SUT_SUBJECT_H

/*
 * Our reactor as a sut, whatever kernel it is on: the listener, the decorators, the application,
 * the verbs, and the last word. Who has it decides on which kernel it runs, in which process, and
 * how the turn comes and goes.
 */

#include "core/os_gate.h"
#include "core/os_record.h"
#include "harness/sut/app_sink.h"
#include "harness/sut/block.h"
#include "harness/sut/callers.h"
#include "harness/sut/faults.h"
#include "harness/sut/gatekeeper.h"
#include "harness/sut/spoiler.h"
#include "harness/sut/turnstile.h"
#include "harness/sys.h"

struct subject_config {
    struct block *block; /* borrowed, as all that is pointed at */
    const struct plan *plan;
    enum reactor_trigger trigger;
    enum plan_family family;
    enum defects defect;
    bool free_pace; /* the reactor sleeps in its kernel; orders come by subject_post */
    struct sys sys; /* for the listener; may be set until subject_open, as `os` */
    struct os os;
    /* A descriptor for ADOPT, or -errno. */
    int (*receive)(void *arg);
    /* As in callers.h; NULL: from the real kernel. */
    int (*accept)(void *arg, int fd, struct sockaddr_storage *ret_address, socklen_t *ret_length);
    /* As in gatekeeper.h; NULL: sleeps at the handover. */
    void (*rest)(void *arg);
    void *arg;
};

struct subject {
    struct subject_config config;
    struct callers callers;
    struct faults faults;
    struct spoiler spoiler;
    struct os_record record;
    struct os_gate gate;        /* lock-step */
    struct turnstile turnstile; /* free pace */
    struct gatekeeper keeper;
    struct app_sink app;
    struct reader_rules rules;
    struct reactor_protocol protocol;
    struct reactor *reactor;
    struct identity listener;
    uint32_t caller; /* the peer of the source that comes into service next */
};

/* Prepares a subject, which stays where it is. The mark of its defect is this process's from here
 * on. Cannot fail. */
void subject_init(struct subject *subject, const struct subject_config *config);

/* Opens the reactor and brings its listener into service. 0, or -errno with the step that
 * failed. */
int subject_open(struct subject *subject, const char **ret_step);

/* Runs until it is told to stop, and says its last word. 0, or what the reactor gave up with. */
int subject_run(struct subject *subject);

/* The last word of one that could not go on: "bind: Address already in use". Returns `rc`. */
int subject_fail(struct subject *subject, const char *step, int rc);

/* Frees what it holds; its kernel, with the descriptors there, is the caller's. Never while
 * subject_run is under way and goes on. */
void subject_close(struct subject *subject);

#endif
