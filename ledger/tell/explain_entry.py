"""Why, for one entry: the facts that follow from it, or what it does to other entries, and who recorded it."""

from __future__ import annotations

from collections.abc import Iterator

from events import Entry
from ledger.core.match import Match
from ledger.tell.applied import links_of
from ledger.tell.chain import Link, Why
from ledger.tell.detail import outcome_of
from ledger.tell.entry_words import as_typed, in_a_word


def explain_entry(match: Match, seq: int) -> Why:
    """The facts that follow from an entry, or what it does to other entries, and who recorded it."""
    entry = match.book.entries[seq - 1]
    body, marks = entry.body, match.fold.marks
    outcome = outcome_of(match, seq)
    args = outcome.live.args if outcome else body.args
    stands = [f"Entry {seq}, recorded by {body.by}: {as_typed(match, body.do, args)}"]
    if outcome is None:
        return Why(tuple(stands), tuple(_without_facts(match, entry)))
    if seq in marks.amended:
        amend = marks.amended[seq][-1]
        stands.append(
            f"It says so since entry {amend.seq} ({amend.body.by}); before: {as_typed(match, body.do, body.args)}"
        )
    if body.evidence:
        stands.append(f"Evidence: {body.evidence}")
    return Why(tuple(stands), tuple(links_of(match, outcome)))


def _without_facts(match: Match, entry: Entry) -> Iterator[Link]:
    """The link of an entry without an outcome: line 1, one that is undone, a meta entry."""
    seq, _, body = entry
    marks, fact, text = match.fold.marks, body.do, ""
    target = body.args.get("target")
    target_verb = match.book.entries[target - 1].body.do if isinstance(target, int) and 1 <= target < seq else "?"
    rule = "design: meta entries"
    match body.do:
        case "create":
            fact, rule = "created", "the settings of line 1: hl rules"
            text = f"{match.table.title} is made, a match of {match.game.title}"
        case _ if seq in marks.struck:
            fact, text = "struck", f"undone by entry {marks.struck[seq]}: it changes nothing"
        case "undo":
            undone = [str(number) for number in marks.undone.get(seq, ())]
            text = f"undoes entr{'y' if len(undone) == 1 else 'ies'} {', '.join(undone)}"
            text = text if undone else f"entry {target} counts again: this undo was taken back"
        case "redo":
            text = f"takes entry {target} ({target_verb}) back: what it undid counts again"
        case "amend":
            amended = body.args.get("args")
            args = amended if isinstance(amended, dict) else {}
            changes = [f"{key} {in_a_word(value)}" for key, value in args.items()]
            changes += [f"at {body.args['at']}"] if body.args.get("at") else []
            text = f"entry {target} ({target_verb}) now says: {', '.join(changes)}"
        case "confirm":
            text = f"{body.by} has checked entry {target} ({target_verb})"
        case "posted":
            outcome = "will not be posted" if body.args.get("dropped") else "was posted"
            text = f"text {body.args.get('item')} for {body.args.get('audience')} {outcome}"
        case "posting":
            text = f"text {body.args.get('item')} for {body.args.get('audience')} was about to be sent by {body.by}"
        case "join":
            lines = body.args.get("lines", ())
            count = len(lines) if isinstance(lines, list) else 0
            text = f"the next {count} entries were recorded first in another copy"
        case _:
            text = "a meta entry: it changes nothing in the match"
    yield Link(seq, body.at, fact, text, rule)
