/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/catalog.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/suggest.h"

#define SUFFIX ".scn"

static int __attribute__((format(printf, 3, 4)))
refuse(struct catalog_error *error, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return code;
}

bool catalog_name_valid(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-_.+/";
    size_t depth = 0;

    if (strlen(name) > CATALOG_NAME_MAX || strspn(name, allowed) != strlen(name))
        return false;
    for (;; name++, depth++) {
        size_t length = strcspn(name, "/");

        if (length == 0 || name[0] == '.' || depth > CATALOG_DEPTH_MAX)
            return false;
        name += length;
        if (*name == '\0')
            return true;
    }
}

static int append(struct catalog *catalog, const char *name, size_t length, const char *path)
{
    struct catalog_entry entry;

    if (catalog->count == catalog->room) {
        size_t room = catalog->room ? 2 * catalog->room : 64;
        struct catalog_entry *entries = reallocarray(catalog->entries, room, sizeof(*entries));

        if (!entries)
            return -ENOMEM;
        catalog->entries = entries;
        catalog->room = room;
    }
    entry.name = strndup(name, length);
    entry.path = strdup(path);
    if (!entry.name || !entry.path) {
        free(entry.name);
        free(entry.path);
        return -ENOMEM;
    }
    catalog->entries[catalog->count++] = entry;
    return 0;
}

static bool has_suffix(const char *name)
{
    size_t length = strlen(name);

    return length > strlen(SUFFIX) && strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0;
}

/* A walk over the tree: where it is, and what it found. */
struct walk {
    struct catalog *catalog;
    struct catalog_error *error;
    size_t root; /* length of the directory's path with its slash */
    char path[4096];
};

static int walk_directory(struct walk *walk, int parent, const char *name, unsigned depth);

static int walk_script(struct walk *walk)
{
    const char *name = walk->path + walk->root;
    size_t length = strlen(name) - strlen(SUFFIX);
    char bare[CATALOG_NAME_MAX + 1];

    if (length > CATALOG_NAME_MAX)
        return refuse(walk->error, -E2BIG, "%.200s: a scenario's name has %d bytes at most",
                      walk->path, CATALOG_NAME_MAX);
    snprintf(bare, sizeof(bare), "%.*s", (int)length, name);
    if (!catalog_name_valid(bare))
        return refuse(walk->error, -EINVAL,
                      "%.200s: no scenario can have this name; letters, digits, - _ . + will do",
                      walk->path);
    if (walk->catalog->count == CATALOG_ENTRIES_MAX)
        return refuse(walk->error, -E2BIG, "%.200s: more than %d scenarios", walk->path,
                      CATALOG_ENTRIES_MAX);
    if (append(walk->catalog, name, length, walk->path) < 0)
        return refuse(walk->error, -ENOMEM, "out of memory");
    return 0;
}

static int walk_entry(struct walk *walk, int directory, const char *name, unsigned depth)
{
    size_t used = strlen(walk->path);
    struct stat about;
    int status = 0;

    if (name[0] == '.' || fstatat(directory, name, &about, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (used + strlen(name) + 2 > sizeof(walk->path))
        return refuse(walk->error, -E2BIG, "%.200s: the path is too long", walk->path);
    snprintf(walk->path + used, sizeof(walk->path) - used, "%s%s", name,
             S_ISDIR(about.st_mode) ? "/" : "");
    if (S_ISDIR(about.st_mode)) {
        status = walk_directory(walk, directory, name, depth + 1);
    } else if (has_suffix(name)) {
        status = walk_script(walk);
    }
    walk->path[used] = '\0';
    return status;
}

static int walk_directory(struct walk *walk, int parent, const char *name, unsigned depth)
{
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth ? O_NOFOLLOW : 0);
    int fd;
    DIR *stream;
    struct dirent *entry;
    int status = 0;

    if (depth > CATALOG_DEPTH_MAX)
        return refuse(walk->error, -E2BIG, "%.200s: scenarios lie %d folders deep at most",
                      walk->path, CATALOG_DEPTH_MAX);
    fd = openat(parent, name, flags);
    stream = fd < 0 ? NULL : fdopendir(fd);
    if (!stream) {
        status = refuse(walk->error, -errno, "%.200s: %s", walk->path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return status;
    }
    while (status == 0 && (entry = readdir(stream)))
        status = walk_entry(walk, fd, entry->d_name, depth);
    closedir(stream);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct catalog_entry *)a)->name, ((const struct catalog_entry *)b)->name);
}

int catalog_open(const char *directory, struct catalog *ret_catalog, struct catalog_error *error)
{
    struct catalog catalog = {0};
    struct walk walk = {.catalog = &catalog, .error = error};
    int status;

    if (strlen(directory) + 2 > sizeof(walk.path))
        return refuse(error, -ENAMETOOLONG, "%.200s: the path is too long", directory);
    snprintf(walk.path, sizeof(walk.path), "%s/", directory);
    walk.root = strlen(walk.path);
    status = walk_directory(&walk, AT_FDCWD, directory, 0);
    if (status < 0) {
        catalog_free(&catalog);
        return status;
    }
    if (catalog.count > 0)
        qsort(catalog.entries, catalog.count, sizeof(*catalog.entries), by_name);
    *ret_catalog = catalog;
    return 0;
}

static bool matches(const char *name, const char *pattern)
{
    size_t length = strlen(pattern);

    while (length > 1 && pattern[length - 1] == '/')
        length--;
    if (strcmp(pattern, "all") == 0)
        return true;
    if (strncmp(name, pattern, length) == 0 && (name[length] == '/' || name[length] == '\0'))
        return true;
    return strpbrk(pattern, "*?[") && fnmatch(pattern, name, 0) == 0;
}

static bool chosen_already(const struct catalog *chosen, const char *path)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (strcmp(chosen->entries[i].path, path) == 0)
            return true;
    return false;
}

static int choose(struct catalog *chosen, const char *name, const char *path,
                  struct catalog_error *error)
{
    if (chosen_already(chosen, path))
        return 0;
    if (append(chosen, name, strlen(name), path) < 0)
        return refuse(error, -ENOMEM, "out of memory");
    return 0;
}

/* The topic of entry `index` when it is the first of it, else NULL. */
static const char *new_topic(const struct catalog *catalog, size_t index, size_t *ret_length)
{
    const char *name = catalog->entries[index].name;

    *ret_length = strcspn(name, "/");
    if (index > 0 && strncmp(name, catalog->entries[index - 1].name, *ret_length + 1) == 0)
        return NULL;
    return name;
}

static void list_topics(const struct catalog *catalog, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < catalog->count; i++) {
        size_t used = strlen(text);
        size_t length;
        const char *topic = new_topic(catalog, i, &length);

        if (topic)
            snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", (int)length, topic);
    }
}

/* The topic or the scenario that may have been meant; "" when none is near. */
static void find_nearest(const struct catalog *catalog, const char *pattern, char *text,
                         size_t size)
{
    const char *nearest;
    const char *names[CATALOG_ENTRIES_MAX];

    text[0] = '\0';
    for (size_t i = 0; i < catalog->count; i++) {
        size_t length;
        const char *topic = new_topic(catalog, i, &length);
        char word[CATALOG_NAME_MAX + 1];
        const char *one = word;

        names[i] = catalog->entries[i].name;
        snprintf(word, sizeof(word), "%.*s", (int)length, names[i]);
        if (topic && suggest_nearest(pattern, &one, 1) && text[0] == '\0')
            snprintf(text, size, "%s", word);
    }
    nearest = suggest_nearest(pattern, names, catalog->count);
    if (nearest)
        snprintf(text, size, "%s", nearest);
}

/* Names what there is instead: the nearest scenario or topic, else all topics. */
static int refuse_pattern(const struct catalog *catalog, const char *pattern,
                          struct catalog_error *error)
{
    char text[CATALOG_NAME_MAX + 1];

    if (catalog->count == 0)
        return refuse(
            error, -ENOENT,
            "no scenario '%.80s': there are none here; EDGEWISE_SCENARIOS may name their folder",
            pattern);
    find_nearest(catalog, pattern, text, sizeof(text));
    if (text[0])
        return refuse(error, -ENOENT, "no scenario '%.80s'; did you mean %s?", pattern, text);
    list_topics(catalog, text, sizeof(text));
    return refuse(error, -ENOENT, "no scenario '%.80s'; topics are %s", pattern, text);
}

int catalog_select(const struct catalog *catalog, const char *pattern, struct catalog *chosen,
                   struct catalog_error *error)
{
    bool found = false;

    if (has_suffix(pattern) && !strpbrk(pattern, "*?["))
        return choose(chosen, pattern, pattern, error);
    for (size_t i = 0; i < catalog->count; i++) {
        const struct catalog_entry *entry = &catalog->entries[i];
        int status;

        if (!matches(entry->name, pattern))
            continue;
        found = true;
        status = choose(chosen, entry->name, entry->path, error);
        if (status < 0)
            return status;
    }
    return found ? 0 : refuse_pattern(catalog, pattern, error);
}

void catalog_free(struct catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; i++) {
        free(catalog->entries[i].name);
        free(catalog->entries[i].path);
    }
    free(catalog->entries);
    *catalog = (struct catalog){0};
}
