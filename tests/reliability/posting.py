"""Two hosts who post from one match and are killed, a program of its own: `posting.py ROOT FOLDER POSTS SEED HOW`.

A server on this machine takes texts as Discord's webhooks do, and misbehaves: it refuses, asks to wait, fails before or
after it took a text, takes one and never answers, or answers half. Two processes post what waits in one log; each is
killed at every step of a posting, by itself, and now and then from outside, and begun anew.

First nobody helps them: at the end each text is in its channel once and marked, or it is doubtful and shown to the
hosts, or it waits and is not there. Then a host looks at the doubtful ones, as `hl outbox` says, and they go on: in the
end each text was taken once. Nothing may ever be taken twice.

HOW: `sound`, or what is broken for a control: `unclaimed` (sent without a claim), `again` (what is doubtful is sent
again), `early` (marked before it is sent). Prints one line of JSON.
"""

from __future__ import annotations

import collections
import http.server
import json
import os
import random
import re
import signal
import socketserver
import sys
import time
from pathlib import Path
from typing import Any

root, where, wanted, seed, how = sys.argv[1:]
sys.path.insert(0, root)

import httpx  # noqa: E402

from events import create  # noqa: E402
from games.table import actions as shared  # noqa: E402
from ledger.core.clock import now_ms  # noqa: E402
from ledger.core.match import Match  # noqa: E402
from ledger.exchange.matchfile import setup_bodies  # noqa: E402
from ledger.post import discord_http, posting  # noqa: E402
from ledger.post.posting import Hook  # noqa: E402
from ledger.record import recorder  # noqa: E402
from ledger.tell.outbox import outbox  # noqa: E402

POSTS, SEED = int(wanted), int(seed)
PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
HOSTS = ("mara", "ben")
FOLDER = Path(where)
TAKEN, LOG, KILLS = FOLDER / "taken", str(FOLDER / "log.jsonl"), FOLDER / "kills"
posting.CLAIM_ACTIVE_MS = 600
posting.RETRY_PAUSE_MS = 20
discord_http.TIMEOUTS = httpx.Timeout(0.25)
discord_http.MIN_PAUSE = 0.02
STEPS = ("before the claim", "claimed", "sent", "answered", "marked")


# ---- the server -----------------------------------------------------------------------------------------------------


class Discord(http.server.BaseHTTPRequestHandler):
    """Takes texts, and notes each one that it took."""

    luck = random.Random(SEED)
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert body["allowed_mentions"] == {"parse": []}
        fate = self.luck.choices(
            ("taken", "wait", "failed", "failed late", "no answer", "lost", "slow", "half", "refused"),
            (70, 6, 3, 3, 4, 3, 2, 4, 2),
        )[0]
        if fate in ("taken", "failed late", "no answer", "slow", "half"):
            with TAKEN.open("a") as file:
                file.write(json.dumps([self.path, self.headers["x-item"], fate]) + "\n")
        answer = json.dumps({"id": str(10**17 + self.luck.randrange(10**9)), "channel_id": "1"}).encode()
        self.close_connection = True
        match fate:
            case "taken":
                self._answer(200, answer)
            case "wait":
                self._answer(429, b"{}", ("Retry-After", "0.02"))
            case "failed" | "failed late":
                self._answer(500 if fate == "failed" else 502, b"{}")
            case "refused":
                self._answer(400, b"{}")
            case "slow":
                time.sleep(0.5)
            case "half":
                self._answer(200, answer, cut=len(answer) // 2)

    def _answer(self, code: int, body: bytes, *headers: tuple[str, str], cut: int | None = None) -> None:
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body[:cut])


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        pass  # who was killed hangs up


def serve(server: Server) -> int:
    pid = os.fork()
    if pid == 0:
        server.serve_forever()
    return pid


# ---- the hosts ------------------------------------------------------------------------------------------------------


class Dying(posting.Poster):
    """Is killed now and then, at every step."""

    luck = random.Random()

    def step(self, name: str) -> None:
        if self.luck.random() < 0.03:
            with KILLS.open("a") as file:
                file.write(name + "\n")
            os.kill(os.getpid(), signal.SIGKILL)

    def _claim(self, item: Any) -> int | None:
        self.step("before the claim")
        seq = 1 if how == "unclaimed" else super()._claim(item)
        if how == "early":
            self._record(posting.posted_as(posting.claim_of(item)), lambda match: None)
        self.step("claimed")
        return seq

    def _send_claimed(self, item: Any, seq: int) -> posting.Sending:
        told = super()._send_claimed(item, seq)
        self.step("marked")
        return told

    def ready(self, match: Any, now: int) -> Any:
        if how != "again":
            return super().ready(match, now)
        real = posting.outbox
        posting.outbox = lambda match, now=None: real(match, now)._replace(claims={})  # type: ignore[assignment]
        try:
            return super().ready(match, now)
        finally:
            posting.outbox = real


def host(name: str, hooks: dict[str, Hook]) -> int:
    """A process that posts until it is killed or nothing is left that it may send."""
    pid = os.fork()
    if pid:
        return pid
    client = discord_http.client()

    def send(hook: Hook, item: Any, message: str) -> discord_http.Answer:
        client.headers["x-item"] = item.name
        poster.step("sent")
        answer = discord_http.send(client, hook, item.text)
        poster.step("answered")
        return answer

    poster = Dying(Match(LOG), name, hooks, send)
    poster.luck = random.Random(os.getpid() * 1000 + SEED)
    code = 0
    try:
        for _ in poster.run():
            pass
    except Exception as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        code = 1
    os._exit(code)


def post_all(hooks: dict[str, Hook], luck: random.Random) -> None:
    """Both hosts post, killed and begun anew, until nothing is left that anybody may send."""
    running = {host(name, hooks): name for name in HOSTS}
    quiet, end = 0, time.monotonic() + 3600
    looking = posting.Poster(match, "mara", hooks, lambda *_: None)  # type: ignore[arg-type,return-value]
    while quiet < 3:
        assert time.monotonic() < end
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            time.sleep(0.02)
            if luck.random() < 0.004:
                os.kill(luck.choice([*running]), signal.SIGKILL)
                with KILLS.open("a") as file:
                    file.write("from outside\n")
            continue
        if pid not in running:
            continue
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            found["strange"] += 1
            assert found["strange"] < 20, "hosts end in errors, one after the other"
        name = running.pop(pid)
        looking.match.refresh()
        still = looking.ready(looking.match, now_ms() + 10**6)
        quiet = 0 if still is not None else quiet + 1
        time.sleep(0.01 if quiet == 0 else 0.2)
        running[host(name, hooks)] = name
        if how != "sound" and len(taken()) > 4 * POSTS:
            break
    for pid in running:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


# ---- the match, and the verdict -------------------------------------------------------------------------------------


def make() -> Match:
    """A match in which so many texts wait."""
    rows = {p: {"channel": f"#{p}"} for p in PLAYERS}
    data = {"game": "equilibrium", "hosts": list(HOSTS), "players": rows, "settings": {"garnet_cap": 1000}}
    _, bodies = setup_bodies(data, source="match.toml", by=None, now=now_ms())
    create(Path(LOG), bodies)
    match = Match(LOG)
    options = recorder.Options(by="mara", yes=True)
    count, n = 0, 0
    while count < POSTS:
        player = PLAYERS[n % len(PLAYERS)]
        n += 1
        written = recorder.record_actions(match, [shared.Award(player, "garnets", 1)], options, lambda question: True)
        count += len(written.news)
    return match


def taken() -> list[list[str]]:
    return [json.loads(line) for line in TAKEN.read_text().splitlines()] if TAKEN.exists() else []


def judge(every: set[str], *, helped: bool) -> None:
    """What became of each text."""
    match.refresh()
    found_now = outbox(match, now_ms())
    there = collections.Counter(item for _, item, _ in taken())
    marked = {name for name, sent in found_now.sent.items() if not sent.action.dropped}
    waits = {item.name for item in found_now.waiting} - set(found_now.claims)
    found["double"] += sum(count > 1 for count in there.values())
    found["lost"] += sum(there[name] != 1 for name in marked)
    found["strange"] += sum(there[name] != 0 for name in waits)
    found["strange"] += len(every - marked - waits - set(found_now.claims))
    if helped:
        found["posted"] = len(marked)
        found["strange"] += len(every - marked)
    else:
        found["doubtful"] = len(found_now.claims)
        found["doubtful_there"] = sum(there[name] == 1 for name in found_now.claims)
        orders: dict[str, list[int]] = {}
        for path, item, _ in taken():
            orders.setdefault(path, []).append(int(re.match("[0-9]+", item)[0]))  # type: ignore[index]
        found["disorder"] = sum(order != sorted(order) for order in orders.values())


def settle(match: Match) -> None:
    """A host looks into the channels, and says of each doubtful text whether it is there."""
    there = {item for _, item, _ in taken()}
    for name, claim in outbox(match, now_ms()).claims.items():
        entry = posting.posted_as(claim.action) if name in there else shared.Undo(claim.seq)
        options = recorder.Options(by="mara", yes=True)
        recorder.record_marks(match, [entry], options, lambda question: True, lambda m: None)


found: dict[str, Any] = {"posts": POSTS, "double": 0, "lost": 0, "strange": 0}
begun = time.monotonic()
match = make()
every = {item.name for item in outbox(match, now_ms()).waiting}
server = Server(("127.0.0.1", 0), Discord)
address = f"http://127.0.0.1:{server.server_address[1]}"
hooks = {who: Hook(f"{address}/{who}", "1", "2") for who in ("public", *PLAYERS)}
serving = serve(server)
luck = random.Random(SEED)
try:
    post_all(hooks, luck)
    judge(every, helped=False)
    for _ in range(50):
        if how != "sound" or (not outbox(match := Match(LOG), now_ms()).waiting and not outbox(match, now_ms()).claims):
            break
        settle(match)
        post_all(hooks, luck)
    if how == "sound":
        judge(every, helped=True)
finally:
    os.kill(serving, signal.SIGKILL)
killed = collections.Counter(KILLS.read_text().splitlines()) if KILLS.exists() else {}
found.update(
    texts=len(every), kills=sum(killed.values()), kills_at=dict(sorted(killed.items())),
    answers=dict(collections.Counter(fate for *_, fate in taken())), seconds=round(time.monotonic() - begun),
)  # fmt: skip
print(json.dumps(found))
