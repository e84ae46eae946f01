# SPDX-License-Identifier: BSD-2-Clause
#
# tidy.sh's rules about the text of C files. Writes RULE, file, line, name and text, by tabs.

BEGIN {
    function_lines_max = 70
    file_lines_max = 600
    defects_max = 12

    arrows["core"] = " core "
    arrows["netns"] = " netns "
    arrows["pcaps"] = " pcaps "
    arrows["sim"] = " sim core "
    arrows["harness"] = " harness sim netns pcaps core "
    arrows["examples"] = " examples core "

    instead["sleep"] = instead["usleep"] = "wait for a condition with a limit"
    instead["system"] = instead["popen"] = "fork and exec with an argument list"
    instead["strcpy"] = instead["strcat"] = "memcpy or snprintf with a checked size"
    instead["sprintf"] = instead["vsprintf"] = "snprintf"
    instead["gets"] = "getline or read with a bound"
    instead["strtok"] = "strcspn and strspn, or strtok_r"
    instead["atoi"] = instead["atol"] = "strtol or strtoull with its end and range checked"
    instead["alloca"] = "an array of fixed size"
    instead["clock_gettime"] = instead["gettimeofday"] = instead["time"] = "now as an argument"
    instead["rand"] = instead["random"] = instead["srand"] = "a seeded generator handed in"
}

function finding(rule, name, text) { at_line(FNR, rule, name, text) }
function at_line(line, rule, name, text) {
    printf "%s\t%s\t%d\t%s\t%s\n", rule, file, line, name, text
}

# The line without comments and with empty strings; comment stays set across lines.
function code_of(text,    out, i, c, two, quote) {
    out = ""
    quote = ""
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        two = substr(text, i, 2)
        if (comment) {
            if (two == "*/") { comment = 0; i++ }
        } else if (quote != "") {
            if (c == "\\") i++
            else if (c == quote) { quote = ""; out = out c }
        } else if (two == "/*") { comment = 1; i++ }
        else if (two == "//") break
        else {
            if (c == "\"" || c == "'") quote = c
            out = out c
        }
    }
    return out
}

function start_file() {
    file = FILENAME
    folder = file
    sub(/\/.*/, "", folder)
    is_header = file ~ /\.h$/
    comment = 0
    guard = file
    sub(/\.h$/, "_H", guard)
    gsub(/[^A-Za-z0-9]/, "_", guard)
    guard = "EDGEWISE_" toupper(guard)
    guard_seen = 0
    function_name = ""
    depth = 0
    declaring = 0
    commented = 0
    shared = 0
    if ($0 != "/* SPDX-License-Identifier: BSD-2-Clause */")
        finding("spdx", "-", "no licence line; /* SPDX-License-Identifier: BSD-2-Clause */ first")
}

function end_file() {
    if (file == "") return
    if (lines > file_lines_max)
        at_line(lines, "long-file", "-", lines " lines; at most " file_lines_max ", so two nouns")
    if (is_header && guard_seen < 2)
        at_line(1, "guard", "-", "no include guard; #ifndef " guard " and its #define")
}

function check_include(    target) {
    if ($0 !~ /^[ ]*#[ ]*include[ ]*"/) return
    target = $0
    sub(/^[^"]*"/, "", target)
    sub(/".*/, "", target)
    if (target !~ /\//) {
        finding("include", target, "\"" target "\" is not from the root; \"folder/" target "\"")
        return
    }
    sub(/\/.*/, "", target)
    if (folder in arrows && !index(arrows[folder], " " target " "))
        finding("arrow", target, folder " must not know " target "; it knows only:" arrows[folder])
}

# Tests, the two tables of system calls and a file named for it may ask what time it is.
function clock_allowed() {
    return folder == "tests" || file ~ /^(core\/os_linux|harness\/sys_linux|.*clock)\.c$/
}

function check_calls(code,    name) {
    if (code !~ /\(/) return
    for (name in instead) {
        if (code !~ ("(^|[^A-Za-z0-9_.>])" name "[ ]*\\(")) continue
        if (instead[name] ~ /^now/ && clock_allowed()) continue
        finding("banned", name, "call of " name "; " instead[name])
    }
}

function check_defect(code) {
    if (folder == "tests" || code ~ /^#[ ]*define/) return
    if (code !~ /(^|[^A-Za-z0-9_])DEFECT\(/) return
    if (++defects > defects_max)
        finding("defects", "-", "DEFECT mark number " defects "; at most " defects_max)
}

# A function is what stands between "{" and "}" in the first column.
function check_function(code,    length_now) {
    if (code ~ /^\{/) {
        function_name = candidate
        function_line = FNR
    } else if (code ~ /^}/ && function_name != "") {
        length_now = FNR - function_line - 1
        if (length_now > function_lines_max)
            at_line(function_line, "long-function", function_name, function_name " has " \
                length_now " lines; at most " function_lines_max)
        function_name = ""
    } else if (code ~ /^[A-Za-z_].*\(/) {
        candidate = code
        sub(/[ ]*\(.*/, "", candidate)
        sub(/.*[^A-Za-z0-9_]/, "", candidate)
    }
}

# In a header a function's prototype has a comment in the line before it; prototypes without
# an empty line between them share one.
function check_comment(code,    name, opens, closes) {
    if (depth == 0 && !declaring && code ~ /^[A-Za-z_]/) {
        declaring = 1
        declaration = ""
        declaration_line = FNR
        declaration_commented = commented || shared
    }
    if (declaring && code !~ /^#/) declaration = declaration " " code
    opens = gsub(/\{/, "{", code)
    closes = gsub(/\}/, "}", code)
    depth += opens - closes
    if (declaring && (code ~ /;[ ]*$/ || opens > 0)) {
        declaring = 0
        name = declaration
        if (opens == 0 && name ~ /\(/ && name !~ /^ (typedef|_Static_assert)/ && name !~ /=/) {
            while (sub(/__attribute__[ ]*\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", name)) {}
            sub(/[ ]*\(.*/, "", name)
            sub(/.*[^A-Za-z0-9_]/, "", name)
            shared = declaration_commented
            if (!shared)
                at_line(declaration_line, "comment", name, \
                    name " has no comment; purpose, units, errors, ownership right before it")
        }
    }
}

FNR == 1 { end_file(); start_file() }
{
    lines = FNR
    code = code_of($0)
    check_include()
    check_calls(code)
    check_defect(code)
    check_function(code)
    if (is_header) {
        if ($0 == "#ifndef " guard || $0 == "#define " guard) guard_seen++
        check_comment(code)
        commented = $0 ~ /\*\/[ ]*$/ || $0 ~ /^[ ]*\/\//
        if ($0 == "") shared = 0
    }
}
END { end_file() }
