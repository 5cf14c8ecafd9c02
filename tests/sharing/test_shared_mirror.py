"""The mirror of a shared match: push first, then the mirror; whatever happens in between, both tell the same.

Source: docs/decisions/0038; docs/reliability.md, promise "shared". The server is one in memory (shelf.py); the git wire
has its own file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import Damaged, LogFile, Moved, NotRecorded, OutcomeUnknown, Unreadable, create, dumps
from events.entry import close_line, write_line
from events.errors import Unprinted
from ledger.wire import sharing
from ledger.wire.mirror import SharedLog
from ledger.wire.protocol import Stored
from ledger.wire.sealing import CLASS_BYTES, Sealing, fresh_key, key_of, words_of
from ledger.wire.sidecars import PENDING, WIRE
from tests.support.shelf import NOW, URL, Hosts, Killed, StoppingDisk, body

DAY = "2026-11-20T10:00:00.000Z"


@pytest.fixture(params=[False, True], ids=["sealed", "plain"])
def hosts(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hosts:
    found = Hosts(tmp_path, monkeypatch, "seated", plain=request.param)
    found.join("ben")
    return found


def test_two_mirrors_in_turn(hosts: Hosts) -> None:
    """Each sees what the other recorded, and ends with the server's bytes."""
    for i in range(4):
        hosts.write("mara" if i % 2 else "ben", f"note {i}")
    hosts.agree()
    assert hosts.texts("ben") == ["made", "seated", "note 0", "note 1", "note 2", "note 3"]


def test_a_repository_of_the_present_folder_is_nobodys(
    hosts: Hosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the wire keeps is found by a whole path: `.git` where a host happens to stand stays where it is."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    with pytest.raises(ValueError, match="whole path"):
        sharing.find(URL, "")
    found = sharing.find(URL, str(tmp_path / "scratch" / "x"))
    sharing.clone(found, key_of(hosts.key) if hosts.key else b"", str(tmp_path / "x"), "")
    assert (tmp_path / "project" / ".git").is_dir()


def test_moved_records_nothing(hosts: Hosts) -> None:
    """Two hosts at the same instant: the slower is told, and nothing of theirs is anywhere."""
    hosts.shelf.before_push = [lambda: hosts.write("ben", "quicker")]
    log = hosts.log("mara")
    with pytest.raises(Moved), log.writing() as writer:
        writer.append([body("slower")])
    with log.writing() as writer:
        assert [line.seq for line in writer.reading.lines] == [1, 2, 3]
        writer.append([body("slower")])
    hosts.agree()
    assert hosts.texts("mara")[2:] == ["quicker", "slower"]


def test_a_look_just_before_is_enough(hosts: Hosts) -> None:
    """A command reads, then records: it asks the server twice (look, push), not three times."""
    log = hosts.log("mara")
    tails = hosts.shelf.tails
    reading = log.read()
    with log.writing(reading.mark) as writer:
        writer.append([body("one")])
    assert hosts.shelf.tails == tails + 1


# ---- what was sent without an answer --------------------------------------------------------------------------------


def unknown(hosts: Hosts, fault: str) -> None:
    hosts.shelf.faults = [fault]
    with pytest.raises(OutcomeUnknown), hosts.log("mara").writing() as writer:
        writer.append([body("in doubt")])
    assert os.path.exists(hosts.paths["mara"] + PENDING)


def test_kept_but_not_answered(hosts: Hosts) -> None:
    """The next command finds it on the server, and says that it is recorded."""
    unknown(hosts, "cut")
    assert any("entry 3 (note)" in note and "is recorded" in note for note in hosts.log("mara").read().notes)
    hosts.agree()
    assert hosts.texts("ben")[2:] == ["in doubt"]


def test_lost_is_sent_again_as_it_was(hosts: Hosts) -> None:
    """Nobody recorded since: the very bytes are sent again, by a command that records; one that looks only says so."""
    unknown(hosts, "lost")
    sent = Path(hosts.paths["mara"] + PENDING).read_text(encoding="utf-8")
    assert "still unknown" in hosts.log("mara").read().notes[-1]
    assert Path(hosts.paths["mara"] + PENDING).read_text(encoding="utf-8") == sent
    hosts.write("mara", "next")
    assert json.loads(sent)["rows"] == [list(hosts.shelf.rows[2])]
    hosts.agree()
    assert hosts.texts("ben")[2:] == ["in doubt", "next"]


def test_lost_and_overtaken_is_told_as_not_recorded(hosts: Hosts) -> None:
    """It is never redone by itself, and what arrives too late changes nothing."""
    unknown(hosts, "late")
    hosts.write("ben", "meanwhile")
    hosts.shelf.post()
    assert any("NOT recorded" in note for note in hosts.sync("mara"))
    hosts.agree()
    assert hosts.texts("mara")[2:] == ["meanwhile"]


def test_no_command_writes_before_it_is_settled(hosts: Hosts) -> None:
    """While it is unknown, nothing else is recorded."""
    unknown(hosts, "lost")
    hosts.shelf.faults = ["lost"]
    with pytest.raises(NotRecorded) as told, hosts.log("mara").writing() as writer:
        writer.append([body("next")])
    assert told.value.code == "wire.pending" and len(hosts.shelf.rows) == 2


@pytest.mark.parametrize(
    ("where", "befalls", "told"),
    [
        ("tests.support.shelf.ShelfWire.push", KeyboardInterrupt(), "wire.unknown"),
        ("events.writer.Writer._record", KeyboardInterrupt(), "wire.unknown"),
        ("events.writer.Writer._put", NotRecorded("log.disk", "nothing was recorded: no space", "free"), "wire.mirror"),
    ],
    ids=["Ctrl-C on the way", "Ctrl-C once it is there", "no room here"],
)
def test_what_befalls_a_command_that_has_sent(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch, where: str, befalls: BaseException, told: str
) -> None:
    """Not told as if nothing had been done: unknown (7), or recorded on the server alone (8). The next command brings
    or settles it."""

    def raises(*_: object) -> None:
        raise befalls

    expected, writing = pytest.raises((OutcomeUnknown, Unprinted)), hosts.log("mara").writing()
    with monkeypatch.context() as patch, expected as error, writing as writer:
        patch.setattr(where, raises)
        writer.append([body("once")])
    assert error.value.code == told
    hosts.agree()
    assert hosts.texts("mara")[2:] == ["once"]


@pytest.mark.parametrize("fault", ["", "killed"])
def test_killed_at_every_step(hosts: Hosts, fault: str) -> None:
    """A command is killed at each call to its disk, before and after the push: it is recorded once or not at all, what
    was answered is kept, and the next command goes on."""
    done, steps = 0, 0
    for at in range(1, 200):
        disk = StoppingDisk(at)
        hosts.shelf.faults = [fault] if fault else []
        text, answered = f"kill {at}", False
        try:
            with hosts.log("mara", disk).writing() as writer:
                writer.append([body(text)])
                answered = True
        except Killed:
            pass
        done, steps = done + answered, steps + 1
        hosts.shelf.faults = []
        hosts.write("ben", f"ben {at}")
        hosts.agree()
        assert hosts.texts("ben").count(text) in ([1] if answered else [0, 1])
        if disk.calls < at:
            break
    assert steps > (20 if not fault else 10) and (fault or done >= 1)


# ---- a server that does not keep what it was given ------------------------------------------------------------------


def fake(hosts: Hosts, seq: int, prev: str, text: bytes, *, hash_: str = "") -> Stored:
    """A line as somebody would store it who has all that a host has."""
    raw, mine = write_line(seq, prev, "0" * 32, text)
    return hosts.sealing.stored(raw, hash_ or mine)


NOTE = dumps({"args": {"text": "x"}, "at": DAY, "by": "eve", "do": "note", "recorded": DAY})


def row_of(hosts: Hosts, data: bytes, *, key: bytes | None = None, closed: bool = False) -> Stored:
    """A sixth line, sealed with that key or with that of the match."""
    raw, mine = write_line(6, hosts.shelf.rows[4].hash, "0" * 32, data)
    real = key_of(hosts.key) if hosts.key else b""
    true = hosts.key or key is None  # of a match that is open no key is another one, so another hash is
    return Sealing(real if key is None else key).stored(close_line(raw) if closed else raw, mine if true else "e" * 64)


BROKEN: dict[str, Callable[[Hosts, list[Stored]], Any]] = {
    "rolled back": lambda hosts, rows: rows.__delitem__(slice(2, None)),
    "forgotten": lambda hosts, rows: rows.clear(),
    "rewritten": lambda hosts, rows: rows.__setitem__(slice(2, None), [fake(hosts, 3, rows[1].hash, NOTE)]),
    "reordered": lambda hosts, rows: rows.insert(3, rows.pop()),
    "another match": lambda hosts, rows: rows.__setitem__(slice(None), [fake(hosts, 1, "0" * 64, NOTE)] * 5),
    "a line missing": lambda hosts, rows: rows.pop(3),
    "a line twice": lambda hosts, rows: rows.insert(4, rows[3]),
    "another hash": lambda hosts, rows: rows.append(fake(hosts, 6, rows[4].hash, NOTE, hash_="e" * 64)),
    "not canonical": lambda hosts, rows: rows.append(row_of(hosts, b'{"do":"x" }')),
    "closed": lambda hosts, rows: rows.append(row_of(hosts, NOTE, closed=True)),
    "garbage": lambda hosts, rows: rows.append(Stored("e" * 64, "AAAA" if hosts.key else "{}")),
    "of another key": lambda hosts, rows: rows.append(row_of(hosts, NOTE, key=fresh_key() if hosts.key else b"")),
    "unsealed": lambda hosts, rows: rows.append(row_of(hosts, NOTE, key=b"")),
}
"""What somebody does to the server's rows; every mirror has three lines then, the server had five."""


@pytest.mark.parametrize("how", BROKEN)
def test_a_server_that_is_not_true_is_found_by_the_next_command(hosts: Hosts, how: str) -> None:
    """Found, nothing taken over, nothing recorded; what only looks answers from the mirror and says so."""
    hosts.write("mara", "third")
    hosts.sync("ben")
    hosts.write("mara", "fourth")
    hosts.write("mara", "fifth")
    BROKEN[how](hosts, hosts.shelf.rows)
    before, rows = Path(hosts.paths["ben"]).read_bytes(), list(hosts.shelf.rows)
    with pytest.raises((Damaged, Unreadable)) as told, hosts.log("ben").writing() as writer:
        writer.append([body("x")])
    assert told.value.code in ("wire.behind", "wire.other", "wire.damaged", "wire.key_other")
    reading = hosts.log("ben").read()
    assert reading.mark.seq == 3 and "this is the mirror" in reading.notes[-1]
    assert Path(hosts.paths["ben"]).read_bytes() == before and hosts.shelf.rows == rows


def test_a_rewritten_server_is_not_written_over(hosts: Hosts) -> None:
    """`--restore` only adds."""
    hosts.shelf.rows[1:] = [fake(hosts, 2, hosts.shelf.rows[0].hash, NOTE)]
    with pytest.raises(Damaged) as told:
        sharing.restore(hosts.paths["ben"])
    assert told.value.code == "wire.other" and len(hosts.shelf.rows) == 2


def test_leaving(hosts: Hosts) -> None:
    """Afterwards it is a file like any other; with something in doubt it is refused unless that is meant."""
    from events import Refused
    from ledger.core.logs import open_log

    unknown(hosts, "lost")
    with pytest.raises(Refused):
        sharing.unshare(hosts.paths["mara"], doubtful=False)
    assert sharing.unshare(hosts.paths["mara"], doubtful=True) == URL
    assert sorted(os.listdir(os.path.dirname(hosts.paths["mara"]))) == ["log.jsonl", "log.jsonl.head"]
    assert type(open_log(hosts.paths["mara"])) is LogFile
    assert type(open_log(hosts.paths["ben"])) is SharedLog


def test_sharing_that_was_interrupted_goes_on(hosts: Hosts, tmp_path: Path) -> None:
    """Killed after the push: the same key is used again, and nothing is doubled. Another match cannot take its name."""
    from events import Refused

    url = f"{URL}-2"
    shelf, path, other = hosts.shelves[url], *(str(tmp_path / name / "log.jsonl") for name in ("m", "other"))
    create(path, [body("made")])
    shelf.faults = ["killed"]
    with pytest.raises(Killed):
        sharing.share(path, url, plain=False)
    assert not os.path.exists(path + WIRE) and len(shelf.rows) == 1
    sharing.share(path, url, plain=False)
    assert len(shelf.rows) == 1 and SharedLog(path, lambda: NOW).read().mark.seq == 1
    with pytest.raises(Refused, match="already"):
        sharing.share(path, url, plain=False)
    create(other, [body("another")])
    with pytest.raises(Refused, match="has that name"):
        sharing.share(other, url, plain=False)


# ---- what the server may know ---------------------------------------------------------------------------------------


def test_the_server_sees_sizes_and_nothing_else(hosts: Hosts) -> None:
    """Two scripts that differ in a secret leave rows of the same sizes, in which no word of it stands."""
    seen = []
    for secret in ("the hand is B1 B2", "the hand is R9 R8"):
        hosts.write("mara", secret)
        seen.append(hosts.shelf.rows[-1].data)
    assert len(seen[0]) == len(seen[1])
    if hosts.key:
        assert not any("hand" in row.data for row in hosts.shelf.rows)
        assert len({row.data[:32] for row in hosts.shelf.rows}) == len(hosts.shelf.rows), "a nonce of its own each"


def test_sizes_come_in_classes() -> None:
    """A line's length is told to 256 bytes."""
    sealing = Sealing(fresh_key())
    sizes = {len(sealing.stored(b"{" + b"x" * n + b"}\n", "0" * 64).data) for n in range(0, 2 * CLASS_BYTES - 3, 7)}
    assert len(sizes) == 2


def test_a_box_that_was_touched_is_refused() -> None:
    """Every character of it counts."""
    sealing = Sealing(bytes(range(32)))
    row = sealing.stored(b'{"a":1}\n', "0" * 64)
    assert sealing.opened(row) == b'{"a":1}\n'
    for at, sign in enumerate(row.data.rstrip("=")):
        touched = row.data[:at] + ("A" if sign != "A" else "B") + row.data[at + 1 :]
        if at < len(row.data.rstrip("=")) - 1:  # the last one may hold bits that base64 ignores
            with pytest.raises(Damaged):
                sealing.opened(row._replace(data=touched))


def test_the_key_in_words() -> None:
    """Seventeen words; a slip in any letter, a word left out or swapped is noticed, and nothing of it is shown."""
    key = bytes(range(100, 132))
    words = words_of(key)
    assert len(words.split()) == 17 and key_of(f"  {words.upper()} ") == key
    slips = [words[:-1], words.replace(words.split()[3] + " ", ""), " ".join(reversed(words.split())), "", "x y"]
    letters = [i for i, sign in enumerate(words) if sign != " "]
    slips += [words[:i] + ("b" if words[i] != "b" else "d") + words[i + 1 :] for i in letters]
    for slip in slips:
        with pytest.raises(Unreadable) as told:
            key_of(slip)
        assert not slip or slip not in told.value.what
