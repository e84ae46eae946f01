/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * anomaly: what a capture holds and no ledger explains. A run with one does not pass.
 */
#ifndef EDGEWISE_PCAPS_ANOMALY_H
#define EDGEWISE_PCAPS_ANOMALY_H

#include <stddef.h>

/* Anomalies kept with their text; more are only counted. */
#define ANOMALY_KEPT_MAX 256
#define ANOMALY_TEXT_BYTES 240

/* Name, words. */
#define ANOMALY_LIST(X)                                                                            \
    X(UNEXPLAINED, "unexplained packet")    /* no ledger knows this kind of frame */               \
    X(CHECKSUM, "bad checksum")             /* dropped here, as a receiver drops it */             \
    X(UNNAMED, "unnamed connection")        /* TCP, but no connection of the script */             \
    X(NO_SYN, "segment without SYN")        /* its direction has not begun */                      \
    X(SECOND_SYN, "second SYN")             /* with another sequence number */                     \
    X(SECOND_FIN, "second FIN")             /* at another offset */                                \
    X(BEHIND_FIN, "bytes behind the FIN")                                                          \
    X(CONFLICT, "overlap with other bytes") /* a retransmission that differs */                    \
    X(OUT_OF_WINDOW, "outside any window")  /* before the stream, or far ahead of it */            \
    X(GAP, "gap")                           /* bytes that never came */

enum anomaly_kind {
#define ANOMALY_ENUM(name, text) ANOMALY_##name,
    ANOMALY_LIST(ANOMALY_ENUM)
#undef ANOMALY_ENUM
    ANOMALY_KIND_COUNT,
};

struct anomaly {
    enum anomaly_kind kind;
    size_t packet_number;          /* counted from 1, as Wireshark does */
    char text[ANOMALY_TEXT_BYTES]; /* "packet 7: c >: ...", ready for a report; may be cut */
};

struct anomaly_list {
    struct anomaly *kept; /* the first `count`, in the order of the capture */
    size_t count;         /* at most ANOMALY_KEPT_MAX */
    size_t total;         /* also those not kept */
    size_t totals[ANOMALY_KIND_COUNT];
};

/* Adds one to a list (all zero is the empty one); the text comes as for printf. Above
 * ANOMALY_KEPT_MAX it is only counted. 0 or -ENOMEM. */
__attribute__((format(printf, 4, 5))) int anomaly_add(struct anomaly_list *list,
                                                      enum anomaly_kind kind, size_t packet_number,
                                                      const char *format, ...);

/* Frees the texts and leaves the list empty. */
void anomaly_free(struct anomaly_list *list);

/* Words for a kind; static. */
const char *anomaly_text(enum anomaly_kind kind);

#endif
