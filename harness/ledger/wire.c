/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/wire.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "harness/memory.h"
#include "pcaps/normal.h"

static int name_connection(const struct happened *happened, const struct happened_peer *peer,
                           struct naming_connection *ret_connection)
{
    struct naming_connection connection;
    int rc;

    if (peer->peer >= happened->plan->peer_count)
        return -EINVAL;
    connection.name = happened->plan->peers[peer->peer].name;
    rc = endpoint_from_sockaddr((const struct sockaddr *)&peer->near, sizeof(peer->near),
                                &connection.peer);
    if (rc == 0)
        rc = endpoint_from_sockaddr((const struct sockaddr *)&peer->far, sizeof(peer->far),
                                    &connection.sut);
    if (rc == 0)
        *ret_connection = connection;
    return rc;
}

int wire_naming(const struct happened *happened, struct naming *ret_naming)
{
    struct naming_connection *connections = memory_zeroed(happened->peer_count,
                                                          sizeof(*connections));
    size_t count = 0;

    for (uint32_t i = 0; i < happened->peer_count; i++) {
        if (happened->peers[i].near.ss_family == AF_UNSPEC)
            continue;
        if (name_connection(happened, &happened->peers[i], &connections[count]) < 0) {
            free(connections);
            return -EINVAL;
        }
        count++;
    }
    *ret_naming = (struct naming){.connections = connections, .count = count};
    return 0;
}

void wire_naming_free(struct naming *naming)
{
    free((void *)naming->connections);
    *naming = (struct naming){0};
}

static void tell_anomalies(const struct anomaly_list *anomalies, struct lines *lines)
{
    for (size_t i = 0; i < anomalies->count; i++)
        lines_add(lines, "%s", anomalies->kept[i].text);
    if (anomalies->total > anomalies->count)
        lines_add(lines, "%zu more packets that nothing explains",
                  anomalies->total - anomalies->count);
}

static void tell_counts(const struct transcript *transcript, struct lines *notes)
{
    if (transcript->housekeeping_count > 0)
        lines_add(notes, "housekeeping on the link: %zu packets", transcript->housekeeping_count);
    if (transcript->partial_checksum_count > 0)
        lines_add(notes, "segments with a checksum left to an offload: %zu",
                  transcript->partial_checksum_count);
}

int wire_tell(const struct happened *happened, struct lines *ret_rows, struct lines *left_over,
              struct lines *notes)
{
    struct naming naming = {0};
    struct transcript transcript;
    char *text = NULL;
    size_t length = 0;
    int rc;

    assert(happened->packets);
    rc = wire_naming(happened, &naming);
    if (rc < 0)
        return rc;
    rc = transcript_make(happened->packets, &naming, &transcript);
    if (rc < 0)
        goto out;
    rc = normal_text(&transcript, &text, &length);
    if (rc == 0) {
        lines_split(ret_rows, text, length);
        tell_anomalies(&transcript.anomalies, left_over);
        tell_counts(&transcript, notes);
        free(text);
    }
    transcript_free(&transcript);
out:
    wire_naming_free(&naming);
    return rc;
}
