/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/fold.h"
#include "tests/support/story.h"
static void folds(const char *peers, const char *notes, const char *golden)
{
    struct story story;
    struct lines said = {0}, folded = {0};
    char *text;

    story_begin(&story, REACTOR_ET, peers);
    lines_split(&said, notes, strlen(notes));
    fold_notes(&story.plan, &said, &folded);
    text = lines_join(&folded, NULL);
    assert_string_equal(text, golden);
    free(text);
    lines_free(&said);
    lines_free(&folded);
    story_end(&story);
}

static void peers_alike_are_told_in_one_line(void **state)
{
    (void)state;
    folds("c1 c2 c3 c4", "c1 rcvbuf 7\nc2 rcvbuf 7\nc3 rcvbuf 7\nc4 rcvbuf 7\n",
          "c1 .. c4 rcvbuf 7\n");
    folds("A B", "A rcvbuf 7\nB rcvbuf 7\n", "A, B rcvbuf 7\n");
}

static void others_keep_their_lines(void **state)
{
    (void)state;
    folds("c", "c rcvbuf 7\n", "c rcvbuf 7\n");
    folds("A B C", "A rcvbuf 7\nB rcvbuf 8\nC rcvbuf 8\n", "A rcvbuf 7\nB, C rcvbuf 8\n");
    folds("A B C", "A rcvbuf 7\nC rcvbuf 7\n", "A rcvbuf 7\nC rcvbuf 7\n");
    folds("A B", "the link is up\nthe link is up\n", "the link is up\nthe link is up\n");
    folds("A", "A\nAB x\n", "A\nAB x\n");
    folds("A", "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peers_alike_are_told_in_one_line),
        cmocka_unit_test(others_keep_their_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
