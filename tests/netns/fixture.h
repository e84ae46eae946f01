/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_NETNS_FIXTURE_H
#define EDGEWISE_TESTS_NETNS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "netns/link.h"
#include "netns/space.h"

#define FIXTURE_LIMIT_MS 30000

/* Two namespaces and the link between them, as a scenario would have them. */
struct fixture {
    struct space spaces[LINK_SIDES];
    struct link link;
    struct failure failure;
};

/* The last reason is printed: a bare number would not say what failed. */
#define fixture_assert_ok(value, failure) \
    do { \
        if ((value) < 0) \
            fail_msg("%s", (failure)->text); \
    } while (0)

/* One way in for root and for an ordinary user; false where neither is allowed. */
static inline bool fixture_enter(void)
{
    static int allowed = -1;

    if (allowed < 0) {
        struct space probe = SPACE_NONE;
        allowed = space_open(&probe, NULL) == 0 || space_user_enter(NULL) == 0;
        space_close(&probe);
    }
    return allowed;
}

#define fixture_need_namespaces() \
    do { \
        if (!fixture_enter()) { \
            print_message("needs root or a user namespace\n"); \
            skip(); \
        } \
    } while (0)

/* Senders and receivers on one CPU, or veth reorders bursts (E117). */
static inline void fixture_pin(void)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    (void)sched_setaffinity(0, sizeof(one), &one);
}

static inline void fixture_open(struct fixture *fixture)
{
    const struct link_options options = LINK_OPTIONS_DEFAULT;

    *fixture = (struct fixture){.link = LINK_NONE};
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        fixture->spaces[side] = SPACE_NONE;
        fixture_assert_ok(space_open(&fixture->spaces[side], &fixture->failure),
                          &fixture->failure);
    }
    fixture_assert_ok(link_open(&fixture->link, &fixture->spaces[LINK_SUT],
                                &fixture->spaces[LINK_PEER], &options, &fixture->failure),
                      &fixture->failure);
}

static inline void fixture_close(struct fixture *fixture)
{
    link_close(&fixture->link);
    for (enum link_side side = 0; side < LINK_SIDES; side++)
        space_close(&fixture->spaces[side]);
}

static inline int fixture_socket(struct fixture *fixture, enum link_side side, int domain, int type)
{
    int fd = space_socket(&fixture->spaces[side], domain, type, 0, &fixture->failure);

    fixture_assert_ok(fd, &fixture->failure);
    return fd;
}

/* A listener on the sut's address; returns the port that it got. */
static inline int fixture_listen(struct fixture *fixture, sa_family_t family, uint16_t port)
{
    struct sockaddr_storage address;
    socklen_t length = link_address(LINK_SUT, family, port, &address);
    int fd = fixture_socket(fixture, LINK_SUT, family, SOCK_STREAM);

    assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(fd, 8), 0);
    return fd;
}

static inline int fixture_connect(struct fixture *fixture, sa_family_t family, uint16_t port)
{
    struct sockaddr_storage address;
    socklen_t length = link_address(LINK_SUT, family, port, &address);
    int fd = fixture_socket(fixture, LINK_PEER, family, SOCK_STREAM);

    assert_int_equal(connect(fd, (struct sockaddr *)&address, length), 0);
    return fd;
}

/* How many descriptors this process has open. */
static inline int fixture_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    (void)closedir(folder);
    return count;
}

/* Which network namespace this thread is in. */
static inline ino_t fixture_current_space(void)
{
    struct stat status;

    assert_int_equal(stat("/proc/thread-self/ns/net", &status), 0);
    return status.st_ino;
}

/* Runs a check in a child of its own: what it does to its process stays there. The check returns 0,
 * or the number of the step that failed. */
static inline int fixture_in_child(int (*check)(void))
{
    int status = 0;

    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(check());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
