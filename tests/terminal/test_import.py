"""Importing a form's CSV: each row an entry, what cannot be read named with row and column, nothing recorded twice."""

from __future__ import annotations

import json
import shutil
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from events.errors import LedgerError
from ledger.cli.carry_out import read_word
from ledger.core.times import read_local
from ledger.exchange.importing import Reader, read_map, read_rows
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


class Table:
    """A match that is open, a form and a map beside it."""

    def __init__(self, stage: Any) -> None:
        self.stage = stage
        demo = Path(__file__).resolve().parents[2] / "games" / "equilibrium"
        shutil.copy(demo / "demo.toml", "demo.toml")
        shutil.copy(demo / "demo-deal.toml", "deal.toml")
        for words in ("new m --from demo.toml", "-g m --as mara deal --from deal.toml", "-g m --as mara open"):
            assert "[exit" not in self.type(words)
        self.stage.run(("$ sleep 2h",))
        self.map(MAP)
        self.form(FORM)

    def map(self, text: str) -> None:
        Path("map.toml").write_text(text, encoding="utf-8")

    def form(self, text: str, encoding: str = "utf-8") -> None:
        Path("form.csv").write_bytes(text.encode(encoding))

    def type(self, words: str) -> str:
        return str(self.stage.run((f"$ hl {words}",)))

    def take(self, more: str = "") -> str:
        return self.type(f"-g m --as mara import form.csv --map map.toml {more}".strip())

    def json(self, more: str = "") -> Any:
        return json.loads(self.take(f"{more} --json").split("\n[exit")[0])

    @property
    def entries(self) -> list[Any]:
        """The bodies since the match was opened."""
        return [json.loads(line)["body"] for line in Path("m/log.jsonl").read_text().splitlines()][19:]


@pytest.fixture
def table(stage: Any) -> Table:
    return Table(stage)


def test_it_first_only_tells(table: Table) -> None:
    """Without --yes nothing is written, and -n wins over --yes; each row is tried on what the ones before it left."""
    table.form(FORM + "02.03.2026 10:12:00;Fox;Recolour;B9\n02.03.2026 10:13:00;Fox;Recolour;B1\n")
    for more in ("", "-n", "-n --yes"):
        told = table.take(more)
        assert "row 2: would record lock ann, 2026-03-02 10:10:00 CET" in told
        assert "row 3: would record recolour fox B9" in told
        assert "row 4: refused: Fox does not hold B9 [equilibrium.card_not_held]" in told
        assert "row 5: would record recolour fox B1" in told  # a class he made paid for it
        assert "4 rows: 3 would be recorded, 1 refused" in told and told.endswith("[exit 3]")
        assert not table.entries


def test_each_row_is_an_entry_with_evidence(table: Table) -> None:
    """Its time in the sheet's zone, its place in the file as evidence, a key that names its content."""
    assert "2 rows: 2 recorded" in table.take("--yes")
    first, second = table.entries
    assert first["do"] == "lock" and first["args"] == {"player": "ann"} and first["by"] == "mara"
    assert first["at"] == "2026-03-02T09:10:00.000Z" and first["evidence"] == "form.csv:2"
    assert second["args"] == {"player": "fox", "card": "B9"} and second["evidence"] == "form.csv:3"
    assert first["once"] != second["once"] and first["once"].startswith("row-")
    assert "batch" not in first and "batch" not in second


def test_a_second_import_doubles_nothing(table: Table) -> None:
    """Also of a longer export, under another name, with rows moved and columns that the map does not name."""
    table.take("--yes")
    before = Path("m/log.jsonl").read_bytes()
    assert table.take("--yes") == (
        "row 2: recorded before, as entry 20\nrow 3: recorded before, as entry 21\n2 rows: 2 recorded before"
    )
    assert Path("m/log.jsonl").read_bytes() == before
    rows = [f"{row};done" for row in FORM.splitlines()[1:]]
    table.form("\n".join([f"{HEADER};Host", "02.03.2026 10:20:00;Bob;I lock in;;", *reversed(rows)]))
    told = table.take("--yes")
    assert "row 2: #22 lock bob" in told and "1 recorded, 2 recorded before" in told
    table.type("-g m --as mara undo 20")
    assert "recorded before, as entry 20 (undone since)" in table.take("--yes")
    assert len(table.entries) == 4


def test_a_row_of_somebody_who_has_left_counts_if_it_came_before(table: Table) -> None:
    """S-G3: what was sent before stands, as a late entry; what came after is refused by name, and the others go on."""
    assert "[exit" not in table.type("-g m --as mara drop ann --at '2026-03-02 11:00'")
    table.form(FORM + "02.03.2026 11:30:00;Ann;Unlock;\n02.03.2026 11:31:00;Bob;I lock in;\n")
    told = table.take("--yes")
    assert "row 2: #21 lock ann" in told and "late: it counts before" in told
    assert "row 4: refused: Ann has left the match [table.left]" in told and "row 5: #23 lock bob" in told
    assert told.endswith("[exit 3]")
    assert [body["do"] for body in table.entries] == ["drop", "lock", "recolour", "lock"]


def test_rows_of_a_joined_copy_are_not_imported_again(table: Table) -> None:
    """Both machines have the form; the row's key came with the entry."""
    shutil.copytree("m", "other")
    table.type("-g other --as ben import form.csv --map map.toml --yes")
    table.type("-g m --as mara join other --yes")
    assert "2 rows: 2 recorded before" in table.take("--yes")


def test_both_machines_imported_the_form(table: Table) -> None:
    """Then a join finds the same rows in both."""
    shutil.copytree("m", "other")
    table.type("-g other --as ben import form.csv --map map.toml --yes")
    table.take("--yes")
    assert "the same, recorded in both: 20 there is 20 here" in table.type("-g m --as mara join other --yes")


def test_late_rows_and_doubled_rows_are_named(table: Table) -> None:
    """A row that counts before what was recorded; a row that stands twice in the file."""
    table.type("-g m --as mara lock hal")
    table.form(FORM + FORM.splitlines()[1] + "\n")
    told = table.take("--yes")
    assert "row 2: #21 lock ann, 2026-03-02 10:10:00 CET, late: it counts before 1 recorded earlier" in told
    assert "row 4: the same as row 2 of this file" in told
    rows = table.json()["rows"]
    assert [row["status"] for row in rows] == ["known", "known", "double"]


def test_rows_are_recorded_in_the_order_in_which_they_count(table: Table) -> None:
    """A sheet sorted with the newest on top: unlocking comes after locking all the same."""
    table.form(f"{HEADER}\n02.03.2026 10:12:00;Ann;Unlock;\n02.03.2026 10:10:00;Ann;I lock in;\n")
    told = table.take("--yes")
    assert "row 2: #21 unlock ann" in told and "row 3: #20 lock ann" in told


def test_what_others_would_suffer_is_named(table: Table) -> None:
    """A late row that makes an entry contested says so, before and after."""
    table.type("-g m --as mara recolour fox B9")
    told = table.take()
    assert "the rules would no longer allow entry 20 (recolour): Fox does not hold B9" in told
    assert "the rules no longer allow entry 20 (recolour)" in table.take("--yes")


def test_a_refused_row_can_be_forced(table: Table) -> None:
    """--force records it as contested, and it is not recorded again."""
    table.form(f"{HEADER}\n02.03.2026 10:10:00;Ann;Recolour;B10\n")
    assert table.take("--yes").endswith("[exit 3]") and not table.entries
    assert "the rules do not allow it, so it changes nothing" in table.take("--yes --force")
    assert table.entries[0]["force"] is True
    assert "recorded before, as entry 20" in table.take("--yes")


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
def test_an_unreadable_row_is_named_and_the_rest_is_taken(
    table: Table, row: str, column: str | None, code: str
) -> None:
    """Row, column, reason; exit code 2; the others are recorded all the same."""
    first, second = FORM.splitlines()[1:]
    table.form("\n".join([HEADER, first, row, ";;;", second]))
    told = table.json()
    assert [one["status"] for one in told["rows"]] == ["recorded", "unreadable", "recorded"]
    assert told["ok"] is False and told["blank"] == 1 and told["dry_run"] is True
    bad = told["rows"][1]
    assert (bad["row"], bad["column"], bad["code"]) == (3, column, code) and bad["what"]
    said = table.take("--yes")
    assert said.endswith("[exit 2]") and "row 3" in said and f"[{code}]" in said and "2 recorded" in said
    assert (f'column "{column}"' in said) is (column is not None)
    assert [body["evidence"] for body in table.entries] == ["form.csv:2", "form.csv:5"]


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
    table: Table, form: str, encoding: str, text: str, code: str
) -> None:
    table.form(form, encoding)
    table.map(text)
    told = table.take("--yes")
    assert (
        (
            told.endswith("[exit 2]")
            and f"[{code}]" in told
            and any(f"\n  {one}: " in told for one in ("try", "like", "help"))
        )
        or "\n  one of: " in told
        or "did you" in told
    )
    assert not table.entries


def test_files_that_are_not_there(table: Table) -> None:
    assert "[import.missing]" in table.type("-g m --as mara import no.csv --map map.toml")
    assert "[toml.missing]" in table.type("-g m --as mara import form.csv --map no.toml")
    assert "[command.usage]" in table.type("-g m --as mara import form.csv")
    assert "[host.unnamed]" in table.type("-g m import form.csv --map map.toml")


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
def test_delimiters_and_encodings(table: Table, sign: str, encoding: str) -> None:
    """A byte-order mark and each delimiter are understood; another encoding is named in the map."""
    table.form(FORM.replace(";", sign).replace("\n", "\r\n"), encoding)
    if not encoding.startswith("utf-8"):
        table.map(f'encoding = "{encoding}"' + MAP)
    assert "2 rows: 2 would be recorded" in table.take()


def test_a_delimiter_that_only_the_cells_tell_is_found(table: Table) -> None:
    """Commas inside cells do not make a table of commas: only one delimiter gives all the columns."""
    table.form(FORM.replace("Ann;", '"Ann";').replace("I lock in", "I lock in"))
    assert "2 would be recorded" in table.take()
    table.map('verb = "note"\n[fields]\ntext = "Text"\n')
    table.form("Text\none, two; three\n")
    told = table.take()
    assert "[import.delimiter]" in told and 'delimiter = ","' in told
    table.map('verb = "note"\ndelimiter = "tab"\n[fields]\ntext = "Text"\n')
    assert "row 2: would record note one, two; three" in table.take()


def test_messages_hosts_and_fixed_values(table: Table) -> None:
    """The message gives time and evidence; a column says which host read it; a field may be the same in every row."""
    table.map(
        'verb = "award"\nmessage = "Link"\nby = "Host"\n[fields]\nplayer = "Who"\n'
        'what = { value = "garnets" }\namount = { column = "N", words = { "one" = "1" } }\n'
    )
    links = [
        f"https://discord.com/channels/1/2/{table.stage.now - m * 60_000 - 1420070400000 << 22}" for m in (9, 8, 7)
    ]
    table.form(
        f"Link,Host,Who,N\n{links[0]},ben,Ann,one\n{links[1]},,Bob,2\n{links[2]},zoe,Bob,2\nhttp://x,ben,Bob,2\n"
    )
    table.type(f"-g m --as mara award bob garnets 2 --msg {links[1]}")
    rows = table.json("--yes")["rows"]
    assert [row["status"] for row in rows] == ["recorded", "known", "unreadable", "unreadable"]
    assert [rows[2]["code"], rows[2]["column"]] == ["host.unknown", "Host"]
    assert [rows[3]["code"], rows[3]["column"]] == ["time.message", "Link"]
    entry = table.entries[1]
    assert entry["by"] == "ben" and entry["evidence"] == links[0]
    assert entry["args"] == {"player": "ann", "what": "garnets", "amount": 1}
    table.form(f"Link,Host,Who,N\n{links[1]},,Bob,one\n")
    assert "[evidence.duplicate]" in table.take("--yes") and len(table.entries) == 2
    assert "1 recorded" in table.take("--yes --again") and len(table.entries) == 3


def test_a_corrected_row_is_named_not_recorded_beside_the_old_one(table: Table) -> None:
    """The player edited his answer: the same row of the file says something else now."""
    table.take("--yes")
    table.form(FORM.replace("Foxy", "Gil").replace("B9", "B8"))
    told = table.take("--yes")
    assert "row 3: refused: this message is already recorded" in told and "entry 21" in told and len(table.entries) == 2


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


@pytest.mark.parametrize(
    "row", ["02.03.2026 10:10:00;Ben;I lock in;", "02.03.2026 10:10:01;Ann;I lock in;",
            "02.03.2026 10:10:00;Ann;Unlock;",
            "02.03.2026 10:10:00;Ann;Recolour;R2", "02.03.2026 10:10:00;Ann;Recolour;R3"]
)  # fmt: skip
def test_a_row_that_says_something_else_is_another(table: Table, row: str) -> None:
    table.form(f"{HEADER}\n02.03.2026 10:10:00;Ann;I lock in;\n{row.replace('Ben', 'Bob')}\n")
    assert "double" not in [told["status"] for told in table.json()["rows"]]


def test_free_text_that_was_spelled_anew_is_the_same(table: Table) -> None:
    """A capital letter and a doubled space, as a spreadsheet corrects them."""
    table.map('verb = "note"\nzone = "UTC"\n[fields]\ntext = "Said"\n[time]\ncolumn = "At"\nformats = ["iso"]\n')
    for said, told in (("late answer", "1 recorded"), ("Late  Answer", "1 recorded before")):
        table.form(f"At,Said\n2026-03-02T09:10Z,{said}\n")
        assert told in table.take("--yes")
    assert len(table.entries) == 1


def test_two_equal_answers_are_two_when_the_host_says_so(table: Table) -> None:
    """And `--again` may be run again: it counts the answers of the file, and doubles none of them."""
    table.map('verb = "penalty"\nzone = "UTC"\n[fields]\nplayer = "Who"\n[time]\ncolumn = "At"\nformats = ["iso"]\n')
    table.form("At,Who\n2026-03-02T09:10Z,Ann\n2026-03-02T09:10Z,ann\n")
    assert "row 3: the same as row 2 of this file (--again records both)" in table.take("--yes")
    for recorded in ("1 recorded, 1 recorded before", "2 recorded before"):
        assert recorded in table.take("--yes --again")
        assert [body["do"] for body in table.entries] == ["penalty", "penalty"]


def test_a_clock_counts_from_the_moment_of_the_row(table: Table) -> None:
    """ "20:00" means the same evening at every import, and the row is the same row."""
    table.map('verb = "deadline"\nzone = "UTC"\n[fields]\nwhen = "End"\n[time]\ncolumn = "At"\nformats = ["iso"]\n')
    table.form("At,End\n2026-03-02T09:10Z,20:00\n")
    assert "1 recorded" in table.take("--yes")
    assert table.entries[0]["args"] == {"when": "2026-03-02T20:00:00.000Z"}
    table.stage.run(("$ sleep 12h",))
    assert "1 recorded before" in table.take("--yes")


BERLIN = "Europe/Berlin"
SUMMER, WINTER = 1_792_888_200_000, 1_792_891_800_000
"""02:30 on 25 October 2026 in Berlin, which is twice."""


@pytest.mark.parametrize("offset", ["GMT+2", "UTC+2", "GMT+02:00", "+0200", "+02:00", "gmt +2", "+2", "UTC+02"])
@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M %z", "%Y-%m-%d %H:%M GMT%z", "iso"])
def test_offsets_are_read_as_forms_write_them(offset: str, form: str) -> None:
    """And an hour that is there twice is no doubt then."""
    assert read_local(f"2026-10-25 02:30 {offset}", form, BERLIN, 0) == SUMMER
    assert read_local(f"2026-10-25 02:30 {offset.replace('2', '1')}", form, BERLIN, 0) == WINTER


def test_an_hour_that_is_there_twice_is_refused_without_an_offset() -> None:
    for form in ("%Y-%m-%d %H:%M", "iso"):
        with pytest.raises(LedgerError) as error:
            read_local("2026-10-25 02:30", form, BERLIN, 0)
        assert error.value.code == "time.twice"


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
        for form in ("iso", "%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %H:%M:%S UTC%z"):
            assert read_local(f"{moment:%Y-%m-%d %H:%M:%S} {prefix}{offset}", form, BERLIN, 0) == at


def test_hostile_cells_are_shown_and_not_obeyed(table: Table) -> None:
    """Control characters, markup and formulas in cells: nothing moves the cursor, nothing is run."""
    table.form(f"{HEADER}\n02.03.2026 10:10:00;\x1b[2J=1+1\x9d;I lock in;\n02.03.2026 10:10:00;Ann\x00;I lock in;\n")
    told = table.take("--yes")
    assert not {c for c in told if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0}
    assert "[player.unknown]" in told and told.endswith("[exit 2]")


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


def test_a_date_that_may_mean_two_days_is_refused(table: Table) -> None:
    table.map(MAP.replace('["%d.%m.%Y %H:%M:%S"]', '["%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"]'))
    table.form(f"{HEADER}\n02/03/2026 10:10;Ann;I lock in;\n02/02/2026 10:10;Bob;I lock in;\n")
    told = table.take()
    assert 'row 2, column "Timestamp": unreadable' in told and "may be" in told and "[import.time]" in told
    assert "row 3: refused" in told  # it is read, and lies before the match was opened


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
