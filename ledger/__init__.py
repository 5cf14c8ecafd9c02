"""Everything around the games: recorder, replay engine, reports, renderers, audit, command line. It names no game.

These names are the public API for programs; each is imported when it is first used (docs/api.md):

- a match: `Match`, `find_log`, `read_toml`, `new_match`
- recording: `Options`, `Written`, `record_actions`, `preview`, `undo`, `redo`, `confirm`
- what an audience may know: `at_point`, `view_json`, `result_json`, `report`, `text`, `outbox`, `steps_of`, `redacted`
- proving a log: `verify`
- a match in memory, for authors of games: `Trial`, `simulate`
- errors: `LedgerError` and its subclasses, from `events`
"""

from __future__ import annotations

TYPE_CHECKING = False  # nothing is imported here, because __main__ first makes sure that Python finds the right modules
if TYPE_CHECKING:
    from events import Damaged, LedgerError, NotRecorded, OutcomeUnknown, Refused, Unmet, Unreadable
    from ledger.audit.verify import verify
    from ledger.author.simulation import Trial, simulate
    from ledger.core.logs import find_log
    from ledger.core.match import Match
    from ledger.exchange.matchfile import new_match
    from ledger.record.corrections import confirm, redo, undo
    from ledger.record.plan import Options, Written
    from ledger.record.recorder import preview, record_actions
    from ledger.tell.outbox import outbox
    from ledger.tell.redact import redacted
    from ledger.tell.reports import at_point, report, result_json, text, view_json
    from ledger.tell.steps import steps_of

__version__ = "0.1.0"

_HOME = {
    "events": "Damaged LedgerError NotRecorded OutcomeUnknown Refused Unmet Unreadable",
    "ledger.audit.verify": "verify",
    "ledger.author.simulation": "Trial simulate",
    "ledger.core.match": "Match",
    "ledger.core.logs": "find_log",
    "ledger.core.tomlfile": "read_toml",
    "ledger.exchange.matchfile": "new_match",
    "ledger.record.corrections": "confirm redo undo",
    "ledger.record.plan": "Options Written",
    "ledger.record.recorder": "preview record_actions",
    "ledger.tell.outbox": "outbox",
    "ledger.tell.redact": "redacted",
    "ledger.tell.reports": "at_point report result_json text view_json",
    "ledger.tell.steps": "steps_of",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}
__all__ = [
    "Damaged", "LedgerError", "Match", "NotRecorded", "Options", "OutcomeUnknown", "Refused", "Trial", "Unmet",
    "Unreadable", "Written", "at_point", "confirm", "find_log", "new_match", "outbox", "preview", "read_toml",
    "record_actions", "redacted", "redo", "report", "result_json", "simulate", "steps_of", "text", "undo", "verify",
    "view_json",
]  # fmt: skip


def __getattr__(name: str) -> object:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'ledger' has no attribute {name!r}")
    value: object = getattr(__import__(module, fromlist=[name]), name)
    globals()[name] = value
    return value
