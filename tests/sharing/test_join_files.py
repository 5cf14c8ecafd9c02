"""Joining through the command line: two copies on disk, previews, cut joins, sealed rounds (decision 0025).

How a case is written: support/lines.py. Mara types in `m`; `b ...` is what Ben types in his copy.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import close_line
from games.records import plain
from ledger.core.match import Match
from tests.support.host import Host, match_file
from tests.support.lines import plays


def copied(here: Host) -> str:
    shutil.rmtree(here.folder / "b", ignore_errors=True)
    shutil.copytree(here.path, here.folder / "b")
    return ""


def bens(here: Host) -> Match:
    return Match(str(here.folder / "b" / "log.jsonl"))


def sheets(match: Match) -> Any:
    """What counts of everybody in the round that is on."""
    return plain(match.game.view(match.fold.state, "host"))["sheets"]


def alike(here: Host) -> str:
    """Both join, and then hold the same, and would resolve the round alike."""
    for name, other in ("mb", "bm"):
        here.type("-g", name, "join", other, "--yes")
    ours, theirs = here.match, bens(here)
    assert plain(ours.fold.state._replace(table=None)) == plain(theirs.fold.state._replace(table=None))
    if ours.game.name == "polar":
        assert sheets(ours) == sheets(theirs)
        on = ours.table.round.name if ours.table.round else ""
        said = [here.type("-g", name, "resolve", on, "-n", "--at", "-1m").text for name in "mb"]
        said = [re.sub(r" ends .* UTC\n", " ends\n", one.partition("would go to")[0]) for one in said]
        assert said[0].splitlines()[2:] == said[1].splitlines()[2:]
    return ""


def spoilt(here: Host) -> str:
    """A copy with a line that is none, and one with a closed line."""
    lines = here.log.splitlines(keepends=True)
    torn, closed = [*lines[:10], b"{}\n", *lines[11:]], [*lines[:-1], close_line(lines[-1])]
    for name, rows in {"torn": torn, "closed": closed}.items():
        shutil.copytree(here.path, here.folder / name)
        (here.folder / name / "log.jsonl").write_bytes(b"".join(rows))
    return ""


def came(here: Host, ours: int, theirs: int) -> bool:
    """Is that entry of ours that line of Ben's?"""
    match = here.match
    return match.fold.layout.first_line(match.book.entries[ours - 1]) == bens(here).book.entries[theirs - 1].hash


SHORT = {"b": "> -g b --as ben"}
SHOWS = {
    "copied": copied,
    "alike": alike,
    "spoilt": spoilt,
    "sheets": lambda here: sheets(here.match),
    "came": lambda here, *seqs: came(here, *map(int, seqs)),
}
PAIR = match_file("polar", "ann bob", hosts=("mara", "ben"), zone="UTC")
JOINING = """
what is new and what clashes is said before; without --yes nothing is recorded
  two ; trade ann R2 bob B4 ; b trade bob B4 cyd R9 --note 'Bob wrote at once'
  5 join b ~ up to 19; since then 2 entries there, 1 entry here ~ #22 (20 there) ~ trade a=bob give=B4 b=cyd take=R9
  join b -n ~ the rules do not allow # ; : kinds 1 == trade
  join b --yes ~ recorded #21 to #23 ~ the other copy does not have 1 of ours ; : show 22 | by == ben
  : show 22 | args == a bob, b cyd, give B4, take R9 ; : came 22 20 == yes
  : body args ~ about 22 ; : body batch == 22 ; : body once == none
the same message read by both is one entry; what one of them corrects is corrected in both copies
  two ; award gil garnets 1 --msg {link-2m} ; b award gil garnets 1 --msg {link-3m}
  join b --yes ~ the same, recorded in both: 20 there is 20 here ; join b --yes ~ nothing new to record ; b undo 20
  join b --yes ; : view --for host | view.players.gil.garnets == 1 ; b award gil garnets 2 --msg {link-1m}
  award gil garnets 1 --msg {link-2m} ; join b --yes ~ the same message is entry ~ undo one
a text that was posted there drifts here: only its exact text can be compared, and it is another one now
  two ; +1h ; b trade bob B4 cyd R9 ; b outbox done 20c ; trade ann R2 bob R6 --msg {link-30m}
  join b -n ~ text 22c, posted to #bob, is false now ; join b --yes ; : drift == 22c ; outbox done 22c+1 ; : drift ==
a lot that was drawn there verifies here, under its number there
  two ; note here ; b lot ann bob cyd ; join b --yes ; lot dan eve fox ; verify
of two amends the later one counts in both copies, and the host is told
  two ; trade ann R2 bob B4 ; : copied ; amend 20 take=R6 ; b amend 20 take=R7
  join b --yes ~ both copies amended entry 20 ; : alike
what cannot be joined is refused and changes nothing
  two ; > new other --from match.toml ; : spoilt ; 3 join other --yes ~ [join.other_match]
  2 join nowhere --yes ~ [match.none] ; 2 join '' --yes ~ [match.none] ; 4 join torn --yes ~ [log.layout]
  2 join closed --yes ~ [log.redacted] ; 2 join --yes ~ [command.usage] ; 2 join nowhere --json ~ "match.none"
itself and an older copy give nothing
  two ; note x ; join m --yes ~ nothing new to record ; join b --yes ~ nothing new to record
  join m/log.jsonl --yes ~ nothing new to record
the answer as JSON says what came from where
  two ; b trade ann R2 bob B4
  join b --yes --json ~ "seq": [20, 21] ~ "common": 19 ~ "taken": [{"there": 20, "here": 21}]
a late sheet that is admitted is the same in both copies: `admit 9` names an entry as --about does, wherever it came to
  rounds ; close --yes ; : copied ; submit bob --ticket rock ; b submit ann --ticket scissors
  b ruling 'admit #9 - her 2 phones died' ; : alike ; : sheets == ann --ticket scissors
  : log --kind ruling | entries.args.text == admit #11 - her 2 phones died ; undo 12 --yes ; : alike ; : sheets ==
  redo 13 ; : alike ; b amend 10 'text=admit 12 - it was his phone' --yes ; : alike ; : sheets == bob --ticket rock
  join b ~ nothing new ; b join m ~ nothing new
what was admitted and is not there admits no entry that happens to have the number here
  rounds ; close --yes ; : copied ; b ruling 'admit 11: he will send it' --force ; note one ; note two
  submit bob --ticket rock ; join b --yes ; : body args.text == admit 0: he will send it ; : sheets ==
sheets of the next round leave this one alone after its resolve was undone; resolved when it was, they are sheets again
  rounds ; submit ann --ticket scissors ; submit bob --swap ; resolve --yes --early ; submit ann --ticket paper
  undo {resolve} -n ~ the rules no longer allow ~ round 1 is on, not round 2 ; 5 undo {resolve} ; undo {resolve} --yes
  : sheets == ann --ticket scissors, bob --swap
  resolve --yes --early --at -6m ~ Ann goes from Rock to Scissors ; : sheets == ann --ticket paper
a sheet that gets another time is for the round of that time; its other corrections leave its round
  rounds ; status ; resolve --yes --early ; submit ann --ticket scissors ; amend {submit} ticket=paper --yes
  : body args.args.round == round_2 ; : sheets == ann --ticket paper ; 2 amend {submit} round=round_1 ~ has no field
  amend {submit} at=-6m --yes ; : body args.args.round == round_1 ; : sheets == ; reveal 1 ~ Paper: Ann
"""
LATE = "".join(
    f"""
{words}: a sheet of a round that the other has resolved is contested in both copies until somebody settles it
  rounds ; submit ann --swap ; resolve --yes --early ; submit ann --ticket paper ; b {words}
  join b --yes -n ~ here: round 2 is on, not round 1 ; : alike ; : sheets == ann --ticket paper
  status ~ the rules do not allow ; b status ~ the rules do not allow
"""
    for words in ("submit ann --ticket scissors", "go ann scissors", "blank ann")
)


@pytest.fixture
def two(at_desk: Callable[[str], Host]) -> Host:
    """Two copies of a match in which trading has begun."""
    here = at_desk("two")
    copied(here)
    here.patch.chdir(here.folder)
    return here


@pytest.fixture
def rounds(host: Host) -> Host:
    """Ann is in Rock with +, Bob in Paper with -; round 1 is on, in both copies."""
    host.by = "mara"
    host.new(PAIR)
    for line in ("open", "start ann rock +", "start bob paper -", "resolve --yes --early"):
        host.hl(line)
    copied(host)
    return host


test_joining = plays(JOINING, LATE)


def entries(name: str) -> list[Any]:
    """The bodies of what was recorded since trading began, but joins."""
    bodies = [json.loads(line)["body"] for line in Path(name, "log.jsonl").read_bytes().splitlines()[19:]]
    return [body for body in bodies if body["do"] != "join"]


def test_a_key_holds_in_a_ring_of_three_copies(two: Host) -> None:
    """Promise 1, --once: wherever a command was run first, no other copy runs it again. A key is any text: the hash of
    a message that two hosts used for two commands, both of which are kept and answered; the hash of somebody's line,
    which hides no line."""

    def typed(name: str, line: str, code: int | None = 0) -> str:
        return two.type("-g", name, *line.split(), code=code).text

    key = hashlib.sha256(b"Ann: I was first").hexdigest()
    shutil.copytree("m", "c")
    mine = ["award gil garnets 1 --once a-1", f"note first --once {key}"]
    theirs = ["award gil garnets 2 --once b-1", f"award gil garnets 1 --once {key}", "breach hal"]
    for name, lines in (("b", theirs), ("m", mine)):
        assert [typed(name, line) for line in lines]
    mine += [f"note {seq} --once {bens(two).book.entries[seq - 1].hash}" for seq in (22, 3)]
    assert typed("m", mine[2]) + typed("m", mine[3])
    assert "they say different things: both are kept" in typed("m", "join b -n")
    for name, other in ("bm", "cb", "mc", "bm"):
        typed(name, f"join {other} --yes")
    for name in "mbc":
        assert sorted(body["do"] for body in entries(name)) == ["award"] * 3 + ["breach"] + ["note"] * 3
        for line in (*mine, *theirs[:2]):
            assert "recorded before, nothing new" in typed(name, line), (name, line)
        assert "[once.other]" in typed(name, f"award gil garnets 3 --once {key}", None)
        assert "\nverified: " in typed(name, "verify")
    assert "nothing new to record" in typed("m", "join b")


def test_a_join_killed_at_any_byte_is_completed_by_the_next(two: Host) -> None:
    """Every cut at a line's end, some inside lines, and a power cut of which the first pages did not come down: that is
    one torn tail, not damage. The head record still says what it said before."""
    two.hl("recolour fox B9")
    for line in ("trade ann R2 bob B4 --note x", "undo"):
        two.type("-g", "b", *line.split())
    before = {path.name: path.read_bytes() for path in Path("m").iterdir()}
    two.hl("join b --yes")
    whole, start = two.log, len(before["log.jsonl"])
    first = {entry.hash for entry in bens(two).book.entries[19:22]}
    ends = [start] + [i + 1 for i in range(start, len(whole)) if whole[i : i + 1] == b"\n"]
    assert len(ends) == 5
    cuts = [whole[:cut] for cut in sorted({*ends, *(end - 1 for end in ends[1:]), start + 1, start + 300})]
    for cut in (*cuts, whole[:start] + bytes(600) + whole[start + 600 :]):
        shutil.rmtree("m")
        Path("m").mkdir(0o700)
        for name, data in {**before, "log.jsonl": cut}.items():
            Path("m", name).write_bytes(data)
            Path("m", name).chmod(0o600)
        two.hl("join b --yes")
        assert [body["do"] for body in entries("m")] == ["recolour", "trade", "note", "undo"], len(cut)
        match = two.match
        assert {match.fold.layout.first_line(entry) for entry in match.book.entries} >= first, len(cut)
        assert "nothing new to record" in two.hl("join b --yes").text
