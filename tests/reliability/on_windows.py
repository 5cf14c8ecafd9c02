"""What must hold on a real Windows: run with a Windows Python, natively or under Wine (`make test-windows`).

First what can be said in a few lines, then tests of the suite. The first that fails ends with exit code 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from events import Body, LogFile, NotRecorded, create  # noqa: E402
from events.disk import DISK  # noqa: E402

TESTS = "systems shells config cards equilibrium_rules".split()  # noqa: SIM905
"""Of all quick tests: those of what differs between systems, and a few of what must not."""


def body(n: int) -> Body:
    return Body("note", 1_800_000_000_000 + n, "mara", 1_800_000_000_000 + n, {"n": n})


def main() -> int:
    assert sys.platform == "win32" and DISK.system == "windows", "this is for a Windows Python"
    if sys.argv[1:2] == ["append"]:
        for n in range(50):
            with LogFile(sys.argv[2]).writing() as writer:
                writer.append([body(n)])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m", "log.jsonl")
        create(path, [body(1)])
        with LogFile(path).writing() as writer:
            writer.append([body(2)])
            try:
                LogFile(path, wait=0.1).writing().__enter__()
                raise AssertionError("two writers at once")
            except NotRecorded as error:
                assert error.code == "log.locked"
        words = [sys.executable, __file__, "append", path]
        both = [subprocess.Popen(words), subprocess.Popen(words)]
        assert [one.wait(120) for one in both] == [0, 0]
        assert len(LogFile(path).read().lines) == 102
        for name in ("nul", "aux.txt", "a:b", "dot."):
            try:
                DISK.open(os.path.join(folder, name), os.O_RDWR | os.O_CREAT)
                raise AssertionError(f"{name} was made")
            except OSError:
                pass
        assert LogFile(path).read().notes == (), "nothing is said of rights that Windows does not have"
        demo = hl(folder, "demo")
        assert demo.returncode == 0 and b"verified: 69 entries" in demo.stdout and b"unexpected" not in demo.stdout
        assert b"chmod" not in demo.stdout
        doctor = hl(folder, "-g", "demo-match", "doctor")
        assert doctor.returncode in (0, 3) and b"those of your own folder" in doctor.stdout, doctor.stdout
    print("what must hold on Windows holds; now the tests of what differs there", flush=True)
    words = [
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--timeout=120",
        *(str(found) for name in TESTS for found in (ROOT / "tests").rglob(f"test_{name}.py")),
    ]
    return subprocess.run([sys.executable, *words], cwd=ROOT, check=False).returncode


def hl(folder: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """One command, in a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run([sys.executable, "-m", "ledger", *words], cwd=folder, env=env, check=False, **both)  # type: ignore[call-overload]


if __name__ == "__main__":
    sys.exit(main())
