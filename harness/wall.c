/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/wall.h"

#include <time.h>

/* How often the two clocks are read: the pair with the shortest way between them is taken. */
#define CLOCK_TRIES 16

static int64_t realtime_ns(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t wall_offset(struct sys sys)
{
    int64_t shortest = INT64_MAX;
    int64_t offset = 0;

    for (int i = 0; i < CLOCK_TRIES; i++) {
        int64_t before = sys_now(sys).ns;
        int64_t real = realtime_ns();
        int64_t way = sys_now(sys).ns - before;

        if (way < shortest) {
            shortest = way;
            offset = real - before - way / 2;
        }
    }
    return offset;
}
