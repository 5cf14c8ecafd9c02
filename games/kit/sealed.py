"""Sealed rounds: each player has one sheet a round, secret until all are resolved, replaceable until the deadline.

Two kinds of game stand on this. Valid as a whole: a sheet that breaks a rule is refused and the last one stays. Valid
item by item: every sheet is kept and its bad items are blank. This module keeps the sheets and says which one counts;
what is on them, and which kind it is, is the game's; opening and closing rounds is `games/table/rounds.py`.
Source: season S-9, S-10, S-G1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

from events.errors import Refused
from events.instants import Instant
from events.record import NamedTuple
from games.kinds import Player, digits

Standing: TypeAlias = Literal["submitted", "blank", "silent"]
BREAK = "break"
"""The phase between two rounds, where the next one opens by itself."""


class Submission(NamedTuple):
    """One submission as it is kept. `content` None: a blank on purpose, or a withdrawal."""

    seq: int
    at: Instant
    content: Any
    kind: Literal["sheet", "blank", "withdrawn"]
    late: bool
    parts: tuple[str, ...] | None = None
    """Of an addition: the kinds of items that it puts in place of those before. None: a whole sheet."""


class Round(NamedTuple):
    """One round of sealed submissions. Every sheet is kept, also those that no longer count."""

    name: str
    opened: Instant
    closed: Instant | None = None
    """Since when submissions are late."""
    sheets: Mapping[str, tuple[Submission, ...]] = {}
    admitted: frozenset[int] = frozenset()
    """Entries of late sheets that count: by a ruling, or because the end was moved behind them."""
    held: Mapping[str, int] = {}
    """The garnets of each player when submissions ended."""


class RoundOpened(NamedTuple):
    """A phase that takes submissions begins at `at` and lasts until `ends`, or until a host ends it."""

    round: str
    at: Instant
    ends: Instant | None


class SheetSealed(NamedTuple):
    """A sheet, a blank or a withdrawal came in. What it says is nobody's but the player's and the hosts'."""

    player: Player
    sheet: Submission
    round: str


class LateAdmitted(NamedTuple):
    """A late sheet counts: a ruling lets it, or the end was moved behind it."""

    player: Player
    seq: int
    round: str
    by: Literal["ruling", "end"] = "ruling"


class SheetDropped(NamedTuple):
    """A whole sheet took the place of another, and these items of that are not on it."""

    player: Player
    round: str
    items: tuple[str, ...]
    seq: int
    """The entry of the new sheet."""
    adds: bool
    """Could it be recorded as an addition?"""


class SubmissionsClosed(NamedTuple):
    """The deadline has passed, or a host closed: what comes later is late. `garnets`: what each held then."""

    round: str
    at: Instant
    garnets: tuple[tuple[str, int], ...]


class RoundResolved(NamedTuple):
    """All submissions of the round were opened at once."""

    round: str


SealedFact: TypeAlias = RoundOpened | SheetSealed | SheetDropped | LateAdmitted | SubmissionsClosed | RoundResolved
OWN: tuple[type, ...] = get_args(SealedFact)


def called(name: str) -> str:
    """What a round is called in a sentence.

    >>> called("power"), called("round_3"), called("pregame"), called("bids_2")
    ('the power round', 'round 3', 'the pregame', 'the bids 2 round')
    """
    if name.startswith("round_"):
        return f"round {name.removeprefix('round_')}"
    return f"the {name}" if name in ("pregame", "vote", BREAK) else f"the {name.replace('_', ' ')} round"


def meant(typed: str) -> str:
    """The name of the round that somebody typed: rounds that are counted go by their number.

    >>> meant("3"), meant(" Power ")
    ('round_3', 'power')
    """
    word = typed.strip().lower()
    return word if digits(word) is None else f"round_{word}"


def is_late(round_: Round, grace_seconds: int, at: Instant) -> bool:
    """Did it come after the deadline and its grace? Intervals are half-open. Source: S-G1."""
    return round_.closed is not None and at >= round_.closed + grace_seconds * 1000


def sealed(round_: Round, fact: SheetSealed) -> Round:
    kept = (*round_.sheets.get(fact.player, ()), fact.sheet)
    return round_._replace(sheets={**round_.sheets, fact.player: kept})


def admitted(round_: Round, fact: LateAdmitted) -> Round:
    return round_._replace(admitted=round_.admitted | {fact.seq})


def admit_all(round_: Round) -> list[LateAdmitted]:
    """What follows for late sheets from an end that lies ahead: every sheet so far lies before it. Source: S-G1."""
    return [
        LateAdmitted(player, sheet.seq, round_.name, "end")
        for player, sheets in round_.sheets.items()
        for sheet in sheets
        if sheet.late and sheet.seq not in round_.admitted
    ]


def counted(round_: Round, player: str) -> tuple[Submission, ...]:
    """A player's sheets in time or admitted, in order; a game may take the last of each kind of thing they say."""
    return tuple(s for s in round_.sheets.get(player, ()) if not s.late or s.seq in round_.admitted)


def counting(round_: Round, player: str) -> Submission | None:
    """The sheet that counts: the last whole one in time or admitted, with what was added to it since, in fold order.

    A withdrawal takes the one before it away; what is added to nothing is the sheet.
    """
    current: Submission | None = None
    for sheet in counted(round_, player):
        if sheet.kind == "withdrawn":
            current = None
        elif sheet.parts is None or current is None or current.content is None:
            current = sheet
        else:
            added = {name: getattr(sheet.content, name) for name in sheet.parts}
            current = sheet._replace(content=current.content._replace(**added))
    return current


def up_to(round_: Round, player: str, seq: int | None = None) -> Round:
    """The round with a player's sheets up to entry `seq` (None: all); the last counts, also where it is late."""
    sheets = round_.sheets.get(player, ())
    kept = sheets[: next((i for i, sheet in enumerate(sheets, 1) if sheet.seq == seq), len(sheets))]
    last = frozenset(sheet.seq for sheet in kept[-1:])
    return round_._replace(sheets={**round_.sheets, player: kept}, admitted=round_.admitted | last)


def content(round_: Round, player: str) -> Any:
    """What counts of a player's submission; None for a blank or nothing."""
    sheet = counting(round_, player)
    return None if sheet is None else sheet.content


def contents(round_: Round) -> dict[str, Any]:
    """Player -> what counts of the submission, for those of whom anything does."""
    return {p: sheet for p in round_.sheets if (sheet := content(round_, p)) is not None}


def standing(round_: Round, player: str) -> Standing:
    """Whether a player has submitted, has said that nothing will come, or is silent."""
    sheet = counting(round_, player)
    if sheet is None:
        return "silent"
    return "blank" if sheet.kind == "blank" else "submitted"


def late_sheet(round_: Round, seq: int) -> tuple[str, Submission]:
    """The late sheet that is entry `seq`.

    Raises:
        Refused: `sealed.not_late`, when it is none of this round.
    """
    for player, sheets in round_.sheets.items():
        for sheet in sheets:
            if sheet.seq == seq and sheet.late and seq not in round_.admitted:
                return player, sheet
    raise Refused("sealed.not_late", f"entry {seq} is no late submission of {called(round_.name)}", "hl log")


def not_counted(facts: Iterable[Any], name: str | None = None) -> list[SheetSealed]:
    """The late sheets of one round (None: of all) that do not count, in the order of a whole match's `facts`."""
    both = (fact for fact in facts if isinstance(fact, (SheetSealed, LateAdmitted)))
    of_round = [fact for fact in both if name is None or fact.round == name]
    counts = {fact.seq for fact in of_round if isinstance(fact, LateAdmitted)}
    sheets = (fact for fact in of_round if isinstance(fact, SheetSealed))
    return [fact for fact in sheets if fact.sheet.late and fact.sheet.seq not in counts]
