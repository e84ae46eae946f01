/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/bounds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/checkup/aside.h"
#include "harness/report/artefacts.h"

/* A run with the most peers that a script may have wants about two for each. */
#define DESCRIPTORS_LEAST 256
/* The journal, and the ring of a capture. */
#define MEMORY_LEAST ((size_t)256 << 20)
#define FILE_LEAST ((rlim_t)16 << 20)

/* So many beside those that are open. */
static int try_descriptors(void *arg, char *text)
{
    (void)arg;
    (void)text;
    for (int i = 0; i < DESCRIPTORS_LEAST; i++)
        if (fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) < 0 && errno != EBADF)
            return -errno;
    return 0;
}

static void say_limit(struct finding *finding, int resource)
{
    struct rlimit limit = {0};

    getrlimit((__rlimit_resource_t)resource, &limit);
    if (limit.rlim_cur == RLIM_INFINITY)
        finding_say(finding, "unlimited");
    else
        finding_say(finding, "at most %llu", (unsigned long long)limit.rlim_cur);
}

void bounds_descriptors(const struct place *place, int which, struct finding *finding)
{
    struct aside aside;
    int status = aside_run(try_descriptors, NULL, &aside);

    (void)place;
    (void)which;
    say_limit(finding, RLIMIT_NOFILE);
    if (status == 0)
        return;
    finding_say(finding, "; %d more: %s", DESCRIPTORS_LEAST, strerror(-status));
    finding_mend(finding, FINDING_NOTE, "ulimit -n 1024");
}

static int try_memory(void *arg, char *text)
{
    void *memory = mmap(NULL, MEMORY_LEAST, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)arg;
    (void)text;
    return memory == MAP_FAILED ? -errno : 0;
}

void bounds_memory(const struct place *place, int which, struct finding *finding)
{
    struct aside aside;
    int status = aside_run(try_memory, NULL, &aside);

    (void)place;
    (void)which;
    say_limit(finding, RLIMIT_AS);
    if (status == 0)
        return;
    finding_say(finding, "; %zu MiB more: %s", MEMORY_LEAST >> 20, strerror(-status));
    finding_mend(finding, FINDING_NOTE, "ulimit -v unlimited");
}

void bounds_file(const struct place *place, int which, struct finding *finding)
{
    struct rlimit limit = {0};

    (void)place;
    (void)which;
    say_limit(finding, RLIMIT_FSIZE);
    getrlimit(RLIMIT_FSIZE, &limit);
    if (limit.rlim_cur < FILE_LEAST)
        finding_mend(finding, FINDING_NOTE, "ulimit -f unlimited");
}

void bounds_out(const struct place *place, int which, struct finding *finding)
{
    struct folder_error error;
    struct folder folder;
    struct person person;
    int status = person_find(&person);

    (void)place;
    (void)which;
    if (status < 0) {
        finding_say(finding, "SUDO_UID and SUDO_GID are no numbers");
        finding_mend(finding, FINDING_MISSING, "unset SUDO_UID SUDO_GID");
        return;
    }
    status = folder_open(&person, ARTEFACTS_OUT, "", &folder, &error);
    if (status == 0) {
        status = folder_probe(&folder, &error);
        folder_unmake(&folder);
        folder_close(&folder);
    }
    finding_say(finding, "%s", status < 0 ? error.text : "a file was written");
    if (status < 0)
        finding_advise(finding, FINDING_NOTE, "--out DIR, a directory that can be written");
}
