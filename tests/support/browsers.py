"""The browsers of the page tests, without a window: Chromium through playwright, Firefox through its own protocol.

They need the extra `[browser]`; a Chromium: `$HL_CHROMIUM`, one on the PATH, or playwright's own; a Firefox:
`$HL_FIREFOX`, or one on the PATH. `HL_SHOTS=FOLDER` keeps screenshots to be looked at. The Nu checker needs Java and
`$HL_NU`, its vnu.jar, or the one that npm has put below .venv (`make test-browser` asks npm for it).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.support.firefox import Firefox, firefox

PHONE, DESK = (360, 740), (1280, 900)
NU = Path(__file__).resolve().parents[2] / ".venv/nu/node_modules/vnu-jar/build/dist/vnu.jar"
QUIET = [
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium(shipped: str) -> str | None:
    """Which Chromium to start, if there is one."""
    named = [os.environ.get("HL_CHROMIUM"), *map(shutil.which, NAMES), shipped]
    return next((path for path in named if path and Path(path).is_file()), None)


@pytest.fixture(scope="session", params=["chromium", "firefox"])
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    if find_spec("playwright") is None or find_spec("websockets") is None:
        pytest.skip("needs the extra: pip install -e '.[browser]'")
    if request.param == "firefox":
        path = firefox()
        if path is None:
            pytest.skip("needs a Firefox: HL_FIREFOX=PATH")
        fox = Firefox(path)
        yield fox
        fox.close()
        return
    from playwright.sync_api import sync_playwright  # type: ignore[import-not-found, unused-ignore]

    with sync_playwright() as play:
        found = chromium(play.chromium.executable_path)
        if found is None:
            pytest.skip("needs a Chromium: playwright install chromium, or HL_CHROMIUM=PATH")
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        at_home = {k: v for k, v in os.environ.items() if k != "XDG_CONFIG_HOME"}  # where it keeps what it crashed of
        started = play.chromium.launch(executable_path=found, args=[*QUIET, *as_root], env=at_home)
        yield started
        started.close()


class Tab:
    """An open page, and everything it complained about or asked for."""

    def __init__(self, browser: Any, size: tuple[int, int], **look: Any) -> None:
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **look)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self._refused(dialog))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _refused(self, dialog: Any) -> None:
        self.complaints.append("dialog")
        dialog.dismiss()

    def text(self, what: str) -> str:
        return str(self.page.inner_text(what))

    def at(self) -> int:
        return int(self.text("#where").split()[1])

    def reach(self, step: int) -> None:
        """Wait until that step is shown: a link is followed a moment later."""
        self.page.locator("#where", has_text=re.compile(f"^Step {step} ")).wait_for()

    def rows(self) -> int:
        return int(self.page.locator("#list li").count())


@pytest.fixture
def tab(browser: Any, request: pytest.FixtureRequest) -> Iterator[Tab]:
    """A desk by default; `@pytest.mark.parametrize("tab", [...], indirect=True)` for another size or look."""
    size, look = getattr(request, "param", (DESK, {}))
    opened = Tab(browser, size, **look)
    yield opened
    assert opened.complaints == [], "nothing on the console, no dialog"
    assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in opened.requests if url.startswith("file:")]) <= 2, "nothing beside the page itself"
    opened.context.close()


def only_chromium(tab: Tab, what: str) -> None:
    """Leave a test out in Firefox, whose protocol cannot do that."""
    if isinstance(tab.page.browser, Firefox) if hasattr(tab.page, "browser") else False:
        pytest.skip(f"Firefox's protocol has no {what}")


def found_by_axe(tab: Tab) -> list[str]:
    """What is hard to use on the page that is open, as axe sees it."""
    pytest.importorskip("axe_playwright_python")
    tab.page.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = tab.page.evaluate("axe.run()")["violations"]
    return [f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


def found_by_nu(page: Path, but: str = "(?!)") -> str:
    """Errors and warnings of the Nu checker in a page and its styles, without those that are like `but`."""
    jar = os.environ.get("HL_NU") or str(NU)
    if not shutil.which("java") or not Path(jar).is_file():
        pytest.skip("needs Java and the Nu checker: HL_NU=PATH of vnu.jar")
    words = ["java", "-jar", jar, "--also-check-css", "--filterpattern", but, str(page)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


def shot(tab: Tab, name: str) -> None:
    if folder := os.environ.get("HL_SHOTS"):
        kind = "firefox" if hasattr(tab.page, "browser") else "chromium"
        tab.page.screenshot(path=str(Path(folder, f"{kind}-{name}.png")))
