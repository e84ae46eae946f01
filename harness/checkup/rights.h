/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_RIGHTS_H
#define EDGEWISE_HARNESS_CHECKUP_RIGHTS_H

/* What this process may do. */

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"

/* The capabilities that something here uses, and what. */
#define RIGHTS(X)                       \
    X(SYS_ADMIN, "namespaces")          \
    X(NET_ADMIN, "links and addresses") \
    X(NET_RAW, "captures")              \
    X(SYS_NICE, "being scheduled first") \
    X(SETUID, "artefacts under sudo")   \
    X(SETGID, "artefacts under sudo")

/* Rows, each for one check; `which` is a CAP_ number for the first and 0 for the others. */
void rights_capability(const struct place *place, int which, struct finding *finding);
void rights_privileges(const struct place *place, int which, struct finding *finding);
void rights_user(const struct place *place, int which, struct finding *finding);
void rights_limits(const struct place *place, int which, struct finding *finding);

#endif
