"""Freeform: what a file draws is committed to, drawn again by a second program, and dealt to those who are here.

Source: docs/log-format.md, Randomness; docs/decisions/0032; issue "Freeform", rounds and draws.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from events import Body, LogFile
from games.freeform import draws
from games.kit import luck
from games.parts import Draw
from games.parts.rules import source_of
from ledger.audit.verify import verify
from tests.support.host import Host

ROOT = Path(__file__).resolve().parents[2]
FILE = """
game = "freeform"
hosts = ["mara"]
[players]
ann = {}
bob = {}
cyd = {}
[items]
guild = { values = ["north", "south", "east"], draw = "one each", seen_by = "owner", final = "everybody" }
charm = { values = "1..30", draw = "deal 2", seen_by = "owner", final = "everybody" }
trap = { values = "1..9", draw = "order", seen_by = "hosts", secret = true }
[sheets.bid]
fields = { much = "number" }
"""


def check_deal(log: Path) -> str:
    """What the program in docs/ says, which knows no game."""
    spec = importlib.util.spec_from_file_location("check_deal", ROOT / "docs" / "check_deal.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.main(log))


class Desk(Host):
    """A match of that file, and what a host types."""

    def __call__(self, line: str, code: int = 0) -> str:
        return self.hl(*(line.split("|") if "|" in line else line.split()), code=code).text

    def all(self, *lines: str) -> None:
        """Each line; `{replace}` stands for the number of the last such entry."""
        for line in lines:
            numbers = {entry.body.do: entry.seq for entry in self.match.book.entries}
            yes = " --yes" if line.split()[0] in ("drop", "replace", "undo", "amend", "redo") else ""
            self(line.format(**numbers) + yes)

    def drawn(self, item: str) -> list[Any]:
        """What each draw of these cards came to, in the order of the log."""
        bodies = (entry.body for entry in self.match.book.entries)
        return [body.args["drawn"] for body in bodies if body.do == "draw" and body.args["item"] == item]

    def checked(self) -> str:
        """What the program in docs/ says of it."""
        return check_deal(self.path / "log.jsonl")

    def codes(self) -> list[str]:
        return [finding.code for finding in verify(str(self.path / "log.jsonl")).findings]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch).new(FILE)


def test_what_was_committed_to_fixes_every_draw(desk: Desk) -> None:
    """Words are closed by the first draw; made again after an undo, each comes out alike; both programs agree."""
    desk("commit")
    desk("word ann rain")
    desk("draw guild")
    desk("word bob late", code=3)
    desk("draw charm")
    for _ in "ab":
        desk("undo --yes")
        desk("draw charm")
    first, *again = desk.drawn("charm")
    assert again == [first, first] and desk.codes() == []
    assert desk.checked().count("is its seed's") == 2 and "REPLACED" not in desk.checked()
    args = desk.match.book.entries[-1].body.args
    assert args["draw"]["label"] == "charm" and args["draw"]["to"] == ["ann", "bob", "cyd"] and "seed" not in args
    assert "draw.at" in desk("draw guild --at -1m", code=3)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("commit", "word ann a", "undo 8 --yes", "undo 6 --yes", "commit", "draw guild"), "replaces that of entry"),
        (("commit", "draw guild", "undo --yes", "draw|guild|--drawn|ann east, bob east, cyd east"), "was typed in"),
        (("commit", "draw guild", "undo --yes", "undo 6 --yes", "draw guild"), ""),
    ],
)
def test_what_replaces_it_is_told(desk: Desk, lines: tuple[str, ...], why: str) -> None:
    """A host may replace what was published; everybody is told at once, and it is a finding until one rules on it."""
    told = "".join(desk(line) for line in lines)
    assert desk.codes() == (["draw.replaced"] if why else [])
    assert ("REPLACED" in desk.checked()) is bool(why) and why in desk.checked()
    assert (
        "in place of those that were drawn or committed to" in told or "was replaced by another one" in told
    ) is bool(why)
    if why:
        seq = next(finding.line for finding in verify(str(desk.path / "log.jsonl")).findings)
        desk(f"ruling|the wrong file|--about|{seq}")
        assert desk.codes() == []


def test_a_draw_that_was_forged_is_found(desk: Desk) -> None:
    """Other cards under the name of the commitment; words left out; something typed in its place by an amendment."""
    desk("commit")
    desk("word ann a")
    desk("draw guild")
    last = "north" if "cyd east" in desk.drawn("guild")[0] else "east"
    forged = ["ann east", "bob east", f"cyd {last}"]  # not what the seed gave
    assert "drawn from what the commitment fixed" in desk(f"amend|9|drawn={', '.join(forged)}", code=3)
    body = desk.match.book.entries[-1].body
    for change in ({"drawn": forged}, {"words": []}):
        desk("undo --yes")
        with LogFile(desk.path / "log.jsonl").writing() as writer:
            writer.append([body._replace(at=2**41, recorded=2**41, args={**body.args, **change})])
        assert set(desk.codes()) & {"draw.other", "draw.replaced"}
        assert "WRONG" in desk.checked() or "REPLACED" in desk.checked()


def test_a_deal_passes_over_those_who_left(desk: Desk) -> None:
    """Nobody who has left is dealt cards; a drop that is recorded late, as of before the deal, undoes no deal."""
    desk("drop bob")
    desk("draw charm")
    state = desk.match.fold.state
    assert [len(state.cards("charm", p)) for p in ("ann", "bob", "cyd", "deck")] == [2, 0, 2, 26]
    assert desk.codes() == []
    hands = [state.cards("charm", p) for p in ("ann", "cyd")]
    desk("drop cyd --at -1m --yes")
    state = desk.match.fold.state
    assert [state.cards("charm", p) for p in ("ann", "cyd")] == hands and desk.codes() == []


def test_nothing_fixes_what_is_secret(desk: Desk) -> None:
    """Nobody was promised anything of it: it is drawn from a seed of its own, and shows in nothing of the others."""
    desk("draw trap")
    desk("commit")
    desk("draw guild")
    desk("draw charm")
    args = next(e.body.args for e in desk.match.book.entries if e.body.args.get("item") == "trap")
    assert "seed" in args and "commitment" not in args and "label" not in args["draw"]
    desk("open")
    desk("resolve --early --yes")
    desk("close --yes")
    told = desk("final --for ann")
    assert "Anyone can draw it again: seed " in told and "trap" not in told
    copy = desk.path / "ann.jsonl"
    desk(f"redact --for ann -o {copy}")
    lines = [json.loads(line) for line in copy.read_text().splitlines()]
    seen = [line["body"]["args"].get("item") for line in lines if line.get("body", {}).get("do") in ("draw", "seed")]
    assert seen == [None, "guild", "charm"]


def test_what_everybody_sees_hangs_on_no_secret_draw(desk: Desk) -> None:
    """Undone, a secret draw leaves the round, and every text, as they were; the hosts are reminded of it."""
    for item in ("guild", "charm", "trap"):
        desk(f"draw {item}")
    desk("open")
    seen = [desk(f"view --for {who} -f json") for who in ("public", "ann")]
    seq = next(entry.seq for entry in desk.match.book.entries if entry.body.args.get("item") == "trap")
    desk(f"undo {seq} -y")
    assert [desk(f"view --for {who} -f json") for who in ("public", "ann")] == seen
    assert "trap (secret) is not drawn yet: hl draw trap" in desk("status")
    assert "(secret)" not in desk("status --for public")


def test_play_opens_when_all_that_is_open_is_drawn(desk: Desk) -> None:
    desk("draw guild")
    assert "charm is not drawn yet" in desk("open", 3)
    desk("draw charm")
    assert "trap (secret) is not drawn yet" in desk("open")


ROLE = 'amend-setting|items.role={{values={values}, draw="{draw}", seen_by="everybody"}}'


@pytest.mark.parametrize("draw", ["deal 1", "order", "one each"])
def test_what_is_added_after_the_commitment_is_not_drawn_from_it(desk: Desk, draw: str) -> None:
    """Who knows the seed could choose the order of the values: 24 of them, one of which gives Ann the wolf. Such a draw
    has a seed of its own, everybody is told, and it is a finding until a host rules on it. Source: docs/decisions/0057.
    """
    for line in ("commit", "word ann a", ROLE.format(values='["sheep", "goat", "wolf", "owl"]', draw=draw)):
        desk(line)
    told = desk("draw role")
    args = desk.match.book.entries[-1].body.args
    assert "commitment" not in args and len(args["seed"]) == 64
    assert "newer than the commitment, so it comes from a seed of its own" in told.partition("--- to everybody")[2]
    assert desk.codes() == ["draw.replaced"] and "REPLACED" in desk.checked()
    desk(f"ruling|it was agreed on|--about|{len(desk.match.book.entries)}")
    assert desk.codes() == [] and "REPLACED" not in desk.checked()
    desk("draw guild")
    assert "commitment" in desk.match.book.entries[-1].body.args, "what was there is drawn from it"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((), ("drop cyd",)),
        ((), ("replace cyd Zoe",)),
        (("replace cyd Zoe",), ("undo {replace}",)),
        (("replace cyd Zoe",), ("amend {replace} name=Yan",)),
        (("replace cyd Zoe", "undo {replace}"), ("redo {undo}",)),
        (("drop cyd",), ("undo {drop}",)),
    ],
)
def test_who_is_dealt_to_is_fixed_too(desk: Desk, before: tuple[str, ...], after: tuple[str, ...]) -> None:
    """Seats that are dropped or replaced between the commitment and the draw, or where that is undone, amended, redone.

    Source: docs/decisions/0057.
    """
    desk.all(*before, "commit", "word ann a", *after, "draw guild")
    assert "commitment" not in desk.match.book.entries[-1].body.args
    assert desk.codes() == ["draw.replaced"] and "REPLACED" in desk.checked()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("replace cyd Zoe",), ()),
        (("replace cyd Zoe", "undo {replace}"), ()),
        ((), ("replace cyd Zoe", "undo {replace}")),
    ],
)
def test_the_same_people_are_dealt_to_from_the_commitment(
    desk: Desk, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """Who came before the commitment, and a slip that was taken back, leave the draw as it was fixed."""
    desk.all(*before, "commit", "word ann a", *after, "draw guild", "replace bob Yan")
    assert desk.codes() == [] and "REPLACED" not in desk.checked()
    assert any("commitment" in entry.body.args for entry in desk.match.book.entries if entry.body.do == "draw")


def test_a_line_that_no_command_writes_is_found_too(desk: Desk) -> None:
    """A draw of a newer kind of card under the commitment, as a log of before had it."""
    for line in ("commit", ROLE.format(values='["sheep", "goat", "wolf", "owl"]', draw="order"), "draw guild"):
        desk(line)
    entries = desk.match.book.entries
    commit = next(entry for entry in entries if entry.body.do == "commit")
    seed = bytes.fromhex(next(entry.body.args["seed"] for entry in entries if entry.body.do == "seed"))
    source = {"shuffle": ["sheep", "goat", "wolf", "owl"], "label": "role"}
    drawn = list(luck.repeat(source, luck.mix(seed), 0, "role"))
    args = {"item": "role", "drawn": drawn, "draw": source, "commitment": commit.hash, "words": []}
    with LogFile(desk.path / "log.jsonl").writing() as writer:
        writer.append([Body("draw", 2**41, "mara", 2**41, args)])
    assert desk.codes() == ["draw.replaced"]
    assert "newer than the commitment" in desk.checked()


def test_a_draw_that_nobody_could_repeat_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose source is another one at every look: such a draw would pass for a forged one for ever."""
    made, turns = draws.source_of, itertools.count(1)
    monkeypatch.setattr(draws, "source_of", lambda state, item: {**made(state, item), "turn": next(turns)})
    before = desk.log
    assert "draw.unrepeatable" in desk("draw guild --json", 3)
    assert desk.log == before


def test_a_source_is_kept_as_the_log_keeps_it() -> None:
    """A tuple of an author is a list in JSON: what is compared, hashed and drawn from is the same."""
    row = Draw[Any]("another order", source=lambda state, action: {"shuffle": ("ann", "bob"), "label": "who"})
    assert source_of(row, None, None) == {"shuffle": ["ann", "bob"], "label": "who"}


def test_a_card_that_is_listed_twice_is_there_twice(desk: Desk) -> None:
    """In a deck it is two cards; `one each` has no use for it, and two spellings of one name are refused."""
    twice = [("deal 1", '["wolf", "sheep", "sheep"]'), ("order", '["wolf", "sheep", "sheep"]')]
    for draw, values in twice:
        desk(ROLE.format(values=values, draw=draw))
        seq = desk.last
        assert desk.match.fold.state.rules.items["role"].values == ("wolf", "sheep", "sheep")
        desk(f"undo {seq} -y")
    assert 'draw = "deal 1" deals each listed card once' in desk(ROLE.format(values=twice[0][1], draw="one each"), 2)
    assert "cannot be told apart" in desk(ROLE.format(values='["wolf", "sheep", "Sheep"]', draw="deal 1"), 2)
    desk(ROLE.format(values=twice[0][1], draw="deal 1"))
    for item in ("guild", "charm", "role"):
        desk(f"draw {item}")
    cards = desk.match.fold.state.cards
    assert sorted(card for who in ("ann", "bob", "cyd") for card in cards("role", who)) == ["sheep", "sheep", "wolf"]
    assert check_deal(desk.path / "log.jsonl") and not verify(str(desk.path / "log.jsonl")).findings
