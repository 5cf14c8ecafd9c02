"""What a host has settled for themself: config.toml, words for verbs, the copy of the log."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ledger.cli.app import App
from ledger.core.config import KEYS, read_config
from ledger.post.copies import keep_copy
from tests.support.host import Host
from tests.support.lines import plays
from tests.support.replaying import demo_of


def settle(here: Host, *words: str) -> str:
    """What a host has settled for themself: ` / ` between the lines, `MATCH` is the folder of the match."""
    here.patch.setenv("XDG_CONFIG_HOME", str(here.folder / "home"))
    (here.folder / "home" / "host-ledger").mkdir(parents=True, exist_ok=True)
    text = " ".join(words).replace(" / ", "\n").replace("MATCH", str(here.path)).replace("HERE", str(here.folder))
    (here.folder / "home" / "host-ledger" / "config.toml").write_text(text, encoding="utf-8")
    return ""


def environment(here: Host, word: str) -> str:
    name, _, text = word.partition("=")
    here.patch.setenv(name, text.replace("MATCH", str(here.path)))
    return ""


def copied(here: Host) -> bool:
    """Is there one copy of the log, and is it whole?"""
    (copy,) = (here.folder / "copies").glob("*/log.jsonl")
    assert os.name == "nt" or copy.stat().st_mode & 0o777 == 0o600
    return copy.read_bytes() == here.log


def spoilt(here: Host) -> str:
    """The copy is of another log."""
    (copy,) = (here.folder / "copies").glob("*/log.jsonl")
    copy.write_bytes(copy.read_bytes()[:-100] + b"x" * 100)
    return ""


SHOWS = {
    "config": settle,
    "env": environment,
    "sits": lambda here: here.patch.setattr(App, "may_ask", True) or "",
    "copied": copied,
    "spoilt": spoilt,
    "goes": lambda here, where: here.patch.chdir(here.folder / where) or "",
    "doubled": lambda here: shutil.copytree(here.path, here.folder / "other") and "",
    "blocked": lambda here: here.file("copies", "a file") and "",
}
DEMO = demo_of("equilibrium").with_name("demo.toml").read_text(encoding="utf-8")
FILES = {"nowhere": "\n".join(line for line in DEMO.splitlines() if not line.startswith("zone")), "lines": "s\n"}
SHORT = {"made": "> new m --from equilibrium.toml"}
RECORD = (
    "note x", "deal", "undo", "open", "trade ann R2 bob B4", "receipt --accept", "webhook add public",
    "webhook remove public", "outbox post", "join ../m", "sync", "assumptions --accept all", "share git+file:///tmp/x#y",
)  # fmt: skip
CONFIG = f"""
the host comes after option and environment
  nothing equilibrium ; made ; 2 note x ; : config host = "ben" ; note x ; : body by == ben ; : env HL_AS=mara ; note x
  : body by == mara ; note x --as ben ; : body by == ben ; : env HL_AS= ; : config host = "zoe"
  2 note x ~ [host.unnamed]
the match is looked at and not recorded in; a match that is named is never another one
  nothing equilibrium ; made ; 2 > status ~ [match.none] ; : config match = 'MATCH' / host = 'mara' ; > status
  > outbox
  {" ; ".join(f"2 > {line} ~ [match.default] ~ /m ..." for line in RECORD)}
  : env HL_MATCH=MATCH ; > note x ; : env HL_MATCH=MATCH/none ; 2 > status ~ [match.none]
the zone of a match file that names none
  nothing equilibrium ; : config zone = 'Asia/Tokyo' ; > new m --from nowhere.toml ; log -f json ~ "zone": "Asia/Tokyo"
a word stands for a verb at a terminal alone; no verb is shadowed, neither the game's own; nor does it for a word
  nothing equilibrium ; made
  : config [aliases] / s = 'status --for public' / log = 'undo' / trade = 'undo' / t2 = 's' ; 2 s ~ [verb.unknown]
  : sits ; s ~ Equilibrium ; log ~ create ; 2 trade ~ usage ; 2 t2 ~ [verb.unknown] ; 2 run lines.toml ~ [verb.unknown]
the log is copied after each command; what is of another log is left alone
  nothing equilibrium ; made ; : config backup = 'HERE/copies' / host = 'mara' ; note x ; : copied == yes ; note x
  : copied == yes ; doctor ~ ok backup: ~ is complete ; : spoilt ; note x ~ of another log, so it was left alone
  : copied == no ; doctor ~ !! backup
a copy that cannot be made is told and holds nothing up
  nothing equilibrium ; made ; : blocked ; : config backup = 'HERE/copies' / host = 'mara'
  note x ~ recorded # ~ backup: no copy in
doctor names what counts and not what is only settled: option, environment, folder of the match, configuration
  nothing equilibrium ; made ; : doubled
  : config host = 'zoe' / zone = 'Asia/Tokyo' / match = 'MATCH' / [aliases] / log = 'undo' / s = 'status'
  > doctor ~ /m (from config) ~ ok host: zoe of your config is not a host of this match !~ zoe (from
  > doctor ~ ok zone: Europe/Berlin (from the match) ~ !! aliases: log: a verb has that name, so
  : goes other ; > doctor ~ /other (from the folder here) ; : env HL_MATCH=MATCH ; > doctor ~ /m (from $HL_MATCH)
  : config zone = 'Asia/Tokyo' ; : env HL_MATCH= ; : goes . ; > doctor ~ ok zone: Asia/Tokyo (from config)
doctor says where each value comes from
  nothing equilibrium ; made ; : config host = 'ben' / [aliases] / t = 'trade'
  > -g m doctor ~ ok host: ben (from config) ~ ok match: m (from -g) ~ ok aliases: t = trade (from config)
  : env HL_AS=mara ; > -g m doctor ~ ok host: mara (from $HL_AS) ; : env PAGER=most
  > -g m doctor ~ ok pager: most (from $PAGER) ; : env XDG_CONFIG_HOME=MATCH ; > -g m doctor ~ ok config: none at
"""
test_what_a_host_has_settled = plays(CONFIG)


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
def test_a_file_that_says_nothing_we_know_is_told_before_anything_is_done(host: Host, text: str, said: str) -> None:
    host.new(DEMO)
    before = host.log
    settle(host, text)
    told = host.hl("note x --as mara", code=2)
    assert told.out == "" and said in told.err and "config.toml" in told.err and "[config.unreadable]" in told.err
    assert host.log == before


def test_without_a_file_nothing_is_settled(tmp_path: Path) -> None:
    found = read_config({"XDG_CONFIG_HOME": str(tmp_path)})
    assert found == type(found)(str(tmp_path / "host-ledger" / "config.toml"))
    assert set(found._fields) == {"path", *KEYS}


def test_a_copy_that_was_cut_short_goes_on_where_it_is(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(b"%099d\n" % n for n in range(2_000)))
    assert keep_copy(str(log), "a" * 64, str(tmp_path / "copies"), 200_000) is None
    copy = tmp_path / "copies" / ("a" * 16) / "log.jsonl"
    with copy.open("r+b") as kept:
        kept.truncate(123_456)
    assert keep_copy(str(log), "a" * 64, str(tmp_path / "copies"), 200_000) is None
    assert copy.read_bytes() == log.read_bytes()
