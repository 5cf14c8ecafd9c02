"""`make shared`, at its end: how long an append to a shared match takes, over each wire, here and at 30 ms round trip.

Medians in one process: `append` is one entry through the mirror after a look (push, then the mirror); `command` is a
whole `hl note` in a session, which looks first. PostgreSQL (with `fsync=on`) also with eight processes that record
without a pause. What is not installed is left out.
"""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import pytest  # noqa: E402

from events import Body  # noqa: E402
from ledger.cli.app import App  # noqa: E402
from ledger.cli.root import run  # noqa: E402
from ledger.core.clock import now_ms  # noqa: E402
from ledger.core.logs import open_log  # noqa: E402
from tests.support.evening import MATCH  # noqa: E402
from tests.support.servers import SERVERS, Postgres  # noqa: E402

MANY, WRITERS, EACH = 25, 8, 100
SSH = ROOT / "tests" / "reliability" / "cutting_ssh.py"
FLAT_OUT = """
import sys
from events import Body, Moved
from ledger.core.clock import now_ms
from ledger.core.logs import open_log
log = open_log(sys.argv[1] + "/log.jsonl")
left = int(sys.argv[2])
while left:
    now = now_ms()
    try:
        with log.writing() as writer:
            writer.append([Body("note", now, "mara", now, {"text": "one more"})])
        left -= 1
    except Moved:
        pass
"""


def hl(line: str, app: App | None = None) -> str:
    """What a command prints to standard output."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as said:
        code = run(line.split(), app or App())
    if code:
        raise SystemExit(f"hl {line}: {said.getvalue()}")
    return out.getvalue()


def timed(folder: str) -> tuple[float, float]:
    """Medians in ms of an append, and of a whole command."""
    log = open_log(f"{folder}/log.jsonl")
    appends, commands, app = [], [], App()
    for _ in range(MANY):
        log.read()
        now = now_ms()
        began = time.perf_counter()
        with log.writing() as writer:
            writer.append([Body("note", now, "mara", now, {"text": "one more"})])
        appends.append(time.perf_counter() - began)
    for _ in range(MANY):
        began = time.perf_counter()
        hl(f"-g {folder} --as mara note one-more", app)
        commands.append(time.perf_counter() - began)
    return statistics.median(appends) * 1000, statistics.median(commands) * 1000


def show(name: str, delay: str, figures: tuple[float, float]) -> None:
    print(f"{name:<12}{delay:>8}{figures[0]:>12.1f}{figures[1]:>12.1f}", flush=True)


def flat_out(server: Postgres, folder: str) -> None:
    """Eight processes with a mirror each that record as fast as they can."""
    url = server.url("flat", far=False)
    shared(folder, url)
    key = hl(f"-g {folder} share --key")
    words = [sys.executable, "-m", "ledger", "clone", url]
    names = [f"{folder}-{n}" for n in range(WRITERS)]
    for name in names:
        subprocess.run([*words, name], input=key, text=True, check=True, capture_output=True)
    began = time.perf_counter()
    processes = [subprocess.Popen([sys.executable, "-c", FLAT_OUT, name, str(EACH)]) for name in names]
    assert all(process.wait() == 0 for process in processes)
    rate = WRITERS * EACH / (time.perf_counter() - began)
    print(f"{WRITERS} writers flat out on PostgreSQL: {rate:.0f} appends a second")


def shared(folder: str, url: str) -> None:
    hl(f"new {folder} --from match.toml")
    if url:
        hl(f"-g {folder} share {url}")


def main() -> None:
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory(prefix="srv") as short:
        os.chdir(place)
        os.environ.update(XDG_DATA_HOME=f"{place}/data", PYTHONPATH=str(ROOT))
        subprocess.run(["sh", "-c", MATCH], check=True)
        print(f"{'ms':<12}{'':>8}{'append':>12}{'command':>12}")
        shared("local", "")
        show("local file", "", timed("local"))
        subprocess.run(["git", "init", "-q", "--bare", "srv.git"], check=True)
        shared("git", f"git+file://{place}/srv.git#ep")
        show("git", "here", timed("git"))
        os.environ.update(GIT_SSH_COMMAND=f"{sys.executable} -S -E {SSH}", GIT_SSH_VARIANT="ssh", CUT_DELAY="15")
        shared("far", f"git+ssh://here{place}/srv.git#far")
        show("git, ssh", "30 ms", timed("far"))
        for name, kind in SERVERS.items():
            os.mkdir(f"{short}/{name}")
            os.chmod(short, 0o755)
            try:
                place_of = Path(short) / name
                server = Postgres(place_of, durable=True) if kind is Postgres else kind(place_of)
            except pytest.skip.Exception as why:
                print(f"{name}: left out: {why}")
                continue
            os.environ.update(server.env)
            try:
                for delay in (0.0, 0.015):
                    server.proxy.set(delay=delay)
                    folder = f"{name}-{delay}"
                    shared(folder, server.url(folder.replace(".", "-"), far=delay > 0))
                    show(name, "30 ms" if delay else "here", timed(folder))
                if isinstance(server, Postgres):
                    flat_out(server, "flat")
            finally:
                server.close()


if __name__ == "__main__":
    main()
