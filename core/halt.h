/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_HALT_H
#define EDGEWISE_CORE_HALT_H

#include "core/reactor.h"

/* The orderly stop: nothing is admitted any more, listeners are closed, posted words handed over,
 * then everything else closed in slot order. */
void halt_run(struct reactor *r);

#endif
