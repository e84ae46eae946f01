/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/table.h"

#include <assert.h>
#include <errno.h>

#include "sim/kernel/description.h"
#include "sim/kernel/kernel_impl.h"

static uint32_t table_stride(uint32_t descriptors)
{
    return (uint32_t)(sizeof(struct table) + (descriptors + 1) / 2 * 2 * sizeof(uint32_t));
}

uint64_t table_size(uint32_t processes, uint32_t descriptors)
{
    return (uint64_t)processes * table_stride(descriptors);
}

static uint32_t table_offset(const struct kernel *k, uint32_t process)
{
    assert(process < k->config.processes);
    return k->tables + process * table_stride(k->config.descriptors);
}

struct table *table_of(struct kernel *k, uint32_t process)
{
    return (struct table *)((uint8_t *)k + table_offset(k, process));
}

static const struct table *table_peek(const struct kernel *k, uint32_t process)
{
    return (const struct table *)((const uint8_t *)k + table_offset(k, process));
}

uint32_t table_get(const struct kernel *k, uint32_t process, int fd)
{
    const struct table *table = table_peek(k, process);

    if (fd < 0 || (uint32_t)fd >= k->config.descriptors)
        return 0;
    return table->descriptions[fd];
}

static uint32_t table_lowest(const struct kernel *k, uint32_t process)
{
    const struct table *table = table_peek(k, process);
    uint32_t fd = table->lowest;

    while (fd < k->config.descriptors && table->descriptions[fd] != 0)
        fd++;
    return fd;
}

int table_room(const struct kernel *k, uint32_t process, uint32_t count)
{
    uint32_t fd = table_lowest(k, process);

    for (; fd < k->config.descriptors && count > 0; fd++)
        count -= table_peek(k, process)->descriptions[fd] == 0;
    return count == 0 ? 0 : -EMFILE;
}

void table_put(struct kernel *k, uint32_t process, int fd, uint32_t description)
{
    assert(table_get(k, process, fd) == 0);
    table_of(k, process)->descriptions[fd] = description;
    description_hold(k, description);
}

int table_add(struct kernel *k, uint32_t process, uint32_t description)
{
    uint32_t fd = table_lowest(k, process);

    if (fd >= k->config.descriptors)
        return -EMFILE;
    table_put(k, process, (int)fd, description);
    table_of(k, process)->lowest = fd + 1;
    return (int)fd;
}

void table_remove(struct kernel *k, uint32_t process, int fd)
{
    struct table *table = table_of(k, process);
    uint32_t description = table_get(k, process, fd);

    assert(description != 0);
    table->descriptions[fd] = 0;
    if ((uint32_t)fd < table->lowest)
        table->lowest = (uint32_t)fd;
    description_release(k, description);
}
