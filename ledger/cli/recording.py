"""Verbs that record what happens in any match, change its settings, or correct an entry.

Most are derived from their records. Entries themselves are never changed; another entry says what counts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

import click

from events.disk import line_to_run
from events.errors import Refused, Unmet, Unreadable
from games.kinds import PLAYER, Directory, did_you_mean, digits, shown
from games.records import fields
from games.table import actions as shared
from games.table.actions import DECLARES, AmendSetting, Declare
from games.table.settings import Gap, gaps, in_words, known, meaning
from ledger.cli.app import App, entry_number
from ledger.cli.carry_out import answer, numbers, tell_unsent, typed_fields, unsent
from ledger.cli.completion import amended_fields, assumed, choices, live, of_another_host, players, settings, undone
from ledger.cli.derive import verb_of
from ledger.cli.output import LAST, entry_meant, entry_words
from ledger.cli.terminal import width
from ledger.cli.verb import ReadOptions, WriteOptions, about_options, file_option, list_option, verb, write_options
from ledger.core.clock import now_ms
from ledger.core.effective import BEFORE_ALL, as_effective
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.core.times import show_time
from ledger.record import corrections
from ledger.record.plan import Options, Written
from ledger.record.recorder import correct, record_actions, recorded_under
from ledger.render.safe import PlainText, json_text, plain_line, plain_text
from ledger.render.text import table
from ledger.tell.listing import in_a_word, in_words as entry_in_words
from ledger.tell.reports import counts_instead

NOBODY = "nobody"
MAX_TOKENS = 100
SET_UP, ANY = "set up", "any match"


def _of(cls: type, help: str, *needs: str, group: str = ANY, **about: Any) -> click.Command:
    return verb_of(cls, group, help, needs=needs, **about)


ALIAS = _of(shared.Alias, "Add another spelling of a player's name.\n\nhl alias ann Annie", group=SET_UP)
COMMIT = _of(
    shared.Commit,
    "Publish a commitment to the deal, before players add words.\n\nhl commit\n\n"
    "It does not show the deal; with the players' words, nobody alone can steer it.",
    "deal",
    "commit",
    group=SET_UP,
    records=("commit", "seed"),
)
WORD = _of(
    shared.Word,
    "Add a player's own words to the deal.\n\nhl word ann seven green bottles\n\nAny text, as the player sent it.",
    "deal",
    "commit",
    group=SET_UP,
)
OPEN = _of(shared.Open, "Start play.\n\nhl open", group=SET_UP)
CLOSE = _of(shared.Close, "End the present phase or decision now.\n\nhl close", group=SET_UP)
REOPEN = _of(shared.Reopen, "Go back to the phase that ended last.\n\nhl reopen", group=SET_UP)
NOTE = _of(shared.Note, 'Keep a remark for the hosts.\n\nhl note "dan asked for a day more"')
RULING = _of(
    shared.Ruling,
    'Record what a host decided and why.\n\nhl ruling "the late sheet counts"\n\n'
    "With --about it settles an entry that the rules do not allow.",
)
OVERRIDE = _of(
    shared.Override,
    "Set one field of one player, whatever the rules say.\n\nhl override ann garnets 3\n\n"
    "Which fields there are depends on the game; an unknown one is answered with the list.",
)
PENALTY = _of(
    shared.Penalty,
    'Record a penalty.\n\nhl penalty ann --garnets 1 --note "spoke after the end"\n\nWith --garnets it takes garnets; '
    "hl override PLAYER names what else a host may set.",
)
BREACH = _of(
    shared.Breach, 'Record that a player broke a rule.\n\nhl breach ann --note "showed a card"\n\nFor a ruling later.'
)
AWARD = _of(
    shared.Award,
    "Give or take garnets or tokens.\n\nhl award ann garnets 1\nhl award ann tokens 1\n\n"
    "By a host's decision; a negative amount takes.",
)
BLANK = _of(shared.Blank, "Record that a player submits nothing, on purpose.\n\nhl blank bob", "rounds", "vote")
VOTE = _of(shared.Vote, "Record one vote.\n\nhl vote bob cyd\n\nA later vote of the same voter replaces it.", "vote")
GIFT = _of(shared.Gift, "Record to whom a spare token goes.\n\nhl gift fox gil", "gift")
LOT = _of(shared.Lot, "Draw a lot, or type its outcome in.\n\nhl lot", "lot")
RESOLVE = _of(
    shared.Resolve,
    "Open all submissions of the round at once; a preview without --yes.\n\nhl resolve",
    "rounds",
    more=click.option("--early", is_flag=True, help="Also before the deadline, while somebody still owes a sheet."),
)
CHOOSE = _of(
    shared.Choose, "Record a choice that the rules give to a player.\n\nhl choose ann bob", "choose", "elimination"
)
DEADLINE = _of(
    shared.Deadline,
    "Move the end of the present phase.\n\nhl deadline +6h\n\n"
    "Or of a decision: +6h is that much later than it is, in 6h counts from the moment of the entry.",
)
PAUSE = _of(
    shared.Pause,
    "Stop the clock; every end moves by the length of the pause.\n\nhl pause --note dinner\n\nNo end comes until then.",
)
RESUME = _of(shared.Resume, "Let the clock run again.\n\nhl resume")
REPLACE = _of(
    shared.Replace,
    'Another person takes over a seat.\n\nhl replace dan "Dana Novak"\n\nThe seat keeps its id, cards and garnets.',
)
DROP = _of(
    shared.Drop,
    "Record that a player has left.\n\nhl drop dan\n\nThey submit nothing more, nobody waits for them (S-G3).",
)

# ---- deal and declare --------------------------------------------------------------------------------------------


@verb("deal", SET_UP, records=("deal", "hand"), needs={"deal"})
@file_option("--from", "source", help='TOML with [hands]: ann = "R4 B4 R9 B9 R2".')
@write_options()
def deal(app: App, source: str | None, writing: WriteOptions) -> None:
    """Deal the cards: drawn and recorded, or read from a file.

    hl deal
    """
    options = app.options(writing)
    if source is None:
        written = record_actions(app.match, [shared.Deal()], options, app.ask)
    else:
        from ledger.exchange.matchfile import typed_hands  # pydantic: 5 bare interpreters of `hl --help`

        hands = typed_hands(source, app.match.table.directory())
        actions = [shared.Hand(player, tuple(cards.replace(",", " ").split())) for player, cards in hands.items()]
        written = record_actions(app.match, [*actions, shared.Deal("typed")], options, app.ask)
    answer(app, written, writing)


@verb("declare", ANY, records=("declare", "reason"))
@click.argument("kind", metavar="elimination|token|winner|void", shell_complete=choices(*DECLARES))
@click.argument("words", metavar="[PLAYER...]", nargs=-1, shell_complete=players)
@write_options(note=click.option("--note", metavar="TEXT", help="The reason: required, and told to everybody."))
@click.option("--private", is_flag=True, help="The reason is for hosts only.")
def declare(app: App, kind: str, words: tuple[str, ...], private: bool, writing: WriteOptions) -> None:
    """Declare a result, whatever the rules say: elimination, token, winner or void.

    hl declare winner ann --note "settled at the table"
    hl declare void --note "the server was down"

    elimination PLAYER... (or nobody), token PLAYER N (N in all), winner PLAYER..., void. The latest of a kind counts,
    undo restores the one before. Before the end it is kept, and counts then; void ends the match.
    """
    action = declared(app.match.table.directory(), kind, words)
    if writing.note is None:
        fix = f"hl declare {kind} {' '.join(words)}".strip() + ' --note "WHY"'
        raise Unreadable("declare.reason", "a declaration needs a reason, which everybody may read", fix)
    written = record_actions(app.match, [action], app.options(writing)._replace(private=private), app.ask)
    answer(app, written, writing)


def declared(players: Directory, typed: str, words: tuple[str, ...]) -> Declare:
    """Read the words of a declaration.

    Raises:
        Unreadable: `declare.kind`, `declare.unfit`, `player.unknown`, `number.unreadable`.
    """
    kind = typed.lower()
    if kind not in DECLARES:
        hint = did_you_mean(kind, [*DECLARES], f"one of: {' '.join(DECLARES)}", 1)
        raise Unreadable("declare.kind", f"{shown(typed)} cannot be declared", hint)
    parts = [part for word in words for part in word.split(",") if part.strip()]
    if kind == "void" and not parts:
        return Declare("void")
    if kind == "token" and len(parts) == 2:
        tokens = digits(parts[1], 3)
        if tokens is None or tokens > MAX_TOKENS:
            what = f"{shown(parts[1])} is not a number of tokens"
            fix = f"a whole number, 0 to {MAX_TOKENS}: what the player has in all"
            raise Unreadable("number.unreadable", what, fix)
        return Declare("token", (players.find(parts[0]),), tokens)
    if kind == "elimination" and [word.lower() for word in parts] == [NOBODY]:
        return Declare("elimination")
    if kind in ("elimination", "winner") and parts:
        chosen = tuple(players.find(word) for word in parts if word.lower() != NOBODY)
        if len(chosen) == len(parts):
            return Declare(kind, tuple(dict.fromkeys(chosen)))  # type: ignore[arg-type]
        what = f"{NOBODY} is only for an elimination, with no player beside it"
        raise Unreadable("declare.unfit", what, f"hl {DECLARES[kind]}")
    what = f"that is not how {kind} is declared" + ("; it ends the whole match" if kind == "void" else "")
    fixes = [f"hl {DECLARES[kind]}", *(["hl undo SEQ"] if kind == "void" else [])]
    raise Unreadable("declare.unfit", what, "\n".join(fixes))


# ---- settings --------------------------------------------------------------------------------------------------------


def _rows(app: App) -> list[dict[str, Any]]:
    table, game = app.match.table, app.match.game
    rows = []
    for name, field in known(game.settings, game.has).items():
        if isinstance(field.note, Gap):
            rows.append((name, "" if field.note.number == "T" else field.note.number, table.settings[name]))
    rows += [(f"visibility.{key}", "", table.settings["visibility"][key]) for key in game.visibility]
    return [
        {
            "setting": name,
            "gap": gap,
            "value": value,
            "meaning": meaning(game, name),
            "assumed": not {name, name.partition(".")[0]}.isdisjoint(table.assumptions),
        }
        for name, gap, value in rows
    ]


@verb("assumptions", "set up", records=("amend-setting",))
@click.option(
    "--accept", metavar="KEY|all", multiple=True, help="Confirm this one, or all of them.", shell_complete=assumed
)
@list_option
@about_options
def assumptions(app: App, accept: tuple[str, ...], reading: ReadOptions, writing: WriteOptions) -> None:
    """List the rules nobody has confirmed yet.

    hl assumptions
    hl assumptions --accept all

    The most important first. --accept confirms them as they are.
    """
    if accept:
        _accept(app, accept, writing)
        return
    rows = [row for row in _rows(app) if row["assumed"]]
    order = {name: place for place, name in enumerate(app.match.table.assumptions)}
    rows.sort(key=lambda row: order.get(row["setting"], order.get(row["setting"].partition(".")[0], 0)))
    if reading.json:
        app.out(json_text({"assumptions": rows}))
        return
    if not rows:
        app.show(plain_text("every rule of this match has been confirmed"))
        return
    app.show(plain_text("Filled in by default; nobody has confirmed these (hl assumptions --accept KEY or all does):"))
    app.out(_table(app, rows))


def _accept(app: App, accept: tuple[str, ...], writing: WriteOptions) -> None:
    match_table = app.match.table
    values = {name: value for name in match_table.assumptions for name, value in _lines(match_table.settings, name)}
    chosen: dict[str, Any] = {}
    for key in (part for word in accept for part in word.replace("-", "_").split(",")):
        confirmed = values if key == "all" else dict(_lines(match_table.settings, key))
        if not confirmed or not confirmed.keys() <= values.keys():
            hint = did_you_mean(key, [*values], "hl assumptions", 1)
            raise Unreadable("settings.unknown", f"there is no assumption {shown(key)}", hint)
        chosen |= confirmed
    actions = [AmendSetting(key, value) for key, value in chosen.items()]
    answer(app, record_actions(app.match, actions, app.options(writing), app.ask), writing)


def _lines(settings: Any, name: str) -> list[tuple[str, Any]]:
    """(name, value) of a setting, or of each line of the information table."""
    head, dot, line = name.partition(".")
    if head not in settings or (dot and line not in settings[head]):
        return []
    if dot:
        return [(name, settings[head][line])]
    if name == "visibility":
        return [(f"{name}.{key}", level) for key, level in settings[name].items()]
    return [(name, settings[name])]


@verb("rules", "set up")
@list_option
def rules(app: App, reading: ReadOptions) -> None:
    """List every setting: its rule, its value, what it means.

    hl rules

    assumed: the original rules leave it open, and nobody has confirmed the default.
    """
    rows = _rows(app)
    if reading.json:
        app.out(json_text({"rules": rows}))
    else:
        app.out(_table(app, rows))


def _table(app: App, rows: list[dict[str, Any]]) -> PlainText:
    doubtful = gaps(app.match.game)

    def standing(row: dict[str, Any]) -> str:
        gap = row["setting"] in doubtful or row["setting"].startswith("visibility.")
        return "" if not gap else "assumed" if row["assumed"] else "confirmed"

    cells = [(row["setting"], row["gap"], in_words(row["value"]), standing(row), row["meaning"]) for row in rows]
    columns = width() or 250  # without a terminal: room for the sentences of a game, not for a whole file
    return table(("setting", "rule", "value", "", "meaning"), cells, width=columns)


@verb("amend-setting", "any match", records=("amend-setting",))
@click.argument("setting", metavar="KEY=VALUE", nargs=-1, required=True, shell_complete=settings)
@write_options()
def amend_setting(app: App, setting: tuple[str, ...], writing: WriteOptions) -> None:
    """Change settings from now on.

    hl amend-setting vote_hours=24

    KEY=VALUE, or several, with the new values.
    """
    pairs = _pairs(app, setting)
    actions = [AmendSetting(key, value) for key, value in pairs]
    try:
        written = record_actions(app.match, actions, app.options(writing), app.ask)
    except Unreadable as error:
        names = {key for key, _ in pairs}
        unknown = next((key for key, eq, _ in (word.partition("=") for word in setting) if eq and key not in names), "")
        if error.code != "settings.value" or not unknown:
            raise
        raise Unreadable(error.code, f"{error.what}; no setting is called {unknown}", "hl rules") from None
    answer(app, written, writing)


def _pairs(app: App, words: tuple[str, ...]) -> list[tuple[str, str]]:
    def begins(word: str, after: str) -> bool:
        key, eq, _ = word.partition("=")
        is_setting = key.partition(".")[0].replace("-", "_") in app.match.table.settings
        return is_setting and bool(eq or after.startswith("="))

    texts = _texts(words, begins)
    pairs = [(key.strip(), eq, value.strip()) for key, eq, value in (text.partition("=") for text in texts)]
    if not pairs or not all(key and eq for key, eq, _ in pairs):
        raise Unreadable("command.usage", "a setting is changed with KEY=VALUE", "hl amend-setting KEY=VALUE")
    return [(key, value) for key, _, value in pairs]


def _texts(words: Sequence[str], begins: Callable[[str, str], bool]) -> list[str]:
    """Join words into KEY=VALUE texts: a word that does not begin a new pair belongs to the value before it."""
    texts: list[str] = []
    for word, after in zip(words, (*words[1:], ""), strict=False):
        if not texts or begins(word, after):
            texts.append(word)
        else:
            texts[-1] += f" {word}"
    return texts


# ---- corrections -----------------------------------------------------------------------------------------------------


def match_when_typed(match: Match, once: str | None) -> Match:
    """The match for reading this command: a command repeated with its `--once` key means what it meant at first."""
    before = recorded_under(match, once)
    return match.as_known(before[0].seq - 1) if before else match


@verb("undo", "fix", records=("undo",))
@click.argument("words", metavar="[SEQ|last...]", nargs=-1, callback=entry_words, shell_complete=live)
@about_options
def undo_entry(app: App, words: tuple[str, ...], writing: WriteOptions) -> None:
    """Cancel an entry; it stays in the log.

    hl undo 12
    hl undo last ann

    And all that its command recorded; without SEQ the last one you recorded. last with a verb (or a name of the match
    file), a player or both is the newest such entry.
    """
    options = app.options(writing)
    match = app.match
    earlier = match_when_typed(match, options.once)
    if words in ((), (LAST,)):
        target = corrections.last_of(earlier, options.by)
    else:
        target = entry_meant(earlier, words, earlier.can_be_struck)
    corrections.check_undo(earlier, target)
    struck = "; ".join(entry_in_words(match, entry) for entry in match.fold.layout.batch(target))
    may_mean_another = earlier is match and words[:1] in ((), (LAST,)) and not (options.yes or options.dry_run)
    reasons = corrections.why_ask(match, target, options.by, now_ms()) if may_mean_another else ()
    before = unsent(app, options)

    def record(ask: Callable[..., bool]) -> Written:
        if reasons and not ask(f"undo takes back {struck}; {'; '.join(reasons)}", f"hl undo {target}"):
            raise Unmet("confirm.declined", "not confirmed: nothing was recorded", f"hl undo {target}")
        return corrections.undo(match, target, options, ask)

    written = _corrected(app, f"to undo: {struck}", f"undone: {struck}", record, options)
    answer(app, written, writing, effect=stays(match, target, "is taken back"))
    tell_unsent(app, before, unsent(app, options))


def _corrected(
    app: App, to_do: str, done: str, record: Callable[[Callable[..., bool]], Written], options: Options
) -> Written:
    """Record a correction, and say what it did; or before a question, and with -n, what it is to do."""
    said = [to_do] * app.json

    def ask(*question: str) -> bool:
        if not said:
            said.append(to_do)
            app.to_host(to_do)
        return app.ask(*question)

    if options.dry_run and not app.json:
        app.to_host(to_do)
    written = record(ask)
    if not (said or options.dry_run or written.repeated):
        app.to_host(done)
    return written


def stays(match: Match, target: int, is_now: str, words: Sequence[str] = (), contested: Iterable[Outcome] = ()) -> str:
    """The answer to a correction that leaves the match unchanged; `words` are those of an amend."""
    if refusals := [o.refusal for o in contested if o.entry.seq == target and o.refusal is not None]:
        return f"entry {target} {is_now}, but the rules still do not allow it: {refusals[0].what}"
    verb = match.book.entries[target - 1].body.do
    if verb in ("commit", "word"):
        return "the deal goes by what was recorded first, posted or not"
    newer = counts_instead(match.fold, target) if words else None
    if newer is not None and match.book.entries[newer - 1].body.do == verb:
        meant = line_to_run("hl", "amend", str(newer), *words)
        return f"entry {target} is corrected; the sheet that counts is #{newer}. Meant that? {meant}"
    return f"entry {target} {is_now}; the match stands as before"


@verb("redo", "fix", records=("redo",))
@click.argument("seq", required=False, metavar="[SEQ]", shell_complete=undone)
@about_options
def redo_entry(app: App, seq: str | None, writing: WriteOptions) -> None:
    """Take an undo back.

    hl redo

    SEQ is the undo or the entry it struck; without it your last.
    """
    options = app.options(writing)
    match = app.match
    earlier = match_when_typed(match, options.once)
    if seq is None:
        target = corrections.last_undo_of(earlier, options.by)
    else:
        target = corrections.check_redo(earlier, entry_number(seq))
    undone = match.fold.marks.undone.get(target) or (target,)
    undo = f"#{target}, the undo of {'; '.join(entry_in_words(match, old) for old in undone)}"
    before, effect = unsent(app, options), f"{numbers(undone)} counts again; the match stands as before"
    record = functools.partial(corrections.redo, match, target, options)
    written = _corrected(app, f"to take back: {undo}", f"taken back: {undo}", record, options)
    answer(app, written, writing, effect=effect)
    tell_unsent(app, before, unsent(app, options))


@verb("confirm", "fix", records=("confirm",))
@click.argument("seq", metavar="SEQ", shell_complete=of_another_host)
@about_options
def confirm_entry(app: App, seq: str, writing: WriteOptions) -> None:
    """Record that another host has checked an entry.

    hl confirm 12
    """
    options = app.options(writing)
    match, target = app.match, entry_number(seq)
    written = corrections.confirm(match, target, options, app.ask)
    do = match.book.entries[target - 1].body.do
    answer(app, written, writing, effect=f"{options.by} has checked entry {target} ({do})")


@verb("amend", "fix", records=("amend",))
@click.argument("words", metavar="SEQ|last... [KEY=VALUE...]", nargs=-1, required=True, shell_complete=amended_fields)
@about_options
def amend(app: App, words: tuple[str, ...], writing: WriteOptions) -> None:
    """Correct an entry.

    hl amend 12 at=3 mar 19:05
    hl amend 12

    Its fields, or at=TIME; without any it shows the entry and what can be corrected. The entry itself stays as it is.
    What may follow last, hl undo --help says.
    """
    options = app.options(writing)
    match = app.match
    meant = [*takewhile(lambda word: "=" not in word, words)] if words[0].lower() == LAST else [words[0]]
    earlier = match_when_typed(match, options.once)
    target = entry_meant(earlier, meant, lambda entry: entry.body.do in match.engine.actions)
    match.check_entry(target)
    is_pair = re.compile(r"[A-Za-z_][\w-]*=")
    pair = functools.partial(_pair, target, match.engine.actions.get(match.book.entries[target - 1].body.do))
    values = dict(map(pair, _texts(words[len(meant) :], lambda word, after: is_pair.match(word) is not None)))
    if not values:
        _show_fields(app, target)
        return
    time = values.pop("at", None)
    at = None if time is None else app.read_at(time)

    def read_in(current: Match) -> Any:
        typed = _in_place(current, target, values)
        return corrections.amended(current, target, typed, functools.partial(typed_fields, app), at)

    correction = read_in(earlier)

    def check(current: Match) -> None:
        if read_in(current) != correction:
            what = f"another host corrected entry {target} in the meantime"
            raise Refused("amend.changed", what, f"hl show {target}")

    before = unsent(app, options)
    written = correct(match, correction, options, app.ask, check)
    answer(app, written, writing, effect=stays(match, target, "is corrected", words[len(meant) :], written.contested))
    tell_unsent(app, before, unsent(app, options))


def _show_fields(app: App, target: int) -> None:
    match = app.match
    corrections.check_amend(match, target)
    live = as_effective(match.book.entries[target - 1], match.fold.marks, match.fold.layout)
    known = [field for field in fields(match.engine.actions[live.do]) if not field.arg.hidden]
    named, place = match.file_words(live)
    values = {**named, **{f.name: _typed_value(live.args.get(f.name)) for f in known if f.name != place}}
    at = match.book.entries[target - 1].body.at if live.at == BEFORE_ALL else live.at
    values["at"] = show_time(at, match.zone)
    if app.json:
        app.out(json_text({"seq": target, "do": live.do, "fields": values}))
        return
    app.show(plain_line(entry_in_words(match, target)))
    help_of = {field.name: field.arg.help for field in known} | {"at": "When it counts."}
    help_of |= dict.fromkeys(named, "As the file says.")
    rows = [(f"{name}={value}", help_of[name]) for name, value in values.items()]
    app.out(table(("field", "what it is"), rows, width=width()))
    app.to_host(f"to correct it: hl amend {target} KEY=VALUE")


def _typed_value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(_typed_value, value))
    return "" if value is None else in_a_word(value)


def _in_place(match: Match, target: int, typed: Mapping[str, str]) -> Mapping[str, str | Sequence[str]]:
    """Turn `bribe=3`, a word of a verb or sheet of the match file, into all its words; other fields stay as typed."""
    corrections.check_amend(match, target)
    live = as_effective(match.book.entries[target - 1], match.fold.marks, match.fold.layout)
    named, place = match.file_words(live)
    if named and place in typed:  # as the log shows them
        words = typed[place].replace(",", " ").split()
        each = [f"{name}={word}" for name, word in zip(named, words, strict=False)] if len(words) == len(named) else []
        what = f"entry {target} is corrected by the names of its words: {' '.join(named)}"
        raise Unreadable("amend.field", what, line_to_run("hl", "amend", str(target), *each))
    own = [field for field in fields(match.engine.actions[live.do]) if not field.arg.hidden]
    values = named or {field.name: _typed_value(live.args.get(field.name)) for field in own}
    for name in sorted({name.replace("-", "_") for name in typed}.difference(named, (field.name for field in own))):
        players = [field.name for field in own if field.kind is PLAYER]
        pairs = [f"{key}={value}" for key, value in values.items() if value and key not in players]
        like = [f"like: {line_to_run('hl', 'amend', str(target), pair)}" for pair in pairs[:1]]
        hint = did_you_mean(name, [*named], "\n".join([f"one of: {' '.join([*values, 'at'])}", *like]))
        raise Unreadable("amend.field", f"entry {target} has no field {shown(name)}", hint)
    rest = {name: word for name, word in typed.items() if name not in named}
    return rest if len(rest) == len(typed) else {place: [typed.get(name, named[name]) for name in named], **rest}


def _pair(target: int, action: type | None, word: str) -> tuple[str, str]:
    key, eq, value = word.partition("=")
    if not eq or not key:
        typed, _, rest = word.partition(" ")
        names = [field.name for field in fields(action)] if action is not None else []
        pairs = [f"{typed.lower()}={rest}"] if rest and typed.lower() in (*names, "at") else []
        fix = line_to_run("hl", "amend", str(target), *pairs)
        raise Unreadable("command.usage", f"{shown(word)} is not KEY=VALUE", fix)
    return key.lower(), value.strip()
