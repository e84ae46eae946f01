/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CONTAINER_FAILED_H
#define EDGEWISE_TESTS_CONTAINER_FAILED_H

/* What container engines exit with when they themselves could not go on. */
#define FAILED_STATUS 125

/* Says "container: TEXT: what errno means" on stderr and leaves the process. */
_Noreturn void failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
