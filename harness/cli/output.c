/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/output.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/interrupted.h"

#define OUTPUT_GRACE_MS 500

/* A program that was told to end does not wait for a reader that does not read. */
static bool output_ready(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLOUT};

    return !interrupted() || poll(&wanted, 1, OUTPUT_GRACE_MS) != 0;
}

static ssize_t output_write(void *cookie, const char *bytes, size_t size)
{
    struct output *output = cookie;
    size_t done = 0;

    while (done < size && output->error == 0) {
        ssize_t taken = -1;

        errno = ETIMEDOUT;
        if (output_ready(output->fd))
            taken = write(output->fd, bytes + done, size - done);
        if (taken >= 0)
            done += (size_t)taken;
        else if (errno != EINTR)
            output->error = errno;
    }
    /* After an error the rest is dropped: the error is told once, at the end. */
    return (ssize_t)size;
}

int output_open(struct output *output, int fd)
{
    *output = (struct output){.fd = fd};
    output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = output_write});
    return output->stream ? 0 : -ENOMEM;
}

int output_close(struct output *output)
{
    fclose(output->stream);
    output->stream = NULL;
    return output->error == EPIPE ? 0 : -output->error;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

bool output_rewritable(int fd)
{
    const char *terminal = getenv("TERM");

    return isatty(fd) && !is_set("CI") && terminal && strcmp(terminal, "dumb") != 0;
}

bool output_colour(int fd)
{
    return output_rewritable(fd) && !is_set("NO_COLOR");
}
