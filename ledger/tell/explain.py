"""Why: the chain of entries and numbered rules behind an entry, a player, a card, a round, or the result.

Garnets, tokens and the Elimination Candidate are followed through every fact by what it changed, so that each account
adds up in every game. Belongs here: which facts explain something. Does not belong here: their words (the games).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from games.contract import Result
from games.kinds import digits
from games.records import plain
from games.table import facts as table_facts
from games.table.report import declared_in_words
from games.table.rounds import RoundOpened, RoundResolved
from ledger.core.match import Match
from ledger.tell.applied import applied_facts
from ledger.tell.chain import Link, Why
from ledger.tell.differences import in_a_line
from ledger.tell.explain_entry import explain_entry
from ledger.tell.mentions import concerns, readings
from ledger.tell.reports import resolved_in

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
RESULTS = (table_facts.EliminationFound, table_facts.WinnersFound, table_facts.Declared, table_facts.ReasonTold)
PHASES = (table_facts.PhaseBegan, table_facts.PhaseEnded, table_facts.Reopened, RoundOpened, RoundResolved)


def why(match: Match, target: str) -> Why:
    """What is behind an entry number, a player, `final`, `round:NAME`, or any one word that a fact holds, like a card.

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
    """Where a player stands now, from the view of the hosts."""
    state, table = match.fold.state, match.table
    players = plain(match.game.view(state, HOST_VIEWER)).get("players")
    row = players.get(player) if isinstance(players, Mapping) else None
    player_view: Mapping[str, Any] = row if isinstance(row, Mapping) else {}
    fields = [in_a_line(player_view).replace("_", " ")] if player_view else []
    if "garnets" not in player_view:
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
        token_parts = [f"{token_count} Token{'' if token_count == 1 else 's'} of Life"] if token_count else []
        yield ", ".join([*token_parts, *(["Elimination Candidate"] if player in table.elimination else [])])


def _explain_final(match: Match) -> Why:
    chain: list[Link] = []
    for applied in applied_facts(match):
        for player in match.table.players:
            chain += applied.accounts(match, player)
        groups = (("elimination", RESULTS), ("decisions", DECISIONS), ("phases", PHASES))
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
        yield f"Entry {outcome.live.seq} ({outcome.live.do}) is contested and counts for nothing; hl status"
