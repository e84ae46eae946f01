/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void be_child(int (*attempt)(void *arg, char *text), void *arg, int out)
{
    struct aside aside = {.status = 0};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    aside.status = attempt(arg, aside.text);
    aside.text[ASIDE_TEXT_BYTES - 1] = '\0';
    _exit(write(out, &aside, sizeof(aside)) != sizeof(aside));
}

/* What the child has to say; it fits into a pipe, so it comes in one piece. */
static int listen_to(int in, struct aside *ret_aside)
{
    struct pollfd wanted = {.fd = in, .events = POLLIN};
    int ready;

    do {
        ready = poll(&wanted, 1, ASIDE_LIMIT_MS);
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return ready < 0 ? -errno : -ETIMEDOUT;
    return read(in, ret_aside, sizeof(*ret_aside)) == sizeof(*ret_aside) ? 0 : -EIO;
}

static int run_between(int ends[2], int (*attempt)(void *arg, char *text), void *arg,
                       struct aside *ret_aside)
{
    pid_t child = fork();
    int status;

    if (child < 0)
        return -errno;
    if (child == 0)
        be_child(attempt, arg, ends[1]);
    close(ends[1]);
    ends[1] = -1;
    status = listen_to(ends[0], ret_aside);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return status;
}

int aside_run(int (*attempt)(void *arg, char *text), void *arg, struct aside *ret_aside)
{
    struct aside aside = {.status = 0};
    int ends[2];
    int status;

    if (pipe2(ends, O_CLOEXEC) < 0) {
        status = -errno;
    } else {
        status = run_between(ends, attempt, arg, &aside);
        close(ends[0]);
        if (ends[1] >= 0)
            close(ends[1]);
    }
    if (status < 0)
        aside = (struct aside){.status = status};
    *ret_aside = aside;
    return aside.status;
}
