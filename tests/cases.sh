# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# Cases of a test that is a script; to be read by it with `.`. Of a case that fails it prints what
# was expected, what came, and $err, if there is any: what the command said on standard error.

cases=0
failures=0

# is TITLE ACTUAL EXPECTED
is() {
    cases=$((cases + 1))
    [ "$2" != "$3" ] || return 0
    failures=$((failures + 1))
    printf '%s\n  expected: %s\n  actual:   %s\n' "$1" "$3" "$2"
    [ -z "${err-}" ] || printf '%s\n' "$err" | sed 's/^/  stderr:   /'
}

# has TITLE TEXT PART
has() {
    case $2 in *"$3"*) is "$1" "$3" "$3" ;; *) is "$1" "$2" "...$3..." ;; esac
}

# finish: the last line; whether all went well.
finish() {
    printf '%d cases, %d failed\n' "$cases" "$failures"
    [ "$failures" -eq 0 ]
}
