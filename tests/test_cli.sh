#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The program as it is typed: exit statuses, and what goes to standard output and to standard error.
# What needs a network namespace is left out where there is no way to one.
#
#   tests/test_cli.sh [PROGRAM]       PROGRAM is build/edgewise if not given

set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
built=$(readlink -f -- "${1:-$top/build/edgewise}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset SUDO_UID SUDO_GID CI
EDGEWISE_SCENARIOS=scenarios
export EDGEWISE_SCENARIOS
cd -- "$work" || exit 3

# The program calls itself by what starts it: `edgewise` where it is installed, the launcher where
# it lies in a checkout.
program=$work/installed/bin/edgewise
checkout=$work/checkout
mkdir -p installed/bin checkout/build
cp "$built" "$program"
ln "$program" checkout/build/edgewise
printf '#!/bin/sh\n' >checkout/run
chmod +x checkout/run

# One scenario that passes as soon as it is blessed, and one with a mistake in it.
make_scenarios() {
    mkdir -p scenarios/greeting wrong
    cat >scenarios/greeting/hello.scn <<'TEXT'
scenario greeting/hello
about    "Five bytes arrive, and this line is so long that a list has to break it somewhere."
topology
  link     sut peer
  family   ipv4
reactor
  trigger  et lt
  app      sink
peers
  c  tcp
timeline
  0ms  c connect
  1ms  c send "hello"
  2ms  c shutdown write
expect
  c  bytes "hello"
  c  end clean
TEXT
    sed 's/connect/conect/' scenarios/greeting/hello.scn >wrong/hello.scn
}

# typed WORDS...: sets status, out and err.
typed() {
    out=$("$program" "$@" 2>err </dev/null)
    status=$?
    err=$(cat err)
}

# names DIRECTORY: what is in it.
names() { (cd -- "$1" && echo *); }

make_scenarios

typed
is 'without a verb: usage on stderr' "$status $out" '2 '
has 'and where to begin' "$err" 'doctor'
typed scenaro
is 'an unknown verb' "$status $out" '2 '
has 'the nearest verb is offered' "$err" 'did you mean scenario?'
typed explore
is 'a verb that is far from all' "$status $err" \
    "2 edgewise: there is no verb 'explore'; edgewise help lists them"
typed --version
has 'version' "$status $out" '0 edgewise '
is 'version says nothing else' "$err" ''
typed --help
has 'help names the verbs' "$status $out" '0 edgewise '
has 'help of a verb has its options' "$("$program" help scenario)" '--retries N'
is 'and is what --help of it says' "$("$program" help list)" "$("$program" list --help)"
typed help nothing
is 'help of no verb' "$status $out" '2 '

wide=
for words in list 'list --defects' help 'help scenario' 'help list' 'help doctor' 'help clean'; do
    # shellcheck disable=SC2086 # several words
    typed $words
    wide=$wide$(printf '%s\n' "$out" | LC_ALL=C awk 'length > 80')
done
is 'what it tells of itself has 80 columns' "$wide" ''
typed list --names
is 'list --names' "$status $out" '0 greeting/hello'
typed list
has 'list' "$status $out" 'et lt x ipv4'
typed list greetin
is 'nothing matches' "$status $out$err" \
    "2 edgewise: no scenario 'greetin'; did you mean greeting?"
typed list --json
has 'list --json' "$status $out" '"scenario": "greeting/hello"'

typed scenario
is 'no scenario' "$status $out" '2 '
typed scenario greeting --family ipv6
is 'filters that leave nothing' "$status $out" '2 '
has 'say what there is' "$err" 'et lt over ipv4'
typed scenario greeting --world moon
is 'an unknown world' "$status $out" '2 '
typed scenario wrong/hello.scn greeting
is 'a mistake in one script: nothing runs' "$status $out $(ls -d out 2>&1)" \
    "2  ls: cannot access 'out': No such file or directory"
has 'the place of the mistake' "$err" 'wrong/hello.scn:12:'
typed scenario greeting --json-lines --repeat x
has 'an option that cannot be read, in lines' "$status $out" '2 {"event":"error","tool":"edgewise",'
has 'with the reason' "$out" '"exit":2,"text":"edgewise: --repeat wants a number from 1 to '
typed scenario greeting --repeat x --tap --json-lines
is 'one form at most' "$(printf '%s\n' "$out" | grep -c .)" 1
typed scenario greeting --nothing --tap
has 'or as TAP' "$status $out" '2 TAP version 13'
has 'that bails out' "$out" 'Bail out! edgewise: scenario: there is no option --nothing'
typed scenario wrong/none.scn
is 'a script that is not there' "$status $err" \
    "2 wrong/none.scn:1:1: cannot be read: No such file or directory; \
give the path of a file that is there"
ln -s loop.scn wrong/loop.scn
typed scenario wrong/loop.scn --json
has 'a link to itself, as a document' "$status $out" '"text": "wrong/loop.scn:1:1: cannot be read: '
has 'and on stderr' "$err" 'wrong/loop.scn:1:1: cannot be read: '
mkdir -p many/a
for name in b c d; do
    sed "s,greeting/hello,a/$name," scenarios/greeting/hello.scn >many/a/$name.scn
done
EDGEWISE_SCENARIOS=many typed scenario all --set quantum.bytes=0
is 'what is wrong with every script is said once' "$status $(printf '%s\n' "$err" | wc -l)" '2 1'
has 'with their number' "$err" '(and in 2 more scripts)'
if [ -r /proc/sys/net/ipv4/tcp_available_congestion_control ]; then
    typed scenario greeting --set socket.congestion=nosuch
    is 'a congestion control that the kernel has not' "$status $out" '2 '
    has 'by its place and with those it has' "$err" '--set socket.congestion=nosuch: '
    has 'reno among them' "$err" 'reno'
fi
typed list --nmaes --json
has 'an unknown option beside --json' "$status $out" '"exit": 2'
is 'a full disk under stdout' "$("$program" list 2>&1 >/dev/full
    echo $?)" 'edgewise: standard output: No space left on device
3'
typed list
is 'a reader that goes away' "$({
    "$program" list
    echo $? >left
} | true
cat left)" 0

typed doctor --json
works=$status
has 'doctor --json' "$out" '"check": "veth world"'
[ "$works" -eq 0 ] || is 'doctor: no way to a world' "$status" 4

# The rest runs.
if [ "$works" -ne 0 ]; then
    echo 'no way to a network namespace here: nothing was run'
else
    typed scenario greeting --retries 50
    is 'nothing is expected yet' "$status" 1
    has 'the next command' "$out" 'scenario greeting/hello --trigger et --family ipv4 -v'
    typed scenario greeting --bless --retries 50
    is 'bless' "$status $(names scenarios/greeting)" \
        '0 hello.events hello.pcap hello.scn hello.wire'
    before=$(ls -i --full-time scenarios/greeting)
    typed scenario greeting --bless --retries 50
    is 'bless again touches nothing' "$status $(ls -i --full-time scenarios/greeting)" "0 $before"
    mkdir -p scenarios/barred/hello.pcap
    sed 's,greeting/,barred/,' scenarios/greeting/hello.scn >scenarios/barred/hello.scn
    sed 's,greeting/,cordial/,' scenarios/greeting/hello.scn | (mkdir scenarios/cordial &&
        cat >scenarios/cordial/hello.scn)
    typed scenario barred cordial --bless --retries 50
    has 'what cannot be written' "$status $out" '3 replay'
    has 'is told' "$out" 'barred/hello.pcap: Is a directory'
    has 'and the next is blessed all the same' "$(names scenarios/cordial) $out" \
        'hello.events hello.pcap hello.scn hello.wire'
    has 'for every run was made' "$out" '4 passed, 0 failed'
    is 'each of them' "$(printf '%s\n' "$out" | grep -c 'not made')" 0
    rm -r scenarios/barred scenarios/cordial out
    typed scenario greeting --retries 50 --seed 42
    is 'now it passes' "$status $err" '0 '
    is 'the first line replays it' "$(printf '%s\n' "$out" | head -n 1)" \
        'replay: edgewise scenario greeting --seed 0x2a'
    is 'from a checkout the launcher does, from elsewhere' \
        "$(checkout/build/edgewise scenario greeting --retries 50 --seed 42 | head -n 1)" \
        "replay: $checkout/run scenario greeting --seed 0x2a"
    is 'and from inside' "$(cd checkout && EDGEWISE_SCENARIOS=../scenarios \
        build/edgewise scenario greeting --retries 50 --seed 42 | head -n 1)" \
        'replay: ./run scenario greeting --seed 0x2a'
    is 'the last one too' "$(printf '%s\n' "$out" | tail -n 1)" \
        'replay: edgewise scenario greeting --seed 0x2a'
    is 'artefacts' "$(names out/greeting/hello/veth-lt-ipv4)" \
        'capture.pcap events.txt peers.txt result.json wire.txt'
    typed scenario greeting --retries 50 -q
    has 'quiet' "$status $out" '0 2 passed, 0 failed, 0 late, 0 errors, 0 skipped in '
    typed scenario greeting --retries 50 --json
    has 'json' "$status $out" '0 {'
    has 'and nothing behind it' "$out" '"exit": 0
}'
    typed scenario greeting --out /dev/null
    is 'no room for artefacts: nothing runs' "$status $out" '3 '
    (
        trap '' XFSZ
        ulimit -f 1
        exec "$program" scenario greeting --out fresh/deep 2>/dev/null
    )
    is 'nor is anything left of them' "$? $(ls -d fresh 2>/dev/null)" '3 '
    mkdir -p taken/greeting/hello
    : >taken/greeting/hello/veth-et-ipv4
    typed scenario greeting --out taken --retries 50 -q
    is 'no room in the middle: nothing more runs' "$status $(names taken/greeting/hello)" \
        '3 veth-et-ipv4'
    has 'and what was not run is counted' "$err" '; 1 run was not made'
    : >scenarios/greeting/hello.wire
    typed scenario greeting --retries 50 -q
    is 'another wire' "$status" 1
    has 'differs' "$out" 'the wire ledger parts here'

    # Half a minute of a timeline, ended as soon as it has begun.
    sed 's/2ms/30s/' scenarios/greeting/hello.scn >wrong/hello.scn
    mkdir -p other/scenarios/greeting
    mv wrong/hello.scn other/scenarios/greeting/hello.scn
    "$program" scenario other/scenarios/greeting/hello.scn >begun 2>err </dev/null &
    child=$!
    tries=0
    while [ ! -s begun ] && [ $tries -lt 500 ]; do
        tries=$((tries + 1))
        sleep 0.01
    done
    kill -TERM $child
    wait $child
    status=$?
    err=$(cat err)
    is 'a signal ends the run' "$status $err" \
        '143 edgewise: interrupted by SIGTERM; what ran is above'
    has 'and there is a summary' "$(cat begun)" '0 passed, 0 failed'
fi

finish
