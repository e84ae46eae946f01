/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/script/lexer.h"

static const char *open_error(int error)
{
    switch (error) {
    case ENOENT:
        return "cannot be read: No such file or directory; give the path of a file that is there";
    case ENOTDIR:
        return "cannot be read: a part of the path is no directory; give the path of a file";
    case EACCES:
        return "cannot be read: Permission denied; make it readable";
    case ELOOP:
        return "cannot be read: Too many levels of symbolic links; give the path of the file "
               "itself";
    case ENAMETOOLONG:
        return "cannot be read: the path is too long; give a shorter one";
    default:
        return "cannot be read; give a readable file";
    }
}

/* Reads to the end: a file may be shorter or longer than its size said. */
static const char *read_all(int fd, size_t size_max, struct source *source)
{
    for (;;) {
        ssize_t n = read(fd, source->text + source->size, size_max + 1 - source->size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return "cannot be read; give a readable file";
        if (n == 0)
            return NULL;
        source->size += (size_t)n;
        if (source->size > size_max)
            return "the file is too large; a script has at most 1 MiB, an @file at most 64 MiB";
    }
}

static const char *read_file(int fd, size_t size_max, struct source *source)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        return "cannot be read; give a readable file";
    if (S_ISDIR(status.st_mode))
        return "cannot be read: this is a directory; give a file";
    if (!S_ISREG(status.st_mode))
        return "cannot be read: this is no regular file; give a regular file";
    source->text = malloc(size_max + 1);
    if (!source->text)
        return "no memory for the file; give a smaller one";
    return read_all(fd, size_max, source);
}

const char *source_read(const char *path, size_t size_max, struct source *ret_source)
{
    struct source source = {0};
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const char *error;

    if (fd < 0)
        return open_error(errno);
    error = read_file(fd, size_max, &source);
    close(fd);
    if (error)
        source_free(&source);
    else
        *ret_source = source;
    return error;
}

/* Bytes of the UTF-8 character at `text`, 0 when there is none (overlong forms and surrogates
 * included). */
static size_t utf8_size(const unsigned char *text, size_t left)
{
    static const struct {
        unsigned char lead_min, lead_max, next_min, next_max;
        uint8_t size;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        size_t size = forms[i].size;

        if (text[0] < forms[i].lead_min || text[0] > forms[i].lead_max)
            continue;
        if (left < size)
            return 0;
        if (size > 1 && (text[1] < forms[i].next_min || text[1] > forms[i].next_max))
            return 0;
        for (size_t k = 2; k < size; k++)
            if ((text[k] & 0xc0) != 0x80)
                return 0;
        return size;
    }
    return 0;
}

static bool check_line(const char *text, size_t size, uint32_t number, struct mistakes *mistakes)
{
    struct plan_place place = {.line = number, .column = 1};
    size_t at = 0;

    if (size > LEXER_LINE_MAX) {
        mistakes_add(mistakes, place, "the line has %zu bytes; at most %zu", size, LEXER_LINE_MAX);
        return false;
    }
    while (at < size) {
        unsigned char c = (unsigned char)text[at];
        size_t step = utf8_size((const unsigned char *)text + at, size - at);

        place.column = (uint32_t)at + 1;
        if (c == '\r')
            mistakes_add(mistakes, place, "a carriage return; end lines with a newline alone");
        else if ((c < ' ' && c != '\t') || c == 0x7f)
            mistakes_add(mistakes, place,
                         "byte %02x is a control character; a script is text: write \\x%02x in "
                         "quotes",
                         c, c);
        else if (step == 0)
            mistakes_add(mistakes, place,
                         "byte %02x is not UTF-8; a script is text: write \\x%02x "
                         "in quotes",
                         c, c);
        else {
            at += step;
            continue;
        }
        return false;
    }
    return true;
}

bool source_check(const char *text, size_t size, struct mistakes *mistakes)
{
    const char *end = text + size;
    uint32_t number = 1;

    if (size == 0) {
        mistakes_add(mistakes, (struct plan_place){1, 1},
                     "the script is empty; begin with 'scenario TOPIC/BEHAVIOUR'");
        return false;
    }
    for (const char *line = text; line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((newline ? newline : end) - line);

        if (!check_line(line, length, number, mistakes))
            return false;
        if (!newline) {
            mistakes_add(mistakes, (struct plan_place){number, (uint32_t)length + 1},
                         "no newline at the end of the script; end the last line with one");
            return false;
        }
        line = newline + 1;
    }
    return true;
}

void source_free(struct source *source)
{
    free(source->text);
    *source = (struct source){0};
}
