"""Texts that neither wait nor were posted: superseded, for a player who left, or being sent."""

from __future__ import annotations

from ledger.cli.app import App
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.tell.outbox import Claim, Outbox, outbox


def current_outbox(match: Match) -> Outbox:
    """With the reminders that are due by now."""
    return outbox(match, now_ms())


def tell_not_waiting(app: App, outbox: Outbox) -> None:
    for item, name in outbox.superseded:
        app.to_host(f"{item.name} for {item.audience} in {item.channel} is superseded by {name}: it need not be posted")
    by_player: dict[str, list[str]] = {}
    for item in outbox.gone:
        by_player.setdefault(item.audience, []).append(item.name)
    for player, names in by_player.items():
        app.to_host(f"not posted to {player}, who has left the match: {' '.join(names)}")
    for name, claim in outbox.claims.items():
        app.to_host(in_doubt(name, claim, app.match.zone))


def in_doubt(name: str, claim: Claim, zone: str) -> str:
    """What a host does about a text that may have been sent or not."""
    return (
        f"{name} for {claim.action.audience}: {claim.by} began to send it to {claim.action.channel} at "
        f"{show_time(claim.at, zone)}, and no answer is recorded. Look there: hl outbox done {name} if it was posted, "
        f"hl outbox undo {name} if not"
    )
