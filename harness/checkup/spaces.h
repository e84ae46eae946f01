/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_SPACES_H
#define EDGEWISE_HARNESS_CHECKUP_SPACES_H

/* Namespaces, made to see whether they can be. All but spaces_short are for a child process
 * (aside_run): they change the process for good. */

/* A user namespace that gives the rights to make a network namespace: 0 or -errno. */
int spaces_try_user(void *arg, char *text);

/* Whether a filter on system calls refuses namespaces, whatever the rights: 0, or -EPERM. */
int spaces_try_filter(void *arg, char *text);

/* A network namespace of its own for this process, through a user namespace where that is what
 * makes it possible. 0, or -errno and `text` (ASIDE_TEXT_BYTES) filled. */
int spaces_enter(char *text);

/*
 * The limit below user. that is too low for a run, "max_net_namespaces" say, or NULL. It is found
 * out by making as many namespaces as a run does, since the limits of the user namespaces that
 * contain ours cannot be read; and by reading our own, since the namespaces of the last run go a
 * moment after it.
 */
const char *spaces_short(void);

#endif
