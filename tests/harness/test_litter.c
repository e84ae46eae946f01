/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/clean/litter.h"
#include "harness/report/artefacts.h"
#include "harness/wallclock.h"
#include "tests/harness/sample.h"

/* No process has it: the kernel's numbers end at 2^22. */
#define NO_PID "4999999"
#define STRANGER "64321"

static char root[64];
static char out[96];
static const struct person self = {.other = false};
static struct remains remains;

static const char *at(const char *name)
{
    static char path[512];

    snprintf(path, sizeof(path), "%s/%s", root, name);
    return path;
}

static bool exists(const char *name)
{
    struct stat about;

    return lstat(at(name), &about) == 0;
}

static void put(const char *name)
{
    int fd = open(at(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

    assert_true(fd >= 0);
    close(fd);
}

static int make_root(void **state)
{
    (void)state;
    snprintf(root, sizeof(root), "/tmp/test_litter.XXXXXX");
    if (!mkdtemp(root) || chmod(root, 0755) < 0)
        return -1;
    snprintf(out, sizeof(out), "%s/out", root);
    return mkdir(out, 0755) | mkdir(at("out/x"), 0755) | mkdir(at("out/x/one"), 0755);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static int remove_root(void **state)
{
    (void)state;
    remains_free(&remains);
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* As if everything were an hour old. */
static struct litter later(void)
{
    return (struct litter){
        .person = &self, .now_s = wallclock_seconds() + 3600, .folders = true};
}

static void clean(struct litter litter)
{
    remains_free(&remains);
    assert_int_equal(litter_remove(&litter, out, &remains), 0);
}

/* Fails unless the one thing told of ends in `name` and has this fate and reason. */
static void only(enum remains_fate fate, const char *name, const char *why)
{
    assert_int_equal(remains.count, 1);
    assert_string_equal(remains.items[0].why, why);
    assert_int_equal(remains.items[0].fate, fate);
    assert_true(strlen(remains.items[0].name) > strlen(name));
    assert_string_equal(remains.items[0].name + strlen(remains.items[0].name) - strlen(name), name);
}

static void removes_a_file_whose_writer_has_gone(void **state)
{
    struct litter dry = later();

    (void)state;
    put("out/x/one/.wire.txt." NO_PID ".new");
    dry.dry_run = true;
    clean(dry);
    only(REMAINS_FOUND, "out/x/one/.wire.txt." NO_PID ".new", "its writer has gone");
    assert_true(exists("out/x/one/.wire.txt." NO_PID ".new"));
    clean(later());
    only(REMAINS_REMOVED, "out/x/one/.wire.txt." NO_PID ".new", "its writer has gone");
    assert_false(exists("out/x/one/.wire.txt." NO_PID ".new"));
    clean(later());
    assert_int_equal(remains.count, 0);
}

/* Where the file system keeps files without a name nothing is left; where it does not, one. */
static void nothing_is_left_of_a_killed_writer(void **state)
{
    struct folder folder;
    struct folder_file file;
    struct folder_error error;
    int status;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        if (folder_open(&self, out, "x", &folder, &error) < 0 ||
            folder_create(&folder, "wire.txt", &file, &error) < 0)
            _exit(1);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    clean(later());
    assert_true(remains.count <= 1);
    if (remains.count == 1)
        assert_int_equal(remains.items[0].fate, REMAINS_REMOVED);
    clean(later());
    assert_int_equal(remains.count, 0);
}

static void leaves_names_of_another_form_alone(void **state)
{
    static const char *const names[] = {
        "out/.probe.new", "out/probe.1.new", "out/.probe.01.new", "out/.probe.1.new~", "out/.1.new",
        "out/.probe.1.newer", "out/.probe.-1.new", "out/.probe.99999999999999999999.new",
        "out/events.txt", "out/.emacs." NO_PID ".new", "out/.probes." NO_PID ".new",
        "out/..xml." NO_PID ".new", "out/.xevents." NO_PID ".new",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        put(names[i]);
    clean(later());
    assert_int_equal(remains.count, 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_true(exists(names[i]));
}

static void follows_no_link(void **state)
{
    (void)state;
    mkdir(at("else"), 0755);
    put("else/.probe." NO_PID ".new");
    assert_int_equal(symlink("../else", at("out/away")), 0);
    assert_int_equal(symlink("../else", at("out/x/one/veth-et-ipv4")), 0);
    assert_int_equal(symlink("../else/.probe." NO_PID ".new",
                             at("out/.one.events." NO_PID ".new")), 0);
    clean(later());
    only(REMAINS_LEFT, "out/.one.events." NO_PID ".new", "it is no plain file");
    assert_true(exists("else/.probe." NO_PID ".new"));
    assert_true(exists("out/.one.events." NO_PID ".new"));
    assert_true(exists("out/away"));
}

static void leaves_what_is_open(void **state)
{
    int fd;

    (void)state;
    put("out/.probe." NO_PID ".new");
    fd = open(at("out/.probe." NO_PID ".new"), O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    clean(later());
    only(REMAINS_LEFT, ".probe." NO_PID ".new", "somebody has it open");
    close(fd);
    clean(later());
    assert_int_equal(remains_count(&remains, REMAINS_REMOVED), 1);
}

static void leaves_what_is_young(void **state)
{
    struct litter now = later();

    (void)state;
    put("out/.probe." NO_PID ".new");
    now.now_s = wallclock_seconds();
    clean(now);
    only(REMAINS_LEFT, ".probe." NO_PID ".new", "it was changed a moment ago");
}

static void leaves_the_file_of_a_living_writer(void **state)
{
    char name[64];

    (void)state;
    snprintf(name, sizeof(name), "out/.probe.%ld.new", (long)getpid());
    put(name);
    clean(later());
    only(REMAINS_LEFT, name, "its writer is running");
}

static void leaves_a_directory_of_such_a_name(void **state)
{
    (void)state;
    mkdir(at("out/.probe." NO_PID ".new"), 0755);
    clean(later());
    only(REMAINS_LEFT, ".probe." NO_PID ".new", "it is no plain file");
    assert_true(exists("out/.probe." NO_PID ".new"));
}

/* The artefacts of the sample as a run writes them; the folder's path from the root. */
static const char *write_artefacts(enum reactor_trigger trigger)
{
    static char path[256];
    struct artefacts artefacts = {.out = out, .person = &self};
    struct result result = sample_pass(trigger, PLAN_IPV4, 2);
    struct packet_list packets = {0};
    struct folder_error error;

    lines_add(&result.peers.rows, "c connect");
    assert_int_equal(artefacts_write(&artefacts, &result, &packets, &error), 0);
    artefacts_path("out", &result, path, sizeof(path));
    result_free(&result);
    return path;
}

static void removes_half_a_folder_and_no_whole_one(void **state)
{
    char whole[256];
    char half[256];
    char result[300];

    (void)state;
    snprintf(whole, sizeof(whole), "%s", write_artefacts(REACTOR_ET));
    snprintf(half, sizeof(half), "%s", write_artefacts(REACTOR_LT));
    snprintf(result, sizeof(result), "%s/result.json", half);
    assert_int_equal(unlink(at(result)), 0);
    clean(later());
    only(REMAINS_REMOVED, half, "no result.json: half written");
    assert_false(exists(half));
    assert_true(exists(whole));
    clean(later());
    assert_int_equal(remains.count, 0);
}

static void half_a_folder_of_a_defect_is_one_too(void **state)
{
    (void)state;
    mkdir(at("out/x/one/veth-et-ipv4+no-requeue"), 0755);
    put("out/x/one/veth-et-ipv4+no-requeue/events.txt");
    clean(later());
    assert_false(exists("out/x/one/veth-et-ipv4+no-requeue"));
}

static void a_folder_that_this_empties_goes_too(void **state)
{
    (void)state;
    mkdir(at("out/x/one/veth-os-unix"), 0755);
    put("out/x/one/veth-os-unix/events.txt");
    mkdir(at("out/y"), 0755);
    clean(later());
    assert_false(exists("out/x"));
    /* This one was empty before. */
    assert_true(exists("out/y"));
    assert_true(exists("out"));
}

static void leaves_half_a_folder_with_something_else_in_it(void **state)
{
    (void)state;
    mkdir(at("out/x/one/veth-et-ipv4"), 0755);
    put("out/x/one/veth-et-ipv4/events.txt");
    put("out/x/one/veth-et-ipv4/remarks");
    clean(later());
    only(REMAINS_LEFT, "veth-et-ipv4", "something lies in it that is no artefact");
    assert_true(exists("out/x/one/veth-et-ipv4/events.txt"));
}

static void leaves_half_a_folder_that_is_being_written(void **state)
{
    int fd;

    (void)state;
    mkdir(at("out/x/one/veth-et-ipv4"), 0755);
    put("out/x/one/veth-et-ipv4/events.txt");
    put("out/x/one/veth-et-ipv4/.wire.txt." NO_PID ".new");
    fd = open(at("out/x/one/veth-et-ipv4/.wire.txt." NO_PID ".new"), O_WRONLY | O_CLOEXEC);
    clean(later());
    only(REMAINS_LEFT, "veth-et-ipv4", "somebody has it open");
    close(fd);
    assert_true(exists("out/x/one/veth-et-ipv4/events.txt"));
}

static void leaves_half_a_folder_while_a_bench_runs(void **state)
{
    struct litter litter = later();

    (void)state;
    mkdir(at("out/x/one/veth-et-ipv4"), 0755);
    put("out/x/one/veth-et-ipv4/events.txt");
    litter.busy = true;
    clean(litter);
    only(REMAINS_LEFT, "veth-et-ipv4", "a bench is running, and may be writing it");
    assert_true(exists("out/x/one/veth-et-ipv4/events.txt"));
}

static void folders_of_other_names_are_not_half_ones(void **state)
{
    static const char *const names[] = {
        "veth", "veth-et", "veth-et-", "veth-et-ipv5", "moon-et-ipv4", "veth-xt-ipv4",
        "veth-et-ipv4+", "veth-et-ipv4+mine",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[128];

        snprintf(path, sizeof(path), "out/x/one/%s", names[i]);
        mkdir(at(path), 0755);
    }
    clean(later());
    assert_int_equal(remains.count, 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[128];

        snprintf(path, sizeof(path), "out/x/one/%s", names[i]);
        assert_true(exists(path));
    }
}

static void where_folders_are_somebodys_work_only_files_go(void **state)
{
    struct litter litter = later();

    (void)state;
    mkdir(at("out/x/one/veth-et-ipv4"), 0755);
    put("out/x/one/.probe." NO_PID ".new");
    litter.folders = false;
    clean(litter);
    only(REMAINS_REMOVED, ".probe." NO_PID ".new", "its writer has gone");
    assert_true(exists("out/x/one/veth-et-ipv4"));
}

static void a_person_removes_nothing_of_another(void **state)
{
    struct litter litter = later();
    struct person person;

    (void)state;
    if (geteuid() != 0) {
        print_message("needs root: becomes somebody else\n");
        skip();
    }
    assert_int_equal(person_make(STRANGER, STRANGER, &person), 0);
    chmod(out, 0777);
    put("out/.probe." NO_PID ".new");
    litter.person = &person;
    clean(litter);
    only(REMAINS_LEFT, ".probe." NO_PID ".new", "it belongs to another user");
}

static void tells_what_cannot_be_removed(void **state)
{
    struct litter litter = later();
    struct person person;

    (void)state;
    if (geteuid() != 0) {
        print_message("needs root: becomes somebody else\n");
        skip();
    }
    assert_int_equal(person_make(STRANGER, STRANGER, &person), 0);
    put("out/.probe." NO_PID ".new");
    assert_int_equal(chown(at("out/.probe." NO_PID ".new"), person.uid, person.gid), 0);
    litter.person = &person;
    clean(litter);
    only(REMAINS_FAILED, ".probe." NO_PID ".new", strerror(EACCES));
}

static void a_top_that_is_not_there_is_clean(void **state)
{
    struct litter litter = later();

    (void)state;
    assert_int_equal(litter_remove(&litter, at("none"), &remains), 0);
    put("file");
    assert_int_equal(litter_remove(&litter, at("file"), &remains), -ENOTDIR);
    assert_int_equal(remains.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(removes_a_file_whose_writer_has_gone),
        TEST(nothing_is_left_of_a_killed_writer),
        TEST(leaves_names_of_another_form_alone),
        TEST(follows_no_link),
        TEST(leaves_what_is_open),
        TEST(leaves_what_is_young),
        TEST(leaves_the_file_of_a_living_writer),
        TEST(leaves_a_directory_of_such_a_name),
        TEST(removes_half_a_folder_and_no_whole_one),
        TEST(a_folder_that_this_empties_goes_too),
        TEST(half_a_folder_of_a_defect_is_one_too),
        TEST(leaves_half_a_folder_with_something_else_in_it),
        TEST(leaves_half_a_folder_that_is_being_written),
        TEST(leaves_half_a_folder_while_a_bench_runs),
        TEST(folders_of_other_names_are_not_half_ones),
        TEST(where_folders_are_somebodys_work_only_files_go),
        TEST(a_person_removes_nothing_of_another),
        TEST(tells_what_cannot_be_removed),
        TEST(a_top_that_is_not_there_is_clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
