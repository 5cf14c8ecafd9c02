"""The preview of a verb that resolves or draws: what it would come to, who is missing, and whether to record it."""

from __future__ import annotations

from typing import Any

from events.errors import Unmet
from ledger.cli.answer import answer
from ledger.cli.app import App
from ledger.cli.options import WriteOptions
from ledger.record.recorder import record_actions
from ledger.render.safe import without_pings


def preview(app: App, action: Any, writing: WriteOptions) -> bool:
    """Show what an action would come to and who is still missing; on a terminal ask whether to record it.

    Returns whether what is recorded comes out the same: nothing was drawn.

    Raises:
        Unmet: the host said no.
    """
    dry = writing._replace(dry_run=True)
    written = record_actions(app.match, [action], app.options(dry), app.ask)
    answer(app, written, dry)
    lives = [outcome.live for outcome in written.outcomes]
    is_drawn = any("seed" in live.args for live in lives)
    if is_drawn:
        app.to_host("  a preview draws a lot of its own; what is recorded draws anew and may come out otherwise")
    missing: dict[str, list[str]] = {}
    for due in app.match.game.waiting(app.match.fold.state):
        missing.setdefault(due.what, []).append(app.match.table.name(due.who))
    for what, names in missing.items():
        which = f"{what}: " if len(missing) > 1 else ""
        app.note(without_pings(f"  {which}nothing that counts has come from {', '.join(names)}"))
    for line in written.hasty:
        app.to_host(f"  {line}")
    words = [word for live in lives for word in (live.do, live.args.get("round")) if word]
    if not app.may_ask:
        app.to_host(f"  nothing is recorded yet; --yes{' --early' if written.hasty else ''} records it")
    elif not app.ask(f"  to record: {' '.join(words)}"):
        raise Unmet("confirm.declined", "not confirmed: nothing was recorded", "add --yes to go on")
    return not is_drawn
