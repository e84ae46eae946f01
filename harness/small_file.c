/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/small_file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void small_file_line(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, text, size - 1);

    text[got < 0 ? 0 : got] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (fd >= 0)
        close(fd);
}
