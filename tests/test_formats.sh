#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The formats for programs, as programs read them: prove and TAP::Parser for --tap, a YAML reader
# for its blocks, xmllint and junitparser for --junit, jsonschema for --json and --json-lines.
#
#   tests/test_formats.sh [BUILD]     BUILD is build if not given
#
# Made of results by hand, then by the program itself where there is a way to a network namespace.
# Exit 4 where one of those readers is missing.

set -u
unset SUDO_UID SUDO_GID
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=tests/cases.sh
. "$top/tests/cases.sh"
build=$(readlink -f -- "${1:-$top/build}")
# What Debian's packages are for; another python may stand before it in PATH.
python=/usr/bin/python3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

for program in prove xmllint; do
    command -v $program >/dev/null && continue
    echo "$program is not installed"
    exit 4
done
for module in jsonschema junitparser yaml; do
    $python -c "import $module" 2>/dev/null && continue
    echo "$python has no module $module"
    exit 4
done

"$build/tests/harness/test_formats" "$work" || exit 3
cd -- "$work" || exit 3

# TAP. prove's exit status is what a CI service sees.

# proves FILE STATUS LINE: what prove exits with, and a line that it prints.
proves() {
    said=$(prove -e cat "$1.tap" 2>&1)
    is "prove $1" $? "$2"
    is "prove $1 says" "$(printf '%s\n' "$said" | grep -c -F -- "$3")" 1
    case $said in
    *'Parse errors: No plan'*) ;; # after a bail-out
    *'Parse errors'*) is "prove $1 understands it" "$said" '' ;;
    esac
}

proves pass 0 'Result: PASS'
proves late 0 'Result: PASS'
proves skip 0 'Result: PASS'
proves fail 1 'Failed test:  1'
proves error 1 'Failed test:  1'
proves all 1 'Failed tests:  2, 4, 7'
proves hostile 1 'Failed tests:  2, 4'
proves none 0 'skipped: no scenario has all of its runs'
proves bail 255 'Further testing stopped: the bench broke; runs not made: 7'
proves usage 255 'Further testing stopped: it cannot run: <a b='
proves cannot 0 'skipped: it cannot run: <a b='

# points FILE: each point as TAP::Parser sees it, with what its block says.
points() {
    perl -MTAP::Parser -e '
        my $parser = TAP::Parser->new({exec => ["cat", $ARGV[0]]});
        while (my $line = $parser->next) {
            print $line->is_ok ? "ok" : "not", $line->has_skip ? " skip" : "" if $line->is_test;
            print " ", $line->data->{verdict}, " ", $line->data->{wall_ms}, " ",
                join("/", map { $line->data->{runs}{$_} } qw(pass fail late error skip)), "; "
                if $line->is_yaml;
        }
        print "errors ", scalar $parser->parse_errors;' "$1.tap"
}

is 'TAP::Parser tells the verdicts apart' "$(points all)" "ok pass 12.4 1/0/0/0/0; \
not fail 12.4 0/1/0/0/0; ok late 12.4 0/0/1/0/0; not error 12.4 0/0/0/1/0; \
ok skip skip 12.4 0/0/0/0/1; ok pass 12.4 1/0/2/0/0; not fail 12.4 0/1/0/0/0; errors 0"
is 'whatever bytes there are' "$(points hostile)" "ok pass 12.4 1/0/0/0/0; \
not fail 12.4 0/1/0/0/0; ok late 12.4 0/0/1/0/0; not error 12.4 0/0/0/1/0; \
ok skip skip 12.4 0/0/0/0/1; errors 0"

cat >blocks.py <<'TEXT'
import sys, textwrap, yaml

block = None
for line in open(sys.argv[1], encoding="utf-8", newline="\n"):
    if line == "  ---\n":
        block = ""
    elif line == "  ...\n":
        found = yaml.safe_load(textwrap.dedent(block))
        lines = found.get("details", "").split("\n")
        print(found["verdict"], type(found["wall_ms"]).__name__, len(lines) - 1, end="; ")
        block = None
    elif block is not None:
        block += line[2:]
    elif line.startswith(" "):
        sys.exit("a line outside of a block: " + line)
TEXT
is 'a YAML reader reads the blocks' "$($python blocks.py all.tap 2>&1)" \
    'pass float 0; fail float 11; late float 0; error float 0; skip float 0; pass float 0; '"\
fail float 507; "
is 'whatever bytes are in them' "$($python blocks.py hostile.tap 2>&1)" \
    'pass float 0; fail float 5; late float 5; error float 5; skip float 5; '

# JUnit.

cat >cases.py <<'TEXT'
import sys
from junitparser import JUnitXml, Error, Failure, Skipped

words = {Failure: "failure", Error: "error", Skipped: "skipped"}
for suite in JUnitXml.fromfile(sys.argv[1]):
    late = [p.name for p in suite.properties() if p.name.startswith("late.")]
    print(suite.tests, suite.failures, suite.errors, suite.skipped, suite.time, *late, end=":")
    counted = (suite.tests, suite.failures, suite.errors, suite.skipped)
    suite.update_statistics()
    if counted != (suite.tests, suite.failures, suite.errors, suite.skipped):
        print(" miscounted", end="")
    for case in suite:
        print("", "/".join(words[type(r)] for r in case.result) or "-", end="")
    print("; ", end="")
TEXT
for file in *.xml; do
    is "xmllint $file" "$(xmllint --noout "$file" 2>&1)" ''
done
is 'junitparser tells the verdicts apart' "$($python cases.py all.xml 2>&1)" \
    '7 2 1 1 0.0868 late.veth-et-ipv6: - failure - error skipped - failure; '
is 'junitparser reads whatever bytes' "$($python cases.py hostile.xml 2>&1)" \
    '5 1 1 1 0.062 late.veth-os-unix: - failure - error skipped; '
is 'runs that were not made are an error' "$($python cases.py bail.xml 2>&1)" \
    '1 0 0 0 0.0124: -; 1 0 1 0 0.0: error; '
is 'junitparser finds no suite' "$($python cases.py none.xml 2>&1)" ''
is 'a refusal is an error' "$($python cases.py usage.xml 2>&1)" '1 0 1 0 0.0: error; '
is 'or skipped' "$($python cases.py cannot.xml 2>&1)" '1 0 0 1 0.0: skipped; '

# JSON.

cat >valid.py <<'TEXT'
import copy, json, sys
from jsonschema import Draft7Validator

schema = json.load(open(sys.argv[1]))
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)

def documents(path):
    text = open(path, encoding="utf-8").read()
    return [json.loads(line) for line in text.splitlines()] if path.endswith(".jsonl") \
        else [json.loads(text)]

def objects(value):
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else \
            value if isinstance(value, list) else []:
        yield from objects(inner)

WRONG = [{}, [], None, "", -1, 1.5, True]

def mistakes(document):
    """Each object of a copy without one of its keys, with one more, or with a wrong value."""
    for index in range(len(list(objects(document)))):
        for key in list(list(objects(document))[index]) + ["other"]:
            wrong = copy.deepcopy(document)
            place = list(objects(wrong))[index]
            place.pop(key) if key in place else place.update({key: 1})
            yield key, wrong
            for value in WRONG:
                wrong = copy.deepcopy(document)
                list(objects(wrong))[index][key] = value
                yield (key, value), wrong

# What stays right: fields that need not be there, an int where a number is wanted, and so on.
def harmless(key):
    name, value = key if isinstance(key, tuple) else (key, None)
    if not isinstance(key, tuple):
        return name == "reason"
    return (value == "" and name in ("reason", "text")) \
        or (value == [] and name in ("diff", "failed_expectations", "left_over", "notes",
                                     "results")) \
        or (value == 1.5 and name.endswith("_ms")) \
        or (value == -1 and name == "worst_late_us")

seen = tried = wrong = 0
for path in sys.argv[2:]:
    for document in documents(path):
        seen += 1
        for error in validator.iter_errors(document):
            wrong += 1
            print(path, error.message[:200])
for path in ["result.json", "none.json", "error.jsonl", "usage.json", "usage.jsonl"] \
        if len(sys.argv) > 4 else []:
    for document in documents(path):
        for key, mistake in mistakes(document):
            tried += 1
            if validator.is_valid(mistake) and not harmless(key):
                wrong += 1
                print(path, "is valid with a mistake at", key)
print(seen, "valid," if not wrong else "tried,", tried, "mistakes")
TEXT
schema=$top/docs/result.schema.json
is 'every document is valid, and none with a mistake' \
    "$($python valid.py "$schema" ./*.json ./*.jsonl 2>&1)" '58 valid, 1056 mistakes'

# The program itself, with a scenario that nobody has blessed: it fails, for every reader.

make_scenario() {
    mkdir -p scenarios/greeting
    cat >scenarios/greeting/hello.scn <<'SCENARIO'
scenario greeting/hello
about    "Five bytes arrive."
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
SCENARIO
}

# tells ARGUMENTS...: its standard output; the exit status is in the file `status`.
tells() {
    EDGEWISE_SCENARIOS=scenarios "$build/edgewise" scenario greeting/hello --seed 7 "$@" \
        2>err </dev/null
    echo $? >status
}

asks_the_program() {
    tells --tap --junit real.xml >real.tap
    is '--tap' "$(cat status) $(points real | tr -d '0-9./' | tr -s ' ')" \
        '1 not fail ; not fail ; errors '
    is '--junit' "$(xmllint --noout real.xml 2>&1)$($python cases.py real.xml 2>&1 |
        sed 's/2 2 0 0 [0-9.]*/2 failed/')" '2 failed: failure failure; '
    tells --json >real.json
    tells --json-lines --repeat 2 >real.jsonl
    is '--json, --json-lines and result.json' "$($python valid.py "$schema" real.json real.jsonl)$(
        $python valid.py "$schema" out/greeting/hello/*/result.json)" \
        '8 valid, 0 mistakes2 valid, 0 mistakes'
    tells no/such --tap >real.tap
    is 'a refusal' "$(cat status) $(grep -c '^Bail out! ' real.tap)" '2 1'
}

make_scenario
tells --json >real.json
if [ "$(cat status)" -ne 4 ] && "$build/edgewise" scenario --help | grep -q -- --json-lines; then
    asks_the_program
fi

finish
