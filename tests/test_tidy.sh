#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Each rule of tidy can fail: a small good tree is spoilt in one place, and tidy must say so, by
# its rule, file and line, and say nothing else.

# shellcheck disable=SC2016 # $ in quotes is for another shell
# shellcheck disable=SC2086 # banned is a list of words
set -u
tests=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
tree=$work/tree
good=$work/good
mkdir "$tree" "$good"
failures=0
cases=0

licence='/* SPDX-License-Identifier: BSD-2-Clause */'

# guarded FILE LINE: a header with its guard and one more line.
guarded() {
    guard=EDGEWISE_$(echo "$1" | tr 'a-z/.' 'A-Z__')
    mkdir -p "${1%/*}"
    printf '%s\n' "$licence" "#ifndef $guard" "#define $guard" "$2" '#endif' >"$1"
}

good_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/core" "$tree/harness" "$tree/tests/core"
    cat >"$tree/core/ready.h" <<TEXT
$licence
#ifndef EDGEWISE_CORE_READY_H
#define EDGEWISE_CORE_READY_H

#include <stddef.h>

/* Both start at 0. */
size_t ready_count(void);
size_t ready_peak(void);

#endif
TEXT
    cat >"$tree/core/ready.c" <<TEXT
$licence
#include "core/ready.h"

#include <string.h>

/* A "sprintf(" in a comment or a string is nobody's call. */
size_t ready_count(void)
{
    return strlen("sprintf(");
}

size_t ready_peak(void)
{
    return ready_count();
}
TEXT
    cat >"$tree/harness/main.c" <<TEXT
$licence
#include "core/ready.h"

int main(void)
{
    return (int)ready_count();
}
TEXT
    cat >"$tree/tests/core/test_ready.c" <<TEXT
$licence
#include "harness/any.h"
TEXT
}

# Compiles what differs from the good tree, whose objects are kept.
compile() {
    for source in core/*.c harness/*.c; do
        object=build/obj/${source%.c}.o
        mkdir -p "${object%/*}" "$good/${source%/*}"
        if ! cmp -s "$source" "$good/$source"; then
            gcc -std=gnu11 -D_GNU_SOURCE -I. -c -w -fno-builtin "$source" -o "$object" || exit 3
        else
            cp "$good/${source%.c}.o" "$object"
        fi
    done
}

keep_good_tree() {
    good_tree
    (cd "$tree" && compile && cp -r core harness build/obj/* "$good") || exit 3
}

# case_of TITLE EXPECTED COMMAND: spoils the good tree by COMMAND, run in it before it is compiled;
# each line of tidy must begin "FILE:LINE:" and end "[RULE]" as EXPECTED ("FILE:LINE RULE") says.
case_of() {
    cases=$((cases + 1))
    good_tree
    (cd "$tree" && eval "$3" && compile) || exit 3
    said=$("$tests/tidy.sh" "$tree")
    status=$?
    short=$(printf '%s\n' "$said" | sed 's/^\([^:]*:[0-9]*\): .*; .*\[\(.*\)\]$/\1 \2/')
    wanted=0
    [ -z "$2" ] || wanted=1
    if [ "$short" != "$2" ] || [ $status -ne $wanted ]; then
        failures=$((failures + 1))
        printf '%s\n  expected: %s\n  actual (status %d): %s\n' "$1" "$2" $status "$said"
    fi
}

add() { printf '%s' "printf '$2' >>$1"; }
repeat() { awk "BEGIN { for (i = 0; i < $1; i++) print \"$2\" }"; }

keep_good_tree
case_of 'a good tree' '' true

banned='sleep usleep system popen strcpy strcat sprintf vsprintf gets strtok atoi atol alloca'
banned="$banned clock_gettime gettimeofday time rand random srand"
# One call a line, from line 4 on.
case_of 'calls that are banned' "$(echo $banned | tr ' ' '\n' |
    awk '{ print "core/worker.c:" NR + 3 " banned" }')" \
    '{ printf "%s\n" "$licence" "void worker_go(void)" "{"
       for name in $banned; do echo "    (void)$name(1);"; done; echo "}"; } >core/worker.c'
case_of 'the clock file reads the clock' '' \
    'printf "%s\n" "$licence" "#include <time.h>" "void os_linux_now(void);" \
        "void os_linux_now(void)" "{" "    (void)time(0);" "}" >core/os_linux.c'
case_of 'a member of that name' '' "$(add core/ready.c \
    'static int ready_b(struct { int (*time)(void); } *p)\n{\n    return p->time();\n}\n')"

case_of 'core includes harness' 'core/ready.c:3 arrow' \
    'guarded harness/x.h ""; sed -i "3s,.*,#include \"harness/x.h\"," core/ready.c'
case_of 'an include that is not from the root' 'core/ready.c:2 include' \
    'sed -i "2s,core/,," core/ready.c'
case_of 'sim includes netns' 'sim/x.h:4 arrow' 'guarded sim/x.h "#include \"netns/link.h\""'
case_of 'sim includes core' '' 'guarded sim/x.h "#include \"core/ready.h\""'

case_of 'a name without its prefix' 'core/ready.c:16 prefix' "$(add core/ready.c 'int peak;\n')"
case_of 'a prefix that only looks alike' 'core/ready.c:16 prefix' \
    "$(add core/ready.c 'int readyness;\n')"
case_of 'a main elsewhere' 'core/ready.c:16 prefix' \
    "$(add core/ready.c 'int main(void)\n{\n    return 0;\n}\n')"

case_of 'a tab' 'core/ready.c:16 tab' "$(add core/ready.c 'static int\tready_b;\n')"
case_of 'trailing space' 'core/ready.c:16 trailing-space' \
    "$(add core/ready.c 'static int ready_b; \n')"
case_of 'a line of 101 columns' 'core/ready.c:16 long-line' \
    'printf "/* %095d */\n" 0 >>core/ready.c'
case_of 'a line of 100 columns' '' 'printf "/* %094d */\n" 0 >>core/ready.c'

export body='    (void)0;'
case_of 'a function of 71 lines' 'core/ready.c:17 long-function' \
    '{ echo "static void ready_b(void)"; echo "{"; repeat 71 "$body"; echo "}"; } >>core/ready.c'
case_of 'a function of 70 lines' '' \
    '{ echo "static void ready_b(void)"; echo "{"; repeat 70 "$body"; echo "}"; } >>core/ready.c'
case_of 'a file of 601 lines' 'core/ready.c:601 long-file' 'repeat 586 "" >>core/ready.c'
case_of 'a file of 600 lines' '' 'repeat 585 "" >>core/ready.c'

case_of 'a header without guard' 'core/ready.h:1 guard' 'sed -i "/ifndef/d; /endif/d" core/ready.h'
case_of 'a guard of another name' 'core/ready.h:1 guard' 'sed -i "s/EDGEWISE_/E_/" core/ready.h'
case_of 'no licence line' 'core/ready.c:1 spdx' 'sed -i "1s/.*//" core/ready.c'

marks='/* TOD''O: later */\n/* FIXM''E */\n/* XX''X */\n/* HAC''K, really */\n'
case_of 'leftover marks' 'core/ready.c:16 leftover
core/ready.c:17 leftover
core/ready.c:18 leftover
core/ready.c:19 leftover' "$(add core/ready.c "$marks")"
case_of 'a name with six of the letter' '' "$(add core/ready.c '/* mkdtemp: XX''XXXX */\n')"
case_of 'a path of one machine' 'core/ready.c:16 machine-path' \
    "$(add core/ready.c '/* see /wor''k/notes */\n')"

case_of 'a file that nothing builds' 'tests/core/helper.c:1 unbuilt' \
    'echo "$licence" >tests/core/helper.c'
case_of 'a folder that nothing builds' 'other/x.c:1 unbuilt' \
    'mkdir other; echo "$licence" >other/x.c'

case_of 'a prototype without comment' 'core/ready.h:11 comment' \
    'sed -i "9s/\$/\n\nsize_t ready_bare(const char *name,\n    size_t n);/" core/ready.h'
case_of 'a comment that is not right before' 'core/ready.h:9 comment
core/ready.h:10 comment' 'sed -i "7s/\$/\n/" core/ready.h'
case_of 'members and inline helpers need none' '' \
    'sed -i "9s/\$/\n\nstruct ready_hooks {\n    int (*now)(void);\n};\n/" core/ready.h'

case_of 'a pure file that allocates' 'core/ready.c:16 impure' \
    "$(add core/ready.c 'void *malloc(long);\nvoid *ready_b(void) { return malloc(1); }\n')"
case_of 'a pure file that copies a string to the heap' 'core/ready.c:17 impure' \
    "$(add core/ready.c 'char *ready_b(char *s) {\nreturn (char *)(long)strdup(s); }\n')"
case_of 'a file that need not be pure' '' \
    'printf "%s\n" "$licence" "#include <unistd.h>" "void worker_go(void)" "{" "    pause();" "}" \
        >core/worker.c'

export mark='static int ready_d(void) { return DEFECT(x); }'
case_of 'thirteen defects' 'core/ready.c:28 defects' \
    'repeat 13 "$mark" | awk "{ sub(/_d/, \"_d\" NR); print }" >>core/ready.c
     sed -i "4s/.*/#define DEFECT(x) 0\n#include <string.h>/" core/ready.c; sed -i 3d core/ready.c'

allow() { printf '%s\n' "$1" >"$tree/tests/tidy.allow"; }
case_of 'what is allowed with a reason' '' \
    'echo "int peak;" >>core/ready.c; allow "prefix core/ready.c peak a word for a test"'
case_of 'what is allowed without a reason' 'tests/tidy.allow:1 allow
core/ready.c:16 prefix' 'echo "int peak;" >>core/ready.c; allow "prefix core/ready.c peak"'
case_of 'an allowance without a use' 'tests/tidy.allow:1 allow' \
    'allow "prefix core/ready.c peak a word for a test"'

echo "$cases trees, $failures wrong"
[ $failures -eq 0 ]
