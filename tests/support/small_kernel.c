/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/small_kernel.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

const struct kernel_config small_kernel_config = {
    .processes = 2, .descriptors = 8, .descriptions = 12, .items = 4, .epolls = 1, .sockets = 8,
    .pipes = 2, .counters = 2, .timers = 2, .records = 4, .blocks = 8, .block_size = 16,
    .sndbuf = 4608, .rcvbuf = 2304,
};

struct kernel *small_kernel_new(void)
{
    void *memory = malloc(kernel_size(&small_kernel_config));

    assert_non_null(memory);
    return kernel_init(memory, &small_kernel_config);
}

void small_kernel_free(struct kernel *k)
{
    kernel_exit(k, 0);
    kernel_exit(k, 1);
    assert_int_equal(kernel_objects(k), 0);
    free(k);
}

void small_kernel_connect(struct kernel *k, int ret_ends[2])
{
    const struct kernel_address address = {
        .domain = KERNEL_IPV4, .port = 7, .bytes = {127, 0, 0, 1}};
    int listener = kernel_socket(k, 0, KERNEL_IPV4, KERNEL_STREAM);

    assert_int_equal(kernel_bind(k, 0, listener, &address), 0);
    assert_int_equal(kernel_listen(k, 0, listener, 1), 0);
    ret_ends[0] = kernel_socket(k, 0, KERNEL_IPV4, KERNEL_STREAM);
    assert_int_equal(kernel_connect(k, 0, ret_ends[0], &address), -EINPROGRESS);
    ret_ends[1] = kernel_accept(k, 0, listener);
    assert_true(ret_ends[1] >= 0);
    assert_int_equal(kernel_close(k, 0, listener), 0);
}
