/* SPDX-License-Identifier: BSD-2-Clause */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/report/folder.h"
static char root[64];
static struct folder_error error;
static const struct person self = {.other = false};

static void open_root(struct folder *folder)
{
    (void)snprintf(root, sizeof(root), "/tmp/test_folder.XXXXXX");
    assert_non_null(mkdtemp(root));
    assert_int_equal(folder_open(&self, root, "", folder, &error), 0);
}

static void close_root(struct folder *folder)
{
    folder_close(folder);
    folder_close(folder);
    assert_int_equal(rmdir(root), 0); /* nothing half is left */
}

static size_t count_entries(void)
{
    DIR *entries = opendir(root);
    size_t count = 0;

    assert_non_null(entries);
    while (readdir(entries))
        count++;
    (void)closedir(entries);
    return count - 2; /* . and .. */
}

/* Whoever is killed in between leaves nothing. */
static void a_file_that_is_written_has_no_name(void **state)
{
    struct folder folder;
    struct folder_file file;

    (void)state;
    open_root(&folder);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(folder_create(&folder, "x", &file, &error), 0);
        assert_int_equal(write(file.fd, "new", 3), 3);
        if (file.nameless)
            assert_int_equal(count_entries(), round);
        assert_int_equal(folder_commit(&file, &error), 0);
        assert_int_equal(count_entries(), 1);
    }
    assert_int_equal(folder_remove(&folder, "x", &error), 0);
    close_root(&folder);
}

static void a_file_is_there_when_it_is_whole(void **state)
{
    struct folder folder;
    struct folder_file file;

    (void)state;
    open_root(&folder);
    assert_int_equal(folder_create(&folder, "x", &file, &error), 0);
    assert_int_equal(write(file.fd, "new", 3), 3);
    assert_int_equal(faccessat(folder.fd, "x", F_OK, 0), -1);
    assert_int_equal(folder_commit(&file, &error), 0);
    assert_true(folder_holds(&folder, "x", "new", 3));
    assert_int_equal(folder_remove(&folder, "x", &error), 0);
    assert_int_equal(folder_remove(&folder, "x", &error), 0);
    close_root(&folder);
}

static void what_a_file_holds_is_told_to_the_byte(void **state)
{
    struct folder folder;

    (void)state;
    open_root(&folder);
    assert_int_equal(folder_write(&folder, "x", "abc", 3, &error), 0);
    assert_true(folder_holds(&folder, "x", "abc", 3));
    assert_false(folder_holds(&folder, "x", "ab", 2));
    assert_false(folder_holds(&folder, "x", "abcd", 4));
    assert_false(folder_holds(&folder, "x", "abd", 3));
    assert_false(folder_holds(&folder, "y", "abc", 3));
    assert_int_equal(folder_write(&folder, "x", "", 0, &error), 0);
    assert_true(folder_holds(&folder, "x", "", 0));
    assert_int_equal(folder_remove(&folder, "x", &error), 0);
    close_root(&folder);
}

static void what_must_exist_is_not_made(void **state)
{
    struct folder folder, below;
    char path[96];

    (void)state;
    open_root(&folder);
    (void)snprintf(path, sizeof(path), "%s/missing", root);
    assert_int_equal(folder_open_existing(&self, path, &below, &error), -ENOENT);
    assert_non_null(strstr(error.text, "missing"));
    assert_int_equal(folder_open(&self, root, "missing", &below, &error), 0);
    folder_close(&below);
    assert_int_equal(folder_open_existing(&self, path, &below, &error), 0);
    assert_int_equal(folder_probe(&below, &error), 0);
    folder_close(&below);
    assert_int_equal(rmdir(path), 0);
    close_root(&folder);
}

static void what_was_made_on_the_way_can_be_taken_back(void **state)
{
    struct folder folder, deep;
    char path[128];
    struct stat about;

    (void)state;
    open_root(&folder);
    assert_int_equal(folder.made, 0);
    folder_unmake(&folder); /* it was there before */
    assert_int_equal(stat(root, &about), 0);
    (void)snprintf(path, sizeof(path), "%s/a/b//c", root);
    assert_int_equal(folder_open(&self, path, "", &deep, &error), 0);
    assert_int_equal(deep.made, strlen(root) + 2);
    folder_unmake(&deep);
    folder_close(&deep);
    close_root(&folder);
}

static void a_way_that_ends_at_a_file_leaves_nothing(void **state)
{
    struct folder folder, deep;
    char path[128];

    (void)state;
    open_root(&folder);
    assert_int_equal(folder_write(&folder, "file", "", 0, &error), 0);
    (void)snprintf(path, sizeof(path), "%s/new/../file/x", root);
    assert_true(folder_open(&self, path, "", &deep, &error) < 0);
    assert_int_equal(folder_remove(&folder, "file", &error), 0);
    close_root(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_written_has_no_name),
        cmocka_unit_test(a_file_is_there_when_it_is_whole),
        cmocka_unit_test(what_a_file_holds_is_told_to_the_byte),
        cmocka_unit_test(what_must_exist_is_not_made),
        cmocka_unit_test(what_was_made_on_the_way_can_be_taken_back),
        cmocka_unit_test(a_way_that_ends_at_a_file_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
