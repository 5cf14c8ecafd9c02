"""What a host can say happened, how rooms, signs, bombs and items are spelled, and the gaps of the rules.

A player may write anything on a sheet. A word that is no room, sign, bomb or item is kept as it is, but `prepare`
refuses it unless the host says that the player wrote it so. Source: sections 1, 2, 4, 6 and 7.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from shlex import quote
from typing import Annotated, Any, Literal, TypeAlias

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import NOBODY, Kind, ParseContext, Player, casefolded, clean, did_you_mean, shown
from games.records import ABSENT, Arg, Bounds, fields
from games.table.actions import SentFor
from games.table.settings import RESULT_LINES, Gap, Hours, SecondTokenHours

ROOMS = ("rock", "paper", "scissors")
BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
"""Room -> the room it beats."""
BEATEN_BY = {loser: winner for winner, loser in BEATS.items()}
SIGNS = ("+", "-")
BOMBS = ("confetti", "double", "polarity", "ticket")
ITEMS = ("ticket", "swap", "confetti", "double", "polarity", "ticket_bomb")
"""What can be bought. A Ticket Bomb is called `ticket_bomb` here, because `ticket` is a ticket."""
BLANK = "blank"
"""Stands in for a room or a sign: the player named none."""
MAX_WORD_CHARACTERS = 60
"""The most characters that are kept of a word that cannot be read."""

_ROOM_WORDS = {**{room: room for room in ROOMS}, **{room[0]: room for room in ROOMS}}
_SIGN_WORDS = {"plus": "+", "minus": "-", "−": "-", "–": "-"}
"""Other spellings of the two signs."""
_BOMB_WORDS = {**{bomb: bomb for bomb in BOMBS}, **{f"{bomb}_bomb": bomb for bomb in BOMBS}}
_ITEM_WORDS = {
    **{item: item for item in ITEMS},
    **{f"{bomb}_bomb": bomb for bomb in BOMBS if bomb != "ticket"},
    "sign_swap": "swap",
}


def _word(known: Mapping[str, str], typed: str, desk: ParseContext = NOBODY) -> str:
    """The normal spelling of a known word; an unknown one as it was typed, on one line and clipped."""
    return (
        known.get("_".join(casefolded(typed).replace("-", " ").replace("_", " ").split()))
        or " ".join(clean(typed).split())[:MAX_WORD_CHARACTERS]
        or BLANK
    )


def parted(bomb: str) -> tuple[str, str]:
    """Split what a sheet holds into a bomb and the room it is for.

    >>> parted("double rock"), parted("very big rock"), parted("big under the stairs")
    (('double', 'rock'), ('very big', 'rock'), ('big', 'under the stairs'))
    """
    kind, _, room = bomb.rpartition(" ")
    if room in ROOMS:
        return kind, room
    kind, _, room = bomb.partition(" ")
    return kind, room


def read_bomb_at(typed: str, desk: ParseContext) -> str:
    """Read `double rock`, a bomb and the room it is for.

    Raises:
        Unreadable: `polar.bomb_room`, there is only one word.
    """
    kind, _, room = typed.strip().partition(" ")
    second, _, rest = room.strip().partition(" ")
    if rest.strip() and casefolded(second) == "bomb" and casefolded(kind) in BOMBS:  # a Double Bomb, rock
        room = rest
    if not room.strip():
        what = f"a bomb and a room are meant, not {shown(kind)}"
        raise Unreadable("polar.bomb_room", what, "--bomb BOMB ROOM, as in: double rock; blank if none was named")
    return f"{_word(_BOMB_WORDS, kind)} {_word(_ROOM_WORDS, room)}"


_ANY = rf"(?s:.){{1,{MAX_WORD_CHARACTERS}}}"
ROOM = Kind("ROOM", _ANY, partial(_word, {**_ROOM_WORDS, BLANK: BLANK}), ROOMS)
SIGN = Kind("SIGN", _ANY, partial(_word, {**_SIGN_WORDS, BLANK: BLANK}), SIGNS)
BOMB = Kind("BOMB", _ANY, partial(_word, _BOMB_WORDS), BOMBS)
BOMB_AT = Kind("BOMB ROOM", rf"(?s:.){{1,{2 * MAX_WORD_CHARACTERS + 1}}}", read_bomb_at)
ITEM = Kind("ITEM", _ANY, partial(_word, _ITEM_WORDS), ITEMS)


def as_named(action: Any) -> Any:
    """Join names of several words that were typed word by word: `confetti bomb double bomb`, `sign swap`.

    >>> as_named(Start("ann", "rock", "+", ("confetti", "bomb", "double", "bomb"))).bombs
    ('confetti', 'double')
    >>> as_named(Buy("ann", ("ticket", "ticket", "bomb", "sign", "swap"))).items
    ('ticket', 'ticket_bomb', 'swap')
    """
    changes = {}
    for field in fields(action.__class__):
        if field.many and field.kind in (BOMB, ITEM):
            words: list[str] = []
            known = _BOMB_WORDS if field.kind is BOMB else _ITEM_WORDS
            for word in getattr(action, field.name):
                both = known.get(f"{casefolded(words[-1])}_{casefolded(word)}") if words else None
                words[-1:] = [both] if both else [*words[-1:], word]
            changes[field.name] = tuple(words)
    return action._replace(**changes)


def words_of(action: Any) -> Iterator[tuple[Kind, str]]:
    for field in fields(action.__class__):
        value = getattr(action, field.name)
        for word in value if field.many else (value,):
            if field.kind is BOMB_AT:
                yield from zip((BOMB, ROOM), parted(word), strict=True)
            elif field.kind in (ROOM, SIGN, BOMB, ITEM) and word is not None:
                yield field.kind, word


def must_be_known(kind: Kind, word: str, *, sheet: bool = True) -> None:
    """Refuse an unknown word as a slip of the host, unless the host says that the player wrote it so.

    Args:
        sheet: The word is on a player's sheet, so the player may have written it so.

    Raises:
        Unreadable: `polar.room`, `polar.sign`, `polar.bomb` or `polar.item`, with the nearest words.
    """
    if word in kind.choices or (word == BLANK and sheet):
        return
    code = {ROOM: "polar.room", SIGN: "polar.sign", BOMB: "polar.bomb", ITEM: "polar.item"}[kind]
    hint = did_you_mean(word.casefold(), kind.choices, f"one of: {' '.join(kind.choices)}")
    if kind in (BOMB, ITEM) and re.search(r"\b(?:[x×]?[2-9]|[2-9][x×])(?!\w)", word):  # `2 confetti`, `confetti x2`
        hint = f"name each by itself: {kind.choices[0]},{kind.choices[0]}"
    option = " (--as-sent if the player wrote it so)" if sheet else ""
    raise Unreadable(code, f"{shown(word)} is no {kind.name.lower()}", hint + option)


def known_word(kind: Kind, typed: str) -> str:
    """A room, sign or bomb in the host's own words, in normal spelling.

    Raises:
        Unreadable: there is no such word.
    """
    word = kind.spell(typed)
    must_be_known(kind, word, sheet=False)
    return word


Add = Annotated[bool, Arg("Added to the sheet before: items of a kind replace those of that kind, others stay.")]
AsSent = Annotated[bool, Arg("Recorded as the player wrote it, even where it is no room, sign, bomb or item.")]


class Start(NamedTuple):
    """Seal what a player begins with: a room, a sign, two bombs; a later one replaces it.

    hl start ann rock + confetti,ticket
    """

    player: Annotated[Player, Arg("Who submits.")]
    room: Annotated[str, ROOM, Arg("rock, paper or scissors (r, p, s); blank if none was named.", sealed=True)]
    sign: Annotated[str, SIGN, Arg("+ or -; blank if none was named.", sealed=True)]
    bombs: Annotated[
        tuple[Annotated[str, BOMB], ...], Arg("Two of confetti double polarity ticket.", positional=True, sealed=True)
    ] = ()
    buy: Annotated[
        tuple[Annotated[str, ITEM], ...],
        Arg("Bought, where purchase_window is pregame_too; in the player's order.", sealed=True),
    ] = ()
    as_sent: AsSent = False
    add: Add = False


class Submit(NamedTuple):
    """Seal a player's whole sheet of the round; it replaces the one before it.

    hl submit ann --ticket paper --bomb ticket paper
    """

    player: Annotated[Player, Arg("Who submits.")]
    ticket: Annotated[tuple[Annotated[str, ROOM], ...], Arg("A ticket to that room.", sealed=True)] = ()
    swap: Annotated[int, Bounds(0, 99), Arg("A sign swap.", counted=True, sealed=True)] = 0
    bomb: Annotated[
        tuple[Annotated[str, BOMB_AT], ...], Arg("A bomb, and the room it is for.", words=2, sealed=True)
    ] = ()
    buy: Annotated[tuple[Annotated[str, ITEM], ...], Arg("A purchase; in the player's order.", sealed=True)] = ()
    as_sent: AsSent = False
    add: Add = False
    round: SentFor = ABSENT


class Go(NamedTuple):
    """Put a ticket to a room on a player's sheet, in place of the one that is on it.

    hl go bob rock
    """

    player: Annotated[Player, Arg("Who moves.")]
    room: Annotated[str | None, ROOM, Arg("Where to.", positional=True, sealed=True)] = None
    off: Annotated[bool, Arg("Take the ticket off the sheet.")] = False
    as_sent: AsSent = False
    round: SentFor = ABSENT


class Swap(NamedTuple):
    """Put a sign swap on a player's sheet.

    hl swap bob
    """

    player: Annotated[Player, Arg("Who swaps.")]
    off: Annotated[bool, Arg("Take the swap off the sheet.", sealed=True)] = False
    round: SentFor = ABSENT


class Bomb(NamedTuple):
    """Put a bomb on a player's sheet, in place of the one that is on it.

    hl bomb eve confetti paper
    hl bomb eve --off
    """

    player: Annotated[Player, Arg("Whose.")]
    kind: Annotated[str | None, BOMB, Arg("confetti double polarity ticket.", positional=True, sealed=True)] = None
    room: Annotated[str | None, ROOM, Arg("For which room.", positional=True, sealed=True)] = None
    off: Annotated[bool, Arg("Take the bomb off the sheet.")] = False
    as_sent: AsSent = False
    round: SentFor = ABSENT


class Buy(NamedTuple):
    """Put purchases on a player's sheet, in place of those that are on it.

    hl buy ann ticket
    """

    player: Annotated[Player, Arg("Who buys.")]
    items: Annotated[
        tuple[Annotated[str, ITEM], ...],
        Arg("ticket swap confetti double polarity ticket_bomb; in the player's order.", positional=True, sealed=True),
    ] = ()
    off: Annotated[bool, Arg("Take the purchases off the sheet.")] = False
    as_sent: AsSent = False
    round: SentFor = ABSENT


def kind_of(item: str) -> str:
    """The kind that an item is priced as.

    >>> kind_of("ticket_bomb"), kind_of("ticket")
    ('bomb', 'ticket')
    """
    return item if item in ("ticket", "swap") else "bomb"


def item_name(item: str) -> str:
    """The name of a bought item in a sentence.

    >>> item_name("ticket_bomb"), item_name("swap")
    ('a Ticket Bomb', 'a Sign Swap')
    """
    if item in ("ticket", "swap"):
        return {"ticket": "a Ticket", "swap": "a Sign Swap"}[item]
    return f"a {bomb_name(item.removesuffix('_bomb'))}" if item in ITEMS else title(item, "nothing")


def title(word: str, blank: str) -> str:
    """The name of a room, sign or bomb; an unknown word in quotes, as the player wrote it; `blank` for no word.

    >>> title("rock", "no room"), title("papr", "no room"), title("blank", "no room")
    ('Rock', '"papr"', 'no room')
    """
    if word == BLANK:
        return blank
    return word.title() if word in (*ROOMS, *BOMBS, *SIGNS) else shown(word)


def bomb_name(bomb: str) -> str:
    """The name of a bomb in a sentence.

    >>> bomb_name("double"), bomb_name("bazooka")
    ('Double Bomb', '"bazooka" Bomb')
    """
    return f"{title(bomb, 'nameless')} Bomb"


def bomb_on(bomb: str) -> str:
    """A bomb and its room in a sentence.

    >>> bomb_on("double rock")
    'Double Bomb on Rock'
    """
    kind, room = parted(bomb)
    return f"{bomb_name(kind)} on {title(room, 'no room')}"


def items(sheet: Start | Submit) -> dict[str, str]:
    """What is on a sheet, in words by kind of item.

    >>> items(Submit("ann", ("rock",), 1, ("double rock",), ("ticket",)))["bomb"]
    'a Double Bomb on Rock'
    """
    texts = {"buy": f"buy {', '.join(item_name(item) for item in sheet.buy)}" if sheet.buy else ""}
    if isinstance(sheet, Start):
        texts |= {"room": title(sheet.room, ""), "sign": title(sheet.sign, "")}
        texts["bombs"] = ", ".join(f"a {bomb_name(bomb)}" for bomb in sheet.bombs)
    else:
        texts["ticket"] = ", ".join(f"a ticket to {title(room, 'no room')}" for room in sheet.ticket)
        texts["swap"] = "a sign swap" if sheet.swap == 1 else f"{sheet.swap} sign swaps" if sheet.swap else ""
        texts["bomb"] = ", ".join(f"a {bomb_on(bomb)}" for bomb in sheet.bomb)
    return {kind: words for kind, words in texts.items() if words}


def in_words(sheet: Start | Submit) -> dict[str, str]:
    """A sheet as it is read back to the player, with what is missing on a first one.

    >>> "; ".join(in_words(Start("ann", "rock", "blank")).values())
    'Rock; no sign; no bombs'
    """
    texts = items(sheet)
    if not isinstance(sheet, Start):
        return texts
    wanted = (("room", "no room"), ("sign", "no sign"), ("bombs", "no bombs"), ("buy", ""))
    pairs = ((kind, texts[kind]) if kind in texts else (f"-{kind}", missing) for kind, missing in wanted)
    return {kind: words for kind, words in pairs if words}


def spelled(sheet: Start | Submit) -> str:
    """A sheet as a host would type it, without the player.

    >>> spelled(Submit("ann", ("rock",), 1, ("double rock",), ("ticket", "swap")))
    '--ticket rock --swap --bomb double rock --buy ticket --buy swap'
    """
    bought = [f"--buy {quote(item)}" for item in sheet.buy]
    if isinstance(sheet, Start):
        bombs = [quote(",".join(sheet.bombs))] if sheet.bombs else []
        return " ".join([quote(sheet.room), quote(sheet.sign), *bombs, *bought])
    used = [f"--ticket {quote(room)}" for room in sheet.ticket] + ["--swap"] * sheet.swap
    used += [f"--bomb {quote(kind)} {quote(room)}" for kind, room in map(parted, sheet.bomb)]
    return " ".join([*used, *bought]) or "nothing on it"


# ---- what is settled before it begins --------------------------------------------------------------------------------


Scope: TypeAlias = Literal["room", "all"]
DoubleMode: TypeAlias = Literal["base_only", "cancels_others", "cancelled_by_others"]


class Settings(NamedTuple):
    polarity_scope: Annotated[
        Scope,
        Gap("PL-4", look=True),
        Arg("Whose signs are counted for the minority: those in my room (room), or those of all players (all)."),
    ] = "room"
    double_mode: Annotated[
        DoubleMode,
        Gap("PL-5", look=True),
        Arg(
            "A Double beside other bombs: it doubles the base and they add (base_only), it cancels them "
            "(cancels_others), or they cancel it (cancelled_by_others)."
        ),
    ] = "base_only"
    rounds: Annotated[int, Bounds(1, 30), Gap("T", evening=True), Arg("How many rounds are scored.")] = 9
    pregame_hours: Annotated[
        Hours, Gap("T", evening=True), Arg("How long rooms, signs and bombs are taken before round 1.")
    ] = 48
    round_hours: Annotated[Hours, Gap("T", evening=True), Arg("How long submissions are taken in each round.")] = 24
    bad_bomb: Annotated[
        Literal["lose_that_one", "lose_both"],
        Gap("PL-3"),
        Arg(
            "One bad bomb of the two that are chosen at the start: only that one is lost (lose_that_one), or both "
            "(lose_both)."
        ),
    ] = "lose_that_one"
    purchase_window: Annotated[
        Literal["every_round", "pregame_too"],
        Gap("PL-7"),
        Arg("When one can buy: with any round's sheet (every_round), or before the first round as well (pregame_too)."),
    ] = "every_round"
    use_same_round: Annotated[bool, Gap("PL-7"), Arg("What is bought can be used in the same round.")] = True
    price_scope: Annotated[
        Literal["per_player", "market"],
        Gap("PL-6"),
        Arg(
            "The k-th purchase of a kind costs k garnets: counted for each player (per_player), or for all together "
            "(market)."
        ),
    ] = "per_player"
    garnets_per: Annotated[int, Bounds(1, 1000), Gap("PL-15"), Arg("So many points earn one garnet at the end.")] = 7
    garnets_from: Annotated[
        Literal["final_total", "points_gained"],
        Gap("PL-15"),
        Arg(
            "The points that earn garnets: the final total (final_total), or all points gained without the losses "
            "(points_gained)."
        ),
    ] = "final_total"
    max_tied_tol: Annotated[
        int, Bounds(1, 64), Gap("T"), Arg("More than so many tied in the first place: nobody wins a token.")
    ] = 4
    ec_excludes_token_holders: Annotated[
        bool, Gap("PL-19"), Arg("Who holds a Token of Life cannot be Elimination Candidate.")
    ] = True
    pregame_talk: Annotated[
        Literal["open", "closed"],
        Gap("PL-22"),
        Arg("Before the rooms are published everybody may talk (open), or nobody (closed)."),
    ] = "open"
    channels_switch: Annotated[
        Literal["publication", "deadline"],
        Gap("PL-22"),
        Arg(
            "Until when one may talk in a room: the reveal (publication), or the deadline, and then nobody until "
            "the reveal (deadline)."
        ),
    ] = "publication"
    gift_hours: Annotated[SecondTokenHours, Gap("PL-16")] = 24
    vote_hours: Annotated[
        Hours, Gap("PL-17"), Arg("How long the winner may take to pick among the second, and winners to vote.")
    ] = 24


VISIBILITY = {
    "rooms": ("everybody", "after each round: who is in which room"),
    "signs": ("everybody", "after each round: the sign of each player"),
    "bombs_on_rooms": ("everybody", "after each round: which bombs were used on which room, without their users"),
    "scoreboard": ("everybody", "after each round: the points of each player"),
    "tickets": ("owner", "how many tickets a player has"),
    "swaps": ("owner", "how many sign swaps a player has"),
    "bombs": ("owner", "which bombs a player has"),
    "garnets": ("owner", "how many garnets a player has"),
    "prices": ("owner", "what the next purchase of each kind costs a player"),
    "invalid_items": ("owner", "which items of a player's last sheet counted for nothing, and why"),
    "channels": ("owner", "where a player may talk now"),
    "bomb_users": ("nobody_ever", "who used which bomb; players know their own from their sheets"),
    **RESULT_LINES,
}
