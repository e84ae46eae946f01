/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/ready.h"

#define SLOTS 9

static struct ready *make_queue(uint32_t count)
{
    struct ready *q = malloc(ready_size(count));

    assert_non_null(q);
    ready_init(q, count);
    return q;
}

/* The naive queue: an array that is shifted. */
struct model {
    uint32_t slot[SLOTS];
    uint32_t length;
};

static uint32_t model_find(const struct model *model, uint32_t slot)
{
    uint32_t i = 0;

    while (i < model->length && model->slot[i] != slot)
        i++;
    return i;
}

static void model_remove(struct model *model, uint32_t slot)
{
    uint32_t i = model_find(model, slot);

    assert_true(i < model->length);
    memmove(&model->slot[i], &model->slot[i + 1],
            (model->length - i - 1) * sizeof(model->slot[0]));
    model->length--;
}

static void assert_equals_model(const struct ready *q, const struct model *model)
{
    uint32_t slot = ready_first(q);

    assert_true(ready_check(q));
    assert_int_equal(q->length, model->length);
    for (uint32_t i = 0; i < model->length; i++, slot = ready_next(q, slot))
        assert_int_equal(slot, model->slot[i]);
    assert_int_equal(slot, READY_NONE);
    for (slot = 0; slot < SLOTS; slot++)
        assert_int_equal(ready_member(q, slot), model_find(model, slot) < model->length);
}

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void any_operations_equal_a_naive_queue(void **context)
{
    (void)context;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct ready *q = make_queue(SLOTS);
        struct model model = {.length = 0};
        uint32_t random = seed;

        for (int step = 0; step < 2000; step++) {
            uint32_t slot = draw(&random) % SLOTS;

            if (draw(&random) % 4 == 0) {
                uint32_t head = ready_pop(q);

                assert_int_equal(head, model.length ? model.slot[0] : READY_NONE);
                if (model.length)
                    model_remove(&model, head);
            } else if (ready_member(q, slot)) {
                ready_remove(q, slot);
                model_remove(&model, slot);
            } else {
                ready_push(q, slot);
                model.slot[model.length++] = slot;
            }
            assert_equals_model(q, &model);
        }
        free(q);
    }
}

static void nothing_is_put_before_another(void **context)
{
    struct ready *q = make_queue(3);

    (void)context;
    ready_push(q, 2);
    ready_push(q, 0);
    ready_push(q, 1);
    assert_int_equal(ready_pop(q), 2);
    ready_push(q, 2);
    assert_int_equal(ready_pop(q), 0);
    assert_int_equal(ready_pop(q), 1);
    assert_int_equal(ready_pop(q), 2);
    assert_int_equal(ready_pop(q), READY_NONE);
    free(q);
}

static void every_slot_fits_at_once(void **context)
{
    const uint32_t count = 1000;
    struct ready *q = make_queue(count);

    (void)context;
    for (uint32_t slot = 0; slot < count; slot++)
        ready_push(q, slot);
    assert_int_equal(q->length, count);
    assert_true(ready_check(q));
    for (uint32_t slot = 0; slot < count; slot += 2)
        ready_remove(q, slot);
    for (uint32_t slot = 1; slot < count; slot += 2)
        assert_int_equal(ready_pop(q), slot);
    assert_int_equal(ready_first(q), READY_NONE);
    assert_true(ready_check(q));
    free(q);
}

/* An emptied queue is the same memory as a new one: equal states compare equal. */
static void nothing_is_left_of_a_removed_slot(void **context)
{
    struct ready *used = make_queue(4);
    struct ready *fresh = make_queue(4);

    (void)context;
    for (uint32_t slot = 0; slot < 4; slot++)
        ready_push(used, slot);
    ready_remove(used, 2);
    ready_pop(used);
    ready_remove(used, 3);
    ready_pop(used);
    assert_int_equal(used->head, fresh->head);
    assert_int_equal(used->tail, fresh->tail);
    for (uint32_t slot = 0; slot < 4; slot++) {
        assert_int_equal(used->link[slot].before, fresh->link[slot].before);
        assert_int_equal(used->link[slot].after, fresh->link[slot].after);
    }
    free(used);
    free(fresh);
}

/* Sets one field of a good queue 1, 0, 2 (of four slots) to `bad` and back. */
static void assert_noticed(struct ready *q, uint32_t *field, uint32_t bad)
{
    uint32_t good = *field;

    assert_true(ready_check(q));
    *field = bad;
    assert_false(ready_check(q));
    *field = good;
}

static void the_check_notices_every_broken_link(void **context)
{
    struct ready *q = make_queue(4);

    (void)context;
    ready_push(q, 1);
    ready_push(q, 0);
    ready_push(q, 2);
    assert_noticed(q, &q->head, 0);
    assert_noticed(q, &q->head, READY_NONE);
    assert_noticed(q, &q->tail, 0);
    assert_noticed(q, &q->length, 2);
    assert_noticed(q, &q->length, 5);
    assert_noticed(q, &q->count, 0);
    assert_noticed(q, &q->link[1].after, 2);
    assert_noticed(q, &q->link[1].after, 4);
    assert_noticed(q, &q->link[2].after, 1);
    assert_noticed(q, &q->link[2].before, 1);
    assert_noticed(q, &q->link[3].before, 0);
    q->link[3].member = true;
    assert_false(ready_check(q));
    q->link[3].member = false;
    q->link[0].member = false;
    assert_false(ready_check(q));
    free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_operations_equal_a_naive_queue),
        cmocka_unit_test(nothing_is_put_before_another),
        cmocka_unit_test(every_slot_fits_at_once),
        cmocka_unit_test(nothing_is_left_of_a_removed_slot),
        cmocka_unit_test(the_check_notices_every_broken_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
