/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_RIG_H
#define EDGEWISE_TESTS_SUPPORT_RIG_H

/*
 * Two ends of a stream on a kernel, and an epoll that watches one of them: what a test of kernel
 * facts needs. The near end is the one under the reactor, the far end is a peer's. What happened
 * comes back as a line of text: "a IN RDHUP, b IN", "5 ECONNRESET 0 0". A call that must work is
 * asserted here.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "harness/sys.h"
#include "netns/diag.h"

enum rig_ground {
    RIG_LOOPBACK, /* TCP over IPv4 */
    RIG_VETH,     /* TCP over IPv4, one namespace for each end */
    RIG_UNIX,
    RIG_PIPE,
    RIG_SIM_LOOPBACK, /* the same on the simulated kernel */
    RIG_SIM_UNIX,
    RIG_SIM_PIPE,
    RIG_GROUND_COUNT,
};

struct rig;

/* A connection: near is read by the reactor, far is the peer's. */
struct rig_pair {
    int near;
    int far;
};

/* A cmocka test over one ground, named "test_on_ground". */
#define RIG_TEST(test, ground) \
    { #test "_on_" #ground, test, rig_setup, rig_teardown, &(enum rig_ground){ RIG_##ground } }
/* Over every stream, and over TCP. */
#define RIG_TEST_STREAMS(test) \
    RIG_TEST_TCP(test), RIG_TEST(test, UNIX), RIG_TEST(test, PIPE)
#define RIG_TEST_TCP(test) RIG_TEST(test, LOOPBACK), RIG_TEST(test, VETH)

/* A fact: what holds on the real kernel and on the simulated one. */
#define RIG_FACT(test, ground)  RIG_TEST(test, ground), RIG_TEST(test, SIM_##ground)
#define RIG_FACT_STREAMS(test)  RIG_FACT_TCP(test), RIG_FACT(test, UNIX), RIG_FACT(test, PIPE)
#define RIG_FACT_TCP(test)      RIG_TEST_TCP(test), RIG_TEST(test, SIM_LOOPBACK)

/* cmocka fixtures. The first makes of the ground in *state a rig, and pins the process to one
 * CPU. */
int rig_setup(void **state);
int rig_teardown(void **state);

/* The rig of a test; skips the test, with the reason, when the ground cannot be had here. */
struct rig *rig_of(void **state);

/* The kernel as seen by the near end and by the far end, and socket diagnosis beside each. */
struct sys rig_sys(const struct rig *rig);
struct sys rig_far_sys(const struct rig *rig);
struct diag *rig_diag(struct rig *rig);
struct diag *rig_far_diag(struct rig *rig);
/* What it is over; on the simulated kernel what it would be on the real one. */
enum rig_ground rig_ground_of(const struct rig *rig);
bool rig_simulated(const struct rig *rig);

/* Where the listener is, made with backlog 8 at the first use. */
int rig_listener(struct rig *rig);
const struct sockaddr_storage *rig_address(struct rig *rig, socklen_t *ret_length);

/* A far end whose connection nobody has accepted yet, and the accept: a descriptor or -errno. */
int rig_dial(struct rig *rig);
int rig_accept(struct rig *rig);
struct rig_pair rig_connect(struct rig *rig);

/* Has a descriptor (asserted to be one) closed at the end of the test, and returns it. */
int rig_keep(struct rig *rig, int fd);
/* Closes before the end. */
void rig_close(struct rig *rig, int fd);

/* What the far end does. */
void rig_send(struct rig *rig, int far, const char *text);
void rig_fin(struct rig *rig, int far);
void rig_reset(struct rig *rig, int far);

/* Entries of the rig's epoll; the letter names the entry in what rig_look() says. */
void rig_watch(struct rig *rig, char letter, int fd, uint32_t events);
void rig_rewatch(struct rig *rig, char letter, int fd, uint32_t events);
/* The number of that epoll. */
int rig_epoll(struct rig *rig);

/* What one collect of at most `max` finds now: "a IN RDHUP, b IN", "" for nothing. These texts live
 * until eight more were made. */
const char *rig_look(struct rig *rig, int max);
/* What poll says now: "IN OUT". */
const char *rig_level(struct rig *rig, int fd);
/* So many reads of at most `size` bytes, or writes of one byte: "5 ECONNRESET 0". */
const char *rig_reads(struct rig *rig, int fd, size_t size, int times);
const char *rig_writes(struct rig *rig, int fd, int times);
/* SO_ERROR: "0", "EPIPE". */
const char *rig_so_error(struct rig *rig, int fd);
/* "5" or "EAGAIN". */
const char *rig_result(struct rig *rig, long result);

#endif
