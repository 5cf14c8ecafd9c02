"""The git wire: an orphan branch a match, a commit a command, a plain push as the compare-and-swap.

The tree of a commit has one file, `lines`: for each line its hash, a space, and the line as it is stored. Author and
date are fixed, so the same lines after the same commit are the same commit, and pushing it twice is pushing it once.
The repository on this machine is a cache: when it is broken it is made anew.

Belongs here: what lies on the branch, and the two operations. Does not belong here: processes (git_run.py).
"""

from __future__ import annotations

import os
import re
import shutil

from events.errors import Damaged, NotRecorded, Unreadable
from events.record import NamedTuple
from ledger.wire.git_run import Ended, Git
from ledger.wire.protocol import Place, Stored, Wire, overtaken, read_rows, rows_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence

BRANCHES = "refs/heads/host-ledger/"
MAX_COMMIT_BYTES = 64 * 1024 * 1024
"""Bytes of the lines of one commit; more is refused unread."""
_WHO = "host-ledger <host-ledger@invalid> 946684800 +0000"
_SUBJECT = re.compile(rb"host-ledger ([1-9][0-9]{0,8})-([1-9][0-9]{0,8})\n")
_COMMIT = re.compile(rb"tree [0-9a-f]{40,64}\n(?:parent ([0-9a-f]{40,64})\n)?author [^\n]*\ncommitter [^\n]*\n\n")


class _At(NamedTuple):
    """The last commit of the branch, and its last line."""

    commit: str
    seq: int
    hash: str


class GitWire(Wire):
    """One match on one server.

    Args:
        place: With the name of the match there.
        repo: The folder of the repository on this machine, made when it is first used.
    """

    pause = 5.0

    def __init__(self, place: Place, repo: str) -> None:
        self.place = place
        self._git = Git(repo, place.server)
        self._branch = BRANCHES + place.name
        self._at: _At | None = None

    def tail(self, seq: int, wait: float) -> list[Stored]:
        """The lines from `seq` on. See `Wire`; besides, NotRecorded `wire.git` when git fails twice over."""
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
        """The lines from `seq` on, read from the newest commit backwards."""
        commits: list[list[Stored]] = []
        with _Objects(self._git) as objects:
            name, after = ref, 0
            while True:
                commit, data = objects.get(name)
                head = _COMMIT.match(data)
                subject = _SUBJECT.fullmatch(data[head.end() :]) if head else None
                if head is None or subject is None:
                    raise self._foreign()
                first, last = int(subject[1]), int(subject[2])
                rows = read_rows(objects.get(f"{commit}:lines")[1])
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
        what = f"the branch of this match on the server ({self._branch[11:]}) holds what host-ledger did not put there"
        return Damaged("wire.foreign", what, "hl unshare")

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        """Append lines. See `Wire`; besides, NotRecorded `wire.refused`, the server takes no push to this branch."""
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
            what = "nothing was recorded: the server takes no push to the branch of this match"
            raise NotRecorded("wire.refused", what, f"{self._git.look}; {self._branch[11:]} must take plain pushes")
        if ended.code is not None and (reason := self._git.reason(ended, sent=True)) is not None:
            raise reason
        self.settle(seq, rows)

    def _commit(self, seq: int, rows: Sequence[Stored], at: _At | None) -> str:
        """Make the commit of these lines; its name."""
        blob = self._git.local("hash-object", "-w", "--stdin", given=rows_text(rows).encode("ascii")).decode().strip()
        tree = self._git.local("mktree", given=f"100644 blob {blob}\tlines\n".encode()).decode().strip()
        parent = f"parent {at.commit}\n" if at else ""
        text = f"tree {tree}\n{parent}author {_WHO}\ncommitter {_WHO}\n\nhost-ledger {seq}-{seq + len(rows) - 1}\n"
        return self._git.local("hash-object", "-t", "commit", "-w", "--stdin", given=text.encode()).decode().strip()

    def changed(self, wait: float) -> bool:
        """Is the branch at another commit than the last that was seen? See `Wire`."""
        listed = self._listed(max(wait, 5.0), self._branch)
        return self._at is None or self._at.commit not in listed

    def names(self, wait: float) -> list[str]:
        """The names of the matches on the server. Raises as `tail`."""
        listed = self._listed(wait, f"{BRANCHES}*")
        return sorted(re.findall(rf"\t{BRANCHES}([a-z0-9][a-z0-9_-]{{0,63}})$", listed, re.M))

    def _listed(self, wait: float, pattern: str) -> str:
        """What the server says of these branches."""
        self._git.make()
        ended = self._git.network(wait, "ls-remote", "--quiet", self._git.server, pattern)
        if ended.code != 0:
            raise self._git.reason(ended, sent=False) or self._git.broken()
        return ended.out.decode("ascii", "replace")

    def tidy(self) -> None:
        """Let git pack what has gathered on this machine, when it thinks that worth while."""
        self._git.local("-c", "gc.auto=500", "gc", "--auto", "--quiet")

    def forget(self) -> None:
        """Take the repository on this machine away: it is only a cache."""
        if os.path.isdir(self._git.repo) and not os.path.islink(self._git.repo):
            shutil.rmtree(self._git.repo, ignore_errors=True)


def _status(ended: Ended, spec: str) -> tuple[str, str]:
    """(flag, words) of what `git push --porcelain` says of the one branch; ("", "") where it does not say."""
    for line in ended.out.decode("utf-8", "replace").splitlines():
        flag, _, rest = line.partition("\t")
        named, _, told = rest.partition("\t")
        if len(flag) == 1 and named == spec:
            return flag, told
    return "", ""


class _Objects:
    """Objects of the repository, read through one process."""

    def __init__(self, git: Git) -> None:
        self._git = git

    def __enter__(self) -> _Objects:
        self._process: subprocess.Popen[bytes] = self._git.reading("cat-file", "--batch")
        return self

    def get(self, name: str) -> tuple[str, bytes]:
        """(name, content) of an object.

        Raises:
            NotRecorded: `wire.git`, it is not there. Unreadable: `wire.large`.
        """
        to, back = self._process.stdin, self._process.stdout
        assert to is not None and back is not None
        try:
            to.write(name.encode() + b"\n")
            to.flush()
        except OSError:
            raise self._git.broken() from None
        words = back.readline().split()
        if len(words) != 3 or not words[2].isdigit():
            raise self._git.broken()
        size = int(words[2])
        if size > MAX_COMMIT_BYTES:
            raise Unreadable("wire.large", "a commit on the server is larger than any of host-ledger", self._git.look)
        data = back.read(size + 1)
        if len(data) != size + 1:
            raise self._git.broken()
        return words[0].decode(), data[:-1]

    def __exit__(self, *_: object) -> None:
        process = self._process
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass
        process.wait()
