"""Blocks that the reports of all games share, made from context and result, which are already cut for the viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.instants import Instant
from games.contract import ReportContext, Result
from games.kinds import count, upper
from games.kit.blocks import Block, Emoji, Heading, Line, Span, Strong, Table, When, items, listing, text
from games.records import ABSENT
from games.table.state import spare_tokens

if TYPE_CHECKING:
    from games.contract import DeclaredResult

KINDS = {
    "vote": "vote who is Elimination Candidate",
    "gift": "give {spare} away",
    "choose": "choose",
    "lot": "a lot decides",
    "ruling": "a host decides",
}
TO_GIVE = ", one to keep; the others must be given away, or they lapse"
HOW = {
    "won": "{who} won a Token of Life",
    "lot": "{who} won a Token of Life by lot",
    "choice": "{who} won a Token of Life, picked by {by}",
    "declared": "{who} {has} a Token of Life because the hosts declared it",
    "awarded": "the hosts gave {who} a Token of Life, which does not count as winning it",
    "taken": "the hosts took a Token of Life from {who}",
    "given": "{by} gave {who} a Token of Life, which does not count as winning it",
    "lapsed": "{spare} of {whose} lapsed",
    "nobody": "nobody won a Token of Life",
}
"""How a player came by a token, in words."""
CHOSEN = {
    "vote": " by vote",
    "weights": " by vote, tied, weighed by the voters' garnets",
    "lot": " by lot",
    "choice": ", picked by {by}",
    "declared": ", declared by the hosts",
}
"""How a player became Elimination Candidate, in words."""
TOLD = "hosts declared it"
"""Stands in for a reason that is not told."""


def phases_after(play: str) -> dict[str, str]:
    """The reports' sentences for the phases after play; `play` is what play is called."""
    return {"deciding": f"{play} is over; something is still to be decided.", "finished": "The match is over."}


PHASES = {"pregame": "The match has not begun.", **phases_after("Play")}


def own_garnets(frame: ReportContext, garnets: int) -> list[Line]:
    """A line with the player's own garnets; empty if they may not know them."""
    return [] if garnets is ABSENT else [(Emoji(frame.emoji.get("garnet", "")), f"Garnets: {garnets}")]


def heading(frame: ReportContext) -> Heading:
    """The title of the match, its game unless that is the title, and the player whom the text is for."""
    title = frame.title if frame.title == frame.game else f"{frame.title} · {frame.game}"
    if frame.viewer not in (HOST_VIEWER, PUBLIC_VIEWER):
        title += f" · for {frame.names[frame.viewer]}"
    return Heading(title)


def ranking(
    frame: ReportContext,
    result: Result,
    columns: tuple[str, ...],
    cells: Callable[[str], Iterable[str]],
    numbers: tuple[int, ...] = (0, 2),
) -> list[Block]:
    """A table with the place, name and `cells` of each player, as far as the viewer may know."""
    rows = tuple((str(place), frame.names[p], *cells(p)) for place, p in result.places())
    table = Table(("#", "player", *columns), rows, numbers) if result.ranking else text("The ranking is not public.")
    return [Heading(f"{frame.title} · scores"), table]


def clock(paused: bool | None, ends: Instant | None, until: str = "It ends") -> tuple[Span, ...]:
    """The words after the name of a phase: that the clock is paused, and when the phase ends in the reader's time."""
    spans: tuple[Span, ...] = (" The clock is paused.",) if paused else ()
    return spans if ends is None else (*spans, f" {until} ", When(ends), ".")


def tokens_and_elimination(frame: ReportContext, result: Result) -> list[Block]:
    blocks: list[Block] = []
    if result.tokens and any(result.tokens.values()):
        held = {p: n for p, n in result.tokens.items() if n}
        token = Emoji(frame.emoji.get("token", ""))
        lines = [(token, Strong(frame.names[p]), f" · {count(n, 'Token')} of Life") for p, n in held.items()]
        blocks.append(items(*lines))
    named = {"Elimination Candidate": result.elimination, "Winner": result.winners, "Loser": result.losers}
    for what, players in named.items():
        if players:
            blocks.append(text(f"{what}{'s' if len(players) > 1 else ''}: ", Strong(frame.named(players))))
    return blocks


def decided(frame: ReportContext, result: Result) -> list[Block]:
    lines = []
    for d in result.decisions:
        who = f"{frame.named(d['who'])}: " if d.get("who") else ""
        among = f", among {frame.named(d['among'])}" if d.get("among") else ""
        what = "vote who wins a Token of Life" if d.get("about") == "token" else KINDS[d["kind"]]
        spare = (result.tokens or {}).get((*d.get("who", ()), "")[0], 0) - 1
        lines.append(f"{who}{what.format(spare=spare_tokens(spare))}{among}")
    return listing(lines)


def declared(frame: ReportContext, result: Result) -> list[Block]:
    return listing((declared_in_words(frame, row) for row in result.declared or ()), "Declared by the hosts")


def declared_in_words(frame: ReportContext, row: DeclaredResult) -> str:
    """One declaration: "Elimination Candidate: Dan. Reason: ..."."""
    who, tokens = frame.named(row["players"]), row.get("tokens", 0)
    words = {
        "elimination": f"Elimination Candidate: {who}.",
        "token": f"{who} has {count(tokens, 'Token')} of Life in all{TO_GIVE if tokens > 1 else ''}.",
        "winner": f"Winner: {who}.",
        "void": "The match is void: no tokens, no elimination, no rewards; garnets are as they were before it.",
    }[row["kind"]]
    return f"{words} Reason: {row['reason']}" if "reason" in row else words


def reasons(frame: ReportContext, result: Result) -> list[Block]:
    return listing(reason_lines(frame, result), "How it was decided")


def reason_lines(frame: ReportContext, result: Result, player: str = "") -> list[str]:
    """A sentence for each reason in the result, or only for those about `player`, who reads it."""
    by_kind = result.reasons or {"tokens": [], "elimination": []}
    rows = [(HOW[row["how"]], row) for row in by_kind["tokens"]]
    chosen, has, is_ = "{who} {is_} Elimination Candidate", *(("have", "are") if player else ("has", "is"))
    rows += [(chosen + CHOSEN.get(row["how"], ""), row) for row in by_kind["elimination"]]
    sentences = []
    for template, row in rows:
        if not player or row.get("player") == player:
            name = frame.named([row["player"]] if "player" in row else [])
            you = "You" if template.startswith("{who}") else "you"
            who, whose = (you, "yours") if player else (name, name)
            spare = upper(spare_tokens(by_kind["tokens"].count(row)))
            words = {"who": who, "whose": whose, "by": frame.named(row.get("by", ())), "spare": spare}
            sentence = upper(template).format(**words, has=has, is_=is_)
            why = "" if row.get("why") == TOLD else row.get("why")  # the sentence says already that hosts declared it
            sentences.append(f"{sentence}: {why}." if why else f"{sentence}.")
    return list(dict.fromkeys(sentences))


def void(frame: ReportContext, result: Result) -> list[Block]:
    """The whole report of a void match; empty for any other."""
    if not any(row["kind"] == "void" for row in result.declared or ()):
        return []
    held = {p: n for p, n in (result.garnets or {}).items() if n}
    garnet = Emoji(frame.emoji.get("garnet", ""))
    lines = [(garnet, Strong(frame.names[p]), f" · {count(n, 'garnet')}") for p, n in held.items()]
    return [heading(frame), *declared(frame, result), *listing(lines)]
