/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/duel.h"

/* Random calls, made on the real kernel and on the simulated one, give the same: results, levels
 * and events, step by step. WALKS=N makes N walks of each scene, WALK_SEED=N begins elsewhere. */

#define WALKS 100 /* some 40 calls each */
#define CALLS 20000

#define X(name)                                                               \
    static void kernels_agree_##name(void **state)                            \
    {                                                                         \
        duel_walks(rig_of(state), WALK_##name, duel_setting("WALKS", WALKS)); \
    }
WALK_SCENES(X)
#undef X

/* A walk whose steps all do nothing would agree, too. */
static void walks_made_enough_calls(void **state)
{
    (void)rig_of(state);
    if (duel_setting("WALKS", WALKS) >= WALKS)
        assert_true(walk_steps_done() >= CALLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name) RIG_TEST(kernels_agree_##name, LOOPBACK),
        WALK_SCENES(X)
#undef X
        RIG_TEST(walks_made_enough_calls, LOOPBACK),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
