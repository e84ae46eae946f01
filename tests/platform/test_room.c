/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Room to write, and who hears of it: pipes and UNIX streams. TCP is in test_states.c. */

#define PAGE  4096
#define PAGES 16

static char bytes[PAGE * (PAGES + 1)];

static long write_some(struct rig *rig, int fd, size_t size)
{
    return sys_write(rig_sys(rig), fd, bytes, size);
}

static long read_some(struct rig *rig, int fd, size_t size)
{
    return sys_read(rig_sys(rig), fd, bytes, size);
}

/* E43: each write to a pipe is an edge once anybody has looked at it. */
static void each_write_to_a_pipe_is_an_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    for (int i = 0; i < 3; i++) {
        rig_send(rig, a.far, "1");
        assert_string_equal(rig_look(rig, 8), "a IN");
    }
}

/* E43: even one that found no room. */
static void vain_write_to_a_pipe_is_an_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    assert_int_equal(write_some(rig, a.far, PAGE * PAGES), PAGE * PAGES);
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_int_equal(write_some(rig, a.far, 1), -EAGAIN);
    assert_string_equal(rig_look(rig, 8), "a IN");
}

/* E44: room comes with a whole page, and one edge with the first one. */
static void first_free_page_is_the_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'w', a.far, EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "w OUT");
    assert_int_equal(write_some(rig, a.far, PAGE * PAGES), PAGE * PAGES);
    assert_string_equal(rig_level(rig, a.far), "");
    assert_int_equal(read_some(rig, a.near, PAGE - 1), PAGE - 1);
    assert_string_equal(rig_look(rig, 8), "");
    assert_int_equal(write_some(rig, a.far, 1), -EAGAIN);
    assert_int_equal(read_some(rig, a.near, 1), 1);
    assert_string_equal(rig_look(rig, 8), "w OUT");
    assert_int_equal(read_some(rig, a.near, PAGE), PAGE);
    assert_string_equal(rig_look(rig, 8), "");
}

/* E92: up to a page goes whole or not at all; more may go in part. */
static void small_writes_to_a_pipe_are_whole(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(write_some(rig, a.far, PAGE * (PAGES - 1)), PAGE * (PAGES - 1));
    assert_int_equal(write_some(rig, a.far, 1), 1);
    assert_string_equal(rig_level(rig, a.far), "");
    assert_int_equal(write_some(rig, a.far, PAGE), -EAGAIN);
    assert_int_equal(write_some(rig, a.far, PAGE - 1), PAGE - 1); /* behind the one byte */
    assert_int_equal(write_some(rig, a.far, 1), -EAGAIN);
    assert_int_equal(read_some(rig, a.near, PAGE * 2), PAGE * 2);
    assert_int_equal(write_some(rig, a.far, PAGE * 3), PAGE * 2);
}

/* A FIFO in a directory of its own. */
struct fifo {
    char folder[32];
    char path[40];
};

static void make_fifo(struct fifo *fifo)
{
    (void)snprintf(fifo->folder, sizeof(fifo->folder), "/tmp/edgewise-fifo-XXXXXX");
    assert_non_null(mkdtemp(fifo->folder));
    (void)snprintf(fifo->path, sizeof(fifo->path), "%s/fifo", fifo->folder);
}

static void remove_fifo(const struct fifo *fifo)
{
    (void)unlink(fifo->path);
    assert_int_equal(rmdir(fifo->folder), 0);
}

/* E93: before its first writer a FIFO has no end to tell; after the last one it has, until there is
 * a new one. */
static void fifo_ends_with_its_last_writer(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    struct fifo fifo;

    make_fifo(&fifo);
    int nobody = sys_fifo(sys, fifo.path, true);
    int reader = rig_keep(rig, sys_fifo(sys, fifo.path, false));
    const char *before = rig_level(rig, reader), *nothing = rig_reads(rig, reader, 8, 1);
    rig_watch(rig, 'r', reader, EPOLLIN | EPOLLET);
    int writer = rig_keep(rig, sys_fifo(sys, fifo.path, true));
    const char *meanwhile = rig_level(rig, reader);
    rig_close(rig, writer);
    const char *event = rig_look(rig, 8), *after = rig_level(rig, reader);
    writer = rig_keep(rig, sys_fifo(sys, fifo.path, true));
    rig_send(rig, writer, "12");
    const char *again = rig_level(rig, reader), *read = rig_reads(rig, reader, 8, 2);
    remove_fifo(&fifo);
    assert_int_equal(nobody, -ENXIO);
    assert_string_equal(before, "");
    assert_string_equal(nothing, "0");
    assert_string_equal(meanwhile, "");
    assert_string_equal(event, "r HUP");
    assert_string_equal(after, "HUP");
    assert_string_equal(again, "IN");
    assert_string_equal(read, "2 EAGAIN");
}

/* E41: who writes to a UNIX stream hears of each write that was read to its end. */
static void each_record_read_is_room_for_its_writer(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'w', a.far, EPOLLIN | EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "w OUT");
    rig_send(rig, a.far, "12");
    assert_string_equal(rig_look(rig, 8), "");
    assert_string_equal(rig_reads(rig, a.near, 1, 1), "1");
    assert_string_equal(rig_look(rig, 8), "");
    assert_string_equal(rig_reads(rig, a.near, 1, 1), "1");
    assert_string_equal(rig_look(rig, 8), "w OUT");
}

/* E89, to the byte: a record of one byte is charged 768, and one more is counted, so that two of
 * them leave no quarter of 6144 free. */
static void quarter_of_a_unix_buffer_is_not_quite_one(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);
    int less = 3072, more = 3074; /* are doubled */

    assert_int_equal(sys_setsockopt(rig_sys(rig), a.far, SOL_SOCKET, SO_SNDBUF, &less,
                                    sizeof(less)), 0);
    assert_int_equal(sys_setsockopt(rig_sys(rig), b.far, SOL_SOCKET, SO_SNDBUF, &more,
                                    sizeof(more)), 0);
    assert_string_equal(rig_writes(rig, a.far, 2), "1 1");
    assert_string_equal(rig_writes(rig, b.far, 2), "1 1");
    assert_int_equal(sys_unacked(rig_sys(rig), a.far), 2 * 768);
    assert_string_equal(rig_level(rig, a.far), "");
    assert_string_equal(rig_level(rig, b.far), "OUT");
}

/* A new SO_SNDBUF is told as room, if there is any, though there always was. */
static void new_buffer_size_is_an_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'w', a.far, EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "w OUT");
    assert_int_equal(sys_setsockopt(rig_far_sys(rig), a.far, SOL_SOCKET, SO_SNDBUF,
                                    &(int){50000}, sizeof(int)), 0);
    assert_string_equal(rig_look(rig, 8), "w OUT");
}

/* E42: a shutdown wakes both ends, a close the other one. */
static void ends_of_a_unix_stream_wake_without_a_key(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_watch(rig, 'n', a.near, EPOLLOUT | EPOLLET);
    rig_watch(rig, 'f', a.far, EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "n OUT, f OUT");
    rig_fin(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "f OUT, n OUT");
    rig_close(rig, a.far);
    assert_string_equal(rig_look(rig, 8), "n OUT HUP");
}

/* E85: a full queue refuses a UNIX connect at once. */
static void full_unix_listener_refuses(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    socklen_t length;
    const struct sockaddr *address = (const struct sockaddr *)rig_address(rig, &length);

    for (int i = 0; i < 9; i++)
        (void)rig_dial(rig);
    int fd = rig_keep(rig, sys_socket(sys, AF_UNIX, SOCK_STREAM, 0));
    assert_int_equal(sys_connect(sys, fd, address, length), -EAGAIN);
    assert_string_equal(rig_level(rig, fd), "OUT HUP");
    assert_string_equal(rig_reads(rig, fd, 1, 1), "EINVAL");
    assert_string_equal(rig_writes(rig, fd, 1), "ENOTCONN");
    assert_true(rig_accept(rig) >= 0);
    assert_int_equal(sys_connect(sys, fd, address, length), 0);
}

/* E87: a listener that closes before the accept resets. */
static void closed_unix_listener_resets(void **state)
{
    struct rig *rig = rig_of(state);
    int far = rig_dial(rig);

    rig_close(rig, rig_listener(rig));
    assert_string_equal(rig_level(rig, far), "IN OUT RDHUP ERR HUP");
    assert_string_equal(rig_reads(rig, far, 1, 2), "ECONNRESET 0");
    assert_string_equal(rig_writes(rig, far, 1), "EPIPE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT(each_write_to_a_pipe_is_an_edge, PIPE),
        RIG_FACT(vain_write_to_a_pipe_is_an_edge, PIPE),
        RIG_FACT(first_free_page_is_the_edge, PIPE),
        RIG_FACT(small_writes_to_a_pipe_are_whole, PIPE),
        RIG_FACT(fifo_ends_with_its_last_writer, PIPE),
        RIG_FACT(each_record_read_is_room_for_its_writer, UNIX),
        RIG_FACT(quarter_of_a_unix_buffer_is_not_quite_one, UNIX),
        RIG_FACT(new_buffer_size_is_an_edge, UNIX),
        RIG_FACT_TCP(new_buffer_size_is_an_edge),
        RIG_FACT(ends_of_a_unix_stream_wake_without_a_key, UNIX),
        RIG_FACT(full_unix_listener_refuses, UNIX),
        RIG_FACT(closed_unix_listener_resets, UNIX),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
