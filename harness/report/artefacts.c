/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/artefacts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/catalog.h"
#include "harness/report/cell.h"
#include "harness/report/json.h"
#include "pcaps/pcapfile.h"

#define EVENTS "events.txt"
#define WIRE "wire.txt"
#define PEERS "peers.txt"
#define RESULT "result.json"

int artefacts_probe(const struct artefacts *artefacts, struct folder_error *error)
{
    struct folder folder;
    int status = folder_open(artefacts->person, artefacts->out, "", &folder, error);

    if (status < 0)
        return status;
    status = folder_probe(&folder, error);
    if (status < 0)
        folder_unmake(&folder);
    folder_close(&folder);
    return status;
}

void artefacts_path(const char *out, const struct result *result, char *path, size_t size)
{
    int used = snprintf(path, size, "%s/%s/%s", out, result->plan->name, cell_name(result).text);

    if (used < 0 || (size_t)used >= size)
        path[0] = '\0';
}

static int write_lines(const struct folder *folder, const char *name, const struct lines *lines,
                       struct folder_error *error)
{
    size_t size;
    char *text;
    int status;

    if (lines->count == 0)
        return 0;
    text = lines_join(lines, &size);
    status = folder_write(folder, name, text, size, error);
    free(text);
    return status;
}

static int write_capture(const struct folder *folder, const struct packet_list *packets,
                         struct folder_error *error)
{
    struct folder_file file;
    struct pcapfile_error failure = {{0}};
    int status;

    if (!packets)
        return 0;
    status = folder_create(folder, ARTEFACTS_CAPTURE, &file, error);
    if (status < 0)
        return status;
    status = pcapfile_write(file.fd, ARTEFACTS_CAPTURE, packets, &failure);
    if (status == 0)
        return folder_commit(&file, error);
    folder_abandon(&file);
    snprintf(error->text, sizeof(error->text), "%.200s: %.180s", folder->path, failure.text);
    return status;
}

static int write_result(const struct folder *folder, const struct result *result,
                        struct folder_error *error)
{
    char *text = json_result_text(result);
    int status = folder_write(folder, RESULT, text, strlen(text), error);

    free(text);
    return status;
}

/* Those of an earlier run. The result goes first and comes last: where it is, the others are of the
 * same run, even if we die in between. */
static int remove_all(const struct folder *folder, struct folder_error *error)
{
    static const char *const names[] = {RESULT, EVENTS, WIRE, PEERS, ARTEFACTS_CAPTURE};
    int status = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && status == 0; i++)
        status = folder_remove(folder, names[i], error);
    return status;
}

static int write_all(const struct folder *folder, const struct result *result,
                     const struct packet_list *packets, struct folder_error *error)
{
    int status = remove_all(folder, error);

    if (status == 0)
        status = write_lines(folder, EVENTS, &result->events.rows, error);
    if (status == 0)
        status = write_lines(folder, WIRE, &result->wire.rows, error);
    if (status == 0)
        status = write_lines(folder, PEERS, &result->peers.rows, error);
    if (status == 0)
        status = write_capture(folder, packets, error);
    if (status == 0)
        status = write_result(folder, result, error);
    return status;
}

int artefacts_write(const struct artefacts *artefacts, const struct result *result,
                    const struct packet_list *packets, struct folder_error *error)
{
    char below[CATALOG_NAME_MAX + CELL_NAME_BYTES + 2];
    struct folder folder;
    int status;

    if (!catalog_name_valid(result->plan->name)) {
        snprintf(error->text, sizeof(error->text), "no folder can be named after scenario '%.200s'",
                 result->plan->name);
        return -EINVAL;
    }
    snprintf(below, sizeof(below), "%s/%s", result->plan->name, cell_name(result).text);
    status = folder_open(artefacts->person, artefacts->out, below, &folder, error);
    if (status < 0)
        return status;
    status = write_all(&folder, result, packets, error);
    folder_close(&folder);
    return status;
}
