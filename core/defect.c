/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/defect.h"

#ifdef DEFECTS

static enum defect_mark defect_on;

bool defect_is_on(enum defect_mark mark)
{
    return mark == defect_on;
}

void defect_switch(enum defect_mark mark)
{
    defect_on = mark;
}

#endif
