/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/report/artefacts.h"
#include "pcaps/pcapfile.h"
#include "tests/harness/sample.h"

/* A person of whom nobody on this machine has heard. */
#define STRANGER "64321"
#define STRANGER_ID 64321

static char root[64];
static char out[96];
static struct folder_error error;
static const struct person self = {.other = false};

static int make_root(void **state)
{
    (void)state;
    snprintf(root, sizeof(root), "/tmp/test_artefacts.XXXXXX");
    if (!mkdtemp(root))
        return -1;
    snprintf(out, sizeof(out), "%s/out", root);
    return 0;
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
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* `name` below the root; the next call but one reuses the text. */
static const char *at(const char *name)
{
    static char paths[2][512];
    static int turn;

    turn = !turn;
    snprintf(paths[turn], sizeof(paths[turn]), "%s/%s", root, name);
    return paths[turn];
}

static bool exists(const char *name)
{
    struct stat about;

    return lstat(at(name), &about) == 0;
}

static void holds(const char *name, const char *expected)
{
    char text[4096];
    int fd = open(at(name), O_RDONLY | O_CLOEXEC);
    ssize_t size;

    assert_true(fd >= 0);
    size = read(fd, text, sizeof(text) - 1);
    close(fd);
    assert_true(size >= 0);
    text[size] = '\0';
    assert_string_equal(text, expected);
}

static int count_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    /* Nothing temporary and nothing hidden may be left. */
    return path[where->base] == '.';
}

static void nothing_half_is_left(void)
{
    assert_int_equal(nftw(root, count_entry, 8, FTW_PHYS), 0);
}

static int write_sample(const struct person *person, const struct packet_list *packets)
{
    struct artefacts artefacts = {.out = out, .person = person};
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 2);
    int status;

    lines_add(&result.peers.rows, "c connect");
    status = artefacts_write(&artefacts, &result, packets, &error);
    result_free(&result);
    return status;
}

static void files_lie_where_the_report_says(void **state)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 0);
    char path[256];

    (void)state;
    artefacts_path("out", &result, path, sizeof(path));
    assert_string_equal(path, "out/framing/one/veth-et-ipv4");
    artefacts_path("out", &result, path, 28);
    assert_string_equal(path, "");
    assert_int_equal(write_sample(&self, NULL), 0);
    holds("out/framing/one/veth-et-ipv4/events.txt", "c quantum 1\nc quantum 2\n");
    holds("out/framing/one/veth-et-ipv4/peers.txt", "c connect\n");
    assert_true(exists("out/framing/one/veth-et-ipv4/result.json"));
    assert_false(exists("out/framing/one/veth-et-ipv4/wire.txt"));
    assert_false(exists("out/framing/one/veth-et-ipv4/capture.pcap"));
    nothing_half_is_left();
}

static void a_capture_reads_back(void **state)
{
    static const uint8_t bytes[60] = {1, 2, 3};
    struct packet packet = {.stamp_ns = 1700000000123456789, .captured_bytes = sizeof(bytes),
                            .original_bytes = sizeof(bytes), .bytes = bytes};
    struct pcapfile_error failure;
    struct packet_list list;
    struct packet_list read;

    (void)state;
    packet_list_init(&list, 4, 4096);
    packet_list_init(&read, 4, 4096);
    assert_int_equal(packet_list_append(&list, &packet), 0);
    assert_int_equal(write_sample(&self, &list), 0);
    assert_int_equal(
        pcapfile_read(at("out/framing/one/veth-et-ipv4/capture.pcap"), &read, &failure), 0);
    assert_int_equal(read.count, 1);
    assert_true(read.packets[0].stamp_ns == packet.stamp_ns);
    packet_list_free(&list);
    packet_list_free(&read);
    /* The next run has none: the old one must not be taken for its own. */
    assert_int_equal(write_sample(&self, NULL), 0);
    assert_false(exists("out/framing/one/veth-et-ipv4/capture.pcap"));
}

static void a_name_cannot_leave_its_folder(void **state)
{
    static const char *const names[] = {"../x", "a/../../x", "/x", "a//b", ".", "a/.x", ""};
    struct artefacts artefacts = {.out = out, .person = &self};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct plan plan = {.name = names[i]};
        struct result result = {.plan = &plan};

        assert_int_equal(artefacts_write(&artefacts, &result, NULL, &error), -EINVAL);
    }
    assert_false(exists("out"));
    assert_false(exists("x"));
}

static void folders_refuse_paths_and_names_that_lead_elsewhere(void **state)
{
    struct folder folder;
    struct folder_file file;

    (void)state;
    assert_int_equal(folder_open(&self, out, "a/../b", &folder, &error), -EINVAL);
    assert_int_equal(folder_open(&self, out, "/a", &folder, &error), -EINVAL);
    assert_int_equal(folder_open(&self, out, "a/", &folder, &error), -EINVAL);
    assert_int_equal(folder_open(&self, "", "a", &folder, &error), -ENAMETOOLONG);
    assert_int_equal(folder_open(&self, out, "", &folder, &error), 0);
    assert_int_equal(folder_create(&folder, "../x", &file, &error), -EINVAL);
    assert_int_equal(folder_create(&folder, "", &file, &error), -EINVAL);
    assert_int_equal(folder_create(&folder, ".x", &file, &error), -EINVAL);
    folder_close(&folder);
}

static void links_are_followed_to_the_top_and_not_below(void **state)
{
    (void)state;
    assert_int_equal(mkdir(at("real"), 0777), 0);
    assert_int_equal(mkdir(at("elsewhere"), 0777), 0);
    assert_int_equal(symlink("real", at("out")), 0);
    assert_int_equal(write_sample(&self, NULL), 0);
    assert_true(exists("real/framing/one/veth-et-ipv4/events.txt"));
    assert_int_equal(rename(at("real/framing"), at("real/aside")), 0);
    assert_int_equal(symlink("../elsewhere", at("real/framing")), 0);
    assert_int_equal(write_sample(&self, NULL), -ENOTDIR);
    assert_false(exists("elsewhere/one"));
}

static void a_link_in_place_of_a_file_is_replaced_not_followed(void **state)
{
    (void)state;
    assert_int_equal(write_sample(&self, NULL), 0);
    assert_int_equal(unlink(at("out/framing/one/veth-et-ipv4/events.txt")), 0);
    assert_int_equal(symlink(at("victim"), at("out/framing/one/veth-et-ipv4/events.txt")), 0);
    assert_int_equal(write_sample(&self, NULL), 0);
    assert_false(exists("victim"));
    holds("out/framing/one/veth-et-ipv4/events.txt", "c quantum 1\nc quantum 2\n");
}

static void what_is_no_directory_is_told(void **state)
{
    struct artefacts artefacts = {.out = "/dev/null", .person = &self};

    (void)state;
    assert_true(artefacts_probe(&artefacts, &error) < 0);
    assert_string_equal(error.text, "/dev/null: there is something that is no directory");
}

static void a_disk_that_takes_no_more_is_found_before_the_run(void **state)
{
    struct artefacts artefacts = {.out = out, .person = &self};
    struct rlimit before;
    struct rlimit little;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    int status;

    (void)state;
    assert_int_equal(artefacts_probe(&artefacts, &error), 0);
    nothing_half_is_left();
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &little);
    status = artefacts_probe(&artefacts, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, -EFBIG);
    assert_non_null(strstr(error.text, out));
    nothing_half_is_left();
}

static void a_run_that_cannot_be_written_is_not_mixed_with_the_one_before(void **state)
{
    struct rlimit before;
    struct rlimit little;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    int status;

    (void)state;
    assert_int_equal(write_sample(&self, NULL), 0);
    assert_true(exists("out/framing/one/veth-et-ipv4/result.json"));
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 100; /* enough for the ledgers */
    setrlimit(RLIMIT_FSIZE, &little);
    status = write_sample(&self, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, -EFBIG);
    assert_false(exists("out/framing"));
    nothing_half_is_left();
}

static void an_abandoned_file_leaves_the_old_one(void **state)
{
    struct folder folder;
    struct folder_file file;

    (void)state;
    assert_int_equal(folder_open(&self, out, "", &folder, &error), 0);
    assert_int_equal(folder_write(&folder, "x", "old", 3, &error), 0);
    assert_int_equal(folder_create(&folder, "x", &file, &error), 0);
    assert_int_equal(write(file.fd, "new", 3), 3);
    holds("out/x", "old");
    folder_abandon(&file);
    holds("out/x", "old");
    assert_true(folder_holds(&folder, "x", "old", 3));
    assert_false(folder_holds(&folder, "x", "old!", 4));
    assert_false(folder_holds(&folder, "x", "ol", 2));
    assert_false(folder_holds(&folder, "y", "", 0));
    assert_int_equal(folder_remove(&folder, "x", &error), 0);
    assert_int_equal(folder_remove(&folder, "x", &error), 0);
    folder_close(&folder);
    nothing_half_is_left();
}

static void need_root(void)
{
    if (geteuid() != 0) {
        print_message("needs root: files are made as somebody else\n");
        skip();
    }
}

static void belongs_to_the_stranger(const char *name)
{
    struct stat about;

    assert_int_equal(lstat(at(name), &about), 0);
    assert_int_equal(about.st_uid, STRANGER_ID);
    assert_int_equal(about.st_gid, STRANGER_ID);
}

static void files_belong_to_who_called_sudo(void **state)
{
    struct person person;
    gid_t before[PERSON_GROUPS_MAX];
    gid_t after[PERSON_GROUPS_MAX];
    int count = getgroups(PERSON_GROUPS_MAX, before);

    (void)state;
    need_root();
    assert_int_equal(person_make(STRANGER, STRANGER, &person), 0);
    assert_int_equal(chown(root, STRANGER_ID, STRANGER_ID), 0);
    assert_int_equal(write_sample(&person, NULL), 0);
    belongs_to_the_stranger("out");
    belongs_to_the_stranger("out/framing/one");
    belongs_to_the_stranger("out/framing/one/veth-et-ipv4/events.txt");
    belongs_to_the_stranger("out/framing/one/veth-et-ipv4/result.json");
    assert_int_equal(setfsuid((uid_t)-1), 0);
    assert_int_equal(setfsgid((gid_t)-1), 0);
    assert_int_equal(getgroups(PERSON_GROUPS_MAX, after), count);
    assert_memory_equal(before, after, (size_t)count * sizeof(*before));
}

static void a_link_leads_no_further_than_its_owner_may_go(void **state)
{
    struct person person;

    (void)state;
    need_root();
    assert_int_equal(person_make(STRANGER, STRANGER, &person), 0);
    assert_int_equal(chown(root, STRANGER_ID, STRANGER_ID), 0);
    assert_int_equal(mkdir(at("roots"), 0755), 0);
    assert_int_equal(symlink("roots", at("out")), 0);
    assert_int_equal(write_sample(&person, NULL), -EACCES);
    assert_non_null(strstr(error.text, "Permission denied"));
    assert_false(exists("roots/framing"));
    assert_int_equal(write_sample(&self, NULL), 0);
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)
    const struct CMUnitTest tests[] = {
        FRESH(files_lie_where_the_report_says),
        FRESH(a_capture_reads_back),
        FRESH(a_name_cannot_leave_its_folder),
        FRESH(folders_refuse_paths_and_names_that_lead_elsewhere),
        FRESH(links_are_followed_to_the_top_and_not_below),
        FRESH(a_link_in_place_of_a_file_is_replaced_not_followed),
        FRESH(what_is_no_directory_is_told),
        FRESH(a_disk_that_takes_no_more_is_found_before_the_run),
        FRESH(a_run_that_cannot_be_written_is_not_mixed_with_the_one_before),
        FRESH(an_abandoned_file_leaves_the_old_one),
        FRESH(files_belong_to_who_called_sudo),
        FRESH(a_link_leads_no_further_than_its_owner_may_go),
    };
#undef FRESH

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
