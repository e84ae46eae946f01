#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# No root: a user who has no account and no group runs a copy of this tree, through the launcher and
# without it, in odd surroundings, and where the system allows no user namespaces.
#
#   tests/test_unprivileged.sh [--all]      --all: all scenarios, not only a topic

# shellcheck disable=SC2086 # lists of words are meant to split here
set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
engine=$top/build/tests/container/container
topic=framing
[ "${1-}" != --all ] || topic=all
user=54321
group=54322
nobody="setpriv --reuid=$user --regid=$group --clear-groups"
unset SUDO_UID SUDO_GID EDGEWISE_AS EDGEWISE_SCENARIOS CI

cannot() {
    echo "$1"
    exit 4
}

[ "$(id -u)" -eq 0 ] || cannot 'becoming another user needs root'
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
tree=$work/tree

# The tree with what `make` needs to see that there is nothing to do, all of it the user's.
copy_tree() {
    mkdir -p "$tree/build/obj"
    for name in "$top"/*; do
        case ${name##*/} in build | out) ;; *) cp -pR "$name" "$tree" ;; esac
    done
    cp -pR "$top/build/obj/core" "$top/build/obj/netns" "$top/build/obj/pcaps" \
        "$top/build/obj/harness" "$tree/build/obj"
    cp -p "$top"/build/edgewise "$top"/build/*.a "$top"/build/flags "$top"/build/sources \
        "$tree/build"
    chown -R $user:$group "$tree"
}

# typed DIRECTORY WORDS...: there; sets status, out and err.
typed() {
    directory=$1
    shift
    out=$(cd -- "$directory" && "$@" </dev/null 2>"$work/err")
    status=$?
    err=$(cat "$work/err")
}

# passed: the status, and whether there was a summary without failures; late is no failure.
passed() {
    [ "$status" -ne 5 ] || status=0
    echo "$status $(printf '%s\n' "$out" |
        grep -c '^[1-9][0-9]* passed, 0 failed, [0-9]* late, 0 errors, 0 skipped in ')"
}

copy_tree
# Built here, if the tree was built with other flags.
typed "$tree" $nobody ./run --no-install doctor
if [ "$status" -ne 0 ] && ! $nobody unshare -Urn true 2>/dev/null; then
    has 'refused with what mends it' "$out" sudo
    [ $failures -eq 0 ] || exit 1
    cannot 'this system allows its users no user namespaces'
fi
is 'doctor is content' "$status" 0
has 'by a user namespace' "$out" 'user namespace gives it'
typed "$tree" $nobody ./run doctor
is 'nothing is built or installed twice' "$status $err" '0 '
typed "$tree" $nobody ./run scenario $topic --retries 20
is "scenario $topic passes" "$(passed)" '0 1'
has 'and says how' "$out" 'in a user namespace'
is 'the artefacts are the user'"'"'s' \
    "$(find "$tree/out" ! -user $user -o ! -group $group | head -n 3)" ''
is 'captures among them' \
    "$(find "$tree/out" -name capture.pcap -size +0 | grep -q . && echo yes)" yes
is 'and everybody who may look can read them' "$(find "$tree/out" -type f ! -perm -444)" ''

# Odd surroundings.
one='scenario framing/one-frame-per-quantum --trigger et --family ipv4 --retries 20'
mkdir -m 711 "$work/closed"
typed "$tree" env -u HOME -u TMPDIR -u PATH -u LANG $nobody build/edgewise $one
is 'without HOME and PATH' "$(passed)" '0 1'
typed "$tree" env TMPDIR=/nonexistent HOME=/nonexistent TERM=nonsense $nobody build/edgewise $one
is 'with a TMPDIR that there is not' "$(passed)" '0 1'
typed "$work/closed" $nobody "$tree/build/edgewise" $one --out "$tree/out/closed"
is 'from a directory that it may not read' "$(passed)" '0 1'
typed "$work/closed" $nobody "$tree/build/edgewise" $one
is 'out is not writable' "$status $out" '3 '
has 'says which, why, and the option that mends it' "$err" \
    'cannot write artefacts: out: Permission denied; --out DIR puts them elsewhere'
mkdir "$work/gone"
cd "$work/gone" && rmdir "$work/gone"
out=$($nobody "$tree/build/edgewise" $one --out "$tree/out/gone" 2>&1)
status=$?
is 'from a directory that has gone' "$(passed)" '0 1'
cd /
typed "$tree" $nobody sh -c "ulimit -l 0; ulimit -r 0; build/edgewise $one"
is 'without real time and locked memory' "$(passed)" '0 1'

# The launcher does not install, but says what to type.
sed 's/^run   gcc .*/&\nrun   no-such-package-here cmd:no-such-command-here/' "$top/packages.list" \
    >"$tree/packages.list"
typed "$tree" $nobody ./run scenario framing
is 'a missing package' "$status $out" '4 '
has 'is not installed' "$err" 'not installing them ('
has 'what to type' "$err" 'apt-get install -y --no-install-recommends no-such-package-here'
cp "$top/packages.list" "$tree"

# Doors that are shut: in an imitated container, which needs mounts.
if ! "$engine" true; then
    echo 'without those about user namespaces that are closed'
    finish
    exit
fi
# Asked for by name, the real kernel is refused.
real="$one --world veth"
contained="$engine --security-opt seccomp=unconfined --volume $tree:/tmp/tree --workdir /tmp/tree"
typed / $contained --userns --sysctl user.max_user_namespaces=0 --user $user:$group \
    build/edgewise $real
is 'no user namespaces by limit' "$status $out" '4 '
has 'says so' "$err" 'user.max_user_namespaces is 0'
has 'offers sudo' "$err" 'type: sudo '
has 'or the switch' "$err" ': sudo sysctl -w user.max_user_namespaces='
typed / $contained --userns --sysctl user.max_user_namespaces=0 --user $user:$group \
    build/edgewise doctor
is 'doctor agrees' "$status" 4
has 'and names the switch' "$out" 'sudo sysctl -w user.max_user_namespaces='
typed / $contained --userns --sysctl user.max_net_namespaces=0 --user $user:$group \
    build/edgewise $real
is 'no network namespaces by limit' "$status $out" '4 '
has 'says which' "$err" 'sudo sysctl -w user.max_net_namespaces='
typed / $engine --user $user:$group --volume "$tree:/tmp/tree" --workdir /tmp/tree \
    build/edgewise $real
is 'no user namespaces by a filter' "$status $out" '4 '
has 'says so, too' "$err" 'forbidden by a seccomp filter, as containers have'
has 'and what to type' "$err" 'edgewise: type: '
typed / $engine --user $user:$group --volume "$tree:/tmp/tree" --workdir /tmp/tree \
    build/edgewise $real --json
has 'in JSON, too' "$status $out" '"exit": 4'

# The simulated one needs nothing, and stands in where none is asked for.
simulated() { typed / $engine --user $user:$group --volume "$tree:/tmp/tree" --workdir /tmp/tree \
    build/edgewise scenario "$@"; }
simulated all --world sim
is 'every scenario in the simulated world' "$(passed)" '0 1'
simulated framing/one-frame-per-quantum
is 'it stands in' "$(passed)" '0 1'
has 'and the report says so' "$out" 'world: sim, a simulated kernel, since there is no veth here'
simulated framing/one-frame-per-quantum --world all
has 'of two worlds one is skipped' "$status $out" '6 passed, 0 failed, 0 late, 0 errors, 6 skipped'

finish
