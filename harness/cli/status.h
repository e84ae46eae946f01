/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_STATUS_H
#define EDGEWISE_HARNESS_CLI_STATUS_H

/* What the program exits with. Of several, the first of BROKEN, FAILED, LATE wins. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1, /* a verdict is `fail` */
    STATUS_USAGE = 2,  /* the command line or a script is wrong, or nothing matches */
    STATUS_BROKEN = 3, /* the bench itself could not do its work */
    STATUS_CANNOT = 4, /* nothing could run here */
    STATUS_LATE = 5,   /* nothing failed, but the machine was too slow to tell */
    STATUS_SIGNAL = 128, /* + the signal's number, after clean-up */
};

#endif
