"""Why: the chain of entries and numbered rules behind an entry, a player, a card, a round, or the result.

Garnets, tokens and the Elimination Candidate are followed through every fact by what it changed, so that each account
adds up whatever the game. Belongs here: which facts are behind a thing. Does not belong here: their words (the games).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from events import Entry, write_instant
from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from events.record import NamedTuple
from games.contract import Fact, Result
from games.kinds import digits, shown
from games.kit.sealed import RoundOpened, RoundResolved, meant
from games.records import kebab, plain, snake
from games.table import Table
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.report import declared_in_words
from ledger.core.live import BEFORE_ALL
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.core.times import crowded, show_clock
from ledger.render.discord import code, escape
from ledger.render.safe import DiscordText, filled, joined
from ledger.tell.differences import in_a_line
from ledger.tell.listing import as_typed, in_a_word
from ledger.tell.mentions import concerns, readings

GROUPS = {
    "garnets": "Garnets",
    "tokens": "Tokens of Life",
    "elimination": "Elimination Candidate",
    "decisions": "Decisions",
    "phases": "How it went on",
    "play": "In the game",
    "around": "Around it",
}
"""What a fact is about -> the heading in a text, in their order."""
UNFINISHED = {"setup": "play has not begun", "running": "it is still played", "deciding": "something is to be decided"}
DECISIONS = (
    table_facts.DecisionOpened,
    table_facts.VoteCast,
    table_facts.Abstained,
    table_facts.GiftNamed,
    table_facts.ChoiceMade,
    table_facts.LotDrawn,
    table_facts.DecisionClosed,
)
PHASES = (table_facts.PhaseBegan, table_facts.PhaseEnded, table_facts.Reopened, RoundOpened, RoundResolved)
_LOG = "design: meta entries"
"""The rule behind meta entries."""


class Link(NamedTuple):
    """One fact of a chain."""

    seq: int
    at: int
    fact: str
    text: str
    rule: str
    about: str = ""
    """One of `GROUPS` where the chain is sorted by them; otherwise empty."""
    player: str = ""
    """Whose account it is, for garnets and tokens."""
    change: int = 0
    now: int | None = None
    """What that account holds after it."""

    def line(self, zone: str, *, seconds: bool = False) -> DiscordText:
        when = code(show_clock(self.at, zone, seconds=seconds))
        return filled("#{:<4} {}  {} [{}]", self.seq, when, _line(self.text), code(self.rule))

    def as_json(self) -> dict[str, Any]:
        """Source: docs/json.md, explain."""
        at = write_instant(self.at)
        made: dict[str, Any] = {"seq": self.seq, "at": at, "fact": self.fact, "text": self.text, "rule": self.rule}
        made |= {"about": self.about} if self.about else {}
        if self.now is not None:
            made |= {"player": self.player, "change": self.change, "now": self.now}
        return made


class Why(NamedTuple):
    """An explanation: what is so, and the chain behind it."""

    stands: tuple[str, ...]
    """Sentences that say what is so now."""
    chain: tuple[Link, ...]

    def lines(self, match: Match) -> list[DiscordText]:
        """To be pasted as an answer: by what the facts are about, each group in the order in which they happened."""
        lines = [_line(sentence) for sentence in self.stands]
        zone, seconds = match.zone, crowded(link.at for link in self.chain)
        groups = dict.fromkeys(link.about for link in self.chain)
        if list(groups) in ([], [""]):
            return [*lines, *(link.line(zone, seconds=seconds) for link in self.chain)]
        several = len({link.player for link in self.chain if link.player}) > 1
        for group in (name for name in GROUPS if name in groups):
            listed = [link for link in self.chain if link.about == group]
            if group == "garnets" and not any(link.now for link in listed):
                continue  # nobody ever held one: a game may have none
            lines += [*([code("")] if lines else []), code(f"{GROUPS[group]}:")]
            lines += _accounts(match, listed) if several and group == "garnets" else _told(match, listed, several)
        return lines


def _line(text: str) -> DiscordText:
    return escape(text.replace("\n", " "))


def _accounts(match: Match, listed: Sequence[Link]) -> Iterator[DiscordText]:
    """A line for each purse: `Ann 2: +1 (#2), +1 (#22), -1 (#54), +1 (#62)`."""
    for player in match.table.players:
        mine = [link for link in listed if link.player == player]
        steps: DiscordText = joined((filled("{:+} (#{})", link.change, link.seq) for link in mine), ", ")
        if mine:
            yield filled("  {} {}: {}", _line(match.table.name(player)), mine[-1].now or 0, steps)


def _told(match: Match, listed: Sequence[Link], several: bool) -> Iterator[DiscordText]:
    """A line for each fact, with what the accounts that it changed hold after it."""
    seconds = crowded(link.at for link in listed)
    for _, group in groupby(listed, key=lambda link: (link.seq, link.text)):
        links = list(group)
        line = links[0].line(match.zone, seconds=seconds)
        held = [(_line(match.table.name(link.player)), link.now) for link in links if link.now is not None]
        if not held:
            yield filled("  {}", line)
        elif several:
            yield filled("  {} = {}", line, joined((filled("{} {}", name, now) for name, now in held), ", "))
        else:
            yield filled("  {} = {}", line, held[0][1])


def why(match: Match, what: str) -> Why:
    """What is behind an entry number, a player, `final`, `round:NAME`, or any one word that a fact holds, like a card.

    Raises:
        Unreadable: `entry.unknown`, `as_of.round`, `player.unknown`.
    """
    word = what.removeprefix("#")
    if (number := digits(word)) is not None:
        match.check_entry(number)
        return _entry(match, number)
    if what.lower().startswith("round:"):
        return _round(match, what[6:])
    if word == "final":
        return _final(match)
    try:
        return _player(match, match.table.directory().find(what))
    except Unreadable:
        for spelled in dict.fromkeys((what, *readings(match, what))):
            if found := [moved for moved in _walk(match) if concerns(moved.fact, spelled)]:
                return Why((), tuple(moved.link(match) for moved in found))
        raise


# ---- the facts of a match, with what each changed --------------------------------------------------------------------


class _Moved(NamedTuple):
    """One fact, and the table before and after it."""

    seq: int
    at: int
    fact: Fact
    before: Table
    after: Table

    def link(self, match: Match, about: str = "") -> Link:
        reason = match.game.explain(match.fold.state, self.fact)
        return Link(self.seq, self.at, snake(type(self.fact)), reason.text, reason.rule, about)

    def account(self, match: Match, about: str, player: str) -> Link | None:
        """The fact as a line of somebody's garnets or tokens, if it changed them; who begins with none has a line."""
        was, now = (
            table.garnets(player) if about == "garnets" else table.tokens.get(player, 0)
            for table in (self.before, self.after)
        )
        begins = about == "garnets" and isinstance(self.fact, table_facts.SeatTaken) and self.fact.player == player
        if was == now and not begins:
            return None
        return self.link(match, about)._replace(player=player, change=now - was, now=now)


def _walk(match: Match) -> Iterator[_Moved]:
    """Every fact in the order in which they happened."""
    engine, began = match.engine, match.book.entries[0].body.at
    state = engine.start(match.book.entries[0].body, match.book.game_id)
    for outcome in match.fold.outcomes:
        for fact, at in zip(outcome.facts, outcome.times, strict=True):
            before, state = state.table, engine.apply(state, (fact,))
            yield _Moved(outcome.live.seq, began if at == BEFORE_ALL else at, fact, before, state.table)


# ---- a player, the result --------------------------------------------------------------------------------------------


def _player(match: Match, player: str) -> Why:
    """Why a player stands where they do."""
    chain = []
    for moved in _walk(match):
        accounts = [moved.account(match, about, player) for about in ("garnets", "tokens")]
        links = [link for link in accounts if link is not None]
        was, now = (player in table.elimination for table in (moved.before, moved.after))
        if was or now:
            links += [moved.link(match, "elimination")] if isinstance(moved.fact, table_facts.EliminationFound) else []
        if not links and concerns(moved.fact, player):
            links = [moved.link(match, _kind(moved.fact))]
        chain += links
    return Why(tuple(_standing(match, player)), tuple(chain))


def _kind(fact: Fact) -> str:
    if isinstance(fact, DECISIONS):
        return "decisions"
    return "around" if isinstance(fact, table_facts.TABLE_FACTS) else "play"


def _standing(match: Match, player: str) -> Iterator[str]:
    """Where a player stands now, out of the hosts' picture."""
    state, table = match.fold.state, match.table
    picture = plain(match.game.view(state, HOST_VIEWER)).get("players")
    row = picture.get(player) if isinstance(picture, Mapping) else None
    known: Mapping[str, Any] = row if isinstance(row, Mapping) else {}
    parts = [in_a_line(known).replace("_", " ")] if known else []
    if "garnets" not in known:
        parts.append(f"garnets {table.garnets(player)}")
    result: Result = match.game.result(state, HOST_VIEWER)
    places = {ranked: place for place, ranked in result.places()}
    if player in places:
        level = [p for p in places if places[p] == places[player] and p != player]
        beside = f", level with {table.named(level)}" if level else ""
        parts.append(f"place {places[player]} of {len(table.players)}{beside}")
    yield f"{table.name(player)}: {', '.join(parts)}"
    held = table.tokens.get(player, 0)
    if held or player in table.elimination:
        token = [f"{held} Token{'' if held == 1 else 's'} of Life"] if held else []
        yield ", ".join([*token, *(["Elimination Candidate"] if player in table.elimination else [])])


def _final(match: Match) -> Why:
    """Why the match ended as it did, or stands as it does."""
    chain = []
    for moved in _walk(match):
        for player in match.table.players:
            accounts = (moved.account(match, about, player) for about in ("garnets", "tokens"))
            chain += [link for link in accounts if link is not None]
        if isinstance(
            moved.fact,
            (table_facts.EliminationFound, table_facts.WinnersFound, table_facts.Declared, table_facts.ReasonTold),
        ):
            chain.append(moved.link(match, "elimination"))
        elif isinstance(moved.fact, DECISIONS):
            chain.append(moved.link(match, "decisions"))
        elif isinstance(moved.fact, PHASES):
            chain.append(moved.link(match, "phases"))
    return Why(tuple(_result(match)), tuple(chain))


def _result(match: Match) -> Iterator[str]:
    table = match.table
    holders = [f"{table.name(p)}{f' ({n})' if n > 1 else ''}" for p in table.players if (n := table.tokens.get(p, 0))]
    if table.status != "finished":
        yield f"Not final yet: {UNFINISHED[table.status]}."
    has = match.game.has
    if "tokens" in has and (holders or table.status == "finished"):
        yield f"Tokens of Life: {', '.join(holders) or 'nobody'}"
    if "elimination" in has and (table.elimination or table.status == "finished"):
        yield f"Elimination Candidate: {table.named(table.elimination) if table.elimination else 'nobody'}"
    if "winner" in has and (table.winners or table.status == "finished"):
        lost = f"; loser: {table.named(table.losers)}" if table.losers else ""
        yield f"Winner: {table.named(table.winners)}{lost}"
    frame, told_of = match.frame(match.fold.state, HOST_VIEWER), match.game.result(match.fold.state, HOST_VIEWER)
    for row in told_of.declared or ():
        kept = "" if match.table.status in ("deciding", "finished") else " (kept until the match ends)"
        yield f"Declared by hosts, entry {row['seq']}{kept}: {declared_in_words(frame, row)}"
    if table.assumptions:
        yield f"Rules that nobody has confirmed: {', '.join(table.assumptions)} (hl assumptions)"
    for outcome in match.fold.contested:
        yield f"Entry {outcome.live.seq} ({outcome.live.do}) is contested and counts for nothing; hl status"


# ---- an entry, a round -----------------------------------------------------------------------------------------------


def _entry(match: Match, seq: int) -> Why:
    """What follows from an entry, or what it does to others, and who recorded it."""
    entry = match.book.entries[seq - 1]
    body, said = entry.body, match.fold.marks
    outcome = next((o for o in match.fold.outcomes if o.live.seq == seq), None)
    args = outcome.live.args if outcome else body.args
    stands = [f"Entry {seq}, recorded by {body.by}: {as_typed(match, body.do, args)}"]
    if outcome is None:
        return Why(tuple(stands), tuple(_without_facts(match, entry)))
    if seq in said.amended:
        last = said.amended[seq][-1]
        stands.append(
            f"It says so since entry {last.seq} ({last.body.by}); before: {as_typed(match, body.do, body.args)}"
        )
    if body.evidence:
        stands.append(f"Evidence: {body.evidence}")
    return Why(tuple(stands), tuple(_links(match, [outcome])))


def _without_facts(match: Match, entry: Entry) -> Iterator[Link]:
    """An entry that the match does not fold: line 1, one that is undone, a meta entry."""
    seq, _, body = entry
    said, fact, text = match.fold.marks, body.do, ""
    target = body.args.get("target")
    other = match.book.entries[target - 1].body.do if isinstance(target, int) and 1 <= target < seq else "?"
    rule = _LOG
    match body.do:
        case "create":
            fact, rule = "created", "the settings of line 1: hl rules"
            text = f"{match.table.title} is made, a match of {match.game.title}"
        case _ if seq in said.struck:
            fact, text = "struck", f"undone by entry {said.struck[seq]}: it changes nothing"
        case "undo":
            struck = said.undone.get(seq, ())
            text = f"undoes {_numbers(struck)}" if struck else f"entry {target} counts again: this undo was taken back"
        case "redo":
            text = f"takes entry {target} ({other}) back: what it undid counts again"
        case "amend":
            now = body.args.get("args", {})
            words = [f"{key} {in_a_word(value)}" for key, value in now.items()] if isinstance(now, dict) else []
            words += [f"at {body.args['at']}"] if body.args.get("at") else []
            text = f"entry {target} ({other}) now says: {', '.join(words)}"
        case "confirm":
            text = f"{body.by} has checked entry {target} ({other})"
        case "posted":
            word = "will not be posted" if body.args.get("dropped") else "was posted"
            text = f"text {body.args.get('item')} for {body.args.get('audience')} {word}"
        case "posting":
            text = f"text {body.args.get('item')} for {body.args.get('audience')} was about to be sent by {body.by}"
        case "join":
            lines = body.args.get("lines", ())
            count = len(lines) if isinstance(lines, list) else 0
            text = f"the next {count} entries were recorded first in another copy"
        case _:
            text = "a meta entry: it changes nothing in the match"
    yield Link(seq, body.at, fact, text, rule)


def _numbers(seqs: Iterable[int]) -> str:
    listed = [str(seq) for seq in seqs]
    return f"entr{'y' if len(listed) == 1 else 'ies'} {', '.join(listed)}"


def _round(match: Match, name: str) -> Why:
    verb = kebab(shared.Resolve)
    ended = [o for o in match.fold.outcomes if o.live.do == verb and o.refusal is None]
    for outcome in ended:
        if outcome.live.args.get("round") == meant(name):
            return _entry(match, outcome.live.seq)
    resolved = " or ".join(f"hl explain round:{str(o.live.args.get('round')).removeprefix('round_')}" for o in ended)
    raise Unreadable("as_of.round", f"no round {shown(name)} of this match is resolved", resolved or "hl explain final")


def _links(match: Match, outcomes: Iterable[Outcome]) -> Iterator[Link]:
    began = match.book.entries[0].body.at
    for outcome in outcomes:
        seq, refusal, at = outcome.live.seq, outcome.refusal, outcome.live.at
        for fact, happened in zip(outcome.facts, outcome.times, strict=True):
            reason = match.game.explain(match.fold.state, fact)
            happened = began if happened == BEFORE_ALL else happened
            yield Link(seq, happened, snake(type(fact)), reason.text, reason.rule)
        if refusal is not None:
            yield Link(seq, began if at == BEFORE_ALL else at, "contested", refusal.what, refusal.code)
