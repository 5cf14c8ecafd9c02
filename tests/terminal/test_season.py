"""A match that goes on from earlier ones: garnets, who is out, void results; the Death Match. Source: S-1, S-6, S-7."""

from __future__ import annotations

import json

from tests.support.host import Host, match_file
from tests.support.lines import plays
from tests.support.schemas import wrong

POINTS = {"ann": 20, "bob": 10, "cyd": 5, "dan": 3, "eve": 1}
"""Ann is first and has a token to give, Bob second, Eve Elimination Candidate."""
ONE = {"rounds": 1, "allow_odd_roster": True}
FILES = {
    "next": match_file("polar", {}, ONE, hosts=()).replace("hosts = []\n[players]\n", ""),
    "main": match_file("polar", {p: n for n, p in enumerate(POINTS)}, ONE, title="Episode 4"),
}
SEALED = " ; ".join(f"start {player} rock +" for player in POINTS)
SHORT = {
    "main": f"open ; {SEALED} ; resolve --yes --early ; resolve --yes --early ; points",
    "points": " ; ".join(f"override {player} points {n} --yes" for player, n in POINTS.items()),
    "candidate": "main ; close gift --yes ; choose eve dan",
    "dm": "> new dm --from next.toml --after m --death-match",
    "the match of two": """
        > -g dm open ; > -g dm start eve rock + ; > -g dm start dan rock + ; > -g dm resolve --yes --early
        > -g dm resolve --yes --early ; > -g dm override eve points 9 --yes ; > -g dm override dan points 2 --yes
    """,
}


def entries(here: Host, name: str) -> list[dict[str, str]]:
    lines = (here.folder / name / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if wrong(json.loads(line), "log", game="polar")]
    return [json.loads(line)["body"] for line in lines]


SHOWS = {
    "roster": lambda here, name: {
        body["args"]["player"]: f"{body['args'].get('garnets', 0)}"
        for body in entries(here, name)
        if body["do"] == "seat"
    }
}
"""Who sits in a match, with which garnets."""
SEASON = """
S-6 garnets go on after the rewards; who has left gets no seat, and the host is told
  file main ; main ; drop dan ; close gift --yes
  > new next --from next.toml --after m ~ Dan had left, so they get no seat
  : roster next == ann 2, bob 2, cyd 2, eve 4
after a void match garnets are as they were brought
  file main ; main ; declare void --note rain --yes
  > new next --from next.toml --after m ~ Episode 4 was declared void: garnets are as they were brought
  : roster next == ann 0, bob 1, cyd 2, dan 3, eve 4
S-1 a Death Match is of the candidate and whom they chose once the match is over, among those without a token
  file main ; main ; 3 > new dm --from next.toml --after m --death-match ~ Episode 4 is deciding
  3 choose eve dan ~ no choice is open now ; gift ann cyd ~ next: hl ~ choose eve NAME (Dan), if there is a Death Match
  final ~ If there is a Death Match, Eve chooses whom they face.
  3 > new dm --from next.toml --after m --death-match ~ Eve has chosen no opponent; Dan can be ~ m choose eve dan /
  3 choose eve ann ~ it can be Dan ; 3 choose eve bob ~ it can be Dan ; 3 choose eve cyd ~ it can be Dan
  3 choose eve eve ~ it can be Dan
  3 choose dan eve ~ Dan has no choice now
  choose eve dan ~ --- to everybody / - Eve chooses Dan as the opponent in the Death Match. /
  undo --yes ; choose eve dan ~ new FOLDER --from FILE --after ~ /m --death-match (Eve and Dan; FILE: what hl
  status ~ /m --death-match (Eve and Dan; FILE: what hl template GAME prints, without its hosts and zone) /
  final --for bob ~ Death Match: Eve and Dan.
  > new dm --from next.toml --after m --death-match ~ the Death Match: Eve against Dan !~ seat
  : roster dm == dan 3, eve 4 ; > new dm2 --from main.toml --after m --death-match ; : roster dm2 == dan 3, eve 4
a candidate who has left is not asked whom they face
  file main ; main ; gift ann cyd ; status ~ choose eve ; drop eve ; status !~ choose ; final !~ whom they face
nor is it said of one whom nobody is left to face, as far as a reader may know who holds a token
  file main ; main ; gift ann cyd ; award dan tokens 1 --yes ; final !~ whom they face
S-1 who loses the Death Match gets no seat; garnets are the last ones; after a void one nobody has lost
  file main ; candidate ; dm ; the match of two
  > new next --from next.toml --after m --after dm -n ~ is deciding: its garnets may still change !~ lost
  > -g dm declare elimination dan --note 'fewer points' --yes
  > new next --from next.toml --after m --after dm ~ Dan lost the Death Match, so they get no seat
  : roster dm == dan 3, eve 4 ; : roster next == ann 2, bob 2, cyd 2, eve 5
  > -g dm declare void --note 'a wrong board' --yes ; > new again --from next.toml --after m --after dm !~ lost
  : roster again == ann 2, bob 2, cyd 2, dan 3, eve 4
who cannot play a Death Match: a token or a drop after the choice; who left; nobody; several; void; no main match
  file main ; candidate
  award dan tokens 1 --yes
  3 > new dm --from next.toml --after m --death-match ~ Eve chose Dan, who can no longer be chosen
  undo --yes ; drop dan
  3 > new dm --from next.toml --after m --death-match ~ Eve chose Dan, who can no longer be chosen
  undo --yes ; drop eve ; 3 > new dm --from next.toml --after m --death-match ~ Eve has left, so there is no Death Match
  undo --yes ; declare elimination nobody --note peace --yes
  3 > new dm --from next.toml --after m --death-match ~ nobody is Elimination Candidate
  undo --yes ; declare elimination dan eve --note both --yes
  3 > new dm --from next.toml --after m --death-match ~ Dan and Eve are Elimination Candidates, but only one plays
  undo --yes ; declare void --note rain --yes ; 3 > new dm --from next.toml --after m --death-match ~ was declared void
  undo --yes ; > new dm --from next.toml --after m --death-match -n
  2 > new dm --from next.toml --death-match ~ a Death Match comes after one main match
"""
test_the_season = plays(SEASON)
