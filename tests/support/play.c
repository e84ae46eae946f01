/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/play.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUT     0 /* processes */
#define PEERS   1
#define PORT    7
#define RECORDS 16384
#define SIDE    (1 << 20)

static const struct kernel_config config = {
    .processes = 2, .descriptors = 2 * PLAN_PEERS_MAX, .descriptions = 4 * PLAN_PEERS_MAX,
    .items = 2 * PLAN_PEERS_MAX, .epolls = 1, .sockets = 4 * PLAN_PEERS_MAX,
    .pipes = PLAN_PEERS_MAX, .counters = 1, .records = 4096, .blocks = 4096, .block_size = 256,
    .sndbuf = 212992, .rcvbuf = 212992,
};

/* Peers. */

static enum kernel_domain domain_of(enum plan_family family)
{
    static const enum kernel_domain domains[PLAN_FAMILY_COUNT] = {
        [PLAN_IPV4] = KERNEL_IPV4, [PLAN_IPV6] = KERNEL_IPV6, [PLAN_UNIX] = KERNEL_LOCAL,
        [PLAN_PIPE] = KERNEL_UNSPECIFIED,
    };

    return domains[family];
}

static void set_buffers(struct play *play, uint32_t process, int fd)
{
    const struct plan_sockets *sockets = &play->plan->sockets;

    if (sockets->rcvbuf)
        assert_int_equal(kernel_option_set(play->kernel, process, fd, KERNEL_RCVBUF,
                                           (int)sockets->rcvbuf), 0);
    if (sockets->sndbuf)
        assert_int_equal(kernel_option_set(play->kernel, process, fd, KERNEL_SNDBUF,
                                           (int)sockets->sndbuf), 0);
}

/* A pipe is made by the peer, and its read end passed on. */
static void adopt(struct play *play, uint32_t peer)
{
    struct identity id;
    int ends[2], passed;

    assert_int_equal(kernel_pipe(play->kernel, PEERS, ends), 0);
    passed = kernel_pass(play->kernel, PEERS, ends[0], SUT);
    assert_true(passed >= 0);
    assert_int_equal(kernel_close(play->kernel, PEERS, ends[0]), 0);
    play->fds[peer] = ends[1];
    assert_int_equal(reactor_adopt(play->reactor, passed, 0, &id), 0);
}

static void call(struct play *play, uint32_t peer)
{
    int fd = kernel_socket(play->kernel, PEERS, domain_of(play->family), KERNEL_STREAM);
    int code;

    assert_true(fd >= 0);
    set_buffers(play, PEERS, fd);
    code = kernel_connect(play->kernel, PEERS, fd, &play->address);
    assert_int_equal(code, play->family == PLAN_UNIX ? 0 : -EINPROGRESS);
    play->fds[peer] = fd;
}

static void send_all(struct play *play, int fd, const struct plan_bytes *bytes)
{
    size_t sent = 0;

    while (sent < bytes->size) {
        long part = kernel_write(play->kernel, PEERS, fd, bytes->data + sent, bytes->size - sent);

        assert_true(part > 0);
        sent += (size_t)part;
    }
}

static void shut(struct play *play, const struct plan_statement *statement)
{
    static const unsigned hows[] = {
        [PLAN_HOW_WRITE] = KERNEL_SHUT_WRITE, [PLAN_HOW_READ] = KERNEL_SHUT_READ,
        [PLAN_HOW_BOTH] = KERNEL_SHUT_READ | KERNEL_SHUT_WRITE,
    };
    int fd = play->fds[statement->peer];

    if (play->family == PLAN_PIPE)
        assert_int_equal(kernel_close(play->kernel, PEERS, fd), 0);
    else
        assert_int_equal(kernel_shutdown(play->kernel, PEERS, fd, hows[statement->how]), 0);
}

static void close_peer(struct play *play, const struct plan_statement *statement)
{
    int fd = play->fds[statement->peer];

    if (statement->verb == PLAN_RESET)
        assert_int_equal(kernel_option_set(play->kernel, PEERS, fd, KERNEL_LINGER, 0), 0);
    assert_int_equal(kernel_close(play->kernel, PEERS, fd), 0);
}

/* The sut. */

static void arm(struct play *play, uint32_t peer)
{
    struct identity id = peer == PLAN_NOBODY ? play->listener : play->app.ids[peer];
    int fd = reactor_descriptor(play->reactor, id);
    uint32_t line;

    if (fd >= 0)
        assert_int_equal(faults_arm(&play->faults, peer, fd, identity_pack(id), &line), 0);
}

static void in_service(void *arg, uint32_t peer)
{
    arm(arg, peer);
}

static void takes(void *arg, struct duration duration)
{
    struct play *play = arg;

    assert_int_equal(kernel_sleep(play->kernel, instant_add(kernel_now(play->kernel), duration)),
                     0);
}

static void add_fault(struct play *play, const struct plan_statement *statement)
{
    struct sut_verb verb = {
        .kind = SUT_FAULT, .line = statement->place.line, .peer = statement->peer,
        .fault = statement->fault,
    };

    assert_int_equal(faults_add(&play->faults, &verb), 0);
    arm(play, statement->peer);
}

static uint64_t bound(uint64_t count, uint64_t granted)
{
    return granted == 0 ? UINT64_MAX : count + granted;
}

/* True when the sut did something by it. */
static bool carry_out(struct play *play, const struct plan_statement *statement)
{
    switch (statement->verb) {
    case PLAN_CONNECT:
        if (play->family == PLAN_PIPE)
            adopt(play, statement->peer);
        else
            call(play, statement->peer);
        return play->family == PLAN_PIPE;
    case PLAN_SEND:
        send_all(play, play->fds[statement->peer], &statement->bytes);
        return false;
    case PLAN_SHUTDOWN:
        shut(play, statement);
        return false;
    case PLAN_RESET:
    case PLAN_CLOSE:
        close_peer(play, statement);
        return false;
    case PLAN_CONSUME:
        assert_int_equal(app_sink_consume(&play->app, statement->peer, statement->count),
                         statement->count);
        return true;
    case PLAN_FAULT:
        add_fault(play, statement);
        return true;
    case PLAN_RUN:
        play->rounds_end = bound(play->rounds, statement->rounds);
        play->quanta_end = bound(reactor_account(play->reactor)->quanta, statement->quanta);
        return false;
    case PLAN_HOLD:
    case PLAN_GO:
        play->held = statement->verb == PLAN_HOLD;
        return false;
    default:
        fail_msg("line %u: a statement that is not played", statement->place.line);
        return false;
    }
}

/* The next instants, until the sut may go on; the orderly stop behind the last. */
static bool next_instants(struct play *play)
{
    const struct plan *plan = play->plan;
    struct instant start = {INT64_C(1000000000)};
    bool verbs = false;

    play->rounds_end = play->quanta_end = UINT64_MAX;
    if (play->next == plan->statement_count) {
        reactor_stop(play->reactor);
        return true;
    }
    do {
        struct instant at = plan->statements[play->next].at;

        assert_int_equal(kernel_sleep(play->kernel,
                                      instant_add(start, instant_since(at, (struct instant){0}))),
                         0);
        while (play->next < plan->statement_count &&
               instant_equal(plan->statements[play->next].at, at))
            verbs |= carry_out(play, &plan->statements[play->next++]);
    } while (play->held && play->next < plan->statement_count);
    return verbs;
}

/* The gate. */

static void enter(void *arg)
{
    (void)arg;
}

static void next_round(void *arg)
{
    struct play *play = arg;

    if (play->rounds >= play->rounds_end ||
        reactor_account(play->reactor)->quanta >= play->quanta_end)
        (void)next_instants(play);
    play->rounds++;
}

/* The wait that is being granted belongs to the first of the granted rounds. */
static bool idle(void *arg, struct instant deadline)
{
    struct play *play = arg;
    bool verbs;

    assert_true(instant_equal(deadline, INSTANT_NEVER));
    play->rounds--;
    verbs = next_instants(play);
    play->rounds++;
    return verbs;
}

static struct instant play_now(void *arg)
{
    const struct play *play = arg;

    return kernel_now(play->kernel);
}

static const struct os_gate_hooks hooks = {
    .enter = enter, .round = next_round, .idle = idle, .now = play_now};

/* Putting it together. */

static void open_kernel(struct play *play)
{
    void *memory = malloc(kernel_size(&config));

    assert_non_null(memory);
    play->kernel = kernel_init(memory, &config);
    play->address.domain = (uint8_t)domain_of(play->family);
    play->address.bytes[0] = 10;
    if (play->family == PLAN_UNIX)
        play->address.length = 1;
    else
        play->address.port = PORT;
    assert_int_equal(os_sim_open(play->kernel, SUT, &play->sim), 0);
}

/* `requeue off`: a source that a budget stopped is left to the next notice (W2). */
static void make_rules(struct play *play)
{
    struct reader_cell *yield = &play->rules.cell[READER_RUNNING][READER_YIELD_ROOM];

    play->rules = reader_rules;
    if (play->plan->requeue)
        return;
    yield->next = READER_WAITING;
    yield->queue = READER_QUEUE_KEEP;
}

static void open_reactor(struct play *play)
{
    const struct plan *plan = play->plan;
    struct reactor_config reactor = {
        .slots = plan->peer_count + 2, .collect = plan->collect,
        .trigger = play->happened.trigger, .rules = &play->rules, .protocols = &play->protocol,
        .protocol_count = 1, .journal = play->journal, .inbox = 16, .app = &play->app,
        .checks = plan->requeue,
    };
    struct os os = os_sim_table(&play->sim);

    make_rules(play);
    play->protocol = (struct reactor_protocol){
        .format = plan->format, .capacity = plan->capacity, .limits = plan->limits,
        .handlers = &app_sink_handlers,
    };
    assert_int_equal(faults_open(&play->faults, os, plan, &play->remarks, &os), 0);
    os = os_record_wrap(&play->record, os, play->journal);
    os = os_gate_wrap(&play->gate, os, &hooks, play);
    assert_int_equal(reactor_open(&reactor, os, &play->reactor), 0);
    play->app.reactor = play->reactor;
}

static void open_listener(struct play *play)
{
    int fd = kernel_socket(play->kernel, SUT, domain_of(play->family), KERNEL_STREAM);

    assert_true(fd >= 0);
    set_buffers(play, SUT, fd);
    assert_int_equal(kernel_bind(play->kernel, SUT, fd, &play->address), 0);
    assert_int_equal(kernel_listen(play->kernel, SUT, fd, (int)play->plan->backlog), 0);
    assert_int_equal(reactor_listen(play->reactor, fd, 0, &play->listener), 0);
}

void play_run(struct play *play, const struct plan *plan, enum reactor_trigger trigger,
              enum plan_family family)
{
    *play = (struct play){
        .plan = plan, .family = family, .listener = IDENTITY_NONE,
        .rounds_end = UINT64_MAX, .quanta_end = UINT64_MAX,
        .happened = {.plan = plan, .trigger = trigger, .family = family},
    };
    play->journal = aligned_alloc(64, (journal_size(RECORDS, SIDE) + 63) / 64 * 64);
    assert_non_null(play->journal);
    journal_init(play->journal, RECORDS, SIDE);
    app_sink_init(&play->app, plan);
    play->app.takes = takes;
    play->app.in_service = in_service;
    play->app.arg = play;
    open_kernel(play);
    open_reactor(play);
    if (family != PLAN_PIPE)
        open_listener(play);
    assert_int_equal(reactor_run(play->reactor), 0);
    faults_close(&play->faults);
    play->happened.journal = play->journal;
    play->happened.sources = play->app.order;
    play->happened.source_count = play->app.opened;
}

void play_end(struct play *play)
{
    reactor_free(play->reactor);
    free(play->faults.rules);
    free(play->journal);
    free(play->kernel);
}
