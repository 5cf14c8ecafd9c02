"""Any bytes are given to the reader of logs: one error type, little memory, little time.

Guided by coverage where atheris is installed (`pip install atheris`; the full run says which it was), else by seeds
that are broken in many ways. The program and its oracle: reliability/fuzz_reader.py. Logs whose chain holds and whose
lines say anything at all are in test_hostile_logs.py.

Source: docs/log-format.md, "Canonical".
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.sizes import log_number, many

PROGRAM = Path(__file__).resolve().parents[1] / "reliability" / "fuzz_reader.py"


def test_any_bytes_get_a_verdict(root: Path, tmp_path: Path, record_property: Any) -> None:
    command = [sys.executable, str(PROGRAM), str(root), str(many(4_000, 600_000)), "5"]
    env = {**os.environ, "FUZZ_FOLDER": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env, errors="replace")
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads([line for line in done.stdout.splitlines() if line.startswith("{")][-1])
    log_number(record_property, told["runs"])
    record_property("guided", told["guided"])
    assert told["runs"] >= many(4_000, 600_000) - 1 and told["errors"] > 100 and told["good"] > 10, told
