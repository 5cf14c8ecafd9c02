"""`clone`, and the mirror that `-g URL` needs."""

from __future__ import annotations

import os
import sys

import click

from ledger.cli.app import App
from ledger.cli.completion import files
from ledger.cli.verb import verb
from ledger.render.safe import plain_line
from ledger.wire import cloning
from ledger.wire.beside import remember
from ledger.wire.cloning import Cloned
from ledger.wire.sealing import key_of
from ledger.wire.seam import mirror_of


@verb("clone", "tools")
@click.argument("url", metavar="URL")
@click.argument("folder", required=False, metavar="[DIR]", shell_complete=files)
def clone(app: App, url: str, folder: str | None) -> None:
    """Make a mirror of a shared match on this machine.

    It asks for the key, which is not shown, or reads it from standard input. Without DIR it lies in your data folder,
    and -g URL finds it.
    """
    mirror = _clone(app, url, folder)
    app.out_recorded(plain_line(os.path.dirname(mirror.path)))


def ensure(app: App, url: str) -> None:
    """See to it that this machine has a mirror of a URL. Raises as `clone`."""
    if mirror_of(url) is None:
        _clone(app, url, None)


def _clone(app: App, url: str, folder: str | None) -> Cloned:
    """Fetch the match, ask for its key, make the mirror. Raises as `find` and `clone` of ledger/wire/cloning.py."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as scratch:
        place = os.path.join(scratch, "match")
        fetched = cloning.find(url, place)
        mirror = cloning.clone(fetched, key_of(_key(app)) if fetched.sealed else b"", folder, place)
    remember(url, mirror.path)
    app.to_host(f"made {os.path.dirname(mirror.path)}, a mirror with {mirror.entries} entries")
    return mirror


def _key(app: App) -> str:
    """The key that a host types or pastes, unseen; or that comes down a pipe."""
    if app.may_ask:
        import getpass

        return getpass.getpass("key of this match (it is not shown): ")
    return "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.readline()
