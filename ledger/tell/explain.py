"""Explain the state of a match by its facts in order, each with its entry and its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from events import Entry, write_instant
from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from events.record import NamedTuple
from games.contract import Fact, Result
from games.kinds import count, digits
from games.kit.blocks import Block, Span, When, items, text
from games.parts.words import labels
from games.records import plain, snake
from games.table import Table, facts as table_facts
from games.table.facts import replaced_in_words as sentence
from games.table.report import declared_in_words
from games.table.rounds import RoundOpened, RoundResolved
from ledger.core.effective import BEFORE_ALL
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.core.times import crowded, show_clock
from ledger.render.safe import PlainText, filled, joined, without_pings
from ledger.tell.diff import in_a_line
from ledger.tell.listing import as_typed, concerns, in_a_word, outcome_of, readings
from ledger.tell.redact import may_open
from ledger.tell.reports import resolved_in
from ledger.tell.texts import fixed_all_the_same

# ---- an explanation, and the chain of facts in it --------------------------------------------------------------------

GROUPS = {
    "garnets": "Garnets",
    "tokens": "Tokens of Life",
    "winners": "Winners",
    "elimination": "Elimination Candidate",
    "decisions": "Decisions",
    "phases": "How it went on",
    "play": "In the game",
    "around": "Around it",
}


class Link(NamedTuple):
    seq: int
    at: int
    fact: str
    text: str
    rule: str
    about: str = ""
    """One of `GROUPS` if the chain is sorted by them, otherwise empty."""
    player: str = ""
    change: int = 0
    now: int | None = None

    def line(self, zone: str, *, seconds: bool = False) -> PlainText:
        return _line(f"#{self.seq:<4} {show_clock(self.at, zone, seconds=seconds)}  {self.text} [{self.rule}]")

    def as_json(self) -> dict[str, Any]:
        """Source: docs/json.md, explain."""
        at = write_instant(self.at)
        entry: dict[str, Any] = {"seq": self.seq, "at": at, "fact": self.fact, "text": self.text, "rule": self.rule}
        entry |= {"about": self.about} if self.about else {}
        if self.now is not None:
            entry |= {"player": self.player, "change": self.change, "now": self.now}
        return entry


class Why(NamedTuple):
    stands: tuple[str, ...]
    chain: tuple[Link, ...]

    def lines(self, match: Match) -> list[PlainText]:
        lines = [_line(sentence) for sentence in self.stands]
        zone, seconds = match.zone, crowded(link.at for link in self.chain)
        groups = dict.fromkeys(link.about for link in self.chain)
        if list(groups) in ([], [""]):
            return [*lines, *(link.line(zone, seconds=seconds) for link in self.chain)]
        several = len({link.player for link in self.chain if link.player}) > 1
        for group in (name for name in GROUPS if name in groups):
            links = [link for link in self.chain if link.about == group]
            if group == "garnets" and not any(link.now for link in links):
                continue  # nobody ever held a garnet: the game may have none
            lines += [*([_line("")] if lines else []), _line(f"{GROUPS[group]}:")]
            purses = several and group == "garnets"
            lines += _purse_lines(match, links) if purses else _fact_lines(match, links, several)
        return lines


def _line(text: str) -> PlainText:
    return without_pings(text.replace("\n", " "))


def _purse_lines(match: Match, links: Sequence[Link]) -> Iterator[PlainText]:
    for player in match.table.players:
        own_links = [link for link in links if link.player == player]
        steps: PlainText = joined((filled("{:+} (#{})", link.change, link.seq) for link in own_links), ", ")
        if own_links:
            yield filled("  {} {}: {}", _line(match.table.name(player)), own_links[-1].now or 0, steps)


def _fact_lines(match: Match, links: Sequence[Link], several: bool) -> Iterator[PlainText]:
    seconds = crowded(link.at for link in links)
    for _, group in groupby(links, key=lambda link: (link.seq, link.text)):
        accounts = list(group)
        line = accounts[0].line(match.zone, seconds=seconds)
        balances = [(_line(match.table.name(link.player)), link.now) for link in accounts if link.now is not None]
        if not balances:
            yield filled("  {}", line)
        elif several:
            yield filled("  {} = {}", line, joined((filled("{} {}", name, now) for name, now in balances), ", "))
        else:
            yield filled("  {} = {}", line, balances[0][1])


# ---- facts in order --------------------------------------------------------------------------------------------------


class Applied(NamedTuple):
    seq: int
    at: int
    fact: Fact
    before: Table
    after: Table

    def link(self, match: Match, about: str = "") -> Link:
        reason = match.explain(match.fold.state, self.fact)
        return Link(self.seq, self.at, snake(type(self.fact)), reason.text, reason.rule, about)

    def accounts(self, match: Match, player: str) -> Iterator[Link]:
        """The fact as a line of a player's garnet or token account, if it changes the balance or opens the account."""
        begins = isinstance(self.fact, table_facts.SeatTaken) and self.fact.player == player
        garnets = (self.before.garnets(player), self.after.garnets(player), begins)
        tokens = (self.before.tokens.get(player, 0), self.after.tokens.get(player, 0), False)
        for about, (before, now, has_line) in (("garnets", garnets), ("tokens", tokens)):
            if before != now or has_line:
                yield self.link(match, about)._replace(player=player, change=now - before, now=now)


def applied_facts(match: Match) -> Iterator[Applied]:
    engine, began = match.engine, match.book.entries[0].body.at
    state = engine.start(match.book.entries[0].body, match.book.game_id)
    for outcome in match.fold.outcomes:
        for fact, at in zip(outcome.facts, outcome.times, strict=True):
            before, state = state.table, engine.apply(state, (fact,))
            yield Applied(outcome.entry.seq, began if at == BEFORE_ALL else at, fact, before, state.table)


def links_of(match: Match, outcome: Outcome) -> Iterator[Link]:
    """A link for each fact of an entry, and one for a refusal."""
    began, seq, refusal = match.book.entries[0].body.at, outcome.entry.seq, outcome.refusal
    times = [began if at == BEFORE_ALL else at for at in (*outcome.times, outcome.entry.at)]
    for fact, at in zip(outcome.facts, times, strict=False):
        reason = match.explain(match.fold.state, fact)
        yield Link(seq, at, snake(type(fact)), reason.text, reason.rule)
    if refusal is not None:
        yield Link(seq, times[-1], "contested", refusal.what, refusal.code)


def fairness(match: Match, viewer: str) -> list[Block]:
    """A paragraph on how the deal was fixed, and a list of its words and of replacements. Empty without commitment."""
    published = match.published()
    if published is None:
        return []
    deals = match.deals()
    opened = may_open(match, viewer)
    by_line = {match.fold.layout.first_line(entry): entry for entry in deals.entries}
    digest, seed = by_line[published.commitment].body.args["commitment"], published.seed.hex()
    beginning = f"The deal was fixed before anybody added words: commitment {digest}. "
    if any(entry.body.args.get("seed") == seed and entry.seq in opened for entry in deals.entries):
        paragraph = text(f"{beginning}Anyone can draw it again: seed {seed}.")
    else:
        why = "The hands that were dealt stay secret, and so does the seed: an auditor with the whole log can check it."
        paragraph = text(beginning + why)
    ruled = {True: ". A host has ruled on it.", False: ". No host has said why."}
    marks = match.fold.marks
    lines: list[str | tuple[Span, ...]] = []
    for fact, line in zip(map(table_facts.WordAdded._make, published.words), published.lines, strict=True):
        lines.append(f"{match.table.name(fact.player)} added: {fact.text}")
        if (seq := by_line[line].seq) in {*marks.struck, *marks.amended}:
            lines.append(fixed_all_the_same(match.table, marks, seq, fact))
    state = match.fold.state
    told = {o.entry.seq for o in match.fold.outcomes for fact in o.facts
            if isinstance(fact, table_facts.DrawReplaced) and match.game.known(state, fact, viewer)}  # fmt: skip
    told |= {seq for seq, _, body in match.book.entries if body.do in ("commit", "deal")}  # everybody knows of these
    replaced = (replacement for replacement in match.judged().replaced if replacement.seq in told)
    lines += [(f"{sentence(r.kind)} It was on ", When(r.at), ruled[r.ruled]) for r in replaced]
    return [paragraph, *([items(*lines)] if lines else [])]


# ---- explaining a player, a card, a round, the result ----------------------------------------------------------------

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
RESULTS = (table_facts.EliminationFound, table_facts.Declared, table_facts.ReasonTold)
WINNERS = (table_facts.WinnersFound,)
PHASES = (table_facts.PhaseBegan, table_facts.PhaseEnded, table_facts.Reopened, RoundOpened, RoundResolved)


def why(match: Match, target: str) -> Why:
    """Explain an entry number, a player, `final`, `round:NAME`, or any single word in a fact, such as a card.

    Raises:
        Unreadable: `entry.unknown`, `as_of.round`, `player.unknown`.
    """
    name = target.removeprefix("#")
    if (seq := digits(name)) is not None:
        match.check_entry(seq)
        return explain_entry(match, seq)
    if target.lower().startswith("round:"):
        return explain_entry(match, resolved_in(match, target[6:], "hl explain ", "hl explain final"))
    if name == "final":
        return _explain_final(match)
    try:
        return _explain_player(match, match.table.directory().find(target))
    except Unreadable:
        for spelling in dict.fromkeys((target, *readings(match, target))):
            if links := [applied for applied in applied_facts(match) if concerns(applied.fact, spelling)]:
                return Why((), tuple(applied.link(match) for applied in links))
        raise


def _explain_player(match: Match, player: str) -> Why:
    chain: list[Link] = []
    for applied in applied_facts(match):
        links = list(applied.accounts(match, player))
        candidates = {*applied.before.elimination, *applied.after.elimination}
        if player in candidates and isinstance(applied.fact, table_facts.EliminationFound):
            links.append(applied.link(match, "elimination"))
        if not links and concerns(applied.fact, player):
            of_table = isinstance(applied.fact, table_facts.TABLE_FACTS)
            group = "decisions" if isinstance(applied.fact, DECISIONS) else "around" if of_table else "play"
            links = [applied.link(match, group)]
        chain += links
    return Why(tuple(_standing_sentences(match, player)), tuple(chain))


def _standing_sentences(match: Match, player: str) -> Iterator[str]:
    state, table = match.fold.state, match.table
    players = plain(match.game.view(state, HOST_VIEWER)).get("players")
    row = players.get(player) if isinstance(players, Mapping) else None
    player_view: Mapping[str, Any] = row if isinstance(row, Mapping) else {}
    called = {name: label.text for name, label in labels(match.game).items()}
    shown = {called.get(name, name): value for name, value in player_view.items()}
    fields = [in_a_line(shown).replace("_", " ")] if shown else []
    if "garnets" in match.game.has and "garnets" not in player_view:
        fields.append(f"garnets {table.garnets(player)}")
    result: Result = match.game.result(state, HOST_VIEWER)
    places = {ranked: place for place, ranked in result.places()}
    if player in places:
        level = [p for p in places if places[p] == places[player] and p != player]
        beside = f", level with {table.named(level)}" if level else ""
        fields.append(f"place {places[player]} of {len(table.players)}{beside}")
    yield f"{table.name(player)}: {', '.join(fields)}"
    token_count = table.tokens.get(player, 0)
    if token_count or player in table.elimination:
        token_parts = [f"{count(token_count, 'Token')} of Life"] if token_count else []
        yield ", ".join([*token_parts, *(["Elimination Candidate"] if player in table.elimination else [])])


def _explain_final(match: Match) -> Why:
    chain: list[Link] = []
    for applied in applied_facts(match):
        for player in match.table.players:
            chain += applied.accounts(match, player)
        groups = (("winners", WINNERS), ("elimination", RESULTS), ("decisions", DECISIONS), ("phases", PHASES))
        chain += [applied.link(match, group) for group, kinds in groups if isinstance(applied.fact, kinds)]
    return Why(tuple(_result_sentences(match)), tuple(chain))


def _result_sentences(match: Match) -> Iterator[str]:
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
    frame, result = match.frame(match.fold.state, HOST_VIEWER), match.game.result(match.fold.state, HOST_VIEWER)
    for row in result.declared or ():
        until_end = "" if match.table.status in ("deciding", "finished") else " (kept until the match ends)"
        yield f"Declared by hosts, entry {row['seq']}{until_end}: {declared_in_words(frame, row)}"
    if table.assumptions:
        yield f"Rules that nobody has confirmed: {', '.join(table.assumptions)} (hl assumptions)"
    for outcome in match.fold.contested:
        seq, do = outcome.entry.seq, outcome.entry.do
        yield f"The rules do not allow entry {seq} ({do}), so it counts for nothing: hl status"


def explain_entry(match: Match, seq: int) -> Why:
    entry = match.book.entries[seq - 1]
    body, marks = entry.body, match.fold.marks
    outcome = outcome_of(match, seq)
    args = outcome.entry.args if outcome else body.args
    stands = [f"Entry {seq}, recorded by {body.by}: {as_typed(match, body.do, args)}"]
    if outcome is None:
        return Why(tuple(stands), tuple(_without_facts(match, entry)))
    if seq in marks.amended:
        amend, before = marks.amended[seq][-1], as_typed(match, body.do, body.args) + _but_the_deal(match, entry)
        stands.append(f"Entry {amend.seq} ({amend.body.by}) corrected it. Before: {before}")
    if body.evidence:
        stands.append(f"Evidence: {body.evidence}")
    return Why(tuple(stands), tuple(links_of(match, outcome)))


def _but_the_deal(match: Match, entry: Entry) -> str:
    """Of a corrected entry: that the deal goes by it as it was recorded first, if it does."""
    published, line = match.published(), match.fold.layout.first_line(entry)
    fixed = published is not None and line in (published.commitment, *published.lines)
    return "; the deal goes by that all the same" if fixed else ""


def _without_facts(match: Match, entry: Entry) -> Iterator[Link]:
    """The link of an entry without an outcome: line 1, an undone entry, a meta entry."""
    seq, _, body = entry
    marks, fact, text = match.fold.marks, body.do, ""
    target = body.args.get("target")
    target_verb = match.book.entries[target - 1].body.do if isinstance(target, int) and 1 <= target < seq else "?"
    rule = "design: meta entries"
    match body.do:
        case "create":
            fact, rule = "created", "the settings of line 1: hl rules"
            text = f"{match.table.title} is made, a match of {match.game.title}"
        case _ if seq in marks.struck:
            rest = _but_the_deal(match, entry) or ": it changes nothing"
            fact, text = "struck", f"undone by entry {marks.struck[seq]}{rest}"
        case "undo":
            undone = [str(number) for number in marks.undone.get(seq, ())]
            text = f"undoes entr{'y' if len(undone) == 1 else 'ies'} {', '.join(undone)}"
            text = text if undone else f"this undo was taken back: entry {target} counts again"
        case "redo":
            text = f"takes back entry {target} ({target_verb}): what it undid counts again"
        case "amend":
            amended = body.args.get("args")
            args = amended if isinstance(amended, dict) else {}
            changes = [f"{key} {in_a_word(value)}" for key, value in args.items()]
            changes += [f"at {body.args['at']}"] if body.args.get("at") else []
            text = f"entry {target} ({target_verb}) now says: {', '.join(changes)}"
        case "confirm":
            text = f"{body.by} has checked entry {target} ({target_verb})"
        case "posted":
            outcome = "will not be posted" if body.args.get("dropped") else "was posted"
            text = f"text {body.args.get('item')} for {body.args.get('audience')} {outcome}"
        case "posting":
            text = f"{body.by} began to send text {body.args.get('item')} for {body.args.get('audience')}"
        case "join":
            lines = body.args.get("lines", ())
            brought = count(len(lines) if isinstance(lines, list) else 0, "entry")
            text = f"recorded first in another copy: the next {brought}"
        case _:
            text = "it changes nothing in the match"
    yield Link(seq, body.at, fact, text, rule)
