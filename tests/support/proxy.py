"""A proxy between hosts and a server: it is slow, loses pieces, is away, or cuts the line after so many bytes.

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
    """The process, seen from a test. `target`: a port of this machine, or the path of a socket."""

    def __init__(self, target: int | str) -> None:
        words = [sys.executable, __file__, str(target)]
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
        broken: Of each piece, how likely the line breaks.
        down: Is nobody let through?
        cut: (`to` or `from` the server, bytes): after so many the line breaks, once; or, where `again` is true, each
            time so many have gone through since the last break. None: it is whole.
        cuts: How often it broke for that.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.delay = self.loss = self.broken = 0.0
        self.down = False
        self.cut: tuple[str, int] | None = None
        self.again, self.cuts = False, 0
        self._left = 0
        self._luck = random.Random(1)
        self._open: set[StreamWriter] = set()

    async def serve(self) -> None:
        """Until standard input ends."""
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._host, "127.0.0.1", 0)
        self.port = int(server.sockets[0].getsockname()[1])
        while line := await self._loop.run_in_executor(None, sys.stdin.readline):
            for name, value in json.loads(line).items():
                setattr(self, name, value)
                self._left = self.cut[1] if self.cut else 0
            for one in self._open if self.down else ():
                one.transport.abort()
            shown = ("port", "cuts")
            print(json.dumps({name: getattr(self, name) for name in shown}), flush=True)

    async def _host(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self.down:
            writer.transport.abort()
            return
        try:
            if self.target.isdigit():
                back, to = await asyncio.open_connection("127.0.0.1", int(self.target))
            else:
                back, to = await asyncio.open_unix_connection(self.target)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, to}
        self._open |= both
        await asyncio.sleep(2 * self.delay)  # a connection is made by one exchange
        await asyncio.gather(self._pump("to", reader, to, both), self._pump("from", back, writer, both))
        self._open -= both

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
                        self.cuts, self._left = self.cuts + 1, self.cut[1]
                        self.cut = self.cut if self.again else None
                        raise ConnectionResetError
                    self._left -= len(data)
                if self.down or self._luck.random() < self.broken:
                    raise ConnectionResetError
                pieces.put_nowait((due, data))
        except OSError:
            await asyncio.sleep(0.005)
            for one in both:
                one.transport.abort()
        pieces.put_nowait((due, b""))
        await sending


if __name__ == "__main__":
    asyncio.run(_Proxy(sys.argv[1]).serve())
