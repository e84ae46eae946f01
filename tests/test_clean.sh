#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# clean and doctor as they are typed: what clean takes and what it spares, also beside runs that
# are under way; the width and the form of what both print.
#
#   tests/test_clean.sh [PROGRAM]       PROGRAM is build/edgewise if not given

set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
built=$(readlink -f -- "${1:-$top/build/edgewise}")
work=$(mktemp -d) || exit 3
work=$(readlink -f -- "$work")
trap 'rm -rf "$work"' EXIT
unset SUDO_UID SUDO_GID CI
EDGEWISE_SCENARIOS=$work/scenarios
export EDGEWISE_SCENARIOS
cd -- "$work" || exit 3
chmod 755 "$work"
# A copy of our own: nobody else's runs are of this file.
cp "$built" edgewise
chmod 755 edgewise
mkdir -p scenarios/framing
cp "$top"/scenarios/framing/one-frame-per-quantum.* scenarios/framing

# typed WORDS...: sets status and out.
typed() {
    out=$(./edgewise "$@" 2>&1 </dev/null)
    status=$?
}

# make_litter: what a run that was killed leaves, an hour old, and what is not ours.
make_litter() {
    rm -rf out
    cell=out/framing/one-frame-per-quantum/veth-et-ipv4
    mkdir -p $cell out/kept else
    echo half >$cell/events.txt
    echo half >out/.probe.4999999.new
    echo half >scenarios/framing/.x.events.4999999.new
    echo mine >out/kept/.notes
    echo mine >else/.probe.4999999.new
    ln -s ../else out/away
    touch -h -d '-1 hour' $cell/* $cell out/.probe.* scenarios/framing/.x.* else/.probe.*
}

typed clean
is 'nothing to do' "$status $out" '0 0 removed, 0 left, 0 failed'
typed clean something
has 'clean takes no names' "$status $out" '2 edgewise: clean takes no names'
typed clean --verbose
has 'nor the options of others' "$status $out" '2 '

make_litter
before=$(find . | sort)
typed clean --dry-run
has 'a dry run tells' "$status $out" '3 to be removed, 0 left, 0 failed'
is 'and touches nothing' "$(find . | sort)" "$before"
typed clean -n --json
has 'as a document' "$status $out" '"found": 3'
typed clean
has 'clean' "$status $out" '3 removed, 0 left, 0 failed'
is 'what remains' "$(find out else scenarios -type f -o -type l | sort | tr '\n' ' ')" \
    "else/.probe.4999999.new out/away out/kept/.notes \
scenarios/framing/one-frame-per-quantum.events scenarios/framing/one-frame-per-quantum.pcap \
scenarios/framing/one-frame-per-quantum.scn scenarios/framing/one-frame-per-quantum.wire "
typed clean
is 'a second time' "$status $out" '0 0 removed, 0 left, 0 failed'
make_litter
typed clean --out out/framing
has 'only below --out' "$status $out" '2 removed, 0 left, 0 failed'
is 'the rest is there' "$(echo out/.probe*)" 'out/.probe.4999999.new'
typed clean --out edgewise --json
has 'what is no directory fails' "$status $out" '"fate": "failed"'
is 'with its status' "$status" 3
if [ "$(id -u)" -eq 0 ]; then
    make_litter
    out=$(setpriv --reuid=65534 --regid=65534 --clear-groups ./edgewise clean 2>&1)
    has 'a user removes nothing of another' "$? $out" '0 removed, 3 left, 0 failed'
fi
rm -rf out scenarios/framing/.x.*

# ended TITLE STATUS: a run may be late here, but nothing else.
ended() {
    case $2 in 0 | 5) is "$1" 0 0 ;; *) is "$1" "$2, $(tail -n 5 ran)" '0 or 5' ;; esac
}

# until_it_executes PID: the shell's child has become the program, or has gone.
until_it_executes() {
    until [ "$(readlink "/proc/$1/exe")" = "$work/edgewise" ] || ! kill -0 "$1"; do :; done
}

# Beside runs: cleans go on and on while scenarios run; none of these may notice.
typed doctor --json
cp "$top"/scenarios/framing/* scenarios/framing
if [ "$status" -eq 0 ]; then
    ./edgewise scenario all --retries 50 -q >ran 2>&1 &
    run=$!
    : >cleaned
    while kill -0 $run 2>/dev/null; do ./edgewise clean >>cleaned 2>&1; done
    wait $run
    ended 'a run beside cleans' $?
    is 'they took nothing' "$(grep -A 1 -e '^removed' -e '^failed' cleaned)" ''
    has 'and saw the run' "$(cat cleaned)" "process $run"

    # Stopped in the middle: it is a bench all the same.
    ./edgewise scenario all --retries 50 -q >ran 2>&1 &
    run=$!
    until_it_executes $run
    kill -STOP $run
    typed clean
    has 'a bench that stands still is spared' "$status $out" "left          process $run"
    kill -CONT $run
    wait $run
    ended 'and ends well' $?

    # Killed in the middle: the kernel cleans up by itself, at most it takes a moment.
    ./edgewise scenario all --retries 50 -q >ran 2>&1 &
    run=$!
    until_it_executes $run
    until grep -q . out/*/*/*/result.json 2>/dev/null || ! kill -0 $run; do :; done
    kill -KILL $run
    wait $run 2>/dev/null
    looks=0
    while [ $looks -lt 1000 ]; do
        typed clean --dry-run
        case $out in *process*) looks=$((looks + 1)) ;; *) break ;; esac
    done
    case $out in *process*) is 'after a kill no process remains' "$out" '' ;; esac
fi

# The rows of doctor.
out=$(./edgewise doctor 2>&1)
status=$?
is 'doctor keeps within 80 columns' "$(printf '%s\n' "$out" | awk 'length > 80')" ''
case $status in
0) has 'it says that all is well' "$out" 'Scenarios can run here.' ;;
*) is 'or ends with 4' "$status" 4 ;;
esac
out=$(LANG=C NO_COLOR=1 ./edgewise doctor --json)
for key in group check state found needed_for mend mend_is_command; do
    is "each row of the document has $key" "$(printf '%s\n' "$out" | grep -c "\"$key\": ")" \
        "$(printf '%s\n' "$out" | grep -c '"check": ')"
done
if [ "$(id -u)" -eq 0 ]; then
    out=$(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs ./edgewise doctor 2>&1)
    status=$?
    is 'for nobody, too' "$(printf '%s\n' "$out" | awk 'length > 80')" ''
    has 'with what holds sudo back' "$out" 'no_new_privs'
    case $status in 0 | 4) ;; *) is 'with its status' "$status" '0 or 4' ;; esac
fi

finish
