/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_DEFECT_H
#define EDGEWISE_CORE_DEFECT_H

/*
 * Rules that can be taken away, to see that something then goes wrong (R-NEG). DEFECT(NAME) stands
 * where a rule cannot be taken away from outside, by other rules of the reader, a decorator or a
 * config. It is false and costs nothing, unless the code is compiled with -DDEFECTS: then it is
 * true while that one mark is switched on in this process.
 */

#include <stdbool.h>

#define DEFECT_MARKS(X)                                                                       \
    X(ROOM_BESIDE_RESERVATION) /* room is asked for on top of a held reservation (R-ST-18) */ \
    X(BATCH_UNCHECKED)         /* a notice is taken without a look at its identity (R-ID-05) */ \
    X(QUEUE_BEFORE_TURN)       /* no local turn while Q has members (R-L-06) */               \
    X(PAUSED_UNMASKED)         /* a pause leaves IN in the interest entry (R-L-21) */         \
    X(HANGUP_ENTRY_KEPT)       /* a masked entry that reports ERR or HUP stays (C41) */

enum defect_mark {
    DEFECT_NONE,
#define X(name) DEFECT_##name,
    DEFECT_MARKS(X)
#undef X
        DEFECT_MARK_COUNT
};

#ifdef DEFECTS

#define DEFECT(name) defect_is_on(DEFECT_##name)

/* Whether `mark` is the one that is switched on. */
bool defect_is_on(enum defect_mark mark);

/* Switches `mark` on in this process, and any other off; DEFECT_NONE: all of them. To be called
 * before there is a reactor. */
void defect_switch(enum defect_mark mark);

#else

#define DEFECT(name) false

#endif

#endif
