/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/pipe.h"

#include <errno.h>

#include "sim/kernel/kernel_impl.h"

_Static_assert(sizeof(struct pipe) == (14 + PIPE_PAGES) * sizeof(uint32_t), "no padding");

static struct pipe *pipe_self(struct kernel *k, uint32_t pipe)
{
    return kernel_at(k, &k->pipes, pipe);
}

uint32_t pipe_new(struct kernel *k)
{
    uint32_t handle = slab_take(k, &k->pipes);

    if (handle != 0)
        *pipe_self(k, handle) = (struct pipe){.readers = 1, .writers = 1, .writings = 1};
    return handle;
}

/* FIFOs. A reader that came before any writer hears of no end until there has been one (E93): its
 * mode says how many there had been. */

#define BEFORE_SHIFT 2

static uint32_t pipe_before(uint32_t writings)
{
    return (writings + 1) << BEFORE_SHIFT;
}

static bool pipe_hung_up(const struct pipe *self, uint32_t mode)
{
    return self->writers == 0 &&
           mode >> BEFORE_SHIFT << BEFORE_SHIFT != pipe_before(self->writings);
}

static uint32_t pipe_find(struct kernel *k, uint32_t name)
{
    for (uint32_t i = 1; i <= k->pipes.count; i++) {
        if (pipe_self(k, i)->name == name)
            return i;
    }
    return 0;
}

int pipe_open(struct kernel *k, uint32_t name, bool writes, uint32_t *ret_body,
              uint32_t *ret_mode)
{
    uint32_t handle = pipe_find(k, name);
    struct pipe *self;

    assert(name != 0);
    if (handle == 0 && writes)
        return -ENXIO;
    if (handle == 0)
        handle = slab_take(k, &k->pipes);
    if (handle == 0)
        return -ENFILE;
    self = pipe_self(k, handle);
    if (writes && self->readers == 0)
        return -ENXIO;
    self->name = name;
    *ret_body = handle;
    *ret_mode = writes ? DESCRIPTION_WRITE : DESCRIPTION_READ;
    if (!writes && self->writers == 0)
        *ret_mode |= pipe_before(self->writings);
    self->writings += writes;
    if ((writes ? self->writers++ : self->readers++) == 0)
        watch_wake(k, &self->read_watch, KERNEL_KEYLESS);
    return 0;
}

static uint32_t pipe_level(struct kernel *k, uint32_t pipe, uint32_t mode, uint32_t asked)
{
    struct pipe *self = pipe_self(k, pipe);
    uint32_t level = 0;

    (void)asked;
    self->polled = 1;
    if (mode & DESCRIPTION_READ)
        level |= (self->used > 0 ? OS_IN : 0U) | (pipe_hung_up(self, mode) ? OS_HUP : 0U);
    if (mode & DESCRIPTION_WRITE)
        level |= (self->used < PIPE_PAGES ? OS_OUT : 0U) | (self->readers == 0 ? OS_ERR : 0U);
    return level;
}

static struct watch *pipe_watch(struct kernel *k, uint32_t pipe, uint32_t mode)
{
    struct pipe *self = pipe_self(k, pipe);

    return mode & DESCRIPTION_READ ? &self->read_watch : &self->write_watch;
}

/* Writing. */

/* What does not fill whole pages goes behind the bytes of the last one, if all of it fits. */
static uint32_t pipe_merge(struct kernel *k, struct pipe *self, const uint8_t *bytes, size_t size)
{
    uint32_t part = (uint32_t)(size % PIPE_PAGE);
    struct pipe_page *last;

    if (self->used == 0 || part == 0)
        return 0;
    last = &self->pages[(self->head + self->used - 1) % PIPE_PAGES];
    if (last->start + last->length + part > PIPE_PAGE)
        return 0;
    chain_append(k, &self->bytes, bytes, part);
    last->length = (uint16_t)(last->length + part);
    return part;
}

static void pipe_add_page(struct kernel *k, struct pipe *self, const uint8_t *bytes, uint32_t size)
{
    chain_append(k, &self->bytes, bytes, size);
    self->pages[(self->head + self->used) % PIPE_PAGES] =
        (struct pipe_page){.length = (uint16_t)size};
    self->used++;
}

static long pipe_fill(struct kernel *k, struct pipe *self, const uint8_t *bytes, size_t size)
{
    size_t done = pipe_merge(k, self, bytes, size);

    while (done < size && self->used < PIPE_PAGES) {
        uint32_t part = size - done < PIPE_PAGE ? (uint32_t)(size - done) : PIPE_PAGE;

        pipe_add_page(k, self, bytes + done, part);
        done += part;
    }
    return done > 0 ? (long)done : -EAGAIN;
}

static long pipe_write(struct kernel *k, uint32_t pipe, const void *bytes, size_t size)
{
    struct pipe *self = pipe_self(k, pipe);
    bool was_empty = self->used == 0;
    size_t room = (size_t)PIPE_PAGES * PIPE_PAGE;
    long result;

    if (size == 0)
        return 0;
    if (self->readers == 0)
        return -EPIPE;
    if (chain_room(k, &self->bytes) < (size < room ? size : room))
        return -ENOMEM;
    result = pipe_fill(k, self, bytes, size);
    if (was_empty || self->polled)
        watch_wake(k, &self->read_watch, OS_IN);
    return result;
}

/* Reading. */

/* Takes from the oldest page; how many bytes. */
static uint32_t pipe_drain_page(struct kernel *k, struct pipe *self, uint8_t *bytes, size_t size)
{
    struct pipe_page *page = &self->pages[self->head];
    uint32_t part = size < page->length ? (uint32_t)size : page->length;

    chain_copy(k, &self->bytes, 0, bytes, part);
    chain_drop(k, &self->bytes, part);
    page->start = (uint16_t)(page->start + part);
    page->length = (uint16_t)(page->length - part);
    if (page->length == 0) {
        *page = (struct pipe_page){0};
        self->head = (self->head + 1) % PIPE_PAGES;
        self->used--;
    }
    return part;
}

static long pipe_read(struct kernel *k, uint32_t pipe, void *bytes, size_t size)
{
    struct pipe *self = pipe_self(k, pipe);
    bool was_full = self->used == PIPE_PAGES;
    size_t done = 0;

    if (size == 0)
        return 0;
    while (done < size && self->used > 0)
        done += pipe_drain_page(k, self, (uint8_t *)bytes + done, size - done);
    if (done == 0)
        return self->writers == 0 ? 0 : -EAGAIN;
    if (was_full && self->used < PIPE_PAGES)
        watch_wake(k, &self->write_watch, OS_OUT);
    return (long)done;
}

static long pipe_unread(struct kernel *k, uint32_t pipe)
{
    return pipe_self(k, pipe)->bytes.length;
}

static void pipe_close(struct kernel *k, uint32_t pipe, uint32_t mode)
{
    struct pipe *self = pipe_self(k, pipe);

    if (mode & DESCRIPTION_READ)
        self->readers--;
    if (mode & DESCRIPTION_WRITE)
        self->writers--;
    if (self->readers == 0 && self->writers == 0) {
        chain_drop(k, &self->bytes, self->bytes.length);
        slab_give(k, &k->pipes, pipe);
    } else if (self->readers == 0 || self->writers == 0) {
        watch_wake(k, &self->read_watch, KERNEL_KEYLESS);
        watch_wake(k, &self->write_watch, KERNEL_KEYLESS);
    }
}

const struct description_ops pipe_ops = {
    .level = pipe_level,
    .watch = pipe_watch,
    .read = pipe_read,
    .write = pipe_write,
    .unread = pipe_unread,
    .close = pipe_close,
};
