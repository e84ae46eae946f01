/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/container/rooms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
#define DEVICE_COUNT (sizeof(devices) / sizeof(*devices))

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

/* A file or directory of outside, to be put somewhere later, whatever the root is then. */
static int take_tree(const char *path)
{
    int fd = open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);

    if (fd < 0)
        failed("take %s", path);
    return fd;
}

static void put_tree(int fd, const char *where)
{
    if (move_mount(fd, "", AT_FDCWD, where, MOVE_MOUNT_F_EMPTY_PATH) < 0)
        failed("put %s", where);
    close(fd);
}

/* The root of the image in place of the machine's; a chroot would forbid user namespaces. */
static void change_root(const char *image)
{
    mount_or_fail(image, image, NULL, MS_BIND, NULL);
    if (chdir(image) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
        umount2(".", MNT_DETACH) < 0)
        failed("make %s the root", image);
}

static void lay_out_devices(const int *taken)
{
    mount_or_fail("tmpfs", "/dev", "tmpfs", MS_NOSUID, "mode=755,size=64m");
    for (size_t i = 0; i < DEVICE_COUNT; i++) {
        make_file(devices[i]);
        put_tree(taken[i], devices[i]);
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

static void lay_out_volumes(const struct rooms *rooms, const int *taken)
{
    mount_or_fail("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=256m");
    for (size_t i = 0; i < rooms->volume_count; i++) {
        make_way(rooms->volumes[i].to);
        put_tree(taken[i], rooms->volumes[i].to);
    }
}

/* What a container starts with; it writes to /tmp and to volumes only, or to its image. */
static void lay_out_root(const struct rooms *rooms)
{
    if (rooms->image)
        change_root(rooms->image);
    else
        change_mount("/", AT_RECURSIVE, (struct mount_attr){.attr_set = MOUNT_ATTR_RDONLY});
    mount_or_fail("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    mount_or_fail("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

void rooms_lay_out(const struct rooms *rooms)
{
    int volumes[VOLUMES_MAX] = {0};
    int taken[DEVICE_COUNT];

    if (rooms->volume_count > VOLUMES_MAX) {
        errno = E2BIG;
        failed("%zu volumes", rooms->volume_count);
    }
    mount_or_fail(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    for (size_t i = 0; i < rooms->volume_count; i++)
        volumes[i] = take_tree(rooms->volumes[i].from);
    for (size_t i = 0; i < DEVICE_COUNT; i++)
        taken[i] = take_tree(devices[i]);
    lay_out_root(rooms);
    lay_out_devices(taken);
    lay_out_volumes(rooms, volumes);
    if (rooms->protected)
        protect();
}
