"""`python -m ledger`, and the entry point of `hl` and `host-ledger`."""

from __future__ import annotations

import gc
import io
import sys


def main() -> None:
    """Run one command line and leave with its exit code."""
    gc.disable()  # a command is short: collecting what its imports leave costs more than it frees
    from ledger.cli.root import run

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what this terminal cannot show must not look like a failure
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
