"""What the table does for every game: votes, gifts, choices, pauses, seats, what hosts declare; and what is told of it.

Played with Polar and MarsMatch, since a table alone has no end. Each case begins with the rule it holds
(tests/table/lines.py). Source: season S-2 to S-11, S-G3, host powers; docs/audit.md and docs/reliability.md.
"""

from __future__ import annotations

import pytest

from events.audiences import EVERYBODY_AFTER_END, PUBLIC_VIEWER
from games.table import actions as shared, facts as table_facts
from games.table.settings import WHO_KNOWS
from games.table.view import allowed, everybody_who_knows, line_audience
from tests.support.auction import Auction
from tests.support.mars import Mars
from tests.support.polar import FIRST, Polar
from tests.table import lines

STARTS = {
    "first": lambda said, **given: Polar.ended(FIRST, **given),
    "ended": lambda said, **given: Polar.ended({p: int(n) for p, n in lines.pairs(said).items()}, **given),
    "placed": lambda said, **given: Polar.placed(lines.pairs(said), **given),
    "mars": lambda said, **given: Mars(lines.pairs(said), **given),
    "auction": lambda said, **given: Auction.ended(lines.pairs(said), **given),
    "overspent": lambda said, **given: overspent(**given),
}
"""`first`: a has a token to give, b one; d and e are equal at the end: a and b vote."""


def overspent(**given: object) -> Auction:
    """Two cards were bought with more chips than a has; all rounds are over."""
    play = Auction.clubs(settings={"overspend": "flag"})
    play.bid("a", "2C 60, 3C 30")
    for _ in range(4):
        play.resolve()
    return play


RULES = """
S-G3 what was voted before leaving counts
  with b=50; first; vote b e; drop b; vote a d; ec == e
S-G3 also when the match is over already
  with b=50; first; vote b e; vote a d; drop b; ec == e
S-G3 who left without voting has no vote
  with b=50; first; drop b; vote a d; ec == d
S-2, S-G3 nobody waits for the gift of somebody who left: the spare token lapses
  ended a 20, b 10, c 5, d 1; owed == a gift; drop a; owed == nothing; status == finished; tokens == a 1, b 1
S-G3 a seat that is taken over lives again
  placed a rock +, b paper -; drop a; owed !~ a sheet; replace a Zoe; owed ~ a sheet; submit a --swap; resolve
  view host players.a.sign == -
MM-7 named, S-G3 nobody waits for somebody who left to name who leads
  set post_win_lead=named; mars a 9 9, b 3 3 5, c 4 4 6; play a "9 9"; drop a; pass b; pass c; owed == b move
PL-17 a choice counts for him who made it: after a correction the new winner picks anew
  ended a 10, b 8, c 8, d 0, e -1; choose a b; override a points 8; override d points 20; open == choose d: a b c
  owed ~ d choice
PL-17 also after a host ended the first one
  ended a 10, b 8, c 8, d 0, e -1; close choose; override a points 8; override d points 20; open == choose d: a b c
S-10 a vote for somebody who is no candidate any more is owed again
  first; vote a d; override d points 2; override c points 1; vote b c; open ~ vote a b: c e; owed == a vote
S-4 a vote that is reopened needs its own lot
  ended a 20, b 20, c 5, d 1, e 1; vote a d; vote b e; lot; reopen vote; vote a e; vote b d; ec == nothing; kinds == lot
S-4 what is awarded later changes no vote
  with b=4; first; vote a d; vote b e; ec == e; award a garnets 9; penalty b --garnets 4; ec == e
S-4 a vote that is opened again is a new moment
  with b=4; first; vote a d; vote b e; award a garnets 9; reopen vote; vote a d; vote b e; ec == d
S-4 other candidates are a new moment
  with b=50; first; vote a d; vote b e; award a garnets 90; ec == e; override c points 1; ec == d
S-4 the weights, after the rewards that are due, are a fact; who named whom with how much is the hosts'
  with a=1; first; vote a d; vote b e; facts ~ VotesWeighed; ec == d
  result host reasons.elimination.0.why ~ A with 3 for D, B with 1 for E
  result host reasons.elimination.0.how == weights
  result public reasons.elimination.0 == how vote, player d, why lowest score: 1 point
pause: no end comes by itself until resume; a round that began meanwhile has all its hours after it
  placed a rock +, b paper -; pause; +1h; resolve; +100h; view public paused == yes; view public closed == absent
  resume; ends == 24h; told public ~ The clock runs again. Round 2 now ends
pause: what is opened within it has all its hours after it
  set rounds=1; placed a rock +, b rock +, c rock +, d rock +; pause; +3h; resolve; override a points 20
  override b points 10; override c points 5; view public paused == yes; +1h; resume; until == 24h
  told public ~ The clock runs again. The end is now
pause: the end of the match ends it
  first; pause; vote a d; vote b d; view public paused == yes; gift a c; status == finished
  view public paused == absent
6 among whom a gift is made tells who holds tokens
  ended a 20, b 10, c 5, d 1; result public decisions.0 == among c, kind gift, who a
6 they are all but who is Elimination Candidate: with that line closed nobody is told among whom
  set see.elimination=host; ended a 20, b 10, c 5, d 1; result public decisions.0 == kind gift, who a
6 with tokens of the hosts nobody learns of a gift
  set see.tokens=host; ended a 20, b 10, c 5, d 1; result public decisions == nothing
6 or who votes; among whom is voted, is told
  set see.tokens=host; first; result public decisions.0 == among d e, kind vote
among whom is voted, given or drawn tells who may be Elimination Candidate: only the hosts read it
  ended a 20, b 10, c 5, d 1; no gift_candidate: gift a d; refusal ~ the receiver cannot be D |; refusal ~ | it can be C
among whom is voted
  first; no vote_candidate: vote a c; refusal ~ the candidate cannot be C |; refusal ~ | it can be D or E
among whom is drawn
  ended a 20, b 20, c 5, d 1, e 1; vote a d; vote b e; no lot_outcome: lot --outcome c
  refusal ~ C is not in this lot |; refusal ~ | it is among D and E; refusal !~ D and E |
  no lot_among: lot c d; refusal ~ the lot that is open is among others |; refusal ~ | it is among D and E
who gives or votes holds a token: only the hosts read it
  ended a 20, b 10, c 5, d 1; no no_gift: gift b c; refusal ~ B has no gift now |; refusal ~ | A may
6 garnets won or moved are told to their owner
  placed a rock +, b paper -; award a garnets 2; told a ~ 2 garnets
6 not with garnets of the hosts
  set see.garnets=host; placed a rock +, b paper -; award a garnets 2; told a !~ 2 garnets
6 what he won neither
  set see.garnets=host; ended a 14, b 0; news a !~ You won 2 garnets
6 why garnets were won tells the points
  set see.scoreboard=host; ended a 14, b 0; news a ~ You won 2 garnets.; news a !~ 14
declare: an open vote is settled by what it was about; the gift goes by the declared candidate
  first; kinds == vote; declare elimination c; open == gift a: d e; gift a d; status == finished; ec == c
declare token: P has N in all, other awards stay, gifts follow
  ended a 20, b 10, c 5, d 2, e 1; declare token c --tokens 2; tokens == a 2, b 1, c 2; open ~ gift a: d
  open ~ gift c: d; gift c d; tokens == a 1, b 1, c 1, d 1; declare token b --tokens 0; tokens == a 2, c 1, d 1
  declare token a --tokens 1; tokens == a 1, c 1, d 1; status == finished
declare, PL-17 a declared token settles the choice of the second
  ended a 20, b 10, c 10, d 1; kinds == choose; declare token b --tokens 1; tokens == a 1, b 1; ec == d
  status == finished
declare winner: said as the winner, whatever the game calls its best
  ended a 20, b 10, c 5, d 1; result host winners == absent; declare winner b c; result public winners == b c
declare void: no tokens, elimination or rewards, garnets as at the seats; nothing is played on
  with b=1; ended a 20, b 10, c 5, d 1; award a garnets 4; penalty b --garnets 1; declare void; garnets == b 1
  tokens == nothing; ec == nothing; status == finished; open == nothing; result public ranking == absent
  no void: gift a c; no void: declare void
S-2 tokens taken away: never more than are held
  ended a 20, b 10, c 5, d 1; close gift; tokens a == 1; award a tokens -1; tokens a == 0; award a tokens -1
  no not_enough_tokens: award a tokens -1; award a tokens 1; tokens a == 1
S-2 while the gift is open the spare is taken first, and with it the gift
  ended a 20, b 10, c 5, d 1; award a tokens -1; tokens a == 1; status == finished
S-2 what was given away is not his to lose
  ended a 20, b 10, c 5, d 1; gift a c; award a tokens -1; tokens == b 1, c 1
S-2 the second token lapses: there is nobody to give it to
  ended a 9, b 5, c 1; result public reasons.tokens.-1 == how lapsed, player a, why there is nobody to give it to
S-2 nobody is left to give it to
  ended a 9, b 5, c 3, d 1; drop b; drop c; result public reasons.tokens.-1.why == there is nobody to give it to
S-2 it was not given away in time
  ended a 9, b 5, c 3, d 1; close gift; result public reasons.tokens.-1.why == it was not given away in time
S-5 more than four are tied: no token, and the reveal says so
  ended a 3, b 3, c 3, d 3, e 3; result public reasons.tokens.0.how == nobody
  result public reasons.tokens.0.why == 5 are tied in the first place with 3 points, more than 4: nobody wins a token
  lot --outcome c; result public reasons.elimination.0.how == lot; result public reasons.elimination.0.player == c
PL-17 the second place is picked by the winner
  ended a 20, b 10, c 10, d 1; choose a c; result public reasons.tokens.-1.how == choice
  result public reasons.tokens.-1.by == a; result public reasons.tokens.-1.player == c
PL-17 or drawn
  ended a 20, b 10, c 10, d 1; close choose; lot --outcome b; result public reasons.tokens.-1.how == lot
6 the condition alone, where its lines are closed
  set see.scoreboard=nobody_ever; ended a 20, b 10, c 5, d 1; result public reasons.tokens.0.why == the first place
  result public reasons.elimination.0.why == the lowest score
  result host reasons.elimination.0.why == lowest score: 1 point
6 nothing of tokens or elimination, where these are closed
  set see.tokens=host see.elimination=host; ended a 20, b 10, c 5, d 1; result public reasons == absent
  result a reasons == absent; result d reasons == absent; result host reasons.tokens.0.player == a
before the end there is no reason, for the hosts neither
  placed a rock +, b paper -; result host reasons == absent
PA-6, PA-7 automatic, and for what; the winner is named
  auction a "2C 3C 4C 5C 6C", b "KC KD KH 2D 2H", c "AC AD 3D 4D 6D", d "QC QD", e "9C 9D 8H 7H 5H"
  result public reasons.elimination.0.player == d; result public reasons.elimination.0.how == automatic
  result public reasons.elimination.0.why ~ fewer than five cards; result public reasons.tokens.0.why ~ highest hand
PA-6 who won a card by overspending is Elimination Candidate without comparison, and everybody reads why
  overspent; override a cards "2C 3C 4C 5C 6C"; override b cards "KC KD KH 2D 2H"; override c cards "AC AD 3D 4D 6D"
  override d cards "QC QD 8C 7D 5D"; override e cards "9C 9D 8H 7H 5H"
  result public reasons.elimination.0 == how automatic, player a, why cards bought by overspending
  report public ~ Winner:
"""
test_rule = lines.plays(RULES, STARTS)


@pytest.mark.parametrize(
    "said",
    ["ec == a", "told a ~ nonsense", "owed !~ a vote", "no any: vote a d", "no no_vote: vote a b", "ranking == "],
)
def test_a_case_can_fail(said: str) -> None:
    """Another value, words that are not told, a line that is taken, or is refused for another reason."""
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        lines.check(f"first; {said}", STARTS)


@pytest.mark.parametrize("name", ["polar", "hexes", "auction"])
def test_tokens_are_opened_as_their_line_says(name, request):
    """docs/log-format.md and docs/reliability.md: an entry that gives a token, or says who won one, is for those who
    may know that.
    """
    play = request.getfixturevalue(name)()
    one, other = play.state.table.players[:2]
    award = shared.Award(one, "tokens", 1)
    assert play.game.audience(play.state, award) == EVERYBODY_AFTER_END
    for action in (shared.Gift(one, other), shared.Choose(one, other)):
        audience = play.game.audience(play.state, action)
        assert audience.admits(one, ended=False) and not audience.admits(other, ended=False)
        assert audience.admits(other, ended=True)
    play = request.getfixturevalue(name)(settings={"visibility": {"tokens": "host"}})
    for action in (award, shared.Gift(one, other), shared.Choose(one, other), shared.Declare("token", (one,))):
        assert not play.game.audience(play.state, action).admits(PUBLIC_VIEWER, ended=True)


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize(("level", "words"), WHO_KNOWS.items())
def test_a_level_opens_a_datum_and_its_entry_to_whom_its_words_name(polar, level, words, ended):
    """6: a level that names everybody after the end alone closes a datum to its owner too, until then."""
    table = polar(settings={"visibility": {"garnets": level}}).state.table
    everybody = words == "everybody" or (ended and words.endswith("everybody after the end"))
    owner = everybody or words.startswith(("the player concerned", "the two who traded"))
    entry, whole = line_audience(table, "garnets", "garnets", "a"), everybody_who_knows(table, "garnets")
    for viewer, knows in (("a", owner), ("b", everybody), (PUBLIC_VIEWER, everybody)):
        assert allowed(table, "garnets", viewer, ("a",), over=ended) is knows
        assert (entry.admits(viewer, ended=ended), whole.admits(viewer, ended=ended)) == (knows, everybody)


@pytest.mark.parametrize(
    ("line", "level", "asked"),
    [
        ("tokens", "everybody_after_end", True), ("tokens", "owner", True), ("tokens", "host", False),
        ("elimination", "host", False), ("elimination", "owner", False),
    ],
)  # fmt: skip
def test_who_gives_or_votes_is_asked_where_he_may_know_what_that_tells(polar, line, level, asked):
    """6: his own tokens are his own. A gift cannot go to an Elimination Candidate, so it tells who that is; and who may
    not be asked is not reminded, the hosts see that he owes it."""
    for points in ({"a": 20, "b": 10, "c": 5, "d": 1}, FIRST):
        play = polar.ended(points, settings={"visibility": {line: level}})
        opened = [
            fact for fact in play.told if isinstance(fact, table_facts.DecisionOpened) and "a" in fact.decision.who
        ]
        assert opened and bool(play.game.tell(play.state, opened, "a")) is asked
        due = [one for one in play.game.waiting(play.state) if one.who == "a"]
        assert due and all(one.told is asked for one in due)
