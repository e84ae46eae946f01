/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/container/rooms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/container/failed.h"

#define VOLUMES_MAX 8

static const char *const read_only[] = {
    "/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger",
};

static const char *const hidden[] = {
    "/proc/acpi",          "/proc/asound",     "/proc/interrupts", "/proc/kcore",
    "/proc/keys",          "/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats",
    "/proc/sched_debug",   "/proc/scsi",       "/sys/firmware",
    "/sys/devices/virtual/powercap",
};

static const char *const devices[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
};

static void mount_or_fail(const char *what, const char *where, const char *type,
                          unsigned long flags, const char *options)
{
    if (mount(what, where, type, flags, options) < 0)
        failed("mount %s", where);
}

static void change_mount(const char *where, unsigned flags, struct mount_attr change)
{
    if (mount_setattr(AT_FDCWD, where, flags, &change, sizeof(change)) < 0)
        failed("change the mount %s", where);
}

static void make_read_only(const char *where)
{
    mount_or_fail(where, where, NULL, MS_BIND | MS_REC, NULL);
    change_mount(where, AT_RECURSIVE, (struct mount_attr){.attr_set = MOUNT_ATTR_RDONLY});
}

static void hide(const char *where)
{
    struct stat about;

    if (stat(where, &about) < 0)
        return;
    if (S_ISDIR(about.st_mode))
        mount_or_fail("tmpfs", where, "tmpfs", MS_RDONLY, "size=0k");
    else
        mount_or_fail("/dev/null", where, NULL, MS_BIND, NULL);
}

static void protect(void)
{
    struct stat about;

    for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
        hide(hidden[i]);
    for (size_t i = 0; i < sizeof(read_only) / sizeof(*read_only); i++)
        if (stat(read_only[i], &about) == 0)
            make_read_only(read_only[i]);
    change_mount("/sys", 0, (struct mount_attr){.attr_set = MOUNT_ATTR_RDONLY});
}

/* A file that a later bind covers. */
static void make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        failed("make %s", path);
    close(fd);
}

/* Binds what was opened before something was mounted over it. */
static void bind_opened(int fd, const char *where)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    mount_or_fail(path, where, NULL, MS_BIND, NULL);
    close(fd);
}

static int open_place(const char *path)
{
    int fd = open(path, O_PATH | O_CLOEXEC);

    if (fd < 0)
        failed("open %s", path);
    return fd;
}

static void lay_out_devices(void)
{
    int opened[sizeof(devices) / sizeof(*devices)];

    for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
        opened[i] = open_place(devices[i]);
    mount_or_fail("tmpfs", "/dev", "tmpfs", MS_NOSUID, "mode=755,size=64m");
    for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
        make_file(devices[i]);
        bind_opened(opened[i], devices[i]);
    }
    if (mkdir("/dev/shm", 01777) < 0 || symlink("/proc/self/fd", "/dev/fd") < 0)
        failed("lay out /dev");
}

static void make_way(const char *path)
{
    char part[4096];

    for (size_t i = 1; i <= strlen(path); i++)
        if (path[i] == '/' || path[i] == '\0') {
            snprintf(part, sizeof(part), "%.*s", (int)i, path);
            if (mkdir(part, 0755) < 0 && errno != EEXIST)
                failed("make %s", part);
        }
}

static void lay_out_volumes(const struct rooms *rooms, const int *opened)
{
    mount_or_fail("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=256m");
    for (size_t i = 0; i < rooms->volume_count; i++) {
        make_way(rooms->volumes[i].to);
        bind_opened(opened[i], rooms->volumes[i].to);
        change_mount(rooms->volumes[i].to, 0, (struct mount_attr){.attr_clr = MOUNT_ATTR_RDONLY});
    }
}

void rooms_lay_out(const struct rooms *rooms)
{
    int opened[VOLUMES_MAX] = {0};

    if (rooms->volume_count > VOLUMES_MAX) {
        errno = E2BIG;
        failed("%zu volumes", rooms->volume_count);
    }
    mount_or_fail(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    change_mount("/", AT_RECURSIVE, (struct mount_attr){.attr_set = MOUNT_ATTR_RDONLY});
    for (size_t i = 0; i < rooms->volume_count; i++)
        opened[i] = open_place(rooms->volumes[i].from);
    mount_or_fail("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    mount_or_fail("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    if (rooms->protected)
        lay_out_devices();
    lay_out_volumes(rooms, opened);
    if (rooms->protected)
        protect();
}
