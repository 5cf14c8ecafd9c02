"""Seeded leaks: a game that says more than it may, so that the harness can be seen to fail. Shared by every game.

A `Leaky` takes a game and gives back one that leaks; what it must change outside the game it changes by the patch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import pytest

from events import LedgerError, Unreadable
from events.audiences import EVERYBODY, HOST_VIEWER
from events.errors import Refused
from games.contract import Game
from games.kit.blocks import items
from games.table import actions as shared, facts as table_facts, rules
from games.table.rounds import SheetSealed, silent
from ledger import page as replay
from ledger.cli import completion, output, root
from ledger.cli.verb import ReadOptions
from ledger.tell import diff, export, outbox, redact, reports, steps, texts
from ledger.tell.explain import why
from tests.secrecy.harness import Memory
from tests.secrecy.judging import draw_pair

Leaky = Callable[[Game, pytest.MonkeyPatch], Game]


def changed_view(change: Callable[[Any, str, Any], Any]) -> Leaky:
    """A game whose view says more; the host's stays as it is."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def view(state: Any, viewer: str) -> Any:
            shown = game.view(state, viewer)
            return shown if viewer == HOST_VIEWER else change(state, viewer, shown)

        return game._replace(view=view)

    return leak


def changed_rows(change: Callable[[Any, str, Any], Mapping[str, Any]]) -> Leaky:
    """A game whose view says more of each player, out of the state, who it is, and what is shown of them."""

    def changed(state: Any, viewer: str, shown: Any) -> Any:
        rows = {p: row._replace(**change(state, p, row)) for p, row in (shown.players or {}).items()}
        return shown._replace(players=rows) if rows else shown

    return changed_view(changed)


def changed_rounds(records: Callable[[Any], Any], change: Callable[[Any, Any], Mapping[str, Any]]) -> Leaky:
    """A game whose view says more of each round, out of what hosts have of it."""

    def changed(state: Any, viewer: str, shown: Any) -> Any:
        both = zip(shown.rounds, records(state), strict=True)
        return shown._replace(rounds=tuple(one._replace(**change(one, record)) for one, record in both))

    return changed_view(changed)


def _with_state(change: Callable[[Any, str, Any], Any], *, board: bool = False) -> Leaky:
    """A game whose report is another, out of the state and of who reads it; `board`: and what it draws."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        last: list[Any] = []

        def view(state: Any, viewer: str) -> Any:
            last[:] = [state]
            return game.view(state, viewer)

        def told(draw: Any) -> Any:
            return lambda frame, *parts: change(last[0], frame.viewer, list(draw(frame, *parts)))

        return game._replace(view=view, report=told(game.report), **({"board": told(game.board)} if board else {}))

    return leak


def added_text(words: Callable[[Any, str], Any]) -> Leaky:
    """A game whose report says one thing more, out of the state."""

    def more(state: Any, viewer: str, made: list[Any]) -> list[Any]:
        said = words(state, viewer) if viewer != HOST_VIEWER else None
        return [*made, *([] if said is None else [items(said) if isinstance(said, str) else said])]

    return _with_state(more)


def changed_blocks(change: Callable[[Any, Any], Any], **where: bool) -> Leaky:
    """A game that changes each block of its report out of the state."""
    return _with_state(lambda state, viewer, made: [change(state, block) for block in made], **where)


def added_alt(words: Callable[[Any], str]) -> Leaky:
    """A game whose pictures say one thing more, out of the state, to who cannot see them."""

    def more(state: Any, block: Any) -> Any:
        return block._replace(alt=f"{block.alt} {words(state)}") if hasattr(block, "alt") else block

    return changed_blocks(more, board=True)


def added_notice(words: Callable[[Any, list[Any], str], str | None]) -> Leaky:
    """A game that tells somebody one thing more."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def tell(state: Any, facts: Any, viewer: str) -> Any:
            listed = list(facts)
            more = words(state, listed, viewer) if viewer != HOST_VIEWER else None
            said = game.tell(state, listed, viewer)
            return said._replace(lines=(*said.lines, (more,))) if more else said

        return game._replace(tell=tell)

    return leak


def noticed(kind: type, words: str, which: Callable[[Any], Any] = lambda fact: True) -> Leaky:
    """A game that tells everybody that there is such a fact."""
    return added_notice(lambda s, facts, v: words if any(isinstance(x, kind) and which(x) for x in facts) else None)


def of_the_round(words: Callable[[Any, Any], str]) -> Leaky:
    """A game whose report says one thing more while a round is on, out of who has sent nothing."""
    return added_text(lambda s, v: words(s, silent(s.table, s.table.round)) if s.table.round is not None else None)


OF_SHEETS: dict[str, Leaky] = {
    "who has sent nothing": of_the_round(lambda state, quiet: " ".join(quiet)),
    "how many sheets are in": of_the_round(lambda state, quiet: str(len(quiet))),
    "a sheet told to everybody": noticed(SheetSealed, "A sheet is in."),
    "a late sheet told to everybody": noticed(SheetSealed, "Late!", lambda fact: fact.sheet.late),
}
"""In every game that has sheets."""


def changed_rules(judge: Callable[[Any, Any, Refused | None], Refused | None]) -> Leaky:
    """A game that refuses otherwise."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def decide(state: Any, action: Any, moment: Any) -> Any:
            try:
                facts = game.decide(state, action, moment)
            except Refused as refusal:
                raise judge(state, action, refusal) or refusal from None
            if (refusal := judge(state, action, None)) is not None:
                raise refusal
            return facts

        return game._replace(decide=decide)

    return leak


def refused_with(code: str, words: Callable[[Any, Any, Refused], Any]) -> Leaky:
    """A game that says more in its refusals of that code, or with codes that begin so; nothing where it has no words
    for it."""

    def judge(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
        if refusal is None or code not in f".{refusal.code}." or (more := words(state, action, refusal)) is None:
            return refusal
        return Refused(refusal.code, f"{refusal.what}; {more}", refusal.fix)

    return changed_rules(judge)


def opened_to_everybody(kind: type) -> Leaky:
    """A game in which everybody may open the entries of one verb."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def audience(state: Any, action: Any) -> Any:
            return EVERYBODY if isinstance(action, kind) else game.audience(state, action)

        return game._replace(audience=audience)

    return leak


def reminders_count(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A reminder that says how many others are late as well."""

    def waiting(state: Any) -> Any:
        owed = game.waiting(state)
        return tuple(due._replace(what=f"{due.what}, like {len(owed) - 1} others,") for due in owed)

    return game._replace(waiting=waiting)


def others(state: Any, viewer: str) -> list[str]:
    """Everybody of whom the viewer may not know everything."""
    return [p for p in state.table.seats if p != viewer]


def found_within(game: Game, pairs: ModuleType) -> int:
    """The number of a pair of the quick run that told the two matches apart.

    Args:
        pairs: The module that draws the pairs of that game.

    Raises:
        AssertionError: none did.
    """
    paper = Memory(game, pairs.knows)
    for seed in dict.fromkeys((*pairs.TELLING, *range(pairs.QUICK))):
        try:
            drawn = draw_pair(pairs.draw, seed, paper.play)
        except (AssertionError, ZeroDivisionError):
            continue  # no pair, or the same crash in both
        if drawn.leak is not None:
            return seed
    raise AssertionError(f"{pairs.QUICK} pairs did not show it")


# ---- what leaks in any game --------------------------------------------------------------------------------------
# Each is put into the code that tells, wherever it is called from, and must be found by the pairs of hosts.py.


def everywhere(patch: pytest.MonkeyPatch, real: Any, leaky: Any) -> None:
    """Put it in the place of a function, in every module that has it."""
    for module in [module for name, module in sys.modules.items() if name.startswith(("ledger.", "games."))]:
        for name, held in list(vars(module).items()):
            if held is real:
                patch.setattr(module, name, leaky)


def put(where: Any, name: str, *, alone: bool = False) -> Callable[[Callable[..., Any]], Leaky]:
    """A leak in the place of a function, which it is given before its arguments.

    Args:
        alone: Only there, and not in every module that has it.
    """

    def made(leaky: Callable[..., Any]) -> Leaky:
        def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
            real = getattr(where, name)

            def instead(*args: Any, **more: Any) -> Any:
                return leaky(real, *args, **more)

            if alone or isinstance(where, type):
                patch.setattr(where, name, instead)
            else:
                everywhere(patch, real, instead)
            return game

        return leak

    return made


ANYWHERE: dict[str, tuple[str, Leaky]] = {}
"""Leaks that no game brings in: each is found by the pairs of that game in which hosts go on."""
TAKEN_BACK: dict[str, tuple[str, Leaky]] = {}
"""Leaks that no player can bring about: each is found by the twins of that game."""


def found(name: str, game: str, table: dict[str, tuple[str, Leaky]] = ANYWHERE) -> Callable[[Leaky], Leaky]:
    """A leak of that table, under a name that says what leaks, with the game in which it is found."""

    def made(leaky: Leaky) -> Leaky:
        table[name] = (game, leaky)
        return leaky

    return made


def as_hosts(point: Any) -> Any:
    """The same moment with the eyes of the hosts."""
    return point._replace(viewer=HOST_VIEWER)


def listed_for_hosts(match: Any) -> Any:
    """The steps of its replay as hosts see them."""
    return steps.steps_of(match, match.fold, HOST_VIEWER)


def lines_of(app: Any) -> int:
    """How many the log has."""
    return len(app.match.book.entries)


@found("a replaced seat tells what it holds", "marsmatch")
@added_notice
def _replaced_holds(state: Any, facts: Any, viewer: str) -> str | None:
    found = [fact.player for fact in facts if isinstance(fact, table_facts.SeatReplaced)]
    return f"{state.table.garnets(found[0])} garnets come with the seat." if found else None


@found("who leaves tells whether a sheet is in", "hex_parties")
@added_notice
def _dropped_had_sent(state: Any, facts: Any, viewer: str) -> str | None:
    found = [fact.player for fact in facts if isinstance(fact, table_facts.PlayerLeft)]
    sent = found and state.table.round is not None and state.table.round.sheets.get(found[0])
    return "A sheet was in." if sent else None


@found("a correction names the texts of others", "equilibrium")
@put(outbox, "_corrections")
def _covers_of_all(real: Any, match: Any, drifted: Any, *more: Any) -> Any:
    names = tuple(drift.item for drift in drifted)
    return [(since, item._replace(covers=names)) for since, item in real(match, drifted, *more)]


@found("a correction counts texts", "equilibrium")
@put(outbox, "_correction")
def _correction_counts(real: Any, match: Any, *more: Any) -> Any:
    posted, said = sum(1 for _ in outbox.posted_marks(match)), real(match, *more)
    return said._replace(below=(*said.below, items(f"One of {posted} texts.")))


@found("what was undone, in the words of hosts", "poker_auction")
@found("what was undone in a round, in the words of hosts", "hex_parties")
@put(outbox, "_taken_back")
def taken_back_by_hosts(real: Any, match: Any, drifts: Any, still: Any) -> Iterator[Any]:
    """A correction takes back in the words of hosts, as soon as its reader may know of what was undone."""
    audience, posted = drifts[0].before.audience, min(drift.posted for drift in drifts)
    for undo, seqs in match.fold.marks.undone.items():
        then = match.as_known(undo - 1).fold
        for outcome in then.outcomes if undo > posted else ():
            known = [fact for fact in outcome.facts if match.game.known(then.state, fact, audience)]
            if outcome.entry.seq in seqs and known:
                yield (f"{match.game.explain(then.state, known[0]).text}.",)


@put(outbox, "changed_result", alone=True)
def results_of_all(real: Any, match: Any, before: Any, after: Any, _: str, places: bool) -> Iterator[Any]:
    """A correction tells each audience how the results of all others changed."""
    for audience in ("public", *after.table.seats):
        yield from real(match, before, after, audience, places)


@found("md and html with the eyes of hosts", "equilibrium")
@put(output, "read_point")
def _pages_for_hosts(real: Any, app: Any, reading: ReadOptions, otherwise: str) -> Any:
    shown = real(app, reading, otherwise)
    return as_hosts(shown) if reading.fmt in ("md", "html") else shown


def opened_besides(which: Callable[[Any, Any, str], Any]) -> Leaky:
    """A copy of the log in which these entries stand open too, of the match and for that viewer."""

    @put(redact, "may_open")
    def leak(real: Any, match: Any, viewer: str) -> Any:
        return real(match, viewer) | {entry.seq for entry in match.book.entries if which(match, entry, viewer)}

    return leak


@found("a copy judged by the first words", "equilibrium")
@opened_besides
def _by_its_first_words(match: Any, entry: Any, viewer: str) -> bool:
    """An entry is judged by what was typed first, struck or amended since or not."""
    try:
        action = match.engine.read(entry.body.do, entry.body.args, match.table)
    except LedgerError:
        return False
    ended = match.table.status == "finished"
    secret = isinstance(action, (shared.Note, shared.Ruling))
    return not secret and bool(match.game.audience(match.fold.state, action).admits(viewer, ended=ended))


@found("a column that counts lines", "polar")
def _a_column_more(game: Game, patch: pytest.MonkeyPatch) -> Game:
    patch.setattr(export, "OTHERS", {**export.OTHERS, "facts": (*export.OTHERS["facts"], "lines")})

    @put(export, "tables")
    def leak(real: Any, match: Any, point: Any) -> Any:
        found = real(match, point)
        return {**found, "facts": [{**row, "lines": len(match.book.entries)} for row in found["facts"]]}

    return leak(game, patch)


@found("an earlier moment with the eyes of hosts", "equilibrium")
@put(reports, "at_point")
def _earlier_for_hosts(real: Any, match: Any, viewer: str, *, as_of: Any = None, known: Any = None, now: int) -> Any:
    shown = real(match, viewer, as_of=as_of, known=known, now=now)
    return shown if as_of is None else as_hosts(shown)


@found("an exit code where something is contested", "polar")
@put(root, "_invoke")
def _code_where_contested(real: Any, app: Any, words: Any) -> int:
    code: int = real(app, words)
    return 5 if {"final", "reveal", "scores"} & {*words} and app.match.fold.contested else code


@found("completion by what was recorded", "polar")
@put(completion, "candidates")
def _offered_by_entries(real: Any, hl: Any, words: Any, here: Any) -> Any:
    """Offered first is of whom most was recorded."""
    said = str([entry.body.args for entry in here.match.book.entries])
    return sorted(real(hl, words, here), key=lambda item: -said.count(f"'{item.value}'"))


@found("steps numbered by the log", "marsmatch")
@put(steps.StepBuilder, "add")
def _steps_of_the_log(real: Any, self: Any, step: Any) -> None:
    self.steps.append(step._replace(number=len(self.steps) + 1, phase=f"{step.phase}{len(self.entries)}"))
    self.states.append(self.state)


@found("a try is refused with what all hold", "polar")
@put(rules, "not_enough")
def _refusal_of_a_try(real: Any, table: Any, player: str, *more: Any) -> Refused:
    said = real(table, player, *more)
    return Refused(said.code, f"{said.what}; all hold {sum(map(table.garnets, table.players))}", said.fix)


@found("a list that is refused with its length", "marsmatch")
@put(output, "hosts_match")
def _refused_list_counts(real: Any, app: Any, given: Any) -> Any:
    try:
        return real(app, given)
    except Unreadable as error:
        raise Unreadable(error.code, f"{error.what}, of {lines_of(app)} lines", error.fix) from None


@found("a text named by how many were made", "equilibrium")
@put(texts, "collect")
def _letters_of_the_told(real: Any, match: Any, entries: Any) -> Any:
    """Its letter is its place among the texts that the entry and all before it made."""
    listed = list(real(match, entries).values())
    names = {item.name: f"{item.seq}{texts.letter(place)}" for place, item in enumerate(listed)}
    return {names[item.name]: item._replace(name=names[item.name]) for item in listed}


@found("how long a closed line was", "freeform", TAKEN_BACK)
@put(redact, "close_line", alone=True)
def _closed_lines_have_a_size(real: Any, raw: bytes) -> bytes:
    return bytes(real(raw)[:-2] + b',"size":%d}\n' % len(raw))


@found("why, in JSON", "freeform", TAKEN_BACK)
@put(output, "deliver_lines", alone=True)
def _chain_in_json(
    real: Any, app: Any, lines: Any, options: Any, *more: Any, document: Any = None, **rest: Any
) -> None:
    """`explain final -f json` has the chain for everybody."""
    if document is not None:
        document = {**document, "chain": [link.as_json() for link in why(app.match, "final").chain]}
    real(app, lines, options, *more, document=document, **rest)


@found("whether there is such an entry", "freeform", TAKEN_BACK)
@put(output, "hosts_match", alone=True)
def _looked_up_before_it_is_refused(real: Any, app: Any, options: ReadOptions) -> Any:
    """Who asks why is refused otherwise where there is none."""
    words = sys._getframe(2).f_locals.get("what", "")
    if str(words).isdigit():
        app.match.check_entry(int(words))
    return real(app, options)


INSTEAD: dict[str, tuple[str, Any, str, Callable[..., Any]]] = {
    "the first player's news for all": (
        "poker_auction", outbox, "summary_news", lambda real, match, who: real(match, match.table.players[0]),
    ),
    "a round with the eyes of hosts": (
        "hex_parties", reports, "round_report", lambda real, match, point, name: real(match, as_hosts(point), name),
    ),
    "two moments with the eyes of hosts": (
        "polar", diff, "differences", lambda real, match, before, after, *viewer: real(match, before, after),
    ),
    "the page with the data of hosts": (
        "marsmatch", replay, "page", lambda real, listed: real([*listed, listed_for_hosts(listed[0].match)]),
    ),
    "rows in the order of purses": (
        "equilibrium", export, "_scores", lambda real, match, point: sorted(
            real(match, point), key=lambda row: point.fold.state.table.garnets(row["player"])
        ),
    ),
    "the name of a file counts": (
        "marsmatch", output, "deliver", lambda real, app, text, reading: real(
            app, text, reading._replace(target=reading.target and f"{reading.target}-{lines_of(app)}")
        ),
    ),
    "an attribute of the page counts": (
        "equilibrium", replay, "page", lambda real, listed: real(listed).replace(
            "<body", f'<body data-lines="{lines_of(listed[0])}"'
        ),
    ),
    "a key where something is contested": (
        "polar", reports, "view_json", lambda real, match, point: (
            real(match, point) | ({"contested": True} if match.fold.contested else {})
        ),
    ),
    "the number of entries in JSON": (
        "marsmatch", reports, "result_json", lambda real, match, point: (
            real(match, point) | {"entries": len(match.book.entries)}
        ),
    ),
    "a receipt only under the last line": (
        "equilibrium", texts, "_receipt", lambda real, entries, log, item: (
            real(entries, log, item) if item.seq == entries[-1].seq else ""
        ),
    ),
    "the receipt of the newest line": (
        "equilibrium", texts, "_receipt", lambda real, entries, *more: real(entries, *more) and entries[-1].hash,
    ),
    "that another entry causes a text now": (  # it is corrected, as if it said something else
        "hex_parties", outbox, "_carriers", lambda real, *words: ([], False),
    ),
}  # fmt: skip
"""Leak -> the game that shows it, and what stands in the place of which function."""
ANYWHERE |= {name: (game, put(where, of)(leaky)) for name, (game, where, of, leaky) in INSTEAD.items()}
ANYWHERE |= {
    "a copy with dropped texts of others": (
        "polar", opened_besides(lambda match, entry, viewer: entry.body.do == "posted" and entry.body.args["dropped"]),
    ),
    "a lot that is told though its line is closed": ("hex_parties", opened_to_everybody(shared.Lot)),
    "undo and confirm of anything stand open": (
        "marsmatch", opened_besides(lambda match, entry, viewer: entry.body.do in ("undo", "confirm", "redo"))
    ),
    "what another copy brought stands open": (
        "hex_parties", opened_besides(lambda match, entry, viewer: entry.body.do == "join")
    ),
    "the alt text counts garnets": (
        "hex_parties", added_alt(lambda state: f"{sum(map(state.table.garnets, state.table.players))} garnets."),
    ),
    "how many owe something, in a reminder": ("hex_parties", reminders_count),
}  # fmt: skip
TAKEN_BACK["an amend that was struck or replaced"] = (
    "freeform", put(redact._OpeningRules, "_if_in_effect")(lambda real, self, *words: words[-1]),
)  # fmt: skip
