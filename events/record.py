"""`NamedTuple`, the base of all records of this project, without the start-up cost of `typing.NamedTuple`.

That would cost every command and every Tab 3 bare interpreters more, and Tab would be over its budget: `typing`
compiles every annotation of every record, and `collections.namedtuple` a constructor. Here annotations stay text until
somebody asks, and the first record of a class gets it a constructor, of one that was compiled before. Type checkers see
the real `typing.NamedTuple`. Why named tuples at all: docs/decisions/0002-named-tuples.md.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter
    from types import FunctionType, MappingProxyType

    class _Record(tuple):
        """The methods of all records, which `collections.namedtuple` writes anew for each class."""

        __slots__ = ()
        _fields = ()
        _field_defaults = MappingProxyType({})

        def __new__(cls, /, *values, **named):
            """The first record of a class: from then on it has a constructor of its own."""
            code = _constructor(len(cls._fields)).replace(co_varnames=("_cls", *cls._fields))
            made = FunctionType(code, globals(), "__new__", tuple(cls._field_defaults.values()))
            made.__qualname__ = f"{cls.__name__}.__new__"
            cls.__new__ = staticmethod(made)
            return cls(*values, **named)

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
            values, places = [*self], self._places
            try:
                for name in changes:
                    values[places[name]] = changes[name]
            except KeyError as unknown:
                raise ValueError(f"{type(self).__name__} has no field {unknown}") from None
            return _new(self.__class__, values)

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

    _new = tuple.__new__

    @cache
    def _constructor(many):
        """The code of a constructor of so many fields: a class puts its own names in. Compiling one for each would take
        ten times as long, and a command makes the first record of 80."""
        names = "".join(f"_{place}, " for place in range(many))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    _getters = [_tuplegetter(place, "") for place in range(99)]
    """Descriptors of the places of a tuple, as named tuples have them: every record has the same ones."""

    class _Meta(type):
        """Turns a class body of annotated fields into a named tuple; the rest of the body stays.

        The fields of a record that extends another follow those of the other.
        """

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            base = bases[0] if issubclass(bases[0], tuple) else _Record
            fields = (*dict.fromkeys((*base._fields, *body.get("__annotations__", ()))),)
            del body["__qualname__"]
            defaults = {**base._field_defaults, **{field: body[field] for field in fields if field in body}}
            if fields[len(fields) - len(defaults) :] != (*defaults,):
                raise TypeError(f"{name}: a field without a default follows one that has a default")
            body.update(
                __new__=_Record.__new__,
                __slots__=(),
                __match_args__=fields,
                _fields=fields,
                _field_defaults=defaults,
                _places={field: place for place, field in enumerate(fields)},
            )
            body.update(zip(fields, _getters, strict=False))
            return super().__new__(cls, name, (base,), body)

    class NamedTuple(metaclass=_Meta):
        """Base of a record: an immutable tuple whose fields have names."""


@cache
def hints(record: Any) -> dict[str, Any]:
    """Field -> its annotation, evaluated; none of what is no record. `typing.get_type_hints` comes to the same in five
    times the time, and a command asks for 60 fields."""
    found: dict[str, Any] = {}
    for cls in reversed(getattr(record, "__mro__", (record,))):  # a record that extends another has its fields
        known = vars(sys.modules[cls.__module__])
        for name, stands in getattr(cls, "__annotations__", {}).items():
            hint = getattr(stands, "__forward_arg__", stands)
            found[name] = eval(hint, known) if isinstance(hint, str) else hint
    return found


def beside(record: Any) -> list[type]:
    """The records of the module in which this one stands."""
    listed = vars(sys.modules[record.__module__]).values()
    return [
        one
        for one in listed
        if isinstance(one, type) and hasattr(one, "_fields") and one.__module__ == record.__module__
    ]
