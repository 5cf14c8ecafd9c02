"""ledger/page/check.html in real browsers: a log is given, receipts are pasted. `make test-browser`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.browsers import DESK, PHONE, Tab, found_by_axe, found_by_nu, shot
from tests.support.host import hl, match_file

pytestmark = pytest.mark.browser
PAGE = Path(__file__).resolve().parents[2] / "ledger" / "page" / "check.html"


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A committed deal, the whole log and the public's copy of it."""
    folder = tmp_path_factory.mktemp("check")
    (folder / "m.toml").write_text(match_file("equilibrium", "ann bob cyd dan eve fox gil hal"))
    here = ("-g", str(folder / "m"))
    assert hl("new", str(folder / "m"), "--from", str(folder / "m.toml")).code == 0
    for words in (("commit",), ("word", "ann", "rain"), ("deal",), ("open",)):
        assert hl(*here, *words).code == 0
    assert hl(*here, "redact", "--for", "public", "-o", str(folder / "public.jsonl")).code == 0
    return folder


def give(tab: Tab, log: Path, until: str) -> None:
    """Choose the file, and wait for what must be said of it."""
    tab.page.goto(PAGE.as_uri())
    tab.page.set_input_files("#file", str(log))
    says(tab, until)


def says(tab: Tab, until: str) -> None:
    end = time.monotonic() + 10
    while until not in tab.text("#chain"):
        assert time.monotonic() < end, tab.text("#chain")
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("tab", "size"), [((PHONE, {}), PHONE), ((DESK, {}), DESK)], indirect=["tab"], ids=["360", "1280"]
)
def test_a_whole_log(match: Path, tab: Tab, size: tuple[int, int]) -> None:
    """Chain, seals, the deal repeated; a receipt of it is found, another one is not."""
    give(tab, match / "m" / "log.jsonl", "open, head")
    assert tab.text("#deal") == "the deal of 8 hands is the seed's"
    head = tab.text("#chain").split()[-1]
    tab.page.fill("#receipts", f"receipt {head} and {'0' * 64}")
    found = tab.page.locator("#found li").all_inner_texts()
    assert "receipt of entry" in found[0] and "not in this log" in found[1]
    tab.page.locator("#entries summary").nth(0).click()
    assert '"do":"create"' in tab.text("#entries pre")
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.page.evaluate("document.getElementById('file').getBoundingClientRect().height") >= 44, "a finger"
    assert not found_by_axe(tab)
    shot(tab, f"check-{size[0]}")


def test_the_page_is_valid_html() -> None:
    """The Nu checker finds nothing, in the styles neither."""
    assert found_by_nu(PAGE) == ""


def test_a_redacted_log(match: Path, tab: Tab) -> None:
    """The same head; what is closed is said to be closed, and no draw is repeated."""
    give(tab, match / "public.jsonl", "open, head")
    public = tab.text("#chain").split()[-1]
    closed = tab.text("#count")
    assert "closed: that something stands there" in closed and "whole log" in tab.text("#deal")
    give(tab, match / "m" / "log.jsonl", "open, head")
    assert tab.text("#chain").split()[-1] == public


DROP = """([kind, text]) => {
    const data = new DataTransfer();
    if (kind === "file") data.items.add(new File([text], "log.jsonl"));
    else data.setData("text/plain", text);
    const event = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
    document.getElementById("receipts").dispatchEvent(event);
    return event.defaultPrevented;
}"""


def test_a_log_is_dropped(match: Path, tab: Tab) -> None:
    """Anywhere on the page. A text that is dragged goes where it always goes; of two logs the newer one counts."""
    log = (match / "m" / "log.jsonl").read_text(encoding="utf-8")
    tab.page.goto(PAGE.as_uri())
    assert not tab.page.evaluate(DROP, ["text", "receipt 1234"]) and tab.text("#chain") == "No log yet."
    assert tab.page.evaluate(DROP, ["file", log]) and tab.page.evaluate(DROP, ["file", "no log"])
    says(tab, "line 1: not laid out as an entry")
    time.sleep(0.3)
    assert "line 1" in tab.text("#chain") and tab.text("#entries") == ""
    tab.page.evaluate(DROP, ["file", log])
    says(tab, "open, head")
    tab.page.evaluate("look({arrayBuffer: () => Promise.reject(new Error('a folder'))})")
    says(tab, "cannot be read")
    assert tab.text("#entries") == "" == tab.text("#deal")


def test_a_changed_log(match: Path, tab: Tab, tmp_path: Path) -> None:
    """One byte of line 3: that line is named."""
    lines = (match / "m" / "log.jsonl").read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"garnets":', b'"garnetz":')
    (tmp_path / "log.jsonl").write_bytes(b"".join(lines))
    give(tab, tmp_path / "log.jsonl", "line 3: its content does not fit its seal")


@pytest.mark.parametrize("own", [False, True], ids=["subtle", "own"])
def test_without_a_hash_of_the_browser(match: Path, tab: Tab, own: bool) -> None:
    """Where a page from a file has no SubtleCrypto the page's own SHA-256 gives the same."""
    tab.page.goto(PAGE.as_uri())
    tab.page.evaluate(f"globalThis.HL_OWN_HASH = {str(own).lower()}")
    told = tab.page.evaluate("hashOf('abc')")
    assert told == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
