/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_SPACE_H
#define EDGEWISE_NETNS_SPACE_H

#include "netns/failure.h"

/* A network namespace, held by one descriptor: no mount, no name, no helper program.
 * The kernel frees it, with every interface inside, once the last descriptor, process and socket
 * that refers to it is gone. All functions act on the calling thread only. */
struct space {
    int fd; /* of the namespace, close-on-exec; -1: none */
};

#define SPACE_NONE ((struct space){.fd = -1})

/* Makes a new network namespace; the calling thread is back in its own when this returns.
 * Needs CAP_SYS_ADMIN: root, or space_user_enter() before. Errors: -EPERM, -ENOSPC (the limit
 * user.max_net_namespaces), -EMFILE, -ENOENT (no /proc). The caller closes with space_close(). */
int space_open(struct space *ret_space, struct failure *failure);

/* Lets go of a namespace; harmless on SPACE_NONE and when called twice. */
void space_close(struct space *space);

/* Moves the calling thread into a namespace and gives the one it was in; the caller hands that to
 * space_leave(). Sockets opened in between belong to the namespace for as long as they live. */
int space_enter(const struct space *space, struct space *ret_previous, struct failure *failure);

/* Moves the calling thread back and closes *previous. After an error the thread is still in the
 * namespace that it had entered, and *previous is still open. */
int space_leave(struct space *previous, struct failure *failure);

/* Calls run(arg) inside the namespace. Returns what run returned, or -errno if the thread could
 * not enter (run was not called) or not come back. */
int space_run(const struct space *space, int (*run)(void *arg), void *arg,
              struct failure *failure);

/* socket(2) inside the namespace, close-on-exec. Returns the descriptor or -errno. */
int space_socket(const struct space *space, int domain, int type, int protocol,
                 struct failure *failure);

/* The way without root: moves the whole process, for good, into a new user namespace that maps
 * only its own uid and gid (to root, so that it has every capability inside), and into a new empty
 * network namespace, because from inside nobody may ever return to the old one. Afterwards the
 * functions of this folder work as for root.
 * The process must have one thread (-EINVAL). Refusals: -ENOSPC (user.max_user_namespaces), -EPERM
 * (seccomp, AppArmor, chroot, kernel.unprivileged_userns_clone; root: no CAP_SETFCAP); the text
 * names the switch. After
 * an error the process may be in the new namespaces without an identity and should exit. */
int space_user_enter(struct failure *failure);

#endif
