/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/breaking/faults.h"

#include <sys/mount.h>
#include <sys/resource.h>

/* What the machine or the caller gives the bench is short: disk, descriptors, memory, a place to
 * write to. It says so, exits with 3 or 4, and leaves nothing half done. */

#define OUT SEALED_FOLDER "/out"
#define PAGE 4096

/* In one run, more than the bench writes in trying whether it can. */
static void write_long_script(void)
{
    FILE *file = fopen(SEALED_FOLDER "/faults/long.scn", "we");

    assert_non_null(file);
    fputs("scenario faults/long\nabout    \"Bytes come for a while.\"\n"
          "topology\n  link     sut peer\n  family   ipv4\n"
          "reactor\n  trigger  et\n  app      sink\nrun\n  tolerance 10s\npeers\n  c  tcp\n"
          "timeline\n  0ms  c connect\n", file);
    for (int i = 0; i < 500; i++)
        fprintf(file, "  1ms  c send 41 42 43\n");
    fputs("  2ms  c shutdown write\nexpect\n  c  end clean\n", file);
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
    int err = faults_setup(state);

    if (err < 0 || *state)
        return err;
    write_long_script();
    faults_bless("faults/long.scn");
    return 0;
}

static struct victim_start run_of(const char *script)
{
    return (struct victim_start){.words = {"scenario", script, "--out", "out"}, .limit = -1};
}

/* Runs it; true when it passed. Else it must have said `why`, and be gone. */
static bool passes_or_says(const struct victim_start *start, const char *why, const char *what,
                           unsigned long value)
{
    char title[100];
    char *text;
    int status = faults_run(start, &text);
    bool passed = status == 0 || status == 5;
    bool told = status >= 2 && status <= 4 && strstr(text, why);

    (void)snprintf(title, sizeof(title), "%s %lu", what, value);
    if (!passed && !told)
        fail_msg("%s: exit status %d:\n%s", title, status, text);
    free(text);
    faults_need_nothing_left(title);
    return passed;
}

static void mount_out(const char *options)
{
    (void)mkdir(OUT, 0755);
    assert_int_equal(mount("none", OUT, "tmpfs", 0, options), 0);
}

static void a_disk_that_fills_up_is_told(void **state)
{
    const struct victim_start start = run_of("faults/long.scn");
    unsigned refused = 0;
    bool passed = false;

    faults_need_world(state);
    for (unsigned pages = 1; !passed; pages += pages < 12 ? 5 : 1) {
        char options[64];

        assert_true(pages < 200);
        (void)snprintf(options, sizeof(options), "size=%u", pages * PAGE);
        mount_out(options);
        passed = passes_or_says(&start, strerror(ENOSPC), "pages of disk", pages);
        refused += !passed;
        assert_int_equal(umount(OUT), 0);
    }
    /* Before the run and at more than one artefact. */
    assert_true(refused > 8);
}

static void a_disk_that_is_read_only_is_told(void **state)
{
    const struct victim_start start = run_of("faults/tcp.scn");

    faults_need_world(state);
    mount_out("size=1m,ro");
    assert_false(passes_or_says(&start, strerror(EROFS), "a disk that is read-only", 1));
    assert_int_equal(umount(OUT), 0);
}

static void few_descriptors_are_told(void **state)
{
    struct victim_start start = run_of("faults/tcp.scn");
    bool passed = false;

    faults_need_world(state);
    start.limit = RLIMIT_NOFILE;
    /* With 3 the program cannot even be loaded. */
    for (start.limit_value = 4; !passed; start.limit_value++) {
        assert_true(start.limit_value < 64);
        passed = passes_or_says(&start, strerror(EMFILE), "descriptors", start.limit_value);
    }
    assert_true(start.limit_value > 8);
}

static void a_file_that_is_too_large_is_told(void **state)
{
    struct victim_start start = run_of("faults/long.scn");
    bool passed = false;

    faults_need_world(state);
    start.limit = RLIMIT_FSIZE;
    for (start.limit_value = 0; !passed; start.limit_value = start.limit_value * 2 + 1) {
        assert_true(start.limit_value < 1 << 24);
        passed = passes_or_says(&start, strerror(EFBIG), "bytes of a file", start.limit_value);
    }
    assert_true(start.limit_value > 1 << 12);
}

static void little_memory_is_told(void **state)
{
    struct victim_start start = run_of("faults/tcp.scn");
    bool passed = false;

    faults_need_world(state);
#if defined(__SANITIZE_ADDRESS__)
    printf("the sanitizer itself needs more\n");
    skip();
#endif
    start.limit = RLIMIT_AS;
    /* With less the program cannot be loaded. */
    for (start.limit_value = 12 << 20; !passed; start.limit_value += 2 << 20) {
        assert_true(start.limit_value < 512 << 20);
        passed = passes_or_says(&start, "emory", "bytes of memory", start.limit_value);
    }
    assert_true(start.limit_value > 16 << 20);
}

static void a_report_that_cannot_be_written_is_told(void **state)
{
    static const struct {
        const char *output;
        int error;
    } outputs[] = {{"/dev/full", ENOSPC}, {"", EBADF}};

    faults_need_world(state);
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        struct victim_start start = run_of("faults/tcp.scn");

        start.output = outputs[i].output;
        if (passes_or_says(&start, strerror(outputs[i].error), "output", i))
            fail_msg("output \"%s\": it passed as if that had been written", outputs[i].output);
        assert_int_equal(access(OUT "/faults/tcp/veth-et-ipv4/result.json", F_OK), 0);
        assert_int_equal(access(OUT "/faults/tcp/veth-et-ipv4/capture.pcap", F_OK), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_that_fills_up_is_told),
        cmocka_unit_test(a_disk_that_is_read_only_is_told),
        cmocka_unit_test(few_descriptors_are_told),
        cmocka_unit_test(a_file_that_is_too_large_is_told),
        cmocka_unit_test(little_memory_is_told),
        cmocka_unit_test(a_report_that_cannot_be_written_is_told),
    };

    return cmocka_run_group_tests(tests, setup, NULL) != 0;
}
