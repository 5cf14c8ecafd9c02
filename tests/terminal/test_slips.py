"""What a tired host types: `last` for a number, a correction without fields, a singular, a file name without `-f`; and
the line that comes next. How a case is written: support/lines.py. Source: docs/commands.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import Refused
from games.parts import rules
from ledger.cli.app import App
from ledger.core.replay import fold
from ledger.exchange import matchfile
from ledger.tell.reports import next_steps
from tests.support.demos import Demos
from tests.support.host import Host, hl, match_file
from tests.support.lines import cases
from tests.support.replaying import DEMOS, played
from tests.terminal.test_try_lines import unread

WOLF = """
game = "freeform"
hosts = ["mara"]
[players]
ann = {}
bob = {}
[items]
role = { values = ["wolf", "sheep", "sheep"], draw = "deal 1", seen_by = "owner" }
[sheets.vote]
fields = { suspect = "player" }
rounds = 2
opened = "everybody"
"""
TIE = """
[counters]
points = { seen_by = "everybody" }
[result]
score = "points"
tokens = "highest"
ties = "vote"
[verbs.honour]
fields = { who = "player" }
does = "points who += 1"
"""
LEVEL = f"{WOLF.partition('[items]')[0]}cyd = {{}}{TIE}".replace('"vote"', '"vote"\nelimination = "lowest"')
GIFT = """
[verbs.gift]
help = "One pays another."
fields = { who = "player", other = "player", much = "number 1.." }
does = "move points who other much"
"""
SECRET = """
[counters]
treason = { seen_by = "hosts", secret = true }
[verbs.toast]
fields = { who = "player" }
does = "treason who += 1"
secret = true
"""
FILES = {
    "wolf": WOLF,
    "secret": f"{WOLF}{SECRET}".replace('"owner" }', '"hosts", secret = true }'),
    "gift": f"{WOLF}{TIE}{GIFT}".replace("deal 1", "one each").replace(', "sheep"]', "]"),
    "level": LEVEL.replace("vote", "lot"),
    "voted": LEVEL,
    "one": f"{WOLF}[settings]\nleaver_result = 'out'\n",
    "tie": f"{WOLF}{TIE}",
    "four": f"{LEVEL}[players.dan]",
    "three": f"{WOLF.replace('bob = {}', 'bob = {}' + chr(10) + 'cyd = {}')}{TIE}",
}

SLIPS = """
a refusal names what comes first, not a verb that would be refused as well
  file wolf ; 3 deadline +1m ~ try: hl draw role / ; 3 reopen -n ~ try: hl draw role / ; draw role ; open
  resolve --yes --early ; 3 deadline +1h ~ no round is on ~ try: hl open / ; declare void --note x --yes
  3 deadline +1h ~ try: hl log --kind declare /
nor one that the file calls secret, nor a counter or a kind of card, to who has not typed it
  file secret ; 2 set ~ COUNTER is missing [ !~ treason ; 2 give !~ role ; 2 do ~ VERB is missing [ !~ toast
  2 toasd ann ~ there is no verb "toasd" !~ toast ; 2 draw !~ role ; toast ann ~ treason of Ann is 1
words for the deal come too late for a commitment as well
  desk ; 3 word ann seven bottles !~ hl commit ~ try: hl status /
what a ruling settles is not in a bare ruling
  match equilibrium a b c tol_conditions=[host_decides] allow_odd_roster=true ; deal ; open ; close --yes
  3 close ~ a ruling is open ~ try: hl status / ; status ~ a host must decide on the token: hl award PLAYER tokens 1
an undo and its redo are taken back by the line that does it now
  desk ; trade ann R2 bob B4 ; undo 20 --yes ; 3 undo 21 ~ try: hl redo 21 / ; redo 21 --yes
  3 undo 21 ~ try: hl undo 20 / ; 3 undo 22 ~ try: hl undo 20 / ; undo 20 --yes ; 3 undo 22 ~ try: hl log /
an undo after a redo asks: it takes back another entry than the redo brought back
  desk ; award ann garnets 1 ; award bob garnets 1 ; undo 20 ; redo
  5 undo ~ takes back #21 ~ hl undo 20 takes that back
  undo 20 ; undo !~ takes that back
what was amended is amended again under its own number
  desk ; trade ann R2 bob B4 ; amend 20 take=R6 --yes ; 3 amend 21 take=B4 ~ try: hl amend 20 /
a deal that the rules no longer allow is corrected, not made again
  desk ; amend 12 cards=R2 R3 R4 R5 R6 --yes ~ next: hl amend N KEY=VALUE (N: one of 10 to 18) / !~ hl deal
  status ~ hl amend N KEY=VALUE (N: one of 10 to 18) ; 5 deal ~ to mend it: hl amend N ; undo --yes
  status !~ not allow
amend of an entry that is not there, and of one that made the match
  desk ; 2 amend 99 ~ there is no entry 99 ; 2 amend 99 a=ann ~ there is no entry 99
amend shows what the match began with
  demo freeform ; amend 6 ~ key=counters.favour ~ at=2027-01-01 ; 3 undo 6 ~ like: hl amend-setting KEY=VALUE /
a mark that was taken back is not taken back again
  desk ; trade ann R2 bob B4 ; outbox done 20b ; outbox undo 20b ; 3 amend 21 at=-1m ~ try: hl outbox /
last may be an amend, which an undo takes back
  desk ; trade ann R2 bob B4 ; 2 undo last amend ~ there is no amend in effect ; amend 20 take=R6 --yes
  undo last amend ~ undone: #21, the amend of #20 / ; 2 undo last amend ~ there is no amend in effect
once an end has passed, next is what may be typed after it
  desk ; deadline "in 2h" --yes ; +3h ; waiting ~ next: hl close !~ hl trade ; status ~ next: hl close !~ hl trade
so is what players read: an end that has passed is no end to come, unless the clock is paused
  desk ; deadline "in 2h" --yes ; +3h ; reveal ~ Time was up <t: ~ , and what came of it follows. !~ It ends !~ is open
  summary ann ~ Time was up !~ It ends ; status ~ Time was up ; status --known 20 ~ It ends ; close --yes
  reopen trading --yes ; deadline "in 2h" --yes ; pause ; +3h ; reveal ~ The clock is paused !~ Time was up
of a round it names which
  match polar ann bob cyd allow_odd_roster=true ; open ; deadline "in 1h" --yes ; +3h
  reveal ~ The time of the pregame was up <t: !~ It ends
next is no resolve that the rules refuse
  match hex_parties a b c missing_parity=host allow_odd_roster=true ; open ; close --yes ~ next: hl sides PLAYER CELL /
  3 resolve --yes --early ~ like: hl sides PLAYER CELL / ; status ~ next: hl sides PLAYER CELL /
next is no lot that a host must not draw
  match hex_parties a b c ec_tie_no_winner=host max_rounds=1 missing_parity=first_listed allow_odd_roster=true ; open
  resolve --yes --early ; status ~ a lot must decide: hl lot --outcome PLAYER ~ next: hl lot --outcome PLAYER /
last is the newest entry in effect of a verb and a player
  desk ; trade ann R2 bob B4 ; trade cyd B5 dan R3 ; recolour ann R9 ; award ann garnets 1 ; undo @ --yes
  : show last ann | seq == 22 ; : show last trade ann | seq == 20 ; undo last trade ann -n --yes ~ to undo: #20,
  2 show last recolour bob ; 2 show last nobody ; 2 undo 12 13
amend alone shows what can be corrected, each field as it is now, and records nothing
  desk ; trade ann R2 bob B4 ; amend 20 ~ a=ann ~ give=R2 ~ b=bob ~ take=B4 ~ at= ~ hl amend 20 KEY=VALUE
  amend 20 --json ~ "fields": {"a": "ann", "give": "R2", "b": "bob", "take": "B4", "at": " ; : kinds 1 == trade
  recolour ann R9 ; amend @ ~ card=R9 The card before the recolour.
an amend takes away a bonus that was mistyped, and nothing that must be there
  match hex_parties ann bob cyd dan eve fox ; amend-setting 'bonuses=[{ name = "sprint", range = 5 }]' ; open
  move ann odd D5 --bonus sprint:odd ; amend @ bonus= --yes ~ bonus ; amend 10 ~ bonus= A movement
  2 amend 10 player=
amend takes a value of several words and capitals; what is no pair is told as the pair that it may be
  desk ; trade ann R2 bob B4 ; +1h ; amend 20 at=2026-03-02 09:30:07 --yes ; : show 20 | at == 2026-03-02T09:30:07.000Z
  amend 20 'at=2026-03-02 09:40:07' --yes ; : show 20 | at == 2026-03-02T09:40:07.000Z
  3 amend 20 TAKE=b4 -n ~ says that already
  2 amend 20 take R4 ~ try: hl amend 20 take=R4 / ; 2 amend 20 take=R4 R5 -n ; 2 amend 20 ann R4 ~ try: hl amend 20 /
an amend that the rules do not allow either says why, not that the match stands as before
  desk ; recolour ann R9 ; amend 20 player=eve --yes ~ the rules no longer allow entry 20
  amend 20 card=R4 -n --yes ~ entry 20 is corrected, but the rules still do not allow it: Eve does not hold R4
  amend 20 card=R4 --yes ~ but the rules still do not allow it: Eve does not hold R4 !~ stands as before
  status ~ the rules do not allow entry 20 ; amend 20 player=ann --yes ~ the rules allow entry 20 !~ still do not
amend takes the time as a field, not as an option
  desk ; trade ann R2 bob B4 ; 2 amend 20 --at '2 Mar 9:00' ~ try: hl amend 20 at='2 Mar 9:00' /
  2 amend 20 --at=-1m -n ~ try: hl amend 20 at=-1m -n / ; 2 amend 20 --at ~ like: hl amend 20 at=TIME /
  2 undo 20 --at -1m !~ at=
a match begins when it is made
  nothing wolf ; 2 > new m --at 19:00 --from wolf.toml ~ a match begins when it is made, so new takes no --at
  2 > new m --from wolf.toml --at 19:00 ~ try: hl new m --from wolf.toml /
  2 > new m '--at=sat 9:00' --from wolf.toml ~ try: hl new m --from wolf.toml /
an example names the players of the match, where it has not those of the examples
  match polar otto wren cyd allow_odd_roster=true ; open
  2 start zed rock + ~ like: hl start otto rock + confetti,ticket /
  2 award ~ like: hl award otto garnets 1 / ; award --help ~ hl award otto tokens 1 ; start --help ~ hl start otto rock
  2 vote cyd ~ like: hl vote otto wren / ; > vote --help ~ hl vote bob cyd
  3 lot ~ like: hl lot PLAYER PLAYER /
an example names what stands in the file of the match, and runs in it
  file gift ; do --help ~ hl do honour bob / ; move --help ~ hl move points ann bob 1 /
  seal --help ~ hl seal ann bob / ; set --help ~ hl set points ann 0 / ; add --help ~ hl add points ann 1 /
  give --help ~ hl give role ann bob / ; 2 seal ~ like: hl seal ann bob / ; 2 draw ~ like: hl draw role /
  2 do gift ~ like: hl do gift bob ann 1 / ; draw role ; open ; seal ann bob ; do honour bob ; add points ann 1
  move points ann bob 1 ; set points ann 0 ; give role ann bob ; > seal --help ~ hl seal ann 4 yes bob
what a number below zero was read as is said as it was typed
  desk ; 2 award ann -1 ~ AMOUNT is missing; read as PLAYER ann, garnets|tokens -1 [
a name of two words needs no quotes where the line cannot be read otherwise
  desk ; alias ann Ann Lee ; alias bob Bob of the Hills ; award Ann Lee garnets -1 -n --yes ~ Ann
  breach bob of the hills --note late -n ; 2 award Ann Loe garnets 1 -n ~ too much is
  note Ann Lee is away !~ "Ann Lee"
all is no player: the line to type names one; a summary of all there is
  desk ; 2 lock " " ~ there is no player ; 2 drop "" ~ [player.unknown] ; 2 unlock "," -y ~ no player
  2 lock all ~ is no player: name each ~ like: hl lock ann ; 2 drop Everybody ~ name each ~ like: hl drop ann
  2 award all garnets 1 ~ name each ~ like: hl award ann ; summary all ~ --- to Ann ~ --- to Hal
who quits has left, where one is named; a verb of a game that is a word for open names that too, before play
  match polar ann bob cyd allow_odd_roster=true ; 2 quit ann ~ hl drop ann / ; 2 quit !~ drop
  2 start ~ like: hl start ann rock + confetti,ticket / help: to begin play: hl open / ; open ; 2 start !~ hl open
several players are an entry each, and all or none; a name may begin with the names of two
  desk ; alias cyd Cyd Dan ; 2 drop bob zed -n ~ no player ; drop bob, Cyd Dan bob eve
  : log --kind drop --live | entries.args.player == bob cyd eve ; 3 drop dan eve
  : log --kind drop --live | entries.args.player == bob cyd eve ; undo --yes ; : log --kind drop --live | entries ==
every line to run has the match and the host that were named; of two hosts none is named, and none by what reads
  nothing equilibrium ; > new m --from equilibrium.toml ; > -g m status ~ next: hl -g m --as HOST deal /
  > -g m --as ben status ~ next: hl -g m --as ben deal / ; > -g m --as ben deal ; > -g m --as ben open
  > -g m --as ben status ~ ! 9 texts wait to be sent: hl -g m --as ben outbox /
  > -g m outbox next ~ when it is posted: hl -g m --as HOST outbox done
  > -g m --as ben award ann garnets 1 ; > -g m --as ben award ann garnets 1 ~ Not meant? hl -g m --as ben undo 21 /
  2 > -g m --as ben undo x ~ try: hl -g m log /
  > -g m --as ben amend 20 amount=-1 ~ To see it: hl -g m --as ben outbox show 20
  > -g m --as ben undo 20 ~ If one was sent already: hl -g m --as ben outbox done 20
remove and a player leads to undo first; what records that somebody left is never what is meant
  desk ; 2 remove cyd ~ to take back the last entry about cyd: hl undo last cyd ~ that cyd has left: hl drop cyd
  2 delete cyd ~ hl undo last cyd !~ did you mean ; 2 remove cyd !~ did you mean
  2 remove 12 ~ did you mean hl undo? !~ drop ; 2 delete 12 ~ did you mean hl undo? !~ drop
who is back leads to the undo of the line that said they left; a backup to the copy that is kept of each command
  desk ; drop cyd --yes ; 2 back cyd ~ for cyd to play again: hl undo last drop cyd -n / ; 2 rejoin cyd ~ drop cyd -n /
  2 return Cyd ~ hl undo last drop cyd -n / ; undo last drop cyd --yes ; 2 rejoin ~ hl undo? ; 2 whosleft ~ hl waiting?
  2 backup ~ backup = "FOLDER" in the file that hl doctor names / !~ export
what acts at once says how it is taken back
  desk ; pause --yes ~ not meant? hl undo @ takes it back ; undo @ --yes !~ not meant?
  drop hal --yes ~ not meant? hl undo @ takes it back ; undo @ --yes !~ not meant?
  replace gil Gina --yes ~ not meant? hl undo @ takes it back ; undo @ --yes !~ not meant?
  trade ann R2 bob B4 !~ not meant?
an award that is typed twice names the one before; half an hour later, or with another number, it is another
  desk ; +2h ; award ann garnets 1 !~ is the same ; award ann garnets 2 !~ is the same
  award ann garnets 2 ~ is the same, and both count. Not meant? hl undo
  award ann garnets 2 --at -30m --yes !~ is the same
who draws a second time gives one card more by hand
  file wolf ; draw role ; 3 draw role ~ like: hl give role deck PLAYER CARD / try: hl log --kind draw
so does what a verb of a file or `add` does twice
  file tie ; draw role ; open ; honour ann !~ same ; honour ann ~ is the same, and both count. Not meant? hl undo @
  add points ann 1 ; add points ann 1 ~ is the same, and both count
a lot that no decision asks for decides nothing, and its answer says so; it may be for something else
  file level ; open ; add points ann 1 ; lot bob cyd ~ nothing asks for a lot now, so this one decides nothing. Not
  undo @ --yes ; close match --yes ; lot bob cyd --outcome cyd !~ decides nothing
  lot cyd bob --outcome bob ~ the lot of entry @1 decided already, so this one decides nothing. Not meant? hl undo @
  lot ann bob ~ nothing asks for a lot now ; final ~ Elimination Candidate: Cyd
what has ended is closed once, so a refusal after it leads to the close that ended play
  file level ; open ; close match --yes ; 3 close match --yes ~ play is over already ~ try: hl status
  3 add points ann 1 ~ hl undo last close -n / ~ help: add --at TIME ; 3 add points ann 1 --at -1s ~ was over then [
  3 add points ann 1 --at -1s ~ hl undo last close -n / !~ --at TIME ; undo last close --yes ; add points ann 1
where no close ended it, a refusal leads to what did: the open that ended the pregame
  desk ; 3 reopen pregame ~ try: hl undo last open -n / ; undo last open -n
or the deadline that ended play
  file level ; open ; deadline "in 1h" --yes ; +2h ; 3 reopen ~ try: hl undo last deadline -n /
  3 add points ann 1 ~ hl undo last deadline -n / ; undo last deadline -n
an offer that goes the other way round is named; without any offer between them the line makes one
  desk ; 3 decline ann cyd ~ offer cyd CARD ann CARD ; offer ann R4 cyd R9
  3 decline ann cyd ~ decline cyd ann / ~ Ann has one to Cyd ; 3 accept ann cyd ~ accept cyd ann / ~ Ann has one to Cyd
  3 withdraw cyd ann ~ withdraw ann cyd / ~ Ann has one to Cyd ; decline cyd ann
an open offer is in the status of hosts alone until it is answered; the end of trading names it
  desk ; offer ann R4 cyd R9 ; status ~ Open offers ~ Ann offers Cyd R4 for R9 ; status --for public !~ offers
  status --for ann !~ offers ; : status | view.offers.give == R4 ; close --yes ~ the offer of Ann to Cyd was still open
  status !~ offers ; undo @ --yes ; decline cyd ann ; status !~ offers ; close --yes !~ the offer
who is chosen for a Death Match is not asked where there are no candidates
  demo marsmatch ; declare elimination ann --note settled --yes !~ Death Match
who is chosen for a Death Match is asked where there are candidates
  demo freeform ; declare elimination ann --note settled --yes ~ Death Match
a trade that cannot have been leads to a breach with its player, not to half a line
  desk ; 3 trade ann R10 bob B4 ~ / try: hl log --player ann / try: hl log --player bob / like: hl breach PLAYER,
a singular is read
  desk ; award bob garnet 1 -n --yes --json ~ "ok": true
what looks like a time and is none is told as it was typed
  desk ; note 2026-99-99T99:99:99.999Z ; undo last --yes ~ note 2026-99-99T99:99:99.999Z
who takes over a seat gets its texts where the player before them could read: the answer says so
  desk ; replace ann Anna --yes ~ texts for Anna go to #ann: nobody else may read there from now on
a correction shows the entry as it counts now; what cannot be corrected names the line that does it
  desk ; alias ann Annabel ; undo last --yes ~ is taken back; the match stands as before ; trade ann R2 bob B4
  amend @ take=R6 --yes ; undo 22 -n --yes ~ to undo: #22, trade ann R2 bob R6 ; amend 22 ~ take=R6
  outbox done 22b ; 3 amend @ ~ try: hl log / help: to take back that mark: hl outbox undo 22b /
beside a typed time a refusal names the log, not a verb that records
  desk ; pause ; 3 pause ~ try: hl resume / ; 3 pause --at -1s ~ try: hl log /
beside a typed time only the host reads what counts later
  desk ; note x ; lock ann ; 3 unlock ann --at -90s ~ host only: at -90s: entry 21 (lock) counts only from
what was over by a typed time is not answered by a typed time, but by when it ended
  desk ; +1h ; close --yes ; +1h ; 3 lock bob --at -30m ~ trading ended Monday 2 March 2026, 10:04
  3 lock bob --at -30m ~ trading was over then !~ --at TIME !~ hl reopen ; 3 lock bob ~ is over [ ~ help: add --at TIME
  3 gift ann bob --at -1m ~ Ann had no gift then [ ~ Dan may / !~ ended !~ --at TIME ; close --yes
  3 gift dan bob --at -30s ~ Dan had no gift then [ ~ the gift ended Monday 2 March 2026, 11:09 !~ --at TIME
  3 gift dan bob ~ Dan has no gift now [ ~ no gift is open now ~ add --at TIME
what is refused in a gap between a close and a reopen is not answered by another reopen
  desk ; close --yes ; +5m ; reopen trading --yes
  3 trade ann R2 bob B4 --at -3m ~ (reopen) counts only from !~ try: hl reopen
to end the match between rounds says that one is to come
  file wolf ; draw role ; open ; resolve --early --yes ; 5 close match ~ with a round to come: hl open ; open
  resolve --early --yes ; 5 close match !~ with a round to come
a sheet from before the first round is not answered by the next round
  file wolf ; draw role ; open ; seal ann bob ; resolve --early --yes
  3 seal bob ann --at -10m ~ (open) counts only from ~ try: hl log !~ hl open
an end that was moved late is not that of the phase of today; yesterday is that of the host, not of the entry
  desk ; +30h ; note x ; deadline yesterday 13:30 --at 'yesterday 13:00' --yes ~ what was open then ends
beside a time before the round a refusal names the entry with which it began, not an earlier one
  file wolf ; draw role ; +1h ; open ; 3 seal ann bob --at -2h ~ entry {open} (open) counts only from Monday
the same sheet again is said to be the same
  file wolf ; draw role ; open ; seal ann bob ; seal ann bob ~ (the same as #@1) ; seal ann ann ~ (instead of #@1)
after the last round a bare close ends the match and says so
  file wolf ; draw role ; open ; resolve --yes --early ; open ; resolve --yes --early ; 3 open
  final ~ not final yet: the match is still played; hl status says what comes next /
  5 close ~ to record: close match / ; close --yes ; log --kind close ~ phase=match
  scores ~ / The ranking is not public. / ; 3 reopen ~ try: hl undo last close -n /
the score is called score where a counter is called points
  file tie ; scores --for host ~ score !~ points ; explain result ~ Not final yet: ; explain final ~ Not final yet:
  2 points ann 1 ~ did you mean hl set points or hl add points or hl move points? ; 2 score ~ did you mean hl scores?
a late sheet of a resolved round counts after the resolve is undone; status names a line that works
  file wolf ; draw role ; open ; close --yes ; seal ann bob ; status ~ To let it count: hl ruling admit {seal}
  resolve --yes ~ To let it count: undo the resolve (hl log --kind resolve), then hl ruling admit {seal}
  status ~ To let it count: undo the resolve (hl log --kind resolve), then hl ruling admit {seal}
  3 ruling admit {seal} ~ no round is on [sealed.not_late] ~ try: hl log ; undo last resolve --yes ; ruling admit {seal}
what came after the last round was resolved leads back into it, by a line that needs no number
  match polar ann bob cyd allow_odd_roster=true rounds=1 ; open ; resolve --yes --early ; resolve --yes --early
  3 submit ann --swap ~ sheets are no longer taken ~ try: hl undo last resolve -n / ; 3 reopen ~ hl undo last resolve -n
  undo last resolve -n ~ resolve round_1 ; 3 reopen pregame ~ hl log --kind resolve
a late sheet is admitted by last, its player or its number; nothing else that begins with admit is a ruling
  file wolf ; draw role ; open ; 3 ruling admit last ~ nobody has a late sheet for round 1 ; close --yes ; seal ann bob
  seal bob ann ; ruling admit last -n ~ sheet of Bob counts ; ruling Admit #@ -n ~ sheet of Bob counts
  ruling admit last ann -n ~ sheet of Ann counts ; ruling Admit Ann: the train ~ ruling: admit 7: the train
  3 ruling admit ann ~ Ann has no late sheet for round 1 ; 2 ruling admit zed ~ "zed" is neither ~ ruling admit SEQ
  2 ruling admit that she was late ; 2 ruling admit ; ruling admission is free ~ ruling: admission is free
which late sheet was let in is said, with what is on it and when it came, and each other one of that player
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock + confetti,ticket
  start bob rock - ticket,double ; start cyd paper + ticket,double ; resolve --yes ; swap ann ; close --yes
  go ann paper ; bomb ann ticket rock ; go bob paper ; status ~ (#{bomb}, bomb ann ticket rock, Mon 2 Mar 09:10) came
  2 ruling admit ann ~ Ann has 2 late sheets: say which [entry.ambiguous]
  2 ruling admit ann ~ hl status / ~ hl ruling admit @1 / ~ hl ruling admit @2 /
  2 ruling admit ann: the train ~ say which
  ruling admit last ann -n ~ let in: #{bomb}, bomb ann ticket rock, Mon 2 Mar 09:10 / !~ let in: #12 !~ Bob's sheet
  ruling admit {bomb} ~ let in: #{bomb}, ~ Ann's sheet (#12, go ann paper, Mon 2 Mar 09:09) came late and does not
  ruling admit ann ~ let in: #12, go ann paper !~ To let it count
a late sheet before one that was let in would not count: no line offers it; one that repeats another says so
  file three ; draw role ; open ; seal ann bob ; close --yes ; seal ann cyd ; seal ann cyd ~ (the same as #9); late
  seal bob ann ; seal ann bob !~ the same ; status ~ hl ruling admit 9 ; ruling admit 10 !~ admit 9
  status ~ hl ruling admit 12 ~ hl ruling admit 11 !~ hl ruling admit 9 ; resolve --yes ; status ~ hl ruling admit 12
  status !~ hl ruling admit 9
of two late sheets of a player that an end lets in, only the one that then counts is named
  file three ; draw role ; open ; seal ann bob ; close --yes ; seal ann cyd ; seal bob ann ; seal ann ann
  5 reopen ~ the late sheet of Ann (entry 11) counts in round 1 instead of entry 7, which was in time !~ (entry 9)
  5 deadline 'in 2h' ~ the late sheet of Ann (entry 11) counts in round 1 instead of entry 7 !~ (entry 9)
a round that is closed is not closed again
  file three ; draw role ; open ; close --yes ; 3 close ~ round 1 is closed already [ ~ try: hl resolve / ; reopen --yes
  close --yes ; 3 close --yes ~ closed already
an amend of a sheet that a later one has replaced names the one that counts, and is typed again for that
  file three ; draw role ; open ; seal ann bob ; seal ann bob
  amend 7 suspect=cyd ~ the sheet that counts is #8. Meant that? hl amend 8 suspect=cyd / ; amend 7 at=-1s -n !~ Meant
  amend 8 suspect=cyd !~ Meant
a sheet that is amended into another round says which, whether it is late there and what it takes the place of
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock + confetti,ticket
  start bob rock - ticket,double ; start cyd paper + ticket,double ; resolve --yes ; go bob paper ; close --yes
  resolve --yes --early ; swap bob ; amend @ at=09:09:30 ~ the match stands as before
  5 amend 13 at=09:08:30 ~ then #13, swap bob: late for round 1, not for round 2, so it does not count. To let it count:
  5 amend 13 at=09:08:30 ~ undo the resolve (hl log --kind resolve), then hl ruling admit 13
  5 amend 13 at=09:07:30 ~ then #13, swap bob: counts for round 1, not for round 2 / ; go bob rock
  5 amend 15 at=09:07:30 ~ then #15, go bob rock: counts for round 1, not for round 2, instead of #10 /
  5 amend 15 at=09:07:30 ~ then #15, go bob rock: Bob, ticket to Rock: would count for nothing
  5 amend 15 at=09:06:30 ~ counts for round 1, not for round 2; #10 came after it and counts instead /
  5 amend 15 at=09:02:30 ~ the rules would no longer allow entry 15
  amend 15 at=09:07:30 --yes ~ now #15, go bob rock: counts for round 1, not for round 2, instead of #10 / ; show 15
  5 amend 11 at=09:06:40 ~ then #10, go bob paper: late for round 1, so it does not count.
  5 undo 16 ~ then #15, go bob rock: counts for round 2, not for round 1 /
so do orders
  match hex_parties ann bob cyd dan eve fox ; open ; move ann odd A3 ; close --yes ; resolve --yes --early ; move ann
  5 amend @ at=09:03:30 ~ then #@, move ann: counts for round 1, not for round 2, instead of #9 /
a late sheet in whose place a later one counts is told to nobody; what was added to one is called so
  match hex_parties ann bob cyd dan eve fox ; open ; +20m ; move ann odd A3 --at -2m
  move ann odd D5 even D4 --at -5m --yes ~ now #9 came after it and counts instead !~ --- to Ann
  move ann odd D5 --at -1m --yes ~ --- to Ann !~ came after ; resolve --yes --early
  move ann even D4 --add --at -5m --yes ~ added to Ann's sheet for round 1: even
the correction of an earlier round shows what is right of it, of the last one only how the match stands
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock + confetti,confetti
  start bob rock - confetti,double ; start cyd paper + confetti,double ; resolve --yes ; bomb ann confetti paper
  resolve --yes --early ; outbox done all --yes ; amend last bomb room=rock --yes
  : texts public ~ This is right: / ## Polar RPS Party / Round 2 of 9 !~ How the match stands now
  amend last bomb room=paper --yes ; resolve --yes --early ; outbox done all --yes ; amend last bomb room=rock --yes
  : texts public ~ This is right: / ### Round 1 / - Rock: Ann +, Bob - · 1 Confetti Bomb / - Paper: Cyd + / - Scissors
  : texts public ~ How the match stands now: / ## Polar RPS Party / Round 3 of 9: ~ ### Round 2 / - Rock: Ann +, Bob - /
and the sheets of a file
  file three ; draw role ; open ; seal ann bob ; resolve --yes --early ; open ; seal ann cyd
  5 amend @ at=09:04:30 ~ then #@, seal ann cyd: counts for round 1, not for round 2, instead of #
a late sheet during a pause does not count, and the answer does not say that it does; one in time does
  file wolf ; draw role ; open ; pause ; seal ann bob ~ counts all the same ; close --yes
  seal bob ann ~ late: hl ruling admit @ [ !~ counts all the same
the line that admits a late sheet, or adds it to the old one, has the match that was named, in show too
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock + confetti,ticket
  start bob rock - ticket,double ; start cyd paper + ticket,double ; resolve --yes ; go ann paper ; close --yes
  > -g m swap ann ~ late: hl -g m --as mara ruling admit @ [ ; > -g m show @ ~ late: hl -g m --as mara ruling admit @ [
  > -g m submit ann --swap ; > -g m ruling admit last ~ to add to the old sheet: hl -g m --as mara amend @1 add=true [
a late trade is not admitted: it is typed again, with its time
  desk ; 3 ruling admit last ~ no round is on ~ type it again with --at TIME
lock closes where no player locks in; a deal in a game without one leads to what comes next; half a bomb to its form
  match polar ann bob cyd allow_odd_roster=true ; 3 deal ~ this game has no deal ~ try: hl open /
  2 lock ~ did you mean hl close? ; open ; 3 deal ~ like: hl start NAME ROOM SIGN BOMB,BOMB (Ann, Bob or Cyd) /
  start ann rock + confetti,ticket ; start bob rock - ticket,double ; start cyd paper + ticket,double ; resolve --yes
  2 bomb ann double --at -1s ~ say which bomb and room ~ like: hl bomb ann
  2 submit ann --bomb double --at 22:04 ~ --bomb takes BOMB ROOM; ROOM is missing ~ help: --bomb BOMB ROOM --at /
  2 submit ann --bomb double ~ BOMB ROOM; ROOM is missing ; 2 submit ann --bomb --at 22:04 ~ --bomb needs a value
two of a kind are named one by one
  match polar ann bob cyd allow_odd_roster=true ; open ; 2 start ann 2 + confetti,double !~ by itself
  2 start ann rock + 2 confetti ~ name each by itself: confetti,confetti
  2 start ann rock + 'confetti x2' ~ name each by itself: confetti,confetti ; 2 start ann rock + confetti x2 ~ by itself
  2 start ann rock + v2rocket !~ by itself ; start ann rock + confetti,confetti
a lock where there is no match is that of Equilibrium
  nothing ; 2 > lock ann ~ belongs to equilibrium
a reminder is for one player, if one is named; what is owed may be several things
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock + confetti,ticket ; remind Bob !~ Cyd
  remind bob ~ your room, sign and two bombs are still missing. They are due ; remind ann ~ Ann owes nothing
  remind ~ to Bob ~ to Cyd ; 2 remind zed ; +90h ; remind bob ~ two bombs were due < ~ They have not come.
who sent a part of what they owe is not told after the end that nothing came
  match hex_parties ann bob cyd dan eve fox ; open ; move ann odd A3 ; +90h
  remind ann ~ Your choice of the odd piece was due < ~ >). It has not come. ; remind bob ~ It has not
who begins with as many garnets as they may hold is named before play, with what follows
  nothing equilibrium ; > check equilibrium.toml ~ Cyd and Dan begin with all the garnets that one may hold (3): what
  > check equilibrium.toml ~ they earn is discarded until they have fewer / equilibrium.toml can be played
a setting that is amended for an earlier time says from when it counts, and that a later entry has changed it
  desk ; +1h ; amend-setting vote_hours=22 ~ vote_hours is now 22 !~ it counts from
  amend-setting vote_hours=20 --at '2026-03-02 09:30:00' --yes ~ vote_hours was then 20 ~ from Monday 2 March 2026, 09
  amend-setting gift_hours=20 --at '2026-03-02 09:30:00' --yes ~ gift_hours is now 20 ~ from Monday 2 March 2026, 09:30
what counts from now, where the entry typed just before it counts from long ago, says so; later it does not
  desk ; +3h ; lock hal --at -2h --yes ; note hm --about 20 !~ it counts from
  note hm ~ it counts from Monday 2 March 2026, 12:06 UTC, the entry before it (#20, lock hal) from
  drop gil --at -2h --yes !~ it counts from ; +1h ; award bob garnets 1 !~ it counts from ; trade ann R2 bob B4 --at -5m
  lock ann !~ it counts from ; drop cyd --at -1h --yes ; replace cyd Cora --yes ~ Not meant? hl amend @ at=TIME
  undo @ --yes ; replace cyd Cora -n ~ the entry before it (#27, drop cyd) from Monday 2 March 2026, 12 !~ amend
a hand cannot count from another time, so no line moves it
  match marsmatch a b c d e ; draw ; +3h ; award a tokens 1 --at -2h --yes
  deal ~ (#8, award a tokens 1) from Monday 2 March 2026, 10:03 UTC / !~ amend ; 3 amend 9 at=-1m ~ counts when it was
before the hour from which somebody has the seat, a refusal says so, and leads to the line that moves it
  desk ; +3h ; drop gil --at -2h --yes ; replace gil Gina --yes
  3 lock gil --at -1h ~ Gil has left the match ~ Gina takes over the seat from Monday 2 March 2026, 12:05 UTC on (
  3 lock gil --at -1h ~ UTC on (entry @) / like: hl amend @ at=TIME / !~ undo !~ drop
  amend @ at=-90m --yes ; lock gil --at -1h --yes
an award in a game of rounds shows as now only who has something else
  match hex_parties ann bob cyd dan eve fox ; open ; award ann garnets 1 ~ now ann: !~ now bob:
  resolve --yes --early ~ now ann: ~ now bob:
a late trade that hands the gift to another says who owes it instead of whom; one after which nobody does ends it
  desk ; +1h ; close --yes ; 5 trade dan R10 ann R2 --at -30m ~ the gift falls to Ann instead of Dan !~ ends the gift
  5 trade dan R10 fox B1 --at -20m ~ this ends the gift now, not Tuesday 3 March 2026
a deadline or a pause typed after an end that nobody recorded is for what comes next, and shows hands: it is asked about
  desk ; deadline 'in 5m' --yes ; +10m
  5 deadline +10m ~ trading ended at 09:09:00, so this counts for the gift; for trading, before it: --at TIME
  5 deadline +10m ~ this shows everybody ; 5 pause ~ so this counts for the gift
  deadline +10m --at -10m -n ~ trading ends
  deadline +10m --yes ; : told public ~ There is now time until ~ for what is still to be decided.
  5 deadline -10m !~ so this counts
a pause that counts from before a deadline or the end of a phase ends nothing earlier; an earlier end is asked about
  desk ; deadline +30m --yes ; pause --at -90s !~ this ends ; undo @ --yes ; 5 deadline -10m ~ this ends trading
  close --yes ; pause --at -90s !~ this ends
what a late entry ends early at its own moment is asked about, also where the same has ended by itself since
  match hex_parties ann bob cyd dan eve fox round_hours=24 ; open ; +72h ; note hello
  5 resolve --at -71h --yes ~ this ends round 1 now, not ~ still owe something ~ --yes --early
  resolve --at -71h -n ~ this ends round 1 now ; 5 close --at -70h ~ this ends round 1 now
  5 deadline -3h --at -70h ~ this ends round 1 ; resolve --at -47h --yes !~ this ends
what a late entry opens, and later ones left behind, has ended; nobody is asked for it any more
  desk ; +30h ; note hello
  close --at -29h --yes ~ and Dan named nobody, so the spare token lapsed. What was sent before: hl gift dan NAME --at
  : told dan !~ give it to ; : told dan ~ Token of Life
likewise a vote, of whoever named nobody
  file voted ; open ; add points ann 1 ; +30h ; note hello
  close match --at -29h --yes ~ the vote ended Tuesday 3 ~ , and Ann named nobody. What ~ hl vote ann NAME --at TIME /
  : texts ann !~ You may vote ; vote ann bob --at -28h --yes !~ named nobody
the outbox calls a reminder one
  match hex_parties ann bob cyd dan eve fox round_hours=24 ; open ; move ann odd A3 ; outbox ~ text for ann !~ reminder
  +20h ; outbox ~ 8br reminder for ann in a message to Ann, of ~ text for ann ; outbox show 8cr ~ 8cr reminder for bob
an amend of a field that there is not says how those of the entry are typed, as it is now
  match hex_parties ann bob cyd dan eve fox ; open ; move ann odd A3
  2 amend @ odd=A2 ~ one of: player orders bonus as_sent add at / like: hl amend @ ~ orders=odd A3
a second choice says which it takes the place of, and an undo of it which holds again
  match hex_parties ann bob cyd dan eve fox max_rounds=1 ; open ; resolve --yes --early ; lot --outcome fox
  choose fox bob !~ instead ; choose fox ann ~ in the Death Match (instead of #@1) [
  undo @ --yes ~ now opponent of fox: ann -> bob !~ as before ; redo --yes ~ now opponent of fox: bob -> ann
a vote that decides nothing yet likewise
  file four ; open ; add points ann 1 ; add points bob 1 ; close match --yes ; vote cyd ann
  vote cyd bob ~ votes for Bob (instead of #@1) [ ; undo @ --yes ~ now vote of cyd: bob -> ann !~ as before
what is open only until an end that has passed takes the time at which the answer was sent
  desk ; +30h ; close --at -29h --yes ~ next: hl gift dan NAME --at TIME (
trading whose end was moved does not say that its whole length is over; a gift that was seen late leads to --at
  desk ; deadline in 5m --yes ; +1h ; close --yes ~ trading ends: its time is over !~ hours are over
  +48h ; close --yes ; 3 gift dan ann ~ add --at TIME if it was sent while one was open
an override of what is so already changes nothing, and nobody is told
  match poker_auction ann bob cyd dan eve ; open ; override ann power none ~ no change: already in effect !~ everybody
a choice that is typed twice changes nothing
  desk ; +1h ; close --yes ; gift dan ann ; choose gil hal ; choose gil hal ~ no change: already in effect !~ everybody
  choose gil bob ~ - Gil chooses Bob as the opponent in the Death Match.
who is given a token, and who has one, is told once and in the second person; so is the host told of the gift
  desk ; +1h ; close --yes ~ - You won a Token of Life: best equilibrium ; gift dan ann ~ Dan gives a Token of !~ wants
  : texts ann ~ Dan gave you a Token of Life, which does not count as winning it. !~ gave Ann
a correction asks for no gift that is made by now; for one that is still open it does
  desk ; +1h ; close --yes ; outbox done all --yes ; recolour hal B1 --at -30m --yes
  : texts dan ~ True now: You hold a spare Token of Life: give it to Ann, Bob, Cyd, Eve or Gil. ; undo @ --yes
  gift dan ann ; outbox done all --yes ; recolour hal B1 --at -30m --yes
  : texts dan !~ You hold a spare ~ A correction: we told you something wrong. This is right: / ## Equi
of a void match no result is still to come; while play is open again one is
  desk ; +1h ; close --yes ; reopen trading --yes ~ nobody is Elimination Candidate (yet) [ ; close --yes
  declare void --note x --yes ~ nobody is Elimination Candidate [
of two late sheets that are let in the later one counts, and the answer says which entry counts instead
  file wolf ; draw role ; open ; close --yes ; seal ann bob ; seal ann ann ; ruling admit 7 !~ instead
  ruling admit last ~ the late sheet of Ann counts in round 1 (instead of #7) ; undo last --yes ; undo last --yes
  ruling admit 8 ; ruling admit 7 ~ (entry 7) does not count: #8 came after it and counts instead !~ Your late sheet
a resolve says first from whom nothing has come, also without a preview
  file wolf ; draw role ; open ; seal bob ann ; resolve --yes --early ~ no sheet (vote) from Ann / the sheet of
  undo last --yes ; resolve -n ~ no sheet (vote) from Ann / ; blank ann ; resolve --yes !~ no sheet ; undo @ --yes
  undo last blank --yes ; close --yes ; seal ann bob ; resolve -n ~ no sheet (vote) from Ann /
  resolve -n ~ To let it count: hl ruling admit {seal} /
an amend says who has the seat now, and names the posted text that says something else
  desk ; replace gil Gina --yes ; amend 20 name=Gia --yes ~ now gil is Gia, not Gina ; outbox done 20a
  amend 20 name=Gina --yes ~ now gil is Gina, not Gia / text 20a, posted to the public channel: it says something else
a preview says that it draws a lot of its own only where one decides something
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock + confetti,ticket
  start bob rock - ticket,double ; resolve ~ a preview draws a lot of its own ; start cyd paper + ticket,double
  resolve !~ a lot
or breaks a tie
  match poker_auction ann bob cyd dan eve ; open ; power ann 1 ; power bob 2 ; power cyd 2 ; power dan 4 ; power eve 5
  resolve ~ a preview draws a lot of its own ; power cyd 3 ; resolve !~ a lot
what a host types after the end of a file's match leads to the time before it, and to the undo of the close
  file wolf ; draw role ; open ; resolve --yes --early ; close match --yes
  3 give role ann bob ~ add --at TIME if ~ hl undo last close -n
words that are no verb of a file lead to what it has, not to a verb that is spelled alike
  file wolf ; 3 deal ~ try: hl draw role / ; status ~ next: hl draw role / ; draw role ; open
  2 role ~ the file has it under items ; 2 roles ~ mean hl give role or hl draw role? ; 2 sheet ~ did you mean hl seal
  2 transfer ~ did you mean hl give? ; 2 pay ~ did you mean hl add or ; 2 shuffle ~ did you mean hl draw? /
  2 give ann role away ~ like: hl give ITEM FROM TO; or one of: table deck away
a verb of a file that is called like a verb of every match is listed as it is typed, and so answered
  file gift ; help ~ do gift One pays !~ / gift One ; draw role --drawn "ann wolf, bob sheep" ; open
  2 gift ann bob 2 ~ too much is: 2 ~ try: hl do gift ann bob 2 / ; do gift ann bob 2 ; 3 gift ann bob ~ hl do gift ann
what was drawn elsewhere is a player and a card, with commas or on lines of their own
  file gift ; 2 draw role --drawn 'ann bob' ~ one of: wolf sheep ~ like: hl draw role --drawn "ann wolf, bob sheep" /
  2 draw role --drawn ann ~ like: hl draw role --drawn "ann wolf, bob sheep" / ; draw --help ~ "ann north, bob south"
a sheet that is called like a verb is sealed with seal: check says so, and the verb that it is called like
  file wolf ; > check wolf.toml ~ vote is another verb already: type hl seal for this one
  draw role ; open ; 3 vote ann bob ~ try: hl seal ann bob ; seal ann bob ; 2 vote ann bop ~ did you mean bob?
a vote that is open keeps its own advice: who may not vote is not sent to the sheet
  file three ; draw role ; add points cyd -1 ; open ; resolve --yes --early ; close match --yes
  3 vote ann bob ~ [table.no_vote] !~ hl seal
once a vote is decided, a vote of who has voted leads to the line that changes it
  file voted ; open ; add points ann 1 ; close match --yes ; vote ann cyd ; 3 vote bob cyd !~ hl amend
  3 vote ann bob ~ no vote is open now ~ Ann's vote is entry @; if it was mistyped: hl amend @ candidate=bob /
  3 vote ann cyd !~ hl amend ; 3 vote ann ann ~ host only: Ann's vote is entry @ / !~ hl amend
  amend @ candidate=bob --yes ~ now elimination: cyd -> bob
an answer that decided leads to the entry that has it, for who mistyped it
  desk ; +1h ; close --yes ; gift dan ann ; 3 gift dan bob ~ Dan's gift is entry 21; if it was mistyped: hl amend 21 re
  3 gift dan ann ~ entry 21 says so already / try: hl status / !~ --at ; 3 gift ann dan ~ --at TIME !~ says so
after the match a choice of somebody else names to hosts whose it is, as a vote and a gift do
  desk ; +1h ; close --yes ; gift dan ann ; 3 choose ann bob ~ Ann has no choice now [table.no_choose] /
  3 choose ann bob ~ host only: Gil may
  choose gil bob
  3 gift dan bob ~ hl amend 21 receiver=bob / ; 3 gift fox ann !~ amend
an undo of what nobody was sent yet sends nobody a summary: the outbox no longer has the text
  desk ; trade ann R2 bob B4 ; undo @ --yes ~ no longer to be sent !~ players know ; redo --yes !~ players know
  amend 20 give=R4 --yes ~ in other words !~ players know
an end that nobody recorded is not taken back with the entry that came after it, and nobody was told of that one
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock - confetti,ticket ; +49h ; start bob rock +
  undo @ --yes ~ entry 7 is taken back; the match stands as before !~ now !~ players know ; redo --yes !~ ends
  amend 7 at=-2h --yes ~ now bob sheet: none -> rock + !~ ends: ; undo 7 --yes ~ now bob sheet: rock + -> none !~ ends:
  close --yes ; undo @ --yes ~ the match stands as before
a start that is typed after the pregame is recorded with the time at which it was sent
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock - confetti,ticket ; resolve --yes --early
  3 start bob rock + double,double ~ pregame is over ~ add --at TIME if it was sent in the pregame / try: hl submit bob
  start bob rock + double,double --at -2m30s --yes ~ Bob's sheet for the pregame
a blank over a sheet says whose place it takes, to the player too, and a sheet over a blank; a late one says neither
  match polar ann bob cyd allow_odd_roster=true ; open ; blank bob !~ replaces ; start bob rock + ~ (instead of #6)
  blank bob ~ It replaces your sheet before it. ~ on purpose (instead of #7) ; blank bob ~ (the same as #8) !~ replaces
  start ann rock - ; close --yes ; blank ann !~ instead !~ replaces
in every game that has sheets
  file wolf ; draw role ; open ; seal ann bob ; blank ann ~ It replaces your sheet before it. ~ (instead of #6)
a blank leaves the choice of the odd piece as it is, also where that one came late
  match hex_parties ann bob cyd dan eve fox ; open ; sides ann A2 ; blank ann !~ instead !~ replaces ; move ann odd A3
  blank ann ~ (instead of #11) ; sides ann A4 ~ (instead of #9) ; close --yes ; sides bob B6 ; blank bob
  ruling admit @ ; status ~ hl ruling admit 15 ; ruling admit 15 ~ the late sheet of Bob counts
what is added to a sheet twice is the same, also after something else was added; what it changes is not
  match polar ann bob cyd allow_odd_roster=true ; open ; resolve --yes --early ; swap ann ; swap ann ~ (the same as #7)
  go ann rock !~ the same ; swap ann ~ a sign swap (the same as #8) ; go ann rock ~ (the same as #9)
  go ann paper ~ no longer: a ticket to Rock !~ the same ; bomb ann double rock ; bomb ann double rock ~ (the same as
  submit ann --bomb double rock ~ (instead of ; submit ann --bomb double rock ~ (the same as #@1)
who takes more garnets than somebody holds is led to the line that takes fewer, not to one that gives some
  desk ; 3 penalty ann --garnets 9 ~ Ann holds 1 garnet / like: hl penalty ann --garnets N / ; penalty ann --garnets 1
  3 award ann garnets -9 ~ Ann holds 0 garnets / like: hl award ann garnets AMOUNT / ; penalty ann --garnets 0
that the match is over is said once in the text for everybody
  match polar ann bob cyd allow_odd_roster=true rounds=1 ; open ; start ann rock + ; start bob paper +
  start cyd paper - ; resolve --yes --early ; resolve --yes --early
  : told public ~ - The match is over. / ## Polar RPS Party / ### Round 1 /
  reveal ~ ## Polar RPS Party / The match is over. / ### Round 1 /
to close what is not on says what is
  desk ; 3 close vote ~ hl: "vote" cannot be closed: what is on is trading [ ; close --yes
  3 close match ~ hl: "match" cannot be closed: it is not on [ ~ host only: what is on is the gift / ~ try: hl status
  status ~ next: hl gift dan
one rule is one rule
  nothing wolf ; > new m --from one.toml --as mara ~ 1 rule of Freeform has a default ; status --as mara ~ ! 1 rule has
a redo says what it takes back, before it asks
  desk ; trade ann R2 bob B4 ; undo @ --yes ; redo -n ~ to take back: #21, the undo of #20, trade ann R2 bob B4 /
what the log shows as words is corrected by the names that the file gives them
  file gift ; draw role ; open ; do gift ann bob 2 ; 2 amend @ words='bob ann 3' ~ by the names of its words: who other
  2 amend @ words=bob,ann,3 ~ try: hl amend @ who=bob other=ann much=3 / ; 2 amend @ words=bob ~ try: hl amend @ /
a round is closed and reopened by its number, as it is resolved; a card that is typed for its kind leads to the kind
  file wolf ; draw role ; open ; 3 close 2 ~ cannot be closed: what is on is round 1 ; close 1 --yes ; reopen 1
  2 give wolf ann bob ~ no kind of card "wolf" in the file ~ try: hl give role ann bob wolf /
help of a verb of a file says what its words are, under do as well; a game is no verb
  file gift ; help do gift ~ hl do gift WHO OTHER MUCH ~ WHO: player; OTHER: player; MUCH: number 1..
  2 help freeform ~ "freeform" is a game, and no verb ~ try: hl template freeform / ; new-game --help ~ one text file
check says of a draw for each player by itself that two may get the same
  nothing gift ; > check gift.toml ~ draw of role (a value may come twice) ; > check wolf.toml !~ may come twice
who submits nothing on purpose is not told of a sheet once a resolve is undone
  match poker_auction ann bob cyd dan eve ; open ; blank ann ; resolve --early --yes ; outbox done all --yes
  undo last resolve --yes ; : texts ann ~ You have answered for this round. !~ sheet
what must come before play is open is named also at a typed time; what has come since is in the log
  match marsmatch ann bob cyd ; 3 open --at -1s ~ nobody is Banker yet ~ try: hl draw / ; draw
  3 open --at -90s ~ nobody is Banker yet ~ try: hl log / ; 3 open --at -1s ~ try: hl deal / ; 3 open ~ try: hl deal /
who has left cannot act: what takes that back, and who sits there now
  desk ; drop bob ; 3 lock bob ~ Bob has left the match ~ try: hl undo last drop bob -n / like: hl replace bob NAME /
  undo last drop bob --yes ; lock bob
a seat is not taken over by who sits there; who left may come back into it
  desk ; 3 replace bob BOB --yes ~ Bob sits there already: that is the same person ; replace bob Bobby --yes ; drop bob
  replace bob Bobby --yes
what is typed again with an earlier time than the entry that says so is that entry, to be moved
  desk ; replace gil Gina --yes ; 3 replace gil gina --at -3m --yes ~ sits there already ~ entry 20 says so, later; to
  3 replace gil Gina --at -4m -n ~ like: hl amend 20 at=TIME / ; pause
  5 pause --at -3m ~ entry 21 (pause): the clock is paused already; to move it: hl amend 21 at=TIME /
  undo 20 --yes !~ amend ; replace gil Gina --at -8m --yes
what is typed again with an earlier time and may be names the entry that says the same, later; not what adds up
  desk ; alias ann Annie ; alias ann annie --at -90s ~ entry 20 says the same, later. One too many? hl undo 20, or hl
  undo 20 --yes ; alias ann Annabel --at -90s !~ the same ; award ann garnets 1
  award ann garnets 1 --at -90s --yes !~ the same, later
a text with two newer ones is one text, and is not what somebody who leaves did not get
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock - ; start ann rock + ; replace ann Pia --yes
  outbox show 6b ~ Your sheet !~ message 1 of 2 ; outbox done 8b ; start ann paper + confetti,double ; drop ann --yes
  outbox ~ not posted to ann, who has left the match: 10b /
a pass typed as cards of a play, in MarsMatch
  match marsmatch ann bob cyd ; 2 play ann pass ~ hl pass NAME
Jokers typed as the hint calls the Spaceship of them
  file marsmatch ; draw --banker dan --seats dan,ann,bob,cyd ; deal --from deal.toml
  override dan hand BB ~ BJ BJ ; override dan hand ll ~ LJ LJ ; 2 override dan hand BBB
MarsMatch has no garnets: what sets points is in the help of penalty, and breaks no law
  match marsmatch ann bob cyd ; penalty --help ~ hl override PLAYER names what else
  override ann points -20 !~ law ; override ann title ground_hand ~ a law is broken now: ann has -20 points as Ground
a verb of the present game goes before one of another
  match marsmatch ann bob cyd ; 2 beat ann 3 ~ hl play? / ; 2 lead ann ~ hl play? / ; 2 throw ann ~ hl play? /
  2 bomb ann ~ hl play? / ; 2 skip ann ~ hl pass? / ; 2 fold ann ~ hl pass? /
in Polar what is thrown is still its sheet
  match polar ann bob cyd ; 2 throw ann ~ hl submit? / ; 2 skip ann ~ hl blank? / ; 2 spend ann ~ hl buy? /
seats without a player are completed with the Banker that was typed
  match marsmatch ann bob cyd ; 3 draw --banker cyd --seats ann,bob ~ try: hl draw --banker cyd --seats ann,bob,cyd /
  draw --banker cyd --seats ann,bob,cyd
before a round of MarsMatch only what is missing is waited for; a commitment came before the first one
  file marsmatch ; amend-setting rounds=2 ; status ~ The match has not begun. ; draw --banker cyd
  deal --from deal.toml ; 3 commit ~ before the first deal and before play begins, so it is too late for one [
  open ; close --yes
  status ~ Round 2 waits for its draw, its deal and the Initial Phase. / !~ Round 2. ; draw
  status ~ Round 2 waits for its deal and the Initial Phase. Banker: ; 3 commit ~ so it is too late for one
  deal --from deal.toml ; status ~ Round 2 waits for the Initial Phase. Banker:
  amend-setting visibility.hand_sizes=host
  summary ann ~ Round 2 waits for the Initial Phase. ; undo {draw} --yes
  summary ann ~ Round 2 waits for its draw, its deal and
the points of all rounds are not listed beside a title of the last one
  file marsmatch ; draw --banker cyd ; deal --from deal.toml ; open ; scores ~ Heaven Snatch ; amend-setting rounds=2
  close --yes ; draw --banker cyd ; deal --from deal.toml ; open ; scores ~ 1800 !~ Heaven ; close --yes
  scores ~ 1800 !~ Heaven !~ Loser
where there is no commitment, words for a later deal come too late too
  file marsmatch ; amend-setting rounds=2 ; draw --banker cyd ; deal --from deal.toml ; open ; close --yes
  3 word ann seven bottles ~ so it is too late for one ~ try: hl status /
once its open is undone no round takes sheets again, though it was closed; once its close is, it does
  match poker_auction ann bob cyd dan eve round_hours=1 ; +3h ; open --at -2h --yes ; note x
  undo last open --yes !~ sheets again ; open ; close --yes ; undo @ --yes ~ sheets again
a round of MarsMatch that is closed goes on when it is reopened; after the next has begun, an undo goes back
  file marsmatch ; amend-setting rounds=2 ; draw --banker cyd ; deal --from deal.toml ; open ~ The Real Match begins.
  play cyd 5 ; close --yes ; 3 reopen ~ round 2 has begun, so only the undo of what ended
  undo last close --yes ; amend-setting rounds=1 ; close --yes
  reopen --yes ~ The Real Match goes on. !~ begins. / - ; 3 pass bob ~ like: hl pass ann /
of a round that ended by itself, and once the next one is on, it offers the undo of no close, for there is none
  file marsmatch ; amend-setting rounds=2 ; amend-setting real_end=first_out ; draw --banker cyd ; deal --from deal.toml
  override cyd hand 5 ; open ; play cyd 5 --yes ; 3 reopen !~ close ; draw --banker cyd ; 3 reopen !~ close ~ hl log
who left an earlier round comes back by taking over the seat that was theirs; everybody reads that they are back
  file marsmatch ; amend-setting rounds=2 ; draw --banker cyd ; deal --from deal.toml ; open ; drop ann
  3 pass ann ~ try: hl undo last drop ann -n / like: hl replace ann NAME / ; close --yes
  2 rejoin ann ~ for ann to play again: hl replace ann Ann /
  3 draw --banker cyd --seats ann,bob,cyd,dan ~ try: hl replace ann Ann / !~ undo ; replace ann Ann
  : told public ~ - Ann is back in their seat. / !~ takes ; : told ann ~ - You are back in your seat. This is all
  draw --banker cyd --seats ann,bob,cyd,dan
seats that are corrected change the order of play
  match marsmatch ann bob cyd ; draw --banker ann --seats ann,bob,cyd
  amend @ seats=ann,cyd,bob ~ now order of play: ann bob cyd -> ann cyd bob / !~ stands as before
what the end shows of the players is no order of play
  desk ; close --yes ; diff 19 now --for public ~ ann: none -> hand !~ order of play
one word after override is no field that it could set
  match marsmatch ann bob ; 2 override ann ~ override needs a field and its new value [ ~ one of: hand !~ cannot set
what cannot be opened, closed or reopened now says what is on and what may be meant
  match hex_parties ann bob cyd dan eve fox ; 3 close --yes ~ try: hl open ; 3 reopen ~ try: hl open
  2 sheet ann ~ did you mean hl move? ; 2 submit ann ~ did you mean hl move? ; 2 pieces ~ did you mean hl move?
  open ; 2 move ann odd stay ~ "odd stay" is not odd or even and a cell ; undo last --yes
  open ; 3 open ~ round 1 is open ; 3 reopen ~ round 1 is open ; close --yes
  3 open ~ closed and not resolved yet ~ hl resolve ~ hl reopen
  move ann odd A3 ~ after round 1 had closed ~ late: hl ruling admit @
  : remind | reminders[who=ann].text ~ What came later counts only if a host rules so. !~ missing
  : remind | reminders[who=bob].text ~ It has not come. !~ missing
  reopen ~ is open, and has no end until a host sets one ; 3 ruling 'admit {move}' ~ admitted already
  show {move} !~ ruling admit
EQ-24 a deal tells nobody anything until play opens, also one that was typed late
  match equilibrium p1 p2 p3 p4 p5 p6 p7 p8 ; note x ; summary p1 !~ Garnets ; deal --at -5m ~ is dealt !~ players know
  : heard == ; summary p1 !~ Garnets ; open ; summary p1 ~ Garnets:
who left before the deal was not dealt to, even where they have a hand
  match marsmatch a b c d allow_odd_roster=true ; draw ; drop d --yes ; override d hand 2 ; deal ; verify
who left before play began has no seat to take over; who comes back after the deal has no hand
  match equilibrium a b c d allow_odd_roster=true ; drop d --yes ; deal ; replace d Zoe --yes
  3 open ~ no cards are dealt to Zoe, who came back after the deal ~ try: hl drop d / ; drop d --yes ; open
  3 replace d Zoe ~ Zoe left before play began, so there is nothing to take over ~ try: hl undo last drop d -n /
  3 lock d ~ Zoe has left the match ~ try: hl undo last drop d -n / !~ hl replace
who left before a deal of Equilibrium was not dealt to either
  match equilibrium a b c d allow_odd_roster=true ; drop d --yes ; override d hand R1 R2 R3 R4 R5 ; deal ; verify
what is decided anew after an undo or a reopen is not ended by it; what a host ends is
  desk ; override gil hand B1 B2 B3 B4 R6 ; override hal hand R1 R2 R3 R4 B6 ; close --yes
  reopen trading -n !~ this ends ; 3 close gift --yes ~ "gift" cannot be closed: it is not on ~ what is on is the vote
  vote dan gil ; vote fox gil ; 5 close gift ~ this ends the gift now ; undo last vote -n ~ kind gift !~ this ends
a vote of who has voted says which entry it takes the place of
  desk ; override gil hand B1 B2 B3 B4 R6 ; override hal hand R1 R2 R3 R4 B6 ; close --yes
  vote dan gil !~ (instead ; vote dan hal ~ votes for Hal (instead of #@1) [
  vote dan hal ~ votes for Hal (the same as #@1) [
  vote dan gil --at -150s --yes !~ (instead ; vote fox hal !~ (instead
hosts read behind the id of a seat the name of who has it now, where it is another
  desk ; +3h ; replace cyd Uma ; status ~ / cyd (Uma) B5
  trade Uma B5 ann R2 --at -90m --yes ~ Uma gives B5 ~ now cyd (Uma) hand:
  recolour uma B6 ~ now cyd (Uma): ; drop uma --yes ; status ~ / cyd (Uma) (left) R2 ; replace cyd "Cyd Two" --yes
  status ~ / cyd R2 !~ Uma
a reopen while a later round is open leads to the undo of the resolve before it
  match polar ann bob cyd allow_odd_roster=true ; open ; start ann rock + confetti,ticket
  start bob rock - ticket,double ; start cyd paper + ticket,double ; resolve --yes --early ; resolve --yes --early
  3 reopen ~ is open: nothing is closed that could be reopened ~ try: hl undo last resolve -n
a reopen typed twice reads that nothing is left to open again, and what is no round is not called one
  desk ; close --yes ; reopen --yes ; 3 reopen --yes ~ nothing has ended that could be opened again [
  3 close choice --yes ~ "choice" cannot be closed: what is on is trading
an undone reopen says what a deadline of the reopened trading ends now
  desk ; close --yes ; reopen --yes ; deadline 'in 30m' ; undo last reopen --yes ~ the gift ends in
  redo --yes ~ trading ends in
who has the seat is among what an undo changes
  desk ; replace cyd Uma ; undo --yes ~ now cyd is Cyd, not Uma !~ stands as before
  redo --yes ~ now cyd is Uma, not Cyd
what sheets over budget come to in the power round is a debt; in a round of cards it has a consequence
  match poker_auction ann bob cyd dan eve ; open ; 3 power ann 110 J ~ written; what is too much is a debt (PA-6)
  power ann 110 J --as-sent ~ 110 chips; Joker, ~ over budget: 104 chips (PA-6) [
  resolve --yes --early ~ more chips than they had in the power round: a debt, and nothing more [ !~ won nothing
  show {power} !~ over budget ; 3 bid ann "2C 90" ~ who wins a card so is Elimination Candidate (PA-6)
  bid ann "2C 90" --as-sent ~ 90 chips on 1 card; over budget: 20 chips (PA-6) [ ; bid ann "2C 20" !~ over budget
a sheet for a round that is over is asked for its time, if all of it is for that round
  match poker_auction ann bob cyd dan eve ; open ; resolve --yes --early
  3 bid ann "QD 4" ~ help: correct the card !~ --at ; resolve --yes --early
  3 bid ann "QC 4" ~ help: add --at TIME if it was sent in the clubs round / help: correct the card
  3 bid ann "QC 4, 2D 3" ~ belongs to the clubs round !~ --at ; bid ann "QC 4" --at -210s --yes ~ late: it counts before
an amount that cannot be read is shown how it is written, and a gift to oneself is told to nobody as a gift
  match poker_auction ann bob cyd dan eve ; open ; power ann 1 H ; resolve --yes --early
  2 bid ann "2C -4" ~ like: 2C 12 ; 2 bid ann "2C x" ~ like: 2C 12
  bid ann "2C 5, 3C 5" --gift 2C=ann --gift 3C=bob ~ a gift to oneself is none (PA-14): 2C [
  : told ann ~ a gift of 2C to yourself is none, 3C goes to Bob if you win it !~ 2C goes to
only amounts above the one that wins were skipped, and of a card that is destroyed none
  match poker_auction ann bob cyd dan eve ; open ; power ann 1 C ; resolve --yes --early
  bid ann "2C 5, 3C 2, 4C 3, 5C 2" --destroy 5C ; bid bob "2C 2, 3C 9, 4C 3, 5C 2" ; bid cyd "2C 2, 3C 9, 4C 1"
  resolve --yes --early ~ 2C: Ann wins with 5 [ ~ 3C: Ann wins with 2; tied and skipped: 9 [
  show last resolve ~ 4C: Cyd wins with 1; tied and skipped: 3 ~ 5C is destroyed (Clubs) [
who left before play began may be out at the end all the same: the drop says so, not a later one
  match poker_auction ann bob cyd dan eve ; drop eve ~ Eve can be Elimination Candidate all the same (
  undo --yes ; drop eve dan ann ~ leaver_result=out / Dan can be ~ leaver_result=out / Ann can be ; undo --yes
  amend-setting leaver_result=out ; drop eve !~ Candidate ; undo --yes
  amend-setting leaver_result=eliminated ; drop eve ~ (leaver_result is eliminated). Not meant? hl amend-setting leav
  open ; drop dan !~ Candidate
a gift that is typed with the receiver alone names, to hosts, who has it to give
  desk ; +1h ; close --yes ; 2 gift ann ~ RECEIVER is missing ~ host only: hl gift dan ann / !~ ann bob
  2 gift dan ~ like: hl gift !~ host only
a word of other games for what is done here
  match poker_auction ann bob cyd dan eve ; 2 auction ann "2C 5" ~ did you mean hl bid? ; 2 destroy 2C ~ hl bid?
  2 roll-back ~ did you mean hl undo? ; 2 buy ann 2C ~ mean hl bid? ; 2 submit ann 9 ~ mean hl bid or hl power?
  2 spend ann 9 ~ mean hl bid or hl power? ; 2 joker ann ~ mean hl power? ; 2 whois ann ~ mean hl status?
the name of a player or a verb for the number of an entry leads to the newest of theirs
  desk ; lock ann ; 2 undo Ann ~ is not the number of an entry ~ try: hl undo last Ann / ; undo last Ann -n
  2 show lock ~ try: hl show last lock / ; 2 amend ann card=R9 ~ try: hl amend last ann / ; 2 undo zed ~ try: hl log /
where nothing is early a line that asks takes --yes
  desk ; 2 close --early ~ close takes no --early: where it asks, add --yes ~ try: hl close --yes /
  2 close --early --yes ~ try: hl close --yes / ; 2 log --early !~ yes
what is given and how much may be typed in either order
  desk ; award ann -1 garnets --yes ~ Ann pays 1 garnet ; award ann 2 garnet ~ receives 2 ; 2 award ann 1 1 ~ cannot
of who leaves in a round hosts read that what they have sent still counts
  match poker_auction ann bob cyd dan eve ; open ; power ann 9 J
  drop ann --yes ~ Ann's sheet for the power round still counts (S-G3) /
  drop bob --yes !~ still counts ; undo @ --yes ; drop bob --at -1s --yes !~ still counts ; resolve -n ~ Ann takes Joker
a bid that is none is no card
  match poker_auction ann bob cyd dan eve ; open ; resolve --yes --early
  bid ann "2C 5, 3C 0" ~ 5 chips on 1 card; a bid of 0 is none (PA-5): 3C [
  : told ann ~ 5 chips on 2C, a bid of 0 on 3C is none ; amend-setting min_bid=0 --yes
  bid bob "2C 5, 3C 0" ~ 5 chips on 2 cards [ ; : told bob ~ 0 chips on 3C !~ is none
of a sheet that cannot be read the part is named that cannot be
  match poker_auction ann bob cyd dan eve ; open ; resolve --yes --early
  2 bid ann "2C5 3C 12 4C 12" ~ hl: "2C5" is no card [ ; 2 bid ann "2C 5 3C 4 8C" ~ hl: "8C" is not a card and an amount
  2 bid ann "2C 5 8C" ~ hl: "8C" is not a card and an amount ; bid ann "2 C 5, 3C 4 4C 5"
"late" is said of play that the entry counts before, not of rules and notes
  desk ; assumptions --accept all ; note x ; lock ann --at -3m !~ late: ; lock bob ; lock cyd --at -90s ~ before #@1 /
"""

NEXT = """
new, deal, open: each answer names the next, and status and waiting say it again
  nothing equilibrium ; > new m --from equilibrium.toml --as mara ~ next: hl -g m --as mara deal /
  > --as ben new n --from equilibrium.toml ~ next: hl -g n --as ben deal / ~ hl -g n --as ben amend-setting KEY=VALUE
  > -g m --as mara status ~ ! no cards are dealt yet ~ next: hl -g m --as mara deal /
  > -g m --as mara deal ~ next: hl -g m --as mara open / ; > -g m --as mara waiting ~ next: hl -g m --as mara open /
  open --as mara ~ next: hl trade NAME CARD NAME CARD, or hl lock NAME /
  status --as mara ~ next: hl trade NAME CARD NAME CARD, or hl lock NAME / ; pause --as mara ~ next: hl resume /
it names the verb of the sheet and who has not sent one; with one left that one's line, with none resolve
  match polar ann bob cyd allow_odd_roster=true ; open ~ next: hl start NAME ROOM SIGN BOMB,BOMB (Ann, Bob or Cyd) /
  start bob rock + double,double ~ next: hl start NAME ROOM SIGN BOMB,BOMB (Ann or Cyd) /
  blank ann ~ next: hl start cyd ROOM SIGN BOMB,BOMB / ; blank cyd ~ next: hl resolve /
  resolve -y --early ~ next: hl submit NAME --ticket ROOM --bomb BOMB ROOM (Ann, Bob or Cyd) /
  status ~ next: hl submit NAME --ticket ROOM ; waiting ~ next: hl submit NAME --ticket ROOM
the end of a turn is called so, with whose it is, in the zone of the match
  file marsmatch ; draw --banker cyd ; deal --from deal.toml ; open
  deadline 'in 10m' --yes ~ Cyd's move ends in 10 min
  show last ~ the end is moved to ~ CE !~ UTC ; explain @ ~ the end is moved to ~ CE !~ UTC
  replay ~ the end is moved to ~ CE
what must be drawn first is next: in MarsMatch a draw before the deal
  nothing marsmatch ; > new m --from marsmatch.toml --as mara ~ next: hl -g m --as mara draw /
what must be drawn first is next: in a file each draw, then its sheets
  nothing wolf ; > new m --from wolf.toml --as mara ~ next: hl -g m draw role /
  status --as mara ~ ! role is not drawn yet ~ next: hl draw role /
  2 draw role --as mara --drawn 'ann wolf, bob sheep' ~ like: hl draw role --drawn "wolf sheep sheep" /
  3 draw role --as mara --drawn 'wolf sheep' ~ like: hl draw role --drawn "wolf sheep sheep" /
  draw role --as mara --drawn 'wolf sheep sheep' ~ next: hl open /
  open --as mara ~ next: hl seal NAME SUSPECT (Ann or Bob) /
  seal ann bob --as mara ; seal bob ann --as mara ; resolve -y --early --as mara ~ next: hl open /
  status --as mara ~ next: hl open /
a phase or round that was opened again has no end: next is also to set one
  desk ; close --yes ; reopen trading --yes ~ or hl lock NAME, or hl deadline WHEN / ; status ~ or hl deadline WHEN /
  deadline 'in 2h' ~ next: hl trade NAME CARD NAME CARD, or hl lock NAME /
several entries are undone or shown one at a time; which zone a typed time is in cannot be named by a short name
  desk ; trade ann R2 bob B4 ; lock cyd ; 2 undo 20 21 ~ one entry at a time ~ try: hl undo 20 / try: hl undo 21 /
  2 show #20 21 ~ try: hl show 20 / ; 2 undo 20 ann ~ is not one entry
  2 lock dan --at '2 Mar 9:00 EST' ~ short names of zones, like EST, are not read; times are in UTC [time.unreadable]
  2 lock dan --at 'est 9:00' ~ 2026-11-20T18:42-05:00 ; 2 lock dan --at '9:00 esx' ~ is not a time
how late somebody is, and how much time is left, is asked of waiting and status
  desk ; 2 late ~ did you mean hl waiting or hl status or hl ruling? ; 2 timeleft ~ hl waiting or hl status?
names and cards are read in any case
  desk ; trade ANN r2 bOB b4 ; : log --kind trade | entries.args.a == ann
when an end has passed, next is what records it: not what would be refused or late by now
  desk ; +1h ; close --yes ~ next: hl gift dan NAME ; status ~ next: hl gift dan NAME ; +25h
  status ~ next: hl close / !~ next: hl gift ~ ! Dan must give a token away, but the end has passed / ~ with --at TIME
  waiting ~ next: hl close / !~ next: hl gift ; close --yes !~ next: hl gift
of trading too
  desk ; +73h ; status ~ next: hl close / !~ next: hl trade
and of a round, which may be resolved at once
  match polar ann bob cyd allow_odd_roster=true ; open ; +49h ; status ~ ago; run hl resolve; ~ next: hl resolve /
  status ~ ! Ann owes a room, sign and two bombs, but the end has passed !~ next: hl start
what is still to be given away lapses only after a question, early, late, and whatever is recorded
  desk ; +1h ; close --yes ; 5 close ~ 1 spare token of Dan lapses; if Dan has named somebody, first: hl gift dan NAME
  5 close ~ this ends the gift now ; +25h ; 5 close ~ 1 spare token of Dan lapses; ~ gift dan NAME --at TIME
  5 award ann garnets 1 ~ 1 spare token of Dan lapses ; 3 gift dan ann ~ --at TIME
  gift dan ann --at -10h --yes !~ lapses
  : table lapsed ==
and so of a round
  match polar ann bob cyd allow_odd_roster=true ; open !~ hl deadline ; close --yes
  reopen ~ no end is set now [ ~ next: hl deadline WHEN /
  status ~ next: hl deadline WHEN / ; deadline 'in 2h' !~ next: hl deadline
it is for who records: an answer for everybody or a player does not say it
  desk ; status ~ next: ; status --for public !~ next: ; status --for ann !~ next:
"""


@pytest.mark.parametrize("said", [*cases(SLIPS), *cases(NEXT)])
def test_what_hosts_type(said: str, lines: Callable[[str], None]) -> None:
    lines(said)


@pytest.fixture
def here(demos: Demos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled match, in which the words are typed."""
    folder = demos.copy("equilibrium", tmp_path / "m")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_MATCH", str(folder))
    monkeypatch.setenv("HL_AS", "mara")
    return folder


def test_the_settings_of_a_file_fit_where_there_is_no_terminal(host: Host) -> None:
    """Each verb more made the whole table of `hl rules` wider."""
    host.by = "mara"
    host.new(FILES["gift"])
    assert max(map(len, host.hl("rules").out.splitlines())) <= 250


@pytest.mark.parametrize("allowed", ["true", "false"])
@pytest.mark.parametrize(
    ("game", "most", "why"),
    [("poker_auction", 5, "five powers (PA-19)"), ("hex_parties", 6, "(HX-1)"), ("equilibrium", 8, "the deck has")],
)
def test_more_players_than_can_play_are_a_fault_of_the_file(
    game: str, most: int, why: str, allowed: str, host: Host
) -> None:
    """PA-19, HX-1: with allow_odd_roster too; who plays no part takes no place."""
    players: dict[str, Any] = {player: {} for player in "abcdefghi"[: most + 1]}
    path = host.file("many.toml", match_file(game, players, f"allow_odd_roster = {allowed}"))
    for verb, code in ((f"check {path}", 2), (f"new m --from {path}", 3), (f"simulate {path} -n 1", 3)):
        answer = host.type(*verb.split(), code=code).text
        assert why in answer and f"at most {most} can play, and there are {most + 1}" in answer
        assert "allow_odd_roster" not in answer
    assert "players: " in host.type("check", str(path), code=2).text
    host.new(match_file(game, players | {"a": {"outsider": True}}))


def raising(error: Exception) -> Callable[..., None]:
    def raises(*_: object) -> None:
        raise error

    return raises


def test_more_players_than_can_play_never_do(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """PA-19, in a log that was made before files were checked for it."""
    monkeypatch.setattr(matchfile, "must_have_places", lambda *_: None)
    host.new(match_file("poker_auction", "nora ollie pia rosa sam ted", "allow_odd_roster = true"))
    assert re.search(r"^next: hl drop NAME$", host.hl("status").text, re.M)
    assert "like: hl drop NAME" in host.hl("open", code=3).text
    with monkeypatch.context() as patch:  # a refusal whose fix is no command has no line to type
        patch.setattr(rules, "must_have_places", raising(Refused("x.y", "this is so", "five, in the match file")))
        assert "! this is so" in host.hl("status").text and "next: " not in host.err
    host.hl("replace ted Theo")  # who is here takes no place more
    host.hl("drop sam")
    assert "like: hl drop NAME" in host.hl("replace sam Tina", code=3).text
    host.refused("replace sam Tina", "poker_auction.roster")
    host.hl("open")
    host.refused("replace sam Tina", "replace.nothing")
    host.hl("replace sam Tina --at -90s", code=3)  # before play began
    assert "the rules would no longer allow entry 10 (open)" in host.hl("undo last drop sam", code=5).text
    host.hl("undo last drop sam --yes")
    assert "next: hl drop NAME" in host.hl("status").text


def test_what_was_drawn_elsewhere_may_stand_on_lines_of_its_own(host: Host) -> None:
    host.by = "mara"
    host.new(FILES["gift"])
    host.hl("draw role --drawn 'ann wolf\nbob sheep'")


def test_a_length_in_another_unit_is_written_with_it(tmp_path: Path, root: Path) -> None:
    """`minutes = 3` for `hours = "3m"`, in a sheet of a file and among the settings of a game."""
    for game, was, typed, said in (
        ("freeform", "hours = 24", "minutes = 3", 'hours = "3m"'),
        ("equilibrium", "[settings]", "[settings]\ntrading_minutes = 3", 'trading_hours = "3m"'),
    ):
        sample = root / "games" / game / "demo.toml"
        (tmp_path / "m.toml").write_text(sample.read_text().replace(was, typed, 1))
        assert said in hl("check", str(tmp_path / "m.toml")).out


def test_the_ending_of_a_file_chooses_its_format(here: Path) -> None:
    """`-o x.svg` writes an SVG; `-f md -o x.svg` is refused."""
    assert hl("reveal", "-o", "board.html").code == 0
    assert Path("board.html").read_text(encoding="utf-8").lower().startswith("<!doctype html")
    answer = hl("reveal", "-f", "md", "-o", "other.html")
    assert answer.code == 2 and "[format.contradiction]" in answer.err and not Path("other.html").exists()
    assert hl("reveal", "-o", "plain.note").code == 0


@pytest.mark.parametrize("name", DEMOS)
def test_each_point_of_a_whole_match_has_a_next_line(name: str, tmp_path: Path) -> None:
    """From the first entry to the end there is a line to type, and the command that it is for reads it."""
    match = played(name, tmp_path / "m")
    for seq in range(1, len(match.book.entries) + 1):
        folded = fold(match.engine, match.book.entries[:seq])
        state = folded.state
        steps = next_steps(match.game, state, folded.last)
        assert steps or state.table.status == "finished", f"entry {seq}: {state.table.phase}"
        for step in steps:
            for line in re.split(", (?:or|then) ", re.sub(r" \([A-Z][^|]*\)(, if .*)?$|, once .*", "", step)):
                assert not unread(line, f"games/{name}/"), f"entry {seq}: {line}"


def test_an_auditor_names_the_file_after_the_verb(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`verify`, `show` and `replay` read the log that is named, as with -g; two that differ are refused."""
    log, seq = str(here / "log.jsonl"), str(json.loads(hl("show", "last", "trade", "-f", "json").out)["seq"])
    wanted = [hl("verify").out, hl("show", seq).out, hl("replay").out]
    monkeypatch.delenv("HL_MATCH")
    named: list[Any] = [hl("verify", log), hl("show", log, seq), hl("replay", log)]
    assert [answer.code for answer in named] == [0, 0, 0] and [answer.out for answer in named] == wanted
    assert hl("show", log, "last", "trade").out == wanted[1]
    assert hl("verify", str(here)).out == wanted[0]  # a folder, as with -g
    assert hl("-g", log, "verify", log).code == 0
    assert "two matches are named" in hl("-g", "other", "verify", log).err
    assert "which entry of" in hl("show", log).err


@pytest.mark.parametrize("meanwhile", ["resolve --yes --early", "move ann odd D5"])
def test_a_question_that_is_answered_late_records_what_was_shown(
    meanwhile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two windows of one host: while one asks, the other resolves the round or takes a sheet."""
    people = "".join(f"{player} = {{}}\n" for player in ("ann", "bob", "cyd", "dan", "eve", "fox"))
    host = Host(tmp_path, monkeypatch).new(f'game = "hex_parties"\nhosts = ["mara"]\n[players]\n{people}')
    host.hl("open")

    def ask(app: App, question: str, fix: str | None = None) -> bool:
        if "to record: resolve" in question:
            host.type("-g", str(host.path), *meanwhile.split())
        return True

    monkeypatch.setattr(App, "may_ask", True)
    monkeypatch.setattr(App, "ask", ask)
    host.hl("resolve", code=3 if meanwhile.startswith("resolve") else 0)
    resolved = [entry.body.args["round"] for entry in host.match.book.entries if entry.body.do == "resolve"]
    assert resolved == ["round_1"]
    if meanwhile.startswith("resolve"):
        assert "sealed.not_this_round" in host.err
    else:
        assert "moved from A2 to D5" in host.err.split("recorded #10")[1]
