"""`hl __complete WORD...`: what the word that is being typed may become, one candidate a line.

Belongs here: reading a half-typed command line, and looking candidates up. Does not belong here: the scripts that ask
(completion.py). It has to feel instant, so neither click nor the validator is loaded: the fold trusts the args that the
chain covers. It never fails aloud: what cannot be read is not completed. What it prints is for a host, who may see all.
"""

from __future__ import annotations

import itertools
import re
import sys
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from events.errors import LedgerError
from events.record import NamedTuple
from ledger.cli.commands import ALONE, GLOBAL, LOOKUP, VERBS, Param, of_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from events import Entry
    from games.contract import Game, Spoken
    from games.records import Field
    from ledger.core.match import Match

FILE_WANTED = 5
"""Exit code that tells the shell's script to complete a file name instead."""
NEWEST = 24
"""At most so many entry numbers are offered."""
_SAFE = re.compile(r"[\w@%+.,:=/-][\w@%+.,:=/#-]*")
"""No candidate holds a sign that a shell would act on: an alias is what somebody typed."""


class WantsFile(Exception):
    """A file name is expected here: the shell knows better."""


class Grammar(NamedTuple):
    """What a verb takes."""

    words: tuple[Param, ...]
    """In place."""
    options: Mapping[str, Param]
    """By every spelling."""
    cls: type | None = None
    """The record whose fields they are."""


class Half(NamedTuple):
    """A half-typed command line, taken apart."""

    verb: str | None
    words: tuple[str, ...]
    """After the verb, in place."""
    used: frozenset[str]
    """Options that stand there."""
    option: Param | None
    """The option whose value is being typed."""
    begun: tuple[str, ...]
    """The words of that value so far."""
    host_name: str | None


class Here:
    """Where completion looks: the match that is meant, read when it is needed.

    Attributes:
        known: The match in memory, of a shell; None: it is read from disk.
    """

    def __init__(self, match_name: str | None = None, known: Match | None = None) -> None:
        self.match_name = match_name
        self.known = known

    def log(self) -> str:
        """The path of the log.

        Raises:
            Unreadable: there is no match here.
        """
        from ledger.core.where import find_log

        return find_log(self.match_name)

    def game(self) -> Game | None:
        """The game of the match, from its first line alone."""
        from ledger.core.outside import load
        from ledger.core.where import game_of

        try:
            name = game_of(self.log())
            return load(name) if name else None
        except LedgerError:
            return None

    def match(self) -> Match:
        """The match, folded when asked. Raises whatever is wrong with its log."""
        if self.known is None:
            from ledger.core.match import Match

            self.known = Match(self.log(), trust=True)
        return self.known


def main(words: list[str]) -> int:
    """Print the candidates; the exit code. Nothing ever goes to stderr."""
    try:
        found = candidates([_bare(word) for word in words] or [""], Here())
        sys.stdout.write("".join(f"{word}\n" for word in found))
        sys.stdout.flush()
    except WantsFile:
        return FILE_WANTED
    except BaseException:
        return 0
    return 0


def _bare(word: str) -> str:
    """A word as bash hands it on, without the quotes it was typed in."""
    return word.replace("\\", "").strip("\"'") if word[:1] in "\"'" or "\\" in word else word


def candidates(words: list[str], here: Here) -> list[str]:
    """What the last of `words` (after `hl`) may become.

    Raises:
        WantsFile: a file name is expected.
    """
    *before, part = words
    if (named := match_named(before)) is not None:
        here = Here(named)
    game = here.game()
    half = take_apart(before, lambda name: grammar(name, game))
    if half.verb is None and half.option is None and not part.startswith("-"):
        return _fitting((*verbs(game), *_spoken(game, here)), part)
    if half.verb and half.verb not in verbs(game) and (one := _spoken(game, here).get(half.verb)) is not None:
        from games.records import kebab

        half = half._replace(verb=kebab(one.action), words=(*one.first, *half.words))
    known = grammar(half.verb or "", game)
    if half.option is not None:
        return _of_slot(half.option, known, half, here, part)
    if part[:1] == "-" and not part[1:2].isdigit():
        name, eq, begun = part.partition("=")
        if eq and (slot := known.options.get(name)) is not None and slot.metavar:
            return [f"{name}={word}" for word in _of_slot(slot, known, half, here, begun)]
        return _fitting(_options(known, half), part)
    listed = known.words
    if half.verb is None or not listed or (len(half.words) >= len(listed) and not listed[-1].many):
        return _fitting(_options(known, half), part)
    return _of_slot(listed[min(len(half.words), len(listed) - 1)], known, half, here, part)


def _spoken(game: Game | None, here: Here) -> Mapping[str, Spoken]:
    """The words that the file of the match makes verbs of."""
    try:
        return game.written.spoken(here.match().fold.state) if game and game.written else {}
    except Exception:  # as in `_of_slot`
        return {}


def match_named(words: list[str]) -> str | None:
    """The value of `-g`, wherever it stands."""
    for i, word in enumerate(words):
        name, eq, value = word.partition("=")
        if name in ("-g", "--match"):
            return value if eq else next(iter(words[i + 1 :]), None)
    return None


def take_apart(words: Iterable[str], known: Callable[[str], Grammar]) -> Half:
    """Verb, words and options of a command line whose last word is not among `words`."""
    verb, listed, used = None, list[str](), set[str]()
    host: str | None = None
    grammar, source = known(""), iter(words)
    option: Param | None = None
    begun: tuple[str, ...] = ()
    for word in source:
        option, begun = None, ()
        name, eq, value = word.partition("=")
        if word == "--":
            listed += source
        elif word[:1] == "-" and word[1:2] and not word[1].isdigit():
            used.add(name)
            slot = grammar.options.get(name)
            if eq or slot is None or not slot.metavar:
                given: tuple[str, ...] = (value,)
            else:
                given = tuple(itertools.islice(source, slot.words))
                option, begun = (slot, given) if len(given) < slot.words else (None, ())
            if name == "--as" and given:
                host = given[0]
        elif verb is None:
            verb, grammar = word, known(word)
        else:
            listed.append(word)
    return Half(verb, tuple(listed), frozenset(used), option, begun, host)


# ---- what a verb takes -------------------------------------------------------------------------------------------


def verbs(game: Game | None) -> list[str]:
    """The game's verbs with their synonyms, then the shared ones."""
    from games.records import kebab

    own = [*(kebab(cls) for cls in game.actions), *(one.verb for one in game.lookups)] if game else []
    return [*own, *(game.synonyms if game else ()), *VERBS]


def grammar(verb: str, game: Game | None) -> Grammar:
    """What a verb takes; of "" the options of all, of an unknown one also words that nobody knows."""
    cls, takes = action_of(verb, game), tuple[Param, ...]()
    if verb in VERBS:
        takes = VERBS[verb].takes
    elif cls is not None:
        takes = of_record(cls)
    elif game and any(one.verb == verb for one in game.lookups):
        takes = LOOKUP
    elif verb:
        takes = (Param("WORD..."),)
    options: dict[str, Param] = {}
    for one in (*takes, *GLOBAL, *((Param("--help"),) if verb else ALONE)):
        for name in one.spelled:
            options.setdefault(name, one)  # `--as` may be the verb's own
    return Grammar(tuple(one for one in takes if not one.spelled), options, cls)


def action_of(verb: str, game: Game | None) -> type | None:
    """The action record of a verb, a synonym included."""
    from games.records import kebab
    from games.table.actions import TYPED

    wanted = game.synonyms.get(verb, verb) if game else verb
    return next((cls for cls in (*(game.actions if game else ()), *TYPED) if kebab(cls) == wanted), None)


def _options(known: Grammar, half: Half) -> list[str]:
    """The options that do not stand there yet, and those that may stand there again."""
    return [name for name, one in known.options.items() if name not in half.used or one.many or one.count]


# ---- candidates --------------------------------------------------------------------------------------------------


def _of_slot(slot: Param, known: Grammar, half: Half, here: Here, part: str) -> list[str]:
    """Candidates for one word; none when the log cannot be read."""
    if slot.kind == "FILE":
        raise WantsFile
    try:
        if slot.field is None or known.cls is None:
            return _of_kind(slot.kind, half, here, part)
        typed = {one.name: word for one, word in zip(known.words, half.words, strict=False)}
        if (slot.field.arg.phrase or slot.many) and len(half.words) >= len(known.words):
            typed[slot.name] = " ".join(half.words[len(known.words) - 1 :])
        if half.begun:
            typed[slot.name] = " ".join(half.begun)
        return _of_field(here.match(), known.cls, slot.field, typed, part)
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
        return _fitting(likely, part)
    if cls is Override and field.name == "field":
        return _fitting(match.game.fields, part)
    if field.kind is not None:
        return _fitting(field.kind.choices, part)
    if get_origin(field.base) is Literal:
        return _fitting(map(str, get_args(field.base)), part)
    if field.name == "about":
        return _of_entries(match, part)
    return []


def _of_kind(kind: str, half: Half, here: Here, part: str) -> list[str]:
    """Candidates for a word that its help names so."""
    match kind:
        case "GAME":
            from ledger.core.outside import names

            return _fitting(names(), part)
        case "P" | "PLAYER":
            return _people(here.match(), part)
        case "P|public" | "P|public|host":
            return [*_fitting(["host", "public"], part), *_people(here.match(), part)]
        case "HOST":
            return _fitting(here.match().book.entries[0].body.args["hosts"], part)
        case "VERB":
            from games.table.actions import ABOUT_THE_LOG

            return _fitting([*here.match().engine.actions, *sorted(ABOUT_THE_LOG)], part)
        case "SEQ":
            return _of_entries(here.match(), part)
        case "SEQ|round:NAME|TIME|now":
            return [*_of_entries(here.match(), part), *_fitting(["now", *_resolved(here.match())], part)]
        case "MOMENT":
            match_ = here.match()
            rounds = _resolved(match_)
            words = [*_of_entries(match_, part), *_fitting(["now", "known:", *rounds], part)]
            if words or not part:
                return words
            raise WantsFile
        case "SEQ|P|final":
            match_ = here.match()
            words = _fitting(["final", *_resolved(match_)], part)
            return [*words, *_people(match_, part), *_of_entries(match_, part)]
        case "LIVE" | "UNDONE" | "AMENDABLE":
            return _of_entries(here.match(), part, kind, half)
        case "FIELD":
            return _of_amend(here.match(), half, part)
        case "SETTING":
            return _of_setting(here.match(), part) if part or not half.words else []
        case "KEY|all":
            return _fitting(("all", *here.match().fold.state.table.assumptions), part)
        case "ITEM":
            return _of_outbox(here.match(), half.words, part)
        case _:
            return _fitting(kind.split("|"), part) if "|" in kind else []


def _resolved(match: Match) -> list[str]:
    """`round:clubs` for each round that is resolved, in order."""
    ended = [o.live.args for o in match.fold.outcomes if o.live.do == "resolve" and o.refusal is None]
    return [f"round:{str(args.get('round')).removeprefix('round_')}" for args in ended]


def _fitting(words: Iterable[str], part: str) -> list[str]:
    """Those that begin with what was typed, in any case, each once and in their order."""
    begun = part.casefold()
    return [w for w in dict.fromkeys(words) if w.casefold().startswith(begun) and _SAFE.fullmatch(w)]


def _people(match: Match, part: str, among: Iterable[str] = ()) -> list[str]:
    """All players, or those, whose id begins so; of the others the first name or alias that does."""
    table = match.fold.state.table
    people = tuple(among) or table.players
    spelled = table.directory().spelled()
    ids = _fitting(people, part)
    others = {player: word for word in _fitting(spelled, part) if (player := spelled[word]) not in ids}
    return [*ids, *(others[player] for player in people if player in others)]


def _player(match: Match, typed: str) -> str:
    try:
        player: str = match.fold.state.table.directory().find(typed)
        return player
    except LedgerError:
        return typed


def _of_entries(match: Match, part: str, kind: str = "SEQ", half: Half | None = None) -> list[str]:
    """Numbers of entries, the newest first."""
    from ledger.record.corrections import can_be_struck

    said = match.fold.marks if kind != "SEQ" else None
    mark = "#" if part.startswith("#") else ""
    host = half.host_name if half else None

    def meant(entry: Entry) -> bool:
        if said is None:
            return True
        if kind == "UNDONE":
            return entry.seq in said.undone or entry.seq in said.struck
        if entry.seq in said.struck or (half and half.verb == "confirm" and entry.body.by == host):
            return False
        return can_be_struck(match, entry) and (kind != "AMENDABLE" or entry.body.do in match.engine.actions)

    def numbers() -> Iterator[str]:
        left = NEWEST
        for entry in reversed(match.book.entries):
            word = f"{mark}{entry.seq}"
            if word.startswith(part) and meant(entry):
                yield word
                left -= 1
                if not left:
                    return

    return list(numbers())


def _of_amend(match: Match, half: Half, part: str) -> list[str]:
    """`take=` of the entry to be amended, or `take=B9`."""
    from games.records import fields
    from ledger.core.replay import as_live

    entry = match.book.entries[int(half.words[0].removeprefix("#")) - 1]
    live = as_live(entry, match.fold.marks, match.fold.layout)
    cls = match.engine.actions[live.do]
    known = {field.name: field for field in fields(cls) if not field.arg.hidden}
    name, eq, begun = part.partition("=")
    if not eq:
        taken = {word.partition("=")[0] for word in half.words[1:]}
        return _fitting((f"{field}=" for field in (*known, "at") if field not in taken), part)
    if (meant := known.get(name.replace("-", "_"))) is None:
        return []
    before, comma, last = begun.rpartition(",") if meant.many else ("", "", begun)
    others = {key: str(value) for key, value in live.args.items() if key != name}
    return [f"{name}={before}{comma}{word}" for word in _of_field(match, cls, meant, others, last)]


def _of_setting(match: Match, part: str) -> list[str]:
    """`er_metric=`, or `er_metric=count`; what it is now comes first: typing that confirms an assumption."""
    from games.table.settings import LEVELS, known

    settings = known(match.game.settings)
    lines = [f"visibility.{key}" for key in match.game.visibility]
    name, eq, begun = part.partition("=")
    if not eq:
        return _fitting((f"{key}=" for key in (*settings, *lines)), part)
    now = match.fold.state.table.settings
    if name in lines:
        return [f"{name}={w}" for w in _fitting([now["visibility"][name.partition(".")[2]], *LEVELS], begun)]
    field = settings[name]
    before, comma, last = begun.rpartition(",") if field.many else ("", "", begun)
    present = _as_typed(now[name])
    words = [*([present] if present and not comma else []), *_values(field, before)]
    return [f"{name}={before}{comma}{word}" for word in _fitting(words, last)]


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

    what, found = words[0], outbox(match)
    if what == "list" or (len(words) > 1 and what not in ("done", "drop", "post")):
        return []
    if what == "undo":
        return _fitting([*found.sent, *found.claims], part)
    listed = [item.name for item in found.waiting if item.name not in (*words, *found.claims)]
    return _fitting([*listed, *(["all"] if what in ("done", "drop") and len(words) == 1 else [])], part)
