"""What a host can say happened in a match of any file, and the tables of the file as settings.

A verb of the file is recorded as `do VERB ...`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from events.errors import Unreadable
from events.record import NamedTuple
from games.freeform.lang import PLACES
from games.kinds import ALIAS, HEX, NAME, NAME_PATTERN, TEXT, Kind, ParseContext, Player, casefolded
from games.records import ABSENT, Arg
from games.table.actions import Again, DrawSeed, SentFor, Source
from games.table.settings import Gap


def _read_place(typed: str, desk: ParseContext) -> str:
    word = casefolded(typed)
    if word in PLACES:
        return word
    try:
        return desk.players.find(typed)
    except Unreadable as error:
        fix = "hl give ITEM FROM TO" if error.fix == ALIAS else error.fix
        raise Unreadable(error.code, error.what, f"{fix}; or one of: {' '.join(PLACES)}") from None


PLACE = Kind("PLACE", NAME_PATTERN, _read_place)
Why = Annotated[str | None, TEXT, Arg("Why, as it is told to whom it concerns.")]
_OF = Arg("Whose; left out for a counter of the table.", positional=True)
_WORDS = Arg("One word for each field, in the order of the file; - for what is left out.", positional=True)


class Seal(NamedTuple):
    """Seal the sheet of a player for the round; a later one replaces it.

    hl seal ann 4 yes bob
    """

    player: Annotated[Player, Arg("Whose sheet.")]
    words: Annotated[
        tuple[str, ...],
        Arg(
            "One word for each field of the sheet, in the order of the file; - for none.", positional=True, sealed=True
        ),
    ] = ()
    as_sent: Annotated[bool, Arg("Recorded as the player wrote it, even beyond the bounds of a number.")] = False
    round: SentFor = ABSENT


class Do(NamedTuple):
    """Record a verb of the file: what it does follows at once, or nothing does.

    hl do buy cyd 5
    """

    verb: Annotated[str, NAME, Arg("A verb of the file.")]
    words: Annotated[tuple[str, ...], _WORDS] = ()


class Set(NamedTuple):
    """Set a counter.

    hl set oil dan 9 --why "miscounted before"
    """

    counter: Annotated[str, NAME, Arg("A counter of the file.")]
    player: Annotated[Player | None, _OF] = None
    value: Annotated[str, Arg("The new value.", positional=True)] = ""
    why: Why = None


class Add(NamedTuple):
    """Add to a counter; below zero takes away.

    hl add oil ann 2
    hl add oil 2 --everybody --why "the harvest"
    """

    counter: Annotated[str, NAME, Arg("A counter of the file.")]
    player: Annotated[Player | None, _OF] = None
    value: Annotated[str, Arg("How much.", positional=True)] = ""
    everybody: Annotated[bool, Arg("To every player who is still here.")] = False
    why: Why = None


class Move(NamedTuple):
    """Move so much of a counter from one player to another.

    hl move oil ann bob 3
    """

    counter: Annotated[str, NAME, Arg("A counter of the file.")]
    player: Annotated[Player, Arg("From whom.")]
    to: Annotated[Player, Arg("To whom.")]
    value: Annotated[str, Arg("How much.")]
    why: Why = None


class Give(NamedTuple):
    """Give a card from one player or place to another: table, deck or away. Of a deck the top one, unless named.

    hl give deed deck bob
    """

    item: Annotated[str, NAME, Arg("A kind of card of the file.")]
    src: Annotated[str, PLACE, Arg("From whom, or table, deck, away.")]
    to: Annotated[str, PLACE, Arg("To whom, or table, deck, away.")]
    card: Annotated[str, Arg("Which one; may be left out where there is no choice.", positional=True)] = ""
    why: Why = None


class Draw(NamedTuple):
    """Draw the cards of one kind as the file says: one each, dealt, or the order of the deck. Drawn, or typed in.

    hl draw guild
    """

    item: Annotated[str, NAME, Arg("A kind of card of the file.")]
    drawn: Annotated[
        tuple[str, ...] | None,
        Arg('What was drawn elsewhere: "ann north, bob south"; if not one each, the cards in the order drawn.'),
    ] = None
    draw: Source = None
    seed: DrawSeed = None
    commitment: Annotated[str | None, HEX, Arg("Filled in: the line of the commitment.", hidden=True)] = None
    words: Annotated[tuple[Annotated[str, HEX], ...] | None, Arg("Filled in: the words.", hidden=True)] = None
    replaces: Again = None


# ---- what is settled before it begins --------------------------------------------------------------------------------


class Settings(NamedTuple):
    """The file: each table is a setting. What is marked secret is in host-only entries instead of line 1."""

    counters: Annotated[Mapping[str, Any], Gap("T"), Arg("Numbers of a player or of the table.")] = {}
    items: Annotated[Mapping[str, Any], Gap("T"), Arg("Cards, tickets, roles: things that are somewhere.")] = {}
    sheets: Annotated[Mapping[str, Any], Gap("T"), Arg("What players seal in a round.")] = {}
    verbs: Annotated[Mapping[str, Any], Gap("T"), Arg("What a host records with one line.")] = {}
    result: Annotated[Mapping[str, Any], Gap("T"), Arg("Score, tokens, elimination, ties.")] = {}


VISIBILITY = {
    "garnets": ("owner", "the garnets a player holds"),
    "tokens": ("everybody_after_end", "who wins a Token of Life"),
    "elimination": ("everybody_after_end", "who is Elimination Candidate"),
    "votes": ("everybody_after_end", "who voted for whom on a tie"),
}
