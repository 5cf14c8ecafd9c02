"""The sentences about facts, for hosts and for each viewer; and the reports derived from labels.

Reports read only views and results, which are already cut for their viewer. A fact is told if its lines are open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.contract import (
    COURSE,
    DERIVED,
    OWN,
    AnyFact,
    AnyState,
    AnyValue,
    AnyView,
    Fact,
    FactSpec,
    Game,
    Label,
    Lines,
    News,
    Reason,
    ReportContext,
    Result,
    Rounds,
    State,
    player_fields,
    spec_of,
    with_stated,
)
from games.kinds import BREAK, called, count, upper
from games.kit.blocks import Block, Emoji, Heading, Line, Notice, Span, Table, listing, notice, text
from games.parts.rules import TABLE_FACTS
from games.parts.view import cut_view, data_of, gate, lines_of, result
from games.records import ABSENT, is_record
from games.table import facts
from games.table.facts import HOST_POWERS
from games.table.report import (
    TOLD,
    clock,
    decided,
    declared,
    heading,
    ranking,
    reason_lines,
    reasons,
    tokens_and_elimination,
    void,
)
from games.table.rounds import LateAdmitted, RoundResolved, SheetSealed, before, content, counted, up_to
from games.table.view import PURSES, asked, frame

of_table: Mapping[type, FactSpec] = {cls: spec for cls in TABLE_FACTS if (spec := spec_of(cls))}

Specs: TypeAlias = Callable[[], Mapping[type, FactSpec]]
"""Fact class -> its spec. A function, so that a command that tells nothing does not pay for putting them together."""


class _Number(int):
    """A number in a text, which `{chips:chip}` follows with a noun."""

    def __format__(self, noun: str) -> str:
        return count(self, noun) if noun else str(int(self))


class _Fields(dict[str, AnyValue]):
    def __init__(self, state: State, fact: Fact) -> None:
        super().__init__()
        self.table, self.fact = state.table, fact

    def __missing__(self, name: str) -> AnyValue:
        value = getattr(self.fact, name)
        many = player_fields(self.fact.__class__).get(name)
        if many is not None:
            return self.table.named(value) if many else self.table.name(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return _Number(value)
        if is_record(value):
            return value
        return " ".join(value) or "none" if isinstance(value, tuple) else "" if value is None else value


def said(words: AnyValue, fact: Fact, state: AnyState, *viewer: str) -> AnyValue:
    """A fact in the words of a text with fields in braces, or of a function; "" if there are none."""
    if callable(words):
        return words(fact, state, *viewer)
    return words.format_map(_Fields(state, fact)) if words and "{" in words else words or ""


def specs(game: Game) -> Mapping[type, FactSpec]:
    """The spec of every fact of the game; for a fact of the table, what the game does not state the table does."""
    marked = (line.key for name, lines, _ in data_of(game.player_view) if name == "garnets" for line in lines)
    purse = next(marked, next((line for line in PURSES if line in game.visibility), OWN))
    rounds = game.rounds
    derived = {
        facts.Moved: of_table[facts.Moved]._replace(line=purse),
        facts.RewardPaid: of_table[facts.RewardPaid]._replace(line=purse),
        facts.FieldSet: _field_set(game),
        facts.ResultChanged: _result_changed(game),
    }
    if rounds is not None and (rounds.items or rounds.spelled):
        derived[SheetSealed], derived[LateAdmitted] = _sheet_sealed(rounds), _late_admitted(rounds)
    by_fact = {**of_table, **derived, **{cls: spec for cls in game.facts if (spec := spec_of(cls))}}
    for cls, stated in game.table_facts.items():
        under = by_fact.get(cls)
        by_fact[cls] = stated if under is None else with_stated(under, stated)
    for cls in (facts.EliminationFound, facts.WinnersFound):
        by_fact[cls] = by_fact[cls]._replace(rule=_unless_declared(by_fact[cls].rule))
    opened = by_fact[facts.DecisionOpened]

    def owner(fact: facts.DecisionOpened, state: AnyState, viewer: str) -> News:
        may_know = asked(state.table, fact.decision, viewer, partial(lines_of, game))
        return said(opened.owner, fact, state, viewer) if may_know else None

    by_fact[facts.DecisionOpened] = opened._replace(owner=owner, line=COURSE)
    return by_fact


def _unless_declared(rule: str | Callable[[AnyFact, AnyState], str]) -> Callable[[AnyFact, AnyState], str]:
    """The rule that the game states, or the hosts' powers if hosts declared the result."""
    return lambda fact, state: HOST_POWERS if fact.why == TOLD else said(rule, fact, state)


def _sheet_sealed(rounds: Rounds) -> FactSpec:
    def host(fact: SheetSealed, state: AnyState) -> str:
        on_it = "; ".join(_on_it(rounds, fact, state).values())
        if not on_it and rounds.spelled and fact.sheet.content is not None:  # of a round that is over
            on_it = rounds.spelled(fact.sheet.content)
        return fact.host(state, on_it, "; ".join(_off_it(rounds, fact, state)))

    return of_table[SheetSealed]._replace(
        host=host,
        owner=lambda fact, state, viewer: fact.owner(state, viewer, "; ".join(_on_it(rounds, fact, state).values())),
    )


def _late_admitted(rounds: Rounds) -> FactSpec:
    def owner(fact: LateAdmitted, state: AnyState, viewer: str) -> News:
        on = state.table.round
        own = on.sheets.get(fact.player, ()) if on is not None else ()
        sealed = (SheetSealed(fact.player, sheet, fact.round) for sheet in own if sheet.seq == fact.seq)
        whole = next(("; ".join(_on_it(rounds, sheet, state).values()) for sheet in sealed), "")
        return fact.owner(state, viewer, whole)

    return of_table[LateAdmitted]._replace(owner=owner)


def _on_it(rounds: Rounds, fact: SheetSealed, state: AnyState) -> Mapping[str, str]:
    """Everything on the player's sheet, in words by kind, with what just came in, as if a late sheet counted."""
    on = state.table.round
    if on is None or on.name != fact.round or fact.sheet.content is None:
        return {}
    whole = up_to(on, fact.player, fact.sheet.seq)
    if rounds.items is not None:
        return rounds.items(state, whole, fact.player) or {"": "nothing on it"}
    sheet = content(whole, fact.player)
    return {} if sheet is None or rounds.spelled is None else {"": rounds.spelled(sheet)}


def _off_it(rounds: Rounds, fact: SheetSealed, state: AnyState) -> list[str]:
    on = state.table.round
    if rounds.items is None or fact.sheet.parts is None or on is None or on.name != fact.round:
        return []
    now = _on_it(rounds, fact, state)
    old = rounds.items(state, before(on, fact.player, fact.sheet.seq), fact.player)
    return [words for kind, words in old.items() if not kind.startswith("-") and now.get(kind) != words]


def _field_set(game: Game) -> FactSpec:
    def lines(fact: facts.FieldSet, state: AnyState) -> Lines:
        row = game.overrides.get(fact.field)
        line = row and row.line
        return line(fact, state) if callable(line) else line or ()

    return of_table[facts.FieldSet]._replace(
        line=lines,
        owner=lambda fact, state, viewer: said(game.overrides[fact.field].owner, fact, state, viewer),
        public=lambda fact, state: said(game.overrides[fact.field].public, fact, state),
    )


def _result_changed(game: Game) -> FactSpec:
    spec = of_table[facts.ResultChanged]

    def lines(fact: facts.ResultChanged, state: AnyState) -> Lines:
        if fact.kind not in ("scores", "ranking"):
            return spec.lines(state, fact)
        scored = game.scored
        asked = () if scored is None else (scored.line, *(scored.lines if fact.kind == "ranking" else ()))
        return tuple(key for line in asked for key in line.keys)

    return spec._replace(line=lines)


def explain(specs: Specs, state: AnyState, fact: Fact) -> Reason:
    """The fact in words, and its rule. The state is read for names and settings only.

    Raises:
        AssertionError: the fact has no spec.
    """
    spec = specs().get(type(fact))
    if spec is None:
        raise AssertionError(f"a fact without words: {fact!r}")
    return Reason(said(spec.host, fact, state), said(spec.rule, fact, state))


def known(game: Game, specs: Specs, state: AnyState, fact: Fact, viewer: str) -> bool:
    """Are all lines of that fact open to the viewer?"""
    spec = specs()[type(fact)]
    lines, concerned = spec.lines(state, fact), spec.concerned(fact)
    return bool(lines) and all(gate(game, state, line, viewer, concerned) for line in lines)


def news_of(game: Game, specs: Specs, state: AnyState, fact: Fact, viewer: str) -> News:
    """The sentence that tells `viewer` the fact; None if there is none, or if the viewer may not know."""
    spec, to_all = specs()[type(fact)], viewer == PUBLIC_VIEWER
    words = spec.public if to_all else spec.owner
    if words is None or not (to_all or viewer in spec.concerned(fact)):
        return None
    if not known(game, specs, state, fact, viewer):
        return None
    news: News = said(words, fact, state) if to_all else said(words, fact, state, viewer)
    return news


def worded(specs: Specs, facts: Iterable[Fact]) -> bool:
    """Has any of these facts words for a player or for the public?"""
    return any((spec := specs()[type(fact)]).owner or spec.public for fact in facts)


def tell(game: Game, specs: Specs, state: State, happened: Iterable[Fact], viewer: str) -> Notice:
    """The notice of these facts; empty if they have nothing for the viewer."""
    what, on = tuple(happened), state.table.round
    resolved = [fact.round for fact in what if isinstance(fact, RoundResolved)]
    if viewer == HOST_VIEWER and game.for_hosts is not None:
        return notice(game.for_hosts(state, what))
    if viewer == HOST_VIEWER:
        held = [(spec, fact) for fact in what if (spec := specs()[type(fact)]).holds]
        touched = dict.fromkeys(p for spec, fact in held for p in spec.concerned(fact))
        players = cut_view(game, state, viewer).players if touched or resolved else {}
        who = players if resolved else touched
        rows, short = frame(state.table, game.title, viewer), game.short or partial(short_of, game)
        return notice(short(rows.row(p), players[p]) for p in who if p in players)
    ordered = game.order(state, what) if game.order else what
    told = [news_of(game, specs, state, fact, viewer) for fact in ordered]
    lines = tuple(dict.fromkeys(line for line in told if line))
    if not lines and not (resolved and (viewer in state.table.seats or game.reveals)):
        return Notice()
    if any(isinstance(fact, facts.SeatReplaced) and fact.player == viewer for fact in what):  # a newcomer reads it all
        called, seen = frame(state.table, game.title, viewer), cut_view(game, state, viewer)
        if on and getattr(seen, "submitted", ABSENT) and not getattr(seen, "sheet", ABSENT):  # the report says no more
            sealed = SheetSealed(viewer, counted(on, viewer)[-1], on.name)
            lines += tuple(filter(None, [news_of(game, specs, state, sealed, viewer)]))
        return notice(lines, below=report_of(game, called, seen, result(game, state, viewer)))
    began = [fact for fact in what if isinstance(fact, facts.PhaseBegan) and fact.status != "running"]
    open_to = list[Fact]()  # what nobody tells the viewer brings them no standing and no report
    for fact, line in zip(ordered, told, strict=True):
        by_course = isinstance(fact, (RoundResolved, facts.PhaseBegan))
        if line or by_course or news_of(game, specs, state, fact, PUBLIC_VIEWER):
            open_to.append(fact)
    said_anew = any(isinstance(fact, (facts.Declared, facts.ReasonTold, facts.ResultChanged)) for fact in open_to)
    ended = (began or said_anew) and game.over(state)
    rounds = game.round_report if game.reveals and resolved else None
    if not (ended or rounds if viewer == PUBLIC_VIEWER else game.stands(tuple(open_to), bool(lines))):
        return notice(lines)
    called, seen = frame(state.table, game.title, viewer), cut_view(game, state, viewer)
    if viewer != PUBLIC_VIEWER:
        mine, standing = (seen.players or {}).get(viewer), game.now or partial(now_of, game)
        why = reason_lines(called, result(game, state, viewer), viewer) if ended else []
        return notice(lines, standing(called, mine, seen) if mine else (), (line for line in why if line not in lines))
    if ended:  # the report may begin with what was said: `The match is over.`
        report = report_of(game, called, seen, result(game, state, viewer))
        spoken = [text(*([line] if isinstance(line, str) else line)) for line in lines]
        return notice(lines, below=[block for block in report if block not in spoken])
    return notice(lines, below=[block for name in resolved if rounds for block in rounds(called, seen, name)])


# ---- reports made of labels ------------------------------------------------------------------------------------------


SENT, NOT_SENT = "You have answered for this round.", "Nothing is in from you yet."


def labels(game: Game) -> Mapping[str, Label]:
    return {datum.name: datum.label for datum in data_of(game.player_view) if datum.label is not None}


def course(game: Game, view: AnyView, result: Result) -> Block:
    before = game.phases.get("setup", next(iter(game.phases.values())))
    phase = before if result.status == "setup" else game.phases.get(view.phase)
    if phase is None:
        number = view.phase.removeprefix("round_")
        phase = game.phases.get("round", f"Round {number}.") if number.isdigit() else f"{upper(called(view.phase))}."
    closed = bool(getattr(view, "closed", ABSENT))  # nobody is asked to submit any more
    if isinstance(phase, tuple):
        phase = f"{phase[0]}." if closed else f"{phase[0]}: {phase[1]}."
    spans: list[Span] = [phase.format_map(view._asdict())]
    if closed:
        spans.append(" Submissions have ended; it waits to be resolved.")
    until = "There is time for that until" if result.status == "deciding" else "It ends"
    until = "The next round opens" if view.phase == BREAK else until
    return text(*spans, *clock(getattr(view, "paused", ABSENT), view.ends, until))


def _had(game: Game, row: AnyView) -> Iterator[tuple[str, Label, AnyValue]]:
    """(field, label, value) of everything in a player's view that is neither hidden nor empty."""
    for name, label in labels(game).items():
        if (value := getattr(row, name)) is not ABSENT and value not in (None, (), ""):
            yield name, label, value


def now_of(game: Game, frame: ReportContext, me: AnyView, view: AnyView) -> list[Line]:
    lines: list[Line] = []
    for name, label, value in _had(game, me):
        emoji = (Emoji(frame.emoji.get("garnet", "")),) if name == "garnets" else ()
        lines.append((*emoji, f"{upper(label.text)}: {label.say(value)}"))
    return lines


def short_of(game: Game, player: str, row: AnyView) -> str:
    had = [
        count(value, label.text.removesuffix("s")) if label.text.endswith("s") and isinstance(value, int)
        else f"{label.text} {label.say(value)}"
        for _, label, value in _had(game, row)
    ]  # fmt: skip
    return f"{player}: {', '.join(had) or 'nothing'}"


def table_of(game: Game, frame: ReportContext, view: AnyView) -> list[Block]:
    """A table of the players and their labelled fields; hosts read ids, others names."""
    marks = labels(game)
    rows = view.players or {}
    known = [name for name in marks if any(getattr(row, name) is not ABSENT for row in rows.values())]
    if not known:
        return []
    lines = tuple(
        (frame.row(p), *("" if (value := getattr(row, name)) is ABSENT else marks[name].say(value) for name in known))
        for p, row in rows.items()
    )
    numbers = tuple(place for place, name in enumerate(known, 1) if marks[name].number)
    header = ("player", *(marks[name].text for name in known))
    if frame.viewer == HOST_VIEWER and (sheets := getattr(view, "sheets", ABSENT)):
        cells = (sheets.get(p) or "-" for p in rows)
        header, lines = (*header, "sheet"), tuple((*line, sheet) for line, sheet in zip(lines, cells, strict=True))
    return [Table(header, lines, numbers)]


def report_of(game: Game, frame: ReportContext, view: AnyView, result: Result) -> list[Block]:
    picture = partial(_picture, game) if game.report is DERIVED else game.report
    return void(frame, result) or [*picture(frame, view, result), *reasons(frame, result), *declared(frame, result)]


def _picture(game: Game, frame: ReportContext, view: AnyView, result: Result) -> list[Block]:
    blocks: list[Block] = [heading(frame), course(game, view, result)]
    players = view.players or {}
    if frame.viewer in frame.names:
        standing = game.now or partial(now_of, game)
        blocks += listing(standing(frame, players[frame.viewer], view)) if frame.viewer in players else []
        if getattr(view, "sheet", ABSENT):
            blocks.append(text(f"Your sheet: {view.sheet}."))
        elif getattr(view, "submitted", ABSENT) is not ABSENT:
            blocks.append(text(SENT if view.submitted else NOT_SENT))
    if game.page is None or frame.viewer == HOST_VIEWER:
        others = {p: row for p, row in players.items() if p != frame.viewer}
        blocks += table_of(game, frame, view._replace(players=others))
    blocks += game.page(frame, view, result) if game.page else []
    return [*blocks, *tokens_and_elimination(frame, result), *decided(frame, result)]


def board_of(game: Game, frame: ReportContext, view: AnyView, result: Result) -> list[Block]:
    table = table_of(game, frame, view)
    return [Heading(f"{frame.title} · board"), *(table or [text("You cannot see any of it now.")])]


def scores_of(frame: ReportContext, view: AnyView, result: Result) -> list[Block]:
    points = result.scores or {}
    return ranking(frame, result, ("points",), lambda p: (str(points.get(p, "")),))
