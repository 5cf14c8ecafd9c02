"""Running git: which settings it is left, how long it may take, and what its complaints mean.

Belongs here: one process at a time. Does not belong here: what is stored (git.py).

Nothing that git or a server prints is shown: it may hold an address with a token in it, and signs that move a terminal.
"""

from __future__ import annotations

import os
import subprocess
import tempfile

from events.disk import line_to_run
from events.errors import NotRecorded, Unreadable
from events.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KEPT = frozenset(
    {
        "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH",
        "GIT_PROXY_SSL_CAINFO", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
        "GIT_SSL_CERT", "GIT_SSL_KEY",
    }
)  # fmt: skip
"""What of a user's environment says how to reach a server. The rest (another repository, traces) is left out."""
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
"""What git says, in lower case, before anything was sent."""
_LOST = ("timed out", "unreachable", "connection reset", "hung up", "early eof", "unexpected disconnect", "broken pipe",
         "rpc failed", "could not read from remote", "closed by")  # fmt: skip
"""What git says of a connection that broke: something may have been sent."""
_MEANS = {
    "wire.denied": "the server does not let this machine in",
    "wire.missing": "there is no repository at that address",
    "wire.unreachable": "the server does not answer",
}


class Ended(NamedTuple):
    """How a process ended. code: None when it took too long and was ended."""

    code: int | None
    out: bytes
    said: str


class Git:
    """git, for one repository of our own without hooks, templates or remotes.

    Args:
        repo: Its folder.
        server: The address that `network` commands reach.
    """

    def __init__(self, repo: str, server: str) -> None:
        self.repo, self.server = repo, server

    def _words(self, words: Sequence[str]) -> list[str]:
        return ["git", f"--git-dir={self.repo}", *(part for one in _SET for part in ("-c", one)), *words]

    def _env(self, env: Mapping[str, str] = os.environ) -> dict[str, str]:
        kept = {key: value for key, value in env.items() if not key.startswith("GIT_") or key in _KEPT}
        return {
            **kept,
            "GIT_ALLOW_PROTOCOL": "file:https:ssh",
            "GIT_TERMINAL_PROMPT": "0",
            "GCM_INTERACTIVE": "never",
            "SSH_ASKPASS_REQUIRE": "never",
            "LC_ALL": "C",
        }

    def make(self) -> None:
        """Make the repository, if it is not there."""
        if not os.path.isdir(os.path.join(self.repo, "objects")):
            self.local("init", "--bare", "--quiet", "--template=", self.repo)

    def local(self, *words: str, given: bytes = b"") -> bytes:
        """What a command prints that reaches no server.

        Raises:
            Unreadable: `wire.git_none`. NotRecorded: `wire.git`, it failed.
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

    def reading(self, *words: str) -> subprocess.Popen[bytes]:
        """A command that answers line for line; whoever starts it closes it."""
        try:
            pipe = subprocess.PIPE
            return subprocess.Popen(
                self._words(words), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=self._env()
            )
        except (FileNotFoundError, PermissionError):
            raise _no_git() from None

    def network(self, wait: float, *words: str) -> Ended:
        """Run a command that reaches the server, for at most `wait` seconds.

        It has no terminal, so nobody is asked for anything. Its output goes into files: a child of git that lives on
        after it would hold a pipe open.

        Raises:
            Unreadable: `wire.git_none`.
        """
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            try:
                process = subprocess.Popen(
                    self._words(words), stdin=subprocess.DEVNULL, stdout=out, stderr=said, env=self._env(),
                    start_new_session=True,
                )  # fmt: skip
            except (FileNotFoundError, PermissionError):
                raise _no_git() from None
            code: int | None
            try:
                code = process.wait(wait)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _end(process)
            out.seek(0)
            said.seek(0)
            return Ended(code, out.read(1 << 20), said.read(1 << 20).decode("utf-8", "replace"))

    def reason(self, ended: Ended, *, sent: bool) -> NotRecorded | None:
        """Why nothing was recorded; None where that is not certain.

        Args:
            sent: Is it a push that may have gone out before the connection broke?
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
        """A line that shows what git itself says."""
        return line_to_run("git", "ls-remote", self.server)

    def broken(self) -> NotRecorded:
        """What is said when git did not do what it should here."""
        return NotRecorded("wire.git", f"nothing was recorded: git failed in {self.repo}", self.look)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a process that still runs clean up and end; after a second, end it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _no_git() -> Unreadable:
    return Unreadable("wire.git_none", "this match is shared by way of git, and there is no git here", "git --version")
