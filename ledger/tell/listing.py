"""Entries as `log` and `show` print them: who recorded them, when, in which words, and how each counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from events import Entry, read_instant, write_instant
from events.errors import LedgerError, Unreadable
from events.record import NamedTuple
from games.contract import Fact
from games.kinds import HEX, INSTANT, NAME, PLAYER, TEXT, Kind
from games.records import fields, is_record, kebab, plain, snake
from games.table.actions import ABOUT, META_VERBS, STRIKABLE, TYPED, AmendSetting, Deal, Declare, Reason
from ledger.core.effective import BEFORE_ALL, as_effective, is_posting_mark, late_entries
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.core.times import show_clock, show_time
from ledger.render.safe import PlainText, plain_text

# ---- an entry in words -----------------------------------------------------------------------------------------------

MAX_FIELDS = 8
"""The most fields of a table that fit into a line."""
_ABOUT: Mapping[str, type] = {kebab(cls): cls for cls in ABOUT}


def by_name(args: Mapping[str, Any]) -> str:
    """`a=ann give=R7`: the arguments of an entry, in one line."""
    parts = []
    for key, value in args.items():
        if isinstance(value, dict) and len(value) <= MAX_FIELDS:
            parts.append(by_name(value))
        elif value != []:
            word = in_a_word(value)
            parts.append(f"{key}={word if len(word) <= 60 else word[:59] + '…'}".replace("\n", " "))
    return " ".join(parts)


def in_a_word(value: Any) -> str:
    if isinstance(value, dict):
        if set(value) == {"id", "name"}:
            return str(value["id"])
        return by_name(value) if len(value) <= MAX_FIELDS else f"({len(value)})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(in_a_word(item) for item in value) if isinstance(value, list) else str(value)


def in_words(match: Match, seq: int) -> str:
    """An entry as it counts, in words, for a host who is about to undo it: `#20, trade ann R2 bob B4`."""
    entry = match.book.entries[seq - 1]
    args = as_effective(entry, match.fold.marks, match.fold.layout).args
    match entry.body.do:
        case "posted":
            text = f"the mark that text {args.get('item')} {'was dropped' if args.get('dropped') else 'was posted'}"
        case "posting":
            text = f"the mark that text {args.get('item')} is being sent"
        case "amend":
            text = f"the amend of #{args.get('target')}"
        case "anchor":
            text = f"the mark that a receipt is in {args.get('link')}"
        case _:
            text = as_typed(match, entry.body.do, args)
    return f"#{seq}, {text}"


def as_typed(match: Match, do: str, args: Mapping[str, Any], limit: int = 120) -> str:
    """`vote ann cyd`, `submit ann --ticket paper`: an entry as a host would type it, in one line.

    Fields that the ledger fills in (a seed, a drawn order) are left out, except the name of a round.

    Args:
        limit: The most characters; a longer line is cut and ends in `…`.
    """
    cls = match.engine.actions.get(do) or _ABOUT.get(do)
    if cls is AmendSetting:
        return f"{do} {args.get('key')}={_typed(args.get('value'), match.zone)}"
    own_words = cls in (*TYPED, *match.game.actions) and cls is not Deal
    if cls is Declare and args.get("kind") == "elimination" and not args.get("players"):
        return "declare elimination nobody"
    if cls is Reason:
        args = {"text": args.get("text")}
    params = {param.name: param for param in fields(cls)} if own_words and cls is not None else {}
    parts = [do]
    for name, value in in_typed_order(match, do, args).items():
        param = params.get(name)
        if value in (None, "", [], False) or (param is not None and param.arg.hidden and param.kind is not NAME):
            continue
        option = "" if param is None or param.in_place or param.arg.hidden else f"--{name.replace('_', '-')}"
        if not option:
            parts.append(_typed(value, match.zone))
        elif param is not None and param.bare and isinstance(value, int):
            parts += [option] * min(value, limit)  # a hostile log may have any number here
        else:
            items = value if isinstance(value, list) else [value]
            parts += [f"{option} {_typed(item, match.zone)}" for item in items]
    typed = " ".join(" ".join(parts).split())
    return typed if len(typed) <= limit else typed[: limit - 1] + "…"


def _typed(value: Any, zone: str) -> str:
    if isinstance(value, dict):
        parts = ((key, item) for key, item in value.items() if item not in (None, "", [], False))
        return " ".join(f"{key}={_typed(item, zone)}" for key, item in parts)
    if isinstance(value, list):
        return " ".join(_typed(item, zone) for item in value)
    try:
        return show_time(read_instant(value), zone) if isinstance(value, str) else in_a_word(value)
    except ValueError:
        return str(value)


def in_typed_order(match: Match, do: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
    cls = match.engine.actions.get(do) or _ABOUT.get(do)
    typed = [f.name for f in fields(cls)] if cls is not None else []
    return {name: args[name] for name in [*(n for n in typed if n in args), *(n for n in args if n not in typed)]}


# ---- one line for each entry -----------------------------------------------------------------------------------------


class Row(NamedTuple):
    seq: int
    at: int
    recorded: int
    by: str
    do: str
    args: Mapping[str, Any]
    marks: tuple[str, ...]
    first: tuple[int, Mapping[str, Any]] | None = None
    """For an amended entry: the time and arguments of its line in the log."""

    def line(self, zone: str, *, seconds: bool = False) -> str:
        """`#12  Fri 18:10  mara  trade a=ann give=R7 ...  [late, amended by 14]`."""
        when = show_clock(self.at, zone, seconds=seconds)
        text = f"#{self.seq:<4} {when}  {self.by}  {self.do} {by_name(self.args)}".rstrip()
        return text + (f"  [{', '.join(marks_in_words(self.marks))}]" if self.marks else "")

    def as_json(self) -> dict[str, Any]:
        first = None if self.first is None else {"at": write_instant(self.first[0]), "args": self.first[1]}
        times = {"at": write_instant(self.at), "recorded": write_instant(self.recorded)}
        return {**self._asdict(), **times, "marks": list(self.marks), "first": first}


def marks_in_words(marks: Sequence[str]) -> list[str]:
    return ["not allowed" if mark == "contested" else mark for mark in marks]


def rows(
    match: Match, *, player: str | None, kind: str | None, live_only: bool, since: int = BEFORE_ALL, until: int = 2**62,
    everything: bool = True, by_time: bool = False,
) -> tuple[list[Row], list[Entry]]:  # fmt: skip
    """The entries as they count now, and those left out. Filters use amended times and arguments.

    Args:
        since: The earliest time, ms.
        until: The first time that is too late, ms.
        everything: Leave nothing out. Otherwise, without `kind`, joins and marks of texts and receipts are left out.
        by_time: Sort by the time at which entries count, instead of the order of recording.
    """
    fold, entries = match.fold, match.book.entries
    late = late_entries(entries, fold.layout)
    contested = {o.entry.seq for o in fold.outcomes if o.refusal is not None}
    visible, hidden = list[Row](), list[Entry]()
    for entry in entries:
        if kind is not None and entry.body.do != kind:
            continue
        if live_only and (entry.seq in fold.marks.struck or entry.body.do in META_VERBS - {kind}):
            continue
        entry_row = row(match, entry, late=entry.seq in late, contested=entry.seq in contested)
        if not since <= entry_row.at < until:
            continue
        if player is not None and (entry_row.do == "create" or player not in _strings(entry_row.args)):
            continue
        if not everything and kind is None and (entry_row.do == "join" or is_posting_mark(entry, entries, fold.layout)):
            hidden.append(entry)
            continue
        visible.append(entry_row)
    if by_time:
        is_setup, place = fold.layout.is_setup, fold.layout.place
        visible.sort(key=lambda each: (BEFORE_ALL if is_setup(each.seq) else each.at, place(each.seq)))
    return visible, hidden


def newest(match: Match, words: Sequence[str], fits: Callable[[Entry], bool] = lambda entry: True) -> int:
    """The number of the newest matching entry in effect, for `last`, `last ann`, `last trade`, `last trade ann`.

    Args:
        words: The words after `last`: a verb, what the match file calls a verb, a sheet or a thing, a player.

    Raises:
        Unreadable: `entry.none`; `player.unknown`, a word is none of these.
    """
    kind = next((word for word in words if word in match.engine.actions or word in STRIKABLE), None)
    rows_of_file = match.file_rows().keys() - match.table.seats.keys() - {kind}
    named = next((word for word in words if word in rows_of_file), None)
    names = [word for word in words if word not in (kind, named)]
    if names[1:]:
        raise Unreadable("entry.none", f"{' '.join(names)}: after last, type a verb, a player, or both", "hl log")
    player = match.table.directory().find(names[0]) if names else None
    visible, _ = rows(match, player=player, kind=kind, live_only=True, everything=False)
    for found in reversed(visible):
        entry: Entry = match.book.entries[found.seq - 1]
        if not match.fold.layout.is_setup(found.seq) and fits(entry) and (named is None or _is_of(match, found, named)):
            return entry.seq
    wanted = " ".join(filter(None, (kind, named))) or "entry"
    what = f"{wanted}{f' that names {match.table.name(player)}' if player else ''}"
    raise Unreadable("entry.none", f"there is no {what} in effect", "hl log")


def _is_of(match: Match, entry: Row, name: str) -> bool:
    """Whether the entry is of that verb or sheet of the match file, or of a thing there: a counter, a kind of card."""
    sheet = match.game.written.spoken(match.fold.state).get(name) if match.game.written else None
    of_round = sheet is not None and entry.do == kebab(sheet.action) and entry.args.get("round") in sheet.rounds
    return of_round or name in entry.args.values()


def _strings(value: Any) -> set[str]:
    """All strings in the arguments. An entry names a player if one of them is the player's id."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        value = list(value.values())
    return {string for item in value for string in _strings(item)} if isinstance(value, list) else set()


def row(match: Match, entry: Entry, *, late: bool, contested: bool) -> Row:
    log_marks, seq, body = match.fold.marks, entry.seq, entry.body
    joined, amends = match.fold.layout.joined.get(seq), log_marks.amended.get(seq, ())
    marks = (
        f"undone by {log_marks.struck[seq]}" if seq in log_marks.struck else "",
        "late" if late else "",
        f"joined, {joined[0]} there" if joined else "",
        f"amended by {seqs_of(amends)}" if amends else "",
        "contested" if contested else "",
        "forced" if body.force else "",
        f"confirmed by {' '.join(log_marks.confirmed[seq])}" if seq in log_marks.confirmed else "",
    )
    live = as_effective(entry, log_marks, match.fold.layout)
    at, args = body.at if live.at == BEFORE_ALL else live.at, in_typed_order(match, body.do, live.args)
    first = (body.at, in_typed_order(match, body.do, body.args)) if amends else None
    return Row(seq, at, body.recorded, body.by, body.do, args, tuple(filter(None, marks)), first)


def seqs_of(entries: Sequence[Entry]) -> str:
    """The numbers of these entries in one line: `22 26`."""
    return " ".join(str(entry.seq) for entry in entries)


# ---- players and words in a fact -------------------------------------------------------------------------------------

COMMON_KINDS = (PLAYER, TEXT, NAME, HEX, INSTANT)


def concerns(value: Fact, name: str) -> bool:
    """Whether any field of a fact contains this player or word."""
    if isinstance(value, str):
        return value.casefold() == name.casefold()
    return (is_record(value) or isinstance(value, tuple)) and any(concerns(item, name) for item in value)


def readings(match: Match, typed: str) -> Iterator[str]:
    """The readings of a word as each kind of the game: `red7` is `R7` in a game that reads cards so."""
    desk = match.desk(0)
    for kind in kinds_of(match):
        with suppress(LedgerError):
            yield kind.read(typed, desk)


def kinds_of(match: Match) -> list[Kind]:
    """The game's own kinds of typed words, except those of fields that the ledger fills in."""
    typed = [field for cls in match.game.actions for field in fields(cls) if not field.arg.hidden]
    kinds = [field.kind for field in typed if field.kind is not None]
    return [kind for i, kind in enumerate(kinds) if kind not in COMMON_KINDS and kind not in kinds[:i]]


# ---- one entry in full -----------------------------------------------------------------------------------------------


def outcome_of(match: Match, seq: int) -> Outcome | None:
    return next((o for o in match.fold.outcomes if o.entry.seq == seq), None)


class Detail(NamedTuple):
    row: Row
    hash: str
    evidence: str | None
    facts: tuple[tuple[Mapping[str, Any], str, str], ...]
    refusal: str | None

    def text(self, zone: str) -> PlainText:
        row = self.row
        lines = [f"entry {row.seq} · {row.do} · recorded by {row.by}"]
        for key, value in row.args.items():
            if isinstance(value, dict):
                lines += [f"  {key}:", *(f"    {name}: {in_a_word(item)}" for name, item in value.items())]
            elif value != []:
                lines.append(f"  {key}: {in_a_word(value)}".replace("\n", "\n    "))
        lines += [f"  counts at {show_time(row.at, zone)}, recorded {show_time(row.recorded, zone)}"]
        if row.first is not None:
            at, args = row.first
            lines += [f"  before it was amended: {by_name(args)}; counted at {show_time(at, zone)}"]
        lines += [f"  evidence: {self.evidence}"] if self.evidence else []
        lines += [f"  {mark}" for mark in row.marks if mark != "contested"]  # `refusal` gives the reason too
        lines += [f"  -> {sentence} [{rule}]" for _, sentence, rule in self.facts]
        lines += [f"  the rules do not allow it: {self.refusal}"] if self.refusal else []
        return plain_text("\n".join([*lines, f"  hash {self.hash}"]))

    def as_json(self) -> dict[str, Any]:
        facts = [{**fact, "text": sentence, "rule": rule} for fact, sentence, rule in self.facts]
        row = self.row.as_json()
        return {**row, "hash": self.hash, "evidence": self.evidence, "facts": facts, "contested": self.refusal}


def detail(match: Match, seq: int) -> Detail:
    """One entry in full.

    Raises:
        Unreadable: `entry.unknown`.
    """
    match.check_entry(seq)
    entry = match.book.entries[seq - 1]
    outcome = outcome_of(match, seq)
    reasons = [(fact, match.explain(match.fold.state, fact)) for fact in (outcome.facts if outcome else ())]
    facts = tuple(({**plain(fact), "fact": snake(type(fact))}, reason.text, reason.rule) for fact, reason in reasons)
    refusal = outcome.refusal.what if outcome and outcome.refusal else None
    late = seq in late_entries(match.book.entries, match.fold.layout)
    entry_row = row(match, entry, late=late, contested=refusal is not None)
    return Detail(entry_row, entry.hash, entry.body.evidence, facts, refusal)
