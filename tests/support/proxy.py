"""A proxy between hosts and a server: it is slow, loses pieces, or cuts the line after so many bytes.

A process of its own, since nothing in the tests may open a socket. On its standard input it takes what is to hold from
then on, and answers with what holds: JSON, a line each.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from asyncio import StreamReader, StreamWriter
from typing import Any


class Proxy:
    """The process, seen from a test. `target`: the path of a socket."""

    def __init__(self, target: str) -> None:
        words = [sys.executable, __file__, target]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.set()["port"])

    def set(self, **what: Any) -> dict[str, Any]:
        """Let these hold, see `_Proxy`; all that holds now."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class _Proxy:
    """Listens at a port of this machine.

    Attributes:
        delay: Seconds that everything takes, one way.
        loss: Of each piece, how likely it comes 0.2 s late, as one that was sent again.
        cut: (`to` or `from` the server, bytes): after so many the line breaks, once. None: it is whole.
        cuts: How often it broke for that.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.delay = self.loss = 0.0
        self.cut: tuple[str, int] | None = None
        self.cuts = self._left = 0
        self._luck = random.Random(1)

    async def serve(self) -> None:
        """Until standard input ends."""
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._host, "127.0.0.1", 0)
        self.port = int(server.sockets[0].getsockname()[1])
        while line := await self._loop.run_in_executor(None, sys.stdin.readline):
            for name, value in json.loads(line).items():
                setattr(self, name, value)
                self._left = self.cut[1] if self.cut else 0
            print(json.dumps({"port": self.port, "cuts": self.cuts}), flush=True)

    async def _host(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            back, to = await asyncio.open_unix_connection(self.target)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, to}
        await asyncio.sleep(2 * self.delay)  # a connection is made by one exchange
        await asyncio.gather(self._pump("to", reader, to, both), self._pump("from", back, writer, both))

    async def _pump(self, way: str, reader: StreamReader, writer: StreamWriter, both: set[StreamWriter]) -> None:
        """Pass on what comes; each piece waits by itself, and none overtakes another."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        now = self._loop.time

        async def passing() -> None:
            while (piece := await pieces.get())[1]:
                await asyncio.sleep(max(0.0, piece[0] - now()))
                writer.write(piece[1])
            if not writer.is_closing():
                writer.close()

        sending = asyncio.ensure_future(passing())
        due = 0.0
        try:
            while data := await reader.read(65536):
                due = max(due, now() + self.delay + (0.2 if self._luck.random() < self.loss else 0.0))
                if self.cut and self.cut[0] == way:
                    if self._left < len(data):
                        pieces.put_nowait((due, data[: self._left]))
                        self.cuts, self.cut = self.cuts + 1, None
                        raise ConnectionResetError
                    self._left -= len(data)
                pieces.put_nowait((due, data))
        except OSError:
            await asyncio.sleep(0.005)
            for one in both:
                one.transport.abort()
        pieces.put_nowait((due, b""))
        await sending


if __name__ == "__main__":
    asyncio.run(_Proxy(sys.argv[1]).serve())
