"""The key of `--once`: a command repeated under its key is answered, and not recorded again.

Source: docs/log-format.md.
"""

from __future__ import annotations

from events import Entry, LedgerError, Refused
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Action, AnyAction, Published
from games.records import args_of, kebab
from games.table import actions as shared
from ledger.core.commitments import draw_of, goes_by
from ledger.core.match import Match
from ledger.record.plan import Options, Written, typed_on


def repeated(match: Match, action: Action | None, options: Options) -> Written | None:
    """The answer to a command that was recorded before under the same `--once` key; None if it was not."""
    if options.once is None or action is None:
        return None
    under = recorded_under(match, options.once)
    if not under:
        return None
    entry = next((candidate for candidate in under if _is_repeat(match, candidate, action)), None)
    if entry is None:
        entry = under[0]
        raise Refused(
            "once.other",
            f"the key {options.once} is already used for another command ({entry.body.do}, entry {entry.seq})",
            "use another --once key",
        )
    state, seqs = match.fold.state, match.fold.layout.batch(entry.seq)
    receipt = match.book.entries[seqs[-1] - 1].hash
    return Written(seqs, receipt, (), match.fold.contested, (), (), (), (), 0, state, state, True, ())


def recorded_under(match: Match, once: str | None) -> list[Entry]:
    """The entries that were recorded under this `--once` key: several where copies were joined."""
    called = match.fold.layout.called
    return [e for e in match.book.entries if once in called(e)] if once is not None else []


def again(match: Match, action: AnyAction) -> AnyAction:
    """The action; of a draw that was undone, and is made again, with the line where it was made first.

    Of a draw without a label everybody would learn that it was made, so it does not say so.
    """
    if action.replaces is not None:
        return action
    do, args = kebab(type(action)), args_of(action)
    if goes_by(type(action)) and not draw_of(do, args):
        return action
    line = match.deals().again(match.fold.layout, match.fold.marks.struck, do, args)
    return action._replace(replaces=line)


class _Redrawn(NamedTuple):
    """Luck that repeats the draw of an entry in the log."""

    seq: int
    seed_hex: str
    published: Published | None
    at: Instant

    def seed(self) -> bytes:
        return bytes.fromhex(self.seed_hex)


def _is_repeat(match: Match, entry: Entry, action: Action) -> bool:
    """Does typing this action give the entry, at the time and place where it was recorded?"""
    body, layout = entry.body, match.fold.layout
    if body.do != kebab(type(action)):
        return False
    if args_of(action) == body.args or body.do in shared.META_VERBS:
        return args_of(action) == body.args
    match_then = match.as_known(layout.batch(entry.seq)[0] - 1)
    state = match_then.fold_until(lambda live: live.at > body.at).state
    luck = _Redrawn(layout.place(entry.seq)[0], str(body.args.get("seed", "")), match_then.published(), body.at)
    try:
        *_, prepared = match.game.prepare(typed_on(match, state, action, body.at, entry.seq), action, luck)
        return args_of(again(match_then, prepared) if hasattr(prepared, "replaces") else prepared) == body.args
    except (LedgerError, ValueError):
        return False
