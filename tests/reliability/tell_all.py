"""Everything that the read verbs tell of some logs, as a digest each: `tell_all.py ROOT NOW MUCH LOG...`.

Run under other Pythons, hash seeds, zones, locales, dates and folders; it must print the same. NOW (ms) is what the
clock says; MUCH is `all`, or `some` of the commands. Prints JSON: {"LOG's name: hl view --for ann": digest of
exit code, stdout and stderr}.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
from types import SimpleNamespace

root, now, much, *logs = sys.argv[1:]
sys.path.insert(0, root)

from tests.support import guide  # noqa: E402

guide.install()  # there are logs of its games too

import ledger.core.clock  # noqa: E402
from ledger.cli.root import run  # noqa: E402
from ledger.core.match import Match  # noqa: E402
from ledger.render import FORMATS  # noqa: E402

ledger.core.clock.time = SimpleNamespace(time=lambda: int(now) / 1000)  # type: ignore[assignment]
found = {}
for log in logs:
    name = "/".join(log.rsplit("/", 2)[-2:])
    players = list(Match(log).table.seats)
    lines = [["log"], ["log", "-f", "json"], ["verify", "-f", "json"], ["assumptions"], ["rules"], ["summary", "--all"]]
    few = much == "some"
    for who in ("host", players[0]) if few else ("host", "public", *players):
        for verb in ("view",) if few else ("view", "final", "scores", "board"):
            lines += [[verb, "--for", who, "-f", fmt] for fmt in FORMATS if fmt != "png"]
    for line in lines:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(["--no-input", "-g", log, *line])
        told = f"{code}\n{out.getvalue()}\n{err.getvalue()}".replace(log, name)
        found[f"{name}: hl {' '.join(line)}"] = hashlib.sha256(told.encode()).hexdigest()[:16]
print(json.dumps(found))
