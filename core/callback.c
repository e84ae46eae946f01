/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/callback.h"

#include "core/source.h"

static const struct reactor_handlers *callback_handlers(const struct reactor *r,
                                                        struct identity id)
{
    return source_protocol(r, &r->sources[id.slot])->handlers;
}

void callback_open(struct reactor *r, struct identity id)
{
    const struct reactor_handlers *handlers = callback_handlers(r, id);

    if (!handlers->open)
        return;
    r->callbacks++;
    handlers->open(r, id, r->config.app);
    r->callbacks--;
}

void callback_data(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size)
{
    const struct reactor_handlers *handlers = callback_handlers(r, id);

    if (!handlers->data)
        return;
    r->callbacks++;
    handlers->data(r, id, bytes, size, r->config.app);
    r->callbacks--;
}

void callback_frame(struct reactor *r, struct identity id, const uint8_t *payload, uint32_t size)
{
    const struct reactor_handlers *handlers = callback_handlers(r, id);

    if (!handlers->frame)
        return;
    r->callbacks++;
    handlers->frame(r, id, payload, size, r->config.app);
    r->callbacks--;
}

void callback_end(struct reactor *r, struct identity id)
{
    const struct reactor_handlers *handlers = callback_handlers(r, id);
    const struct reader *reader = &r->sources[id.slot].reader;

    if (!handlers->end)
        return;
    r->callbacks++;
    handlers->end(r, id, (enum reader_outcome)reader->outcome, reader->error, r->config.app);
    r->callbacks--;
}

void callback_close(struct reactor *r, struct identity id, uint8_t protocol, uint64_t tag)
{
    const struct reactor_handlers *handlers = r->protocols[protocol].handlers;

    if (!handlers->close)
        return;
    r->callbacks++;
    handlers->close(r, id, tag, r->config.app);
    r->callbacks--;
}

void callback_post(struct reactor *r, uint64_t word)
{
    if (!r->config.post)
        return;
    r->callbacks++;
    r->config.post(r, word, r->config.app);
    r->callbacks--;
}
