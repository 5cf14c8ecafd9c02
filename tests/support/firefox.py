"""A stock Firefox, driven through its own remote protocol (WebDriver BiDi): no driver program is needed.

What a page of the browser tests uses of playwright's interface, for Firefox. The connection is made by a small process
of its own, since the tests themselves may open no socket; it talks to 127.0.0.1 only.

Source: w3c.github.io/webdriver-bidi.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

BRIDGE = """
import sys, threading
from websockets.sync.client import connect
with connect(sys.argv[1], max_size=None, open_timeout=60) as wire:
    def out():
        for message in wire:
            print(message, flush=True)
    threading.Thread(target=out, daemon=True).start()
    for line in sys.stdin:
        wire.send(line)
"""
KEYS = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Home": "\ue011", "End": "\ue010"}
PREFERENCES = """
user_pref("dom.w3c_touch_events.enabled", 1);
user_pref("layout.css.prefers-color-scheme.content-override", 1);
user_pref("remote.active-protocols", 1);
"""
EVENTS = ["log.entryAdded", "network.beforeRequestSent", "browsingContext.userPromptOpened"]


def firefox() -> str | None:
    """Which Firefox to start, if there is one."""
    found = [os.environ.get("HL_FIREFOX"), shutil.which("firefox"), shutil.which("firefox-esr")]
    return next((path for path in found if path), None)


class Firefox:
    """One running browser, without a window."""

    def __init__(self, path: str) -> None:
        self.profile = tempfile.mkdtemp(prefix="hl-firefox-")
        with open(os.path.join(self.profile, "user.js"), "w", encoding="ascii") as file:
            file.write(PREFERENCES)
        words = [path, "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0"]
        self.program = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert self.program.stderr
        said = (re.search(r"BiDi listening on (ws://\S+)", line) for line in self.program.stderr)
        url = next((found[1] for found in said if found), "")
        assert url, "Firefox did not start its remote protocol"
        self.readers = [threading.Thread(target=read, daemon=True) for read in (self._drain, self._read)]
        self.bridge = subprocess.Popen(
            [sys.executable, "-c", BRIDGE, f"{url}/session"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.number, self.answers, self.listeners = 0, queue.Queue[Any](), dict[str, Callable[[str, Any], None]]()
        for reader in self.readers:
            reader.start()
        self.ask("session.new", capabilities={"alwaysMatch": {"unhandledPromptBehavior": {"default": "ignore"}}})
        self.ask("session.subscribe", events=EVENTS)

    def _drain(self) -> None:
        for _ in self.program.stderr or ():
            pass

    def _read(self) -> None:
        for line in self.bridge.stdout or ():
            message = json.loads(line)
            if message.get("type") != "event":
                self.answers.put(message)
                continue
            told = message["params"]
            context = told.get("context") or told.get("source", {}).get("context")
            if listener := self.listeners.get(context):
                listener(message["method"], told)

    def ask(self, method: str, **params: Any) -> Any:
        """One command, and its result."""
        self.number += 1
        assert self.bridge.stdin
        self.bridge.stdin.write(json.dumps({"id": self.number, "method": method, "params": params}) + "\n")
        self.bridge.stdin.flush()
        while True:
            answer = self.answers.get(timeout=60)
            if answer.get("id") == self.number:
                assert answer["type"] == "success", f"{method}: {answer.get('error')}: {answer.get('message')}"
                return answer["result"]

    def new_context(self, viewport: dict[str, int], **look: Any) -> Page:
        return Page(self, viewport)

    def close(self) -> None:
        for program in (self.bridge, self.program):
            program.terminate()
            program.wait(30)
        for reader in self.readers:
            reader.join(10)
        for pipe in (self.bridge.stdin, self.bridge.stdout, self.program.stderr):
            if pipe:
                pipe.close()
        shutil.rmtree(self.profile, ignore_errors=True)


class Keyboard:
    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        value = KEYS.get(key, key)
        self.page.act("key", [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}])

    def type(self, text: str) -> None:
        for key in text:
            self.press(key)


class Locator:
    """Elements by a selector of CSS; one of them by its place."""

    def __init__(self, page: Page, css: str, place: int = 0, has_text: re.Pattern[str] | None = None) -> None:
        self.page, self.css, self.place, self.has_text = page, css, place, has_text

    @property
    def first(self) -> Locator:
        return self

    def nth(self, place: int) -> Locator:
        return Locator(self.page, self.css, place)

    def all(self, expression: str) -> Any:
        return self.page.evaluate(f"[...document.querySelectorAll({json.dumps(self.css)})].map(one => {expression})")

    def count(self) -> int:
        return len(self.all("1"))

    def all_inner_texts(self) -> list[str]:
        return list(self.all("one.innerText"))

    def get_attribute(self, name: str) -> Any:
        return self.all(f"one.getAttribute({json.dumps(name)})")[self.place]

    def fill(self, text: str) -> None:
        self.page.fill(self.css, text)

    def click(self) -> None:
        self.page.click(self.css, self.place)

    def wait_for(self) -> None:
        until = time.monotonic() + 10
        while not any(self.has_text.search(text) for text in self.all_inner_texts() if self.has_text):
            assert time.monotonic() < until, f"{self.css} never read {self.has_text}"
            time.sleep(0.05)


class Page:
    """A tab of a window of its own; context and page of playwright in one."""

    def __init__(self, browser: Firefox, viewport: dict[str, int]) -> None:
        self.browser, self.keyboard, self.told = browser, Keyboard(self), dict[str, Callable[[Any], None]]()
        self.user = browser.ask("browser.createUserContext")["userContext"]
        self.context = browser.ask("browsingContext.create", type="tab", userContext=self.user)["context"]
        browser.ask("browsingContext.setViewport", context=self.context, viewport=viewport)
        browser.listeners[self.context] = self._happened

    def new_page(self) -> Page:
        return self

    def on(self, kind: str, listener: Callable[[Any], None]) -> None:
        self.told[kind] = listener

    def _happened(self, method: str, told: Any) -> None:
        kind, value = {
            "log.entryAdded": ("pageerror", told.get("text")),
            "network.beforeRequestSent": ("request", Asked(told.get("request", {}).get("url", ""))),
            "browsingContext.userPromptOpened": ("pageerror", "dialog"),
        }[method]
        self.told[kind](value)

    def close(self) -> None:
        self.browser.listeners.pop(self.context)
        self.browser.ask("browser.removeUserContext", userContext=self.user)

    def goto(self, url: str) -> None:
        self.browser.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    @property
    def url(self) -> str:
        return str(self.evaluate("location.href"))

    def evaluate(self, source: str, given: Any = None) -> Any:
        """The value of an expression, or of a function for what is given; null for what is no JSON."""
        is_function = re.match(r"\s*(?:\([\[\w, \]]*\)|\w+)\s*=>", source)
        call = f"({source})({json.dumps(given)})" if is_function else f"({source})"
        expression = f"(async () => JSON.stringify(await ({call})) ?? 'null')()"
        if len(source) > 10_000:  # a library: it is run, and has no value
            expression = f"{source}\n;'null'"
        answer = self.browser.ask(
            "script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def _of(self, css: str, expression: str) -> Any:
        return self.evaluate(f"(one => {expression})(document.querySelector({json.dumps(css)}))")

    def eval_on_selector(self, css: str, source: str) -> Any:
        return self.evaluate(f"({source})(document.querySelector({json.dumps(css)}))")

    def eval_on_selector_all(self, css: str, source: str) -> Any:
        return self.evaluate(f"({source})([...document.querySelectorAll({json.dumps(css)})])")

    def screenshot(self, path: str) -> None:
        told = self.browser.ask("browsingContext.captureScreenshot", context=self.context)
        with open(path, "wb") as file:
            file.write(base64.b64decode(told["data"]))

    def locator(self, css: str, has_text: re.Pattern[str] | None = None) -> Locator:
        return Locator(self, css, has_text=has_text)

    def inner_text(self, css: str) -> str:
        return str(self._of(css, "one.innerText"))

    def input_value(self, css: str) -> str:
        return str(self._of(css, "one.value"))

    def get_attribute(self, css: str, name: str) -> Any:
        return self._of(css, f"one.getAttribute({json.dumps(name)})")

    def is_disabled(self, css: str) -> bool:
        return bool(self._of(css, "one.disabled"))

    def is_visible(self, css: str) -> bool:
        return bool(self._of(css, "!!one && one.getClientRects().length > 0"))

    def fill(self, css: str, text: str) -> None:
        self._of(css, f"(one.focus(), one.value = {json.dumps(text)}, {SAID})")

    def select_option(self, css: str, value: str | None = None, label: str | None = None) -> None:
        wanted = f"option.value === {json.dumps(value)}" if label is None else f"option.text === {json.dumps(label)}"
        self._of(css, f"([...one.options].find(option => {wanted}).selected = true, {SAID})")

    def set_input_files(self, css: str, path: str) -> None:
        self.browser.ask("input.setFiles", context=self.context, element=self._element(css, 0), files=[path])

    def _element(self, css: str, place: int) -> Any:
        source = f"(() => {{ const one = document.querySelectorAll({json.dumps(css)})[{place}];"
        source += " one.scrollIntoView({block: 'center'}); return one; })()"
        answer = self.browser.ask(
            "script.evaluate", expression=source, target={"context": self.context}, awaitPromise=False
        )
        return {"sharedId": answer["result"]["sharedId"]}

    def click(self, css: str, place: int = 0) -> None:
        """With a pointer, in the middle of it, as a hand does."""
        origin = {"type": "element", "element": self._element(css, place)}
        moves = [{"type": "pointerMove", "x": 0, "y": 0, "origin": origin}]
        self.act("pointer", [*moves, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def act(self, kind: str, actions: list[Any]) -> None:
        self.browser.ask(
            "input.performActions", context=self.context, actions=[{"type": kind, "id": kind, "actions": actions}]
        )


SAID = "one.dispatchEvent(new Event('input', {bubbles: true})), one.dispatchEvent(new Event('change', {bubbles: true}))"


class Asked:
    """A request; its address."""

    def __init__(self, url: str) -> None:
        self.url = url
