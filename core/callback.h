/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_CALLBACK_H
#define EDGEWISE_CORE_CALLBACK_H

/* The application's handlers, called where there is one. While one runs, the loop refuses to be
 * entered (R-ID-04), whoever made the call that led to it. */

#include "core/reactor.h"

/* One for each member of reactor_handlers. `id` is valid in all but callback_close, which therefore
 * takes what the source was: its protocol and its tag. */
void callback_open(struct reactor *r, struct identity id);
void callback_data(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size);
void callback_frame(struct reactor *r, struct identity id, const uint8_t *payload, uint32_t size);
void callback_end(struct reactor *r, struct identity id);
void callback_close(struct reactor *r, struct identity id, uint8_t protocol, uint64_t tag);

/* config.post. */
void callback_post(struct reactor *r, uint64_t word);

#endif
