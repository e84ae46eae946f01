#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs side by side, repeated, shuffled, cut short: the same ledgers, the exit statuses, and that
# nothing is left. Exits 4 where no run can be made.
#
#   tests/test_runs.sh [PROGRAM]       PROGRAM is build/edgewise if not given

set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
program=$(readlink -f -- "${1:-$top/build/edgewise}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset SUDO_UID SUDO_GID CI
EDGEWISE_SCENARIOS=$top/scenarios
export EDGEWISE_SCENARIOS
cd -- "$work" || exit 3

# typed WORDS...: a call of `scenario`; sets status, out and err. Late is this machine's affair.
typed() {
    out=$("$program" scenario --retries 50 "$@" 2>err </dev/null)
    status=$?
    err=$(cat err)
}

# half_a_minute NAME: a script that is over only when it is ended.
half_a_minute() {
    cat <<TEXT
scenario $1
about    "Half a minute."
topology
  link     sut peer
  family   ipv4 ipv6
reactor
  trigger  et
  app      sink
run
  compare  streams
peers
  c  tcp
timeline
  0ms  c connect
  1ms  c send "hello"
  30s  c shutdown write
expect
  c  bytes "hello"
  c  end clean
TEXT
}

# ledgers OUT: what is in the ledgers of all its runs, and their verdicts; the peers' without times.
ledgers() {
    (
        cd -- "$1" || exit
        find . -name events.txt -o -name wire.txt | sort | xargs cat
        find . -name peers.txt | sort | xargs sed 's/late [-0-9]*us$//'
        find . -name result.json | sort | xargs grep -h '"verdict"'
    )
}

# children PID: those that it has, on one line.
children() {
    grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null | tr -dc '0-9\n' | tr '\n' ' '
}

# begin WORDS...: starts two runs of half a minute and waits until both are there; sets parent.
begin() {
    # A shell lets its background jobs ignore SIGINT; that SIGTERM is blocked must not matter.
    env --default-signal=INT --block-signal=TERM \
        "$program" scenario ./t/long.scn -j 2 "$@" >begun 2>err </dev/null &
    parent=$!
    tries=0
    while [ "$(children $parent | wc -w)" -lt 2 ] && [ $tries -lt 500 ]; do
        tries=$((tries + 1))
        sleep 0.01
    done
}

"$program" doctor >doctored 2>&1 || {
    grep -m 1 'missing' doctored
    echo 'needs root or a user namespace'
    exit 4
}

# The same whatever runs beside it.
set -- framing readiness ends/fin-behind-tail --family ipv4,unix
typed "$@" -q --out one
is 'one at a time' "$status" 0
typed "$@" -q --out two -j 2
is 'two at a time' "$status" 0
typed "$@" -q --out many -j 9 --shuffle --seed 3
is 'more than there are CPUs, in any order' "$status" 0
ledgers one >one.txt
ledgers two >two.txt
ledgers many >many.txt
has 'there are ledgers' "$(cat one.txt)" 'notice A IN'
is 'with the same ledgers' "$(cmp one.txt two.txt 2>&1)" ''
is 'always' "$(cmp one.txt many.txt 2>&1)" ''

# Repeats.
set -- readiness/six-quanta --family unix
typed "$@" --repeat 4 -j 2
has 'repeats are all counted' "$status $out" '0 replay: '
has 'once each' "$out" '12 passed, 0 failed, 0 late, 0 errors, 0 skipped in '
has 'the replay repeats them' "$(printf '%s\n' "$out" | sed -z 's/ \\\n */ /g')" \
    '--family unix -j 2 --repeat 4 --seed 0x'
typed "$@" --until-fail --repeat 3 -q
has 'until it fails, but no more than so often' "$status $out" '0 9 passed'
typed "$@" --set quantum.bytes=5 --until-fail -q
has 'until it fails' "$status $out" '1 readiness/six-quanta'
has 'at once' "$out" '0 passed, 1 failed'
is 'nobody asked for a number of runs' "$(printf '%s\n' "$out" | grep -c 'not made')" 0
typed "$@" --set quantum.bytes=5 --trigger et --repeat 3 --json
has 'a repeat that fails goes on' "$status $out" '"failed": 3'
is 'its artefacts are those of a failed run' \
    "$(grep -h '"verdict"' out/readiness/six-quanta/veth-et-unix/result.json)" \
    '  "verdict": "fail",'
typed "$@" --set quantum.bytes=5 --fail-fast -q
has 'nothing begins after a failure' "$status $out" '2 runs were not made'
typed "$@" framing/one-frame-per-quantum --shuffle --seed 5 -q --json
first=$out
typed "$@" framing/one-frame-per-quantum --shuffle --seed 5 -q --json
is 'reports keep the order of the selection' \
    "$(printf '%s\n' "$first" | grep -E '"(scenario|trigger)"')" \
    "$(printf '%s\n' "$out" | grep -E '"(scenario|trigger)"')"

# Forms: one on standard output, a file beside it.
typed readiness/six-quanta --family unix --tap --junit beside.xml -j 2
has 'TAP' "$status $out" '0 TAP version 1'
has 'all of its points' "$out" '1..3'
has 'and JUnit beside it' "$(cat beside.xml)" '<testcase classname="readiness.six-quanta"'
typed readiness/six-quanta --family unix --json-lines --repeat 2
is 'a line for each run' "$status $(printf '%s\n' "$out" | grep -c '"event":"run"')" '0 6'
ln -s beside.xml link.xml
mkfifo fifo.xml
for place in link.xml fifo.xml; do
    typed readiness/six-quanta --junit $place
    has "--junit $place: nothing is put in its place" "$status $out$err" '; name a file'
done
is 'they are there still' "$(stat -c %F link.xml fifo.xml | tr '\n' ' ')" 'symbolic link fifo '
typed readiness/no-such-thing --junit beside.xml
has 'what ran nothing leaves no result of an earlier run' "$status $(cat beside.xml)" \
    '<error type="run" message="edgewise: no scenario'
typed readiness/six-quanta --junit nowhere/beside.xml
is 'no room for the file: nothing runs' "$status $out" '3 '
has 'with the reason' "$err" 'cannot write --junit: nowhere: No such file or directory'
mkdir folder
typed readiness/six-quanta --junit folder
is 'a folder in its place: nothing runs' "$status $out" '3 '
has 'but a hint' "$err" 'cannot write --junit: folder: it is a directory; name a file'

# Runs that are ended.
mkdir -p t
half_a_minute t/long >t/long.scn
started=$(date +%s)
typed ./t/long.scn --timeout 400ms --family ipv4 -q
has 'a run that takes too long' "$status $out" '3 t/long'
has 'says how long and where' "$out" \
    'ended after 0.4 s without a result; begun last: line 15, c send'
is 'once' "$(printf '%s\n' "$out" | grep -c 'ended after')" 1
has 'and what came last' "$out" 'c read 65536 = 5 68 65 6c 6c 6f'
begin --json
# shellcheck disable=SC2046 # a list of pids
kill -SEGV $(children $parent)
wait $parent
is 'a bench that crashes is an error' $? 3
has 'that says so' "$(cat begun)" 'the bench was killed by SIGSEGV; '
begin
# shellcheck disable=SC2046
kill -TERM $(children $parent)
wait $parent
is 'so is a run that alone was told to end' $? 3
has 'that says so, too' "$(cat begun)" 'somebody told this run alone to end'
wait_for_nobody=$(env --ignore-signal=CHLD "$program" scenario readiness/six-quanta --family unix \
    --retries 50 -q 2>&1)
has 'an inherited SIGCHLD that is ignored changes nothing' "$? $wait_for_nobody" '0 3 passed'
mkfifo unread
"$program" scenario readiness --json-lines --repeat 1000 >unread 2>err </dev/null &
parent=$!
# shellcheck disable=SC2217 # it holds the other end open
sleep 60 <unread &
reader=$!
tries=0
until grep -q pipe /proc/$parent/wchan || [ $tries -ge 3000 ]; do
    tries=$((tries + 1))
    sleep 0.01
done
kill -TERM $parent
wait $parent
status=$?
is 'a reader that does not read holds nobody up' \
    "$status $((tries < 3000)) $(kill $reader && echo in time)" '143 1 in time'
for signal in TERM INT; do
    begin
    kill -$signal $parent
    wait $parent
    status=$?
    [ $signal = TERM ] && number=143 || number=130
    is "SIG$signal ends all runs" "$status $(cat err)" \
        "$number edgewise: interrupted by SIG$signal; what ran is above"
    has 'what was not made is counted' "$(cat begun)" '2 runs were not made'
done
begin
runs=$(children $parent)
kill -KILL $parent
wait $parent 2>/dev/null
tries=0
# shellcheck disable=SC2086 # a list of pids
while kill -0 $runs 2>/dev/null && [ $tries -lt 500 ]; do
    tries=$((tries + 1))
    sleep 0.01
done
# shellcheck disable=SC2086
is 'killed, it leaves no run behind' "$(kill -0 $runs 2>/dev/null && echo alive)" ''
[ $(($(date +%s) - started)) -lt 25 ] || is 'none of them waited for its end' waited ''

finish
