"""What one word of a command line may become, by the kind of word that its verb wants there.

Click is not loaded for it. What is offered is for a host, who may see all.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from events.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from events import Entry
    from games.contract import Game, Spoken
    from games.records import Field
    from ledger.cli.params import Param
    from ledger.cli.partial_line import Grammar, PartialLine
    from ledger.core.match import Match

MAX_ENTRIES = 24
"""So many entry numbers are offered, the newest."""
_SAFE = re.compile(r"[\w@%+.,:=/-][\w@%+.,:=/#-]*")
"""No candidate holds a sign that a shell would act on: an alias is what somebody typed."""


class WantsFile(Exception):
    """A file name is expected here: the shell knows better."""


class CompletionContext:
    """Where completion looks: the match that is meant, read when it is needed.

    Attributes:
        known: The match in memory, of a shell; None: it is read from disk.
    """

    def __init__(self, match_name: str | None = None, known: Match | None = None) -> None:
        self.match_name = match_name
        self.known = known

    def game(self) -> Game | None:
        """The game of the match, from its first line alone."""
        from ledger.core.outside import load
        from ledger.core.where import find_log, game_of

        try:
            name = game_of(find_log(self.match_name))
            return load(name) if name else None
        except LedgerError:
            return None

    def match(self) -> Match:
        """The match, folded when asked. Raises whatever is wrong with its log."""
        if self.known is None:
            from ledger.core.match import Match
            from ledger.core.where import find_log

            self.known = Match(find_log(self.match_name), local=True)
        return self.known


def spoken(game: Game | None, context: CompletionContext) -> Mapping[str, Spoken]:
    """The words that the file of the match makes verbs of."""
    try:
        return game.written.spoken(context.match().fold.state) if game and game.written else {}
    except Exception:  # as in `of_slot`
        return {}


def of_slot(slot: Param, known: Grammar, line: PartialLine, context: CompletionContext, part: str) -> list[str]:
    """Candidates for one word; none when the log cannot be read."""
    if slot.kind == "FILE":
        raise WantsFile
    try:
        if slot.field is None or known.cls is None:
            return _of_kind(slot.kind, line, context, part)
        typed = {param.name: word for param, word in zip(known.words, line.words, strict=False)}
        if (slot.field.arg.phrase or (slot.many and not slot.spelled)) and len(line.words) >= len(known.words):
            typed[slot.name] = " ".join(line.words[len(known.words) - 1 :])
        if line.begun:
            typed[slot.name] = " ".join(line.begun)
        return _of_field(context.match(), known.cls, slot.field, typed, part)
    except WantsFile:
        raise
    except Exception:  # a damaged or redacted log, a newer one, a hostile one
        return []


def _of_field(match: Match, cls: type, field: Field, typed: Mapping[str, str], part: str) -> list[str]:
    """Candidates for a field of an action, given the words before it."""
    from games.kinds import PLAYER
    from games.records import fields
    from games.table.actions import Override

    people = {f.name for f in fields(cls) if f.kind is PLAYER}
    words = {name: _player(match, word) if name in people else word for name, word in typed.items()}
    if field.many and field.kind is not None and field.kind.choices and "," in part:  # a list in one word
        head, _, begun = part.rpartition(",")
        return [f"{head},{word}" for word in _of_field(match, cls, field, typed, begun)]
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
    if field.name == "about":
        return _of_entries(match, part)
    return []


def _of_kind(kind: str, line: PartialLine, context: CompletionContext, part: str) -> list[str]:
    """Candidates for a word that its help names so."""
    match kind:
        case "GAME":
            from ledger.core.outside import names

            return fitting(names(), part)
        case "P" | "PLAYER":
            return _people(context.match(), part)
        case "P|public" | "P|public|host":
            return [*fitting(["host", "public"], part), *_people(context.match(), part)]
        case "HOST":
            return fitting(context.match().book.entries[0].body.args["hosts"], part)
        case "VERB":
            from games.table.actions import META_VERBS

            return fitting([*context.match().engine.actions, *sorted(META_VERBS)], part)
        case "SEQ":
            return _of_entries(context.match(), part)
        case "SEQ|round:NAME|TIME|now":
            return [*_of_entries(context.match(), part), *fitting(["now", *_resolved(context.match())], part)]
        case "MOMENT":
            moments = ["now", "known:", *_resolved(context.match())]
            words = [*_of_entries(context.match(), part), *fitting(moments, part)]
            if words or not part:
                return words
            raise WantsFile
        case "SEQ|P|final":
            match = context.match()
            words = fitting(["final", *_resolved(match)], part)
            return [*words, *_people(match, part), *_of_entries(match, part)]
        case "LIVE" | "UNDONE" | "AMENDABLE":
            return _of_entries(context.match(), part, kind, line)
        case "FIELD":
            return _of_amend(context.match(), line, part)
        case "SETTING":
            return _of_setting(context.match(), part) if part or not line.words else []
        case "KEY|all":
            return fitting(("all", *context.match().fold.state.table.assumptions), part)
        case "ITEM":
            return _of_outbox(context.match(), line.words, part)
        case _:
            return fitting(kind.split("|"), part) if "|" in kind else []


def _resolved(match: Match) -> list[str]:
    """`round:clubs` for each round that is resolved, in order."""
    ended = [o.live.args for o in match.fold.outcomes if o.live.do == "resolve" and o.refusal is None]
    return [f"round:{str(args.get('round')).removeprefix('round_')}" for args in ended]


def fitting(words: Iterable[str], part: str) -> list[str]:
    """Those that begin with what was typed, in any case, each once and in their order."""
    begun = part.casefold()
    return [w for w in dict.fromkeys(words) if w.casefold().startswith(begun) and _SAFE.fullmatch(w)]


def _people(match: Match, part: str, among: Iterable[str] = ()) -> list[str]:
    """All players, or those, whose id begins so; of the others the first name or alias that does."""
    table = match.fold.state.table
    people = tuple(among) or table.players
    spelled = table.directory().spelled()
    ids = fitting(people, part)
    others = {player: word for word in fitting(spelled, part) if (player := spelled[word]) not in ids}
    return [*ids, *(others[player] for player in people if player in others)]


def _player(match: Match, typed: str) -> str:
    try:
        return match.table.directory().find(typed)
    except LedgerError:
        return typed


def _of_entries(match: Match, part: str, kind: str = "SEQ", line: PartialLine | None = None) -> list[str]:
    """Numbers of entries, the newest first."""
    from ledger.record.corrections import can_be_struck

    marks = match.fold.marks
    mark = "#" if part.startswith("#") else ""
    host = line.host_name if line else None

    def fits(entry: Entry) -> bool:
        if kind == "SEQ":
            return True
        if kind == "UNDONE":
            return entry.seq in marks.undone or entry.seq in marks.struck
        if entry.seq in marks.struck or (line and line.verb == "confirm" and entry.body.by == host):
            return False
        return can_be_struck(match, entry) and (kind != "AMENDABLE" or entry.body.do in match.engine.actions)

    words = (f"{mark}{entry.seq}" for entry in reversed(match.book.entries) if fits(entry))
    return list(itertools.islice((word for word in words if word.startswith(part)), MAX_ENTRIES))


def _of_amend(match: Match, line: PartialLine, part: str) -> list[str]:
    """`take=` of the entry to be amended, or `take=B9`."""
    from games.records import fields
    from ledger.core.live import as_live

    entry = match.book.entries[int(line.words[0].removeprefix("#")) - 1]
    live = as_live(entry, match.fold.marks, match.fold.layout)
    cls = match.engine.actions[live.do]
    known = {field.name: field for field in fields(cls) if not field.arg.hidden}
    name, eq, begun = part.partition("=")
    if not eq:
        taken = {word.partition("=")[0] for word in line.words[1:]}
        return fitting((f"{key}=" for key in (*known, "at") if key not in taken), part)
    if (field := known.get(name.replace("-", "_"))) is None:
        return []
    before, comma, last = begun.rpartition(",") if field.many else ("", "", begun)
    others = {key: str(value) for key, value in live.args.items() if key != name}
    return [f"{name}={before}{comma}{word}" for word in _of_field(match, cls, field, others, last)]


def _of_setting(match: Match, part: str) -> list[str]:
    """`er_metric=`, or `er_metric=count`; what it is now comes first: typing that confirms an assumption."""
    from games.table.settings import LEVELS, known

    settings = known(match.game.settings, match.game.has)
    lines = [f"visibility.{key}" for key in match.game.visibility]
    name, eq, begun = part.partition("=")
    if not eq:
        return fitting((f"{key}=" for key in (*settings, *lines)), part)
    now = match.fold.state.table.settings
    if name in lines:
        return [f"{name}={w}" for w in fitting([now["visibility"][name.partition(".")[2]], *LEVELS], begun)]
    field = settings[name]
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
    """What a setting may be, where it can be listed; of a list what is not in it yet."""
    if field.base is bool:
        return ["true", "false"]
    if get_origin(field.base) is Literal:
        return [word for word in map(str, get_args(field.base)) if word not in before.split(",")]
    return []


def _of_outbox(match: Match, words: Sequence[str], part: str) -> list[str]:
    """The texts that wait; after `undo` those that are marked."""
    from ledger.tell.outbox import outbox

    verb, texts = words[0], outbox(match)
    if verb == "list" or (len(words) > 1 and verb not in ("done", "drop", "post")):
        return []
    if verb == "undo":
        return fitting([*texts.sent, *texts.claims], part)
    names = [item.name for item in texts.waiting if item.name not in (*words, *texts.claims)]
    return fitting([*names, *(["all"] if verb in ("done", "drop") and len(words) == 1 else [])], part)
