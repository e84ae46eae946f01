#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The launcher, on a checkout of one small program, with an apt-get, dpkg-query and id that do what
# the test says. What needs a second user is left out unless the test runs as root.

# shellcheck disable=SC2086 # lists of words are meant to split here
set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset SUDO_UID SUDO_GID EDGEWISE_AS
tree=$work/tree
fake=$work/fake
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'

make_checkout() {
    chmod 755 "$work"
    mkdir -p "$tree/harness" "$fake"
    cp "$top/run" "$top/Makefile" "$top/packages.list" "$tree"
    cat >"$tree/harness/main.c" <<'TEXT'
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%d %s\n", argc - 1, argc > 1 ? argv[1] : "-");
    return argc == 1 ? 2 : 7;
}
TEXT
    printf 'ID=debian\nVERSION_ID="12"\n' >"$work/debian"
    printf 'ID=other\nVERSION_ID="12"\n' >"$work/other"
}

# What fake/missing names is missing until apt-get has run; with fake/broken apt-get fails.
make_fakes() {
    cat >"$fake/dpkg-query" <<TEXT
#!/bin/sh
shift 3
for package; do
    grep -q -s -x "\$package" $fake/missing || echo "installed \$package"
done
TEXT
    cat >"$fake/apt-get" <<TEXT
#!/bin/sh
echo "\$*" >>$fake/log
[ "\$1" = install ] || exit 0
if [ -e $fake/broken ]; then
    echo 'E: Could not get lock' >&2
    exit 100
fi
rm -f $fake/missing
TEXT
    cat >"$fake/id" <<TEXT
#!/bin/sh
[ -e $fake/uid ] && [ "\$*" = -u ] && exec cat $fake/uid
exec $(command -v id) "\$@"
TEXT
    chmod +x "$fake"/*
}

# launch WORDS...: runs it in the checkout; sets status, out and err.
launch() {
    out=$(cd "$tree" && PATH=$fake:$PATH EDGEWISE_OS_RELEASE=${release:-$work/debian} "$@" \
        2>"$work/err")
    status=$?
    err=$(cat "$work/err")
}

missing() { printf '%s\n' "$@" >"$fake/missing"; }

reset() {
    rm -f "$fake/missing" "$fake/log" "$fake/broken"
    echo 0 >"$fake/uid"
    release=
}

log() { cat "$fake/log" 2>/dev/null; }

make_checkout
make_fakes

reset
launch ./run one two
is 'arguments reach the program' "$status $out" '7 2 one'
is 'a build says one line' "$err" 'run: building edgewise'
launch ./run
is 'no verb is the business of the program' "$status $out" '2 0 -'
is 'a second run builds nothing' "$err" ''

ln -s "$tree/run" "$work/link"
launch env CC=false BUILD=elsewhere SAN=1 V=1 CFLAGS=-bad "$work/link" one
is 'through a link, whatever the environment says' "$status $out $err" '7 1 one '

echo '/* new */' >>"$tree/harness/main.c"
launch sh -c './run a & ./run b & ./run c & wait'
is 'runs at one time build once' "$(printf '%s\n' "$err" | grep -c building)" 1
is 'and all of them run' "$(printf '%s\n' "$out" | sort | tr '\n' ' ')" '1 a 1 b 1 c '

install='install -y --no-install-recommends -o DPkg::Lock::Timeout=120'
missing libpcap-dev libcmocka-dev cppcheck
launch ./run one
is 'only what is missing for the tier is installed' "$status $(log)" "7 update
$install libpcap-dev"
reset
missing libpcap-dev libcmocka-dev cppcheck
launch ./run test
is 'test installs its tier too' "$(log)" "update
$install libpcap-dev libcmocka-dev"
reset
missing libcmocka-dev cppcheck
launch ./run test --all
is 'test --all installs all tiers' "$(log)" "update
$install libcmocka-dev cppcheck"

reset
missing libpcap-dev
launch ./run --no-install one
is '--no-install installs nothing' "$status $(log)" '4 '
has '--no-install says what to type' "$err" \
    '    apt-get update && apt-get install -y --no-install-recommends libpcap-dev'
release=$work/other
launch ./run one
is 'another distribution installs nothing' "$status $(log)" '4 '
has 'another distribution says why' "$err" 'not Debian 12'
printf 'ID=debian\nVERSION_ID="11"\n' >"$work/old"
release=$work/old
launch ./run one
is 'an older Debian installs nothing' "$status $(log)" '4 '
release=$work/none
launch ./run one
is 'neither does an unknown one' "$status $(log)" '4 '
release=
echo 1000 >"$fake/uid"
launch ./run one
is 'without root nothing is installed' "$status $(log)" '4 '
has 'without root sudo is what to type' "$err" \
    'sudo apt-get update && sudo apt-get install -y --no-install-recommends libpcap-dev'
echo 0 >"$fake/uid"
touch "$fake/broken"
launch ./run one
is 'an install that fails' "$status" 4
has 'shows what apt-get said' "$err" 'E: Could not get lock'

reset
launch ./run test --unknown
is 'an unknown option of test' "$status" 2
mkdir "$tree/core"
echo 'int broken' >"$tree/core/broken.c"
launch ./run one
is 'a build that fails' "$status" 3
has 'shows what the compiler said' "$err" 'core/broken.c:1'
rm -r "$tree/core"
launch ./run one
is 'a removed file needs no cleaning' "$status $out" '7 1 one'

launch make -q
is 'make has nothing to do' "$status" 0
launch make -q CFLAGS=-O1
is 'other flags are a reason to build' "$status" 1

if [ "$("$(command -v id)" -u)" -eq 0 ]; then
    rm -f "$fake/uid"
    launch env SUDO_UID=65534 SUDO_GID=65534 ./run one
    owners=$(stat -c %u "$tree/build" "$tree/out" | tr '\n' ' ')
    is 'what sudo ran belongs to the person' "$status $owners" '7 65534 65534 '
    echo '/* newer */' >>"$tree/harness/main.c"
    launch env SUDO_UID=65534 SUDO_GID=65534 ./run one
    is 'all of it' "$status $(find "$tree/build" ! -user 65534)" '7 '
    for id in 4294967295 99999999999 12x; do
        launch env SUDO_UID=$id ./run one
        is "a SUDO_UID of nobody, $id, is the program's to refuse" "$status $out$err" '7 1 one'
    done
    launch $nobody ./run one
    is 'a checkout of root runs when it is built' "$status $out$err" '7 1 one'
    chown -R 0:0 "$tree/build"
    echo '/* newest */' >>"$tree/harness/main.c"
    launch $nobody ./run one
    is 'and says what to do when it cannot be built' "$status" 4
    has 'in one word' "$err" 'sudo'
fi

finish
