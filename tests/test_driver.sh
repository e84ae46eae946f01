#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The test driver tells passes, failures and skips apart, and .ci/run adds them up: on programs that
# print what cmocka prints and a bench that exits as it is told.

# shellcheck disable=SC2016 # $ in quotes is for another shell
set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
tree=$(mktemp -d) || exit 3
trap 'rm -rf "$tree"' EXIT
unset EDGEWISE_AS
cases=0
failures=0

mkdir -p "$tree/.ci" "$tree/tests/core" "$tree/build/tests/core"
cp "$top/tests/run.sh" "$tree/tests"
cp "$top/.ci/run" "$tree/.ci"
touch "$tree/tests/core/test_x.c" "$tree/tests/skips.list"

# program STATUS LINE...: what the only test program prints and exits with.
program() {
    {
        echo '#!/bin/sh'
        echo "cat <<'TEXT'"
        status=$1
        shift
        printf '%s\n' "$@" TEXT
        echo "exit $status"
    } >"$tree/build/tests/core/test_x"
    chmod +x "$tree/build/tests/core/test_x"
}

# bench CASES [SAID]: a program whose scenarios are called by their exit status.
bench() {
    mkdir -p "$tree/scenarios"
    printf '%s\n' '#!/bin/sh' "[ \$1 = list ] && { printf '$1'; exit 0; }" "echo '${2-said}'" \
        'for name; do :; done; exit "${name#*/}"' >"$tree/build/edgewise"
    chmod +x "$tree/build/edgewise"
}

# is TITLE EXPECTED COMMAND...: the status and the last line of what the command prints.
is() {
    title=$1
    wanted=$2
    shift 2
    cases=$((cases + 1))
    said=$("$@" 2>&1)
    status=$?
    last=$(printf '%s\n' "$said" | tail -n 1)
    [ "$status $last" != "$wanted" ] || return 0
    failures=$((failures + 1))
    printf '%s\n  expected: %s\n  actual:   %s\n' "$title" "$wanted" "$status $last"
    printf '%s\n' "$said" | sed 's/^/    /'
}

unit() { is "$1" "$2" "$tree/tests/run.sh" --only unit; }
scenarios() { is "$1" "$2" "$tree/tests/run.sh" --only scenarios; }

two='[==========] Running 2 test(s).'
one='[==========] Running 1 test(s).'

program 0 "$two" '[ RUN      ] a' '[       OK ] a' '[ RUN      ] b' 'text[       OK ] b' \
    '[==========] 2 test(s) run.' '[  PASSED  ] 2 test(s).'
unit 'two pass' '0 2 passed, 0 failed'
is 'a filter that matches' '0 2 passed, 0 failed' "$tree/tests/run.sh" --only unit 'core/*'
is 'a filter that matches nothing' '1 0 passed, 1 failed' "$tree/tests/run.sh" --only unit other

program 1 "$two" '[ RUN      ] a' '[       OK ] a' '[ RUN      ] b' '[  ERROR   ] --- 1 != 2' \
    '[  FAILED  ] b' '[==========] 2 test(s) run.' '[  PASSED  ] 1 test(s).' \
    '[  FAILED  ] 1 test(s), listed below:' '[  FAILED  ] b'
unit 'one of two fails' '1 1 passed, 1 failed'

program 1 "$one" '[ RUN      ] a' 'Could not run test: Test setup failed' '[  ERROR   ] a' \
    '[==========] 1 test(s) run.'
unit 'a setup that fails' '1 0 passed, 1 failed'

program 0 "$two" '[ RUN      ] a' '[       OK ] a' '[ RUN      ] b' '[       OK ] b' \
    '[  FAILED  ] GROUP TEARDOWN' '[  ERROR   ] group' '[==========] 2 test(s) run.'
unit 'a group teardown that fails, although cmocka exits with 0' '1 2 passed, 1 failed'

program 134 "$two" '[ RUN      ] a' '[       OK ] a' '[ RUN      ] b'
unit 'a case that kills the program' '1 1 passed, 1 failed'

program 0 "$two" '[ RUN      ] a' '[       OK ] a'
unit 'fewer cases than announced' '1 1 passed, 1 failed'

program 0 "$one" '[ RUN      ] a' '[       OK ] a' '[ RUN      ] a' '[       OK ] a'
unit 'a child that went on as the program' '1 2 passed, 1 failed'

program 23 "$one" '[ RUN      ] a' '[       OK ] a' 'leak'
unit 'a leak found at the end' '1 1 passed, 1 failed'

program 0 '[==========] Running 0 test(s).'
unit 'no case at all' '1 0 passed, 1 failed'

program 0 "$two" '[ RUN      ] a' '[       OK ] a' '[ RUN      ] b' 'no tun' '[  SKIPPED ] b' \
    '[==========] 2 test(s) run.' '[  SKIPPED ] 1 test(s), listed below:' '[  SKIPPED ] b'
unit 'a skip that is not listed' '1 1 passed, 1 failed'
echo 'always core/test_x:b' >"$tree/tests/skips.list"
unit 'a skip listed without a reason' '1 1 passed, 1 failed'
echo 'always core/test_x:* for this test' >"$tree/tests/skips.list"
unit 'a skip that is listed' '0 1 passed, 0 failed, 1 skipped'
echo 'never core/test_x:* for this test' >"$tree/tests/skips.list"
unit 'a skip whose condition does not hold' '1 1 passed, 1 failed'

rm "$tree/build/tests/core/test_x"
unit 'a program that was not built' '1 0 passed, 1 failed'

bench 'a/0\nb/1\nb/3\nb/5\nb/2\n'
scenarios 'scenarios by their exit status, a late one passed' '1 2 passed, 3 failed'
bench 'a/0\nb/0\nc/5\nd/5\n'
scenarios 'two late ones are a busy machine, however few they all are' '0 4 passed, 0 failed'
bench 'a/5\nb/5\nc/5\nd/0\ne/0\nf/0\ng/0\nh/0\ni/0\n'
scenarios 'so is a third of them' '0 9 passed, 0 failed'
bench 'a/5\nb/5\nc/5\nd/0\ne/0\nf/0\ng/0\nh/0\n'
scenarios 'more than a third are a bench that is late' '1 8 passed, 1 failed'
bench 'a/5\nb/5\nc/5\n'
scenarios 'and so are all of them' '1 3 passed, 1 failed'
bench 'a/0\na/4\n'
scenarios 'a scenario that cannot run here' '1 1 passed, 1 failed'
echo 'always scenario:a/4 for this test' >"$tree/tests/skips.list"
scenarios 'and may be skipped' '0 1 passed, 0 failed, 1 skipped'
bench 'a/0\n' '5 passed, 0 skipped in 1 s'
scenarios 'a scenario that ran whole' '0 1 passed, 0 failed'
bench 'a/0\n' '4 passed, 1 skipped in 1 s'
scenarios 'a scenario that ran in part' '1 0 passed, 1 failed'
bench ''
scenarios 'a bench without scenarios' '1 0 passed, 1 failed'
is 'an unknown option' '2 tests/run.sh: unknown option --wrong' "$tree/tests/run.sh" --wrong

# stub NAME STATUS: a benchmark that shows its words, and exits so.
stub() {
    mkdir -p "$tree/tests/bench" "$tree/build/tests/bench"
    touch "$tree/tests/bench/$1.c"
    printf '%s\n' '#!/bin/sh' "echo \"\$*\" >$tree/words" "exit $2" >"$tree/build/tests/bench/$1"
    chmod +x "$tree/build/tests/bench/$1"
}
# words TITLE EXPECTED: what the last benchmark was told.
words() { is "$1" "0 $2" cat "$tree/words"; }
benches() { is "$1" "$2" "$tree/tests/run.sh" --only bench; }
soak() { is "$1" "$2" env SOAK=3 "$tree/tests/run.sh" --only soak; }
: >"$tree/tests/skips.list"
soak 'a soak of nothing is no pass' '1 0 passed, 1 failed'
stub bench_repeat 0
soak 'the soak repeats the scenarios' '0 1 passed, 0 failed'
words 'as often as it was asked to' '--runs 30'
stub bench_repeat 1
soak 'a soak that finds something' '1 0 passed, 1 failed'
stub bench_repeat 0
stub bench_x 0
benches 'every benchmark is tried' '0 2 passed, 0 failed'
words 'for a moment only' '--quick'
is 'one of them' '0 1 passed, 0 failed' "$tree/tests/run.sh" --only bench 'bench:bench_x'
stub bench_x 3
benches 'a benchmark that breaks' '1 1 passed, 1 failed'
stub bench_x 4
benches 'a benchmark that cannot run here' '1 1 passed, 1 failed'
echo 'always bench:bench_x for this test' >"$tree/tests/skips.list"
benches 'and may be skipped' '0 1 passed, 0 failed, 1 skipped'
rm "$tree/build/tests/bench/bench_x"
benches 'a benchmark that cannot be built' '1 1 passed, 1 failed'

# tiers FAST SLOW: a launcher that prints and exits ("STATUS LINE") by tier.
tiers() {
    printf '%s\n' '#!/bin/sh' "[ \$# -eq 1 ] && set -- $1 || set -- $2" 'status=$1' 'shift' \
        'echo "$*"; exit $status' >"$tree/run"
    chmod +x "$tree/run"
}
ci() { is "$1" "$2" "$tree/.ci/run"; }
tiers '0 3 passed, 0 failed' '0 40 passed, 0 failed, 2 skipped'
ci 'both tiers pass' '0 43 passed, 0 failed, 2 skipped'
tiers '1 3 passed, 1 failed' '1 4 passed, 2 failed'
ci 'both tiers fail' '1 7 passed, 3 failed'
tiers '0 3 passed, 0 failed' '4 no packages'
ci 'a tier that cannot run' '1 3 passed, 1 failed'
tiers '0 3 passed, 0 failed' '1 4 passed, 0 failed'
ci 'a tier that fails without a failure' '1 7 passed, 1 failed'

echo "$cases checks, $failures wrong"
[ $failures -eq 0 ]
