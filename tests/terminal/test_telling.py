"""What is told because of an entry, and what is not: neither again nor otherwise for a hidden entry beside it.

Twins: two matches that differ only in an entry which the public may not know of give the public the same bytes.
Source: docs/log-format.md, docs/commands.md, docs/reliability.md.
"""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

import pytest

from ledger.tell.texts import without_receipt
from tests.support.host import Host, match_file

DAY = "2026-01-0{}:00Z".format


class Desk(Host):
    """The host of a match of four, at known times."""

    def do(self, line: str, at: str = "") -> str:
        """Record something, at that day and hour of January 2026 if one is given: what is to be told."""
        return self.hl(line, *(["--at", DAY(at)] if at else []), "--yes").out

    def places(self, *players: str) -> None:
        """Publish the start: these players by lot, all in one room."""
        self.do("resolve --early " + " ".join(f'--drawn "{p} rock +"' for p in players), "2T10")

    def to_the_vote(self) -> None:
        """Ann and Bob won a token each and vote between Cyd and Dan, a day long from 2026-01-03 10:00."""
        self.places("ann", "bob", "cyd", "dan")
        for player, points in {"ann": 20, "bob": 20, "cyd": 1, "dan": 1}.items():
            self.do(f"override {player} points {points}", "2T11")
        self.do("resolve --early", "3T10")

    def waiting(self, audience: str = "public") -> list[dict[str, Any]]:
        items = self.json("outbox")["items"]
        return [{**item, "text": without_receipt(item["text"])} for item in items if item["audience"] == audience]

    def post_all(self, audience: str = "public") -> None:
        while items := self.waiting(audience):
            self.hl(f"outbox done {items[0]['item']}")

    def public(self) -> list[object]:
        """All that the public is told, or has yet to be told; no names of texts, for these are the hosts' own."""
        drift = [row["what"] for row in self.json("drift")["drift"] if "public" in row["channel"]]
        told = [self.hl(line).out for line in ("replay --for public", "reveal", "final")]
        return [[item["text"] for item in self.waiting()], drift, told]


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a match in a folder of that name; play is open."""

    def made(name: str) -> Desk:
        here = Desk(tmp_path / name, monkeypatch)
        seats = {p: {"name": p.title(), "garnets": 3} for p in ("ann", "bob", "cyd", "dan")}
        here.new(match_file("polar", seats, "rounds = 1", title="Ep", zone="UTC"))
        here.do("open", "1T10")
        return here

    return made


# ---- a late entry is told as it was then, and how one stands now -----------------------------------------------------


def test_a_late_entry_is_told_from_the_match_right_after_it(sit: Any) -> None:
    """Before the start is published no room is told to anybody, also when it is set after that was."""
    late, early = sit("late"), sit("early")
    early.do("start bob paper + confetti double", "1T11")
    in_time = early.do("override bob room rock", "1T12")
    late.do("start bob paper + confetti double", "1T11")
    late.places("ann", "cyd", "dan")
    told = late.do("override bob room rock", "1T12")
    assert "everybody" not in told
    assert told == in_time == ""
    assert "A host set the room of Bob: Paper." in late.do("override bob room paper", "2T12")


def test_a_late_notice_is_the_text_that_waits(sit: Any) -> None:
    """One way of telling for what is printed and for what is posted: Dan held 4 garnets then, and holds 6 now."""
    here = sit("same")
    here.places("ann", "bob", "cyd", "dan")
    here.do("award dan garnets 2", "2T15")
    told = here.do("award dan garnets 1", "2T12")
    text = next(item["text"] for item in here.waiting("dan") if "received 1 garnet" in item["text"])
    assert told == f"--- to Dan\n{text}\n"
    assert "it counts from <t:1767355200:F>" in text and "Garnets: 6" in text


# ---- who lets the clock run is no news -------------------------------------------------------------------------------


def over_by_the_clock(here: Desk) -> Desk:
    """Ann alone votes; a note after the end of the vote lets it end. All of it is posted."""
    here.to_the_vote()
    here.do("vote ann cyd", "3T11")
    assert "The match is over." in here.do("note hello", "6T12")
    here.post_all()
    return here


def test_a_hidden_late_entry_before_the_one_that_let_the_clock_run_is_no_news(sit: Any) -> None:
    plain, hidden = over_by_the_clock(sit("plain")), over_by_the_clock(sit("hidden"))
    told = hidden.do("award dan garnets 1", "6T11")
    award = hidden.last
    assert told.startswith("--- to Dan\n") and told.count("--- to") == 1 and "is over" not in told
    assert plain.waiting() == []
    assert hidden.public() == plain.public()
    hidden.hl("verify")
    for here in (plain, hidden):
        here.do("note more", "6T13")
    assert hidden.public() == plain.public()
    hidden.do(f"undo {award}")
    assert hidden.public() == plain.public()


def test_undoing_the_entry_that_let_the_clock_run_takes_the_end_back(sit: Any) -> None:
    """docs/commands.md: time moves only by entries. What it told is corrected, and told again when it ends again."""
    here = over_by_the_clock(sit("back"))
    here.do("undo 14")
    correction = here.waiting()
    assert len(correction) == 1 and "Taken back: The match is over." in correction[0]["text"]
    here.post_all()
    assert "The match is over." in here.do("note again", "6T12")
    assert "The match is over." in here.waiting()[0]["text"]


def over_by_votes(here: Desk) -> Desk:
    """Ann votes and then Bob, whose vote ends it. All of it is posted."""
    here.to_the_vote()
    here.do("vote ann cyd", "3T11")
    assert "The match is over." in here.do("vote bob cyd", "3T12")
    here.post_all()
    return here


def test_which_vote_was_the_last_is_no_news(sit: Any) -> None:
    plain, hidden = over_by_votes(sit("plain")), over_by_votes(sit("hidden"))
    assert hidden.do("amend 14 at=2026-01-03T10:30Z") == ""
    assert plain.waiting() == []
    assert hidden.public() == plain.public()
    hidden.do("undo 14")
    assert "Taken back: The match is over." in hidden.waiting()[0]["text"]


def test_a_correction_of_something_else_leaves_out_what_is_told_by_another_entry_now(sit: Any) -> None:
    """Both are the public's, and one is wrong: it is told once, and the end of the match is neither taken back nor told
    again; nor when the hidden entry is undone."""
    plain, hidden = over_by_the_clock(sit("plain")), over_by_the_clock(sit("hidden"))
    hidden.do("award dan garnets 1", "6T11")
    award = hidden.last
    for here in (plain, hidden):
        here.do("amend 8 value=21")
        (correction,) = here.waiting()
        assert "No longer true: A host set the points of Ann: 20." in correction["text"]
        assert "True now: A host set the points of Ann: 21." in correction["text"]
        assert "longer: The match" not in correction["text"]
    assert hidden.public() == plain.public()
    for here in (plain, hidden):
        here.hl(f"outbox done {here.waiting()[0]['item']}")
        assert here.waiting() == []
    assert hidden.public() == plain.public()
    hidden.do(f"undo {award}")
    assert hidden.waiting() == []
    assert hidden.public() == plain.public()


# ---- the same words for another thing --------------------------------------------------------------------------------


def test_the_same_words_for_another_thing_are_told_and_taken_back(sit: Any) -> None:
    """Twice a garnet is told twice, also when the first is recorded last; and taken back once, when one was none."""
    here = sit("twice")
    here.places("ann", "bob", "cyd", "dan")
    here.do("award dan garnets 1", "2T12")
    assert "You received 1 garnet." in here.do("award dan garnets 1", "2T11")
    assert sum("You received 1 garnet." in item["text"] for item in here.waiting("dan")) == 2
    here.post_all("dan")
    assert here.waiting("dan") == []
    here.do("undo 9")
    (correction,) = here.waiting("dan")
    assert "9e" in correction["covers"]


def test_what_was_taken_back_and_holds_again_is_told_again(sit: Any) -> None:
    here = sit("again")
    here.places("ann", "bob", "cyd", "dan")
    here.do("award dan garnets 1", "2T12")
    here.post_all("dan")
    here.do("undo 8")
    assert "Taken back: You received 1 garnet." in here.waiting("dan")[0]["text"]
    here.post_all("dan")
    here.do("redo")
    (correction,) = here.waiting("dan")
    assert "True now: You received 1 garnet." in correction["text"]
    here.post_all("dan")
    assert here.json("drift")["drift"] == []


def test_the_same_words_with_another_picture_are_corrected(sit: Any) -> None:
    """Dan read that he holds 4 garnets after the award; 2 more, recorded late, make them 6."""
    here = sit("picture")
    here.places("ann", "bob", "cyd", "dan")
    here.do("award dan garnets 1", "2T12")
    here.post_all("dan")
    here.do("award dan garnets 2", "2T11")
    correction = here.waiting("dan")[-1]
    assert correction["covers"] == ["8e"] and "Garnets: 6" in correction["text"]


def other_copy(here: Desk) -> Desk:
    """The same match at the other host's."""
    there = copy.copy(here)
    there.folder = here.folder / "there"
    shutil.copytree(here.folder / "m", there.folder / "m")
    return there


def test_what_the_other_copy_posted_follows_its_words_too(sit: Any) -> None:
    """Only the text of it is known here: that a hidden entry brings the end now is no news."""
    here = sit("here")
    here.to_the_vote()
    here.do("vote ann cyd", "3T11")
    here.do("note hello", "6T12")
    there = other_copy(here)
    there.post_all()
    here.do("award dan garnets 1", "6T11")
    here.do(f"join {there.folder / 'm'}")
    assert here.public()[:2] == [[], []]


def test_what_the_other_copy_posted_and_is_wrong_here_is_corrected(sit: Any) -> None:
    """Also where nothing but one sentence differs."""
    here = sit("here")
    here.places("ann", "bob", "cyd", "dan")
    here.do("override ann points 20", "2T11")
    there = other_copy(here)
    there.post_all()
    here.do("amend 8 value=21")
    here.do(f"join {there.folder / 'm'}")
    (correction,) = here.waiting()
    assert correction["covers"] == ["8a"]


# ---- head and number of entries --------------------------------------------------------------------------------------


def test_an_earlier_point_tells_others_nothing_of_the_log_as_it_is(sit: Any) -> None:
    """A match that was over and is open again: how much was recorded since is the hosts' alone."""
    plain, hidden = over_by_votes(sit("plain")), over_by_votes(sit("hidden"))
    for here in (plain, hidden):
        assert {"head", "entries"} <= set(here.json("final"))
        here.do("reopen", "3T13")
    hidden.do("note only for us", "3T14")
    hidden.do("award dan garnets 1", "3T15")
    for line in ("final", "scores", "final --known 14", "final --as-of 14", "scores --as-of 14", "final --as-of 13"):
        results = [here.json(f"{line}") for here in (plain, hidden)]
        assert not {"head", "entries"} & set(results[1]), line
        assert results[0] == results[1], line
        assert hidden.json(f"{line} --for host")["entries"] > 14
    assert hidden.json("final --as-of 14")["status"] == "finished"
    assert not {"head", "entries"} & set(hidden.json("view --for ann --as-of 14")["result"])
