"""The host's desk: late entries, corrections, outbox, drift, deadlines, two hosts.
Source: docs/log-format.md, docs/commands.md, docs/reliability.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from ledger.core.match import Match
from ledger.tell.outbox import disturbances, outbox
from ledger.tell.texts import letter
from tests.support.desks import GARNETS, HANDS, MINUTE, OPENED, Desk, link

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
MISREAD = {40: ("trade", "ann", "B4", "gil", "R4"), 90: ("recolour", "eve", "B2")}
READ_IN_THIS_ORDER = (20, 10, 40, 30, 60, 50, 80, 70, 100, 90)


def test_one_evening_typed_late_and_out_of_order_ends_as_if_it_had_been_typed_in_order(
    at_desk: Callable[[str], Desk],
) -> None:
    """Ten messages by link, two misread and amended, one posted text that drifts, a second host confirming."""
    straight = at_desk("straight")
    opened = straight.clock[0]
    for minute, words in EVENING:
        straight.clock[0] = opened + minute * MINUTE
        assert straight.do(*words, "--msg", link(opened + minute * MINUTE)) == 0, straight.err
    straight.clock[0] = opened + 200 * MINUTE

    late = at_desk("late")
    assert late.clock[0] == opened
    late.clock[0] = opened + 150 * MINUTE
    meant = dict(EVENING)
    for place, minute in enumerate(READ_IN_THIS_ORDER):
        words = MISREAD.get(minute, meant[minute])
        options = ["--msg", link(opened + minute * MINUTE), "--yes", "--force"]
        by = "ben" if place % 3 == 2 else "mara"
        assert late.do(*words, *options, by=by) == 0, late.err
        if minute == 40:
            posted = next(i for i in late.json("outbox")["items"] if i["audience"] == "gil" and "gave R4" in i["text"])
            assert late.do("outbox", "done", posted["item"]) == 0
    numbers = {e["args"].get("take"): e["seq"] for e in late.json("log", "--kind", "trade")["entries"]}
    eve = next(e["seq"] for e in late.json("log", "--kind", "recolour", "--player", "eve")["entries"])
    assert late.do("amend", str(numbers["R4"]), "take=R6", "--note", "Gil wrote R6", "--yes") == 0, late.err
    assert late.do("amend", str(eve), "card=B6", "--yes", by="ben") == 0, late.err
    assert late.do("confirm", str(numbers["R4"]), by="ben" if numbers["R4"] else "mara") in (0, 3)
    assert late.match.fold.contested == ()
    assert late.state() == straight.state()
    drift = late.json("drift")["drift"]
    assert [d["item"] for d in drift] == [posted["item"]]
    correction = next(i for i in late.json("outbox")["items"] if i["covers"])
    assert correction["covers"] == [posted["item"]]
    assert "No longer: Your trade with Ann is done: you gave R4" in correction["text"]
    assert "Instead: Your trade with Ann is done: you gave R6" in correction["text"]
    assert late.do("outbox", "done", correction["item"]) == 0
    assert late.json("drift")["drift"] == []
    assert late.do("verify") == 0, late.out


def test_the_same_message_twice_is_refused_and_writes_nothing(at_desk: Callable[[str], Desk]) -> None:
    """docs/log-format.md: the same live message twice is refused unless --again; undone, it may be recorded again."""
    here = at_desk("twice")
    here.clock[0] += 60 * MINUTE
    evidence = ("--msg", link(here.clock[0] - 30 * MINUTE))
    assert here.do("trade", "ann", "R2", "bob", "B4", *evidence) == 0
    before = (here.log / "log.jsonl").read_bytes()
    assert here.do("recolour", "cyd", "R9", *evidence) == 3
    assert "evidence.duplicate" in here.err
    assert (here.log / "log.jsonl").read_bytes() == before
    assert here.do("recolour", "cyd", "R9", *evidence, "--again") == 0
    assert here.do("undo") == 0
    assert here.do("undo", "--yes") == 0
    assert here.do("trade", "ann", "R2", "bob", "B4", *evidence) == 0


def test_a_late_entry_that_hurts_others_is_asked_about_first(at_desk: Callable[[str], Desk]) -> None:
    """Without a terminal and without --yes: exit 5, nothing written; -n only tells; --yes goes on."""
    here = at_desk("hurt")
    assert here.do("trade", "ann", "R2", "bob", "B4") == 0
    before = (here.log / "log.jsonl").read_bytes()
    late = ("trade", "ann", "R2", "cyd", "R9", "--at", "-90s")
    assert here.do(*late, "-n") == 0
    assert "entry 20 (trade) is contested now" in here.err
    assert here.do(*late[:-1], "-3m") == 5
    assert re.search(r"entry 20 \(trade .*\) becomes contested", here.err)
    assert (here.log / "log.jsonl").read_bytes() == before
    assert here.do(*late[:-1], "-4m", "--yes") == 0
    assert here.do("status") == 0
    assert "entry 20 (trade) is contested and changes nothing" in here.out


def test_undo_then_redo_gives_the_same_state_and_texts(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("redo")
    assert here.do("trade", "ann", "R2", "bob", "B4") == 0
    assert here.do("recolour", "ann", "R9") == 0
    state, texts = here.state(), [item.text for item in outbox(here.match).waiting]
    assert here.do("undo", "20", "--yes") == 0
    assert here.state() != state
    assert here.do("redo") == 0
    assert here.state() == state
    assert [item.text for item in outbox(here.match).waiting] == texts


def test_amend_equals_undo_plus_the_right_entry_at_the_same_instant(at_desk: Callable[[str], Desk]) -> None:
    one, other = at_desk("amend"), at_desk("again")
    for here in (one, other):
        here.clock[0] = OPENED + 30 * MINUTE
        assert here.do("trade", "ann", "R2", "bob", "R6", "--at", "2026-03-02T09:10:00Z") == 0, here.err
    assert one.do("amend", "20", "take=B4") == 0
    assert other.do("undo") == 0
    assert other.do("trade", "ann", "R2", "bob", "B4", "--at", "2026-03-02T09:10:00Z") == 0
    assert one.state() == other.state()


def test_items_keep_their_names_when_something_is_inserted_before_them(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("names")
    assert here.do("trade", "ann", "R2", "bob", "B4") == 0
    names = [item["item"] for item in here.json("outbox")["items"]]
    assert here.do("trade", "dan", "R5", "eve", "R3", "--at", "-150s") == 0
    after = [item["item"] for item in here.json("outbox")["items"]]
    assert set(names) < set(after)
    assert after.index("21e") < after.index("20b")


def test_an_item_is_posted_once_by_either_host_and_can_be_dropped(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("posted")
    assert here.do("trade", "ann", "R2", "bob", "B4") == 0
    assert here.do("outbox", "done", "20b", by="ben") == 0
    assert here.do("outbox", "done", "20b") == 3
    assert "was posted by ben" in here.err
    assert here.do("outbox", "drop", "20c") == 0
    assert here.do("outbox", "done", "20z") == 2
    assert not {"20b", "20c"} & {item["item"] for item in here.json("outbox")["items"]}
    body = here.match.book.entries[-2].body
    assert body.args["text"].startswith("- Your trade with Bob is done")
    import hashlib

    assert body.args["digest"] == hashlib.sha256(body.args["text"].encode()).hexdigest()


def test_a_text_whose_cause_is_undone_cannot_be_unshown_and_says_so(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("unshown")
    assert here.do("trade", "ann", "R2", "bob", "B4") == 0
    assert here.do("outbox", "done", "20b") == 0
    assert here.do("undo", "20") == 5
    assert "text 20b, posted to #ann: it was sent in error" in here.err
    assert here.do("undo", "20", "--yes") == 0
    told = here.json("drift")["drift"]
    assert told == [
        {
            "item": "20b",
            "channel": "#ann",
            "what": "it was sent in error, and has been read",
        }
    ]


def test_pause_moves_every_end_by_as_long(at_desk: Callable[[str], Desk]) -> None:
    """docs/log-format.md: pauses shift deadlines by derivation; while paused no end comes by itself."""
    here = at_desk("pause")
    ends = here.match.fold.state.table.ends
    assert here.do("pause") == 0
    paused = here.clock[0]
    assert here.do("pause") == 3
    here.clock[0] = ends + 60 * MINUTE
    assert here.do("note", "the clock stands still") == 0
    assert here.match.fold.state.playing
    assert here.do("resume") == 0
    assert here.match.fold.state.table.ends == ends + here.clock[0] - paused
    assert here.do("resume") == 3


def test_who_left_submits_nothing_and_nobody_waits_for_him(at_desk: Callable[[str], Desk]) -> None:
    """S-G3."""
    here = at_desk("left")
    assert here.do("drop", "hal") == 0
    assert here.do("trade", "ann", "R2", "hal", "B2") == 3
    assert "table.left" in here.err
    assert here.do("lock", "hal") == 3
    assert here.do("replace", "gil", "Zoe") == 0
    assert here.do("trade", "ann", "R2", "zoe", "R1") == 0
    assert here.match.table.name("gil") == "Zoe"


def to_the_vote(here: Desk) -> None:
    """Trading is over; bob and fox hold tokens and vote between ann and cyd."""
    for player, cards in {
        "ann": "R1 R4 R5 R6 R9", "bob": "R2 R6 R8 R10 R10", "cyd": "B1 B4 B5 B6 B9", "fox": "B5 R5 B7 R7 B9",
        "dan": "B3 R3 R3 B4 B7", "eve": "B2 B3 R6 B8 B10", "gil": "R1 B2 R4 B8 R8", "hal": "R1 R2 R7 B9 R10",
    }.items():  # fmt: skip
        assert here.do("override", "hand", player, cards) == 0
    assert here.do("close", "--yes") == 0


def test_waiting_and_remind_name_those_who_owe_and_nobody_else(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("waiting")
    assert here.do("waiting", "--check") == 0
    to_the_vote(here)
    assert here.do("waiting", "--check") == 5
    assert [row["who"] for row in here.json("waiting")["waiting"]] == ["bob", "fox"]
    assert here.do("vote", "bob", "cyd") == 0
    reminders = here.json("remind")["reminders"]
    assert [row["who"] for row in reminders] == ["fox"]
    assert reminders[0]["channel"] == "#fox"


def test_an_explicit_blank_is_not_silence(at_desk: Callable[[str], Desk]) -> None:
    """docs/audit.md: who abstains on purpose is not waited for; without any vote a lot decides (EQ-20)."""
    here = at_desk("blank")
    to_the_vote(here)
    assert here.do("blank", "bob") == 0
    assert [row["who"] for row in here.json("waiting")["waiting"]] == ["fox"]
    assert here.do("blank", "fox") == 0
    assert [d.kind for d in here.match.table.decisions] == ["lot"]
    assert here.do("undo", "--yes") == 0
    assert here.do("vote", "fox", "ann") == 0
    assert here.match.table.elimination == ("ann",)


def test_a_new_match_takes_roster_hosts_zone_and_garnets_of_the_old(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("season")
    assert here.do("override", "garnets", "ann", "3") == 0
    (here.folder / "next.toml").write_text('game = "equilibrium"\ntitle = "Next"\n[settings]\ngarnet_cap = 2\n')
    made = here.folder / "next"
    words = ("new", str(made), "--from", str(here.folder / "next.toml"), "--after", str(here.log))
    assert here.do(*words, match=False) == 0, here.err
    assert "above the cap of 2 are discarded" in here.err
    table = Match(str(made / "log.jsonl")).table
    assert list(table.seats) == list(HANDS)
    assert table.hosts == ("mara", "ben")
    assert table.garnets("ann") == 2
    assert table.garnets("bob") == 0
    assert table.seats["ann"].channel == "#ann"


def test_close_means_the_phase_the_host_saw_even_when_the_clock_was_faster(
    at_desk: Callable[[str], Desk],
) -> None:
    """docs/decisions/0005."""
    here = at_desk("close")
    ends = here.match.fold.state.table.ends
    here.clock[0] = ends + 40 * MINUTE
    assert here.do("close") == 0
    state = here.match.fold.state
    assert state.table.past == ("pregame", "trading") or state.table.past[:2] == ("pregame", "trading")
    assert here.match.book.entries[-1].body.args == {"phase": "trading"}
    closed = here.state()
    assert here.do("note", "typed late", "--at", f"-{20}m") == 0
    assert here.state() == closed


def test_letters_and_disturbances() -> None:
    assert [letter(n) for n in (0, 1, 25, 26, 27, 51, 52, 702)] == ["a", "b", "z", "aa", "ab", "az", "ba", "aaa"]


def test_only_corrections_and_late_entries_disturb_what_was_told(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("stirs")
    assert here.do("trade", "ann", "R2", "bob", "B4") == 0
    assert here.do("recolour", "ann", "R9") == 0
    assert disturbances(here.match) == []
    assert here.do("lock", "hal", "--at", "-90s") == 0
    assert here.do("undo", "21", "--yes") == 0
    assert disturbances(here.match) == [22, 23]


def test_what_follows_a_remark_on_an_entry_is_not_late(at_desk: Callable[[str], Desk]) -> None:
    """Seen: an amend with its reason was typed long after; what was then placed behind the match stood as late."""
    here = at_desk("remarked")
    assert here.do("trade", "ann", "R2", "bob", "B4") == 0
    last = here.clock[0]
    here.clock[0] += 300 * MINUTE
    assert here.do("amend", "20", "take=R6", "--note", "Bob wrote R6", "--yes") == 0, here.err
    assert here.do("lock", "hal", "--msg", link(last + MINUTE)) == 0, here.err
    assert [e["seq"] for e in here.json("log")["entries"] if "late" in e["marks"]] == []
    assert here.do("lock", "gil", "--msg", link(last - 1)) == 0, here.err
    assert [e["do"] for e in here.json("log")["entries"] if "late" in e["marks"]] == ["lock"]


def test_verify_finds_a_posted_text_that_is_not_the_one_of_its_digest(at_desk: Callable[[str], Desk]) -> None:
    """docs/log-format.md: digest and text of an open `posted` entry agree."""
    from events import Body, LogFile

    here = at_desk("digest")
    item = next(one for one in here.json("outbox")["items"] if one["audience"] == "ann")
    args = {"item": item["item"], "audience": "ann", "channel": "#ann", "text": "other", "digest": "0" * 64}
    with LogFile(here.log / "log.jsonl").writing() as writer:
        writer.append([Body("posted", here.clock[0], "mara", here.clock[0], args)])
    assert here.do("verify", "-f", "json") == 4
    assert [finding["code"] for finding in json.loads(here.out)["findings"]] == ["posted.digest", "posted.other"]


def test_an_end_set_during_a_pause_waits_for_the_rest_of_it_only(at_desk: Callable[[str], Desk]) -> None:
    here = at_desk("paused")
    assert here.do("pause") == 0
    here.clock[0] += 60 * MINUTE
    assert here.do("deadline", "in 6h", "--yes") == 0
    asked = here.clock[0] + 6 * 60 * MINUTE
    here.clock[0] += 30 * MINUTE
    assert here.do("resume") == 0
    assert here.match.fold.state.table.ends == asked + 31 * MINUTE


def test_all_who_have_not_left_are_locked_and_trading_ends(at_desk: Callable[[str], Desk]) -> None:
    """EQ-17 with S-G3: nobody waits for the lock of a player who has left."""
    here = at_desk("locked")
    for player in list(GARNETS)[:-1]:
        assert here.do("lock", player) == 0
    assert here.match.fold.state.playing
    assert here.do("drop", "hal", "--yes") == 0
    assert here.match.fold.state.over


def test_a_reminder_waits_in_the_outbox_in_the_last_quarter(at_desk: Callable[[str], Desk]) -> None:
    """Issue: every text somebody has to post waits, reminders too; posted once, and only for who owes something."""
    here = at_desk("reminders")
    to_the_vote(here)
    began = here.clock[0]
    assert not [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
    here.clock[0] = began + 19 * 60 * MINUTE
    waiting = [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
    assert [i["audience"] for i in waiting] == ["bob", "fox"]
    assert here.do("outbox", "done", waiting[0]["item"]) == 0
    assert [i["audience"] for i in here.json("outbox")["items"] if "reminder" in i["text"]] == ["fox"]
    assert here.do("vote", "fox", "ann") == 0
    assert not [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
    assert here.json("drift")["drift"] == []
    here.clock[0] = began + 25 * 60 * MINUTE
    assert not [i for i in here.json("outbox")["items"] if "reminder" in i["text"]]
