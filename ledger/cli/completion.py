"""Completions for a word that is being typed, and the scripts by which a shell asks for them.

They are for hosts, who may see everything. Errors stay silent: an unreadable log just gives no completions.
Source: docs/decisions/0061-verbs-are-click-commands.md.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from typing import Any, Literal, TypeAlias, get_args, get_origin

import click
from click.shell_completion import CompletionItem, FishComplete, ShellComplete, ZshComplete

from events.disk import folder_of, in_folder
from events.errors import LedgerError
from games.kinds import PLAYER
from games.records import Field, fields
from games.table.actions import META_VERBS, Override
from games.table.settings import LEVELS, known
from ledger.core.effective import as_effective
from ledger.core.logs import find_log, is_found
from ledger.core.match import Match
from ledger.core.outside import names as game_names

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[Any]]
VARIABLE = "_HL_COMPLETE"
MAX_ENTRIES = 24
COLORS = ("auto", "always", "never")


class Looking:
    """Replaces the `App` for each Tab, at lower cost: the match as it is on this machine, without any output."""

    def __init__(self, match_name: str | None = None, known: Match | None = None) -> None:
        self.match_name, self.known = match_name, known
        self.host_name: str | None = None
        self.begun: Sequence[str] = ()
        self._at_first = match_name

    def log(self) -> str:
        return find_log(self.match_name)

    @property
    def has_match(self) -> bool:
        return is_found(self.log)

    @property
    def match(self) -> Match:
        if self.known is None or self.match_name != self._at_first:
            self.known, self._at_first = Match(self.log(), local=True), self.match_name
        return self.known


def fitting(words: Iterable[str], part: str) -> list[str]:
    begun = part.casefold()
    safe = r"[\w@%+.,:=/-][\w@%+.,:=/#-]*"  # safe for a shell: aliases are free text
    return [w for w in dict.fromkeys(words) if w.casefold().startswith(begun) and re.fullmatch(safe, w)]


# ---- kinds of words ------------------------------------------------------------------------------------------------


def _completer(offer: Callable[[Any, str], list[Any]]) -> Completer:
    return lambda ctx, param, part: offer(ctx.obj, part)


def _any_of(words: Callable[[Any], Iterable[str]]) -> Completer:
    """A completer that offers the fitting ones of the words computed from `ctx.obj`."""
    return _completer(lambda app, part: fitting(words(app), part))


def choices(*words: str) -> Completer:
    return _any_of(lambda app: words)


files = _completer(lambda app, part: [CompletionItem(part, type="file")])  # the shell knows better
games = _any_of(lambda app: game_names())
colors = choices(*COLORS)
hosts = _any_of(lambda app: app.match.book.entries[0].body.args["hosts"])
kinds_of_entries = _any_of(lambda app: [*app.match.engine.actions, *sorted(META_VERBS)])
assumed = _any_of(lambda app: ("all", *app.match.fold.state.table.assumptions))
players = _completer(lambda app, part: _people(app.match, part))
audiences = _completer(lambda app, part: [*fitting(["host", "public"], part), *_people(app.match, part)])
entries = _completer(lambda app, part: _numbers(app.match, part))
undone = _completer(
    lambda app, part: _numbers(app.match, part, {*app.match.fold.marks.undone, *app.match.fold.marks.struck})
)
live = _completer(lambda app, part: _numbers(app.match, part, _live(app.match)))
points = _completer(lambda app, part: [*_numbers(app.match, part), *fitting(["now", *_resolved(app.match)], part)])


def _live(match: Match) -> set[int]:
    struck = match.fold.marks.struck
    return {entry.seq for entry in match.book.entries if entry.seq not in struck and match.can_be_struck(entry)}


@_completer
def of_another_host(app: Any, part: str) -> list[str]:
    mine = {entry.seq for entry in app.match.book.entries if entry.body.by == app.host_name}
    return _numbers(app.match, part, _live(app.match) - mine)


@_completer
def moments(app: Any, part: str) -> list[Any]:
    words = [*_numbers(app.match, part), *fitting(["now", "known:", *_resolved(app.match)], part)]
    return words if words or not part else [CompletionItem(part, type="file")]


@_completer
def explained(app: Any, part: str) -> list[str]:
    words = fitting(["final", *_resolved(app.match)], part)
    return [*words, *_people(app.match, part), *_numbers(app.match, part)]


def _resolved(match: Match) -> list[str]:
    ended = [o.entry.args for o in match.fold.outcomes if o.entry.do == "resolve" and o.refusal is None]
    return [f"round:{str(args.get('round')).removeprefix('round_')}" for args in ended]


def _people(match: Match, part: str, among: Iterable[str] = ()) -> list[str]:
    """Ids that begin with `part`, of all players or those in `among`; for the others, a name or alias that does."""
    table = match.fold.state.table
    people = tuple(among) or table.players
    spelled = table.directory().spelled()
    ids = fitting(people, part)
    others = {player: word for word in fitting(spelled, part) if (player := spelled[word]) not in ids}
    return [*ids, *(others[player] for player in people if player in others)]


def _numbers(match: Match, part: str, among: Container[int] | None = None) -> list[str]:
    mark = "#" if part.startswith("#") else ""
    seqs = (entry.seq for entry in reversed(match.book.entries) if among is None or entry.seq in among)
    return list(islice((word for word in (f"{mark}{seq}" for seq in seqs) if word.startswith(part)), MAX_ENTRIES))


# ---- fields of an action, settings -----------------------------------------------------------------------------------


def of_field(cls: type, field: Field, ctx: click.Context, param: click.Parameter, part: str) -> list[str]:
    """Completions for a field of an action, given the words before it."""
    places = {place.name for place in fields(cls) if place.in_place}
    typed = {name: _joined(value) for name, value in ctx.params.items() if name in places and value}
    if param.nargs > 1 and ctx.obj.begun:
        typed[field.name] = " ".join(ctx.obj.begun)
    return field_words(ctx.obj.match, cls, field, typed, part)


def _joined(value: Any) -> str:
    return " ".join(map(_joined, value)) if isinstance(value, tuple) else str(value)


def field_words(match: Match, cls: type, field: Field, typed: Mapping[str, str], part: str) -> list[str]:
    """Completions for a field of an action.

    Args:
        typed: The words of the other fields.
    """
    people = {f.name for f in fields(cls) if f.kind is PLAYER}
    words = {name: _player(match, word) if name in people else word for name, word in typed.items()}
    if field.many and field.kind is not None and field.kind.choices and "," in part:  # a comma-separated list
        head, _, begun = part.rpartition(",")
        return [f"{head},{word}" for word in field_words(match, cls, field, typed, begun)]
    likely = match.game.suggest(match.fold.state, cls, field.name, words)
    if field.kind is PLAYER:
        return _people(match, part, likely) or _people(match, part)
    if likely:
        return fitting(likely, part)
    if cls is Override and field.name == "field":
        return fitting(match.game.fields, part)
    if field.kind is not None:
        return fitting(field.kind.choices, part)
    if get_origin(field.base) is Literal:
        return fitting(map(str, get_args(field.base)), part)
    return _numbers(match, part) if field.name == "about" else []


def _player(match: Match, typed: str) -> str:
    try:
        return match.table.directory().find(typed)
    except LedgerError:
        return typed


def amended_fields(ctx: click.Context, param: click.Parameter, part: str) -> list[str]:
    """Completions for the entry to amend, then for its fields (`take=`) and their values (`take=B9`)."""
    match, words = ctx.obj.match, ctx.params["words"] or ()
    if not words:
        actions = {entry.seq for entry in match.book.entries if entry.body.do in match.engine.actions}
        return _numbers(match, part, _live(match) & actions)
    entry = match.book.entries[int(words[0].removeprefix("#")) - 1]
    action = as_effective(entry, match.fold.marks, match.fold.layout)
    cls = match.engine.actions[action.do]
    by_name = {field.name: field for field in fields(cls) if not field.arg.hidden}
    name, eq, begun = part.partition("=")
    if not eq:
        taken, (named, place) = {word.partition("=")[0] for word in words}, match.file_words(action)
        return fitting((f"{key}=" for key in (*named, *by_name, "at") if key not in {*taken, place}), part)
    if (field := by_name.get(name.replace("-", "_"))) is None:
        return []
    before, comma, last = begun.rpartition(",") if field.many else ("", "", begun)
    others = {key: str(value) for key, value in action.args.items() if key != name}
    return [f"{name}={before}{comma}{word}" for word in field_words(match, cls, field, others, last)]


def settings(ctx: click.Context, param: click.Parameter, part: str) -> list[Any]:
    """Completions like `er_metric=` and `er_metric=count`. The present value comes first: it confirms an assumption."""
    if ctx.params["setting"] and not part:
        return ctx.command.shell_complete(ctx, part)
    match = ctx.obj.match
    by_name = known(match.game.settings, match.game.has)
    lines = [f"visibility.{key}" for key in match.game.visibility]
    name, eq, begun = part.partition("=")
    if not eq:
        return fitting((f"{key}=" for key in (*by_name, *lines)), part)
    now = match.fold.state.table.settings
    if name in lines:
        return [f"{name}={w}" for w in fitting([now["visibility"][name.partition(".")[2]], *LEVELS], begun)]
    field = by_name[name]
    before, comma, last = begun.rpartition(",") if field.many else ("", "", begun)
    present = _as_typed(now[name])
    words = [*([present] if present and not comma else []), *_values(field, before)]
    return [f"{name}={before}{comma}{word}" for word in fitting(words, last)]


def _as_typed(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) if all(isinstance(item, (int, str)) for item in value) else ""
    return str(value) if isinstance(value, (int, str)) else ""


def _values(field: Field, before: str) -> list[str]:
    if field.base is bool:
        return ["true", "false"]
    if get_origin(field.base) is Literal:
        return [word for word in map(str, get_args(field.base)) if word not in before.split(",")]
    return []


# ---- the shells ------------------------------------------------------------------------------------------------------


def candidates(root: click.Command, words: Sequence[str], app: Looking) -> list[CompletionItem]:
    *before, part = words
    name, eq, _ = part.partition("=")
    inside = f"{name}=" if eq and name[:2] == "--" else ""
    app.begun = [*takewhile(lambda word: word[:1] != "-", reversed(before))][::-1]
    try:
        items = ShellComplete(root, {"obj": app}, "hl", VARIABLE).get_completions(before, part)
    except Exception:  # a damaged or redacted log, a newer one, a hostile one
        return []
    return [CompletionItem(inside + item.value, item.type, item.help) for item in items]


def answer(root: click.Command, instruction: str) -> int:
    """Print what a shell's script asked for. Never fails, and prints nothing to standard error."""
    shell = SHELLS.get(instruction.removesuffix("_complete"))
    with suppress(BaseException):
        if shell is not None:
            sys.stdout.write(shell(root, {}, "hl", VARIABLE).complete() + "\n")
            sys.stdout.flush()
    return 0


class _OurComplete(ShellComplete):
    """Reads the request of the shell's script, and offers what `candidates` returns."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return candidates(self.cli, [*args, incomplete], Looking())


class _Zsh(_OurComplete, ZshComplete):
    def source(self) -> str:
        return (
            '# zsh completion of hl: eval "$(hl completion zsh)" in ~/.zshrc, after compinit\n'
            + super().source().rstrip("\n")
            + "\ncompdef _hl_completion host-ledger\n"
        )


class _Fish(_OurComplete, FishComplete):
    def source(self) -> str:
        head = "# fish completion of hl: hl completion fish > ~/.config/fish/completions/hl.fish\n"
        return head + super().source().rstrip("\n") + "\ncomplete --command host-ledger --wraps hl\n"


class _Lines(_OurComplete):
    """The shell passes the words one per line, the last one unfinished. Its script is a file in this folder."""

    file = ""

    def source(self) -> str:
        with open(in_folder(folder_of(__file__), self.file), encoding="utf-8") as script:
            return script.read() % self.source_vars()

    def get_completion_args(self) -> tuple[list[str], str]:
        *before, part = os.environ.get("COMP_WORDS", "").split("\n")
        return [*map(_bare, before)], _bare(part)

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value}"


def _bare(word: str) -> str:
    """A word as bash passes it, without the quotes that it was typed in."""
    return word.replace("\\", "").strip("\"'") if word[:1] in "\"'" or "\\" in word else word


class _Bash(_Lines):
    name, file = "bash", "completion.bash"


class _PowerShell(_Lines):
    name, file = "powershell", "completion.ps1"


SHELLS: Mapping[str, type[_OurComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish, "powershell": _PowerShell}


def script(root: click.Command, shell: str) -> str:
    return SHELLS[shell](root, {}, "hl", VARIABLE).source()
