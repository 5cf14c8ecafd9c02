"""What hosts declare stands above the rules: elimination, tokens, winner, void; and what changes a told result.

How a case is written: support/lines.py, and conftest.py here. Source: season, host powers, S-2 to S-6;
docs/reliability.md.
"""

from __future__ import annotations

import pytest

from games.parts.build import build
from games.table import actions as shared
from ledger.author.simulation import Trial
from tests.support import fair
from tests.support.guide import stated
from tests.support.host import match_file
from tests.support.lines import plays

FILES = {"nobody": match_file("polar", "ann nobody bob")}
SHORT = {"four": "over a 20, b 10, c 5, d 1", "the EC": ": final | elimination", "status is": ": final | status"}
SHOWS = {**fair.SHOWS, "printed": lambda here: here.out}
DECLARE = """
where each knows only their own tokens, who still has as many hears nothing of what changed for another
  over a 20, b 10, c 5, d 1 | visibility = { tokens = "owner" } ; close gift --yes ; outbox done all --yes
  award c tokens 1 --yes ; : texts c ~ A correction ; : texts a !~ A correction ; : texts b !~ A correction
so it is of Elimination Candidates
  over a 20, b 10, c 5, d 1 | visibility = { elimination = "owner" } ; close gift --yes ; outbox done all --yes
  declare elimination d c --note why --yes ; : texts c ~ A correction ; : texts d !~ A correction
a reason is needed, and the line that is named has room for it
  first ; 2 declare elimination d ~ declare.reason ~ like: hl declare elimination d --note "WHY"
  2 declare elimination nobody ~ declare.reason ; 2 declare token d 1 ~ declare.reason
  2 declare winner d ~ declare.reason ; 2 declare void ~ declare.reason
the reason is an entry of its own, and told to everybody
  first ; declare elimination d --note "Dan shared his cards" --yes ; : kinds 2 == declare reason
  : body args.text == Dan shared his cards ; : body batch == {declare} ; final ~ Reason: Dan shared his cards
  final --for a ~ Reason: Dan shared his cards ; : final --for a | declared.0.reason == Dan shared his cards
  close gift --yes ; : opened b ~ declare ~ reason
a private reason is the hosts'; what is declared stays for everybody
  first ; declare elimination d --note "a complaint by Bob" --private --yes ; reveal !~ complaint
  : final --for host | declared.0.reason == a complaint by Bob
  : final --for b | declared.0.kind == elimination ; : final --for d | declared.0.players == d
  : final --for b | declared.0.reason == absent ; final !~ complaint ; final --for d !~ complaint
  close gift --yes ; : opened b ~ declare !~ reason
the number of the entry is the hosts': it counts the hidden ones before it
  first ; declare elimination d --note "he agreed to" --yes ; close gift --yes ; status is == finished
  : final --for host | declared.0.seq == {declare} ; : final | declared.0.seq == absent
  : final --for d | declared.0.seq == absent
what is declared follows from no section of the game
  first ; declare elimination d --note why --yes ~ D is Elimination Candidate (hosts declared it) [season: host powers]
every wrong input has one message, and writes nothing
  first ; 2 declare elimnation d --note why ~ declare.kind ; 2 declare elimination --note why ~ declare.unfit
  2 declare elimination nobody d --note why ~ declare.unfit ; 2 declare elimination zed --note why ~ player.unknown
  2 declare token d --note why ~ declare.unfit ; 2 declare token d x --note why ~ number.unreadable
  2 declare token d -1 --note why ~ number.unreadable ; 2 declare token d 101 --note why ~ number.unreadable
  2 declare token nobody 1 --note why ~ player.unknown ; 2 declare winner nobody --note why ~ declare.unfit
  2 declare winner --note why ~ declare.unfit ; 2 declare void d --note why ~ declare.unfit
override says what else there is
  first ; 2 override elimination d ~ like: hl declare elimination
nobody is no player id, since it means that
  nothing ; 2 > new m --from nobody.toml ~ nobody
a ruling in words closes nothing
  over a 3, b 3, c 3, d 3 ; status is == deciding ; ruling "D is EC" ; status is == deciding ; the EC ==
  status ~ hl declare elimination ; declare elimination d --note "he agreed to" --yes ; status is == finished
  the EC == d
the latest counts for its kind; its undo restores the one before, undoing that the rules
  four ; the EC == d ; declare elimination c --note one --yes ; declare elimination nobody --note two --yes ; the EC ==
  : final | declared.kind == elimination ; undo @1 --yes ; the EC == c ; : final | declared.reason == one
  undo @4 --yes ; the EC == d ; : final | declared == absent
the latest is that of the later time
  first ; declare elimination d --note late --yes ; declare elimination e --note earlier --at -3m --yes ; the EC == d
a token holder may be declared, and hosts are warned
  four ; declare elimination b --note why --yes ; the EC == b ; : final | tokens.b == 1 ; verify
  status ~ B is declared Elimination Candidate and holds a Token of Life
before the end it is kept for the hosts alone, ends nothing, and is applied when the match ends
  played a 20, b 10, c 5, d 1 ; declare elimination c --note "a foul" --yes ; status is == running
  explain final ~ kept until the match ends ; final !~ foul ; final --for c !~ foul ; view --for a !~ foul
  view --for c !~ foul ; : final --for c | declared == absent ; resolve --yes --early ; the EC == c ; final ~ a foul
  undo @2 --yes ; the EC !~ c
before the end it is so where its line is open to everybody, too
  played a 20, b 10, c 5, d 1 | visibility = { elimination = "everybody" } ; declare elimination c --note "a foul" --yes
  : printed !~ Candidate !~ foul ; : final | declared == absent ; : final --for c | declared == absent
  final !~ foul ; status --for a !~ Candidate
void ends the match at once: nothing is won, garnets are as at the seats, nothing is played on; undo takes it back
  four ; declare void --note "the site was down" --yes ; status is == finished ; the EC ==
  : final | tokens == ; : final | decisions == ; : final | ranking == absent ; : final | scores == absent
  : final | declared.kind == void ; : final --for host | garnets == b 1, c 2, d 3
  final ~ the site was down ; status ~ the site was down ; 3 submit a --swap ~ table.void
  3 declare void --note again --yes ~ table.void ; undo @1 --yes ; status is == deciding ; the EC == d
  : final | tokens == a 2, b 1 ; : final | scores == a 20, b 10, c 5, d 1
void: also while a round is on
  played a 20, b 10, c 5, d 1 ; declare void --note why --yes ; status is == finished ; 3 submit a --swap ~ table.void
  undo @1 --yes ; status is == running ; : final | declared == absent
S-4 a late entry before the moment of a decision counts in it, and asks
  first ; award b garnets 3 ; vote a d ; vote b e ; the EC == e
  5 award a garnets 9 --at -3m ~ the Elimination Candidate is now D (before: E)
  award a garnets 9 --at -4m --yes ; the EC == d
what nobody was told is not asked: a vote, a gift, garnets awarded
  first ; award a garnets 2 !~ A correction ; vote a d !~ A correction ; vote b d !~ A correction
  gift a c !~ A correction ; award c garnets 1 !~ A correction ; status is == finished
what undoes a result asks too; not posted, it is only no longer to be sent; posted, the outbox corrects it
  over a 20, b 10, c 5, d 1 | gift_hours = 1 ; declare elimination c --note why --yes
  5 undo @1 ~ the Elimination Candidate is now D (before: C)
  undo @1 --yes ~ no longer to be sent: 21b 22a. If one was sent already: hl outbox done 21b !~ to everybody
  declare elimination c --note why --yes ; outbox done all --yes ; undo {declare} --yes !~ to everybody
  : texts public ~ The Elimination Candidate is now D (before: C) ~ A correction
where the Elimination Candidate is kept from everybody, so is the correction
  over a 20, b 10, c 5, d 1 | visibility = { elimination = "host" }
  declare elimination c --note secret-why --yes ; : printed !~ Candidate !~ secret-why
  final !~ Candidate !~ secret-why ; close gift --yes ; final !~ Death Match ; final --for host ~ Death Match
5 to be given a token is not to win it: in the public text, a player's own, explain and JSON
  four ; gift a c ; : final | reasons.tokens.player == a a b c ; : final | reasons.tokens.how == won won won given
  : final | reasons.tokens.3.by == a ; reveal ~ D is Elimination Candidate: lowest score: 1 point. ~ A gave C a Token of
  final ~ A won a Token of Life: first with 20 points. ~ A gave C a Token of Life, which does not count
  summary c ~ A won a Token of Life: first with 20 points. ~ A gave C a Token of Life, which does not count
  : explain final --for public | chain == ; : explain final --for public | stands ~ A won a Token of Life: first with
the reason of what is declared is told, unless it is private
  four ; declare elimination c --note "a foul" --yes ; declare token d 1 --note "for luck" --private --yes
  : printed !~ luck
  : final | reasons.elimination.0 == how declared, player c, why a foul
  : final | reasons.tokens[player=d].why == hosts declared it
  : final --for host | reasons.tokens[player=d].why == for luck ; final !~ for luck ; summary d !~ for luck
  explain final --for d !~ for luck ~ C is Elimination Candidate, declared by the hosts: a foul.
a decision that is reopened is asked about with what it had brought; that is told to nobody, who may not know it yet
  four ; close gift --yes ; 5 reopen gift ~ the Tokens of Life are now: A 2, B 1 (before: A 1, B 1)
  reopen gift --yes ~ to everybody ~ A correction: the Tokens of Life are now: A 2, B 1, because the hosts reopened it
  : texts public ~ are now: A 2, B 1, because !~ A 1
a name keeps its small letter where it begins a reason
  four ; replace b kit_kat --yes ; final ~ - kit_kat won a Token of Life !~ Kit
who has several tokens to spare is asked to give each; where they are not given, so many lapse
  four ; award a tokens 1 ; final ~ A: give 2 spare Tokens of Life away, among
  close gift --yes ~ 2 spare tokens of A lapse [
  : texts public ~ 2 spare Tokens of Life of A lapsed: it was not given away in time.
  reopen gift --yes ~ 2 spare tokens of A count again [ ~ You hold 2 spare Tokens of Life: give one each to C. /
"""
TOLD = {
    "override d points 30": "the scores are now: D 30 (before: D 1)",
    "override d  points 30": "the Elimination Candidate is now C (before: D)",
    "award c tokens 1": "the Tokens of Life are now: A 1, B 1, C 1 (before: A 1, B 1)",
    "award b tokens -1": "the Tokens of Life are now: A 1 (before: A 1, B 1)",
    "declare elimination c --note why": "the Elimination Candidate is now C (before: D)",
    "declare token c 1 --note why": "the Tokens of Life are now: A 1, B 1, C 1 (before: A 1, B 1)",
    "declare winner c --note why": "the winner is now C",
    "declare void --note why": "there is no Elimination Candidate any more (before: D)",
}
test_declare = plays(DECLARE)


@pytest.mark.parametrize("line", TOLD)
def test_what_changes_a_told_result_asks_and_is_told(lines, line):
    """It asks first, exit 5 without a terminal, and gives everybody what it was, what it is, and why."""
    lines(f"""four ; close gift --yes ; 5 {line} ~ {TOLD[line]}
      {line} --yes ~ to everybody ~ A correction: {TOLD[line]}, because the hosts ; : texts public ~ {TOLD[line]}""")


def test_what_is_public_for_ever_is_told_to_everybody():
    """A reason with the line COURSE; and what a match in memory cannot read is a refusal too."""
    game = build(stated("sealed_bid", ('why, "section 2")', 'why, "section 2", (COURSE,))')))
    match = Trial(game, ["ann", "bob"])
    match.do(shared.Open())
    match.do(game.actions[0]("ann", 5))
    match.do(shared.Resolve())
    assert [row["why"] for row in match.result("public").reasons["tokens"]] == ["highest bid: 5"]
    assert "many" in str(match.refusal(shared.Override("ann", "bid", "many")))
