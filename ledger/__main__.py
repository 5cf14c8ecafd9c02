"""`python -m ledger`, and the entry point of `hl` and `host-ledger`."""

from __future__ import annotations

import gc
import io
import os
import sys


def main() -> None:
    gc.disable()  # commands are short: collecting the garbage of imports costs more than it frees
    try:
        from ledger.cli.root import run  # fails if another package has our names: see `refuse`
    except ImportError:
        from ledger.core.clash import not_ours, refuse

        if not (names := not_ours()):
            raise
        sys.exit(refuse(names))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a character that the terminal cannot show is no failure
            if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8", newline="\n")  # files and pipes are the same on every system
    if sys.stdin is None:  # it was closed: nobody can answer, and our files must not get its descriptor
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    read = sys.stdin
    if isinstance(read, io.TextIOWrapper) and not read.isatty() and "PYTHONIOENCODING" not in os.environ:
        read.reconfigure(encoding="utf-8", errors=read.errors)
    code = run(sys.argv[1:])
    gc.freeze()  # no collection at exit either, which saves each command 6 ms
    sys.exit(code)


def _import_nothing_from_here() -> None:
    """Drop the current folder from the search path: `python -m` would run a json.py in it.

    It is kept if the program itself is there (a clone): anybody who can write to the folder can change the program too.
    """
    try:
        here = os.getcwd()
    except OSError:
        return  # the folder is gone
    if sys.path[:1] in ([""], [here]) and not os.path.samefile(here, os.path.dirname(os.path.dirname(__file__))):
        del sys.path[0]


if __name__ == "__main__":
    _import_nothing_from_here()
    main()
