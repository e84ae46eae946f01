/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/plan_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    struct plan_memory *memory = plan_memory_new();
    static const size_t sizes[] = {0, 1, 7, 16, 100000, 3, 65536, 65537, 1};
    unsigned char *last = NULL;
    size_t last_size = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        unsigned char *piece = plan_memory_take(memory, sizes[i]);

        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(piece[k], 0);
        memset(piece, 0xee, sizes[i]);
        assert_true(!last || piece >= last + last_size || piece + sizes[i] <= last);
        last = piece;
        last_size = sizes[i];
    }
    plan_memory_free(memory);
}

static void a_text_is_a_copy_with_an_end(void **state)
{
    struct plan_memory *memory = plan_memory_new();

    (void)state;
    assert_string_equal(plan_memory_text(memory, "abcdef", 3), "abc");
    assert_string_equal(plan_memory_text(memory, NULL, 0), "");
    plan_memory_free(memory);
}

static void an_array_grows_and_keeps_its_elements(void **state)
{
    struct plan_memory *memory = plan_memory_new();
    uint32_t *array = NULL;
    size_t room = 0;

    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        array = plan_memory_grow(memory, array, sizeof(*array), i, &room);
        assert_true(room > i);
        assert_int_equal(array[i], 0);
        array[i] = i;
    }
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(array[i], i);
    plan_memory_free(memory);
    plan_memory_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(a_text_is_a_copy_with_an_end),
        cmocka_unit_test(an_array_grows_and_keeps_its_elements),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
