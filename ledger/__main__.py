"""`python -m ledger`, and the entry point of `hl` and `host-ledger`."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run one command line and leave with its exit code."""
    gc.disable()  # a command is short: collecting what its imports leave costs more than it frees
    from ledger.cli.root import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
