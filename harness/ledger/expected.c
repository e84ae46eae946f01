/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/expected.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/ledger/row.h"
#include "harness/memory.h"

struct reading {
    struct expected *expected;
    enum expected_kind kind;
    struct lines *errors;
    uint32_t mistakes;
};

/* `at` counts bytes of the line from 0. */
__attribute__((format(printf, 3, 4))) static void mistake(struct reading *reading, size_t at,
                                                          const char *format, ...)
{
    char text[512];
    va_list args;

    if (reading->mistakes++ >= EXPECTED_ERRORS_MAX)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    lines_add(reading->errors, "%s:%u:%zu: %s", reading->expected->file,
              reading->expected->line_count, at + 1, text);
}

/* True when `line` has none but printable bytes; UTF-8 passes. */
static bool check_bytes(struct reading *reading, const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)line[i];

        if (c >= 0x20 && c != 0x7f)
            continue;
        if (c == '\t')
            mistake(reading, i, "a tab; blanks, as many as you like");
        else if (c == '\r')
            mistake(reading, i, "a carriage return; lines end with a newline alone");
        else
            mistake(reading, i, "byte 0x%02x; printable text, other bytes as \\x%02x", c, c);
        return false;
    }
    if (length > EXPECTED_ROW_MAX) {
        mistake(reading, EXPECTED_ROW_MAX, "a line of %zu bytes; at most %d", length,
                EXPECTED_ROW_MAX);
        return false;
    }
    return true;
}

/* Where the quote begins that never ends, or SIZE_MAX. */
static size_t open_quote(const char *line)
{
    size_t open = SIZE_MAX;

    for (size_t i = 0; line[i]; i++)
        if (line[i] == '"')
            open = open == SIZE_MAX ? i : SIZE_MAX;
    return open;
}

/* The colon that ends a line's tags: outside quotes and behind nothing but words. NULL without
 * tags. */
static const char *tags_end(const char *line)
{
    const char *end = line + strcspn(line, ":\"");

    return *end == ':' ? end : NULL;
}

static int tag_find(const char *word, size_t length)
{
    for (int i = 0; i < REACTOR_TRIGGER_COUNT; i++) {
        const char *name = reactor_trigger_name((enum reactor_trigger)i);

        if (strlen(name) == length && memcmp(name, word, length) == 0)
            return i;
    }
    return -1;
}

/* The bits of the tags in [line, end); 0 after a mistake. */
static unsigned parse_tags(struct reading *reading, const char *line, const char *end)
{
    unsigned tags = 0;

    for (const char *at = line + strspn(line, " "); at < end; at += strspn(at, " ")) {
        size_t length = strcspn(at, " :");
        int tag = tag_find(at, length);

        if (tag < 0) {
            mistake(reading, (size_t)(at - line), "tag \"%.*s\"; one of et, lt, os",
                    (int)(length < 40 ? length : 40), at);
            return 0;
        }
        if (tags >> tag) {
            mistake(reading, (size_t)(at - line),
                    "tag \"%s\" again or out of order; the order is et lt os",
                    reactor_trigger_name((enum reactor_trigger)tag));
            return 0;
        }
        tags |= 1u << tag;
        at += length;
    }
    if (tags == 0)
        mistake(reading, (size_t)(end - line), "a colon without a tag; et, lt or os before it");
    return tags;
}

static void add_row(struct reading *reading, const char *text, unsigned triggers)
{
    struct expected *expected = reading->expected;
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == ' ')
        length--;
    expected->rows = memory_grow(expected->rows, expected->count, &expected->room,
                                 sizeof(*expected->rows));
    expected->rows[expected->count++] = (struct expected_row){
        .text = memory_text(text, length),
        .line = expected->line_count,
        .triggers = triggers,
    };
}

static void parse_row(struct reading *reading, const char *line)
{
    const char *end = reading->kind == EXPECTED_EVENTS ? tags_end(line) : NULL;
    const char *text = end ? end + 1 : line;
    unsigned triggers = EXPECTED_ALWAYS;
    size_t quote = open_quote(line);

    if (quote != SIZE_MAX) {
        mistake(reading, quote, "a quote that does not end; \" at its end, \\x22 for one inside");
        return;
    }
    if (end && (triggers = parse_tags(reading, line, end)) == 0)
        return;
    text += strspn(text, " ");
    if (*text == '\0') {
        mistake(reading, (size_t)(text - line), "tags without a row; a row behind the colon");
        return;
    }
    if (!end && reading->kind == EXPECTED_EVENTS && row_dialogue(text)) {
        mistake(reading, (size_t)(text - line),
                "a %s row without tags; the triggers it belongs to before it, as in \"et os: \"",
                *text == 'n' ? "notice" : "ctl");
        return;
    }
    add_row(reading, text, triggers);
}

static void parse_line(struct reading *reading, const char *line, size_t length)
{
    struct expected *expected = reading->expected;

    expected->line_count++;
    if (!check_bytes(reading, line, length))
        return;
    if (line[strspn(line, " ")] == '\0')
        return;
    if (*line == '#') {
        if (expected->count == 0)
            lines_add(&expected->head, "%s", line);
        return;
    }
    parse_row(reading, line);
}

int expected_parse(const char *file, enum expected_kind kind, const char *text, size_t size,
                   struct expected *ret_expected, struct lines *errors)
{
    struct expected expected = {.file = memory_text(file, strlen(file))};
    struct reading reading = {.expected = &expected, .kind = kind, .errors = errors};
    const char *end = text + size;

    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        char *line = memory_text(text, (size_t)(stop - text));

        parse_line(&reading, line, strnlen(line, (size_t)(stop - text)));
        if (strlen(line) < (size_t)(stop - text))
            mistake(&reading, strlen(line), "byte 0x00; printable text");
        free(line);
        text = stop + 1;
    }
    if (reading.mistakes > EXPECTED_ERRORS_MAX)
        lines_add(errors, "%s: %u more mistakes", file, reading.mistakes - EXPECTED_ERRORS_MAX);
    if (reading.mistakes > 0) {
        expected_free(&expected);
        return -EINVAL;
    }
    *ret_expected = expected;
    return 0;
}

/* Reads all of `fd` into memory. */
static int read_all(int fd, char **ret_text, size_t *ret_size)
{
    struct stat status;
    char *text;
    size_t size = 0;

    if (fstat(fd, &status) < 0)
        return -errno;
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
    if ((uint64_t)status.st_size > EXPECTED_FILE_MAX)
        return -EFBIG;
    text = memory_zeroed((size_t)status.st_size, 1);
    while (size < (size_t)status.st_size) {
        ssize_t got = read(fd, text + size, (size_t)status.st_size - size);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int error = errno;

            free(text);
            return -error;
        }
        if (got == 0)
            break;
        size += (size_t)got;
    }
    *ret_text = text;
    *ret_size = size;
    return 0;
}

int expected_read(const char *file, enum expected_kind kind, struct expected *ret_expected,
                  struct lines *errors)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    size_t size = 0;
    int rc;

    if (fd < 0 && errno == ENOENT) {
        *ret_expected = (struct expected){.file = memory_text(file, strlen(file)), .missing = true};
        return 0;
    }
    rc = fd < 0 ? -errno : read_all(fd, &text, &size);
    if (fd >= 0)
        (void)close(fd);
    if (rc < 0) {
        lines_add(errors, "%s: cannot read: %s", file, strerror(-rc));
        return rc;
    }
    rc = expected_parse(file, kind, text, size, ret_expected, errors);
    free(text);
    return rc;
}

void expected_free(struct expected *expected)
{
    for (size_t i = 0; i < expected->count; i++)
        free(expected->rows[i].text);
    free(expected->rows);
    free(expected->file);
    lines_free(&expected->head);
    *expected = (struct expected){0};
}

const struct expected_row **expected_select(const struct expected *expected,
                                            enum reactor_trigger trigger, size_t *ret_count)
{
    const struct expected_row **rows = memory_zeroed(expected->count,
                                                     sizeof(struct expected_row *));
    size_t count = 0;

    assert(trigger < REACTOR_TRIGGER_COUNT);
    for (size_t i = 0; i < expected->count; i++)
        if (expected->rows[i].triggers & 1u << trigger)
            rows[count++] = &expected->rows[i];
    *ret_count = count;
    return rows;
}
