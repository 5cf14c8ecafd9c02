"""`evidence` and `read` over HTML and CSV of DiscordChatExporter: the same as over its JSON, as far as a form tells it.

What a form lacks is said, never guessed; a file of another shape, cut off or made to hang is refused.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from events.errors import Unreadable
from ledger.exchange.chat import Chat, Export, channels, read_export
from ledger.exchange.evidence import Comparison, Report, proposals, same_words
from tests.support.exported import as_csv, as_html
from tests.support.paper import BEGAN, HOUR, TRADE, chat, link, message, paper, snowflake
from tests.support.sizes import examples

H2 = 2 * HOUR
NAME = "Season - pairs - p1-p2 [77]"
FORMS = ("JSON", "HTML", "CSV")


def export(form: str, *messages: Any, server: str = "845", name: str = NAME, **span: Any) -> Export:
    """A file of that form with these messages."""
    told = chat(messages, **span)
    data = {"JSON": json.dumps(told).encode(), "HTML": as_html(told, server), "CSV": as_csv(told)}[form]
    return read_export(data, f"{name}.{form.lower()}")


def read(form: str, *messages: Any, server: str = "845") -> Chat:
    """The channel in such a file."""
    (one,) = channels([export(form, *messages, server=server)])
    return one


def found(form: str, *messages: Any, rows: Any = ()) -> Report:
    return Comparison(paper(*rows), [read(form, *messages)]).run()


ASKED = message(H2, "P1", "my **R3** for your `B4`?")
SETTLED = message(H2 + 1000, "P2", "ok deal!")


@pytest.mark.parametrize("form", FORMS)
def test_who_said_what_and_when_is_the_same(form: str) -> None:
    said = [ASKED, SETTLED, message(H2 + 2000, "P2", "> my R3\nyes & <b>\n✅"), message(H2 + 3000, "P2", "and this")]
    exported = read(form, *said)
    assert (exported.forms, exported.channel, exported.name) == ({form}, "77", "p1-p2")
    assert [one.at for one in exported.messages] == [BEGAN + H2 + n * 1000 for n in range(4)]
    assert [one.author.called.lower() for one in exported.messages] == ["p1", "p2", "p2", "p2"]
    assert [one.content.split() for one in exported.messages] == [one["content"].split() for one in said]


@pytest.mark.parametrize("form", FORMS)
def test_the_same_is_doubted(form: str) -> None:
    """A trade without an entry; a vote of somebody else; an entry whose message is gone."""
    last = message(9 * HOUR, "P4", "good night")
    gone = (3 * HOUR, "trade", {"a": "p5", "give": "R6", "b": "p6", "take": "B7"}, link(3 * HOUR))
    other = (4 * HOUR, "lock", {"player": "p7"}, link(4 * HOUR))
    report = found(form, ASKED, SETTLED, message(4 * HOUR, "P8", "hm"), last, rows=[gone, other])
    assert [(doubt.kind, doubt.seq) for doubt in report.doubts] == [
        ("no_entry", None),
        ("no_message", 20),
        ("author", 21),
    ]
    assert report.cited == 1
    how = {"JSON": f"--msg {link(H2)}", "HTML": f"--msg {link(H2)}"}.get(form, "--at 2026-11-18T")
    assert how in report.doubts[0].fix


@pytest.mark.parametrize("form", FORMS)
def test_what_is_recorded_is_not_doubted(form: str) -> None:
    for evidence in (link(H2), snowflake(BEGAN + H2), None):
        assert not found(form, ASKED, SETTLED, rows=[(H2, "trade", TRADE, evidence)]).doubts


@pytest.mark.parametrize("form", FORMS)
def test_a_tick_is_consent_also_where_nobody_says_whose(form: str) -> None:
    (one,) = proposals(paper(), [read(form, message(H2, "P1", "R3 <-> B4 with P2", approved=["P2"]))])
    assert one.line(one.readings[0]).startswith("trade p1 R3 p2 B4 --")
    assert not list(proposals(paper(), [read(form, message(H2, "P1", "R3 <-> B4 with P2"))]))


@pytest.mark.parametrize("form", FORMS)
def test_settled_marks_hold_in_every_form(form: str) -> None:
    settled = {snowflake(BEGAN + H2)}
    assert list(proposals(paper(), [read(form, ASKED, SETTLED)]))
    assert not list(proposals(paper(), [read(form, ASKED, SETTLED)], settled))


def test_what_a_form_does_not_say_is_said() -> None:
    edited = message(H2, "P3", "I lock in", edited=100 * HOUR)
    rows = [(H2, "lock", {"player": "p3"}, link(H2))]
    json_, html_, csv_ = (found(form, edited, rows=rows) for form in FORMS)
    assert [doubt.kind for doubt in json_.doubts] == ["edited"] and not html_.doubts and not csv_.doubts
    assert not [line for line in json_.not_checked if "does not say" in line]
    assert "when a message was edited, who put a sign under it: HTML does not say it (p1-p2)" in html_.not_checked
    assert "1 entry rests on a message that was edited at an unknown time: 20; export as JSON" in html_.not_checked
    assert any("ids of messages" in line and "CSV" in line for line in csv_.not_checked)


def test_the_server_is_read_from_its_picture_and_not_made_up() -> None:
    (one,) = read("HTML", ASKED, server="").messages
    assert read("HTML", ASKED, server="").evidence(one) == ("--msg", snowflake(BEGAN + H2))


def test_notices_and_bots_are_known_in_html() -> None:
    bot = message(H2, "P1", "I lock in", author={"id": "9", "name": "b", "nickname": "b", "isBot": True})
    said = read("HTML", message(H2 - 9, "P1", "", type="ChannelPinnedMessage"), bot, message(H2 + 9, "P2", "hi"))
    assert [(one.author.bot, one.content) for one in said.messages] == [(True, "I lock in"), (False, "hi")]


def test_a_folder_of_all_forms_says_each_message_once(at_desk: Any) -> None:
    """Of two exports of one message that counts which tells more."""
    (one,) = channels([export(form, ASKED, SETTLED) for form in ("CSV", "HTML", "JSON", "CSV")])
    assert [message.form for message in one.messages] == ["JSON", "JSON"]
    desk = at_desk("forms")
    folder = desk.folder / "chats"
    folder.mkdir()
    (folder / f"{NAME}.html").write_bytes(as_html(chat([ASKED])))
    (folder / f"{NAME}.CSV").write_bytes(as_csv(chat([SETTLED])))
    (folder / "p3 [78].json").write_bytes(json.dumps(chat([SETTLED], channel="78")).encode())
    (folder / "notes.txt").write_text("no chat")
    desk.hl("evidence", str(folder))
    assert "3 messages, none of them cited" in desk.err


def test_what_csv_proposes_can_be_typed(at_desk: Any) -> None:
    """It rests on the time, for no link is known."""
    desk = at_desk("typed")
    row = message(0, "cyd", "I lock in")
    row["timestamp"] = "2026-03-02T09:05:00.125+00:00"
    path = desk.folder / "cyd [44].csv"
    path.write_bytes(as_csv(chat([row])))
    desk.now += 3_600_000
    (told,) = desk.json("read", str(path))["proposals"]
    assert told["command"] == "hl lock cyd --at 2026-03-02T09:05:00.125Z" and told["lacks"] == []
    desk.hl(*told["command"].split()[1:])


@pytest.mark.parametrize(
    ("written", "posted", "same"),
    [
        ("Your hand: R2 B4", "Your hand: **R2 B4**", True),
        ("It ends 5 March 2026 18:00. Bye", "It ends <t:1772730000:F>. Bye", True),
        ("a 1 b 2 c", "a <t:1> b <t:2:R> c", True),
        ("Your hand: R2 B5", "Your hand: **R2 B4**", False),
        ("It ends 5 March 2026. Hi", "It ends <t:1772730000:F>. Bye", False),
        ("aa", "aa <t:1> aa", False),
        ("a c", "a <t:1> b <t:2:R> c", False),
    ],
)
def test_posts_are_compared_by_their_words(written: str, posted: str, same: bool) -> None:
    assert same_words(written, posted) is same


@pytest.mark.parametrize("form", FORMS)
def test_a_post_that_was_changed_is_doubted(form: str) -> None:
    post = {"item": "20b", "audience": "p1", "channel": "#p1", "text": "Hand: **R3** until <t:1772730000:F>"}
    rows = [(H2, "posted", {**post, "dropped": False}, link(H2))]
    good, bad = (message(H2, "mara", text) for text in (post["text"], "Hand: **R4** until <t:1772730000:F>"))
    assert not found(form, good, rows=rows).doubts
    assert [doubt.kind for doubt in found(form, bad, rows=rows).doubts] == ["edited"]


# ---- other shapes ----------------------------------------------------------------------------------------------------

PAGE = as_html(chat([ASKED, SETTLED]))
ROWS = as_csv(chat([ASKED, SETTLED]))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"<html><body>welcome</body></html>", "not a chat that DiscordChatExporter wrote"),
        (PAGE[: PAGE.index(b"ok deal")], "is cut off"),
        (PAGE[: PAGE.index(b"</div></div></div></div>") + 3], "is cut off or damaged in line 1"),
        (PAGE.replace(b"ok deal", b"</span><div id='chatlog__message-container-5' class='chatlog__message-container'>"),
         "a message within a message"),
        (PAGE.replace(b"ok deal", b"1 < 2 <3"), "damaged in line 1"),
        (PAGE.replace(b"ok deal", b"&#" + b"9" * 5000 + b";"), "damaged in line 1"),
        (PAGE.replace(b"ok deal", b"x" * 200_000), "damaged in line 1"),
        (PAGE.replace(snowflake(BEGAN + H2).encode(), b"99999999999999999999"), "is no id"),
        (PAGE.replace(b'title="p2"', b""), ""),
        (ROWS + b'"1","x"\r\n', "row 4: it has 2 cells instead of 6"),
        (ROWS.replace(b"Reactions", b"Reactions,More"), "row 1: it has 7 cells instead of 6"),
        (ROWS.replace(b"Reactions", b"Reactions,More").replace(b'""\r\n', b'"",""\r\n'), "row 1: it has 7 cells"),
        (b"\n" + ROWS.removeprefix(b"\xef\xbb\xbf"), ""),
        (PAGE.replace(b"ok deal", b"<div class='chatlog__markdown-quote-content'>" * 5_000), "open within one another"),
        (ROWS + b'"1","x","3/4/2026 9:00 PM","hi","",""\r\n', "messages, item 3, timestamp: is no time"),
        (ROWS + b'"1","' + b"x" * 200_000 + b'"', "is not CSV"),
        (ROWS + b'"1" 2', "is not CSV"),
        (ROWS + b"\xff", "is not text in UTF-8"),
    ],
)  # fmt: skip
def test_what_is_no_such_export_is_refused(data: bytes, says: str) -> None:
    if not says:
        assert len(read_export(data, f"{NAME}.x").messages) == 2
        return
    with pytest.raises(Unreadable) as error:
        read_export(data, f"{NAME}.x")
    assert error.value.code == "chat.shape" and says in error.value.what and "DiscordChatExporter" in error.value.fix


@pytest.mark.parametrize("data", [PAGE, ROWS])
def test_a_file_whose_name_says_no_channel_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as error:
        read_export(data, "chat.html")
    assert "does not say which channel it is from" in error.value.what and "[44]" in error.value.fix


@pytest.mark.parametrize(
    "piece", [b"<!--", b"<a ", b"<a b='", b"<", b'<a b=">', b"</", b"<![CDATA[", b"&", b"<div>", b"<i '>"]
)
def test_no_page_makes_it_wait_for_ever(piece: bytes) -> None:
    begun = time.process_time()
    try:
        read_export(PAGE.replace(b"ok deal", piece * 20_000), f"{NAME}.html")
    except Unreadable:
        pass
    assert time.process_time() - begun < 5


@examples(60, 1_000)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_any_message_is_read_as_it_was_written(text: str) -> None:
    """But for its markdown and the white space."""
    plain = "".join(sign for sign in text if sign not in "*`>✅\x00\r")
    (one,) = read("HTML", message(H2, "P1", plain)).messages
    assert one.content.split() == plain.split()


@examples(150, 3_000)
@given(st.data())
def test_any_damage_is_read_or_refused(data: Any) -> None:
    whole = data.draw(st.sampled_from([PAGE, ROWS]))
    at, end = sorted((data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, len(whole)))))
    put = data.draw(st.binary(max_size=4) | st.sampled_from([b"<div>", b"</div>", b'"', b"<", b"&#x0;", whole[at:end]]))
    try:
        exported = read_export(whole[:at] + put + whole[end:], f"{NAME}.x")
    except Unreadable:
        return
    Comparison(paper(), channels([exported])).run()
    list(proposals(paper(), channels([exported])))
