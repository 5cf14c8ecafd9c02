"""`hl audit DIR...`: many logs at once. No bad one stops another: damaged, unreadable, or bringing its process down.

Source: issue "Audit"; docs/audit.md section 7.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events import Finding
from ledger.audit.many_logs import audit, audit_log, audit_logs, find_logs
from ledger.audit.verify import Audited, VerifyReport, verify
from ledger.cli.app import App
from ledger.cli.root import run
from tests.support.host import hl
from tests.support.sizes import FULL
from tests.support.sources import ROOT

BAD = {"ep05/log.jsonl": "log.seal", "ep12/log.jsonl": "log.head_ahead", "other.jsonl": "log.layout"}
"""The first finding of each log that is not sound."""


def test_one_line_for_each_log_and_all_findings_in_json(season: Path) -> None:
    code, out, err = hl("audit", str(season), "-j", "1")
    assert code == 4
    lines = out.splitlines()
    assert len(lines) == 22
    assert [line[:4] for line in lines].count("BAD ") == 3
    assert err == "22 logs: 19 verified, 3 with findings\n"
    code, out, _ = hl("audit", str(season), "-f", "json")  # on all processors
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 4 and len(rows) == 22
    found = {os.path.relpath(row["path"], season): row["findings"][0]["code"] for row in rows if not row["ok"]}
    assert found == BAD
    (copy,) = [row for row in rows if row["path"].endswith("ann.jsonl")]
    assert copy["ok"] and copy["open"] < copy["entries"]


def test_each_line_says_what_verify_says(season: Path) -> None:
    for row in audit(find_logs([str(season)]), 1):
        assert row.verdict == verify(row.path)


def test_the_order_and_the_answers_are_the_same_on_any_number_of_processes(season: Path) -> None:
    paths = find_logs([str(season)])
    assert paths == sorted(paths, key=lambda path: (os.path.dirname(path), path))
    found = [list(audit(paths, workers)) for workers in (1, 2, *((16,) if FULL else ()))]
    assert [row.path for row in found[0]] == paths
    assert all(rows == found[0] for rows in found)


def test_files_and_folders_can_be_named_and_none_is_looked_at_twice(season: Path) -> None:
    log = str(season / "ep01" / "log.jsonl")
    assert find_logs([log]) == [log]
    assert find_logs([str(season / "ep01"), log, str(season / "ep01")]) == [log]
    assert str(season / "link.jsonl") not in find_logs([str(season)])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("nowhere", "audit.missing", ""),
        ("empty", "audit.empty", ""),
        *((f". {name}", "audit.empty", "unpack an archive") for name in ("season.zip", "season.tar.gz", "notes")),
        *((f"{url}hunter2/a.jsonl", "audit.missing", "") for url in ("https://ann:hunter2@example.org/", "s3://")),
        *((f". -j {jobs}", "number.bounds", "") for jobs in ("0", "-1", "two", "99999")),
    ],
)
def test_what_cannot_be_audited_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, code: str, said: str
) -> None:
    """Issue 33: archives are not opened, not even beside a log, which would hide it; a URL may hold a password."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "log.jsonl").write_text("{}\n")
    for name in ("season.zip", "season.tar.gz", "notes"):
        (tmp_path / name).write_bytes(b"PK\x03\x04")
    got, out, err = hl("audit", *words.split())
    assert (got, out) == (2, "") and f"[{code}]" in err and said in err and "hunter2" not in err


def test_a_log_that_may_not_be_read_is_a_finding_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").mkdir()
    found = audit_log(str(tmp_path / "log.jsonl")).verdict
    assert (found.ok, found.findings[0].code) == (False, "log.not_a_file")
    assert found.not_checked == ("everything",)


def test_a_mistake_of_ours_in_one_log_costs_no_other_log_its_verdict(season: Path, monkeypatch: object) -> None:
    import ledger.audit.verify

    real = ledger.audit.verify.verify

    def failing(path: str, **rest: object) -> VerifyReport:
        if "ep03" in path:
            raise ZeroDivisionError("planted")
        return real(path, **rest)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.audit.verify, "verify", failing)
        rows = list(audit(find_logs([str(season)]), 1))
    odd = [row for row in rows if row.verdict.findings and row.verdict.findings[0].code == "audit.unexpected"]
    assert [row.path for row in odd] == [str(season / "ep03" / "log.jsonl")]
    assert len(rows) == 22


def test_a_process_that_is_brought_down_costs_its_own_log_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """`eval` stands for the work: it can be sent to a fresh process, and one of the texts ends it."""
    monkeypatch.setattr("ledger.audit.many_logs.MAX_PARCEL_LOGS", 3)
    good = "[Audited(path, 1) for path in paths]"
    texts = [f"{n:03d}" for n in range(9)]
    for at in (4, *((0, 8) if FULL else ())):
        paths = [*texts[:at], KILLER, *texts[at + 1 :]]
        rows = list(audit(paths, 2, work=_Work()))
        assert [row.path for row in rows] == paths, good
        lost = [row for row in rows if row.verdict != 1]
        assert [row.path for row in lost] == [KILLER]
        assert [finding.code for finding in lost[0].verdict.findings] == ["audit.lost"]


KILLER = "__import__('os')._exit(9)"


class _Work:
    """A worker's task that needs nothing of this file, which a fresh process could not import: `eval` of each path."""

    def __reduce__(self) -> tuple[object, ...]:
        code = (
            "lambda paths: [__import__('ledger.audit.verify').audit.verify.Audited(path, 1) for path in paths "
            "if path[0] == '0' or eval(path)]"
        )
        return (eval, (code,))


def test_what_goes_to_a_worker_and_back_is_small_and_plain(season: Path) -> None:
    """The seam of a cluster: a function of a path, by name; a verdict that can be sent."""
    assert pickle.loads(pickle.dumps(audit_logs)) is audit_logs
    row = audit_log(str(season / "ep05" / "log.jsonl"))
    assert pickle.loads(pickle.dumps(row)) == row
    assert isinstance(row, Audited) and isinstance(row.verdict.findings[0], Finding)
    assert len(pickle.dumps(row)) < 2000


def test_progress_is_on_a_terminal_only(season: Path) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for screen, told in ((Terminal(), True), (io.StringIO(), False)):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(screen):
            run(["audit", "-j", "1", str(season)], App())
        assert (" of 22 logs, " in screen.getvalue()) is told
        assert screen.getvalue().endswith("22 logs: 19 verified, 3 with findings\n")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_logs(season: Path, tmp_path: Path) -> None:
    """Ten times the logs, the same peak to a few MiB: in a process of its own."""
    for n in range(400):
        shutil.copytree(season / "ep01", tmp_path / f"m{n}")
    ask = "import resource,sys; sys.path.insert(0, sys.argv[1]); from ledger.cli.root import run; "
    ask += "run(['audit', '-j', '1', *sys.argv[2:]]); "
    ask += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"

    def peak(*folders: str) -> int:
        command = [sys.executable, "-c", ask, str(ROOT), *folders]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return int(done.stderr.split()[-1])

    few, many = peak(*(str(tmp_path / f"m{n}") for n in range(40))), peak(str(tmp_path))
    assert many < few + 8 * 1024, (few, many)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
