"""What is told because of an entry, and what is not: neither again nor otherwise for a hidden entry beside it.

Twins: two matches that differ only in an entry which the public may not know of give the public the same bytes.
Source: docs/log-format.md, docs/commands.md, docs/reliability.md.
"""

from __future__ import annotations

import shutil
from types import SimpleNamespace
from typing import Any

from ledger.tell.diff import differences
from ledger.tell.texts import without_receipt
from tests.support.host import Host, match_file
from tests.support.lines import items, plays

SEATS = {p: {"name": p.title(), "garnets": 3} for p in ("ann", "bob", "cyd", "dan")}
FILES = {"four": match_file("polar", SEATS, "rounds = 1", title="Ep", zone="UTC")}


def twin(here: Host) -> str:
    """From here on there are two matches: this one, in which something hidden is recorded, and one without it."""
    shutil.copytree(here.path, here.folder / "twin" / "m")
    here.twin = here.at("twin")  # type: ignore[attr-defined]
    return ""


def public(here: Host) -> list[object]:
    """All that the public is told, or has yet to be told; no names of texts, for these are the hosts' own."""
    drift = [row["what"] for row in here.json("drift")["drift"] if "public" in row["channel"]]
    told = [here.hl(line).out for line in ("replay --for public", "reveal", "final")]
    return [[without_receipt(item["text"]) for item in items(here, "public")], drift, told]


def alike(here: Any, *words: str) -> bool:
    """Is the result the same in both for everybody, without head and number of entries, which hosts alone learn?"""
    line = " ".join(words)
    one, other = here.json(line), here.twin.json(line)
    assert here.json(f"{line} --for host")["entries"] > 14
    return bool(one == other) and not {"head", "entries"} & set(one)


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
    "over by the clock": """
        to the vote ; vote ann cyd --at 2026-01-03T11:00Z --yes
        note hello --at 2026-01-06T12:00Z --yes ~ The match is over. ; outbox done all --yes
    """,
    "over by votes": """
        to the vote ; vote ann cyd --at 2026-01-03T11:00Z --yes
        vote bob cyd --at 2026-01-03T12:00Z --yes ~ The match is over. ; outbox done all --yes
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
what the other copy posted follows its words too: that a hidden entry brings the end now is no news to the public
  file four ; to the vote ; vote ann cyd --at 2026-01-03T11:00Z --yes ; note hello --at 2026-01-06T12:00Z --yes
  : copied ; > -g there outbox done all --yes ; award dan garnets 1 --at 2026-01-06T11:00Z --yes ; join there --yes
  : waits public == ; : drift | drift.channel !~ public
what the other copy posted and is wrong here is corrected, also where nothing but one sentence differs
  file four ; in one room ; override ann points 20 --at 2026-01-02T11:00Z --yes ; : copied
  > -g there outbox done all --yes ; amend 8 value=21 --yes ; join there --yes
  : outbox | items[audience=public].covers == 8a
a late entry is told from the match right after it: before the start is published no room is told to anybody
  file four ; open --at 2026-01-01T10:00Z --yes
  start bob paper + confetti double --at 2026-01-01T11:00Z --yes
  override bob room rock --at 2026-01-01T12:00Z --yes -n !~ --- to
  resolve --early --yes --at 2026-01-02T10:00Z --drawn 'ann rock +' --drawn 'cyd rock +' --drawn 'dan rock +'
  override bob room rock --at 2026-01-01T12:00Z --yes !~ --- to
  override bob room scissors --at 2026-01-02T12:00Z --yes ~ A host set the room of Bob: Scissors.
a hidden late entry before the one that let the clock run is no news
  file four ; over by the clock ; : twin
  award dan garnets 1 --at 2026-01-06T11:00Z --yes ~ --- to Dan !~ The match is over. !~ to everybody
  : outbox | items.audience == dan ; : same == yes ; verify ; : both note more --at 2026-01-06T13:00Z --yes
  : same == yes ; undo {award} --yes ; : same == yes
a correction of something else does not tell anew what stands word for word, told by a hidden entry now
  file four ; override ann points 40 --at 2026-01-01T09:30Z --yes ; over by the clock ; : twin
  award dan garnets 1 --at 2026-01-06T11:00Z --yes
  : both amend 6 value=41 --yes ; : texts public ~ True now: A host set the points of Ann: 41. !~ True now: The match
  : same == yes
which vote was the last is no news
  file four ; over by votes ; : twin ; amend 14 at=2026-01-03T10:30Z --yes !~ --- to ; : waits public == ; : same == yes
  undo 14 --yes ; : to Taken back: The match is over. ~ public
a correction of something else leaves out what is told by another entry now, also when the hidden entry is undone
  file four ; over by the clock ; : twin ; award dan garnets 1 --at 2026-01-06T11:00Z --yes
  : both amend 8 value=21 --yes ; : texts public ~ Taken back: A host set the points of Ann: 20.
  : texts public ~ True now: A host set the points of Ann: 21. !~ longer: The match ; : same == yes
  : both outbox done all --yes ; : waits public == ; : same == yes ; undo {award} --yes ; : waits public ==
  : same == yes
an earlier point of a match that is open again tells others nothing of how much was recorded since
  file four ; over by votes ; : twin ; : final | head !~ absent ; : final | entries !~ absent
  : both reopen --at 2026-01-03T13:00Z --yes ; note only for us --at 2026-01-03T14:00Z --yes
  award dan garnets 1 --at 2026-01-03T15:00Z --yes ; : alike final == yes ; : alike scores == yes
  : alike final --known 14 == yes ; : alike final --as-of 14 == yes ; : alike scores --as-of 14 == yes
  : alike final --as-of 13 == yes ; : final --as-of 14 | status == finished
  : view --for ann --as-of 14 | result !~ head ; : view --for ann --as-of 14 | result !~ entries
"""
SHOWS = {
    "copied": lambda here: shutil.copytree(here.path, here.folder / "there") and "",
    "twin": twin,
    "both": lambda here, *words: [one.hl(" ".join(words)) for one in (here, here.twin)] and "",
    "same": lambda here: public(here) == public(here.twin),
    "alike": alike,
}
test_what_is_told = plays(WORDS)


def test_what_reads_the_same_is_no_difference() -> None:
    """A text that is empty now and was not there before reads as none, as it did."""
    game = SimpleNamespace(view=lambda state, viewer: state.view, result=lambda *_: {})
    match: Any = SimpleNamespace(game=game, zone="", frame=lambda *_: None)
    table = SimpleNamespace(assumptions=(), seats=(), round=None)
    before, after = (SimpleNamespace(view=view, table=table) for view in ({}, {"saw": "", "n": 1}))
    assert differences(match, before, after) == ("n: none -> 1",)
