"""`NamedTuple`, the record of this project, without what `typing.NamedTuple` does at start-up.

Belongs here: that one class. Does not belong here: any record. `typing` compiles every annotation of every record when
a program starts (0.08 ms a class; there are over a hundred); `collections.namedtuple` leaves them as text until
somebody asks. Type checkers see the real `typing.NamedTuple`. Modules with records need
`from __future__ import annotations`. Why named tuples at all: docs/decisions/0002-named-tuples.md.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Meta(type):
        """Turns a class body of annotated fields into a named tuple; everything else in the body is kept."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in ("__module__", "__qualname__", "__annotations__"):
                    setattr(made, key, value)
            made.__annotations__ = fields
            made._replace = _replacer(made)
            return made

    def _replacer(made):
        """`_replace` that takes half the time: a fold spends a tenth of its own in it."""
        places, new = {}, tuple.__new__

        def _replace(self, /, **changed):
            values = list(self)
            if not places:
                places.update((name, place) for place, name in enumerate(made._fields))
            try:
                for name, value in changed.items():
                    values[places[name]] = value
            except KeyError as unknown:
                raise ValueError(f"{made.__name__} has no field {unknown}") from None
            return new(made, values)

        return _replace

    class NamedTuple(metaclass=_Meta):
        """Base of a record: an immutable tuple whose fields have names."""


__all__ = ["NamedTuple"]
