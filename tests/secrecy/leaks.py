"""Seeded leaks: a game that says more than it may, so that the harness can be seen to fail. Shared by every game.

A `Leaky` takes a game and gives back one that leaks; what it must change outside the game it changes by the patch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from events import LedgerError, Unreadable
from events.audiences import EVERYBODY, HOST_VIEWER
from events.errors import Refused
from games.contract import Game
from games.kit.blocks import items
from games.table import actions as shared, facts as table_facts, rules
from ledger import page as replay
from ledger.cli import completion, output, reading, root
from ledger.cli.verb import ReadOptions
from ledger.tell import diff, export, outbox, redact, reports, steps, texts
from ledger.tell.explain import why
from tests.secrecy import desk as desk
from tests.secrecy.folder import Terminal
from tests.secrecy.harness import Memory
from tests.secrecy.judging import differs, draw_pair

Leaky = Callable[[Game, pytest.MonkeyPatch], Game]


def changed_view(change: Callable[[Any, str, Any], Any]) -> Leaky:
    """A game whose view says more; the host's stays as it is."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def view(state: Any, viewer: str) -> Any:
            shown = game.view(state, viewer)
            return shown if viewer == HOST_VIEWER else change(state, viewer, shown)

        return game._replace(view=view)

    return leak


def added_text(words: Callable[[Any, str], Any]) -> Leaky:
    """A game whose report says one thing more, out of the state."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        last: dict[str, Any] = {}

        def view(state: Any, viewer: str) -> Any:
            last["state"] = state
            return game.view(state, viewer)

        def report(frame: Any, shown: Any, result: Any) -> Any:
            more = words(last["state"], frame.viewer) if frame.viewer != HOST_VIEWER else None
            extra = [] if more is None else [items(more) if isinstance(more, str) else more]
            return [*game.report(frame, shown, result), *extra]

        return game._replace(view=view, report=report)

    return leak


def added_alt(words: Callable[[Any], str]) -> Leaky:
    """A game whose pictures say one thing more, out of the state, to who cannot see them."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        last: dict[str, str] = {}

        def view(state: Any, viewer: str) -> Any:
            last["words"] = words(state)
            return game.view(state, viewer)

        def told(draw: Any) -> Any:
            return lambda *parts: [
                block._replace(alt=f"{block.alt} {last['words']}") if hasattr(block, "alt") else block
                for block in draw(*parts)
            ]

        return game._replace(view=view, report=told(game.report), board=told(game.board))

    return leak


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


def opened_to_everybody(kind: type) -> Leaky:
    """A game in which everybody may open the entries of one verb."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def audience(state: Any, action: Any) -> Any:
            return EVERYBODY if isinstance(action, kind) else game.audience(state, action)

        return game._replace(audience=audience)

    return leak


def entries_always(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """The number of entries in the JSON of a running match."""
    real = reports.result_json

    def result_json(match: Any, point: Any) -> Any:
        return {**real(match, point), "entries": len(match.book.entries)}

    patch.setattr(reports, "result_json", result_json)
    return game


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


def told_at_the_terminal(
    game: Game, pairs: ModuleType, most: int, folder: Path, patch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Where the first `most` pairs differ when `entries_always` leaks and they are played by the real commands."""
    paper, terminal = Memory(game, pairs.knows), Terminal(folder)
    drawn = [draw_pair(pairs.draw, seed, paper.play).pair for seed in range(most)]
    drawn.sort(key=lambda pair: len(pair.one.steps) + len(pair.other.steps))  # a short match shows it as well
    entries_always(game, patch)
    return (differs(pair, terminal.play) or "" for pair in drawn)


# ---- what leaks in any game --------------------------------------------------------------------------------------
# Each is put into the code that tells, wherever it is called from, and must be found by the pairs of hosts.py.


def everywhere(patch: pytest.MonkeyPatch, real: Any, leaky: Any) -> None:
    """Put it in the place of a function, in every module that has it."""
    for module in [module for name, module in sys.modules.items() if name.startswith(("ledger.", "games."))]:
        for name, held in list(vars(module).items()):
            if held is real:
                patch.setattr(module, name, leaky)


def as_hosts(point: Any) -> Any:
    """The same moment with the eyes of the hosts."""
    return point._replace(viewer=HOST_VIEWER)


def replaced_holds_tokens(state: Any, facts: Any, viewer: str) -> str | None:
    found = [fact.player for fact in facts if isinstance(fact, table_facts.SeatReplaced)]
    return f"{state.table.garnets(found[0])} garnets come with the seat." if found else None


def dropped_had_sent(state: Any, facts: Any, viewer: str) -> str | None:
    found = [fact.player for fact in facts if isinstance(fact, table_facts.PlayerLeft)]
    sent = found and state.table.round is not None and state.table.round.sheets.get(found[0])
    return "A sheet was in." if sent else None


def covers_of_all(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A correction names the wrong texts of everybody."""
    real = outbox._corrections

    def leaky(match: Any, drifted: Any, sent: Any) -> Any:
        names = tuple(drift.item for drift in drifted)
        return [(since, item._replace(covers=names)) for since, item in real(match, drifted, sent)]

    everywhere(patch, real, leaky)
    return game


def correction_counts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A correction says how many texts of anybody were wrong."""
    real = outbox._correction

    def leaky(match: Any, listed: Any, audience: str) -> Any:
        posted = sum(1 for _ in outbox.posted_marks(match))
        said = real(match, listed, audience)
        return said._replace(below=(*said.below, items(f"One of {posted} texts.")))

    everywhere(patch, real, leaky)
    return game


def taken_back_by_hosts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A correction takes back in the words of hosts, as soon as its reader may know of what was undone."""

    def leaky(match: Any, drifts: Any, still: Any) -> Iterator[Any]:
        audience = drifts[0].before.audience
        posted = min(drift.posted for drift in drifts)
        for undo, seqs in match.fold.marks.undone.items():
            then = match.as_known(undo - 1).fold
            for outcome in then.outcomes if undo > posted else ():
                known = [fact for fact in outcome.facts if match.game.known(then.state, fact, audience)]
                if outcome.entry.seq in seqs and known:
                    yield (f"{match.game.explain(then.state, known[0]).text}.",)

    everywhere(patch, outbox._taken_back, leaky)
    return game


def results_of_all(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A correction tells each audience how the results of all others changed."""
    real = outbox.corrected

    def leaky(game_: Any, before: Any, after: Any, at: Any, told: Any = ()) -> Iterator[Any]:
        found = list(real(game_, before, after, at, told))
        for audience in ("public", *after.table.seats):
            yield from (item._replace(audience=audience) for item in found)

    patch.setattr(outbox, "corrected", leaky)
    return game


def pages_for_hosts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Markdown and HTML are drawn with the eyes of the hosts."""
    real = output.read_point

    def leaky(app: Any, reading: ReadOptions, otherwise: str) -> Any:
        shown = real(app, reading, otherwise)
        return as_hosts(shown) if reading.fmt in ("md", "html") else shown

    everywhere(patch, real, leaky)
    return game


def first_ones_news(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """The news of a summary are those of the first player."""
    real = outbox.summary_news
    everywhere(patch, real, lambda match, audience: real(match, match.table.players[0]))
    return game


def rounds_for_hosts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """One round is told with the eyes of the hosts."""
    real = reports.round_report
    everywhere(patch, real, lambda match, point, name: real(match, as_hosts(point), name))
    return game


def opened_besides(which: Callable[[Any, Any], bool]) -> Leaky:
    """A copy of the log in which these entries stand open too."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        real = redact.may_open

        def leaky(match: Any, viewer: str) -> Any:
            more = {entry.seq for entry in match.book.entries if which(match, (entry, viewer))}
            return real(match, viewer) | more

        everywhere(patch, real, leaky)
        return game

    return leak


def by_its_first_words(match: Any, asked: Any) -> bool:
    """An entry is judged by what was typed first, struck or amended since or not."""
    entry, viewer = asked
    try:
        action = match.engine.read(entry.body.do, entry.body.args, match.table)
    except LedgerError:
        return False
    ended = match.table.status == "finished"
    secret = isinstance(action, (shared.Note, shared.Ruling))
    return not secret and bool(match.game.audience(match.fold.state, action).admits(viewer, ended=ended))


def of_verb(*verbs: str) -> Leaky:
    """Entries about the log of these verbs are open to everybody in a copy."""
    return opened_besides(lambda match, asked: asked[0].body.do in verbs)


def lot_for_all(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Everybody may open a lot, whatever line of the table it touches."""
    return opened_to_everybody(shared.Lot)(game, patch)


def sorted_by_purse(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Rows of an export stand in the order of garnets."""
    real = export._scores

    def leaky(match: Any, point: Any) -> Any:
        return sorted(real(match, point), key=lambda row: point.fold.state.table.garnets(row["player"]))

    everywhere(patch, real, leaky)
    return game


def a_column_more(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A column of the CSV counts the lines of the log."""
    real = export.tables
    patch.setattr(export, "OTHERS", {**export.OTHERS, "facts": (*export.OTHERS["facts"], "lines")})

    def leaky(match: Any, point: Any) -> Any:
        found = real(match, point)
        return {**found, "facts": [{**row, "lines": len(match.book.entries)} for row in found["facts"]]}

    everywhere(patch, real, leaky)
    return game


def named_by_count(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A file of -o is called by the number of entries."""
    real = output.deliver

    def leaky(app: Any, text: str, reading: ReadOptions) -> None:
        target = reading.target and f"{reading.target}-{len(app.match.book.entries)}"
        real(app, text, reading._replace(target=target))

    everywhere(patch, real, leaky)
    return game


def earlier_for_hosts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """An earlier moment is told with the eyes of the hosts."""
    real = reports.at_point

    def leaky(match: Any, viewer: str, *, as_of: Any = None, known: Any = None, now: int) -> Any:
        shown = real(match, viewer, as_of=as_of, known=known, now=now)
        return shown if as_of is None else as_hosts(shown)

    everywhere(patch, real, leaky)
    return game


def key_where_contested(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """JSON has a key more while something is contested."""
    real = reports.view_json

    def leaky(match: Any, point: Any) -> Any:
        return {**real(match, point), **({"contested": True} if match.fold.contested else {})}

    everywhere(patch, real, leaky)
    return game


def code_where_contested(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A verb that tells leaves with 5 while something is contested."""
    real = root._invoke

    def leaky(app: Any, words: Any) -> int:
        code = real(app, words)
        return 5 if {"final", "reveal", "scores"} & {*words} and app.match.fold.contested else code

    everywhere(patch, real, leaky)
    return game


def offered_by_entries(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Completion offers first whom most was recorded of."""
    real = completion.candidates

    def leaky(hl: Any, words: Any, here: Any) -> Any:
        said = str([entry.body.args for entry in here.match.book.entries])
        return sorted(real(hl, words, here), key=lambda item: -said.count(f"'{item.value}'"))

    everywhere(patch, real, leaky)
    return game


def steps_of_the_log(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Steps of a replay are numbered by the log."""

    def add(self: Any, step: Any) -> None:
        self.steps.append(step._replace(number=len(self.steps) + 1, phase=f"{step.phase}{len(self.entries)}"))
        self.states.append(self.state)

    patch.setattr(steps.StepBuilder, "add", add)
    return game


def page_with_hosts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """The page holds the data of the hosts besides."""
    real = replay.page

    def leaky(listed: Any) -> str:
        match = listed[0].match
        return real([*listed, steps.steps_of(match, match.fold, HOST_VIEWER)])

    everywhere(patch, real, leaky)
    return game


def page_counts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """An attribute of the page counts the lines of the log."""
    real = replay.page

    def leaky(listed: Any) -> str:
        return real(listed).replace("<body", f'<body data-lines="{len(listed[0].match.book.entries)}"')

    everywhere(patch, real, leaky)
    return game


def refusal_of_a_try(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Who asks for more than somebody holds is told what all hold together."""
    real = rules.not_enough

    def leaky(table: Any, player: str, garnets: int) -> Refused:
        said = real(table, player, garnets)
        return Refused(said.code, f"{said.what}; all hold {sum(map(table.garnets, table.players))}", said.fix)

    everywhere(patch, real, leaky)
    return game


def refused_list_counts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Who asks for a list of the hosts is told how long it is."""
    real = output.hosts_match

    def leaky(app: Any, given: Any) -> Any:
        try:
            return real(app, given)
        except Unreadable as error:
            raise Unreadable(error.code, f"{error.what}, of {len(app.match.book.entries)} lines", error.fix) from None

    everywhere(patch, real, leaky)
    return game


def receipt_of_the_last(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A text for everybody has a receipt only while nothing was recorded after it."""
    real = texts._receipt

    def leaky(entries: Any, log: Any, item: Any) -> str:
        return real(entries, log, item) if item.seq == entries[-1].seq else ""

    everywhere(patch, real, leaky)
    return game


def letters_of_the_told(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A text is named by its place among those that the entry and all before it made."""
    real = texts.collect

    def leaky(match: Any, entries: Any) -> Any:
        found = list(real(match, entries).values())
        names = {item.name: f"{item.seq}{texts.letter(place)}" for place, item in enumerate(found)}
        return {names[item.name]: item._replace(name=names[item.name]) for item in found}

    everywhere(patch, real, leaky)
    return game


def changes_of_hosts(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """What differs between two moments is told with the eyes of the hosts."""
    real = diff.differences
    everywhere(patch, real, lambda match, before, after, viewer=HOST_VIEWER: real(match, before, after))
    return game


def amends_open(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """An amend opens to whom it names, though it was struck or replaced."""
    patch.setattr(redact._OpeningRules, "_if_in_effect", lambda self, entry, target, args, audience: audience)
    return game


def first_words_open(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """An entry for everybody opens as it was typed first, though its text was posted only after it was amended."""
    real = redact._OpeningRules._if_in_effect

    def leaky(self: Any, entry: Any, target: int, args: Any, audience: Any) -> Any:
        posted = any(f"{seq}a" in self.posted for seq in self.log.batch(target))
        return audience._replace(players=()) if posted else real(self, entry, target, args, audience)

    patch.setattr(redact._OpeningRules, "_if_in_effect", leaky)
    return game


def closed_lines_have_a_size(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A closed line of a copy says how long it was."""
    real = redact.close_line
    patch.setattr(redact, "close_line", lambda raw: real(raw)[:-2] + b',"size":%d}\n' % len(raw))
    return game


def chain_in_json(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """`explain final -f json` has the chain for everybody."""
    real = reading.deliver_lines

    def leaky(app: Any, lines: Any, options: ReadOptions, *more: Any, document: Any = None, **rest: Any) -> None:
        if document is not None:
            document = {**document, "chain": [link.as_json() for link in why(app.match, "final").chain]}
        real(app, lines, options, *more, document=document, **rest)

    patch.setattr(reading, "deliver_lines", leaky)
    return game


def looked_up_before_it_is_refused(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Who asks why is refused otherwise where there is no such entry."""
    real = reading.hosts_match

    def leaky(app: Any, options: ReadOptions) -> Any:
        words = sys._getframe(1).f_locals.get("what", "")
        if str(words).isdigit():
            app.match.check_entry(int(words))
        return real(app, options)

    patch.setattr(reading, "hosts_match", leaky)
    return game


def renamed_are_corrected(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A text that only another entry causes now is corrected, as if it said something else."""
    real = outbox._carriers
    patch.setattr(outbox, "_carriers", lambda group, waiting: (real(group, waiting)[0], False))
    return game


TAKEN_BACK: dict[str, tuple[str, Leaky]] = {
    "an amend that was struck or replaced": ("freeform", amends_open),
    "what was typed before the words that were posted": ("polar", first_words_open),
    "how long a closed line was": ("freeform", closed_lines_have_a_size),
    "why, in JSON": ("freeform", chain_in_json),
    "whether there is such an entry": ("freeform", looked_up_before_it_is_refused),
}
"""Leaks that no player can bring about: each is found by the twins of that game."""
ANYWHERE: dict[str, tuple[str, Leaky]] = {
    "a replaced seat tells what it holds": ("marsmatch", added_notice(replaced_holds_tokens)),
    "who leaves tells whether a sheet is in": ("hex_parties", added_notice(dropped_had_sent)),
    "a correction names the texts of others": ("equilibrium", covers_of_all),
    "a correction counts texts": ("equilibrium", correction_counts),
    "what was undone, in the words of hosts": ("poker_auction", taken_back_by_hosts),
    "what was undone in a round, in the words of hosts": ("hex_parties", taken_back_by_hosts),
    "md and html with the eyes of hosts": ("equilibrium", pages_for_hosts),
    "the first player's news for all": ("poker_auction", first_ones_news),
    "a round with the eyes of hosts": ("hex_parties", rounds_for_hosts),
    "a copy with dropped texts of others": (
        "polar", opened_besides(lambda match, asked: asked[0].body.do == "posted" and asked[0].body.args["dropped"]),
    ),
    "a copy judged by the first words": ("equilibrium", opened_besides(by_its_first_words)),
    "a lot that is told though its line is closed": ("hex_parties", lot_for_all),
    "undo and confirm of anything stand open": ("marsmatch", of_verb("undo", "confirm", "redo")),
    "what another copy brought stands open": ("hex_parties", of_verb("join")),
    "rows in the order of purses": ("equilibrium", sorted_by_purse),
    "a column that counts lines": ("polar", a_column_more),
    "the name of a file counts": ("marsmatch", named_by_count),
    "the alt text counts garnets": (
        "hex_parties", added_alt(lambda state: f"{sum(map(state.table.garnets, state.table.players))} garnets."),
    ),
    "an earlier moment with the eyes of hosts": ("equilibrium", earlier_for_hosts),
    "a key where something is contested": ("polar", key_where_contested),
    "an exit code where something is contested": ("polar", code_where_contested),
    "completion by what was recorded": ("polar", offered_by_entries),
    "steps numbered by the log": ("marsmatch", steps_of_the_log),
    "the page with the data of hosts": ("marsmatch", page_with_hosts),
    "an attribute of the page counts": ("equilibrium", page_counts),
    "a try is refused with what all hold": ("polar", refusal_of_a_try),
    "a list that is refused with its length": ("marsmatch", refused_list_counts),
    "a receipt only under the last line": ("equilibrium", receipt_of_the_last),
    "a text named by how many were made": ("equilibrium", letters_of_the_told),
    "two moments with the eyes of hosts": ("polar", changes_of_hosts),
    "the number of entries in JSON": ("marsmatch", entries_always),
    "how many owe something, in a reminder": ("hex_parties", reminders_count),
    "that another entry causes a text now": ("hex_parties", renamed_are_corrected),
}  # fmt: skip
"""Leaks that no game brings in: each is found by the pairs of that game in which hosts go on."""
