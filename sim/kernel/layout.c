/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/layout.h"

#include "sim/kernel/counter.h"
#include "sim/kernel/description.h"
#include "sim/kernel/epoll.h"
#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/pipe.h"
#include "sim/kernel/record.h"
#include "sim/kernel/socket.h"
#include "sim/kernel/table.h"
#include "sim/kernel/timer.h"
#include "sim/kernel/watch.h"

#define BLOCK_HEAD 8 /* what stands in front of a block's bytes */
#define WORD       8

static bool layout_in_range(const struct kernel_config *config)
{
#define X(name)                              \
    if (config->name > KERNEL_COUNT_MAX)     \
        return false;
    KERNEL_SIZES(X)
#undef X
    return config->processes > 0 && config->block_size >= KERNEL_BLOCK_MIN &&
           config->block_size <= KERNEL_BLOCK_MAX && config->block_size % WORD == 0;
}

size_t layout_place(struct kernel *head, const struct kernel_config *config)
{
    uint64_t end = (sizeof(struct kernel) + WORD - 1) / WORD * WORD;

    if (!layout_in_range(config))
        return 0;
    head->tables = (uint32_t)end;
    end += table_size(config->processes, config->descriptors);
    slab_lay_out(&head->descriptions, config->descriptions, sizeof(struct description), &end);
    slab_lay_out(&head->items, config->items, sizeof(struct item), &end);
    slab_lay_out(&head->epolls, config->epolls, sizeof(struct epoll), &end);
    slab_lay_out(&head->sockets, config->sockets, sizeof(struct socket), &end);
    slab_lay_out(&head->pipes, config->pipes, sizeof(struct pipe), &end);
    slab_lay_out(&head->counters, config->counters, sizeof(struct counter), &end);
    slab_lay_out(&head->timers, config->timers, sizeof(struct timer), &end);
    slab_lay_out(&head->records, config->records, sizeof(struct record), &end);
    slab_lay_out(&head->blocks, config->blocks, BLOCK_HEAD + config->block_size, &end);
    return end > UINT32_MAX ? 0 : (size_t)end;
}
