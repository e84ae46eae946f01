#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The rules of style and structure, as a test.
#
#   tests/tidy.sh [ROOT [BUILD]]      BUILD holds obj/ of the plain build (default ROOT/build)
#
# Prints "file:line: what; what would be right [rule]" for each finding; exit 1 if there is any.
# ROOT/tests/tidy.allow lists what is let through: RULE FILE NAME REASON...

# shellcheck disable=SC2016 # $ in quotes is for awk
set -u
export LC_ALL=C
here=$(cd -- "$(dirname -- "$0")" && pwd)
build=$(cd -- "${2:-${1:-.}/build}" 2>/dev/null && pwd) || build=/nonexistent
cd -- "${1:-.}" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Whatever is ours and text.
find . \( -name .git -o -path ./build -o -path ./out -o -path ./tests/fuzz/corpus \) -prune -o \
    -type f ! -name '*.pcap' ! -name '*.pcapng' ! -name '*.bin' -print |
    sed 's,^\./,,' | sort >"$work/files"
grep '\.[ch]$' "$work/files" >"$work/sources"

# check_lines: what can be told from the text of the C files alone.
check_lines() {
    [ -s "$work/sources" ] || return 0
    tr '\n' '\0' <"$work/sources" | xargs -0 awk -f "$here/tidy.awk"
}

# The rules for every text file: leftovers, and paths that exist on one machine only.
check_words() {
    tr '\n' '\0' <"$work/files" | xargs -0 awk '
    function finding(rule, name, text) {
        printf "%s\t%s\t%d\t%s\t%s\n", rule, FILENAME, FNR, name, text
    }
    /(^|[^A-Za-z_])(TOD[O]|FIXM[E]|XX[X]|HAC[K])([^A-Za-z_]|$)/ {
        finding("leftover", "-", "a leftover mark; do it, or say why the code is as it is")
    }
    /\/wor[k]\/|\/tm[p]\/brief|\/hom[e]\/[a-z]|\/roo[t]\// {
        finding("machine-path", "-", "a path of one machine; a path from the root of the tree")
    }
    { columns = $0; gsub(/[\200-\277]/, "", columns) }
    FILENAME ~ /(\.(c|h|sh|awk)|^run|\/run)$/ && length(columns) > 100 {
        finding("long-line", "-", length(columns) " columns; at most 100")
    }
    FILENAME !~ /\.(events|wire|patch)$/ && /[ \t\r]$/ {
        finding("trailing-space", "-", "space at the end; none")
    }
    FILENAME ~ /(\.(c|h|sh|awk|scn)|^run|\/run)$/ && /\t/ {
        finding("tab", "-", "a tab; 4 spaces")
    }'
}

check_built() {
    while read -r file; do
        case $file in
        tests/fuzz/fuzz_*.c | tests/bench/bench_*.c | tests/support/*.c | examples/*.c) continue ;;
        tests/container/*.c | tests/breaking/failing.c) continue ;;
        tests/*/test_*.c) continue ;;
        core/*.c | sim/*.c | netns/*.c | pcaps/*.c | harness/*.c)
            [ -e "$build/obj/${file%.c}.o" ] && continue
            ;;
        *.c) ;;
        *) continue ;;
        esac
        printf 'unbuilt\t%s\t1\t-\t%s\n' "$file" \
            'nothing builds this file; a folder and name that the Makefile knows, then make'
    done <"$work/sources"
}

# symbols NM-OPTIONS...: "SOURCE SYMBOL" for the objects of the sources that exist.
symbols() {
    while read -r source; do
        object=$build/obj/${source%.c}.o
        case $source in
        core/*.c | sim/*.c | netns/*.c | pcaps/*.c | harness/*.c)
            [ ! -e "$object" ] || printf '%s\0' "$object"
            ;;
        esac
    done <"$work/sources" | xargs -0 -r nm -A "$@" |
        awk -v skip="${#build}" '{
            source = substr($0, skip + 6)
            sub(/\.o:.*/, ".c", source)
            print source, $NF
        }'
}

# at_symbol RULE TEXT: turns "SOURCE SYMBOL" into findings where the symbol stands.
at_symbol() {
    while read -r source symbol; do
        line=$(grep -n -w "$symbol" "$source" | head -n 1)
        line=${line%%:*}
        printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$source" "${line:-1}" "$symbol" "$symbol $2"
    done
}

check_prefixes() {
    symbols -g --defined-only | awk '{
        prefix = $1
        sub(/.*\//, "", prefix)
        sub(/\.c$/, "", prefix)
        if ($2 != prefix && index($2, prefix "_") != 1 && $0 != "harness/main.c main") print
    }' | at_symbol prefix 'is visible outside; static, or a name that begins with the file name'
}

# The pure part calls no clock, socket, thread, file or allocator.
check_purity() {
    symbols -g --defined-only | awk '$1 ~ /^(core|sim)\// { print $2 }' >"$work/own"
    symbols -u | awk -v own="$work/own" '
    BEGIN {
        while ((getline symbol < own) > 0) fine[symbol] = 1
        fine["__stack_chk_fail"] = fine["__assert_fail"] = fine["_GLOBAL_OFFSET_TABLE_"] = 1
        pure = "^(core/(identity|ready|reader|budget|frame|credit|writer|timer"
        pure = pure "|pool|request[a-z_]*)\\.c|sim/)"
    }
    $1 !~ pure || $2 in fine { next }
    $2 ~ /^str(n?dup|signal|error)$/ { print; next }
    $2 !~ /^(mem[a-z]*|str[a-z]*|__(mem|str)[a-z]*_chk)$/ { print }' |
        at_symbol impure 'in a pure file; an argument, a result or the os table in its place'
}

# The findings that tests/tidy.allow does not name; an entry must have a reason and a use.
filter_allowed() {
    allow=tests/tidy.allow
    [ -e "$allow" ] || allow=/dev/null
    awk -v allow="$allow" '
    BEGIN {
        FS = "\t"
        while ((getline line < allow) > 0) {
            at++
            if (line ~ /^[ ]*(#|$)/) continue
            words = split(line, word, / +/)
            if (words < 4) {
                complain(at, "no reason")
                continue
            }
            place[word[1], word[2], word[3]] = at
        }
    }
    function complain(line, what) {
        printf "%s:%d: %s; ", allow, line, what
        print "RULE FILE NAME REASON... of a finding that exists [allow]"
        count++
    }
    ($1, $2, $4) in place { used[$1, $2, $4] = 1; next }
    { printf "%s:%d: %s [%s]\n", $2, $3, $5, $1; count++ }
    END {
        for (entry in place) if (!(entry in used)) complain(place[entry], "an entry without a use")
        exit count > 0
    }'
}

{
    check_lines
    check_words
    check_built
    check_prefixes
    check_purity
} | sort -t "$(printf '\t')" -k 2,2 -k 3,3n -k 1,1 | uniq >"$work/findings"
filter_allowed <"$work/findings"
