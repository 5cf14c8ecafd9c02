"""Where text comes out: for each sink its escaping function, what must not be in what comes out, and the way back.

What a terminal, Discord, a browser, an XML reader or a spreadsheet would make of it is asked of readers that are not
ours wherever there is one: html.parser, ElementTree, csv, Python's own tables of characters.
"""

from __future__ import annotations

import contextlib
import csv
import html.parser
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any, NamedTuple

from events.errors import Refused
from games.kinds import shown
from ledger.cli.app import App
from ledger.cli.carry_out import contested_line
from ledger.cli.errors import fail
from ledger.cli.terminal import escape_controls
from ledger.render import csv as csv_rows, discord, safe, svg, text as plain
from ledger.tell.explain import Link

ZWSP = "\u200b"
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
WORD = re.compile(r"<U\+([0-9A-F]{4,6})>")
MARKUP = "\\`*_~|>#[]<@"


def had_back(out: str) -> str:
    """What `<U+XXXX>` stands for, in its place."""
    return WORD.sub(lambda found: chr(int(found[1], 16)), opened(out))


ISOLATED = re.compile("\u2068([^\u2066-\u2069]+)\u2069")
JOINED = re.compile(
    "(?<=[\u2194\u2195\u2600-\u27bf\u2b1b\u2b1c\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2194\u2195\u2600-\u27bf\u2b1b\u2b1c\U0001f000-\U0001faff])"
)


def opened(out: str) -> str:
    """Without what isolates a run from right to left. Around anything else it stays, and is found."""
    return ISOLATED.sub(lambda run: run[1] if _turns(run[1]) else run[0], out)


def _turns(run: str) -> bool:
    """Is there nothing from left to right in it?"""
    return "L" not in map(unicodedata.bidirectional, run)


def unseen(out: str, allowed: str = "") -> list[str]:
    """What in it cannot be seen, by Python's own tables, and runs of marks that are too long."""
    out = JOINED.sub("", opened(out))
    bad = [f"U+{ord(c):04X}" for c in out if unicodedata.category(c) in UNSEEN and c not in allowed]
    marks = 0
    for c in out:
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if marks == 5:
            bad.append("five marks in a row")
    return bad


def terminal_breaks(out: str) -> list[str]:
    return unseen(out, "\n")


def discord_breaks(out: str) -> list[str]:
    """What Discord would read as anything but text. An escape is a backslash that is not escaped itself."""
    found = unseen(out, "\n" + ZWSP)
    bare = re.sub(r"\\[^A-Za-z0-9\s]", "¤", out)
    found += [f"bare {c}" for c in bare if c in MARKUP]
    found += re.findall(r"(?m)^\s*(?:[-+]|\d+\.)", bare)
    found += re.findall(r"@(?:everyone|here)|<[@#:/atid]", out)
    found += re.findall(r"://|(?i:discord(?:app)?\.)", out)
    found += re.findall(r":\w+:", bare)
    return found


def discord_back(out: str) -> str:
    out = opened(out)
    out = re.sub(rf"\\<{ZWSP}U\\\+([0-9A-F]{{4,6}})\\>", lambda found: f"\\{chr(int(found[1], 16))}", out)
    return re.sub(r"(?s)\\(.)", r"\1", out.replace(ZWSP, "") if ZWSP not in re.findall(r"\\(.)", out) else _kept(out))


def _kept(out: str) -> str:
    """Zero-width spaces that we put in are taken away; one that was typed came back behind a backslash."""
    return re.sub(rf"(?<!\\){ZWSP}", "", out)


def fence_breaks(out: str) -> list[str]:
    found = unseen(out, ZWSP)
    return found + re.findall(r"`|\n|@(?!\u200b)", out)


def fence_back(out: str) -> str:
    return had_back(out.replace("@" + ZWSP, "@").replace("ˋ", "`"))


class OneElement(html.parser.HTMLParser):
    """What a browser makes of it: the tags and the text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[Any] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.tags.append(("comment", data))

    def handle_decl(self, decl: str) -> None:
        self.tags.append(("declaration", decl))

    def unknown_decl(self, data: str) -> None:
        self.handle_decl(data)

    def handle_pi(self, data: str) -> None:
        self.handle_decl(data)


def html_breaks(out: str) -> list[str]:
    found = unseen(out, "\n")
    inside = OneElement(f"<p>{out}</p>")
    quoted = OneElement(f'<p title="{out}">x</p>')
    single = OneElement(f"<p title='{out}'>x</p>")
    if inside.tags != [("p", [])]:
        found.append(f"elements {inside.tags}")
    for page in (quoted, single):
        if [(tag, [name for name, _ in attrs]) for tag, attrs in page.tags] != [("p", ["title"])] or page.text != "x":
            found.append(f"attribute {page.tags}")
    return found


def html_back(out: str) -> str:
    return had_back(OneElement(f"<p>{out}</p>").text)


def svg_breaks(out: str) -> list[str]:
    """Read as strictly as XML is."""
    try:
        root = ET.fromstring(f'<svg><text a="{out}">{out}</text></svg>')
    except ET.ParseError as error:
        return [str(error)]
    return [one.tag for one in root.iter() if one.tag not in ("svg", "text")]


def svg_back(out: str) -> str:
    return had_back(ET.fromstring(f"<svg>{out}</svg>").text or "")


def csv_breaks(out: str) -> list[str]:
    rows = list(csv.reader(io.StringIO(f'"a",{out},"b"\n', newline=""), strict=True))
    found = unseen(out, "\n")
    if len(rows) != 1 or len(rows[0]) != 3:
        return [*found, f"{len(rows)} rows"]
    return found + re.findall(r"^\s*[=+\-@|%＝＋－＠]", rows[0][1])


def csv_back(out: str) -> str:
    (row,) = csv.reader(io.StringIO(f'"a",{out},"b"\n', newline=""), strict=True)
    text: str = row[1]
    risky = text[:1] == "'" and text[1:].lstrip()[:1] in tuple("=+-@|%＝＋－＠'")
    return had_back(text[1:] if risky else text)


def table_breaks(out: str) -> list[str]:
    """A cell stays one cell of one row, to the letter: nothing is taken for a number."""
    lines = out.split("\n")
    return [*unseen(out, "\n"), *([f"{len(lines)} lines"] if len(lines) != 4 else [])]


def in_table(text: str) -> str:
    return plain.table(("one", "two"), [(text, "x"), ("10", "z")])


def table_back(out: str) -> str:
    """The cell, of which spaces at its ends cannot be told from those of the column."""
    return had_back(out.split("\n")[2].removesuffix("x")).strip()


def message_breaks(out: str) -> list[str]:
    return [*unseen(out), *re.findall(r"\n", out)]


def json_breaks(out: str) -> list[str]:
    controls = [c for c in out if ord(c) < 32 or 127 <= ord(c) < 160 or 0x202A <= ord(c) < 0x202F]
    return [*controls, *([] if json.loads(out) is not None else ["nothing"])]


def in_json(text: str) -> str:
    return escape_controls(json.dumps({"name": text}, ensure_ascii=False), as_json=True)


PING = re.compile(r"@(?:everyone|here)|<[@#:/atid]|://|(?i:discord(?:app)?\.)")
"""What Discord reads as a mention, an emoji, a time or a link."""


def ping_breaks(out: str) -> list[str]:
    """On a host's screen text is as it was written, but nothing in it pings or links."""
    return [*unseen(out, "\n" + ZWSP), *PING.findall(out)]


def ping_back(out: str) -> str:
    return had_back(out.replace(ZWSP, ""))


def refusal(text: str) -> str:
    """What stands between `hl: ` and the code when something is refused in these words."""
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        fail(App(), Refused("sink.a_code", text))
    return err.getvalue().removeprefix("hl: ").removesuffix(" [sink.a_code]\n")


def confirmation(text: str) -> str:
    """The same of an entry that is recorded all the same."""
    line = contested_line(Refused("sink.a_code", text))
    return line.removeprefix("  the rules do not allow it, so it changes nothing: ").removesuffix(" [sink.a_code]")


def explanation(text: str) -> str:
    """A fact in these words, as `explain` tells it."""
    line = Link(1, 0, "noted", text, "section 3").line("UTC")
    return line.removeprefix("#1    Thu  1 Jan 00:00  ").removesuffix(" [section 3]")


class Sink(NamedTuple):
    """A place where text comes out."""

    escape: Callable[[str], str]
    breaks: Callable[[str], list[str]]
    back: Callable[[str], str]
    takes: Callable[[str], str] = lambda text: text
    """What of a text it is meant to carry."""


def one_line(text: str) -> str:
    return text.replace("\n", " ").strip()


SINKS: dict[str, Sink] = {
    "terminal": Sink(safe.plain_text, terminal_breaks, had_back),
    "discord": Sink(discord.escape, discord_breaks, discord_back),
    "refusal": Sink(refusal, ping_breaks, ping_back),
    "confirmation": Sink(confirmation, ping_breaks, ping_back),
    "explanation": Sink(explanation, ping_breaks, ping_back, lambda text: text.replace("\n", " ")),
    "fence": Sink(discord.escape_fenced, fence_breaks, fence_back),
    "table": Sink(in_table, table_breaks, table_back, one_line),
    "message": Sink(lambda text: shown(text, 10_000), message_breaks, lambda out: had_back(out[1:-1])),
    "json": Sink(in_json, json_breaks, lambda out: json.loads(out)["name"]),
    "html": Sink(svg.escape, html_breaks, html_back),
    "svg": Sink(svg.escape, svg_breaks, svg_back),
    "csv": Sink(csv_rows.cell, csv_breaks, csv_back),
}

# ---- whole pages --------------------------------------------------------------------------------------------------


def posted(page: str) -> list[str]:
    """The messages of a page: without the lines that number them."""
    return re.split(r"(?:\n\n|\A)--- message [0-9]+ of [0-9]+\n", page)


def outside_fences(page: str) -> str:
    return "\n".join("\n".join(posted(page)).split("```")[::2])


def check_page(fmt: str, page: str, text: str) -> None:
    if fmt == "text":
        assert not terminal_breaks(page), (text, page)
    elif fmt == "discord":
        assert page.count("```") % 2 == 0, (text, page)
        for message in posted(page):
            assert message.count("```") % 2 == 0 and discord.units(message) <= 2000, (text, message)
        assert not unseen(page, "\n" + ZWSP), (text, page)
        assert not re.findall(r"@(?:everyone|here)|<@!?&?\d", page), (text, page)
        links = re.findall(r"<[@#/]|<a?:\w|://|(?i:discord(?:app)?\.)", outside_fences(page))
        assert not links, (text, page)
        said = re.sub(r"\*\*(.*?[^\\])\*\*", r"\1", outside_fences(page))
        assert not re.findall(r"(?<!\\)(?:\\\\)*[`~|\[\]]", said), (text, said)
    elif fmt in ("html", "svg"):
        assert not unseen(page, "\n"), (text, page)
        names = {tag for tag, _ in OneElement(page).tags}
        assert not names & {"script", "img", "image", "iframe", "a", "b", "comment", "object"}, (text, names)
        assert not re.findall(r"<[^>]* on\w+=", page), (text, page)
    elif fmt == "md":
        assert not re.findall(r"(?<!\\)<(?!U\+)[a-z/!]|@(?!\u200b)", outside_fences(page), re.IGNORECASE), (text, page)
    else:
        raise AssertionError(f"nothing says what must not stand in a page in {fmt}")
