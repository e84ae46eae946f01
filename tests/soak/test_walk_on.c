/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/duel.h"

/* As tests/platform/test_walk.c, SOAK times 10,000 calls, over seeds that it does not use. */

#define FIRST_SEED "1000000"
#define WALKS      40 /* of each scene, for SOAK=1 */

static int walk_elsewhere(void **state)
{
    (void)setenv("WALK_SEED", FIRST_SEED, 0);
    return rig_setup(state);
}

#define X(name)                                                                    \
    static void kernels_agree_##name(void **state)                                 \
    {                                                                              \
        duel_walks(rig_of(state), WALK_##name, WALKS * duel_setting("SOAK", 1));   \
    }
WALK_SCENES(X)
#undef X

int main(void)
{
    static enum rig_ground ground = RIG_LOOPBACK;
    const struct CMUnitTest tests[] = {
#define X(name)                                                                          \
    {"kernels_agree_" #name, kernels_agree_##name, walk_elsewhere, rig_teardown, &ground},
        WALK_SCENES(X)
#undef X
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
