/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_HARNESS_SAMPLE_SINK_H
#define EDGEWISE_TESTS_HARNESS_SAMPLE_SINK_H

/* A sink told of results as scenario.c tells it, into memory. */

#include <stdio.h>

#include "harness/report/next.h"
#include "harness/report/sink.h"
#include "tests/harness/sample.h"

/* Bytes that a peer or a file name could bring: an escape sequence, what the formats quote by, no
 * UTF-8, a line separator, and what XML cannot carry. */
#define SAMPLE_HOSTILE                                                       \
    "<a b=\"c\" d='e'>&amp;]]> \\ \x1b[31m \xff\xc3 \xe2\x80\xa8 \xef\xbf\xbe" \
    "\x01 # SKIP \xc2\x9b \x7f \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 ..."

#define SAMPLE_REPLAY "./run scenario framing/one --repeat 4 --seed 0x1f"

static const struct next_words sample_words = {
    .command = "./run", .scenarios = "scenarios", .options = " --set a=1"};

/* One run of it, so the counts say. */
static inline struct result sample_once(struct result result)
{
    result.runs[result.verdict] = 1;
    return result;
}

/* A memory stream; sample_text closes it. */
struct sample_stream {
    FILE *out;
    char *text;
    size_t size;
};

static inline void sample_open(struct sample_stream *stream)
{
    *stream = (struct sample_stream){0};
    stream->out = open_memstream(&stream->text, &stream->size);
}

/* What was written; the caller frees it. */
static inline char *sample_text(struct sample_stream *stream)
{
    fclose(stream->out);
    return stream->text;
}

static inline void sample_begin(struct sink sink, size_t runs)
{
    struct sink_start start = {.tool = "edgewise",
                               .version = "1.2.3",
                               .replay = SAMPLE_REPLAY,
                               .seed = 0x1f,
                               .runs = runs};

    if (sink.ops->begin)
        sink.ops->begin(sink.self, &start);
}

/* Each result is a run and a cell. */
static inline void sample_tell(struct sink sink, const struct result *results, size_t count)
{
    for (size_t i = 0; i < count && sink.ops->run; i++)
        sink.ops->run(sink.self, &results[i]);
    if (sink.ops->scenario)
        sink.ops->scenario(sink.self, results, count);
}

static inline int sample_end(struct sink sink, size_t left, int exit_status)
{
    struct score score = {{[RESULT_PASS] = 3, [RESULT_FAIL] = 1, [RESULT_LATE] = 2}};
    struct sink_finish finish = {
        .score = &score, .wall = {1234567890}, .left = left, .exit_status = exit_status};

    return sink.ops->end(sink.self, &finish);
}

#endif
