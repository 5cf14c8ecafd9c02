"""What is told because of an entry, and what is not: neither again nor otherwise for a hidden entry beside it.

Twins: two matches that differ only in an entry which the public may not know of give the public the same bytes.
Source: docs/log-format.md, docs/commands.md, docs/reliability.md.
"""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.tell.diff import differences
from ledger.tell.texts import without_receipt
from tests.support.host import Host, match_file
from tests.support.lines import cases

SEATS = {p: {"name": p.title(), "garnets": 3} for p in ("ann", "bob", "cyd", "dan")}
FILES = {"four": match_file("polar", SEATS, "rounds = 1", title="Ep", zone="UTC")}
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
        here.new(FILES["four"])
        here.do("open", "1T10")
        return here

    return made


DRAWN = " ".join(f"--drawn '{p} rock +'" for p in SEATS)
SHORT = {
    "in one room": f"""
        open --at 2026-01-01T10:00Z --yes
        resolve --early --yes --at 2026-01-02T10:00Z {DRAWN}
    """,
    "to the vote": """
        in one room ; override ann points 20 --at 2026-01-02T11:00Z --yes
  override bob points 20 --at 2026-01-02T11:00Z --yes
        override cyd points 1 --at 2026-01-02T11:00Z --yes ; override dan points 1 --at 2026-01-02T11:00Z --yes
        resolve --early --yes --at 2026-01-03T10:00Z
    """,
}
WORDS = """
a late notice is the text that waits: Dan held 4 garnets then, and holds 6 now
  file four ; in one room ; award dan garnets 2 --at 2026-01-02T15:00Z
  award dan garnets 1 --at 2026-01-02T12:00Z --yes ~ --- to Dan ~ it counts from <t:1767355200:F> ~ Garnets: 6
  : told dan ~ received 1 garnet ~ it counts from <t:1767355200:F> ~ Garnets: 6
undoing the entry that let the clock run takes the end back; it is told again when it ends again (docs/commands.md)
  file four ; to the vote ; vote ann cyd --at 2026-01-03T11:00Z --yes
  note hello --at 2026-01-06T12:00Z --yes ~ The match is over. ; outbox done all --yes ; undo {note} --yes
  : to Taken back: The match is over. ~ public ; outbox done all --yes
  note again --at 2026-01-06T12:00Z --yes ~ The match is over. ; : to The match is over. ~ public
the same words for another thing are told: twice a garnet twice; and taken back once, when one was none
  file four ; in one room ; award dan garnets 1 --at 2026-01-02T12:00Z --yes
  award dan garnets 1 --at 2026-01-02T11:00Z --yes ~ You received 1 garnet. ; : to You received 1 garnet. == dan dan
  outbox done all --yes ; : waits dan == ; undo {award} --yes ; : outbox | items[audience=dan].covers ~ {award}e
what was taken back and holds again is told again
  file four ; in one room ; award dan garnets 1 --at 2026-01-02T12:00Z --yes ; outbox done all --yes
  undo {award} --yes
  : texts dan ~ Taken back: You received 1 garnet. ; outbox done all --yes ; redo --yes
  : texts dan ~ True now: You received 1 garnet. ; outbox done all --yes ; : drift ==
the same words with another picture are corrected: Dan read that he holds 4 garnets; 2 more, recorded late, make them 6
  file four ; in one room ; award dan garnets 1 --at 2026-01-02T12:00Z --yes ; outbox done all --yes
  award dan garnets 2 --at 2026-01-02T11:00Z --yes ; : outbox | items[audience=dan].covers ~ 8e
  : texts dan ~ Garnets: 6
"""


@pytest.mark.parametrize("said", cases(WORDS))
def test_what_is_told(said: str, lines: Any) -> None:
    lines(said)


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
    assert "A host set the room of Bob: Scissors." in late.do("override bob room scissors", "2T12")


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


def test_what_reads_the_same_is_no_difference() -> None:
    """A text that is empty now and was not there before reads as none, as it did."""
    match: Any = SimpleNamespace(
        game=SimpleNamespace(view=lambda state, viewer: state.view, result=lambda *_: {}), zone=""
    )
    before, after = (SimpleNamespace(view=v, table=SimpleNamespace(assumptions=())) for v in ({}, {"saw": "", "n": 1}))
    assert differences(match, before, after) == ("n: none -> 1",)
