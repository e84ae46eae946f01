/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/container/failed.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void failed(const char *format, ...)
{
    int error = errno;
    va_list args;

    fprintf(stderr, "container: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, ": %s\n", strerror(error));
    _exit(FAILED_STATUS);
}
