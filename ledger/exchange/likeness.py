"""What a message looks like: which action of the game, and in which words, as far as the game's own kinds can read it.

It names no game: verbs, fields and spellings come from the action records, as on the command line. A likeness is a
guess for a host to look at. Does not belong here: what the log says to it (evidence.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from events import LedgerError
from events.record import NamedTuple
from games.kinds import PLAYER, Kind, ParseContext, digits, fold
from games.records import Field, fields, kebab
from games.table import actions as shared
from ledger.core.match import Match
from ledger.exchange.chat import Message
from ledger.tell.mentions import COMMON_KINDS

HOUR = 3_600_000
MAX_ANSWER_GAP = 24 * HOUR
"""How long another player may take to consent, ms."""
MAX_BARE_WORDS = 8
"""A message that is only a verb, like "I lock in", has at most this many words."""
CONSENT_WORDS = frozenset({
    "yes", "yep", "yeah", "ok", "okay", "okey", "deal", "done", "confirm", "confirmed", "confirming", "agree", "agreed",
    "accept", "accepted", "sure",
})  # fmt: skip
COMMON_ACTIONS = (shared.Vote, shared.Gift, shared.Choose)
"""What players say in every game."""

Who = Callable[[Iterable[str]], str | None]
"""The player who goes by one of these names; "" for a host, None where nobody is known by them."""


class Shape(NamedTuple):
    """What a message must hold to look like an action."""

    cls: type
    verbs: frozenset[str]
    slots: tuple[Field, ...]
    """The positional fields whose words belong to the game, or are numbers."""
    people: int
    """How many players it names."""

    @property
    def agreed(self) -> bool:
        """Does it take two players who agree?"""
        return self.people > 1 and self.cls not in COMMON_ACTIONS


def shapes(match: Match) -> tuple[Shape, ...]:
    """What players can say in this game, and in every game."""
    possible = []
    for cls in (*match.game.actions, *COMMON_ACTIONS):
        params = fields(cls)
        people = sum(field.kind is PLAYER for field in params)
        slots = tuple(field for field in params if field.in_place and _is_of_the_game(field))
        synonyms = (synonym for synonym, name in match.game.synonyms.items() if name == kebab(cls))
        if people:
            possible.append(Shape(cls, frozenset({kebab(cls), *synonyms}), slots, people))
    return tuple(possible)


def _is_of_the_game(field: Field) -> bool:
    return field.base is int or (field.kind is not None and field.kind not in COMMON_KINDS)


class Likeness:
    """Reads messages as somebody who knows the game would skim them.

    Attributes:
        shapes: What a message can look like.
    """

    def __init__(self, match: Match, who: Who) -> None:
        self.shapes, self.who = shapes(match), who
        self.names = match.table.directory().spelled()
        self.desk: ParseContext = match.desk(0)
        self._read: dict[tuple[int, str], str | None] = {}

    def of(self, message: Message, later: Sequence[Message]) -> Shape | None:
        """The action that a message looks like, those named by their verb first, then those with most words.

        Args:
            later: What was written after it in the same channel: where two must agree, one of them consents there.
        """
        words = words_of(message.content)
        folded = [fold(word) for word in words]
        best: tuple[int, Shape] | None = None
        for shape in self.shapes:
            weights = [weight for *_, weight in self._filled_slots(shape, message.content)]
            if len(weights) < len(shape.slots):
                continue  # too few words of the game
            weight = sum(weights)
            has_verb = any(is_verb(word, verb) for word in folded for verb in shape.verbs)
            enough = has_verb and (bool(shape.slots) or len(words) <= MAX_BARE_WORDS)
            if not (enough or weight > 1) or (shape.agreed and not self._consented(message, later, folded)):
                continue
            if shape.cls in COMMON_ACTIONS and not any(word in self.names for word in folded):
                continue
            score = (10 if has_verb else 0) + weight
            if best is None or score > best[0]:
                best = (score, shape)
        return best[1] if best else None

    def game_words(self, content: str) -> frozenset[str]:
        """Every word of the game and every number in a message, as the log spells it."""
        kinds = {id(slot.kind): slot.kind for shape in self.shapes for slot in shape.slots if slot.kind}
        parts = [*words_of(content), *lines_of(content)]
        spelled = {spelling for kind in kinds.values() for part in parts if (spelling := self._reads(kind, part))}
        return frozenset(spelled | {part for part in parts if _is_number(part)})

    def words(self, shape: Shape, content: str) -> dict[str, str]:
        """Field -> the word that a message has for it, as the log spells it; fields without a word are left out."""
        return {name: word for name, word, _ in self._filled_slots(shape, content)}

    def _filled_slots(self, shape: Shape, content: str) -> Iterator[tuple[str, str, int]]:
        """(field, its word, what that weighs) of each slot that a message fills; a whole line weighs 2."""
        unused, lines = words_of(content), [line for line in lines_of(content) if len(line.split()) > 1]
        for slot in shape.slots:
            kind = slot.kind
            if kind is not None and (spelling := next(filter(None, (self._reads(kind, line) for line in lines)), None)):
                yield slot.name, spelling, 2  # like a sheet of bids
                continue
            for word in unused:
                if spelling := (word if _is_number(word) else None) if kind is None else self._reads(kind, word):
                    unused.remove(word)
                    yield slot.name, spelling, 1
                    break

    def people(self, message: Message, answer: Message | None) -> list[str]:
        """The players of a message: who wrote it, whom it names, and who agreed to it."""
        players = [self.who(message.author.names)]
        players += [self.names.get(fold(word)) for word in words_of(message.content)]
        players += [self.who(names) for names in message.approved]
        players += [self.who(answer.author.names)] if answer else []
        return list(dict.fromkeys(player for player in players if player))

    def answer(self, message: Message, later: Sequence[Message]) -> Message | None:
        """The message in which another player agrees in words, if one did so in time."""
        author = self.who(message.author.names)
        for answer in later:
            if answer.at > message.at + MAX_ANSWER_GAP:
                return None
            replier = self.who(answer.author.names)
            if replier not in (None, "", author) and CONSENT_WORDS & {fold(word) for word in words_of(answer.content)}:
                return answer
        return None

    def _consented(self, message: Message, later: Sequence[Message], folded: Sequence[str]) -> bool:
        """Did somebody else agree, by a reaction or in a later message? Or does the message itself say so?"""
        author = self.who(message.author.names)
        signed = any(self.who(names) not in (None, "", author) for names in message.approved)
        return bool(CONSENT_WORDS & set(folded)) or signed or message.ticked or self.answer(message, later) is not None

    def _reads(self, kind: Kind, word: str) -> str | None:
        """A word as the log spells it, if it can be read as that kind."""
        key = (id(kind), word)
        if key not in self._read:
            try:
                self._read[key] = kind.read(word, self.desk)
            except LedgerError:
                self._read[key] = None
        return self._read[key]


def _is_number(word: str) -> bool:
    return digits(word, 15) is not None


def lines_of(content: str) -> list[str]:
    """The lines of a message, without those that it quotes."""
    return [line.strip() for line in content.splitlines() if line.strip() and not line.startswith(">")]


def words_of(content: str) -> list[str]:
    """The words of a message, without mentions, quotes, formatting and punctuation.

    >>> words_of("> earlier\\n**R2** for `B4`? <@123> ok!")
    ['R2', 'for', 'B4', 'ok']
    """
    own = re.sub(r"<[@#:a][^>\s]*>", " ", "\n".join(lines_of(content)))
    return re.findall(r"[^\s,;.:!?()\[\]{}*_`~|<\"'/\\@=+&]+", own)


def is_verb(word: str, verb: str) -> bool:
    """Is a word that verb, in one of its usual forms?

    >>> [is_verb(word, "trade") for word in ("trade", "trading", "traded", "trader")]
    [True, True, True, False]
    """
    stem = verb.removesuffix("e")
    return word in (verb, f"{verb}s", f"{stem}ed", f"{stem}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing")
