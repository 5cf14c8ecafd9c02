"""What the ledger asks of a game whose rules stand in the match file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.contract import Action, Spoken, Written
from games.freeform import actions as a, words
from games.freeform.facts import State
from games.freeform.lang import PLACES
from games.freeform.model import Field, shown
from games.freeform.read import TABLES, in_order, is_secret, read_rules
from games.table import actions as shared


def faults(tables: Mapping[str, object], players: Sequence[str] = ()) -> tuple[tuple[tuple[str, ...], str], ...]:
    """All that is wrong with the tables of a file, and with them for these players: (keys that lead there, what)."""
    rules, found = read_rules(tables)
    faults = [*found, *((("players", p), f"{p} has a meaning of its own: another id") for p in players if p in PLACES)]
    for item in rules.items.values():
        if (needed := item.each * len(players)) > (there := len(item.values)):
            what = f'"deal {item.each}" to {len(players)} players takes {needed} cards, and there are {there}'
            faults.append((("items", item.name), what))
    return tuple(faults)


def seen(tables: Mapping[str, object]) -> tuple[tuple[str, str, str, str], ...]:
    """(what, whose it is, the others, at the end) for all that a file without faults lets be known."""
    return tuple(shown(read_rules(tables)[0]))


AFTER = 1000
"""What is secret stands after everything else: the places in line 1 tell of no gap."""


def public_of(settings: Mapping[str, object]) -> tuple[dict[str, object], list[Action]]:
    """The tables of a file without what is secret, and the entries for the hosts that hold it."""
    public, entries = dict(settings), list[Action]()
    for table in TABLES:
        rows = settings.get(table, {})
        if table == "result" or not isinstance(rows, Mapping):
            continue
        hidden = {name: row for name, row in rows.items() if is_secret(row)}
        visible = {name: row for name, row in rows.items() if name not in hidden}
        public[table] = {name: in_order(row, n) for n, (name, row) in enumerate(visible.items(), 1)}
        entries += [
            shared.AmendSetting(f"{table}.{name}", in_order(row, AFTER + n))
            for n, (name, row) in enumerate(hidden.items(), 1)
        ]
    return public, entries


def spoken(state: State) -> dict[str, Spoken]:
    """The verbs and sheets of the file, by the word that a host may type in place of `do VERB` or `seal`."""
    verbs = {}
    for sheet in state.rules.sheets.values():
        usage = ("PLAYER", *(words.usage(field) for field in sheet.fields))
        names, kinds = _names_and_kinds(sheet.fields)
        help = f"Seal the {sheet.label} of a player for the round."
        of = tuple(name for name in state.rules.rounds() if state.rules.sheet(name) is sheet)
        verbs[sheet.name] = Spoken(a.Seal, (), help, usage, names, kinds, f"sheets.{sheet.name}", rounds=of)
    for verb in state.rules.verbs.values():
        usage = tuple(words.usage(field) for field in verb.fields)
        names, kinds = _names_and_kinds(verb.fields)
        help = verb.help or f"A verb of the file: hl do {verb.name}."
        verbs[verb.name] = Spoken(a.Do, (verb.name,), help, usage, names, kinds, f"verbs.{verb.name}", verb.secret)
    return verbs


def examples(state: State) -> dict[type, str]:
    """What could be typed after `seal`, `do` and the rest, of the file: the first name that fits and is not secret."""
    rules, players, on = state.rules, state.table.players, state.table.round
    first, last = players[0], players[-1]
    sheets = [rules.sheet(on.name)] if on else [*rules.sheets.values()]
    counters = [counter for counter in rules.counters.values() if not (counter.table or counter.secret)]
    items = [item for item in rules.items.values() if not item.secret]
    drawn = [item for item in items if item.draw]
    typed: dict[type, str] = {}
    if sheets:
        typed[a.Seal] = f"{first} {words.examples(sheets[0].fields, players)}".rstrip()
    for verb in [verb for verb in rules.verbs.values() if not verb.secret][:1]:
        typed[a.Do] = f"{verb.name} {words.examples(verb.fields, players)}".rstrip()
    for counter in counters[:1]:
        at = f"{counter.name} {first}"
        typed |= {a.Set: f"{at} {counter.start}", a.Add: f"{at} 1", a.Move: f"{at} {last} 1"}
    for item in items[:1]:
        typed[a.Give] = f"{item.name} {first} {last}"
    if drawn:
        typed[a.Draw] = drawn[0].name
    return typed


def _names_and_kinds(fields: Iterable[Field]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(field.name for field in fields), tuple(field.said for field in fields)


TEMPLATE = """\
# A match of your own. Change what you need, then:  hl check THIS.toml   hl new FOLDER --from THIS.toml
# What stands after a # is a remark; a line that begins with #name = is an example: take away its #, and the line that
# says the same. Names (oil, lanterns, buy, ...) are yours: a-z, then a-z, 0-9 and _.
game = "freeform"
title = "Lantern Market"
zone = "UTC"                   # the zone in which times are typed and shown, like "Europe/Berlin"
hosts = ["mara"]               # who records; with several, each says hl --as NAME

[players]                      # in seat order; everything but the key may be left out
ann = { name = "Ann", garnets = 0, channel = "#ann" }
bob = { name = "Bob", garnets = 0, channel = "#bob" }
cyd = { name = "Cyd", garnets = 0, channel = "#cyd" }
dan = { name = "Dan", garnets = 0, channel = "#dan" }

# -- Counters: numbers that go up and down. hl set oil ann 12, hl add oil ann -2, hl move oil ann bob 3
[counters]
# seen_by: who sees it while the match is on: owner (whose it is), everybody, or hosts.
# final: who sees it at the end. least, most: bounds. of = "table": there is one, and it is nobody's.
# label: what texts call it. secret = true: even that it exists is the hosts' (also of an item or a verb).
oil = { start = 10, seen_by = "owner", final = "everybody", least = 0 }
lanterns = { start = 0, seen_by = "everybody" }
stock = { of = "table", start = 20, seen_by = "everybody", least = 0 }
#favour = { seen_by = "hosts", secret = true, label = "favour of the king" }

# -- Items: cards, tickets, roles: things that are somewhere. hl draw guild, hl give guild ann bob
[items]
# draw: "one each" (each player gets one of the values by lot, so two may get the same), "order" (a shuffled deck),
# "deal 5" (a deck, five each; with "deal 1" no two get the same card).
# turn = 3: when a round begins, three cards of the deck are laid open. copies = 2: each value twice.
# Each value is one word: old_king. How many there are of a role is how often it is listed.
guild = { values = ["north", "south"], draw = "one each", seen_by = "owner", final = "everybody" }
#role = { values = ["wolf", "sheep", "sheep", "sheep"], draw = "deal 1", seen_by = "owner", final = "everybody" }

# -- Sheets: what players seal in a round. hl seal ann 3 yes bob, or hl offer ann 3 yes bob
[sheets.offer]
# Fields: number, number 0..10, number 0..oil, yes/no, player, one of red, blue, card of guild, cell 5x5, text,
# list of number 0..9; with ? at the end it may be left out.
fields = { oil = "number 0..oil", lantern = "yes/no", partner = "player?" }
rounds = 2
hours = 24
#hours = "3m"                  # or "90s", "1d12h"
opened = "everybody"           # who reads the sheets once the round is resolved: everybody, or
#opened = "owner"              # each player their own, and you all of them
#label = "offer of the night"

# -- Verbs: what a host records with one line. hl do buy ann 3, or hl buy ann 3
[verbs.buy]
help = "A player buys a lantern."
fields = { who = "player", price = "number 1.." }
# What it does, in order: += -= = with + - * / min( , ) max( , ), and the example below. Whole numbers, rounded down.
# All of it happens, or nothing: a counter that would leave its bounds refuses the whole line.
does = ["oil who -= price", "stock -= 1", "lanterns who += 1"]
#does = ["if price > 3 and count(guild = north, who) > 0: oil who += 1", "lanterns who = max(1, price / 2)"]
# To whom it says what; who is not named here is told nothing, and without says each player their own new numbers.
# {price} is what was typed, {oil who} a counter afterwards. Only what that reader may know.
says = { who = "You bought a lantern for {price} oil.", public = "{who} bought a lantern." }
#open = ["price"]              # fields that everybody may be told although they change something hidden

#[verbs.pay]
#fields = { who = "player", other = "player", much = "number 1..oil" }
#does = "move oil who other much"

#[verbs.reveal]
#fields = { who = "player", card = "card of guild" }
#does = "move card who table"  # a card leaves a hand: from whom, and to whom, or to table, deck or away

# -- The result. hl scores --for host shows it at any time; hl close match ends the match between rounds, or after them.
[result]
score = "3 * lanterns + oil"   # of each player; leave it out where hosts say who wins
#score = "max(oil, 5) + 10 * count(guild = north) - count(guild)"
tokens = "highest"             # or lowest, or hosts:  hl declare token ann 1 --note WHY
elimination = "lowest"         # or highest, or hosts: hl declare elimination ann --note WHY
ties = "lot"                   # or hosts, or all (each of them), or
#ties = "vote"                 # who is not level votes; on the elimination those with a token, if there are any
#hours = 12                    # so long a vote is open
"""
"""The commented file that `hl template freeform` prints: a small whole match, to be changed into one's own."""

WRITTEN = Written(TABLES, faults, public_of, seen, spoken, examples, TEMPLATE)
