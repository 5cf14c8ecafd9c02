"""The outbox: prompts, several texts at once, texts in several messages, marks taken back.
How a case is written: support/lines.py. Source: docs/reliability.md.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from events.disk import DISK
from games.kit.blocks import Heading, Items, Table, Text
from ledger.core.match import Match
from ledger.render import discord
from ledger.tell.outbox import outbox
from ledger.tell.texts import _messages, without_receipt
from tests.support.host import hl
from tests.support.lines import items, plays
from tests.support.terminal import Terminal

SHORT = {"traded": "trade ann R2 bob B4", "all posted": "outbox done all --yes"}
"""Its texts are 20b for Ann and 20c for Bob."""
TINY = """
game = "freeform"
hosts = ["mara"]
[players]
ann = {}
bob = {}
cyd = {}
[counters]
gold = { start = 5, seen_by = "everybody" }
[verbs.poke]
fields = { who = "player" }
does = ["gold who += 0"]
says = { who = "You are poked." }
[result]
score = "gold"
tokens = "highest"
elimination = "lowest"
ties = "lot"
"""
LAID = """
[items]
loot = { values = ["gem", "coin"], draw = "order", turn = 1, seen_by = "everybody" }
[sheets.bid]
fields = { much = "number 0..5" }
rounds = 2
"""
FILES = {"tiny": TINY, "laid": f"{TINY}{LAID}"}
FILES["owned"] = FILES["laid"].replace("everybody", "owner").replace("+= 0", "+= 1")

OUTBOX = """
the news of a summary are those of its player alone
  desk ; traded ; summary ann --news ~ Your trade with Bob is done !~ Your trade with Ann is done
a correction says nothing of a result that was never told and is taken back
  desk ; all posted ; deadline +1h ; close --yes ; close --yes ; outbox done {deadline}a
  undo @1 --yes ; undo @3 --yes ; undo {deadline} --yes ; : texts public ~ A correction: we told you !~ the result
several texts are marked in one go, and each is taken back alone
  desk ; traded ; outbox done 20b 20c ~ texts 20b 20c are posted ; : waits !~ 20b !~ 20c
  outbox undo 20c ; : waits ~ 20c !~ 20b ; 2 outbox undo 20c ~ outbox.unmarked ; verify
the number of an entry is all its texts that wait, two names with a dash all from one to the other
  desk ; traded ; outbox done 20 ~ texts 20b 20c are posted ; : waits ~ 19h 19i !~ 20b !~ 20c ; 2 outbox done 20
  outbox drop 19c-19e ~ texts 19c 19d 19e are dropped ; : waits ~ 19a 19b 19f 19g ; 2 outbox done 19g-19f
  2 outbox done 19f-19x ; 2 outbox done 1 ; outbox done 19a-19b 19f ~ texts 19a 19b 19f ; undo 20 --yes
one unknown name among several writes nothing
  desk ; traded ; 2 outbox done 20b 99z
done all asks and marks everything
  desk ; traded ; 5 outbox done all ~ outbox done all --yes ; : waits ~ 20b ; all posted ; : waits == ; all posted
  verify
done needs no name where one text waits; where several do, it names the one that next shows
  desk ; traded ; 2 outbox done ~ which text is meant by done; hl outbox next shows 19a ~ try: hl outbox done 19a /
  all posted ; deadline +1h
  outbox done ~ text {deadline}a is posted
  : waits == ; 2 outbox done
words that outbox does not take are told with those it does
  desk ; 2 outbox nxt ~ outbox has no nxt ; 2 outbox list 20b ~ takes no name ; 2 outbox show ~ which text is meant
  traded ; 2 outbox show 20b 20c ~ outbox show takes ITEM
show prints what waits and what was posted
  desk ; traded ; outbox show 20b ~ Your trade with Bob is done ; outbox done 20b
  outbox show 20b ~ 20b was posted by mara ~ Your trade with Bob is done
a mark that counts again is no text that is not to be sent
  desk ; traded ; outbox done 20b ; undo @ --yes ; redo !~ to be sent ; : waits !~ 20b
undo and redo say in words what they did; with -n, or where they ask, what they are to do
  desk ; traded ; undo -n ~ to undo: #20, trade ann R2 bob B4 !~ undone: ; undo ~ undone: #20, trade ann !~ to undo:
  redo -n ~ to take back: #21, the undo of #20, trade ann !~ taken back: ; redo ~ taken back: #21 !~ to take back:
  outbox done 20b 20c ; 5 undo 20 ~ to undo: #20, trade ann R2 bob B4 / !~ undone:
  undo 20 --yes ~ undone: #20, trade ann R2 bob B4 / !~ to undo:
the undo of an amend does not repeat the entry
  desk ; trade ann R2 bob B4 ; amend 20 give=R4 --yes ; undo @ --yes ~ undone: #21, the amend of #20 / recorded
how often a flag was typed is amended with yes and no too
  match polar ann bob cyd ; open ; resolve --yes --early ; submit ann --swap ; amend @ swap=no --yes
  : body args.args.swap == 0 ; amend {submit} swap=yes --yes ; : body args.args.swap == 1
  2 amend {submit} swap=maybe ~ not a whole number
undo alone asks where another may be meant: a mark of posting, another host's entry since, an old one
  desk ; traded ; outbox done 20b
  5 undo ~ after it you recorded #21, the mark that text 20b was posted; hl outbox undo 20b takes that back ~ undo 20 /
  outbox undo 20b ; note hm --as ben
  5 undo ~ ben recorded after it; the newest entry is #23, note hm ~ try: hl undo 20 /
  undo 23 --yes --as ben ; +2h ; 5 undo ~ it was recorded 2 h ~ try: hl undo 20 / ; undo 20
next of somebody for whom nothing waits does not say that nothing waits
  desk ; outbox done all --yes ; trade ann R2 bob B4 ; outbox next cyd ~ nothing waits to be posted for cyd
next takes a player, a channel or the public, and refuses what no text has
  desk ; traded ; outbox next bob ~ 19c  text for bob ; outbox next '#Bob' ~ 19c ; outbox next public ~ 19a
  outbox next 20c ~ 20c  text for bob ; 2 outbox next 99z ~ no text "99z" waits ; 2 outbox next zzz ~ is no player
  all posted ; outbox next eve ~ nothing waits
what an end showed is not posted once play is open again; the trade before it is
  desk ; traded ; close --yes ; : waits ~ {close}a ; gift ann bob ; : waits ~ {gift}a
  reopen trading --yes ~ Trading is open, and has no end until a host sets one.
  : waits ~ 20b ~ 20c ~ {reopen}a !~ {close} !~ {gift}
  outbox ~ {close}a for public in the public channel is replaced by {reopen}a
ends and reopens that follow each other, none of it posted: what only they told goes to nobody, and is listed once
  desk ; all posted ; close --yes ; close --yes ; reopen --yes ; : waits == 29a 29e 31a 31e
  reopen --yes ; : waits == 32a ; : texts public ~ Trading is open, and has no end !~ Token !~ again
  : outbox | superseded.item == 29a 29e 30a 31a 31e ; outbox ~ 31e for dan in #dan is replaced by 32a
  undo --yes ; : waits == 29a 29e 31a 31e
what hosts recorded before they took an end back is told as it is without that end
  desk ; all posted ; close --yes ; deadline +1h ; award bob garnets 1 ; award eve tokens 1 ; drop hal --yes
  reopen --yes ; : waits == 31c 33a 34a ; : texts bob ~ You received 1 garnet. ; : texts public !~ Token !~ over
who is told of an end that has come to be and is reopened by the same entry hears of no end
  desk ; all posted ; +60d ; reopen trading --yes ; : waits == 29a ; : texts public ~ Trading is open !~ over !~ again
what was posted of an end that hosts take back is corrected, before the text that play is open again
  desk ; all posted ; close --yes ; gift dan hal ; all posted
  reopen trading --yes -n ~ text {close}a, posted to the public channel: what it says no longer counts
  reopen trading --yes ~ text {gift}i, posted to #hal: what it says no longer counts; hl outbox has the correction
  : waits == {close}a+1 {reopen}a {close}e+1 {gift}i+1 ; : drift == {close}a {gift}a {close}e {gift}e {gift}i
  : texts public ~ A correction: the result that we told you no longer counts. What changed: / - Taken back: Dan won
  : texts public ~ Taken back: Gil is Elimination Candidate ~ No longer true: The match is over. ~ Locked in: 0 of 8
  : texts hal ~ No longer true: Dan gave you a Token of Life, which does not count as winning it.
  all posted ; : drift == ; : waits == ; verify
  undo {reopen} --yes ; : texts public ~ Taken back: Trading is open ~ True now: The match is over. !~ no longer
  all posted ; : drift == ; : waits ==
the result of a round that goes on is taken back where it was posted
  demo marsmatch ; undo 31 --yes ; undo 30 --yes ; undo 29 --yes ; close real --yes ; all posted ; reopen --yes
  : waits == {close}a+1 {reopen}a ; : texts public ~ the result that we told you no longer counts.
  : texts public ~ No longer true: Round 1 is over. Total Losers: Cyd and Bob. / - No longer true: The match is over. /
a player who chooses again: the text of the first choice is withdrawn if it waits, and corrected if it was posted
  desk ; all posted ; close --yes ; gift dan hal ; all posted ; choose gil ann ; choose gil bob ; : waits == {choose}a
  outbox ~ for public in the public channel is replaced by {choose}a: you need not post it ; all posted
  5 choose gil cyd ~ text 37a, posted to the public channel: it says something else now
  choose gil cyd --yes ~ text 37a, posted to the public channel: it says something else now; hl outbox has
  : waits == 37a+1 ; : drift == 37a ; : texts public ~ A correction: what we told you is no longer true. What changed:
  : texts public ~ / - No longer true: Gil chooses Bob as ~ / - True now: Gil chooses Cyd as ; all posted ; : drift ==
  choose gil eve --yes ; : waits public == 39a+1
  : texts public ~ / - No longer true: Gil chooses Cyd as ~ / - True now: Gil chooses Eve as !~ Bob as
  all posted ; undo {choose} --yes !~ no longer to be sent
  : texts public ~ / - Taken back: Gil chooses Eve as ~ / - True now: Gil chooses Cyd as ; all posted ; verify
a choice that counts again and was never posted is told once, by the correction of the choice that replaced it
  desk ; all posted ; close --yes ; gift dan hal ; all posted ; choose gil ann ; choose gil bob ; all posted
  undo {choose} --yes ; : covers == 37a+1 ; : waits == 37a+1
  : texts public ~ / - Taken back: Gil chooses Bob as ~ / - True now: Gil chooses Ann as ; all posted ; : waits ==
a choice that was made anew and went with the end that hosts took back is told to nobody
  desk ; all posted ; close --yes ; gift dan hal ; all posted ; choose gil ann ; all posted ; choose gil bob --yes
  reopen trading --yes ; : texts public ~ No longer true: Gil chooses Ann as !~ Gil chooses Bob
an end of which only a part was posted is corrected too when it is taken back
  desk ; all posted ; close --yes ; outbox done {close}a ; reopen trading --yes ; : waits == {close}a+1 {reopen}a
what is declared anew after something else is told after it, in the same words: what everybody reads last holds
  demo hex_parties ; declare winner ann --note w --yes ; all posted ; undo {declare} --yes ; award bob tokens 1 --yes
  declare winner ann --note w --yes ; : waits public == 53a+1 {award}a {reason}a
a vote that is reopened where nobody has to vote any more opens nothing: the end and what followed it are told, and stay
  demo lantern_walk ; award bob tokens 1 --yes ; reopen vote --yes ; : texts public ~ The match is over. ~ Bob 1, Cyd 1
  undo @ --yes ; outbox done all --yes ; reopen vote --yes ; : drift == ; : waits ==
a correction after a reopen says of the result what is true now, and nothing of the end that was taken back
  desk ; drop hal --yes ; close --yes ; all posted ; reopen trading --yes ; all posted ; undo {drop} --yes
  : to Taken back == public ; : texts public ~ Taken back: Hal has left !~ True now
who brought an end that a host went back on is told what they did, and nothing of the end
  desk ; lock ann ; lock bob ; lock cyd ; lock eve ; lock fox ; lock gil ; lock hal ; all posted ; lock dan --yes
  : texts dan ~ Token of Life ; reopen trading --yes ; : texts dan !~ Token of Life
a correction shows no text that the outbox has not: who was told nothing yet is told nothing wrong
  desk ; close --yes ; award eve tokens 1 ; outbox done {award}e ; undo {award} --yes !~ to everybody
  : to A correction: == dan ; gift dan bob ; amend last receiver=hal --yes !~ to everybody !~ A correction
an end that was moved again is told once; where the later one is undone, the earlier is to be told after all
  desk ; traded ; all posted ; deadline +1h ; deadline +2h ; : waits == 33a
  outbox ~ 32a for public in the public channel is replaced by 33a: you need not post it ; undo --yes ; : waits == 32a
a late deadline that a later entry overrides is told to nobody; the answer says which entry, and the end that holds
  desk ; all posted ; +2h ; deadline +6h ; deadline 'in 2h' --at -1h --yes !~ everybody !~ not Thursday
  outbox ~ {deadline}a for public in the public channel is replaced by 29a ; : waits == 29a
  deadline 'in 2h' --at -1h --yes -n ~ this end does not hold: entry 29 (deadline 2026-03-05 15:03:00 UTC) comes after
  deadline 'in 2h' --at -61m --yes --note why ~ comes after it / trading ends Thursday 5 March 2026, 15:03 UTC /
  +1h ; close --yes ; deadline +9h --at -30m --yes !~ everybody ~ this end does not hold: entry {close} (close trading)
  : waits public == {close}a
  deadline 2026-03-06T00:03Z --at -29m --yes ~ comes after it ~ no change: already in effect then
a correction opens once as such, also where it lists results
  desk ; traded ; +1h ; close --yes ; all posted ; trade dan R10 ann R9 --at -30m --yes
  : texts public ~ A correction: we told you something wrong. What changed: / - The Tokens of Life are now: Ann 2, Bob 1
  : texts public !~ - A correction:
where what everybody reads has no places, a correction has none, but each score and token that changed
  desk ; +1h ; close --yes ; all posted ; trade ann R2 gil R4 --at -30m --yes ; : texts public !~ places are now
  : texts public ~ - The Elimination Candidate is now Fox ~ - The Tokens of Life are now: !~ scores are now
  undo last trade --yes ; trade bob R6 cyd B5 --at -32m --yes ; : texts public !~ places are now
  : texts public ~ - The scores are now: Bob 1, Cyd 1 (before: Bob 3, Cyd 3).
  undo last trade --yes ; trade ann R9 gil R4 --at -34m --yes
  : texts public ~ A correction: we told you something wrong. This is right: / ## Equilibrium
what was before is what the last correction told, also of an entry whose text is of the result only now, and waits
  desk ; +1h ; close --yes ; pace 10 ; award eve tokens 1 --yes ; gift dan bob ; all posted ; pace 1
  trade ann R2 gil R4 --at -40m --yes ; all posted ; undo last trade --yes ; amend {gift} at=-28m --yes
  : texts public ~ - The Tokens of Life are now: Bob 1, Dan 1, Fox 1 (before: Ann 2, Dan 1, Eve 1).
  : texts public ~ - A correction: the Tokens of Life are now: Bob 1, Dan 1, Eve 1, Fox 1 (before: Bob 1, Dan 1, Fox 1),
also where a reopened end has since taken from a text the sentence that told it
  desk ; +1h ; close --yes ; gift dan bob ; all posted ; note late --at -30m --yes ; declare token eve 1 --note w -y
  : texts public ~ A correction: the Tokens of Life are now: Bob 1, Dan 1, Eve 1, Fox 1 (before ; all posted
  reopen gift --yes ; : texts public ~ - No longer true: The match is over. !~ - The Tokens of Life are now:
nor is it what a text tells that waits, then and now
  demo lantern_walk ; all posted ; override bob points 3 --yes ; undo 9 --yes ; outbox done 10a+1 ; undo 12 --yes
  : covers ~ 14a+1 ; : texts public ~ - A correction: the Tokens of Life are now: Bob 1 !~ - The Tokens of Life are now:
nor what no text told: a token that hosts gave after the last text that shows how the match stands; one before it is
  desk ; +1h ; close --yes ; +1h ; declare elimination cyd --note why --yes ; award eve tokens 1 --yes ; all posted
  gift dan bob --at -30m --yes ; : texts public ~ A correction: we told you !~ - The Tokens of Life are now:
  undo {gift} --yes ; declare elimination ann --note why --yes ; all posted ; gift dan bob --at -30m --yes
  : texts public ~ This is right: / ## Equilibrium / The match is over. / - Bob · 1 !~ The Tokens of Life are now
a score that hosts set after the end is told to everybody, also where nothing else of the result changes by it, once
  demo lantern_walk ; all posted ; 5 override ann points 0 ~ the scores are now: Ann 0 (before: Ann 1)
  override ann points 0 --yes ~ - A correction: the scores are now: Ann 0 (before: Ann 1), because the hosts corrected a
  : waits public == 40a ; all posted ; undo 9 --yes ; : texts public ~ A correction: we told you !~ scores are now
also where only the player was told that a host set their hand
  desk ; +1h ; close --yes ; gift dan bob ; all posted ; override hal hand none --yes
  : texts public ~ - A correction: the places are now: Cyd 4, Bob 5, Gil 6, Fox 7 (before: Cyd 5, Bob 6, Gil 7, Fox 8),
and by a verb of the game that hosts use after the end
  file tiny ; open ; add gold cyd 4 ; add gold ann 1 ; close match --yes ; all posted ; set gold ann 7 --yes
  : texts public ~ - A correction: the scores are now: Ann 7 (before: Ann 6), because the hosts corrected a count.
a correction does not tell such a score again
  demo hex_parties ; all posted ; override eve points 4 --yes ; all posted ; undo 44 --yes
  : texts public ~ A correction: we told you !~ scores are now
what a text told of the result, and tells still, is not said to be true no longer where another part of it has changed
  demo lantern_walk ; all posted ; award ann tokens 1 --yes ; all posted ; undo 9 --yes
  : texts public ~ - No longer true (round 1): Cyd walks to C4. !~ Tokens of Life are now
a reason that no posted text told its player is not taken back: the correction of a text had left it out
  demo lantern_walk ; override dan points 5 --at 2026-03-03T17:40Z --yes ; override ann points 2 --yes
  award bob garnets 1 ; all posted ; declare elimination nobody --note why --yes ; all posted
  override ann points 3 --at 2026-03-03T17:41Z --yes ; : texts bob !~ Elimination Candidate ; all posted
  undo 12 --yes ; : texts bob ~ - No longer true: Stands on: B4 !~ Elimination Candidate
a correction does not tell of a gift made since, where only the reason of a token is another
  desk ; traded ; +1h ; close --yes ; all posted ; trade dan B3 eve B10 --at -30m --yes ; gift ann bob
  : texts public ~ Dan won a Token of Life: best equilibrium: difference 1, total 38 !~ the Tokens of Life are now
a correction goes before the newer texts that rest on it, dated by the entry that corrects; nobody else is told
  desk ; traded ; all posted ; undo 20 --yes ; +1h ; trade ann R2 cyd B5 ; : waits ann == 20b+1 {trade}b
  : outbox | items[audience=ann].at == 2026-03-02T09:06:00.000Z 2026-03-02T10:07:00.000Z
  : texts ann ~ - Taken back: Your trade with Bob is done: you gave R2 and received B4. ; : to Taken back == ann bob
a round that is resolved anew is told once: only what came out otherwise is taken back, and the new text is in it
  match poker_auction ann bob cyd dan eve ; open ; power ann 5 ; power bob 4 ; resolve --yes --early ; all posted
  undo {resolve} --yes ; blank cyd ; resolve --yes --early ; : waits public == 10a+1
  : texts public ~ Taken back (the power round): Dan has Clubs. ~ True now (the power round): Dan has Joker. !~ Ann has
where nothing but a line of the report is another, the correction says which
  desk ; close --yes ; all posted ; undo {close} --yes ; close --yes
  : texts public ~ What changed: / - True now: Trading is over, something is still to be decided. There is time ~ / ##
a newcomer is told what goes with the seat, and no correction of what somebody else in it was told
  desk ; traded ; all posted ; replace ann Anna --yes ; undo 20 --yes ; : to Taken back == bob ; : covers == 20c+1
  : waits ann == {replace}b ; outbox done {replace}b ; award ann garnets 1 ; outbox done {award} ; undo {award} --yes
  : to Taken back == bob ann ; drop ann --yes ; replace ann Anne --yes ; : to Taken back == bob
a late entry from before that is told by that text, or its correction, and prints none of its own
  file owned ; draw loot --drawn 'gem coin' ; open ; +1h ; replace ann Anna --yes
  add gold ann 1 --at -30m --yes !~ Your gold: ; : waits ann == {replace}b
  outbox ~ {add}b for ann in a message to Ann is replaced by {replace}b ; all posted
  add gold ann 2 --at -30m --yes !~ Your gold: ~ {replace}b, posted to a message to Anna: it says something else now
  : waits ann == {replace}b+1 ; outbox !~ {add}b ; add gold ann 3 ~ Your gold: ; : waits ann == {replace}b+1 {add}b
and which sheet stands for the seat, or that it is a blank; the unposted text that said so falls out of the box
  file laid ; draw loot --drawn 'gem coin' ; open ; bid ann 1 ; bid ann 2 ; replace ann Anna --yes
  outbox ~ {seal}b for ann in a message to Ann is replaced by {replace}b ; : waits ann == {replace}b
  : texts ann ~ / - Your sheet for round 1: much 2. ~ You have answered for this round. ; outbox done {replace}b
  blank ann ; replace ann Anne --yes ; : texts ann ~ - You submit nothing for round 1. !~ much 2
  replace bob Rob --yes ; : texts bob ~ Nothing is in from you yet. !~ Your sheet for
in Poker Auction, too
  match poker_auction ann bob cyd dan eve ; open ; power ann 30 SDHCJ ; all posted ; replace ann Anna --yes
  : texts ann ~ / - Your sheet for the power round: 30 chips, Spades, Diamonds
once, where the summary of the seat says it
  match polar ann bob cyd ; open ; start ann s - ticket polarity ; replace ann Anna --yes
  : texts ann ~ Your sheet: Scissors, - !~ sheet for
in Hex Parties as well
  match hex_parties ann bob cyd dan eve fay ; open ; move ann odd G1 ; replace ann Anna --yes
  : texts ann ~ Your orders for round 1: odd G1 !~ sheet for
a text that was pasted and then undone is marked by one command; its entry stays undone, and its reader is corrected
  desk ; traded ; undo 20 --yes ~ no longer to be sent: 20b 20c. If one was sent already: hl outbox done 20b /
  outbox done 20 -n ~ texts 20b 20c would be
  outbox done 20b ~ text 20b is posted ; show 20 ~ undone ; : state hands.ann ~ R2 ; : covers == 20b+1 ; verify
  2 outbox done 20x ; 2 outbox drop 20c ; outbox done 20c ; : covers == 20b+1 20c+1
a correction that never was is not marked, and writes nothing: neither with the entry undone nor before
  desk ; traded ; outbox done 20b ; undo 20 --yes ; outbox done 20b+1 ; 2 outbox done 20b+2 ~ no text "20b+2" waits
  2 outbox done 20b+9
what was posted and has a correction: done names that, and undo says whether the text waits
  desk ; traded ; outbox done 20b ; 3 outbox done 20b ~ (entry 21) [ ~ try: hl outbox undo 20b /
  amend 20 give=R4 --yes ; outbox undo 20b -n ~ waits again
  3 outbox done 20b ~ (entry 21); its correction is 20b+1 [ ~ try: hl outbox done 20b+1 / ; outbox done 20b+1
  outbox undo 20b ~ text 20b does not wait, as its correction 20b+1 was posted: ; : waits ann == 19b
of a dropped sheet that another has replaced it names the text of that
  match polar ann bob cyd ; open ; start ann s - ticket polarity ; outbox drop {start}b ; blank ann
  outbox undo {start}b ~ text {start}b does not wait, as {blank}b takes its place: its mark is taken back
and of a correction whether it waits again, was posted in another, or is not to be sent any more
  desk ; traded ; all posted ; amend 20 give=R4 --yes ; all posted ; outbox undo 20b+1 -n ~ 20b+1 waits again
  undo {amend} --yes ; outbox undo 20b+1 -n ~ text 20b+1 does not wait: it is not to be sent any more:
  : waits ann == 20b+2 ; outbox undo 20b+1 ~ 20b+1 does not wait: ; : waits ann == ; : waits bob == 20c+2
  outbox done 20c+2 ; outbox undo 20c+1 ~ text 20c+1 does not wait, as its correction 20c+2 was posted: ; : waits bob ==
status counts what the outbox lists, each thing once, for hosts alone and of the match as it is now
  desk ; traded ; status ~ ! 11 texts wait to be sent: hl outbox ; status --for public !~ hl outbox
  status --as-of now !~ hl outbox ; all posted ; status !~ hl outbox ; undo 20 --yes
  status ~ ! 2 corrections wait to be sent: hl outbox ; trade ann R2 cyd B5
  status ~ ! 4 texts wait to be sent, 2 corrections among them: hl outbox
an amend names the texts that wait and have changed; what is marked gets its correction, and is not named
  desk ; traded ; amend 20 give=R4 --yes ~ to be sent in other words now: 20b 20c. To see it: hl outbox show 20b. If
  outbox done 20b ; amend 20 give=R9 --yes ~ in other words now: 20c.
  amend 20 at=-1m --dry-run !~ in other words now
an amend that names another player says which text is no longer to be sent, and which is new
  desk ; traded ; amend 20 b=dan take=B3 --yes ~ to be sent in other words now: 20b. To see it: hl outbox show 20b. If
  undo --yes ; amend 20 b=dan take=B3 --yes ~ to be sent now as well: 20e. To see it: hl outbox show 20e / no
  undo --yes ; amend 20 b=dan take=B3 --yes ~ no longer to be sent: 20c. If one was sent already: hl outbox done 20c /
  : waits ~ 20b ~ 20e !~ 20c ; amend 20 give=R4 --yes !~ no longer to be sent !~ as well
a text that was pasted before an amend is marked as it was by one command; the amend counts, and its reader is corrected
  desk ; traded ; amend 20 b=dan take=B3 --yes ~ now: 20b. To see it: hl outbox show 20b. If one was sent already: hl
  2 outbox done 20b 20x --old ; 2 outbox show 20b --old ~ takes no --old ; outbox done 20 --old -n ~ texts 20b 20c would
  outbox done 20c ~ text 20c is posted; hl outbox has the correction / ; : covers == 20c+1 ; show 20 ~ b: dan
  : texts bob ~ No longer true: Your trade with Ann is done !~ True now
  outbox done 20b --old ~ text 20b is posted; hl outbox has the correction / ; : covers == 20c+1 20b+1 ; verify
  : texts ann ~ No longer true: Your trade with Bob is done ~ True now: Your trade with Dan is done ; : waits !~ 20b /
  2 outbox done 19a --old ~ no correction or late entry has given 19a other words
so is one to which the undo of another entry gave other words
  desk ; traded ; trade ann R4 cyd B5 ; undo 20 --yes ~ to be sent in other words now: {trade}b. To see it
  outbox done {trade}b --old ~ is posted; hl outbox has the correction / ; : texts ann ~ something wrong. This is right:
or to which a late entry did
  file tiny ; open ; +1h ; add gold ann 1 ; outbox show 6a ~ gold of Ann: 6 (before: 5). ; add gold ann 2 --at -30m -y
  outbox show 6a ~ gold of Ann: 8 (before: 7). ; outbox done 6a --old ~ is posted; hl outbox has the correction /
  : texts public ~ No longer true: gold of Ann: 6 (before: 5). ~ True now: gold of Ann: 8 (before: 7). ; verify
after a second amend it is as the first one left it
  desk ; traded ; amend 20 give=R4 --yes ; amend 20 give=R9 --yes ; outbox done 20b --old ; : texts ann ~ you gave R4
a redo names the texts that it changes too, and what was read before it is marked as it was
  desk ; traded ; amend 20 give=R4 --yes ; undo @ --yes ; redo ~ in other words now: 20b 20c. ~ outbox done 20b --old
  outbox done 20b --old ; : texts ann ~ No longer true: Your trade with Bob is done: you gave R2
also where the entry that it brings back is no correction
  desk ; trade ann R4 cyd B5 ; undo @ --yes ; traded ; redo ~ in other words now: {trade}b.
  outbox done {trade}b --old ~ is posted; hl outbox has the correction / ; : kinds 3 == undo posted redo
  : texts ann ~ No longer true: Full House ; verify
a lot that was drawn wrongly: the correction takes back nothing that is true again
  file tiny ; open ; add gold ann 1 ; close match --yes ; lot --outcome bob ; all posted ; undo {lot} --yes
  lot --outcome cyd ; : texts public ~ The Elimination Candidate is now Cyd (before: Bob) !~ Taken back
  : texts public ~ The match is over. / ; all posted ; : waits ==
a correction says to its player which reason of the result, told below the sentences, no longer holds, and which does
  match polar nadia rosa sven oskar quentin uma priya tomas rounds=1 ; open ; start nadia rock + ; start rosa rock -
  start sven rock + ; start oskar paper - ; start quentin paper + ; start uma paper + ; start priya scissors -
  start tomas scissors + ; resolve --yes --early
  submit uma --ticket rock ; submit sven --ticket scissors ; resolve --yes --early ; all posted
  amend {submit} ticket=paper --yes ; : texts rosa ~ / - No longer true: You won a Token of Life: first with 2 points. /
  : texts oskar ~ / - True now: You are first. ~ / - True now: You won a Token of Life: first with 2 points. /
  : to True now: You won == oskar ; : to No longer true: You won == rosa ; award rosa garnets 1 ; outbox done {award}
  undo {award} --yes ; : to No longer true: You won == rosa ; all posted ; amend {submit} ticket=scissors --yes
  : to True now: You won == rosa ; : to No longer true: You won == oskar
whose turn it was, told at two times and taken back once, is not said to hold: that changes with each play
  file marsmatch ; amend-setting turn_seconds=0 ; draw --banker cyd ; deal --from deal.toml ; open ; play cyd 6
  pass ann ; pass bob ; play cyd 7 ; all posted ; undo {play} --yes
  : texts public ~ (once, where you were told the same before or after, it stands): Ann is next. /
  : texts public ~ Cyd leads. !~ still
what the report says in the same words, one of them bold, is not taken back
  file marsmatch ; amend-setting turn_seconds=0 ; draw --banker cyd ; deal --from deal.toml ; open ; play cyd 6
  pass ann ; pass bob ; all posted ; undo {play} --yes
  : texts public ~ Taken back: Cyd plays 6 ~ No longer true: Bob passes ~ - Cyd leads. !~ : Cyd leads
of the sheets and blanks of a player only the newest is told
  match polar ann bob cyd ; open ; blank ann ; start ann s - ticket polarity ; : waits ann == {start}b
  outbox ~ {blank}b for ann in a message to Ann is replaced by {start}b ; blank ann ; : waits ann == {blank}b
a blank replaces no sheet that it leaves as it is
  match hex_parties ann bob cyd dan eve fay ; open ; sides ann A2 ; move ann odd G1 ; blank ann
  : waits ann == {sides}b {blank}b
what was laid open with a round is taken back with it; what lies on the table again is not
  file laid ; draw loot --drawn 'gem coin' ; open ; all posted ; undo {open} --yes ; open
  : texts public ~ Taken back: Round 1 is open ~ / - Taken back: loot laid open: gem. / ~ / - loot on the table: gem /
what was told twice in the same words and undone once says that the other is not meant
  file tiny ; open ; poke ann ; poke ann ; all posted ; undo @3 --yes
  : texts ann ~ Taken back (once, where you were told the same before or after, it stands): You are poked. ; all posted
  undo {do} --yes ; : texts ann ~ / - Taken back: You are poked. /
a round that was resolved again with the same result is not taken back, whatever else of a player is corrected
  file laid ; draw loot --drawn 'gem coin' ; open ; poke ann ; bid ann 1 ; resolve --early --yes ; all posted
  undo {resolve} --yes ; resolve --early --yes ; : waits == ; amend {do} who=bob --yes !~ posted to #cyd
  : covers == {do}b+1 ; : drift == {do}b ; : texts ann ~ / - Taken back: You are poked. !~ Taken back: Round
nor is its new text listed, as unposted, of who has left since or was replaced
  file laid ; draw loot --drawn 'gem coin' ; open ; bid ann 1 ; resolve --early --yes ; all posted
  undo {resolve} --yes ; resolve --early --yes ; drop bob --yes ; replace cyd Cora --yes
  outbox ~ 17a text for public !~ {resolve}
nor where a number below its text is another now
  file owned ; draw loot --drawn 'gem coin' ; open ; poke ann ; bid ann 1 ; resolve --early --yes ; all posted
  undo {resolve} --yes ; resolve --early --yes ; amend {do} who=bob --yes
  : texts ann ~ / - Taken back: You are poked. ~ gold: 5 !~ Taken back: Round
a player's own correction takes back only what their own texts said, not what everybody was told
  file owned ; draw loot --drawn 'gem coin' ; open ; bid ann 1 ; resolve --early --yes ; all posted
  undo {resolve} --yes ; : texts public ~ / - Taken back: Ann: much 1. ~ / - Taken back: Round 1 is resolved.
  : texts ann ~ / - Taken back: You sent: much 1. !~ Ann:
  : texts bob ~ This is right: ~ - gold: 5 !~ Taken back: !~ Round 1.
the correction of a newer sheet says to its player which counts again: the one before it, or a withdrawal since
  match poker_auction ann bob cyd dan eve ; open ; power ann 30 SDHCJ ; note x ; power ann 10 SDHCJ ; all posted
  undo last power --yes ; : to True now: == ann ; : texts ann ~ True now: Your sheet for the power round: 30 chips
  all posted ; withdraw ann ; power ann 10 SDHCJ ; all posted ; undo last power --yes
  : to True now: == ann ; : texts ann ~ True now: Your sheet for the power round is taken back
a sheet that is corrected after it was let in is not read back as if it waited for a ruling; later corrections know that
  match poker_auction ann bob cyd dan eve ; open ; close --yes ; power ann 30 SDHCJ ; all posted ; ruling "admit last"
  all posted ; amend {power} chips=20 --yes ; : texts ann ~ Taken back: Your sheet for the power round: 30
  : texts ann ~ - True now: Your sheet for the power round: 20 chips, Spades, Diamonds, Hearts, Clubs, Joker. / How
  all posted ; resolve --early --yes ; all posted ; amend {power} chips=10 --yes
  : texts ann ~ back: Your sheet for the power round: 20 ~ now: Your sheet for the power round: 10 !~ host rules so
one that waits for a ruling still is
  match poker_auction ann bob cyd dan eve ; open ; close --yes ; power ann 30 SDHCJ ; all posted
  amend {power} chips=20 --yes ; : texts ann ~ now: Your sheet for the power round: 20 chips ~ host rules so. / How
nor is one in whose place another counts by now
  match poker_auction ann bob cyd dan eve ; open ; power ann 30 SDHCJ ; all posted ; power ann 10 SDHCJ ; all posted
  amend 8 chips=20 --yes ; : texts ann == ; : drift == ; undo last power --yes
  : texts ann ~ back: Your sheet for the power round: 10 ~ now: Your sheet for the power round: 20
nor is a late one that is recorded after another was let in, and counts before it
  match poker_auction ann bob cyd dan eve ; open ; close --yes ; +1h ; power ann 30 SDHCJ ; ruling "admit last"
  all posted ; power ann 10 SDHCJ --at -30m --yes ; : waits ann == {ruling}b+1 ; : texts ann !~ 10 chips
a correction names only what is another than the posted text said: the points of its list are the same
  match hex_parties ann bob cyd dan eve fay ; open ; move ann odd G1 ; sides ann A2 ; resolve --early --yes ; all posted
  amend 9 "orders=odd B2" --yes ; : texts ann ~ True now (round 1): Your pieces: ~ Points: 0
  : texts ann !~ True now: Points: 0 !~ True now (round 1): Points
a correction names the round of what it says, if that is not the present one and the sentence does not name it
  match poker_auction ann bob cyd dan eve ; open ; award ann garnets 1 ; resolve --early --yes ; all posted
  undo {award} --yes ; : texts ann ~ Taken back (the power round): You received 1 garnet ; all posted
  award bob garnets 1 ; all posted ; undo {award} --yes ; : texts bob ~ Taken back: You received 1 garnet
and with the round that the same was told twice
  file marsmatch ; amend-setting turn_seconds=0 ; amend-setting rounds=2 ; draw --banker cyd ; deal --from deal.toml
  open ; play cyd 6 ; pass ann ; pass bob ; play cyd 7 ; close --yes ; all posted ; undo {play} --yes
  : texts public ~ Taken back (round 1): Cyd plays 7 ~ (round 1, once, where you were told the same before or after
"""

IN_MESSAGES = """
a long text waits in messages with names of their own, each marked done by itself
  desk ; traded ; : waits ann ~ 20b.1 20b.2 20b.3 ; outbox done 20b.2 ; 3 outbox done 20b.2
  : waits ann ~ 20b.1 20b.3 20b.4
  outbox done 20b ; : waits !~ 20b ; : drift == ; : log --kind posted | entries.args.parts == 4 4 4 4 ; verify
  outbox undo 20b ; : waits ~ 20b.1 20b.2 20b.3
every way out numbers the messages
  desk ; traded ; summary ann ~ --- message 1 of ; summary --all ~ --- message 1 of
  reveal -f discord ~ --- message 1 of
  outbox show 20b ~ --- message 1 of ; trade cyd B5 dan R3 -n ~ --- message 2 of
a changed text takes the rest of it away: what was read is corrected, what was never read is told by the correction
  desk ; traded ; outbox done 20b.1 ; amend 20 give=R4 --yes ; outbox done 20b.2 -n ~ would ; : waits !~ 20b.
  : texts ann ~ gave R4 ; : covers ~ 20b+1.1 20b+1.2 ; : drift == 20b ; outbox done 20b+1.1 ; : waits ~ 20c.4 20b+1.2
  outbox done 20b+1 ; : drift == ; verify
what was read of a half posted text is corrected by the text of the reopen that took its end back, and by that alone
  desk ; +1h ; close --yes ; declare token eve 1 --note w -y ; all posted ; gift dan bob ; outbox done {gift}a.1
  reopen gift --yes ; : waits ~ {reopen}a.1 !~ {gift}a ; : texts public ~ A correction: the Tokens of Life are now
a correction that changed half way begins anew
  desk ; traded ; outbox done 20b ; amend 20 give=R4 --yes ; outbox done 20b+1.1 20b+1.6 ; amend 20 give=R9 --yes
  : waits ~ 20b+2.1 !~ 20b+1 ; outbox done 20b+2 ; : drift == ; verify
"""
test_the_outbox = plays(OUTBOX)


@pytest.fixture
def short_messages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Discord takes so few characters that the texts of a trade need several messages."""
    real = discord.messages
    monkeypatch.setattr("ledger.render.discord.messages", lambda blocks: real(blocks, 60))
    _messages.cache_clear()
    yield
    monkeypatch.undo()
    _messages.cache_clear()


test_texts_in_several_messages = plays(IN_MESSAGES, uses="short_messages")


@pytest.fixture
def traded(at_desk: Callable[[str], Any]) -> Any:
    """A match with one trade: texts for Ann and for Bob wait."""
    here = at_desk("traded")
    here.hl("trade", "ann", "R2", "bob", "B4")
    return here


def waiting(here: Any) -> list[str]:
    return [item["item"] for item in items(here)]


# ---- prompts ---------------------------------------------------------------------------------------------------------


PROMPT = "Enter: posted, s: skip, q: quit"


@pytest.fixture
def at_a_terminal(traded: Any, root: Path) -> Any:
    opened: list[Terminal] = []

    def sit(*words: str) -> Terminal:
        opened.append(Terminal(root, *words, env={"HL_MATCH": str(traded.path), "HL_AS": "mara"}))
        return opened[-1]

    yield sit
    for one in opened:
        one.close()


def test_a_prompt_takes_only_what_it_offers(traded: Any, at_a_terminal: Any) -> None:
    """Issue: `no`, `n`, `?`, `help`, `quit` were taken as "posted"."""
    names = waiting(traded)
    here = at_a_terminal("outbox", "next")
    here.until(PROMPT)
    for word in ("no", "n", "?", "help", "quit", "posted", "20b"):
        here.type(f"{word}\n")
        assert "that is not one of the answers" in here.until(PROMPT)
    assert waiting(traded) == names
    for word in ("y", *("s" for _ in names[1:-1])):
        here.type(f"{word}\n")
        here.until(PROMPT)
    here.type("s\n")
    here.until(f"skipped, and still to be posted: {' '.join(names[1:])}")
    assert here.run.wait(20) == 0
    assert waiting(traded) == names[1:]


PASTES = ("\nhalf a line", "\x1b[200~\n\n\x1b[201~", "\n" * 300)


@pytest.mark.parametrize(
    "paste", ["\n\n\nhello\n\n", *(pytest.param(one, marks=pytest.mark.slow) for one in PASTES)], ids=repr
)
def test_neither_a_paste_nor_what_was_typed_before_the_question_is_an_answer(
    traded: Any, at_a_terminal: Any, paste: str
) -> None:
    """Issue: each line of a paste was taken as "posted"; an empty line is Enter."""
    names = waiting(traded)
    here = at_a_terminal("outbox", "next")
    os.write(here.fd, b"\n\n\n")
    here.until(PROMPT)
    time.sleep(0.3)
    assert waiting(traded) == names
    here.type(paste)
    here.until("a paste answers nothing" if "\x1b" not in paste else "answer")
    time.sleep(0.3)
    assert waiting(traded) == names
    here.type("q\n")
    assert here.run.wait(20) == 0
    assert waiting(traded) == names


def test_go_on_takes_yes_and_no_alone(traded: Any, at_a_terminal: Any) -> None:
    here = at_a_terminal("outbox", "done", "all")
    here.until("Go on? [y/N]")
    for typed, then in (("posted\n", "Go on? [y/N]"), ("y\nyes\n", "a paste answers nothing")):
        here.type(typed)
        here.until(then)
    here.type("n\n")
    assert here.run.wait(20) == 5
    assert waiting(traded)


# ---- --copy ----------------------------------------------------------------------------------------------------------


def clipboard(monkeypatch: pytest.MonkeyPatch, folder: Path, **programs: int) -> Path:
    """Programs that take a text and end with these codes; where the last one puts it."""
    kept = folder / "clipboard"
    for name, code in programs.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n/bin/cat > {kept}\nexit {code}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return kept


def test_copy_says_which_program_took_the_text(traded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that fails (no display) is not believed: the next is asked."""
    monkeypatch.setattr(DISK, "system", "linux", raising=False)  # the one system where there are several
    kept = clipboard(monkeypatch, tmp_path, xclip=1, xsel=0)
    traded.hl("outbox", "show", "20b", "--copy")
    assert "copied by xsel" in traded.err and kept.read_text() == traded.out.rstrip("\n")


def test_copy_says_that_nothing_was_copied(traded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue: it says "copied" when no clipboard exists. Exit 5, and the text is on stdout."""
    clipboard(monkeypatch, tmp_path, xclip=1)
    for line in ("outbox next 20b", "outbox show 20b", "summary ann", "reveal", "status"):
        traded.hl(f"{line} --copy", code=5)
        assert "copy.none" in traded.err and "copied by" not in traded.err and len(traded.out) > 20, line


# ---- texts in several messages ---------------------------------------------------------------------------------------


def test_a_table_of_letters_of_two_units_fits_its_messages() -> None:
    """Discord counts UTF-16 units: a letter beyond the first plane is two of them and one column."""
    rows = tuple(("\U00020bb7" * 3, "\U0001d41a" * 20) for _ in range(60))
    for text in discord.messages([Table(("who", "what"), rows)]):
        assert discord.units(text) <= discord.LIMIT


def test_messages_are_cut_between_paragraphs() -> None:
    """A block stands whole in one message where it can, and no heading is the last line of one."""
    para = [Text(("word " * 70,)) for _ in range(3)]
    blocks = [Text(("word " * 250,)), Items(tuple(f"line {n} {'x' * 60}" for n in range(12))), *para]
    first, second = discord.messages(blocks)[:2]
    assert "line" not in first and second.startswith("- line 0")
    headed = [Text(("word " * 250,)), Heading("What was played", 2), Items(tuple("y" * 90 for n in range(9)))]
    assert discord.messages(headed)[1].startswith("### What was played")
    for texts in (discord.messages(blocks), discord.messages(headed)):
        assert all(discord.units(text) <= discord.LIMIT for text in texts)


@pytest.mark.usefixtures("short_messages")
def test_a_public_text_has_its_receipt_once_under_the_last_message(traded: Any) -> None:
    traded.hl("close", "--yes")
    public = [item for item in outbox(traded.match).waiting if item.audience == "public"]
    assert any(item.part for item in public)
    for item in public:
        assert (without_receipt(item.text) != item.text) == (item.part == len(item.messages) or not item.part)


# ---- a file for each player ------------------------------------------------------------------------------------------


def test_summaries_go_into_a_file_for_each_player(traded: Any, tmp_path: Path) -> None:
    """Issue: `summary --all -o DIR` writes a file per player, named by channel. Each is their own, whoever has left."""
    seats, out = traded.match.table.seats, tmp_path / "out"
    for gone in seats:
        traded.write(f"drop {gone}")
        traded.hl("summary --all -o", str(tmp_path / gone))
        files = {path.stem: path.read_text() for path in (tmp_path / gone).iterdir()}
        assert files == {p: traded.hl(f"summary {p}").out for p in seats if p != gone}
        traded.write("undo")
    traded.hl("summary --all -o", str(out))
    assert sorted(path.name for path in out.iterdir()) == [f"{p}.txt" for p in sorted(seats)]
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in out.iterdir())
    traded.hl("summary --all -o", str(out), code=2)
    traded.hl("summary --all -f json --overwrite -o", str(out))
    assert json.loads((out / "bob.json").read_text())["audience"] == "bob"


# ---- superseded, corrected -------------------------------------------------------------------------------------------


def test_a_sheet_that_was_replaced_falls_out_of_the_box_and_says_so(
    demos: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue: superseded sheets stay in the box. One that was posted stays posted."""
    monkeypatch.setenv("HL_MATCH", str(demos.copy("polar", tmp_path / "polar")))
    log, told = str(tmp_path / "polar" / "log.jsonl"), hl("outbox")
    found = outbox(Match(log))
    assert found.superseded
    for item, later in found.superseded:
        assert f"{item.name} for {item.audience} in {item.channel} is replaced by {later}" in told.err
        rows = [line.split()[0] for line in told.out.splitlines() if line]
        assert item.name not in rows and later in rows
    item, later = found.superseded[0]
    assert hl("outbox", "done", later, "--as", "mara").code == 0
    assert f"{item.name} for" not in hl("outbox").err, "whoever reads it knows what replaces it"
    assert hl("outbox", "done", item.name, "--as", "mara").code == 0  # it was pasted all the same
    assert item.name not in {one.name for one, _ in outbox(Match(log)).superseded}
