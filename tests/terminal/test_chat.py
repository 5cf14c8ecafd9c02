"""`evidence` and `read` over an exported chat beside the log: what is doubted, proposed and left alone; and
that all files of a channel are one channel, in every form of DiscordChatExporter, as far as a form tells it.

What a form lacks is said, never guessed; a file of another shape, cut off or made to hang is refused.
Source: docs/looking-back.md, "What the chat says".
"""

from __future__ import annotations

import itertools
import json
import re
import string
import time
from typing import Any

import pytest
from hypothesis import given, strategies as st

from events import write_instant
from events.errors import Unreadable
from games.kinds import PLAYER
from games.records import fields, kebab
from games.registry import names
from ledger.core.match import Match
from ledger.exchange.chat import Chat, Export, channels, read_export
from ledger.exchange.evidence import Comparison, is_verb, proposals, same_words, shapes, words_of
from tests.support import replaying
from tests.support.exported import as_csv, as_html
from tests.support.paper import BEGAN, HOUR, TRADE, chat, link, message, paper, snowflake
from tests.support.sizes import examples
from tests.table.lines import cases

MINUTE, H2 = 60_000, 2 * HOUR
NAME = "Season - pairs - p1-p2 [77]"
FORMS = ("JSON", "HTML", "CSV")


def export(messages: Any, form: str = "JSON", name: str = NAME, server: str = "845", **span: Any) -> Export:
    """A file of that form with these messages."""
    told = chat(messages, **span)
    data = {"JSON": json.dumps(told).encode(), "HTML": as_html(told, server), "CSV": as_csv(told)}[form]
    return read_export(data, f"{name}.{form.lower()}")


def read(form: str, *messages: Any, server: str = "845") -> Chat:
    """The channel in such a file."""
    (one,) = channels([export(messages, form, server=server)])
    return one


# ---- a chat and what comes of it -------------------------------------------------------------------------------------

CHATS = """
a confirmed trade that nobody recorded
  P1: my R3 for your B4? ; P2: ok deal!
  -> no_entry ; what == looks like a confirmed trade, but no entry says so ; who == P1
  takes == trade p1 R3 p2 B4
a confirmed trade says how it is recorded, by the message where its id is known
  only JSON HTML ; P1: my R3 for your B4? ; P2: ok deal! ; -> no_entry ; fix == hl trade A GIVE B TAKE --msg {link 1}
a tick is consent, also where nobody says whose; the rules say which of two cards can be given
  P1 approved=P2: R3 <-> B4 with P2 ; -> no_entry ; readings == R3 B4, B4 R3
words of a trade in many spellings
  P1: we traded **red3** and `black4`, confirmed ; -> no_entry ; takes == trade p1 R3 B B4
confirmed is consent as well
  P1: r3 <-> b4 ; P2: Confirmed ; -> no_entry
nobody agreed
  P1: my R3 for your B4? ; -> ; takes ==
only they themselves agreed
  P1: my R3 for your B4? ; P1: ok? ; ->
a day too late
  P1: my R3 for your B4? ; P2 at=27h1m: ok ; ->
one card is no trade
  P1: see you b4 noon ; P2: ok deal! ; ->
a host trades nothing
  mara: P1 gave R3 for B4, confirmed ; ->
a quote is not theirs
  P1: > my R3 for your B4?|yes ; ->
a notice of the program says nothing
  P1 type=ChannelPinnedMessage: R3 for B4, confirmed ; P2: hi ; ->
a bot says nothing
  only JSON HTML ; P1 bot=1: R3 for B4, confirmed ; ->
a trade that is recorded is left alone, by whichever message it cites, or by none
  P1: my R3 for your B4? ; P2: ok deal! ; entry trade on=1 ; -> ; cited == 1
a trade that is recorded is left alone, by the message that consents
  only JSON HTML ; P1: my R3 for your B4? ; P2: ok deal! ; entry trade on=2 ; -> ; cited == 1
a trade that is recorded is left alone, by an id, and by no message
  P1: my R3 for your B4? ; P2: ok deal! ; entry trade on=id ; -> ; takes ==
a trade that is recorded without a message is left alone
  P1: my R3 for your B4? ; P2: ok deal! ; entry trade ; -> ; cited == 0
other cards are not the same trade
  P1: my R3 for your B4? ; P2: ok deal! ; entry trade take=B3 ; -> no_entry
other people are not the same trade
  P1: my R3 for your B4? ; P2: ok deal! ; entry trade a=p3 give=R2 b=p4 ; -> no_entry
what is said again days later is another thing
  P1: my R3 for your B4? ; P2: ok deal! ; entry trade at=51h ; -> no_entry
what is said again within two days is the same
  P1: my R3 for your B4? ; P2: ok deal! ; entry trade at=49h ; ->
who repeats it is doubted once
  P1: my R3 for your B4? ; P2: ok, R3 for B4, confirmed ; -> no_entry
what one player can say alone needs nobody's consent: a bare verb, or one with a card
  P1: I lock in ; P2: recoloring B3 please ; P3: this lock on my door never worked, somebody please send help
  P4: locked
  entry lock player=p4 ; -> no_entry, no_entry ; who == P1 P2 ; takes == lock p1, recolour p2 B3
a vote needs a name
  P1: I vote for P2 ; P3: I vote tomorrow ; -> no_entry ; who == P1
an undone entry has been dealt with
  P1: R3 for B4 confirmed ; entry trade on=1 ; entry undo target=20 at=80h ; ->
an entry whose message is gone
  P2 at=2h1m: hello ; P4 at=9h: good night ; entry trade on=gone at=3h ; -> no_message 20
a message of another channel is not missed
  entry trade on=gone channel=78 ; -> ; unchecked == 1 entry rests on messages of channels that were not given: 78
a message that was edited after a host last looked at it
  only JSON ; P1 edited=5h: R3 for B4, confirmed ; entry trade on=1 recorded=4h ; -> edited 20
  what ~ edited 1 h after a host last looked at it;
a message that was edited before a host looked at it
  only JSON ; P1 edited=5h: R3 for B4, confirmed ; entry trade on=1 recorded=6h ; ->
a host who confirmed since has seen the edit
  only JSON ; P1 edited=5h: R3 for B4, confirmed ; entry trade on=1 recorded=4h
  entry confirm target=20 at=6h recorded=6h ; ->
a form that does not say when a message was edited says so
  only HTML ; P3 edited=100h: I lock in ; entry lock player=p3 on=1 ; ->
  unchecked ~ when a message was edited, who put a sign under it: HTML does not say it (p1-p2)
  unchecked ~ 1 entry rests on a message that was edited at an unknown time: 20; export as JSON
a form without ids says so
  only CSV ; P3 edited=100h: I lock in ; entry lock player=p3 on=1 ; -> ; unchecked ~ ids of messages ; unchecked ~ CSV
a form that says all says nothing of it
  only JSON ; P3 edited=100h: I lock in ; entry lock player=p3 on=1 ; -> edited 20 ; unchecked !~ does not say
a message of somebody else
  P5: R3 for B4 ; entry trade on=1 ; -> author 20
a message of either side, or of a host
  P1: R3 for B4 ; P2: R3 for B4 ; mara: R3 for B4 ; BEN: R3 for B4
  entry trade on=1 ; entry note text=x on=2 ; entry note text=x on=3 ; entry note text=x on=4 ; ->
the one voted for did not vote: a vote is the voter's
  P2 at=3h: P1 votes for me ; entry close phase=trading ; entry vote voter=p1 candidate=p2 at=3h on=1 ; -> author 21
an unknown author is said and not judged
  Somebody: R3 for B4 ; entry trade on=1 ; ->
  only JSON HTML ; unchecked ~ who "Somebody" is: hl alias PLAYER "Somebody"
an alias may be the id of an account: nicknames change, the number does not
  Somebody: R3 for B4 ; entry alias player=p1 alias=account at=0h ; entry trade on=1 ; -> ; unchecked !~ who "
an id that tells another time: a timestamp that was changed by hand
  only JSON ; P1 timestamp=2026-11-18T20:00:00+00:00: hello ; -> clock
what is recorded or settled is not proposed; who wrote it is the player
  P3: I lock in ; takes == lock p3 ; settled 1 ; takes ==
what is recorded is not proposed
  P3: I lock in ; entry lock player=p3 ; takes ==
a post is compared with what was sent, by its words
  mara: Hand: **R3** until <t:1772730000:F> ; entry posted on=1 ; ->
a post that was changed is doubted
  mara: Hand: **R4** until <t:1772730000:F> ; entry posted on=1 ; -> edited 20
a message from after the span is not missed
  only JSON ; file after=2026-11-20T00:00:00+00:00 ; entry trade on=gone ; ->
  unchecked == 1 entry rests on messages outside the span of the export
a message from before the span is not missed
  only JSON ; file before=2026-11-18T00:00:00+01:00 ; entry trade on=gone ; ->
  unchecked == 1 entry rests on messages outside the span of the export
a message that was written after the export is not missed
  only JSON ; file exported=2026-11-18T12:00:00.1234567+00:00 ; entry trade on=gone ; ->
  unchecked == 1 entry rests on messages outside the span of the export
messages without text are named, as of an account without the right to read, or pictures: nothing in them was compared
  only JSON CSV ; P1: ; P2: ; ->
  unchecked ~ 2 messages of p1-p2 without text; may the account that exported them read messages?
what was passed on is named
  only JSON ; P1 forwarded=R3,B4: ; P2: ; P2: k ; ->
  unchecked ~ 1 message of p1-p2 with a forwarded text, 1 message of p1-p2 without text
the newest words count, by the export, or by the edit that a file shows which does not say when it was exported
  only JSON ; file exported=3h ; P1 at=2h: first ; file exported= ; P1 at=2h edited=4h: second
  file exported=6h ; P1 at=2h edited=5h: third ; says == third ; unchecked !~ differently
of copies that nobody can order, as HTML does not say when it was exported, the edited one is taken, and it is said
  only HTML ; file ; P1 at=2h: old ; file ; P1 at=2h edited=3h: new ; says == new
  unchecked ~ 1 message of p1-p2 that several files tell differently, and none says which is newer: export as JSON
an edit that only HTML shows is not lost
  only JSON ; file ; P3 at=2h: I lock in ; file form=HTML ; P3 at=2h edited=9h: no ; entry lock player=p3 on=1
  unchecked ~ was edited at an unknown time: 20
a copy without text, as a bot exports it that may not read, does not hide one with it
  only JSON ; file exported=300h ; P1 at=2h: ; file ; P1 at=2h: hi ; says == hi
files of some days do not span what is between them
  only HTML ; file as=(2026-11-10_to_2026-11-10) ; P1 at=2h: hi ; file as=(2026-11-11_to_2026-11-11) ; P1 at=9h: hi
  entry lock player=p3 on=gone at=5h ; ->
files of a whole channel, or of its parts, span from the first message to the last
  only HTML ; file ; P1 at=2h: hi ; file as=[part_2] ; P1 at=9h: hi ; entry lock player=p3 on=gone at=5h
  -> no_message 20
"""
POST = {"item": "20b", "audience": "p1", "channel": "#p1", "dropped": False}
POST |= {"text": "Hand: **R3** until <t:1772730000:F>"}
UNITS = {"h": HOUR, "m": MINUTE}


def after(text: str) -> int:
    """`27h1m` in ms."""
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([hm])", text))


def given_of(words: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words.split())


def said_by(who: str, words: str, content: str, number: int) -> dict[str, Any]:
    """The message of a statement: a second after the one before it."""
    more: dict[str, Any] = given_of(words)
    at = after(more.pop("at")) if "at" in more else H2 + number * 1000
    more |= {"edited": after(more["edited"])} if "edited" in more else {}
    more |= {"approved": [more["approved"]]} if "approved" in more else {}
    more |= {"forwardedMessage": {"content": more.pop("forwarded")}} if "forwarded" in more else {}
    made = message(at, who, content.replace("|", "\n"), **{key: one for key, one in more.items() if key != "bot"})
    made["author"]["isBot"] = "bot" in more
    return made


def file_of(form: str, words: str, said: list[dict[str, Any]]) -> Export:
    """The file of a statement: of a form and with an end of its name of its own, where it says so."""
    more: dict[str, Any] = given_of(words)
    form, ending = more.pop("form", form), more.pop("as", "").replace("_", " ")
    if "exported" in more:
        more["exported"] = _iso(after(more["exported"])) if more["exported"].endswith("h") else more["exported"] or None
    return export(said, form, f"{NAME} {ending}".strip(), **more)


def entry(verb: str, words: str, said: list[dict[str, Any]]) -> Any:
    """The row of a statement; it cites a message of the chat, or one that is gone."""
    more = given_of(words)
    at, on, recorded = more.pop("at", "2h"), more.pop("on", ""), more.pop("recorded", "80h")
    cited = link(after(at), more.pop("channel", "77")) if on == "gone" else None
    if on.isdigit():
        cited = f"https://discord.com/channels/845/77/{said[int(on) - 1]['id']}"
    cited = said[0]["id"] if on == "id" else cited
    args = {"trade": TRADE, "posted": POST}.get(verb, {}) | {k: int(v) if k == "target" else v for k, v in more.items()}
    args |= {"alias": said[0]["author"]["id"]} if args.get("alias") == "account" else {}
    return after(at), verb, args, cited, after(recorded)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", cases(CHATS))
def test_what_comes_of_a_chat(case: str, form: str) -> None:
    """`WHO: WORDS` is a message, two hours after the beginning; `entry VERB` stands in the log and cites a message by
    its number; `->` are the doubts; `what`, `who`, `fix` are of them, `takes` and `readings` of what is proposed. With
    `file` begins another file of the channel: in whatever order they are read, the same comes of them.
    """
    said: list[dict[str, Any]] = []
    files: list[tuple[str, list[dict[str, Any]]]] = []
    rows: list[Any] = []
    settled: list[str] = []
    for one in (one.strip() for line in case.splitlines() for one in line.split(" ; ")):
        if one.startswith("only "):
            if form not in one:
                return
        elif one.startswith("entry "):
            verb, _, words = one.removeprefix("entry ").partition(" ")
            rows.append(entry(verb, words, said))
        elif one.startswith("settled "):
            settled.append(said[int(one.split()[1]) - 1]["id"])
        elif one.split()[0] == "file":
            files.append((one.removeprefix("file"), []))
        elif spoken := re.fullmatch(r"(\w+)((?: \w+=\S+)*):(?: (.*))?", one):
            said.append(said_by(*spoken.groups(""), len(said)))
            if files:
                files[-1][1].append(said[-1])
        else:
            for order in itertools.permutations(file_of(form, *file) for file in files or [("", said)]):
                comes_to(one, form, paper(*rows), channels(order), settled)


def comes_to(one: str, form: str, match: Match, exported: list[Chat], settled: list[str]) -> None:
    """Hold what a statement says against what comes of the files."""
    report, made = Comparison(match, exported).run(), list(proposals(match, exported, settled))
    lines = [one.line(one.readings[0]).split(" --")[0] for one in made]
    asked = {
        "->": [doubt.kind + f" {doubt.seq}" * (doubt.seq is not None) for doubt in report.doubts],
        "what": [doubt.what for doubt in report.doubts], "fix": [doubt.fix for doubt in report.doubts],
        "who": [" ".join(doubt.who for doubt in report.doubts)], "unchecked": report.not_checked,
        "cited": [str(report.cited)], "takes": lines,
        "readings": [f"{words.get('give')} {words.get('take')}" for one in made for words in one.readings],
        "says": [message.content.strip() for chat in exported for message in chat.messages],
    }  # fmt: skip
    what, how, wanted = re.fullmatch(r"(\S+)(?: (==|!~|~))? ?(.*)", one).groups()  # type: ignore[union-attr]
    told, wanted = ", ".join(asked[what]), re.sub(r"\{link 1\}", link(H2), wanted)
    told = told.upper() if form == "CSV" and what == "who" else told  # it has the name of the account
    good = told == wanted if how in (None, "==") else (wanted in told) is (how == "~")
    assert good, f"{one}\n    but: {told}"


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


def test_the_server_is_read_from_its_picture_and_not_made_up() -> None:
    (one,) = read("HTML", ASKED, server="").messages
    assert read("HTML", ASKED, server="").evidence(one) == ("--msg", snowflake(BEGAN + H2))


def test_a_folder_of_all_forms_says_each_message_once(at_desk: Any) -> None:
    """Of two exports of one message that counts which tells more."""
    (one,) = channels([export((ASKED, SETTLED), form) for form in ("CSV", "HTML", "JSON", "CSV")])
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
        ("a c", "a <t:1> b <t:2> <t:3>", False),
    ],
)
def test_posts_are_compared_by_their_words(written: str, posted: str, same: bool) -> None:
    assert same_words(written, posted) is same


def test_a_direct_message_has_a_link_of_its_own() -> None:
    exported = {**chat([message(H2, "P1", "I lock in")]), "guild": {"id": "0", "name": "Direct Messages"}}
    (read,) = channels([read_export(json.dumps(exported).encode(), "chat.json")])
    (one,) = read.messages
    assert read.evidence(one) == ("--msg", f"https://discord.com/channels/@me/77/{one.id}")


# ---- words ---------------------------------------------------------------------------------------------------------


def test_words_and_verbs() -> None:
    assert words_of("R3/B4 – ok? (sure) <#77> <:yes:1234567890123456>") == ["R3", "B4", "–", "ok", "sure"]
    assert is_verb("locking", "lock") and is_verb("bidding", "bid") and not is_verb("locksmith", "lock")


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


# ---- what is no export ---------------------------------------------------------------------------------------------

GOOD = chat([message(H2, "P1", "hello")])


def broken(**changed: Any) -> dict[str, Any]:
    return {**GOOD, "messages": [{**GOOD["messages"][0], **changed}]}


def test_all_that_is_wrong_with_a_chat_is_told_at_once() -> None:
    data = {**GOOD, "channel": {"id": "x"}, "messages": [{**broken(id=None)["messages"][0], "content": 3}] * 30}
    with pytest.raises(Unreadable) as error:
        read_export(json.dumps(data).encode(), "chat.json")
    head, *lines = error.value.what.split("\n")
    assert head == "chat.json has 61 faults" and lines[0].startswith("channel.id: is no id") and len(lines) == 21
    assert "messages, item 2, content: must be a text" in error.value.what and lines[-1] == "and 41 more"


keys = st.sampled_from(["channel", "messages", "id", "author", "content", "timestamp", "reactions", "emoji", "users"])
plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(string.printable, max_size=8)
nested = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5), max_leaves=30
)


@examples(100, 300)
@given(nested)
def test_any_json_is_read_or_refused(value: Any) -> None:
    """Never a traceback, whatever the file holds; also where only a part is wrong."""
    for data in (value, {**GOOD, "messages": [value]}, broken(reactions=value)):
        try:
            exported = read_export(json.dumps(data).encode(), "chat.json")
        except Unreadable:
            continue
        Comparison(paper(), channels([exported])).run()


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
)  # fmt: skip
def test_what_is_no_such_export_is_refused(data: bytes, says: str) -> None:
    if not says:
        assert len(read_export(data, f"{NAME}.x").messages) == 2
        return
    with pytest.raises(Unreadable) as error:
        read_export(data, f"{NAME}.x")
    assert error.value.code == "chat.shape" and says in error.value.what and "DiscordChatExporter" in error.value.fix


@pytest.mark.parametrize("data", [PAGE, ROWS])
def test_a_file_whose_name_says_no_channel_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match="does not say which channel it is from"):
        read_export(data, "chat.html")


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


# ---- what nobody has read is not clean -------------------------------------------------------------------------------


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


# ---- all files of a channel ------------------------------------------------------------------------------------------

SAID = (
    ("P1", "my R3 for your B4?"), ("P2", "deal"), ("P2", "ok"), ("P3", "I lock in"), ("P4", "hello there"),
    ("P1", "we traded R6 and B7, confirmed"), ("Nobody", "R2 for B3"), ("mara", "please lock"), ("P5", ""),
)  # fmt: skip


def outcome(exports: Any) -> Any:
    """What comes of these files."""
    rows = [
        (H2, "trade", TRADE, link(H2)),
        (H2 + 3 * MINUTE, "lock", {"player": "p3"}, link(H2 + 3 * MINUTE)),
        (H2 + 90_000, "lock", {"player": "p8"}, link(H2 + 90_000)),  # no such message
    ]
    match = paper(*rows)
    report = Comparison(match, channels(exports)).run()
    made = [(one.message.at, one.settles.at, one.cls, one.readings) for one in proposals(match, channels(exports))]
    return report, made


@st.composite
def cut(draw: Any) -> tuple[list[Any], list[Any]]:
    """(messages of a channel, files that together hold them: overlapping, in any order, some of them older)."""
    said = draw(st.lists(st.sampled_from(SAID), min_size=1, max_size=8))
    edited = draw(st.lists(st.sampled_from((None, 5 * HOUR, 90 * HOUR)), min_size=len(said), max_size=len(said)))
    ticks = draw(st.lists(st.sampled_from(((), ("P2",))), min_size=len(said), max_size=len(said)))
    newest = [
        message(H2 + n * MINUTE, who, words, edited=edited[n], approved=ticks[n]) for n, (who, words) in enumerate(said)
    ]
    files = []
    for copy in range(draw(st.integers(1, 4))):
        held = [newest[n] for n in sorted(draw(st.lists(st.sampled_from(range(len(newest))), unique=True)))]
        if old := draw(st.booleans()):
            was = {"timestampEdited": None, "reactions": []}
            held = [{**one, **was, "content": one["content"] and "R9 for B9, confirmed"} for one in held]
        files.append((held, 100 * HOUR if old else 200 * HOUR, copy))
    got = {one["id"] for held, at, _ in files if at == 200 * HOUR for one in held}
    files.append(([one for one in newest if one["id"] not in got], 200 * HOUR, 9))
    return newest, [
        export(held, name=NAME + (f" [part {n}]" if n else ""), exported=_iso(at))
        for held, at, n in draw(st.permutations(files))
    ]


def _iso(after: int) -> str:
    return write_instant(BEGAN + after)


@examples(120, 2_000)
@given(cut())
def test_a_channel_in_any_files_is_the_channel(made: Any) -> None:
    """Parts, overlapping exports, older ones among them: the newest copy of each message counts, in any order."""
    newest, files = made
    assert outcome(files) == outcome([export(newest)])
