"""`hl` at a terminal of its own, and who types there."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path


class Terminal:
    """A process whose three streams are one terminal.

    Attributes:
        seen: What it printed, behind what was waited for.
    """

    def __init__(
        self, root: Path, *words: str, env: Mapping[str, str], cwd: Path | None = None, program: str = "",
    ) -> None:  # fmt: skip
        self.fd, theirs = pty.openpty()
        full = {**os.environ, "PYTHONPATH": str(root), "PATH": "/nowhere", **env}
        how = ["-c", program] if program else ["-m", "ledger"]
        line = [sys.executable, "-W", "ignore", *how, *words]
        self.run = subprocess.Popen(
            line, stdin=theirs, stdout=theirs, stderr=theirs, env=full, cwd=cwd, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a suite in the background ignores it
        )  # fmt: skip
        os.close(theirs)
        self.seen = ""

    def until(self, wanted: str, times: int = 1) -> str:
        """What it prints until that was printed so often behind what was waited for before."""
        end = time.monotonic() + 20
        while self.seen.count(wanted) < times and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.fd, 65_536).decode(errors="replace")
                except OSError:
                    break
        assert self.seen.count(wanted) >= times, self.seen
        parts = self.seen.split(wanted)
        self.seen = wanted.join(parts[times:])
        return wanted.join([*parts[:times], ""])

    def type(self, text: str) -> None:
        """A hand does not answer before the question stands: the program waits for it, and for nothing else."""
        end = time.monotonic() + 20
        while self.run.poll() is None and not self._reads() and time.monotonic() < end:
            time.sleep(0.005)
        os.write(self.fd, text.encode())

    def _reads(self) -> bool:
        """Is it in the call that reads its input? Where the system does not tell, it has had time for that."""
        try:
            call = Path(f"/proc/{self.run.pid}/syscall").read_text(encoding="ascii").split()
        except OSError:
            time.sleep(0.15)
            return True
        return call[:2] in (["0", "0x0"], ["63", "0x0"])

    def close(self) -> None:
        self.run.kill()
        self.run.wait()
        os.close(self.fd)
