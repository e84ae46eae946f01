/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "netns/link.h"
#include "netns/pidspace.h"

/* That each thing which the other tests of this folder look for is found when it is there. */

#define SOON_MS 20
#define AT_LAST_MS 10000

static int setup(void **state)
{
    static char why[SEALED_TEXT_BYTES];

    if (sealed_enter(why) < 0)
        *state = why;
    return 0;
}

static void need_world(void **state)
{
    if (*state) {
        printf("%s\n", (const char *)*state);
        skip();
    }
}

static void need_counts(void)
{
    if (sealed_counts_namespaces())
        return;
    printf("/proc/sys cannot be written\n");
    skip();
}

/* What was made before may be found first, for the kernel takes its time. */
static void expect_found(const char *what)
{
    char text[SEALED_TEXT_BYTES] = "";

    for (int left_ms = AT_LAST_MS; left_ms > 0 && !strstr(text, what); left_ms -= SOON_MS)
        assert_int_equal(sealed_await_no_namespace(SOON_MS, text), -ETIMEDOUT);
    if (!strstr(text, what))
        fail_msg("'%s' was found in place of '%s'", text, what);
}

static void expect_nothing(void)
{
    char text[SEALED_TEXT_BYTES] = "";

    if (sealed_await_no_namespace(AT_LAST_MS, text) < 0)
        fail_msg("%s", text);
}

static void an_orphan_is_found(void **state)
{
    need_world(state);
    pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        (void)setpgid(0, 0);
        if (fork() == 0)
            (void)pause();
        _exit(0);
    }
    expect_found("a process");
    assert_int_equal(kill(-parent, SIGKILL), 0);
    expect_nothing();
}

static void a_network_namespace_is_found(void **state)
{
    struct space space = SPACE_NONE;

    need_world(state);
    need_counts();
    assert_int_equal(space_open(&space, NULL), 0);
    expect_found("a network namespace");
    space_close(&space);
    expect_nothing();
}

static int wait_for_ever(void *arg)
{
    for (;;)
        (void)pause();
    return arg != NULL;
}

static void a_pid_namespace_without_a_process_is_found(void **state)
{
    struct pidspace space = PIDSPACE_NONE;
    char path[64];

    need_world(state);
    need_counts();
    assert_int_equal(pidspace_spawn(&space, NULL, wait_for_ever, NULL, NULL), 0);
    (void)snprintf(path, sizeof(path), "/proc/%d/ns/pid", space.init);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    pidspace_close(&space);
    expect_found("a PID namespace");
    (void)close(fd);
    expect_nothing();
}

static void a_link_is_found(void **state)
{
    struct space here = {.fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)};
    const struct link_options options = LINK_OPTIONS_DEFAULT;
    struct space there = SPACE_NONE;
    struct link link = LINK_NONE;

    need_world(state);
    assert_int_equal(space_open(&there, NULL), 0);
    assert_int_equal(link_open(&link, &here, &there, &options, NULL), 0);
    expect_found("link " LINK_SUT_NAME);
    link_close(&link);
    space_close(&there);
    space_close(&here);
    expect_nothing();
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void shared_memory_is_found(void **state)
{
    need_world(state);
    write_file("/dev/shm/journal", "x");
    expect_found("/dev/shm/journal");
    assert_int_equal(unlink("/dev/shm/journal"), 0);
    expect_nothing();
}

static void half_an_artefact_is_found(void **state)
{
    static const struct {
        const char *path, *half, *whole;
    } files[] = {
        {SEALED_FOLDER "/out/result.json", "{\"verdict\": ", "{}"},
        {SEALED_FOLDER "/out/events.txt", "c read 1", "c read 1\n"},
        {SEALED_FOLDER "/out/capture.pcap", "\xd4\xc3\xb2\xa1", NULL},
        {SEALED_FOLDER "/out/.events.txt.7.new", "c read 1\n", NULL},
    };

    need_world(state);
    assert_int_equal(mkdir(SEALED_FOLDER "/out", 0755), 0);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        write_file(files[i].path, files[i].half);
        expect_found(files[i].path);
        if (files[i].whole) {
            write_file(files[i].path, files[i].whole);
            expect_nothing();
        }
        assert_int_equal(unlink(files[i].path), 0);
        expect_nothing();
    }
    assert_int_equal(rmdir(SEALED_FOLDER "/out"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_orphan_is_found),
        cmocka_unit_test(a_network_namespace_is_found),
        cmocka_unit_test(a_pid_namespace_without_a_process_is_found),
        cmocka_unit_test(a_link_is_found),
        cmocka_unit_test(shared_memory_is_found),
        cmocka_unit_test(half_an_artefact_is_found),
    };

    return cmocka_run_group_tests(tests, setup, NULL) != 0;
}
