/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_CALLERS_H
#define EDGEWISE_HARNESS_SUT_CALLERS_H

/*
 * Which peer a connection comes from. Each peer calls from an address of its own, so the answer
 * does not depend on the order in which a kernel lets connections through, which a full backlog
 * changes. A decorator over os.h looks at the address when the connection is accepted; later, when
 * the caller has reset it, a socket has none any more.
 */

#include <sys/socket.h>

#include "core/os.h"
#include "harness/script/plan.h"

/* The port over IP of peer 0; then one after the other. */
#define CALLERS_PORT 7001
/* Room for the abstract name of a peer over UNIX. */
#define CALLERS_NAME_MAX 32

struct callers {
    struct os inner; /* first: os_pass */
    /* The next source is `peer`'s, PLAN_NOBODY when nobody knows; before its row is written. */
    void (*heard)(void *arg, uint32_t peer);
    /* The next connection of listener `fd`, and where it comes from; errors as os_accept. */
    int (*accept)(void *arg, int fd, struct sockaddr_storage *ret_address, socklen_t *ret_length);
    void *arg;
};

/* Wraps a table; `callers` must stay where it is as long as the table is used. Connections come
 * from the real kernel, unless `callers->accept` is set to something else afterwards. */
struct os callers_wrap(struct callers *callers, struct os inner,
                       void (*heard)(void *arg, uint32_t peer), void *arg);

/* The abstract name over UNIX that `peer` calls from. */
void callers_name(uint32_t peer, char ret_name[CALLERS_NAME_MAX]);

/* The peer that has `address`, PLAN_NOBODY when none has. */
uint32_t callers_peer(const void *address, size_t length);

#endif
