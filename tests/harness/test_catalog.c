/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
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

#include "harness/catalog.h"

static char root[64];
static struct catalog_error error;

static void touch(const char *name)
{
    char path[512];
    int fd;

    snprintf(path, sizeof(path), "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    close(fd);
}

static int make_tree(void **state)
{
    (void)state;
    snprintf(root, sizeof(root), "/tmp/test_catalog.XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int make_scenarios(void **state)
{
    if (make_tree(state) < 0)
        return -1;
    touch("framing/one.scn");
    touch("framing/one.events");
    touch("framing/two.scn");
    touch("ends/fin-paused.scn");
    touch("ends/rst-paused.scn");
    touch("ends/rst-waiting.scn");
    touch("ends-more/x.scn");
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static int remove_tree(void **state)
{
    (void)state;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static struct catalog open_root(void)
{
    struct catalog catalog;

    if (catalog_open(root, &catalog, &error) < 0)
        fail_msg("%s", error.text);
    return catalog;
}

/* All names of a catalogue with blanks between. */
static const char *names(const struct catalog *catalog)
{
    static char text[1024];

    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < catalog->count; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "",
                                 catalog->entries[i].name);
    assert_true(used < sizeof(text));
    return text;
}

/* What patterns, parted by `|`, choose. */
static void chooses(const char *patterns, const char *expected)
{
    struct catalog catalog = open_root();
    struct catalog chosen = {0};
    char text[256];
    char *rest = text;
    char *pattern;

    snprintf(text, sizeof(text), "%s", patterns);
    while ((pattern = strsep(&rest, "|")))
        if (catalog_select(&catalog, pattern, &chosen, &error) < 0)
            fail_msg("%s: %s", pattern, error.text);
    assert_string_equal(names(&chosen), expected);
    catalog_free(&chosen);
    catalog_free(&catalog);
}

static void finds_nothing(const char *pattern, const char *why)
{
    struct catalog catalog = open_root();
    struct catalog chosen = {0};

    assert_int_equal(catalog_select(&catalog, pattern, &chosen, &error), -ENOENT);
    assert_int_equal(chosen.count, 0);
    if (!strstr(error.text, why))
        fail_msg("expected '%s' in '%s'", why, error.text);
    catalog_free(&chosen);
    catalog_free(&catalog);
}

static void lists_scripts_sorted_and_nothing_else(void **state)
{
    struct catalog catalog;

    (void)state;
    touch("README");
    touch(".hidden/x.scn");
    touch("framing/.x.scn");
    touch("framing/.scn");
    catalog = open_root();
    assert_string_equal(names(&catalog), "ends-more/x ends/fin-paused ends/rst-paused "
                                         "ends/rst-waiting framing/one framing/two");
    assert_memory_equal(catalog.entries[4].path, root, strlen(root));
    assert_string_equal(catalog.entries[4].path + strlen(root), "/framing/one.scn");
    catalog_free(&catalog);
}

static void does_not_follow_links_to_directories(void **state)
{
    char path[128];
    struct catalog catalog;

    (void)state;
    touch("a/x.scn");
    snprintf(path, sizeof(path), "%s/a/loop", root);
    assert_int_equal(symlink("..", path), 0);
    catalog = open_root();
    assert_string_equal(names(&catalog), "a/x");
    catalog_free(&catalog);
}

static void bounds_the_depth(void **state)
{
    struct catalog catalog = {0};

    (void)state;
    touch("a/b/c/d/x.scn");
    catalog = open_root();
    assert_string_equal(names(&catalog), "a/b/c/d/x");
    catalog_free(&catalog);
    touch("a/b/c/d/e/x.scn");
    assert_int_equal(catalog_open(root, &catalog, &error), -E2BIG);
    assert_non_null(strstr(error.text, "4 folders deep"));
    assert_int_equal(catalog.count, 0);
}

static void refuses_names_that_no_scenario_can_have(void **state)
{
    struct catalog catalog;

    (void)state;
    touch("a/with blank.scn");
    assert_int_equal(catalog_open(root, &catalog, &error), -EINVAL);
    assert_non_null(strstr(error.text, "a/with blank.scn"));
}

static void tells_that_there_is_no_such_tree(void **state)
{
    struct catalog catalog;

    (void)state;
    assert_int_equal(catalog_open("/nowhere/at/all", &catalog, &error), -ENOENT);
    assert_non_null(strstr(error.text, "/nowhere/at/all"));
}

static void chooses_by_name_topic_glob_and_all(void **state)
{
    (void)state;
    chooses("framing/one", "framing/one");
    chooses("framing", "framing/one framing/two");
    chooses("framing/", "framing/one framing/two");
    chooses("ends", "ends/fin-paused ends/rst-paused ends/rst-waiting");
    chooses("ends/*paused", "ends/fin-paused ends/rst-paused");
    chooses("*paused", "ends/fin-paused ends/rst-paused");
    chooses("framing/[to]*", "framing/one framing/two");
    chooses("all", "ends-more/x ends/fin-paused ends/rst-paused ends/rst-waiting framing/one "
                   "framing/two");
}

static void chooses_each_once_in_the_order_asked_for(void **state)
{
    (void)state;
    chooses("framing/two|framing|ends/fin-paused|ends/*paused",
            "framing/two framing/one ends/fin-paused ends/rst-paused");
}

static void takes_a_script_from_anywhere(void **state)
{
    char path[128];
    struct catalog none = {0};
    struct catalog chosen = {0};

    (void)state;
    snprintf(path, sizeof(path), "%s/framing/one.scn", root);
    assert_int_equal(catalog_select(&none, path, &chosen, &error), 0);
    assert_string_equal(chosen.entries[0].path, path);
    catalog_free(&chosen);
    snprintf(path, sizeof(path), "%s/framing/none.scn", root);
    /* That it is not there is told by whoever reads it, with its place. */
    assert_int_equal(catalog_select(&none, path, &chosen, &error), 0);
    assert_string_equal(chosen.entries[0].path, path);
    catalog_free(&chosen);
}

static void says_what_there_is_instead_of_nothing(void **state)
{
    struct catalog none = {0};
    struct catalog chosen = {0};

    (void)state;
    finds_nothing("framing/noe", "did you mean framing/one?");
    finds_nothing("framin", "did you mean framing?");
    finds_nothing("zzz", "topics are ends-more, ends, framing");
    finds_nothing("frame*", "no scenario 'frame*'");
    finds_nothing("", "no scenario ''");
    assert_int_equal(catalog_select(&none, "all", &chosen, &error), -ENOENT);
}

static void knows_names_that_stay_below_their_folder(void **state)
{
    char longest[CATALOG_NAME_MAX + 2];

    (void)state;
    assert_true(catalog_name_valid("framing/one-frame"));
    assert_true(catalog_name_valid("a/b.c+d_e/F9"));
    assert_false(catalog_name_valid(""));
    assert_false(catalog_name_valid("/a"));
    assert_false(catalog_name_valid("a/"));
    assert_false(catalog_name_valid("a//b"));
    assert_false(catalog_name_valid("../a"));
    assert_false(catalog_name_valid("a/../b"));
    assert_false(catalog_name_valid("a/.b"));
    assert_false(catalog_name_valid("a b"));
    assert_false(catalog_name_valid("a\nb"));
    memset(longest, 'a', sizeof(longest));
    longest[CATALOG_NAME_MAX] = '\0';
    assert_true(catalog_name_valid(longest));
    longest[CATALOG_NAME_MAX] = 'a';
    longest[CATALOG_NAME_MAX + 1] = '\0';
    assert_false(catalog_name_valid(longest));
}

int main(void)
{
#define ON(tree, test) cmocka_unit_test_setup_teardown(test, tree, remove_tree)
    const struct CMUnitTest tests[] = {
        ON(make_scenarios, lists_scripts_sorted_and_nothing_else),
        ON(make_tree, does_not_follow_links_to_directories),
        ON(make_tree, bounds_the_depth),
        ON(make_tree, refuses_names_that_no_scenario_can_have),
        cmocka_unit_test(tells_that_there_is_no_such_tree),
        ON(make_scenarios, chooses_by_name_topic_glob_and_all),
        ON(make_scenarios, chooses_each_once_in_the_order_asked_for),
        ON(make_scenarios, takes_a_script_from_anywhere),
        ON(make_scenarios, says_what_there_is_instead_of_nothing),
        cmocka_unit_test(knows_names_that_stay_below_their_folder),
    };
#undef ON

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
