/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/fake_os.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define FIRST_FD 3

static uint16_t fake_os_level(const struct fake_os_file *file)
{
    uint16_t level = 0;

    if (file->listener)
        return file->pending > 0 ? OS_IN : 0;
    if (file->begin < file->end || file->fin)
        level |= OS_IN;
    if (file->fin)
        level |= OS_RDHUP;
    if (file->error != 0)
        level |= OS_ERR;
    return level;
}

static uint16_t fake_os_reported(const struct fake_os_file *file)
{
    return fake_os_level(file) & (uint16_t)(file->mask | OS_ERR | OS_HUP);
}

static void fake_os_queue(struct fake_os *fake, int fd)
{
    struct fake_os_file *file = &fake->files[fd];

    if (!file->registered || file->queued || file->disarmed || fake_os_reported(file) == 0)
        return;
    file->queued = true;
    fake->ready[fake->ready_count++] = fd;
}

static struct instant fake_os_now(void *self)
{
    return ((struct fake_os *)self)->now;
}

/* Takes one item off the list; LT ones that were reported go behind those that are left. */
static int fake_os_collect_one(struct fake_os *fake, struct os_event *event, int *again,
                               int *again_count)
{
    int fd = fake->ready[0];
    struct fake_os_file *file = &fake->files[fd];

    memmove(fake->ready, fake->ready + 1, (size_t)--fake->ready_count * sizeof(*fake->ready));
    file->queued = false;
    if (!file->registered || file->disarmed || fake_os_reported(file) == 0)
        return 0;
    *event = (struct os_event){.data = file->data, .events = fake_os_reported(file)};
    if (file->mask & OS_ONESHOT)
        file->disarmed = true;
    if (!(file->mask & OS_ET))
        again[(*again_count)++] = fd;
    return 1;
}

static int fake_os_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    struct fake_os *fake = self;
    int again[FAKE_OS_FDS];
    int again_count = 0;
    int count = 0;

    if (fake->fail_wait != 0) {
        int error = fake->fail_wait;

        fake->fail_wait = 0;
        return -error;
    }
    while (count < max && fake->ready_count > 0)
        count += fake_os_collect_one(fake, &events[count], again, &again_count);
    for (int i = 0; i < again_count; i++)
        fake_os_queue(fake, again[i]);
    if (count == 0 && !instant_equal(deadline, INSTANT_PAST))
        fake->sleeps++;
    return count;
}

static int fake_os_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    struct fake_os *fake = self;
    struct fake_os_file *file = &fake->files[fd];

    if (fake->fail_ctl != 0) {
        int error = fake->fail_ctl;

        fake->fail_ctl = 0;
        return -error;
    }
    if (!file->open)
        return -EBADF;
    if (op == OS_ADD ? file->registered : !file->registered)
        return op == OS_ADD ? -EEXIST : -ENOENT;
    fake->ctl_adds += op == OS_ADD;
    fake->ctl_mods += op == OS_MOD;
    fake->ctl_dels += op == OS_DEL;
    file->registered = op != OS_DEL;
    file->disarmed = false;
    file->mask = events;
    file->data = data;
    fake_os_queue(fake, fd);
    return 0;
}

static long fake_os_read(void *self, int fd, void *bytes, size_t size)
{
    struct fake_os_file *file = &((struct fake_os *)self)->files[fd];
    size_t left = file->end - file->begin;
    int error = file->error;

    if (left > 0) {
        size = size < left ? size : left;
        memcpy(bytes, file->bytes + file->begin, size);
        file->begin += size;
        return (long)size;
    }
    file->error = 0;
    if (error != 0)
        return -error;
    return file->fin ? 0 : -EAGAIN;
}

static int fake_os_new(struct fake_os *fake, bool listener)
{
    for (int fd = FIRST_FD; fd < FAKE_OS_FDS; fd++) {
        if (fake->files[fd].open)
            continue;
        fake->files[fd] = (struct fake_os_file){.open = true, .listener = listener};
        return fd;
    }
    return -EMFILE;
}

static int fake_os_accept(void *self, int fd)
{
    struct fake_os *fake = self;

    if (fake->files[fd].pending == 0)
        return -EAGAIN;
    fake->files[fd].pending--;
    return fake_os_new(fake, false);
}

static int fake_os_close(void *self, int fd)
{
    struct fake_os *fake = self;

    if (fd < 0 || fd >= FAKE_OS_FDS || !fake->files[fd].open)
        return -EBADF;
    assert(!fake->files[fd].registered); /* R-ID-10 */
    fake->files[fd] = (struct fake_os_file){0};
    for (int i = 0; i < fake->ready_count; i++)
        if (fake->ready[i] == fd)
            memmove(&fake->ready[i], &fake->ready[i + 1],
                    (size_t)(--fake->ready_count - i) * sizeof(*fake->ready));
    return 0;
}

static long fake_os_unread_call(void *self, int fd)
{
    return (long)fake_os_unread(self, fd);
}

static int fake_os_wake(void *self)
{
    (void)self;
    return 0;
}

static const struct os_ops fake_os_ops = {
    .now = fake_os_now,
    .wait = fake_os_wait,
    .ctl = fake_os_ctl,
    .read = fake_os_read,
    .accept = fake_os_accept,
    .close = fake_os_close,
    .unread = fake_os_unread_call,
    .wake = fake_os_wake,
};

void fake_os_init(struct fake_os *fake)
{
    memset(fake, 0, sizeof(*fake));
}

struct os fake_os_table(struct fake_os *fake)
{
    return (struct os){.ops = &fake_os_ops, .self = fake};
}

int fake_os_stream(struct fake_os *fake)
{
    return fake_os_new(fake, false);
}

int fake_os_listener(struct fake_os *fake)
{
    return fake_os_new(fake, true);
}

void fake_os_arrive(struct fake_os *fake, int fd, const void *bytes, size_t size)
{
    struct fake_os_file *file = &fake->files[fd];

    assert(file->open && size <= FAKE_OS_BYTES - file->end);
    memcpy(file->bytes + file->end, bytes, size);
    file->end += size;
    fake_os_queue(fake, fd);
}

void fake_os_fin(struct fake_os *fake, int fd)
{
    fake->files[fd].fin = true;
    fake_os_queue(fake, fd);
}

void fake_os_rst(struct fake_os *fake, int fd)
{
    fake->files[fd].fin = true;
    fake->files[fd].error = ECONNRESET;
    fake_os_queue(fake, fd);
}

void fake_os_connect(struct fake_os *fake, int listener)
{
    fake->files[listener].pending++;
    fake_os_queue(fake, listener);
}

size_t fake_os_unread(const struct fake_os *fake, int fd)
{
    return fake->files[fd].end - fake->files[fd].begin;
}
