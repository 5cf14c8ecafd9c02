"""The page of a replay in a real Chromium and a real Firefox (browsers.py): `make test-browser`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from games.kit.blocks import Heading
from ledger.core.match import Match
from ledger.render import svg
from ledger.tell.steps import steps_of
from tests.support.browsers import DESK, PHONE, Tab, found_by_axe, found_by_nu, only_chromium, shot
from tests.support.drawing import CHART, PARTY, TEMPLATE, board
from tests.support.replaying import DEMOS, HOSTILE, hostile_match, made, played

pytestmark = pytest.mark.browser


class File(NamedTuple):
    """A page on disk, and the match it tells."""

    match: Match
    path: Path

    def url(self, place: str = "") -> str:
        return f"{self.path.as_uri()}{place}"


@pytest.fixture(scope="module", params=DEMOS)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> File:
    """The bundled match of each game, for everybody, the hosts and one player."""
    folder = tmp_path_factory.mktemp(request.param)
    match = played(request.param, folder / "m")
    path = folder / f"{request.param}.html"
    path.write_text(made(match, "public", "host", next(iter(match.table.seats))), encoding="utf-8")
    return File(match, path)


# ---- walking --------------------------------------------------------------------------------------------------------


def test_forward_back_and_jump(file: File, tab: Tab) -> None:
    """Buttons, slider, list and the choice of places all go to the same steps, and the address follows."""
    tab.page.goto(file.url())
    last = len(steps_of(file.match, file.match.fold, "public").steps)
    assert tab.at() == 1 and tab.text("#where") == f"Step 1 of {last}"
    assert tab.page.is_disabled("#back") and not tab.page.is_disabled("#next")
    tab.page.click("#next")
    tab.page.click("#next")
    assert tab.at() == 3 and tab.page.url.endswith("#public/3")
    tab.page.click("#back")
    assert tab.at() == 2
    tab.page.click("#last")
    assert tab.at() == last and tab.page.is_disabled("#next")
    tab.page.click("#first")
    assert tab.at() == 1
    tab.page.locator("#slider").fill("4")
    assert tab.at() == 4
    tab.page.locator("#list a").nth(min(4, last - 1)).click()
    tab.reach(min(5, last))
    places = tab.page.eval_on_selector_all("#jump option", "all => all.map(one => one.value).filter(Boolean)")
    assert places
    tab.page.select_option("#jump", places[-1])
    assert tab.at() == int(places[-1])


def test_keys(file: File, tab: Tab) -> None:
    """Arrows, Home, End, a number of two digits, the search; none of them while one types into a field."""
    tab.page.goto(file.url("#host/1"))
    press = tab.page.keyboard.press
    press("ArrowRight")
    press("ArrowRight")
    assert tab.at() == 3
    press("ArrowLeft")
    assert tab.at() == 2
    press("End")
    assert tab.at() == int(tab.text("#where").split()[3])
    press("Home")
    assert tab.at() == 1
    press("1")
    press("2")
    assert tab.at() == 12
    press("/")
    tab.page.keyboard.type("7 ")
    assert tab.at() == 12 and tab.page.input_value("#find") == "7 "


def test_round_by_round(file: File, tab: Tab) -> None:
    """Forward and back stop where a round is resolved or a phase begins, and at both ends."""
    told = steps_of(file.match, file.match.fold, "host").steps
    stops = [step.number for step in told if (step.round or step.phase) and step.number > 1]
    tab.page.goto(file.url("#host/1"))
    tab.page.select_option("#stride", "round")
    for stop in stops:
        tab.page.click("#next")
        assert tab.at() == stop
    if stops[-1] < len(told):
        tab.page.click("#next")
        assert tab.at() == len(told)
    assert tab.page.is_disabled("#next")
    tab.page.click("#back")
    assert tab.at() == max(stop for stop in stops if stop < len(told))
    tab.page.click("#first")
    assert tab.at() == 1


@pytest.mark.parametrize("place", ["#5", "#host/5"])
def test_deep_links(file: File, tab: Tab, place: str) -> None:
    """`#5` is step 5 of the first audience, `#host/5` that of the hosts; a new address moves the page."""
    tab.page.goto(file.url(place))
    assert tab.at() == min(5, int(tab.text("#where").split()[3]))
    shown = tab.page.eval_on_selector("#audience", "one => one.selectedOptions[0].text")
    assert shown == ("the hosts" if "host" in place else "everybody")
    tab.page.evaluate("location.hash = '#host/7'")
    tab.reach(7)


@pytest.mark.parametrize("place", ["#9999", "#0", "#nobody/3", "#host/x", "#%00<b>"])
def test_a_wrong_address_is_harmless(file: File, tab: Tab, place: str) -> None:
    tab.page.goto(file.url(place))
    assert tab.at() >= 1


def test_playing(file: File, tab: Tab) -> None:
    """Play, faster, pause by hand and at the end; the button says what it will do."""
    only_chromium(tab, "clock of its own")
    tab.page.clock.install()
    tab.page.goto(file.url("#host/1"))
    tab.page.click("#play")
    assert tab.page.get_attribute("#play", "aria-pressed") == "true" and "Pause" in tab.text("#play")
    tab.page.clock.run_for(5_100)
    assert tab.at() == 3
    tab.page.select_option("#speed", "4")
    tab.page.clock.run_for(2_600)
    assert tab.at() == 7
    tab.page.keyboard.press("ArrowLeft")
    tab.page.clock.run_for(9_000)
    assert tab.at() == 7 or tab.at() == 6, "a step by hand pauses"
    assert tab.page.get_attribute("#play", "aria-pressed") == "false"
    tab.page.click("#last")
    tab.page.click("#back")
    tab.page.click("#play")
    tab.page.clock.run_for(9_000)
    assert tab.page.get_attribute("#play", "aria-pressed") == "false" and tab.page.is_disabled("#next")


@pytest.mark.parametrize("tab", [(PHONE, {"has_touch": True, "is_mobile": True})], indirect=True)
def test_touch(file: File, tab: Tab) -> None:
    """A swipe over the picture goes one step; along a table that scrolls it does not."""
    tab.page.goto(file.url("#host/8"))
    swipe = """([from, to]) => {
        const place = document.getElementById("picture");
        const touch = (x) => new Touch({identifier: 1, target: place, clientX: x, clientY: 300});
        place.dispatchEvent(new TouchEvent("touchstart", {touches: [touch(from)], bubbles: true}));
        place.dispatchEvent(new TouchEvent("touchend", {changedTouches: [touch(to)], bubbles: true}));
    }"""
    tab.page.evaluate(swipe, [250, 60])
    assert tab.at() == 9
    tab.page.evaluate(swipe, [60, 250])
    tab.page.evaluate(swipe, [60, 80])
    assert tab.at() == 8


# ---- what is shown --------------------------------------------------------------------------------------------------


def test_every_step_shows_its_sentences(file: File, tab: Tab) -> None:
    """Walked from the first to the last: what stands there is what the steps say."""
    tab.page.goto(file.url("#host/1"))
    for step in steps_of(file.match, file.match.fold, "host").steps:
        said = [row for row in tab.page.locator("#said li").all_inner_texts()]
        assert len(said) == max(len(step.sentences), 1)
        for sentence, row in zip(step.sentences, said, strict=False):
            assert row.startswith(sentence.text[:20]) and sentence.rule in row
        assert tab.page.locator("#picture > *").count() > 0
        if step.entry:
            about = tab.text("#step")
            assert f"entry {step.entry.seq}, recorded" in about and f"by {step.entry.by}" in about
            assert all(mark in about for mark in step.entry.marks)
        tab.page.keyboard.press("ArrowRight")


def test_audiences(file: File, tab: Tab) -> None:
    """Only those that were exported; the public sees no entry, the hosts do."""
    tab.page.goto(file.url())
    names = tab.page.eval_on_selector_all("#audience option", "all => all.map(one => one.text)")
    assert names == ["everybody", "the hosts", next(iter(file.match.table.seats.values())).name]
    tab.page.click("#last")
    assert "entry" not in tab.text("#when")
    public = tab.rows()
    tab.page.select_option("#audience", label="the hosts")
    assert tab.at() == 1 and "entry 1," in tab.text("#when") and tab.rows() > public
    assert tab.page.url.endswith("#host/1")


def test_search(file: File, tab: Tab) -> None:
    """By word, by player, by kind; the number of what was found is said; a found step opens."""
    tab.page.goto(file.url("#host/1"))
    whole = tab.rows()
    tab.page.fill("#find", "#3 ")
    assert 0 < tab.rows() < whole and tab.text("#count").startswith(str(tab.rows()))
    tab.page.fill("#find", "surely nobody said this")
    assert tab.rows() == 0 and tab.text("#count") == "0 steps"
    tab.page.fill("#find", "")
    player = next(iter(file.match.table.seats))
    tab.page.select_option("#player", player)
    of_player = tab.rows()
    assert 0 < of_player < whole
    kinds = tab.page.eval_on_selector_all("#kind option", "all => all.map(one => one.value).filter(Boolean)")
    tab.page.select_option("#kind", "seat")
    assert tab.rows() == 1 and "seat" in kinds
    link = tab.page.locator("#list a").first
    link.click()
    tab.reach(int(link.get_attribute("data-n") or 0))
    assert "takes a seat" in tab.text("#said")


def test_it_opens_quickly(file: File, tab: Tab) -> None:
    """From the address to the first step in under a second."""
    tab.page.goto(file.url())
    assert tab.page.evaluate("performance.now()") < 1_000
    loaded = tab.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert 0 < loaded < 1_000


@pytest.mark.parametrize("tab", [(PHONE, {}), ((320, 600), {})], indirect=True, ids=["360", "320"])
@pytest.mark.parametrize("place", ["#public/2", "#host/20"])
def test_nothing_is_wider_than_a_phone(file: File, tab: Tab, place: str) -> None:
    """The page itself never scrolls sideways; a wide table scrolls in its own place. No control leaves the screen."""
    tab.page.goto(file.url(place))
    if tab.page.is_visible("summary"):
        tab.page.click("summary")
    wide = tab.page.evaluate("innerWidth")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= wide
    outside = """() => [...document.querySelectorAll("button, input, select")].filter(one => {
        const box = one.getBoundingClientRect();
        return box.width && (box.left < 0 || box.right > innerWidth + 0.5);
    }).map(one => one.id)"""
    assert tab.page.evaluate(outside) == []


def test_the_step_covers_nothing_on_a_desk(file: File, tab: Tab) -> None:
    """However far one scrolls: not the picture, not the charts, not the list."""
    tab.page.goto(file.url("#host/20"))
    if tab.page.is_visible("summary"):
        tab.page.click("summary")
    over = """() => {
        const card = document.getElementById("step").getBoundingClientRect();
        return ["picture", "charts", "all"].filter(id => {
            const box = document.getElementById(id).getBoundingClientRect();
            return box.width && box.top < card.bottom && box.bottom > card.top && box.left < card.right;
        });
    }"""
    for far in range(0, 3000, 150):
        tab.page.evaluate(f"scrollTo(0, {far})")
        assert tab.page.evaluate(over) == [], far


@pytest.mark.parametrize("tab", [((390, 844), {})], indirect=True, ids=["390"])
def test_the_texts_of_selectors_fit_a_phone(file: File, tab: Tab) -> None:
    """Each as the browser would draw it: no wider than the screen."""
    tab.page.goto(file.url("#host/20"))
    wide = """() => [...document.querySelectorAll("option")].map(one => {
        const drawn = document.createElement("span");
        drawn.style.whiteSpace = "nowrap";
        drawn.textContent = one.textContent;
        document.body.append(drawn);
        const width = drawn.getBoundingClientRect().width;
        drawn.remove();
        return [width, one.textContent];
    }).filter(([width]) => width > innerWidth)"""
    assert tab.page.evaluate(wide) == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["360", "1280"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["#public/2", "#host/24"])
def test_accessibility(file: File, browser: Any, size: tuple[int, int], scheme: str, place: str) -> None:
    """No finding of axe: contrast, labels, landmarks, focus order, names of everything one can press."""
    tab = Tab(browser, size, color_scheme=scheme)
    if scheme == "dark":
        only_chromium(tab, "choice of colours")
    tab.page.goto(file.url(place))
    if tab.page.is_visible("summary"):
        tab.page.click("summary")
    shot(tab, f"{file.path.stem}-{place[1:].replace('/', '-')}-{size[0]}-{scheme}")
    found = found_by_axe(tab)
    tab.context.close()
    assert not found, "\n".join(found)


def test_the_page_is_valid_html(file: File) -> None:
    """The Nu checker finds nothing, in the styles neither. It takes blocks of data for scripts that are blocked."""
    assert found_by_nu(file.path, but=".*Inline script violates Content Security Policy.*") == ""


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_look_can_be_chosen(file: File, tab: Tab, look: str) -> None:
    """Whatever the device asks for."""
    tab.page.goto(file.url())
    tab.page.select_option("#look", look)
    paper = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(30, 31, 34)"}[look]


def test_on_paper(file: File, tab: Tab) -> None:
    """The step, its picture and the list; no controls, dark or not."""
    tab.page.goto(file.url("#host/9"))
    tab.page.select_option("#look", "dark")
    only_chromium(tab, "paper to look at")
    tab.page.emulate_media(media="print")
    assert not tab.page.is_visible("nav") and not tab.page.is_visible("#search")
    assert tab.page.is_visible("#where") and tab.page.is_visible("#list")
    assert tab.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


# ---- hostile text ---------------------------------------------------------------------------------------------------


def test_hostile_text_is_text(browser: Any, tab: Tab, tmp_path: Path) -> None:
    """Names, title, notes and rulings: every character that can be seen is seen, none of them does anything."""
    match = hostile_match(tmp_path)
    path = tmp_path / "hostile.html"
    path.write_text(made(match, "public", "host", "p1"), encoding="utf-8")
    tab.page.goto(path.as_uri() + "#host/1")
    assert tab.text("h1") == HOSTILE[0]
    assert tab.page.evaluate("document.querySelectorAll('main script, main img, main style, h1 *').length") == 0
    whole = tab.text("#list")
    for text in HOSTILE:
        if text.isprintable() and len(text) < 64:
            assert text in whole, text
    assert "<U+202E>gnp.exe" in whole and "\u202e" not in whole
    for _ in match.book.entries:
        tab.page.keyboard.press("ArrowRight")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= DESK[0]


@pytest.mark.parametrize("block", [PARTY, CHART, board(TEMPLATE, names=["Bartholomew the Elder " * 2] * 6)])
def test_pictures_keep_their_labels_in_any_font(tab: Tab, tmp_path: Path, block: Any) -> None:
    """With the fonts of this machine instead of the bundled one no text leaves the picture."""
    path = tmp_path / "picture.svg"
    path.write_text(
        svg.render([Heading("A title that is quite long, as titles of matches are"), block]), encoding="utf-8"
    )
    tab.page.goto(path.as_uri())
    outside = """() => {
        const all = document.documentElement.getBoundingClientRect();
        return [...document.querySelectorAll("text")].filter(one => {
            const box = one.getBoundingClientRect();
            return box.left < all.left || box.right > all.right || box.bottom > all.bottom;
        }).map(one => one.textContent);
    }"""
    assert tab.page.evaluate(outside) == []
    shot(tab, f"svg-{block.alt[:6].strip()}")
