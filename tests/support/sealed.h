/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_SEALED_H
#define EDGEWISE_TESTS_SUPPORT_SEALED_H

/*
 * A world of its own for one test program, in which whatever somebody leaves behind is seen and
 * counted apart from the rest of the machine: new user, network, mount and IPC namespaces, a fresh
 * /dev/shm, and every orphan becomes a child of the test.
 */

#include <stdbool.h>

/* Where the programs under test work: a folder in memory, with an empty one for `scenarios`. */
#define SEALED_FOLDER "/dev/shm/run"

#define SEALED_TEXT_BYTES 400

/* Enters it, for good; the process must have one thread and no children. 0, or -errno with the step
 * that failed in `text` of SEALED_TEXT_BYTES. */
int sealed_enter(char *text);

/* Whether namespaces are counted: not where /proc/sys cannot be written. */
bool sealed_counts_namespaces(void);

/* Waits, at most for limit_ms, until nothing remains of what was started here: no process, link,
 * shared memory, and nothing in SEALED_FOLDER/out but whole artefacts. 0, or -ETIMEDOUT with the
 * first thing that still is there in `text` of SEALED_TEXT_BYTES. */
int sealed_await_nothing(int limit_ms, char *text);

/* The same, and then the network and PID namespaces, which the kernel takes down at its leisure. */
int sealed_await_no_namespace(int limit_ms, char *text);

#endif
