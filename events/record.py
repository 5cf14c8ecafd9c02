"""`NamedTuple`, the base of all records of this project, without the start-up cost of `typing.NamedTuple`.

`typing.NamedTuple` compiles every annotation and `collections.namedtuple` every constructor. That would add the time of
3 bare interpreters to every command and every Tab, which is over the budget of Tab. Here annotations stay text until
they are asked for, and a class gets its constructor, a copy of a compiled one, with its first record. Type checkers see
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
        """The methods that all records share; `collections.namedtuple` would write them again for each class."""

        __slots__ = ()
        _fields = ()
        _field_defaults = MappingProxyType({})

        def __new__(cls, /, *values, **named):
            """Make the first record of a class, and give the class a constructor of its own for all later ones."""
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
            """Like `_replace` of a named tuple, in half the time: a fold spends a tenth of its time here."""
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
        """The code of a constructor with `many` fields; each class puts its own names in. Compiling one per class would
        take ten times as long, and a command creates records of 80 classes."""
        names = "".join(f"_{place}, " for place in range(many))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    _getters = [_tuplegetter(place, "") for place in range(99)]
    """Descriptors that read a field by its place in the tuple; all records share them."""

    class _Meta(type):
        """Turns a class body of annotated fields into a named tuple; the rest of the body stays.

        A record that extends another has the other's fields first.
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
    """Field -> its evaluated annotation; empty for anything that is not a record. `typing.get_type_hints` gives the
    same in five times the time, and a command asks for 60 fields."""
    found: dict[str, Any] = {}
    for cls in reversed(getattr(record, "__mro__", (record,))):  # base first: a record has the fields that it extends
        known = vars(sys.modules[cls.__module__])
        for name, stands in getattr(cls, "__annotations__", {}).items():
            hint = getattr(stands, "__forward_arg__", stands)
            found[name] = eval(hint, known) if isinstance(hint, str) else hint
    return found


def beside(record: Any) -> list[type]:
    """All record classes of the module that defines this one."""
    module = record.__module__
    listed = vars(sys.modules[module]).values()
    return [one for one in listed if isinstance(one, type) and hasattr(one, "_fields") and one.__module__ == module]
