"""Polar RPS Party as hosts type it: options of two words, lists, corrections, imports, copies, and words of players.

How a case is written: support/lines.py. Rules are in test_polar_rules.
"""

from __future__ import annotations

from typing import Any

import pytest

from events.errors import Unreadable
from games.polar import GAME
from games.records import fields
from tests.support import completing
from tests.support.host import match_file
from tests.support.lines import plays

FILES = {
    "three": match_file("polar", {"ann": 3, "bob": 3, "cyd": 3}, zone="UTC"),
    "four": match_file("polar", {"a": 4, "b": 0, "c": 6, "d": 1}, zone="UTC"),
    "two": match_file("polar", {"a": 9, "b": 0}, zone="UTC"),
    "map": """
verb = { value = "submit" }
zone = "UTC"
[fields]
player = "Who"
ticket = "Ticket"
bomb = "Bombs"
buy = "Shop"
swap = { column = "Swap", words = { "yes" = "1", "no" = "0" } }
""",
    "form.csv": """Who,Ticket,Bombs,Shop,Swap
Ann,paper,double rock,"ticket, swap",yes
bob,,"confetti rock, ticket paper",,no
cyd,papr,,,
ann,,double,,
""",
}
SHORT = {
    "begun": """file three ; open ; start ann rock + double double ; start bob paper - confetti ticket
        start cyd scissors - polarity ticket ; resolve --yes --early""",
    "ann's": ": view --for host | view.sheets.ann",
    "bob's": ": view --for host | view.sheets.bob",
    "a's": ": view --for host | view.sheets.a",
    "sent": "submit ann --as-sent",
    "a hundred swaps": "2 submit ann" + 100 * " --swap",
    "tab": ": tab",
}
SHOWS = {"tab": lambda here, *words: completing.offered("-g", str(here.path), *(word.strip("_") for word in words))}
HOSTS = """
two words after --bomb, --swap given twice, lists with commas; what the host reads back could be typed again
  begun ; sent --bomb double rock ; ann's == --bomb double rock ; sent --bomb DOUBLE R --ticket p
  ann's == --ticket paper --bomb double rock ; sent --bomb double rock --bomb ticket-bomb s
  ann's == --bomb double rock --bomb ticket scissors ; sent --swap --swap ; ann's == --swap --swap
  sent --buy ticket,swap --buy double ; ann's == --buy ticket --buy swap --buy double
  sent --buy ticket,, --ticket paper,scissors ; ann's == --ticket paper --ticket scissors --buy ticket
  sent --bomb double blank ; ann's == --bomb double blank ; sent --ticket "under the bed" --buy x
  ann's == --ticket 'under the bed' --buy x ; sent --bomb "big bomb" rock ; ann's == --bomb 'big bomb' rock
what is refused has one message with its code, and writes nothing
  begun ; 2 submit ann --bomb double "" ~ [polar.bomb_room] ; a hundred swaps ~ [number.bounds]
  2 submit ann --bomb double rock --bomb double rock ~ [sealed.twice] ; 2 go ann under the bed ~ [command.usage]
  2 sent --ticket \udcff ~ [args.unreadable] !~ unicode string
amend takes the fields of a sheet, lists of two-word options and short forms
  begun ; submit ann --bomb double rock --buy swap ; amend @ "bomb=double paper, confetti rock" as-sent=yes --yes
  ann's == --bomb double paper --bomb confetti rock --buy swap ; amend {submit} "bomb=double r" ticket=p,s swap=2 --yes
  ann's == --ticket paper --ticket scissors --swap --swap --bomb double rock --buy swap
  amend {submit} bomb= ticket= swap=0 "buy=ticket double" as-sent=no --yes ; ann's == --buy ticket --buy double
  2 amend {submit} "bomb=dobule rock" --yes ~ [polar.bomb] ; 2 amend {submit} bomb=double --yes ~ [polar.bomb_room]
  2 amend {submit} "bombs=double rock" --yes ~ [amend.field] ; ann's == --buy ticket --buy double
  bomb ann confetti paper ; amend @ kind=double room=scissors --yes
  ann's == --bomb double scissors --buy ticket --buy double
S-G5 lots that are typed over are a finding until a host rules on it; too few of them are contested
  file three ; open ; resolve --yes --early ; amend @ "drawn=ann rock +, bob paper -, cyd s minus" --yes
  : view --for public | view.players.cyd.room == scissors ; : view --for public | view.players.bob.sign == -
  2 amend {resolve} "drawn=ann rock" --yes ~ [polar.lot]
  amend {resolve} "drawn=ann rock +" --yes ~ no longer allow entry 6 (resolve)
  : contested == {resolve} ; undo --yes ; 4 verify ~ [draw.replaced]
  ruling "the lots were read out wrongly" --about {resolve} ; verify
a form has lists with spaces or commas, with commas alone where each is two words; slips are named
  begun ; 2! import form.csv --map map.toml --yes ~ sealed.twice ~ polar.room ~ polar.bomb_room
  ann's == --ticket paper --swap --bomb double rock --buy ticket --buy swap ; bob's == none
completion: bombs that are held first, the room after them, other rooms; options that may be given again; lists
  begun ; submit bob --swap ; tab submit ann --bomb _ == double confetti polarity ticket
  tab submit ann --bomb pol == polarity ; tab submit ann --bomb double _ == rock paper scissors
  tab submit ann --bomb double p == paper ; tab submit ann --ticket _ == paper scissors ; tab go ann _ == paper scissors
  tab submit ann --buy ticket,s == ticket,swap ; tab submit ann --buy double --b == --bomb --buy
  tab submit ann --swap --sw == --swap ; tab submit ann --as-sent --as-s == ; tab submit _ == ann cyd
  tab submit ann --bomb double rock --bomb _ ~ double ; tab bomb ann _ == double confetti polarity ticket
  tab bomb ann double _ == rock paper scissors ; tab buy ann ticket t == ticket ticket_bomb
  tab override ann sign _ == + - ; tab override ann ro == room
PL2 a second sheet comes late and is admitted, a mistyped room is amended, a swap is undone
  file four ; open ; start a rock + confetti,ticket ; start b rock - double,bazooka --as-sent
  start c paper + polarity polarity ; start d scissors - ticket,confetti ; resolve --yes
  submit a --ticket paper --bomb ticket paper ; submit b --ticket rock --swap ; submit d --buy swap --ticket rock
  submit c --buy ticket,ticket,ticket --bomb polarity rock --bomb polarity paper --as-sent ; resolve --yes ; close --yes
  submit a --buy double,confetti,polarity --bomb double rock ; ruling "admit @" ; reopen
  submit c --ticket rock ; amend @ ticket=scissors --yes ; submit d --swap --bomb confetti rock
  amend @ bomb= swap=1 --yes ; resolve --yes --early
  : view --for public | view.rounds.1.totals == a 3, b -2, c 1, d -2
  undo @2 --yes ; : view --for public | view.players.d.sign == - ; verify
1, 2, 4 bombs and items are named as the original names them, with or without quotes; a near word is refused
  file two ; open ; start a rock + confetti double ; : texts a ~ a Confetti Bomb, a Double Bomb
  start a rock + confetti-bomb Double_Bomb ~ the same as ; start a rock + 'confetti bomb' 'Double Bomb' ~ the same as
  start a rock + confetti bomb double bomb ~ the same as ; start a rock + 'Confetti Bomb,Double Bomb' ~ the same as
  resolve --yes --early ; 2 bomb b confeti rock ~ did you mean confetti
  buy a sign swap ticket bomb ticket ~ buy a Sign Swap, a Ticket Bomb, a Ticket
  submit a --bomb 'confetti bomb' rock --buy 'Sign Swap' ~ a Confetti Bomb on Rock ; bomb a 'double bomb' paper
  a's ~ double paper
1 nobody has no bombs before the choice; afterwards who chose none has none
  file two ; open ; summary a ~ two bombs to choose !~ no bombs ; start a rock + confetti double
  summary a ~ a Confetti Bomb, a Double Bomb ; close --yes ; summary b !~ to choose ; resolve --yes
  summary b ~ no bombs ; summary a ~ 1 Confetti Bomb, 1 Double Bomb
"""


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


test_hosts = plays(HOSTS)
