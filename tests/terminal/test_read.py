"""`read`: the commands that an exported chat calls for: what is proposed and asked, and that nothing else happens."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

from ledger.cli.app import App
from ledger.exchange.evidence import as_file, read_settled
from tests.support.host import MINUTE, OPENED, Host
from tests.support.lines import plays
from tests.support.paper import chat, message, snowflake


def exported(here: Host, *words: str) -> str:
    """Write a chat: `5 Ann: lock` is a message five minutes after nine; `KEY=VALUE` changes one."""
    rows = []
    for row in " ".join(words).split(" / "):
        minutes, who, changes, said = re.fullmatch(r"(\d+) (\w+)((?: \w+=\S+)*): (.*)", row).groups()  # type: ignore[union-attr]
        number = int(minutes)
        at = {"id": snowflake(OPENED + number * MINUTE), "timestamp": f"2026-03-02T09:{number:02}:00.000+00:00"}
        changed = dict(change.replace("_", " ").split("=") for change in changes.split())
        rows.append(message(0, who, said) | at | changed)
    here.file("chat.json", json.dumps({**chat(rows), "exportedAt": None}))
    return ""


def typing(here: Host, *words: str) -> str:
    """Somebody sits at a terminal and types these lines."""
    here.patch.setattr(App, "may_ask", property(lambda app: True))
    here.patch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in " ".join(words).split(" / "))))
    return ""


def kept(here: Host) -> int:
    """How many messages are settled; for the host alone."""
    path = Path(f"{here.path}/log.jsonl.settled")
    assert path.stat().st_mode & 0o777 == 0o600
    return len(path.read_text().split())


SHOWS = {
    "chat": exported,
    "types": typing,
    "kept": kept,
    "folder": lambda here, name: (here.folder / name).mkdir() or "",
}
READ = """
what is taken is recorded with its message, agreed when the last one said so
  desk ; : chat 5 Ann: my R2 for your R6? / 6 Bob: deal / 9 Cyd: I lock in ; +1h ; : types t / t
  read chat.json ~ 2 messages looked at, 2 recorded ; : kinds 2 == trade lock
  : show @1 | at == 2026-03-02T09:06:00.000Z
  : show @1 | evidence ~ https://discord.com/channels/845/77/
what is skipped is asked about again, and what is settled is not; no output takes the place of that file
  desk ; : chat 5 Cyd: I lock in ; +1h ; : types s ; read chat.json ~ I lock in ; : types n ; read chat.json ~ I lock in
  : types q ; read chat.json !~ I lock in ; : kinds 1 == open ; : kept == 1
  evidence chat.json ~ 1 message, because a host has said that there is nothing to record
  2 log -o m/log.jsonl.settled --overwrite
what is changed runs as typed, and a refusal asks again
  desk ; : chat 5 Cyd: I lock in ; +1h ; : types c / lock nobody / c / lock dan / q
  read chat.json ~ there is no player
  : kinds 2 == open lock ; : body args == player dan ; : body evidence == none
without a terminal it is a list; what would be refused says so, and JSON has the same
  desk ; : chat 5 Ann: my R2 for your R8? / 6 Bob: ok / 7 Ann: R2 for B9? / 8 Bob: ok ; +1h
  read chat.json ~ hl trade ann R2 bob R8 --msg ~ it would be refused ~ 2 messages to look at
  : read chat.json | proposals.lacks == ; : read chat.json | proposals.0.refused == absent
  : read chat.json | proposals.1.refused !~ absent ; : kinds 1 == open
a folder of chats, and what is none
  desk ; : folder chats ; 2 read chats ~ there is no JSON, HTML or CSV in ; : chat 5 Cyd: I lock in ; +1h
  read . ~ lock cyd ; 2 read none.json
what records nothing is not counted: a command that only looks, or only tries, leaves the question open
  desk ; : chat 5 Cyd: I lock in ; +1h ; : types c / games / c / lock cyd -n / q
  read chat.json ~ 1 message looked at, 0 recorded ; : kinds 1 == open
exports that overlap say each message once
  desk ; : chat 5 Cyd: I lock in ; +1h ; : read chat.json . | proposals.who == Cyd
an id that is none of Discord spoils nothing: such a message is not proposed
  desk ; : chat 5 Cyd id=1: I lock in / 6 Dan: I lock in ; +1h ; : read chat.json | proposals.who == Dan
  evidence chat.json ; : chat 5 Cyd id=9223372036854775808: I lock in / 6 Dan: I lock in
  : read chat.json | proposals.who == Dan ; evidence chat.json
an id that no message can have is no chat
  desk ; : chat 5 Cyd id=18446744073709551616: I lock in ; +1h ; 2 evidence chat.json ~ [chat.shape]
a time of a chat is complete
  desk ; : chat 5 Cyd timestamp=now: I lock in ; 2 read chat.json ~ is no time
  : chat 5 Cyd timestamp=2h_ago: I lock in ; 2 read chat.json ~ is no time
  : chat 5 Cyd timestamp=tomorrow_9:00: I lock in ; 2 read chat.json ~ is no time
"""
test_reading_a_chat = plays(READ)


def test_the_settled_file_may_hold_anything(tmp_path: Path) -> None:
    log = str(tmp_path / "log.jsonl")
    assert read_settled(log) == frozenset()
    Path(f"{log}.settled").write_bytes(b"12\n\xff")
    assert read_settled(log) == frozenset()
    Path(f"{log}.settled").write_bytes(as_file(["12", "7"]) + b"no id\n")
    assert read_settled(log) == {"7", "12"}
