"""A shared match over git, by the real commands: two hosts in two folders, a bare repository between them.

Source: docs/two-hosts.md; docs/decisions/0038. What can go wrong between push and mirror is in test_shared_mirror.py.
"""

from __future__ import annotations

import os
import shutil
from typing import Any

import pytest

from ledger.wire.protocol import read_place
from tests.support.evening import Evening, put_files
from tests.support.web_git import WebGit


@pytest.fixture
def evening(stage: Any) -> Evening:
    return Evening(stage)


def test_a_commit_for_each_command(evening: Evening) -> None:
    """Its parent is the head; author and date are fixed; a batch is one commit."""
    evening.ok("trade gil B8 ann B1 --note twice", "t")
    told = evening.git("-C", "srv.git", "log", "--format=%s|%an|%ae|%at|%cn|%ct", "host-ledger/ep4").splitlines()
    who = "host-ledger|host-ledger@invalid|946684800|host-ledger|946684800"
    assert told == [f"host-ledger 20-21|{who}", f"host-ledger 1-19|{who}"]
    for name in ("log.jsonl.wire", "log.jsonl.head"):
        assert (evening.folder / "t" / name).stat().st_mode & 0o077 == 0


def test_clocks_apart(evening: Evening) -> None:
    """mara's clock is three minutes fast: theo's entries count after hers, none is late, and both are told."""
    evening.stage.now += 180_000
    evening.ok("trade gil B8 ann B1", "m")
    evening.stage.now -= 180_000 + 60_000
    told = evening.ok("recolour gil B1", "t")
    assert "late: it counts before" not in told and "by their clock" in told and "compare your clocks" in told
    evening.stage.now += 180_000
    told = evening.ok("note three", "m")
    assert "the clock of theo was" in told and "behind yours" in told
    evening.agree()
    assert "do not allow" not in evening.ok("status", "m")
    at = evening.stage.run(('$ grep -o \'at":"[^"]*"\' m/log.jsonl',)).splitlines()
    assert at[-3] == at[-2] != at[-1]


def test_a_url_is_enough(stage: Any) -> None:
    """`-g URL` makes a mirror in the data folder where there is none, and finds it again; HL_MATCH takes one too."""
    evening = Evening(stage, plain=True)
    assert evening.hl("unshare --yes", "t").endswith("is as it was")
    bare = evening.url.partition("#")[0]
    (evening.folder / "data").rename(evening.folder / "gone")
    assert "made ~/data/host-ledger/shared/" in evening.ok(f"-g {bare} status", "")
    assert "made" not in evening.ok(f"-g {evening.url} --as theo note hello", "")
    stage.patch.setenv("HL_MATCH", evening.url)
    assert "hello" in evening.ok("log", "")
    assert "B8" in evening.ok("view --for host", "")
    evening.ok("sync", "m")
    (mirror,) = (evening.folder / "data").rglob("log.jsonl")
    assert mirror.read_bytes() == evening.log("m")


def test_the_key(evening: Evening) -> None:
    """Without it, or with another, nothing is made; what was typed is not shown."""
    (evening.folder / "none").write_text("\n")
    (evening.folder / "bad").write_text("babab " * 17)
    words = (evening.folder / "key").read_text().split()
    from ledger.wire.sealing import words_of

    (evening.folder / "other").write_text(words_of(bytes(32)))
    for name, code in (("none", "wire.key_words"), ("bad", "wire.key_words"), ("other", "wire.key_other")):
        told = evening.hl(f"clone {evening.url} x < {name}", "")
        assert code in told and "babab" not in told and words[0] not in told
        assert not (evening.folder / "x").exists()


BAD = [
    "git+https://ann:hunter2@example.org/x.git", "git+https://ann:hunter2@example.org:443/x.git#a",
    "git+https://ghp_hunter2hunter2@example.org/x.git", "git+ssh://-oProxyCommand=hunter2/x.git",
    "git+ssh://-oHunter@example.org/hunter2.git", "git+ssh://a@-hunter2/x.git", "git+ext://sh -c hunter2",
    "ext::sh -c hunter2://x", "git+http://example.org/hunter2.git", "git+file://host/hunter2.git",
    "git+file:///srv/x.git#../hunter2", "git+file:///srv/hunter2\nx.git", "git+ssh://a%40hunter2:x@h/x.git",
    "https://hunter2.example.org/x.git", "postgresql://ann:hunter2@example.org/db",
    "postgresql://example.org/db?password=hunter2", "postgresql://example.org/db?options=-chunter2", "s3://hunter2/x",
]  # fmt: skip


@pytest.mark.parametrize("url", BAD)
@pytest.mark.parametrize("line", ["share {}", "clone {}", "-g {} status"])
def test_addresses_that_are_refused(stage: Any, capsys: pytest.CaptureFixture[str], url: str, line: str) -> None:
    """Passwords, options, other transports: one message, exit 2, nothing of it shown or kept."""
    from ledger.cli.root import run

    if line.startswith("share"):
        put_files(stage.folder)
        stage.run(("$ hl new m --from match.toml",))
        stage.patch.setenv("HL_MATCH", "m")
    assert run([word.format(url) for word in line.split()]) == 2
    out, err = capsys.readouterr()
    assert "hunter2" not in out + err and ("wire.url" in err or "wire.password" in err)
    assert not (stage.folder / "data").exists()


def test_good_addresses() -> None:
    """What git is given is the URL without our mark and name."""
    for url, server in (
        ("git+ssh://git@example.org:22/club/hl.git#ep-4", "ssh://git@example.org:22/club/hl.git"),
        ("git+https://ann@example.org/hl.git", "https://ann@example.org/hl.git"),
        ("git+ssh://[::1]/hl.git", "ssh://[::1]/hl.git"),
        ("git+file:///srv/hl.git#a", "file:///srv/hl.git"),
        ("postgresql://ann@example.org:5433/club#ep4", "postgresql://ann@example.org:5433/club"),
        ("postgresql:///club?host=/run/pg&sslmode=require#ep4", "postgresql:///club?host=/run/pg&sslmode=require"),
    ):
        assert read_place(url).server == server


def test_settings_of_a_user_run_nothing(stage: Any) -> None:
    """Hooks, templates, another repository in the environment, traces: none of it matters."""
    trap = stage.folder / "trap"
    (trap / "hooks").mkdir(parents=True)
    for name in ("pre-push", "post-checkout", "reference-transaction", "post-index-change"):
        (trap / "hooks" / name).write_text(f"#!/bin/sh\ntouch {trap}/ran\nexit 1\n")
        (trap / "hooks" / name).chmod(0o755)
    (trap / "config").write_text(
        f"[core]\nhooksPath = {trap}/hooks\n[init]\ntemplateDir = {trap}\n[push]\ngpgSign = true\n"
    )
    folder = stage.folder
    stage.patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    evening = Evening(stage)
    settings = {"GIT_DIR": trap, "GIT_TRACE": folder / "t", "GIT_WORK_TREE": trap, "GIT_INDEX_FILE": "x"}
    for name, value in settings.items():
        stage.patch.setenv(name, str(value))
    # What the server runs is the server's affair: over file:// it would take the same settings.
    stage.patch.setenv("GIT_CONFIG_GLOBAL", str(trap / "config"))
    evening.ok("sync", "t")
    (folder / "t" / "log.jsonl.git").rename(folder / "away")
    evening.ok("sync", "t")
    assert not (trap / "ran").exists() and not (folder / "t" / "hooks").exists()
    assert not (folder / "t" / "log.jsonl.git" / "hooks").exists()


@pytest.mark.parametrize(("how", "code"), [("rewritten", "wire.other"), ("foreign", "wire.foreign")])
def test_a_branch_that_somebody_rewrote(evening: Evening, how: str, code: str) -> None:
    """By a host's own means, or with other commits: found (exit 4); what only looks answers from the mirror."""
    for i in range(2):
        evening.ok(f"note n{i}", "m")
    evening.ok("sync", "t")
    ref, tree = "refs/heads/host-ledger/ep4", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    if how == "foreign":
        evening.git("-C", "srv.git", "mktree")
        mine = evening.git("-C", "srv.git", "-c", "user.name=x", "-c", "user.email=x", "commit-tree", tree, "-m", "x")
        evening.git("-C", "srv.git", "update-ref", ref, mine.strip())
    else:
        old = evening.git("-C", "srv.git", "rev-parse", "host-ledger/ep4~1").strip()
        evening.git("-C", "srv.git", "update-ref", ref, old)
        evening.stage.run(("$ cp -r m w",))
        evening.stage.run(("$ head -20 m/log.jsonl > w/log.jsonl; rm w/log.jsonl.head; rm -r w/log.jsonl.git",))
        assert "recorded #21" in evening.ok("note another", "w")
    before = evening.log("t")
    told = evening.hl("note x", "t")
    assert code in told and "[exit 4]" in told
    assert "this is the mirror" in evening.ok("status", "t")
    assert code in evening.hl("sync", "t") and evening.log("t") == before
    assert "[exit 4]" in evening.hl("sync --restore", "t")


def test_the_repository_here_is_a_cache(evening: Evening) -> None:
    """Broken in any way, it is made anew."""
    repo = evening.folder / "t" / "log.jsonl.git"
    evening.ok("note one", "m")
    for how in ("rm -r t/log.jsonl.git/refs", "rm -r t/log.jsonl.git/objects/??", "echo x > t/log.jsonl.git/HEAD"):
        evening.stage.run((f"$ {how}",))
        evening.ok("note again", "t")
    (repo / "refs" / "heads" / "here.lock").write_text("")
    evening.ok("note locked", "t")
    evening.agree()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl is installed here")
def test_by_https(stage: Any) -> None:
    """As at a hosting service: the password comes from git's credential helper, and stands in no address and no answer.
    Without it, with another, or without the right to push: nothing is recorded (6)."""
    web = WebGit(stage.folder)
    try:
        kept, settings = stage.folder / "kept", stage.folder / "settings"
        place = f"localhost:{web.port}"
        kept.write_text(f"https://host:hunter2@{place}\n")
        settings.write_text(f"[credential]\n\thelper = store --file={kept}\n")
        stage.patch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        stage.patch.setenv("GIT_SSL_CAINFO", str(stage.folder / "cert.pem"))
        evening = Evening(stage, url=f"git+https://host@{place}/srv.git#ep4")
        evening.ok("trade gil B8 ann B1", "t")
        evening.ok("note one", "m")
        evening.agree()
        assert "hunter2" not in (evening.folder / "t" / "log.jsonl.wire").read_text()
        for text in (f"https://host:hunter3@{place}\n", ""):
            kept.write_text(text)
            told = evening.hl("note none", "t")
            assert "[wire.denied]" in told and "[exit 6]" in told and "hunter" not in told, told
        kept.write_text(f"https://host:hunter2@{place}\n")
        evening.git("-C", "srv.git", "config", "http.receivepack", "false")
        told = evening.hl("note none", "t")
        assert "[exit 6]" in told and "hunter" not in told, told
        evening.git("-C", "srv.git", "config", "http.receivepack", "true")
        evening.ok("note two", "t")
        stage.patch.setenv("GIT_SSL_CAINFO", os.devnull)
        assert "[wire.unreachable]" in evening.hl("note none", "t")
        stage.patch.setenv("GIT_SSL_CAINFO", str(stage.folder / "cert.pem"))
        evening.agree()
        assert evening.log("m").count(b"\n") == 22
    finally:
        web.close()


def test_what_a_folder_says_of_itself(evening: Evening) -> None:
    """doctor knows it is shared, join and verbs that only look take a mirror, completion asks no server."""
    told = evening.ok("doctor", "t")
    assert "shared" in told and "ep4" in told
    (evening.folder / "srv.git").rename(evening.folder / "away.git")
    from tests.support.completing import offered

    assert "ann" in offered("-g", str(evening.folder / "t"), "summary", "a")
