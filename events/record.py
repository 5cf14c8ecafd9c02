"""`NamedTuple`, the base of all records of this project, without the start-up cost of `typing.NamedTuple`.

Belongs here: that one class. Does not belong here: any record. `typing` compiles every annotation of every record when
a program starts (0.08 ms a class; there are over a hundred), and `collections.namedtuple` a constructor (0.05 ms); here
annotations stay text until they are used, and a class gets its constructor with its first record. Type checkers see the
real `typing.NamedTuple`. Modules with records need `from __future__ import annotations`. Why named tuples at all:
docs/decisions/0002-named-tuples.md.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Record(tuple):
        """The methods of all records, which `collections.namedtuple` writes anew for each class."""

        __slots__ = ()

        def __new__(cls, /, *values, **keywords):
            """Make the first record of a class, and the constructor for all others."""
            defaults = cls._field_defaults.values()
            standard = namedtuple(cls.__name__, cls._fields, defaults=defaults, module=cls.__module__)
            cls.__new__ = staticmethod(standard.__new__)
            return cls(*values, **keywords)

        @classmethod
        def _make(cls, values):
            record = _new(cls, values)
            if len(record) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(record)}")
            return record

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):
            return tuple(self)

        def _replace(self, /, **changes):
            """`_replace` of a named tuple, in half the time: a fold spends a tenth of its time in it."""
            values, places = list(self), self._places
            try:
                for name, value in changes.items():
                    values[places[name]] = value
            except KeyError as unknown:
                raise ValueError(f"{type(self).__name__} has no field {unknown}") from None
            return _new(type(self), values)

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

    _new = tuple.__new__
    _wide = namedtuple("_wide", ["_"] * 99, rename=True)
    _getters = [getattr(_wide, name) for name in _wide._fields]
    """Descriptors of the first 99 items of a tuple, shared by all records."""

    class _Meta(type):
        """Turns a class body of annotated fields into a named tuple; the rest of the body stays."""

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


__all__ = ["NamedTuple"]
