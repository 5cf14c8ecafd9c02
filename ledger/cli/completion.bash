# bash completion of hl: eval "$(hl completion bash)" in ~/.bashrc, or save this as
# ~/.local/share/bash-completion/completions/hl
%(complete_func)s() {
    local words=() glue= word= out type line i last=${COMP_WORDS[COMP_CWORD]} IFS=$'\n'
    # bash takes key=value and 18:42 apart; put together what belongs together
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#words[@]})) && [[ $glue || $word == [=:]* ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        if [[ $word == *[!=:]* || -z $word ]]; then glue=; else glue=1; fi
    done
    COMPREPLY=()
    [[ $last == *[!=:]* ]] || last=
    i=$((${#words[${#words[@]}-1]} - ${#last}))
    out=$(COMP_WORDS="${words[*]}" %(complete_var)s=bash_complete "${COMP_WORDS[0]/#\~/$HOME}" 2>/dev/null)
    while IFS=, read -r type line; do
        [[ $type == plain ]] && COMPREPLY+=("${line:$i}")
        [[ $type == file ]] && compopt -o default 2>/dev/null
        [[ $line == *= ]] && compopt -o nospace 2>/dev/null
    done <<<"$out"
    return 0
}
complete -o nosort -F %(complete_func)s hl host-ledger 2>/dev/null ||
    complete -F %(complete_func)s hl host-ledger
