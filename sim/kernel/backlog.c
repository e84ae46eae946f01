/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/backlog.h"

#include "sim/kernel/description.h"
#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/name.h"
#include "sim/kernel/socket.h"
#include "sim/kernel/table.h"

bool backlog_blocks(const struct kernel *k, uint32_t process, int fd)
{
    uint32_t handle = table_get(k, process, fd);
    const struct socket *self;
    uint32_t listener;

    if (handle == 0 || !description_ops(k, handle)->socket)
        return false;
    self = socket_peek(k, description_at(k, handle)->body);
    if (self->state != SOCKET_SYN_SENT)
        return false;
    listener = name_listener(k, self->type, &self->remote);
    return listener != 0 && socket_queue_full(socket_peek(k, listener));
}
