# SPDX-License-Identifier: BSD-2-Clause
# bash completion for edgewise, and for ./run in a checkout.
# shellcheck shell=bash disable=SC2207 # words hold no blanks

_edgewise_lists() { # OPTION PROGRAM: the words that it takes
    case $1 in
    --world) echo 'veth sim all' ;;
    --trigger) echo 'et lt os' ;;
    --family) echo 'ipv4 ipv6 unix pipe' ;;
    --case) echo 'readiness framing cancellation all' ;;
    --mode) echo exact ;;
    --defect) "$2" list --defects --json 2>/dev/null | sed -n 's/^ *"defect": "\(.*\)",$/\1/p' ;;
    esac
}

_edgewise_options() { # PROGRAM VERB: from the program's own help
    "$1" help "$2" 2>/dev/null | grep -o -- '--[a-z-]*' | sort -u
}

_edgewise_names() { # PROGRAM: scenarios and topics
    local names
    names=$("$1" list --names 2>/dev/null) || return
    printf '%s\n' all "$names"
    printf '%s\n' "$names" | sed 's,/.*,,' | sort -u
}

_edgewise() {
    local program=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local verb=${COMP_WORDS[1]} verbs='scenario list model doctor clean help'
    COMPREPLY=()
    # In a checkout nothing is built for a completion.
    if [[ ${program##*/} == run ]]; then
        program=${program%run}build/edgewise
        verbs="$verbs test"
    fi
    if ((COMP_CWORD == 1)) || [[ $verb == help ]]; then
        COMPREPLY=($(compgen -W "$verbs" -- "$word"))
        return
    fi
    case $before in
    --world | --trigger | --family | --defect | --case | --mode)
        COMPREPLY=($(compgen -W "$(_edgewise_lists "$before" "$program")" -- "$word"))
        return
        ;;
    --out)
        COMPREPLY=($(compgen -d -- "$word"))
        return
        ;;
    --junit)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    -j | --jobs | --repeat | --retries | --seed | --set | --skip-code | --timeout) return ;;
    --source | --h | --quantum | --attempts | --eintr | --eof | --fatal | --late | --limit | \
        --script | --capacity | --payload-max | --frames | --frame-attempts | --frame-bytes | \
        --events) return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_edgewise_options "$program" "$verb")" -- "$word"))
    elif [[ $verb == scenario || $verb == list ]]; then
        COMPREPLY=($(compgen -W "$(_edgewise_names "$program")" -- "$word")
            $(compgen -f -X '!*.scn' -- "$word"))
    fi
}

complete -F _edgewise edgewise ./run
