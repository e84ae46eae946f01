/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/blessing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/canonical.h"
#include "harness/ledger/bless.h"
#include "harness/memory.h"
#include "harness/report/cell.h"
#include "harness/report/folder.h"
#include "pcaps/pcapfile.h"

#define SUFFIX ".scn"

/* What bless_events and bless_plain want, from the runs that have rows of one ledger. */
struct runs {
    struct bless_run *runs;
    struct cell_name *names;
    size_t count;
};

static const struct result_ledger *events_of(const struct result *result)
{
    return &result->events;
}

static const struct result_ledger *wire_of(const struct result *result)
{
    return &result->wire;
}

static struct runs gather(const struct outcome *outcomes, size_t count,
                          const struct result_ledger *(*ledger)(const struct result *))
{
    struct runs runs = {
        .runs = memory_zeroed(count, sizeof(*runs.runs)),
        .names = memory_zeroed(count, sizeof(*runs.names)),
    };

    for (size_t i = 0; i < count; i++) {
        const struct lines *rows = &ledger(&outcomes[i].result)->rows;

        if (rows->count == 0)
            continue;
        runs.names[runs.count] = cell_name(&outcomes[i].result);
        runs.runs[runs.count] = (struct bless_run){
            .name = runs.names[runs.count].text,
            .trigger = outcomes[i].result.trigger,
            .rows = rows,
        };
        runs.count++;
    }
    return runs;
}

static void runs_free(struct runs *runs)
{
    free(runs->runs);
    free(runs->names);
}

typedef int merger(const struct bless_run *runs, size_t count, struct lines *ret_rows,
                   struct lines *errors);

/* The comment lines of the file as it was, and behind them what the runs agree on. */
static int merge(merger *merge_runs, const struct runs *runs, const struct expected *before,
                 struct lines *ret_file, struct lines *said)
{
    for (size_t i = 0; i < before->head.count; i++)
        lines_add(ret_file, "%s", before->head.line[i]);
    return runs->count > 0 ? merge_runs(runs->runs, runs->count, ret_file, said) : 0;
}

static int merge_all(struct blessing *blessing, const struct judge_expected *before,
                     const struct outcome *outcomes, size_t count, struct lines *said)
{
    struct runs events = gather(outcomes, count, events_of);
    struct runs wire = gather(outcomes, count, wire_of);
    int status = merge(bless_events, &events, &before->events, &blessing->events, said);

    if (status == 0 && wire.count > 0)
        status = merge(bless_plain, &wire, &before->wire, &blessing->wire, said);
    runs_free(&events);
    runs_free(&wire);
    return status;
}

static int read_back(const struct expected *before, enum expected_kind kind,
                     const struct lines *rows, struct expected *ret_expected, struct lines *said)
{
    size_t size;
    char *text = lines_join(rows, &size);
    int status = expected_parse(before->file, kind, text, size, ret_expected, said);

    ret_expected->missing = status == 0 && rows->count == 0;
    free(text);
    return status;
}

/* Judges every run by what shall be expected. */
static int judge_again(const struct blessing *blessing, const struct judge_expected *before,
                       struct outcome *outcomes, size_t count, struct lines *said)
{
    struct judge_expected after = {0};
    int status =
        read_back(&before->events, EXPECTED_EVENTS, &blessing->events, &after.events, said);

    if (status == 0)
        status = read_back(&before->wire, EXPECTED_PLAIN, &blessing->wire, &after.wire, said);
    for (size_t i = 0; i < count && status == 0; i++) {
        struct result *old = &outcomes[i].result;
        struct result result = {.world = old->world, .attempts = old->attempts, .wall = old->wall};

        judge_run(&outcomes[i].happened, &after, &result);
        result.runs[result.verdict] = 1;
        result_free(old);
        *old = result;
    }
    judge_expected_free(&after);
    return status;
}

/* 0 when every run can be an example; else a line for each that cannot. */
static int check_verdicts(const struct plan *plan, const struct outcome *outcomes,
                          size_t count, struct lines *said)
{
    int status = 0;

    for (size_t i = 0; i < count; i++) {
        const struct result *result = &outcomes[i].result;

        if (result->verdict == RESULT_PASS)
            continue;
        lines_add(said, "%s: not blessed: %s %s", plan->name, cell_name(result).text,
                  result->verdict != RESULT_LATE ? "would fail whatever is expected"
                  : result->late_by_work
                      ? "was late by its own work; see the line above that tells it"
                      : "was late; type the same on an idle machine, or with --retries 20");
        status = -EINVAL;
    }
    return status;
}

/* A run without a whole record can be no example. */
static int check_records(const struct plan *plan, const struct outcome *outcomes,
                         size_t count, struct lines *said)
{
    for (size_t i = 0; i < count; i++)
        if (!outcomes[i].recorded || outcomes[i].result.verdict == RESULT_ERROR) {
            lines_add(said, "%s: not blessed: %s did not come to its end", plan->name,
                      cell_name(&outcomes[i].result).text);
            return -EINVAL;
        }
    return 0;
}

static bool make_ledgers(struct blessing *blessing, const struct judge_expected *before,
                         struct outcome *outcomes, size_t count, struct lines *said)
{
    const struct plan *plan = blessing->plan;

    if (merge_all(blessing, before, outcomes, count, said) < 0) {
        lines_add(said, "%s: not blessed: its runs do not agree", plan->name);
        return false;
    }
    return judge_again(blessing, before, outcomes, count, said) == 0 &&
           check_verdicts(plan, outcomes, count, said) == 0;
}

/* Of the first run with a network; all others have the same wire ledger. */
static bool make_capture(struct blessing *blessing, const struct outcome *outcomes,
                         size_t count, struct lines *said)
{
    int64_t offset = canonical_clock_offset();

    for (size_t i = 0; i < count; i++) {
        int status = canonical_make(&outcomes[i].happened, offset, &blessing->capture);

        if (status == 0)
            return true;
        if (status != -ENODATA) {
            lines_add(said, "%s: not blessed: no canonical capture of %s: %s", blessing->plan->name,
                      cell_name(&outcomes[i].result).text, strerror(-status));
            return false;
        }
    }
    return true;
}

int blessing_make(const struct plan *plan, const struct judge_expected *before,
                  struct outcome *outcomes, size_t count, struct blessing *ret_blessing,
                  struct lines *said)
{
    struct blessing blessing = {.plan = plan};

    packet_list_init(&blessing.capture, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    if (check_records(plan, outcomes, count, said) < 0)
        return -EINVAL;
    if (plan->compare != PLAN_EXACT) {
        if (check_verdicts(plan, outcomes, count, said) < 0)
            return -EINVAL;
        *ret_blessing = blessing;
        return 0;
    }
    if (!make_ledgers(&blessing, before, outcomes, count, said) ||
        !make_capture(&blessing, outcomes, count, said)) {
        blessing_free(&blessing);
        return -EINVAL;
    }
    *ret_blessing = blessing;
    return 0;
}

/* Where the files go: the script's folder and its name without the suffix. */
struct target {
    struct folder folder;
    char stem[FOLDER_NAME_MAX + 1];
};

static int open_target(const struct plan *plan, const struct person *person,
                       struct target *ret_target, struct folder_error *error)
{
    const char *slash = strrchr(plan->file, '/');
    const char *base = slash ? slash + 1 : plan->file;
    size_t length = strlen(base);
    char path[FOLDER_PATH_MAX + 1];

    if (length > strlen(SUFFIX) && strcmp(base + length - strlen(SUFFIX), SUFFIX) == 0)
        length -= strlen(SUFFIX);
    /* Room for the longest suffix. */
    if (length + 16 > sizeof(ret_target->stem) || strlen(plan->file) >= sizeof(path)) {
        snprintf(error->text, sizeof(error->text), "%.200s: the path is too long", plan->file);
        return -ENAMETOOLONG;
    }
    memcpy(ret_target->stem, base, length);
    ret_target->stem[length] = '\0';
    snprintf(path, sizeof(path), "%.*s", slash ? (int)(slash - plan->file) : 1,
             slash ? plan->file : ".");
    if (*path == '\0')
        snprintf(path, sizeof(path), "/");
    return folder_open_existing(person, path, &ret_target->folder, error);
}

static int write_bytes(const struct target *target, const char *suffix, const char *bytes,
                       size_t size, struct lines *said, struct folder_error *error)
{
    char name[FOLDER_NAME_MAX + 1];
    int status;

    snprintf(name, sizeof(name), "%.180s%s", target->stem, suffix);
    if (folder_holds(&target->folder, name, bytes, size)) {
        lines_add(said, "  %s/%s: unchanged", target->folder.path, name);
        return 0;
    }
    status = folder_write(&target->folder, name, bytes, size, error);
    if (status == 0)
        lines_add(said, "  %s/%s: written, %zu bytes", target->folder.path, name, size);
    return status;
}

static int write_lines(const struct target *target, const char *suffix, const struct lines *lines,
                       struct lines *said, struct folder_error *error)
{
    size_t size;
    char *text;
    int status;

    if (lines->count == 0)
        return 0;
    text = lines_join(lines, &size);
    status = write_bytes(target, suffix, text, size, said, error);
    free(text);
    return status;
}

/* The file in memory first: one that would not change stays untouched. */
static int print_capture(const struct packet_list *packets, char **ret_bytes, size_t *ret_size,
                         struct folder_error *error)
{
    struct pcapfile_error failure = {{0}};
    struct stat about;
    char *bytes = NULL;
    int fd = memfd_create("capture", MFD_CLOEXEC);
    int status = fd < 0 ? -errno : pcapfile_write(fd, "capture", packets, &failure);

    if (status == 0 && fstat(fd, &about) < 0)
        status = -errno;
    if (status == 0) {
        bytes = memory_zeroed((size_t)about.st_size + 1, 1);
        if (pread(fd, bytes, (size_t)about.st_size, 0) != about.st_size)
            status = -EIO;
    }
    if (fd >= 0)
        close(fd);
    if (status < 0) {
        snprintf(error->text, sizeof(error->text), "%.300s",
                 *failure.text ? failure.text : strerror(-status));
        free(bytes);
        return status;
    }
    *ret_bytes = bytes;
    *ret_size = (size_t)about.st_size;
    return 0;
}

static int write_capture(const struct target *target, const struct packet_list *packets,
                         struct lines *said, struct folder_error *error)
{
    char *bytes;
    size_t size;
    int status = print_capture(packets, &bytes, &size, error);

    if (status < 0)
        return status;
    status = write_bytes(target, ".pcap", bytes, size, said, error);
    free(bytes);
    return status;
}

int blessing_write(const struct blessing *blessing, const struct person *person, struct lines *said)
{
    struct target target = {.folder = {.fd = -1}};
    struct folder_error error;
    int status;

    if (blessing->events.count == 0) {
        lines_add(said, "%s: nothing to bless: `compare streams` compares no ledger",
                  blessing->plan->name);
        return 0;
    }
    status = open_target(blessing->plan, person, &target, &error);
    lines_add(said, "%s: blessed", blessing->plan->name);
    if (status == 0)
        status = write_lines(&target, ".events", &blessing->events, said, &error);
    if (status == 0)
        status = write_lines(&target, ".wire", &blessing->wire, said, &error);
    if (status == 0 && blessing->capture.count > 0)
        status = write_capture(&target, &blessing->capture, said, &error);
    if (status < 0)
        lines_add(said, "  %s", error.text);
    folder_close(&target.folder);
    return status;
}

void blessing_free(struct blessing *blessing)
{
    lines_free(&blessing->events);
    lines_free(&blessing->wire);
    packet_list_free(&blessing->capture);
}
