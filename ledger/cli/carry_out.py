"""A writing verb, from typed words to its answer: read the words, record the action, report what follows.

The confirmation for the host goes to stderr, the texts to send to stdout. Typed words are never guessed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin

import click

from events import Entry
from events.audiences import PUBLIC_VIEWER
from events.errors import LedgerError, Refused, Unmet, Unreadable
from games.contract import Game, Moment
from games.kinds import ALIAS, EVERYBODY, PLAYER, YES_NO, ParseContext, called, did_you_mean, digits, grouped, shown
from games.records import ABSENT, Field, fields, kebab, of_each, plain, snake
from games.spans import MINUTE
from games.table.actions import PREVIEWED, AmendSetting, Lot, Resolve, Word
from games.table.facts import Abstained, ChoiceMade, DeadlineMoved, GiftNamed, LotDrawn, Resumed, VoteCast
from games.table.rounds import LateAdmitted, content, not_counted
from ledger.cli.app import App
from ledger.cli.terminal import unprinted
from ledger.cli.verb import Verb, WriteOptions
from ledger.core.clock import now_ms
from ledger.core.effective import EffectiveEntry
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.core.times import show_day
from ledger.record.corrections import may_move
from ledger.record.doubts import says_the_same
from ledger.record.plan import RULES, Options, Written
from ledger.record.recorder import record_actions
from ledger.render import discord
from ledger.render.safe import DiscordText, PlainText, filled, joined, json_text, without_pings
from ledger.render.text import unlisted
from ledger.tell import reports as ends
from ledger.tell.listing import as_typed, in_words
from ledger.tell.outbox import outbox, posted_marks
from ledger.tell.texts import Item, split_name, texts_now

ADD_UP = ("award", "penalty", "add", "do", "word")

# ---- typed words as the fields of an action --------------------------------------------------------------------------


def typed_action(app: App, cls: type, words: Mapping[str, Any], now: int) -> Any:
    """The action that these words describe.

    Args:
        now: The moment of the entry, ms; relative times count from it.

    Raises:
        Unreadable: a word cannot be read; nothing is guessed.
    """
    desk = app.match.desk(now)
    places = [field.name for field in fields(cls) if field.in_place]
    if {"player", "value"} <= words.keys() and not words["value"]:  # one word fewer: a field of the table
        said = [words[name] for name in places if words[name]]
        others = (name for name in places if name != "player")
        words = {**words, **dict.fromkeys(places), **dict(zip(others, said, strict=False))}
    for field, after in pairwise(field for field in fields(cls) if field.in_place):  # `award bob -1 garnets`
        later = words.get(after.name)
        if after.base is int and not {later, f"{later}s"}.isdisjoint(get_args(field.base)):
            words = {**words, field.name: later, after.name: words[field.name]}
    values = {}
    for field in fields(cls):
        word = words.get(field.name)
        if word is None or word == () or field.arg.hidden:
            continue
        if isinstance(word, tuple) and not field.many:
            word = " ".join(word)
        if word == "-" and field.arg.sealed and field.arg.phrase:
            word = sys.stdin.read()
        if field.many:
            values[field.name] = tuple(read_word(field, part, desk) for part in _each(field, word))
        else:
            values[field.name] = read_word(field, word, desk)
    return cls(**values)


def _each(field: Field, words: Sequence[Any]) -> list[str]:
    """The words of a field with many values. Players and words of a fixed list may be separated by commas."""
    if field.arg.words > 1:
        return [" ".join(pair) for pair in words]
    if field.kind is not PLAYER and (field.kind is None or not field.kind.choices):
        return list(words)
    return [part for word in words for part in word.split(",") if part.strip()] or [*words]


def read_word(field: Field, word: Any, desk: ParseContext) -> Any:
    """Read one typed word into the form that the log stores.

    Raises:
        Unreadable: it cannot be read; the fix gives the nearest words or the bounds.
    """
    if field.base is bool:
        value = word if isinstance(word, bool) else YES_NO.get(word.strip().lower())
        if value is None:
            raise Unreadable("word.unknown", f"{field.name} cannot be {shown(word)}", "one of: true false")
        return value
    word = str(word)  # click gives a counted option as a number
    if field.arg.counted and (once := YES_NO.get(word.strip().lower())) is not None:
        return int(once)
    if field.kind is not None:
        return field.kind.read(word, desk)
    if get_origin(field.base) is Literal:
        choices = [str(choice) for choice in get_args(field.base)]
        word = f"{word}s" if f"{word.lower()}s" in choices else word  # `award bob garnet 1`
        if word.lower() not in choices:
            hint = did_you_mean(word.lower(), choices, f"one of: {' '.join(choices)}", 1)
            raise Unreadable("word.unknown", f"{field.name} cannot be {shown(word)}", hint)
        return word.lower()
    return _number(field, word) if field.base is int else word


def _number(field: Field, word: str) -> int:
    least, most = (field.bounds.least, field.bounds.most) if field.bounds else (-(2**53), 2**53)
    number = digits(word.removeprefix("-").removeprefix("#"), 15)
    if number is None:
        fix = f"{field.name}: {field.arg.help}"
        raise Unreadable("number.unreadable", f"{shown(word)} is not a whole number", fix)
    number = -number if word.startswith("-") else number
    if not least <= number <= most:
        raise Unreadable("number.bounds", f"{field.name} must be {least} to {most}, not {number}", field.arg.help)
    return number


def typed_fields(app: App, cls: type, words: Mapping[str, str | Sequence[str]], now: int) -> dict[str, Any]:
    """Read `key=value` words into args of an action, for `amend`; `key=` takes away what need not be there.

    Args:
        words: By the names of fields of the action.
        now: The moment of the entry, ms.

    Raises:
        Unreadable: a word cannot be read.
    """
    known = {field.name: field for field in fields(cls) if not field.arg.hidden}
    desk = app.match.desk(now)
    args = {}
    for name, word in words.items():
        field = known[name.replace("-", "_")]
        if not (word or field.required or field.default is ABSENT):
            args[field.name] = plain(field.default)
        elif field.many:
            parts = field.parts(word) if isinstance(word, str) else word
            args[field.name] = [plain(read_word(field, part, desk)) for part in parts]
        else:
            args[field.name] = read_word(field, word, desk)
    return args


# ---- the answer of a writing verb ------------------------------------------------------------------------------------


def answer(
    app: App, written: Written, writing: WriteOptions, *, effect: str = "it changes nothing in the match"
) -> None:
    """Report what was recorded and what follows from it, and print the notices to send.

    Args:
        effect: The effect of an entry without facts, in words.

    Raises:
        Unprinted: it was recorded, but stdout or stderr failed.
    """
    try:
        if app.json:
            app.out(json_text(as_json(app.match.game, written, dry=writing.dry_run)))
        else:
            _confirm(app, written, effect, dry=writing.dry_run)
            if texts := [text for _, text in notices(written, "would go to" if writing.dry_run else "to")]:
                app.out(joined(texts, "\n\n"))
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError as error:
        if writing.dry_run:
            raise
        raise unprinted(error) from None


def as_json(game: Game, written: Written, *, dry: bool) -> dict[str, Any]:
    """The answer for a program. Source: docs/json.md."""
    facts = [
        {
            **plain(fact),
            "fact": snake(type(fact)),
            "seq": outcome.entry.seq,
            "text": game.explain(written.after, fact).text,
        }
        for outcome in written.outcomes
        for fact in outcome.facts
    ]
    contested = [
        {"seq": outcome.entry.seq, "code": outcome.refusal.code, "what": outcome.refusal.what}
        for outcome in written.contested
        if outcome.refusal is not None
    ]
    drift = [text.as_json() for text in written.drift]
    seqs = [] if dry else list(written.seqs)
    document = {"ok": True, "seq": seqs, "facts": facts, "contested": contested, "drift": drift}
    return {**document, "asks": [*written.early, *written.shown], "dry_run": True} if dry else document


def contested_line(refusal: LedgerError) -> PlainText:
    return without_pings(f"  the rules do not allow it, so it changes nothing: {refusal.what} [{refusal.code}]")


def newly_line(outcome: Outcome, allow: str = "no longer allow") -> PlainText:
    assert outcome.refusal is not None
    return without_pings(f"  the rules {allow} entry {outcome.entry.seq} ({outcome.entry.do}): {outcome.refusal.what}")


def numbers(seqs: Sequence[int]) -> str:
    return f"#{seqs[0]}" if seqs[0] == seqs[-1] else f"#{seqs[0]} to #{seqs[-1]}"


def _confirm(app: App, written: Written, effect: str, *, dry: bool) -> None:
    match = app.match
    verb = "would record" if dry else "recorded before, nothing new:" if written.repeated else "recorded"
    app.to_host(f"{verb} {numbers(written.seqs)}" + ("" if dry else f" · receipt {written.head}"))
    if not written.previewed and any(o.entry.do == kebab(Resolve) and not o.refusal for o in written.outcomes):
        _who_is_silent(app, written.before)
    for outcome in written.outcomes:
        for fact in () if written.previewed else outcome.facts:
            if isinstance(fact, GiftNamed) or (isinstance(fact, DeadlineMoved) and fact.ends is not None):
                continue  # the gift that is made says it; an end is shown below, in the zone of the match
            reason = match.game.explain(written.after, fact)
            instead = _instead(written, outcome, fact, match) if isinstance(fact, ANSWERS) else ""
            app.note(without_pings(f"  {app.in_place(reason.text)}{instead} [{reason.rule}]"))
            if isinstance(fact, LateAdmitted) and fact.by == "ruling":
                app.note(without_pings(f"  let in: {ends.sheet_in_words(match, fact.seq)}"))
                _tell_late(app, ends.late_sheets(match, match.fold, beside=fact))
        if outcome.refusal is not None:
            app.note(contested_line(outcome.refusal))
        if outcome.entry.do == kebab(AmendSetting) and outcome.entry.at < now_ms() - MINUTE:
            app.to_host(f"  it counts from {show_day(outcome.entry.at, match.zone)}")
        elif (near := _caught_up(match, outcome.entry)) is not None:
            since, other = (show_day(at, match.zone) for at in (outcome.entry.at, near.body.at))
            moves = not dry and may_move(outcome.entry.do, outcome.entry.args)
            mend = f". Not meant? hl amend {outcome.entry.seq} at=TIME" if moves else ""
            named = in_words(match, near.seq)
            app.to_host(f"  it counts from {since}, the entry before it ({named}) from {other}{mend}")
        moved = outcome.facts if written.overridden is None else ()
        app.to_host(*(f"  {line}" for line in ends.lines(moved, match.game, written.after, outcome.entry.at)))
    if written.overridden is not None:
        newer, hold = written.overridden.entry, (Resumed(0),)  # each end that there is now
        typed = as_typed(match, newer.do, newer.args)
        app.to_host(f"  this end does not hold: entry {newer.seq} ({typed}) comes after it")
        app.to_host(*(f"  {line}" for line in ends.lines(hold, match.game, written.after, newer.at)))
    if written.passed:
        if play := [seq for seq in written.passed if match.book.entries[seq - 1].body.do not in RULES]:
            more = f" and {len(play) - 1} more" if play[1:] else ""
            app.to_host(f"  late: it counts before #{play[0]}{more}")
        for new in (o.entry for o in written.outcomes if o.entry.args and o.entry.do not in ADD_UP and not dry):
            later = (o.entry for o in match.fold.outcomes if (o.entry.at, o.entry.seq) > (new.at, new.seq))
            for entry in [entry for entry in later if says_the_same([new], entry)][:1]:
                undo = f"One too many? hl undo {entry.seq}, or hl undo {new.seq}"
                app.to_host(f"  entry {entry.seq} says the same, later. {undo}")
    played = {*map(kebab, match.game.actions)}
    counting = (o for o in written.outcomes if o.facts and not not_counted(o.facts))
    if written.after.table.paused is not None and any(o.entry.do in played for o in counting):
        app.to_host("  the clock is paused, and this counts all the same. To let it run again: hl resume")
    if written.changes:
        app.to_host(*(f"  now {line}" for line in (() if written.asked else written.changes)))
    else:
        facts = [fact for outcome in written.outcomes for fact in outcome.facts]
        blocks = () if written.previewed else match.game.tell(written.after, facts, "host").blocks
        app.note(*(filled("  now {}", line) for line in unlisted(blocks, match.zone)))
    due, (was, now) = match.game.due, (written.before, written.after)
    if written.changes and was.table.phase != now.table.phase and due(was) == due(now):  # an end is another's now
        app.to_host(*(f"  {line}" for line in ends.lines((Resumed(0),), match.game, now, now_ms())))
    if not written.asked:
        tell_contested(app, written)
    if not (written.repeated or written.outcomes or written.changes):
        app.to_host(f"  {effect}")
    elif len(written.outcomes) == 1 and not (written.outcomes[0].facts or written.outcomes[0].refusal):
        app.to_host("  no change: already in effect" + (" then" if written.passed else ""))
    if written.changes and not (dry or any(posted_marks(match))) and (concerned := _concerned(match, written)):
        app.to_host(f"  players know something else now. To tell them: {concerned}")
    has = f"hl outbox {'would have' if dry else 'has'} the correction"
    for drift in () if written.asked else written.drift:
        app.to_host(f"  text {drift.item}, posted to {drift.channel}: {drift.what}; {has}")
    if written.asked and written.drift:
        app.to_host(f"  {has}" + ("s" if len(written.drift) > 1 else ""))
    app.note(*(without_pings(f"  {line}") for line in (*written.early, *written.shown)))
    app.to_host(*(f"  note: {warning}" for warning in written.warnings))
    if not (dry or written.repeated):
        for new in (outcome.entry for outcome in written.outcomes if outcome.entry.do in ADD_UP):
            same = [o.entry for o in match.fold.outcomes if (o.entry.do, o.entry.args) == (new.do, new.args)]
            earlier, fixed = (entry for entry in same if entry.seq < new.seq), new.do == kebab(Word)
            if before := [entry.seq for entry in earlier if fixed or 0 <= new.at - entry.at < 10 * MINUTE]:
                meant = ": the deal goes by both" if fixed else f". Not meant? hl undo {new.seq}"
                app.to_host(f"  entry {before[-1]} is the same, and both count{meant}")
        if written.outcomes and written.outcomes[-1].entry.do == kebab(Lot):
            _tell_idle_lots(app, written)
        at_once = ("pause", "reopen", "drop", "replace")  # they change the match for everybody with a word or two
        if any(outcome.entry.do in at_once for outcome in written.outcomes):
            app.to_host(f"  not meant? hl undo {written.seqs[0]} takes it back")
        (old, new), how = (written.before.table, written.after.table), match.table.settings.get("leaver_result", "out")
        gone = [player for player in new.left if player not in old.left]
        for player in gone if new.round is not None else ():
            if content(new.round, player) is not None:
                app.to_host(f"  {new.name(player)}'s sheet for {called(new.round.name)} still counts (S-G3)")
        for name in map(new.name, gone if old.status == "setup" and how != "out" else ()):
            may = f"{name} can be Elimination Candidate all the same (leaver_result is {how})"
            app.to_host(f"  {may}. Not meant? hl amend-setting leaver_result=out")
        for player, seat in new.seats.items():
            if player in old.seats and seat.name != old.seats[player].name and seat.channel:
                app.to_host(f"  texts for {seat.name} go to {seat.channel}: nobody else may read there from now on")
        was, steps = (ends.next_steps(match.game, state, 0) for state in (written.before, written.after))
        counts = max((outcome.entry.at for outcome in written.outcomes), default=now_ms())
        app.tell_next(ends.next_steps(match.game, written.after, counts, match.fold, now_ms()) if steps != was else ())


ANSWERS = (Abstained, ChoiceMade, VoteCast)


def _instead(written: Written, new: Outcome, fact: Any, match: Match) -> str:
    """Which entry had the vote or choice in place of which a player has another."""
    table = written.before.table
    whose, about = fact[0], fact.about
    if whose not in table.votes.get(about, {}) and (about, whose) not in table.choices:
        return ""
    others = (o for o in match.fold.outcomes if (o.entry.at, o.entry.seq) < (new.entry.at, new.entry.seq))
    same = [(o.entry.seq, f) for o in others for f in o.facts if isinstance(f, ANSWERS) and f[:1] == fact[:1]]
    same = [(seq, f) for seq, f in same if f.about == about]
    return f" ({'the same as' if same[-1][1] == fact else 'instead of'} #{same[-1][0]})" if same else ""


def _tell_idle_lots(app: App, written: Written) -> None:
    """Say of a lot that no decision asked for that it decides nothing."""
    drawn = [(o.entry.seq, fact) for o in app.match.fold.outcomes for fact in o.facts if isinstance(fact, LotDrawn)]
    for seq, lot in drawn:
        if seq in written.seqs and not lot.about:
            settled = [old for old, fact in drawn if fact.about and {*fact.among} == {*lot.among}]
            why = f"the lot of entry {settled[-1]} decided already" if settled else "nothing asks for a lot now"
            app.to_host(f"  {why}, so this one decides nothing. Not meant? hl undo {seq}")


def _who_is_silent(app: App, state: Any) -> None:
    on, named = state.table.round, app.match.table.name
    for what, names in grouped((due.what, named(due.who)) for due in app.match.game.waiting(state)).items():
        app.note(without_pings(f"  no {what} from {', '.join(names)}"))
    if on is not None:
        _tell_late(app, ends.late_sheets(app.match, app.match.fold, on.name))


def _tell_late(app: App, sheets: Iterable[str]) -> None:
    app.note(*(without_pings(f"  {app.in_place(line)}") for line in sheets))


def _caught_up(match: Match, new: EffectiveEntry) -> Entry | None:
    """The entry typed just before, if it counts from long ago and the new one from now: its `--at` may be missing."""
    lives = (outcome.entry for outcome in match.fold.outcomes if not outcome.entry.still)
    seq = max((live.seq for live in lives if live.seq < new.seq), default=1)
    before = match.book.entries[seq - 1]
    if new.still or max(now_ms() - new.at, now_ms() - before.body.recorded - 29 * MINUTE) > MINUTE:
        return None
    return before if before.body.recorded - before.body.at > 30 * MINUTE else None


def tell_contested(app: App, written: Written) -> None:
    app.note(*(newly_line(outcome) for outcome in written.newly))
    for outcome in written.mended:
        app.to_host(f"  the rules allow entry {outcome.entry.seq} ({outcome.entry.do}) now: it counts")


def _concerned(match: Match, written: Written) -> str:
    """The verbs that print the changed views of the match, without those of which a text in the outbox tells."""
    game, before, after = match.game, written.before, written.after
    then, now = (
        {(item.name, item.audience, item.blocks) for item in texts_now(known).values()}
        for known in (match.as_known(written.seqs[0] - 1), match)
    )
    told = {audience for _, audience, _ in then ^ now}
    if PUBLIC_VIEWER in told:
        return ""
    others = [p for p in after.table.seats if p not in told and game.view(before, p) != game.view(after, p)]
    everybody = game.view(before, PUBLIC_VIEWER) != game.view(after, PUBLIC_VIEWER)
    if everybody and len(others) == len(after.table.seats):
        return "hl reveal, hl summary --all"
    if others == list(after.table.seats):
        return "hl summary --all"
    return ", ".join([*(["hl reveal"] if everybody else []), *(f"hl summary {p}" for p in others)])


def notices(written: Written, to: str = "to") -> list[tuple[str, DiscordText]]:
    """(viewer, text) for each audience to whom these entries tell something new; the first line names the reader."""
    seats = written.after.table.seats
    texts = []
    for item in sorted(written.news, key=lambda item: ("public", *seats).index(item.audience)):
        seat = seats.get(item.audience)
        where = f"{seat.name} {seat.channel}".strip() if seat else "everybody"
        texts.append((item.audience, discord.labelled(f"{to} {where}", discord.render(item.blocks))))
    return texts


def preview(app: App, action: Any, writing: WriteOptions) -> bool:
    """Show the effects of an action and who is still missing; at a terminal, ask whether to record it.

    Returns whether recording will have the same outcome, which it has if nothing hangs on a lot.

    Raises:
        Unmet: the host declined.
    """
    dry = writing._replace(dry_run=True)
    match = app.match
    written = record_actions(match, [action], app.options(dry), app.ask)
    answer(app, written, dry)
    lives = [outcome.entry for outcome in written.outcomes]
    is_drawn = any(_hangs_on_a_lot(match, written.before, live) for live in lives if "seed" in live.args)
    if is_drawn:
        app.to_host("  a preview draws a lot of its own; recording draws again, and the outcome may differ")
    words = [word for live in lives for word in (live.do, live.args.get("round")) if word]
    yes = "--yes --early" if written.early else "--yes"
    if not app.may_ask:
        app.to_host(f"  nothing is recorded yet; {yes} records it")
    elif not app.ask(f"  to record: {' '.join(words)}"):
        raise Unmet("confirm.declined", "not confirmed: nothing was recorded", f"add {yes} to go on")
    return not is_drawn


def _hangs_on_a_lot(match: Match, state: Any, live: EffectiveEntry) -> bool:
    """Whether the rules refuse the entry without the lots that it has for everybody, or say something else; of what was
    shuffled, whether they do in the other order."""
    other = live.args["drawn"][::-1] if "shuffle" in live.args["draw"] else ()
    actions = (match.engine.read(live.do, args, state.table) for args in (live.args, {**live.args, "drawn": [*other]}))
    try:
        facts, others = (match.game.decide(state, action, Moment(live.at, live.seq)) for action in actions)
    except Refused:
        return True
    return facts != others


def _each_player(app: App, cls: type, words: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if (place := of_each(cls)) is None:
        return [words]
    directory = app.match.table.directory()
    players = map(directory.find, _each(place, directory.in_one(words[place.name])))
    return [{**words, place.name: player} for player in dict.fromkeys(players)]


def carry_out(app: App, cls: type, words: Mapping[str, Any], writing: WriteOptions) -> None:
    """Record the action of these words, or one action for each of several players, and answer."""
    at = app.options(writing).at
    try:
        actions = [
            typed_action(app, cls, each, now_ms() if at is None else at) for each in _each_player(app, cls, words)
        ]
    except Unreadable as error:
        if error.code == "player.all":
            first = next(iter(app.match.table.seats))
            error.fix = f"like: {app.again(instead=dict.fromkeys(EVERYBODY, first))}"
        elif error.code == "player.unknown" and error.fix == ALIAS:  # probably a word in the wrong place, not a name
            context = click.get_current_context()
            examples = context.command.examples_in(context)[:1] if isinstance(context.command, Verb) else []
            error.fix = "\n".join([*(f"like: {line}" for line in examples), f"to add a further name: {ALIAS}"])
        raise
    is_shown, known = False, 0
    if cls in PREVIEWED and not writing.yes and not writing.dry_run:
        is_shown = preview(app, actions[0], writing)
        if not app.may_ask:
            return
        writing = writing._replace(early=True)  # the preview has told the host
        known, on = len(app.match.book.entries), app.match.table.round
        if on is not None:  # the round that was shown, even if another window has resolved it meanwhile
            actions = [action._replace(round=on.name) for action in actions]
    options = app.options(writing)
    written = record_actions(app.match, actions, options, app.ask)
    is_shown = is_shown and written.seqs[:1] == (known + 1,)  # otherwise something came since the preview
    answer(app, written._replace(previewed=is_shown), writing)
    if written.passed and not written.repeated:
        before = unsent(app, options, app.match.as_known(written.seqs[0] - 1))
        after = {name: item for name, item in unsent(app, options).items() if item.seq not in written.seqs}
        tell_unsent(app, before, after)


def unsent(app: App, options: Options, known: Match | None = None) -> dict[str, Item]:
    """Name -> text, for the texts that wait to be posted; empty where nobody reads of them.

    Args:
        known: The match as it was then; by default as it is now.
    """
    if app.json or options.dry_run:
        return {}
    match = known or app.match
    waiting = {item.whole for item in outbox(match).waiting}
    return {name: item for name, item in texts_now(match).items() if name in waiting}


def tell_unsent(app: App, before: Mapping[str, Item], after: Mapping[str, Item]) -> None:
    """Say which texts a correction or a late entry changed, and what to type for one that was posted unmarked before
    it; nothing of one whose mark counts again."""
    sent = "If one was sent already: hl outbox done"
    if other := [name for name, item in after.items() if name in before and item.blocks != before[name].blocks]:
        see = f"To see it: hl outbox show {other[0]}. {sent} {other[0]} --old"
        app.to_host(f"  to be sent in other words now: {' '.join(other)}. {see}")
    if new := [name for name in after if name not in before]:
        app.to_host(f"  to be sent now as well: {' '.join(new)}. To see it: hl outbox show {new[0]}")
    marked = {split_name(mark.action.item)[0] for mark in posted_marks(app.match)}
    if gone := [name for name in before if name not in after and name not in marked]:
        app.to_host(f"  no longer to be sent: {' '.join(gone)}. {sent} {gone[0]}")
