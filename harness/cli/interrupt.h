/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_INTERRUPT_H
#define EDGEWISE_HARNESS_CLI_INTERRUPT_H

/* SIGINT and SIGTERM: the run that is on ends soon and cleans up, and no other begins. */

/* Takes both signals over. */
void interrupt_watch(void);

/* The signal that came, 0 for none. */
int interrupt_signal(void);

#endif
