/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLOSER_H
#define EDGEWISE_HARNESS_CLOSER_H

/*
 * Closing a packet socket waits for an RCU grace period, 10 to 25 ms, several times what a short
 * scenario takes. A thread of its own does that waiting. It takes no lock and allocates nothing
 * after its start, so that others may fork meanwhile.
 */

/* Closes `fd`, soon: in the thread, or at once when there can be none. -1 is fine. */
void closer_close(int fd);

/* Waits until everything that was handed over is closed; for whoever counts descriptors. */
void closer_drain(void);

#endif
