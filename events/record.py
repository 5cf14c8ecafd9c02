"""`NamedTuple` without the price of importing `typing`.

Belongs here: that one class. Does not belong here: any record. Importing `typing` (and `re`, `enum`, `functools`
with it) costs about as much as starting Python; `collections.namedtuple` costs a fifth of that. Type checkers see the
real `typing.NamedTuple`: modules write

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from events.record import NamedTuple
"""

from __future__ import annotations

from collections import namedtuple

__all__ = ["NamedTuple"]


class _Meta(type):
    """Turns a class body of annotated fields into a named tuple; everything else in the body is kept."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
        fields = body.get("__annotations__")
        if not isinstance(fields, dict):
            return super().__new__(cls, name, bases, body)
        defaults = [body.pop(field) for field in fields if field in body]
        made = namedtuple(name, fields, defaults=defaults, module=str(body["__module__"]))  # type: ignore[misc]
        for key, value in body.items():
            if key not in ("__module__", "__qualname__", "__annotations__"):
                setattr(made, key, value)
        made.__annotations__ = fields
        return made


class NamedTuple(metaclass=_Meta):
    """Base of a record: an immutable tuple whose fields have names. Modules that use it need
    `from __future__ import annotations`."""
