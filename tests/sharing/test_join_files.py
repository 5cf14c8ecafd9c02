"""Joining through the command line: two copies on disk, previews, cut joins, sealed rounds (decision 0025)."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from events import close_line
from games.records import plain
from ledger.core.match import Match

MINUTE = 60_000

# ---- on disk, through the command line -----------------------------------------------------------------------------


LINK = "https://discord.com/channels/1/2/"


class Table:
    """Two machines: the folders `a` (mara) and `b` (ben), one of them a copy of the other."""

    def __init__(self, stage: Any) -> None:
        self.stage = stage
        self.begin()
        shutil.copytree("a", "b")

    def begin(self) -> None:
        """The match before it is copied."""
        demo = Path(__file__).resolve().parents[2] / "games" / "equilibrium"
        shutil.copy(demo / "demo.toml", "demo.toml")
        shutil.copy(demo / "demo-deal.toml", "deal.toml")
        for words in ("new a --from demo.toml", "-g a --as mara deal --from deal.toml", "-g a --as mara open"):
            assert "[exit" not in self.type(words)

    def type(self, words: str) -> str:
        return str(self.stage.run((f"$ hl {words}",)))

    def a(self, words: str) -> str:
        return self.type(f"-g a --as mara {words}")

    def b(self, words: str) -> str:
        return self.type(f"-g b --as ben {words}")

    def entries(self, name: str) -> list[Any]:
        return [json.loads(line) for line in Path(name, "log.jsonl").read_text().splitlines()]

    def message(self, minutes: int) -> str:
        return f"{LINK}{self.stage.now - minutes * MINUTE - 1420070400000 << 22}"


@pytest.fixture
def table(stage: Any) -> Table:
    return Table(stage)


def test_join_previews_asks_and_records(table: Table) -> None:
    """What is new and what clashes is said before; without a terminal and --yes nothing is recorded (5)."""
    table.a("trade ann R2 bob B4")
    table.b('trade bob B4 cyd R9 --note "Bob wrote at once"')
    before = Path("a/log.jsonl").read_bytes()
    for words, ends in (("join b", "[exit 5]"), ("join b -n", "")):
        told = table.a(words)
        assert told.endswith(ends) and "up to 19; since then 2 entries there, 1 entry here" in told
        assert "#22 (20 there)" in told and "trade a=bob give=B4 b=cyd take=R9" in told
        assert "the rules do not allow #" in told
        assert Path("a/log.jsonl").read_bytes() == before
    assert table.stage.run(("$ hl -g a --as mara join b # types: n",)).endswith("[exit 5]")
    assert Path("a/log.jsonl").read_bytes() == before
    told = table.stage.run(("$ hl -g a --as mara join b # types: y",))
    assert "recorded #21 to #23" in told and "the other copy does not have 1 of ours" in told
    old, new = table.entries("b")[19], table.entries("a")[21]
    match = Match("a/log.jsonl")
    assert match.fold.layout.first_line(match.book.entries[21]) == old_hash("b", 20) and "once" not in new["body"]
    same = ("args", "at", "by", "do")
    assert {key: new["body"][key] for key in same} == {key: old["body"][key] for key in same}
    assert new["body"]["recorded"] > old["body"]["recorded"]
    assert table.entries("a")[22]["body"]["args"]["about"] == 22 and new["body"]["batch"] == 22


def old_hash(name: str, seq: int) -> str:
    return Match(f"{name}/log.jsonl").book.entries[seq - 1].hash


def test_the_same_message_read_by_both_is_one_entry(table: Table) -> None:
    """Not doubled; and what one of them corrects is corrected in both copies."""
    message = table.message(2)
    table.a(f"award gil garnets 1 --msg {message}")
    table.b(f"award gil garnets 1 --msg {message}")
    told = table.a("join b --yes")
    assert "the same, recorded in both: 20 there is 20 here" in told
    assert table.a("join b --yes").endswith("nothing new to record")
    table.b("undo 20")
    table.a("join b --yes")
    for name in "ab":
        player = json.loads(table.type(f"-g {name} view --for host -f json"))["view"]["players"]["gil"]
        assert player["garnets"] == 1  # what he came with
    message = table.message(1)
    table.b(f"award gil garnets 2 --msg {message}")
    table.a(f"award gil garnets 1 --msg {message}")
    told = table.a("join b --yes")
    assert "the same message is entry" in told and "undo one" in told


def test_a_key_holds_in_a_ring_of_three_copies(table: Table) -> None:
    """Promise 1, --once: wherever a command was run first, no other copy runs it again. A key is any text: the hash of
    a message that two hosts used for two commands, both of which are kept and answered; the hash of somebody's line,
    which hides no line."""
    key = hashlib.sha256(b"Ann: I was first").hexdigest()
    shutil.copytree("a", "c")
    mine = ["award gil garnets 1 --once a-1", f'note "Ann was first" --once {key}']
    theirs = ["award gil garnets 2 --once b-1", f"award gil garnets 1 --once {key}", "breach hal"]
    for told, lines in ((table.b, theirs), (table.a, mine)):
        assert "[exit" not in "".join(told(line) for line in lines)
    mine += [f"note seen --once {old_hash('b', 22)}", f"note again --once {old_hash('b', 3)}"]
    assert "[exit" not in table.a(mine[2]) + table.a(mine[3])
    assert "they say different things: both are kept" in table.a("join b -n")
    for name, other in ("ba", "cb", "ac", "ba"):
        assert "[exit" not in table.type(f"-g {name} --as mara join {other} --yes")
    for name in "abc":
        bodies = [entry["body"] for entry in table.entries(name)[19:] if entry["body"]["do"] != "join"]
        assert sorted(body["do"] for body in bodies) == ["award"] * 3 + ["breach"] + ["note"] * 3
        for words in (*mine, *theirs[:2]):
            assert "recorded before, nothing new" in table.type(f"-g {name} --as mara {words}"), (name, words)
        assert "[once.other]" in table.type(f"-g {name} --as mara award gil garnets 3 --once {key}")
        assert "\nverified: " in table.type(f"-g {name} verify")
    assert table.a("join b").endswith("nothing new to record")


def test_a_text_that_was_posted_there_drifts_here(table: Table) -> None:
    """It was posted by what was known there; only its exact text can be compared, and it is another one now."""
    table.stage.run(("$ sleep 1h",))
    table.b("trade bob B4 cyd R9")
    assert "20c" in table.b("outbox")
    table.b("outbox done 20c")
    table.a(f"trade ann R2 bob R6 --msg {table.message(30)}")
    assert "text 22c, posted to #bob, is false now" in table.a("join b -n")
    table.a("join b --yes")
    waiting = [row.split()[0] for row in table.a("outbox").splitlines()]
    assert "posted to #bob" in table.a("drift") and "22c" not in waiting and "22c+1" in waiting
    table.a("outbox done 22c+1")
    assert "22c" not in table.a("drift")


def test_a_lot_that_was_drawn_there_verifies_here(table: Table) -> None:
    """It was drawn under its number there; `verify` repeats the draw under that number."""
    table.a("note here")
    table.b("lot ann bob cyd")
    table.a("join b --yes")
    table.a("lot dan eve fox")
    assert "\nverified: " in table.a("verify")


def test_the_two_last_words_on_an_entry(table: Table) -> None:
    """Both hosts amended it: the later one counts in both copies, and the host is told."""
    table.a("trade ann R2 bob B4")
    shutil.rmtree("b")
    shutil.copytree("a", "b")
    table.a("amend 20 take=R6")
    table.b("amend 20 take=R7")
    assert "both copies amended entry 20" in table.a("join b --yes")
    table.b("join a --yes")
    assert table.type("-g a view --for ann") == table.type("-g b view --for ann")


BAD = [
    ("join other", 3, "join.other_match"),
    ("join nowhere", 2, "match.none"),
    ('join ""', 2, "match.none"),
    ("join torn", 4, "log.layout"),
    ("join closed", 2, "log.redacted"),
    ("join", 2, "command.usage"),
]


@pytest.mark.parametrize(("words", "code", "name"), BAD, ids=[name for *_, name in BAD])
def test_what_cannot_be_joined_is_refused_and_changes_nothing(table: Table, words: str, code: int, name: str) -> None:
    table.type("new other --from demo.toml")
    for folder in ("torn", "closed"):
        shutil.copytree("b", folder)
    lines = Path("b/log.jsonl").read_bytes().splitlines(keepends=True)
    Path("torn/log.jsonl").write_bytes(b"".join([*lines[:10], b"{}\n", *lines[11:]]))
    Path("closed/log.jsonl").write_bytes(b"".join([*lines[:-1], close_line(lines[-1])]))
    before = {path: path.read_bytes() for path in Path().rglob("log.jsonl*")}
    told = table.a(f"{words} --yes")
    assert (
        told.endswith(f"[exit {code}]")
        and f"[{name}]" in told
        and any(f"\n  {one}: " in told for one in ("try", "like", "help"))
    )
    assert before == {path: path.read_bytes() for path in Path().rglob("log.jsonl*")}


def test_itself_and_an_older_copy_give_nothing(table: Table) -> None:
    table.a("note x")
    for other in ("a", "b", "a/log.jsonl"):
        assert table.a(f"join {other} --yes").endswith("nothing new to record")


def test_a_join_killed_at_any_byte_is_completed_by_the_next(table: Table) -> None:
    """Every cut at a line's end, some inside lines, and a power cut of which the first pages did not come down: that is
    one torn tail, not damage. The head record still says what it said before."""
    table.a("recolour fox B9")
    table.b('trade ann R2 bob B4 --note "x"')
    table.b("undo")
    before = {path.name: path.read_bytes() for path in Path("a").iterdir()}
    table.a("join b --yes")
    whole = Path("a/log.jsonl").read_bytes()
    first = {old_hash("b", seq) for seq in range(20, 23)}
    start = len(before["log.jsonl"])
    ends = [start] + [i + 1 for i in range(start, len(whole)) if whole[i : i + 1] == b"\n"]
    assert len(ends) == 5
    cuts = [whole[:cut] for cut in sorted({*ends, *(end - 1 for end in ends[1:]), start + 1, start + 300})]
    for cut in (*cuts, whole[:start] + bytes(600) + whole[start + 600 :]):
        shutil.rmtree("a")
        Path("a").mkdir(0o700)
        for name, data in {**before, "log.jsonl": cut}.items():
            Path("a", name).write_bytes(data)
            Path("a", name).chmod(0o600)
        assert "[exit" not in table.a("join b --yes")
        bodies = [entry["body"] for entry in table.entries("a")[20:] if entry["body"]["do"] != "join"]
        assert [body["do"] for body in bodies] == ["trade", "note", "undo"], len(cut)
        match = Match("a/log.jsonl")
        assert {match.fold.layout.first_line(entry) for entry in match.book.entries} >= first, len(cut)
        assert table.a("join b --yes").endswith("nothing new to record")
        view = table.a("view --for host -f json").splitlines()[-1]  # a note may stand before it: a missing newline
        assert json.loads(view)["view"]["players"]["fox"]["garnets"] == 1


def test_json_of_a_join(table: Table) -> None:
    """The keys of a verb that writes, and what came from where."""
    table.b("trade ann R2 bob B4")
    told = json.loads(table.a("join b --yes --json"))
    assert told["ok"] and told["seq"] == [20, 21] and told["common"] == 19
    assert told["taken"] == [{"there": 20, "here": 21}] and told["same"] == told["clashes"] == []
    refused = json.loads(table.a("join nowhere --json").removesuffix("[exit 2]"))
    assert refused["error"]["code"] == "match.none"


# ---- sealed rounds (decision 0025) ---------------------------------------------------------------------------------


class Rounds(Table):
    """Two copies of a match of Polar, round 1 on. Ann is in Rock with +, Bob in Paper with -."""

    def begin(self) -> None:
        top = 'game = "polar"\ntitle = "Ep"\nzone = "UTC"\nhosts = ["mara", "ben"]\n[players]\n'
        Path("m.toml").write_text(top + 'ann = { name = "Ann" }\nbob = { name = "Bob" }\n')
        assert "[exit" not in self.type("new a --from m.toml --as mara")
        for words in ("open", "start ann rock +", "start bob paper -", "resolve --yes --early"):
            assert "[exit" not in self.a(words)

    def sheets(self, name: str) -> Any:
        """What counts of everybody in the round that is on."""
        return json.loads(self.type(f"-g {name} view --for host -f json"))["view"]["sheets"]

    def alike(self) -> None:
        """Both copies join, hold the same, and would resolve the round alike."""
        assert "[exit" not in self.a("join b --yes") + self.b("join a --yes")
        a, b = Match("a/log.jsonl"), Match("b/log.jsonl")
        assert plain(a.fold.state._replace(table=None)) == plain(b.fold.state._replace(table=None))
        assert self.sheets("a") == self.sheets("b")
        on = a.table.round.name if a.table.round else ""
        (one, two) = (told(f"resolve {on} -n --at -1m").partition("would go to")[0] for told in (self.a, self.b))
        one, two = (re.sub(r" ends .* UTC\n", " ends\n", said) for said in (one, two))  # a minute later in b
        assert one.splitlines()[2:] == two.splitlines()[2:]


@pytest.fixture
def sheets(stage: Any) -> Rounds:
    return Rounds(stage)


def test_a_late_sheet_that_is_admitted_is_the_same_in_both_copies(sheets: Rounds) -> None:
    """The number in `admit SEQ` is an entry like that of --about: entry 9 there is Ann's, entry 9 here is Bob's."""
    sheets.a("close --yes")
    shutil.rmtree("b")
    shutil.copytree("a", "b")
    sheets.a("submit bob --ticket rock")
    sheets.b("submit ann --ticket scissors")
    sheets.b('ruling "admit #9 - her 2 phones died"')
    sheets.alike()
    assert sheets.sheets("a") == {"ann": "--ticket scissors", "bob": None}
    rulings = [e["body"]["args"]["text"] for e in sheets.entries("a") if e["body"]["do"] == "ruling"]
    assert rulings == ["admit #11 - her 2 phones died"]
    # Undone in the copy where it came to, and amended where it came from: both know which sheet is meant.
    sheets.a("undo 12 --yes")
    sheets.alike()
    assert sheets.sheets("b") == {"ann": None, "bob": None}
    sheets.a("redo 13")
    sheets.alike()
    sheets.b('amend 10 "text=admit 12 - it was his phone" --yes')
    sheets.alike()
    assert sheets.sheets("a") == {"ann": None, "bob": "--ticket rock"}
    assert "nothing new" in sheets.a("join b") and "nothing new" in sheets.b("join a")


def test_what_was_admitted_and_is_not_there_admits_nothing_here(sheets: Rounds) -> None:
    """A forced ruling about an entry that is none there lets in no entry that happens to have the number here."""
    sheets.a("close --yes")
    shutil.rmtree("b")
    shutil.copytree("a", "b")
    sheets.b('ruling "admit 11: he will send it" --force')
    sheets.a("note one")
    sheets.a("note two")
    sheets.a("submit bob --ticket rock")
    sheets.a("join b --yes")
    assert sheets.entries("a")[-1]["body"]["args"]["text"] == "admit 0: he will send it"
    assert sheets.sheets("a") == {"ann": None, "bob": None}


@pytest.mark.parametrize("words", ["submit ann --ticket scissors", "go ann scissors", "blank ann"])
def test_a_sheet_of_a_round_that_the_other_has_resolved(sheets: Rounds, words: str) -> None:
    """Ben's late sheet for round 1 is no sheet of round 2: it is contested in both copies until somebody settles it."""
    sheets.a("submit ann --swap")
    sheets.a("resolve --yes --early")
    sheets.a("submit ann --ticket paper")
    sheets.b(words)
    joined = sheets.a("join b --yes -n")
    assert " here: round 2 is on, not round 1" in joined
    sheets.alike()
    assert sheets.sheets("a") == {"ann": "--ticket paper", "bob": None}
    for told in (sheets.a, sheets.b):
        assert "the rules do not allow" in told("status")


# ---- the same in one copy: a resolve is undone ---------------------------------------------------------------------


def test_sheets_of_the_next_round_leave_this_one_alone_after_an_undo(sheets: Rounds) -> None:
    """Undo a resolve, and the sheets that have come for round 2 do not go over those of round 1."""
    sheets.a("submit ann --ticket scissors")
    sheets.a("submit bob --swap")
    resolved = len(sheets.entries("a")) + 1
    sheets.a("resolve --yes --early")
    sheets.a("submit ann --ticket paper")
    told = sheets.a(f"undo {resolved} -n")
    assert "the rules no longer allow" in told and "round 1 is on, not round 2" in told
    assert "[exit 5]" in sheets.a(f"undo {resolved}"), "it is asked about"
    sheets.a(f"undo {resolved} --yes")
    assert sheets.sheets("a") == {"ann": "--ticket scissors", "bob": "--swap"}
    # Resolved when it was, they are sheets of round 2 again; resolved now, Ann's would have to be sent again.
    told = sheets.a("resolve --yes --early --at -6m")
    assert "Ann goes from Rock to Scissors" in told
    assert sheets.sheets("a") == {"ann": "--ticket paper", "bob": None}


def test_a_sheet_that_gets_another_time_is_for_the_round_of_that_time(sheets: Rounds) -> None:
    """Typed in after the resolve and dated back, it is a sheet of round 1; its other corrections leave its round."""
    sheets.a("status")  # a minute goes by
    sheets.a("resolve --yes --early")
    sheets.a("submit ann --ticket scissors")
    late = len(sheets.entries("a"))
    sheets.a(f"amend {late} ticket=paper --yes")
    amended = sheets.entries("a")[-1]["body"]["args"]["args"]
    assert amended["round"] == "round_2" and sheets.sheets("a")["ann"] == "--ticket paper"
    assert "has no field" in sheets.a(f"amend {late} round=round_1")
    told = sheets.a(f"amend {late} at=-6m --yes")
    assert sheets.entries("a")[-1]["body"]["args"]["args"] == {**amended, "round": "round_1"}, told
    assert sheets.sheets("a")["ann"] is None and "Paper**: Ann" in sheets.a("reveal 1")
