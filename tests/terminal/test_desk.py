"""The host's desk: late entries, corrections, outbox, drift, deadlines, two hosts.
How a case is written: support/lines.py. Source: docs/log-format.md, docs/commands.md, docs/reliability.md.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from typing import Any

from ledger.core.match import Match
from ledger.tell.outbox import disturbances
from ledger.tell.texts import letter
from tests.support.ended import HANDS
from tests.support.host import MINUTE, Host, link
from tests.support.lines import items, plays

EVENING = """
10 trade ann R2 bob B4 / 20 recolour cyd R9 / 30 trade dan R5 eve R3 / 40 trade ann B4 gil R6 / 50 lock hal
/ 60 trade gil R1 hal R1 / 70 offer cyd B8 gil B4 / 80 accept gil cyd / 90 recolour eve B6 / 100 trade dan R10 hal B2
"""
"""Ten messages of one evening, by minutes after the opening, as they are meant."""


def straight(here: Host) -> str:
    """Type them in order, each in its minute, in a copy of the match."""
    shutil.copytree(here.path, here.folder / "straight" / "m")
    copy = here.straight = here.at("straight")  # type: ignore[attr-defined]
    for minute, _, line in (one.strip().partition(" ") for one in EVENING.split("/")):
        copy.now = here.now + int(minute) * MINUTE
        copy.hl(line, "--msg", link(copy.now))
    return ""


def state_of(host: Host) -> Any:
    """The state of the match apart from entry numbers and the time of making it."""
    found: Any = host.match.fold.state
    return found._replace(traded=tuple(sorted(found.traded)), table=found.table._replace(began=0, since=0, game_id=""))


SHORT = {
    "traded": "trade ann R2 bob B4",
    "to the vote": """
        override ann hand 'R1 R4 R5 R6 R9' ; override bob hand 'R2 R6 R8 R10 R10' ; override cyd hand 'B1 B4 B5 B6 B9'
        override fox hand 'B5 R5 B7 R7 B9' ; override dan hand 'B3 R3 R3 B4 B7' ; override eve hand 'B2 B3 R6 B8 B10'
        override gil hand 'R1 B2 R4 B8 R8' ; override hal hand 'R1 R2 R7 B9 R10' ; close --yes
    """,
}
"""To the vote: trading is over; bob and fox hold tokens and vote between ann and cyd."""


def won(here: Host) -> list[str]:
    """The players who are told of their tokens that are taken back; of others nobody is told."""
    told = {item["audience"]: item["text"].splitlines() for item in items(here) if item["audience"] != "public"}
    lines = {who: [line for line in text if "won a Token of Life: " in line] for who, text in told.items()}
    assert all("Taken back: You won" in line for found in lines.values() for line in found), lines
    return [here.match.table.name(who) for who, found in lines.items() if found]


SHOWS = {
    "straight": straight,
    "same": lambda here: state_of(here) == state_of(here.straight),
    "stirs": lambda here: disturbances(here.match),
    "winners": won,
}


DESK = """
one evening typed late and out of order, two messages misread and amended, ends as if it had been typed in order
  desk ; pace 0 ; : straight ; +150m ; recolour cyd R9 --msg {link-130m} --yes --force
  trade ann R2 bob B4 --msg {link-140m} --yes --force ; trade ann B4 gil R4 --msg {link-110m} --yes --force --as ben
  outbox done 22h ; trade dan R5 eve R3 --msg {link-120m} --yes --force
  trade gil R1 hal R1 --msg {link-90m} --yes --force ; lock hal --msg {link-100m} --yes --force --as ben
  accept gil cyd --msg {link-70m} --yes --force ; offer cyd B8 gil B4 --msg {link-80m} --yes --force
  trade dan R10 hal B2 --msg {link-50m} --yes --force --as ben ; recolour eve B2 --msg {link-60m} --yes --force
  amend 22 take=R6 --note 'Gil wrote R6' --yes ; amend {recolour} card=B6 --yes --as ben ; confirm 20 --as ben
  : contested == ; : same == yes ; : drift == 22h ; : covers == 22h+1
  : texts gil ~ Taken back: Your trade with Ann is done: you gave R4
  : texts gil ~ True now: Your trade with Ann is done: you gave R6 ; outbox done 22h+1 ; : drift == ; verify
the same live message twice is refused unless --again, and its author is told no number; undone, it may be recorded
  desk ; +1h ; trade ann R2 bob B4 --msg {link-30m}
  3 recolour cyd R9 --msg {link-31m} ~ hl: this message is already recorded [evidence.duplicate] / host only: it is
  recolour cyd R9 --msg {link-32m} --again ; undo ; undo --yes ; trade ann R2 bob B4 --msg {link-35m}
a late entry that hurts others is asked about first; -n only tells, --yes goes on
  desk ; traded ; trade ann R2 cyd R9 --at -90s -n ~ the rules no longer allow entry 20 (trade)
  5 trade ann R2 cyd R9 --at -3m ~ the rules would no longer allow entry 20 (trade ; : kinds 1 == trade
  trade ann R2 cyd R9 --at -4m --yes ; status ~ the rules do not allow entry 20 (trade), so it changes nothing
items keep their names when something is inserted before them
  desk ; traded ; : waits ~ 20b 20c ; trade dan R5 eve R3 --at -150s ; : waits ~ 21e 21f 20b 20c
an item is posted once by either host and can be dropped
  desk ; traded ; outbox done 20b --as ben ; : body args.text ~ - Your trade with Bob is done
  3 outbox done 20b ~ was posted by ben ; outbox drop 20c ; 2 outbox done 20z ; : waits !~ 20b !~ 20c ; verify
a text whose cause is undone cannot be unshown and says so
  desk ; traded ; outbox done 20b ; 5 undo 20 ~ text 20b, posted to #ann: it was sent in error ; undo 20 --yes
  : drift | drift == channel #ann, item 20b, what it was sent in error
a wrong end that was posted is taken back with its result; who won is told the winners alone, and of themselves
  desk ; close --yes ; outbox done all --yes ; undo {close} --yes --note 'an hour too early'
  : to Taken back: Trading is over. ~ public ; : texts public ~ Trading is open. It ends ~ won a Token of Life:
  : texts public ~ Taken back: ~ is Elimination Candidate: !~ too early ; : winners == Dan
who is told that what was posted may be deleted: the host
  desk ; close --yes ; outbox done all --yes
  undo {close} --yes ~ it should not have been posted, and may be deleted there
who gives and who gets a token are told; where tokens are known to their owners alone, nobody else is
  desk ; amend-setting visibility.tokens=owner --yes ; close --yes ; gift dan ann ; : heard Token of Life == ann dan
  : told ann ~ - Dan gave you a Token of Life, ; : told dan ~ - You gave a Token of Life to Ann.
waiting and remind name those who owe and nobody else
  desk ; waiting --check ; to the vote ; 5 waiting --check ; : waiting | waiting.who == bob fox ; vote bob cyd
  : remind | reminders.who == fox ; : remind | reminders.channel == #fox
close means the phase the host saw, even when the clock was faster (decision 0005)
  desk ; +72h ; +40m ; close ; : body args == phase trading ; : table past ~ pregame trading ; : table phase == deciding
  note late --at -20m ; : table past ~ pregame trading ; : table phase == deciding
what cannot be followed is refused, and writes no file
  desk ; 2 status --follow -o x ~ command.usage ; 2 status --follow --copy ~ command.usage ; status -o x
  2 status --follow -f md ~ command.usage ; 2 replay --follow --html y ~ command.usage ; replay --html y
  2 outbox next --follow ~ command.usage ; 2 outbox done all --follow ~ command.usage
only corrections and late entries disturb what was told
  desk ; traded ; recolour ann R9 ; : stirs == ; lock hal --at -90s ; undo 21 --yes ; : stirs == 22 23
what follows a remark on an entry is not late
  desk ; traded ; +300m ; amend 20 take=R6 --note 'Bob wrote R6' --yes ; lock hal --msg {link-300m}
  : log | entries.marks !~ late ; lock gil --msg {link-303m1ms} ; : log | entries[marks=late].do == lock
what is played during a pause counts, and says so; a note is no play
  desk ; pause !~ counts all the same
  trade ann R2 bob B4 ~ the clock is paused, and this counts all the same. To let it run again: hl resume
  note Dan asks for a break !~ counts all the same ; resume ; lock ann !~ counts all the same
an end by a clock that has just passed today is not taken for tomorrow's; one that is hours past is
  desk ; 2 deadline 9:00 --yes ~ "9:00" has passed today [time.unreadable] / help: "tomorrow 9:00" /
  deadline 'tomorrow 9:00' --yes -n ~ trading ends ~ 09:00 ; deadline 3:00 --yes -n ; deadline 23:00 --yes -n
an end set during a pause waits for the rest of it only
  desk ; pause ; +60m ; deadline 'in 6h' --yes ; +30m ; resume ; : ends == 360m
a reminder waits in the outbox in the last quarter, once, and only for who owes something
  desk ; to the vote ; +17h ; : to reminder == ; +2h ; : to reminder == bob fox
  status ~ 22 texts wait to be sent: hl outbox
  : waits bob ~ 28c 28cr ; outbox done 28cr ; : to reminder == fox ; vote fox ann ; : to reminder == ; : drift == ; +6h
  : to reminder ==
"""
test_the_desk = plays(DESK)


def test_a_new_match_takes_roster_hosts_zone_and_garnets_of_the_old(at_desk: Callable[[str], Host]) -> None:
    here = at_desk("season")
    here.hl("override", "ann", "garnets", "3")
    (here.folder / "next.toml").write_text('game = "equilibrium"\ntitle = "Next"\n[settings]\ngarnet_cap = 2\n')
    made = here.folder / "next"
    words = ("new", str(made), "--from", str(here.folder / "next.toml"), "--after", str(here.path))
    here.type(*words)
    assert "above the cap of 2 are discarded" in here.err
    table = Match(str(made / "log.jsonl")).table
    assert list(table.seats) == list(HANDS)
    assert table.hosts == ("mara", "ben")
    assert table.garnets("ann") == 2
    assert table.garnets("bob") == 0
    assert table.seats["ann"].channel == "#ann"


def test_letters_and_disturbances() -> None:
    assert [letter(n) for n in (0, 1, 25, 26, 27, 51, 52, 702)] == ["a", "b", "z", "aa", "ab", "az", "ba", "aaa"]


def test_verify_finds_a_posted_text_that_is_not_the_one_of_its_digest(at_desk: Callable[[str], Host]) -> None:
    """docs/log-format.md: digest and text of an open `posted` entry agree."""
    from events import Body, LogFile

    here = at_desk("digest")
    item = next(one for one in here.json("outbox")["items"] if one["audience"] == "ann")
    args = {"item": item["item"], "audience": "ann", "channel": "#ann", "text": "other", "digest": "0" * 64}
    with LogFile(here.path / "log.jsonl").writing() as writer:
        writer.append([Body("posted", here.now, "mara", here.now, args)])
    here.hl("verify", "-f", "json", code=4)
    assert [finding["code"] for finding in json.loads(here.out)["findings"]] == ["posted.digest", "posted.other"]
