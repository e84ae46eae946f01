/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/normal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* Bytes of a stream without a hole between them, held by one or more ranges. */
struct run {
    const struct reassembly_range *ranges;
    size_t count;
    uint64_t length;
};

static void write_byte(FILE *out, uint8_t byte)
{
    if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\')
        (void)fputc(byte, out);
    else
        (void)fprintf(out, "\\x%02x", byte);
}

/* The head of the run in quotes; the digest only when that is not all of it. */
static void write_bytes(FILE *out, const struct run *run)
{
    uint64_t digest = FNV_OFFSET;
    size_t shown = 0;

    (void)fputc('"', out);
    for (size_t i = 0; i < run->count; i++) {
        const struct reassembly_range *range = &run->ranges[i];

        for (size_t j = 0; j < range->length; j++) {
            digest = (digest ^ range->bytes[j]) * FNV_PRIME;
            if (shown < NORMAL_BYTES_SHOWN) {
                write_byte(out, range->bytes[j]);
                shown++;
            }
        }
    }
    (void)fputc('"', out);
    if (run->length > shown)
        (void)fprintf(out, ".. fnv1a=%016" PRIx64, digest);
}

static struct run next_run(const struct reassembly *stream, size_t first)
{
    struct run run = {.ranges = &stream->ranges[first]};
    uint64_t end = run.ranges[0].offset;

    while (first + run.count < stream->count && run.ranges[run.count].offset == end) {
        end += run.ranges[run.count].length;
        run.count++;
    }
    run.length = end - run.ranges[0].offset;
    return run;
}

static void write_row_start(FILE *out, const struct transcript_connection *c,
                            enum naming_direction direction)
{
    (void)fprintf(out, "%s %c ", c->naming->name, naming_sign(direction));
}

static void write_missing(FILE *out, const struct transcript_connection *c,
                          enum naming_direction direction, uint64_t from, uint64_t to)
{
    if (from >= to)
        return;
    write_row_start(out, c, direction);
    (void)fprintf(out, "missing %" PRIu64 " at %" PRIu64 "\n", to - from, from);
}

static void write_stream(FILE *out, const struct transcript_connection *c,
                         enum naming_direction direction)
{
    const struct transcript_side *side = &c->sides[direction];
    uint64_t reached = 0;
    size_t i = 0;

    while (i < side->stream.count) {
        struct run run = next_run(&side->stream, i);

        write_missing(out, c, direction, reached, run.ranges[0].offset);
        write_row_start(out, c, direction);
        (void)fprintf(out, "%" PRIu64 " ", run.length);
        write_bytes(out, &run);
        (void)fputc('\n', out);
        reached = run.ranges[0].offset + run.length;
        i += run.count;
    }
    if (side->fin_seen)
        write_missing(out, c, direction, reached, side->fin_offset);
}

/* SYN and DATA are no ends and have rows of their own. */
static void write_end(FILE *out, const struct transcript_connection *c,
                      const struct transcript_fact *fact)
{
    if (fact->kind == TRANSCRIPT_SYN || fact->kind == TRANSCRIPT_DATA)
        return;
    write_row_start(out, c, fact->direction);
    if (fact->kind == TRANSCRIPT_RST_REFUSED)
        (void)fprintf(out, "RST refused\n");
    else
        (void)fprintf(out, "%s at %" PRIu64 "%s\n",
                      fact->kind == TRANSCRIPT_FIN ? "FIN" : "RST", fact->offset,
                      fact->kind == TRANSCRIPT_RST_AFTER_FIN ? " after FIN" : "");
}

static void write_connection(FILE *out, const struct transcript_connection *c)
{
    for (size_t i = 0; i < c->fact_count; i++) {
        if (c->facts[i].kind == TRANSCRIPT_SYN) {
            write_row_start(out, c, c->facts[i].direction);
            (void)fprintf(out, "SYN\n");
        }
    }
    for (int d = 0; d < NAMING_DIRECTIONS; d++)
        write_stream(out, c, (enum naming_direction)d);
    for (size_t i = 0; i < c->fact_count; i++)
        write_end(out, c, &c->facts[i]);
}

int normal_text(const struct transcript *transcript, char **ret_text, size_t *ret_length)
{
    char *text = NULL;
    size_t length = 0;
    bool failed;
    FILE *out;

    out = open_memstream(&text, &length);
    if (out == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < transcript->connection_count; i++)
        write_connection(out, &transcript->connections[i]);
    failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return -ENOMEM;
    }
    *ret_text = text;
    if (ret_length != NULL)
        *ret_length = length;
    return 0;
}
