/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/framing_cuts.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/memory.h"
#include "harness/model/framing_checks.h"
#include "harness/model/framing_examples.h"
#include "harness/model/framing_value.h"

#define FIRST_END 4 /* the last byte of the first frame */

static const uint8_t nine[] = {0x00, 0x03, 0x43, 0x41, 0x54, 0x00, 0x02, 0x4f, 0x4b};

/* The nine bytes in pieces, cut where `cuts` has a bit, the reactor running behind each. A prompt
 * consumer gives a frame back as soon as it is there, a late one only when nothing else goes on. */
static char *make_script(uint32_t cuts, bool prompt)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));
    bool whole = true;  /* nothing of the next piece is there yet */
    bool given = false; /* the first frame is given back */

    for (uint32_t i = 0; i < sizeof(nine); i++) {
        bool last = i + 1 == sizeof(nine);

        fprintf(out, "%s%02x", whole ? "in:" : "", nine[i]);
        whole = last || cuts & 1u << i;
        if (whole)
            fputs(" run ", out);
        if (whole && prompt && i >= FIRST_END && !given) {
            fputs("consume run ", out);
            given = true;
        }
    }
    fprintf(out, "%sconsume run eof run", given ? "" : "consume run ");
    fclose(out);
    return memory_must(text);
}

static void play_cut(const struct framing *framing, struct framing_cuts *cuts,
                     struct checks *checks)
{
    struct framing_ledger ledger;
    uint32_t failed;
    uint32_t charged;

    framing_play(framing, &ledger);
    charged = ledger.last.credit.used + ledger.last.credit.reserved;
    framing_checks(framing, &ledger, checks);
    failed = checks->failed;
    framing_examples_delivered(&ledger, "CAT.OK.", checks);
    cuts->other += checks->failed - failed;
    checks_that(checks, framing_value_peak(&ledger) <= framing->capacity,
                "no more is charged than the capacity");
    checks_that(checks, charged == 0, "nothing stays charged");
    cuts->charged += charged > 0;
    cuts->runs++;
    cuts->rows += ledger.row_count;
    if (framing_value_peak(&ledger) > cuts->peak)
        cuts->peak = framing_value_peak(&ledger);
    framing_free(&ledger);
}

void framing_cuts_play(enum defects defect, struct framing_cuts *ret_cuts, struct checks *checks)
{
    static const uint32_t attempts[] = {1, 2, 5};

    *ret_cuts = (struct framing_cuts){0};
    for (uint32_t cuts = 0; cuts < 256; cuts++)
        for (uint32_t way = 0; way < 12; way++) {
            struct checks part = {0};
            struct framing framing;
            char *text = make_script(cuts, way % 2);

            framing_examples_make(text, 1 + way / 2 % 2, attempts[way / 4], &framing);
            framing.defect = defect;
            play_cut(&framing, ret_cuts, &part);
            checks_add(checks, text, &part);
            checks_free(&part);
            free(text);
        }
}
