"""What the public was told of a match that an adversary plays in, and what a receipt pins."""

from __future__ import annotations

from typing import Any, NamedTuple

from ledger.core.match import Match

# ---- what the public was told --------------------------------------------------------------------------------------


class Told(NamedTuple):
    """Something the public was told, and the line from which it follows."""

    what: Any
    line: str
    """Hash."""
    seqs: frozenset[int]
    step: int


class Pinned(NamedTuple):
    """A draw as it counted when a receipt of its line, or of a later one, was published."""

    value: Any
    seqs: frozenset[int]
    step: int


class Known:
    """What the stranger holds. Only ever grows."""

    def __init__(self) -> None:
        self.texts: list[Told] = []
        """`what`: the lines of it, without the receipt."""
        self.named: set[tuple[str, str]] = set()
        self.corrected: dict[str, int] = {}
        """Line of a text -> the step that posted a correction of it."""
        self.receipts: dict[str, int] = {}
        """Receipt -> the step that published it."""
        self.commitments: list[Told] = []
        self.words: list[Told] = []
        """`what`: (player, text)."""
        self.pinned: dict[Any, Pinned] = {}
        self.finals: list[Told] = []

    def copy(self) -> Known:
        made = Known()
        for name, value in vars(self).items():
            setattr(made, name, value.copy())
        return made


def draws(match: Match) -> dict[Any, tuple[Any, frozenset[int]]]:
    """Every draw that counts, with the entries it stands in; the hands are those with which play begins."""
    found: dict[Any, tuple[Any, frozenset[int]]] = {}
    hands: dict[str, tuple[str, ...]] = {}
    seqs: set[int] = set()
    deals = 0
    begun = False
    for outcome in match.fold.outcomes:
        if outcome.refusal is not None:
            continue
        live = outcome.entry
        do, args = live.do, live.args
        if do == "hand":
            hands[args["player"]] = tuple(sorted(args["cards"]))
            seqs.add(live.seq)
        elif do == "deal":
            found["deal", deals] = (dict(hands), frozenset({*seqs, live.seq}))
            hands, seqs, deals = {}, set(), deals + 1
        elif do == "open":
            begun = True
        elif do == "override" and args["field"] == "hand" and deals == 1 and not begun:
            dealt, its = found["deal", 0]
            found["deal", 0] = ({**dealt, args["player"]: tuple(sorted(args["value"].split()))}, its | {live.seq})
        elif do == "lot":
            found["lot", match.book.entries[live.seq - 1].hash] = (args["outcome"], frozenset({live.seq}))
            for fact in outcome.facts:
                if about := getattr(fact, "about", ""):
                    found["decision", about, frozenset(args["among"])] = (args["outcome"], frozenset({live.seq}))
        elif do == "draw" and "item" in args:
            found["draw", args["item"]] = (tuple(args["drawn"]), frozenset({live.seq}))
        elif do == "draw":
            found["draw", 0] = ((args["banker"], tuple(args["seats"])), frozenset({live.seq}))
        elif do == "resolve" and args.get("drawn"):
            found["resolve", args["round"]] = (tuple(args["drawn"]), frozenset({live.seq}))
    return found
