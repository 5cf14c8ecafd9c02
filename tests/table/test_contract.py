"""What every registered game owes, whatever it is about. A new game is checked here without a line of change.

Source: docs/audit.md; games/contract.py; docs/add-a-game.md.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, cast, get_args, get_origin

import pytest

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.errors import LedgerError, Unreadable
from events.instants import Instant
from games.contract import DERIVED, HOSTS, OWN, Game, Luck, Moment, Reason, ReportContext, Transaction
from games.kit.blocks import Notice
from games.parts.view import gate
from games.records import Arg, Field, fields, kebab, plain
from games.registry import load, names
from games.table import actions as shared, facts as table_facts, rules as table_rules
from games.table.settings import LEVELS, Gap, Season, check, defaults, known
from games.table.state import Decision, Reward, Seat, Submission, Table, TokenReason, Weighed
from ledger.cli.verbs import shared_verbs
from ledger.exchange.template import template
from tests.support.guide import FILES, NAMES, folder_of, page_of
from tests.support.sources import ROOT

NUMBER = re.compile(r"[A-Z]+-[A-Z]*\d+")


@pytest.fixture
def game(any_game: str) -> Game:
    return load(any_game)


def table(game: Game) -> Table:
    """A table as `new` makes it, with three more players than any fact below names."""
    names = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")[: game.players[1]]
    settings = defaults(game.settings, game.visibility, game.has)
    return Table(game.name, game.title, "UTC", ("mara",), {p: Seat(p.title()) for p in names}, settings, (), 0, "setup")


def sample(field: Field) -> Any:
    """Some value that the field can have."""
    if get_origin(field.base) is Literal:
        one: Any = get_args(field.base)[0]
    elif field.kind is not None and field.kind.choices:
        one = field.kind.choices[0]
    elif field.kind is not None and field.kind.name == "PLAYER":
        one = "ann"
    elif field.kind is not None and field.kind.name == "TIME":
        one = "2026-03-02T09:00:00.000Z"
    elif field.base in (int, Instant):
        one = max(1, field.bounds.least) if field.bounds else 1
    elif field.base is bool:
        one = True
    elif field.base is dict:
        one = {}
    elif hasattr(field.base, "_fields"):
        one = example(field.base)
    else:
        one = "ann"
    return (one,) if field.many else one


SPECIAL = {
    "decision": Decision("vote", ("ann",), ("bob", "cyd"), "elimination"),
    "award": TokenReason("ann", "a condition", "why", "section 7"),
    "weighed": Weighed("elimination", ("bob", "cyd"), (("ann", "bob"),), (("ann", 3),)),
    "was": (("ann", 1),),
    "now": (("bob", 1),),
    "reward": Reward("ann", 5, "why", "section 5"),
    "sheet": Submission(7, 0, None, "blank", False),
    "about": None,
    "kind": "breach",
    "room": "rock",
    "drawn": (),
    "pieces": ("odd A2 3",),
    "against": ("bob odd",),
    "hand_class": "flush",
    "cards": (),
    "key": "grace_seconds",
    "value": 60,
}
"""Fields of facts that a plain sample does not fit."""


def example(cls: type) -> Any:
    """A fact or action of that kind. Lists of cards are filled from the kind of card that the game has."""
    values = {}
    for field in fields(cls):
        special = field.name in SPECIAL and field.kind is None and get_origin(field.base) is not Literal
        values[field.name] = SPECIAL[field.name] if special else sample(field)
    return cls(**values)


# ---- the record ----------------------------------------------------------------------------------------------------


def test_the_record_is_complete(game: Game) -> None:
    """Nothing in it is empty, and its name is that of its folder."""
    assert isinstance(game, Game)
    assert load(game.name) is game
    assert game.title.strip() and game.rules >= 1 and game.texts >= 1
    assert 2 <= game.players[0] <= game.players[1]
    assert game.actions and game.fields and game.visibility
    assert all(callable(getattr(game, name)) for name in ASKED)
    assert not [name for name in DEFAULT if getattr(game, name) is DERIVED]
    assert (folder_of(game.name) / game.demo).is_file()


DEFAULT = frozenset(name for name, default in Game._field_defaults.items() if default is DERIVED)
"""What `build` makes of the rest."""
ASKED = (
    "garnet_cap", "start", "decide", "evolve", "due", "prepare", "audit", "audience", "view", "result", "report",
    "board", "round_report", "scores", "tell", "explain", "known", "waiting", "suggest", "moves", "invariants",
    "faulty", "changed", "counts",
)  # fmt: skip
"""What the engine asks a game."""


def test_what_a_file_may_give_is_what_override_sets(game: Game) -> None:
    """A host can correct what the match file gave: one way to type it, one way to read it."""
    assert set(game.given) <= set(game.fields)


def test_its_verbs_are_its_own(game: Game) -> None:
    """No verb, and no other spelling of one, is a shared verb or stands twice."""
    verbs = [*(kebab(cls) for cls in game.actions), *(one.verb for one in game.lookups)]
    spellings = [*verbs, *game.synonyms]
    assert len(set(spellings)) == len(spellings)
    assert not set(spellings) & (
        set(shared_verbs()) | {kebab(cls) for cls in (*shared.TYPED, *shared.WRITTEN, *shared.ABOUT)}
    )
    assert set(game.synonyms.values()) <= set(verbs)


def test_every_verb_and_word_has_help(game: Game) -> None:
    """Command lines and help texts are made from the records: what is empty there is empty for the host."""
    assert all(one.help.partition("\n")[0].endswith(".") for one in game.lookups)
    for cls in game.actions:
        assert inspect.getdoc(cls), cls
        silent = [f.name for f in fields(cls) if not f.arg.hidden and not f.arg.help]
        assert not silent, f"{kebab(cls)}: {silent} without help"


def test_every_setting_has_its_gap_and_meaning(game: Game) -> None:
    """A host decides by these words. Defaults are what the type allows."""
    for field in known(game.settings, game.has).values():
        assert isinstance(field.note, Gap), f"{field.name} has no Gap"
        assert field.note.number == "T" or re.fullmatch(r"[A-Z]+-[A-Z]?\d+", field.note.number), field.note
        assert field.arg.help.endswith((".", "?")), f"{field.name}: {field.arg.help!r}"
        assert not field.required, f"{field.name} has no default"
    check(game.settings, game.visibility, defaults(game.settings, game.visibility, game.has), has=game.has)


def test_a_setting_that_means_nothing_here_is_none_of_its_settings(game: Game) -> None:
    """Grace without sheets, leavers where nobody is eliminated: not in the template, and refused in a match file."""
    nothing = {"grace_seconds": "rounds", "leaver_result": "elimination"}
    for name, needed in nothing.items():
        there = needed in game.has
        assert (name in defaults(game.settings, game.visibility, game.has)) == there
        assert game.written is not None or (f"#{name} = " in template(game)) == there
        if not there:
            with pytest.raises(Unreadable, match=f'no setting "{name}" in this game'):
                check(game.settings, game.visibility, {name: 0}, has=game.has)


def test_visibility_defaults_are_levels(game: Game) -> None:
    """Each line of the information table has one of the six answers, and says what it is about."""
    assert not [key for key, (level, _) in game.visibility.items() if level not in LEVELS]
    assert all(about.strip() and about[0].islower() for _, about in game.visibility.values())


# ---- pages and transcripts -----------------------------------------------------------------------------------------


def test_it_has_a_page_that_names_its_gaps(game: Game) -> None:
    """docs/games/<name>.md speaks of every gap that a setting fills (the rest of the page: test_docs_games.py)."""
    text = page_of(game.name)
    numbers = {field.note.number for field in known(game.settings, game.has).values()} - {"T"}
    numbers |= {number for _, about in game.visibility.values() for number in NUMBER.findall(about)}
    assert not [number for number in sorted(numbers) if not re.search(rf"{re.escape(number)}\b", text)]


def test_it_has_golden_transcripts(game: Game) -> None:
    """At least one whole conversation, in which each of its verbs is typed."""
    if game.name in NAMES:
        typed = set(re.findall(r"^([a-z-]+) ", FILES[f"games/{game.name}/{game.demo}"], re.MULTILINE))
    else:
        folder = ROOT / "tests" / "golden" / game.name
        kept = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))]
        assert kept
        typed = set(re.findall(r"^(?:\$ )?hl (?:-\S+ \S+ |--as \S+ )*([a-z-]+)", "\n".join(kept), re.MULTILINE))
    verbs = {*(kebab(cls) for cls in game.actions), *(one.verb for one in game.lookups)}
    assert verbs - typed == set(), f"type them in tests/golden/{game.name}/, as `$ hl VERB ...`, and `make goldens`"


# ---- facts ---------------------------------------------------------------------------------------------------------


def examples(game: Game) -> Iterator[Any]:
    """A fact of each kind; of what a host can set, one for each field."""
    for cls in (*game.facts, *table_facts.TABLE_FACTS):
        if cls is table_facts.FieldSet:
            yield from (table_facts.FieldSet("ann", field, "1") for field in game.fields if field != "garnets")
        else:
            yield example(cls)


def test_every_fact_has_words_and_a_rule(game: Game) -> None:
    """`explain` says what happened in a sentence without full stop, and why it may."""
    state = game.start(table(game))
    for fact in examples(game):
        reason = game.explain(state, fact)
        assert isinstance(reason, Reason), fact
        assert reason.text.strip() and reason.rule.strip(), fact
        assert not reason.text.endswith(".") and "\n" not in reason.text, fact


def test_every_fact_can_be_told_to_everybody(game: Game) -> None:
    """`tell` may have nothing to say, but it must be able to be asked."""
    state = game.start(table(game))
    for fact in examples(game):
        for viewer in (HOST_VIEWER, PUBLIC_VIEWER, "ann", "hal"):
            assert isinstance(game.tell(state, [fact], viewer), Notice), fact


class Never(NamedTuple):
    """A fact of no game."""

    player: str = "ann"


def test_a_fact_of_no_game_is_a_bug(game: Game) -> None:
    """`evolve` is total: what it cannot place it does not swallow. `explain` neither."""
    state = game.start(table(game))
    with pytest.raises(AssertionError):
        game.evolve(state, Never())
    with pytest.raises(AssertionError):
        game.explain(state, Never())


def is_decided_by_the_table(cls: type) -> bool:
    try:
        table_rules.decide(table(load("equilibrium")), example(cls), Moment(Instant(0), 1))
    except (LedgerError, ValueError) as error:
        return getattr(error, "code", "") != "table.not_here"
    return True


def test_every_shared_action_has_its_place() -> None:
    """The table decides it, or the parts of every game do; or it means something in some games alone."""
    every = {cls for cls in vars(shared).values() if hasattr(cls, "_fields") and cls.__module__ == shared.__name__}
    assert every == {*shared.TYPED, *shared.WRITTEN, *shared.ABOUT}
    somewhere = {shared.Hand, shared.Deal, shared.Open, shared.Resolve}
    elsewhere = {shared.Create, shared.Override, shared.AmendSetting, *shared.ABOUT}
    assert {*filter(is_decided_by_the_table, every)} == every - somewhere - elsewhere


class Dated(NamedTuple):
    """Names say nothing of what is an instant: annotations do."""

    at: int
    since: Instant | None
    until: Instant


def test_what_is_annotated_as_an_instant_is_written_as_one_whatever_it_is_called() -> None:
    made = Dated(7, None, Instant(86_400_001))
    assert plain(made) == {"at": 7, "since": None, "until": "1970-01-02T00:00:00.001Z"}
    assert plain({"rows": [made]}, "day {}".format) == {"rows": [{"at": 7, "since": None, "until": "day 86400001"}]}


def test_every_instant_of_facts_and_views_is_found(game: Game) -> None:
    """Where an annotation calls one by another name it would be written as a number."""
    for cls in (*table_facts.TABLE_FACTS, *game.facts, game.match_view, game.player_view):
        dated = {field.name for field in fields(cls) if field.base is Instant}
        assert set(plain(cls._make(Instant(0) if f.name in dated else None for f in fields(cls))).items()) >= {
            (name, "1970-01-01T00:00:00.000Z") for name in dated
        }, cls.__name__


def test_a_lot_is_drawn_again_from_its_seed(game: Game) -> None:
    """An auditor repeats it: one of two outcomes is right, the other is named, and a seed that is none is said so."""
    state = game.start(table(game))
    said = [game.audit(state, shared.Lot(("ann", "bob"), p, "5a" * 32), 7) for p in ("ann", "bob")]
    assert sorted(text is None for text in said) == [False, True]
    (wrong,) = (text for text in said if text)
    assert wrong in ("the seed draws ann, not bob", "the seed draws bob, not ann")
    assert game.audit(state, shared.Lot(("ann", "bob"), "ann", "zz"), 7) == "its seed is not in hex digits"
    assert game.audit(state, shared.Lot(("ann", "bob"), "ann"), 7) is None  # typed in: there is nothing to repeat


def test_what_no_override_can_set_is_refused_by_the_rules_too(game: Game) -> None:
    """A log made elsewhere can hold anything; what was typed here is refused before."""
    action = shared.Override("ann", "no_such_field", "1")
    for judge in (
        lambda: game.decide(game.start(table(game)), action, Moment(0, 2)),
        lambda: game.prepare(game.start(table(game)), action, cast(Luck, None)),
    ):
        with pytest.raises(Unreadable) as caught:
            judge()
        assert caught.value.code == "override.field"


@pytest.mark.parametrize(
    "game", [load(name) for name in names() if "garnets" in load(name).fields], ids=lambda game: game.name
)
def test_garnets_that_move_are_told_to_whose_they_are(game: Game) -> None:
    """Two sides are told, in their own words; nobody else, and not the public."""
    state = game.start(table(game))
    facts = [table_facts.Moved("ann", "bob", 2, "a ruling", table_facts.HOST_POWERS)]

    def words(viewer: str) -> str:
        return "".join(repr(block) for block in game.tell(state, facts, viewer).blocks)

    assert "lost 2 garnets" in words("ann") or "paid 2 garnets" in words("ann")
    assert "received 2 garnets" in words("bob")
    assert words("cyd") == words(PUBLIC_VIEWER) == ""


def test_every_action_has_an_audience(game: Game) -> None:
    """Who may open the entry is said for every action, and never more than for those whom it concerns."""
    state = game.start(table(game))
    for cls in (*game.actions, *shared.TYPED, *shared.WRITTEN):
        if cls is shared.Create:
            continue
        audience = game.audience(state, example(cls))
        assert isinstance(audience, Audience), kebab(cls)
        assert audience.admits(HOST_VIEWER, ended=False)


def test_nothing_is_shown_of_an_empty_table_that_cannot_be(game: Game) -> None:
    """View, result and report of the very first state, for everybody: none of them fails."""
    state = game.start(table(game))
    for viewer in (HOST_VIEWER, PUBLIC_VIEWER, *state.table.seats):
        frame = ReportContext(
            viewer, "A match", game.title, {p: seat.name for p, seat in state.table.seats.items()}, {}
        )
        view, result = game.view(state, viewer), game.result(state, viewer)
        assert game.report(frame, view, result)
        assert game.scores(frame, view, result)
    assert isinstance(game.waiting(state), tuple)
    assert isinstance(game.invariants(state), tuple)
    assert game.due(state) is None


def test_the_check_itself_can_fail() -> None:
    """A word without help, a gap without number: what is looked for is seen."""

    class Dance(NamedTuple):
        player: str
        where: Annotated[str, Arg("Where.")] = ""

    assert [f.name for f in fields(Dance) if not f.arg.help] == ["player"]
    assert not NUMBER.findall("no gap at all")
    assert isinstance(defaults(Season, {}, ()), Mapping)


@pytest.mark.parametrize("name", [name for name in names() if name not in NAMES])
def test_every_gap_and_setting_of_it_has_a_test(name: str) -> None:
    """The tests of the game name each gap of its page (`PA-8 to PA-10` are three), and each of its settings."""
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / name).glob("test_*.py"))
    tested = set(re.findall(r"\b[A-Z]{2}-\d+", tests))
    for game, low, high in re.findall(r"\b([A-Z]{2})-(\d+) to (?:[A-Z]{2}-)?(\d+)", tests):
        tested |= {f"{game}-{number}" for number in range(int(low), int(high) + 1)}
    settings = load(name).settings
    assert set(re.findall(r"^\* \*\*([A-Z]{2}-\d+)\.", page_of(name), re.MULTILINE)) <= tested
    assert not [field for field in settings._fields if not re.search(rf"\b{field}\b", tests)]


def test_the_text_of_a_setting_names_each_of_its_values(any_game: str) -> None:
    """Who reads `hl rules`, or that a host changed one, sees which value means what."""
    game = load(any_game)
    for setting, field in known(game.settings, game.has).items():
        if get_origin(field.base) is Literal and not field.many:
            unnamed = [
                value for value in get_args(field.base) if isinstance(value, str) and f"({value})" not in field.arg.help
            ]
            assert not unnamed, (setting, unnamed)


def test_a_record_that_is_no_fact_is_named_where_it_is_emitted() -> None:
    """One without an effect too, which `build` cannot see."""
    tx: Transaction[None] = Transaction(None, {})

    class Stepped(NamedTuple):
        player: str

    with pytest.raises(TypeError, match="Stepped is emitted, but is no fact: mark it with @fact"):
        tx.emit(Stepped("ann"))
    assert not tx


def test_what_is_for_the_hosts_is_not_for_the_player_whom_it_concerns(game: Game) -> None:
    state = cast(Any, None)  # no line of the information table is asked
    may = [gate(game, state, line, viewer, ("ann",)) for line in (OWN, HOSTS) for viewer in ("ann", "bob", "host")]
    assert may == [True, False, True, False, False, True]
