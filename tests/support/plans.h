/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_PLANS_H
#define EDGEWISE_TESTS_SUPPORT_PLANS_H

/* Plans from the parts of a script that a test cares about. */

#include "harness/script/plan.h"

/* Lines of each section, indented; NULL: what is usual. */
struct plans_text {
    const char *family;    /* words: "ipv4" */
    const char *reactor;   /* "  trigger et\n" */
    const char *run;       /* the section is left out */
    const char *peers;     /* "  c  tcp\n" */
    const char *reactions; /* the section is left out */
    const char *timeline;  /* "  0ms c connect\n" */
};

/* The plan; fails, with the mistakes, when it is none. plan_free. */
struct plan *plans_make(const struct plans_text *text);

#endif
