/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/written.h"

#include <errno.h>

int written_flush(FILE *out, int status)
{
    int now = fflush(out) == 0 ? 0 : -errno;

    if (status < 0)
        return status;
    /* A write that failed between two calls has left its mark, but no longer its errno. */
    return now == 0 && ferror(out) ? -EIO : now;
}
