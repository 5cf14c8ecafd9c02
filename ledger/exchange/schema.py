"""JSON Schemas for other programs: the log, match files, and the documented JSON (docs/json.md).

They are generated from the models and records that the program itself uses, so they cannot become outdated. An object
that is closed in the documentation is closed here. docs/schema/ has copies for readers without the program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.errors import Unreadable
from events.instants import Instant
from events.record import hints
from games.contract import Game, MatchView, VisibleTo
from games.kinds import HEX, INSTANT, NAME_PATTERN, Kind, did_you_mean, shown
from games.records import ABSENT, Arg, Bounds, kebab, snake
from games.table import actions as shared, rounds as sealed
from games.table.facts import TABLE_FACTS
from games.table.settings import LEVELS, Season, known, meaning
from ledger.core.replay import CANDIDATE, OUTSIDER

# ---- records ---------------------------------------------------------------------------------------------------------

Schema: TypeAlias = dict[str, Any]
MOMENT: Schema = {"$ref": "#/$defs/instant"}
HASH: Schema = {"$ref": "#/$defs/hash"}
NAME: Schema = {"$ref": "#/$defs/name"}
LEVEL: Schema = {"$ref": "#/$defs/level"}
BASE: Mapping[str, Schema] = {
    "instant": {"type": "string", "pattern": f"^{INSTANT.pattern}$"},
    "hash": {"type": "string", "pattern": f"^{HEX.pattern}$"},
    "name": {"type": "string", "pattern": f"^{NAME_PATTERN}$"},
    "level": {"enum": [*LEVELS]},
}


def an_object(properties: Mapping[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    required = [key for key in properties if key not in optional]
    schema: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def a_list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def a_table(values: Schema) -> Schema:
    """An object whose keys are names, of players or cards for instance."""
    return {"type": "object", "additionalProperties": values}


class Shapes:
    """The schemas of records, each once, by name. With `log`, null values are left out, as in the log."""

    def __init__(self, *, log: bool = False) -> None:
        self.log = log
        self.defs: dict[str, Schema] = {}
        self._named: dict[type, str] = {}

    def record(self, cls: type, further: Mapping[str, Schema] | None = None) -> Schema:
        if cls not in self._named:
            name = cls.__name__ if cls.__name__ not in self.defs else f"{cls.__module__.split('.')[1]}.{cls.__name__}"
            self._named[cls], self.defs[name] = name, {}
            defaults: Mapping[str, Any] = cls._field_defaults  # type: ignore[attr-defined]
            keys = {field: {**self.of(hint), **_description(hint)} for field, hint in hints(cls).items()}
            optional = [field for field in keys if field in defaults and (self.log or defaults[field] is ABSENT)]
            marks_of = {field: get_args(hint) for field, hint in hints(cls).items()}
            optional += [name for name, marks in marks_of.items() if any(isinstance(m, VisibleTo) for m in marks)]
            properties = {field.rstrip("_"): schema for field, schema in keys.items()}
            properties |= further or {}
            self.defs[name] = an_object(properties, tuple(field.rstrip("_") for field in optional))
        return {"$ref": f"#/$defs/{self._named[cls]}"}

    def of(self, hint: Any) -> Schema:
        marks: list[Any] = []
        while get_origin(hint) is Annotated:
            hint, *metadata = get_args(hint)
            marks += metadata
        if get_origin(hint) in (Union, UnionType):
            options = [self.of(Annotated[(option, *marks)] if marks else option) for option in get_args(hint)]
            options = [option for option in options if not self.log or option != {"type": "null"}]
            return options[0] if len(options) == 1 else {"anyOf": options}
        if hint is Instant:
            return MOMENT
        return self.record(hint) if hasattr(hint, "_fields") else self._plain(hint, marks)

    def _plain(self, hint: Any, marks: list[Any]) -> Schema:
        origin, args = get_origin(hint), get_args(hint)
        if origin is Literal:
            return {"enum": list(args)}
        if origin is tuple:
            items = [self.of(Annotated[(item, *marks)] if marks else item) for item in args if item is not Ellipsis]
            if Ellipsis in args:
                return a_list(items[0])
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if origin in (Mapping, dict):
            return a_table(self.of(args[1]))
        if hint is int:
            bounds = next((mark for mark in marks if isinstance(mark, Bounds)), None)
            return {"type": "integer", **({"minimum": bounds.least, "maximum": bounds.most} if bounds else {})}
        if hint is str and any(isinstance(mark, Bounds) and mark.unit for mark in marks):
            return {"type": "string", "pattern": "^[0-9][0-9a-zA-Z ]*$"}
        if hint is str:
            kind = next((mark for mark in marks if isinstance(mark, Kind)), None)
            return _word_schema(kind) if kind else {"type": "string"}
        return {} if hint is Any else {"type": {bool: "boolean", NoneType: "null"}[hint]}


def _word_schema(kind: Kind) -> Schema:
    if kind.pattern in (NAME_PATTERN, HEX.pattern, INSTANT.pattern):
        return {NAME_PATTERN: NAME, HEX.pattern: HASH, INSTANT.pattern: MOMENT}[kind.pattern]
    return {"type": "string", "pattern": "^(?:" + kind.pattern.replace("(?s:.)", r"[\s\S]") + ")$"}


def _description(hint: Any) -> Schema:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next(({"description": mark.help} for mark in marks if isinstance(mark, Arg) and mark.help), {})


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
SEQ: Schema = {"type": "integer", "minimum": 1}
COUNT: Schema = {"type": "integer", "minimum": 0}
TRUE: Schema = {"const": True}
CODE: Schema = {"type": "string", "pattern": "^[a-z_]+(\\.[a-z_]+)?$"}
NAMES: Schema = a_list(NAME)
TEXTS: Schema = a_list(TEXT)
STATUS: Schema = {"enum": ["setup", "running", "deciding", "finished"]}
ERROR = an_object({"ok": {"const": False}, "error": an_object({"code": CODE, "what": TEXT, "fix": TEXT})})
TITLES = {
    "log": "A line of the log",
    "match": "A match file, as JSON has it",
    "view": "The match for one audience: view, summary, reveal, status",
    "final": "How the match stands: final, scores",
    "verify": "What verify found",
    "write": "The answer of a verb that records",
    "simulate": "What random matches showed: simulate",
}


def schema(what: str, game: Game | None = None) -> Schema:
    """The JSON Schema of one of `TITLES`.

    Raises:
        Unreadable: `schema.unknown`; `schema.game`, it depends on the game and none was given.
    """
    if what not in TITLES:
        fix = did_you_mean(what, [*TITLES], f"one of: {' '.join(TITLES)}", 1)
        raise Unreadable("schema.unknown", f"there is no schema of {shown(what)}", fix)
    head: Schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    if what not in OF_A_GAME:
        head["title"], body = f"host-ledger: {TITLES[what]}", _SHARED[what]()
    elif game is None:
        raise Unreadable("schema.game", f"a part of {what} is each game's own", f"hl schema {what} GAME")
    else:
        head["title"], body = f"host-ledger, {game.title}: {TITLES[what]}", OF_A_GAME[what](game)
    text = json.dumps(body)
    base = {name: shape for name, shape in BASE.items() if f'"#/$defs/{name}"' in text}
    return {**head, **body, "$defs": {**base, **body.get("$defs", {})}}


def as_text(whole: Schema, indent: str = " ") -> str:
    """A schema as the text of a file, with one line per part, so that changes are readable."""
    parts = {key: as_text(item, "  ") if key == "$defs" else json.dumps(item) for key, item in whole.items()}
    rows = [f"{indent}{json.dumps(key)}: {part}" for key, part in parts.items()]
    return "{\n" + ",\n".join(rows) + f"\n{indent[:-1]}}}"


# ---- the log and match files -----------------------------------------------------------------------------------------


def _log(game: Game) -> Schema:
    shapes = Shapes(log=True)
    records = (*shared.WRITTEN, *shared.TYPED, *shared.ABOUT, *game.actions)
    verbs = {kebab(cls): shapes.record(cls) for cls in records}
    create = shapes.defs["Create"]["properties"]
    create |= {"game": {"const": game.name}, "settings": _settings(game, shapes, whole=True)}
    create["roster"] = a_list(an_object({"id": NAME, "name": TEXT, "kind": {"enum": [OUTSIDER, CANDIDATE]}}, ("kind",)))
    known_by = {"also": a_list(an_object({"place": SEQ, "line": HASH})), "keys": TEXTS}
    join = shapes.defs["Join"]["properties"]
    join["lines"] = a_list(an_object({"place": SEQ, "line": HASH, **known_by}, tuple(known_by)))
    join["known"] = a_list(an_object({"entry": SEQ, **known_by}, tuple(known_by)))
    body = an_object(
        {
            "again": TRUE, "args": {"type": "object"}, "at": MOMENT, "batch": SEQ, "by": NAME, "do": {"enum": [*verbs]},
            "evidence": TEXT, "force": TRUE, "joined": SEQ, "once": TEXT, "recorded": MOMENT,
        },
        ("again", "batch", "evidence", "force", "joined", "once"),
    )  # fmt: skip
    body["allOf"] = [
        {"if": {"properties": {"do": {"const": verb}}}, "then": {"properties": {"args": args}}}
        for verb, args in verbs.items()
    ]
    outer = {"seq": SEQ, "prev": HASH, "seal": HASH}
    salt: Schema = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
    opened = an_object({**outer, "salt": salt, "body": {"$ref": "#/$defs/body"}})
    return {"anyOf": [opened, an_object(outer)], "$defs": {"body": body, **shapes.defs}}


def _settings(game: Game, shapes: Shapes, *, whole: bool) -> Schema:
    keys: dict[str, Schema] = {}
    for cls in (Season, game.settings):
        shapes.record(cls)
        keys |= shapes.defs.pop(cls.__name__)["properties"]
    keys = {name: shape for name, shape in keys.items() if name in known(game.settings, game.has)}
    levels = {line: {**LEVEL, "description": meaning(game, f"visibility.{line}")} for line in game.visibility}
    keys["visibility"] = an_object(levels, () if whole else tuple(levels))
    return an_object(keys, () if whole and game.written is None else tuple(keys))


def _match(game: Game) -> Schema:
    from ledger.exchange.matchfile import MatchFile  # pydantic: 5 bare interpreters of `hl --help`

    whole: Schema = _plainer(MatchFile.model_json_schema())
    shapes, keys = Shapes(log=True), whole["properties"]
    keys["game"] = {**keys["game"], "const": game.name}
    keys["settings"] = _settings(game, shapes, whole=False)
    for table in game.written.tables if game.written else ():
        keys[table] = keys["settings"]["properties"][table]
    whole["$defs"] |= shapes.defs
    return whole


def _plainer(value: Any) -> Any:
    """pydantic's schema without its generated titles, and without null, which TOML does not have."""
    if isinstance(value, list):
        return [_plainer(item) for item in value if item != {"type": "null"}]
    if not isinstance(value, dict):
        return value
    plain = {
        key: _plainer(item)
        for key, item in value.items()
        if not (key == "title" and isinstance(item, str)) and not (key == "default" and item is None)
    }
    return {**plain.pop("anyOf")[0], **plain} if len(plain.get("anyOf", ())) == 1 else plain


# ---- printed JSON ----------------------------------------------------------------------------------------------------


def _result(names: Mapping[str, Any]) -> Schema:
    """The schema of a result; keys that the audience may not know are absent. Source: docs/json.md, result."""
    reason = an_object({"player": NAME, "how": TEXT, "by": NAMES, "why": TEXT}, ("player", "by", "why"))
    declared = an_object(
        {"kind": {"enum": ["elimination", "token", "winner", "void"]}, "players": NAMES, "tokens": COUNT,
         "reason": TEXT, "seq": SEQ},
        ("tokens", "reason", "seq"),
    )  # fmt: skip
    decision = an_object(
        {"kind": {"enum": ["gift", "choose", "vote", "lot", "ruling"]}, "about": {"enum": ["token"]}, "who": NAMES,
         "among": NAMES},
        ("about", "who", "among"),
    )  # fmt: skip
    always = {"game": dict(names), "status": STATUS, "decisions": a_list(decision), "assumptions": TEXTS}
    if_known = {
        "ranking": a_list(NAMES), "scores": a_table(NUMBER), "garnets": a_table(COUNT), "tokens": a_table(NUMBER),
        "elimination": NAMES, "winners": NAMES, "losers": NAMES,
        "reasons": an_object({"tokens": a_list(reason), "elimination": a_list(reason)}),
        "declared": a_list(declared), "left": NAMES, "head": HASH, "entries": SEQ,
    }  # fmt: skip
    return an_object({**always, **if_known}, tuple(if_known))


def _view(game: Game) -> Schema:
    shapes = Shapes()
    whole, row = game.match_view, game.player_view
    own_players = "players" in vars(whole)["__annotations__"] and whole is not MatchView
    view = shapes.record(whole, None if own_players else {"players": a_table(shapes.record(row))})
    audience = {"anyOf": [{"enum": [HOST_VIEWER, PUBLIC_VIEWER]}, NAME]}
    result = {"$ref": "#/$defs/result"}
    report = an_object({"audience": audience, "view": view, "result": result, "needs": TEXTS}, ("needs",))
    defs = {"one": report, "result": _result({"const": game.name}), **shapes.defs}
    return {"anyOf": [{"$ref": "#/$defs/one"}, a_list({"$ref": "#/$defs/one"}), ERROR], "$defs": defs}


def _verify() -> Schema:
    finding = an_object({"line": {"type": ["integer", "null"], "minimum": 0}, "code": CODE, "what": TEXT})
    receipt = an_object(
        {"receipt": HASH, "line": SEQ, "signer": {"type": ["string", "null"]},
         "kind": {"enum": ["receipt", "commitment", "seed", "word"]}}
    )  # fmt: skip
    report = an_object(
        {"path": TEXT, "ok": {"type": "boolean"}, "entries": COUNT, "open": COUNT, "head": HASH,
         "findings": a_list(finding), "not_checked": TEXTS, "remarks": TEXTS, "receipts": a_list(receipt)},
        ("path",),
    )  # fmt: skip
    return {"anyOf": [report, ERROR]}


def _simulate() -> Schema:
    number: Schema = {"type": "number", "minimum": 0}
    spread = an_object({"least": COUNT, "median": number, "most": COUNT})
    seat = an_object({"player": NAME, "won": COUNT, "share": number, "low": number, "high": number})
    failed = an_object({"seed": COUNT, "what": TEXT, "log": TEXT, "repeat": TEXT})
    shown = an_object({
        "game": NAME, "matches": COUNT, "seed": COUNT, "never_played": a_table(TEXT), "never_met": TEXTS,
        "ends": a_table(COUNT), "actions": spread, "rounds": spread, "seats": a_list(seat), "winners": a_table(COUNT),
        "ties": COUNT, "decided": a_table(COUNT), "played": a_table(COUNT), "refused": a_table(COUNT),
        "garnets_in": spread, "garnets_out": spread, "first_open": {"type": ["integer", "null"]},
        "failed": {"anyOf": [failed, {"type": "null"}]},
    })  # fmt: skip
    return {"anyOf": [shown, ERROR]}


def _write(game: Game) -> Schema:
    shapes, facts = Shapes(), list[Schema]()
    for cls in (*TABLE_FACTS, *sealed.SEALED_FACTS, *game.facts):
        facts.append(shapes.record(cls, {"fact": {"const": snake(cls)}, "seq": SEQ, "text": TEXT}))
    shapes.defs["Remarked"]["properties"]["player"] = TEXT  # "" if it is about nobody
    contested = an_object({"seq": SEQ, "code": CODE, "what": TEXT})
    drift = an_object({"item": TEXT, "channel": TEXT, "what": TEXT})
    answer = {
        "ok": TRUE, "seq": a_list(SEQ), "facts": a_list({"$ref": "#/$defs/fact"}), "contested": a_list(contested),
        "drift": a_list(drift), "asks": TEXTS, "dry_run": TRUE,
    }  # fmt: skip
    pairs = a_list(an_object({"there": SEQ, "here": SEQ}))
    joined = {**answer, "common": COUNT, "taken": pairs, "same": pairs, "clashes": TEXTS}
    row = an_object(
        {"row": SEQ, "status": {"enum": ["recorded", "known", "double", "unreadable", "refused"]}, "what": TEXT,
         "seq": a_list(SEQ), "late": {"type": "boolean"}, "column": {"type": ["string", "null"]}, "code": CODE,
         "fix": TEXT},
        ("seq", "late", "column", "code", "fix"),
    )  # fmt: skip
    sent = an_object(
        {"item": TEXT, "audience": NAME, "channel": TEXT,
         "kind": {"enum": ["posted", "edited", "refused", "doubtful"]}, "what": TEXT, "link": TEXT}
    )  # fmt: skip
    answers = [
        an_object(answer, ("asks", "dry_run")),
        an_object(joined, ("asks", "dry_run")),
        an_object({"ok": {"type": "boolean"}, "rows": a_list(row), "blank": COUNT, "dry_run": TRUE}, ("dry_run",)),
        an_object({"ok": TRUE, "entries": SEQ, "head": HASH, "new": COUNT, "restored": COUNT}),
        an_object({"ok": TRUE, **{kind: a_list(sent) for kind in ("posted", "edited", "refused", "doubtful")}}),
        ERROR,
    ]
    return {"anyOf": answers, "$defs": {"fact": {"anyOf": facts}, **shapes.defs}}


_SHARED: Mapping[str, Callable[[], Schema]] = {
    "final": lambda: {"anyOf": [_result(NAME), ERROR]},
    "verify": _verify,
    "simulate": _simulate,
}
OF_A_GAME: Mapping[str, Callable[[Game], Schema]] = {"log": _log, "match": _match, "view": _view, "write": _write}
