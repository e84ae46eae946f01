/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/sys_linux.h"
#include "harness/sys_sim.h"
#include "netns/interface.h"
#include "netns/link.h"
#include "netns/space.h"

#define PORT 7
#define BACKLOG 8
#define KEPT_MAX 256
#define TEXT_MAX 256
#define TEXTS 8
#define UNIX_NAME "\0edgewise-rig"

struct end {
    struct space space;
    struct sys_linux kernel;
    struct sys sys;
    struct diag diag;
    bool has_diag;
};

struct rig {
    enum rig_ground ground; /* without SIM_ */
    void *simulated;        /* the block of a simulated kernel, NULL */
    struct sys_sim sim;
    bool ready;
    struct failure failure; /* why the ground cannot be had */
    struct end ends[2];     /* near, far */
    struct link link;
    bool has_link;
    int epoll;
    int listener;
    struct sockaddr_storage address;
    socklen_t address_length;
    int kept[KEPT_MAX];
    int kept_count;
    char texts[TEXTS][TEXT_MAX];
    unsigned text;
};

/* Grounds. */

static void pin(void)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    CPU_SET((size_t)sched_getcpu(), &cpus);
    (void)sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* Namespaces need root, or a user namespace, which is entered once and kept. */
static int may_make_spaces(struct failure *failure)
{
    static bool entered;

    if (geteuid() == 0 || entered)
        return 0;
    int code = space_user_enter(failure);
    entered = code == 0;
    return code;
}

static int open_end(struct end *end, struct failure *failure)
{
    int code = space_open(&end->space, failure);
    if (code < 0)
        return code;
    end->sys = sys_linux_open(&end->kernel, &end->space);
    code = diag_open(&end->diag, &end->space, failure);
    end->has_diag = code == 0;
    return code;
}

static int raise_loopback(const struct space *space, struct failure *failure)
{
    struct interface lo = INTERFACE_NONE;

    int code = interface_open(&lo, space, "lo", failure);
    if (code < 0)
        return code;
    code = interface_raise_loopback(&lo, failure);
    interface_close(&lo);
    return code;
}

static int open_ground(struct rig *rig)
{
    struct end *near = &rig->ends[0], *far = &rig->ends[1];
    struct failure *failure = &rig->failure;

    int code = may_make_spaces(failure);
    if (code == 0)
        code = open_end(near, failure);
    if (code < 0)
        return code;
    if (rig->ground != RIG_VETH) {
        far->sys = near->sys;
        return raise_loopback(&near->space, failure);
    }
    code = open_end(far, failure);
    if (code < 0)
        return code;
    code = link_open(&rig->link, &near->space, &far->space, &LINK_OPTIONS_DEFAULT, failure);
    rig->has_link = code == 0;
    return code;
}

/* One process has both ends, as in the namespaces above. */
static void open_simulated(struct rig *rig)
{
    static const struct kernel_config config = {
        .processes = 1, .descriptors = 1024, .descriptions = 1024, .items = 256, .epolls = 8,
        .sockets = 256, .pipes = 16, .counters = 16, .timers = 16, .records = 4096,
        .blocks = 4096, .block_size = 1024, .sndbuf = 212992, .rcvbuf = 212992,
    };

    rig->simulated = malloc(kernel_size(&config));
    assert_non_null(rig->simulated);
    rig->ends[0].sys = rig->ends[1].sys =
        sys_sim_open(&rig->sim, kernel_init(rig->simulated, &config), 0);
}

static const enum rig_ground real_grounds[RIG_GROUND_COUNT] = {
    [RIG_LOOPBACK] = RIG_LOOPBACK, [RIG_SIM_LOOPBACK] = RIG_LOOPBACK,
    [RIG_VETH] = RIG_VETH,
    [RIG_UNIX] = RIG_UNIX,         [RIG_SIM_UNIX] = RIG_UNIX,
    [RIG_PIPE] = RIG_PIPE,         [RIG_SIM_PIPE] = RIG_PIPE,
};

int rig_setup(void **state)
{
    const enum rig_ground *ground = *state;
    struct rig *rig = calloc(1, sizeof(*rig));

    if (rig == NULL)
        return -1;
    pin();
    rig->ground = real_grounds[*ground];
    rig->ends[0].space = rig->ends[1].space = SPACE_NONE;
    rig->epoll = rig->listener = -1;
    if (rig->ground != *ground)
        open_simulated(rig);
    rig->ready = rig->simulated != NULL || open_ground(rig) == 0;
    if (rig->ready)
        rig->epoll = rig_epoll(rig);
    *state = rig;
    return 0;
}

int rig_teardown(void **state)
{
    struct rig *rig = *state;

    while (rig->kept_count > 0)
        (void)sys_close(rig_sys(rig), rig->kept[--rig->kept_count]);
    if (rig->has_link)
        link_close(&rig->link);
    for (int i = 0; i < 2; i++) {
        if (rig->ends[i].has_diag)
            diag_close(&rig->ends[i].diag);
        space_close(&rig->ends[i].space);
    }
    free(rig->simulated);
    free(rig);
    return 0;
}

struct rig *rig_of(void **state)
{
    struct rig *rig = *state;

    if (!rig->ready) {
        print_message("%s\n", rig->failure.text);
        skip();
    }
    return rig;
}

struct sys rig_sys(const struct rig *rig)
{
    return rig->ends[0].sys;
}

struct sys rig_far_sys(const struct rig *rig)
{
    return rig->ends[1].sys;
}

struct diag *rig_diag(struct rig *rig)
{
    return &rig->ends[0].diag;
}

struct diag *rig_far_diag(struct rig *rig)
{
    return rig->ground == RIG_VETH ? &rig->ends[1].diag : &rig->ends[0].diag;
}

enum rig_ground rig_ground_of(const struct rig *rig)
{
    return rig->ground;
}

bool rig_simulated(const struct rig *rig)
{
    return rig->simulated != NULL;
}

/* Descriptors. */

int rig_keep(struct rig *rig, int fd)
{
    assert_true(fd >= 0);
    assert_true(rig->kept_count < KEPT_MAX);
    rig->kept[rig->kept_count++] = fd;
    return fd;
}

void rig_close(struct rig *rig, int fd)
{
    for (int i = 0; i < rig->kept_count; i++) {
        if (rig->kept[i] == fd) {
            rig->kept[i] = rig->kept[--rig->kept_count];
            break;
        }
    }
    assert_int_equal(sys_close(rig_sys(rig), fd), 0);
}

static void make_address(struct rig *rig)
{
    struct sockaddr_in ipv4 = {
        .sin_family = AF_INET,
        .sin_port = htons(PORT),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    struct sockaddr_un local = {.sun_family = AF_UNIX};

    if (rig->ground == RIG_VETH) {
        rig->address_length = link_address(LINK_SUT, AF_INET, PORT, &rig->address);
    } else if (rig->ground == RIG_LOOPBACK) {
        memcpy(&rig->address, &ipv4, sizeof(ipv4));
        rig->address_length = sizeof(ipv4);
    } else {
        memcpy(local.sun_path, UNIX_NAME, sizeof(UNIX_NAME) - 1);
        memcpy(&rig->address, &local, sizeof(local));
        rig->address_length = offsetof(struct sockaddr_un, sun_path) + sizeof(UNIX_NAME) - 1;
    }
}

const struct sockaddr_storage *rig_address(struct rig *rig, socklen_t *ret_length)
{
    (void)rig_listener(rig);
    *ret_length = rig->address_length;
    return &rig->address;
}

int rig_listener(struct rig *rig)
{
    const struct sockaddr *address = (const struct sockaddr *)&rig->address;

    if (rig->listener >= 0)
        return rig->listener;
    assert_int_not_equal(rig->ground, RIG_PIPE);
    make_address(rig);
    rig->listener = rig_keep(rig, sys_socket(rig_sys(rig), address->sa_family, SOCK_STREAM, 0));
    assert_int_equal(sys_bind(rig_sys(rig), rig->listener, address, rig->address_length), 0);
    assert_int_equal(sys_listen(rig_sys(rig), rig->listener, BACKLOG), 0);
    return rig->listener;
}

int rig_dial(struct rig *rig)
{
    const struct sockaddr *address = (const struct sockaddr *)&rig->address;

    (void)rig_listener(rig);
    int far = rig_keep(rig, sys_socket(rig_far_sys(rig), address->sa_family, SOCK_STREAM, 0));
    if (address->sa_family == AF_INET)
        assert_int_equal(sys_setsockopt(rig_far_sys(rig), far, IPPROTO_TCP, TCP_NODELAY,
                                        &(int){1}, sizeof(int)), 0);
    int code = sys_connect(rig_far_sys(rig), far, address, rig->address_length);
    if (code == -EINPROGRESS) /* the answer is there already (E118, E77) */
        code = sys_connect(rig_far_sys(rig), far, address, rig->address_length);
    assert_int_equal(code, 0);
    return far;
}

int rig_accept(struct rig *rig)
{
    int fd = sys_accept(rig_sys(rig), rig_listener(rig));
    return fd < 0 ? fd : rig_keep(rig, fd);
}

struct rig_pair rig_connect(struct rig *rig)
{
    struct rig_pair pair;
    int ends[2];

    if (rig->ground == RIG_PIPE) {
        assert_int_equal(sys_pipe(rig_sys(rig), ends), 0);
        pair.near = rig_keep(rig, ends[0]);
        pair.far = rig_keep(rig, ends[1]);
    } else {
        pair.far = rig_dial(rig);
        pair.near = rig_accept(rig);
        assert_true(pair.near >= 0);
    }
    return pair;
}

/* The far end. */

void rig_send(struct rig *rig, int far, const char *text)
{
    assert_int_equal(sys_write(rig_far_sys(rig), far, text, strlen(text)), strlen(text));
}

void rig_fin(struct rig *rig, int far)
{
    if (rig->ground == RIG_PIPE)
        rig_close(rig, far);
    else
        assert_int_equal(sys_shutdown(rig_far_sys(rig), far, SHUT_WR), 0);
}

void rig_reset(struct rig *rig, int far)
{
    const struct linger at_once = {.l_onoff = 1};

    assert_int_equal(sys_setsockopt(rig_far_sys(rig), far, SOL_SOCKET, SO_LINGER, &at_once,
                                    sizeof(at_once)), 0);
    rig_close(rig, far);
}

/* The epoll. */

static void control(struct rig *rig, int op, char letter, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)letter};

    assert_int_equal(sys_epoll_ctl(rig_sys(rig), rig->epoll, op, fd, &event), 0);
}

void rig_watch(struct rig *rig, char letter, int fd, uint32_t events)
{
    control(rig, EPOLL_CTL_ADD, letter, fd, events);
}

void rig_rewatch(struct rig *rig, char letter, int fd, uint32_t events)
{
    control(rig, EPOLL_CTL_MOD, letter, fd, events);
}

int rig_epoll(struct rig *rig)
{
    return rig->epoll >= 0 ? rig->epoll : rig_keep(rig, sys_epoll_create(rig_sys(rig)));
}

/* Texts. */

static char *next_text(struct rig *rig)
{
    char *text = rig->texts[rig->text++ % TEXTS];
    text[0] = '\0';
    return text;
}

static void append(char *text, const char *separator, const char *more)
{
    size_t used = strlen(text);

    (void)snprintf(text + used, TEXT_MAX - used, "%s%s", used > 0 ? separator : "", more);
}

static void append_result(char *text, long result)
{
    char number[24];

    (void)snprintf(number, sizeof(number), "%ld", result);
    append(text, " ", result < 0 ? strerrorname_np((int)-result) : number);
}

/* The bits of poll and epoll are the same numbers. */
static void append_bits(char *text, uint32_t events)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {
        { EPOLLIN, "IN" }, { EPOLLOUT, "OUT" }, { EPOLLRDHUP, "RDHUP" },
        { EPOLLERR, "ERR" }, { EPOLLHUP, "HUP" }, { EPOLLPRI, "PRI" },
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (events & names[i].bit)
            append(text, " ", names[i].name);
    }
}

const char *rig_look(struct rig *rig, int max)
{
    struct epoll_event events[16];
    char *text = next_text(rig);

    assert_true(max <= 16);
    int count = sys_epoll_wait(rig_sys(rig), rig->epoll, events, max, INSTANT_PAST);
    assert_true(count >= 0);
    for (int i = 0; i < count; i++) {
        append(text, ", ", (char[]){ (char)events[i].data.u64, '\0' });
        append_bits(text, events[i].events);
    }
    return text;
}

const char *rig_level(struct rig *rig, int fd)
{
    struct pollfd entry = {.fd = fd, .events = POLLIN | POLLOUT | POLLRDHUP | POLLPRI};
    char *text = next_text(rig);

    assert_true(sys_poll(rig_sys(rig), &entry, 1, INSTANT_PAST) >= 0);
    append_bits(text, (uint32_t)entry.revents);
    return text;
}

const char *rig_reads(struct rig *rig, int fd, size_t size, int times)
{
    uint8_t bytes[TEXT_MAX];
    char *text = next_text(rig);

    assert_true(size <= sizeof(bytes));
    while (times-- > 0)
        append_result(text, sys_read(rig_sys(rig), fd, bytes, size));
    return text;
}

const char *rig_writes(struct rig *rig, int fd, int times)
{
    char *text = next_text(rig);

    while (times-- > 0)
        append_result(text, sys_write(rig_sys(rig), fd, "!", 1));
    return text;
}

const char *rig_so_error(struct rig *rig, int fd)
{
    int error = 0;
    socklen_t length = sizeof(error);
    char *text = next_text(rig);

    assert_int_equal(sys_getsockopt(rig_sys(rig), fd, SOL_SOCKET, SO_ERROR, &error, &length), 0);
    append_result(text, -error);
    return text;
}

const char *rig_result(struct rig *rig, long result)
{
    char *text = next_text(rig);

    append_result(text, result);
    return text;
}
