"""The page of a replay, without a browser: what is in the file, for whom, and that it is all there is."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from games.kit.blocks import Board, Chart
from games.registry import load, names
from ledger import page as replay
from ledger.core.match import Match
from ledger.page import LINK, charts_of, untitled
from ledger.render import html, svg
from ledger.tell.steps import steps_of
from tests.support.drawing import faults
from tests.support.lines import plays
from tests.support.replaying import DEMOS, hostile_match, made, played, whole

PICTURES = (Board, Chart)


@pytest.fixture(scope="module", params=DEMOS)
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """The bundled match of each game, played to its end."""
    return played(request.param, tmp_path_factory.mktemp(request.param) / "m")


def books(page: str) -> list[Any]:
    """The data blocks of a page."""
    return [
        json.loads(found) for found in re.findall(r'<script type="application/json" class="book">(.*?)</script>', page)
    ]


class Reader(HTMLParser):
    """Every tag of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


# ---- sound HTML -----------------------------------------------------------------------------------------------------

LANDMARKS = {"header", "nav", "main", "aside", "footer", "section", "form"}


class Sound(Reader):
    """What checkers of HTML find, of what went wrong once: headings, landmarks, forms, the first line."""

    def __init__(self, page: str) -> None:
        self.found: list[str] = [] if page.startswith("<!DOCTYPE html>\n") else ["the first line is no <!DOCTYPE html>"]
        self.said: str | None = None
        self.names: list[tuple[str, str]] = []
        self.buttons: list[int] = []
        super().__init__(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        given = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self.said = ""
        role = given.get("role") or tag
        named = given.get("aria-label") or given.get("aria-labelledby") or ""
        if (tag in LANDMARKS or given.get("role") in ("search", "region")) and (
            named or tag not in ("section", "form")
        ):
            if (role, named) in self.names:
                self.found.append(f"two landmarks {role} {named!r}")
            self.names.append((role, named))
        if tag == "form":
            self.buttons.append(0)
        if tag in ("button", "input") and self.buttons and given.get("type", "submit") == "submit":
            self.buttons[-1] += 1

    def handle_data(self, data: str) -> None:
        self.said = None if self.said is None else self.said + data

    def handle_endtag(self, tag: str) -> None:
        if re.fullmatch("h[1-6]", tag):
            self.found += [] if (self.said or "").strip() else [f"an empty {tag}"]
            self.said = None
        if tag == "form":
            self.found += [] if self.buttons.pop() else ["a form without a button"]


def test_every_page_is_sound_html(demo: Match, root: Path) -> None:
    """Issue: an empty heading until the script runs, two landmarks of one name, a form without a button, doctype."""
    last = whole(demo, "host")
    pages = [made(demo, "public", "host"), html.render(last.report(len(last.steps)), demo.zone)]
    pages.append((root / "ledger" / "page" / "check.html").read_text(encoding="utf-8"))
    for page in pages:
        assert Sound(page).found == []


@pytest.mark.parametrize("demo", ["polar"], indirect=True)
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('tabindex="-1">Step 1<', 'tabindex="-1"><', "an empty h2"),
        ("<!DOCTYPE", "<!doctype", "DOCTYPE"),
        ('<button type="submit" aria-label="Search the steps">Search</button>', "", "a form without a button"),
        ('id="picture" aria-label="How it stood after this step"', 'aria-labelledby="where"', "two landmarks"),
    ],
)
def test_the_check_of_html_can_fail(demo: Match, old: str, new: str, said: str) -> None:
    page = made(demo, "public")
    assert old in page and said in str(Sound(page.replace(old, new)).found)


# ---- the chart ------------------------------------------------------------------------------------------------------


def test_the_chart_has_everybody_and_even_steps_and_says_what_it_counts(demo: Match) -> None:
    """Issue: one of eight players, steps unevenly apart, and lower was better without a word."""
    told = whole(demo, "host")
    charts = [block for block in charts_of(told) if isinstance(block, Chart)]
    playing = {demo.table.seats[p].name for p in (told.result(len(told.steps)).scores or ())}
    assert charts and {line.name for line in charts[0].series} == playing
    for chart in charts:
        numbers = [*map(int, chart.labels)]
        gaps = {b - a for a, b in itertools.pairwise(numbers)}
        assert len(gaps) == 1 and numbers[-1] == len(told.steps), numbers
        assert chart.across == "step" and chart.up
        for line in chart.series:
            assert len(line.values) == len(numbers)
    ranked = [*(told.result(len(told.steps)).ranking or ())]
    scores = told.result(len(told.steps)).scores or {}
    if [scores[group[0]] for group in ranked] == sorted({*scores.values()}) and len(ranked) > 1:
        assert "lower is better" in charts[0].up
    assert ("lower is better" in charts[0].up) == (demo.game.name == "equilibrium")


def test_a_chart_of_many_steps_leaves_some_out_evenly(demo: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_CHART_STEPS", 7)
    told = whole(demo, "host")
    for chart in (block for block in charts_of(told) if isinstance(block, Chart)):
        numbers = [*map(int, chart.labels)]
        assert 2 <= len(numbers) <= 7 and len({b - a for a, b in itertools.pairwise(numbers)}) == 1


def test_nothing_that_everybody_reads_is_a_command(demo: Match) -> None:
    """Issue: `recorded: amend-setting polarity_scope=room` in a public step."""
    for viewer in ("public", next(iter(demo.table.seats))):
        (book,) = books(made(demo, viewer))
        for step in book["steps"]:
            said = " ".join(words for words, _ in step.get("said", ()))
            assert step["known"] != "everybody" or ("typed" not in step and "recorded: " not in said), step
            assert not re.search(r"\b\w+=\w+", said) or step["known"] != "everybody", step


# ---- one file, and nothing from elsewhere ---------------------------------------------------------------------------


def test_it_loads_nothing_and_runs_its_own_script_alone(demo: Match) -> None:
    """A policy that forbids everything but this script and this style, by their hashes; no address that is loaded."""
    page = made(demo, "public", "host")
    reader = Reader(page)
    policy = next(a["content"] for tag, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy") or ""
    style = page.partition("<style>")[2].partition("</style>")[0]
    script = page.rpartition("<script>")[2].partition("</script>")[0]
    ours = [f"style-src '{html.digest(style)}'", f"script-src '{html.digest(script)}'"]
    assert policy.split("; ") == ["default-src 'none'", *ours, "base-uri 'none'", "form-action 'none'"]
    loads = {"src", "srcset", "data", "poster", "background", "action", "style", "ping"}
    for tag, attrs in reader.tags:
        assert not loads & set(attrs) and not [name for name in attrs if name.startswith("on")], (tag, attrs)
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "audio", "video"), tag
    assert "url(" not in style and "@import" not in style
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|eval|import)\s*\(|localStorage|document\.write", script)


def test_every_control_has_a_label(demo: Match) -> None:
    """Buttons say what they do, fields stand in a label or have one, the page has its landmarks and one h1."""
    page = made(demo, "public")
    tags = [tag for tag, _ in Reader(page).tags]
    assert tags.count("h1") == 1 and {"header", "nav", "main"} <= set(tags)
    body = page.partition("<body>")[2]
    labelled = "".join(re.findall(r"<label.*?</label>", body, re.DOTALL))
    for tag, attrs in Reader(body).tags:
        if tag in ("input", "select"):
            assert attrs.get("aria-label") or f'id="{attrs["id"]}"' in labelled, attrs
        if tag == "button":
            assert attrs.get("aria-label") and attrs.get("type") in ("button", "submit")
    ids = [attrs["id"] for _, attrs in Reader(page).tags if attrs.get("id")]
    assert len(ids) == len(set(ids))


def test_it_is_small_and_quickly_made(demo: Match) -> None:
    """A whole bundled match for everybody and the hosts is below 300 KB; each player more adds less than 100."""
    assert len(made(demo, "public", "host").encode()) < 300_000
    assert len(made(demo, "public", "host", *demo.table.seats).encode()) < 300_000 + 100_000 * len(demo.table.seats)


@pytest.mark.parametrize("demo", ["polar"], indirect=True)
def test_the_same_match_gives_the_same_page(demo: Match) -> None:
    """No time of writing, no order that depends on the run."""
    assert made(demo, "public", "host") == replay.page([steps_of(demo, demo.fold, who) for who in ("public", "host")])


def test_nothing_of_a_game_is_in_its_code() -> None:
    """The page draws blocks and sentences; no game, card, room or piece is named in what makes it."""
    folder = Path(replay.__file__).parent
    code = "".join((folder / name).read_text(encoding="utf-8") for name in (*replay.PAGE_FILES, "__init__.py")).lower()
    words = [word for name in names() for word in (name, load(name).title.lower())]
    assert not [word for word in words if word in code]


# ---- the steps ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["host", "public"])
def test_every_step_is_there_with_its_picture(demo: Match, viewer: str) -> None:
    """As many as the steps of the match, each with its sentences, and with the text that the view gives."""
    told = whole(demo, viewer)
    (book,) = books(made(demo, viewer))
    assert len(book["steps"]) == len(told.steps) and book["audience"] == viewer
    for step, shown in zip(told.steps, book["steps"], strict=True):
        assert len(shown.get("said", [])) == len(step.sentences)
        assert (shown.get("entry") or {}).get("seq") == (step.entry.seq if step.entry else None)
        drawn = "".join(book["parts"][n] for n in shown["pic"])
        blocks = [*told.rounds(step.number), *untitled(told.report(step.number))]
        assert blocks and all(html.fragment([b], demo.zone, 1) in drawn for b in blocks if not isinstance(b, PICTURES))
        pictures = {b for b in blocks if isinstance(b, PICTURES)}
        if not pictures:  # then the board stands beside it
            pictures = {b for b in told.board(step.number) if isinstance(b, PICTURES)}
        assert all(svg.escape(picture.alt) in drawn for picture in pictures)
        assert drawn.count("<figure>") == len(pictures), "none stands there twice"


def test_labels_of_its_pictures_keep_apart(demo: Match) -> None:
    """Every board and chart that the bundled match ever draws, for the hosts, everybody and a player."""
    for viewer in ("host", "public", next(iter(demo.table.seats))):
        told = whole(demo, viewer)
        numbers = [step.number for step in told.steps]
        drawn = [
            block
            for n in numbers
            for block in (*told.report(n), *told.board(n), *told._draw(told.match.game.scores, n), *told.rounds(n))
        ]
        for block in {block for block in drawn if isinstance(block, PICTURES)}:
            assert not faults(svg.picture(block, demo.table.title)), block.alt


def test_entries_tell_what_became_of_them(demo: Match) -> None:
    """Marks, corrections, notes and evidence as the steps have them."""
    told = whole(demo, "host")
    (book,) = books(made(demo, "host"))
    for step, shown in zip(told.steps, book["steps"], strict=True):
        if step.entry is None:
            continue
        entry = shown["entry"]
        assert entry["marks"] == list(step.entry.marks) and len(entry["fixes"]) == len(step.entry.corrections)
        assert entry["notes"] == list(step.entry.notes) and entry["evidence"] == (step.entry.evidence or "")
        assert entry["by"] == step.entry.by and entry["bookmark"] == step.bookmark


# ---- for whom -------------------------------------------------------------------------------------------------------


def test_an_audience_has_its_own_data_and_no_other(demo: Match) -> None:
    """The data of an audience is the same whoever else the page is for: it is built by itself."""
    viewers = ["public", "host", *demo.table.seats]
    together = books(made(demo, *viewers))
    assert [book["audience"] for book in together] == viewers
    for viewer, book in zip(viewers, together, strict=True):
        assert books(made(demo, viewer)) == [book]


# ---- hostile text ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A match in which everything that can be typed is hostile."""
    return hostile_match(tmp_path_factory.mktemp("hostile"))


def test_hostile_text_stays_in_the_data(hostile: Match) -> None:
    """The page has the tags it has with harmless names; nothing ends a data block early, nothing is invisible."""
    page = made(hostile, "public", "host", "p1")
    assert len(books(page)) == 3
    tags = [tag for tag, _ in Reader(page).tags]
    assert tags.count("script") == 4 and tags.count("style") == 1 and not {"img", "svg"} & set(tags)
    for block in re.findall(r'class="book">(.*?)</script>', page):
        assert "<" not in block
    assert not {"\u202e", "\x00"} & set(page)


def test_markup_in_the_data_is_ours_alone(hostile: Match) -> None:
    """What the page puts in as markup has no tag and no attribute that `html.fragment` does not make."""
    known = {"h3", "h4", "p", "ul", "li", "strong", "time", "br", "div", "table", "thead", "tbody", "tr", "th", "td"}
    for book in books(made(hostile, "public", "host", "p1")):
        for tag, attrs in Reader("".join(book["parts"])).tags:
            assert tag in known and set(attrs) <= {"datetime", "class", "tabindex", "role", "aria-label", "scope"}


@pytest.mark.parametrize(
    ("evidence", "linked"),
    [
        ("https://discord.com/channels/1/2/1573400082382849234", True),
        ("https://ptb.discord.com/channels/1/2/1573400082382849234", True),
        ("javascript:alert(1)//https://discord.com/channels/1/2/3", False),
        ("https://discord.com.evil/channels/1/2/3", False),
        ('https://discord.com/channels/1/2/3"onclick="x', False),
        ("1573400082382849234", False),
        ("", False),
    ],
)
def test_only_a_message_becomes_a_link(evidence: str, linked: bool) -> None:
    """Anything else stands as text."""
    assert bool(LINK.fullmatch(evidence)) is linked


# ---- on the command line --------------------------------------------------------------------------------------------

SHOWS = {
    "rights": lambda here, name: f"{(here.folder / name).stat().st_mode & 0o777:o}",
    "made": lambda here: [path.name for path in here.folder.iterdir()],
    "books": lambda here, name: [book["audience"] for book in books((here.folder / name).read_text("utf-8"))],
}
TYPED = """
the page is written once, readable to nobody else, and for the public unless it is said otherwise
  demo polar ; replay --html r.html ~ as seen by everybody; it opens in any browser !~ nobody else
  : rights r.html == 600 ; : books r.html == public ; 2 replay --html r.html ~ [output.exists]
  replay --html r.html --overwrite --for ann --audiences host,public ~ give it to nobody else
  : books r.html == ann host public
what is refused leaves no file
  demo polar ; 2 replay --html r.html --audiences zoe ~ audience.unknown
  2 replay --html r.html --follow ~ command.usage ; 2 replay --html r.html -o x ~ command.usage
  2 replay --html r.html -f json ~ command.usage
  2 replay --audiences host ~ command.usage ; 2 replay --html r.html --as-of 9999 ~ entry.unknown ; : made == m
a setting that was changed is told in words
  nothing polar ; > new m --from polar.toml --as mara ; amend-setting polarity_scope=all --yes --as mara
  replay --for public ~ A rule is settled. Whose signs are counted for the minority: those in my room (room), or
  replay --for public ~ my room (room), or those of all players (all). Now: all.
"""
test_at_the_command_line = plays(TYPED)


def test_it_stops_where_it_is_told_to(demo: Match) -> None:
    """As of an entry in the middle: fewer steps, and nothing of what came later."""
    half = len(demo.book.entries) // 2
    known = demo.as_known(half)
    (early,) = books(replay.page([steps_of(known, known.fold, "host")]))
    (late,) = books(made(demo, "host"))
    assert 1 < len(early["steps"]) < len(late["steps"])
    assert max(step["entry"]["seq"] for step in early["steps"] if "entry" in step) <= half


def test_the_demo_writes_one_and_says_where(demo: Match) -> None:
    """Beside the log of the match."""
    page = Path(demo.book.log.path).parent / "replay.html"
    assert [book["audience"] for book in books(page.read_text(encoding="utf-8"))] == ["public", "host"]
