/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_INSTANT_H
#define EDGEWISE_CORE_INSTANT_H

/*
 * Time as two types that do not mix: an instant is a point on one monotonic clock, a duration the
 * distance of two instants. Both count nanoseconds. Nothing in core/ reads a clock: `now` comes in
 * through os.h, the next deadline goes out.
 */

#include <stdbool.h>
#include <stdint.h>

struct instant {
    int64_t ns;
};

struct duration {
    int64_t ns;
};

/* Before every instant of a clock: a wait until then only looks, and never blocks. */
#define INSTANT_PAST ((struct instant){INT64_MIN})
/* After every instant of a clock: a wait until then ends with an event or not at all. */
#define INSTANT_NEVER ((struct instant){INT64_MAX})

#define DURATION_ZERO ((struct duration){0})
#define DURATION_US(n) ((struct duration){(int64_t)(n)*1000})
#define DURATION_MS(n) ((struct duration){(int64_t)(n)*1000000})

static inline bool instant_equal(struct instant a, struct instant b)
{
    return a.ns == b.ns;
}

static inline bool instant_before(struct instant a, struct instant b)
{
    return a.ns < b.ns;
}

static inline struct instant instant_earlier(struct instant a, struct instant b)
{
    return instant_before(b, a) ? b : a;
}

/* `at` + `by`, held at INSTANT_PAST or INSTANT_NEVER instead of overflowing. */
static inline struct instant instant_add(struct instant at, struct duration by)
{
    int64_t ns;

    if (__builtin_add_overflow(at.ns, by.ns, &ns))
        return by.ns < 0 ? INSTANT_PAST : INSTANT_NEVER;
    return (struct instant){ns};
}

/* `end` - `start`, held at the ends of the range instead of overflowing. */
static inline struct duration instant_since(struct instant end, struct instant start)
{
    int64_t ns;

    if (__builtin_sub_overflow(end.ns, start.ns, &ns))
        ns = start.ns < 0 ? INT64_MAX : INT64_MIN;
    return (struct duration){ns};
}

#endif
