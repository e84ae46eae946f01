/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/align.h"
/* The textbook's table. */
static size_t longest_common(const char *const *a, size_t n, const char *const *b, size_t m)
{
    size_t table[16][16] = {{0}};

    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            size_t left = table[i][j - 1], up = table[i - 1][j];

            table[i][j] = strcmp(a[i - 1], b[j - 1]) == 0 ? table[i - 1][j - 1] + 1
                          : left > up                     ? left
                                                          : up;
        }
    return table[n][m];
}

static void an_alignment_is_the_longest_there_is(void **state)
{
    static const char *const alphabet[] = {"a", "b", "c"};
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        const char *a[15], *b[15];
        size_t n, m, partners = 0, last = 0;
        size_t *match;

        for (size_t i = 0; i < 15; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            a[i] = alphabet[(seed >> 33) % 3];
            b[i] = alphabet[(seed >> 43) % 3];
        }
        n = (seed >> 20) % 16;
        m = (seed >> 25) % 16;
        match = align_rows(a, n, b, m, NULL, NULL);
        for (size_t i = 0; i < n; i++) {
            if (match[i] == ALIGN_NONE)
                continue;
            assert_string_equal(a[i], b[match[i]]);
            assert_true(partners == 0 || match[i] > last);
            last = match[i];
            partners++;
        }
        assert_int_equal(partners, longest_common(a, n, b, m));
        free(match);
    }
}

static void behind_its_window_nothing_has_a_partner(void **state)
{
    static const char *a[2 * ALIGN_WINDOW], *b[2 * ALIGN_WINDOW];
    size_t seen_a, seen_b;
    size_t *match;

    (void)state;
    for (size_t i = 0; i < 2 * ALIGN_WINDOW; i++)
        a[i] = b[i] = "same";
    b[1] = "other";
    match = align_rows(a, 2 * ALIGN_WINDOW, b, 2 * ALIGN_WINDOW, &seen_a, &seen_b);
    assert_int_equal(seen_a, ALIGN_WINDOW + 1);
    assert_int_equal(seen_b, ALIGN_WINDOW + 1);
    assert_int_equal(match[0], 0);
    assert_int_equal(match[1], 2);
    assert_int_equal(match[ALIGN_WINDOW + 1], ALIGN_NONE);
    free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alignment_is_the_longest_there_is),
        cmocka_unit_test(behind_its_window_nothing_has_a_partner),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
