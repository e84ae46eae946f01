/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/clean/litter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/catalog.h"
#include "harness/report/cell.h"
#include "harness/report/folder.h"

#define DEPTH_MAX (CATALOG_DEPTH_MAX + 2) /* folders above a file: the scenario's, and the run's */
#define ENTRIES_MAX 200000
#define TOO_MUCH "there is too much in it"

/* Written last. */
#define WHOLE "result.json"

static const char *const artefacts[] = {"events.txt", "wire.txt", "peers.txt", "capture.pcap"};

/* What else a bench writes under a temporary name: that, and files that end so. */
static const char *const singles[] = {WHOLE, "probe"};
static const char *const endings[] = {".events", ".wire", ".pcap", ".xml"};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* One walk. */
struct walk {
    const struct litter *litter;
    struct remains *remains;
    uid_t uid;   /* whose files count ... */
    bool anyone; /* ... unless everybody's do */
    dev_t device;
    unsigned entries;
};

/* One directory on the way. */
struct level {
    int fd;
    unsigned depth;
    char path[FOLDER_PATH_MAX + FOLDER_NAME_MAX + 64];
};

/* Why something is left; NULL when nothing speaks for it. */
typedef const char *reason;

static void tell(struct walk *walk, enum remains_kind kind, enum remains_fate fate,
                 const struct level *level, const char *name, const char *why)
{
    char path[sizeof(level->path) + 256];

    snprintf(path, sizeof(path), "%s%s%s", level->path, *name ? "/" : "", name);
    remains_add(walk->remains, kind, fate, path, why);
}

static bool is_one_of(const char *const *names, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

/* Whether a bench gives files such a name. */
static bool is_written(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(endings); i++) {
        size_t end = strlen(endings[i]);

        if (length > end && memcmp(name + length - end, endings[i], end) == 0)
            return true;
    }
    return is_one_of(artefacts, COUNT(artefacts), name, length) ||
           is_one_of(singles, COUNT(singles), name, length);
}

/* The writer's number in `.NAME.PID.new`, NAME being one that a bench writes; 0 for others. */
static long temporary_writer(const char *name)
{
    size_t length = strlen(name);
    char *end;
    long pid;

    if (name[0] != '.' || length < sizeof(".x.1.new") - 1 ||
        strcmp(name + length - 4, ".new") != 0)
        return 0;
    for (length -= 4; length > 2 && name[length - 1] >= '0' && name[length - 1] <= '9'; length--)
        ;
    if (length < 3 || name[length - 1] != '.' || name[length] == '0' ||
        !is_written(name + 1, length - 2))
        return 0;
    pid = strtol(name + length, &end, 10);
    return strcmp(end, ".new") == 0 && pid <= INT32_MAX ? pid : 0;
}

/* Whether one of our programs has that number now. */
static bool is_alive(long pid)
{
    char path[64];
    char ours[32] = "";
    char theirs[32] = "";
    FILE *file = fopen("/proc/self/comm", "re");

    if (!file || !fgets(ours, sizeof(ours), file))
        ours[0] = '\0';
    if (file)
        fclose(file);
    snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
    file = fopen(path, "re");
    if (!file)
        return false;
    if (!fgets(theirs, sizeof(theirs), file))
        theirs[0] = '\0';
    fclose(file);
    return strcmp(ours, theirs) == 0;
}

/* Has it open from here on; a write lease is granted to the only one who has. */
static reason take_lease(int fd)
{
    /* By default the signal that somebody else wants the file would end us. */
    (void)fcntl(fd, F_SETSIG, SIGURG);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0)
        return NULL;
    if (errno == EAGAIN)
        return "somebody has it open";
    return errno == EACCES ? "it belongs to another user"
                           : "this file system does not tell whether somebody writes it";
}

static reason judge_stat(const struct walk *walk, const struct stat *about)
{
    if (!walk->anyone && about->st_uid != walk->uid)
        return "it belongs to another user";
    if (about->st_mtime > walk->litter->now_s - LITTER_REST_S)
        return "it was changed a moment ago";
    return NULL;
}

/* Opens a plain file that nobody else has open into *ret_fd, or says why not. */
static reason judge_file(const struct walk *walk, int folder, const char *name, int *ret_fd)
{
    long writer = temporary_writer(name);
    struct stat about;
    reason why;
    int fd;

    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(about.st_mode))
        return "it is no plain file";
    why = judge_stat(walk, &about);
    if (!why && writer && is_alive(writer))
        why = "its writer is running";
    if (why)
        return why;
    fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return "it cannot be opened";
    why = take_lease(fd);
    if (why) {
        close(fd);
        return why;
    }
    *ret_fd = fd;
    return NULL;
}

static void remove_temporary(struct walk *walk, const struct level *level, const char *name)
{
    int fd = -1;
    reason why = judge_file(walk, level->fd, name, &fd);

    if (why) {
        tell(walk, REMAINS_FILE, REMAINS_LEFT, level, name, why);
        return;
    }
    if (walk->litter->dry_run)
        tell(walk, REMAINS_FILE, REMAINS_FOUND, level, name, "its writer has gone");
    else if (unlinkat(level->fd, name, 0) == 0)
        tell(walk, REMAINS_FILE, REMAINS_REMOVED, level, name, "its writer has gone");
    else
        tell(walk, REMAINS_FILE, REMAINS_FAILED, level, name, strerror(errno));
    close(fd);
}

static bool is_artefact(const char *name)
{
    return is_one_of(artefacts, COUNT(artefacts), name, strlen(name)) ||
           temporary_writer(name) > 0;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A stream over the directory that has a position of its own. */
static DIR *open_stream(const struct level *level)
{
    int fd = openat(level->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);

    if (!stream && fd >= 0)
        close(fd);
    return stream;
}

/* Calls `each` for the names in a directory until it returns a reason. */
static reason for_each(const struct level *level, struct walk *walk,
                       reason (*each)(struct walk *walk, const struct level *level,
                                      const char *name))
{
    DIR *stream = open_stream(level);
    struct dirent *entry;
    reason why = NULL;

    if (!stream)
        return "it cannot be read";
    while (!why && (entry = readdir(stream)))
        if (!is_dots(entry->d_name))
            why = each(walk, level, entry->d_name);
    closedir(stream);
    return why;
}

static reason judge_part(struct walk *walk, const struct level *level, const char *name)
{
    int fd = -1;
    reason why = is_artefact(name) ? judge_file(walk, level->fd, name, &fd)
                                   : "something lies in it that is no artefact";

    if (fd >= 0)
        close(fd);
    return why;
}

static reason remove_part(struct walk *walk, const struct level *level, const char *name)
{
    (void)walk;
    return unlinkat(level->fd, name, 0) < 0 ? strerror(errno) : NULL;
}

/* Whether the folder of a run has no result yet. */
static bool is_half(const struct level *level)
{
    struct stat about;

    return fstatat(level->fd, WHOLE, &about, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
}

static void remove_half(struct walk *walk, int parent, const char *name, const struct level *level)
{
    struct stat about;
    reason why = fstat(level->fd, &about) < 0 ? "it cannot be read" : judge_stat(walk, &about);

    if (!why && walk->litter->busy)
        why = "a bench is running, and may be writing it";
    if (!why)
        why = for_each(level, walk, judge_part);
    if (why) {
        tell(walk, REMAINS_FOLDER, REMAINS_LEFT, level, "", why);
        return;
    }
    if (walk->litter->dry_run) {
        tell(walk, REMAINS_FOLDER, REMAINS_FOUND, level, "", "no " WHOLE ": half written");
        return;
    }
    why = for_each(level, walk, remove_part);
    if (!why && unlinkat(parent, name, AT_REMOVEDIR) < 0)
        why = strerror(errno);
    tell(walk, REMAINS_FOLDER, why ? REMAINS_FAILED : REMAINS_REMOVED, level, "",
         why ? why : "no " WHOLE ": half written");
}

static reason look_at(struct walk *walk, const struct level *level, const char *name);

/* Goes on below `name`; a folder that this empties goes, too. */
static void descend(struct walk *walk, const struct level *level, const char *name)
{
    struct level below = {.depth = level->depth + 1};
    size_t removed = remains_count(walk->remains, REMAINS_REMOVED);
    struct stat about;

    if (snprintf(below.path, sizeof(below.path), "%s/%s", level->path, name) >=
        (int)sizeof(below.path))
        return;
    below.fd = openat(level->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below.fd < 0)
        return;
    if (fstat(below.fd, &about) == 0 && about.st_dev == walk->device) {
        if (walk->litter->folders && cell_is_name(name) && is_half(&below))
            remove_half(walk, level->fd, name, &below);
        else if (below.depth < DEPTH_MAX)
            (void)for_each(&below, walk, look_at);
        /* Not empty, most of the time. */
        if (walk->litter->folders && remains_count(walk->remains, REMAINS_REMOVED) > removed)
            (void)unlinkat(level->fd, name, AT_REMOVEDIR);
    }
    close(below.fd);
}

static reason look_at(struct walk *walk, const struct level *level, const char *name)
{
    struct stat about;

    if (++walk->entries > ENTRIES_MAX)
        return TOO_MUCH;
    if (temporary_writer(name) > 0)
        remove_temporary(walk, level, name);
    else if (name[0] != '.' && catalog_name_valid(name) &&
             fstatat(level->fd, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode))
        descend(walk, level, name);
    return NULL;
}

static int walk_top(struct walk *walk, const char *top)
{
    struct level level = {.fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct stat about;
    reason why;

    if (level.fd < 0)
        return errno == ENOENT ? 0 : -errno;
    snprintf(level.path, sizeof(level.path), "%s", top);
    walk->device = fstat(level.fd, &about) < 0 ? 0 : about.st_dev;
    why = for_each(&level, walk, look_at);
    /* The walk ended early, be it below. */
    if (!why && walk->entries > ENTRIES_MAX)
        why = TOO_MUCH;
    if (why)
        tell(walk, REMAINS_FOLDER, REMAINS_FAILED, &level, "", why);
    close(level.fd);
    return 0;
}

int litter_remove(const struct litter *litter, const char *top, struct remains *remains)
{
    const struct person *person = litter->person;
    struct walk walk = {
        .litter = litter,
        .remains = remains,
        .uid = person->other ? person->uid : geteuid(),
        .anyone = !person->other && geteuid() == 0,
    };
    struct person_before before;
    int status;

    if (strlen(top) > FOLDER_PATH_MAX)
        return -ENAMETOOLONG;
    status = person_enter(person, &before);
    if (status < 0)
        return status;
    status = walk_top(&walk, top);
    person_leave(&before);
    return status;
}
