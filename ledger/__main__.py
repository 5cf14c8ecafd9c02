"""`python -m ledger`, and the entry point of `hl` and `host-ledger`."""

from __future__ import annotations

import gc
import io
import os
import sys


def main() -> None:
    gc.disable()  # a command is short: collecting what its imports leave costs more than it frees
    try:
        from ledger.cli.root import run  # another package may have our names: refuse says so
    except ImportError:
        from ledger.core.clash import not_ours, refuse

        if not (names := not_ours()):
            raise
        sys.exit(refuse(names))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what this terminal cannot show must not look like a failure
            if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8", newline="\n")  # a file or pipe is the same on every system
    if sys.stdin is None:  # it was closed: nobody can answer, and no file of ours may get its number
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    read = sys.stdin
    if isinstance(read, io.TextIOWrapper) and not read.isatty() and "PYTHONIOENCODING" not in os.environ:
        read.reconfigure(encoding="utf-8", errors=read.errors)
    code = run(sys.argv[1:])
    gc.freeze()  # nor is it collected at the end: 6 ms of each command
    sys.exit(code)


def _import_nothing_from_here() -> None:
    """`python -m` looks for modules in the present folder first: a json.py that lies there would be run.

    Where the program itself lies there (a clone), who can write into the folder can change the program as well.
    """
    try:
        here = os.getcwd()
    except OSError:
        return  # that folder is gone
    if sys.path[:1] in ([""], [here]) and not os.path.samefile(here, os.path.dirname(os.path.dirname(__file__))):
        del sys.path[0]


if __name__ == "__main__":
    _import_nothing_from_here()
    main()
