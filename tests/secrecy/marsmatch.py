"""Pairs of MarsMatch matches that differ only in what one viewer may not know. The method is in harness.py.

One match is played on the pure functions of the game: a deal of short hands, then turns as the hands allow. The other
has the same draw, the same plays and passes at the same times, the viewer's own hand, and the cards that the others
will have played; the rest of their hands is dealt anew. Drawn anew besides: who held a heavenly hand that did not win,
plays that were refused and that nobody was told of, notes, rulings, breaches, aliases, penalties, and a hand that a
host corrected. Where the match is finished everybody sees all hands: then they are the same, and the rest differs.
Some matches have a second round, in which the same hands are dealt again: what was left over in the first is secret,
also once all is over, so that there the first deal is another.
Kept: what `knows` says. When a turn ends is not among it: it follows from what everybody knows, the settings and when
the turn began.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from events.errors import Refused
from games.contract import Moment
from games.marsmatch import GAME as MARS, actions as a
from games.marsmatch.cards import RANKS, cards_of, count, deck, in_words, minus
from games.marsmatch.combos import Reading, beats, best, formable, readings
from games.marsmatch.facts import State
from games.marsmatch.rules import Heavenly, grammar, heavenly, heavenly_winners
from games.table import actions as shared
from games.table.settings import defaults
from games.table.state import Seat, Table
from tests.secrecy import generators
from tests.secrecy.generators import BEGAN, DRAWN_BY_NONE, MINUTE, Side, match_file
from tests.secrecy.known import of_the_end, of_the_table
from tests.secrecy.script import PUBLIC, Look, NotAPair, Pair, Shown, Step

QUICK = 40
TELLING = (37, 21, 0)
TOLD_AT_ONCE = {**DRAWN_BY_NONE, "title": "as points"}
OPENING: tuple[Shown, ...] = ()
OF_PLAY = (
    "snatch", "three_in_a_row", "real_end", "ground_hand_max_plays", "ground_hand_who", "post_win_lead", "pass_locks",
    "attachments", "attachment_rank", "rocket_attach_two", "wild_needs_natural", "super_drone_by_holding",
    "cross_type", "short_hands", "rounds", "turn_seconds",
)  # fmt: skip

GAME = "marsmatch"
NAMES = ("ann", "bob", "cyd", "dan")


def knows(state: State, viewer: str, look: bool) -> Any:
    """What the viewer may know at a moment, from docs/games/marsmatch.md, section 5. Reads the state, never a view."""
    table = state.table
    known = [*of_the_table(table), state.round]
    known += [state.banker, state.seats, state.turn, state.leader]
    known += [state.trick, state.runner, state.run, state.out, sorted(state.titles.items())]
    known.append({p: state.points.get(p, 0) for p in table.players})
    known += [(row.round, row.banker, sorted(row.titles.items()), sorted(row.points.items())) for row in state.rounds]
    known.append({p: sum(state.hands.get(p, ())) for p in table.players})
    if viewer != PUBLIC:
        known.append(state.hands.get(viewer))
    if table.status == "finished":
        known.append({p: state.hands.get(p) for p in table.players})
        known += of_the_end(table, viewer)
    return known


class Drawing(generators.Drawing):
    WORDS = (*generators.WORDS, "3 3 3", "late again")

    def __init__(self, rng: random.Random) -> None:
        self.players = NAMES[: rng.choice([3, 4, 4])]
        super().__init__(rng, self.players)
        self.flat = {
            "short_hands": True,
            "snatch": rng.choice(["best_class", "every_holder"]),
            "real_end": rng.choice(["human_hand", "human_hand", "first_out", "one_winner_tiers"]),
            "three_in_a_row": rng.choice(["tempo", "ask_host", "instant_win"]),
            "pass_locks": rng.random() < 0.3,
            "turn_seconds": rng.choice([0, 90]),
            "rounds": rng.choice([1, 1, 2]),
        }
        self.seats = tuple(rng.sample(self.players, len(self.players)))
        self.bankers = rng.choices(self.players, k=2)
        self.ended = rng.random() < 0.25
        self.sides = Side({}), Side({})
        self.state: Any = None
        self.played: dict[str, Counter[str]] = {p: Counter() for p in self.players}
        """In this round."""
        self.open_cards: dict[str, Counter[str]] = {p: Counter() for p in self.players}
        """What everybody has seen of a deal, in any round."""
        self.heaven: list[tuple[str, dict[str, Heavenly]]] = []
        """Of each round its Banker, and who won in the Initial Phase, with what."""

    # ---- the match that is played ----------------------------------------------------------------------------------

    def start(self, hands: Mapping[str, Sequence[str]]) -> None:
        """Make the match, and begin its first round."""
        flat = {**defaults(MARS.settings, MARS.visibility, MARS.has), **self.flat}
        seats = {p: Seat(p.title()) for p in self.players}
        self.state = MARS.start(Table(GAME, "t", "UTC", ("mara",), seats, flat, (), BEGAN, "initial"))
        self.begin(hands)

    def begin(self, hands: Mapping[str, Sequence[str]]) -> None:
        """Draw, deal and open, at the same times in both."""
        banker = self.bankers[self.state.round - 1]
        self.played = {p: Counter() for p in self.players}
        self.do(a.Draw(banker, self.seats))
        for p, held in hands.items():
            self.do(shared.Hand(p, tuple(held)))
        self.do(shared.Deal("typed"))
        won = {
            one.player: one.hand for one in heavenly_winners(self.state.hands, self.seats, banker, self.flat["snatch"])
        }
        self.heaven.append((banker, won))
        self.do(shared.Open())
        for p in won:
            self.open_cards[p] |= Counter(card for card in hands[p] if card in ("3", "LJ", "BJ"))
        where = [word for p in self.seats for word in ("--seats", p)]
        for words in (("draw", "--banker", banker, *where), ("deal",), ("open",)):
            self.show(words, self.now)
            self.now += 10 * MINUTE

    def do(self, action: Any) -> None:
        self.state = MARS.decide(self.state, action, Moment(self.now, 9)).state  # type: ignore[attr-defined]

    def turns(self, most: int) -> None:
        """Turns of this round as the hands allow, each a step that everybody knows of."""
        round_ = self.state.round
        for _ in range(most):
            if not self.state.playing or self.state.round != round_:
                return
            self.turn()
            if self.rng.random() < 0.25:
                self.shared.append(Look(self.now - 5 * MINUTE, self.probes()))

    def again(self, hands: Mapping[str, Sequence[str]]) -> None:
        """A look between the rounds; then, perhaps, the second round, or some of it."""
        self.shared.append(Look(self.now - 4 * MINUTE))
        if self.ended or self.rng.random() < 0.5:
            self.begin(hands)
            self.turns(200 if self.ended else self.rng.randint(0, 8))

    def turn(self) -> None:
        state, rng = self.state, self.rng
        player, trick = state.turn, state.trick
        rules = grammar(state, player)
        able = [cards for reading, cards in formable(state.hands[player], rules) if _may(reading, cards, trick, rules)]
        words: tuple[str, ...] = ("pass", player)
        if trick is not None and (not able or rng.random() < 0.35):
            late = self.flat["turn_seconds"] and rng.random() < 0.3
            words = ("timeout", player) if late else words
            self.do(a.Timeout(player) if late else a.Pass(player))
        else:
            able.sort(key=sum)
            cards = able[-1] if rng.random() < 0.3 else rng.choice(able)
            words = ("play", player, in_words(cards))
            self.do(a.Play(player, in_words(cards)))
            self.played[player] += Counter(cards_of(cards))
            self.open_cards[player] |= self.played[player]
        self.show(words, self.now)
        self.now += 10 * MINUTE

    def probes(self, where: str = "") -> tuple[tuple[str, ...], ...]:
        """Commands that are tried; none by which the match would end, for then hands are for everybody."""
        held = list(cards_of(self.state.hands[self.viewer])) if self.viewer in self.state.hands else []
        if self.viewer == PUBLIC or (0 < len(held) < 4 and self.state.table.status != "finished"):
            return ()
        held = held or ["3"]
        rng = self.rng
        listed = [
            ("play", self.viewer, rng.choice(held)),
            ("play", self.viewer, " ".join(rng.sample(held, min(3, len(held))))),
            ("play", self.viewer, " ".join(rng.sample(RANKS, 2))), ("pass", self.viewer), ("timeout", self.viewer),
            ("play", self.viewer, "BJ BJ BJ"), ("play", rng.choice(self.others), "BJ BJ BJ BJ BJ"),
        ]  # fmt: skip
        if self.flat["three_in_a_row"] == "instant_win":
            listed = [words for words in listed if words[0] == "play"]
        return tuple(rng.sample(listed, 3))

    # ---- both scripts ----------------------------------------------------------------------------------------------

    def another_deal(self, hands: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """The same hand for the viewer, for the others what they will have played and as many cards of the rest."""
        rng = self.rng
        for _ in range(200):
            made = {p: self.kept(p, held) for p, held in hands.items()}
            rest = Counter(deck(len(self.players))) - Counter(card for held in made.values() for card in held)
            pool = list(rest.elements())
            rng.shuffle(pool)
            for p, held in hands.items():
                made[p] += [pool.pop() for _ in range(len(held) - len(made[p]))]
            if self.same_heaven(made):
                return made
        raise NotAPair("no other deal")

    def kept(self, p: str, held: Sequence[str]) -> list[str]:
        """What the viewer knows that this player was dealt."""
        if p == self.viewer:
            return list(held)
        return list(self.open_cards[p].elements())

    def same_heaven(self, hands: Mapping[str, Sequence[str]]) -> bool:
        """Do the same players win in the Initial Phase of each round, and with the same?"""
        for banker, won in self.heaven:
            best_class = "starlink" if "starlink" in won.values() else "ufo"
            for p, held in hands.items():
                has = heavenly(count(held))
                if p in won and has != won[p]:
                    return False
                silent = won and self.flat["snatch"] == "best_class" and banker not in won and has != best_class
                if p not in won and has is not None and not silent:
                    return False
        return True

    def hidden(self, steps: list[Step], hands: Mapping[str, Sequence[str]]) -> None:
        """What hosts write down besides, at other times in the other match; nothing of it reaches the viewer."""
        rng = self.rng
        for _ in range(rng.choice([0, 2, 5])):
            self.amid(steps, self.remark("penalty"))
        for _ in range(rng.choice([0, 1, 2])):
            q = rng.choice(self.others)
            lacking = [rank for rank, n in zip(RANKS, count(hands[q]), strict=True) if n < 2]
            card = rng.choice(lacking or ["BJ"])
            self.amid(steps, ("play", q, f"{card} {card} {card} {card} {card}"), ok=False)
        if rng.random() < 0.4:
            q = rng.choice(self.others)
            size = sum(self.state.hands.get(q, ()))
            if size and self.state.table.status != "finished":
                cards = " ".join(rng.sample(deck(len(self.players)), size))
                steps.append(Step(("override", q, "hand", cards), self.now + rng.randint(1, MINUTE)))

    def amid(self, steps: list[Step], words: Sequence[str], *, ok: bool = True) -> None:
        steps.append(Step(tuple(words), self.rng.randint(self.shared[2].at + 1, self.now - 1), ok=ok))

    def refused(self, one: Mapping[str, Sequence[str]], two: Mapping[str, Sequence[str]]) -> None:
        """Plays that are refused, and that everybody hears of: held in neither match, or bad whoever holds them."""
        state = self.state
        if not state.playing or state.turn == self.viewer:
            return
        turn = state.turn
        hands = [minus(count(held[turn]), count(self.played[turn].elements())) for held in (one, two)]
        for words in (["K"] * 5, ["BJ"] * 3, ["Q", "Q"], ["9", "9"], ["4"], self.rng.sample(RANKS, 3)):
            cards = count(words)
            found, rules = readings(cards, grammar(state, turn)), grammar(state, turn)
            legal = any(_may(reading, cards, state.trick, rules) for reading in found)
            if not legal or all(min(minus(hand, cards)) < 0 for hand in hands):
                self.show(("play", turn, " ".join(words)), self.now, ok=False)
                self.now += MINUTE


def _may(reading: Reading, cards: Any, trick: Any, rules: Any) -> bool:
    """May it be played without being declared?"""
    if trick is not None and not beats(reading, trick.reading):
        return False
    return trick is not None or len(best(readings(cards, rules))) == 1


def some_hands(rng: random.Random, players: Sequence[str], beaten: Sequence[str]) -> dict[str, list[str]]:
    """Short hands out of few ranks; a heavenly one now and then. `beaten`: a Starlink, and a UFO that does not win."""
    stock = list(deck(len(players)))
    rng.shuffle(stock)
    few = set(rng.sample(RANKS[:12], 6)) | {"2", "LJ", "BJ", "3"}
    stock = [card for card in stock if card in few]
    hands: dict[str, list[str]] = {p: [] for p in players}
    for p in players:
        form = rng.random()
        if beaten:
            form = {beaten[0]: 0.0, beaten[1]: 0.1}.get(p, 1.0)
        wanted = ["3"] * 6 if form < 0.08 else ["LJ", "LJ", "BJ", "BJ"] if form < 0.2 else []
        if all(stock.count(card) >= wanted.count(card) for card in wanted):
            for card in wanted:
                stock.remove(card)
            hands[p] += wanted
    for p in players:
        heaven = ("3", "LJ", "BJ") if hands[p] and beaten else ()  # one card more of these, and it is none
        for card in [card for card in stock if card not in heaven][: rng.randint(3, 11)]:
            stock.remove(card)
            hands[p].append(card)
    return hands


def draw(rng: random.Random) -> Pair:
    """A candidate for a pair."""
    d = Drawing(rng)
    beaten: list[str] = []
    if rng.random() < 0.3:
        d.flat["snatch"] = "best_class"
        beaten = rng.sample([p for p in d.players if p != d.bankers[0]], 2)
    one = some_hands(rng, d.players, beaten)
    try:
        d.start(one)
        d.turns(200 if d.ended or d.flat["rounds"] == 2 else rng.randint(0, 14))
        if d.state.round == 2:
            d.again(one)
    except Refused as refusal:
        raise NotAPair(refusal.what) from None
    over = d.state.table.status == "finished"
    first = d.another_deal(one) if over and d.state.round == 2 else {}
    two = {p: list(held) for p, held in one.items()} if over else d.another_deal(one)
    d.refused(one, two)
    d.shared.append(Look(d.now + 2 * MINUTE, d.probes()))
    for side, hands in zip(d.sides, (one, two), strict=True):
        d.hidden(side.steps, hands)
    setup = match_file(GAME, {p: {} for p in d.players}, settings=d.flat)
    pair = d.pair(setup, setup)
    first_, mine, yours = ({p: " ".join(held) for p, held in hands.items()} for hands in (first, one, two))
    other = pair.other._replace(hands=yours, first=first_)
    return pair._replace(one=pair.one._replace(hands=mine), other=other)
