/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/errand.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/runs/parcel.h"
#include "harness/urgency.h"

#define ERRAND_STANDARD 3 /* descriptors 0, 1 and 2 */
/* The program has gone, or cannot be told anything. */
#define ERRAND_EXIT_ALONE 125

static _Noreturn void errand_give_up(const struct job_request *request,
                                     enum trail_failure failure, int error)
{
    trail_fail(request->bench.trail, failure, error);
    _exit(ERRAND_EXIT_ALONE);
}

static int errand_close_others(int keep)
{
    unsigned fd = (unsigned)keep;

    if (fd > ERRAND_STANDARD && syscall(SYS_close_range, ERRAND_STANDARD, fd - 1, 0) < 0)
        return -errno;
    return syscall(SYS_close_range, fd + 1, UINT_MAX, 0) < 0 ? -errno : 0;
}

static int errand_send(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t taken = write(fd, bytes, size);

        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            return -errno;
        bytes += taken;
        size -= (size_t)taken;
    }
    return 0;
}

static int errand_report(int fd, const struct parcel *parcel)
{
    static const struct parcel large = {
        .kind = PARCEL_FAILURE,
        .failure = {.code = EFBIG, .text = "the record of the run is too large"},
    };
    uint8_t *bytes = NULL;
    size_t size = 0;

    if (parcel_pack(parcel, &bytes, &size) < 0)
        (void)parcel_pack(&large, &bytes, &size);
    return errand_send(fd, bytes, size);
}

static int errand_carry_out(const struct job_request *request, int fd)
{
    struct parcel parcel = {.kind = PARCEL_HAPPENED};
    job_run_fn *run = request->run ? request->run : bench_run;
    int rc = run(&request->bench, &parcel.happened, &parcel.failure);

    if (rc < 0)
        parcel.kind = rc == -EINTR ? PARCEL_INTERRUPTED : PARCEL_FAILURE;
    return errand_report(fd, &parcel);
}

void errand_run(const struct job_request *request, int fd, pid_t parent)
{
    int rc;

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        errand_give_up(request, TRAIL_FAIL_BIND, errno);
    if (getppid() != parent)
        _exit(ERRAND_EXIT_ALONE);
    rc = errand_close_others(fd);
    if (rc < 0)
        errand_give_up(request, TRAIL_FAIL_CLOSE, -rc);
    if (request->bench.place.claim == CPU_NONE)
        urgency_drop();
    trail_keep(request->bench.trail);
    rc = errand_carry_out(request, fd);
    if (rc < 0)
        errand_give_up(request, TRAIL_FAIL_SEND, -rc);
    /* What the process still holds is closed by its end; nobody waits for that. */
    _exit(0);
}
