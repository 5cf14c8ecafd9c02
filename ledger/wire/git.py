"""The git wire: one commit per command on an orphan branch of the match, in a bare repository that only it uses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from events.disk import line_to_run
from events.errors import Damaged, NotRecorded, Unreadable
from events.record import NamedTuple
from ledger.wire.protocol import Place, Stored, Wire, overtaken, read_rows, rows_text

# ---- running git -----------------------------------------------------------------------------------------------------

_KEPT = frozenset(
    {
        "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH",
        "GIT_PROXY_SSL_CAINFO", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
        "GIT_SSL_CERT", "GIT_SSL_KEY",
    }
)  # fmt: skip
"""Variables of the user's environment that say how to reach a server. The rest (another repository, traces) is
dropped."""
_SET = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.logAllRefUpdates=false", "protocol.ext.allow=never",
    "gc.auto=0", "maintenance.auto=false", "push.gpgSign=false", "push.followTags=false", "push.pushOption=",
    "push.recurseSubmodules=no", "fetch.recurseSubmodules=false", "fetch.writeCommitGraph=false",
    "submodule.recurse=false", "advice.pushUpdateRejected=false",
)  # fmt: skip
_DENIED = (
    "permission denied", "authentication failed", "could not read username", "could not read password",
    "host key verification failed", "access denied", "not granted", "read only", "read-only", "error: 401",
    "error: 403", "terminal prompts",
)  # fmt: skip
_MISSING = ("does not appear to be a git repository", "not found", "error: 404", "no such file or directory")
_NO_WAY = (
    "could not resolve", "connection refused", "no route", "unable to access", "failed to connect", "couldn't connect",
    "connect to host",
)  # fmt: skip
_LOST = ("timed out", "unreachable", "connection reset", "hung up", "early eof", "unexpected disconnect", "broken pipe",
         "rpc failed", "could not read from remote", "closed by")  # fmt: skip
"""Words in git's output when a connection broke, so that something may have been sent."""
_MEANS = {
    "wire.denied": "the server does not let this machine in",
    "wire.missing": "there is no repository at that address",
    "wire.unreachable": "the server does not answer",
}


class Ended(NamedTuple):
    code: int | None
    out: bytes
    said: str


class Git:
    """Runs git for one private repository (no hooks, templates or remotes), and the server of `network` commands."""

    def __init__(self, repo: str, server: str) -> None:
        self.repo, self.server = repo, server

    def _words(self, words: Sequence[str]) -> list[str]:
        return ["git", f"--git-dir={self.repo}", *(part for one in _SET for part in ("-c", one)), *words]

    def _env(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key in _KEPT}
        return {
            **kept,
            "GIT_ALLOW_PROTOCOL": "file:https:ssh",
            "GIT_TERMINAL_PROMPT": "0",
            "GCM_INTERACTIVE": "never",
            "SSH_ASKPASS_REQUIRE": "never",
            "LC_ALL": "C",
        }

    def make(self) -> None:
        if not os.path.isdir(os.path.join(self.repo, "objects")):
            self.local("init", "--bare", "--quiet", "--template=", self.repo)

    def local(self, *words: str, given: bytes = b"") -> bytes:
        """Run a command that contacts no server; return its output.

        Raises:
            Unreadable: `wire.git_none`. NotRecorded: `wire.git`, the command failed.
        """
        try:
            done = subprocess.run(self._words(words), input=given, capture_output=True, env=self._env(), timeout=120)
        except (FileNotFoundError, PermissionError):
            raise _no_git() from None
        except (OSError, subprocess.TimeoutExpired):
            raise self.broken() from None
        if done.returncode:
            raise self.broken()
        return done.stdout

    def started(self, *words: str, **how: Any) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(self._words(words), env=self._env(), **how)
        except (FileNotFoundError, PermissionError):
            raise _no_git() from None

    def network(self, wait: float, *words: str) -> Ended:
        """Run a command that contacts the server, for at most `wait` seconds.

        It has no terminal, so git cannot prompt. Its output goes into files, because a child of git that outlives it
        would keep a pipe open.

        Raises:
            Unreadable: `wire.git_none`.
        """
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            process = self.started(*words, stdin=subprocess.DEVNULL, stdout=out, stderr=said, start_new_session=True)
            code: int | None = None
            try:
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(wait)
            finally:
                _end(process)
            out.seek(0)
            said.seek(0)
            return Ended(code, out.read(1 << 20), said.read(1 << 20).decode("utf-8", "replace"))

    def reason(self, ended: Ended, *, sent: bool) -> NotRecorded | None:
        """Why nothing was recorded; None if something may have been.

        Args:
            sent: Whether it was a push, which may have gone out before the connection broke.
        """
        said = "\n".join(line for line in ended.said.lower().splitlines() if not line.startswith("remote:"))

        def has(signs: Sequence[str]) -> bool:
            return any(sign in said for sign in signs)

        lost = not sent and (ended.code is None or has(_LOST))
        code = "wire.denied" if has(_DENIED) else "wire.missing" if has(_MISSING) else "wire.unreachable"
        if code == "wire.unreachable" and not (has(_NO_WAY) or lost):
            return None
        return NotRecorded(code, f"nothing was recorded: {_MEANS[code]}", self.look)

    @property
    def look(self) -> str:
        return line_to_run("git", "ls-remote", self.server)

    def broken(self) -> NotRecorded:
        return NotRecorded("wire.git", f"nothing was recorded: git failed in {self.repo}", self.look)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask a running process to end, and kill it after one second."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _no_git() -> Unreadable:
    return Unreadable(
        "wire.git_none", "this match is shared over git, and there is no git on this machine", "git --version"
    )


# ---- the wire --------------------------------------------------------------------------------------------------------

BRANCHES = "refs/heads/host-ledger/"
_WHO = "host-ledger <host-ledger@invalid> 946684800 +0000"
_SUBJECT = re.compile(rb"host-ledger ([1-9][0-9]{0,8})-([1-9][0-9]{0,8})\n")
_COMMIT = re.compile(rb"tree [0-9a-f]{40,64}\n(?:parent ([0-9a-f]{40,64})\n)?author [^\n]*\ncommitter [^\n]*\n\n")


class _At(NamedTuple):
    commit: str
    seq: int
    hash: str


class GitWire(Wire):
    """One match on one server, reached through a repository on this machine that is created when first needed."""

    pause = 5.0

    def __init__(self, place: Place, repo: str) -> None:
        self.place = place
        self._git = Git(repo, place.server)
        self._branch = BRANCHES + place.name
        self._at: _At | None = None

    def tail(self, seq: int, wait: float) -> list[Stored]:
        """The lines from `seq` on, as in `Wire`. Also raises NotRecorded `wire.git` if git fails twice in a row."""
        try:
            return self._tail(seq, wait)
        except NotRecorded as error:
            if error.code != "wire.git":
                raise
        self.forget()
        return self._tail(seq, wait)

    def _tail(self, seq: int, wait: float) -> list[Stored]:
        self._at = None
        self._git.make()
        into = "refs/heads/here"
        ended = self._git.network(
            wait, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", self._git.server,
            f"+{self._branch}:{into}",
        )  # fmt: skip
        if ended.code and "couldn't find remote ref" in ended.said:
            return []
        if ended.code != 0:
            raise self._git.reason(ended, sent=False) or self._git.broken()
        return self._walk(into, seq)

    def _walk(self, ref: str, seq: int) -> list[Stored]:
        """The lines from `seq` on. Commits are read from the newest one backwards."""
        commits: list[list[Stored]] = []
        with _objects(self._git) as get:
            name, after = ref, 0
            while True:
                commit, data = get(name)
                head = _COMMIT.match(data)
                subject = _SUBJECT.fullmatch(data[head.end() :]) if head else None
                if head is None or subject is None:
                    raise self._foreign()
                first, last = int(subject[1]), int(subject[2])
                rows = read_rows(get(f"{commit}:lines")[1])
                if not rows or len(rows) != last - first + 1 or (after and last != after - 1):
                    raise self._foreign()
                if not commits:
                    self._at = _At(commit, last, rows[-1].hash)
                commits.append(rows)
                if first <= seq or head[1] is None:
                    break
                name, after = head[1].decode(), first
        if head[1] is None and first != 1:
            raise self._foreign()
        return [row for rows in reversed(commits) for row in rows][max(seq - first, 0) :]

    def _foreign(self) -> Damaged:
        what = (
            f"the branch of this match on the server ({self._branch[11:]}) has something in it that host-ledger "
            "did not put there"
        )
        return Damaged("wire.foreign", what, "hl unshare")

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        """Append lines, as in `Wire`. Also raises NotRecorded `wire.refused` if the server refuses pushes here."""
        at = self._at
        if (at.seq, at.hash) != (seq - 1, prev) if at else seq != 1:
            raise overtaken()
        commit = self._commit(seq, rows, at)
        spec = f"{commit}:{self._branch}"
        ended = self._git.network(wait, "push", "--porcelain", "--no-verify", self._git.server, spec)
        flag, told = _status(ended, spec)
        if flag and flag in " *=":
            self._at = _At(commit, seq + len(rows) - 1, rows[-1].hash)
            return
        self._at = None
        if "[rejected]" in told or (flag and any(sign in told for sign in ("lock", "failed to update", "exists"))):
            raise overtaken()
        if flag:
            what = "nothing was recorded: the server refuses pushes to the branch of this match"
            fix = f"{self._git.look}; pushes without force to {self._branch[11:]} must be allowed"
            raise NotRecorded("wire.refused", what, fix)
        if ended.code is not None and (reason := self._git.reason(ended, sent=True)) is not None:
            raise reason
        self.settle(seq, rows)

    def _commit(self, seq: int, rows: Sequence[Stored], at: _At | None) -> str:
        blob = self._git.local("hash-object", "-w", "--stdin", given=rows_text(rows).encode("ascii")).decode().strip()
        tree = self._git.local("mktree", given=f"100644 blob {blob}\tlines\n".encode()).decode().strip()
        parent = f"parent {at.commit}\n" if at else ""
        text = f"tree {tree}\n{parent}author {_WHO}\ncommitter {_WHO}\n\nhost-ledger {seq}-{seq + len(rows) - 1}\n"
        return self._git.local("hash-object", "-t", "commit", "-w", "--stdin", given=text.encode()).decode().strip()

    def changed(self, wait: float) -> bool:
        """Whether the branch is at another commit than the last one seen. See `Wire`."""
        listed = self._listed(max(wait, 5.0), self._branch)
        return self._at is None or self._at.commit not in listed

    def names(self, wait: float) -> list[str]:
        listed = self._listed(wait, f"{BRANCHES}*")
        return sorted(re.findall(rf"\t{BRANCHES}([a-z0-9][a-z0-9_-]{{0,63}})$", listed, re.M))

    def _listed(self, wait: float, pattern: str) -> str:
        self._git.make()
        ended = self._git.network(wait, "ls-remote", "--quiet", self._git.server, pattern)
        if ended.code != 0:
            raise self._git.reason(ended, sent=False) or self._git.broken()
        return ended.out.decode("ascii", "replace")

    def tidy(self) -> None:
        self._git.local("-c", "gc.auto=500", "gc", "--auto", "--quiet")

    def forget(self) -> None:
        """Delete the repository on this machine, which is only a cache."""
        if os.path.isdir(self._git.repo) and not os.path.islink(self._git.repo):
            shutil.rmtree(self._git.repo, ignore_errors=True)


def _status(ended: Ended, spec: str) -> tuple[str, str]:
    """(flag, words) that `git push --porcelain` prints for the branch; ("", "") if it prints nothing for it."""
    for line in ended.out.decode("utf-8", "replace").splitlines():
        flag, _, rest = line.partition("\t")
        named, _, told = rest.partition("\t")
        if len(flag) == 1 and named == spec:
            return flag, told
    return "", ""


@contextmanager
def _objects(git: Git) -> Iterator[Callable[[str], tuple[str, bytes]]]:
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    process = git.started("cat-file", "--batch", stdin=pipe, stdout=pipe, stderr=nowhere)
    to, back = process.stdin, process.stdout
    assert to is not None and back is not None

    def get(name: str) -> tuple[str, bytes]:
        try:
            to.write(name.encode() + b"\n")
            to.flush()
        except OSError:
            raise git.broken() from None
        words = back.readline().split()
        if len(words) != 3 or not words[2].isdigit():
            raise git.broken()
        size = int(words[2])
        if size > 64 * 1024 * 1024:
            what = "a commit on the server is larger than host-ledger ever makes one"
            raise Unreadable("wire.large", what, git.look)
        data = back.read(size + 1)
        if len(data) != size + 1:
            raise git.broken()
        return words[0].decode(), data[:-1]

    try:
        yield get
    finally:
        with suppress(OSError), process:  # closes its pipes and waits for it to end
            pass
