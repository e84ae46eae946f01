/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/bed.h"

static void bed_open_source(struct reactor *r, struct identity id, void *app)
{
    struct bed *bed = app;

    (void)r;
    bed->opens++;
    bed->last = id;
}

static void bed_append(struct bed *bed, const uint8_t *bytes, uint32_t size, const char *after)
{
    size_t used = strlen(bed->got);

    (void)snprintf(bed->got + used, sizeof(bed->got) - used, "%.*s%s", (int)size,
                   (const char *)bytes, after);
}

static void bed_data(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size,
                     void *app)
{
    (void)r;
    (void)id;
    bed_append(app, bytes, size, "");
}

static void bed_frame(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size,
                      void *app)
{
    struct bed *bed = app;

    bed_append(bed, bytes, size, ".");
    if (!bed->manual)
        assert_int_equal(reactor_release(r, id, 1), 0);
    if (bed->on_frame)
        bed->on_frame(bed, id);
}

static void bed_end(struct reactor *r, struct identity id, enum reader_outcome outcome, int error,
                    void *app)
{
    struct bed *bed = app;

    (void)r;
    (void)id;
    bed->ends++;
    bed->outcome = outcome;
    bed->error = error;
}

static void bed_close_source(struct reactor *r, struct identity id, uint64_t tag, void *app)
{
    struct bed *bed = app;
    struct reactor_view view;

    assert_int_equal(reactor_view(r, id, &view), -ESTALE);
    bed->closes++;
    if (bed->on_close)
        bed->on_close(bed, tag);
}

static void bed_post(struct reactor *r, uint64_t word, void *app)
{
    (void)r;
    ((struct bed *)app)->posted += word;
}

static const struct reactor_handlers bed_handlers = {
    .open = bed_open_source,
    .data = bed_data,
    .frame = bed_frame,
    .end = bed_end,
    .close = bed_close_source,
};

struct bed *bed_new(void)
{
    struct bed *bed = calloc(1, sizeof(*bed));

    assert_non_null(bed);
    fake_os_init(&bed->kernel);
    bed->protocol = (struct reactor_protocol){
        .limits = {.bytes = 2, .attempts = 1},
        .handlers = &bed_handlers,
    };
    bed->config = (struct reactor_config){
        .slots = 8,
        .collect = 16,
        .trigger = REACTOR_ET,
        .protocols = &bed->protocol,
        .protocol_count = 1,
        .inbox = 4,
        .post = bed_post,
        .app = bed,
        .checks = true,
    };
    return bed;
}

struct bed *bed_new_framed(void)
{
    struct bed *bed = bed_new();

    bed->protocol.format = (struct frame_format){.header = 2, .payload_max = 3};
    bed->protocol.capacity = 9;
    bed->protocol.limits = (struct budget_limits){.bytes = 9, .attempts = 2, .frames = 1};
    bed->manual = true;
    return bed;
}

void bed_start(struct bed *bed)
{
    assert_int_equal(reactor_open(&bed->config, fake_os_table(&bed->kernel), &bed->r), 0);
}

struct identity bed_adopt(struct bed *bed, int *ret_fd)
{
    struct identity id;

    *ret_fd = fake_os_stream(&bed->kernel);
    assert_int_equal(reactor_adopt(bed->r, *ret_fd, 0, &id), 0);
    return id;
}

void bed_run_idle(struct bed *bed)
{
    unsigned before = bed->kernel.sleeps;

    for (int round = 0; round < 200; round++) {
        assert_int_equal(reactor_round(bed->r), 1);
        if (bed->kernel.sleeps != before)
            return;
    }
    fail_msg("the reactor does not come to rest");
}

void bed_free(struct bed *bed)
{
    reactor_free(bed->r);
    free(bed);
}

void bed_expect(struct bed *bed, struct identity id, enum reader_state state, uint32_t used,
                uint32_t reserved)
{
    struct reactor_view view;

    assert_int_equal(reactor_view(bed->r, id, &view), 0);
    assert_int_equal(view.state, state);
    assert_int_equal(view.credit.used, used);
    assert_int_equal(view.credit.reserved, reserved);
}
