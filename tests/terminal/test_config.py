"""What a host has settled for themself: config.toml, words for verbs, the copy of the log."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from events.disk import DISK
from ledger.cli.app import App
from ledger.cli.errors import quoted
from ledger.cli.root import run
from ledger.core.config import KEYS, read_config
from ledger.post.copies import keep_copy

ROOT = Path(__file__).resolve().parents[2]
Hl = Callable[..., tuple[int, str, str]]


@pytest.fixture
def hl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hl:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "host-ledger").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for name in ("HL_MATCH", "HL_AS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def typed(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    assert typed("new", str(tmp_path / "m"), "--from", str(ROOT / "games" / "equilibrium" / "demo.toml"))[0] == 0
    return typed


def settle(tmp_path: Path, text: str) -> None:
    (tmp_path / "home" / "host-ledger" / "config.toml").write_text(text, encoding="utf-8")


def test_without_a_file_nothing_is_settled(tmp_path: Path) -> None:
    found = read_config({"XDG_CONFIG_HOME": str(tmp_path)})
    assert found == type(found)(str(tmp_path / "host-ledger" / "config.toml"))
    assert set(found._fields) == {"path", *KEYS}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('backup = "/a\\u0000b"', "line 1: backup: must be a text"),
        ("host = 3", "line 1: host: must be a text"),
        ("hots = 'mara'", "line 1: hots: no such key"),
        ("color = 'red'", "color: must be auto, always or never"),
        ("aliases = 't'", "aliases: must be a table of words"),
        ("[aliases]\nt = 3", "line 1: aliases: must be a table of words"),
        ("backup = 'copies'", "backup: must be a whole path"),
        ("host = ", "Invalid value"),
        ("zone = 'UTC'\nhost = 3\ncolor = 'red'", "line 2: host: must be a text\n  line 3: color: must be auto"),
    ],
)
def test_a_file_that_says_nothing_we_know_is_told_before_anything_is_done(
    hl: Hl, tmp_path: Path, text: str, said: str
) -> None:
    settle(tmp_path, text)
    size = (tmp_path / "m" / "log.jsonl").stat().st_size
    code, out, err = hl("-g", "../m", "--as", "mara", "note", "x")
    assert (code, out) == (2, "") and said in err and "config.toml" in err and "[config.unreadable]" in err
    assert (tmp_path / "m" / "log.jsonl").stat().st_size == size


# ---- who, and which match ------------------------------------------------------------------------------------------


def test_the_host_comes_after_option_and_environment(hl: Hl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def by() -> str:
        return App_of(tmp_path).match.book.entries[-1].body.by

    assert hl("-g", "../m", "note", "x")[0] == 2  # there are two hosts
    settle(tmp_path, 'host = "ben"')
    assert hl("-g", "../m", "note", "x")[0] == 0 and by() == "ben"
    monkeypatch.setenv("HL_AS", "mara")
    assert hl("-g", "../m", "note", "x")[0] == 0 and by() == "mara"
    assert hl("-g", "../m", "--as", "ben", "note", "x")[0] == 0 and by() == "ben"
    monkeypatch.delenv("HL_AS")
    settle(tmp_path, 'host = "zoe"')  # of another match
    assert "[host.unnamed]" in hl("-g", "../m", "note", "x")[2]


def App_of(tmp_path: Path) -> App:
    app = App()
    app.match_name = str(tmp_path / "m")
    return app


def test_the_match_is_looked_at_and_not_recorded_in(hl: Hl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "[match.none]" in hl("status")[2]
    settle(tmp_path, f"match = '{tmp_path / 'm'}'\nhost = 'mara'")
    assert hl("status")[0] == 0 and hl("outbox")[0] == 0
    for words in (
        ("note", "x"), ("deal",), ("undo",), ("open",), ("trade", "ann", "R2", "bob", "B4"), ("receipt", "--accept"),
        ("webhook", "add", "public"), ("webhook", "remove", "public"), ("outbox", "post"), ("join", "../m"), ("sync",),
        ("assumptions", "--accept", "all"), ("share", "git+file:///tmp/x#y"),
    ):  # fmt: skip
        code, _, err = hl(*words)
        named = quoted(str(tmp_path / "m"), DISK.shell())
        assert code == 2 and "[match.default]" in err and f"hl -g {named} ..." in err, words
    monkeypatch.setenv("HL_MATCH", str(tmp_path / "m"))
    assert hl("note", "x")[0] == 0
    monkeypatch.setenv("HL_MATCH", str(tmp_path / "none"))
    assert "[match.none]" in hl("status")[2]  # a match that is named is never another one


def test_the_zone_of_a_match_file_that_names_none(hl: Hl, tmp_path: Path) -> None:
    settle(tmp_path, "zone = 'Asia/Tokyo'")
    lines = (ROOT / "games" / "equilibrium" / "demo.toml").read_text(encoding="utf-8").splitlines()
    Path("m.toml").write_text("\n".join(line for line in lines if not line.startswith("zone")), encoding="utf-8")
    assert hl("new", "tokyo", "--from", "m.toml")[0] == 0
    assert '"zone": "Asia/Tokyo"' in hl("-g", "tokyo", "log", "-f", "json")[1]


# ---- words for verbs -----------------------------------------------------------------------------------------------


def test_a_word_stands_for_a_verb_at_a_terminal_alone(hl: Hl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(tmp_path, "[aliases]\ns = 'status --for public'\nlog = 'undo'\ntrade = 'undo'\nt2 = 's'")
    assert "[verb.unknown]" in hl("-g", "../m", "s")[2]  # nobody sits there
    monkeypatch.setattr(App, "may_ask", True)
    assert hl("-g", "../m", "s") == hl("-g", "../m", "status", "--for", "public")
    assert "create" in hl("-g", "../m", "log")[1]  # no verb is shadowed, neither the game's own
    assert "usage" in hl("-g", "../m", "trade")[2]
    assert "[verb.unknown]" in hl("-g", "../m", "t2")[2]  # nor a word for a word
    Path("lines.hl").write_text("s\n")
    assert "[verb.unknown]" in hl("-g", "../m", "run", "lines.hl")[2]


# ---- the copy ------------------------------------------------------------------------------------------------------


def test_the_log_is_copied_after_each_command(hl: Hl, tmp_path: Path) -> None:
    settle(tmp_path, f"backup = '{tmp_path / 'copies'}'\nhost = 'mara'")
    log = tmp_path / "m" / "log.jsonl"
    for _ in range(3):
        assert hl("-g", "../m", "note", "x")[0] == 0
        (copy,) = (tmp_path / "copies").glob("*/log.jsonl")
        assert copy.read_bytes() == log.read_bytes()
    assert os.name == "nt" or copy.stat().st_mode & 0o777 == 0o600
    assert f"ok  backup: {copy} is complete" in hl("-g", "../m", "doctor")[1]
    copy.write_bytes(copy.read_bytes()[:-100] + b"x" * 100)
    kept = copy.read_bytes()
    code, _, err = hl("-g", "../m", "note", "x")
    assert code == 0 and "of another log, so it was left alone" in err and copy.read_bytes() == kept
    assert "!!  backup" in hl("-g", "../m", "doctor")[1]


def test_a_copy_that_cannot_be_made_is_told_and_holds_nothing_up(hl: Hl, tmp_path: Path) -> None:
    (tmp_path / "copies").write_text("a file")
    settle(tmp_path, f"backup = '{tmp_path / 'copies'}'\nhost = 'mara'")
    code, _, err = hl("-g", "../m", "note", "x")
    assert code == 0 and "recorded #" in err and "backup: no copy in" in err


def test_a_copy_that_was_cut_short_goes_on_where_it_is(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(b"%099d\n" % n for n in range(2_000)))
    assert keep_copy(str(log), "a" * 64, str(tmp_path / "copies"), 200_000) is None
    copy = tmp_path / "copies" / ("a" * 16) / "log.jsonl"
    with copy.open("r+b") as kept:
        kept.truncate(123_456)
    assert keep_copy(str(log), "a" * 64, str(tmp_path / "copies"), 200_000) is None
    assert copy.read_bytes() == log.read_bytes()


def test_doctor_names_what_counts_and_not_what_is_only_settled(
    hl: Hl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order: option, environment, folder of the match, configuration."""
    settle(
        tmp_path,
        f"host = 'zoe'\nzone = 'Asia/Tokyo'\nmatch = '{tmp_path / 'm'}'\n[aliases]\nlog = 'undo'\ns = 'status'",
    )
    told = hl("doctor")[1]
    assert f"ok  match: {tmp_path / 'm'} (from config)" in told
    assert "ok  host: zoe of your config is not a host of this match" in told and "zoe (from" not in told
    assert "ok  zone: Europe/Berlin (from the match)" in told
    assert "!!  aliases: log: a verb has that name, so" in told
    shutil.copytree(tmp_path / "m", tmp_path / "here" / "other")
    monkeypatch.chdir(tmp_path / "here" / "other")
    assert f"ok  match: {tmp_path / 'here' / 'other'} (from the folder here)" in hl("doctor")[1]
    monkeypatch.setenv("HL_MATCH", str(tmp_path / "m"))
    assert f"ok  match: {tmp_path / 'm'} (from $HL_MATCH)" in hl("doctor")[1]
    settle(tmp_path, "zone = 'Asia/Tokyo'")
    monkeypatch.delenv("HL_MATCH")
    monkeypatch.chdir(tmp_path)
    assert "ok  zone: Asia/Tokyo (from config)" in hl("doctor")[1]


def test_doctor_says_where_each_value_comes_from(hl: Hl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(tmp_path, "host = 'ben'\n[aliases]\nt = 'trade'")
    told = hl("-g", "../m", "doctor")[1]
    assert "ok  host: ben (from config)" in told and "ok  match: ../m (from -g)" in told
    assert "ok  aliases: t = trade (from config)" in told
    monkeypatch.setenv("HL_AS", "mara")
    assert "ok  host: mara (from $HL_AS)" in hl("-g", "../m", "doctor")[1]
    monkeypatch.setenv("PAGER", "most")
    assert "ok  pager: most (from $PAGER)" in hl("-g", "../m", "doctor")[1]
    shutil.rmtree(tmp_path / "home")
    assert "ok  config: none at" in hl("-g", "../m", "doctor")[1]
