/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/happened.h"

#include <stdlib.h>

#include "harness/sut/block.h"

void happened_free(struct happened *happened)
{
    for (uint32_t i = 0; happened->peers && i < happened->peer_count; i++)
        free(happened->peers[i].received);
    free(happened->peers);
    free(happened->actions);
    free(happened->sources);
    free(happened->fate_text);
    lines_free(&happened->left_over);
    lines_free(&happened->notes);
    if (happened->packets)
        packet_list_free(happened->packets);
    free(happened->packets);
    block_unmap(happened->block);
    *happened = (struct happened){0};
}
