/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/slab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/kernel/kernel_impl.h"
#include "tests/support/small_kernel.h"

static void lowest_free_handle_is_taken_first(void **state)
{
    struct kernel *k = small_kernel_new();

    (void)state;
    for (uint32_t i = 1; i <= 4; i++)
        assert_int_equal(slab_take(k, &k->records), i);
    slab_give(k, &k->records, 3);
    slab_give(k, &k->records, 2);
    assert_int_equal(slab_take(k, &k->records), 2);
    assert_int_equal(slab_take(k, &k->records), 3);
    for (uint32_t i = 1; i <= 4; i++)
        slab_give(k, &k->records, i);
    small_kernel_free(k);
}

static void exhausted_slab_gives_none(void **state)
{
    struct kernel *k = small_kernel_new();

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_not_equal(slab_take(k, &k->records), 0);
    assert_int_equal(slab_take(k, &k->records), 0);
    assert_int_equal(k->records.used, 4);
    for (uint32_t i = 1; i <= 4; i++)
        slab_give(k, &k->records, i);
    small_kernel_free(k);
}

/* What is free is zeros, so that two kernels in which the same is alive are the same bytes. */
static void given_back_object_leaves_zeros(void **state)
{
    struct kernel *k = small_kernel_new();
    uint64_t before = kernel_digest(k);
    uint32_t handle = slab_take(k, &k->records);

    (void)state;
    memset(kernel_at(k, &k->records, handle), 0xa5, k->records.stride);
    slab_give(k, &k->records, handle);
    assert_true(kernel_digest(k) == before);
    small_kernel_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowest_free_handle_is_taken_first),
        cmocka_unit_test(exhausted_slab_gives_none),
        cmocka_unit_test(given_back_object_leaves_zeros),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
