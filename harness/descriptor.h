/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_DESCRIPTOR_H
#define EDGEWISE_HARNESS_DESCRIPTOR_H

/* Passing a descriptor to another process over a UNIX socket (SCM_RIGHTS). The sender should close
 * its own copy at once: as long as it lives, the far end sees no end (E3). */

/* Sends a copy of `fd`. 0 or -errno. */
int descriptor_send(int socket, int fd);

/* Takes one; nonblocking and close-on-exec. The descriptor or -errno; -ENOMSG when none came
 * along. */
int descriptor_receive(int socket);

#endif
