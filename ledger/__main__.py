"""`python -m ledger`, and the entry point of `hl` and `host-ledger`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run one command line and leave with its exit code."""
    from ledger.cli.root import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
