/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/checkup/spaces.h"
#include "netns/space.h"

#define CHILD_SKIPS 77

/* In a user namespace of our own, whose limits are ours to lower. */
static int lower(const char *path, const char *value)
{
    int fd;
    ssize_t size = (ssize_t)strlen(value);

    if (space_user_enter(NULL) < 0)
        return -1;
    fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd < 0 || write(fd, value, (size_t)size) != size ? -1 : 0;
}

/* What a process finds short within a limit of `value`; in a second user namespace, from which the
 * limit cannot be read, when `inside`. */
static int find_short(const char *path, const char *value, bool inside, const char *expected)
{
    const char *found;

    if (lower(path, value) < 0)
        return CHILD_SKIPS;
    if (inside && space_user_enter(NULL) < 0)
        return 2;
    found = spaces_short();
    if (!expected)
        return found != NULL;
    return !found || strcmp(found, expected) != 0;
}

static void finds(const char *path, const char *value, bool inside, const char *expected)
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(find_short(path, value, inside, expected));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == CHILD_SKIPS) {
        print_message("needs a user namespace whose limits can be lowered\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_limit_that_can_be_read_is_found(void **state)
{
    (void)state;
    finds("/proc/sys/user/max_net_namespaces", "8", false, "max_net_namespaces");
    finds("/proc/sys/user/max_pid_namespaces", "8", false, "max_pid_namespaces");
}

static void a_limit_that_cannot_be_read_is_found_by_trying(void **state)
{
    (void)state;
    /* One of them is the second namespace itself. */
    finds("/proc/sys/user/max_net_namespaces", "3", true, "max_net_namespaces");
    finds("/proc/sys/user/max_pid_namespaces", "0", true, "max_pid_namespaces");
}

static void what_is_enough_is_not_short(void **state)
{
    (void)state;
    finds("/proc/sys/user/max_net_namespaces", "1000", false, NULL);
    finds("/proc/sys/user/max_net_namespaces", "1000", true, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_that_can_be_read_is_found),
        cmocka_unit_test(a_limit_that_cannot_be_read_is_found_by_trying),
        cmocka_unit_test(what_is_enough_is_not_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
