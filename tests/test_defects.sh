#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# --defect as it is typed: the plain program becomes the one that has defects, or says what builds
# it. What each defect brings about is tests/defects/test_losses.c's to show.
#
#   tests/test_defects.sh [PROGRAM]       PROGRAM is build/edgewise if not given

set -u
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
built=$(readlink -f -- "${1:-$top/build/edgewise}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset SUDO_UID SUDO_GID CI
EDGEWISE_SCENARIOS=$top/scenarios
export EDGEWISE_SCENARIOS
cd -- "$work" || exit 3

# One in a checkout, one installed; neither has the other build beside it.
mkdir -p checkout/build/defects installed/bin
checkout=$work/checkout
cp "$built" checkout/build/edgewise
ln checkout/build/edgewise installed/bin/edgewise
printf '#!/bin/sh\n' >checkout/run
chmod +x checkout/run

# typed PROGRAM WORDS...: sets status, out and err.
typed() {
    out=$("$@" 2>err </dev/null)
    status=$?
    err=$(cat err)
}

typed checkout/build/edgewise scenario --defect no-dedup
is 'the other build is not there' "$status $out$err" \
    "4 edgewise: --defect needs the build that has them, \
$checkout/build/defects/edgewise: No such file or directory
edgewise: type: make -C $checkout DEFECTS=1"
(cd checkout && build/edgewise scenario --defect no-dedup 2>../err)
is 'from inside the command is short' "$? $(tail -n 1 err)" '4 edgewise: type: make DEFECTS=1'
typed installed/bin/edgewise scenario --defect no-dedup
is 'nor is it where none can be built' "$status $(printf '%s\n' "$err" | tail -n 1)" \
    '4 edgewise: ./run in a checkout builds it'
typed checkout/build/edgewise scenario --defect no-dedup --json
is 'and that is a document, too' "$status $(printf '%s\n' "$out" | grep exit)" '4     "exit": 4,'

# A program that says what it was told.
cat >checkout/build/defects/edgewise <<'TEXT'
#!/bin/sh
printf '<%s>' "$@"
exit 7
TEXT
chmod +x checkout/build/defects/edgewise
typed checkout/build/edgewise scenario --defect no-dedup --trigger lt "a b"
is 'it becomes the other build with the same words' "$status $out$err" \
    '7 <scenario><--defect><no-dedup><--trigger><lt><a b>'

typed checkout/build/edgewise scenario --defect no-dedupe
is 'a name that there is not' "$status $out$(printf '%s\n' "$err" | head -n 1)" \
    "2 edgewise: --defect: there is no 'no-dedupe'; did you mean no-dedup?"
typed checkout/build/edgewise scenario --defect no-dedup --bless framing
is 'what is right is not blessed with a rule away' \
    "$status $out$(printf '%s\n' "$err" | head -n 1)" \
    '2 edgewise: --bless writes what is right, so --defect excludes it'
typed checkout/build/edgewise list --defects
is 'the plain program lists them' "$status $(printf '%s\n' "$out" | tail -n 1)" \
    "0 18 defects; $checkout/run scenario --defect NAME shows one"

# The real one, where there is one and it can run.
other=${built%/*}/defects/edgewise
if [ -x "$other" ] && "$other" doctor >/dev/null 2>&1; then
    typed "$other" scenario --defect no-dedup --family ipv4 --trigger lt --out out
    is 'it fails as it must' "$status $(printf '%s\n' "$out" | grep -c ' the sut died: ')" '1 1'
    is 'with files of its own' "$(echo out/readiness/six-quanta/*)" \
        'out/readiness/six-quanta/veth-lt-ipv4+no-dedup'
    is 'which name it' "$(grep -c '"defect": "no-dedup"' out/*/*/*/result.json)" 1
    is 'as the last command does' "$(printf '%s\n' "$out" |
        sed -e ':a' -e '/ \\$/{N;s/ \\\n */ /;ba' -e '}' | tail -n 1 | sed 's/ --seed.*//')" \
        "replay: $top/run scenario readiness/six-quanta --defect no-dedup --trigger lt\
 --family ipv4"
fi

finish
