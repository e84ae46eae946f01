/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/step.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static bool continues(const struct step *last, const struct transcript_fact *fact,
                      int64_t script_ns)
{
    return last->kind == TRANSCRIPT_DATA && fact->kind == TRANSCRIPT_DATA &&
           last->direction == fact->direction && last->script_ns == script_ns;
}

static void add_fact(struct step_list *list, const struct transcript_fact *fact, int64_t script_ns)
{
    struct step *last = list->count > 0 ? &list->steps[list->count - 1] : NULL;

    if (last != NULL && continues(last, fact, script_ns)) {
        assert(last->offset + last->length == fact->offset);
        last->length += fact->length;
        return;
    }
    list->steps[list->count++] = (struct step){
        .script_ns = script_ns,
        .kind = fact->kind,
        .direction = fact->direction,
        .offset = fact->offset,
        .length = fact->length,
    };
}

static bool is_syn(const struct transcript_fact *fact)
{
    return fact->kind == TRANSCRIPT_SYN;
}

static bool is_data_to_sut(const struct transcript_fact *fact)
{
    return fact->kind == TRANSCRIPT_DATA && fact->direction == NAMING_TO_SUT;
}

static bool is_data_to_peer(const struct transcript_fact *fact)
{
    return fact->kind == TRANSCRIPT_DATA && fact->direction == NAMING_TO_PEER;
}

static bool is_end(const struct transcript_fact *fact)
{
    return fact->kind != TRANSCRIPT_SYN && fact->kind != TRANSCRIPT_DATA;
}

static void add_without_script(struct step_list *list, const struct transcript_connection *c)
{
    static bool (*const phases[])(const struct transcript_fact *fact) = {
        is_syn,
        is_data_to_sut,
        is_data_to_peer,
        is_end,
    };

    for (size_t phase = 0; phase < sizeof(phases) / sizeof(phases[0]); phase++) {
        for (size_t i = 0; i < c->fact_count; i++) {
            if (phases[phase](&c->facts[i]))
                add_fact(list, &c->facts[i], 0);
        }
    }
}

int step_list_make(const struct transcript_connection *connection, const int64_t *script_ns,
                   struct step_list *ret_list)
{
    struct step_list list = {.steps = calloc(connection->fact_count + 1, sizeof(*list.steps))};

    if (list.steps == NULL)
        return -ENOMEM;
    if (script_ns == NULL)
        add_without_script(&list, connection);
    for (size_t i = 0; script_ns != NULL && i < connection->fact_count; i++)
        add_fact(&list, &connection->facts[i], script_ns[connection->facts[i].packet]);
    assert(list.count <= connection->fact_count);
    *ret_list = list;
    return 0;
}

void step_list_free(struct step_list *list)
{
    free(list->steps);
    *list = (struct step_list){.count = 0};
}
