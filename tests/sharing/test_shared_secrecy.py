"""What the server of a shared match sees hangs on nothing that is hidden, but for each line's size in steps of 256.

Twin evenings: the same commands at the same moments, in which every card, note, name and number that is hidden was
drawn anew. By design the server sees how many lines each command has and when it came, the class of each line's length
(a signature counts with it), and its hash, which is as random as its salt. Reads leave no more than that somebody
looked.
"""

from __future__ import annotations

import json
import random
import re
from itertools import count
from typing import Any

from ledger.wire.sealing import CLASS_BYTES
from tests.support.evening import HANDS, put_files
from tests.support.servers import Git, Postgres
from tests.support.sizes import log_number, many

NAMES = (f"twin{n}" for n in count(1))


def url_of(server: Any, name: str) -> str:
    return str(server.url(name, far=not isinstance(server, Git)))


def seen(server: Any, name: str) -> list[Any]:
    """All that the server holds of a match, but bytes that look random: names, numbers, sizes, in order."""
    if isinstance(server, Postgres):
        return [(seq, len(hash_), len(data)) for seq, hash_, data in server.held(name)]
    commits = server.git("rev-list", "--reverse", f"host-ledger/{name}").decode().split()
    asked = [(("cat-file", "commit", one), ("ls-tree", one), ("show", f"{one}:lines")) for one in commits]
    return [tuple(_blurred(server.git(*words)) for words in three) for three in asked]


def _blurred(data: bytes) -> str:
    """Hashes as such, and sealed lines by their length."""
    text = re.sub(r"\b[0-9a-f]{40,64}\b", "HASH", data.decode())
    return re.sub(r"HASH ([A-Za-z0-9+/=]+)\n", lambda found: f"HASH {len(found[1])}\n", text)


def evening(stage: Any, server: Any, luck: random.Random, folder: str, note: int) -> tuple[list[int], str, str]:
    """Play it; the class of each line, the name of the match there, and what was hidden."""
    hands = [*HANDS.values()]
    luck.shuffle(hands)
    secret = "".join(luck.choices("abcdefghij klmno", k=note)).strip().ljust(note, "x")
    put_files(stage.folder, dict(zip(HANDS, hands, strict=True)))
    name = next(NAMES)
    gives, takes = (luck.choice(hand.split()) for hand in (hands[0], hands[1]))
    lines = [
        f"new {folder} --from match.toml",
        f"-g {folder} --as mara deal --from deal.toml",
        f"-g {folder} share {url_of(server, name)}",
        f"-g {folder} --as mara open",
        f"-g {folder} --as theo note '{secret}'",
        f"-g {folder} --as mara trade ann {gives} bob {takes} --note '{secret[::-1]}' --force --yes",
        f"-g {folder} --as theo lock {luck.choice([*HANDS][2:])}",
        f"-g {folder} --as theo override {luck.choice([*HANDS])} garnets {luck.randrange(10)} --yes",
        f"-g {folder} status",
        f"-g {folder} view --for ann",
        f"-g {folder} --as mara undo --yes",
    ]
    for line in lines:
        assert "[exit" not in (told := stage.run((f"$ hl {line}",))), told
    log = (stage.folder / folder / "log.jsonl").read_bytes()
    return [-(-len(line) // CLASS_BYTES) for line in log.splitlines(keepends=True)], name, secret


def test_twins_leave_the_same_on_the_server(stage: Any, server: Any, record_property: Any) -> None:
    """Where all lines fall into the same classes, what is there is the same; always it hangs on the classes alone."""
    for key, value in server.env.items():
        stage.patch.setenv(key, value)
    begun, pairs, alike = stage.now, many(2, 60), 0
    for seed in range(pairs):
        luck = random.Random(seed)
        note, views, hidden = luck.choice((9, 40, 200)), [], []
        for twin in ("a", "b"):
            stage.now = begun
            classes, name, secret = evening(stage, server, luck, f"{twin}{seed}", note)
            views.append((classes, seen(server, name)))
            hidden.append(secret)
            assert secret not in json.dumps(views[-1]) and "ann" not in json.dumps(views[-1])
        assert hidden[0] != hidden[1]
        if views[0][0] == views[1][0]:
            alike += 1
            assert views[0][1] == views[1][1]
        sizes = [[int(size) for size in re.findall(r"HASH (\d+)", json.dumps(view))] for _, view in views]
        if isinstance(server, Postgres):
            sizes = [[row[2] for row in view] for _, view in views]
        for (classes, _), told in zip(views, sizes, strict=True):
            assert told == [4 * -(-(24 + 16 + CLASS_BYTES * one) // 3) for one in classes]
    log_number(record_property, alike)
    print(f"{pairs} pairs, {alike} in the same classes")
    assert alike * 3 > pairs, "too few fall into the same classes"


def test_an_open_match_is_asked_about(stage: Any, server: Any) -> None:
    """`--plain` says what the operator can read; where nobody answers, or says no, nothing is sent."""
    for key, value in server.env.items():
        stage.patch.setenv(key, value)
    put_files(stage.folder)
    stage.run(("$ hl new open --from match.toml",))
    url = url_of(server, name := next(NAMES))
    told = stage.run((f"$ hl -g open share '{url}' --plain",))
    assert "confirm.needed" in told and "could then read every hand, bid and note" in told and "[exit 5]" in told
    told = stage.run((f"$ hl -g open share '{url}' --plain # types: n",))
    assert "write entries in any host's name" in " ".join(told.split()) and "[exit 5]" in told
    assert "this match is not shared" in stage.run(("$ hl -g open share",))
    assert isinstance(server, Git) or server.held(name) == []
    told = stage.run((f"$ hl -g open share '{url}' --plain # types: y",))
    assert "it is not encrypted" in told and "[exit" not in told
