/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct channel {
    int ends[2];
    int pipe[2];
};

static void channel_open(struct channel *channel, int flags)
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel->ends), 0);
    assert_int_equal(pipe2(channel->pipe, O_CLOEXEC | flags), 0);
}

static void channel_close(struct channel *channel)
{
    for (int i = 0; i < 2; i++) {
        (void)close(channel->ends[i]);
        (void)close(channel->pipe[i]);
    }
}

static int lowest_free(void)
{
    int fd = dup(0);

    assert_true(fd >= 0);
    (void)close(fd);
    return fd;
}

static void a_copy_arrives_and_is_the_same_file(void **state)
{
    struct channel channel;
    char byte;
    int fd;

    (void)state;
    channel_open(&channel, O_NONBLOCK);
    assert_int_equal(descriptor_send(channel.ends[0], channel.pipe[0]), 0);
    fd = descriptor_receive(channel.ends[1]);
    assert_true(fd >= 0 && fd != channel.pipe[0]);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(write(channel.pipe[1], "x", 1), 1);
    assert_int_equal(read(fd, &byte, 1), 1);
    (void)close(fd);
    channel_close(&channel);
}

static void descriptors_arrive_one_by_one_in_order(void **state)
{
    struct channel channel;
    int first;
    int second;

    (void)state;
    channel_open(&channel, O_NONBLOCK);
    assert_int_equal(descriptor_send(channel.ends[0], channel.pipe[0]), 0);
    assert_int_equal(descriptor_send(channel.ends[0], channel.pipe[1]), 0);
    first = descriptor_receive(channel.ends[1]);
    second = descriptor_receive(channel.ends[1]);
    assert_int_equal(fcntl(first, F_GETFL) & O_ACCMODE, O_RDONLY);
    assert_int_equal(fcntl(second, F_GETFL) & O_ACCMODE, O_WRONLY);
    (void)close(first);
    (void)close(second);
    channel_close(&channel);
}

static void what_is_received_never_blocks(void **state)
{
    struct channel channel;
    int fd;
    int flags;

    (void)state;
    channel_open(&channel, 0);
    assert_int_equal(descriptor_send(channel.ends[0], channel.pipe[0]), 0);
    fd = descriptor_receive(channel.ends[1]);
    flags = fcntl(fd, F_GETFL);
    (void)close(fd);
    channel_close(&channel);
    assert_true(flags & O_NONBLOCK);
}

static void a_message_without_a_descriptor_and_an_end_are_told(void **state)
{
    struct channel channel;

    (void)state;
    channel_open(&channel, 0);
    assert_int_equal(write(channel.ends[0], "x", 1), 1);
    assert_int_equal(descriptor_receive(channel.ends[1]), -ENOMSG);
    assert_int_equal(shutdown(channel.ends[0], SHUT_WR), 0);
    assert_int_equal(descriptor_receive(channel.ends[1]), -ENOMSG);
    channel_close(&channel);
}

static void errors_are_negative_errnos(void **state)
{
    struct channel channel;

    (void)state;
    channel_open(&channel, 0);
    assert_int_equal(descriptor_send(channel.ends[0], -1), -EBADF);
    assert_int_equal(descriptor_send(channel.pipe[1], channel.pipe[0]), -ENOTSOCK);
    assert_int_equal(descriptor_receive(channel.pipe[0]), -ENOTSOCK);
    assert_int_equal(shutdown(channel.ends[1], SHUT_RDWR), 0);
    assert_int_equal(descriptor_send(channel.ends[0], channel.pipe[0]), -EPIPE);
    channel_close(&channel);
}

/* Two descriptors in one message fit the room for one, by alignment. */
static void descriptors_that_nobody_asked_for_are_not_kept(void **state)
{
    struct channel channel;
    char byte = 0;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } room = {.header = {.cmsg_len = CMSG_LEN(2 * sizeof(int)),
                         .cmsg_level = SOL_SOCKET,
                         .cmsg_type = SCM_RIGHTS}};
    struct iovec iov = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = &room,
                             .msg_controllen = sizeof(room)};
    int before;

    (void)state;
    channel_open(&channel, O_NONBLOCK);
    before = lowest_free();
    memcpy(CMSG_DATA(&room.header), channel.pipe, sizeof(channel.pipe));
    assert_int_equal(sendmsg(channel.ends[0], &message, 0), 1);
    assert_int_equal(descriptor_receive(channel.ends[1]), -ENOMSG);
    assert_int_equal(lowest_free(), before);
    channel_close(&channel);
}

/* In a process of its own: 0 when the three are taken again, and can do nothing. */
static int hold_what_was_closed(void)
{
    char byte = 'x';

    for (int fd = 0; fd < 3; fd++)
        (void)close(fd);
    if (descriptor_hold_standard() < 0 || dup(0) < 3)
        return 1;
    if (read(0, &byte, 1) != -1 || write(1, &byte, 1) != -1 || write(2, &byte, 1) != -1)
        return 2;
    return errno == EBADF ? 0 : 3;
}

static void closed_standard_descriptors_are_taken_and_useless(void **state)
{
    int status = -1;

    (void)state;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(hold_what_was_closed());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void open_standard_descriptors_are_left_alone(void **state)
{
    int before = lowest_free();

    (void)state;
    assert_int_equal(descriptor_hold_standard(), 0);
    assert_int_equal(lowest_free(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_arrives_and_is_the_same_file),
        cmocka_unit_test(descriptors_arrive_one_by_one_in_order),
        cmocka_unit_test(what_is_received_never_blocks),
        cmocka_unit_test(a_message_without_a_descriptor_and_an_end_are_told),
        cmocka_unit_test(errors_are_negative_errnos),
        cmocka_unit_test(descriptors_that_nobody_asked_for_are_not_kept),
        cmocka_unit_test(closed_standard_descriptors_are_taken_and_useless),
        cmocka_unit_test(open_standard_descriptors_are_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
