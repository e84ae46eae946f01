/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_PARSER_H
#define EDGEWISE_HARNESS_SCRIPT_PARSER_H

/*
 * The scenario language, from text to plan.
 *
 *     scenario framing/one-frame-per-quantum
 *     about    "A released frame wakes the paused reader; no new edge does."
 *     covers   R-F-07 R-F-11 R-F-13 W6
 *     topology
 *       link     sut peer
 *       family   ipv4 ipv6                   # one run per word, and per trigger
 *     reactor
 *       trigger  et lt os
 *       quantum  bytes=9 attempts=2 frames=1
 *       frame    header=2 payload=3
 *       capacity 9
 *       app      sink consume=manual
 *     peers
 *       c  tcp
 *     timeline
 *       0ms  c connect
 *       1ms  c send 00 03 43 41 54
 *       2ms  sut consume c
 *       3ms  c shutdown write
 *     expect
 *       c  frames "CAT"
 *       c  end clean
 *
 * A script is UTF-8 text of at most 1 MiB; a line has at most 64 KiB, words parted by blanks, and
 * a newline also behind the last one. `#` outside quotes begins a comment. Sections begin at the
 * left edge, their lines are indented. They come in the order below, each at most once; run and
 * reactions, covers too, may be left out. A mistake is told as `file:line:column: what is wrong;
 * what would be right`.
 *
 *     script     = scenario about [covers] topology reactor [run] peers [reactions] timeline expect
 *     scenario   = "scenario" TOPIC "/" BEHAVIOUR     the file's own path below a folder scenarios/
 *     about      = "about" TEXT                       one sentence: what must hold
 *     covers     = "covers" WORD...                   what it is evidence for
 *
 *     topology   = "topology" topo-line...
 *     topo-line  = "link" "sut" "peer"                needed by ipv4 and ipv6
 *                | "family" FAMILY...                 ipv4 ipv6 unix, or pipe alone
 *                | "socket" ["rcvbuf=" BYTES] ["sndbuf=" BYTES] ["congestion=" NAME]
 *                                                     both ends; default the kernel's own, and reno
 *                | "backlog" N                        1 .. 4096 pending connections; 128
 *
 *     reactor    = "reactor" reac-line...
 *     reac-line  = "trigger" TRIGGER...               et lt os (edge-triggered and one-shot)
 *                | "quantum" ["bytes=" N] ["attempts=" N] ["frames=" N] ["items=" N] ["time=" T]
 *                                                     each at least 1, the time 1ns; default 65536
 *                                                     bytes, 16 attempts, the others unlimited
 *                | "frame" "header=" (1|2|4) "payload=" BYTES
 *                                                     length-prefixed frames; without it raw bytes
 *                | "capacity" BYTES                   credit of a connection; needed by frames, and
 *                                                     at least their header + payload
 *                | "app" "sink" ["consume=" ("auto"|"manual")]      who gives frames back; auto
 *                | "collect" "h=" N                   notices a round, 1 .. 1024; 64
 *                | "requeue" ("on"|"off")             off: a budget stop forgets the source; on
 *                | "limit" ["rounds=" N] ["calls=" N] of the whole run; 100000 and 1000000
 *
 *     run        = "run" run-line...
 *     run-line   = "pace" ("lockstep"|"free")         lockstep
 *                | "compare" ("exact"|"streams")      rows, or only bytes and ends; exact
 *                | "tolerance" DURATION               how late a peer may act; 5ms
 *
 *     peers      = "peers" (PEERS ("tcp"|"stream"|"pipe"))...
 *                                                     tcp: ipv4, ipv6; stream: unix too; pipe: pipe
 *
 *     reactions  = "reactions" ("on" PEERS when action)...
 *     when       = "open" | "end" | ("data"|"frame") N        the N-th, from 1
 *     action     = "close" PEERS | "consume" PEERS [N] | "takes" DURATION
 *
 *     timeline   = "timeline" (TIME statement [repeat] | [TIME] wait)...     times never decrease
 *     statement  = PEERS "connect"
 *                | PEERS "send" bytes
 *                | PEERS "shutdown" ("write"|"read"|"both")
 *                | PEERS "close"
 *                | PEERS "reset"                      close with a RST; tcp only
 *                | "sut" "consume" PEERS [N]          N frames given back, 1
 *                | "sut" "run" ("rounds="|"quanta=") N    this instant grants only so much
 *                | "sut" ("hold"|"go")                no grant from here, and again
 *                | "sut" "fault" "read" PEERS (ERRNO | "short=" BYTES) [times]
 *                | "sut" "fault" "accept" ERRNO [times]
 *                | "sut" "fault" "wait" "hold" PEERS  a fetched notice waits for the number's next
 *     times      = "x" N | "always"                   once
 *     repeat     = "repeat=" N ["every=" DURATION]    N times in all
 *     wait       = "wait-until" (PEERS ("blocked"|"ended"|"unread" BYTES) | "sut" "idle")
 *                                                     nothing later happens before it holds
 *
 *     expect     = "expect" ([tags] claim)...
 *     tags       = TRIGGER... ":"                     holds for these triggers only: `et os: c ...`
 *     claim      = PEERS "frames" (payload... | "none")       each word one frame
 *                | PEERS ("bytes"|"received") (bytes | "none")    by the application; by the peer
 *                | PEERS "end" ("clean"|"truncated"|"oversize"|"reset"|"error" ERRNO|"none")
 *                | PEERS ("peak"|"unread"|"held") BYTES
 *                | PEERS "saw" ("fin"|"reset"|"nothing")      how the peer's own reading ended
 *                | (PEERS|"sut") ("notices"|"quanta"|"reads"|"eagain"|"eintr"|"stale") N
 *
 *     bytes      = payload...
 *     payload    = HEX | TEXT | "pattern:" BYTES | "@" PATH
 *                  HEX: two digits a byte. Byte i of a pattern, from 0, is i mod 251. PATH is
 *                  relative to the script. All payloads together: at most 64 MiB.
 *     TEXT       = '"' characters and \xNN \n \r \t \0 \\ \" '"'
 *     PEERS      = NAME | NAME "*" N                  N peers: NAME1 .. NAMEN
 *     NAME       = a letter, then letters, digits, _ and -, at most 24
 *     TIME, DURATION = digits ("ns"|"us"|"ms"|"s")    at most 86400s; the timeline starts at 0
 */

#include <stddef.h>
#include <stdint.h>

#include "harness/script/mistakes.h"
#include "harness/script/plan.h"

/* One script, and the settings of the command line ("quantum.bytes=4"), of which the last one
 * holds. */
struct parser_input {
    const char *path; /* for messages, for the name, and the folder of every `@file` */
    const char *text;
    size_t size;
    const char *const *sets;
    uint32_t set_count;
};

/*
 * Parses a script. 0: the plan is complete and checked, plan_free frees it; it keeps nothing of
 * the input. -EINVAL: `mistakes` tells why; its file and sets are the input's, which must outlive
 * it. `mistakes` starts as all zero and is freed by mistakes_free, in both cases.
 */
int parser_parse(const struct parser_input *input, struct plan **ret_plan,
                 struct mistakes *mistakes);

/* Reads the script at `path` and parses it; a file that cannot be read is a mistake at 1:1. */
int parser_load(const char *path, const char *const *sets, uint32_t set_count,
                struct plan **ret_plan, struct mistakes *mistakes);

#endif
