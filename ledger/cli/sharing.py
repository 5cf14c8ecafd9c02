"""Verbs of a shared match: share, clone, sync, unshare."""

from __future__ import annotations

import getpass
import os
import sys
from tempfile import TemporaryDirectory

import click

from events.disk import line_to_run
from events.errors import Refused, Unmet, Unreadable
from games.kinds import count
from ledger.audit.senders import push_signer
from ledger.cli.app import App
from ledger.cli.carry_out import numbers
from ledger.cli.completion import files
from ledger.cli.errors import for_shell
from ledger.cli.verb import WriteOptions, json_option, verb, yes_option
from ledger.core.clock import now_ms
from ledger.render.safe import json_text, plain_line
from ledger.wire import sharing
from ledger.wire.mirror import SharedLog
from ledger.wire.plugin import mirror_of
from ledger.wire.sealing import key_of
from ledger.wire.sidecars import remember

_UNSEALED = (
    "anybody who runs the server or can read the repository could then read every hand, bid and note, and write "
    "entries in any host's name. Share it unencrypted?"
)
_MOVE = "the other hosts can record nothing until they clone it again, with the new key. Move it?"


@verb("share", "tools")
@click.argument("url", required=False, metavar="[URL]")
@click.option("--plain", is_flag=True, help="Do not encrypt: anybody who runs the server can read the match.")
@click.option("--key", "key_only", is_flag=True, help="Print the key of a shared match, and nothing else.")
@click.option(
    "--move", is_flag=True, help="Of a shared match: move it to URL, with a new key, and close the place where it was."
)
@yes_option
def share(app: App, url: str | None, plain: bool, key_only: bool, move: bool, writing: WriteOptions) -> None:
    """Put this match on a server, for hosts elsewhere; its folder becomes a mirror.

    hl share git+ssh://example.org/srv/matches.git#episode5

    URL is git+ssh://HOST/PATH#NAME, git+https://HOST/PATH#NAME, git+file:///PATH#NAME or
    postgresql://HOST/DB#NAME. The server gets encrypted lines; the key is printed for the other hosts. Without URL it
    shows where a shared match lies, and its key.
    """
    path = app.match.book.path if url is None else app.log(to_record=True)
    if url is None:
        known = _shared_url(path)
        if key_only:
            app.out(plain_line(sharing.key_words(path)))
        else:
            _tell_key(app, path, known)
        return
    if plain and not writing.yes and not app.ask(_UNSEALED, "hl share URL --plain --yes"):
        raise Unmet("confirm.declined", "not confirmed: nothing was sent", "hl share URL")
    if move and not writing.yes and not app.ask(_MOVE, "hl share URL --move --yes"):
        raise Unmet("confirm.declined", "not confirmed: it is shared as before", "hl share URL --move")
    sign = push_signer(app.config.sign, app.match, ask=app.may_ask)
    if move:
        if (old := sharing.shared_at(path)) is None:
            raise Refused("wire.not_shared", "this match is not shared", "hl share URL")
        known = sharing.move(SharedLog(path, now_ms), url, plain=plain, signer=sign)
        app.to_host(f"closed: anybody who records at {old} is told that the match has moved")
    else:
        known = sharing.share(path, url, plain=plain, signer=sign)
    app.stale()
    app.to_host(f"shared: this folder is a mirror of {known} from now on")
    _tell_key(app, path, known)
    if not plain:
        app.to_host(
            "the server sees how many entries there are, when each came, its size in steps of 256 bytes, and its hash"
        )


def _shared_url(path: str) -> str:
    if (url := sharing.shared_at(path)) is None:
        raise Unreadable("wire.not_given", "this match is not shared; say where to", "hl share URL")
    return url


def _tell_key(app: App, path: str, url: str) -> None:
    app.out_recorded(plain_line(url))
    app.to_host(f"other hosts: {for_shell(line_to_run('hl', 'clone', url))}")
    if words := sharing.key_words(path):
        app.to_host("it asks for this key; send it to hosts only, and not through the server:")
        app.to_host(f"  {words}")
    else:
        app.to_host("it is not encrypted: anybody who runs the server can read it")


@verb("sync", "tools")
@click.option("--restore", is_flag=True, help="Put back what the server has lost from its end.")
@json_option
def sync(app: App, restore: bool, writing: WriteOptions) -> None:
    """Fetch what other hosts have recorded, and settle unknown outcomes.

    hl sync

    Every command does so by itself; this one says what came, and fails when the server does not answer.
    """
    path = app.log(to_record=True)
    _shared_url(path)
    restored = sharing.restore(path) if restore else 0
    before, mark, notes = sharing.sync(SharedLog(path, now_ms))
    new = mark.seq - before
    app.stale()
    if writing.json:
        document = {"ok": True, "entries": mark.seq, "head": mark.hash, "new": new, "restored": restored}
        app.out_recorded(json_text(document))
        return
    app.to_host(*notes)
    if restore:
        lost = f"restored {count(restored, 'entry')} that the server had lost"
        app.to_host(lost if restored else "the server has lost nothing")
    news = f"new: {numbers((before + 1, mark.seq))}" if new else "nothing new"
    app.to_host(f"{news}; {mark.seq} entries here and on the server · receipt {mark.hash}")


@verb("unshare", "tools")
@yes_option
def unshare(app: App, writing: WriteOptions) -> None:
    """Leave a shared match: this folder becomes a match of its own.

    hl unshare

    The server stays as it is. hl join brings such a copy back.
    """
    path = app.log(to_record=True)
    known = sharing.shared_at(path)
    question = f"leave {known}? This folder goes on as a copy of its own; hl join can bring it back."
    if known is not None and not writing.yes and not app.ask(question, "hl unshare --yes"):
        raise Unmet("confirm.declined", "not confirmed: it is shared as before", "hl unshare --yes")
    url = sharing.unshare(path, doubtful=writing.yes)
    app.stale()
    app.to_host(f"this folder is a match of its own now; {url} is as it was")


@verb("clone", "tools")
@click.argument("url", metavar="URL")
@click.argument("folder", required=False, metavar="[DIR]", shell_complete=files)
def clone(app: App, url: str, folder: str | None) -> None:
    """Make a mirror of a shared match on this machine.

    hl clone git+ssh://example.org/srv/matches.git#episode5

    It asks for the key, which is not shown, or reads it from standard input. Without DIR it lies in your data folder,
    and -g URL finds it.
    """
    app.out_recorded(plain_line(_clone(app, url, folder)))


def ensure(app: App, url: str) -> None:
    if mirror_of(url) is None:
        _clone(app, url, None)


def _clone(app: App, url: str, folder: str | None) -> str:
    with TemporaryDirectory() as scratch:
        place = os.path.join(scratch, "match")
        fetched = sharing.find(url, place)
        path, entries = sharing.clone(fetched, key_of(_key(app)) if fetched.sealed else b"", folder, place)
    remember(url, path)
    app.to_host(f"made {os.path.dirname(path)}, a mirror with {entries} entries")
    return os.path.dirname(path)


def _key(app: App) -> str:
    if app.may_ask:
        return getpass.getpass("key of this match (it is not shown): ")
    return "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.readline()
