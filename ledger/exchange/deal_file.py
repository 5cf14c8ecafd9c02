"""A deal that was made elsewhere: a TOML file with the cards of each player."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from events import Unreadable
from games.kinds import Directory
from ledger.core.tomlfile import Fault, located, read_toml, refuse
from ledger.exchange.model_faults import checked
from ledger.exchange.models import Strict

HANDS = 'under [hands] one line a player: ann = "R4 B4 R9 B9 R2"'


class DealFile(Strict):
    """Cards that were dealt elsewhere."""

    hands: dict[str, str] = Field(description="Player -> cards.", examples=[{"ann": "R4 B4 R9 B9 R2"}])


def typed_hands(path: Path, players: Directory) -> dict[str, str]:
    """The `[hands]` of a deal file: player -> cards as typed.

    Raises:
        Unreadable: no such table, or somebody who is not in the match, or named twice.
    """
    data = read_toml(path, HANDS)
    file = checked(DealFile, data, "deal.file")
    if isinstance(file, list):
        refuse(located(file, data), str(path), HANDS)
    hands: dict[str, str] = {}
    faults: list[Fault] = []
    for typed, cards in file.hands.items():
        try:
            player = players.find(typed)
        except Unreadable as error:
            faults.append(Fault(("hands", typed), error.what, error.fix, error.code))
            continue
        if player in hands:
            faults.append(Fault(("hands", typed), f"the cards of {player} are there twice", HANDS, "deal.file"))
        hands[player] = cards
    if faults:
        refuse(located(faults, data), str(path), HANDS)
    return hands
