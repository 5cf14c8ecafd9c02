"""The host's desk: late entries, corrections, outbox, drift, deadlines, two hosts.
Source: docs/log-format.md, docs/commands.md, docs/reliability.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from ledger.core.match import Match
from ledger.tell.outbox import disturbances
from ledger.tell.texts import letter
from tests.support.ended import HANDS
from tests.support.host import MINUTE, Host, link

EVENING: Sequence[tuple[int, tuple[str, ...]]] = (
    (10, ("trade", "ann", "R2", "bob", "B4")),
    (20, ("recolour", "cyd", "R9")),
    (30, ("trade", "dan", "R5", "eve", "R3")),
    (40, ("trade", "ann", "B4", "gil", "R6")),
    (50, ("lock", "hal")),
    (60, ("trade", "gil", "R1", "hal", "R1")),
    (70, ("offer", "cyd", "B8", "gil", "B4")),
    (80, ("accept", "gil", "cyd")),
    (90, ("recolour", "eve", "B6")),
    (100, ("trade", "dan", "R10", "hal", "B2")),
)
"""Ten messages of one evening, by minutes after the opening, as they are meant."""


def state_of(host: Host) -> Any:
    """The state of the match apart from entry numbers and the time of making it."""
    found: Any = host.match.fold.state
    return found._replace(traded=tuple(sorted(found.traded)), table=found.table._replace(began=0, since=0, game_id=""))


MISREAD = {40: ("trade", "ann", "B4", "gil", "R4"), 90: ("recolour", "eve", "B2")}
READ_IN_THIS_ORDER = (20, 10, 40, 30, 60, 50, 80, 70, 100, 90)


def test_one_evening_typed_late_and_out_of_order_ends_as_if_it_had_been_typed_in_order(
    at_desk: Callable[[str], Host],
) -> None:
    """Ten messages by link, two misread and amended, one posted text that drifts, a second host confirming."""
    straight = at_desk("straight")
    opened = straight.now
    for minute, words in EVENING:
        straight.now = opened + minute * MINUTE
        straight.hl(*words, "--msg", link(opened + minute * MINUTE))
    straight.now = opened + 200 * MINUTE

    late = at_desk("late")
    assert late.now == opened
    late.now = opened + 150 * MINUTE
    meant = dict(EVENING)
    for place, minute in enumerate(READ_IN_THIS_ORDER):
        words = MISREAD.get(minute, meant[minute])
        options = ["--msg", link(opened + minute * MINUTE), "--yes", "--force"]
        by = "ben" if place % 3 == 2 else "mara"
        late.hl(*words, *options, by=by)
        if minute == 40:
            posted = next(i for i in late.json("outbox")["items"] if i["audience"] == "gil" and "gave R4" in i["text"])
            late.hl("outbox", "done", posted["item"])
    numbers = {e["args"].get("take"): e["seq"] for e in late.json("log", "--kind", "trade")["entries"]}
    eve = next(e["seq"] for e in late.json("log", "--kind", "recolour", "--player", "eve")["entries"])
    late.hl("amend", str(numbers["R4"]), "take=R6", "--note", "Gil wrote R6", "--yes")
    late.hl("amend", str(eve), "card=B6", "--yes", by="ben")
    assert late.hl("confirm", str(numbers["R4"]), by="ben" if numbers["R4"] else "mara", code=None).code in (0, 3)
    assert late.match.fold.contested == ()
    assert state_of(late) == state_of(straight)
    drift = late.json("drift")["drift"]
    assert [d["item"] for d in drift] == [posted["item"]]
    correction = next(i for i in late.json("outbox")["items"] if i["covers"])
    assert correction["covers"] == [posted["item"]]
    assert "No longer true: Your trade with Ann is done: you gave R4" in correction["text"]
    assert "True now: Your trade with Ann is done: you gave R6" in correction["text"]
    late.hl("outbox", "done", correction["item"])
    assert late.json("drift")["drift"] == []
    late.hl("verify")


def test_the_same_message_twice_is_refused_and_writes_nothing(at_desk: Callable[[str], Host]) -> None:
    """docs/log-format.md: the same live message twice is refused unless --again; undone, it may be recorded again."""
    here = at_desk("twice")
    here.now += 60 * MINUTE
    evidence = ("--msg", link(here.now - 30 * MINUTE))
    here.hl("trade", "ann", "R2", "bob", "B4", *evidence)
    before = here.log
    here.hl("recolour", "cyd", "R9", *evidence, code=3)
    assert "evidence.duplicate" in here.err
    assert here.log == before
    here.hl("recolour", "cyd", "R9", *evidence, "--again")
    here.hl("undo")
    here.hl("undo", "--yes")
    here.hl("trade", "ann", "R2", "bob", "B4", *evidence)


def test_a_late_entry_that_hurts_others_is_asked_about_first(at_desk: Callable[[str], Host]) -> None:
    """Without a terminal and without --yes: exit 5, nothing written; -n only tells; --yes goes on."""
    here = at_desk("hurt")
    here.hl("trade", "ann", "R2", "bob", "B4")
    before = here.log
    late = ("trade", "ann", "R2", "cyd", "R9", "--at", "-90s")
    here.hl(*late, "-n")
    assert "the rules no longer allow entry 20 (trade)" in here.err
    here.hl(*late[:-1], "-3m", code=5)
    assert re.search(r"the rules would no longer allow entry 20 \(trade .*\)", here.err)
    assert here.log == before
    here.hl(*late[:-1], "-4m", "--yes")
    here.hl("status")
    assert "the rules do not allow entry 20 (trade), so it changes nothing" in here.out


def test_items_keep_their_names_when_something_is_inserted_before_them(at_desk: Callable[[str], Host]) -> None:
    here = at_desk("names")
    here.hl("trade", "ann", "R2", "bob", "B4")
    names = [item["item"] for item in here.json("outbox")["items"]]
    here.hl("trade", "dan", "R5", "eve", "R3", "--at", "-150s")
    after = [item["item"] for item in here.json("outbox")["items"]]
    assert set(names) < set(after)
    assert after.index("21e") < after.index("20b")


def test_an_item_is_posted_once_by_either_host_and_can_be_dropped(at_desk: Callable[[str], Host]) -> None:
    here = at_desk("posted")
    here.hl("trade", "ann", "R2", "bob", "B4")
    here.hl("outbox", "done", "20b", by="ben")
    here.hl("outbox", "done", "20b", code=3)
    assert "was posted by ben" in here.err
    here.hl("outbox", "drop", "20c")
    here.hl("outbox", "done", "20z", code=2)
    assert not {"20b", "20c"} & {item["item"] for item in here.json("outbox")["items"]}
    body = here.match.book.entries[-2].body
    assert body.args["text"].startswith("- Your trade with Bob is done")
    import hashlib

    assert body.args["digest"] == hashlib.sha256(body.args["text"].encode()).hexdigest()


def test_a_text_whose_cause_is_undone_cannot_be_unshown_and_says_so(at_desk: Callable[[str], Host]) -> None:
    here = at_desk("unshown")
    here.hl("trade", "ann", "R2", "bob", "B4")
    here.hl("outbox", "done", "20b")
    here.hl("undo", "20", code=5)
    assert "text 20b, posted to #ann: it was sent in error" in here.err
    here.hl("undo", "20", "--yes")
    told = here.json("drift")["drift"]
    assert told == [
        {
            "item": "20b",
            "channel": "#ann",
            "what": "it was sent in error, and has been read",
        }
    ]


def to_the_vote(here: Host) -> None:
    """Trading is over; bob and fox hold tokens and vote between ann and cyd."""
    for player, cards in {
        "ann": "R1 R4 R5 R6 R9", "bob": "R2 R6 R8 R10 R10", "cyd": "B1 B4 B5 B6 B9", "fox": "B5 R5 B7 R7 B9",
        "dan": "B3 R3 R3 B4 B7", "eve": "B2 B3 R6 B8 B10", "gil": "R1 B2 R4 B8 R8", "hal": "R1 R2 R7 B9 R10",
    }.items():  # fmt: skip
        here.hl("override", player, "hand", cards)
    here.hl("close", "--yes")


def test_a_wrong_end_that_was_posted_is_taken_back_with_its_result(at_desk: Callable[[str], Host]) -> None:
    """Everybody was told who won tokens and who is Elimination Candidate; none of it holds any more."""
    here = at_desk("too-early")
    here.hl("close", "--yes")
    ended = here.json("log", "--kind", "close")["entries"][-1]["seq"]
    here.hl("outbox", "done", "all", "--yes")
    here.hl("undo", str(ended), "--yes", "--note", "an hour too early")
    assert "it should not have been posted, and may be deleted there" in here.err
    (to_all,) = (item["text"] for item in here.json("outbox")["items"] if item["audience"] == "public")
    assert "Taken back: Trading is over." in to_all and "Trading is open. It ends" in to_all
    assert "Taken back: " in to_all and "won a Token of Life: " in to_all and "is Elimination Candidate: " in to_all
    assert "too early" not in to_all, "a note is for hosts"
    own = {item["audience"]: item["text"] for item in here.json("outbox")["items"] if item["audience"] != "public"}
    for player, words in own.items():  # who won is told the winners alone, and of themselves
        lines = [line for line in words.splitlines() if "won a Token of Life: " in line]
        assert lines and all(f"Taken back: {here.match.table.name(player)} won" in line for line in lines), words
    assert own


def test_who_gives_and_who_gets_a_token_are_told(at_desk: Callable[[str], Host]) -> None:
    """Where the match lets tokens be known to their owners alone, nobody else is."""
    here = at_desk("gift")
    here.hl("amend-setting", "visibility.tokens=owner", "--yes")
    here.hl("close", "--yes")
    (gift,) = (decision for decision in here.match.table.decisions if decision.kind == "gift")
    giver, getter = gift.who[0], gift.among[0]
    here.hl("gift", giver, getter)
    seq = len(here.match.book.entries)
    told = {row["audience"]: row["text"] for row in here.json("outbox")["items"] if row["item"].startswith(str(seq))}
    name = here.match.table.name
    assert f"- {name(giver)} gave you a Token of Life." in told[getter]
    assert f"- You gave a Token of Life to {name(getter)}." in told[giver]
    assert not [who for who, text in told.items() if "Token of Life" in text and who not in (giver, getter)]


def test_waiting_and_remind_name_those_who_owe_and_nobody_else(at_desk: Callable[[str], Host]) -> None:
    here = at_desk("waiting")
    here.hl("waiting", "--check")
    to_the_vote(here)
    here.hl("waiting", "--check", code=5)
    assert [row["who"] for row in here.json("waiting")["waiting"]] == ["bob", "fox"]
    here.hl("vote", "bob", "cyd")
    reminders = here.json("remind")["reminders"]
    assert [row["who"] for row in reminders] == ["fox"]
    assert reminders[0]["channel"] == "#fox"


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


def test_close_means_the_phase_the_host_saw_even_when_the_clock_was_faster(
    at_desk: Callable[[str], Host],
) -> None:
    """docs/decisions/0005."""
    here = at_desk("close")
    ends = here.match.fold.state.table.ends
    here.now = ends + 40 * MINUTE
    here.hl("close")
    state = here.match.fold.state
    assert state.table.past == ("pregame", "trading") or state.table.past[:2] == ("pregame", "trading")
    assert here.match.book.entries[-1].body.args == {"phase": "trading"}
    closed = state_of(here)
    here.hl("note", "typed late", "--at", f"-{20}m")
    assert state_of(here) == closed


def test_letters_and_disturbances() -> None:
    assert [letter(n) for n in (0, 1, 25, 26, 27, 51, 52, 702)] == ["a", "b", "z", "aa", "ab", "az", "ba", "aaa"]


def test_only_corrections_and_late_entries_disturb_what_was_told(at_desk: Callable[[str], Host]) -> None:
    here = at_desk("stirs")
    here.hl("trade", "ann", "R2", "bob", "B4")
    here.hl("recolour", "ann", "R9")
    assert disturbances(here.match) == []
    here.hl("lock", "hal", "--at", "-90s")
    here.hl("undo", "21", "--yes")
    assert disturbances(here.match) == [22, 23]


def test_what_follows_a_remark_on_an_entry_is_not_late(at_desk: Callable[[str], Host]) -> None:
    """Seen: an amend with its reason was typed long after; what was then placed behind the match stood as late."""
    here = at_desk("remarked")
    here.hl("trade", "ann", "R2", "bob", "B4")
    last = here.now
    here.now += 300 * MINUTE
    here.hl("amend", "20", "take=R6", "--note", "Bob wrote R6", "--yes")
    here.hl("lock", "hal", "--msg", link(last + MINUTE))
    assert [e["seq"] for e in here.json("log")["entries"] if "late" in e["marks"]] == []
    here.hl("lock", "gil", "--msg", link(last - 1))
    assert [e["do"] for e in here.json("log")["entries"] if "late" in e["marks"]] == ["lock"]


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


def test_what_is_played_during_a_pause_says_so(at_desk: Callable[[str], Host]) -> None:
    """It counts; but a host who forgot the pause learns of it. A note is no play."""
    here = at_desk("paused")
    here.hl("pause")
    assert "counts all the same" not in here.err
    here.hl("trade", "ann", "R2", "bob", "B4")
    assert "  the clock is paused, and this counts all the same. To let it run again: hl resume" in here.err
    here.hl("note", "Dan asks for a break")
    assert "counts all the same" not in here.err
    here.hl("resume")
    here.hl("lock", "ann")
    assert "counts all the same" not in here.err


def test_an_end_set_during_a_pause_waits_for_the_rest_of_it_only(at_desk: Callable[[str], Host]) -> None:
    here = at_desk("paused")
    here.hl("pause")
    here.now += 60 * MINUTE
    here.hl("deadline", "in 6h", "--yes")
    asked = here.now + 6 * 60 * MINUTE
    here.now += 30 * MINUTE
    here.hl("resume")
    assert here.match.fold.state.table.ends == asked + 31 * MINUTE


def test_a_reminder_waits_in_the_outbox_in_the_last_quarter(at_desk: Callable[[str], Host]) -> None:
    """Issue: every text somebody has to post waits, reminders too; posted once, and only for who owes something."""
    here = at_desk("reminders")
    to_the_vote(here)
    began = here.now
    assert not [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
    here.now = began + 19 * 60 * MINUTE
    waiting = [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
    assert [i["audience"] for i in waiting] == ["bob", "fox"]
    listed = len(here.json("outbox")["items"])
    assert f"{listed} texts wait to be sent: hl outbox" in here.json("status")["needs"], "reminders count too"
    here.hl("outbox", "done", waiting[0]["item"])
    assert [i["audience"] for i in here.json("outbox")["items"] if "reminder" in i["text"]] == ["fox"]
    here.hl("vote", "fox", "ann")
    assert not [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
    assert here.json("drift")["drift"] == []
    here.now = began + 25 * 60 * MINUTE
    assert not [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
