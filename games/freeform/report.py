"""Reports of a match of a file: holdings, open cards, the sheets of a round. From views alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.audiences import HOST_VIEWER
from games.contract import ReportContext, Result
from games.freeform.view import FileView, PlayerView
from games.freeform.words import sheet_words
from games.kinds import called
from games.kit.blocks import Block, Heading, Items, Line, Strong, Table, items, listing, text
from games.records import ABSENT
from games.table.report import own_garnets, phases_after, ranking

PHASES = {
    "setup": "The match has not begun.",
    "play": "The match is on.",
    "between": "The round is resolved; the next one begins when a host opens it.",
    "settling": "All rounds are resolved; the hosts are recording what follows.",
    **phases_after("Play"),
}


def _names(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """The keys of these tables in order, each once."""
    return list(dict.fromkeys(key for row in rows if row for key in row))


def _label(view: FileView, name: str) -> str:
    return (view.labels or {}).get(name) or name.replace("_", " ")


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(cards) or "none"


def now(frame: ReportContext, me: PlayerView, view: FileView) -> list[Line]:
    lines = [f"{_label(view, name)}: {value}" for name, value in (me.has or {}).items()]
    lines += [f"{_label(view, name)}: {_cards(cards)}" for name, cards in (me.cards or {}).items() if cards]
    return [*lines, *own_garnets(frame, me.garnets or ABSENT)]


def page(frame: ReportContext, view: FileView, result: Result) -> list[Block]:
    """The counters of all players, the table, and the sheets that were opened last."""
    rows = {p: row for p, row in (view.players or {}).items() if frame.viewer == HOST_VIEWER or p != frame.viewer}
    counters, cards = _names(row.has for row in rows.values()), _names(row.cards for row in rows.values())
    blocks: list[Block] = [*_on_the_table(frame, view)]
    host = frame.viewer == HOST_VIEWER
    garnets = any(row.garnets for row in rows.values())
    if rows and (counters or cards or garnets or (host and view.sheets)):
        columns = [("player", [*map(frame.row, rows)])]
        columns += [(_label(view, n), [str((row.has or {}).get(n, "")) for row in rows.values()]) for n in counters]
        columns += [(_label(view, n), [" ".join((row.cards or {}).get(n, ())) for row in rows.values()]) for n in cards]
        columns += [("garnets", [str(row.garnets or 0) for row in rows.values()])] if garnets else []
        columns += [("sheet", [(view.sheets or {}).get(p) or "-" for p in rows])] if host and view.sheets else []
        header, cells = zip(*columns, strict=True)
        blocks.append(Table(header, tuple(zip(*cells, strict=True)), tuple(range(1, len(counters) + 1))))
    return [*blocks, *_scores(frame, view, result)]


def scores(frame: ReportContext, view: FileView, result: Result) -> list[Block]:
    """The ranking, with the heading `score` because a counter of the file may be called `points`."""
    return ranking(frame, result, ("score",), lambda p: (str((result.scores or {}).get(p, "")),))


def _scores(frame: ReportContext, view: FileView, result: Result) -> list[Block]:
    """Once play is over, the places with scores, or only the scores that may be known if not all may."""
    points = result.scores or {}
    if view.phase not in ("deciding", "finished") or not points:
        return []
    if result.ranking:
        return scores(frame, view, result)[1:]
    return [items(*((Strong(frame.names[p]), f" · score {n}") for p, n in points.items()))]


def _on_the_table(frame: ReportContext, view: FileView) -> list[Block]:
    lines = [f"{_label(view, name)}: {value}" for name, value in (view.table or {}).items()]
    lines += [f"{_label(view, name)} on the table: {_cards(cards)}" for name, cards in (view.laid or {}).items()]
    lines += [f"{_label(view, name)} in the deck: {_cards(cards)}" for name, cards in (view.deck or {}).items()]
    return listing(lines)


def board(frame: ReportContext, view: FileView, result: Result) -> list[Block]:
    blocks = page(frame, view, result)
    return [Heading(f"{frame.title} · table"), *(blocks or [text("No card is open.")])]


def rounds(frame: ReportContext, view: FileView, name: str) -> list[Block]:
    rows = [(frame.names[p], row.opened[name]) for p, row in (view.players or {}).items() if name in (row.opened or {})]
    if not rows:
        return []
    fields = (view.fields or {}).get(name, ())
    lines = [(Strong(who), f" · {sheet_words(fields, words)}") for who, words in rows]
    return [Heading(f"{frame.title} · {called(name)}"), Items(tuple(lines))]
