"""Audiences: who may know an entry or a datum, in addition to the hosts."""

from __future__ import annotations

from events.record import NamedTuple

HOST_VIEWER = "host"
PUBLIC_VIEWER = "public"
RESERVED = frozenset({HOST_VIEWER, PUBLIC_VIEWER, "bank", "everybody", "nobody"})
"""Names that no player may have, because options, purses and reports use them with another meaning."""


class Audience(NamedTuple):
    """Who may know something: always the hosts; also `players`, or everybody, from the start or after the end.

    >>> Audience.only("ann", "bob").admits("bob", ended=False)
    True
    >>> EVERYBODY_AFTER_END.admits("public", ended=False)
    False
    """

    players: tuple[str, ...] = ()
    everybody: bool = False
    after_end: bool = False

    @classmethod
    def only(cls, *players: str) -> Audience:
        """These players (and the hosts)."""
        return cls(players=tuple(sorted(set(players))))

    def admits(self, viewer: str, *, ended: bool) -> bool:
        """Whether `viewer` (`host`, `public` or a player id) may know it; `ended`: whether the match is over."""
        if viewer == HOST_VIEWER or self.everybody or (self.after_end and ended):
            return True
        return viewer in self.players


HOST = Audience()
"""Only the hosts; the level `nobody_ever` uses it too."""
EVERYBODY = Audience(everybody=True)
EVERYBODY_AFTER_END = Audience(after_end=True)
