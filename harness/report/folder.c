/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/folder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROBE_BYTES 65536

static int refuse(struct folder_error *error, int code, const char *path, const char *name)
{
    snprintf(error->text, sizeof(error->text), "%.250s%s%.80s: %s", path, *name ? "/" : "", name,
             code == -ENOTDIR || code == -ELOOP ? "there is something that is no directory"
                                                : strerror(-code));
    return code;
}

/* One directory: 0 when it is there already, 1 when it was made, -errno. */
static int make_one(const char *path)
{
    struct stat about;
    int code;

    if (mkdir(path, 0777) == 0)
        return 1;
    code = -errno;
    /* A directory that is there already may be refused otherwise, on a read-only disk say. */
    return code == -EEXIST || stat(path, &about) == 0 ? 0 : code;
}

/* Removes the empty directories of `path`, the last one first, up to the one of `made` bytes. */
static void unmake_way(const char *path, size_t made)
{
    char part[FOLDER_PATH_MAX + 1];

    for (size_t i = strlen(path); made > 0 && i >= made; i--) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        rmdir(part);
    }
}

/* Makes every directory on the way to `path`, links being followed, or none of them. */
static int make_way(const char *path, size_t *ret_made)
{
    char part[FOLDER_PATH_MAX + 1];
    size_t length = strlen(path);
    size_t made = 0;

    for (size_t i = 1; i <= length; i++) {
        int status;

        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        status = make_one(part);
        if (status < 0) {
            unmake_way(path, made);
            return status;
        }
        if (status > 0 && made == 0)
            made = i;
    }
    *ret_made = made;
    return 0;
}

static int open_top(const char *top, bool make, size_t *ret_made)
{
    size_t made = 0;
    int status = make ? make_way(top, &made) : 0;
    int fd;

    if (status < 0)
        return status;
    fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        status = -errno;
    if (fd < 0)
        unmake_way(top, made);
    *ret_made = made;
    return fd < 0 ? status : fd;
}

/* One step down: made if missing, entered without following a link. `parent` is closed. */
static int step_down(int parent, const char *name)
{
    int status = mkdirat(parent, name, 0777) < 0 && errno != EEXIST ? -errno : 0;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0 && status == 0)
        status = -errno;
    close(parent);
    return fd < 0 ? status : fd;
}

static int open_below(int fd, const char *below)
{
    while (fd >= 0 && *below) {
        char name[FOLDER_PATH_MAX + 1];
        size_t length = strcspn(below, "/");

        memcpy(name, below, length);
        name[length] = '\0';
        below += length + (below[length] == '/');
        fd = step_down(fd, name);
    }
    return fd;
}

/* Whether each part of a relative path leads down. */
static bool leads_down(const char *below)
{
    if (*below == '\0')
        return true;
    for (;;) {
        size_t length = strcspn(below, "/");

        if (length == 0 || (length == 1 && below[0] == '.') ||
            (length == 2 && below[0] == '.' && below[1] == '.'))
            return false;
        if (below[length] == '\0')
            return true;
        below += length + 1;
    }
}

/* Their lengths have been checked. */
static void join_path(struct folder *folder, const char *top, const char *below)
{
    char *end = mempcpy(folder->path, top, strlen(top));

    if (*below) {
        *end++ = '/';
        end = mempcpy(end, below, strlen(below));
    }
    *end = '\0';
}

static int open_as(const struct person *person, const char *top, const char *below, bool make,
                   struct folder *ret_folder, struct folder_error *error)
{
    struct folder folder = {.fd = -1, .person = person};
    struct person_before before;
    int status;

    if (!leads_down(below))
        return refuse(error, -EINVAL, top, below);
    if (*top == '\0' || strlen(top) + strlen(below) + 1 > FOLDER_PATH_MAX)
        return refuse(error, -ENAMETOOLONG, top, below);
    join_path(&folder, top, below);
    folder.top = strlen(top);
    status = person_enter(person, &before);
    if (status < 0)
        return refuse(error, status, top, below);
    folder.fd = open_below(open_top(top, make, &folder.made), below);
    person_leave(&before);
    if (folder.fd < 0)
        return refuse(error, folder.fd, top, below);
    *ret_folder = folder;
    return 0;
}

int folder_open(const struct person *person, const char *top, const char *below,
                struct folder *ret_folder, struct folder_error *error)
{
    return open_as(person, top, below, true, ret_folder, error);
}

int folder_open_existing(const struct person *person, const char *path, struct folder *ret_folder,
                         struct folder_error *error)
{
    return open_as(person, path, "", false, ret_folder, error);
}

void folder_close(struct folder *folder)
{
    if (folder->fd >= 0)
        close(folder->fd);
    folder->fd = -1;
}

void folder_unmake(const struct folder *folder)
{
    struct person_before before;

    if (person_enter(folder->person, &before) < 0)
        return;
    unmake_way(folder->path, folder->made > 0 ? folder->made : folder->top + 1);
    person_leave(&before);
}

static bool plain_name(const char *name)
{
    return *name && *name != '.' && strlen(name) <= FOLDER_NAME_MAX && !strchr(name, '/');
}

/* How those answer that know no files without a name. */
static bool needs_name(int error)
{
    return error == EOPNOTSUPP || error == EISDIR || error == EINVAL;
}

/* Without a name, so that nothing is left behind however we die; or, where the file system knows no
 * such files, under a temporary one. */
static int create_file(struct folder_file *file)
{
    int folder = file->folder->fd;

    file->fd = openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    file->nameless = file->fd >= 0;
    if (file->fd >= 0 || !needs_name(errno))
        return file->fd < 0 ? -errno : 0;
    /* Left by a process that was killed and had our number. */
    unlinkat(folder, file->temporary, 0);
    file->fd = openat(folder, file->temporary,
                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return file->fd < 0 ? -errno : 0;
}

int folder_create(const struct folder *folder, const char *name, struct folder_file *ret_file,
                  struct folder_error *error)
{
    struct folder_file file = {.folder = folder, .fd = -1};
    struct person_before before;
    int status;

    if (!plain_name(name))
        return refuse(error, -EINVAL, folder->path, name);
    snprintf(file.name, sizeof(file.name), "%s", name);
    snprintf(file.temporary, sizeof(file.temporary), ".%s.%ld.new", name, (long)getpid());
    status = person_enter(folder->person, &before);
    if (status == 0) {
        status = create_file(&file);
        person_leave(&before);
    }
    if (status < 0)
        return refuse(error, status, folder->path, name);
    *ret_file = file;
    return 0;
}

/* Gives the open file a name that is free. */
static int link_as(const struct folder_file *file, const char *name)
{
    char open_file[64];

    snprintf(open_file, sizeof(open_file), "/proc/self/fd/%d", file->fd);
    return linkat(AT_FDCWD, open_file, file->folder->fd, name, AT_SYMLINK_FOLLOW) < 0 ? -errno : 0;
}

/* Brings the file to its name; `temporary` may be left. */
static int put_in_place(const struct folder_file *file)
{
    int folder = file->folder->fd;
    int status = file->nameless ? link_as(file, file->name) : -EEXIST;

    if (status != -EEXIST)
        return status;
    /* Only a rename takes the place of another file. */
    if (file->nameless) {
        unlinkat(folder, file->temporary, 0);
        status = link_as(file, file->temporary);
        if (status < 0)
            return status;
    }
    return renameat(folder, file->temporary, folder, file->name) < 0 ? -errno : 0;
}

/* Some file systems tell only when a descriptor is closed that the bytes did not fit. */
static int close_copy(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    return copy < 0 || close(copy) < 0 ? -errno : 0;
}

/* Puts the file into its place, or removes it when `keep` is false. */
static int settle(struct folder_file *file, bool keep)
{
    struct person_before before;
    int status = keep ? close_copy(file->fd) : 0;
    int entered = person_enter(file->folder->person, &before);

    if (status == 0)
        status = entered;
    if (status == 0 && keep)
        status = put_in_place(file);
    if (entered == 0) {
        if (!keep || status < 0)
            unlinkat(file->folder->fd, file->temporary, 0);
        person_leave(&before);
    }
    close(file->fd);
    file->fd = -1;
    return status;
}

int folder_commit(struct folder_file *file, struct folder_error *error)
{
    int status = settle(file, true);

    return status < 0 ? refuse(error, status, file->folder->path, file->name) : 0;
}

void folder_abandon(struct folder_file *file)
{
    settle(file, false);
}

static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t taken = write(fd, bytes, size);

        if (taken < 0 && errno != EINTR)
            return -errno;
        if (taken > 0) {
            bytes += taken;
            size -= (size_t)taken;
        }
    }
    return 0;
}

int folder_fill(const struct folder_file *file, const void *bytes, size_t size,
                struct folder_error *error)
{
    int status = write_all(file->fd, bytes, size);

    return status < 0 ? refuse(error, status, file->folder->path, file->name) : 0;
}

int folder_write(const struct folder *folder, const char *name, const void *bytes, size_t size,
                 struct folder_error *error)
{
    struct folder_file file;
    int status = folder_create(folder, name, &file, error);

    if (status < 0)
        return status;
    status = folder_fill(&file, bytes, size, error);
    if (status == 0)
        return folder_commit(&file, error);
    folder_abandon(&file);
    return status;
}

int folder_probe(const struct folder *folder, struct folder_error *error)
{
    static const char zeros[PROBE_BYTES];
    struct folder_file file;
    int status = folder_create(folder, "probe", &file, error);

    if (status < 0)
        return status;
    status = write_all(file.fd, zeros, sizeof(zeros));
    folder_abandon(&file);
    return status < 0 ? refuse(error, status, folder->path, "") : 0;
}

int folder_remove(const struct folder *folder, const char *name, struct folder_error *error)
{
    struct person_before before;
    int status = plain_name(name) ? person_enter(folder->person, &before) : -EINVAL;

    if (status < 0)
        return refuse(error, status, folder->path, name);
    if (unlinkat(folder->fd, name, 0) < 0 && errno != ENOENT)
        status = -errno;
    person_leave(&before);
    return status < 0 ? refuse(error, status, folder->path, name) : 0;
}

static bool reads_as(int fd, const char *bytes, size_t size)
{
    char buffer[16384];
    ssize_t got;

    while ((got = read(fd, buffer, sizeof(buffer))) > 0) {
        if ((size_t)got > size || memcmp(buffer, bytes, (size_t)got) != 0)
            return false;
        bytes += got;
        size -= (size_t)got;
    }
    return got == 0 && size == 0;
}

bool folder_holds(const struct folder *folder, const char *name, const void *bytes, size_t size)
{
    struct person_before before;
    bool same;
    int fd;

    if (!plain_name(name) || person_enter(folder->person, &before) < 0)
        return false;
    fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    person_leave(&before);
    same = fd >= 0 && reads_as(fd, bytes, size);
    if (fd >= 0)
        close(fd);
    return same;
}
