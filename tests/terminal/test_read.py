"""`read`: the commands that an exported chat calls for: what is proposed and asked, and that nothing else happens."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.app import App
from ledger.exchange.evidence import as_file, read_settled
from tests.support.host import MINUTE, OPENED, Host
from tests.support.paper import chat, message

# ---- at a terminal ---------------------------------------------------------------------------------------------------


def exported(folder: Path, *said: tuple[int, str, str]) -> str:
    """A chat of messages so many minutes after play has begun."""
    rows = []
    for minutes, who, words in said:
        row = message(0, who, words)
        at = OPENED + minutes * MINUTE
        row["id"] = str((at - 1_420_070_400_000) << 22)
        row["timestamp"] = f"2026-03-02T{9 + minutes // 60:02}:{minutes % 60:02}:00.000+00:00"
        rows.append(row)
    path = folder / "chat.json"
    path.write_text(json.dumps({**chat(rows), "exportedAt": None}), encoding="utf-8")
    return str(path)


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Somebody sits at a terminal and types these lines."""

    def type_(*lines: str) -> None:
        monkeypatch.setattr(App, "may_ask", property(lambda app: True))
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return type_


def entries(desk: Host) -> list[tuple[str, str | None]]:
    return [(entry.body.do, entry.body.evidence) for entry in desk.match.book.entries]


def later(desk: Host, minutes: int = 60) -> None:
    desk.now += minutes * MINUTE


def test_taken_it_is_recorded_with_its_message(at_desk: Any, typing: Any) -> None:
    desk = at_desk("d")
    path = exported(desk.folder, (5, "Ann", "my R2 for your R6?"), (6, "Bob", "deal"), (9, "Cyd", "I lock in"))
    later(desk)
    before = entries(desk)
    typing("t", "t")
    desk.hl("read", path)
    (trade, msg), (lock, _) = entries(desk)[len(before) :]
    assert (trade, lock) == ("trade", "lock") and msg is not None
    assert desk.match.book.entries[-2].body.at == OPENED + 6 * MINUTE, "agreed when Bob said so"
    assert "2 messages looked at, 2 recorded" in desk.err


def test_skipped_it_is_asked_about_again_and_settled_it_is_not(at_desk: Any, typing: Any) -> None:
    desk = at_desk("d")
    path = exported(desk.folder, (5, "Cyd", "I lock in"))
    later(desk)
    before = entries(desk)
    typing("s")
    desk.hl("read", path)
    assert "I lock in" in desk.out
    typing("n")
    desk.hl("read", path)
    assert "I lock in" in desk.out
    typing()
    desk.hl("read", path)
    assert "I lock in" not in desk.out
    assert entries(desk) == before
    kept = Path(f"{desk.path}/log.jsonl.settled")
    assert kept.stat().st_mode & 0o777 == 0o600 and len(kept.read_text().split()) == 1
    desk.hl("evidence", path)
    assert "1 message, because a host has said that there is nothing to record" in desk.out
    desk.hl("log", "-o", str(kept), "--overwrite", code=2)  # no output takes its place


def test_changed_it_runs_as_typed_and_a_refusal_asks_again(at_desk: Any, typing: Any) -> None:
    desk = at_desk("d")
    path = exported(desk.folder, (5, "Cyd", "I lock in"))
    later(desk)
    typing("c", "lock nobody", "c", "lock dan", "q")
    desk.hl("read", path)
    assert "there is no player" in desk.err and entries(desk)[-1] == ("lock", None)
    assert desk.match.book.entries[-1].body.args == {"player": "dan"}


def test_without_a_terminal_it_is_a_list(at_desk: Any) -> None:
    """What would be refused says so; JSON has the same."""
    desk = at_desk("d")
    path = exported(
        desk.folder, (5, "Ann", "my R2 for your R8?"), (6, "Bob", "ok"), (7, "Ann", "R2 for B9?"), (8, "Bob", "ok")
    )
    later(desk)
    before = entries(desk)
    desk.hl("read", path)
    assert "  hl trade ann R2 bob R8 --msg " in desk.out
    assert "it would be refused" in desk.out and "2 messages to look at" in desk.err
    rows = desk.json("read", path)["proposals"]
    assert [("refused" in row, row["lacks"]) for row in rows] == [(False, []), (True, [])]
    assert entries(desk) == before


def test_a_folder_of_chats_and_what_is_none(at_desk: Any) -> None:
    desk = at_desk("d")
    chats = desk.folder / "chats"
    chats.mkdir()
    desk.hl("read", str(chats), code=2)
    assert "there is no JSON, HTML or CSV in" in desk.err
    exported(chats, (5, "Cyd", "I lock in"))
    later(desk)
    desk.hl("read", str(chats))
    assert "lock cyd" in desk.out
    desk.hl("read", str(desk.folder / "none.json"), code=2)


def test_the_settled_file_may_hold_anything(tmp_path: Path) -> None:
    log = str(tmp_path / "log.jsonl")
    assert read_settled(log) == frozenset()
    Path(f"{log}.settled").write_bytes(b"12\n\xff")
    assert read_settled(log) == frozenset()
    Path(f"{log}.settled").write_bytes(as_file(["12", "7"]) + b"no id\n")
    assert read_settled(log) == {"7", "12"}


def test_what_records_nothing_is_not_counted(at_desk: Any, typing: Any) -> None:
    """A command that only looks, or only tries, leaves the question open."""
    desk = at_desk("d")
    path = exported(desk.folder, (5, "Cyd", "I lock in"))
    later(desk)
    before = entries(desk)
    typing("c", "games", "c", "lock cyd -n", "q")
    desk.hl("read", path)
    assert "1 message looked at, 0 recorded" in desk.err and entries(desk) == before


def test_exports_that_overlap_say_each_message_once(at_desk: Any) -> None:
    desk = at_desk("d")
    path = exported(desk.folder, (5, "Cyd", "I lock in"))
    (desk.folder / "again.json").write_bytes(Path(path).read_bytes())
    later(desk)
    assert len(desk.json("read", path, str(desk.folder / "again.json"))["proposals"]) == 1


@pytest.mark.parametrize("id_", ["1", str(2**63), str(2**64)])
def test_an_id_that_is_none_of_discord_spoils_nothing(at_desk: Any, id_: str) -> None:
    """Such a message is not proposed; an id that no message can have is no chat."""
    desk = at_desk("d")
    path = exported(desk.folder, (5, "Cyd", "I lock in"), (6, "Dan", "I lock in"))
    told = json.loads(Path(path).read_text(encoding="utf-8"))
    told["messages"][0]["id"] = id_
    Path(path).write_text(json.dumps(told), encoding="utf-8")
    later(desk)
    if int(id_) >= 2**64:
        desk.hl("evidence", path, code=2)
        assert "[chat.shape]" in desk.err
        return
    assert [row["who"] for row in desk.json("read", path)["proposals"]] == ["Dan"]
    desk.hl("evidence", path)


@pytest.mark.parametrize("when", ["now", "2h ago", "tomorrow 9:00"])
def test_a_time_of_a_chat_is_complete(at_desk: Any, when: str) -> None:
    desk = at_desk("d")
    path = exported(desk.folder, (5, "Cyd", "I lock in"))
    told = json.loads(Path(path).read_text(encoding="utf-8"))
    told["messages"][0]["timestamp"] = when
    Path(path).write_text(json.dumps(told), encoding="utf-8")
    desk.hl("read", path, code=2)
    assert "is no time" in desk.err
