"""The bytes: vectors, canonical form, instants, bodies, lines, and a checker that shares no code with us."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import events.canon
import events.entry
from events import Damaged, LogFile, Unreadable, create, read_chain
from events.audiences import EVERYBODY, EVERYBODY_AFTER_END, HOST, HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.canon import MAX_DEPTH, NotCanonical, dumps, is_name, loads
from events.entry import GENESIS, MAX_LINE_BYTES, Body, close_line, read_bodies, read_body, seal, write_body, write_line
from events.instants import read_instant, snowflake_ms, write_instant
from tests.support.logs import body, nested, told
from tests.support.sizes import examples

CHECKER = Path(__file__).parents[2] / "docs" / "check_log.py"
HEAD = "82c7270b8085f7b4fa5b7e7a86ea0ecedc4458c6bf95fdcd08f8d80757924b47"
FIRST = (
    b'{"seq":1,"prev":"0000000000000000000000000000000000000000000000000000000000000000",'
    b'"seal":"2d96d647f12de6b74f8ae4ff46a42606cb0b6cd40722e430231e340b5d5a2747",'
    b'"salt":"00112233445566778899aabbccddeeff",'
    b'"body":{"args":{"text":"caf\\u00e9 \\u2660 \\ud83c\\udccf /"},"at":"2026-03-02T10:00:00.000Z","by":"mara",'
    b'"do":"note","recorded":"2026-03-02T10:00:01.000Z"}}\n'
)
SECOND = (
    b'{"seq":2,"prev":"94a3c10bae9db9c1dc34d7049cbf2600525c3cf3a57be67ae617799d45f03455",'
    b'"seal":"dc93f86888e8429f75456eb8679b24ba7ff17f2e90e68a4ab5ae2b70360087ee",'
    b'"salt":"ffeeddccbbaa99887766554433221100",'
    b'"body":{"args":{"a":"ann","b":"bob","give":"R7","take":"B9"},"at":"2026-03-02T10:05:00.000Z","by":"mara",'
    b'"do":"trade","recorded":"2026-03-02T10:05:02.000Z"}}\n'
)
CLOSED = FIRST[: FIRST.index(b',"salt"')] + b"}\n"
GOOD = b'{"args":{"n":1},"at":"2026-03-02T10:00:00.000Z","by":"mara","do":"note","recorded":"2026-03-02T10:00:01.000Z"}'


# -- vectors


def test_the_vectors_verify_and_end_in_the_published_head():
    lines = list(read_chain([FIRST, SECOND]))
    assert lines[-1].hash == HEAD
    assert [(x.seq, x.offset, x.size) for x in lines] == [(1, 0, len(FIRST)), (2, len(FIRST), len(SECOND))]
    assert read_body(lines[0].body).args == {"text": "café ♠ 🃏 /"}
    closed = list(read_chain([CLOSED, SECOND]))
    assert [x.body is None for x in closed] == [True, False]
    assert [x.hash for x in closed] == [x.hash for x in lines]


def test_writing_the_vectors_again_gives_their_bytes():
    note = Body("note", 1772445600000, "mara", 1772445601000, {"text": "café ♠ 🃏 /"})
    trade = Body("trade", 1772445900000, "mara", 1772445902000, {"b": "bob", "a": "ann", "take": "B9", "give": "R7"})
    first, prev = write_line(1, GENESIS, "00112233445566778899aabbccddeeff", write_body(note))
    second, head = write_line(2, prev, "ffeeddccbbaa99887766554433221100", write_body(trade))
    assert (first, second, head) == (FIRST, SECOND, HEAD)
    assert close_line(first) == CLOSED
    assert close_line(CLOSED) == CLOSED


def test_the_page_about_the_format_shows_these_very_lines_and_every_code_raised_here():
    page = (CHECKER.parent / "log-format.md").read_bytes()
    for line in (FIRST, SECOND, CLOSED, HEAD.encode()):
        assert line in page
    lines = len(CHECKER.read_text().splitlines())
    assert f"checks a log in {lines} lines".encode() in page
    for source in Path(events.canon.__file__).parent.glob("*.py"):
        for code in re.findall(r'"(log\.[a-z_]+)"', source.read_text()):
            assert f"`{code}`".encode() in page, code


def test_the_checker_is_short_and_alone():
    text = CHECKER.read_text()
    assert len(text.splitlines()) <= 30
    assert "import events" not in text and "from events" not in text


# -- canonical form


def reference(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


names = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=12)
values = st.recursive(scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(names, v, max_size=4), max_leaves=12)
objects = st.dictionaries(names, values, max_size=4)


@given(objects)
@examples(60, 150)
def test_dumps_is_json_narrowed_and_loads_gives_it_back(value):
    data = dumps(value)
    assert data == reference(value)
    assert loads(data) == value


def allowed(value: object, depth: int = 1) -> bool:
    """The bounds in words of their own."""
    if isinstance(value, dict):
        return depth <= 16 and all(is_name(k) and allowed(v, depth + 1) for k, v in value.items())
    if isinstance(value, list):
        return depth <= 16 and all(allowed(v, depth + 1) for v in value)
    if isinstance(value, str):
        return not any(0xD800 <= ord(c) <= 0xDFFF for c in value)
    if isinstance(value, float):
        return False
    return value is None or abs(value) <= 2**53


def canonical(data: bytes) -> bool:
    """By definition: json reads it, the value is within bounds, and json writes the same bytes."""
    try:
        value = json.loads(data)
        return isinstance(value, dict) and allowed(value) and reference(value) == data
    except (ValueError, RecursionError):
        return False


def agrees(data: bytes) -> None:
    try:
        loads(data)
        got = True
    except NotCanonical:
        got = False
    assert got == canonical(data), data


WORDS = r'''{ } [ ] , : 0 - 1 1.5 1e3 -0 00 true null NaN Infinity 9007199254740992 9007199254740993 " \ "a" "b" "A"
    "\u0041" "\ud800" "\ud83c\udccf" "\udccf\ud83c" "\/" "\n" "\u000a" "\u00E9" "\u007f" "\u0000"'''
TOKENS = [word.encode() for word in WORDS.split()]
TOKENS += [b" ", b"\n", b"\r", b"\t", b"\0", b'"\x7f"', b"\xef\xbb\xbf", b"\xc3\xa9"]


@given(objects, st.data())
@examples(150, 400)
def test_loads_accepts_canonical_bytes_and_nothing_else(value, data):
    """Canonical bytes with a token put in, a piece taken out, or a piece written by a looser JSON writer."""
    good = dumps(value)
    agrees(good)
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 3))
    agrees(good[:at] + data.draw(st.sampled_from([*TOKENS, b""])) + good[at + cut :])
    agrees(json.dumps(value, ensure_ascii=data.draw(st.booleans()), separators=(",", ":")).encode("utf-8", "replace"))
    agrees(json.dumps({"b": value, "a": 1}, separators=(",", ":")).encode("utf-8", "replace"))


@given(st.lists(st.sampled_from(TOKENS), max_size=12), st.binary(max_size=30))
@examples(150, 400)
def test_loads_on_anything_gives_a_value_or_its_one_error(tokens, noise):
    agrees(b"".join(tokens))
    agrees(noise)
    agrees(b'{"a":' + b"".join(tokens) + b"}")


def test_the_bounds_themselves_are_inside():
    """Log format 3: 16 deep is allowed both ways, whatever stands there, behind what is not deep or in a text."""
    deep, wide = nested(MAX_DEPTH - 1), [[]] * 40
    for value in (2**53, -(2**53), "x" * 60_000, nested(MAX_DEPTH - 1, dict), deep, wide, ["[" * 50, "}" * 50]):
        whole = {"a": value, "b": [1], "c": {"d": "\U0001f0cf"}}
        assert loads(dumps(whole)) == whole
    for kind in (list, dict):
        with told(Unreadable, "canon.depth"):
            dumps({"a": [1], "b": nested(MAX_DEPTH, kind)})
    text, empty = rb'"{\"[[[[[[[[[[[[[[[[[[ {\\ \\\"{{{{{{{{{{{{{{{{{{{{{"', b"[[],[],[],[]]"
    for depth in (13, 14, 15, 16):
        for first in (text, empty, rb'"\\"'):
            agrees(b'{"a":' + first + b',"b":' + b"[" * depth + b"]" * depth + b"}")


# -- instants


def test_instants_agree_with_the_calendar_of_python():
    """Every 61st day until 9999, and each of 2000 and 2100, always at another time: every day of a year comes up."""
    start = datetime(1970, 1, 1, tzinfo=UTC)
    for day in [*range(0, 2_932_896, 61), *range(10_957, 11_323), *range(47_482, 47_847), 2_932_896]:
        ms = day * 86_400_000 + day * 12_345_701 % 86_400_000
        text, moment = write_instant(ms), start + timedelta(milliseconds=ms)
        assert text == f"{moment:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z" and read_instant(text) == ms


def is_instant(text: str) -> bool:
    """By definition: these digits, and a date and time of the calendar since 1970."""
    with suppress(ValueError):
        shape = re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", text)
        return bool(shape) and text > "1970" and bool(datetime.strptime(f"{text}+0000", "%Y-%m-%dT%H:%M:%S.%fZ%z"))
    return False


def test_any_other_spelling_of_an_instant_is_refused():
    """Each sign of one exchanged for another, left out or doubled; and dates that no calendar has."""
    good = "2026-11-20T18:10:12.000Z"
    spelled = [
        good[:at] + sign + good[at + cut :] for at in range(25) for cut in (0, 1, 2) for sign in "01369Oz+ _:٢\n"
    ]
    spelled += [f"{year}-{m:02}-{d:02}{good[10:]}" for year in (2024, 2026, 2100) for m in range(14) for d in range(33)]
    seen = {True: 0, False: 0}
    for text in (good, "", good[:10], good[:-5] + "Z", "1969-12-31T23:59:59.999Z", *spelled):
        try:
            read_instant(text)
            said = True
        except ValueError as error:
            said = False
            assert re.search("instant|date|moment", str(error))
        assert said == is_instant(text), text
        seen[said] += 1
    assert min(seen.values()) > 900


def test_instants_outside_the_calendar_are_refused():
    for ms in (-1, 253_402_300_800_000):
        with pytest.raises(ValueError, match="between 1970 and 9999"):
            write_instant(ms)


def test_a_message_id_is_a_clock():
    assert write_instant(snowflake_ms(175928847299117063)) == "2016-04-30T11:18:25.796Z"
    assert snowflake_ms(0) == 1420070400000
    for number in (-1, 1 << 64):
        with pytest.raises(ValueError, match="not a Discord id"):
            snowflake_ms(number)


# -- bodies


instants = st.integers(0, 253_402_300_799_999)
fields = st.dictionaries(names, values.filter(lambda v: v is not None), max_size=4)
bodies = st.builds(
    Body, do=names, at=instants, by=names, recorded=instants, args=fields, again=st.booleans(),
    batch=st.none() | st.integers(1, 2**53), evidence=st.none() | st.text(max_size=9), force=st.booleans(),
    once=st.none() | st.text(max_size=9), joined=st.none() | st.integers(1, 2**53),
)  # fmt: skip


@given(bodies)
@examples(60, 150)
def test_a_body_is_read_as_it_was_written(body):
    data = write_body(body)
    assert read_body(data) == body
    assert data == reference(json.loads(data))


def test_fields_without_a_value_are_left_out():
    assert b'"args":{"b":1}' in write_body(Body("note", 0, "mara", 0, {"a": None, "b": 1}))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"do":"note",', b"", 'the key "do" is missing'),
        (b'"args":{"n":1},', b"", 'the key "args" is missing'),
        (b'"do":', b'"colour":1,"do":', 'the key "colour" is unknown'),
        (b'"do":"note"', b'"do":["note"]', "not a name"),
        (b'"do":"note"', b'"do":"Note"', "not a name"),
        (b'"by":"mara"', b'"by":""', "not a name"),
        (b'{"n":1}', b"[]", '"args" is of the wrong kind'),
        (b'{"n":1}', b'{"n":null}', 'null in "args"'),
        (b'"at":"2026', b'"at":"1926', "no such moment"),
        (b'"recorded":"2026-03-02', b'"recorded":"2026-02-30', "no such date"),
        (b'"at":"2026-03-02T10:00:00.000Z"', b'"at":1', "wrong kind"),
        (b'{"args"', b'{"again":false,"args"', '"again" is true, or left out'),
        (b'{"args"', b'{"again":1,"args"', '"again" is true, or left out'),
        (b'"recorded"', b'"force":null,"recorded"', '"force" is true, or left out'),
        (b'"by"', b'"batch":0,"by"', '"batch" is the number'),
        (b'"by"', b'"batch":true,"by"', '"batch" is the number'),
        (b'"recorded"', b'"joined":0,"recorded"', '"joined" is the number'),
        (b'"recorded"', b'"joined":"1","recorded"', '"joined" is the number'),
        (b'"recorded"', b'"once":7,"recorded"', '"once" is of the wrong kind'),
        (b'"recorded"', b'"evidence":null,"recorded"', '"evidence" is of the wrong kind'),
        (b'"do":"note"', b'"do": "note"', "byte"),
        (GOOD, b'{"a":1,"a":1}', "byte 7"),
        (GOOD, b'{"b":1,"a":1}', "byte 3"),
        (GOOD, b'{"a": 1}', "byte 6"),
        (GOOD, b'{"a":1}\n', "something after its end"),
        (GOOD, b'{"a":1}{}', "something after its end"),
        (GOOD, b'{"a":1.0}', "1.0 is not a whole number"),
        (GOOD, b'{"a":NaN}', "NaN is not a whole number"),
        (GOOD, b'{"a":1e400}', "not a whole number"),
        (GOOD, b'{"a":9007199254740993}', "larger than 2^53"),
        (GOOD, b'{"a":' + b"9" * 5000 + b"}", "larger than 2^53"),
        (GOOD, b'{"a":"\\ud800"}', "lone surrogate"),
        (GOOD, b'{"a":"\\u00E9"}', "byte"),
        (GOOD, b'{"a":"\xc3\xa9"}', "not ASCII"),
        (GOOD, b"\xef\xbb\xbf{}", "not ASCII"),
        (GOOD, b'{"A":1}', "the key 'A'"),
        (GOOD, b'{"a' + b"b" * 32 + b'":1}', "the key"),
        (GOOD, b"[" * 100_000, "more than 16"),
        (GOOD, b'{"a":' * 17 + b"1" + b"}" * 17, "more than 16"),
        (GOOD, rb'{"a":"\\","b":' + b"[" * 20 + b"]" * 20 + b"}", "more than 16"),
        (GOOD, b'{"":' + b"[" * 20 + b"]" * 20 + b"}", "more than 16"),
        (GOOD, b'{"a":' + b"[X" * 17 + b"]" * 17 + b"}", "more than 16"),
        (GOOD, b'{"a":[' + b",".join([b"[]"] * 20) + b'],"b":' + b"X" * 20 + b"}", "not JSON"),
        (GOOD, b"[]", "not an object"),
        (GOOD, b"", "not JSON"),
        (GOOD, b'{"a":1', "not JSON"),
    ],
)
def test_what_is_not_canonical_or_no_body_is_refused_for_its_own_reason(old, new, reason):
    assert read_body(GOOD).args == {"n": 1}
    with pytest.raises(NotCanonical, match=reason.replace("^", r"\^")):
        read_body(GOOD.replace(old, new, 1))


def verdict(read: Callable[[bytes], Body], data: bytes) -> Body | str:
    """What a reader of bodies makes of these bytes: the body, or why it is none."""
    try:
        return read(data)
    except NotCanonical as error:
        return str(error)


def as_strictly(data: bytes) -> None:
    """In a block, between two plain bodies, it is read as alone: the same body, or the same reason why it is none."""
    found = verdict(read_body, data)
    assert isinstance(found, str) or (canonical(data) and write_body(found) == data), data
    if b"\n" in data:
        return  # a line has none
    block = read_bodies([GOOD, data, GOOD])
    assert next(block) == read_body(GOOD)
    try:
        assert next(block) == found, data
        assert next(block) == read_body(GOOD)
    except NotCanonical as error:
        assert str(error) == found, data


PIECES = [
    *TOKENS, b',"at":"', b'"}', b'{"args":', b'2026-03-02T10:00:00.000Z', b'","by":"mara","do":"note","recorded":"',
    b'"again":true,', b'"n":1', b',"at":"2026-03-02T10:00:00.000Z"', b'","by":"mara","do":"Note","recorded":"', b"}}",
]  # fmt: skip


@given(fields, instants, instants, st.data())
@examples(150, 400)
def test_a_body_in_a_block_is_read_as_strictly(args, at, recorded, data):
    good = write_body(Body("note", at, "mara", recorded, args))
    as_strictly(good)
    for _ in range(3):
        at, cut = data.draw(st.integers(0, len(good))), data.draw(st.integers(0, 30))
        as_strictly(good[:at] + data.draw(st.sampled_from([*PIECES, b"", good[: cut + 8]])) + good[at + cut :])


ARGS = [
    b'{"n":null}', b'{"n":[null]}', b"[]", b"{}", b"{} ", b'{},"at":"2026-03-02T10:00:00.000Z"', b'{"n":1.0}',
    b'{"n":1,"n":1}', b'{"o":1,"n":1}', b'{"n":"\\u00E9"}', b'{"n":"\\ud800"}', b'{"n":"\x7f"}', b'{"N":1}',
    b'{"a":1,"at":"2026-03-02T10:00:00.000Z"}', b'{"n":"\xe9"}', b'{"n":9007199254740993}', b"1", b'"{"',
    b'{"a":' * 15 + b"1" + b"}" * 15, b'{"a":' * 16 + b"1" + b"}" * 16, b'{"a":"' + b"{" * 20 + b'"}', b" {}",
]  # fmt: skip


def test_what_a_body_may_be_does_not_depend_on_the_block():
    """Its arguments, its ends, its two instants."""
    for args in ARGS:
        as_strictly(GOOD.replace(b'{"n":1}', args))
    for bad in (GOOD + b" ", GOOD[:-1], GOOD[:-2] + b"]}", b" " + GOOD, b'{"arg":' + GOOD[8:], b'["args":' + GOOD[8:]):
        as_strictly(bad)
    for spelled in (b"2026-02-30", b"1926-03-02", b"2026-3-02", b"2026-03-\xb2", b"2026-13-02"):
        as_strictly(GOOD.replace(b"2026-03-02", spelled, 1))
        as_strictly(spelled.join(GOOD.rsplit(b"2026-03-02", 1)))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"do": "No"}, "entry.name"),
        ({"by": ""}, "entry.name"),
        ({"at": -1}, "entry.instant"),
        ({"batch": 0}, "entry.batch"),
        ({"joined": 0}, "entry.batch"),
        ({"once": "\udc00"}, "canon.text"),
        ({"args": {"a": 1.5}}, "canon.float"),
        ({"args": {"a": 2**53 + 1}}, "canon.number"),
        ({"args": {"a": "\ud800"}}, "canon.text"),
        ({"args": {"A": 1}}, "canon.key"),
        ({"args": {1: 1}}, "canon.key"),
        ({"args": {"a": {1, 2}}}, "canon.type"),
        ({"args": {"a": b"x"}}, "canon.type"),
    ],
)
def test_a_body_that_cannot_be_recorded_is_refused(change, code):
    with told(Unreadable, code):
        write_body(Body("note", 0, "mara", 0, {})._replace(**change))


# -- lines


def test_a_line_has_at_most_65536_bytes(tmp_path):
    """Log format 1 and 9: such a line is like any other; a longer one is told so, wherever it is cut for reading."""
    empty = len(write_line(1, GENESIS, "0" * 32, write_body(body(1, "")))[0])
    data = write_body(body(1, "x" * (MAX_LINE_BYTES - empty)))
    fits, _ = write_line(1, GENESIS, "0" * 32, data)
    (line,) = read_chain([fits])
    assert (line.body, line.size) == (data, 65_536) == (data, len(fits))
    with told(Damaged, "log.seal", line=1):
        list(read_chain([fits.replace(b"xx", b"xy", 1)]))
    longer = data.replace(b"xx", b"xxx", 1)
    with told(Unreadable, "log.too_long", "65537 bytes"):
        write_line(1, GENESIS, "0" * 32, longer)
    head = fits[: fits.index(b'"seal"')] + f'"seal":"{seal("0" * 32, longer)}","salt":"{"0" * 32}","body":'.encode()
    with told(Damaged, "log.too_long", "more than 65536"):
        list(read_chain([head + longer + b"}\n"]))
    for over in (0, 1, 70_000):
        path = tmp_path / f"{over}" / "log.jsonl"
        create(path, [body(1, "x" * (MAX_LINE_BYTES - empty))])
        with path.open("ab") as file:
            file.write(b"x" * (MAX_LINE_BYTES + over) + b"\n")
        with told(Damaged, "log.too_long", line=2):
            LogFile(path).read()


# -- who may know


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("viewer", [HOST_VIEWER, PUBLIC_VIEWER, "ann", "bob"])
def test_whom_an_audience_admits(viewer, ended):
    """docs/reliability.md: the hosts always; besides them the named players, everybody, or everybody after the end."""
    host = viewer == HOST_VIEWER
    assert HOST.admits(viewer, ended=ended) is host
    assert EVERYBODY.admits(viewer, ended=ended) is True
    assert EVERYBODY_AFTER_END.admits(viewer, ended=ended) is (host or ended)
    assert Audience.only("ann").admits(viewer, ended=ended) is (host or viewer == "ann")
    assert Audience(("ann",), after_end=True).admits(viewer, ended=ended) is (host or ended or viewer == "ann")
