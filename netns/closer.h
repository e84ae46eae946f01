/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_CLOSER_H
#define EDGEWISE_NETNS_CLOSER_H

/* Threads that close what is slow to close. They are started at the first need, block every signal
 * and then only wait, close and wait again: they never take a lock, touch malloc's memory or end,
 * so that the process may be cloned at any moment without the care that fork() takes. */

/* Closes fd in the background; within the call when too many wait already, when there is no thread,
 * or in a process that was forked from the one that has them. From any thread. */
void closer_close(int fd);

#endif
