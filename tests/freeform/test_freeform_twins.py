"""Two games of ours as freeform files: the same things happen in both, and everybody holds the same.

What the language cannot compute (classes of hands, points, prices) is typed in by the host, as it would be tonight.
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

from events.errors import LedgerError
from games.equilibrium import actions as cards, facts as e
from games.freeform import actions as a
from games.polar import facts as p
from games.registry import load
from games.table import actions as shared
from tests.support.play import Play
from tests.support.sizes import log_number, many

MATCHES = Path(__file__).resolve().parents[2] / "docs" / "matches"
SIGNS = {"+": "plus", "-": "minus"}


def of_file(name: str, *draws: str) -> Any:
    """A match of that file, drawn and open."""
    data = tomllib.loads((MATCHES / f"{name}.toml").read_text(encoding="utf-8"))
    written = load("freeform").written
    assert written is not None
    tables = {key: data[key] for key in written.tables if key in data}
    assert not written.faults(tables)
    public, hidden = written.public(tables)
    assert not hidden
    play = Play("freeform", players=list(data["players"]), settings=public, opened=False)
    for item in draws:
        play.do(a.Draw(item))
    play.do(shared.Open())
    return play


def test_the_cards_of_equilibrium(polar: Any, record_property: Any) -> None:
    """Deal, trades, recolourings: the same hands after each."""
    number, steps = many(40, 200), 0
    for seed in range(number):
        luck = random.Random(seed)
        free = of_file("equilibrium-cards", "card")
        names = list(free.state.table.players)
        real = Play("equilibrium", {}, players=names, garnets=dict.fromkeys(names, 3))
        for name in names:
            for card in real.state.hands[name]:
                free.do(a.Give("card", "deck", name, card))
        for _ in range(25):
            one, other = luck.sample(names, 2)
            gives, takes = luck.choice(real.state.hands[one]), luck.choice(real.state.hands[other])
            wanted = cards.Recolour(one, gives) if luck.random() < 0.3 else cards.Trade(one, gives, other, takes)
            try:
                facts = real.do(wanted)
            except LedgerError:
                continue
            for fact in facts:
                if isinstance(fact, e.Traded):
                    free.do(a.Do("trade", (fact.a, fact.give, fact.b, fact.take)))
                elif isinstance(fact, e.Recoloured):
                    free.do(a.Do("recolour", (fact.player, fact.card, fact.into)))
                elif isinstance(fact, e.ClassTicked) and fact.garnet == "received":
                    free.do(a.Add("garnets", fact.player, "1"))
            steps += 1
            for name in names:
                assert sorted(free.state.cards("card", name)) == sorted(real.state.hands[name])
    assert steps > 5 * number
    log_number(record_property, number)


def test_the_rooms_of_polar(polar: Any, record_property: Any) -> None:
    """Nine rounds of sheets: the same rooms, signs, tickets, swaps, bombs and points after each."""
    number = many(40, 200)
    for seed in range(number):
        luck = random.Random(seed)
        free = of_file("polar-rooms", "room", "sign")
        names = list(free.state.table.players)
        real = polar(players=names, garnets=dict.fromkeys(names, 6))
        bombs = ("confetti", "double", "polarity", "ticket")
        for name in names:
            real.start(name, luck.choice(["rock", "paper", "scissors"]), luck.choice("+-"), *luck.choices(bombs, k=2))
        follow(free, real, real.resolve())
        for _ in range(luck.randint(1, 9)):
            for name in names:
                ticket, swap = luck.choice(["", "rock", "paper"]), luck.randint(0, 1)
                bomb = luck.choice(["", f"{luck.choice(bombs)} {luck.choice(['rock', 'paper', 'scissors'])}"])
                buy = luck.choice(["confetti", "", "", "ticket", "swap"])
                if ticket or swap or bomb or buy:
                    real.submit(name, ticket=ticket, swap=swap, bomb=bomb, buy=buy)
            follow(free, real, real.resolve())
            compare(free.state, real.state, names)
    log_number(record_property, number)


def follow(free: Any, real: Any, facts: list[Any]) -> None:
    """What happened in the real match, as a host would record it."""
    for fact in facts:
        match fact:
            case p.Placed():
                free.do(a.Give("room", "deck", fact.player, fact.room))
                free.do(a.Give("sign", "deck", fact.player, SIGNS[fact.sign]))
                for bomb in fact.bombs:
                    free.do(a.Add(bomb, fact.player, "1"))
            case p.Bought():
                kind = {"ticket": "tickets", "swap": "swaps"}.get(fact.item, fact.item.removesuffix("_bomb"))
                free.do(a.Add(kind, fact.player, "1"))
            case p.TicketUsed():
                free.do(a.Do("go", (fact.player, fact.src, fact.to)))
            case p.SwapUsed():
                (now,) = free.state.cards("sign", fact.player)
                free.do(a.Do("swap", (fact.player, now, SIGNS[fact.sign])))
            case p.BombUsed():
                free.do(a.Do("throw", (fact.player, fact.bomb)))
            case p.Scored():
                free.do(a.Add("points", fact.player, str(fact.points)))
                free.do(a.Add("tickets", fact.player, str(fact.tickets)))


def compare(free: Any, real: Any, names: list[str]) -> None:
    for name in names:
        held = real.players[name]
        assert free.cards("room", name) == (held.room,)
        assert free.cards("sign", name) == (SIGNS[held.sign],)
        assert free.held("points", name) == held.points
        assert (free.held("tickets", name), free.held("swaps", name)) == (held.tickets, held.swaps)
        assert {b: free.held(b, name) for b in ("confetti", "double", "polarity", "ticket")} == {
            b: held.bombs.get(b, 0) for b in ("confetti", "double", "polarity", "ticket")
        }
