"""The words of the verbs that no action record describes, for completion: it must answer before click could be loaded.

One line a verb, like a usage line. A word is what stands in place, `...` after it: any number of them. `--at=` is an
option with a value, `--yes` one without. What a value may be: `a|b` these words, a name in capitals what
`ledger/cli/complete.py` makes of it, nothing: a text. tests/test_completion.py compares this with the commands.
"""

from __future__ import annotations

_SOME = "--note= --once= -n/--dry-run -y/--yes --json"
WRITE = f"--at= --msg= --again --force {_SOME}"
"""Of every verb that records."""
_JSON = "-f/--format=text|json"
_READ = (
    "--for=AUDIENCE --as-of=WHEN --known=ENTRY "
    "-f/--format=text|discord|md|html|svg|png|json -o/--output=FILE --overwrite --copy"
)  # fmt: skip
_HOSTS = f"--for=AUDIENCE --as-of=WHEN --known=ENTRY {_JSON} -o/--output=FILE --overwrite --copy"

LOOKUP = _HOSTS
"""Of every verb of a game that only looks."""

USAGE: dict[str, str] = {
    "games": _JSON,
    "template": "GAME",
    "new": "FILE --from=FILE --after=FILE -n/--dry-run --json",
    "demo": "GAME --into=FILE",
    "assumptions": _JSON,
    "rules": _JSON,
    "deal": f"--from=FILE {WRITE}",
    "amend-setting": f"SETTING {WRITE}",
    "undo": f"LIVE {_SOME}",
    "redo": f"UNDONE {_SOME}",
    "amend": f"AMENDABLE FIELD... {_SOME}",
    "confirm": f"LIVE {_SOME}",
    "status": _READ,
    "waiting": f"--check {_HOSTS}",
    "log": f"--player=PLAYER --kind=DO --live --since= --until= {_HOSTS}",
    "show": f"ENTRY {_HOSTS}",
    "explain": f"EXPLAINED {_HOSTS}",
    "board": _READ,
    "scores": _READ,
    "view": _READ,
    "outbox": f"next|done|drop|list ITEM --copy -n/--dry-run --json {_JSON}",
    "drift": _JSON,
    "remind": _JSON,
    "reveal": f"ROUND {_READ}",
    "summary": f"PLAYER --all --news {_READ}",
    "final": _READ,
    "verify": f"--receipt= --receipts=FILE --signers=FILE --full {_JSON}",
    "audit": f"FILE... -j/--jobs= {_JSON}",
    "redact": "--for=AUDIENCE -o/--output=FILE --overwrite",
    "replay": f"--html=FILE --audiences=AUDIENCE --step {_HOSTS}",
    "diff": f"MOMENT MOMENT --check --for=AUDIENCE {_JSON} -o/--output=FILE --overwrite --copy",
    "evidence": f"FILE... --check {_JSON} -o/--output=FILE --overwrite --copy",
    "export": "--only=facts|scores|transfers --for=AUDIENCE --as-of=WHEN --known=ENTRY "
    "-f/--format=csv|json -o/--output=FILE --overwrite --copy",
    "receipt": f"--sign=FILE --accept -y/--yes {_JSON}",
    "anchor": f"LINK ENTRY {_SOME}",
    "run": "FILE --keep-going",
    "import": "FILE --map=FILE --again --force -n/--dry-run -y/--yes --json",
    "join": "FILE -n/--dry-run -y/--yes --json",
    "completion": "bash|zsh|fish",
    "shell": "--plain",
    "doctor": _JSON,
}
GLOBAL = "-g/--match=FILE --as=HOST --color=auto|always|never --no-input"
"""Of every verb, before it or after."""
