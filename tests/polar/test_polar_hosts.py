"""Polar RPS Party as hosts type it: options of two words, lists, corrections, imports, copies, and words of players.

Everything goes through the command line in this process; rules are in test_polar_rules, whole scenarios beside it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from events.errors import Unreadable
from games.polar import GAME
from games.records import fields
from tests.support import completing
from tests.support.host import Host, hl, match_file

NAMES = {"ann": "Ann", "bob": "Bob", "cyd": "Cyd"}


class Desk(Host):
    """A host in the folder of the match `m`, which is open."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, names: dict[str, str]) -> None:
        super().__init__(folder, patch)
        patch.chdir(folder)
        seats = {p: {"name": name, "garnets": 3} for p, name in names.items()}
        self.new(match_file("polar", seats, title="T", zone="UTC"))
        self.hl("open")

    def begin(self) -> Desk:
        """Round 1 is on."""
        self.hl("start ann rock + double double")
        self.hl("start bob paper - confetti ticket")
        self.hl("start cyd scissors - polarity ticket")
        self.hl("resolve --yes --early")
        return self

    def sheet(self, player: str = "ann", match: str = "m") -> str | None:
        """What counts of him in the round that is on, as a host would type it."""
        seen = json.loads(hl("-g", match, "view", "--for", "host", "-f", "json").out)
        found: str | None = seen["view"]["sheets"][player]
        return found

    def offered(self, line: str) -> list[str]:
        """What completion offers for a half-typed line."""
        return completing.offered("-g", "m", *line.split(" "))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch, NAMES).begin()


# ---- how a sheet is typed ------------------------------------------------------------------------------------------


SHEETS = {
    ("--bomb", "double", "rock"): "--bomb double rock",
    ("--bomb", "DOUBLE", "R", "--ticket", "p"): "--ticket paper --bomb double rock",
    ("--bomb", "double", "rock", "--bomb", "ticket-bomb", "s"): "--bomb double rock --bomb ticket scissors",
    ("--swap", "--swap"): "--swap --swap",
    ("--buy", "ticket,swap", "--buy", "double"): "--buy ticket --buy swap --buy double",
    ("--buy", "ticket,,", "--ticket", "paper,scissors"): "--ticket paper --ticket scissors --buy ticket",
    ("--bomb", "double", "blank"): "--bomb double blank",
    ("--ticket", "under the bed", "--buy", "x"): "--ticket 'under the bed' --buy x",
    ("--bomb", "big bomb", "rock"): "--bomb 'big bomb' rock",
}


def test_options_of_a_sheet(desk: Desk) -> None:
    """Two words after --bomb, --swap given twice, lists with commas; what the host reads back could be typed again."""
    for words, sheet in SHEETS.items():
        desk.hl("submit", "ann", "--as-sent", *words)
        assert desk.sheet() == sheet


def test_what_is_refused_writes_nothing(desk: Desk) -> None:
    """One message with its code, and not a byte in the log."""
    before = Path("m/log.jsonl").read_bytes()
    for words, told in {
        ("submit", "ann", "--bomb", "double", ""): "[polar.bomb_room]",
        ("submit", "ann", *["--swap"] * 100): "[number.bounds]",
        ("submit", "ann", "--bomb", "double", "rock", "--bomb", "double", "rock"): "[sealed.twice]",
        ("go", "ann", "under", "the", "bed"): "[command.usage]",
        ("submit", "ann", "--ticket", "\udcff", "--as-sent"): "[args.unreadable]",
    }.items():
        _, out, err = desk.hl(*words, code=2)
        assert told in err and out == "" and Path("m/log.jsonl").read_bytes() == before
        assert "unicode string" not in err


def test_amend(desk: Desk) -> None:
    """A sheet's fields, lists of two-word options, short forms, and a lot that was typed in."""
    desk.hl("submit", "ann", "--bomb", "double", "rock", "--buy", "swap")
    seq = str(desk.last)
    for pairs, sheet in [
        (("bomb=double paper, confetti rock", "as-sent=yes"), "--bomb double paper --bomb confetti rock --buy swap"),
        (("bomb=double r", "ticket=p,s", "swap=2"), "--ticket paper --ticket scissors --swap --swap --bomb double rock"
                                                    " --buy swap"),
        (("bomb=", "ticket=", "swap=0", "buy=ticket double", "as-sent=no"), "--buy ticket --buy double"),
    ]:  # fmt: skip
        desk.hl("amend", seq, *pairs, "--yes")
        assert desk.sheet() == sheet
    assert "[polar.bomb]" in desk.hl("amend", seq, "bomb=dobule rock", "--yes", code=2).err
    assert "[polar.bomb_room]" in desk.hl("amend", seq, "bomb=double", "--yes", code=2).err
    assert "[amend.field]" in desk.hl("amend", seq, "bombs=double rock", "--yes", code=2).err
    assert desk.sheet() == "--buy ticket --buy double"
    desk.hl("bomb", "ann", "confetti", "paper")
    desk.hl("amend", str(desk.last), "kind=double", "room=scissors", "--yes")
    assert desk.sheet() == "--bomb double scissors --buy ticket --buy double"


def test_amend_of_lots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-G5: the drawn start is typed over; a finding until a host rules on it. Too few lots are contested."""
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path, monkeypatch, NAMES)
    desk.hl("resolve", "--yes", "--early")
    lots = str(desk.last)
    desk.hl("amend", lots, "drawn=ann rock +, bob paper -, cyd s minus", "--yes")
    seen = json.loads(desk.hl("view", "--for", "public", "-f", "json").out)["view"]["players"]
    assert {p: (row["room"], row["sign"]) for p, row in seen.items()} == {
        "ann": ("rock", "+"), "bob": ("paper", "-"), "cyd": ("scissors", "-")
    }  # fmt: skip
    assert "[polar.lot]" in desk.hl("amend", lots, "drawn=ann rock", "--yes", code=2).err
    told = json.loads(desk.hl("amend", lots, "drawn=ann rock +", "--yes", "--json").out)
    assert [(one["seq"], one["code"]) for one in told["contested"]] == [(int(lots), "polar.drawn")]
    desk.hl("undo", "--yes")
    (finding,) = json.loads(desk.hl("verify", "-f", "json", code=4).out)["findings"]
    assert (finding["line"], finding["code"]) == (int(lots), "draw.replaced")
    desk.hl("ruling", "the lots were read out wrongly", "--about", lots)
    assert json.loads(desk.hl("verify", "-f", "json").out)["ok"] is True


MAP = """
verb = { value = "submit" }
zone = "UTC"
[fields]
player = "Who"
ticket = "Ticket"
bomb = "Bombs"
buy = "Shop"
swap = { column = "Swap", words = { "yes" = "1", "no" = "0" } }
"""
FORM = """Who,Ticket,Bombs,Shop,Swap
Ann,paper,double rock,"ticket, swap",yes
bob,,"confetti rock, ticket paper",,no
cyd,papr,,,
ann,,double,,
"""


def test_import(desk: Desk) -> None:
    """A form's cells: lists with spaces or commas, with commas alone where each is two words; slips are named."""
    Path("map.toml").write_text(MAP)
    Path("form.csv").write_text(FORM)
    told = json.loads(desk.hl("import", "form.csv", "--map", "map.toml", "--yes", "--json", code=2).out)
    assert [(row["row"], row["status"], row.get("code")) for row in told["rows"]] == [
        (2, "recorded", None), (3, "refused", "sealed.twice"), (4, "refused", "polar.room"),
        (5, "unreadable", "polar.bomb_room"),
    ]  # fmt: skip
    assert desk.sheet("ann") == "--ticket paper --swap --bomb double rock --buy ticket --buy swap"
    assert desk.sheet("bob") is None


# ---- completion ----------------------------------------------------------------------------------------------------


def test_completion(desk: Desk) -> None:
    """Bombs that are held first, the room after them, other rooms; options that may be given again; lists."""
    desk.hl("submit", "bob", "--swap")
    assert desk.offered("submit ann --bomb ") == ["double", "confetti", "polarity", "ticket"]
    assert desk.offered("submit ann --bomb pol") == ["polarity"]
    assert desk.offered("submit ann --bomb double ") == ["rock", "paper", "scissors"]
    assert desk.offered("submit ann --bomb double p") == ["paper"]
    assert desk.offered("submit ann --ticket ") == desk.offered("go ann ") == ["paper", "scissors"]
    assert desk.offered("submit ann --buy ticket,s") == ["ticket,swap"]
    assert desk.offered("submit ann --buy double --b") == ["--bomb", "--buy"]
    assert desk.offered("submit ann --swap --sw") == ["--swap"]
    assert desk.offered("submit ann --as-sent --as-s") == []
    assert desk.offered("submit ann --bomb double rock --bomb ")[0] == "double"
    assert desk.offered("submit ") == ["ann", "cyd"]
    assert desk.offered("bomb ann ") == ["double", "confetti", "polarity", "ticket"]
    assert desk.offered("bomb ann double ") == ["rock", "paper", "scissors"]
    assert desk.offered("buy ann ticket t") == ["ticket", "ticket_bomb"]
    assert desk.offered("override ann sign ") == ["+", "-"]
    assert desk.offered("override ann ro") == ["room"]


def test_a_long_match_fits_a_phone() -> None:
    """docs/reliability.md: no fence is wider than 32 columns, also after 30 rounds, with 13 long names and three
    digits.
    """
    from games.kit.blocks import Chart, Series
    from ledger.render import discord

    labels = tuple(map(str, range(31)))
    for name in ("W" * 60, "Al"):
        series = tuple(Series(f"{name}{i}", tuple(-7 * i * n for n in range(31)), i) for i in range(13))
        (text,) = discord.messages([Chart("", labels, series)])
        lines = [line for line in text.splitlines() if not line.startswith("```")]
        assert len(lines) == 13 and max(map(len, lines)) == 32
        assert lines[0].startswith(name[:8]) and lines[12].endswith("▁ -2520")


# ---- words of players ----------------------------------------------------------------------------------------------

WORDS = (
    "\x1b[31mred\x1b[0m",
    "a\nb\r\nc", "\u202egnp", "@everyone", "<@123> <#4>", "**bold** __u__ ~~s~~ ||hid||", "`code```",
    "[x](http://e.example)", "=1+1", "| a | b |", "'; rm -rf /", "$(reboot)", "-n", "--yes", "é" * 200, "😀" * 70,
    "\x00", "\u200b", "none", "blank", "ticket", "rock paper", "🪨", "null", "{}", "../..", "#" * 9,
)  # fmt: skip
"""What a player may write where a room, sign, bomb or item is meant."""


@pytest.mark.parametrize("cls", GAME.actions, ids=lambda cls: cls.__name__.lower())
def test_every_word_that_is_read_is_one_the_log_takes(cls: type) -> None:
    """Whatever a player wrote, its spelling fits the log, is read again as itself, and is one line."""
    import re

    desk: Any = None
    for field in fields(cls):
        if field.kind is None or field.kind.name == "PLAYER" or field.arg.hidden:
            continue
        for word in WORDS:
            try:
                kept = field.kind.read(f"{word} {word}" if field.arg.words > 1 else word, desk)
            except Unreadable as error:
                assert error.code == "polar.bomb_room"
                continue
            assert re.fullmatch(field.kind.pattern, kept) and "\n" not in kept
            assert field.kind.read(kept, desk) == kept
