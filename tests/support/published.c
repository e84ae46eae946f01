/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/published.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "pcaps/packet.h"
#include "pcaps/pcapfile.h"

#define PUBLISHED_PATH_BYTES 4096

static int published_wrong(char *text, size_t size, const char *path, const char *what)
{
    (void)snprintf(text, size, "%.200s: %.150s", path, what);
    return -EBADMSG;
}

static int published_json(const char *path, char *text, size_t size)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    bool object = json_is_object(root);

    json_decref(root);
    return object ? 0 : published_wrong(text, size, path, error.text);
}

static int published_capture(const char *path, char *text, size_t size)
{
    struct packet_list packets;
    struct pcapfile_error error;
    int err;

    packet_list_init(&packets, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    err = pcapfile_read(path, &packets, &error);
    packet_list_free(&packets);
    return err < 0 ? published_wrong(text, size, path, error.text) : 0;
}

static int published_ledger(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    int last = -1;
    int byte;

    while (file && (byte = getc(file)) != EOF)
        last = byte;
    if (file)
        (void)fclose(file);
    return last == '\n' ? 0 : published_wrong(text, size, path, "its last line has no end");
}

static const struct published_kind {
    const char *name;
    int (*check)(const char *path, char *text, size_t size);
} published_kinds[] = {
    {"result.json", published_json},   {"capture.pcap", published_capture},
    {"events.txt", published_ledger},  {"wire.txt", published_ledger},
    {"peers.txt", published_ledger},
};

static int published_file(const char *path, const char *name, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof(published_kinds) / sizeof(published_kinds[0]); i++)
        if (strcmp(published_kinds[i].name, name) == 0)
            return published_kinds[i].check(path, text, size);
    return published_wrong(text, size, path, "no artefact has this name");
}

static int published_entry(const char *path, const char *name, char *text, size_t size)
{
    struct stat about;

    if (lstat(path, &about) < 0)
        return published_wrong(text, size, path, strerror(errno));
    return S_ISDIR(about.st_mode) ? published_check(path, text, size)
                                  : published_file(path, name, text, size);
}

int published_check(const char *path, char *text, size_t size)
{
    char below[PUBLISHED_PATH_BYTES];
    DIR *folder = opendir(path);
    const struct dirent *entry;
    int err = 0;

    while (folder && err == 0 && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
        err = published_entry(below, entry->d_name, text, size);
    }
    if (folder)
        (void)closedir(folder);
    return err;
}
