#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The program in a container as `docker run` makes them by default, imitated by tests/container:
# what docs/ci.md promises of each set of options, and that none of the capabilities that it names
# can be left out.
#
#   tests/test_container.sh [--all]      --all: all scenarios, not only a topic

# shellcheck disable=SC2016 # $ in quotes is for another shell
# shellcheck disable=SC2086 # lists of words are meant to split here
set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
engine=$top/build/tests/container/container
topic=framing
[ "${1-}" != --all ] || topic=all
unset SUDO_UID SUDO_GID EDGEWISE_AS EDGEWISE_SCENARIOS CI

cannot() {
    echo "$1"
    exit 4
}

[ "$(id -u)" -eq 0 ] || cannot 'imitating a container needs root'
[ -x "$engine" ] || cannot 'the imitated container is not built (make tests)'
"$engine" true || cannot 'a container cannot be imitated here'
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree/build"
cp -R "$top/scenarios" "$top/run" "$work/tree"
cp "$top/build/edgewise" "$work/tree/build"
: >"$work/err"

# contained OPTIONS... COMMAND...: sets status, out and err.
contained() {
    out=$("$engine" --volume "$work/tree:/tmp/edgewise" --workdir /tmp/edgewise "$@" \
        </dev/null 2>"$work/err")
    status=$?
    err=$(cat "$work/err")
}

words() { echo "$*"; }

# A machine that is late is no matter of the container.
passed() {
    [ "$status" -ne 5 ] || status=0
    echo "$status $(printf '%s\n' "$out" |
        grep -c '^[1-9][0-9]* passed, 0 failed, [0-9]* late, 0 errors, 0 skipped in ')"
}

runs() { # TITLE OPTIONS...
    title=$1
    shift
    contained "$@" build/edgewise scenario $topic --world veth --retries 20 --quiet
    is "$title" "$(passed)" '0 1'
}

# works OPTIONS...: one scenario of each family says enough.
works() {
    contained "$@" build/edgewise scenario framing/one-frame-per-quantum readiness/six-quanta \
        readiness/six-quanta-pipe --world veth --trigger et --retries 20 --quiet --out /tmp/out
    is "$*" "$(passed)" '0 1'
}

# refused OPTIONS...: exit 4, and the option that is missing.
refused() {
    contained "$@" build/edgewise scenario framing/one-frame-per-quantum --world veth
    is "$*" "$status $out" '4 '
}

# The imitation itself: what it refuses is what Docker refuses.
probe='
    echo "$(sed -n "s/^CapEff:\t//p" /proc/self/status) $$"
    echo 1 2>/dev/null >/proc/sys/net/ipv4/ip_forward || echo sysctl
    mkdir 2>/dev/null /sys/kernel/x || echo sys
    touch 2>/dev/null /usr/x || echo root
    [ -e /dev/net/tun ] || echo tun
    mount 2>/dev/null -t tmpfs none /tmp || echo mount
    unshare 2>/dev/null -n true || echo unshare
    unshare 2>/dev/null -U true || echo userns
    [ "$(wc -c </proc/kcore)" -ne 0 ] || echo kcore'
contained sh -c "$probe"
is 'docker run: capabilities, PID 1, and what is closed' "$(words $out)" \
    '00000000a80425fb 1 sysctl sys root tun mount unshare userns kcore'
contained --cap-add SYS_ADMIN sh -c "$probe"
is 'SYS_ADMIN opens namespaces, not mounts' "$(words $out)" \
    '00000000a82425fb 1 sysctl sys root tun mount kcore'
contained --cap-drop ALL --security-opt no-new-privileges grep -E 'CapEff|CapBnd|NoNew|Seccomp:' \
    /proc/self/status
is 'nothing left' "$(words $out)" \
    'CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1 Seccomp: 2'
contained sh -c 'kill -TERM $$; exit 7'
is 'a signal without a handler does not end PID 1' "$status" 7
contained nosuchcommand
is 'a command that there is not' "$status" 127

# What docs/ci.md recommends.
three='--cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add NET_RAW'
runs 'privileged' --privileged
runs 'the three capabilities alone' --cap-drop ALL $three
is 'leave artefacts that are readable' \
    "$(find "$work/tree/out" -type f ! -perm -444; find "$work/tree/out" -name capture.pcap |
        grep -q . && echo captures)" captures

# That each of the three is needed, when there is nothing else.
refused --cap-drop ALL --cap-add NET_ADMIN --cap-add NET_RAW
has 'SYS_ADMIN: for namespaces' "$err" 'make a network namespace: Operation not permitted'
has 'what to type' "$err" 'type: docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN'
refused --cap-drop ALL --cap-add SYS_ADMIN --cap-add NET_RAW
has 'NET_ADMIN: for the link' "$err" 'Operation not permitted; write /proc/self/uid_map'
has 'what to type' "$err" '--cap-add NET_ADMIN'
refused --cap-drop ALL --cap-add SYS_ADMIN --cap-add NET_ADMIN
has 'NET_RAW: for the capture' "$err" 'socket of family 2, type 3: Operation not permitted'
has 'what to type' "$err" '--cap-add NET_RAW'

# The other ways in, all by a user namespace.
works --cap-add SYS_ADMIN
works --cap-drop ALL --cap-add SYS_ADMIN --cap-add SETFCAP
works --cap-add SYS_ADMIN --user 54321
works --security-opt seccomp=unconfined
works --security-opt seccomp=unconfined --security-opt no-new-privileges
works --security-opt seccomp=unconfined --user 54321
works --privileged --user 54321
works --userns --privileged
works --userns $three
refused --cap-drop ALL --security-opt seccomp=unconfined
has 'SETFCAP: to give root on' "$err" 'to map root needs CAP_SETFCAP'

# Nothing asked for.
refused
has 'docker run: says what filters' "$err" 'forbidden by a seccomp filter, as containers have'
has 'and what to type' "$err" \
    'type: docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add NET_RAW'
contained build/edgewise doctor
is 'doctor agrees' "$status" 4
has 'with the same' "$out" 'docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add'
refused --userns
refused --user 54321

# Whose the files are: without DAC_OVERRIDE root may write what is its own only.
mkdir "$work/theirs"
chown 54321:54321 "$work/theirs"
one='build/edgewise scenario framing/one-frame-per-quantum --trigger et --retries 20 -q --out'
contained --cap-drop ALL $three --volume "$work/theirs:/tmp/theirs" $one /tmp/theirs/out
is 'a workspace of somebody else, by the three' "$status $out" '3 '
has 'is refused with what mends it' "$err" \
    'cannot write artefacts: /tmp/theirs/out: Permission denied; --out DIR puts them elsewhere'
contained --cap-drop ALL $three --cap-add DAC_OVERRIDE --volume "$work/theirs:/tmp/theirs" \
    $one /tmp/theirs/out
is 'DAC_OVERRIDE opens it' "$(passed)" '0 1'
contained --cap-drop ALL $three env SUDO_UID=54321 $one /tmp/out
is 'as the person who called sudo, by the three' "$status $out" '3 '
contained --cap-drop ALL $three --cap-add SETUID --cap-add SETGID \
    --volume "$work/theirs:/tmp/theirs" env SUDO_UID=54321 $one /tmp/theirs/person
is 'SETUID and SETGID allow it' "$(passed)" '0 1'
is 'and the files are theirs' "$(find "$work/theirs/person" ! -user 54321)" ''
contained --cap-drop ALL $three --cap-add SETUID env SUDO_UID=54321 $one /tmp/out
is 'SETUID alone does not' "$status $out" '3 '
contained --cap-drop ALL $three --cap-add SETGID env SUDO_UID=54321 $one /tmp/out
is 'nor does SETGID' "$status $out" '3 '

# PID 1: nothing is left in the container, and `docker stop` is heard.
contained --cap-drop ALL $three sh -c "$one /tmp/edgewise/out && ls -d /proc/[0-9]* | wc -l"
is 'no process is left' "$(printf '%s\n' "$out" | tail -n 1)" 3
mkdir -p "$work/tree/mine/pause"
cat >"$work/tree/mine/pause/long.scn" <<'TEXT'
scenario pause/long
about    "Nothing happens for half a minute."
topology
  link     sut peer
  family   ipv4
reactor
  trigger  et
  app      sink
peers
  c  tcp
timeline
  0ms   c connect
  30s   c shutdown write
expect
  c  end clean
TEXT
"$engine" $three --volume "$work/tree:/tmp/edgewise" --workdir /tmp/edgewise \
    build/edgewise scenario mine/pause/long.scn >"$work/begun" 2>"$work/err" </dev/null &
child=$!
tries=0
while ! [ -s "$work/begun" ] && [ $tries -lt 1000 ]; do
    tries=$((tries + 1))
    sleep 0.01
done
kill -TERM $child
wait $child
is 'docker stop' "$? $(cat "$work/err")" \
    '143 edgewise: interrupted by SIGTERM; what ran is above'

finish
