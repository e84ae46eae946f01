/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/failure.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int failure_set(struct failure *failure, int code, const char *format, ...)
{
    assert(code < 0);
    if (failure == NULL)
        return code;

    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(failure->text, sizeof(failure->text), format, arguments);
    va_end(arguments);

    failure->code = code;
    size_t length = used > 0 ? strlen(failure->text) : 0;
    const char *name = strerrordesc_np(-code);
    (void)snprintf(failure->text + length, sizeof(failure->text) - length, ": %s",
                   name != NULL ? name : "unknown error");
    return code;
}
