"""Freeform: what a file says happens, all or nothing; who may know an entry; what is added counts from then on."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from events.audiences import EVERYBODY, HOST, PUBLIC_VIEWER
from events.errors import LedgerError
from games.freeform import actions as a
from games.registry import load
from games.table import actions as shared
from ledger.exchange.matchfile import setup_bodies
from ledger.tell.reports import next_steps
from tests.support import completing
from tests.support.lines import plays
from tests.support.play import Play
from tests.table import lines

GAME = load("freeform")
WRITTEN: Any = GAME.written
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
    tables = tomllib.loads(file + more)
    assert not WRITTEN.faults(tables), WRITTEN.faults(tables)
    public, hidden = WRITTEN.public(tables)
    play = Play("freeform", players=["ann", "bob", "cyd"], settings=public, opened=False)
    for action in (*hidden, a.Draw("deed"), a.Draw("role", drawn)):
        play.do(action)
    if opened:
        play.do(shared.Open())
    return play


ROLE = FILE.replace('score = "oil + 10 * wins"', 'score = "wins + 10 * count(role = red)"')
ROLE += '[verbs.meet]\nfields = { who = "player" }\ndoes = ["if count(role = red, who) > 0: purse who += 3"]\n'
GROW = """
[verbs.grow]
fields = { who = "player", n = "number" }
does = ["wins who = 1000000000 * n", "wins who = wins who - wins who"]
"""
TWO_WORDS = """
[items.tool]
values = ["old_key", "lamp"]
seen_by = "everybody"
label = "Crow bar"
[items.shield]
values = ["shield"]
seen_by = "everybody"
[verbs.leave]
fields = { who = "player", n = "number 5..9", where = "one of north_bank, south_bank", why = "text?" }
does = ["wins who += n"]
"""
PLEDGE = """
[verbs.pledge]
fields = { who = "player", other = "player", what = "card of role" }
does = [
  "if doubt who = 1: oil who -= 99",
  "if doubt who = 2: wins who += 1000000000 * 2",
  "if doubt who = 3: move oil who other 0 - 1",
  "if doubt who = 4: move what other who",
]
"""
TELLING = """
[verbs.pay]
fields = { who = "player", to = "player" }
does = ["move oil who to 1"]
says = { to = "{who} gave you 1." }
"""
DRAWN = ("ann blue, bob red, cyd blue",)
STARTS = {
    "match": lambda said: match(),
    "growing": lambda said: match(GROW),
    "words": lambda said: match(TWO_WORDS),
    "telling": lambda said: match(TELLING),
    "pledges": lambda said: match(PLEDGE, drawn=DRAWN),
    "roles": lambda said: match(file=ROLE, drawn=DRAWN),
    "shown": lambda said: match(file=ROLE.replace('"one each",', '"one each", final = "everybody",'), drawn=DRAWN),
    "free": lambda said: match(file=FILE.partition("[sheets")[0]),
}
IN_MEMORY = {
    "oil": lambda play: {p: play.state.held("oil", p) for p in ("ann", "bob", "cyd")},
    "purse": lambda play: {p: play.state.held("purse", p) for p in ("ann", "bob", "cyd")},
    "stock": lambda play: play.state.held("stock", ""),
    "tools": lambda play: play.state.cards("tool", "ann"),
    "facts": lambda play: [type(fact).__name__ for fact in play.last],
    "next": lambda play: next_steps(GAME, play.state, 0),
    "said": lambda play: play.refusals[-1].split(" | ")[0],
    "fix": lambda play: play.refusals[-1].split(" | ")[1],
    "hosts": lambda play: play.refusals[-1].split(" | ")[2],
    "seen": lambda play: repr(GAME.result(play.state, PUBLIC_VIEWER).reasons),
}
RULES = """
a verb is all or nothing: a bound that breaks refuses the whole of it; which it is, only the hosts read
  match; no bounds: do swap ann bob 6; said !~ 1; said !~ Ann; hosts ~ would be -1; no bounds: do swap ann bob -1
  do swap ann bob 4; oil == ann 1, bob 9, cyd 5
a reason is told however it begins; only that a verb did it is not told
  match; add wins ann 1 --why "by the rules of the house"; told public ~ (before: 0), by the rules of the house.
  do judge ann; told public ~ (before: 1).; told public !~ by judge
why a verb is refused tells nothing that a condition hides: the words, the code and the line are the same
  pledges; do pledge ann bob blue; set doubt ann 1; no bounds: do pledge ann bob blue
  said == pledge: the file does not allow it now; fix == hl status
  hosts == oil of Ann would be -94, it must be at least 0
  set doubt ann 2; no bounds: do pledge ann bob blue; said == pledge: the file does not allow it now; fix == hl status
  hosts == a number would be larger than a thousand million
  set doubt ann 3; no bounds: do pledge ann bob blue; said == pledge: the file does not allow it now; fix == hl status
  hosts == a negative amount would move
  set doubt ann 4; no bounds: do pledge ann bob blue; said == pledge: the file does not allow it now; fix == hl status
  hosts == Bob does not have blue
effects see the one before, and bounds come last: in between a counter may leave them
  match; do steps ann; oil ann == 5; stock == 1
close waits for the last round; the score, the winner and the candidate follow
  match; resolve; no rounds_left: close; open; resolve; add wins bob 1; set oil cyd 2; close; status == finished
  tokens == bob 1; ec == cyd; no over: add wins ann 9; set wins ann 9; tokens == ann 1
count(role = red) in the score and in effects: who may not know the role reads no score, before the end or after it
  roles; do meet ann; do meet bob; purse == ann 5, bob 8, cyd 5; result host scores == bob 10
  result public scores == absent; resolve; close match; tokens == bob 1; result public scores == absent; seen !~ 10
count(role = red): with `final` after the end
  shown; result public scores == absent; resolve; close match; tokens == bob 1; result public scores == bob 10
  seen ~ 10
what is next after the last round is the end
  match; resolve; next == hl open; open; next ~ hl seal NAME; resolve; next == hl close match; no no_round: open
  fix == hl close match; close match; next !~ hl close match; no opened: open
without rounds a host ends it
  free; next == hl close match, once play is over
an end that a host gives ends the match as `close` does; before the last round there is none
  match; resolve; no no_deadline: deadline 2026-11-20T00:00:00Z
  fix == hl open; open; resolve; deadline 2026-11-20T00:00:00Z; status == running; +99h; status == finished
values lie within a thousand million, in between as well; a score stops there
  growing; do grow ann 1; no bounds: do grow ann 2; no word: set wins ann 1000000001; set wins ann 1000000000
  no bounds: add wins ann 1; result host scores.ann == 1000000000
who has left does nothing more; they may still be named beside
  match; drop bob; no left: do swap bob ann 1; do swap ann bob 1
who has left is told nothing, and nobody is said to be told it in their place
  telling; do pay bob ann; facts ~ Told; drop ann; do pay bob ann; facts ~ Done; facts !~ Told
a refused card does not tell how many somebody has
  match; give role ann bob; no cards: give role ann cyd; said == say which card; hosts == Ann has no role
  no cards: give role bob cyd; said == say which card; hosts == Bob has several cards of role
a refused number does not tell a purse: the bound is named as the file says it
  match; no word: seal ann 9; said !~ 5; fix !~ 5; fix ~ number 0..oil; hosts ~ 0 to 5
a space stands for what joins two words; a label leads to its name
  words; give tool table ann "Old key"; told public ~ Crow bar old_key goes; tools == old_key
  no name: give crow_bar ann bob lamp; fix == did you mean tool?
`final` opens what is held at the end, and no entry
  shown; opens give role ann bob red == ann bob; opens set oil ann 3 == ann; opens move oil ann bob 3 == ann bob
who may open an entry: the narrowest of all that is read and changed, whatever its conditions come to
  match; opens do swap ann bob 1 == ann bob; opens do cross ann bob == nothing; opens do cross ann ann == ann
  opens do judge ann == nothing; opens do take ann 1 == everybody; opens do no_such ann == nothing
  opens set oil ann 3 == ann; opens set purse ann 3 == ann; opens move purse ann bob 3 == ann bob
  opens set doubt ann 3 == nothing; opens give role ann bob red == ann bob
  opens give deed deck away 1 == nothing; opens draw role == nothing; opens draw deed == later
words that belong together are offered as one: the line that is named can be typed as it is; where none fits, a sample
  words; no word: do leave ann 7 north bank because; fix == hl do leave ann 7 north_bank because
  no word: do leave ann 7 south bank it was cold; fix == hl do leave ann 7 south_bank 'it was cold'
  no word: do leave ann 7 north_bank it was cold; fix == hl do leave ann 7 north_bank 'it was cold'
  no word: do leave ann 7 north_bank $(x) it; fix == hl do leave ann 7 north_bank '$(x) it'
  no word: do leave ann; fix == like: hl do leave cyd 5 north_bank; no word: do leave ann 7 far off a b
  fix == like: hl do leave cyd 5 north_bank; no word: do leave ann few north_bank; fix == n: 5 to 9
  no word: do leave ann 7 nort_bank; fix == one of: north_bank south_bank
whoever sees the cards of players is not told which one is put away from the deck
  match; give deed deck away; facts == CardMoved; told public == nothing; told ann == nothing
the only card of a kind is named once
  words; give shield table ann; told public ~ shield goes; told public !~ shield shield
"""
test_rule = lines.plays(RULES, STARTS, IN_MEMORY)


HEAD = 'game = "freeform"\nhosts = ["mara"]\n[players]\nann = {}\nbob = {}\n'
SHADOWS = "".join(
    f'[verbs.{name}]\nfields = {{ who = "player" }}\ndoes = ["wins who += 1"]\n' for name in ("note", "set")
)
WATCHED = (
    HEAD
    + "zed = { outsider = true }\n"
    + FILE
    + """
[verbs.bless]
fields = { who = "player", other = "player" }
does = ["if doubt who > 0: oil other += 1"]
"""
)
CARGO = (
    HEAD
    + """
[counters]
gold = { start = 10, seen_by = "owner", final = "everybody", least = 0 }
[items]
cargo = { values = ["silk", "tea", "rum"], copies = 3, draw = "deal 2", turn = 2, seen_by = "owner" }
[sheets.bid]
fields = { much = "number 0..gold" }
rounds = 2
[verbs.pay]
fields = { who = "player", other = "player", much = "number 1..gold" }
does = ["move gold who other much"]
[verbs.unload]
fields = { who = "player", card = "card of cargo" }
does = ["gold who += 3", "move card who table"]
"""
)
TOLL = '[sheets.toll]\nfields = { paid = "yes/no" }\n'
FILES = {
    "made": HEAD + FILE,
    "shadows": HEAD + FILE + SHADOWS,
    "watched": WATCHED,
    "cargo": CARGO,
    "fleet": CARGO + TOLL,
}
SHOWS = {"tab": lambda here, *words: completing.offered("-g", str(here.path), *(word.strip("_") for word in words))}
SHORT = {
    "made": "file made ; draw deed ; draw role ; open",
    "laden": 'file cargo ; draw cargo --drawn "rum silk tea tea rum silk silk tea rum" ; open',
    "filling": "amend-setting 'verbs.fill={does=[\"stock += 5\"]}'",
    "famous": "amend-setting 'counters.fame={seen_by=\"everybody\"}' --at -1h",
    "cheering": 'amend-setting \'verbs.cheer={fields={who="player"}, does=["fame who += 1"]}\'',
    "choosing": 'amend-setting \'verbs.fill={fields={how="one of red, blue"}, does=["stock += 5"]}\'',
    "trapped": "amend-setting 'counters.trap={seen_by=\"hosts\", secret=true}'",
    "saying": """amend-setting \
        'verbs.say={fields={who="player", what="text", to="list of player?"}, does="wins who += 1"}'""",
}
TYPED = """
what is added counts from its time; what is in the file is neither changed nor removed
  made ; +1h ; filling ; do fill ~ stock is 8, was 3 ; fill ~ stock is 13, was 8 ; 2 fill --at -30m ~ there is no verb
  3 amend-setting 'verbs.fill={does=["stock += 9"]}' ~ freeform.added ; 3 amend-setting verbs={} ~ freeform.added
  3 amend-setting 'counters.oil={start=1, seen_by="everybody"}' ~ freeform.added
  5 undo {amend-setting} ~ the rules would no longer allow
each version of the file holds from its time; undone, what used it is contested, and that is asked before
  made ; +2h ; famous ~ The rules have something new: fame (counters).
  2 add fame ann 1 --at -90m ~ there is no counter
  add fame ann 1 --at -30m ~ fame of Ann is 1 ; cheering ; cheer bob ~ fame of Bob is 1
  explain @ ~ the file, verbs.cheer ; do cheer bob ~ fame of Bob is 2 ; 5 undo @4 ~ the rules would no longer allow
  verify ; undo @4 --yes ~ the rules no longer allow ; 4 verify ~ NOT verified ; redo @ --yes ; verify
  trapped !~ --- to ; view --for public -f json !~ trap
tab knows its verbs and sheets, and the words of their fields; a verb that is added during play as well
  made ; : tab sw == swap ; : tab bi == bid ; : tab _ ~ take ; : tab swap _ == ann bob ; : tab swap ann b == bob
  : tab take bob _ == 1 2 3 4 5 6 ; : tab bid a == ann ; : tab bid ann _ == ; : tab swap a b _ == ; : tab fil ==
  choosing ; swap ann bob 1 ; : tab amend @ _ == a= b= much= verb= at= ; : tab fil == fill ; : tab fill _ == red blue
who plays no part holds nothing, so no verb, sheet or counter names them, whatever a hidden condition comes to
  file watched ; draw deed ; draw role ; open ; alias zed zz ; 2 bless ann zed ~ there is no player "zed" in this match
  set doubt ann 1 ; 2 bless ann zz ~ there is no player "zz" in this match ; 2 swap zed ann 1 ~ the players are ann, bob
  2 set oil zed 3 ~ no player ; 2 add oil zed 3 ~ no player ; 2 move oil ann zed 1 ~ no player ; bless ann bob
a verb of the file that is called as one of ours is typed `do`; `note` and `set` stay what they are
  file shadows ; draw deed ; draw role ; open ; note ann !~ wins ; set wins ann 7 ~ wins of Ann is 7
  do note ann ~ wins of Ann is 8 ; do set ann ~ is 9
amend takes the fields of a verb or a sheet of the file; the others stay
  made ; swap ann bob 1 ; bid ann 2 ; amend @1 much=2 ~ oil: 4 -> 3 ; amend @1 much=1 ; log !~ words ann bob 2
  2 amend @3 mutch=2 ~ has no field "mutch" [amend.field] ~ did you mean much? ; 2 amend @3 price=2 ~ a b much at
  amend @3 ~ a=ann ~ much=2 !~ words= ; saying ; say ann 'well, now' ann,bob ; amend @ to=bob
  log ~ words=ann well, now bob ; amend {do} ~ what=well, now ; amend {seal} player=bob much=2 !~ moved
  amend {seal} player=bob much=3 -n ~ now bob
a draw is told as it was, whatever has left the deck since
  laden ; show {draw} ~ cargo is drawn; in the deck: rum silk silk tea rum [ ; explain ann ~ in the deck: rum silk silk
of the cards that a round lays open its text names no others that lie on the table
  laden ; unload ann rum ; resolve --yes --early ; open ~ cargo laid open: silk tea. !~ on the table
  : view --for public | view.laid.cargo == rum silk rum silk tea
a player's correction shows nothing that everybody is shown and that a later one, for everybody alone, makes untrue
  laden ; pay bob ann 3 ; unload ann rum ; outbox done all --yes ; amend 6 much=2 --yes ; : covers == 6b+1 6c+1
  : texts bob ~ - gold: 8 / - cargo: tea tea / Nothing is in from you yet. !~ table !~ Round 1
  outbox done all --yes ; amend 7 card=silk --yes ; : drift == 7a 7b
  : texts public ~ - cargo on the table: rum silk silk ; : texts ann ~ - cargo: rum !~ table
nor the rows of others that everybody is shown
  made ; swap ann bob 1 ; outbox done all --yes ; amend {do} much=2 --yes ; : texts bob ~ - oil: 7 !~ Ann 1
where a player's place has another word, the answer names all the words of the verb
  laden ; 2 pay ann 3 bob ~ no player "3" ~ pay takes WHO OTHER MUCH [
  2 pay cyd 3 ann ~ pay takes WHO OTHER MUCH [ ~ like: hl do pay bob ann 1 / ; 2 pay ann bbo 3 ~ mean bob? !~ takes
reopen after the end leads to what takes the close back
  laden ; resolve --yes --early ; close match --yes ; 3 reopen ~ try: hl undo last close -n / ; undo last close --yes
last takes the verbs, the sheets and the things of the file as hosts type them
  laden ; pay ann bob 2 ; bid ann 3 ; unload ann rum ; give cargo deck bob ; add gold bob 1 ; note end
  : show last pay | seq == 6 ; : show last pay ann | do == do ; : show last bid | do == seal
  : show last unload | do == do ; : show last gold | do == add ; : show last gold bob | do == add
  : show last cargo | do == give ; : show last draw cargo | do == draw ; 2 show last pay cyd ~ no player "cyd"
  2 show last steal ~ there is no player "steal" ; 2 show last unload bob ~ no unload that names Bob in effect
  amend last pay much=1 ~ gold: 11 -> 12 ; 2 amend last pay bob gold=3 ; undo last pay ~ undone: #6, do pay ann bob
  2 undo last pay ~ there is no pay in effect ; undo last bid ~ undone: #7, seal ann 3
of two sheets last is that of the rounds that are its own
  file fleet ; draw cargo ; open ; bid ann 3 ; 2 show last toll ~ no toll in effect ; resolve --yes --early ; open
  toll ann yes ; : show last bid | args.words == 3 ; : show last toll | args.words == yes
"""
test_typed = plays(TYPED)


def refused(play: Any, action: Any, code: str) -> LedgerError:
    before = play.state
    with pytest.raises(LedgerError) as caught:
        play.do(action)
    assert caught.value.code == code and play.state == before
    return caught.value


def test_the_cards_are_all_there_once() -> None:
    """And what everybody sees, or hosts add, is open to all; not what is secret."""
    play = match()
    assert sorted(play.state.cards("deed", "table")) and not list(GAME.invariants(play.state))
    card = play.state.cards("deed", "table")[0]
    play.do(a.Do("take", ("ann", card)))
    refused(play, a.Do("take", ("bob", card)), "freeform.bounds")
    assert GAME.audience(play.state, a.Add("stock", None, "1")) == EVERYBODY
    for secret, who in ({}, EVERYBODY), ({"secret": True}, HOST):
        assert GAME.audience(play.state, shared.AmendSetting("counters.x", {"seen_by": "hosts", **secret})) == who
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
    tables = tomllib.loads(FILE.replace('"one each"', '"deal 1"'))
    assert not WRITTEN.faults(tables, ("ann", "bob"))
    assert [where for where, _ in WRITTEN.faults(tables, ("ann", "bob", "cyd"))] == [("items", "role")]
    assert [where for where, _ in WRITTEN.faults(tables, ("ann", "deck"))] == [("players", "deck")]


def test_a_public_thing_cannot_name_a_secret_one() -> None:
    more = '[counters.trap]\nseen_by = "hosts"\nsecret = true\n[verbs.spring]\nfields = { who = "player" }\n'
    faults = WRITTEN.faults(tomllib.loads(more + 'does = ["trap who += 1"]\n'))
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
    tables = tomllib.loads(FILE)
    tables["verbs"]["buy"] = {
        "fields": {"who": "player", "other": "player", "price": "number", "left": "number"},
        "does": ["oil who -= price", "wins who += 1", "stock -= left", "doubt other += 1"],
        "says": dict(says),
    }
    assert (not WRITTEN.faults(tables)) is fine
    if says == {"public": "{price}"}:
        tables["verbs"]["buy"]["open"] = ["price"]
        assert not WRITTEN.faults(tables)


@pytest.mark.parametrize(
    ("does", "reader", "text", "fine"),
    [
        ("oil who += n, oil who -= m, doubt who -= m", "who", "{n} and {m}", False),
        ("oil who += n, oil who -= m, doubt who -= m", "who", "{n}", False),
        ("oil who += n, oil who -= m", "who", "{n} and {m}", True),
        ("oil who += n, purse who -= m, doubt who -= m", "who", "{n} and {m}", True),
        ("oil who += n - m, doubt who -= m", "who", "{n}", False),
        ("oil who += n - m, doubt who -= 1", "who", "{n}", True),
        ("if m > 3: oil who += n, doubt who -= m", "who", "{n}", False),
        ("doubt who = m, oil who += n - doubt who", "who", "{n}", False),
        ("stock = n, doubt who -= n", "public", "{n}", True),
        ("move wins who other n, doubt who -= n", "public", "{n}", False),
        ("oil who -= n, oil other += n", "who", "{n}", True),
        ("oil who -= n, oil other += n, doubt who += n", "who", "{n}", False),
        ("move what table who, doubt who -= 1", "public", "{who} {what}", True),
        ("move what who other, doubt who -= 1", "public", "{who} {what}", False),
    ],
)
def test_a_text_names_no_field_that_tells_a_hidden_change(does: str, reader: str, text: str, fine: bool) -> None:
    """A reader sees what a counter came to, not each change of it; two fields may name one player."""
    fields = {"who": "player", "other": "player", "what": "card of deed", "n": "number", "m": "number"}
    verb = {"fields": fields, "does": does.split(", "), "says": {reader: text}}
    assert (not WRITTEN.faults(tomllib.loads(FILE) | {"verbs": {"try": verb}})) is fine
    assert not WRITTEN.faults(tomllib.loads(FILE) | {"verbs": {"try": {**verb, "open": [*fields]}}})


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


def test_check_says_which_counter_in_sight_tells_of_what_is_hidden() -> None:
    """The entry is closed, and the counter that everybody sees changes all the same; it is said once."""
    twice = FILE.replace('"stock = oil who"', '"stock = oil who", "stock = oil who"')
    rows = [what for what, *_ in WRITTEN.seen(tomllib.loads(twice))]
    assert [row for row in rows if "tells of" in row] == [
        "  steps: stock tells of oil",
        "  judge: stock tells of doubt",
    ]
