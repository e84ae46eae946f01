/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/shelf.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

char shelf_root[64];

void shelf_put(const char *name, const char *text)
{
    char path[256];
    FILE *out;

    (void)snprintf(path, sizeof(path), "%s/scenarios", shelf_root);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof(path), "%s/scenarios/x", shelf_root);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof(path), "%s/scenarios/x/%s.scn", shelf_root, name);
    out = fopen(path, "we");
    assert_non_null(out);
    assert_true(fprintf(out, "scenario x/%s\nabout \"a\"\n%s", name, text) > 0);
    assert_int_equal(fclose(out), 0);
}

int shelf_make(void **state)
{
    (void)state;
    (void)snprintf(shelf_root, sizeof(shelf_root), "/tmp/test_tree.XXXXXX");
    if (!mkdtemp(shelf_root))
        return -1;
    shelf_put("one", "topology\n  link sut peer\n  family ipv4 ipv6\n" SHELF_REST);
    shelf_put("two", "topology\n  link sut peer\n  family ipv4\n" SHELF_REST);
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

int shelf_remove(void **state)
{
    (void)state;
    return nftw(shelf_root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
