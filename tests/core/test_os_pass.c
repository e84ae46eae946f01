/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <errno.h>

/* A table that writes down what it was asked, and gives out one answer. */
struct probe {
    char asked[128];
    long answer;
};

/* A decorator with nothing of its own. */
struct decorator {
    struct os inner;
    int more;
};

static struct os_event batch[4];
static char buffer[8];

static long probe_note(void *self, const char *text)
{
    struct probe *probe = self;

    (void)snprintf(probe->asked, sizeof(probe->asked), "%s", text);
    return probe->answer;
}

static struct instant probe_now(void *self)
{
    return (struct instant){probe_note(self, "now")};
}

static int probe_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "wait %d %d %lld", events == batch, max,
                   (long long)deadline.ns);
    return (int)probe_note(self, text);
}

static int probe_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "ctl %d %d %u %llx", op, fd, events,
                   (unsigned long long)data);
    return (int)probe_note(self, text);
}

static long probe_read(void *self, int fd, void *bytes, size_t size)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "read %d %d %zu", fd, bytes == buffer, size);
    return probe_note(self, text);
}

static long probe_descriptor(void *self, const char *call, int fd)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "%s %d", call, fd);
    return probe_note(self, text);
}

static int probe_accept(void *self, int fd)
{
    return (int)probe_descriptor(self, "accept", fd);
}

static int probe_close(void *self, int fd)
{
    return (int)probe_descriptor(self, "close", fd);
}

static long probe_unread(void *self, int fd)
{
    return probe_descriptor(self, "unread", fd);
}

static int probe_wake(void *self)
{
    return (int)probe_note(self, "wake");
}

static const struct os_ops probe_ops = {
    .now = probe_now,
    .wait = probe_wait,
    .ctl = probe_ctl,
    .read = probe_read,
    .accept = probe_accept,
    .close = probe_close,
    .unread = probe_unread,
    .wake = probe_wake,
};

static const struct os_ops pass_ops = {
    .now = os_pass_now,
    .wait = os_pass_wait,
    .ctl = os_pass_ctl,
    .read = os_pass_read,
    .accept = os_pass_accept,
    .close = os_pass_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

static void expect(const struct probe *probe, long result, const char *asked)
{
    assert_int_equal(result, probe->answer);
    assert_string_equal(probe->asked, asked);
}

static void every_call_and_its_answer_go_through_unchanged(void **state)
{
    static const long answers[] = {0, 7, -EINTR, -EAGAIN};

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        struct probe probe = {.answer = answers[i]};
        struct decorator decorator = {.inner = {.ops = &probe_ops, .self = &probe}};
        struct os os = {.ops = &pass_ops, .self = &decorator};

        expect(&probe, os_now(os).ns, "now");
        expect(&probe, os_wait(os, batch, 4, (struct instant){99}), "wait 1 4 99");
        expect(&probe, os_ctl(os, OS_MOD, 5, OS_IN | OS_ET, UINT64_C(0x1122334455667788)),
               "ctl 1 5 33 1122334455667788");
        expect(&probe, os_read(os, 6, buffer, sizeof(buffer)), "read 6 1 8");
        expect(&probe, os_accept(os, 7), "accept 7");
        expect(&probe, os_close(os, 8), "close 8");
        expect(&probe, os_unread(os, 9), "unread 9");
        expect(&probe, os_wake(os), "wake");
        assert_int_equal(decorator.more, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_and_its_answer_go_through_unchanged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
