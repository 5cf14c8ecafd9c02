"""`hl audit --scheduler`: what the local pool says, in its order, whatever becomes of a worker.

A real scheduler with two workers, in processes of their own; certificates are made for it. Needs the extra `cluster`
and cryptography: make cluster. Source: docs/audit.md section 8; docs/decisions/0046.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from events import LedgerError
from ledger.audit import many_logs as cluster
from ledger.audit.many_logs import MAX_LOG, LogBytes, parcels_of
from ledger.audit.verify import Audited, verify
from ledger.wire.protocol import read_scheduler
from tests.support.sources import ROOT

ON_A_CLUSTER = "tests/reliability/on_a_cluster.py"
HL = (sys.executable, "-c", "from ledger.__main__ import main; main()")


def hl(*words: str, **env: str) -> tuple[int, str, str]:
    """One command in a process of its own: exit code, stdout, stderr."""
    done = subprocess.run(
        [*HL, *words], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **env}, timeout=900
    )
    return done.returncode, done.stdout, done.stderr


@contextlib.contextmanager
def a_cluster(
    folder: Path, scheme: str = "tls", preload: str = "", tries: int = 4
) -> Iterator[tuple[Any, list[str], dict[str, str]]]:
    """The program, what `hl audit` needs besides its source, and what its environment holds."""
    for package in ("distributed", "cryptography"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed: make cluster")
    words = [sys.executable, "-u", ON_A_CLUSTER, str(folder), scheme]
    if preload:
        (folder / "preload.py").write_text(preload)
        words.append(str(folder / "preload.py"))
    failures = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(tries - 1)}
    program = subprocess.Popen(
        words, cwd=ROOT, env={**os.environ, **failures}, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert program.stdin is not None and program.stdout is not None
    try:
        said = (re.search(r"scheduler (\S+)", line) for line in program.stdout)
        url = next(found[1] for found in said if found)
        names = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY") if scheme == "tls" else ()
        env = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(folder / name) for name in names}
        yield program, ["--scheduler", url], env
    finally:
        program.stdin.close()
        program.terminate()
        program.stdout.close()
        program.wait(30)


def rows(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_the_same_verdicts_in_the_same_order(season: Path, tmp_path: Path) -> None:
    with a_cluster(tmp_path) as (_, there, env):
        near, far = (hl("audit", str(season), "-f", "json", *words, **env) for words in ((), there))
        assert far == near and len(rows(far[1])) == 22 and far[0] == 4
        code, out, err = hl("audit", str(season), *there)
        assert (code, out) == (2, "") and "[audit.certificates]" in err
        (tmp_path / "other").mkdir()
        with a_cluster(tmp_path / "other") as (_, _, strangers):
            code, out, err = hl("audit", str(season), *there, **strangers)
            assert (code, out) == (6, "") and "[audit.scheduler_lost]" in err and err.count("\n") == 2


KILLER = """
import os
from ledger.audit import verify
def killing(path, real=verify.verify, **rest):  # this file may be run twice
    if "/ep07/" in path or "/ep16/" in path:
        os._exit(9)
    return real(path, **rest)
verify.verify = killing
"""


@pytest.mark.slow
def test_a_log_that_kills_its_worker_costs_its_own_verdict_alone(season: Path, tmp_path: Path) -> None:
    near = rows(hl("audit", str(season), "-f", "json")[1])
    with a_cluster(tmp_path, preload=KILLER, tries=2) as (_, there, env):
        _, out, err = hl("audit", str(season), "-f", "json", *there, **env)
    far = rows(out)
    assert len(far) == 22, (out, err)
    assert [row["path"] for row in far] == [row["path"] for row in near]
    other = [new for new, old in zip(far, near, strict=True) if new != old]
    assert [os.path.relpath(row["path"], season) for row in other] == ["ep07/log.jsonl", "ep16/log.jsonl"]
    assert [row["findings"][0]["code"] for row in other] == ["audit.lost"] * 2


@pytest.mark.slow
def test_a_worker_that_is_killed_midway_loses_nothing(season: Path, tmp_path: Path) -> None:
    many = tmp_path / "many"
    for n in range(200):
        shutil.copytree(season / "ep01", many / f"m{n:03d}")
    with (
        a_cluster(tmp_path) as (program, there, env),
        subprocess.Popen(
            [*HL, "audit", str(many), *there], cwd=ROOT, env={**os.environ, **env}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        ) as asked,
    ):  # fmt: skip
        assert asked.stdout is not None and asked.stderr is not None
        lines = [asked.stdout.readline() for _ in range(20)]  # they come while others are still looked at
        program.stdin.write("kill\n")
        program.stdin.flush()
        assert "killed" in program.stdout.readline()
        lines += asked.stdout.readlines()
        told = asked.stderr.read()
    assert [line.split()[1] for line in lines] == [str(many / f"m{n:03d}" / "log.jsonl") for n in range(200)]
    assert {line[:4] for line in lines} == {"ok  "} and told == "200 logs: 200 verified, 0 with findings\n"


def test_a_worker_with_other_code_gets_no_log(season: Path, tmp_path: Path) -> None:
    other = "import distributed; distributed.__version__ = '1.2.3'"
    with a_cluster(tmp_path, "tcp", other) as (_, there, env):
        code, out, err = hl("audit", str(season), *there, **env)
    assert (code, out) == (5, "") and "[audit.versions]" in err and "distributed is 1.2.3 there" in err


# ---- what needs no engine --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("-j", "2", "--scheduler", "tls://h:1"), ("--scheduler", "tcp://h:1")])
def test_what_cannot_be_asked_for_is_said(season: Path, words: tuple[str, ...]) -> None:
    code, out, err = hl("audit", str(season), *words)
    assert (code, out) == (2, "") and ("[audit.jobs]" in err or "[audit.scheduler]" in err)


class _Client:
    def __init__(self, *workers: str) -> None:
        self.workers = workers

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.workers, 1)

    def run(self, *_: object, **__: object) -> dict[str, object]:
        raise AssertionError("nothing may run there")


@pytest.mark.parametrize(
    ("scheduler", "worker"),
    [("tls://h:1", "tcp://10.0.0.2:1"), ("tls://h:1", "tcp://127.0.0.1:1"), ("tcp://localhost:1", "tcp://10.0.0.2:1")],
)
def test_no_log_goes_to_a_worker_without_encryption(scheduler: str, worker: str) -> None:
    with pytest.raises(LedgerError) as refused:
        cluster._compare(_Client("tls://10.0.0.3:1" if scheduler[:3] == "tls" else "tcp://[::1]:2", worker), scheduler)
    assert refused.value.code == "audit.certificates" and worker in refused.value.what


def test_a_worker_that_came_later_says_that_it_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "versions", lambda: {"Python": "3.99", "host-ledger": "ab"})
    assert cluster._work({"Python": "3.11", "host-ledger": "ab"}, []) == "Python is 3.99 there, 3.11 here"
    assert cluster._work({"Python": "3.99", "host-ledger": "ab"}, []) == []


def test_what_a_worker_is_sent_of_a_file(season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bytes and those of its head record; what cannot be read, or is too large, is judged on this machine."""
    log, link = season / "ep12" / "log.jsonl", season / "link.jsonl"
    assert cluster._sent_bytes(str(log)) == log.stat().st_size and cluster._sent_bytes("nowhere") == 0
    assert cluster._payload(str(log)) == LogBytes(str(log), log.read_bytes(), Path(f"{log}.head").read_bytes())
    found = cluster._payload(str(link))
    assert isinstance(found, Audited) and found.verdict.findings[0].code == "log.symlink"
    monkeypatch.setattr(cluster, "MAX_LOG", 1000)
    assert cluster._payload(str(log)) == Audited(str(log), verify(str(log))) and MAX_LOG > 1000
    assert cluster._sent_bytes(str(log)) == 0


def test_a_worker_verifies_bytes_as_a_file(season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "versions", dict)
    paths = [str(season / name / "log.jsonl") for name in ("ep01", "ep05", "ep12")]
    given = [cluster._payload(path) for path in paths]
    assert cluster._work({}, given) == [Audited(path, verify(path)) for path in paths]


def test_large_logs_go_alone() -> None:
    """What waits for the workers is bounded in bytes as well as in logs."""
    mib = 1 << 20
    sizes = {str(n): size * mib for n, size in enumerate([9, *[1] * 9, 5, 4])}
    parcels = parcels_of(sizes, sizes.__getitem__)
    assert [[sizes[path] // mib for path in parcel] for parcel in parcels] == [[9], [1] * 8, [1, 5], [4]]


def test_schedulers_that_are_taken_and_refused() -> None:
    assert read_scheduler("tls://example.org:8786/") == "tls://example.org:8786"
    for bad in ("tcp://example.org:8786", "tls://u:p@h:1", "ws://127.0.0.1:1", "inproc://x", "tls://h"):
        with pytest.raises(LedgerError) as refused:
            read_scheduler(bad)
        assert refused.value.code == "audit.scheduler" and bad not in refused.value.what


def test_a_missing_extra_is_one_line(season: Path) -> None:
    hidden = "import sys; sys.modules['distributed'] = None; from ledger.__main__ import main; main()"
    words = [sys.executable, "-c", hidden, "audit", str(season), "--scheduler", "tls://example.org:8786"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "[audit.extra]" in done.stderr
    assert f"-m pip install '{ROOT}[cluster]'" in done.stderr


def test_dask_is_not_loaded_for_a_folder(season: Path) -> None:
    code = "import sys; from ledger.cli.root import run; run(['audit', '-j', '1', sys.argv[1]]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, str(season)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "ledger.audit.many_logs" in loaded and not loaded & {"dask", "distributed"}
