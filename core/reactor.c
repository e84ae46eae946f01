/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/reactor.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/callback.h"
#include "core/interest.h"
#include "core/listener.h"
#include "core/reactor_impl.h"
#include "core/round.h"
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

/* --- Parts that the other files of the reactor share --- */

bool reactor_impl_room(const struct reactor *r, const struct source *source)
{
    if (!reactor_impl_framed(r, source))
        return true;
    return credit_allows(&source->credit,
                         frame_size_max(&reactor_impl_protocol(r, source)->format));
}

uint8_t *reactor_impl_store(const struct reactor *r, uint32_t slot)
{
    return r->stores + (size_t)slot * r->store_stride;
}

static void reactor_apply(struct reactor *r, struct identity id, enum reader_event event,
                          const struct reader_cell *cell)
{
    if (cell->verdict == READER_ILLEGAL) {
        r->account->illegal++;
        trace_illegal(r, id, event);
    } else if (cell->queue == READER_QUEUE_PUSH) {
        ready_push(r->ready, id.slot);
        if (r->ready->length > r->account->ready_peak)
            r->account->ready_peak = r->ready->length;
    } else if (cell->queue == READER_QUEUE_REMOVE) {
        ready_remove(r->ready, id.slot);
    }
}

void reactor_impl_step(struct reactor *r, struct identity id, enum reader_event event)
{
    assert(identity_valid(r->table, id));
    reactor_apply(r, id, event, reader_step(r->config.rules, &r->sources[id.slot].reader, event));
}

void reactor_impl_fail(struct reactor *r, struct identity id, int error)
{
    assert(identity_valid(r->table, id));
    reactor_apply(r, id, READER_FATAL,
                  reader_fail(r->config.rules, &r->sources[id.slot].reader, error));
}

/* A source that could not come into service goes at once, and its row says so. */
static void reactor_turn_away(struct reactor *r, struct identity id)
{
    struct source *source = &r->sources[id.slot];

    (void)identity_retire(r->table, id);
    if (source->kind == SOURCE_STREAM)
        trace_close(r, id);
    memset(source, 0, sizeof(*source));
}

int reactor_impl_admit(struct reactor *r, int fd, enum source_kind kind, uint32_t protocol,
                       enum journal_kind row, struct identity from, struct identity *ret_id)
{
    struct identity id;
    struct source *source;
    int rc = identity_take(r->table, &id);

    if (rc < 0)
        return rc;
    source = &r->sources[id.slot];
    memset(source, 0, sizeof(*source));
    source->fd = fd;
    source->kind = (uint8_t)kind;
    source->protocol = (uint8_t)protocol;
    reader_init(&source->reader);
    credit_init(&source->credit, r->protocols[protocol].capacity);
    memset(&r->source_accounts[id.slot], 0, sizeof(*r->source_accounts));
    if (row == JOURNAL_ACCEPT)
        trace_accept(r, from, 0, id);
    else if (kind == SOURCE_STREAM)
        trace_adopt(r, id);
    rc = interest_add(r, id);
    if (rc < 0) {
        reactor_turn_away(r, id);
        return rc;
    }
    *ret_id = id;
    return 0;
}

static void reactor_leave(struct ready *queue, uint32_t slot)
{
    if (ready_member(queue, slot))
        ready_remove(queue, slot);
}

/* The order of R-ID-06: undispatchable, out of the queues, entry deleted, number closed. */
void reactor_impl_close(struct reactor *r, struct identity id)
{
    struct source *source = &r->sources[id.slot];
    const struct source was = *source;
    bool stream = was.kind == SOURCE_STREAM;

    if (stream)
        reactor_impl_step(r, id, READER_CLOSE);
    (void)identity_retire(r->table, id);
    reactor_leave(r->ready, id.slot);
    reactor_leave(r->resuming, id.slot);
    reactor_leave(r->accepting, id.slot);
    reactor_leave(r->starved, id.slot);
    if (stream)
        trace_close(r, id);
    interest_delete(r, id);
    memset(source, 0, sizeof(*source));
    (void)os_close(r->os, was.fd);
    r->account->closes++;
    listener_room(r);
    if (stream)
        callback_close(r, id, was.protocol, was.tag);
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

static void reactor_close_kind(struct reactor *r, enum source_kind kind)
{
    for (uint32_t slot = 0; slot < r->config.slots; slot++) {
        struct identity id = identity_of(r->table, slot);

        if (identity_valid(r->table, id) && r->sources[slot].kind == kind)
            reactor_impl_close(r, id);
    }
}

/* Words that were taken from a sender are handed over, however late (R-L-18). */
static void reactor_drain_inbox(struct reactor *r)
{
    uint64_t word;

    ingress_close(r->inbox);
    while (!ingress_drained(r->inbox)) {
        if (!ingress_take(r->inbox, &word))
            continue; /* its sender is between having a place and having written to it */
        r->account->posts++;
        callback_post(r, word);
    }
}

/* Admission first, so that what is left is finite and known (R-L-17). */
void reactor_impl_halt(struct reactor *r)
{
    bool inside = r->inside;

    r->inside = true;
    r->head->halted = true;
    trace_halt(r);
    reactor_close_kind(r, SOURCE_LISTENER);
    reactor_drain_inbox(r);
    reactor_close_kind(r, SOURCE_STREAM);
    r->inside = inside;
}

void reactor_free(struct reactor *r)
{
    if (!r)
        return;
    assert(!r->inside);
    if (!r->head->halted)
        reactor_impl_halt(r);
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
    return reactor_impl_admit(r, fd, kind, protocol, JOURNAL_ADOPT, IDENTITY_NONE, ret_id);
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
    reactor_impl_close(r, id);
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
    store = reactor_impl_store(r, id.slot);
    for (uint32_t i = 0; i < frames; i++) {
        uint32_t at = store_oldest(&source->store);
        uint32_t size = reactor_frame_size(reactor_impl_protocol(r, source), store + at);
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

static bool reactor_check_source(const struct reactor *r, uint32_t slot)
{
    const struct source *source = &r->sources[slot];
    bool queued = source->reader.state == READER_QUEUED;
    bool running = source->reader.state == READER_RUNNING;

    if (source->kind == SOURCE_LISTENER)
        return !ready_member(r->ready, slot);
    return reader_check(&source->reader) && credit_check(&source->credit) &&
           ready_member(r->ready, slot) == queued && (r->head->running == slot) == running &&
           (r->store_stride == 0 || store_check(&source->store, r->store_stride));
}

bool reactor_check(const struct reactor *r)
{
    if (!identity_table_check(r->table) || !ready_check(r->ready) || !ready_check(r->resuming) ||
        !ready_check(r->accepting) || !ready_check(r->starved))
        return false;
    for (uint32_t slot = 0; slot < r->config.slots; slot++) {
        bool held = identity_valid(r->table, identity_of(r->table, slot));

        if (held ? !reactor_check_source(r, slot) : ready_member(r->ready, slot))
            return false;
    }
    return true;
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
