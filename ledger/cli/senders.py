"""What a host sends to a shared match is signed with the key that they have settled.

Belongs here: joining the key, the words that are signed (audit/pushed.py) and the mirror that sends them.
"""

from __future__ import annotations

from ledger.audit.pushed import NAMESPACE, text_of
from ledger.core.match import Match
from ledger.wire.mirror import SharedLog
from ledger.wire.signed import Signer


def signer(key: str | None, match: Match, *, ask: bool) -> Signer | None:
    """What signs lines of this match that are sent; None where no key is settled. `ask`: for a passphrase."""
    if key is None:
        return None
    game, path = match.book.game_id, key

    def signed(first: int, last: int, head: str) -> str:
        from ledger.audit.signing import sign

        return sign(text_of(game, first, last, head), path, NAMESPACE, ask=ask)

    return signed


def let_sign(key: str | None, match: Match, *, ask: bool) -> None:
    """From now on what is sent to the match is signed."""
    assert isinstance(match.book.log, SharedLog)
    match.book.log.signer = signer(key, match, ask=ask)
