"""`hl audit` of a web server and of a bucket, both on this machine: the verdicts of the folder.

Source: issue "Archives"; docs/audit.md section 7. Needs the extra `archives`, and moto for the bucket: make archives.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.many_logs import make_season, packed
from tests.support.outside import hl, needs, running

Rows = dict[str, Any]


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("far") / "season"
    base.mkdir()
    make_season(base)
    for kind in ("zip", "tar.gz"):
        packed(base, base.parent / f"season.{kind}")
    return base


@pytest.fixture(scope="module")
def near(season: Path) -> list[tuple[str, Rows]]:
    return told(str(season))


def told(place: str, **env: str) -> list[tuple[str, Rows]]:
    """What `-f json` says of each log, in order, by its path below the place."""
    code, out, err = hl("audit", place, "-f", "json", **env)
    assert code in (0, 4), err
    rows = [json.loads(line) for line in out.splitlines()]
    start = place.rstrip("/") + "/"
    return [(str(row.pop("path")).removeprefix(start), row) for row in rows]


@pytest.fixture(scope="module")
def served(season: Path) -> Iterator[str]:
    """The season on a web server, which knows no ranges."""
    needs("fsspec", "aiohttp")
    words = ("-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(season.parent))
    with running(*words, says=r"port (\d+)") as (_, port):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_an_archive_on_a_web_server(near: object, served: str, kind: str) -> None:
    assert told(f"{served}/season.{kind}") == near


def test_a_log_on_a_web_server_with_its_head_record(near: list[tuple[str, Rows]], served: str) -> None:
    place = f"{served}/season/ep12/log.jsonl"
    assert told(place) == [(place, dict(near)["ep12/log.jsonl"])]
    assert dict(near)["ep12/log.jsonl"]["findings"][0]["code"] == "log.head_ahead"


@pytest.mark.parametrize(
    ("path", "exit_code", "code"),
    [("nowhere.zip", 2, "audit.missing"), ("season/", 4, "audit.archive"), ("nowhere.jsonl", 4, "audit.archive")],
)
def test_what_is_not_on_a_web_server_is_said(served: str, path: str, exit_code: int, code: str) -> None:
    got, out, err = hl("audit", f"{served}/{path}")
    assert got == exit_code and f"[{code}]" in out + err and (out + err).count("[audit.") == 1


def test_a_server_that_does_not_answer_is_said() -> None:
    needs("fsspec", "aiohttp")
    got, out, err = hl("audit", "http://127.0.0.1:9/season.zip")
    assert (got, out) == (6, "") and "[audit.unreachable]" in err and err.count("\n") == 2


KEYS = {"AWS_ACCESS_KEY_ID": "ann", "AWS_SECRET_ACCESS_KEY": "hunter2", "AWS_DEFAULT_REGION": "us-east-1"}
FILL = """
import boto3, sys, pathlib
season, client = pathlib.Path(sys.argv[1]), boto3.client("s3")
client.create_bucket(Bucket="club")
for path in season.rglob("*"):
    if path.is_file() and not path.is_symlink():
        client.upload_file(str(path), "club", "season-3/" + path.relative_to(season).as_posix())
client.upload_file(f"{season}.tar.gz", "club", "season.tar.gz")
"""


@pytest.fixture(scope="module")
def bucket(season: Path) -> Iterator[dict[str, str]]:
    """The season, and an archive of it, in a bucket; what a host has in the environment."""
    needs("s3fs", "moto", "flask", "boto3")
    with running("-m", "moto.server", "-H", "127.0.0.1", "-p", "0", says=r"Running on (http://\S+)") as (_, url):
        env = {**KEYS, "AWS_ENDPOINT_URL": url}
        subprocess.run([sys.executable, "-c", FILL, str(season)], check=True, env={**env, "PATH": ""}, timeout=120)
        yield env


@pytest.mark.parametrize("place", ["season-3", "season-3/", "season.tar.gz"])
def test_a_bucket(near: object, bucket: dict[str, str], place: str) -> None:
    assert told(f"s3://club/{place}", **bucket) == near


def test_a_log_in_a_bucket(near: list[tuple[str, Rows]], bucket: dict[str, str]) -> None:
    place = "s3://club/season-3/ep12/log.jsonl"
    assert told(place, **bucket) == [(place, dict(near)["ep12/log.jsonl"])]


@pytest.mark.parametrize("place", ["s3://club/nowhere/", "s3://club/nowhere.zip", "s3://another/x.zip"])
def test_what_is_not_in_a_bucket_is_said(bucket: dict[str, str], place: str) -> None:
    got, out, err = hl("audit", place, **bucket)
    assert (got, out) == (2, "") and "hunter2" not in err and "[audit." in err
