# PowerShell completion of hl: hl completion powershell >> $PROFILE, then start it anew
Register-ArgumentCompleter -Native -CommandName @('hl', 'host-ledger') -ScriptBlock {
    param($word, $ast, $cursor)
    $done = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } |
        ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.Extent.Text } })
    $command = $ast.CommandElements[0].Extent.Text
    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [Text.Encoding]::UTF8
        $env:COMP_WORDS = (@($done) + $word) -join "`n"
        $env:%(complete_var)s = 'powershell_complete'
        $found = @(& $command 2>$null)
    } finally {
        [Console]::OutputEncoding = $encoding
        Remove-Item 'env:COMP_WORDS', 'env:%(complete_var)s'
    }
    foreach ($line in $found) {
        $type, $text = $line -split ',', 2
        if ($type -eq 'file') {
            return [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
        }
        if (-not $text) { continue }
        $typed = if ($text -match '^[\w./:=+-]+$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $text)
    }
}
