"""`evidence`: an exported chat beside the log. What is found, what is left alone, and what is no export.

Source: issue "Audit", evidence; docs/looking-back.md.
"""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import given, strategies as st

from events.errors import Unreadable
from games.kinds import PLAYER
from games.records import fields, kebab
from games.registry import names
from ledger.core.match import Match
from ledger.exchange.chat import channels, read_export
from ledger.exchange.evidence import Comparison, Report, is_verb, shapes, words_of
from tests.support import replaying
from tests.support.paper import BEGAN, FIRST, HOUR, TRADE, chat, link, message, paper, snowflake
from tests.support.sizes import examples

H2 = 2 * HOUR


def found(*messages: Any, rows: Any = (), **span: Any) -> Report:
    """What comes of these messages beside these entries."""
    exported = read_export(json.dumps(chat(messages, **span)).encode(), "chat.json")
    return Comparison(paper(*rows), channels([exported])).run()


def kinds(report: Report) -> list[tuple[str, int | None]]:
    return [(doubt.kind, doubt.seq) for doubt in report.doubts]


# ---- messages without an entry -------------------------------------------------------------------------------------

ASKED = message(H2, "P1", "my R3 for your B4?")
SETTLED = message(H2 + 1000, "P2", "ok deal!")


@pytest.mark.parametrize(
    "messages",
    [
        (ASKED, SETTLED),
        (message(H2, "P1", "my R3 for your B4?", approved=["P2"]),),
        (message(H2, "P1", "we traded **red3** and `black4`, confirmed"),),
        (message(H2, "P1", "r3 <-> b4"), message(H2 + 1, "P2", "Confirmed")),
    ],
)
def test_a_confirmed_trade_that_nobody_recorded(messages: Any) -> None:
    report = found(*messages)
    assert kinds(report) == [("no_entry", None)]
    (doubt,) = report.doubts
    assert doubt.what == "looks like a confirmed trade, but no entry says so"
    assert doubt.fix == f"hl trade A GIVE B TAKE --msg {link(H2)}"
    assert doubt.who == "P1"


@pytest.mark.parametrize(
    "messages",
    [
        (ASKED,),  # nobody agreed
        (ASKED, message(H2 + 1, "P1", "ok?")),  # only he himself
        (ASKED, message(H2 + 25 * HOUR, "P2", "ok")),  # a day too late
        (message(H2, "P1", "see you b4 noon"), SETTLED),  # one card is no trade
        (message(H2, "mara", "P1 gave R3 for B4, confirmed"),),  # a host
        (message(H2, "P1", "> my R3 for your B4?\nyes"),),  # a quote is not his
        (message(H2, "P1", "R3 for B4, confirmed", type="ChannelPinnedMessage"),),
        (message(H2, "P1", "R3 for B4, confirmed", author={"id": "1", "name": "p1", "isBot": True}),),
    ],
)
def test_what_is_only_talk(messages: Any) -> None:
    assert kinds(found(*messages)) == []


def test_a_trade_that_is_recorded_is_left_alone() -> None:
    """By the message that asks, by the one that consents, by none: what it says counts, not which message it cites."""
    for evidence in (link(H2), link(H2 + 1000), None):
        report = found(ASKED, SETTLED, rows=[(H2, "trade", TRADE, evidence)])
        assert kinds(report) == []
        assert report.cited == (evidence is not None)


def test_other_cards_or_other_people_are_not_the_same_trade() -> None:
    for other in ({**TRADE, "take": "B3"}, {"a": "p3", "give": "R2", "b": "p4", "take": "B4"}):
        report = found(ASKED, SETTLED, rows=[(H2, "trade", other)])
        assert kinds(report) == [("no_entry", None)]


def test_what_is_said_again_days_later_is_another_thing() -> None:
    assert kinds(found(ASKED, SETTLED, rows=[(H2 + 49 * HOUR, "trade", TRADE)])) == [("no_entry", None)]
    assert kinds(found(ASKED, SETTLED, rows=[(H2 + 47 * HOUR, "trade", TRADE)])) == []


def test_who_repeats_it_is_doubted_once() -> None:
    assert len(found(ASKED, message(H2 + 9, "P2", "ok, R3 for B4, confirmed")).doubts) == 1


def test_a_bare_verb_and_one_with_a_card() -> None:
    """What one player can say alone needs nobody's consent."""
    report = found(
        message(H2, "P1", "I lock in"),
        message(H2 + 1, "P2", "recoloring B3 please"),
        message(H2 + 2, "P3", "this lock on my door never worked, somebody please send help"),
        message(H2 + 3, "P4", "locked"),
        rows=[(H2 + 3, "lock", {"player": "p4"})],
    )
    assert [(doubt.who, doubt.what.split(",")[0]) for doubt in report.doubts] == [
        ("P1", "looks like a lock"), ("P2", "looks like a recolour"),
    ]  # fmt: skip


def test_a_vote_needs_a_name() -> None:
    report = found(message(H2, "P1", "I vote for P2"), message(H2 + 1, "P3", "I vote tomorrow"))
    assert [doubt.who for doubt in report.doubts] == ["P1"]


def test_an_undone_entry_has_been_dealt_with() -> None:
    rows = [(H2, "trade", TRADE, link(H2)), (80 * HOUR, "undo", {"target": FIRST})]
    assert kinds(found(message(H2, "P1", "R3 for B4 confirmed"), rows=rows)) == []


# ---- entries and their messages ------------------------------------------------------------------------------------


def test_an_entry_whose_message_is_gone() -> None:
    report = found(message(H2 + 5, "P2", "hello"), rows=[(H2, "trade", TRADE, link(H2))])
    assert kinds(report) == [("no_message", FIRST)]
    assert report.doubts[0].at == BEGAN + H2


def test_a_message_of_another_channel_is_not_missed() -> None:
    report = found(rows=[(H2, "trade", TRADE, link(H2, "78"))])
    assert kinds(report) == [] and report.not_checked == (
        "1 entry rests on messages of channels that were not given: 78",
    )


@pytest.mark.parametrize(
    "span",
    [
        {"after": "2026-11-20T00:00:00+00:00"},
        {"before": "2026-11-18T00:00:00+01:00"},
        {"exported": "2026-11-18T12:00:00.1234567+00:00"},
    ],
)
def test_a_message_outside_the_span_is_not_missed(span: Any) -> None:
    report = found(rows=[(H2, "trade", TRADE, link(H2))], **span)
    assert kinds(report) == []
    assert report.not_checked == ("1 entry rests on messages outside the span of the export",)


def test_a_message_that_was_edited_after_it_was_recorded() -> None:
    asked = message(H2, "P1", "R3 for B4, confirmed", edited=5 * HOUR)
    row = (H2, "trade", TRADE, link(H2))
    assert kinds(found(asked, rows=[(*row, 4 * HOUR)])) == [("edited", FIRST)]
    assert found(asked, rows=[(*row, 4 * HOUR)]).doubts[0].what.startswith("edited 1 h after a host last looked at it;")
    assert kinds(found(asked, rows=[(*row, 6 * HOUR)])) == []


@pytest.mark.parametrize("verb", ["confirm", "amend"])
def test_a_host_who_looked_again_has_seen_the_edit(verb: str) -> None:
    asked = message(H2, "P1", "R3 for B4, confirmed", edited=5 * HOUR)
    args: dict[str, Any] = {"target": FIRST, **({"args": {**TRADE, "take": "R4"}} if verb == "amend" else {})}
    rows = [(H2, "trade", TRADE, link(H2), 4 * HOUR), (6 * HOUR, verb, args, None, 6 * HOUR)]
    assert kinds(found(asked, rows=rows)) == []


def test_a_message_of_somebody_else() -> None:
    row = (H2, "trade", TRADE, link(H2))
    assert kinds(found(message(H2, "P5", "R3 for B4"), rows=[row])) == [("author", FIRST)]
    for who in ("P1", "P2", "mara", "BEN"):
        assert kinds(found(message(H2, who, "R3 for B4"), rows=[row])) == []


def test_the_one_voted_for_did_not_vote() -> None:
    """Of the players that an entry names only those who may open it can have said it: a vote is the voter's."""
    end = [(H2, "close", {"phase": "trading"})]
    row = (3 * HOUR, "vote", {"voter": "p1", "candidate": "p2"}, link(3 * HOUR))
    match = paper(*end, row)
    live = {o.entry.seq for o in match.fold.outcomes}
    assert FIRST + 1 in live
    report = found(message(3 * HOUR, "P2", "P1 votes for me"), rows=[*end, row])
    assert ("author", FIRST + 1) in kinds(report)


def test_an_unknown_author_is_said_and_not_judged() -> None:
    report = found(message(H2, "Somebody", "R3 for B4"), rows=[(H2, "trade", TRADE, link(H2))])
    assert kinds(report) == []
    assert 'who "Somebody" is: hl alias PLAYER "Somebody"' in report.not_checked


def test_an_alias_may_be_the_id_of_an_account() -> None:
    """Nicknames change; the number of the account does not."""
    stranger = message(H2, "Somebody", "R3 for B4")
    rows = [(0, "alias", {"player": "p1", "alias": stranger["author"]["id"]}), (H2, "trade", TRADE, link(H2))]
    report = found(stranger, rows=rows)
    assert kinds(report) == [] and not any("who" in line for line in report.not_checked)


def test_an_id_that_tells_another_time() -> None:
    """A timestamp that was changed by hand."""
    moved = message(H2, "P1", "hello", timestamp="2026-11-18T20:00:00+00:00")
    assert kinds(found(moved)) == [("clock", None)]


def test_a_direct_message_has_a_link_of_its_own() -> None:
    exported = {**chat([message(H2, "P1", "I lock in")]), "guild": {"id": "0", "name": "Direct Messages"}}
    (read,) = channels([read_export(json.dumps(exported).encode(), "chat.json")])
    (one,) = read.messages
    assert read.evidence(one) == ("--msg", f"https://discord.com/channels/@me/77/{one.id}")


# ---- what is no export ---------------------------------------------------------------------------------------------

GOOD = chat([message(H2, "P1", "hello")])


def broken(**changed: Any) -> dict[str, Any]:
    return {**GOOD, "messages": [{**GOOD["messages"][0], **changed}]}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe", "is not text in UTF-8"),
        (b"<html>", "is HTML, but not a chat that DiscordChatExporter wrote"),
        (b"[" * 100_000, "is not a JSON, HTML or CSV export of DiscordChatExporter"),
        (b"[]", "it must be a table"),
        (b"7", "it must be a table"),
        (b'{"messages": []}', "channel.id: is missing"),
        (b'{"channel": {"id": "x"}, "messages": []}', "channel.id: is no id"),
        (json.dumps({**GOOD, "messages": [7]}).encode(), "messages, item 1: must be a table"),
        (json.dumps(broken(id=None)).encode(), "messages, item 1, id: is no id"),
        (json.dumps(broken(timestamp="yesterday-ish")).encode(), "messages, item 1, timestamp: is no time"),
        (json.dumps(broken(author="P1")).encode(), "messages, item 1, author: must be a table"),
        (json.dumps(broken(content=None)).encode(), "messages, item 1, content: must be a text"),
        (json.dumps(broken(timestampEdited=5)).encode(), "messages, item 1, timestampEdited: is no time"),
        (json.dumps({**GOOD, "dateRange": {"after": "soon"}}).encode(), "dateRange.after: is no time"),
    ],
)
def test_another_shape_is_named(data: bytes, says: str) -> None:
    with pytest.raises(Unreadable) as error:
        read_export(data, "chat.json")
    assert error.value.code == "chat.shape" and says in error.value.what and "DiscordChatExporter" in error.value.fix


def test_all_that_is_wrong_with_a_chat_is_told_at_once() -> None:
    data = {**GOOD, "channel": {"id": "x"}, "messages": [{**broken(id=None)["messages"][0], "content": 3}] * 30}
    with pytest.raises(Unreadable) as error:
        read_export(json.dumps(data).encode(), "chat.json")
    head, *lines = error.value.what.split("\n")
    assert head == "chat.json has 61 faults" and lines[0].startswith("channel.id: is no id") and len(lines) == 21
    assert "messages, item 2, content: must be a text" in error.value.what and lines[-1] == "and 41 more"


@examples(100, 300)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(string.printable, max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["channel", "messages", "id", "author", "content", "timestamp", "reactions", "emoji", "users"]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=30,
    )
)
def test_any_json_is_read_or_refused(value: Any) -> None:
    """Never a traceback, whatever the file holds; also where only a part is wrong."""
    for data in (
        value,
        {**GOOD, "messages": [value]},
        {**GOOD, "messages": [{**GOOD["messages"][0], "reactions": value}]},
    ):
        try:
            exported = read_export(json.dumps(data).encode(), "chat.json")
        except Unreadable:
            continue
        Comparison(paper(), channels([exported])).run()


@examples(70, 200)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_message_is_looked_at(one: str, two: str) -> None:
    found(message(H2, "P1", one), message(H2 + 1, "P2", two))


# ---- words ---------------------------------------------------------------------------------------------------------


def test_words_and_verbs() -> None:
    assert words_of("R3/B4 – ok? (sure) <#77> <:yes:1234567890123456>") == ["R3", "B4", "–", "ok", "sure"]
    assert is_verb("locking", "lock") and is_verb("bidding", "bid") and not is_verb("locksmith", "lock")


def test_ids_are_clocks() -> None:
    """The builder of this file and the ledger agree on what a message id tells."""
    from events import snowflake_ms

    assert snowflake_ms(int(snowflake(BEGAN))) == BEGAN


# ---- every game ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=names())
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Match:
    return replaying.played(request.param, tmp_path_factory.mktemp("evidence") / request.param)


def spoken(match: Match) -> list[tuple[str, dict[str, Any]]]:
    """(verb, message) for each entry that a player could have said: its words of the game, and that it is agreed.

    In a game whose players say nothing with words of its own there is nothing to test.
    """
    found_ = []
    by_verb = {kebab(shape.cls): shape for shape in shapes(match)}
    for outcome in match.fold.outcomes:
        live, shape = outcome.entry, by_verb.get(outcome.entry.do)
        if shape is None or outcome.refusal is not None or not shape.slots:
            continue
        action = match.engine.read(live.do, live.args, match.table)
        first = next(getattr(action, field.name) for field in fields(shape.cls) if field.kind is PLAYER)
        values = [value for slot in shape.slots if (value := getattr(action, slot.name)) not in (None, "")]
        words = " ".join(str(value) for value in values)
        if words:
            text = f"{words} confirmed" if shape.agreed else "\n".join([live.do, *map(str, values)])
            found_.append((live.do, message(live.at - BEGAN, first, text)))
    return found_ or pytest.skip("nothing in this match is said with words of the game")


def test_what_was_recorded_is_not_doubted(played: Match) -> None:
    said = spoken(played)
    exported = read_export(json.dumps(chat(one for _, one in said)).encode(), "chat.json")
    assert not [doubt for doubt in Comparison(played, channels([exported])).run().doubts if doubt.kind == "no_entry"]


def test_what_was_not_recorded_is(played: Match) -> None:
    """The same messages beside the log as it was before play: all but those that say again what was said before."""
    early = played.as_known(next(e.seq for e in played.book.entries if e.body.do == "open"))
    said = spoken(played)
    exported = read_export(json.dumps(chat(one for _, one in said)).encode(), "chat.json")
    doubts = [doubt for doubt in Comparison(early, channels([exported])).run().doubts if doubt.kind == "no_entry"]
    assert len(doubts) > len({one["content"] for _, one in said}) // 2
    verbs = {doubt.fix.split()[1] for doubt in doubts}
    assert verbs & {do for do, _ in said}
