"""All files of a channel are one channel: the same doubts and proposals, however it was cut into files.

Source: docs/looking-back.md, "What the chat says".
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from events.errors import Unreadable
from ledger.exchange.chat import Export, channels, read_export
from ledger.exchange.evidence import Comparison, proposals
from tests.support.exported import as_csv, as_html
from tests.support.paper import BEGAN, HOUR, TRADE, chat, link, message, paper
from tests.support.sizes import examples

MINUTE = 60_000
H2 = 2 * HOUR
NAME = "Season - pairs - p1-p2 [77]"
SAID = (
    ("P1", "my R3 for your B4?"), ("P2", "deal"), ("P2", "ok"), ("P3", "I lock in"), ("P4", "hello there"),
    ("P1", "we traded R6 and B7, confirmed"), ("Nobody", "R2 for B3"), ("mara", "please lock"), ("P5", ""),
)  # fmt: skip


def export(messages: Any, form: str = "JSON", name: str = NAME, **span: Any) -> Export:
    told = chat(messages, **span)
    data = {"JSON": json.dumps(told).encode, "HTML": lambda: as_html(told), "CSV": lambda: as_csv(told)}[form]()
    return read_export(data, f"{name}.{form.lower()}")


def outcome(exports: Any, *, forms: bool = False) -> Any:
    """What comes of these files; `forms`: without what a form cannot tell."""
    rows = [
        (H2, "trade", TRADE, link(H2)),
        (H2 + 3 * MINUTE, "lock", {"player": "p3"}, link(H2 + 3 * MINUTE)),
        (H2 + 90_000, "lock", {"player": "p8"}, link(H2 + 90_000)),  # no such message
    ]
    match = paper(*rows)
    report = Comparison(match, channels(exports)).run()
    found = [(doubt.kind, doubt.at, doubt.seq, doubt.who.lower(), doubt.content.split()) for doubt in report.doubts]
    made = [(one.message.at, one.settles.at, one.cls, one.readings) for one in proposals(match, channels(exports))]
    whole = () if forms else (report.not_checked, [doubt.fix for doubt in report.doubts])
    return report.messages, report.cited, found, made, whole


@st.composite
def cut(draw: Any, forms: tuple[str, ...] = ("JSON",)) -> tuple[list[Any], list[Any]]:
    """(messages of a channel, files that together hold them: overlapping, in any order and form)."""
    said = draw(st.lists(st.sampled_from(SAID), min_size=1, max_size=8))
    edited = draw(st.lists(st.sampled_from((None, 5 * HOUR, 90 * HOUR)), min_size=len(said), max_size=len(said)))
    ticks = draw(st.lists(st.sampled_from(((), ("P2",))), min_size=len(said), max_size=len(said)))
    if forms != ("JSON",):
        edited, ticks = [None] * len(said), [()] * len(said)
    newest = [
        message(H2 + n * MINUTE, who, words, edited=edited[n], approved=ticks[n]) for n, (who, words) in enumerate(said)
    ]
    files = []
    for copy in range(draw(st.integers(1, 4))):
        chosen = draw(st.lists(st.sampled_from(range(len(newest))), unique=True))
        held = [dict(newest[n]) for n in sorted(chosen)]
        if forms == ("JSON",):  # an older export has other words
            old = draw(st.booleans())
            if old:
                was = {"timestampEdited": None, "reactions": []}
                held = [{**one, **was, "content": one["content"] and "R9 for B9, confirmed"} for one in held]
            files.append((held, "JSON", 100 * HOUR if old else 200 * HOUR, copy))
        else:
            files.append((held, draw(st.sampled_from(forms)), 200 * HOUR, copy))
    got = {one["id"] for held, _, at, _ in files if at == 200 * HOUR for one in held}
    files.append(([one for one in newest if one["id"] not in got], draw(st.sampled_from(forms)), 200 * HOUR, 9))
    return newest, [
        export(held, form, NAME + (f" [part {n}]" if n else ""), exported=_iso(at))
        for held, form, at, n in draw(st.permutations(files))
    ]


def _iso(after: int) -> str:
    from events import write_instant

    return write_instant(BEGAN + after)


@examples(120, 2_000)
@given(cut())
def test_a_channel_in_any_files_is_the_channel(made: Any) -> None:
    """Parts, overlapping exports, older ones among them: the newest copy of each message counts, in any order."""
    newest, files = made
    assert outcome(files) == outcome([export(newest)])


@examples(120, 2_000)
@given(cut(("JSON", "HTML", "CSV")))
def test_a_channel_in_files_of_any_form_is_the_channel(made: Any) -> None:
    """As far as the forms tell it."""
    newest, files = made
    forms = {one.form for one in files if one.messages}
    if "JSON" not in forms and "JSON" not in {one.form for one in files}:  # its span is that of its messages
        whole = outcome([export(newest, "HTML")], forms=True)
    else:
        whole = outcome([export(newest)], forms=True)
    assert outcome(files, forms=True) == whole


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
def test_the_newest_words_count_in_any_order(order: Any) -> None:
    """By the time of the export; where a file does not say it, by the edit that it shows."""
    files = [
        export([message(H2, "P1", "first")], exported=_iso(3 * HOUR)),
        export([message(H2, "P1", "second", edited=4 * HOUR)], exported=None),
        export([message(H2, "P1", "third", edited=5 * HOUR)], exported=_iso(6 * HOUR)),
    ]
    (one,) = channels([files[n] for n in order])
    assert [said.content for said in one.messages] == ["third"] and one.undecided == 0


def test_copies_that_nobody_can_order_are_named() -> None:
    """HTML does not say when it was exported: the words that were edited are taken, and it is said."""
    files = [export([message(H2, "P1", "old")], "HTML"), export([message(H2, "P1", "new", edited=3 * HOUR)], "HTML")]
    (one,) = channels(files)
    assert one.messages[0].content.strip() == "new"
    not_checked = Comparison(paper(), [one]).run().not_checked
    assert "1 message of p1-p2 that several files tell differently, and none says which is newer: export as JSON" in (
        not_checked
    )


def test_an_edit_that_only_html_shows_is_not_lost() -> None:
    files = [export([message(H2, "P3", "I lock in")]), export([message(H2, "P3", "no", edited=9 * HOUR)], "HTML")]
    rows = [(H2, "lock", {"player": "p3"}, link(H2))]
    report = Comparison(paper(*rows), channels(files)).run()
    assert any("was edited at an unknown time: 20" in line for line in report.not_checked)


def test_a_copy_without_text_does_not_hide_one_with_it() -> None:
    """A bot that may not read exports blank messages."""
    files = [export([message(H2, "P1", "")], exported=_iso(9 * HOUR)), export([message(H2, "P1", "hi")])]
    assert [one.content for one in channels(files)[0].messages] == ["hi"]


def test_files_of_some_days_do_not_span_what_is_between_them() -> None:
    """Only files of a whole channel, or of its parts, span from the first message to the last."""
    row = (5 * HOUR, "lock", {"player": "p3"}, link(5 * HOUR))
    days = [export([message(at, "P1", "hi")], "HTML", f"{NAME} (2026-11-1{n} to 2026-11-1{n})") for n, at in
            enumerate((H2, 9 * HOUR))]  # fmt: skip
    parts = [
        export([message(H2, "P1", "hi")], "HTML"),
        export([message(9 * HOUR, "P1", "hi")], "HTML", f"{NAME} [part 2]"),
    ]
    assert not Comparison(paper(row), channels(days)).run().doubts
    assert [doubt.kind for doubt in Comparison(paper(row), channels(parts)).run().doubts] == ["no_message"]


# ---- what nobody has read is not clean -------------------------------------------------------------------------------


def test_messages_without_text_are_named() -> None:
    """An account without the right to read, pictures, what was passed on: nothing in them was compared."""
    quoted = message(H2, "P1", "", forwardedMessage={"content": "R3 for B4, confirmed"})
    for form in ("JSON", "CSV"):
        report = Comparison(paper(), channels([export([message(H2, "P1", ""), message(H2 + 1, "P2", "")], form)])).run()
        assert "2 messages of p1-p2 without text; may the account that exported them read messages?" in (
            report.not_checked
        )
    report = Comparison(
        paper(), channels([export([quoted, message(H2 + 1, "P2", ""), message(H2 + 2, "P2", "k")])])
    ).run()
    assert report.not_checked[:2] == (
        "1 message of p1-p2 with a forwarded text",
        "1 message of p1-p2 without text",
    )


PAGE = as_html(chat([message(H2, "P1", "I lock in"), message(H2 + 1, "P2", "ok")]))


def _older(page: bytes) -> bytes:
    """As the program wrote it before its version 2.34."""
    return page.replace(b"chatlog__message-container", b"chatlog__message")


@pytest.mark.parametrize(
    "data",
    [
        _older(PAGE),
        _older(PAGE).replace(b" data-message-id=", b" data-id="),
        PAGE.replace(b"Exported 2 message(s)", b"Exported 1,002 message(s)"),
        PAGE.replace(b"</div><div class=\"postamble\">", b"<div class='chatlog__message-group'></div></div><div>"),
        PAGE.replace(b"<div class=chatlog__message-group>", b"<div class=chatlog__message-group><div class="
                     b"chatlog__messages></div>", 1),
        PAGE.replace(b'class="chatlog__message-container"', b'class="other"', 1),
        json.dumps({**chat([message(H2, "P1", "I lock in")]), "messageCount": 2}).encode(),
        json.dumps({**chat([]), "messageCount": 1}).encode(),
    ],
)  # fmt: skip
def test_a_file_of_which_less_is_read_than_it_shows_is_refused(data: bytes) -> None:
    """Never read as empty, and so as clean: a file of another version, or one that was cut."""
    with pytest.raises(Unreadable) as error:
        read_export(data, f"{NAME}.x")
    assert error.value.code == "chat.shape"
    assert error.value.fix == "export it again with a current version of DiscordChatExporter"


def test_what_players_type_is_no_sign_of_messages() -> None:
    words = "Exported 99 message(s) <div class=chatlog__message data-message-id=7>"
    assert len(read_export(as_html(chat([message(H2, "P1", words)])), f"{NAME}.html").messages) == 1


@pytest.mark.parametrize("ending", ["", " [part 2]", " (after 2026-03-01)", " (2026-03-01 to 2026-03-05) [part 12]"])
@pytest.mark.parametrize("title", ["eve-fox", "round [2]", "b [part 2] of [3] (after all)", "[1]"])
def test_the_last_number_in_brackets_is_the_channel(title: str, ending: str) -> None:
    """A thread may have any title."""
    for form in ("HTML", "CSV"):
        read = export([message(H2, "P1", "hi")], form, f"Season - pairs - {title} [44]{ending}")
        assert (read.channel, read.name, read.dated) == ("44", title, "2026" in ending)


def test_numbers_have_their_plurals(at_desk: Any) -> None:
    desk = at_desk("counts")
    said = [message(0, "P1", "hi"), message(1, "P2", "ho")]
    for n, told in enumerate(
        ("no messages; no", "1 message, not cited by an entry; no", "2 messages, none of them cited")
    ):
        path = desk.folder / f"{n}.json"
        path.write_text(json.dumps(chat(said[:n])))
        desk.hl("evidence", str(path))
        assert told in desk.err
