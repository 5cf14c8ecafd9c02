"""A text of an entry that was recorded late speaks of its own time, and of the present only what is so.

A law over random matches of every game: entries are taken out of them and recorded at the end, with their time.
Source: issue "A safe evening", 3; docs/decisions/0050.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from events import Body, LedgerError
from games.contract import Game
from games.table import actions as shared
from games.table.facts import ResultChanged
from ledger.core.replay import Outcome, fold
from ledger.exchange.matchfile import setup_bodies
from ledger.record import recorder
from ledger.record.plan import Options
from ledger.render import discord
from ledger.tell.texts import Item, texts_now
from tests.secrecy.generators import match_file
from tests.secrecy.on_paper import Clock, Sheet, remembered
from tests.secrecy.test_closed_votes import VOTES, a_vote, ballots
from tests.support.lines import plays
from tests.support.randomly import MINUTE, Played, drawn, yes
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


def matches(match: Played, chance: random.Random, clock: Any) -> Iterator[tuple[Sheet, Body]]:
    """A random match without one of its entries, and that entry."""
    places = range(match.setup, len(match.bodies) - 1)
    for place in chance.sample(places, min(LATE, len(places))):
        body = match.bodies[place]
        if body.batch is None and not {"seed", "drawn"} & set(body.args):
            clock.now = match.bodies[-1].recorded + MINUTE
            yield Sheet(match.game, [*match.bodies[:place], *match.bodies[place + 1 :]]), body


def test_no_late_text_states_an_old_hand_as_the_present_one(any_game: str, record_property: Any) -> None:
    """What stands below the sentences of a late text is what the player's own summary of now says."""
    checked = 0
    for seed, chance, clock, match in drawn("late ", any_game, many(SEEDS, 80), "over again "):
        for sheet, body in matches(match, chance, clock):
            for item in late(sheet, body):
                if not opens(sheet, item):
                    continue
                now, said = present(sheet, item.audience), stated(below(item))
                other = {label: (value, now[label]) for label, value in said.items() if now.get(label, value) != value}
                assert not other, f"{any_game}, seed {seed}, {body.do} {body.args}\n{item.text}\n{now}"
                checked += bool(said)
    log_number(record_property, checked)
    assert checked or any_game not in ("equilibrium", "poker_auction", "polar"), "texts of these say how one stands"


CLOSED = ("host", "nobody_ever", "everybody_after_end")


def some_closed(game: Game, chance: random.Random, often: float) -> dict[str, str]:
    """The level of each line: so often one at which nobody may know it now, else open to everybody."""
    return {line: chance.choice(CLOSED) if chance.random() < often else "everybody" for line in game.visibility}


def opened_since(game: Game, bodies: Sequence[Body], chance: random.Random) -> Sheet:
    """A match in which lines of the table were closed, and hosts opened most since, and closed others."""
    then, now = (some_closed(game, chance, often) for often in (0.4, 0.1))
    settings = bodies[0].args["settings"]
    levels = {**settings["visibility"], **then}
    first = bodies[0]._replace(args={**bodies[0].args, "settings": {**settings, "visibility": levels}})
    sheet = Sheet(game, [first, *bodies[1:]])
    changed = [shared.AmendSetting(f"visibility.{line}", now[line]) for line in then if then[line] != now[line]]
    if changed:
        recorder.record_actions(sheet, changed, Options("mara", yes=True), yes)
    return sheet


def no_more_than_its_time(sheet: Sheet, items: Iterable[Item]) -> int:
    """A late text has no sentence that the table of its time closed; and nothing but what its time told for those who
    could not open the entry then, or cannot now, but the present standing where hosts corrected what was told: so many
    of them there were."""
    times: dict[int, tuple[Outcome, Any]] = {}
    now = fold(sheet.engine, sheet.book.entries, watch=lambda one, state: times.update({one.entry.seq: (one, state)}))
    kept = 0
    for item in items:
        outcome, then = times[item.seq]
        action = sheet.engine.read(outcome.entry.do, outcome.entry.args, then.table)
        told = sheet.game.tell(then, outcome.facts, item.audience)
        assert {*item.notice.lines} <= {*told.lines}, (item.text, told)
        may = [sheet.game.audience(of, action).admits(item.audience, ended=False) for of in (then, now.state)]
        corrects = outcome.entry.do == "override" or any(isinstance(fact, ResultChanged) for fact in outcome.facts)
        standing = sheet.game.tell(now.state, outcome.facts, item.audience).below if corrects else told.below
        assert all(may) or item.notice in (told, told._replace(below=standing)), (item.text, told)
        kept += not all(may) and bool(told)
    return kept


def test_a_late_text_tells_no_more_than_its_time(any_game: str) -> None:
    for _, chance, clock, match in drawn("closed ", any_game, many(2, 80), "over again "):
        for sheet, body in matches(match, chance, clock):
            since = opened_since(match.game, [entry.body for entry in sheet.book.entries], chance)
            no_more_than_its_time(since, late(since, body))


@pytest.mark.parametrize("name", VOTES)
def test_a_late_vote_tells_no_more_than_its_time(name: str) -> None:
    """One that decides, or leaves it to a lot: everybody hears of that, and not how the others voted."""
    kept = 0
    for seed in range(many(3, 80)):
        chance = random.Random(f"late votes {name} {seed}")
        match = a_vote(name, chance)
        table, (vote,) = match.state.table, match.state.table.decisions
        people = {p: {"name": seat.name} for p, seat in table.seats.items()}
        setup = match_file(name, people, settings={"allow_odd_roster": True})
        create = setup_bodies(setup, source="match.toml", by=None, now=table.began)[1][0]
        create = create._replace(args={**create.args, "settings": table.settings})
        for _, end in chance.sample(ballots(match), 3):
            with Clock() as clock, remembered():
                bodies = [create, *end.bodies()]
                clock.now = bodies[-1].recorded + MINUTE
                body = bodies.pop(chance.randint(-len(vote.who), -1))
                sheet = opened_since(match.game, bodies, chance)
                kept += no_more_than_its_time(sheet, late(sheet, body))
    assert kept, "nobody was told of a vote that they could not open"


# ---- in words --------------------------------------------------------------------------------------------------------

WORDS = """
it says when it happened and how they stand now: Ann gave R2 away since, for Cyd nothing has happened since
  desk ; trade ann R2 bob R6 ; outbox done all --yes ; trade ann R4 cyd B5 --at <t:1772442180> --yes
  : told ann ~ - Your trade with Cyd is done: you gave R4 and received B5. ~ Your hand: B4 B5 R6 B9 R9 !~ R2
  : told ann ~ This was recorded late: it counts from <t:1772442180:F> ~ What you have now, with everything since then:
  : told cyd !~ late ; : told cyd ~ Your hand: R4 B6 B7 B8 R9
once posted it stays as it is: what comes later is no reason to correct it
  desk ; trade ann R2 bob R6 ; trade ann R4 cyd B5 --at <t:1772442180> --yes ; outbox done all --yes
  trade ann R9 dan R5
  : drift ==
who may not open the entry learns not that it was late: all read that trading is over, and no more
  desk ; +1h ; lock ann --at -1h ; lock bob --at -1h ; lock cyd --at -1h ; lock dan --at -1h ; lock eve --at -1h
  lock fox --at -1h ; lock gil --at -1h ; award ann garnets 1 ; lock hal --at -50m --yes
  : told public ~ Trading is over ; : heard recorded late ==
an entry that is moved makes no other late: the texts of those stay as they are
  desk ; award bob garnets 1 ; trade ann R2 bob R6 ; trade ann R4 cyd B5 ; : texts bob ~ gave R6 and received R2
  +1h ; amend {award} at=-1m --yes ; : heard recorded late == ; : texts ann !~ late ; : texts bob !~ late
  : texts bob ~ gave R6 and received R2 ; : texts cyd !~ late
what is recorded later changes no late text, and a hidden entry that made it late is not learnt of
  desk ; +1h ; award dan garnets 1 ; trade ann R4 cyd B5 --at <t:1772442180> --yes ; : told ann !~ recorded late
  : texts ann ~ Your hand: R2 B4 B5 B9 R9 ; trade ann R9 dan R5 --at <t:1772442240> --yes
  : texts ann !~ recorded late ; : texts ann ~ Your hand: R2 B4 B5 B9 R9
an entry that was hidden when it counts is told neither late nor anew once hosts open that line of the table
  desk ; amend-setting visibility.own_garnets=host --yes ; +76h ; amend-setting visibility.own_garnets=owner --yes
  award dan garnets 2 ; award dan garnets 1 --at -20m --yes ; : told dan ~ You hold a spare Token !~ recorded late
  : told dan !~ received ; reopen trading --yes ; : texts dan ~ received 2 garnets !~ received 1 garnet
  : texts dan !~ recorded late
nobody is asked late for a decision that is another by now; the answer names no end of it, and no sheets
  match polar ann bob cyd allow_odd_roster=true rounds=1 ; open ; start ann rock + double,double
  start bob scissors + double,double ; start cyd scissors + double,double ; resolve --yes ; close --yes ; +2h
  resolve --yes --at -1h -n ~ You are first. Choose who of those in the second place ~ the choice ends
  override bob points 5 --at -1m ; resolve --yes --at -1h -n ~ This was recorded late !~ Choose who
  resolve --yes --at -1h -n !~ the choice ends !~ takes sheets again ~ --- would go to Ann / - You are in Rock with +
of a lock that was typed anew with its time nobody hears again, whatever everybody was told since trading was over
  desk ; +1h ; lock ann --at -1h ; lock bob --at -1h ; lock cyd --at -1h ; lock dan --at -1h ; lock eve --at -1h
  lock fox --at -1h ; lock gil --at -1h ; lock hal --at <t:1772443800> --yes ; declare winner ann --note why
  outbox done all --yes ; undo 26 --yes ; lock gil --at <t:1772443800> --yes ; : drift ==
a score that hosts correct late: everybody reads the result of now, and not that it was late
  demo marsmatch ; +1h ; declare winner dan --note w --yes ; outbox done all --yes
  override bob points 3 --at -4m --yes ; : told public ~ the points of Bob: 3. ~ Winner: Dan. !~ late
of a turn that has passed by then nobody reads whose it is, nor until when; of one that is on everybody does
  file marsmatch ; draw --banker cyd ; deal --from deal.toml ; open ; play cyd 6 ; pass ann ; pass bob
  outbox done all --yes ; play ann A --at -210s --yes ; : told public ~ Ann plays A !~ is next !~ until
  override bob points 1 ; pass cyd --at -90s --yes ; : told public ~ Cyd passes. / - Ann wins ~ - Ann leads, until
who left since is told of their moment, and nothing of what came after it
  desk ; trade ann R2 bob R6 ; drop ann --yes ; outbox done all --yes ; trade ann R4 cyd B5 --at <t:1772442180> --yes
  : told ann ~ you gave R4 and received B5. ~ Your hand: R2 B4 B5 B9 R9 !~ late !~ R6
a result is corrected once: the text of a void match says what it changes, and nothing says it again
  desk ; close --yes ; +1m ; award dan garnets 1 ; declare void --note 'a mistake' --at <t:1772442240> --yes
  : heard because the hosts declared it == public
"""
test_late_texts_in_words = plays(WORDS)
