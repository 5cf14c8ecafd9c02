"""Freeform: what a file says happens, all or nothing; who may know an entry; what is added counts from then on."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from events import write_instant
from events.audiences import EVERYBODY, HOST, PUBLIC_VIEWER, Audience
from events.errors import LedgerError
from games.freeform import actions as a, view
from games.freeform.words import whole
from games.kinds import NAME
from games.registry import load
from games.table import actions as shared
from ledger.exchange.matchfile import setup_bodies
from ledger.tell.reports import next_steps
from tests.support import completing
from tests.support.play import Play
from tests.support.transcripts import Stage

GAME = load("freeform")
FILE = """
[counters]
oil = { start = 5, seen_by = "owner", final = "everybody", least = 0, most = 9 }
purse = { start = 5, seen_by = "owner" }
wins = { seen_by = "everybody" }
doubt = { seen_by = "hosts" }
stock = { of = "table", start = 3, seen_by = "everybody", least = 0 }
[items]
deed = { values = "1..6", draw = "order", turn = 2, seen_by = "everybody" }
role = { values = ["red", "blue"], draw = "one each", seen_by = "owner" }
[sheets.bid]
fields = { much = "number 0..oil", on = "card of deed?" }
rounds = 2
[verbs.swap]
fields = { a = "player", b = "player", much = "number" }
does = ["move oil a b much", "wins a += 1"]
[verbs.steps]
fields = { who = "player" }
does = ["oil who -= 9", "stock = oil who", "oil who += 9", "if stock < 0: stock = 1"]
[verbs.judge]
fields = { who = "player" }
does = ["wins who += 1", "if doubt who > 100: stock -= 1"]
[verbs.cross]
fields = { a = "player", b = "player" }
does = ["oil a -= 1", "purse b += 1"]
[verbs.take]
fields = { who = "player", what = "card of deed" }
does = ["move what table who"]
[result]
score = "oil + 10 * wins"
tokens = "highest"
elimination = "lowest"
ties = "all"
"""


def match(more: str = "", *, opened: bool = True, file: str = FILE, drawn: tuple[str, ...] | None = None) -> Any:
    """A match of that file, its cards drawn; `drawn`: the roles."""
    assert GAME.written is not None
    tables = tomllib.loads(file + more)
    assert not GAME.written.faults(tables), GAME.written.faults(tables)
    public, hidden = GAME.written.public(tables)
    play = Play("freeform", players=["ann", "bob", "cyd"], settings=public, opened=False)
    for action in (*hidden, a.Draw("deed"), a.Draw("role", drawn)):
        play.do(action)
    if opened:
        play.do(shared.Open())
    return play


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A match of that file at the command line, its cards drawn: `desk()` is the answer to the last of some lines."""
    stage = Stage(tmp_path, monkeypatch)

    def said(*lines: str, more: str = "") -> str:
        if not (tmp_path / "x.toml").exists():
            head = 'game = "freeform"\nhosts = ["mara"]\n[players]\nann = {}\nbob = {}\n'
            (tmp_path / "x.toml").write_text(head + FILE + more)
            said("hl new m --from x.toml", "export HL_MATCH=m", "hl draw deed", "hl draw role", "hl open")
        return [stage.run((f"$ {line}",)) for line in lines][-1]

    return said


def refused(play: Any, action: Any, code: str) -> LedgerError:
    before = play.state
    with pytest.raises(LedgerError) as caught:
        play.do(action)
    assert caught.value.code == code and play.state == before
    return caught.value


def test_a_verb_is_all_or_nothing() -> None:
    """One bound that breaks refuses the whole of it; what it is, only the hosts read."""
    play = match()
    error = refused(play, a.Do("swap", ("ann", "bob", "6")), "freeform.bounds")
    assert "1" not in error.what and "Ann" not in error.what and "would be -1" in error.host_only
    refused(play, a.Do("swap", ("ann", "bob", "-1")), "freeform.bounds")
    play.do(a.Do("swap", ("ann", "bob", "4")))
    assert [play.state.held("oil", p) for p in ("ann", "bob", "cyd")] == [1, 9, 5]


def test_a_reason_is_told_however_it_begins() -> None:
    """Only that a verb did it is not told: the words of the file say so."""
    play = match()
    facts = play.do(a.Add("wins", "ann", "1", why="by the rules of the house"))
    assert "(before: 0), by the rules of the house." in repr(GAME.tell(play.state, facts, PUBLIC_VIEWER))
    facts = play.do(a.Do("judge", ("ann",)))
    said = repr(GAME.tell(play.state, facts, PUBLIC_VIEWER))
    assert "(before: 1)." in said and "by judge" not in said


def test_effects_see_the_one_before_and_bounds_come_last() -> None:
    """In between a counter may leave its bounds."""
    play = match()
    play.do(a.Do("steps", ("ann",)))
    assert (play.state.held("oil", "ann"), play.state.held("stock", "")) == (5, 1)


@pytest.mark.parametrize(
    ("action", "who"),
    [
        (a.Do("swap", ("ann", "bob", "1")), Audience.only("ann", "bob")),
        (a.Do("cross", ("ann", "bob")), HOST),
        (a.Do("cross", ("ann", "ann")), Audience.only("ann")),
        (a.Do("judge", ("ann",)), HOST),
        (a.Do("take", ("ann", "1")), EVERYBODY),
        (a.Do("no_such", ("ann",)), HOST),
        (a.Set("oil", "ann", "3"), Audience.only("ann")),
        (a.Set("purse", "ann", "3"), Audience.only("ann")),
        (a.Move("purse", "ann", "bob", "3"), Audience.only("ann", "bob")),
        (a.Set("doubt", "ann", "3"), HOST),
        (a.Add("stock", None, "1"), EVERYBODY),
        (a.Give("role", "ann", "bob", "red"), Audience.only("ann", "bob")),
        (a.Give("deed", "deck", "away", "1"), HOST),
        (a.Draw("role"), HOST),
        (a.Draw("deed"), Audience(after_end=True)),
        (shared.AmendSetting("counters.x", {"seen_by": "hosts", "secret": True}), HOST),
        (shared.AmendSetting("counters.x", {"seen_by": "hosts"}), EVERYBODY),
    ],
    ids=str,
)
def test_who_may_open_an_entry(action: Any, who: Audience) -> None:
    """The narrowest of all that is read and changed, whatever its conditions come to."""
    assert GAME.audience(match().state, action) == who


def test_the_cards_are_all_there_once() -> None:
    play = match()
    assert sorted(play.state.cards("deed", "table")) and not list(GAME.invariants(play.state))
    card = play.state.cards("deed", "table")[0]
    play.do(a.Do("take", ("ann", card)))
    refused(play, a.Do("take", ("bob", card)), "freeform.cards")
    assert play.state.cards("deed", "ann") == (card,)
    assert not list(GAME.invariants(play.state))


def test_what_is_secret_is_not_in_line_one_and_leaves_no_gap() -> None:
    """Not its name, not its place, not in what anybody but the hosts can open or see."""
    more = '[counters.trap]\nseen_by = "hosts"\nsecret = true\n[verbs.spring]\nfields = { who = "player" }\n'
    more += 'does = ["trap who += 1"]\nsecret = true\n'
    data = {"game": "freeform", "hosts": ["mara"], "players": {"ann": {}, "bob": {}}, **tomllib.loads(more + FILE)}
    _, bodies = setup_bodies(data, source="x", by=None, now=0)
    line = json.dumps(bodies[0].args)
    assert "trap" not in line and "spring" not in line
    for table in ("counters", "verbs"):
        rows = bodies[0].args["settings"][table].values()
        assert sorted(row["place"] for row in rows) == list(range(1, len(rows) + 1))
    assert [body.args["key"] for body in bodies if body.do == "amend-setting"] == ["counters.trap", "verbs.spring"]
    play = match(more)
    play.do(a.Do("spring", ("ann",)))
    for viewer in (PUBLIC_VIEWER, "ann", "bob"):
        assert "trap" not in repr(GAME.view(play.state, viewer))
    assert "trap" in repr(GAME.view(play.state, "host"))


def test_a_file_must_fit_its_players() -> None:
    """A deal that takes more cards than there are; a player who is called as a place is."""
    assert GAME.written is not None
    tables = tomllib.loads(FILE.replace('"one each"', '"deal 1"'))
    assert not GAME.written.faults(tables, ("ann", "bob"))
    assert [where for where, _ in GAME.written.faults(tables, ("ann", "bob", "cyd"))] == [("items", "role")]
    assert [where for where, _ in GAME.written.faults(tables, ("ann", "deck"))] == [("players", "deck")]


def test_a_public_thing_cannot_name_a_secret_one() -> None:
    assert GAME.written is not None
    more = '[counters.trap]\nseen_by = "hosts"\nsecret = true\n[verbs.spring]\nfields = { who = "player" }\n'
    faults = GAME.written.faults(tomllib.loads(more + 'does = ["trap who += 1"]\n'))
    assert [where for where, _ in faults] == [("verbs", "spring")]


@pytest.mark.parametrize(
    ("says", "fine"),
    [
        ({"who": "{price}"}, True), ({"who": "{oil who}"}, True), ({"public": "{who}"}, True),
        ({"public": "{left}"}, True), ({"public": "{price}"}, False), ({"public": "{oil who}"}, False),
        ({"other": "{price}"}, False), ({"other": "{oil who}"}, False), ({"public": "{other}"}, False),
        ({"other": "{other}"}, True),
        ({"public": "{stock} {wins who}"}, True), ({"who": "{doubt who}"}, False), ({"public": "{nothing}"}, False),
        ({"public": "{"}, False), ({"nobody": "x"}, False),
    ],
)  # fmt: skip
def test_a_text_names_only_what_its_reader_may_know(says: Mapping[str, str], fine: bool) -> None:
    """For every match of the file and whatever is typed: it is decided when the file is read."""
    assert GAME.written is not None
    tables = tomllib.loads(FILE)
    tables["verbs"]["buy"] = {
        "fields": {"who": "player", "other": "player", "price": "number", "left": "number"},
        "does": ["oil who -= price", "wins who += 1", "stock -= left", "doubt other += 1"],
        "says": dict(says),
    }
    assert (not GAME.written.faults(tables)) is fine
    if says == {"public": "{price}"}:
        tables["verbs"]["buy"]["open"] = ["price"]
        assert not GAME.written.faults(tables)


def test_what_is_added_counts_from_its_time(desk: Any) -> None:
    """A late entry is judged by the file as it was then; what is in the file is neither changed nor removed."""
    desk("sleep 1h")
    assert "recorded" in desk("hl amend-setting 'verbs.fill={does=[\"stock += 5\"]}'")
    assert "stock is 8, was 3" in desk("hl do fill") and "stock is 13, was 8" in desk("hl fill")
    assert "there is no verb" in desk("hl fill --at -30m")
    for wrong in ('verbs.fill={does=["stock += 9"]}', "verbs={}", 'counters.oil={start=1, seen_by="everybody"}'):
        assert "freeform.added" in desk(f"hl amend-setting '{wrong}'")
    assert "the rules would no longer allow" in desk("hl undo 7")


def test_each_version_of_the_file_holds_from_its_time(desk: Any) -> None:
    """Added as of an earlier time it holds from then; undone, what used it is contested, and that is asked before."""
    desk("sleep 2h")
    added = desk("hl amend-setting 'counters.fame={seen_by=\"everybody\"}' --at -1h")
    assert "The rules have something new: fame (counters)." in added
    assert "there is no counter" in desk("hl add fame ann 1 --at -90m")
    assert "fame of Ann is 1" in desk("hl add fame ann 1 --at -30m")
    desk('hl amend-setting \'verbs.cheer={fields={who="player"}, does=["fame who += 1"]}\'')
    assert "fame of Bob is 1" in desk("hl cheer bob") and "the file, verbs.cheer" in desk("hl explain 10")
    assert "fame of Bob is 2" in desk("hl do cheer bob")
    asked = desk("hl undo 7")
    assert (
        "the rules would no longer allow" in asked
        and "[exit" in asked
        and "\nverified: 11 entries" in desk("hl verify")
    )
    undone = desk("hl undo 7 --yes")
    assert "the rules no longer allow" in undone and "NOT verified" in desk("hl verify")
    assert "verified: 13 entries" in desk("hl redo 12", "hl verify")
    secret = desk("hl amend-setting 'counters.trap={seen_by=\"hosts\", secret=true}'")
    assert "--- to" not in secret and "trap" not in desk("hl view --for public -f json")


def test_the_end() -> None:
    """`close` waits for the last round; the score, the winner and the candidate follow."""
    play = match()
    play.do(shared.Resolve())
    refused(play, shared.Close(), "freeform.rounds_left")
    play.do(shared.Open())
    play.do(shared.Resolve())
    play.do(a.Add("wins", "bob", "1"))
    play.do(a.Set("oil", "cyd", "2"))
    play.do(shared.Close())
    table = play.state.table
    assert (table.status, table.tokens, table.elimination) == ("finished", {"bob": 1}, ("cyd",))
    refused(play, a.Add("wins", "ann", "9"), "freeform.over")
    play.do(a.Set("wins", "ann", "9"))
    assert play.state.table.tokens == {"bob": 0, "ann": 1}


@pytest.mark.parametrize(("final", "shown"), [('final = "everybody",', True), ("", False)])
def test_a_role_counts_in_the_score_and_in_effects(final: str, shown: bool) -> None:
    """`count(role = red)`: who may not know the role reads no score before the end, nor after it without `final`."""
    file = FILE.replace('"one each",', f'"one each", {final}'.rstrip())
    file = file.replace('score = "oil + 10 * wins"', 'score = "wins + 10 * count(role = red)"')
    more = '[verbs.meet]\nfields = { who = "player" }\ndoes = ["if count(role = red, who) > 0: purse who += 3"]\n'
    play = match(more, file=file, drawn=("ann blue, bob red, cyd blue",))
    play.do(a.Do("meet", ("ann",)))
    play.do(a.Do("meet", ("bob",)))
    assert [play.state.held("purse", p) for p in ("ann", "bob")] == [5, 8]
    assert GAME.result(play.state, "host").scores == {"ann": 0, "bob": 10, "cyd": 0}
    entry = view.of_do(play.state, a.Do("meet", ("bob",)))
    assert entry == Audience(("bob",)) and not GAME.result(play.state, PUBLIC_VIEWER).scores
    play.do(shared.Resolve())
    play.do(shared.Close("match"))
    assert play.state.table.tokens == {"bob": 1}
    assert bool(GAME.result(play.state, PUBLIC_VIEWER).scores) is shown
    assert ("10" in repr(GAME.result(play.state, PUBLIC_VIEWER).reasons)) is shown


def test_what_is_next_after_the_last_round_is_the_end() -> None:
    """The answer of `resolve` and `status` say the line that ends the match, and so does `open`."""
    play = match()
    play.do(shared.Resolve())
    assert next_steps(GAME, play.state) == ("hl open",)
    play.do(shared.Open())
    assert [step[:13] for step in next_steps(GAME, play.state)] == ["hl seal NAME "]
    play.do(shared.Resolve())
    assert next_steps(GAME, play.state) == ("hl close match",)
    assert refused(play, shared.Open(), "freeform.no_round").fix == "hl close match"
    play.do(shared.Close("match"))
    assert "hl close match" not in next_steps(GAME, play.state)
    refused(play, shared.Open(), "freeform.opened")
    free = match(file=FILE.partition("[sheets")[0], opened=True)
    assert next_steps(GAME, free.state) == ("hl close match, once play is over",)  # no rounds: a host ends it


def test_an_end_that_a_host_gives_ends_the_match() -> None:
    """After the last round nothing ends by itself; with `deadline` the match does, as with `close`."""
    play = match()
    play.do(shared.Resolve())
    assert refused(play, shared.Deadline(write_instant(play.now + 3_600_000)), "table.no_deadline").fix == "hl open"
    play.do(shared.Open())
    play.do(shared.Resolve())
    play.do(shared.Deadline(write_instant(play.now + 3_600_000)))
    assert not play.state.ended
    play.do(shared.Note("later"), at=play.now + 3_600_001)
    assert play.state.ended


def test_who_wins_by_score_wins_also_where_hosts_say_who_is_eliminated() -> None:
    play = match(opened=False)
    ending = play.state.rules.ending._replace(elimination="hosts")
    play.state = play.state._replace(rules=play.state.rules._replace(ending=ending, sheets={}))
    for action in (shared.Open(), a.Add("wins", "bob", "1"), shared.Close()):
        play.do(action)
    assert (play.state.table.tokens, play.state.table.elimination) == ({"bob": 1}, ())


def test_tab_knows_what_the_file_made(desk: Any, tmp_path: Any) -> None:
    """Its verbs and sheets, and the words of their fields; a verb that is added during play as well."""

    def offered(*words: str) -> list[str]:
        return completing.offered("-g", str(tmp_path / "m"), *words)

    desk("hl status")
    assert offered("sw") == ["swap"] and offered("bi") == ["bid"] and "take" in offered("")
    assert offered("swap", "") == ["ann", "bob"] and offered("swap", "ann", "b") == ["bob"]
    assert offered("take", "bob", "") == ["1", "2", "3", "4", "5", "6"]
    assert offered("bid", "a") == ["ann"] and offered("bid", "ann", "") == [] and offered("swap", "a", "b", "") == []
    assert offered("fil") == []
    desk('hl amend-setting \'verbs.fill={fields={how="one of red, blue"}, does=["stock += 5"]}\'')
    desk("hl swap ann bob 1")
    assert offered("amend", "8", "") == ["a=", "b=", "much=", "verb=", "at="]
    assert offered("fil") == ["fill"] and offered("fill", "") == ["red", "blue"]


def test_a_verb_of_the_file_shadows_none_of_ours(desk: Any) -> None:
    """Called as one of ours it is typed `do`; `note` and `set` stay what they are."""
    more = "".join(
        f'[verbs.{name}]\nfields = {{ who = "player" }}\ndoes = ["wins who += 1"]\n' for name in ("note", "set")
    )
    assert "wins" not in desk("hl note ann", more=more) and "wins of Ann is 7" in desk("hl set wins ann 7")
    assert "wins of Ann is 8" in desk("hl do note ann") and "is 9" in desk("hl do set ann")


def test_values_lie_within_a_thousand_million() -> None:
    """What goes beyond is refused, in between as well; a score stops there; a number that is typed cannot."""
    more = '[verbs.grow]\nfields = { who = "player", n = "number" }\n'
    more += 'does = ["wins who = 1000000000 * n", "wins who = wins who - wins who"]\n'
    play = match(more)
    play.do(a.Do("grow", ("ann", "1")))
    refused(play, a.Do("grow", ("ann", "2")), "freeform.bounds")
    refused(play, a.Set("wins", "ann", "1000000001"), "freeform.word")
    play.do(a.Set("wins", "ann", "1000000000"))
    refused(play, a.Add("wins", "ann", "1"), "freeform.bounds")
    assert GAME.result(play.state, "host").scores["ann"] == 10**9


@pytest.mark.parametrize(
    ("field", "typed", "kept"),
    [
        ("number", "-7", "-7"), ("number", "x", None), ("number 0..10", "11", None), ("number 2..", "1", None),
        ("number 0..oil", "5", "5"), ("number 0..oil", "6", None), ("number 0..2 * oil - 1", "9", "9"),
        ("yes/no", "Y", "yes"), ("yes/no", "perhaps", None), ("player", "BOB", "bob"),
        ("player", "zoe", None), ("player?", "-", "-"),
        ("player", "-", None), ("one of red, blue", "Red", "red"), ("one of red, blue", "green", None),
        ("card of deed", "6", "6"), ("card of deed", "7", None), ("cell 5x5", "e5", "E5"), ("cell 5x5", "F1", None),
        ("text", "two words", "two words"), ("text", "a\nb", None), ("list of number 0..9", "5, 0 7", "5,0,7"),
        ("list of number 0..9", "5,10", None), ("list of player", "cyd,ann", "cyd,ann"),
        ("list of cell 2x2", "a1,B2", "A1,B2"), ("list of one of red, blue?", "-", "-"),
    ],
)  # fmt: skip
def test_what_a_field_takes(field: str, typed: str, kept: str | None) -> None:
    """Each kind in its one spelling; anything else is refused, and nothing is guessed."""
    play = match(f'[sheets.form]\nfields = {{ said = "{field}" }}\nrounds = 2\n', opened=False)
    play.do(shared.Open())
    play.do(shared.Resolve())
    play.do(shared.Open())
    if kept is None:
        refused(play, a.Seal("ann", (typed,)), "player.unknown" if field == "player" else "freeform.word")
    else:
        play.do(a.Seal("ann", (typed,)))
        assert play.state.table.round.sheets["ann"][-1].content.words == (kept,)


TWO_WORDS = """
[items.tool]
values = ["old_key", "lamp"]
seen_by = "everybody"
label = "Crow bar"
[verbs.leave]
fields = { who = "player", n = "number 5..9", where = "one of north_bank, south_bank", why = "text?" }
does = ["wins who += n"]
"""


@pytest.mark.parametrize(
    ("typed", "fix"),
    [
        ("ann 7 north bank because", "hl do leave ann 7 north_bank because"),
        ("ann 7 south bank it was cold", "hl do leave ann 7 south_bank 'it was cold'"),
        ("ann 7 north_bank it was cold", "hl do leave ann 7 north_bank 'it was cold'"),
        ("ann 7 north_bank $(x) it", "hl do leave ann 7 north_bank '$(x) it'"),
        ("ann", "like: hl do leave cyd 5 north_bank"), ("ann 7 far off a b", "like: hl do leave cyd 5 north_bank"),
        ("ann few north_bank", "n: 5 to 9"), ("ann 7 nort_bank", "one of: north_bank south_bank"),
    ],
)  # fmt: skip
def test_words_that_belong_together_are_offered_as_one(typed: str, fix: str) -> None:
    """The line that is named can be typed as it stands; where none fits, a sample."""
    play = match(TWO_WORDS)
    with pytest.raises(LedgerError) as caught:
        GAME.prepare(play.state, a.Do("leave", tuple(typed.split())), None)
    assert caught.value.code == "freeform.word" and caught.value.fix == fix


def test_a_space_stands_for_what_joins_two_words() -> None:
    """Between quotes, or for a card that is typed last; the label of a counter or card leads to its name."""
    play = match(TWO_WORDS)
    play.do(a.Give("tool", "table", "ann", "Old key"))
    assert play.state.cards("tool", "ann") == ("old_key",)
    error = refused(play, a.Give("crow_bar", "ann", "bob", "lamp"), "freeform.name")
    assert error.fix == "did you mean tool?"
    assert NAME.read("Iron  tool", None) == "iron_tool"  # type: ignore[arg-type]


def test_the_only_card_of_a_kind_is_named_once() -> None:
    """`shield` of the kind `shield`; of any other the kind is said as well."""
    play = match('[items.shield]\nvalues = ["shield"]\nseen_by = "everybody"\n' + TWO_WORDS)
    for name, wanted in (("shield", '"shield goes'), ("tool", "Crow bar old_key goes")):
        facts = play.do(a.Give(name, "table", "ann", "old_key" if name == "tool" else ""))
        assert wanted in repr(GAME.tell(play.state, facts, PUBLIC_VIEWER)).replace("'", '"')


def test_check_says_which_counter_in_sight_tells_of_what_is_hidden() -> None:
    """The entry is closed, and the counter that everybody sees changes all the same; it is said once."""
    assert GAME.written is not None
    twice = FILE.replace('"stock = oil who"', '"stock = oil who", "stock = oil who"')
    rows = [what for what, *_ in GAME.written.seen(tomllib.loads(twice))]
    assert [row for row in rows if "tells of" in row] == [
        "  steps: stock tells of oil",
        "  judge: stock tells of doubt",
    ]


def test_who_has_left_does_nothing_more() -> None:
    """A verb of the file is refused for the first player it names, as every verb is; they may still be named beside."""
    play = match()
    play.do(shared.Drop("bob"))
    refused(play, a.Do("swap", ("bob", "ann", "1")), "table.left")
    play.do(a.Do("swap", ("ann", "bob", "1")))


def test_amend_takes_the_fields_of_the_file(desk: Any) -> None:
    """`much=2` of a verb or a sheet mends that word; the others stay."""
    assert "recorded #7" in desk("hl swap ann bob 1") and "recorded #8" in desk("hl bid ann 2")
    assert "oil: 4 -> 3" in desk("hl amend 7 much=2")
    assert "recorded" in desk("hl amend 8 much=1") and "words ann bob 2" not in desk("hl log")
    said = desk("hl amend 7 mutch=2")
    assert 'entry 7 has no field "mutch" [amend.field]' in said and "did you mean much?" in said
    assert "one of: a b much at" in desk("hl amend 7 price=2")
    shown = desk("hl amend 7")
    assert "a=ann" in shown and "much=2" in shown and "words=" not in shown
    more = 'verbs.say={fields={who="player", what="text", to="list of player?"}, does="wins who += 1"}'
    assert "#11" in desk(f"hl amend-setting '{more}'")
    assert "recorded #12" in desk("hl say ann 'well, now' ann,bob")
    assert "recorded" in desk("hl amend 12 to=bob")
    assert "what=well, now" in desk("hl amend 12") and "words=ann well, now bob" in desk("hl log")
    assert "moved" not in desk("hl amend 8 player=bob much=2")
    assert "now bob" in desk("hl amend 8 player=bob much=3 -n")


def test_a_refused_card_does_not_tell_how_many_somebody_has() -> None:
    """None or several: the line that may be forwarded says in both that a card is to be named."""
    play = match()
    play.do(a.Give("role", "ann", "bob"))
    none, several = (refused(play, a.Give("role", who, "cyd"), "freeform.cards") for who in ("ann", "bob"))
    assert none.what == several.what and none.fix.replace("ann", "bob") == several.fix
    assert (none.host_only, several.host_only) == ("Ann has no role", "Bob has several cards of role")


def test_a_refused_number_does_not_tell_a_purse() -> None:
    """The line that may be forwarded names the bound as the file says it; what is held, only the hosts read."""
    error = refused(match(), a.Seal("ann", ("9",)), "freeform.word")
    assert "5" not in error.what + error.fix and "number 0..oil" in error.fix and "0 to 5" in error.host_only
    with pytest.raises(LedgerError, match="at least 1 and at most 0, which no number is, not 1"):
        whole("oil", "1", 1, 0)
