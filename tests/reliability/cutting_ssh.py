"""An ssh for git that runs what it is asked to on this machine, and cuts the line after so many bytes.

CUT_SERVICE: `upload` or `receive`, which of git's two services; CUT_WAY: `to` or `from` the server; CUT_AFTER: how many
bytes go through. CUT_DONE: a file that is made when the line was cut. CUT_DELAY: ms that every piece takes; CUT_LOSS:
how likely one is lost, and comes 0.2 s later.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path


def main() -> int:
    env = os.environ
    command = sys.argv[-1]
    limit = -1
    if f"git-{env.get('CUT_SERVICE', '-')}-pack" in command:
        limit = int(env["CUT_AFTER"])
    delay, loss = float(env.get("CUT_DELAY", "0")) / 1000, float(env.get("CUT_LOSS", "0"))
    server = subprocess.Popen(["sh", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin and server.stdout
    time.sleep(2 * delay)

    def cut() -> None:
        Path(env["CUT_DONE"]).touch()
        server.stdin.close() if env["CUT_WAY"] == "from" else None
        os._exit(255)

    def pump(source: int, target: int, left: int) -> None:
        while data := os.read(source, 65536):
            time.sleep(delay + (0.2 if random.random() < loss else 0))
            if 0 <= left < len(data):
                os.write(target, data[:left])
                cut()
            left -= len(data) if left >= 0 else 0
            try:
                os.write(target, data)
            except BrokenPipeError:
                return

    to, back = (limit if env.get("CUT_WAY") == way else -1 for way in ("to", "from"))

    def sending() -> None:
        pump(0, server.stdin.fileno(), to)
        server.stdin.close()

    threading.Thread(target=sending, daemon=True).start()
    pump(server.stdout.fileno(), 1, back)
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
