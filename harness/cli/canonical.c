/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/canonical.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/ledger/wire.h"
#include "harness/memory.h"
#include "harness/sys_linux.h"
#include "harness/wall.h"
#include "pcaps/canon.h"

int64_t canonical_clock_offset(void)
{
    struct sys_linux kernel;

    return wall_offset(sys_linux_open(&kernel, NULL));
}

/* The script time of the last action that had begun when a packet passed: in lock-step an instant
 * ends before the next begins. */
static int64_t script_time(const struct happened *happened, int64_t monotonic_ns, uint32_t *next)
{
    while (*next < happened->action_count &&
           happened->actions[*next].actual.ns <= monotonic_ns)
        (*next)++;
    if (*next == 0)
        return 0;
    return happened->plan->statements[happened->actions[*next - 1].statement].at.ns;
}

static int64_t *script_times(const struct happened *happened, int64_t clock_offset_ns)
{
    const struct packet_list *packets = happened->packets;
    int64_t *times = memory_zeroed(packets->count, sizeof(*times));
    uint32_t next = 0;

    for (size_t i = 0; i < packets->count; i++)
        times[i] = script_time(happened, packets->packets[i].stamp_ns - clock_offset_ns, &next);
    return times;
}

int canonical_make(const struct happened *happened, int64_t clock_offset_ns,
                   struct packet_list *list)
{
    struct naming naming;
    struct transcript transcript;
    int64_t *times = NULL;
    int status;

    if (!happened->packets || happened->packets->count == 0)
        return -ENODATA;
    status = wire_naming(happened, &naming);
    if (status < 0)
        return status;
    status = transcript_make(happened->packets, &naming, &transcript);
    if (status < 0)
        goto out;
    if (happened->plan->pace == PLAN_LOCKSTEP)
        times = script_times(happened, clock_offset_ns);
    status = canon_make(&transcript, times, list);
    transcript_free(&transcript);
out:
    free(times);
    wire_naming_free(&naming);
    return status;
}
