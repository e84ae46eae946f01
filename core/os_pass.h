/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_OS_PASS_H
#define EDGEWISE_CORE_OS_PASS_H

/*
 * What a decorator over os.h does with the calls that it has no opinion on: hands them to the table
 * it wraps. `self` is the decorator, whose first member is that table.
 */

#include "core/os.h"

/* One for each call of os.h, with its arguments, results and errors. */
struct instant os_pass_now(void *self);
int os_pass_wait(void *self, struct os_event *events, int max, struct instant deadline);
int os_pass_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data);
long os_pass_read(void *self, int fd, void *bytes, size_t size);
int os_pass_accept(void *self, int fd);
int os_pass_close(void *self, int fd);
long os_pass_unread(void *self, int fd);
int os_pass_wake(void *self);

#endif
