/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/unread.h"

bool unread_was_reset(const struct tally_source *source, const struct sent *sent)
{
    return sent->reset || source->outcome == READER_END_RESET ||
           source->outcome == READER_END_ERROR;
}

int64_t unread_bytes(const struct happened *happened, const struct tally_source *source)
{
    struct sent sent;
    int64_t unread;

    if (source->closed_early)
        return 0;
    if (source->peer == PLAN_NOBODY)
        return source->unread;
    sent_make(happened, source->peer, &sent);
    if (unread_was_reset(source, &sent) || source->read_size > sent.size)
        unread = source->unread;
    else
        unread = (int64_t)(sent.size - source->read_size);
    sent_free(&sent);
    return unread;
}
