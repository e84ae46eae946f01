/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_DESCRIPTOR_H
#define EDGEWISE_HARNESS_DESCRIPTOR_H

/* Passing a descriptor to another process over a UNIX socket (SCM_RIGHTS). The sender should close
 * its own copy at once: as long as it lives, the far end sees no end (E3). */

/* Makes sure that descriptors 0, 1 and 2 are taken, so that no socket or file is opened as one of
 * them and reports are written into it. What the caller left closed can be neither read nor
 * written: -EBADF. 0 or -errno. To be called first of all. */
int descriptor_hold_standard(void);

/* Sends a copy of `fd`. 0 or -errno. */
int descriptor_send(int socket, int fd);

/* Takes one; nonblocking and close-on-exec. The descriptor or -errno; -ENOMSG when none came
 * along. */
int descriptor_receive(int socket);

#endif
