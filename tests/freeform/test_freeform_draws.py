"""Freeform: what a file draws is committed to, drawn again by a second program, and dealt to those who are here.

How a case is written: support/lines.py, and what is asked: support/fair.py. Source: docs/log-format.md, Randomness;
docs/decisions/0032 and 0057; issue "Freeform", rounds and draws.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from events import LogFile
from games.freeform import draws
from games.kit import luck
from games.parts import Draw
from games.parts.rules import source_of
from tests.support import fair
from tests.support.host import Host, match_file
from tests.support.lines import plays

FILES = {
    "drawn": match_file("freeform", "ann bob cyd")
    + """
[items]
guild = { values = ["north", "south", "east"], draw = "one each", seen_by = "owner", final = "everybody" }
charm = { values = "1..30", draw = "deal 2", seen_by = "owner", final = "everybody" }
trap = { values = "1..9", draw = "order", seen_by = "hosts", secret = true }
[sheets.bid]
fields = { much = "number" }
"""
}


def drawn(here: Host, item: str) -> list[Any]:
    """What each draw of these cards came to, in the order of the log."""
    return [body["args"]["drawn"] for body in here.bodies if body["do"] == "draw" and body["args"]["item"] == item]


def others(here: Host) -> list[str]:
    """Cards that the seed did not give."""
    return ["ann east", "bob east", "cyd north" if "cyd east" in drawn(here, "guild")[0] else "cyd east"]


def forge(here: Host, how: str) -> None:
    """In place of the last draw: other cards under the name of the commitment, or without the words."""
    body = here.match.book.entries[-1].body
    change: dict[str, Any] = {"words": []} if how == "words" else {"drawn": others(here)}
    here.hl("undo --yes")
    with LogFile(here.path / "log.jsonl").writing() as writer:
        writer.append([body._replace(at=2**41, recorded=2**41, args={**body.args, **change})])


def newer(here: Host) -> None:
    """A draw of a newer kind of card under the commitment, as a log of before had it."""
    (commit,) = (entry for entry in here.match.book.entries if entry.body.do == "commit")
    (seed,) = (body["args"]["seed"] for body in here.bodies if body["do"] == "seed")
    source = {"shuffle": ["sheep", "goat", "wolf", "owl"], "label": "role"}
    cards = list(luck.repeat(source, luck.mix(bytes.fromhex(seed)), 0, "role"))
    args = {"item": "role", "drawn": cards, "draw": source, "commitment": commit.hash, "words": []}
    fair.append(here, ("draw", args))


def seen(here: Host) -> str:
    """What everybody and Ann are shown."""
    return json.dumps([here.json(f"view --for {who}")["view"] for who in ("public", "ann")])


def keep_seen(here: Host) -> None:
    here.file("seen", seen(here))


def in_copy(here: Host) -> list[str]:
    """Which draws stand open in Ann's copy."""
    here.hl("redact --for ann -o ann.jsonl")
    bodies = [json.loads(line).get("body", {}) for line in (here.folder / "ann.jsonl").read_text().splitlines()]
    return [body["args"].get("item", body["do"]) for body in bodies if body.get("do") in ("draw", "seed")]


SHOWS = {
    **fair.SHOWS,
    "alike": lambda here, item: len({repr(cards) for cards in drawn(here, item)}),
    "forge": forge,
    "amend_others": lambda here: here.hl(f"amend {here.last} 'drawn={', '.join(others(here))}'", code=3).text,
    "newer": newer,
    "args": lambda here, item: next(row["args"] for row in here.bodies[::-1] if row["args"].get("item") == item).keys(),
    "source": lambda here, item: next(
        row["args"]["draw"] for row in here.bodies[::-1] if row["args"].get("item") == item
    ).keys(),
    "held": lambda here, item: [len(here.match.fold.state.cards(item, p)) for p in ("ann", "bob", "cyd", "deck")],
    "all": lambda here, item: sorted(c for p in ("ann", "bob", "cyd") for c in here.match.fold.state.cards(item, p)),
    "values": lambda here, item: here.match.fold.state.rules.items[item].values,
    "keep_seen": keep_seen,
    "as_seen": lambda here: seen(here) == (here.folder / "seen").read_text(encoding="utf-8"),
    "in_copy": in_copy,
}
ROLE = 'amend-setting items.role={{values={0},draw={1},seen_by=\\"everybody\\"}}'
FOUR, TWICE = r"[\"sheep\",\"goat\",\"wolf\",\"owl\"]", r"[\"wolf\",\"sheep\",\"sheep\"]"
SHORT = {
    "wolf dealt": ROLE.format(FOUR, '"\\"deal 1\\""'),
    "wolf ordered": ROLE.format(FOUR, r"\"order\""),
    "wolf one each": ROLE.format(FOUR, '"\\"one each\\""'),
    "sheep dealt": ROLE.format(TWICE, '"\\"deal 1\\""'),
    "sheep ordered": ROLE.format(TWICE, r"\"order\""),
    "2 sheep one each": "2 " + ROLE.format(TWICE, '"\\"one each\\""'),
    "2 sheep and Sheep": "2 " + ROLE.format(TWICE.replace("sheep", "Sheep", 1), '"\\"deal 1\\""'),
    "committed": "file drawn ; commit ; word ann a",
    "own seed": ": args guild !~ commitment ; : found == draw.replaced",
    "newer": """draw role ~ newer than the commitment, so it comes from a seed of its own
        : told public ~ newer than the commitment, so it comes from a seed of its own ; : args role !~ commitment
        : args role ~ seed ; : found == draw.replaced ; ruling "it was agreed on" --about @ ; : found == ; draw guild
        : args guild ~ commitment""",
}
DRAWS = """
words are closed by the first draw; made again after an undo each comes out alike; both programs agree
  file drawn ; commit ; word ann rain ; draw guild ; 3 word bob late ; draw charm ; undo --yes ; draw charm ; undo --yes
  draw charm ; : alike charm == 1 ; : found == ; : second ~ is its seed's / the ; : body args.draw.label == charm
  : body args.draw.to == ann bob cyd ; : args charm !~ seed ; 3 draw guild --at -1m ~ draw.at
a host may replace what was published; everybody is told, and it is a finding until one rules on it: another commitment
  committed ; undo 8 --yes ; undo 6 --yes ; commit ~ was replaced by another one ; draw guild ; : found == draw.replaced
  : second ~ replaces that of entry ; ruling "the wrong file" --about {seed} ; : found ==
cards that are typed in
  file drawn ; commit ; draw guild ; undo --yes
  draw guild --drawn "ann east, bob east, cyd east" ~ in place of those that were drawn or committed to
  : found == draw.replaced ; : second ~ was typed in ; ruling "the wrong file" --about @ ; : found ==
nothing is replaced by what comes out alike
  file drawn ; commit ; draw guild ; undo --yes ; undo 6 --yes ; draw guild !~ replaced !~ in place of ; : found ==
other cards under the name of the commitment are found; no amendment may put them there
  committed ; draw guild ; : amend_others ~ drawn from what the commitment fixed
  : forge cards ; : found ~ draw.
words left out are found
  committed ; draw guild ; : forge words ; : found ~ draw.
a deal passes over those who left; a drop recorded late, as of before the deal, undoes no deal
  file drawn ; drop bob --yes ; draw charm ; : held charm == 2 0 2 26 ; : found == ; drop cyd --at -1m --yes
  : held charm == 2 0 2 26 ; : found ==
nothing fixes what is secret: it is drawn from a seed of its own, and shows in nothing of the others
  file drawn ; draw trap ; commit ; draw guild ; draw charm ; : args trap ~ seed !~ commitment ; open
  : source trap !~ label ; : source guild ~ label
  resolve --early --yes ; close --yes ; final --for ann ~ Anyone can draw it again: seed !~ trap
  : in_copy == seed guild charm
what everybody sees hangs on no secret draw: undone, it leaves the round as it was; the hosts are reminded of it
  file drawn ; draw guild ; draw charm ; draw trap ; open ; : keep_seen ; undo @1 -y ; : as_seen == yes
  status ~ trap (secret) is not drawn yet: hl draw trap ; status --for public !~ (secret)
play opens when all that is open is drawn
  file drawn ; draw guild ; 3 open ~ charm is not drawn yet ; draw charm ; open ~ trap (secret) is not drawn yet
what is added after the commitment is not drawn from it, as who knows the seed could choose the order: dealt
  committed ; wolf dealt ; newer
an order
  committed ; wolf ordered ; newer
one each
  committed ; wolf one each ; newer
who is dealt to is fixed too: who leaves
  committed ; drop cyd --yes ; draw guild ; own seed
who is replaced
  committed ; replace cyd Zoe --yes ; draw guild ; own seed
where that is undone
  file drawn ; replace cyd Zoe --yes ; commit ; word ann a ; undo {replace} --yes ; draw guild ; own seed
amended
  file drawn ; replace cyd Zoe --yes ; commit ; word ann a ; amend {replace} name=Yan --yes ; draw guild ; own seed
redone
  file drawn ; replace cyd Zoe --yes ; undo @ --yes ; commit ; word ann a ; redo {undo} --yes ; draw guild ; own seed
where who had left comes back
  file drawn ; drop cyd --yes ; commit ; word ann a ; undo {drop} --yes ; draw guild ; own seed
the same people are dealt to from the commitment: who came before it
  file drawn ; replace cyd Zoe --yes ; commit ; word ann a ; draw guild ; : args guild ~ commitment
  replace bob Yan --yes ; : found ==
after a slip that was taken back before it
  file drawn ; replace cyd Zoe --yes ; undo @ --yes ; commit ; word ann a ; draw guild ; : args guild ~ commitment
  replace bob Yan --yes ; : found ==
after a slip that was taken back behind it
  committed ; replace cyd Zoe --yes ; undo @ --yes ; draw guild ; : args guild ~ commitment ; : found ==
a line that no command writes is found too
  file drawn ; commit ; wolf ordered ; draw guild ; : newer ; : found == draw.replaced
  : second ~ newer than the commitment
a card that is listed twice is there twice
  file drawn ; sheep ordered ; : values role == wolf sheep sheep ; undo @ -y
  2 sheep one each ~ draw = "deal 1" deals each listed card once ; 2 sheep and Sheep ~ cannot be told apart
  sheep dealt
  : values role == wolf sheep sheep ; draw guild ; draw charm ; draw role ; : all role == sheep sheep wolf ; : found ==
"""
test_draws = plays(DRAWS)


def test_a_draw_that_nobody_could_repeat_is_refused(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose source is another one at every look: such a draw would pass for a forged one for ever."""
    made, turns = draws.source_of, itertools.count(1)
    monkeypatch.setattr(draws, "source_of", lambda state, item: {**made(state, item), "turn": next(turns)})
    lines("file drawn ; 3 draw guild ~ draw.unrepeatable")


def test_a_source_is_kept_as_the_log_keeps_it() -> None:
    """A tuple of an author is a list in JSON: what is compared, hashed and drawn from is the same."""
    row = Draw[Any]("another order", source=lambda state, action: {"shuffle": ("ann", "bob"), "label": "who"})
    assert source_of(row, None, None) == {"shuffle": ["ann", "bob"], "label": "who"}
