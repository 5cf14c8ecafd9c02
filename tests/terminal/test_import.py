"""Importing a form's CSV: each row an entry, what cannot be read named with row and column, nothing recorded twice."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from events.errors import LedgerError
from ledger.cli.carry_out import read_word
from ledger.core.times import read_local
from ledger.exchange.importing import Reader, read_map, read_rows
from tests.support.host import HOUR, Host
from tests.support.lines import plays
from tests.support.paper import paper
from tests.support.sizes import examples

MAP = """
verb = { column = "What", words = { "I lock in" = "lock", "Unlock" = "unlock", "Recolour" = "recolour" } }
zone = "Europe/Berlin"
[fields]
player = "Your name"
card = "Card"
[time]
column = "Timestamp"
formats = ["%d.%m.%Y %H:%M:%S"]
"""
HEADER = "Timestamp;Your name;What;Card"
FORM = f"""{HEADER}
02.03.2026 10:10:00;Ann;I lock in;
02.03.2026 10:11:00;Foxy;Recolour;B9
"""
"""The match of the stage is in Europe/Berlin: 09:00 UTC, when it is opened, is 10:00 there."""


def sheet(here: Host, *words: str, header: bool = False) -> str:
    """Write a form: ` / ` between its rows; a row that begins with a clock is of 2 March."""
    rows = [re.sub(r"^(\d\d:\d\d);", r"02.03.2026 \1:00;", row) for row in " ".join(words).split(" / ")]
    here.file("form.csv", "\n".join([HEADER, *rows] if header else rows) + "\n")
    return ""


def played(here: Host) -> list[str]:
    """What was recorded since the match was opened."""
    return [body["do"] for body in here.bodies[19:]]


@pytest.fixture
def table(host: Host, root: Path) -> Host:
    """A match that is open, a form and a map beside it."""
    host.by = "mara"
    host.new((root / "games/equilibrium/demo.toml").read_text(encoding="utf-8"))
    for line in (f"deal --from '{root}/games/equilibrium/demo-deal.toml'", "open"):
        host.hl(line)
    host.now += 2 * HOUR
    host.file("map.toml", MAP)
    host.file("form.csv", FORM)
    host.patch.chdir(host.folder)
    return host


def answer(here: Host) -> Any:
    return json.loads(here.hl("import form.csv --map map.toml --json", code=None).out)


SHORT = {"look": "import form.csv --map map.toml", "take": "import form.csv --map map.toml --yes"}
NOTES = 'verb = "{}" / zone = "UTC" / [fields] / {} / [time] / column = "At" / formats = ["iso"]'.format
AWARD = '[fields] / player = "Who" / what = { value = "garnets" } / amount = { column = "N", words = { "one" = "1" } }'
SHOWS = {
    "sheet": sheet,
    "form": partial(sheet, header=True),
    "add": lambda here, *words: sheet(here, FORM.strip().replace("\n", " / "), "/", *words),
    "map": lambda here, *words: here.file("map.toml", " ".join(words).replace(" / ", "\n")) and "",
    "played": played,
    "keys": lambda here: len({body["once"] for body in here.bodies[19:] if body["once"].startswith("row-")}),
    "status": lambda here: [row["status"] for row in answer(here)["rows"]],
    "copied": lambda here: shutil.copytree(here.path, here.folder / "other") and "",
}
IMPORT = """
it first only tells: -n wins over --yes, and each row is tried on what the ones before it left
  table ; : add 10:12;Fox;Recolour;B9 / 10:13;Fox;Recolour;B1
  3 look ~ row 2: would record lock ann, 2026-03-02 10:10:00 CET ~ row 3: would record recolour fox B9
  3 look -n ~ row 4: refused: Fox does not hold B9 [equilibrium.card_not_held] ~ row 5: would record recolour fox B1
  3 take -n ~ 4 rows: 3 would be recorded, 1 refused ; : played ==
each row is an entry with its time in the sheet's zone, its place in the file, and a key that names its content
  table ; take ~ 2 rows: 2 recorded ; : show 20 | do == lock ; : show 20 | args == player ann
  : show 20 | at == 2026-03-02T09:10:00.000Z ; : show 20 | evidence == form.csv:2 ; : show 20 | by == mara
  : body args == card B9, player fox ; : body evidence == form.csv:3 ; : keys == 2 ; : body batch == none
a second import doubles nothing, also of a longer export with rows moved and columns that the map does not name
  table ; take
  take ~ row 2: recorded before, as entry 20 / row 3: recorded before, as entry 21 / 2 rows: 2 recorded before
  : played == lock recolour
  : sheet Timestamp;Your name;What;Card;Host / 10:20;Bob;I lock in;; / 10:11;Foxy;Recolour;B9;x / 10:10;Ann;I lock in;;x
  take ~ row 2: #22 lock bob ~ 1 recorded, 2 recorded before ; undo 20
  take ~ recorded before, as entry 20 (undone since)
  : played == lock recolour lock undo
S-G3 a row of somebody who has left counts if it came before; what came after is refused, and the others go on
  table ; drop ann --at '2026-03-02 11:00' ; : add 11:30;Ann;Unlock; / 11:31;Bob;I lock in;
  3! take ~ row 2: #21 lock ann ~ late: it counts before ~ row 4: refused: Ann has left the match [table.left]
  : played == drop lock recolour lock
rows of a joined copy are not imported again: the row's key came with the entry
  table ; : copied ; > -g other import form.csv --map map.toml --yes ; join other --yes
  take ~ 2 rows: 2 recorded before
a join finds the same rows in both where both machines imported the form
  table ; : copied ; > -g other import form.csv --map map.toml --yes --as ben ; take
  join other --yes ~ the same, recorded in both: 20 there is 20 here
late rows and doubled rows are named
  table ; lock hal ; : add 10:10;Ann;I lock in;
  take ~ row 2: #21 lock ann, 2026-03-02 10:10:00 CET, late: it counts before 1 recorded earlier
  take ~ row 4: the same as row 2 of this file ; : status == known known double
rows are recorded in the order in which they count, also of a sheet with the newest on top
  table ; : form 10:12;Ann;Unlock; / 10:10;Ann;I lock in; ; take ~ row 2: #21 unlock ann ~ row 3: #20 lock ann
what others would suffer is named, before and after
  table ; recolour fox B9 ; look ~ the rules would no longer allow entry 20 (recolour): Fox does not hold B9
  take ~ the rules no longer allow entry 20 (recolour)
a refused row can be forced: it is contested, and not recorded again
  table ; : form 10:10;Ann;Recolour;B10 ; 3 take ; take --force ~ the rules do not allow it, so it changes nothing
  : body force == yes ; take ~ recorded before, as entry 20
files that are not there
  table ; 2 import no.csv --map map.toml ~ [import.missing] ; 2 import form.csv --map no.toml ~ [toml.missing]
  2 import form.csv ~ [command.usage] ; 2 > -g m --as '' import form.csv --map map.toml ~ [host
a delimiter that only the cells tell is found: commas inside cells do not make a table of commas
  table ; : map verb = "note" / [fields] / text = "Text" ; : sheet Text / one, two; three
  2 look ~ [import.delimiter] ~ delimiter = "," ; : map verb = "note" / delimiter = "tab" / [fields] / text = "Text"
  look ~ row 2: would record note one, two; three
a corrected row is named, not recorded beside the old one
  table ; take ; : form 10:10;Ann;I lock in; / 10:11;Gil;Recolour;B8
  3 take ~ row 3: refused: this message is already recorded ~ entry 21 ; : played == lock recolour
a row that says something else is another
  table ; : form 10:10;Ann;I lock in; / 10:10;Bob;I lock in; / 02.03.2026 10:10:01;Ann;I lock in; / 10:10;Ann;Unlock;
  : status !~ double ; : form 10:10;Ann;I lock in; / 10:10;Ann;Recolour;R2 / 10:10;Ann;Recolour;R3 ; : status !~ double
"""
MORE = f"""
two equal answers are two when the host says so, and --again may be run again: it counts the answers of the file
  table ; : map {NOTES("penalty", 'player = "Who"')} ; : sheet At,Who / 2026-03-02T09:10Z,Ann / 2026-03-02T09:10Z,ann
  take ~ row 3: the same as row 2 of this file (--again records both) ; take --again ~ 1 recorded, 1 recorded before
  : played == penalty penalty ; take --again ~ 2 recorded before ; : played == penalty penalty
the message gives time and evidence; a column says which host read it; a field may be the same in every row
  table ; : map verb = "award" / message = "Link" / by = "Host" / {AWARD}
  : sheet Link,Host,Who,N / {{link-9m}},ben,Ann,one / {{link-8m}},,Bob,2 / {{link-7m}},zoe,Bob,2 / http://x,ben,Bob,2
  award bob garnets 2 --msg {{link-8m}}
  2! take ~ 1 recorded, 1 recorded before, 2 unreadable ~ row 4, column "Host" ~ [host.unknown] ~ row 5, column "Link"
  : show 21 | evidence == {{link-12m}} ; : show 21 | by == ben ; : show 21 | args == amount 1, player ann, what garnets
  : sheet Link,Host,Who,N / {{link-13m}},,Bob,one ; 3 take ~ [evidence.duplicate] ; take --again ~ 1 recorded
a clock counts from the moment of the row: 20:00 means the same evening at every import
  table ; : map {NOTES("deadline", 'when = "End"')} ; : sheet At,End / 2026-03-02T09:10Z,20:00 ; take ~ 1 recorded
  : body args == when 2026-03-02T20:00:00.000Z ; +12h ; take ~ 1 recorded before
a date that may mean two days is refused
  table
  : map {MAP.replace('["%d.%m.%Y %H:%M:%S"]', '["%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"]').strip().replace(chr(10), " / ")}
  : form 02/03/2026 10:10;Ann;I lock in; / 02/02/2026 10:10;Bob;I lock in;
  2 look ~ row 2, column "Timestamp": unreadable ~ may be ~ [import.time] ~ row 3: refused
"""
test_importing = plays(IMPORT, MORE)


CELLS = [
    ("02.03.2026 10:10:00;Nobody;I lock in;", "Your name", "player.unknown"),
    (";Ann;I lock in;", "Timestamp", "import.empty"),
    ("2026-03-02 10:10;Ann;I lock in;", "Timestamp", "import.time"),
    ("31.02.2026 10:10:00;Ann;I lock in;", "Timestamp", "import.time"),
    ("02.03.1960 10:10:00;Ann;I lock in;", "Timestamp", "import.time"),
    ("02.03.2027 10:10:00;Ann;I lock in;", "Timestamp", "time.future"),
    ("30.03.2025 02:30:00;Ann;I lock in;", "Timestamp", "time.skipped"),
    ("26.10.2025 02:30:00;Ann;I lock in;", "Timestamp", "time.twice"),
    ("02.03.2026 10:10:00;;I lock in;", "Your name", "import.empty"),
    ("02.03.2026 10:10:00;Ann;;", "What", "import.empty"),
    ("02.03.2026 10:10:00;Ann;I give up;", "What", "import.verb"),
    ("02.03.2026 10:10:00;Ann;create;", "What", "import.verb"),
    ("02.03.2026 10:10:00;Ann;I lock in;B9", "Card", "import.field"),
    ("02.03.2026 10:10:00;Ann;Recolour;B11", "Card", "equilibrium.card"),
    ("02.03.2026 10:10:00;Ann;I lock in", None, "import.cells"),
    ("02.03.2026 10:10:00;Ann;I lock in;;;", None, "import.cells"),
]


@pytest.mark.parametrize(("row", "column", "code"), CELLS, ids=[f"{code} {row[:19]}" for row, _, code in CELLS])
def test_an_unreadable_row_is_named_and_the_rest_is_taken(table: Host, row: str, column: str | None, code: str) -> None:
    """Row, column, reason; exit code 2; the others are recorded all the same."""
    first, second = FORM.splitlines()[1:]
    table.file("form.csv", "\n".join([HEADER, first, row, ";;;", second]))
    told = answer(table)
    assert [one["status"] for one in told["rows"]] == ["recorded", "unreadable", "recorded"]
    assert told["ok"] is False and told["blank"] == 1 and told["dry_run"] is True
    bad = told["rows"][1]
    assert (bad["row"], bad["column"], bad["code"]) == (3, column, code) and bad["what"]
    said = table.hl(f"{SHORT['take']}", code=2).text
    assert "row 3" in said and f"[{code}]" in said and "2 recorded" in said
    assert (f'column "{column}"' in said) is (column is not None)
    assert [body["evidence"] for body in table.bodies[19:]] == ["form.csv:2", "form.csv:5"]


WHOLE = [
    ("\xff\xfe", "latin-1", MAP, "import.encoding"),
    (FORM + '"x', "utf-8", MAP, "import.csv"),
    ("", "utf-8", MAP, "import.columns"),
    (FORM.replace("Card", "Karte"), "utf-8", MAP, "import.columns"),
    (FORM.replace("Card", "What"), "utf-8", MAP, "import.columns"),
    ("Name\nAnn,Bob;x\n", "utf-8", 'verb = "lock"\nfields = { player = "Name" }', "import.delimiter"),
    (FORM, "utf-8", "verb = ", "toml.unreadable"),
    (FORM, "utf-8", MAP.replace("verb = ", "verbs = "), "import.map"),
    (FORM, "utf-8", MAP.replace("player =", "plaxer ="), "import.map"),
    (FORM, "utf-8", MAP.replace("%Y", "%y"), "import.map"),
    (FORM, "utf-8", MAP.replace("%d", "%B"), "import.map"),
    (FORM, "utf-8", MAP.replace(".%Y", "."), "import.map"),
    (FORM, "utf-8", MAP.replace("formats = [", "formats = [3, "), "import.map"),
    (FORM, "utf-8", MAP.replace('column = "Timestamp"', ""), "import.map"),
    (FORM, "utf-8", MAP.replace('"unlock"', '"jump"'), "import.verb"),
    (FORM, "utf-8", MAP.replace("Europe/Berlin", "Mars/Base"), "time.zone"),
    (FORM, "utf-8", 'delimiter = "|"' + MAP, "import.map"),
    (FORM, "utf-8", 'encoding = "ebcdic"' + MAP, "import.map"),
    (FORM, "utf-8", 'verb = "lock"\n[fields]\nplayer = { column = "Your name", value = "ann" }', "import.map"),
]


@pytest.mark.parametrize(("form", "encoding", "text", "code"), WHOLE, ids=[f"{i} {w[3]}" for i, w in enumerate(WHOLE)])
def test_a_file_or_map_that_cannot_be_used_is_refused_as_a_whole(
    table: Host, form: str, encoding: str, text: str, code: str
) -> None:
    (table.folder / "form.csv").write_bytes(form.encode(encoding))
    table.file("map.toml", text)
    told = table.hl(SHORT["take"], code=2).text
    assert f"[{code}]" in told and any(
        f"\n  {one}" in told for one in ("try: ", "like: ", "help: ", "one of: ", "did you")
    )
    assert not played(table)


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
def test_delimiters_and_encodings(table: Host, sign: str, encoding: str) -> None:
    """A byte-order mark and each delimiter are understood; another encoding is named in the map."""
    (table.folder / "form.csv").write_bytes(FORM.replace(";", sign).replace("\n", "\r\n").encode(encoding))
    if not encoding.startswith("utf-8"):
        table.file("map.toml", f'encoding = "{encoding}"' + MAP)
    assert "2 rows: 2 would be recorded" in table.hl(SHORT["look"]).text


SPELLINGS = {
    "Timestamp": ("02.03.2026 10:10:00", "2026-03-02 10:10:00", "2026-03-02T09:10Z", "3/2/2026 10:10:00 AM GMT+1"),
    "Your name": ("Ann", "ann", "ANN ", " Ann"),
    "What": ("I lock in", "lock", "LOCK", "lock "),
    "Card": ("", " "),
}
RESPELLED = MAP.replace('["%d.%m.%Y %H:%M:%S"]', '["%d.%m.%Y %H:%M:%S", "iso", "%m/%d/%Y %I:%M:%S %p GMT%z"]').replace(
    '"I lock in" = "lock"', '"I lock in" = "lock", "LOCK" = "lock", "lock" = "lock"'
)


@examples(80, 1_000)
@given(st.lists(st.tuples(*(st.sampled_from(words) for words in SPELLINGS.values())), min_size=1, max_size=5))
def test_a_row_is_the_same_row_however_it_is_spelled(rows: Any) -> None:
    """The same player, verb, fields and instant; under any name of the file, at any place in it."""
    at = 1_772_442_600_000
    match = paper((0, "alias", {"player": "p1", "alias": "ann"}))
    columns = read_map(tomllib.loads(RESPELLED), "map.toml", "UTC")
    keys = set()
    for number, cells in enumerate(rows):
        text = ",".join(SPELLINGS) + "\n" + "\n" * number + ",".join(cells) + "\n"
        (row,), _ = read_rows(text.encode(), columns, "x.csv")
        order = Reader(match, columns, f"{number}.csv", "mara", at + 10**12, read_word).order(row)
        assert order.at == at
        keys.add(order.once)
    assert len(keys) == 1


def test_free_text_that_was_spelled_anew_is_the_same(table: Host) -> None:
    """A capital letter and a doubled space, as a spreadsheet corrects them."""
    table.file("map.toml", NOTES("note", 'text = "Said"').replace(" / ", "\n"))
    for said, told in (("late answer", "1 recorded"), ("Late  Answer", "1 recorded before")):
        table.file("form.csv", f"At,Said\n2026-03-02T09:10Z,{said}\n")
        assert told in table.hl(SHORT["take"]).text
    assert played(table) == ["note"]


BERLIN = "Europe/Berlin"
SUMMER, WINTER = 1_792_888_200_000, 1_792_891_800_000
"""02:30 on 25 October 2026 in Berlin, which is twice."""


@pytest.mark.parametrize(
    ("literal", "summer", "winter"),
    [("GMT+2", True, False), ("GMT+1", False, True), ("+02:00", True, False), ("CEST", True, False),
     ("CET", False, True),
     ("Z", False, False), ("UTC", False, False), ("EST", False, False)],
)  # fmt: skip
def test_an_offset_in_the_format_must_be_that_of_the_zone(literal: str, summer: bool, winter: bool) -> None:
    """A literal that contradicts `zone` is refused, and one that does not settles an hour that is there twice."""
    for day, fits in (("07-25", summer), ("01-25", winter), ("10-25", summer or winter)):
        read = (f"2026-{day} 02:30{literal}", f"%Y-%m-%d %H:%M{literal}", BERLIN, 0)
        if fits:
            assert read_local(*read) in (SUMMER, WINTER) or day != "10-25"
            continue
        with pytest.raises(LedgerError) as error:
            read_local(*read)
        assert error.value.code == "import.time" and "%z" in (error.value.fix or "")
    if summer or winter:
        at = read_local(f"2026-10-25 02:30{literal}", f"%Y-%m-%d %H:%M{literal}", BERLIN, 0)
        assert at == (SUMMER if summer else WINTER)


@examples(200, 2_000)
@given(
    st.datetimes(datetime(1980, 1, 1), datetime(2080, 1, 1)),  # noqa: DTZ001 - the offset is put on below
    st.integers(-14 * 60, 14 * 60),
    st.sampled_from(["", "GMT", "UTC", "GMT "]),
    st.booleans(),
)
def test_any_offset_means_the_same_in_every_spelling(moment: datetime, minutes: int, prefix: str, colon: bool) -> None:
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else "+"
    moment = moment.replace(microsecond=0)
    at = int((moment.replace(tzinfo=UTC) - timedelta(minutes=minutes)).timestamp()) * 1000
    spelled = [f"{sign}{hours:02}{':' if colon else ''}{rest:02}"] + ([f"{sign}{hours}"] if rest == 0 else [])
    for offset in spelled:
        for form in ("iso", "%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %H:%M:%S UTC%z", "%Y-%m-%d %H:%M:%S GMT%z"):
            assert read_local(f"{moment:%Y-%m-%d %H:%M:%S} {prefix}{offset}", form, BERLIN, 0) == at


def test_hostile_cells_are_shown_and_not_obeyed(table: Host) -> None:
    """Control characters, markup and formulas in cells: nothing moves the cursor, nothing is run."""
    rows = ("02.03.2026 10:10:00;\x1b[2J=1+1\x9d;I lock in;", "02.03.2026 10:10:00;Ann\x00;I lock in;")
    table.file("form.csv", "\n".join([HEADER, *rows, ""]))
    told = table.hl(SHORT["take"], code=2).text
    assert not {c for c in told if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0}
    assert "[player.unknown]" in told


def test_forms_of_dates_that_disagree() -> None:
    """3 April or 4 March: a cell that the formats read in two ways is refused; one zone, or its own offset."""
    for cell, form, told in (
        ("02.03.2026 10:10", "%d.%m.%Y %H:%M", 1_772_442_600_000),
        ("02.03.2026 10:10 +0000", "%d.%m.%Y %H:%M %z", 1_772_446_200_000),
        ("2026-03-02T10:10Z", "iso", 1_772_446_200_000),
        ("3/2/2026 10:10 PM", "%m/%d/%Y %I:%M %p", 1_772_485_800_000),
        ("10:10", "iso", None),
        ("yesterday 10:10", "iso", None),
    ):
        assert read_local(cell, form, "Europe/Berlin", 0) == told, cell


quiet = settings(
    max_examples=150, derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)


@quiet
@given(data=st.one_of(st.binary(max_size=200), st.text(alphabet='ab,;"\t\r\n\x00é', max_size=60).map(str.encode)))
def test_whatever_the_bytes_are(data: bytes) -> None:
    """Rows, or one of our errors with a code; nothing else, and no cell is lost."""
    sheet = read_map({"verb": "note", "fields": {"text": "a"}}, "map", "UTC")
    try:
        rows, blank = read_rows(data, sheet, "form")
    except LedgerError as error:
        assert error.code.startswith("import.") and error.fix
    else:
        assert blank >= 0 and all(row is not None for row in rows)
