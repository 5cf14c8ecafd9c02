"""The outbox: prompts, several texts at once, texts in several messages, marks taken back.
Source: docs/reliability.md.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import write_instant
from events.audiences import PUBLIC_VIEWER
from events.disk import DISK
from games.kit.blocks import Heading, Items, Table, Text
from ledger.core.match import Match
from ledger.post.posting import claim_of
from ledger.record.plan import Options
from ledger.record.recorder import record_marks
from ledger.render import discord
from ledger.tell.outbox import outbox
from ledger.tell.texts import texts_now, without_receipt
from tests.support.host import hl, match_file
from tests.support.replaying import DEMOS
from tests.support.terminal import Terminal


@pytest.fixture
def traded(at_desk: Callable[[str], Any]) -> Any:
    """A match with one trade: texts for Ann and for Bob wait."""
    here = at_desk("traded")
    here.hl("trade", "ann", "R2", "bob", "B4")
    return here


def waiting(here: Any) -> list[str]:
    return [item["item"] for item in here.json("outbox")["items"]]


def long_texts(monkeypatch: pytest.MonkeyPatch, limit: int = 60) -> None:
    """Discord takes so few characters that the texts of a trade need several messages."""
    real = discord.messages
    monkeypatch.setattr("ledger.render.discord.messages", lambda blocks: real(blocks, limit))
    from ledger.tell.texts import _messages

    _messages.cache_clear()


@pytest.fixture
def in_messages(traded: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same where the texts need several messages."""
    long_texts(monkeypatch)
    yield traded
    from ledger.tell.texts import _messages

    monkeypatch.undo()
    _messages.cache_clear()


# ---- several at once, and back ---------------------------------------------------------------------------------------


def test_several_texts_are_marked_in_one_go_and_each_is_taken_back_alone(traded: Any) -> None:
    """Issue: `done 16c 17d` is refused."""
    first, second = waiting(traded)[-2:]
    traded.hl("outbox", "done", first, second)
    assert f"texts {first} {second} are posted" in traded.err
    assert not {first, second} & set(waiting(traded))
    traded.hl("outbox", "undo", second)
    assert second in waiting(traded) and first not in waiting(traded)
    traded.hl("outbox", "undo", second, code=2)
    assert "outbox.unmarked" in traded.err
    traded.hl("verify")


def test_one_unknown_name_among_several_writes_nothing(traded: Any) -> None:
    """A command that is refused changes nothing."""
    before = traded.log
    traded.hl("outbox", "done", waiting(traded)[0], "99z", code=2)
    assert traded.log == before


def test_done_all_asks_and_marks_everything(traded: Any) -> None:
    names = waiting(traded)
    traded.hl("outbox", "done", "all", code=5)
    assert "outbox done all --yes" in traded.err
    assert waiting(traded) == names
    traded.hl("outbox", "done", "all", "--yes")
    assert waiting(traded) == []
    traded.hl("outbox", "done", "all", "--yes")
    traded.hl("verify")


def test_words_that_outbox_does_not_take_are_told_with_those_it_does(traded: Any) -> None:
    for words, said in (
        (("nxt",), "outbox has no nxt"), (("list", "20b"), "takes no name"), (("show",), "which text is meant"),
        (("show", "20b", "20c"), "outbox show takes ITEM"), (("done",), "which text is meant"),
    ):  # fmt: skip
        traded.hl("outbox", *words, code=2)
        assert said in traded.err, words


def test_show_prints_what_waits_and_what_was_posted(traded: Any) -> None:
    traded.hl("outbox", "show", "20b")
    assert "Your trade with Bob is done" in traded.out
    traded.hl("outbox", "done", "20b")
    traded.hl("outbox", "show", "20b")
    assert "20b was posted by mara" in traded.err and "Your trade with Bob is done" in traded.out


# ---- bare undo -------------------------------------------------------------------------------------------------------


def test_undo_says_in_words_what_it_strikes(traded: Any) -> None:
    traded.hl("undo")
    assert "to undo: #20, trade ann R2 bob B4" in traded.err


def test_undo_alone_asks_when_it_may_be_another_entry_that_is_meant(traded: Any) -> None:
    """Another host's entry came after, the entry is old, or the newest one is a mark of posting."""

    def asked(said: str) -> None:
        before = traded.log
        traded.hl("undo", code=5)
        assert said in traded.err and "try: hl undo 20\n" in traded.err
        assert traded.log == before

    traded.hl("outbox", "done", "20b")
    asked("your newest entry is #21, the mark that text 20b was posted; hl outbox undo 20b takes that back")
    traded.hl("outbox", "undo", "20b")
    traded.hl("note", "hm", by="ben")
    asked("ben recorded after it; the newest entry is #23, note hm")
    traded.hl("undo", "23", "--yes", by="ben")
    traded.now += 2 * 3_600_000
    asked("it was recorded 2 h")
    traded.hl("undo", "20")


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
    here.type("\n")
    here.until(PROMPT)
    here.type("s\n")
    here.until(PROMPT)
    here.type("q\n")
    assert here.run.wait(20) == 0
    assert waiting(traded) == names[1:]


@pytest.mark.parametrize("paste", ["\n\n\nhello\n\n", "\nhalf a line", "\x1b[200~\n\n\x1b[201~", "\n" * 300], ids=repr)
def test_a_paste_is_no_answer(traded: Any, at_a_terminal: Any, paste: str) -> None:
    """Issue: each line of a paste was taken as "posted"; an empty line is Enter."""
    names = waiting(traded)
    here = at_a_terminal("outbox", "next")
    here.until(PROMPT)
    here.type(paste)
    here.until("a paste answers nothing" if "\x1b" not in paste else "answer")
    time.sleep(0.3)
    assert waiting(traded) == names
    here.type("q\n")
    assert here.run.wait(20) == 0
    assert waiting(traded) == names


def test_what_is_typed_before_the_question_does_not_answer_it(traded: Any, at_a_terminal: Any) -> None:
    names = waiting(traded)
    here = at_a_terminal("outbox", "next")
    os.write(here.fd, b"\n\n\n")
    here.until(PROMPT)
    time.sleep(0.3)
    assert waiting(traded) == names
    here.type("q\n")
    assert here.run.wait(20) == 0


def test_go_on_takes_yes_and_no_alone(traded: Any, at_a_terminal: Any) -> None:
    here = at_a_terminal("outbox", "done", "all")
    here.until("Go on? [y/N]")
    here.type("posted\n")
    here.until("Go on? [y/N]")
    here.type("y\nyes\n")
    here.until("a paste answers nothing")
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


@pytest.mark.parametrize(
    "words", [("outbox", "next", "20b"), ("outbox", "show", "20b"), ("summary", "ann"), ("reveal",), ("status",)]
)
def test_copy_says_that_nothing_was_copied(
    traded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Issue: it says "copied" when no clipboard exists. Exit 5, and the text is on stdout."""
    clipboard(monkeypatch, tmp_path, xclip=1)
    traded.hl(*words, "--copy", code=5)
    assert "copy.none" in traded.err and "copied by" not in traded.err and len(traded.out) > 20


# ---- texts in several messages ---------------------------------------------------------------------------------------


def test_a_long_text_waits_in_messages_with_names_of_their_own(in_messages: Any) -> None:
    """Issue: each part is marked done by itself under its own name."""
    names = [name for name in waiting(in_messages) if name.startswith("20b")]
    assert names == [f"20b.{n}" for n in range(1, len(names) + 1)] and len(names) > 2
    in_messages.hl("outbox", "done", "20b.2")
    in_messages.hl("outbox", "done", "20b.2", code=3)
    assert [name for name in waiting(in_messages) if name.startswith("20b")] == [n for n in names if n != "20b.2"]
    in_messages.hl("outbox", "done", "20b")
    assert not [name for name in waiting(in_messages) if name.startswith("20b")]
    assert in_messages.json("drift")["drift"] == []
    posted = [e for e in in_messages.json("log", "--kind", "posted")["entries"]]
    assert {row["args"]["parts"] for row in posted} == {len(names)}
    in_messages.hl("verify")
    in_messages.hl("outbox", "undo", "20b")
    assert [name for name in waiting(in_messages) if name.startswith("20b")] == names


def test_every_way_out_numbers_the_messages(in_messages: Any) -> None:
    """Issue: a public text of 3,472 characters is printed without a word about the limit."""
    for words in (("summary", "ann"), ("summary", "--all"), ("reveal", "-f", "discord"), ("outbox", "show", "20b")):
        in_messages.hl(*words)
        assert "--- message 1 of " in in_messages.out, words
    in_messages.hl("trade", "cyd", "B5", "dan", "R3", "-n")
    assert "--- message 2 of " in in_messages.out


def test_a_changed_text_takes_the_rest_of_it_away(in_messages: Any) -> None:
    """What was read and holds no more is corrected; what was never read is told by the correction."""
    in_messages.hl("outbox", "done", "20b.1")
    in_messages.hl("amend", "20", "give=R4", "--yes")
    assert in_messages.hl("outbox", "done", "20b.2", code=None).code in (2, 3)
    names = waiting(in_messages)
    assert not [name for name in names if name.startswith("20b.")]
    items = {item["item"]: item for item in in_messages.json("outbox")["items"]}
    told = "\n".join(item["text"] for name, item in items.items() if name.startswith("20b+1."))
    assert [name for name in items if name.startswith("20b+1.")] and "gave R4" in told
    assert all(items[name]["covers"] == ["20b"] for name in items if name.startswith("20b+1."))
    assert [row["item"] for row in in_messages.json("drift")["drift"]] == ["20b"]
    first = next(name for name in items if name.startswith("20b+1."))
    in_messages.hl("outbox", "done", first)
    left = [name for name in waiting(in_messages) if name.startswith("20b+1.")]
    assert left == [name for name in items if name.startswith("20b+1.") and name != first]
    in_messages.hl("outbox", "done", "20b+1")
    assert in_messages.json("drift")["drift"] == []
    in_messages.hl("verify")


def test_a_correction_that_changed_half_way_begins_anew(in_messages: Any) -> None:
    in_messages.hl("outbox", "done", "20b")
    in_messages.hl("amend", "20", "give=R4", "--yes")
    in_messages.hl("outbox", "done", "20b+1.1", "20b+1.6")
    in_messages.hl("amend", "20", "give=B9", "--yes")
    names = waiting(in_messages)
    assert "20b+2.1" in names and not [name for name in names if name.startswith("20b+1")]
    in_messages.hl("outbox", "done", "20b+2")
    assert in_messages.json("drift")["drift"] == []
    in_messages.hl("verify")


def test_a_table_of_letters_of_two_units_fits_its_messages() -> None:
    """Discord counts UTF-16 units: a letter beyond the first plane is two of them and one column."""
    rows = tuple(("\U00020bb7" * 3, "\U0001d41a" * 20) for _ in range(60))
    for text in discord.messages([Table(("who", "what"), rows)]):
        assert discord.units(text) <= discord.LIMIT


def test_messages_are_cut_between_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block stands whole in one message where it can, and no heading is the last line of one."""
    para = [Text(("word " * 70,)) for _ in range(3)]
    blocks = [Text(("word " * 250,)), Items(tuple(f"line {n} {'x' * 60}" for n in range(12))), *para]
    first, second = discord.messages(blocks)[:2]
    assert "line" not in first and second.startswith("- line 0")
    headed = [Text(("word " * 250,)), Heading("What was played", 2), Items(tuple("y" * 90 for n in range(9)))]
    assert discord.messages(headed)[1].startswith("### What was played")
    for texts in (discord.messages(blocks), discord.messages(headed)):
        assert all(discord.units(text) <= discord.LIMIT for text in texts)


def test_a_public_text_has_its_receipt_once_under_the_last_message(in_messages: Any) -> None:
    in_messages.hl("close", "--yes")
    public = [item for item in outbox(in_messages.match).waiting if item.audience == "public"]
    assert any(item.part for item in public)
    for item in public:
        assert (without_receipt(item.text) != item.text) == (item.part == len(item.messages) or not item.part)


# ---- a file for each player ------------------------------------------------------------------------------------------


def test_summaries_go_into_a_file_for_each_player(traded: Any, tmp_path: Path) -> None:
    """Issue: `summary --all -o DIR` writes a file per player, named by channel."""
    out = tmp_path / "out"
    traded.hl("summary", "--all", "-o", str(out))
    assert sorted(path.name for path in out.iterdir()) == [f"{p}.txt" for p in sorted(traded.match.table.seats)]
    assert "for Ann" in (out / "ann.txt").read_text() and "Bob" not in (out / "cyd.txt").read_text().split("Not yet")[0]
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in out.iterdir())
    traded.hl("summary", "--all", "-o", str(out), code=2)
    traded.hl("summary", "--all", "-o", str(out), "-f", "json", "--overwrite")
    assert json.loads((out / "bob.json").read_text())["audience"] == "bob"


# ---- superseded ------------------------------------------------------------------------------------------------------


def test_a_sheet_that_was_replaced_falls_out_of_the_box_and_says_so(
    demos: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue: superseded sheets stay in the box. One that was posted stays posted."""
    from ledger.cli.root import run

    monkeypatch.setenv("HL_MATCH", str(demos.copy("polar", tmp_path / "polar")))
    assert run(["outbox"]) == 0
    out, err = capsys.readouterr()
    found = outbox(Match(str(tmp_path / "polar" / "log.jsonl")))
    assert found.superseded
    for item, later in found.superseded:
        assert f"{item.name} for {item.audience} in {item.channel} is replaced by {later}" in err
        assert not re.search(rf"^{item.name} ", out, re.MULTILINE) and re.search(rf"^{later} ", out, re.MULTILINE)
    item, later = found.superseded[0]
    assert run(["outbox", "done", later, "--as", "mara"]) == run(["outbox"]) == 0
    assert f"{item.name} for" not in capsys.readouterr().err, "whoever reads it knows what replaces it"
    assert run(["outbox", "done", item.name, "--as", "mara"]) == 0  # it was pasted all the same
    assert item.name not in {one.name for one, _ in outbox(Match(str(tmp_path / "polar" / "log.jsonl"))).superseded}


def test_an_end_that_was_moved_again_is_told_once(traded: Any) -> None:
    """And where the later one is undone, the earlier is to be told after all."""
    traded.hl("outbox", "done", "all", "--yes")
    traded.hl("deadline", "+1h")
    traded.hl("deadline", "+2h")
    assert waiting(traded) == ["33a"]
    assert "32a for public in the public channel is replaced by 33a: you need not post it" in traded.hl("outbox").err
    traded.hl("undo", "--yes")
    assert waiting(traded) == ["32a"]


# ---- where a correction stands, and what it says ---------------------------------------------------------------------


def test_a_correction_goes_before_the_newer_texts_that_rest_on_it(traded: Any) -> None:
    """It is dated by the entry that corrects, not by the last one, and says what was taken back."""
    traded.hl("outbox", "done", "all", "--yes")
    traded.hl("undo", "20", "--yes")
    corrected_at = traded.now
    traded.now += 3_600_000
    traded.hl("trade", "ann", "R2", "cyd", traded.match.fold.state.hands["cyd"][0])
    items = [row for row in traded.json("outbox")["items"] if row["audience"] == "ann"]
    assert [row["covers"] != [] for row in items] == [True, False], items
    assert items[0]["at"] == write_instant(corrected_at) and items[0]["at"] < items[1]["at"]
    assert "- Taken back: Your trade with Bob is done: you gave R2 and received B4." in items[0]["text"]
    to_others = [row["text"] for row in traded.json("outbox")["items"] if row["audience"] not in ("ann", "bob")]
    assert not [text for text in to_others if "Taken back" in text], "who may not know of the trade is told nothing"


def test_a_text_that_was_pasted_and_then_undone_is_marked_by_one_command(traded: Any) -> None:
    """Its entry stays undone, and whoever read the text gets its correction; nobody else does."""
    before = traded.hl("undo", "20", "--yes").err
    assert before.endswith("no longer to be sent: 20b 20c. If one was sent already: hl outbox done 20b\n")
    state = traded.match.fold.state
    assert "text 20b is posted" in traded.hl("outbox", "done", "20b").err
    assert traded.match.fold.state == state and 20 in traded.match.fold.marks.struck
    assert [row["item"] for row in traded.json("outbox")["items"] if row["covers"]] == ["20b+1"]
    traded.hl("verify")
    traded.hl("outbox", "done", "20x", code=2)
    traded.hl("outbox", "drop", "20c", code=2)
    traded.hl("outbox", "done", "20c")
    assert [row["item"] for row in traded.json("outbox")["items"] if row["covers"]] == ["20b+1", "20c+1"]


def test_status_counts_what_the_outbox_lists_and_what_is_in_doubt(traded: Any) -> None:
    """Hosts alone are told, of the match as it is now, and of nothing that is not there."""

    def counts(*words: str) -> list[str]:
        return [line for line in traded.json("status", *words)["needs"] if "hl outbox" in line]

    assert counts() == [f"{len(waiting(traded))} texts wait to be sent: hl outbox"]
    assert counts("--for", "public") == counts("--as-of", "now") == []
    traded.hl("outbox", "done", "all", "--yes")
    assert counts() == []
    traded.hl("undo", "20", "--yes")
    assert counts() == ["2 corrections wait to be sent: hl outbox"], "as hl outbox lists, and each thing once"
    traded.hl("trade", "ann", "R2", "cyd", traded.match.fold.state.hands["cyd"][0])
    listed = len(traded.json("outbox")["items"])
    assert counts() == [f"{listed} texts wait to be sent, 2 corrections among them: hl outbox"] and listed > 2
    traded.hl("undo", "--yes")
    begun = claim_of(outbox(traded.match).waiting[0])
    record_marks(traded.match, [begun], Options(by="mara", yes=True), lambda question: True, lambda match: None)
    assert counts() == ["1 correction waits to be sent: hl outbox", "1 text may have been sent or not: hl outbox"]


@pytest.mark.parametrize("name", DEMOS)
def test_a_correction_takes_back_only_what_this_audience_or_everybody_was_told(
    name: str, demos: Any, tmp_path: Path
) -> None:
    """A host's words for the same would name a rival's sealed order. Source: HX-18."""
    folder = str(demos.copy(name, tmp_path / name))
    match = Match(f"{folder}/log.jsonl")
    own = ("-g", folder, "--as", match.table.hosts[0])
    assert hl(*own, "outbox", "done", "all", "--yes").code == 0
    told = {
        (item.audience, sentence(line)) for item in texts_now(match).values()
        for block in item.notice.blocks if isinstance(block, Items) for line in block.items
    }  # fmt: skip
    corrections = 0
    for seq in sorted({item.seq for item in texts_now(match).values()})[-6:]:
        if hl(*own, "undo", str(seq), "--yes").code:
            continue
        for item in outbox(Match(f"{folder}/log.jsonl")).waiting:
            changes = item.notice.below[1] if item.covers else None
            for line in changes.items if isinstance(changes, Items) else ():
                label, _, gone = sentence(line).partition(": ")
                if label in ("Taken back", "No longer true"):
                    assert {(item.audience, gone), (PUBLIC_VIEWER, gone)} & told, (seq, item.audience, gone)
                    corrections += 1
        assert hl(*own, "redo", "--yes").code == 0
    assert corrections


def sentence(line: Any) -> str:
    """The words of a line of spans."""
    return "".join(map(str, line))


def test_an_amend_names_the_texts_that_wait_and_have_changed(traded: Any) -> None:
    """Who pastes by hand has perhaps sent one; a text that is marked gets its correction, and is not named."""
    first, other = [card for card in traded.match.fold.state.hands["ann"] if card != "B4"][:2]
    said = traded.hl("amend", "20", f"give={first}", "--yes").err
    assert "no longer as it was: 20b 20c. To see it now: hl outbox show 20b\n" in said, said
    traded.hl("outbox done 20b")
    assert "no longer as it was: 20c." in traded.hl("amend", "20", f"give={other}", "--yes").err
    assert "no longer as it was" not in traded.hl("amend", "20", "at=-1m", "--dry-run").err


def test_done_needs_no_name_where_one_text_waits(traded: Any) -> None:
    names = [item["item"] for item in traded.json("outbox")["items"]]
    traded.hl("outbox", "done", code=2)
    traded.hl("outbox", "done", *names[1:])
    traded.hl("outbox", "done")
    assert f"text {names[0]} is posted" in traded.err and traded.json("outbox")["items"] == []
    traded.hl("outbox", "done", code=2)


def test_the_correction_of_a_newer_sheet_says_which_counts_again(host: Any) -> None:
    """To its player alone: the one of that kind before it, or a withdrawal since."""
    host.new(match_file("poker_auction", "ann bob cyd dan eve"))
    for line in ("open", "power ann 30 SDHCJ"):
        host.hl(line)
    for then, counts in (("note x", "the power round: 30 chips"), ("withdraw ann", "the power round is taken back")):
        host.hl(then)
        host.hl("power ann 10 SDHCJ")
        host.hl("outbox done all --yes")
        host.hl("undo last power --yes")
        [item] = [item for item in host.json("outbox")["items"] if item["covers"]]
        assert item["audience"] == "ann"
        told = [line for line in item["text"].splitlines() if "True now" in line]
        assert len(told) == 1 and f"True now: Your sheet for {counts}" in told[0].replace("*", ""), item["text"]
        host.hl("outbox done all --yes")
