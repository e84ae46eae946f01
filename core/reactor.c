/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/reactor.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/callback.h"
#include "core/check.h"
#include "core/halt.h"
#include "core/round.h"
#include "core/service.h"
#include "core/source.h"
#include "core/trace.h"

static const char *const trigger_names[] = {
#define X(name, text) [REACTOR_##name] = text,
    REACTOR_TRIGGERS(X)
#undef X
};
_Static_assert(sizeof(trigger_names) / sizeof(*trigger_names) == REACTOR_TRIGGER_COUNT,
               "a name each");

const char *reactor_trigger_name(enum reactor_trigger trigger)
{
    assert(trigger < REACTOR_TRIGGER_COUNT);
    return trigger_names[trigger];
}

/* --- Opening and freeing --- */

static const char *reactor_protocol_error(const struct reactor_protocol *protocol)
{
    if (!budget_limits_valid(&protocol->limits))
        return "a quantum needs at least 1 byte and 1 attempt";
    if (!protocol->handlers)
        return "a protocol needs its handlers";
    if (protocol->format.header == 0)
        return protocol->capacity == 0 ? NULL : "capacity without frames";
    if (!frame_format_valid(&protocol->format))
        return "a frame header has 1, 2 or 4 bytes and can express the largest payload";
    if (protocol->capacity > UINT32_C(1) << 30)
        return "capacity is at most 2^30";
    if (protocol->capacity < frame_size_max(&protocol->format))
        return "capacity is below the largest frame, so that no frame could ever start";
    return NULL;
}

const char *reactor_config_error(const struct reactor_config *config)
{
    if (config->slots < 1 || config->slots > REACTOR_SLOTS_MAX)
        return "slots are 1 .. 2^20";
    if (config->collect < 1 || config->collect > OS_EVENTS_MAX)
        return "collect is 1 .. 1024";
    if ((unsigned)config->trigger >= REACTOR_TRIGGER_COUNT)
        return "unknown trigger";
    if (config->protocol_count < 1 || config->protocol_count > REACTOR_PROTOCOLS_MAX)
        return "protocols are 1 .. 16";
    if (config->inbox < 2 || config->inbox > UINT32_C(1) << 20 ||
        (config->inbox & (config->inbox - 1)) != 0)
        return "inbox is a power of two, 2 .. 2^20";
    for (uint32_t i = 0; i < config->protocol_count; i++) {
        const char *error = reactor_protocol_error(&config->protocols[i]);

        if (error)
            return error;
    }
    return NULL;
}

/* The most that one raw read may ask for. */
static uint32_t reactor_scratch_size(const struct reactor_config *config)
{
    uint32_t size = 1;

    for (uint32_t i = 0; i < config->protocol_count; i++)
        if (config->protocols[i].format.header == 0 && config->protocols[i].limits.bytes > size)
            size = config->protocols[i].limits.bytes;
    return size < REACTOR_READ_MAX ? size : REACTOR_READ_MAX;
}

static void reactor_discard(struct reactor *r)
{
    arena_free(r);
    free(r->events);
    free(r->scratch);
    free(r->inbox);
    free(r);
}

int reactor_open(const struct reactor_config *config, struct os os, struct reactor **ret_reactor)
{
    struct reactor *r;

    if (reactor_config_error(config))
        return -EINVAL;
    r = calloc(1, sizeof(*r));
    if (!r)
        return -ENOMEM;
    r->config = *config;
    memcpy(r->protocols, config->protocols, config->protocol_count * sizeof(*r->protocols));
    r->config.protocols = r->protocols;
    if (!r->config.rules)
        r->config.rules = &reader_rules;
    r->os = os;
    r->scratch_size = reactor_scratch_size(config);
    r->events = calloc(config->collect, sizeof(*r->events));
    r->scratch = malloc(r->scratch_size);
    r->inbox = malloc(ingress_size(config->inbox));
    if (arena_open(r) < 0 || !r->events || !r->scratch || !r->inbox) {
        reactor_discard(r);
        return -ENOMEM;
    }
    ingress_init(r->inbox, config->inbox);
    *ret_reactor = r;
    return 0;
}

void reactor_free(struct reactor *r)
{
    if (!r)
        return;
    assert(!r->inside);
    if (!r->head->halted)
        halt_run(r);
    reactor_discard(r);
}

/* --- Calls of the application --- */

static int reactor_put_in_service(struct reactor *r, int fd, enum source_kind kind,
                                  uint32_t protocol, struct identity *ret_id)
{
    if (fd < 0 || protocol >= r->config.protocol_count)
        return -EINVAL;
    if (r->head->halted)
        return -ESHUTDOWN;
    return service_admit(r, fd, kind, protocol, IDENTITY_NONE, ret_id);
}

int reactor_listen(struct reactor *r, int fd, uint32_t protocol, struct identity *ret_id)
{
    return reactor_put_in_service(r, fd, SOURCE_LISTENER, protocol, ret_id);
}

int reactor_adopt(struct reactor *r, int fd, uint32_t protocol, struct identity *ret_id)
{
    struct identity id;
    int rc = reactor_put_in_service(r, fd, SOURCE_STREAM, protocol, &id);

    if (rc < 0)
        return rc;
    *ret_id = id;
    callback_open(r, id);
    return 0;
}

int reactor_close(struct reactor *r, struct identity id)
{
    if (!identity_valid(r->table, id))
        return -ESTALE;
    service_close(r, id);
    return 0;
}

/* Encoded size of the frame that begins at `bytes`. */
static uint32_t reactor_frame_size(const struct reactor_protocol *protocol, const uint8_t *bytes)
{
    struct frame frame;

    frame_reset(&frame);
    (void)frame_advance(&protocol->format, &frame, bytes, protocol->format.header);
    assert(frame.size >= protocol->format.header);
    return frame.size;
}

int reactor_release(struct reactor *r, struct identity id, uint32_t frames)
{
    struct source *source;
    const uint8_t *store;

    if (!identity_valid(r->table, id))
        return -ESTALE;
    source = &r->sources[id.slot];
    if (frames == 0 || frames > source->store.frames)
        return -EINVAL;
    store = source_store(r, id.slot);
    for (uint32_t i = 0; i < frames; i++) {
        uint32_t at = store_oldest(&source->store);
        uint32_t size = reactor_frame_size(source_protocol(r, source), store + at);
        int rc = credit_release(&source->credit, size);

        assert(rc == 0);
        (void)rc;
        store_release(&source->store, size);
    }
    trace_consume(r, id, frames);
    if (source->reader.state == READER_PAUSED && !ready_member(r->resuming, id.slot))
        ready_push(r->resuming, id.slot);
    return 0;
}

int reactor_post(struct reactor *r, uint64_t word)
{
    int rc = ingress_post(r->inbox, word);

    return rc < 0 ? rc : os_wake(r->os);
}

void reactor_stop(struct reactor *r)
{
    atomic_store(&r->stop_asked, true);
    (void)os_wake(r->os);
}

int reactor_tag_set(struct reactor *r, struct identity id, uint64_t tag)
{
    if (!identity_valid(r->table, id))
        return -ESTALE;
    r->sources[id.slot].tag = tag;
    return 0;
}

uint64_t reactor_tag(const struct reactor *r, struct identity id)
{
    return identity_valid(r->table, id) ? r->sources[id.slot].tag : 0;
}

int reactor_descriptor(const struct reactor *r, struct identity id)
{
    return identity_valid(r->table, id) ? r->sources[id.slot].fd : -1;
}

int reactor_view(const struct reactor *r, struct identity id, struct reactor_view *ret_view)
{
    const struct source *source;

    if (!identity_valid(r->table, id))
        return -ESTALE;
    source = &r->sources[id.slot];
    *ret_view = (struct reactor_view){
        .state = (enum reader_state)source->reader.state,
        .hint = source->reader.hint,
        .listener = source->kind == SOURCE_LISTENER,
        .frames_held = source->store.frames,
        .credit = source->credit,
        .credit_peak = r->source_accounts[id.slot].credit_peak,
    };
    return 0;
}

struct identity reactor_at(const struct reactor *r, uint32_t slot)
{
    return identity_of(r->table, slot);
}

const struct reactor_account *reactor_account(const struct reactor *r)
{
    return r->account;
}

/* --- Running --- */

/* One thread consumes (R-ID-03). A thread is known by an address that only it has. */
static bool reactor_owned(struct reactor *r)
{
    static _Thread_local char here;

    if (!r->owner)
        r->owner = &here;
    return r->owner == &here;
}

int reactor_round(struct reactor *r)
{
    int rc;

    if (r->inside || r->callbacks > 0)
        return -EBUSY;
    if (!reactor_owned(r))
        return -EPERM;
    if (r->head->halted)
        return 0;
    r->inside = true;
    rc = round_run(r);
    r->inside = false;
    return rc;
}

int reactor_run(struct reactor *r)
{
    int rc;

    do {
        rc = reactor_round(r);
    } while (rc > 0);
    return rc;
}

/* --- Checking and copying --- */

bool reactor_check(const struct reactor *r)
{
    return check_all(r);
}

size_t reactor_snapshot_size(const struct reactor *r)
{
    return r->state_size + r->account_size;
}

int reactor_save(const struct reactor *r, void *ret_snapshot)
{
    if (r->inside)
        return -EBUSY;
    memcpy(ret_snapshot, r->arena, reactor_snapshot_size(r));
    return 0;
}

int reactor_restore(struct reactor *r, const void *snapshot)
{
    if (r->inside)
        return -EBUSY;
    memcpy(r->arena, snapshot, reactor_snapshot_size(r));
    return 0;
}

uint64_t reactor_digest(const struct reactor *r)
{
    return arena_digest(r);
}
