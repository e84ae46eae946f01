/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/congestion.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/small_file.h"

static bool has_word(const char *words, const char *word, size_t length)
{
    for (words += strspn(words, ", "); *words; words += strspn(words, ", ")) {
        size_t size = strcspn(words, ", ");

        if (size == length && memcmp(words, word, length) == 0)
            return true;
        words += size;
    }
    return false;
}

/* Adds those of `words` that `known` does not have. */
static void add_words(char known[static CONGESTION_KNOWN_BYTES], const char *words)
{
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        size_t size = strcspn(words, " ");
        size_t used = strlen(known);

        if (!has_word(known, words, size))
            snprintf(known + used, CONGESTION_KNOWN_BYTES - used, "%s%.*s", used ? ", " : "",
                     (int)size, words);
        words += size;
    }
}

/* Root's asking may load a module that is in no list yet. */
static bool kernel_refuses(const char *name)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool refused = fd >= 0 &&
                   setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) < 0 &&
                   errno == ENOENT;

    if (fd >= 0)
        close(fd);
    return refused;
}

bool congestion_refused(const char *name, char ret_known[static CONGESTION_KNOWN_BYTES])
{
    static const char *const lists[] = {
        "/proc/sys/net/ipv4/tcp_available_congestion_control",
        "/proc/sys/net/ipv4/tcp_allowed_congestion_control",
    };

    ret_known[0] = '\0';
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        char words[CONGESTION_KNOWN_BYTES];

        small_file_line(lists[i], words, sizeof(words));
        add_words(ret_known, words);
    }
    return ret_known[0] && !has_word(ret_known, name, strlen(name)) && kernel_refuses(name);
}
