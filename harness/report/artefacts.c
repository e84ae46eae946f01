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

/* In the order in which they get their names. The result goes first and comes last: where it is,
 * the others are of the same run, even if we die in between. */
enum {
    EVENTS,
    WIRE,
    PEERS,
    CAPTURE,
    RESULT,
    NAME_COUNT
};

static const char *const names[] = {
    [EVENTS] = "events.txt",       [WIRE] = "wire.txt",      [PEERS] = "peers.txt",
    [CAPTURE] = ARTEFACTS_CAPTURE, [RESULT] = "result.json",
};
_Static_assert(sizeof(names) / sizeof(*names) == NAME_COUNT, "a name each");

/* Those of one run, without their names until all are written. */
struct draft {
    const struct folder *folder;
    struct folder_file files[NAME_COUNT];
    bool there[NAME_COUNT];
};

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

static int draft_start(struct draft *draft, size_t which, struct folder_error *error)
{
    int status = folder_create(draft->folder, names[which], &draft->files[which], error);

    draft->there[which] = status == 0;
    return status;
}

static int draft_text(struct draft *draft, size_t which, const char *text, size_t size,
                      struct folder_error *error)
{
    int status = draft_start(draft, which, error);

    return status < 0 ? status : folder_fill(&draft->files[which], text, size, error);
}

static int draft_lines(struct draft *draft, size_t which, const struct lines *lines,
                       struct folder_error *error)
{
    size_t size;
    char *text;
    int status;

    if (lines->count == 0)
        return 0;
    text = lines_join(lines, &size);
    status = draft_text(draft, which, text, size, error);
    free(text);
    return status;
}

static int draft_capture(struct draft *draft, size_t which, const struct packet_list *packets,
                         struct folder_error *error)
{
    struct pcapfile_error failure = {{0}};
    int status;

    if (!packets)
        return 0;
    status = draft_start(draft, which, error);
    if (status < 0)
        return status;
    status = pcapfile_write(draft->files[which].fd, names[which], packets, &failure);
    if (status < 0)
        snprintf(error->text, sizeof(error->text), "%.200s: %.180s", draft->folder->path,
                 failure.text);
    return status;
}

static int draft_result(struct draft *draft, const struct result *result,
                        struct folder_error *error)
{
    char *text = json_result_text(result);
    int status = draft_text(draft, RESULT, text, strlen(text), error);

    free(text);
    return status;
}

static int draft_all(struct draft *draft, const struct result *result,
                     const struct packet_list *packets, struct folder_error *error)
{
    int status = draft_lines(draft, EVENTS, &result->events.rows, error);

    if (status == 0)
        status = draft_lines(draft, WIRE, &result->wire.rows, error);
    if (status == 0)
        status = draft_lines(draft, PEERS, &result->peers.rows, error);
    if (status == 0)
        status = draft_capture(draft, CAPTURE, packets, error);
    return status == 0 ? draft_result(draft, result, error) : status;
}

/* What an earlier run has left. */
static int remove_all(const struct folder *folder, struct folder_error *error)
{
    int status = folder_remove(folder, names[RESULT], error);

    for (size_t i = 0; i < NAME_COUNT && status == 0; i++)
        status = folder_remove(folder, names[i], error);
    return status;
}

/* Nothing is left of a run whose artefacts are not whole. */
static void draft_drop(struct draft *draft)
{
    struct folder_error error;

    for (size_t i = 0; i < NAME_COUNT; i++)
        if (draft->there[i])
            folder_abandon(&draft->files[i]);
    (void)remove_all(draft->folder, &error);
    folder_unmake(draft->folder);
}

/* From here on it is a matter of microseconds: a death in between leaves half a folder. */
static int draft_publish(struct draft *draft, struct folder_error *error)
{
    int status = remove_all(draft->folder, error);

    for (size_t i = 0; i < NAME_COUNT && status == 0; i++) {
        if (!draft->there[i])
            continue;
        draft->there[i] = false;
        status = folder_commit(&draft->files[i], error);
    }
    return status;
}

int artefacts_write(const struct artefacts *artefacts, const struct result *result,
                    const struct packet_list *packets, struct folder_error *error)
{
    char below[CATALOG_NAME_MAX + CELL_NAME_BYTES + 2];
    struct folder folder;
    struct draft draft = {.folder = &folder};
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
    status = draft_all(&draft, result, packets, error);
    if (status == 0)
        status = draft_publish(&draft, error);
    if (status < 0)
        draft_drop(&draft);
    folder_close(&folder);
    return status;
}
