/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/failure.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0)))
static size_t failure_format(struct failure *failure, int code, const char *format,
                             va_list arguments)
{
    assert(code < 0);
    if (failure == NULL)
        return 0;
    failure->code = code;
    int used = vsnprintf(failure->text, sizeof(failure->text), format, arguments);
    return used > 0 ? strlen(failure->text) : 0;
}

int failure_set(struct failure *failure, int code, const char *format, ...)
{
    const char *name = strerrordesc_np(-code);
    va_list arguments;

    va_start(arguments, format);
    size_t length = failure_format(failure, code, format, arguments);
    va_end(arguments);
    if (failure != NULL)
        (void)snprintf(failure->text + length, sizeof(failure->text) - length, ": %s",
                       name != NULL ? name : "unknown error");
    return code;
}

int failure_tell(struct failure *failure, int code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)failure_format(failure, code, format, arguments);
    va_end(arguments);
    return code;
}
