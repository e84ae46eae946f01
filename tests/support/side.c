/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/side.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#define NAME_LENGTH (offsetof(struct sockaddr_un, sun_path) + 4)
#define LARGEST 80000

typedef long step_fn(struct side *side, const struct walk_step *step, char *more);

static int fd_a(const struct side *side, const struct walk_step *step)
{
    return side->fds[step->a];
}

static int fd_b(const struct side *side, const struct walk_step *step)
{
    return side->fds[step->b];
}

static long put(struct side *side, uint8_t slot, enum side_kind kind, int fd)
{
    if (fd < 0)
        return fd;
    side->fds[slot] = fd;
    side->kinds[slot] = kind;
    return 0;
}

/* Addresses: each slot has one of every kind. */
static socklen_t address_of(const struct side *side, enum side_kind kind, uint8_t slot,
                            struct sockaddr_storage *ret_address)
{
    uint16_t port = (uint16_t)(side->port + slot);
    struct sockaddr_in ipv4 = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    struct sockaddr_un local = {.sun_family = AF_UNIX};

    *ret_address = (struct sockaddr_storage){0};
    if (kind == TCP || kind == UDP) {
        memcpy(ret_address, &ipv4, sizeof(ipv4));
        return sizeof(ipv4);
    }
    local.sun_path[1] = kind == LOCAL ? 's' : 'd';
    memcpy(local.sun_path + 2, &port, sizeof(port));
    memcpy(ret_address, &local, sizeof(local));
    return NAME_LENGTH;
}

/* The steps. */

static long do_epoll(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return put(side, step->a, EPOLL, sys_epoll_create(side->sys));
}

static long do_pipe(struct side *side, const struct walk_step *step, char *more)
{
    int ends[2];
    int code = sys_pipe(side->sys, ends);

    (void)more;
    if (code < 0)
        return code;
    (void)put(side, step->a, PIPE, ends[0]);
    return put(side, step->b, PIPE, ends[1]);
}

static long do_counter(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return put(side, step->a, COUNTER, sys_eventfd(side->sys, step->argument % 3));
}

static long do_timer(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return put(side, step->a, TIMER, sys_timerfd(side->sys));
}

/* Once, at once, or not at all: the clocks differ. */
static long do_set_timer(struct side *side, const struct walk_step *step, char *more)
{
    struct instant first = step->argument % 3 ? (struct instant){1} : INSTANT_NEVER;
    struct pollfd entry = {.fd = fd_a(side, step), .events = POLLIN};
    int code = sys_timerfd_set(side->sys, fd_a(side, step), first, DURATION_ZERO);

    (void)more;
    if (code == 0 && step->argument % 3)
        (void)sys_poll(side->sys, &entry, 1, instant_add(sys_now(side->sys), DURATION_MS(1000)));
    return code;
}

static long do_socket(struct side *side, const struct walk_step *step, char *more)
{
    static const struct {
        int domain, type;
    } kinds[] = {
        [TCP] = {AF_INET, SOCK_STREAM},
        [LOCAL] = {AF_UNIX, SOCK_STREAM},
        [UDP] = {AF_INET, SOCK_DGRAM},
        [LOCAL_DATAGRAM] = {AF_UNIX, SOCK_DGRAM},
    };
    enum side_kind kind = (enum side_kind)(TCP + step->argument % 4);
    int fd = sys_socket(side->sys, kinds[kind].domain, kinds[kind].type, 0);
    int one = 1;

    (void)more;
    if (kind == TCP && fd >= 0) {
        (void)sys_setsockopt(side->sys, fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
        (void)sys_setsockopt(side->sys, fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    }
    return put(side, step->a, kind, fd);
}

static long do_bind(struct side *side, const struct walk_step *step, char *more)
{
    struct sockaddr_storage address;
    socklen_t length = address_of(side, side->kinds[step->a], step->a, &address);

    (void)more;
    return sys_bind(side->sys, fd_a(side, step), (struct sockaddr *)&address, length);
}

static long do_listen(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return sys_listen(side->sys, fd_a(side, step), (int)(step->argument % 3));
}

static long do_connect(struct side *side, const struct walk_step *step, char *more)
{
    struct sockaddr_storage address, own;
    socklen_t length = address_of(side, side->kinds[step->a], step->b, &address);
    socklen_t own_length;

    (void)more;
    if (sys_getsockname(side->sys, fd_a(side, step), &own, &own_length) == 0 &&
        side->kinds[step->a] == TCP && memcmp(&own, &address, length) == 0)
        return 0; /* to itself: not modelled */
    return sys_connect(side->sys, fd_a(side, step), (struct sockaddr *)&address, length);
}

static long do_dissolve(struct side *side, const struct walk_step *step, char *more)
{
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};

    (void)more;
    if (side->kinds[step->a] == LOCAL)
        return 0;
    return sys_connect(side->sys, fd_a(side, step), &nobody, sizeof(nobody));
}

static long do_accept(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return put(side, step->a, side->kinds[step->b], sys_accept(side->sys, fd_b(side, step)));
}

static long do_dup(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return put(side, step->a, side->kinds[step->b], sys_dup(side->sys, fd_b(side, step)));
}

static long do_dup_onto(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return put(side, step->a, side->kinds[step->b],
               sys_dup_onto(side->sys, fd_b(side, step), fd_a(side, step)));
}

static long do_close(struct side *side, const struct walk_step *step, char *more)
{
    int code = sys_close(side->sys, fd_a(side, step));

    (void)more;
    side->fds[step->a] = -1;
    side->kinds[step->a] = NONE;
    return code;
}

/* TCP stays far below its buffers, which the two kernels measure differently. */
static size_t size_of(const struct side *side, const struct walk_step *step)
{
    static const size_t sizes[] = {0, 1, 2, 5, 8, 13, 100, 600, 4095, 4096, 4097, 9000, 30000,
                                   70000};
    size_t count = sizeof(sizes) / sizeof(sizes[0]);

    if (side->kinds[step->a] == TCP || side->kinds[step->a] == UDP)
        count = 9;
    return sizes[step->argument % count];
}

static long send_pattern(struct side *side, const struct walk_step *step, int flags)
{
    static uint8_t bytes[LARGEST];
    size_t size = size_of(side, step);

    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(side->pattern + i);
    side->pattern = (uint8_t)(side->pattern + 7);
    if (flags == 0)
        return sys_write(side->sys, fd_a(side, step), bytes, size);
    return sys_send(side->sys, fd_a(side, step), bytes, size, flags);
}

static long do_write(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return send_pattern(side, step, 0);
}

static long do_send_urgent(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return side->kinds[step->a] == TCP ? send_pattern(side, step, MSG_OOB) : 0;
}

static long receive(struct side *side, const struct walk_step *step, int flags, char *more)
{
    static uint8_t bytes[LARGEST];
    size_t size = size_of(side, step);
    unsigned sum = 0;
    long got;

    if (flags == 0)
        got = sys_read(side->sys, fd_a(side, step), bytes, size);
    else
        got = sys_recv(side->sys, fd_a(side, step), bytes, size, flags);
    for (long i = 0; i < got && i < (long)size; i++)
        sum = sum * 31 + bytes[i];
    if (got > 0)
        (void)snprintf(more, WALK_TEXT, " sum %x", sum);
    return got;
}

static long do_read(struct side *side, const struct walk_step *step, char *more)
{
    return receive(side, step, 0, more);
}

static long do_recv(struct side *side, const struct walk_step *step, char *more)
{
    return receive(side, step, MSG_DONTWAIT, more);
}

static long do_peek(struct side *side, const struct walk_step *step, char *more)
{
    return receive(side, step, MSG_PEEK, more);
}

static long do_recv_urgent(struct side *side, const struct walk_step *step, char *more)
{
    return side->kinds[step->a] == TCP ? receive(side, step, MSG_OOB, more) : 0;
}

static long do_shutdown(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return sys_shutdown(side->sys, fd_a(side, step), (int)(step->argument % 3));
}

static long set_option(struct side *side, const struct walk_step *step, int name, int value)
{
    return sys_setsockopt(side->sys, fd_a(side, step), SOL_SOCKET, name, &value, sizeof(value));
}

static long do_linger(struct side *side, const struct walk_step *step, char *more)
{
    struct linger linger = {.l_onoff = step->argument % 4 != 0};

    (void)more;
    return sys_setsockopt(side->sys, fd_a(side, step), SOL_SOCKET, SO_LINGER, &linger,
                          sizeof(linger));
}

static long do_lowat(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return side->kinds[step->a] == TCP
               ? set_option(side, step, SO_RCVLOWAT, (int)(step->argument % 9)) : 0;
}

static long do_inline(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return side->kinds[step->a] == TCP
               ? set_option(side, step, SO_OOBINLINE, (int)(step->argument % 2)) : 0;
}

/* TCP keeps far below its buffers. */
static long do_sndbuf(struct side *side, const struct walk_step *step, char *more)
{
    static const int sizes[] = {100000, 200000, 1, 2500, 3072, 6144, 9000, 20000};
    size_t count = side->kinds[step->a] == TCP || side->kinds[step->a] == UDP ? 2 : 8;
    int size = 0;
    socklen_t length = sizeof(size);
    long code = set_option(side, step, SO_SNDBUF, sizes[step->argument % count]);

    (void)sys_getsockopt(side->sys, fd_a(side, step), SOL_SOCKET, SO_SNDBUF, &size, &length);
    (void)snprintf(more, WALK_TEXT, " %d", size);
    return code;
}

/* Without the ports that a kernel chose. */
static long do_name(struct side *side, const struct walk_step *step, char *more)
{
    struct sockaddr_storage name = {0};
    socklen_t length = sizeof(name);
    int code = sys_getsockname(side->sys, fd_a(side, step), &name, &length);
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)&name;
    unsigned sum = 0;

    if (code < 0)
        return code;
    if (name.ss_family == AF_INET) {
        unsigned port = ntohs(ipv4->sin_port);
        bool chosen = port >= side->port && port - side->port < WALK_SLOTS;

        (void)snprintf(more, WALK_TEXT, " %x:%u", ntohl(ipv4->sin_addr.s_addr),
                       chosen ? port : port > 0);
        return 0;
    }
    for (socklen_t i = 0; i < length; i++)
        sum = sum * 31 + ((const uint8_t *)&name)[i];
    (void)snprintf(more, WALK_TEXT, " %u:%x", (unsigned)length, sum);
    return 0;
}

static long do_error(struct side *side, const struct walk_step *step, char *more)
{
    int error = 0;
    socklen_t length = sizeof(error);
    int code = sys_getsockopt(side->sys, fd_a(side, step), SOL_SOCKET, SO_ERROR, &error, &length);

    (void)more;
    return code < 0 ? code : error;
}

static long do_unread(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return sys_unread(side->sys, fd_a(side, step));
}

static long do_unacked(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    /* What TCP has counted last stays there when the connection is over. */
    return side->kinds[step->a] == TCP ? 0 : sys_unacked(side->sys, fd_a(side, step));
}

static void append_bits(char *text, uint32_t events)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {
        { EPOLLIN, " IN" }, { EPOLLPRI, " PRI" }, { EPOLLOUT, " OUT" },
        { EPOLLRDHUP, " RDHUP" }, { EPOLLERR, " ERR" }, { EPOLLHUP, " HUP" },
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t used = strlen(text);

        if (events & names[i].bit)
            (void)snprintf(text + used, WALK_TEXT - used, "%s", names[i].name);
    }
}

static long do_level(struct side *side, const struct walk_step *step, char *more)
{
    struct pollfd entry = {
        .fd = fd_a(side, step),
        .events = POLLIN | POLLOUT | POLLRDHUP | POLLPRI,
    };
    int found = sys_poll(side->sys, &entry, 1, INSTANT_PAST);

    append_bits(more, (uint32_t)entry.revents);
    return found;
}

/* The mask is in the argument: bits 0..3, then ET and ONESHOT. */
static uint32_t mask_of(uint32_t argument)
{
    static const uint32_t bits[] = {EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLPRI, EPOLLET,
                                    EPOLLONESHOT};
    uint32_t mask = 0;

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        if (argument >> i & 1)
            mask |= bits[i];
    }
    if (argument % 13 == 0)
        mask |= EPOLLEXCLUSIVE;
    return mask;
}

static long control(struct side *side, const struct walk_step *step, int op)
{
    struct epoll_event event = {
        .events = mask_of(step->argument),
        .data.u64 = step->b | (uint64_t)(step->argument >> 6) << 8,
    };

    return sys_epoll_ctl(side->sys, fd_a(side, step), op, fd_b(side, step), &event);
}

static long do_add(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return control(side, step, EPOLL_CTL_ADD);
}

static long do_mod(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return control(side, step, EPOLL_CTL_MOD);
}

static long do_del(struct side *side, const struct walk_step *step, char *more)
{
    (void)more;
    return control(side, step, EPOLL_CTL_DEL);
}

static long do_look(struct side *side, const struct walk_step *step, char *more)
{
    struct epoll_event events[16];
    int max = 1 + (int)(step->argument % 4) * 5;
    int count = sys_epoll_wait(side->sys, fd_a(side, step), events, max, INSTANT_PAST);

    for (int i = 0; i < count; i++) {
        size_t used = strlen(more);

        (void)snprintf(more + used, WALK_TEXT - used, ", %c/%llu",
                       'a' + (int)(events[i].data.u64 & 0xff),
                       (unsigned long long)events[i].data.u64 >> 8);
        append_bits(more, events[i].events);
    }
    return count;
}

static const struct {
    const char *word;
    step_fn *run;
    enum side_need need;
    unsigned weight;
} ops[SIDE_OP_COUNT] = {
#define X(name, word, need, weight) [SIDE_##name] = {#word, do_##word, need, weight},
    SIDE_STEPS(X)
#undef X
};

const char *side_word(enum side_op op)
{
    return ops[op].word;
}

unsigned side_weight(enum side_op op)
{
    return ops[op].weight;
}

static bool fits(const struct side *side, const struct walk_step *step)
{
    bool a = side->fds[step->a] >= 0, b = side->fds[step->b] >= 0;

    switch (ops[step->op].need) {
    case FREE:
        return !a;
    case TWO_FREE:
        return !a && !b && step->a != step->b;
    case FREE_AND_ONE:
        return !a && b;
    case ONE:
        return a;
    case TWO:
        return a && b && step->a != step->b;
    }
    return false;
}

static bool over(const struct side *side, int fd)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof(info);

    return sys_getsockopt(side->sys, fd, IPPROTO_TCP, TCP_INFO, &info, &length) < 0 ||
           info.tcpi_state == TCP_CLOSE;
}

/* A connection that is over keeps what it counted last. */
static bool unsettled(const struct side *side)
{
    for (int i = 0; i < WALK_SLOTS; i++) {
        if (side->kinds[i] == TCP && sys_unacked(side->sys, side->fds[i]) > 0 &&
            !over(side, side->fds[i]))
            return true;
    }
    return false;
}

/* Until all that TCP has sent is acknowledged, which is asked for and still may be late (E119), or
 * never will be. */
void side_settle(struct side *side)
{
    struct instant limit = instant_add(sys_now(side->sys), DURATION_MS(80));
    int one = 1;

    for (int i = 0; i < WALK_SLOTS && unsettled(side); i++) {
        if (side->kinds[i] == TCP)
            (void)sys_setsockopt(side->sys, side->fds[i], IPPROTO_TCP, TCP_QUICKACK, &one,
                                 sizeof(one));
    }
    while (unsettled(side) && instant_before(sys_now(side->sys), limit))
        (void)sys_sleep_until(side->sys, instant_add(sys_now(side->sys), DURATION_US(200)));
}

void side_take(struct side *side, const struct walk_step *step, char *ret_text)
{
    char more[WALK_TEXT] = "";
    long result;

    if (!fits(side, step)) {
        (void)snprintf(ret_text, WALK_TEXT, "-");
        return;
    }
    result = ops[step->op].run(side, step, more);
    if (result < 0)
        (void)snprintf(ret_text, WALK_TEXT, "%s", strerrorname_np((int)-result));
    else
        (void)snprintf(ret_text, WALK_TEXT, "%ld%.400s", result, more);
}

void side_open(struct side *side, struct sys sys, uint16_t port)
{
    *side = (struct side){.sys = sys, .port = port};
    for (int i = 0; i < WALK_SLOTS; i++)
        side->fds[i] = -1;
}

void side_close(struct side *side)
{
    for (int i = 0; i < WALK_SLOTS; i++) {
        if (side->fds[i] >= 0)
            (void)sys_close(side->sys, side->fds[i]);
    }
}

