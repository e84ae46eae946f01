/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/round.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/bed.h"

/* What one turn of a local queue handles at most. */
#define TURN 64

static void turn(struct bed *bed)
{
    assert_int_equal(reactor_round(bed->r), 1);
}

/* --- A few sources --- */

/* A paused source with one frame in its kernel: \0\1A is held, \0\1B waits. */
static struct identity paused(struct bed *bed, int *ret_fd)
{
    struct identity id = bed_adopt(bed, ret_fd);

    fake_os_arrive(&bed->kernel, *ret_fd, "\0\1A\0\1B", 6);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_PAUSED, 3, 0);
    return id;
}

static struct bed *bed_of_pausing(void)
{
    struct bed *bed = bed_new_framed();

    bed->protocol.capacity = 7;
    return bed;
}

static void a_release_resumes_and_reads_in_the_same_round(void **state)
{
    struct bed *bed = bed_of_pausing();
    struct identity id;
    int fd;

    (void)state;
    bed_start(bed);
    id = paused(bed, &fd);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    turn(bed);
    assert_string_equal(bed->got, "A.B.");
    assert_int_equal(reactor_account(bed->r)->resumes, 1);
    bed_free(bed);
}

static struct identity to_release;

static void release_by_post(struct reactor *r, uint64_t word, void *app)
{
    (void)app;
    assert_int_equal(reactor_release(r, to_release, (uint32_t)word), 0);
}

static void a_release_by_a_posted_word_does_so_too(void **state)
{
    struct bed *bed = bed_of_pausing();
    int fd;

    (void)state;
    bed->config.post = release_by_post;
    bed_start(bed);
    to_release = paused(bed, &fd);
    assert_int_equal(reactor_post(bed->r, 1), 0);
    turn(bed);
    assert_string_equal(bed->got, "A.B.");
    bed_free(bed);
}

/* R-F: room that is too small is no room. */
static void a_release_that_makes_too_little_room_resumes_nothing(void **state)
{
    struct bed *bed = bed_new_framed();
    struct identity id;
    int fd;

    (void)state;
    bed_start(bed);
    id = bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\0\0\0\3CAT\0\1B", 10);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_PAUSED, 7, 0);
    assert_int_equal(reactor_release(bed->r, id, 1), 0); /* 2 bytes: 5 + 5 > 9 */
    bed_run_idle(bed);
    bed_expect(bed, id, READER_PAUSED, 5, 0);
    assert_int_equal(reactor_account(bed->r)->resumes, 0);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed_run_idle(bed);
    assert_string_equal(bed->got, ".CAT.B.");
    bed_free(bed);
}

static void a_source_that_is_closed_before_its_resumption_is_left_out(void **state)
{
    struct bed *bed = bed_of_pausing();
    struct identity id;
    struct identity heir;
    int fd;

    (void)state;
    bed_start(bed);
    id = paused(bed, &fd);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    assert_int_equal(reactor_close(bed->r, id), 0);
    heir = bed_adopt(bed, &fd);
    turn(bed);
    assert_int_equal(reactor_account(bed->r)->resumes, 0);
    bed_expect(bed, heir, READER_WAITING, 0, 0);
    bed_free(bed);
}

static void count_posts(struct reactor *r, uint64_t word, void *app)
{
    struct bed *bed = app;

    (void)r;
    assert_int_equal(word, bed->posted);
    bed->posted++;
}

/* R-L-13: what a bounded turn leaves is work, and work does not sleep. */
static void posted_words_beyond_a_turn_are_handled_without_another_wake(void **state)
{
    struct bed *bed = bed_new();

    (void)state;
    bed->config.inbox = 256;
    bed->config.post = count_posts;
    bed_start(bed);
    for (uint64_t word = 0; word < TURN + 1; word++)
        assert_int_equal(reactor_post(bed->r, word), 0);
    turn(bed);
    assert_int_equal(bed->posted, TURN);
    turn(bed);
    assert_int_equal(bed->posted, TURN + 1);
    assert_int_equal(bed->kernel.sleeps, 0);
    turn(bed);
    assert_int_equal(bed->kernel.sleeps, 1);
    bed_free(bed);
}

static void post_again(struct reactor *r, uint64_t word, void *app)
{
    struct bed *bed = app;

    int rc = reactor_post(r, word);

    bed->posted++;
    assert_true(rc == 0 || rc == -ESHUTDOWN); /* until the stop */
}

static void a_word_that_posts_itself_keeps_no_source_out(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed->config.post = post_again;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    assert_int_equal(reactor_post(bed->r, 1), 0);
    turn(bed);
    assert_true(bed->posted <= TURN);
    fake_os_arrive(&bed->kernel, fd, "ab", 2);
    turn(bed);
    assert_string_equal(bed->got, "ab");
    bed_free(bed);
}

/* --- Many sources --- */

#define CROWD 100

/* A kernel of nothing but sources that have two frames each. */
struct crowd {
    uint64_t data[CROWD + 1];
    uint32_t left[CROWD + 1];
    uint32_t reported;
    uint32_t added;
    unsigned sleeps;
    struct identity ids[CROWD];
    uint32_t frames;
};

static struct instant crowd_now(void *self)
{
    (void)self;
    return (struct instant){0};
}

static int crowd_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    struct crowd *crowd = self;
    int count = 0;

    for (; count < max && crowd->reported < crowd->added; count++)
        events[count] = (struct os_event){.data = crowd->data[crowd->reported++], .events = OS_IN};
    crowd->sleeps += count == 0 && !instant_equal(deadline, INSTANT_PAST);
    return count;
}

static int crowd_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    struct crowd *crowd = self;

    (void)events;
    if (op != OS_ADD)
        return 0;
    crowd->data[crowd->added++] = data;
    crowd->left[fd] = 4; /* two frames of one byte behind one byte of header */
    return 0;
}

static long crowd_read(void *self, int fd, void *bytes, size_t size)
{
    struct crowd *crowd = self;

    assert_int_equal(size, 1);
    if (crowd->left[fd] == 0)
        return -EAGAIN;
    crowd->left[fd]--;
    *(uint8_t *)bytes = 1;
    return 1;
}

static int crowd_nothing(void *self, int fd)
{
    (void)self;
    (void)fd;
    return 0;
}

static long crowd_unread(void *self, int fd)
{
    return ((struct crowd *)self)->left[fd];
}

static int crowd_wake(void *self)
{
    (void)self;
    return 0;
}

static const struct os_ops crowd_ops = {
    .now = crowd_now,
    .wait = crowd_wait,
    .ctl = crowd_ctl,
    .read = crowd_read,
    .accept = crowd_nothing,
    .close = crowd_nothing,
    .unread = crowd_unread,
    .wake = crowd_wake,
};

static void crowd_frame(struct reactor *r, struct identity id, const uint8_t *payload,
                        uint32_t size, void *app)
{
    (void)r;
    (void)id;
    (void)payload;
    (void)size;
    ((struct crowd *)app)->frames++;
}

static struct reactor *crowd_reactor(struct crowd *crowd)
{
    static const struct reactor_handlers handlers = {.frame = crowd_frame};
    const struct reactor_protocol protocol = {
        .format = {.header = 1, .payload_max = 1},
        .capacity = 2,
        .limits = {.bytes = 2, .attempts = 2},
        .handlers = &handlers,
    };
    const struct reactor_config config = {
        .slots = CROWD,
        .collect = CROWD,
        .protocols = &protocol,
        .protocol_count = 1,
        .inbox = 2,
        .app = crowd,
        .checks = true,
    };
    struct reactor *r;

    assert_int_equal(
        reactor_open(&config, (struct os){.ops = &crowd_ops, .self = crowd}, &r), 0);
    for (int fd = 0; fd < CROWD; fd++)
        assert_int_equal(reactor_adopt(r, fd, 0, &crowd->ids[fd]), 0);
    return r;
}

static void crowd_rest(struct reactor *r, struct crowd *crowd)
{
    unsigned before = crowd->sleeps;

    for (int i = 0; i < 4 * CROWD && crowd->sleeps == before; i++)
        assert_int_equal(reactor_round(r), 1);
    assert_int_equal(crowd->sleeps, before + 1);
}

static void resumptions_beyond_a_turn_are_carried_out_without_a_sleep(void **state)
{
    struct crowd crowd = {0};
    struct reactor *r = crowd_reactor(&crowd);

    (void)state;
    crowd_rest(r, &crowd);
    assert_int_equal(crowd.frames, CROWD); /* each has one frame and is paused before the next */
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(reactor_release(r, crowd.ids[i], 1), 0);
    assert_int_equal(reactor_round(r), 1);
    assert_int_equal(reactor_account(r)->resumes, TURN);
    assert_int_equal(crowd.frames, CROWD + 1);
    assert_int_equal(reactor_round(r), 1);
    assert_int_equal(reactor_account(r)->resumes, CROWD);
    assert_int_equal(crowd.sleeps, 1);
    crowd_rest(r, &crowd);
    assert_int_equal(crowd.frames, 2 * CROWD);
    reactor_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_release_resumes_and_reads_in_the_same_round),
        cmocka_unit_test(a_release_by_a_posted_word_does_so_too),
        cmocka_unit_test(a_release_that_makes_too_little_room_resumes_nothing),
        cmocka_unit_test(a_source_that_is_closed_before_its_resumption_is_left_out),
        cmocka_unit_test(posted_words_beyond_a_turn_are_handled_without_another_wake),
        cmocka_unit_test(a_word_that_posts_itself_keeps_no_source_out),
        cmocka_unit_test(resumptions_beyond_a_turn_are_carried_out_without_a_sleep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
