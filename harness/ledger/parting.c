/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/parting.h"

#include <assert.h>

#include "harness/ledger/sent.h"

#define NOTHING (1u << PLAN_SAW_NOTHING)
#define FIN     (1u << PLAN_SAW_FIN)
#define RESET   (1u << PLAN_SAW_RESET)
#define ANY     (NOTHING | FIN | RESET)

/* What a peer did to the connection itself. */
struct doings {
    bool left; /* closed or reset it */
    bool shut; /* shut its read direction down */
    bool cut;  /* not all of its bytes were taken */
};

static struct doings doings_of(const struct happened *happened, uint32_t peer)
{
    struct doings doings = {0};

    for (uint32_t i = 0; i < happened->action_count; i++) {
        const struct happened_action *action = &happened->actions[i];
        const struct plan_statement *statement = &happened->plan->statements[action->statement];

        if (statement->peer != peer)
            continue;
        doings.left |= statement->verb == PLAN_CLOSE || statement->verb == PLAN_RESET;
        doings.shut |= statement->verb == PLAN_SHUTDOWN && statement->how != PLAN_HOW_WRITE;
        doings.cut |= statement->verb == PLAN_SEND && action->bytes < statement->bytes.size;
    }
    return doings;
}

/* Whether the script's time of a send can be held against the sut's time of its close. */
static bool times_agree(const struct plan *plan)
{
    for (uint32_t i = 0; i < plan->reaction_count; i++)
        if (plan->reactions[i].action == PLAN_DO_TAKES)
            return false;
    return plan->pace == PLAN_LOCKSTEP;
}

static struct parting closed_early(const struct happened *happened,
                                   const struct tally_source *source)
{
    uint64_t before = sent_before(happened, source->peer, source->closed_at);

    if (times_agree(happened->plan) && before > source->read_size)
        return (struct parting){RESET, "the sut closed it before it had read all"};
    return (struct parting){FIN | RESET, "the sut closed it"};
}

static struct parting stopped(const struct happened *happened, const struct tally_source *source)
{
    struct sent sent;
    uint64_t size;

    sent_make(happened, source->peer, &sent);
    size = sent.size;
    sent_free(&sent);
    if (size <= source->read_size)
        return (struct parting){FIN, "the sut had read all that was sent"};
    if (source->closed_early)
        return closed_early(happened, source);
    if (happened->plan->pace == PLAN_LOCKSTEP)
        return (struct parting){RESET, "the sut left bytes unread"};
    return (struct parting){FIN | RESET, "the sut has stopped"};
}

struct parting parting_of(const struct happened *happened, const struct happened_peer *peer,
                          const struct tally_source *source)
{
    struct doings doings = doings_of(happened, peer->peer);

    if (happened->family == PLAN_PIPE)
        return (struct parting){NOTHING, "nothing comes back through a pipe"};
    if (!peer->connected)
        return (struct parting){NOTHING, "it never was connected"};
    if (doings.left && !doings.cut)
        return (struct parting){NOTHING, "it went before the sut did"};
    if (doings.left || doings.shut || !source)
        return (struct parting){ANY, ""};
    return stopped(happened, source);
}

const char *parting_text(const struct parting *parting)
{
    switch (parting->may) {
    case NOTHING:
        return "nothing";
    case FIN:
        return "fin";
    case RESET:
        return "reset";
    case FIN | RESET:
        return "fin or reset";
    default:
        assert(parting->may == ANY);
        return "anything";
    }
}
