"""Freeform: the end of a match whose first or last places are tied, or which hosts decide. Source: docs/freeform.md.

How a case is written: tests/table/lines.py.
"""

from __future__ import annotations

import tomllib
from typing import Any

from games.freeform import actions as a
from games.registry import load
from games.table import actions as shared
from tests.support.play import Play
from tests.table import lines

PLAYERS = ("ann", "bob", "cyd", "dan", "eve")
FILE = """
[counters]
pts = { seen_by = "everybody" }
secret = { seen_by = "hosts" }
[sheets.guess]
fields = { n = "number 0..9" }
[result]
score = "pts"
tokens = "highest"
elimination = "lowest"
ties = "vote"
"""


def tied(said: str, settings: Any = None) -> Play:
    """The round is resolved, ann to eve have these points; what else the file says of the result, `-` for nothing."""
    written, tables, words = load("freeform").written, tomllib.loads(FILE), said.split()
    tables["result"] |= dict(word.split("=") for word in words if "=" in word)
    tables["result"] = {key: value for key, value in tables["result"].items() if value != "-"}
    assert written is not None and not written.faults(tables)
    play = Play("freeform", players=PLAYERS, settings={**written.public(tables)[0], **(settings or {})})
    play.do(shared.Resolve())
    for player, n in zip(PLAYERS, (word for word in words if "=" not in word), strict=False):
        play.do(a.Set(tables["result"]["score"], player, n))
    return play


SHOWS = {"about": lambda play: [f"{decision.kind} {decision.about}" for decision in play.state.table.decisions]}
ENDS = """
ties = vote: those who are not tied vote, and are told what about; then the winner, among the last; all hear of a tie
  tied 5 5 3 1 1; close match; told cyd ~ You may vote who wins a Token of Life: Ann or Bob.
  result public decisions == kind vote, about token, who cyd dan eve, among ann bob
  told public ~ Play is over, something is still to be decided.; told public ~ until
  told public ~ Cyd, Dan and Eve vote who wins a Token of Life: Ann or Bob; vote cyd ann; vote dan ann; vote eve ann
  told ann ~ You may vote who is Elimination Candidate: Dan or Eve.
  told public ~ Ann votes who is Elimination Candidate: Dan or Eve
  result public decisions == kind vote, who ann, among dan eve
ties = lot: all are told that a lot decides
  tied 5 5 3 1 0 ties=lot; close match; told public ~ A lot decides who wins a Token of Life: Ann or Bob
after a vote that only hosts read, among whom the lot is, is told to nobody: it tells whom most voted for
  set see.votes=host; tied 5 5 5 1 0; close match; vote dan ann; vote eve bob; told dan !~ Ann or Bob
  told public ~ A lot decides who wins a Token of Life.; told public !~ Ann or Bob
  result public decisions.0 == kind lot; opens lot ann bob --outcome bob == nothing
with the votes open it is
  tied 5 5 5 1 0; close match; vote dan ann; vote eve bob; opens lot ann bob --outcome bob == later
  told public ~ A lot decides who wins a Token of Life: Ann or Bob.
  result public decisions.0 == among ann bob, kind lot
with tokens closed everybody hears that something is to be decided, and nobody what
  set see.tokens=host; tied 5 5 3 1 1; close match; told public ~ Play is over, something is still to be decided
  told public !~ Token; told public !~ Ann or Bob
with the elimination closed not of that among the last
  set see.elimination=host; tied 5 5 3 1 1; close match; told public ~ Ann or Bob; vote cyd ann; vote dan ann
  vote eve ann; about == vote elimination; told public == nothing
the end waits for what hosts decide, and nobody is told that it is over; what they then declare is no correction
  tied 5 5 3 1 0 ties=hosts; close match; status == deciding; told public !~ The match is over; about == ruling token
  told public ~ The hosts decide who wins a Token of Life: Ann or Bob; declare token ann --tokens 1; status == finished
  told public ~ The match is over; told public !~ orrection; told ann !~ orrection; told eve !~ orrection; ec == eve
  tokens == ann 1
a tie among the last, too
  tied 5 4 3 1 1 ties=hosts; close match; status == deciding; told public !~ The match is over
  about == ruling elimination; declare elimination eve; status == finished; told public ~ The match is over
  told public !~ orrection; told ann !~ orrection; told eve !~ orrection; ec == eve; tokens == ann 1
tokens = hosts
  tied 5 4 3 1 0 tokens=hosts; close match; status == deciding; told public !~ The match is over; about == ruling token
  declare token ann --tokens 1; status == finished; told public ~ The match is over; told public !~ orrection
  told ann !~ orrection; told eve !~ orrection; ec == eve; tokens == ann 1
elimination = hosts: who wins by score wins all the same
  tied 5 4 3 1 0 elimination=hosts; close match; status == deciding; told public !~ The match is over
  about == ruling elimination; tokens == ann 1; ec == nothing; declare elimination eve
  status == finished; told public ~ The match is over
  told public !~ orrection; told ann !~ orrection; told eve !~ orrection; ec == eve; tokens == ann 1
an award ends the waiting, as `hl status` says
  tied 5 5 3 1 0 ties=hosts; close match; award bob tokens 1; status == finished
who closes it leaves it at nobody
  tied 5 5 3 1 0 ties=hosts; close match; close ruling; status == finished; tokens == nothing
a file that says nothing of tokens waits for nobody
  tied tokens=- elimination=- ties=-; close match; status == finished
everybody reads the table of places, and of each end the score, who shared it, and how it was settled: by votes
  tied 5 5 3 1 1; close match; vote cyd ann; vote dan bob; vote eve ann; vote ann eve
  result public reasons.tokens.0.why == highest score: 5, shared by Ann and Bob, named by 2 of 3 votes
  result public reasons.elimination.0.why ~ named by 1 of 1 vote; result public scores.cyd == 3
  result public ranking.0 == ann bob; report public ~ ('1', 'Ann', '5')
by lot
  tied 5 5 3 1 1 ties=lot; close match; lot --outcome ann; lot --outcome eve
  result public reasons.tokens.0.why == highest score: 5, shared by Ann and Bob, nobody may vote, drawn by lot
  result public reasons.elimination.0.why ~ drawn by lot
ties = all
  tied 5 5 3 1 1 ties=all; close match; result public reasons.tokens.0.why == highest score: 5, shared by Ann and Bob
  result public reasons.elimination.0.why ~ lowest score: 1, shared by Dan and Eve
a score that hosts alone see is told to nobody else
  set see.votes=everybody; tied 5 5 3 0 0 score=secret; close match; vote cyd ann; vote dan bob; vote eve ann
  vote ann eve; result public reasons.tokens == how won, player ann, why the highest score
  result public scores == absent; result host reasons.tokens.0.why ~ named by
  result public reasons.elimination.0.why ~ named by
a vote that is theirs neither
  set see.votes=host; tied 5 5 3 0 0; close match; vote cyd ann; vote dan bob; vote eve ann; vote ann eve
  result public reasons.tokens == how won, player ann, why the highest score; result public scores.ann == 5
  result host reasons.tokens.0.why ~ named by; result public reasons.elimination.0.why !~ named by
"""
test_end = lines.plays(ENDS, {"tied": tied}, SHOWS)
