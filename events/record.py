"""`NamedTuple`, the record of this project, without what `typing.NamedTuple` does at start-up.

Belongs here: that one class, and its annotations. Does not belong here: any record. `typing` compiles every annotation
of every record when a program starts (0.08 ms a class; there are over a hundred), and `collections.namedtuple` a
constructor (0.1 ms); here annotations stay text until somebody asks, and the first record of a class gets it a
constructor, of one that was compiled before. Type checkers see the real `typing.NamedTuple`. Modules with records need
`from __future__ import annotations`. Why named tuples at all: docs/decisions/0002-named-tuples.md.
"""

from __future__ import annotations

import sys
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple
    from types import FunctionType

    class _Record(tuple):
        """What all records share, as `collections.namedtuple` writes it for each class."""

        __slots__ = ()

        def __new__(cls, /, *values, **named):
            """The first record of a class: from then on it has a constructor of its own."""
            code, known = _constructor(len(cls._fields))
            code = code.replace(co_varnames=("_cls", *cls._fields), co_qualname=f"{cls.__name__}.__new__")
            cls.__new__ = staticmethod(FunctionType(code, known, "__new__", tuple(cls._field_defaults.values())))
            return cls(*values, **named)

        @classmethod
        def _make(cls, values):
            made = _new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):
            return tuple(self)

        def _replace(self, /, **changed):
            """`_replace` of a named tuple, in half the time: a fold spends a tenth of its own in it."""
            values, places = list(self), self._places
            try:
                for name, value in changed.items():
                    values[places[name]] = value
            except KeyError as unknown:
                raise ValueError(f"{type(self).__name__} has no field {unknown}") from None
            return _new(type(self), values)

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

    _new = tuple.__new__

    @cache
    def _constructor(many):
        """That of a named tuple of so many fields, and what it knows: a class puts its own names in. Compiling one for
        each class would take ten times as long, and a command makes the first record of 80."""
        made = namedtuple("_", ["_"] * many, rename=True).__new__
        return made.__code__, made.__globals__

    _wide = namedtuple("_wide", ["_"] * 99, rename=True)
    _getters = [getattr(_wide, name) for name in _wide._fields]
    """Descriptors of the places of a tuple: every record has the same ones."""

    class _Meta(type):
        """Turns a class body of annotated fields into a named tuple; everything else in the body is kept."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            del body["__qualname__"]
            body.update(
                __slots__=(),
                __match_args__=fields,
                _fields=fields,
                _field_defaults={field: body[field] for field in fields if field in body},
                _places={field: place for place, field in enumerate(fields)},
            )
            body.update(zip(fields, _getters, strict=False))
            return type(name, (_Record,), body)

    class NamedTuple(metaclass=_Meta):
        """Base of a record: an immutable tuple whose fields have names."""


@cache
def hints(record: Any) -> dict[str, Any]:
    """Field -> its annotation, evaluated; none of what is no record. `typing.get_type_hints` comes to the same in five
    times the time, and a command asks for 60 fields."""
    known = vars(sys.modules[record.__module__])
    stand = getattr(record, "__annotations__", {}).items()
    texts = {name: getattr(hint, "__forward_arg__", hint) for name, hint in stand}
    return {name: eval(hint, known) if isinstance(hint, str) else hint for name, hint in texts.items()}


def beside(record: Any) -> list[type]:
    """The records of the module in which this one stands."""
    listed = vars(sys.modules[record.__module__]).values()
    return [
        one
        for one in listed
        if isinstance(one, type) and hasattr(one, "_fields") and one.__module__ == record.__module__
    ]


__all__ = ["NamedTuple", "beside", "hints"]
