/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/rows.h"

static const struct identity listener = {0, 1};
static const struct identity first = {1, 1};
static const struct identity second = {2, 1};
static const struct identity heir = {1, 2}; /* of the first one's slot */

struct trail {
    struct journal *journal;
    struct follow follow;
};

static void trail_begin(struct trail *trail)
{
    trail->journal = rows_new();
    follow_init(&trail->follow, trail->journal);
}

static void trail_end(struct trail *trail)
{
    rows_free(trail->journal);
}

static void row(struct trail *trail, struct journal_record record)
{
    journal_write(trail->journal, &record);
}

static void accepted(struct trail *trail, struct identity id)
{
    row(trail, (struct journal_record){
                   .kind = JOURNAL_ACCEPT, .subject = listener, .object = id, .result = 0});
}

static void read_row(struct trail *trail, struct identity id, int32_t result)
{
    row(trail, (struct journal_record){.kind = JOURNAL_READ, .subject = id, .result = result});
}

static void sources_belong_to_the_peers_in_the_order_of_their_connections(void **state)
{
    struct trail trail;

    (void)state;
    trail_begin(&trail);
    follow_connected(&trail.follow, 5);
    follow_connected(&trail.follow, 2);
    accepted(&trail, first);
    accepted(&trail, second);
    assert_true(follow_update(&trail.follow));
    assert_true(identity_equal(trail.follow.peers[5].id, first));
    assert_true(identity_equal(trail.follow.peers[2].id, second));
    assert_true(identity_equal(trail.follow.peers[0].id, IDENTITY_NONE));
    trail_end(&trail);
}

static void an_accept_that_failed_is_nobodys(void **state)
{
    struct trail trail;

    (void)state;
    trail_begin(&trail);
    follow_connected(&trail.follow, 0);
    row(&trail, (struct journal_record){
                    .kind = JOURNAL_ACCEPT, .subject = listener, .result = -EMFILE});
    assert_true(follow_update(&trail.follow));
    assert_int_equal(trail.follow.sources, 0);
    row(&trail, (struct journal_record){.kind = JOURNAL_ADOPT, .subject = first});
    assert_true(follow_update(&trail.follow));
    assert_true(identity_equal(trail.follow.peers[0].id, first));
    trail_end(&trail);
}

static void bytes_are_summed_and_failed_reads_are_not(void **state)
{
    struct trail trail;

    (void)state;
    trail_begin(&trail);
    follow_connected(&trail.follow, 0);
    accepted(&trail, first);
    read_row(&trail, first, 5);
    read_row(&trail, first, -EAGAIN);
    read_row(&trail, second, 100);
    assert_true(follow_update(&trail.follow));
    read_row(&trail, first, 7);
    read_row(&trail, first, 0);
    assert_true(follow_update(&trail.follow));
    assert_false(follow_update(&trail.follow));
    assert_int_equal(trail.follow.peers[0].read, 12);
    trail_end(&trail);
}

static void the_state_is_that_of_the_last_row_that_tells_it(void **state)
{
    static const struct {
        enum journal_kind kind;
        enum reader_state state;
    } rows[] = {
        {JOURNAL_READY, READER_QUEUED},  {JOURNAL_STOP, READER_PAUSED},
        {JOURNAL_RESUME, READER_QUEUED}, {JOURNAL_STOP, READER_WAITING},
        {JOURNAL_END, READER_FINISHED},
    };
    struct trail trail;

    (void)state;
    trail_begin(&trail);
    follow_connected(&trail.follow, 0);
    accepted(&trail, first);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        assert_false(trail.follow.peers[0].ended);
        row(&trail, (struct journal_record){.kind = (uint8_t)rows[i].kind,
                                            .subject = first,
                                            .state = (uint8_t)rows[i].state});
        assert_true(follow_update(&trail.follow));
        assert_int_equal(trail.follow.peers[0].state, rows[i].state);
    }
    assert_true(trail.follow.peers[0].ended);
    trail_end(&trail);
}

static void a_slot_taken_again_is_another_source(void **state)
{
    struct trail trail;

    (void)state;
    trail_begin(&trail);
    follow_connected(&trail.follow, 0);
    follow_connected(&trail.follow, 1);
    accepted(&trail, first);
    row(&trail, (struct journal_record){.kind = JOURNAL_CLOSE, .subject = first});
    accepted(&trail, heir);
    read_row(&trail, heir, 3);
    assert_true(follow_update(&trail.follow));
    assert_true(trail.follow.peers[0].closed);
    assert_int_equal(trail.follow.peers[0].read, 0);
    assert_false(trail.follow.peers[1].closed);
    assert_int_equal(trail.follow.peers[1].read, 3);
    trail_end(&trail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_belong_to_the_peers_in_the_order_of_their_connections),
        cmocka_unit_test(an_accept_that_failed_is_nobodys),
        cmocka_unit_test(bytes_are_summed_and_failed_reads_are_not),
        cmocka_unit_test(the_state_is_that_of_the_last_row_that_tells_it),
        cmocka_unit_test(a_slot_taken_again_is_another_source),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
