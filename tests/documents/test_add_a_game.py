"""docs/add-a-game.md makes two whole games: here they are taken from the page, played, and held to their sizes.

Every other test that goes through all games goes through them too (guide.py puts them where the registry finds them).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import pytest

from events.errors import Refused
from games.contract import Game, Rounds, Sheet, VisibleTo
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
from tests.support.play import Play
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


@pytest.fixture
def begun() -> Callable[..., Trial]:
    """Makes a match with these guilds whose first round is open."""

    def make(guilds: tuple[str, ...] = GUILDS, **settings: Any) -> Trial:
        match = Trial(load("lantern_walk"), PEOPLE, settings=settings)
        match.do(shared.Open(guilds))
        return match

    return make


def step(player: str, way: str) -> Any:
    """The verb of the guide."""
    return load("lantern_walk").actions[0](player, way)


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
"""


def begun_with_guilds(_: str, **given: Any) -> Play:
    match = Play("lantern_walk", players=PEOPLE, opened=False, **given)
    match.do(shared.Open(GUILDS))
    return match


test_the_rules_of_lantern_walk = plays_in_memory(WALK, {"": begun_with_guilds})


def test_a_guild_and_points_are_secret_until_the_end(begun: Any) -> None:
    """Two matches in which only what Bob may not know differs look the same to him, byte for byte."""
    seen = []
    for guilds in (("ann flame", "bob flame", "cyd moth"), ("ann moth", "bob flame", "cyd flame")):
        match = begun(guilds)
        match.do(step("bob", "N"))
        facts = match.do(shared.Resolve())
        seen.append([(match.view(who), match.notice(facts, who)) for who in ("bob", "public")])
    assert seen[0] == seen[1]
    match.do(shared.Award("bob", "garnets", 1))
    assert match.view("bob")["players"]["bob"]["garnets"] == 1 and "garnets" not in match.view("ann")["players"]["bob"]


def test_a_verb_that_acts_at_once_needs_a_round_that_is_on(begun: Any) -> None:
    match = begun()
    assert on_now(match.state.table, "ann", "bob").name == "round_1"
    match.do(shared.Drop("bob"))
    with pytest.raises(Refused, match="Bob has left"):
        on_now(match.state.table, "ann", "bob")
    match.do(shared.Close())
    with pytest.raises(Refused, match="round 1 has ended"):
        on_now(match.state.table, "ann")


# ---- Sealed Bid ----------------------------------------------------------------------------------------------------


def test_an_election_among_nobody_names_nobody() -> None:
    """Nobody bid, and the game does not look whether anybody did: the match ends, and waits for no lot."""
    match = Trial(build(stated("sealed_bid", ("if not best or (len(best)", "if (len(best)"))), PEOPLE)
    match.do(shared.Open())
    match.do(shared.Resolve())
    assert match.result().status == "finished"


# ---- what a game leaves out --------------------------------------------------------------------------------------


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


def walking(*changes: tuple[str, str], **stating: Any) -> Trial:
    """A match of Lantern Walk with those changes in its source, its first round open."""
    match = Trial(build(stated("lantern_walk", *changes)._replace(**stating)), PEOPLE)
    match.do(shared.Open(drawn=GUILDS))
    return match


def walked(match: Trial, player: str, way: str) -> list[Any]:
    """What happens in a round in which that player steps."""
    (step,) = match.game.sheets
    match.do(step(player, way))
    return match.do(shared.Resolve())


POT = "    points: Annotated[Mapping[str, int]"


def test_a_marked_field_of_the_state_is_shown_and_another_is_not() -> None:
    """With a label to each player; without one it is of the match."""
    more = f'    pot: Annotated[int, VisibleTo("places")] = 3\n    till: int = 4\n{POT}'
    match = walking((POT, more))
    view = match.view("public")
    assert view["pot"] == 3 and "till" not in match.view("host")
    assert view["players"] == {p: {"at": "C3"} for p in PEOPLE}
    assert match.view("ann")["players"]["ann"] == {"at": "C3", "guild": "moth", "points": 0, "garnets": 0}


def test_a_label_keeps_its_capitals_and_an_empty_tuple_is_none() -> None:
    label = ('Label("stands on")', 'Label("on the Cell")')
    seen = ('walks to {at}"', 'walks to {at}, seen by {by}"')
    by = ("    at: Puts[str]\n", "    at: Puts[str]\n    by: tuple[str, ...] = ()\n")
    match = walking(label, seen, by)
    happened = walked(match, "ann", "N")
    assert "On the Cell: B3" in str(match.notice(happened, "ann"))
    assert "Ann walks to B3, seen by none." in str(match.notice(happened, "public"))


WALKS = '@fact("section 2", "{player} walks to {at}", "places", public=True)\nclass Walked(NamedTuple):'


@pytest.mark.parametrize(
    ("walks", "told"),
    [
        (WALKS.replace("{player} walks to", "the lantern of {player} is on"), "The lantern of Ann is on B3."),
        (f"{WALKS}\n    def host(self, state):\n        return 'on ' + self.at\n", "on B3."),
    ],
)
def test_the_words_for_the_hosts_are_a_sentence_for_everybody(walks: str, told: str) -> None:
    """From a text, or from the method."""
    match = walking((WALKS, walks))
    assert told in str(match.notice(walked(match, "ann", "N"), "public"))


ENDS = '"points", "winners", state.settings.vote_hours)'


@pytest.mark.parametrize(
    ("ends", "garnets", "decision", "why"),
    [
        ('"points", "others", 1)', "0000", ("vote", ["ann", "dan"]), ""),
        ('"points")', "0000", ("lot", []), ""),
        ('"points", then=("garnets", state.table.garnets))', "0213", None, "fewest points: 1; fewest garnets: 1"),
        ('"points", then=("garnets", state.table.garnets))', "0223", ("lot", []), ""),
    ],
)
def test_equal_fewest(ends: str, garnets: str, decision: Any, why: str) -> None:
    """Named by all others, by a lot, or found by what else is counted."""
    match = Trial(build(stated("lantern_walk", (ENDS, ends))), [*PEOPLE, "dan"], settings={"rounds": 1})
    match.do(shared.Open(drawn=(*GUILDS, "dan moth")))
    match.do(shared.Resolve())
    for player, points, held in zip((*PEOPLE, "dan"), "9112", garnets, strict=True):
        match.do(shared.Override(player, "points", points))
        match.do(shared.Override(player, "garnets", held))
    result = match.result("host")
    found = [(one["kind"], one.get("who", [])) for one in result.decisions]
    assert found == ([decision] if decision else []) and result.tokens == {"ann": 1, "bob": 0, "cyd": 0, "dan": 0}
    if why:
        assert result.elimination == ("cyd",) and result.reasons["elimination"][0]["why"] == why


# ---- what is missing is said when the game is built ----------------------------------------------------------------


MARK = '@fact("section 1", "{player} bids {amount}", "bids", public="{player} bids {amount}.")'
EFFECT = """    def evolve(self, state: State) -> State:
        return state._replace(bid={**state.bid, self.player: self.amount})"""
AMOUNT = '    amount: Annotated[int, Bounds(1, 1000), Arg("How much.", sealed=True)]'
PUT = ("    at: Puts[str]\n", "    at: Puts[str]\n\n    def evolve(self, state):\n        return state\n")
OF_WALKS: dict[str, list[tuple[str, str]]] = {
    "Walked.to: the state has no such field": [('to {at}"', 'to {to}"'), ("    at: Puts[str]", "    to: Puts[str]")],
    "Walked has a method evolve, so nothing of it is Puts or Adds": [PUT],
    "MatchView.pot: there is no line pots": [(POT, f'    pot: Annotated[int, VisibleTo("pots")] = 3\n{POT}')],
}
"""What is said -> what is written in the source of Lantern Walk, and what instead."""
BROKEN: dict[str, tuple[str, str]] = {
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
}
"""The same of Sealed Bid."""


@pytest.mark.parametrize("said", [*BROKEN, *OF_WALKS])
def test_a_part_that_is_missing_is_named(said: str) -> None:
    """Not a test finds it, but the first import."""
    name, changes = ("lantern_walk", OF_WALKS[said]) if said in OF_WALKS else ("sealed_bid", [BROKEN[said]])
    assert isinstance(build(stated(name)), Game)
    with pytest.raises(Incomplete, match=re.escape(said)):
        build(stated(name, *changes))


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


@pytest.mark.parametrize(
    ("stating", "said"),
    [
        ({"has": ("tokens", "lots")}, "has: there is no lots"),
        ({"has": ("winner",)}, "there is no line winner"),
        ({"visibility": {**stated().visibility, "bid_tie": ("host", "")}}, "setting bid_tie is called like a line"),
        ({"moves": lambda state, player: ()}, "moves is made by build, and cannot be stated; state choices"),
    ],
)
def test_what_would_be_passed_over_is_refused(stating: dict[str, Any], said: str) -> None:
    with pytest.raises(Incomplete, match=said):
        build(stated()._replace(**stating))


def test_who_left_before_the_match_has_no_guild() -> None:
    match = Trial(build(stated("lantern_walk")), [*PEOPLE, "dan"])
    match.do(shared.Drop("dan"))
    match.do(shared.Open())
    assert [*match.state.guild] == PEOPLE


def test_a_word_that_may_be_left_out_stands_in_brackets_in_the_line_to_type_next() -> None:
    more = '    way: Annotated[str, WAY, Arg("N, E, S, W or stay.", sealed=True)]\n'
    then = f'{more}    then: Annotated[str | None, WAY, Arg("The next.", positional=True)] = None\n'
    match = walking((more, then))
    assert match.game.asks(match.state) == "hl step NAME WAY [THEN]"


def test_a_game_may_state_the_line_to_type_next() -> None:
    match = walking(asks=lambda state: "hl step NAME THERE")
    assert match.game.asks(match.state) == "hl step NAME THERE"


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


def test_a_text_may_stand_for_every_numbered_round() -> None:
    """Also where the view has no number of its own."""
    match = walking(phases={"pregame": "Not yet.", "round": "Everybody walks."})
    shown = frame(match.state.table, "", "public"), match.game.view(match.state, "public"), match.result("public")
    assert "Everybody walks." in str(match.game.report(*shown))


class Bare(NamedTuple):
    bid: int = 0


def test_a_datum_without_a_line_cannot_be_built() -> None:
    class Half(NamedTuple):
        bid: Annotated[int, VisibleTo("bids")] = 0
        secret: int = 0

    for cls, said in ((Bare, "Bare.bid has no VisibleTo"), (Half, "Half.secret has no VisibleTo")):
        with pytest.raises(Incomplete, match=said):
            build(stated()._replace(player_view=cls))


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
"""Where a line can be named -> what is written instead in the source of Sealed Bid, and what is said of it."""


@pytest.mark.parametrize("where", MARKED)
def test_a_misspelt_line_is_refused_wherever_it_was_named(where: str) -> None:
    """Whatever the mark was made of: asked is the mark itself, not how it was written."""
    change, said = MARKED[where]
    with pytest.raises(Incomplete, match=re.escape(said)):
        build(stated("sealed_bid", change))


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
