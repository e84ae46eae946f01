/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/reports.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/version.h"
#include "harness/memory.h"
#include "harness/report/artefacts.h"
#include "harness/shell.h"
#include "harness/sys_linux.h"
#include "harness/wallclock.h"

/* What a command must say again to get the same scripts, and the artefacts in the same place. */
static char *repeat_rest(const struct options *options)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    for (size_t i = 0; i < options->set_count; i++) {
        fputs(" --set ", out);
        shell_quote(out, options->sets[i]);
    }
    if (strcmp(options->out, ARTEFACTS_OUT) != 0) {
        fputs(" --out ", out);
        shell_quote(out, options->out);
    }
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}

/* The command that makes the same runs in the same order. */
static char *replay_command(const struct verbs_call *call, uint64_t seed)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    fprintf(out, "%s scenario", call->program->command);
    options_repeat(out, call->options);
    fprintf(out, " --seed 0x%llx", (unsigned long long)seed);
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}

static void find_here(char *here, size_t size)
{
    size_t length;

    if (!getcwd(here, size - 1)) {
        here[0] = '\0';
        return;
    }
    length = strlen(here);
    if (here[length - 1] != '/')
        memcpy(here + length, "/", 2);
}

/* Standard output. */

static struct next_words next_of(const struct reports *reports)
{
    return (struct next_words){
        .command = reports->call->program->command,
        .scenarios = reports->call->program->scenarios,
        .options = reports->words,
    };
}

static struct sink open_text(struct reports *reports)
{
    const struct verbs_call *call = reports->call;

    reports->style = (struct text_style){
        .colour = call->colour,
        .quiet = call->options->quiet,
        .verbose = call->options->verbose,
        .out = call->options->out,
        .command = call->program->command,
        .scenarios = call->program->scenarios,
        .options = reports->words,
        .here = reports->here,
        .world = reports->world[0] ? reports->world : NULL,
    };
    return text_sink(&reports->text, call->out, &reports->style);
}

static struct sink open_output(struct reports *reports)
{
    const struct options *options = reports->call->options;
    FILE *out = reports->call->out;

    if (options->json)
        return json_sink(&reports->document, out);
    if (options->json_lines)
        return jsonlines_sink(&reports->jsonlines, sys_linux_now, out);
    if (options->tap)
        return tap_sink(&reports->tap, next_of(reports), out);
    return open_text(reports);
}

bool reports_for_people(const struct options *options)
{
    return !options->json && !options->json_lines && !options->tap;
}

/* The file beside it. */

static struct junit_origin origin_of(char *host, size_t size)
{
    bool known = gethostname(host, size - 1) == 0 && *host;

    return (struct junit_origin){.host = known ? host : NULL, .seconds = wallclock_seconds()};
}

/* Better told now than when all runs are made. */
static int check_name(const struct reports *reports, struct folder_error *error)
{
    struct stat about;

    if (fstatat(reports->folder.fd, reports->name, &about, AT_SYMLINK_NOFOLLOW) < 0 ||
        S_ISREG(about.st_mode))
        return 0;
    snprintf(error->text, sizeof(error->text), "%.200s: it is %s; name a file",
             reports->call->options->junit,
             S_ISDIR(about.st_mode)   ? "a directory"
             : S_ISLNK(about.st_mode) ? "a link"
                                      : "no regular file");
    return -EINVAL;
}

static int find_folder(struct reports *reports, const struct person *person,
                       struct folder_error *error)
{
    const char *path = reports->call->options->junit;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char folder[FOLDER_PATH_MAX + 1];
    int length = slash && slash > path ? (int)(slash - path) : 1;
    int status;

    if (*name == '\0' || strlen(name) > FOLDER_NAME_MAX || strlen(path) > FOLDER_PATH_MAX) {
        snprintf(error->text, sizeof(error->text), "%.200s: no name of a file", path);
        return -EINVAL;
    }
    snprintf(reports->name, sizeof(reports->name), "%s", name);
    snprintf(folder, sizeof(folder), "%.*s", length, slash ? path : ".");
    status = folder_open_existing(person, folder, &reports->folder, error);
    if (status == 0)
        status = folder_probe(&reports->folder, error);
    return status < 0 ? status : check_name(reports, error);
}

static enum status open_junit(struct reports *reports, const struct person *person,
                              struct lines *said)
{
    struct folder_error error;

    if (find_folder(reports, person, &error) < 0) {
        lines_add(said, "%s: cannot write --junit: %s", VERSION_TOOL, error.text);
        return STATUS_BROKEN;
    }
    reports->file = memory_must(open_memstream(&reports->bytes, &reports->size));
    return STATUS_OK;
}

static int write_file(struct reports *reports)
{
    struct folder_error error;
    int status = fclose(reports->file) == 0 ? 0 : -errno;

    reports->file = NULL;
    if (status < 0)
        snprintf(error.text, sizeof(error.text), "%s: %s", reports->name, strerror(-status));
    else
        status = folder_write(&reports->folder, reports->name, reports->bytes, reports->size,
                              &error);
    if (status < 0)
        fprintf(stderr, "%s: cannot write --junit: %s\n", VERSION_TOOL, error.text);
    return status;
}

/* All of them. */

enum status reports_open(struct reports *ret_reports, const struct verbs_call *call,
                         const struct preparation *preparation, struct lines *said)
{
    static char host[256];
    enum status status = STATUS_OK;

    *ret_reports = (struct reports){.call = call, .folder = {.fd = -1}};
    ret_reports->words = repeat_rest(call->options);
    preparation_tell(preparation, call->options, ret_reports->world, sizeof(ret_reports->world));
    find_here(ret_reports->here, sizeof(ret_reports->here));
    ret_reports->sinks[ret_reports->count++] = open_output(ret_reports);
    if (call->options->junit)
        status = open_junit(ret_reports, &preparation->person, said);
    if (ret_reports->file)
        ret_reports->sinks[ret_reports->count++] =
            junit_sink(&ret_reports->junit, origin_of(host, sizeof(host)), next_of(ret_reports),
                       ret_reports->file);
    return status;
}

/* Where nothing runs a service still wants its file, and not that of an earlier run. */
static int refuse_in_file(const struct verbs_call *call, enum status refusal,
                          const struct lines *said)
{
    struct reports reports = {.call = call, .folder = {.fd = -1}};
    struct lines more = {0};
    struct person person;
    char host[256];
    int status = person_find(&person);

    if (status == 0 && open_junit(&reports, &person, &more) != STATUS_OK)
        status = -EIO;
    /* Unless that very thing is what is refused. */
    for (size_t i = 0; i < more.count; i++)
        if (!lines_have(said, more.line[i]))
            fprintf(stderr, "%s\n", more.line[i]);
    if (status == 0) {
        (void)junit_error(VERSION_TOOL, origin_of(host, sizeof(host)), (int)refusal, said,
                          reports.file);
        status = write_file(&reports);
    }
    lines_free(&more);
    reports_close(&reports);
    return status;
}

int reports_refuse(const struct verbs_call *call, enum status status, const struct lines *said)
{
    const struct options *options = call->options;
    int code = status == STATUS_CANNOT ? options->skip_code : (int)status;

    if (options->junit && refuse_in_file(call, status, said) < 0)
        code = STATUS_BROKEN;
    verbs_refuse(call->out, options->json, code, said);
    if (options->json_lines)
        jsonlines_error(VERSION_TOOL, VERSION_NUMBER, code, said, call->out);
    if (options->tap)
        tap_error(code == STATUS_BROKEN ? code : (int)status, said, call->out);
    return code;
}

void reports_begin(struct reports *reports, uint64_t seed, uint64_t runs)
{
    struct sink_start start = {
        .tool = VERSION_TOOL, .version = VERSION_NUMBER, .seed = seed, .runs = (size_t)runs};

    reports->replay = replay_command(reports->call, seed);
    start.replay = reports->replay;
    for (size_t i = 0; i < reports->count; i++)
        if (reports->sinks[i].ops->begin)
            reports->sinks[i].ops->begin(reports->sinks[i].self, &start);
}

void reports_run(struct reports *reports, const struct result *result)
{
    for (size_t i = 0; i < reports->count; i++)
        if (reports->sinks[i].ops->run)
            reports->sinks[i].ops->run(reports->sinks[i].self, result);
}

void reports_scenario(struct reports *reports, const struct result *results, size_t count)
{
    for (size_t i = 0; i < reports->count; i++)
        if (reports->sinks[i].ops->scenario)
            reports->sinks[i].ops->scenario(reports->sinks[i].self, results, count);
}

static int end_sink(const struct sink *sink, const struct sink_finish *finish)
{
    return sink->ops->end ? sink->ops->end(sink->self, finish) : 0;
}

/* The file first: that it cannot be written is part of what the others tell. */
int reports_end(struct reports *reports, const struct sink_finish *finish)
{
    struct sink_finish last = *finish;
    int first = 0;

    for (size_t i = reports->count; i-- > 0;) {
        int status = end_sink(&reports->sinks[i], &last);

        if (i > 0 && reports->file && status == 0)
            status = write_file(reports);
        if (status < 0 && last.exit_status < STATUS_SIGNAL)
            last.exit_status = STATUS_BROKEN;
        first = first < 0 ? first : status;
    }
    return first;
}

void reports_close(struct reports *reports)
{
    if (reports->file)
        fclose(reports->file);
    free(reports->bytes);
    folder_close(&reports->folder);
    free(reports->words);
    free(reports->replay);
    *reports = (struct reports){.folder = {.fd = -1}};
}
