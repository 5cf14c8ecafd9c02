"""What the options say that many verbs share, in two records: how to look, and how to record.

Belongs here: those records. Does not belong here: how the options are typed and what their help says (params.py).
"""

from __future__ import annotations

from events.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.cli.params import Param


class ReadOptions(NamedTuple):
    """For whom, at which point of the match, in which format, and where to. What a verb does not take is as here."""

    viewer: str | None = None
    """As typed: `host`, `public` or a player."""
    as_of: str | None = None
    known: str | None = None
    fmt: str = "text"
    target: str | None = None
    """The file that it is written to."""
    overwrite: bool = False
    copy: bool = False

    @property
    def json(self) -> bool:
        return self.fmt == "json"


class WriteOptions(NamedTuple):
    """How an entry is recorded, as typed: `App.options` reads times and links. What a verb does not take is as here."""

    at: str | None = None
    msg: str | None = None
    note: str | None = None
    once: str | None = None
    again: bool = False
    force: bool = False
    early: bool = False
    dry_run: bool = False
    yes: bool = False
    json: bool = False


BUNDLES: dict[str, type[ReadOptions] | type[WriteOptions]] = {"reading": ReadOptions, "writing": WriteOptions}
"""Under which name a verb's function gets each."""


def bundled(takes: Iterable[Param]) -> dict[str, list[str]]:
    """Name of a bundle -> the options of a verb that come in it: those of its own that a field is called after."""
    own = {param.name for param in takes if param.spelled and param.field is None}
    options = {name: [field for field in cls._fields if field in own] for name, cls in BUNDLES.items()}
    return {name: names for name, names in options.items() if names}
