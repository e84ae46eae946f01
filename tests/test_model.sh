#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The verb `model` as it is typed: exit statuses, what goes where, the same bytes each time, and
# that docs/model.md shows what the program prints.
#
#   tests/test_model.sh [PROGRAM]     PROGRAM is build/edgewise if not given
#   tests/test_model.sh --optimised   builds it in three ways: all print the same bytes

set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cases=0
failures=0

# is TITLE ACTUAL EXPECTED
is() {
    cases=$((cases + 1))
    [ "$2" != "$3" ] || return 0
    failures=$((failures + 1))
    printf '%s\n  expected: %s\n  actual:   %s\n' "$1" "$3" "$2"
}

# built NAME FLAGS: the document of a build with these flags.
built() {
    make -C "$top" --no-print-directory -j"$(nproc)" BUILD="$work/$1" CFLAGS="$2" WERROR= \
        "$work/$1/edgewise" </dev/null >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    "$work/$1/edgewise" model >"$work/$1.json"
    is "$2: every check holds" $? 0
    rm -rf "${work:?}/$1"
}

if [ "${1-}" = --optimised ]; then
    built plain '-O0'
    built usual '-O2'
    built bare '-O3 -DNDEBUG'
    is 'without optimisation' "$(cksum <"$work/plain.json")" "$(cksum <"$work/usual.json")"
    is 'with much, and no assertions' "$(cksum <"$work/bare.json")" "$(cksum <"$work/usual.json")"
    echo "$cases checks, $failures wrong"
    [ $failures -eq 0 ]
    exit
fi
program=$(readlink -f -- "${1:-$top/build/edgewise}")

# typed WORDS...: sets status, out and err.
typed() {
    out=$("$program" model "$@" 2>"$work/err" </dev/null)
    status=$?
    err=$(cat "$work/err")
}

# wrong TITLE WORDS...: exit status 2, one line on standard error, nothing on standard output.
wrong() {
    title=$1
    shift
    typed "$@"
    is "$title: exit status" "$status" 2
    is "$title: standard output" "$out" ''
    is "$title: lines on standard error" "$(wc -l <"$work/err")" 1
}

typed
is 'all examples' "$status $err" '0 '
is 'end with no failed check' \
    "$(printf '%s\n' "$out" | grep -c '^  "checks": {"run":[1-9][0-9]*,"failed":0},$')" 1
first=$out
typed
is 'a second run prints the same bytes' "$(printf '%s' "$out" | cksum)" \
    "$(printf '%s' "$first" | cksum)"
typed --case readiness --quantum 1 --attempts 2
is 'a ledger of its own' "$status $err" '0 '
is 'has ten quanta' "$(printf '%s\n' "$out" | grep -c '"quantum":[0-9]*,"head"')" 10

for number in 0 10001 -1 1.5 x 0x2 ''; do
    wrong "--quantum '$number'" --case readiness --quantum "$number"
    wrong "--attempts '$number'" --case readiness --attempts "$number"
done
wrong 'no value' --quantum
wrong 'no case' --case
wrong 'an unknown case' --case nothing
wrong 'an unknown option' --nothing
wrong 'a name' six-quanta
wrong 'a budget with framing' --case framing --quantum 2
wrong 'a budget with cancellation' --case cancellation --attempts 2
wrong 'a consumer without a frame' --script 'in:00 run consume'
wrong 'a script' --script 'in:zz'
wrong 'events' --events 'submit target:perhaps'

typed --case framing --defect no-capacity-event
is 'a rule is taken away: exit status' "$status" 1
is 'the failed checks are listed' "$(printf '%s\n' "$out" | grep -c '^  "failed_checks": \[$')" 1
is 'and one of them is told' "$(wc -l <"$work/err")" 1
typed --trigger lt --quantum 2 --defect no-dedup
is 'a rule without which the reactor gives up' "$status $out" '1 '

# block N: the lines of the n-th console block of docs/model.md.
block() {
    awk -v n="$1" '/^```/ { inside = !inside; count += inside; next }
        inside && count == n' "$top/docs/model.md"
}

number=1
while block $number >"$work/block" && [ -s "$work/block" ]; do
    command=$(sed -n '1s,^\$ \./run model,,p' "$work/block")
    sed 1d "$work/block" >"$work/shown"
    eval "typed $command"
    is "docs/model.md, block $number" "$status" 0
    printf '%s\n' "$out" | sed 's/^ *//; s/^\(.*}\),$/\1/' | sort -u >"$work/printed"
    is "docs/model.md, block $number, is not what '$command' prints" \
        "$(sed 's/^\(.*}\),$/\1/' "$work/shown" | sort -u | comm -23 - "$work/printed")" ''
    number=$((number + 1))
done
is 'docs/model.md shows ledgers' $((number > 8)) 1

echo "$cases checks, $failures wrong"
[ $failures -eq 0 ]
