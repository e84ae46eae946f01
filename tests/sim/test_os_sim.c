/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/os_sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "core/os_gate.h"
#include "core/os_record.h"
#include "core/reactor.h"
#include "harness/ledger/events.h"
#include "harness/ledger/expected.h"
#include "tests/support/story.h"

/* The reactor on the simulated kernel, in virtual time, against the ledgers that the real one
 * gave. */

#define SUT   0 /* processes */
#define PEERS 1

/* One thing that somebody does at `ms`, all of one time in one instant. */
struct move {
    int64_t ms;
    char who; /* 'A' .. : a peer; 's': the sut */
    enum { CONNECT, SEND, FIN, RESET, CONSUME } what;
    const char *bytes;
    size_t size;
};

struct play {
    const char *file;
    const char *peers;
    bool raw; /* no frames; two bytes or one read a quantum */
    const struct move *moves;
    size_t count;
    const char *delivered[STORY_PEERS]; /* "." ends a frame, "|" the stream */
};

#define TEXT(text) text, sizeof(text) - 1

static const struct move framing[] = {
    {0, 'A', CONNECT, NULL, 0},
    {1, 'A', SEND, TEXT("\x00")},
    {2, 'A', SEND, TEXT("\x03\x43\x41")},
    {3, 'A', SEND, TEXT("\x54\x00\x02\x4f\x4b")},
    {4, 's', CONSUME, NULL, 1},
    {5, 's', CONSUME, NULL, 1},
    {6, 'A', FIN, NULL, 0},
};

static const struct move readiness[] = {
    {0, 'A', CONNECT, NULL, 0},
    {0, 'B', CONNECT, NULL, 0},
    {1, 'A', SEND, TEXT("abcdef")},
    {1, 'B', SEND, TEXT("XY")},
};

static const struct play plays[] = {
    {"scenarios/framing/one-frame-per-quantum.events", "c", false, framing,
     sizeof(framing) / sizeof(*framing), {"CAT.OK.|"}},
    {"scenarios/readiness/six-quanta.events", "A B", true, readiness,
     sizeof(readiness) / sizeof(*readiness), {"abcdef", "XY"}},
};

struct stage {
    const struct play *play;
    enum kernel_domain domain;
    struct kernel *kernel;
    struct os_sim sim;
    struct os_gate gate;
    struct os_record record;
    struct reactor *reactor;
    struct reactor_protocol protocol;
    struct reactor_config config;
    struct kernel_address address;
    int fds[STORY_PEERS];
    struct identity ids[STORY_PEERS];
    uint32_t opened;
    size_t next;
    uint32_t freedoms; /* of the kernel */
    uint32_t seed;
    char got[STORY_PEERS][64]; /* what each source delivered */
};

static struct kernel *new_kernel(uint32_t freedoms, uint32_t seed)
{
    const struct kernel_config config = {
        .processes = 2, .descriptors = 16, .descriptions = 32, .items = 16, .epolls = 1,
        .sockets = 24, .pipes = 2, .counters = 1, .records = 16, .blocks = 64, .block_size = 64,
        .sndbuf = 212992, .rcvbuf = 212992, .freedoms = freedoms, .seed = seed,
    };
    void *memory = malloc(kernel_size(&config));

    assert_non_null(memory);
    return kernel_init(memory, &config);
}

static void opened(struct reactor *r, struct identity id, void *app)
{
    struct stage *stage = app;

    (void)r;
    stage->ids[stage->opened++] = id;
}

/* As text, and "." behind each frame. */
static void keep(struct stage *stage, struct identity id, const uint8_t *bytes, uint32_t size,
                 const char *behind)
{
    char *got = stage->got[id.slot - 1];
    size_t used = strlen(got);

    assert_true(used + size + strlen(behind) < sizeof(stage->got[0]));
    memcpy(got + used, bytes, size);
    memcpy(got + used + size, behind, strlen(behind) + 1);
}

static void data(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size,
                 void *app)
{
    (void)r;
    keep(app, id, bytes, size, "");
}

static void frame(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size,
                  void *app)
{
    (void)r;
    keep(app, id, bytes, size, ".");
}

static void end(struct reactor *r, struct identity id, enum reader_outcome outcome, int error,
                void *app)
{
    (void)r;
    assert_int_equal(outcome, READER_END_CLEAN);
    assert_int_equal(error, 0);
    keep(app, id, (const uint8_t *)"", 0, "|");
}

static void connect_peer(struct stage *stage, int peer)
{
    int fd = kernel_socket(stage->kernel, PEERS, stage->domain, KERNEL_STREAM);
    int code;

    assert_true(fd >= 0);
    code = kernel_connect(stage->kernel, PEERS, fd, &stage->address);
    assert_int_equal(code, stage->domain == KERNEL_LOCAL ? 0 : -EINPROGRESS);
    stage->fds[peer] = fd;
}

/* An adversary may take less than it is given. */
static void send_all(struct stage *stage, int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        long sent = kernel_send(stage->kernel, PEERS, fd, bytes, size, 0);

        assert_true(sent > 0);
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void do_move(struct stage *stage, const struct move *move)
{
    int peer = move->who - 'A';

    switch (move->what) {
    case CONNECT:
        connect_peer(stage, peer);
        break;
    case SEND:
        send_all(stage, stage->fds[peer], move->bytes, move->size);
        break;
    case FIN:
        assert_int_equal(kernel_shutdown(stage->kernel, PEERS, stage->fds[peer],
                                         KERNEL_SHUT_WRITE), 0);
        break;
    case RESET:
        assert_int_equal(kernel_option_set(stage->kernel, PEERS, stage->fds[peer], KERNEL_LINGER,
                                           0), 0);
        assert_int_equal(kernel_close(stage->kernel, PEERS, stage->fds[peer]), 0);
        break;
    case CONSUME:
        assert_int_equal(reactor_release(stage->reactor, stage->ids[0], (uint32_t)move->size), 0);
    }
}

/* The reactor would sleep: everything of the next instant happens, at its time. */
static bool idle(void *arg, struct instant deadline)
{
    struct stage *stage = arg;
    const struct play *play = stage->play;
    bool verb = false;
    int64_t ms;

    assert_true(instant_equal(deadline, INSTANT_NEVER));
    if (stage->next == play->count) {
        reactor_stop(stage->reactor);
        return true;
    }
    ms = play->moves[stage->next].ms;
    assert_int_equal(kernel_sleep(stage->kernel, instant_add((struct instant){1000000000},
                                                             DURATION_MS(ms))), 0);
    for (; stage->next < play->count && play->moves[stage->next].ms == ms; stage->next++) {
        do_move(stage, &play->moves[stage->next]);
        verb = play->moves[stage->next].who == 's';
    }
    return verb;
}

static void nothing(void *arg)
{
    (void)arg;
}

static struct instant stage_now(void *arg)
{
    const struct stage *stage = arg;

    return kernel_now(stage->kernel);
}

static const struct os_gate_hooks hooks = {
    .enter = nothing, .round = nothing, .idle = idle, .now = stage_now};
static const struct reactor_handlers handlers = {
    .open = opened, .data = data, .frame = frame, .end = end};

static void stage_listen(struct stage *stage)
{
    struct identity id;
    int fd;

    stage->address = (struct kernel_address){.domain = (uint8_t)stage->domain};
    if (stage->domain == KERNEL_LOCAL) {
        stage->address.length = 1;
        stage->address.bytes[0] = 's';
    } else {
        stage->address.port = 7;
        stage->address.bytes[0] = 10;
    }
    fd = kernel_socket(stage->kernel, SUT, stage->domain, KERNEL_STREAM);
    assert_int_equal(kernel_bind(stage->kernel, SUT, fd, &stage->address), 0);
    assert_int_equal(kernel_listen(stage->kernel, SUT, fd, 8), 0);
    assert_int_equal(reactor_listen(stage->reactor, fd, 0, &id), 0);
}

static void stage_open(struct stage *stage, struct story *story)
{
    struct os os;

    stage->protocol = (struct reactor_protocol){
        .format = {.header = 2, .payload_max = 3},
        .capacity = 9,
        .limits = {.bytes = 9, .attempts = 2, .frames = 1},
        .handlers = &handlers,
    };
    if (stage->play->raw) {
        stage->protocol.format = (struct frame_format){0};
        stage->protocol.capacity = 0;
        stage->protocol.limits = (struct budget_limits){.bytes = 2, .attempts = 1};
        story->plan.format = stage->protocol.format;
    }
    stage->config = (struct reactor_config){
        .slots = 8, .collect = 16, .trigger = story->happened.trigger,
        .protocols = &stage->protocol, .protocol_count = 1, .journal = story->journal,
        .inbox = 16, .app = stage, .checks = true,
    };
    stage->kernel = new_kernel(stage->freedoms, stage->seed);
    assert_int_equal(os_sim_open(stage->kernel, SUT, &stage->sim), 0);
    os = os_record_wrap(&stage->record, os_sim_table(&stage->sim), story->journal);
    os = os_gate_wrap(&stage->gate, os, &hooks, stage);
    assert_int_equal(reactor_open(&stage->config, os, &stage->reactor), 0);
    stage_listen(stage);
}

static void expect_ledger(const struct play *play, struct story *story)
{
    struct lines errors = {0};
    struct expected expected;
    struct events events;
    const struct expected_row **rows;
    size_t count;

    assert_int_equal(expected_read(play->file, EXPECTED_EVENTS, &expected, &errors), 0);
    rows = expected_select(&expected, story->happened.trigger, &count);
    events_make(&story->happened, &events);
    for (size_t i = 0; i < count && i < events.text.count; i++)
        assert_string_equal(events.text.line[i], rows[i]->text);
    assert_int_equal(events.text.count, count);
    events_free(&events);
    free(rows);
    expected_free(&expected);
}

/* Without freedoms the ledger is that of the real kernel; with them only what was delivered. */
static void perform(const struct play *play, enum kernel_domain domain,
                    enum reactor_trigger trigger, uint32_t freedoms, uint32_t seed)
{
    struct stage stage = {.play = play, .domain = domain, .freedoms = freedoms, .seed = seed};
    struct story story;

    story_begin(&story, trigger, play->peers);
    stage_open(&stage, &story);
    assert_int_equal(reactor_run(stage.reactor), 0);
    if (freedoms == 0)
        expect_ledger(play, &story);
    for (size_t i = 0; i < STORY_PEERS && play->delivered[i]; i++)
        assert_string_equal(stage.got[i], play->delivered[i]);
    reactor_free(stage.reactor);
    os_sim_close(&stage.sim);
    free(stage.kernel);
    story_end(&story);
}

static void ledgers_of_the_real_kernel_are_told_again(void **state)
{
    static const enum kernel_domain domains[] = {KERNEL_IPV4, KERNEL_IPV6, KERNEL_LOCAL};

    (void)state;
    for (size_t play = 0; play < sizeof(plays) / sizeof(*plays); play++)
        for (size_t domain = 0; domain < sizeof(domains) / sizeof(*domains); domain++)
            for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++)
                perform(&plays[play], domains[domain], (enum reactor_trigger)trigger, 0, 0);
}

/* Whatever a kernel is free to do, by itself and all together. */
static void an_adversary_changes_no_delivery(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 300; seed++) {
        uint32_t freedoms = seed % 2 ? KERNEL_ADVERSARY : 1U << seed / 2 % 6;

        for (size_t play = 0; play < sizeof(plays) / sizeof(*plays); play++)
            for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++)
                perform(&plays[play], seed % 3 ? KERNEL_IPV4 : KERNEL_LOCAL,
                        (enum reactor_trigger)trigger, freedoms, seed);
    }
}

static void a_wake_ends_a_wait_and_is_not_told(void **state)
{
    struct kernel *kernel = new_kernel(0, 0);
    struct os_event events[4];
    struct os_sim sim;
    struct os os;

    (void)state;
    assert_int_equal(os_sim_open(kernel, SUT, &sim), 0);
    os = os_sim_table(&sim);
    assert_int_equal(os_wait(os, events, 4, INSTANT_NEVER), -EDEADLK);
    assert_int_equal(os_wake(os), 0);
    assert_int_equal(os_wake(os), 0);
    assert_int_equal(os_wait(os, events, 4, INSTANT_NEVER), 0);
    assert_int_equal(os_wait(os, events, 4, INSTANT_NEVER), -EDEADLK);
    os_sim_close(&sim);
    free(kernel);
}

static void a_wait_moves_time_to_its_deadline(void **state)
{
    struct kernel *kernel = new_kernel(0, 0);
    struct instant start = kernel_now(kernel);
    struct os_event events[4];
    struct os_sim sim;
    struct os os;

    (void)state;
    assert_int_equal(os_sim_open(kernel, SUT, &sim), 0);
    os = os_sim_table(&sim);
    assert_int_equal(os_wait(os, events, 4, instant_add(start, DURATION_MS(5))), 0);
    assert_int_equal(instant_since(os_now(os), start).ns, DURATION_MS(5).ns);
    os_sim_close(&sim);
    free(kernel);
}

static void what_is_closed_leaves_no_trace(void **state)
{
    struct kernel *kernel = new_kernel(0, 0);
    uint64_t before = kernel_digest(kernel);
    struct os_sim sim;

    (void)state;
    assert_int_equal(os_sim_open(kernel, SUT, &sim), 0);
    assert_true(kernel_digest(kernel) != before);
    os_sim_close(&sim);
    assert_int_equal(kernel_digest(kernel), before);
    free(kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ledgers_of_the_real_kernel_are_told_again),
        cmocka_unit_test(an_adversary_changes_no_delivery),
        cmocka_unit_test(a_wake_ends_a_wait_and_is_not_told),
        cmocka_unit_test(a_wait_moves_time_to_its_deadline),
        cmocka_unit_test(what_is_closed_leaves_no_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
