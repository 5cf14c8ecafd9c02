"""A text of an entry that was recorded late speaks of its own time, and of the present only what is so.

A law over random matches of every game: entries are taken out of them and recorded at the end, with their time.
Source: issue "A safe evening", 3; docs/decisions/0050.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from events import Body, LedgerError
from games.registry import names
from ledger.record import recorder
from ledger.record.plan import Options
from ledger.render import discord
from ledger.tell.texts import Item, texts_now
from tests.secrecy.on_paper import Clock, Sheet, remembered
from tests.support.randomly import MINUTE, play, yes
from tests.support.sizes import log_number, many

SEEDS, LATE = 3, 4


def stated(text: str) -> dict[tuple[str, str], str]:
    """What a text states in lines of the form `- Your hand: ...`: (heading above it, label), and what it says."""
    found, heading = {}, ""
    for line in text.splitlines():
        heading = line if line.startswith("### ") else heading
        if told := re.match(r"- ([^:\n]{1,40}): (.+)$", line):
            found[heading, told[1]] = told[2]
    return found


def present(sheet: Sheet, audience: str) -> dict[tuple[str, str], str]:
    """What the summary of now states to that audience."""
    state, game = sheet.fold.state, sheet.game
    view, result = game.view(state, audience), game.result(state, audience)
    return stated(discord.render(game.report(sheet.frame(state, audience), view, result)))


def below(item: Item) -> str:
    """What a text says of how things stand: all but its sentences."""
    return discord.render(item.notice.below)


def late(sheet: Sheet, body: Body) -> list[Item]:
    """Record an entry after the others; its texts. None where the rules refuse it."""
    action = sheet.engine.read(body.do, body.args, sheet.table)
    try:
        written = recorder.record_actions(sheet, [action], Options("mara", at=body.at, yes=True), yes)
    except LedgerError:
        return []
    for item in written.news:
        yield_ = texts_now(sheet).get(item.name)
        assert yield_ is None or below(yield_) == below(item), "the answer says what the outbox says"
    return [item for item in texts_now(sheet).values() if item.seq in written.seqs]


def opens(sheet: Sheet, item: Item) -> bool:
    """May the audience of a text open the entry that it is of?"""
    body = sheet.book.entries[item.seq - 1].body
    state = sheet.fold.state
    action = sheet.engine.read(body.do, body.args, sheet.table)
    may: bool = sheet.game.audience(state, action).admits(item.audience, ended=False)
    return may


def matches(name: str, chance: random.Random, clock: Any) -> Iterator[tuple[Sheet, Body]]:
    """A random match without one of its entries, and that entry."""
    match = play(name, chance, clock)
    places = range(match.setup, len(match.bodies) - 1)
    for place in chance.sample(places, min(LATE, len(places))):
        body = match.bodies[place]
        if body.batch is None and not {"seed", "drawn"} & set(body.args):
            clock.now = match.bodies[-1].recorded + MINUTE
            yield Sheet(match.game, [*match.bodies[:place], *match.bodies[place + 1 :]]), body


@pytest.mark.parametrize("name", names())
def test_no_late_text_states_an_old_hand_as_the_present_one(name: str, record_property: Any) -> None:
    """What stands below the sentences of a late text is what the player's own summary of now says."""
    checked = 0
    for seed in range(many(SEEDS, 80)):
        chance = random.Random(f"late {name} {seed}")
        with Clock() as clock, remembered():
            for sheet, body in matches(name, chance, clock):
                for item in late(sheet, body):
                    if not opens(sheet, item):
                        continue
                    now, said = present(sheet, item.audience), stated(below(item))
                    other = {
                        label: (value, now[label]) for label, value in said.items() if now.get(label, value) != value
                    }
                    assert not other, f"{name}, seed {seed}, {body.do} {body.args}\n{item.text}\n{now}"
                    checked += bool(said)
    log_number(record_property, checked)
    assert checked or name not in ("equilibrium", "poker_auction", "polar"), "texts of these say how one stands"


# ---- in words --------------------------------------------------------------------------------------------------------


def test_it_says_when_it_happened_and_how_they_stand_now(at_desk: Any) -> None:
    """Ann trades R2 for R6 at one hour; recorded after that, her trade with Cyd of before says what she holds now."""
    desk = at_desk("late")
    then = desk.now // 1000
    desk.hl("trade", "ann", "R2", "bob", "R6")
    desk.hl("outbox", "done", "all", "--yes")
    desk.hl("trade", "ann", "R4", "cyd", "B5", "--at", f"<t:{then}>", "--yes")
    ann, cyd = desk.out.split("--- to ")[1:]
    assert "- Your trade with Cyd is done: you gave R4 and received B5." in ann
    assert (
        f"This was recorded late: it counts from <t:{then}:F>" in ann
        and "What you have now, with everything since then:" in ann
    )
    assert "Your hand: **B4 B5 R6 B9 R9**" in ann and "R2" not in ann, "she gave R2 away since"
    assert "late" not in cyd and "Your hand: **R4 B6 B7 B8 R9**" in cyd, "for Cyd nothing has happened since"


def test_once_posted_it_stays_as_it_is(at_desk: Any) -> None:
    """What comes later is no reason to correct it."""
    desk = at_desk("stays")
    then = desk.now // 1000
    for words in (["ann", "R2", "bob", "R6"], ["ann", "R4", "cyd", "B5", "--at", f"<t:{then}>"]):
        desk.hl("trade", *words, "--yes")
    desk.hl("outbox", "done", "all", "--yes")
    desk.hl("trade", "ann", "R9", "dan", "R5")
    assert desk.json("drift")["drift"] == []


def test_who_may_not_open_the_entry_learns_not_that_it_was_late(at_desk: Any) -> None:
    """Hal locks last, and that is recorded late: all read that trading is over, and nothing of when it was recorded."""
    desk = at_desk("locks")
    then = desk.now // 1000 + 600
    desk.now += 3_600_000
    for player in ("ann", "bob", "cyd", "dan", "eve", "fox", "gil"):
        desk.hl("lock", player, "--at", f"<t:{then - 300}>")
    desk.hl("award", "ann", "garnets", "1")
    desk.hl("lock", "hal", "--at", f"<t:{then}>", "--yes")
    texts = {
        item.audience: item.text for item in texts_now(desk.match).values() if item.seq == len(desk.match.book.entries)
    }
    assert "Trading is over" in texts["public"]
    assert not [who for who, text in texts.items() if "recorded late" in text and who != "hal"]


def test_an_entry_that_is_moved_makes_no_other_late(at_desk: Any) -> None:
    """A garnet of Dan is moved behind two trades: the texts of those stay as they are."""
    desk = at_desk("moved")
    desk.hl("award", "dan", "garnets", "1")
    garnet = len(desk.match.book.entries)
    for words in ("ann R2 bob R6", "ann R4 cyd B5"):
        desk.hl("trade", *words.split())
    before = {name: item.text for name, item in texts_now(desk.match).items() if item.seq > garnet}
    desk.now += 3_600_000
    desk.hl("amend", str(garnet), f"at=<t:{desk.now // 1000 - 60}>", "--yes")
    now = texts_now(desk.match)
    assert {name: now[name].text for name in before} == before


def test_what_is_recorded_later_changes_no_late_text(at_desk: Any) -> None:
    """Neither of a hidden entry that made it late, nor of what happened between the two does its reader learn."""
    desk = at_desk("between")
    then = desk.now // 1000
    desk.now += 3_600_000
    desk.hl("award", "dan", "garnets", "1")
    desk.hl("trade", "ann", "R4", "cyd", "B5", "--at", f"<t:{then}>", "--yes")
    late_ones = [item for item in texts_now(desk.match).values() if item.seq == len(desk.match.book.entries)]
    desk.hl("trade", "ann", "R9", "dan", "R5", "--at", f"<t:{then + 60}>", "--yes")
    now = texts_now(desk.match)
    assert late_ones and [now[item.name].text for item in late_ones] == [item.text for item in late_ones]
    assert not any("recorded late" in item.text for item in late_ones)


def test_a_result_is_corrected_once(at_desk: Any) -> None:
    """A void match that is declared before another entry: its text says what it changes, and nothing says it again."""
    desk = at_desk("void")
    desk.hl("close", "--yes")
    then = desk.now // 1000
    desk.now += 60_000
    desk.hl("award", "dan", "garnets", "1")
    desk.hl("declare", "void", "--note", "a mistake", "--at", f"<t:{then}>", "--yes")
    assert desk.out.count("--- to everybody") == 1 and "because the hosts declared it" in desk.out
