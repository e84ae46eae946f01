/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/stage.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

#define SUT   0 /* processes of the simulated kernel */
#define PEERS 1
#define PORT  7
#define BLOCK 256

/* What the sizes rule out; a word of it would help nobody. */
static void must(bool holds)
{
    if (!holds)
        abort();
}

/* The gate: an idle reactor gets its round without notices, and we get our turn. */

static void enter(void *arg)
{
    (void)arg;
}

static bool idle(void *arg, struct instant deadline)
{
    struct stage *stage = arg;

    (void)deadline;
    stage->idle = true;
    return true;
}

static struct instant now(void *arg)
{
    const struct stage *stage = arg;

    return kernel_now(stage->kernel);
}

static const struct os_gate_hooks hooks = {
    .enter = enter, .round = enter, .idle = idle, .now = now};

static void open_kernel(struct stage *stage, const struct stage_config *config)
{
    uint32_t ends = 2 * config->sources + 8;
    const struct kernel_config kernel = {
        .processes = 2, .descriptors = ends, .descriptions = ends, .items = config->sources + 2,
        .epolls = 1, .sockets = ends, .counters = 1,
        .blocks = config->bytes / BLOCK + 4 * ends, .block_size = BLOCK,
        .sndbuf = 16 * STAGE_BYTES_MAX, .rcvbuf = 16 * STAGE_BYTES_MAX,
    };

    stage->kernel = kernel_init(memory_zeroed(1, kernel_size(&kernel)), &kernel);
    must(os_sim_open(stage->kernel, SUT, &stage->sim) == 0);
}

/* Both ends of every connection; the listener is ours and goes again. */
static void connect_all(struct stage *stage)
{
    const struct kernel_address address = {.domain = KERNEL_IPV4, .port = PORT, .bytes = {10}};
    int listener = kernel_socket(stage->kernel, SUT, KERNEL_IPV4, KERNEL_STREAM);

    must(kernel_bind(stage->kernel, SUT, listener, &address) == 0);
    must(kernel_listen(stage->kernel, SUT, listener, 1) == 0);
    for (uint32_t i = 0; i < stage->sources; i++) {
        int peer = kernel_socket(stage->kernel, PEERS, KERNEL_IPV4, KERNEL_STREAM);

        must(kernel_connect(stage->kernel, PEERS, peer, &address) == -EINPROGRESS);
        stage->peers[i] = peer;
        stage->fds[i] = kernel_accept(stage->kernel, SUT, listener);
        must(stage->fds[i] >= 0);
        stage->ids[i] = IDENTITY_NONE;
    }
    must(kernel_close(stage->kernel, SUT, listener) == 0);
}

/* Records and side bytes of one round: a batch of notices, then one quantum. */
static void open_journal(struct stage *stage, const struct stage_config *config)
{
    uint32_t attempts = config->limits.attempts;
    uint32_t queue = config->sources * (uint32_t)sizeof(uint64_t);

    stage->journal_records = 64 + 8 * config->sources + 4 * attempts;
    stage->journal_bytes = 4096 + 16 * config->sources * queue + 2 * config->bytes;
    stage->journal = memory_must(aligned_alloc(64, (journal_size(stage->journal_records,
                                                                 stage->journal_bytes) + 63) /
                                                       64 * 64));
    journal_init(stage->journal, stage->journal_records, stage->journal_bytes);
}

static void make_rules(struct stage *stage, const struct stage_config *config)
{
    struct reader_cell *yield = &stage->rules.cell[READER_RUNNING][READER_YIELD_ROOM];

    stage->rules = reader_rules;
    if (config->no_requeue) {
        yield->next = READER_WAITING;
        yield->queue = READER_QUEUE_KEEP;
    }
    defects_change_rules(config->defect, &stage->rules);
}

static struct os make_os(struct stage *stage, const struct stage_config *config)
{
    struct os os = os_fault_wrap(&stage->fault, os_sim_table(&stage->sim));

    if (defects_spoiler(config->defect) != SPOILER_NONE) {
        stage->spoiler = memory_zeroed(1, sizeof(*stage->spoiler));
        os = spoiler_wrap(stage->spoiler, defects_spoiler(config->defect), os,
                          (struct reactor *const *)&stage->reactor);
    }
    os = os_record_wrap(&stage->record, os, stage->journal);
    os = lookout_wrap(&stage->lookout, os, config->calls);
    return os_gate_wrap(&stage->gate, os, &hooks, stage);
}

/* The reactor's own checks stay on, but for rules that leave a source waiting with a hint. */
static void open_reactor(struct stage *stage, const struct stage_config *config)
{
    static const struct reactor_handlers none = {0};
    struct reactor_config reactor = {
        .slots = config->sources, .collect = config->collect, .trigger = config->trigger,
        .rules = &stage->rules, .protocols = &stage->protocol, .protocol_count = 1,
        .journal = stage->journal, .inbox = 2, .app = config->app, .checks = !config->no_requeue,
    };

    stage->protocol = (struct reactor_protocol){
        .format = config->format, .capacity = config->capacity, .limits = config->limits,
        .handlers = config->handlers ? config->handlers : &none,
    };
    make_rules(stage, config);
    defects_change_protocol(config->defect, &stage->protocol);
    defects_switch(config->defect);
    must(reactor_open(&reactor, make_os(stage, config), &stage->reactor) == 0);
}

void stage_open(struct stage *stage, const struct stage_config *config)
{
    assert(config->sources >= 1 && config->sources <= STAGE_SOURCES_MAX);
    *stage = (struct stage){.sources = config->sources};
    open_kernel(stage, config);
    connect_all(stage);
    open_journal(stage, config);
    open_reactor(stage, config);
}

void stage_close(struct stage *stage)
{
    stage->lookout.calls_left = UINT64_MAX;
    stage->lookout.reads = NULL;
    reactor_free(stage->reactor);
    defects_switch(DEFECTS_NONE);
    free(stage->spoiler);
    free(stage->journal);
    free(stage->kernel);
    *stage = (struct stage){0};
}

void stage_adopt(struct stage *stage, uint32_t source)
{
    must(reactor_adopt(stage->reactor, stage->fds[source], 0, &stage->ids[source]) == 0);
}

void stage_send(struct stage *stage, uint32_t source, const uint8_t *bytes, uint32_t size)
{
    if (size > 0)
        must(kernel_send(stage->kernel, PEERS, stage->peers[source], bytes, size, 0) ==
             (long)size);
}

void stage_end(struct stage *stage, uint32_t source)
{
    must(kernel_shutdown(stage->kernel, PEERS, stage->peers[source], KERNEL_SHUT_WRITE) == 0);
}

void stage_reset(struct stage *stage, uint32_t source)
{
    int peer = stage->peers[source];

    must(kernel_option_set(stage->kernel, PEERS, peer, KERNEL_LINGER, 0) == 0);
    must(kernel_close(stage->kernel, PEERS, peer) == 0);
}

void stage_interrupt(struct stage *stage, uint32_t source, uint32_t times)
{
    const struct os_fault_rule rule = {
        .call = OS_FAULT_READ, .fd = stage->fds[source], .error = EINTR, .times = times};

    must(os_fault_add(&stage->fault, &rule) == 0);
}

void stage_notify(struct stage *stage, uint32_t source)
{
    stage->lookout.event =
        (struct os_event){.data = identity_pack(stage->ids[source]), .events = OS_IN};
    stage->lookout.notice = true;
}

void stage_forget(struct stage *stage)
{
    journal_init(stage->journal, stage->journal_records, stage->journal_bytes);
}

enum stage_end stage_round(struct stage *stage)
{
    int status;

    stage_forget(stage);
    stage->idle = false;
    status = reactor_round(stage->reactor);
    if (status < 0)
        return STAGE_BROKEN;
    return stage->idle ? STAGE_IDLE : STAGE_ON;
}

long stage_unread(struct stage *stage, uint32_t source)
{
    if (reactor_descriptor(stage->reactor, stage->ids[source]) < 0)
        return -1;
    return kernel_unread(stage->kernel, SUT, stage->fds[source]);
}

uint32_t stage_source(const struct stage *stage, struct identity id)
{
    for (uint32_t i = 0; i < stage->sources; i++)
        if (identity_equal(stage->ids[i], id))
            return i;
    return STAGE_SOURCES_MAX;
}

uint32_t stage_source_of(const struct stage *stage, int fd)
{
    for (uint32_t i = 0; i < stage->sources; i++)
        if (stage->fds[i] == fd)
            return i;
    return STAGE_SOURCES_MAX;
}

uint32_t stage_queue(const struct stage *stage, const struct journal_record *record,
                     uint8_t *ret_queue)
{
    uint64_t packed;
    size_t size;
    const uint8_t *bytes = journal_bytes(stage->journal, record, &size);
    uint32_t count = 0;

    for (size_t at = 0; at + sizeof(packed) <= size && count < STAGE_SOURCES_MAX;
         at += sizeof(packed)) {
        memcpy(&packed, bytes + at, sizeof(packed));
        ret_queue[count++] = (uint8_t)stage_source(stage, identity_unpack(packed));
    }
    return count;
}
