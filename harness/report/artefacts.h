/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_ARTEFACTS_H
#define EDGEWISE_HARNESS_REPORT_ARTEFACTS_H

/*
 * What a run leaves for people and tools: OUT/<scenario>/<world>-<trigger>-<family>/ with
 * events.txt, wire.txt, peers.txt, capture.pcap and result.json. Those of an earlier run are
 * removed first and result.json is written last: a folder never mixes two runs, and what is beside
 * a result.json is complete, whenever the bench may die.
 */

#include "harness/report/folder.h"
#include "harness/result.h"
#include "pcaps/packet.h"

#define ARTEFACTS_OUT "out" /* where they go if nobody says */
#define ARTEFACTS_CAPTURE "capture.pcap"

struct artefacts {
    const char *out;             /* --out */
    const struct person *person; /* whose the files are */
};

/* Whether artefacts can be written at all: makes `out` and writes a file there. 0 or -errno,
 * `error` filled and nothing left. */
int artefacts_probe(const struct artefacts *artefacts, struct folder_error *error);

/* Writes those of one run; `packets` may be NULL. 0 or -errno, `error` filled. */
int artefacts_write(const struct artefacts *artefacts, const struct result *result,
                    const struct packet_list *packets, struct folder_error *error);

/* "out/framing/x/veth-et-ipv4" into `path` of `size` bytes, which it fits, or "". */
void artefacts_path(const char *out, const struct result *result, char *path, size_t size);

#endif
