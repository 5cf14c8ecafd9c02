"""`hl audit` of archives and URLs: the same verdicts as of the folder, whatever a stranger put into the archive.

Source: issue "Archives"; docs/audit.md section 7; docs/decisions/0046.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import random
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import LedgerError
from ledger.audit import members
from ledger.audit import packed as archives
from ledger.audit.archive import audit, parcels_of
from ledger.audit.members import Bytes, Member, payload_of
from ledger.audit.report import Audited
from ledger.audit.sources import find_logs
from ledger.wire.urls import read_scheduler, read_source
from tests.support.audited import hl
from tests.support.many_logs import make_season, packed

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("zip", "tar", "tar.gz", "tar.bz2", "tar.xz")


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("packed") / "season"
    base.mkdir()
    make_season(base)
    for kind in KINDS:
        packed(base, base.parent / f"season.{kind}")
    return base


def verdicts(place: str, below: str = "", workers: int = 1) -> list[tuple[str, object]]:
    """What is said of each log, in order, by its path below the place."""
    rows = list(audit(find_logs([place]), workers))
    start = (below or place) + "/"
    assert all(row.path.startswith(start) for row in rows), rows[0].path
    return [(row.path.removeprefix(start), row.verdict) for row in rows]


# ---- the same as of the folder ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_an_archive_is_judged_as_the_folder_in_it_and_in_its_order(season: Path, kind: str) -> None:
    assert verdicts(f"{season}.{kind}") == verdicts(str(season))
    assert len(verdicts(str(season))) == 22


def test_processes_get_the_bytes_of_an_archive(season: Path) -> None:
    place = f"{season}.tar.gz"
    assert verdicts(place, workers=2) == verdicts(place)


def test_paths_name_the_member(season: Path) -> None:
    code, out, err = hl("audit", f"{season}.zip", "-f", "json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 4 and err == "22 logs: 19 verified, 3 with findings\n"
    assert {row["path"] for row in rows} >= {f"{season}.zip/ep01/log.jsonl", f"{season}.zip/ann.jsonl"}


def test_folders_and_archives_stand_side_by_side(season: Path) -> None:
    rows = list(audit(find_logs([f"{season}.zip", str(season / "ep01"), f"{season}.tar", f"{season}.zip"]), 1))
    assert len(rows) == 22 + 1 + 22


def test_a_file_that_is_no_archive_is_taken_for_a_log(season: Path) -> None:
    (season / "notes").write_text("PK, but no zip")
    assert find_logs([str(season / "notes")]) == [str(season / "notes")]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_an_archive_lies_where_others_could_read_it(
    season: Path, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    count = 0
    for _ in audit(find_logs([f"{season}.{kind}"]), 1):
        assert not list(tmp_path.iterdir())
        count += 1
    assert count == 22


# ---- what is odd -----------------------------------------------------------------------------------------------------

GOOD = b'{"name":"no log, but it is read"}\n'


def a_zip(path: Path, *names: str, change: Callable[[zipfile.ZipInfo], None] = lambda info: None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made, pytest.MonkeyPatch.context():
        for name in names:
            info = zipfile.ZipInfo(name)
            change(info)
            with contextlib.suppress(UserWarning):
                made.writestr(info, GOOD)
    return path


def a_tar(path: Path, *entries: tuple[str, bytes]) -> Path:
    with tarfile.open(path, "w") as made:
        for name, kind in entries:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "good.jsonl"
            info.size = len(GOOD) if kind == tarfile.REGTYPE else 0
            made.addfile(info, io.BytesIO(GOOD))
    return path


def codes(path: Path) -> dict[str, tuple[str, str]]:
    """Of each log by its name: code and words of its one finding."""
    rows = list(audit(find_logs([str(path)]), 1))
    assert all(len(row.verdict.findings) == 1 and not row.verdict.ok for row in rows)
    return {
        row.path.removeprefix(f"{path}").removeprefix("/"): (row.verdict.findings[0].code, row.verdict.findings[0].what)
        for row in rows
    }


STRAY = ("../out.jsonl", "/etc/out.jsonl", "a/../../out.jsonl", "a\\..\\out.jsonl", "C:out.jsonl", "a//b.jsonl", "../x")


@pytest.mark.parametrize("name", STRAY)
def test_a_name_that_leads_elsewhere_is_one_finding(tmp_path: Path, name: str) -> None:
    for path in (
        a_zip(tmp_path / "a.zip", "good.jsonl", name),
        a_tar(tmp_path / "a.tar", ("good.jsonl", tarfile.REGTYPE), (name, tarfile.REGTYPE)),
    ):
        found = codes(path)
        assert len(found) == 2 and found.pop("good.jsonl")[0] == "log.layout"
        ((code, what),) = found.values()
        assert code == "audit.member" and "named as no file" in what


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_in_a_tar_are_not_followed(tmp_path: Path, kind: bytes) -> None:
    found = codes(a_tar(tmp_path / "a.tar", ("good.jsonl", tarfile.REGTYPE), ("odd.jsonl", kind), ("other", kind)))
    assert found.keys() == {"good.jsonl", "odd.jsonl"} and found["odd.jsonl"][0] == "audit.member"
    assert ("a link" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else "no plain file") in found["odd.jsonl"][1]


def test_links_in_a_zip_are_not_followed(tmp_path: Path) -> None:
    def link(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (0o120777 << 16)

    assert codes(a_zip(tmp_path / "a.zip", "odd.jsonl", change=link))["odd.jsonl"][1].endswith("a link")


def test_a_head_record_that_is_a_link_costs_its_log(tmp_path: Path) -> None:
    entries = (("log.jsonl", tarfile.REGTYPE), ("log.jsonl.head", tarfile.SYMTYPE))
    assert codes(a_tar(tmp_path / "a.tar", *entries))["log.jsonl"][0] == "audit.member"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("second", ["a/log.jsonl", "./a/log.jsonl"])
def test_of_two_files_of_one_name_neither_is_believed(tmp_path: Path, second: str) -> None:
    for path in (
        a_zip(tmp_path / "a.zip", "a/log.jsonl", second),
        a_tar(tmp_path / "a.tar", ("a/log.jsonl", tarfile.REGTYPE), (second, tarfile.REGTYPE)),
    ):
        assert codes(path) == {"a/log.jsonl": ("audit.member", "it was not read: it is there twice")}


@pytest.mark.parametrize("name", ["inner.zip", "inner.tar.gz", "a/inner.tgz"])
def test_an_archive_in_an_archive_is_not_opened(tmp_path: Path, name: str) -> None:
    assert codes(a_zip(tmp_path / "a.zip", name))[name][1].endswith("an archive in an archive")


def test_an_encrypted_log_is_one_finding(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "a.zip", "log.jsonl")
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert codes(path)["log.jsonl"] == ("audit.member", "it was not read: it is encrypted")


def test_a_changed_byte_of_a_packed_log_costs_that_log(season: Path, tmp_path: Path) -> None:
    path = tmp_path / "bent.zip"
    data = bytearray(Path(f"{season}.zip").read_bytes())
    with zipfile.ZipFile(f"{season}.zip") as made:
        data[made.getinfo("ep07/log.jsonl").header_offset + 2000] ^= 1
    path.write_bytes(data)
    bent = {row.path for row in audit(find_logs([str(path)]), 1) if row.verdict.findings[:1] and
            row.verdict.findings[0].code == "audit.archive"}  # fmt: skip
    assert bent == {f"{path}/ep07/log.jsonl"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_archive_is_said_and_nothing_is_raised(season: Path, tmp_path: Path, kind: str) -> None:
    data = Path(f"{season}.{kind}").read_bytes()
    path = tmp_path / f"cut.{kind}"
    cuts = [600, len(data) // 2]
    if kind == "tar":
        with tarfile.open(f"{season}.tar") as made:
            cuts.append(made.getmembers()[5].offset)  # between two files: nothing is wrong but what is not there
    for part in cuts:
        path.write_bytes(data[:part])
        assert [row.verdict.findings[0].code for row in audit(find_logs([str(path)]), 1)] == ["audit.archive"]


def test_a_damaged_header_in_a_tar_hides_no_log(season: Path, tmp_path: Path) -> None:
    data = bytearray(Path(f"{season}.tar").read_bytes())
    with tarfile.open(f"{season}.tar") as made:
        data[made.getmembers()[5].offset + 150] ^= 1
    (tmp_path / "bent.tar").write_bytes(data)
    assert codes(tmp_path / "bent.tar")[""][0] == "audit.archive"


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_bytes_an_archive_has_it_raises_nothing(season: Path, tmp_path: Path, kind: str) -> None:
    """Bytes changed at random, most of them in what the reader of archives goes by."""
    small, luck = tmp_path / "small", random.Random(46)
    (small / "ep01").mkdir(parents=True)
    (small / "ep01" / "log.jsonl").write_bytes((season / "ep01" / "log.jsonl").read_bytes()[:3000])
    data = packed(small, tmp_path / f"small.{kind}").read_bytes()
    bent = tmp_path / f"bent.{kind}"
    for _ in range(150):
        other = bytearray(data)
        for _ in range(luck.randint(1, 6)):
            where = luck.choice((luck.randrange(len(data)), luck.randrange(600), -luck.randint(1, 120)))
            other[where] = luck.randrange(256)
        bent.write_bytes(other)
        try:
            assert all(isinstance(row, Audited) for row in audit(find_logs([str(bent)]), 1))
        except LedgerError as error:
            assert error.code == "audit.empty"  # the number of files in it became 0


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_zip_bomb_is_one_finding(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("bomb.jsonl", bytes(archives.RATIO_FREE_BYTES + 1))
        made.writestr("good.jsonl", GOOD)
    found = codes(tmp_path / "a.zip")
    assert found["bomb.jsonl"][0] == "audit.member" and "a bomb" in found["bomb.jsonl"][1]
    assert found["good.jsonl"][0] == "log.layout"


@pytest.mark.parametrize("name", ["bomb.jsonl", "not-even-a-log"])
@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_a_bomb_in_a_packed_tar_is_one_finding(tmp_path: Path, kind: str, name: str) -> None:
    with tarfile.open(tmp_path / "a.tar", f"w:{kind}") as made:  # type: ignore[call-overload]
        info = tarfile.TarInfo(name)
        info.size = archives.RATIO_FREE_BYTES + 1
        made.addfile(info, io.BytesIO(bytes(info.size)))
    ((code, what),) = codes(tmp_path / "a.tar").values()
    assert code == "audit.limit" and "comes to more than" in what


LIMITS = [("MAX_LOG", 1000, 20), ("MAX_ALL", 30_000, 1), ("MAX_NAMES", 10, 1)]


@pytest.mark.parametrize(("limit", "value", "rows"), LIMITS)
@pytest.mark.parametrize("kind", KINDS)
def test_limits(season: Path, monkeypatch: pytest.MonkeyPatch, kind: str, limit: str, value: int, rows: int) -> None:
    """Of one log a finding in its place; of all together one finding for the archive."""
    monkeypatch.setattr(members if limit == "MAX_LOG" else archives, limit, value)
    found = list(audit(find_logs([f"{season}.{kind}"]), 1))
    assert sum(any(one.code == "audit.limit" for one in row.verdict.findings) for row in found) >= rows
    assert len(found) == (22 if rows > 1 else 1)


def test_a_table_of_contents_is_bounded(season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_PIECE", 256)
    (row,) = audit(find_logs([f"{season}.zip"]), 1)
    assert row.verdict.findings[0].code == "audit.limit"


def test_large_logs_go_alone() -> None:
    """What waits for the workers is bounded in bytes as well as in logs."""

    def of(size: int) -> Member:
        return Member(f"{size}", size, lambda: Bytes("", b"", None))

    mib = 1 << 20
    sizes = [[one.size for one in parcel] for parcel in parcels_of(map(of, [9 * mib, *[mib] * 9, 5 * mib, 4 * mib]))]  # type: ignore[union-attr]
    assert sizes == [[9 * mib], [mib] * 8, [mib, 5 * mib], [4 * mib]]


# ---- URLs ------------------------------------------------------------------------------------------------------------

REFUSED = [
    "https:/ann:hunter2@example.org/a.zip",
    "https://ann:hunter2@example.org/a.zip",
    "https://hunter2@example.org/a.zip",
    "https://example.org/a.zip?token=hunter2",
    "https://example.org/a.zip#hunter2",
    "http://example.org/hunter2.zip",
    "http://127.0.0.1.example.org/hunter2.zip",
    "s3://ann:hunter2@bucket/a.zip",
    "s3://bucket/a.zip?X-Amz-Signature=hunter2",
    "file:///srv/hunter2.zip",
    "zip://hunter2::https://example.org/a.zip",
    "simplecache::https://example.org/hunter2?x",
    "https://exa mple.org/hunter2",
    "ftp://example.org/hunter2.zip",
]


@pytest.mark.parametrize("url", REFUSED)
def test_urls_that_are_refused_are_not_shown(url: str) -> None:
    code, out, err = hl("audit", url)
    assert (code, out) == (2, "") and "hunter2" not in err
    assert "[audit.url]" in err or "[wire.password]" in err


def test_urls_that_are_taken() -> None:
    for url in ("s3://bucket", "s3://b-1/a/b.tar.gz", "https://example.org:8443/a.zip", "http://127.0.0.1:80/a.zip"):
        assert read_source(url) == url
    assert read_scheduler("tls://example.org:8786/") == "tls://example.org:8786"
    for bad in ("tcp://example.org:8786", "tls://u:p@h:1", "ws://127.0.0.1:1", "inproc://x", "tls://h"):
        with pytest.raises(LedgerError) as refused:
            read_scheduler(bad)
        assert refused.value.code == "audit.scheduler" and bad not in refused.value.what


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, _, err = hl("audit", "https://example.org/a.zip")
    assert code == 2 and "[audit.extra]" in err and "pip install 'host-ledger[archives]'" in err
    code, _, err = hl("audit", str(ROOT), "--scheduler", "tls://example.org:8786")
    assert code == 2 and "[audit.extra]" in err and "pip install 'host-ledger[cluster]'" in err


def test_neither_engine_is_loaded_for_a_folder(season: Path) -> None:
    code = "import sys; from ledger.cli.root import run; run(['audit', '-j', '1', sys.argv[1]]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, str(season)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "ledger.audit.sources" in loaded
    assert not loaded & {"fsspec", "aiohttp", "dask", "distributed", "zipfile", "tarfile", "ledger.audit.cluster"}


def test_reading_a_member_never_raises() -> None:
    def broken() -> Any:
        raise ConnectionResetError("hunter2")

    found = payload_of(Member("a", 1, functools.partial(members.read_log, "a", broken, None)))
    assert isinstance(found, Audited) and "hunter2" not in str(found) and "ConnectionResetError" in str(found)
