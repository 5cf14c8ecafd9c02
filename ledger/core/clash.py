"""Another package with one of our names: which it is, and what is said of it.

`events`, `games` and `ledger` are common words, and pip overwrites without a word. This imports nothing of ours: where
another package has our names, nothing of ours may be there to import.
"""

from __future__ import annotations

import os
import sys

OURS = ("events", "games", "ledger")
DISTRIBUTION = "host-ledger"


def not_ours() -> list[str]:
    """Which of our packages Python finds somewhere else than beside this one: another package stands before it."""
    from importlib.util import find_spec

    beside = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = {name: find_spec(name) for name in OURS}
    folders = {name: os.path.dirname(os.path.abspath(spec.origin or "")) for name, spec in found.items() if spec}
    return [name for name in OURS if folders.get(name) != os.path.join(beside, name)]


def sharing() -> list[str]:
    """The installed packages that bring modules of our names: whoever came last has overwritten the other."""
    from importlib.metadata import packages_distributions

    found = packages_distributions()
    return sorted({one for name in OURS for one in found.get(name, ()) if _plain(one) != DISTRIBUTION})


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def refuse(names: list[str]) -> int:
    """Say in two lines that nothing of ours can be used here; the exit code."""
    code = "install.clash"
    what = f"the package {' and '.join(names)} that Python finds here is not host-ledger's: another one has that name"
    print(f"hl: {what} [{code}]\n  try: pipx install host-ledger", file=sys.stderr)  # noqa: T201
    return 2
