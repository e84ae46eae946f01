/* SPDX-License-Identifier: BSD-2-Clause */
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/cli/checkup.h"

#define NOBODY 65534

static struct place place;

/* In a directory where nothing is. */
static int find_place(void **state)
{
    static char folder[] = "/tmp/test_checkup.XXXXXX";

    (void)state;
    if (!mkdtemp(folder) || chmod(folder, 0755) < 0 || chdir(folder) < 0)
        return -1;
    place_find(&place);
    return 0;
}

static int leave_place(void **state)
{
    char folder[256];

    (void)state;
    return !getcwd(folder, sizeof(folder)) || rmdir(folder) < 0;
}

/* What is wrong with a row, NULL when nothing is. */
static const char *fault_of(const struct finding *finding)
{
    if (!*finding->group || !*finding->check || !*finding->needed || !*finding->found)
        return "something is left out";
    /* What is missing can be mended, what is there needs no mending. */
    if ((*finding->mend != '\0') != (finding->state != FINDING_OK))
        return "a mend for nothing, or none for something";
    if (strlen(finding->check) > 18 || strlen(finding->needed) > 21)
        return "wider than its column";
    return strpbrk(finding->found, "\n\t") ? "more than a line" : NULL;
}

static const char *first_fault(const struct place *where)
{
    for (size_t i = 0; i < checkup_count(); i++) {
        struct finding finding;
        const char *fault;

        checkup_try(where, i, &finding);
        fault = fault_of(&finding);
        if (fault) {
            print_error("%s: %s\n", finding.check, fault);
            return fault;
        }
    }
    return NULL;
}

static void each_row_says_what_it_found_and_what_for(void **state)
{
    (void)state;
    assert_null(first_fault(&place));
}

static void it_says_so_for_every_kind_of_place(void **state)
{
    static const char *const containers[] = {NULL, "docker", "podman", "kubernetes"};

    (void)state;
    for (size_t i = 0; i < sizeof(containers) / sizeof(*containers); i++) {
        struct place other = place;

        other.container = containers[i];
        other.root = i % 2;
        other.no_new_privs = i % 2;
        other.grants = false;
        other.refusal_code = -EPERM;
        snprintf(other.refusal, sizeof(other.refusal), "refused");
        assert_null(first_fault(&other));
    }
}

/* As somebody who has no right at all. */
static void it_says_so_for_nobody(void **state)
{
    int status;
    pid_t child;

    (void)state;
    if (geteuid() != 0) {
        print_message("needs root: becomes somebody else\n");
        skip();
    }
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
            setresuid(NOBODY, NOBODY, NOBODY) < 0)
            _exit(2);
        place_find(&place);
        _exit(place.root || first_fault(&place));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* From here on unshare(2) is refused, as in a container with the usual filter. */
static int refuse_unshare(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(code) / sizeof(*code), .filter = code};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? -errno : 0;
}

/* Row `check` as it is here and now. */
static struct finding row(const struct place *where, const char *check)
{
    struct finding finding;

    for (size_t i = 0; i < checkup_count(); i++) {
        checkup_try(where, i, &finding);
        if (strcmp(finding.check, check) == 0)
            return finding;
    }
    abort();
}

static bool is_told_about_the_filter(const char *container, const char *mend)
{
    place_find(&place);
    place.container = container;
    return place.filtered && !place.grants && !first_fault(&place) &&
           row(&place, "veth world").state == FINDING_MISSING &&
           strstr(row(&place, "privilege").mend, mend);
}

static void a_filter_is_named_with_what_takes_it_off(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (child == 0)
        _exit(refuse_unshare() < 0 || !is_told_about_the_filter("docker", "seccomp=unconfined") ||
              !is_told_about_the_filter("kubernetes", "seccompProfile") ||
              !is_told_about_the_filter(NULL, "without that filter"));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static size_t count_entries(const char *path)
{
    DIR *stream = opendir(path);
    size_t count = 0;

    assert_non_null(stream);
    while (readdir(stream))
        count++;
    closedir(stream);
    return count;
}

static void it_leaves_nothing_open_and_nobody_behind(void **state)
{
    size_t before = count_entries("/proc/self/fd");
    char net[2][64] = {{0}};

    (void)state;
    assert_true(readlink("/proc/self/ns/net", net[0], sizeof(net[0]) - 1) > 0);
    (void)first_fault(&place);
    assert_true(readlink("/proc/self/ns/net", net[1], sizeof(net[1]) - 1) > 0);
    assert_string_equal(net[0], net[1]);
    assert_int_equal(count_entries("/proc/self/fd"), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    /* Only . and .. */
    assert_int_equal(count_entries("."), 2);
}

static void groups_stand_together(void **state)
{
    const char *seen[16] = {NULL};
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < checkup_count(); i++) {
        struct finding finding;

        checkup_try(&place, i, &finding);
        if (count > 0 && strcmp(seen[count - 1], finding.group) == 0)
            continue;
        for (size_t k = 0; k < count; k++)
            assert_string_not_equal(seen[k], finding.group);
        seen[count++] = finding.group;
    }
    assert_true(count > 1);
}

static void states_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(finding_state_name(FINDING_OK), "ok");
    assert_string_equal(finding_state_name(FINDING_NOTE), "note");
    assert_string_equal(finding_state_name(FINDING_MISSING), "missing");
}

static void root_is_always_told_a_command(void **state)
{
    struct lines whole = {0};
    struct lines half = {0};

    (void)state;
    checkup_mend((struct checkup_rights){.root = true, .all = true}, EPERM, "sudo it", &whole);
    assert_true(whole.count > 0);
    checkup_mend((struct checkup_rights){.root = true, .all = false}, EPERM, "sudo it", &half);
    assert_true(half.count > 0);
    assert_non_null(strstr(half.line[half.count - 1], "SYS_ADMIN"));
    lines_free(&whole);
    lines_free(&half);
}

static bool is_told_of_sudo(void)
{
    struct lines commands = {0};
    bool told;

    checkup_mend((struct checkup_rights){.root = false}, EPERM, "sudo it", &commands);
    told = lines_have(&commands, "sudo it");
    lines_free(&commands);
    return told;
}

static void sudo_is_named_where_it_can_help(void **state)
{
    int status;
    pid_t child;

    (void)state;
    place_find(&place);
    assert_int_equal(is_told_of_sudo(), place_lets_sudo(&place));
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || is_told_of_sudo());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_says_what_it_found_and_what_for),
        cmocka_unit_test(it_says_so_for_every_kind_of_place),
        cmocka_unit_test(it_says_so_for_nobody),
        cmocka_unit_test(a_filter_is_named_with_what_takes_it_off),
        cmocka_unit_test(it_leaves_nothing_open_and_nobody_behind),
        cmocka_unit_test(groups_stand_together),
        cmocka_unit_test(states_have_their_words),
        cmocka_unit_test(root_is_always_told_a_command),
        cmocka_unit_test(sudo_is_named_where_it_can_help),
    };

    return cmocka_run_group_tests(tests, find_place, leave_place) != 0;
}
