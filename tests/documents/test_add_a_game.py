"""docs/add-a-game.md makes two whole games: here they are taken from the page, played, and held to their sizes.

Every other test that goes through all games goes through them too (guide.py puts them where the registry finds them).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import pytest

from events.errors import Refused
from games.contract import Rounds, Sheet, VisibleTo
from games.kinds import Player
from games.kit.blocks import Table
from games.parts import rules
from games.parts.build import Incomplete, build, faults_of
from games.records import Arg
from games.registry import load
from games.table import actions as shared
from games.table.rules import on_now
from games.table.view import frame
from ledger.author.simulation import Trial
from tests.support.guide import FILES as PARTS, NAMES, PAGE, TRANSCRIPT, files, stated
from tests.support.lines import plays
from tests.support.schemas import GAMES
from tests.table.lines import plays as plays_in_memory


def test_the_page_has_every_file() -> None:
    """Each game is one file of Python, and its match."""
    assert NAMES == ("lantern_walk", "sealed_bid")
    assert sorted(PARTS) == sorted(f"games/{n}/{f}" for n in NAMES for f in ("__init__.py", "demo.hl", "demo.toml"))


@pytest.mark.parametrize(("name", "most"), [("sealed_bid", 100), ("lantern_walk", 200)])
def test_a_game_is_short(name: str, most: int) -> None:
    """What a new game costs. A guide that grows is a guide that nobody follows."""
    assert len(PARTS[f"games/{name}/__init__.py"].splitlines()) <= most


def test_the_conversation_on_the_page_is_what_happens(stage: Any) -> None:
    """Every command of the page is run; its answer is as the page says, hashes apart."""
    from tests.support import transcripts

    (kept,) = TRANSCRIPT.findall(PAGE.read_text(encoding="utf-8"))
    stage.run(("$ sleep 4d",))
    for step in transcripts.read_steps(kept):
        answer = stage.run(step.command)
        assert transcripts.agrees(step.answer, answer), f"{step.command}\n{answer}"


DEMO = PARTS["games/lantern_walk/demo.toml"]


def given(**guilds: str) -> str:
    """A file of Lantern Walk that gives these guilds."""
    text = DEMO
    for player, guild in guilds.items():
        text = text.replace(f'channel = "#{player}"', f'channel = "#{player}", given = {{ guild = "{guild}" }}')
    return text


HIDDEN = '[settings.visibility]\nguilds = "host"\n'
FILES = {"walk": given(bob="Flame", dan="moth"), "demo": DEMO, "hidden": given(bob="flame") + HIDDEN}
FILES |= {"one": given(bob="flame", cyd="moth"), "two": given(bob="flame", cyd="flame"), "plain": DEMO + HIDDEN}
ODD = {"field": 'gild = "moth"', "value": 'guild = "wolf"', "other": 'at = "A1"'}
FILES |= {name: given(ann="moth").replace('guild = "moth"', odd) for name, odd in ODD.items()}


def opened(here: Any, name: str) -> list[bool]:
    """Which lines are open in the copy of that match for Bob."""
    here.type("-g", name, "redact", "--for", "bob", "-o", "copy.jsonl", "--overwrite")
    return ["body" in json.loads(line) for line in (here.folder / "copy.jsonl").read_text("utf-8").splitlines()]


SHOWS = {"opened": opened}
TYPED = """
a new game is proved like any other, and explained in the words of its labels
  demo lantern_walk ; explain cyd ~ Cyd: stands on C4, guild moth, points 2 ; verify ~ verified: 16 entries, receipt
before play it is said that it is not open, and not that a draw is missing: open makes the draw itself
  nothing ; > new m --from demo.toml ; > -g m status ~ ! play is not open yet
LW-5 the file gives a guild and the others are drawn; the summary says it to its player; the whole match verifies
  nothing ; > new m --from walk.toml ; summary bob ~ flame ; reveal !~ flame
  open --drawn 'ann flame, bob moth, cyd moth, dan flame' ; : view --for host | view.players.bob.guild == flame
  : view --for host | view.players.dan.guild == moth ; : view --for host | view.players.ann.guild == flame ; verify
what is given opens to its player alone: in a copy only one's own seat is open
  nothing ; > new one --from one.toml ; : opened one == yes no yes no no ; > new two --from two.toml
  : opened two == yes no yes no no
a copy does not tell to whom something was given: where nobody may know their guild, every seat is as closed
  nothing ; > new one --from hidden.toml ; > new two --from plain.toml ; : opened one == yes no no no no
  : opened two == yes no no no no
what a file cannot give is refused with its line
  nothing ; 2 > new m --from field.toml ~ line 7 ~ one of: guild ; 2 > new m --from value.toml ~ line 7 ~ moth
  2 > new m --from other.toml ~ line 7 ~ guild
SB-1 equal bids go to a lot or to nobody; an override after the end is followed by the result
  demo sealed_bid ; : final --for host | tokens == ann 1 ; override cyd bid 12 --yes ; : final | status == deciding
  lot --outcome cyd ; : final --for host | tokens == cyd 1 ; amend-setting bid_tie=nobody --yes
  : final --for host | tokens ==
"""
test_the_games_of_the_page = plays(TYPED)


@pytest.mark.parametrize("verb", ["summary bob", "view --for bob", "log --for bob", "reveal", "status --for bob"])
def test_what_is_given_to_others_is_seen_nowhere(verb: str, host: Any) -> None:
    """Two files that give somebody else another guild look the same."""
    seen = [host.at(name).new(FILES[name]).hl(verb, code=None).out for name in ("one", "two")]
    assert seen[0] == seen[1]


# ---- Lantern Walk: its rules, its gaps, its secret -----------------------------------------------------------------

PEOPLE = ["ann", "bob", "cyd"]
GUILDS = ("ann moth", "bob flame", "cyd moth")


POT = "    points: Annotated[Mapping[str, int]"
WALKS = '@fact("section 2", "{player} walks to {at}", "places", public=True)\nclass Walked(NamedTuple):'
WAY = '    way: Annotated[str, WAY, Arg("N, E, S, W or stay.", sealed=True)]\n'
THEN = '    then: Annotated[str | None, WAY, Arg("The next.", positional=True)] = None\n'
ENDS = '"points", "winners", state.settings.vote_hours)'
OTHERWISE: dict[str, Any] = {
    "pot": [(POT, f'    pot: Annotated[int, VisibleTo("places")] = 3\n    till: int = 4\n{POT}')],
    "seen": [
        ('Label("stands on")', 'Label("on the Cell")'), ('walks to {at}"', 'walks to {at}, seen by {by}"'),
        ("    at: Puts[str]\n", "    at: Puts[str]\n    by: tuple[str, ...] = ()\n"),
    ],
    "lantern": [(WALKS, WALKS.replace("{player} walks to", "the lantern of {player} is on"))],
    "method": [(WALKS, f"{WALKS}\n    def host(self, state):\n        return 'on ' + self.at\n")],
    "then": [(WAY, WAY + THEN)],
    "there": {"asks": lambda state: "hl step NAME THERE"},
    "phases": {"phases": {"pregame": "Not yet.", "round": "Everybody walks."}},
    "others": [(ENDS, '"points", "others", 1)')],
    "lot": [(ENDS, '"points")')],
    "garnets": [(ENDS, '"points", then=("garnets", state.table.garnets))')],
}  # fmt: skip
"""What is written in the source of Lantern Walk, and what instead; or what it states."""


def walking(name: str = "", *, players: Sequence[str] = PEOPLE, opened: bool = True, **given: Any) -> Trial:
    """A match of Lantern Walk, or of one that says otherwise, its guilds given and its first round open."""
    other = OTHERWISE.get(name, {})
    game = stated("lantern_walk")._replace(**other) if isinstance(other, dict) else stated("lantern_walk", *other)
    match = Trial(build(game), players, **given)
    if opened:
        match.do(shared.Open((*GUILDS, "dan moth")[: len(players)]))
    return match


def scored(said: str) -> Trial:
    """The round is resolved; Ann has nine points, Bob and Cyd one, Dan two, and so many garnets."""
    name, garnets = said.split()
    match = walking(name, players=(*PEOPLE, "dan"), settings={"rounds": 1})
    match.do(shared.Resolve())
    for player, points, held in zip((*PEOPLE, "dan"), "9112", garnets, strict=True):
        match.do(shared.Override(player, "points", points))
        match.do(shared.Override(player, "garnets", held))
    return match


def bidding(said: str) -> Trial:
    """Sealed Bid, whose game does not look whether anybody bid."""
    match = Trial(build(stated("sealed_bid", ("if not best or (len(best)", "if (len(best)"))), PEOPLE)
    match.do(shared.Open())
    return match


def test_1_guilds_are_drawn_and_can_be_repeated() -> None:
    """Typed or drawn; a drawn one holds what repeats it, and any other outcome is found."""
    match = Trial(load("lantern_walk"), PEOPLE)
    (action,) = match.game.prepare(match.state, shared.Open(), luck(match))
    assert action.draw == {"each": PEOPLE, "of": [["moth", "flame"]]} and action.seed
    match.do(shared.Open())
    assert match.game.audit(match.state, action, match.seq) is None
    other = action._replace(drawn=("ann moth",) * 3)
    assert match.game.audit(match.state, other, match.seq) == "the seed draws other guilds"
    forged = action._replace(draw={"each": PEOPLE, "of": [["moth", "moth"]]})
    assert match.game.audit(match.state, forged, match.seq) == "it was not drawn from what the rules say"


def luck(match: Trial) -> Any:
    """The luck of the next entry."""
    from ledger.author.simulation import Chance

    return Chance(match.seq + 1)


WALK = """
section 2: all step at once, the last word counts, and who sends nothing stays
  step ann E; step ann N; resolve; view host players.ann.at == B3; view host players.bob.at == C3
  view host players.cyd.at == C3
LW-2 over the edge one stays
  set edge=stay; step ann N; resolve; step ann N; resolve; step ann N; resolve; view host players.ann.at == A3
LW-2 or comes in at the other side
  set edge=around; step ann N; resolve; step ann N; resolve; step ann N; resolve; view host players.ann.at == E3
section 3: flames live on moths, and moths on their absence
  set rounds=2; step cyd S; resolve; view host players.ann.points == 0; view host players.bob.points == 1
  view host players.cyd.points == 1
LW-3 all who have equally many points win
  set rounds=1 tie=all; step cyd S; resolve; result host tokens == bob 1, cyd 1; ec == ann
LW-3 or a lot decides
  set rounds=1 tie=lot; step cyd S; resolve; kinds == lot
garnets are known to their owner
  award bob garnets 1; view bob players.bob.garnets == 1; view ann players.bob.garnets == absent
who left before the match has no guild
  unopened; of ann bob cyd dan; drop dan; open; drawn == ann bob cyd
a marked field of the state is shown, with a label to each player, without one as of the match; another is not
  otherwise pot; view public pot == 3; view host till == absent; view public players == ann at C3, bob at C3, cyd at C3
  view ann players.ann == at C3, guild moth
a label keeps its capitals, and an empty tuple is none
  otherwise seen; step ann N; resolve; told ann ~ On the Cell: B3; told public ~ Ann walks to B3, seen by none.
the words for the hosts are a sentence for everybody: from a text
  otherwise lantern; step ann N; resolve; told public ~ The lantern of Ann is on B3.
or from the method
  otherwise method; step ann N; resolve; told public ~ on B3.
a word that may be left out stands in brackets in the line to type next
  otherwise then; asks == hl step NAME WAY [THEN]
a game may state that line
  otherwise there; asks == hl step NAME THERE
a text may stand for every numbered round, also where the view has no number of its own
  otherwise phases; report public ~ Everybody walks.
equal fewest are named by all others
  scored others 0000; open == vote ann dan: bob cyd; result host tokens == ann 1
or by a lot
  scored lot 0000; open == lot : bob cyd; result host tokens == ann 1
or found by what else is counted
  scored garnets 0213; open == nothing; result host tokens == ann 1; ec == cyd
  result host reasons.elimination.0.why == fewest points: 1, fewest garnets: 1
and by a lot where that is equal too
  scored garnets 0223; open == lot : bob cyd; result host tokens == ann 1
Sealed Bid: an election among nobody names nobody; the match ends, and waits for no lot
  bidding; resolve; status == finished
"""
SHOWN = {"asks": lambda play: play.game.asks(play.state), "drawn": lambda play: [*play.state.guild]}
STARTS = {"": walking, "otherwise": walking, "scored": scored, "bidding": bidding}
test_the_games_in_memory = plays_in_memory(WALK, STARTS, SHOWN)


def test_a_verb_that_acts_at_once_needs_a_round_that_is_on() -> None:
    match = walking()
    assert on_now(match.state.table, "ann", "bob").name == "round_1"
    match.do(shared.Drop("bob"))
    with pytest.raises(Refused, match="Bob has left"):
        on_now(match.state.table, "ann", "bob")
    match.do(shared.Close())
    with pytest.raises(Refused, match="round 1 has ended"):
        on_now(match.state.table, "ann")


# ---- what a game leaves out --------------------------------------------------------------------------------------


class Bare(NamedTuple):
    bid: int = 0


class Stake(NamedTuple):
    player: Annotated[Player, Arg("Who.")]
    on: Annotated[Player, Arg("On whom.", sealed=True)]
    chips: Annotated[int, Arg("How many.")]
    hedge: Annotated[int, Arg("On the other.")] = 0
    all_in: Annotated[bool, Arg("All of them.")] = False
    cards: Annotated[tuple[str, ...], Arg("Which.", positional=True)] = ()


def test_a_sheet_is_read_back_as_it_is_typed() -> None:
    """Without the player; where there are several verbs, with the verb."""
    sheet = Stake("ann", "bob", 3, hedge=2, all_in=True, cards=("A", "B"))
    for sheets, verb in (({Stake: Sheet()}, ""), ({Stake: Sheet(), Bare: Sheet()}, "stake ")):
        spelled = rules.rounds_of(Rounds(sheets, lambda *given: None)).spelled
        assert spelled and spelled(sheet) == f"{verb}bob 3 --hedge 2 --all-in A B"
        assert spelled(Stake("ann", "bob", 0)) == f"{verb}bob 0"


# ---- what is missing is said when the game is built ----------------------------------------------------------------


class Half(NamedTuple):
    bid: Annotated[int, VisibleTo("bids")] = 0
    secret: int = 0


MARK = '@fact("section 1", "{player} bids {amount}", "bids", public="{player} bids {amount}.")'
EFFECT = """    def evolve(self, state: State) -> State:
        return state._replace(bid={**state.bid, self.player: self.amount})"""
AMOUNT = '    amount: Annotated[int, Bounds(1, 1000), Arg("How much.", sealed=True)]'
PUTS = ("    at: Puts[str]\n", "    at: Puts[str]\n\n    def evolve(self, state):\n        return state\n")
FIELD = '    bid: Annotated[int, VisibleTo("bids"), Label("bid", number=True)] = ABSENT'
VIEW = f'class PlayerView(NamedTuple):\n    """What may be known of one player."""\n\n{FIELD}'


def viewed(before: str, bid: str) -> tuple[str, str]:
    """The view as it stands, and another in its place: something before it, and its field."""
    return VIEW, f"{before}\n\n\nclass PlayerView(NamedTuple):\n    bid: {bid} = 0"


def extended(more: str, line: str = "bids") -> tuple[str, str]:
    """The view as it stands, and another that extends it."""
    held = VIEW.replace("PlayerView", "Held").replace("bids", line)
    return VIEW, f"{held}\n\n\nclass PlayerView(Held):\n    {more}"


def lined(answer: str) -> tuple[str, str]:
    """The effect of a fact as it stands, and with a method that gives its line."""
    return EFFECT, f"{EFFECT}\n\n    def line(self, state: State) -> str:\n        return {answer}"


NAMED, STRAY = "PlayerView.bid: there is no line bds", "PlayerView.bid: a VisibleTo inside a tuple or another type"
OF_A_FACT, OF_AN_OVERRIDE = "BidOpened: there is no line bds", "override bid: there is no line bds"
MISSING: dict[str, Any] = {
    "Walked.to: the state has no such field": [('to {at}"', 'to {to}"'), ("    at: Puts[str]", "    to: Puts[str]")],
    "Walked has a method evolve, so nothing of it is Puts or Adds": [PUTS],
    "MatchView.pot: there is no line pots": [(POT, f'    pot: Annotated[int, VisibleTo("pots")] = 3\n{POT}')],
    "BidOpened has no words": (MARK, ""),
    "BidOpened has no rule or no words": (MARK, '@fact("section 1", "", "bids")'),
    "BidOpened is never placed": (EFFECT, ""),
    "BidOpened is told, and no line says to whom": (MARK, '@fact("section 1", "{player} bids", public="A bid.")'),
    "a text has {sum}, and the fact has no such field": (MARK, '@fact("section 1", "{player} bids {sum}", "bids")'),
    "BidOpened: there is no line sums": (MARK, '@fact("section 1", "{player} bids {amount}", "sums")'),
    "there is no line bids": ('"bids": ("everybody_after_end", "who bid how much"),', ""),
    "override sum: the state has no such field": ('"bid": Override', '"sum": Override'),
    "offer: the state has no such field": ("    bid: Annotated[int, V", "    offer: Annotated[int, V"),
    "phases": ("        phases={", "        phases={} and {"),
    "override bid: nothing says how B is read": ('Override("N"', 'Override("B"'),
    "Moved: a fact of every game is called so": ("class BidOpened", "class Moved"),
    'Bid.other: its default "" is no player': (AMOUNT, f'{AMOUNT}\n    other: Annotated[Player, Arg("Another.")] = ""'),
    "has: there is no lots": {"has": ("tokens", "lots")},
    "there is no line winner": {"has": ("winner",)},
    "setting bid_tie is called like a line": {"visibility": {**stated().visibility, "bid_tie": ("host", "")}},
    "moves is made by build, and cannot be stated; state choices": {"moves": lambda state, player: ()},
    "Bare.bid has no VisibleTo": {"player_view": Bare},
    "Half.secret has no VisibleTo": {"player_view": Half},
}
"""What is said -> what is written in a source of Sealed Bid, or several things in that of Lantern Walk, and what
instead; or what is stated."""
MARKED: dict[str, tuple[tuple[str, str], str]] = {
    "a mark with a name": (viewed('HELD = VisibleTo("bds")', "Annotated[int, HELD]"), NAMED),
    "marks of a tuple": (viewed('HELD = (VisibleTo("bds"), Label("bid"))', "Annotated[int, *HELD]"), NAMED),
    "a tuple in the place of a mark": (viewed('HELD = (VisibleTo("bds"),)', "Annotated[int, HELD]"), STRAY),
    "a field that is inherited": (extended("pass", "bds"), NAMED),
    "a field more than what is inherited": (extended("more: int = 0"), "PlayerView.more has no VisibleTo"),
    "a type with a name": (viewed('Held = Annotated[int, VisibleTo("bds")]', "Held"), NAMED),
    "a type with a name, or nothing": (viewed('Held = Annotated[int, VisibleTo("bids")]', "Held | None"), STRAY),
    "a record in a view": (
        viewed(
            'class Row(NamedTuple):\n    sum: Annotated[int, VisibleTo("bds")] = 0',
            'Annotated[tuple[Row, ...], VisibleTo("bids")]',
        ),
        "Row.sum: there is no line bds",
    ),
    "one of several lines": ((FIELD, FIELD.replace('"bids"', '("bids", "bds")')), NAMED),
    "the line of a fact": ((MARK, MARK.replace('"bids"', '*["bds"]')), OF_A_FACT),
    "the lines of a fact": ((MARK, MARK.replace('"bids"', '("bids", "bds")')), OF_A_FACT),
    "a line by what is asked": (
        lined('"bids" if self.amount > 9 and state.settings.bid_tie == "lot" else "bds"'), OF_A_FACT,
    ),
    "a line by whether there is anything": (lined('"bids" if state.table.round is None else "bds"'), OF_A_FACT),
    "the line of an override": (('"N", line="bids"', '"N", line="bds"'), OF_AN_OVERRIDE),
    "the line of an override, when asked": (
        ('"N", line="bids"', '"N", line=lambda fact, state: "bids" if fact.player in state.bid else "bds"'),
        OF_AN_OVERRIDE,
    ),
    "the line of the scores": (('players}, VisibleTo("bids")', 'players}, VisibleTo("bds")'), "scored: there is no"),
    "the lines of decisions": (('decided=("tokens",)', 'decided=("tokns",)'), "decided: there is no line tokns"),
}  # fmt: skip
"""Where a line can be misspelt -> what is written in the source of Sealed Bid, and what is said: whatever the mark was
made of, asked is the mark itself, not how it was written."""
WRONG = {**{said: (change, said) for said, change in MISSING.items()}, **MARKED}


@pytest.mark.parametrize("where", WRONG)
def test_what_is_missing_or_misspelt_is_named(where: str) -> None:
    """Not a test finds it, but the first import."""
    change, said = WRONG[where]
    if isinstance(change, dict):
        made = stated()._replace(**change)
    else:
        made = stated("lantern_walk", *change) if isinstance(change, list) else stated("sealed_bid", change)
    with pytest.raises(Incomplete, match=re.escape(said)):
        build(made)


@pytest.mark.parametrize("name", GAMES)
def test_our_own_games_have_all_their_parts(name: str) -> None:
    """They are not checked at each command, but here."""
    game = load(name)
    assert [*faults_of(game)] == []
    spoilt = game._replace(visibility=dict([*game.visibility.items()][1:]))
    assert any("there is no line" in fault for fault in faults_of(spoilt))


def test_a_fact_of_the_table_has_words_and_an_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """So with the facts of every table: each is worded and placed there."""
    vanished = type("Vanished", (), {"_fields": ("player",)})
    monkeypatch.setattr(rules, "TABLE_FACTS", rules.TABLE_FACTS | {vanished})
    with pytest.raises(Incomplete, match=r"Vanished has no words.*Vanished is never placed"):
        build(stated())


def test_the_undo_of_a_drop_before_a_draw_for_each_is_told_as_a_refusal() -> None:
    """Who comes back has nothing from the draw. Who left after it may have a line."""
    game, lines = build(stated("lantern_walk")), tuple(f"{player} moth" for player in PEOPLE)
    match = Trial(game, PEOPLE)
    rules.must_be_drawn(game, match.state, shared.Open(drawn=lines))
    with pytest.raises(Refused, match="nothing was drawn for Cyd"):
        rules.must_be_drawn(game, match.state, shared.Open(drawn=lines[:2]))
    match.do(shared.Drop("cyd"))
    for drawn in (lines, lines[:2]):
        rules.must_be_drawn(game, match.state, shared.Open(drawn=drawn))


def test_outsiders_whom_a_view_lists_stand_in_the_table_of_the_hosts() -> None:
    """Those who have handed in a sheet with it, the others with none."""
    whole = stated("lantern_walk")
    asked = whole.rounds._replace(who=lambda state, name: state.table.seats)
    game = build(whole._replace(rounds=asked, of_match=lambda state, viewer: {"order": tuple(state.table.seats)}))
    match = Trial(game, PEOPLE, outside=PEOPLE[2:])
    (step,) = game.sheets
    match.do(shared.Open())

    def sheets() -> list[Any]:
        shown = frame(match.state.table, "", "host"), game.view(match.state, "host"), match.result("host")
        (table,) = (block for block in game.report(*shown) if isinstance(block, Table))
        return [row[-1] for row in table.rows]

    assert sheets() == ["-"] * len(PEOPLE)
    match.do(step(PEOPLE[2], "E"))
    assert sheets() == ["-", "-", "E"]


def test_a_line_that_only_a_match_knows_is_not_asked_for() -> None:
    """One that is made of what a fact holds; a callable that cannot be asked; one that asks for ever."""
    for_ever = '"bids" if all(self.amount for _ in iter(int, 1)) else "tokens"'
    for answer in ('f"{self.player}"', '{"a": "bids"}[self.player]', for_ever):
        build(stated("sealed_bid", lined(answer)))


def test_the_check_itself_can_fail() -> None:
    """A page without a file would not pass for a whole one; a change that changes nothing is refused."""
    page = PAGE.read_text(encoding="utf-8")
    assert files(page.replace("# games/sealed_bid/demo.hl\n", "")) != PARTS
    with pytest.raises(AssertionError):
        stated("sealed_bid", ("no such text", ""))
