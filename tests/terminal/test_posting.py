"""Sending to webhooks: never twice, never lost without a word; what each answer means; where the addresses are kept.

The law runs in a program of its own, tests/reliability/posting.py: two hosts, a server that misbehaves, kills at every
step. Here no socket is opened. Source: docs/decisions/0034.
"""

from __future__ import annotations

import datetime
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, strategies as st

import ledger.core.clock
from events.instants import Instant
from games.kit.blocks import Piece, notice
from games.kit.grid import grid
from ledger.cli.app import App
from ledger.cli.outbox import _picture
from ledger.cli.root import run
from ledger.post import discord_http
from ledger.post.posting import Hook, Hooks, as_file, read_hooks
from ledger.tell.outbox import outbox
from ledger.tell.texts import Item
from tests.support.ended import NAMES
from tests.support.host import match_file
from tests.support.lines import plays
from tests.support.paper import chat, message
from tests.support.sizes import examples, log_number, many

URL = "https://discord.com/api/webhooks/{}/" + "s3cr3t_" * 4
OWN = {"public": "100", "ann": "101", "bob": "102", "cyd": "103"}
"""Audience -> id of its channel."""


# ---- the law --------------------------------------------------------------------------------------------------------


def law(root: Path, posts: int, how: str) -> dict[str, Any]:
    """What came of so many texts."""
    program = root / "tests" / "reliability" / "posting.py"
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        words = [sys.executable, "-W", "ignore", str(program), str(root), folder, str(posts), "7", how]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def sound(told: dict[str, Any]) -> bool:
    return not (told["double"] or told["lost"] or told["strange"])


def test_none_twice_and_none_lost_without_a_word(root: Path, record_property: Any) -> None:
    """Issue: two hosts posting at once, random failures, texts taken without an answer, kills at every step."""
    told = law(root, many(30, 1_000), "sound")
    log_number(record_property, told["texts"])
    assert sound(told) and not told["disorder"], told
    assert told["posted"] == told["texts"] and told["kills"], told


@pytest.mark.slow
@pytest.mark.parametrize("how", ["unclaimed", "again", "early"])
def test_sabotage_is_seen(root: Path, how: str) -> None:
    """Sent without a claim; doubtful ones sent again; marked before they are sent."""
    assert not sound(law(root, 40, how))


# ---- what an answer proves ------------------------------------------------------------------------------------------


def answered(reply: httpx.Response | Exception) -> httpx.Response:
    if isinstance(reply, Exception):
        raise reply
    return reply


def answering(*replies: Any) -> tuple[httpx.Client, list[httpx.Request]]:
    """A client whose requests get these answers, one after the other; and the requests."""
    asked: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return answered(replies[min(len(asked), len(replies)) - 1])

    return httpx.Client(transport=httpx.MockTransport(handle)), asked


HOOK = Hook(URL.format("1" * 18), "100", "9")
TAKEN = httpx.Response(200, json={"id": "123456789012345678", "channel_id": "100"})


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (TAKEN, "taken"),
        (httpx.Response(200, json={}), "unknown"),
        (httpx.Response(200, text="<html>welcome to the hotel</html>"), "unknown"),
        (httpx.Response(204), "unknown"),
        (httpx.Response(302), "refused"),
        *((httpx.Response(code), "refused") for code in (400, 401, 403, 404, 413)),
        *((httpx.Response(code), "unknown") for code in (500, 502, 503, 504)),
        (httpx.ConnectError("x"), "refused"),
        (httpx.ConnectTimeout("x"), "refused"),
        (httpx.ReadTimeout("x"), "unknown"),
        (httpx.WriteTimeout("x"), "unknown"),
        (httpx.ReadError("x"), "unknown"),
        (httpx.RemoteProtocolError("x"), "unknown"),
    ],
    ids=str,
)
def test_only_what_was_refused_may_be_sent_again(reply: Any, kind: str) -> None:
    http, asked = answering(reply)
    answer = discord_http.send(http, HOOK, "hello")
    assert answer.kind == kind and len(asked) == 1, "one request, whatever comes"
    assert "s3cr3t" not in answer.what and "discord.com" not in answer.what


def test_a_request_waits_as_long_as_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """429 and Retry-After; a long pause is given up, unsent."""
    waited: list[float] = []
    monkeypatch.setattr(discord_http, "wait_for", waited.append)
    full = httpx.Response(429, headers={"Retry-After": "1.5"})
    http, asked = answering(full, full, TAKEN)
    assert discord_http.send(http, HOOK, "hello").kind == "taken"
    assert waited == [1.5, 1.5] and len(asked) == 3
    http, asked = answering(httpx.Response(429, headers={"Retry-After": "300"}))
    answer = discord_http.send(http, HOOK, "hello")
    assert (answer.kind, answer.wait, len(asked)) == ("later", 300.0, 1)


@examples(100, 1_000)
@given(
    st.sampled_from(["0", "-0", "1e-9", "-5", "nan", "inf", "-inf", "1e999", "", "soon", "0.2"]) | st.floats().map(str)
)
def test_whatever_pause_is_asked_for_it_ends(pause: str) -> None:
    """A least pause and a greatest number of tries; then the text is left for later, by a finite time."""
    waited: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord_http, "wait_for", waited.append)
        http, asked = answering(*[httpx.Response(429, headers={"Retry-After": pause})] * 100)
        answer = discord_http.send(http, HOOK, "hello")
    assert answer.kind == "later" and discord_http.MIN_PAUSE <= answer.wait <= discord_http.MAX_PAUSE
    assert len(asked) <= discord_http.MAX_TRIES and len(waited) == len(asked) - 1
    assert all(wait >= discord_http.MIN_PAUSE for wait in waited) and sum(waited) <= discord_http.MAX_WAIT


def test_a_text_pings_nobody_and_takes_its_picture_along() -> None:
    http, asked = answering(TAKEN)
    discord_http.send(http, HOOK, "hello")
    assert asked[0].url.params["wait"] == "true"
    assert json.loads(asked[0].content) == {"content": "hello", "allowed_mentions": {"parse": []}}
    discord_http.send(http, HOOK, "hello", discord_http.Picture(b"\x89PNG", "a board"))
    body = asked[1].content
    assert b'"description": "a board"' in body and b"\x89PNG" in body and b'"parse": []' in body


def test_a_picture_is_called_the_same_whatever_text_it_goes_with() -> None:
    """The name of a text counts the entries before it."""
    board = grid(2, 2).board("A board.", [Piece("A1", "An", "circle", 0)])
    item = Item("7a", 7, Instant(0), "public", "here", notice(["It stands so."], below=[board]))
    assert _picture(item) == _picture(item._replace(name="9a", seq=9)) is not None


# ---- at the desk ----------------------------------------------------------------------------------------------------


class Channels:
    """Discord as the tests have it: what stands in each channel."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.replies: list[httpx.Response | Exception] = []
        """Answers to the next posts, in place of taking them."""
        self.ids: dict[str, tuple[str, int]] = {}
        self.times: list[int] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.times.append(ledger.core.clock.now_ms())
        hook, _, *rest = request.url.path.removeprefix("/api/webhooks/").split("/")
        channel = hook[:3]
        if request.method == "GET":
            return httpx.Response(200, json={"id": hook, "channel_id": channel, "guild_id": "9"})
        if self.replies:
            return answered(self.replies.pop(0))
        text = json.loads(request.content)["content"]
        if request.method == "PATCH":
            where, place = self.ids[rest[-1]]
            self.texts[where][place] = text
            return httpx.Response(200, json={"id": rest[-1], "channel_id": channel})
        self.texts.setdefault(channel, []).append(text)
        number = str(10**17 + len(self.ids))
        self.ids[number] = (channel, len(self.texts[channel]) - 1)
        return httpx.Response(200, json={"id": number, "channel_id": channel})


@pytest.fixture
def channels(monkeypatch: pytest.MonkeyPatch) -> Channels:
    made = Channels()
    monkeypatch.setattr(discord_http, "client", lambda: httpx.Client(transport=httpx.MockTransport(made.handle)))
    return made


def url(who: str) -> str:
    return URL.format(OWN[who] + "0" * 15) if who in OWN else "https://example.com/hook"


@pytest.fixture
def posting(at_desk: Callable[[str], Any], channels: Channels) -> Any:
    """A desk with webhooks for everybody, Ann and Bob; after one trade, with nothing else waiting."""
    here = at_desk("posting")
    here.hl("outbox", "drop", "all", "--yes")
    hooks = {who: Hook(url(who), OWN[who], "9") for who in ("public", "ann", "bob")}
    path = here.path / "log.jsonl.webhooks"
    path.write_bytes(as_file(Hooks(hooks, str((here.path / "log.jsonl").resolve()))))
    path.chmod(0o600)
    here.hl("trade", "ann", "R2", "bob", "B4")
    here.channels = channels
    return here


def hooks_of(text: str) -> str:
    """What is pasted as a list of webhooks: ` / ` between its lines, `URLann` for the address of Ann's."""
    lines = "\n".join(line.strip() for line in text.split("/"))
    return re.sub(r"URL(\w+)", lambda who: url(who[1]), lines).replace(": ", ":\t")


def pastes(here: Any, *words: str) -> str:
    """The input of the commands from here on."""
    here.patch.setattr("sys.stdin", io.StringIO(hooks_of(" ".join(words)) + "\n"))
    return ""


def follows(here: Any, *words: str) -> str:
    """`--follow` while Ben types: ` / ` between what he does, each the seconds that pass and a line, or none; then
    Mara stops it."""
    steps, here.began = " ".join(words).split(" / "), here.now

    def pass_time(seconds: float) -> None:
        if not steps:
            raise KeyboardInterrupt
        passes, _, line = steps.pop(0).partition(" ")
        here.now += int(passes) * 1000
        if line:
            assert run(["-g", str(here.path), "--as", "ben", *line.split()], App()) == 0

    here.patch.setattr(ledger.core.clock, "wait_for", pass_time)
    here.hl("outbox", "post", "--follow")
    return ""


REPLIES = {"timeout": httpx.ReadTimeout("x"), "404": httpx.Response(404)}
SHOWS = {
    "answers": lambda here, what: here.channels.replies.append(REPLIES[what]) or "",
    "sent": lambda here, who: here.channels.texts.get(OWN[who], []),
    "posts": lambda here, who: len(here.channels.texts.get(OWN[who], [])),
    "copied": lambda here: shutil.copytree(here.path, here.folder / "copy") and "",
    "pastes": pastes,
    "list": lambda here, *words: here.file("list.txt", hooks_of(" ".join(words)) + "\n") and "",
    "hooks": lambda here: sorted(read_hooks(str(here.path / "log.jsonl")).of),
    "listed": lambda here: [line.split()[0] for line in here.hl("webhook list").out.splitlines()],
    "written": lambda here, *words: (here.path / "log.jsonl.webhooks").write_text(" ".join(words)) and "",
    "follows": follows,
    "out": lambda here: sorted(here.channels.texts),
    "waited": lambda here: [f"{(at - here.began) / 1000:g}s" for at in here.channels.times],
    "warned": lambda here, *words: here.err.count(" ".join(words)),
    "careless": lambda here: here.patch.setattr("ledger.exchange.matchfile.shared_channels", lambda rows: []) or "",
}
CHANNELS = {p: {"channel": f"#{p}"} for p in NAMES}
FILES = {
    name: match_file("equilibrium", CHANNELS | {"bob": {"channel": channel}})
    for name, channel in {"same": "#ann", "large": "ANN", "all": "#public", "words": "the public channel"}.items()
}
POSTING = """
post sends what waits and keeps the link
  posting ; outbox post ; : waits == ; : sent ann ~ - Your trade with Bob is done
  : kinds 4 == posting posted posting posted
  : body args.item == 29c ; : body evidence == https://discord.com/channels/9/102/100000000000000001
  outbox post ~ nothing was sent ; : posts ann == 1 ; : posts bob == 1 ; verify
a text without an answer is doubtful and never sent again by itself
  posting ; : answers timeout ; 5! outbox post ~ DOUBTFUL: 29b in #ann ; outbox post --as ben ; : posts ann == 0
  : waits == ; : outbox | sending.item == 29b ; status ~ 1 text may have been sent or not: hl outbox
  outbox ~ hl outbox done 29b if it was posted, hl outbox undo 29b if not ; outbox undo 29b ; : waits == 29b
  outbox post ; : posts ann == 1 ; verify
a doubtful text that is there is marked as it was sent, also when it says something else by now: it is corrected
  posting ; : answers timeout ; 5! outbox post 29b ; amend 29 give=R4 --yes ; outbox done 29b ; : drift == 29b
  outbox post ; : sent ann ~ A correction ~ gave R4 ; : drift == ; verify
a refused text waits again
  posting ; : answers 404 ; 5! outbox post ~ not posted: 29b in #ann: Discord refused it (404 ; : waits == 29b
  outbox post ; : posts ann == 1
a drifted text is edited in place or corrected below, as the host says
  posting ; outbox post ; amend 29 give=R4 --yes ; outbox post --edit ~ edited 29b in #ann ; : posts ann == 1
  : sent ann ~ gave R4 ; : drift == ; : waits == ; verify ; amend 29 give=R2 --yes ; outbox post ; : posts ann == 2
  : sent ann ~ Taken back ; verify
an early close is asked about and says what it shows: what ends a phase before its time, or opens what was secret
  posting ; 5 close ~ confirm.needed ~ this ends trading now, not ~ this shows everybody ~ hand
of two copies only one posts: the webhooks are copied with the folder, so the copy asks first, and claims are honoured
  posting ; : copied ; 5 > -g copy outbox post ~ only one of two copies may post ; : posts ann == 0 ; : answers timeout
  5! outbox post ; > -g copy join m --yes ; > -g copy outbox post --yes ; : posts bob == 1 ; : posts ann == 0
join says when both copies posted
  posting ; : copied ; > -g copy outbox post --yes ; outbox post --yes
  > -g m join copy -n ~ both copies have posted since they parted, but only one may ~ posted text 29b, or began to
a channel has one reader: the same channel twice, or a public one that is also private, is refused by new
  nothing ; 2 > new m --from same.toml ~ roster.channel ; 2 > new m --from large.toml ~ roster.channel
  2 > new m --from all.toml ~ roster.channel ; 2 > new m --from words.toml ~ roster.channel
doctor finds a channel with two readers in a match that an earlier release made
  desk ; doctor ~ ok channels
doctor names who shares it
  nothing ; : careless ; > new m --from same.toml
  doctor ~ !! channels: several players share a channel ~ ann: ann and bob
an address is asked for and checked; one channel for two readers is refused
  desk ; : pastes URLother ; 2 webhook add ann ~ [webhooks.address] ; : pastes URLann
  webhook add ann ~ texts for ann can now be sent to channel 101 ; : pastes URLann ; 3 webhook add bob ~ webhooks.twice
  : pastes URLann ; 3 webhook add public ~ webhooks.twice ; : pastes URLcyd ; webhook add '#cyd' ; : pastes URLpublic
  webhook add public ; : listed == ann cyd public ; : hooks == ann cyd public ; webhook remove cyd
  3 webhook remove cyd ; 2 webhook list ann ; 2 webhook remove
a list of hooks is taken whole or not at all; no address is shown
  desk ; : pastes ann URLann / bob: URLbob x
  2 webhook add ~ line 2 is not a channel and the address of a webhook !~ s3cr3t ; : pastes ann URLann / public URLann
  3 webhook add ~ the webhook for public writes to the channel of ann ; : list ann URLann / nobody URLbob
  2 webhook add --from list.txt ; 2 webhook add ann --from list.txt ; : hooks ==
  : list ann URLann / / #cyd: URLcyd
  webhook add --from list.txt ~ texts for cyd can now be sent to channel 103 ~ without a webhook: public, bob !~ s3cr3t
  : hooks == ann cyd ; webhook list ~ without a webhook: public, bob !~ s3cr3t
a file of webhooks that is none
  posting ; : written ; 2 outbox post ~ webhooks.unreadable ; : written [] ; 2 outbox post ~ webhooks.unreadable
  : written {} ; 2 outbox post ~ webhooks.unreadable ; : written {"hooks": {"ann": 1}, "log": ""}
  2 outbox post ~ webhooks.unreadable ; : written \0 ; 2 outbox post ~ webhooks.unreadable ; : out ==
follow holds what everybody reads and drops what was undone: a slip, and one that shows every hand
  posting ; outbox drop all --yes
  : follows 0 trade cyd B5 bob R2 / 60 undo last trade -y / 0 close -y / 0 / 60 / 30 undo last close -y / 0 / 200 / 200
  : out ==
follow lets out what has waited for two minutes: recorded a minute after it began
  posting ; outbox drop all --yes ; : follows 0 trade cyd B5 bob R2 / 30 / 30 / 30 / 30 / 30 / 30 / 30 / 30
  : waited == 180s
follow names the texts of a channel without a webhook once, when they come, and at the end
  posting ; outbox drop all --yes ; : follows 0 trade cyd B5 bob R2 / 30 / 30 / 30 / 30 / 30 / 30 / 30 / 30 / 30
  : warned no webhook for #cyd ({trade}d): hl outbox next, or hl webhook add == 2
"""
test_posting = plays(POSTING, uses="channels")


def test_the_addresses_are_in_no_log_and_no_output(posting: Any) -> None:
    """Whoever has an address can write into the channel."""
    said = []
    for words in (
        ("outbox", "post", "-n"), ("outbox", "post", "--json"), ("webhook", "list"), ("doctor",), ("log",),
        ("webhook", "remove", "bob"), ("outbox", "post"), ("replay",), ("show", "29"),
    ):  # fmt: skip
        posting.hl(*words, code=None)
        said += [posting.out, posting.err]
    kept = [path.read_text() for path in posting.path.iterdir() if path.name != "log.jsonl.webhooks"]
    assert not [text for text in (*said, *kept) if "s3cr3t" in text or "api/webhooks" in text]
    assert (posting.path / "log.jsonl.webhooks").stat().st_mode & 0o777 == 0o600


def test_only_who_claimed_a_text_posts_it(posting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other host is at it: the channel is left alone; after a while the text is doubtful and others follow."""
    from ledger.post.posting import Poster, claim_of

    monkeypatch.setattr("ledger.post.posting.CLAIM_ACTIVE_MS", 300_000)
    poster = Poster(posting.match, "ben", {}, lambda *_: None)  # type: ignore[arg-type,return-value]
    item = outbox(poster.match).waiting[0]
    poster._record(claim_of(item), lambda match: None)
    posting.hl("trade", "ann", "B4", "cyd", "R9")
    posting.hl("outbox", "post")
    assert "101" not in posting.channels.texts, "nothing overtakes what is being sent"
    posting.now += 6 * 60_000
    posting.hl("outbox", "post")
    assert len(posting.channels.texts["101"]) == 1 and "Cyd" in posting.channels.texts["101"][0]
    assert [row["by"] for row in posting.json("outbox")["sending"]] == ["ben"]


@pytest.mark.posix  # rights of a file; on Windows those of its folder count
def test_the_file_must_be_the_owners_alone(posting: Any) -> None:
    path = posting.path / "log.jsonl.webhooks"
    path.chmod(0o644)
    posting.hl("outbox", "post", code=3)
    assert "webhooks.rights" in posting.err
    assert posting.channels.texts == {}


def instant(message: int) -> str:
    """When a message of that id was sent."""
    at = (message >> 22) + 1_420_070_400_000
    return datetime.datetime.fromtimestamp(at / 1000, datetime.UTC).isoformat(timespec="milliseconds")


def test_evidence_compares_what_was_posted(posting: Any) -> None:
    """A message that was edited by hand, or is gone, is a doubt."""
    posting.hl("outbox", "post")

    def exported(text: str) -> list[str]:
        rows = [
            message(0, "hl", said) | {"id": str(number), "timestamp": instant(number)}
            for number, said in ((10**17 - 1, "before"), (10**17, text), (10**17 + 900, "after"))
            if said
        ]
        path = posting.file("chat.json", json.dumps(chat(rows, channel="101")))
        return [row["what"] for row in posting.json("evidence", str(path))["doubts"]]

    text = posting.channels.texts["101"][0]
    assert exported(text) == []
    assert exported(text.replace("R2", "R3")) == ["it does not say what entry 31 posted there (text 29b)"]
    assert exported("") == ["text 29b, posted by entry 31, is not in the export"]
