"""`hl completion bash|zsh|fish|powershell`: the script that asks `hl __complete`.

Each script hands on the words up to the cursor and shows what comes back, in that order; with exit code 5 it completes
a file name instead. What belongs here: what differs between shells. What does not: which words there are (complete.py).
"""

from __future__ import annotations

from events.errors import Unreadable
from games.kinds import shown
from ledger.cli.app import App
from ledger.render.safe import verbatim

BASH = r"""# bash completion of hl: eval "$(hl completion bash)" in ~/.bashrc, or save this as
# ~/.local/share/bash-completion/completions/hl
_hl() {
    local words=() glue= word= out line i last=${COMP_WORDS[COMP_CWORD]}
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
    if out=$("${COMP_WORDS[0]/#\~/$HOME}" __complete "${words[@]}" 2>/dev/null); then
        while IFS= read -r line; do
            [[ $line ]] && COMPREPLY+=("${line:$i}")
            [[ $line == *= ]] && compopt -o nospace 2>/dev/null
        done <<<"$out"
    else
        compopt -o default 2>/dev/null
    fi
    return 0
}
complete -o nosort -F _hl hl host-ledger 2>/dev/null || complete -F _hl hl host-ledger
"""
ZSH = r"""#compdef hl host-ledger
# zsh completion of hl: hl completion zsh > "${fpath[1]}/_hl", or eval "$(hl completion zsh)" after compinit
_hl() {
    local out
    local -a ask found open_
    ask=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    out=$("${words[1]/#\~/$HOME}" __complete "${ask[@]}" 2>/dev/null) || { _files; return }
    found=("${(@f)out}")
    open_=("${(@M)found:#*=}")
    found=("${(@)found:#*=}")
    found=("${(@)found:#}")
    (( $#open_ )) && compadd -V hl -S '' -M 'm:{a-zA-Z}={A-Za-z}' -- "${open_[@]}"
    (( $#found )) && compadd -V hl -M 'm:{a-zA-Z}={A-Za-z}' -- "${found[@]}"
    return 0
}
if [[ ${funcstack[1]} == _hl ]]; then _hl "$@"; else compdef _hl hl host-ledger; fi
"""
FISH = r"""# fish completion of hl: hl completion fish > ~/.config/fish/completions/hl.fish
function __hl_complete
    set -l words (commandline -opc)
    set -l part (commandline -ct)
    set -l command $words[1]
    set -e words[1]
    set -l found ($command __complete $words "$part" 2>/dev/null)
    or begin
        __fish_complete_path "$part"
        return
    end
    printf '%s\n' $found
end
complete -c hl -f -k -a '(__hl_complete)'
complete -c host-ledger -f -k -a '(__hl_complete)'
"""
POWERSHELL = r"""# PowerShell completion of hl: hl completion powershell >> $PROFILE, then start PowerShell anew
Register-ArgumentCompleter -Native -CommandName @('hl', 'host-ledger') -ScriptBlock {
    param($word, $ast, $cursor)
    $done = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } |
        ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.Extent.Text } })
    # before 7.3 an empty word is lost on its way to a program
    $part = if ($word -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { $word }
    $command = $ast.CommandElements[0].Extent.Text
    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [Text.Encoding]::UTF8
        $found = @(& $command __complete @done $part 2>$null)
        $code = $LASTEXITCODE
    } finally {
        [Console]::OutputEncoding = $encoding
    }
    if ($code -ne 0) {
        return [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
    }
    foreach ($line in $found) {
        $text = if ($line -match '^[\w./:=+-]+$') { $line } else { "'" + $line.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $line, 'ParameterValue', $line)
    }
}
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH, "powershell": POWERSHELL}


def do_completion(app: App, shell: str) -> None:
    if shell not in SCRIPTS:
        raise Unreadable(
            "completion.shell", f"there is no completion for {shown(shell)}", f"one of: {' '.join(SCRIPTS)}"
        )
    app.out(verbatim(SCRIPTS[shell].rstrip("\n")))
