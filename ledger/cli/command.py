"""One verb: what it is called, does, takes, prints and records, and for whom it is."""

from __future__ import annotations

from ledger.cli.params import WRITE, Param, of_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Literal


class Command:
    """One verb.

    Attributes:
        group: Under which heading `hl --help` lists it.
        help: One line. `more`: what `hl VERB --help` says besides.
        module: Where in ledger/cli its function `do_VERB` stands; "": a verb that needs nothing but its record.
        records: The entries it may record, as the log names them; `*`: whatever its input says. `run`, `shell` and
            `demo` record nothing themselves: they run other verbs.
        audience: Who may read what it prints: `any` (`--for`, or the player it names), `host`, `public` (everybody, as
            it stands), `none` (it tells nothing of a match).
    """

    __slots__ = ("_takes", "audience", "group", "help", "module", "more", "name", "records")

    def __init__(
        self, group: str, name: str, help: str, more: str = "", *, module: str = "",
        takes: Iterable[Param] | None = None, records: tuple[str, ...] = (),
        audience: Literal["any", "host", "public", "none"] = "host",
    ) -> None:  # fmt: skip
        self.group, self.name, self.help, self.more, self.module = group, name, help, more, module
        self._takes = WRITE if takes is None else tuple(takes)
        self.records = records if module else records or (name,)
        self.audience = audience

    @property
    def takes(self) -> tuple[Param, ...]:
        """Its words in place, then its options, as its help lists them."""
        return self._takes if self.module else of_record(self.record, self._takes)

    @property
    def record(self) -> type:
        """The record of the entry it writes, of a verb that needs nothing else."""
        from games.records import kebab
        from games.table.actions import TYPED

        return next(cls for cls in TYPED if kebab(cls) == self.name)

    @property
    def writes(self) -> bool:
        """Does it record something?"""
        return bool(self.records)

    @property
    def formats(self) -> tuple[str, ...]:
        """What its `-f` takes."""
        return next((tuple(param.metavar.split("|")) for param in self._takes if param.name == "fmt"), ())


NEEDS = {
    "vote": {"vote"}, "gift": {"gift"}, "choose": {"choose", "elimination"}, "lot": {"lot"}, "resolve": {"rounds"},
    "blank": {"rounds", "vote"}, "deal": {"deal"}, "commit": {"deal", "commit"}, "word": {"deal", "commit"},
}  # fmt: skip
"""Shared verb -> what a game has, at least one of them, if the verb means something in it."""


def means(verb: str, has: Collection[str]) -> bool:
    """Does a shared verb mean something in a game that has these?"""
    return verb not in NEEDS or not NEEDS[verb].isdisjoint(has)
