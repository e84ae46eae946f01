/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_OS_LINUX_H
#define EDGEWISE_CORE_OS_LINUX_H

/* os.h on the real kernel: one epoll instance, and an eventfd in it for wakes. */

#include "core/os.h"

struct os_linux;

/* 0 and `ret_linux`; -EMFILE, -ENFILE, -ENOMEM, -ENOSPC. */
int os_linux_open(struct os_linux **ret_linux);

/* Closes the epoll instance; registered descriptors stay open. NULL is fine. */
void os_linux_free(struct os_linux *self);

/* The table over it, valid as long as it. */
struct os os_linux_table(struct os_linux *self);

#endif
