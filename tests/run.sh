#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the tests. Called through ./run test, which sees to packages and the build.
#
#   tests/run.sh [--all] [--no-fast] [--only SUITE]... [FILTER]
#
# The last line is "N passed, N failed", with ", N skipped" if there are any. A skip fails unless
# tests/skips.list names it with a reason; so does a run in which nothing ran.
# EDGEWISE_AS: the words that make a command run as the owner of build/ (empty: as ourselves).

# shellcheck disable=SC2086 # lists of words are meant to split here
# shellcheck disable=SC2016 # $ in quotes is for another shell
# shellcheck disable=SC2254 # the globs of skips.list are globs
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
cd -- "$(dirname -- "$0")/.." || exit 3

as=${EDGEWISE_AS-}
soak=${SOAK:-1}
fuzz_runs=${FUZZ_RUNS:-200000}
fuzz_seed=${FUZZ_SEED:-1}
build=build
unit_limit=60
scenario_limit=60
world=veth
tool_limit=600
clang_tidy_limit=1200
bench_limit=120

fast_suites='unit scripts scenarios sim defects tidy'
slow_suites='losses optimised containers san clang analysis docs fuzz bench soak wireshark'

passed=0
failed=0
skipped=0

work=$($as mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
log=$work/log
tab=$(printf '\t')

# Counting.

pass() { passed=$((passed + 1)); }

fail() { # NAME WHY
    failed=$((failed + 1))
    printf 'FAIL  %s: %s\n' "$1" "$2"
}

# readers_are_here: whether all that reads the formats for programs is installed.
readers_are_here() {
    command -v prove >/dev/null && command -v xmllint >/dev/null &&
        /usr/bin/python3 -c 'import jsonschema, junitparser, yaml' 2>/dev/null
}

# condition WORD: whether a condition of skips.list holds here.
condition() {
    case $1 in
    always) true ;;
    no-root) [ "$(id -u)" -ne 0 ] ;;
    unprivileged) [ "$(id -u)" -ne 0 ] && ! unshare -Urn true 2>/dev/null ;;
    no-userns) ! unshare -U true 2>/dev/null ;;
    no-ordinary-userns)
        ! setpriv --reuid=54321 --regid=54321 --clear-groups unshare -Urn true 2>/dev/null
        ;;
    no-mount) ! unshare -m mount -t tmpfs none /tmp 2>/dev/null ;;
    no-own-mount) ! unshare -Urm mount -t tmpfs none /dev/shm 2>/dev/null ;;
    no-sysctl) ! unshare -Urn sh -c 'echo 9 >/proc/sys/user/max_net_namespaces' 2>/dev/null ;;
    no-tun) ! [ -w /dev/net/tun ] ;;
    no-tshark) ! command -v tshark >/dev/null 2>&1 ;;
    no-readers) ! readers_are_here ;;
    *) false ;;
    esac
}

# listed NAME: whether tests/skips.list (CONDITION NAME-GLOB REASON...) allows this skip here.
listed() {
    while read -r when glob reason; do
        case $when in '' | '#'*) continue ;; esac
        [ -n "$reason" ] || continue
        case $1 in $glob) condition "$when" && return 0 ;; esac
    done <tests/skips.list
    return 1
}

skip() { # NAME REASON
    if listed "$1"; then
        skipped=$((skipped + 1))
        printf 'skip  %s: %s\n' "$1" "$2"
    else
        fail "$1" "skipped, and tests/skips.list does not allow it here: $2"
    fi
}

show_log() { sed 's/^/      | /' "$log"; }

# selected NAME: whether FILTER lets the suite through.
selected() {
    case $1 in *$filter*) true ;; *) false ;; esac
}

# within LIMIT NAME COMMAND...: one case that passes when the command succeeds in that many seconds;
# exit status 4 says that it cannot run here.
within() {
    limit=$1
    name=$2
    shift 2
    selected "$name" || return 0
    timeout -k 5 "$limit" "$@" </dev/null >"$log" 2>&1
    status=$?
    case $status in
    0)
        pass
        printf 'ok    %s\n' "$name"
        ;;
    4) skip "$name" "$(tail -n 1 "$log")" ;;
    *)
        fail "$name" "$(status_text $status "$limit")"
        show_log
        ;;
    esac
}

check() { within "$tool_limit" "$@"; }

status_text() { # STATUS LIMIT
    case $1 in
    124 | 137) echo "not done after $2 s" ;;
    *) echo "exit status $1" ;;
    esac
}

build_it() { # NAME ARGUMENTS...
    name=$1
    shift
    $as make -j"$(nproc)" "$@" </dev/null >"$log" 2>&1 && return 0
    fail "$name" 'the build failed'
    show_log
    return 1
}

# Unit tests.

# Reads what a cmocka program prints; writes "P|F|S NAME", a tab and a reason for each case.
read_cmocka() {
    awk '
    function result(letter, why) {
        printf "%s %s\t%s\n", letter, name, why
        open = 0
        if (letter == "F") failures++
    }
    function ends(marker) { return index($0, marker " " name) > 0 }
    function finish() { if (open) result("F", "no result: it died or left the program") }
    / Running [0-9]+ test\(s\)/ {
        for (i = 1; i < NF; i++) if ($i == "Running") announced += $(i + 1)
    }
    /^\[ RUN      \] / { finish(); name = substr($0, 14); open = 1; seen++; said = ""; next }
    /\[  FAILED  \] GROUP / {
        finish()
        name = substr($0, index($0, "GROUP"))
        result("F", "")
        next
    }
    open && ends("[       OK ]") { result("P", ""); next }
    open && ends("[  SKIPPED ]") { result("S", said == "" ? "no reason printed" : said); next }
    open && (ends("[  FAILED  ]") || ends("[  ERROR   ]")) { result("F", ""); next }
    open && /[^ ]/ { said = $0 }
    END {
        finish()
        name = "(all)"
        if (!failures && seen != announced) result("F", seen + 0 " of " announced + 0 " cases ran")
        if (!failures && status != 0) result("F", why)
    }' status="$1" why="$2" "$log"
}

# unit_program NAME PROGRAM: runs one and counts its cases.
unit_program() {
    failed_before=$failed
    timeout -k 5 "$unit_limit" "$2" </dev/null >"$log" 2>&1
    status=$?
    read_cmocka "$status" "$(status_text $status "$unit_limit")" >"$work/cases"
    cases=0
    while IFS=$tab read -r case why; do
        cases=$((cases + 1))
        id=$1:${case#? }
        case $case in
        P*) pass ;;
        S*) skip "$id" "$why" ;;
        F*) fail "$id" "${why:-failed}" ;;
        esac
    done <"$work/cases"
    if [ "$failed" -ne "$failed_before" ]; then
        show_log
    else
        printf 'ok    %s (%d)\n' "$1" "$cases"
    fi
}

# unit_programs PREFIX BUILD FIND-EXPRESSION...: all that were built under BUILD/tests.
unit_programs() {
    prefix=$1
    where=$2
    shift 2
    for source in $(find tests -name 'test_*.c' "$@" | sort); do
        id=${source#tests/}
        id=$prefix${id%.c}
        selected "$id" && unit_program "$id" "$where/${source%.c}"
    done
}

suite_unit() { unit_programs '' "$build" ! -path 'tests/soak/*'; }

# Shell tests.

suite_scripts() {
    for script in tests/test_*.sh; do
        [ -e "$script" ] && check "$script" "$script"
    done
}

# Scenarios.

# Some scenarios late is a busy machine; many are a bench that injects late, which no retry mends.
too_many_late() { [ "$late" -ge 3 ] && [ $((late * 3)) -gt "$ran" ]; }

# scenario PREFIX PROGRAM NAME: one case by the exit status of the program.
scenario() {
    id=$1$3
    selected "$id" || return 0
    timeout -k 5 "$scenario_limit" "$2" scenario --world "$world" --out "$work/out" "$3" \
        </dev/null >"$log" 2>&1
    status=$?
    ran=$((ran + 1))
    case $status in
    0)
        if grep -q '[1-9][0-9]* skipped in ' "$log"; then
            skip "$id" 'some of its runs cannot be made here'
            return
        fi
        pass
        printf 'ok    %s\n' "$id"
        return
        ;;
    4)
        skip "$id" "$(tail -n 1 "$log")"
        return
        ;;
    1) why='a verdict failed' ;;
    3) why='the bench itself broke' ;;
    5) # Equal ledgers on a machine too slow to be on time: passed, and named.
        pass
        late=$((late + 1))
        printf 'late  %s\n' "$id"
        return
        ;;
    *) why=$(status_text $status "$scenario_limit") ;;
    esac
    fail "$id" "$why"
    show_log
}

# scenarios PREFIX PROGRAM: every one the program knows, and that not too many of them were late.
scenarios() {
    [ -d scenarios ] || return 0
    if ! "$2" list --names </dev/null >"$work/names" 2>"$log" || [ ! -s "$work/names" ]; then
        fail "${1}list" "'$2 list --names' names nothing"
        show_log
        return
    fi
    late=0
    ran=0
    while read -r scenario_name; do scenario "$1" "$2" "$scenario_name"; done <"$work/names"
    too_many_late && fail "${1}late" \
        "$late of $ran were late after their retries; a third at most, or fewer than 3"
}

suite_scenarios() { scenarios scenario: "$build/edgewise"; }

suite_sim() {
    world=sim
    scenarios sim:scenario: "$build/edgewise"
    world=veth
}

# The build that can switch defects on must tell the same as the plain one while they are off.
suite_defects() {
    grep -rqs 'DEFECT(' core sim harness && [ -d scenarios ] || return 0
    build_it defects DEFECTS=1 all "$build"/defects/tests/core/test_defect \
        "$build"/defects/tests/harness/test_cases \
        "$build"/defects/tests/defects/test_losses || return 0
    scenarios defects:scenario: "$build/defects/edgewise"
    selected defects:core/test_defect &&
        unit_program defects:core/test_defect "$build/defects/tests/core/test_defect"
    selected defects:harness/test_cases &&
        unit_program defects:harness/test_cases "$build/defects/tests/harness/test_cases"
    selected defects:losses &&
        unit_program defects:losses "$build/defects/tests/defects/test_losses"
}

# Every defect over every family, not over IPv4 alone.
suite_losses() {
    selected losses || return 0
    build_it losses DEFECTS=1 "$build/defects/tests/defects/test_losses" || return 0
    EDGEWISE_FAMILIES=all
    export EDGEWISE_FAMILIES
    unit_program losses "$build/defects/tests/defects/test_losses"
    unset EDGEWISE_FAMILIES
}

suite_tidy() { check tidy tests/tidy.sh . "$build"; }

# The slow tier.

# The model prints the same, whatever the compiler makes of it.
suite_optimised() { check model:optimised tests/test_model.sh --optimised; }

# All scenarios without root, and in containers.
suite_containers() {
    check unprivileged:all tests/test_unprivileged.sh --all
    check container:all tests/test_container.sh --all
}

suite_san() {
    # Sanitizers make gcc see ghosts: warnings count in the plain builds only.
    build_it san SAN=1 WERROR= all tests || return 0
    UBSAN_OPTIONS=print_stacktrace=1
    export UBSAN_OPTIONS
    unit_limit=300
    scenario_limit=300
    unit_programs san: "$build/san" ! -path 'tests/soak/*'
    scenarios san:scenario: "$build/san/edgewise"
}

suite_clang() { check clang $as make -j"$(nproc)" CC=clang WERROR=1 all tests; }

suite_analysis() {
    flags="-std=gnu11 -D_GNU_SOURCE -I. $(pkg-config --cflags libnl-3.0)"
    folders=
    for folder in core sim netns pcaps harness; do
        [ -d $folder ] && folders="$folders $folder"
    done
    if selected clang-tidy; then
        find $folders -name '*.c' >"$work/sources"
        within "$clang_tidy_limit" clang-tidy xargs -a "$work/sources" -P "$(nproc)" -n 1 sh -c \
            'flags=$0; clang-tidy --quiet --warnings-as-errors="*" "$@" -- $flags' "$flags"
    fi
    check cppcheck cppcheck --quiet --error-exitcode=1 --inline-suppr -j "$(nproc)" \
        --enable=warning,portability,performance --std=c11 --suppress=missingIncludeSystem \
        -I. $folders
    check shellcheck shellcheck -x run .ci/run tests/*.sh
}

suite_docs() {
    for page in man/*.[1-9]; do
        [ -e "$page" ] && check "$page" mandoc -T lint -W warning "$page"
    done
    check docs/ci.md tests/container/examples.py docs/ci.md "$build/edgewise"
}

# fuzzer NAME PROGRAM: from the same seed each time; a crash prints its input in base64.
fuzzer() {
    mkdir -p "$work/corpus/$1"
    corpus=tests/fuzz/corpus/${1#fuzz_}
    [ -d "$corpus" ] || corpus=
    check "fuzz:$1" "$2" -seed="$fuzz_seed" -runs="$fuzz_runs" -timeout=10 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$work/" "$work/corpus/$1" $corpus
}

suite_fuzz() {
    ls tests/fuzz/fuzz_*.c >/dev/null 2>&1 || return 0
    build_it fuzz FUZZ=1 fuzzers || return 0
    for source in tests/fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        fuzzer "$name" "$build/fuzz/tests/fuzz/$name"
    done
}

suite_soak() {
    SOAK=$soak
    export SOAK
    unit_limit=$((300 * soak))
    unit_programs '' "$build" -path 'tests/soak/*'
    [ -e tests/bench/bench_repeat.c ] && selected soak:repeat || return 0
    build_it soak:repeat "$build/tests/bench/bench_repeat" BUILD="$build" || return 0
    within $((270 * soak)) soak:repeat "$build/tests/bench/bench_repeat" --runs $((10 * soak))
}

# That each benchmark still works; its figures count only by themselves, on a machine at rest.
suite_bench() {
    for source in tests/bench/bench_*.c; do
        [ -e "$source" ] || continue
        program=${source%.c}
        id=bench:$(basename "$program")
        selected "$id" || continue
        build_it "$id" "$build/$program" BUILD="$build" || continue
        within "$bench_limit" "$id" "$build/$program" --quick
    done
}

# Wireshark, an independent reader, finds nothing wrong in the captures that we publish.
suite_wireshark() {
    wrong='_ws.malformed or ip.checksum.status == "Bad" or tcp.checksum.status == "Bad"'
    wrong="$wrong or udp.checksum.status == \"Bad\" or icmpv6.checksum.status == \"Bad\""
    for capture in $(find scenarios -name '*.pcap' -o -name '*.pcapng' 2>/dev/null | sort); do
        check "wireshark:$capture" sh -c '
            tshark -n -r "$1" -Y "$2" -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE \
                -o udp.check_checksum:TRUE >"$3" && cat "$3" && [ ! -s "$3" ]' \
            tshark "$capture" "$wrong" "$work/wrong"
    done
}

suites=
all=
no_fast=
filter=
while [ $# -gt 0 ]; do
    case $1 in
    --all) all=1 ;;
    --no-fast) no_fast=1 ;;
    --only)
        suites="$suites ${2:?--only wants a suite}"
        shift
        ;;
    -*)
        echo "tests/run.sh: unknown option $1" >&2
        exit 2
        ;;
    *) filter=$1 ;;
    esac
    shift
done
if [ -z "$suites" ]; then
    [ -n "$no_fast" ] || suites=$fast_suites
    [ -z "$all" ] || suites="$suites $slow_suites"
fi

for suite in $suites; do
    count_before=$((passed + failed + skipped))
    started=$(date +%s)
    "suite_$suite"
    count=$((passed + failed + skipped - count_before))
    [ "$count" -eq 0 ] || printf '%s: %d cases, %d s\n\n' "$suite" $count $(($(date +%s) - started))
done

[ $((passed + failed)) -gt 0 ] || fail tests 'nothing ran'
result="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || result="$result, $skipped skipped"
echo "$result"
[ "$failed" -eq 0 ]
