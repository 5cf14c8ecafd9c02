"""An entry in words: its arguments in a line, and the command as a host would type it.

Belongs here: one entry by itself. Does not belong here: its marks, and which entries are listed (listing.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.kinds import NAME
from games.records import fields, kebab
from games.table.actions import ABOUT, TYPED, AmendSetting, Deal, Declare, Reason
from ledger.core.match import Match

MAX_FIELDS = 8
"""Fields of a table that still fit into a line."""
_ABOUT: Mapping[str, type] = {kebab(cls): cls for cls in ABOUT}


def by_name(args: Mapping[str, Any]) -> str:
    """`a=ann give=R7`: the arguments of an entry in a line."""
    parts = []
    for key, value in args.items():
        if value == []:
            continue
        if isinstance(value, dict) and len(value) <= MAX_FIELDS:
            parts.append(by_name(value))
            continue
        value_text = in_a_word(value)
        clipped = value_text if len(value_text) <= 60 else value_text[:59] + "…"
        parts.append(f"{key}={clipped}".replace("\n", " "))
    return " ".join(parts)


def in_a_word(value: Any) -> str:
    """A value short enough for a line; a table of settings is only counted."""
    if isinstance(value, dict):
        if set(value) == {"id", "name"}:
            return str(value["id"])
        return by_name(value) if len(value) <= MAX_FIELDS else f"({len(value)})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(in_a_word(item) for item in value) if isinstance(value, list) else str(value)


def in_words(match: Match, seq: int) -> str:
    """An entry in words, for a host who is about to strike it: `#20, trade ann R2 bob B4`."""
    body = match.book.entries[seq - 1].body
    args = body.args
    match body.do:
        case "posted":
            text = f"the mark that text {args.get('item')} {'was dropped' if args.get('dropped') else 'was posted'}"
        case "posting":
            text = f"the mark that text {args.get('item')} is being sent"
        case "anchor":
            text = f"the mark that a receipt stands in {args.get('link')}"
        case _:
            text = as_typed(match, body.do, args)
    return f"#{seq}, {text}"


def as_typed(match: Match, do: str, args: Mapping[str, Any], limit: int = 120) -> str:
    """`vote ann cyd`, `submit ann --ticket paper`: an entry as a host would type it, in one line.

    Fields that the ledger fills in (a seed, a drawn order) are left out, except the name of a round.

    Args:
        limit: The largest number of characters; a longer line is cut and ends in `…`.
    """
    cls = match.engine.actions.get(do) or _ABOUT.get(do)
    if cls is AmendSetting:
        return f"{do} {args.get('key')}={_typed(args.get('value'))}"
    own_words = cls in (*TYPED, *match.game.actions) and cls is not Deal
    if cls is Declare and args.get("kind") == "elimination" and not args.get("players"):
        return "declare elimination nobody"
    if cls is Reason:
        args = {"text": args.get("text")}
    params = {param.name: param for param in fields(cls)} if own_words and cls is not None else {}
    parts = [do]
    for name, value in in_typed_order(match, do, args).items():
        param = params.get(name)
        if value in (None, "", [], False) or (param is not None and param.arg.hidden and param.kind is not NAME):
            continue
        option = "" if param is None or param.in_place or param.arg.hidden else f"--{name.replace('_', '-')}"
        if not option:
            parts.append(_typed(value))
        elif param is not None and param.bare and isinstance(value, int):
            parts += [option] * min(value, limit)  # a hostile log may hold any number
        else:
            parts += [f"{option} {_typed(item)}" for item in (value if isinstance(value, list) else [value])]
    typed = " ".join(" ".join(parts).split())
    return typed if len(typed) <= limit else typed[: limit - 1] + "…"


def _typed(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={_typed(item)}" for key, item in value.items())
    return " ".join(map(_typed, value)) if isinstance(value, list) else str(value)


def in_typed_order(match: Match, do: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments in the order in which a host types them; the log sorts them by name."""
    cls = match.engine.actions.get(do) or _ABOUT.get(do)
    typed = [f.name for f in fields(cls)] if cls is not None else []
    return {name: args[name] for name in [*(n for n in typed if n in args), *(n for n in args if n not in typed)]}
