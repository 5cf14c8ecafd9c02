"""Requests to Discord's webhooks, with httpx (the extra [post]), which only this module imports.

A request that was refused or never sent may be repeated. A request without a complete answer may have been carried out,
so it is never repeated here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import httpx

from ledger.core.clock import wait_for
from ledger.post.posting import Answer, Hook, Picture

MAX_WAIT = 30.0
"""How many seconds in total a request waits when Discord asks it to. If that is not enough, it is given up unsent."""
MIN_PAUSE, MAX_PAUSE = 0.5, 86_400.0
"""Bounds for the seconds between two tries, whatever the server asks for."""
USUAL_PAUSE = 5.0
"""Seconds to wait if the server does not say how long."""
MAX_TRIES = 6
"""How often to send a request while Discord answers 429, before leaving it for later."""
TIMEOUTS = httpx.Timeout(20.0, connect=10.0)
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL)
REASONS = {
    400: ": it was not understood", 401: ": the webhook is not valid", 404: ": the webhook, or the message, is gone",
}  # fmt: skip
FILE = "picture.png"


def client() -> httpx.Client:
    return httpx.Client(timeout=TIMEOUTS, limits=httpx.Limits(max_keepalive_connections=0), follow_redirects=False)


def look(http: httpx.Client, url: str) -> Answer:
    return _request(http, "GET", url)


def send(http: httpx.Client, hook: Hook, text: str, picture: Picture | None = None) -> Answer:
    """Post a text to the channel of a webhook, without pinging anybody."""
    return _request(http, "POST", hook.url, {"wait": "true"}, _message(text, picture), picture)


def edit(http: httpx.Client, hook: Hook, message: str, text: str) -> Answer:
    """Replace the text of a message that the webhook wrote. Repeating this is harmless."""
    return _request(http, "PATCH", f"{hook.url.rstrip('/')}/messages/{message}", {}, _message(text, None))


def _message(text: str, picture: Picture | None) -> Mapping[str, Any]:
    attached = {"attachments": [{"id": 0, "filename": FILE, "description": picture.alt[:1024]}]} if picture else {}
    return {"content": text, "allowed_mentions": {"parse": []}, **attached}


def _request(
    http: httpx.Client, method: str, url: str, params: Mapping[str, str] = {}, body: Any = None,
    picture: Picture | None = None,
) -> Answer:  # fmt: skip
    waited, sent = 0.0, dict[str, Any](json=body)
    if picture is not None:
        sent = {"data": {"payload_json": json.dumps(body)}, "files": {"files[0]": (FILE, picture.data, "image/png")}}
    for tries in range(1, MAX_TRIES + 1):
        try:
            reply = http.request(method, url, params=params, **sent)
        except NOT_SENT:
            return Answer("refused", "no connection to Discord: nothing was sent")
        except httpx.HTTPError as error:
            return Answer("unknown", f"it was sent, but no complete answer came ({type(error).__name__})")
        if reply.status_code != 429:
            return _answer_of(reply)
        pause = _pause_of(reply)
        if tries == MAX_TRIES or waited + pause > MAX_WAIT:
            break
        waited += pause
        wait_for(pause)
    return Answer("later", f"Discord asks to wait {math.ceil(pause)} s", wait=pause)


def _pause_of(reply: httpx.Response) -> float:
    try:
        pause = float(reply.headers["retry-after"])
    except (KeyError, ValueError):
        pause = USUAL_PAUSE
    return USUAL_PAUSE if math.isnan(pause) else min(max(pause, MIN_PAUSE), MAX_PAUSE)


def _answer_of(reply: httpx.Response) -> Answer:
    if reply.status_code == 200:
        try:
            data = reply.json()
        except ValueError:
            data = None
        if isinstance(data, dict) and str(data.get("id", "")).isdecimal():
            return Answer("taken", data=data)
        return Answer("unknown", "the answer did not come from Discord")
    if 300 <= reply.status_code < 500:
        return Answer("refused", f"Discord refused it ({reply.status_code}{REASONS.get(reply.status_code, '')})")
    return Answer("unknown", f"Discord failed ({reply.status_code}): it may have been posted")
