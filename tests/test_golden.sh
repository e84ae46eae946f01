#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The report of real failures as a whole, with times replaced, kept in tests/golden/real-*.txt.
# After a change that is meant, GOLDEN=write makes the files anew, to be read before they are
# committed.
#
#   tests/test_golden.sh [PROGRAM]       PROGRAM is build/edgewise if not given

set -u
export LC_ALL=C
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
built=$(readlink -f -- "${1:-$top/build/edgewise}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset SUDO_UID SUDO_GID CI NO_COLOR
EDGEWISE_SCENARIOS=scenarios
export EDGEWISE_SCENARIOS
cases=0
failures=0
cd -- "$work" || exit 3

# Where it is installed the program calls itself `edgewise`.
mkdir -p installed/bin scenarios/framing scenarios/readiness scenarios/own
cp "$built" installed/bin/edgewise
program=$work/installed/bin/edgewise
w6=framing/one-frame-per-quantum
cp "$top/scenarios/$w6".* scenarios/framing/
cp "$top/scenarios/readiness/six-quanta".* scenarios/readiness/

if "$program" scenario --trigger et --family ipv4 $w6 >first 2>&1; [ $? -eq 4 ]; then
    tail -n 1 first
    exit 4
fi

# same TITLE FILE EXPECTED
same() {
    cases=$((cases + 1))
    cmp -s "$2" "$3" && return 0
    failures=$((failures + 1))
    printf '%s\n' "$1"
    diff -u "$3" "$2"
}

# has TITLE FILE PART
has() {
    cases=$((cases + 1))
    grep -qF -- "$3" "$2" && return 0
    failures=$((failures + 1))
    printf '%s\n  expected: ...%s...\n' "$1" "$3"
    sed 's/^/  | /' "$2"
}

# fits FILE: every line is of printable ASCII and at most 80 wide, but for those that replay.
fits() {
    cases=$((cases + 1))
    awk '!/^replay: / && (length($0) > 80 || /[^ -~]/) { print; bad = 1 } END { exit bad }' "$1" &&
        return 0
    failures=$((failures + 1))
    echo "$1 has lines that do not fit"
}

# What differs from run to run and place to place; the lines that replay have a test of their own.
timeless() {
    awk '/^replay: / || replay { replay = /\\$/; next } !/^world: /' "$1" |
        sed -E -e 's/[0-9]+ ms +/N ms  /g' -e 's/[0-9]+ ms\>/N ms/g' \
            -e 's/ in [0-9.]+ s$/ in N s/' -e 's/^(  [ *] ) *[0-9]+\.[0-9]{3}  /\1    N.NNN  /' \
            -e 's/\(round [0-9]+, call [0-9]+\)/(round N, call N)/' -e 's/ +$//'
}

# golden NAME WORDS...: the report of a run that fails.
golden() {
    name=$1
    shift
    "$program" scenario --out out "$@" >"$name.raw" 2>err </dev/null
    status=$?
    cases=$((cases + 1))
    if [ $status -ne 1 ]; then
        failures=$((failures + 1))
        echo "$name: exit status $status, and 1 is expected"
        cat "$name.raw" err
        return
    fi
    fits "$name.raw"
    timeless "$name.raw" >"$name.txt"
    [ "${GOLDEN-}" != write ] || cp "$name.txt" "$top/tests/golden/real-$name.txt"
    same "$name" "$name.txt" "$top/tests/golden/real-$name.txt"
}

golden setting --trigger et,lt,os --family ipv4 --set quantum.frames=2 $w6
golden no-requeue --trigger et --family ipv4 --set requeue=off readiness/six-quanta
golden limit --trigger et --family ipv4 --set limit.rounds=5 readiness/six-quanta

# A row is not expected any more.
sed -i '/^c frame 2/d' scenarios/$w6.events
golden row --trigger et,os --family ipv4,ipv6 $w6
cp "$top/scenarios/$w6.events" scenarios/framing/

# The sut ends otherwise than expected.
sed -i 's/^c < FIN/c < RST/' scenarios/$w6.wire
golden wire --trigger lt --family ipv4 $w6
cp "$top/scenarios/$w6.wire" scenarios/framing/

# Nothing is promised of what is left.
cat >scenarios/own/left.scn <<'TEXT'
scenario own/left
about    "A reader without room leaves bytes, and nobody says so."
covers   R-F-12
topology
  link     sut peer
  family   ipv4
reactor
  trigger  et
  frame    header=2 payload=3
  capacity 5
  app      sink consume=manual
run
  compare  streams
peers
  c  tcp
timeline
  0ms  c connect
  1ms  c send 00 03 43 41 54 00 02 4f 4b
TEXT
printf 'expect\n  c  frames "CAT"\n' >>scenarios/own/left.scn
golden left-over own/left

# What the script waits for does not come.
sed -e 's,own/left,own/hang,' -e '/^expect/i\  2ms  wait-until c unread 9' \
    scenarios/own/left.scn >scenarios/own/hang.scn
golden hang own/hang

# The bench is too slow for its script.
sed -e 's,own/left,own/late,' -e 's/^  compare .*/&\n  tolerance 1ns/' \
    -e 's/^  c  frames.*/&\n  c  unread 4\n  c  held 5/' scenarios/own/left.scn \
    >scenarios/own/late.scn
"$program" scenario --retries 0 --out out own/late >late 2>&1
has 'late is a verdict of its own' late '0 passed, 0 failed, 1 late'
has 'and says what it means' late 'late: all was right, but a peer acted too late'
has 'with the tolerance as it was written' late 'the tolerance is 1ns'
fits late

# children PID...: theirs.
children() {
    for parent; do cat "/proc/$parent"/task/*/children; done
}

# sut BENCH: waits until the sut has taken its connection; its number.
sut() {
    tries=0
    while [ $tries -lt 300 ]; do
        tries=$((tries + 1))
        # shellcheck disable=SC2046 # lists of pids
        for child in $(children $(children $(children "$1"))); do
            grep -q ' 01 ' "/proc/$child/net/tcp" && echo "$child" && return
        done
        sleep 0.1
    done 2>/dev/null
}

# The sut is killed while the script waits for its next instant.
sed -e 's,own/left,own/killed,' -e 's/^  1ms/  4000ms/' scenarios/own/left.scn \
    >scenarios/own/killed.scn
"$program" scenario --out out own/killed >killed 2>&1 &
bench=$!
victim=$(sut $bench)
cases=$((cases + 1))
if [ -n "$victim" ]; then
    kill -KILL "$victim"
else
    failures=$((failures + 1))
    echo 'the sut was not found'
    kill -TERM $bench
fi
wait $bench
fits killed
has 'who died, and how' killed 'the sut died: killed by SIGKILL; its last row is of 0ms,'
has 'in which line' killed 'scenarios/own/killed.scn:17: c connect'
has 'the last rows' killed 'its last rows:'
has 'the packets' killed '  c < SYN'
has 'what to type' killed '  next   edgewise scenario own/killed --trigger et --family ipv4 -v'

# Colours: on a terminal that can, unless somebody does not want them. A name is bold whatever the
# verdict.
terminal() { # VARIABLES...
    env "$@" script -qec "$program scenario --trigger et --family ipv4 $w6" /dev/null \
        </dev/null >seen 2>&1
    if grep -q "$(printf '\033')\\[1m" seen; then echo colour; else echo plain; fi
}
if command -v script >/dev/null; then
    for variables in TERM=xterm 'TERM=xterm NO_COLOR=' TERM=dumb 'TERM=xterm NO_COLOR=1' \
        'TERM=xterm CI=true'; do
        # shellcheck disable=SC2086 # words of env
        echo "$variables: $(terminal $variables)"
    done >colours
    cat >wanted <<'TEXT'
TERM=xterm: colour
TERM=xterm NO_COLOR=: colour
TERM=dumb: plain
TERM=xterm NO_COLOR=1: plain
TERM=xterm CI=true: plain
TEXT
    same 'colours' colours wanted
fi

printf '%d cases, %d failed\n' $cases $failures
[ $failures -eq 0 ]
