"""Canonical JSON: each value has exactly one spelling, byte for byte.

The spelling is that of Python's `json.dumps(sort_keys=True, ensure_ascii=True)` with the separators `,` and `:`,
restricted: objects, lists, strings, whole numbers within 2^53, true, false, null; no lone surrogate; every key a name;
at most 16 containers inside one another, the outermost counted as 1.

The reader proves that bytes are canonical: it parses them, writes the value again and compares.

Source: docs/log-format.md section 3.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder, JSONEncoder
from typing import Any, NoReturn

from events.errors import Unreadable

MAX_WHOLE = 2**53
MAX_DEPTH = 16
_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_NAME = re.compile("[a-z][a-z0-9_-]{0,31}")


class NotCanonical(ValueError):
    """These bytes are not the canonical form of any value; the message says why."""


def is_name(text: object) -> bool:
    """Whether `text` is a name: 1 to 32 of a-z 0-9 _ -, beginning with a letter. Keys and player ids are names.

    >>> is_name("ann"), is_name("Ann"), is_name("2nd")
    (True, False, False)
    """
    return isinstance(text, str) and _NAME.fullmatch(text) is not None


def dumps(value: object) -> bytes:
    """The canonical bytes of a value.

    Args:
        value: dict, list, tuple (written as a list), str, int, bool or None, nested at most 16 deep.

    Raises:
        Unreadable: `value` has no canonical form; codes `canon.type`, `canon.float`, `canon.number`, `canon.text`,
            `canon.key`, `canon.depth`.

    >>> dumps({"b": [1, True], "a": "é"})
    b'{"a":"\\\\u00e9","b":[1,true]}'
    """
    _check(value, 1)
    return _ENCODER.encode(value).encode("ascii")


def _check(value: object, depth: int) -> None:
    """Raise Unreadable unless `value` has a canonical form; a container here would be at nesting level `depth`."""
    if isinstance(value, str):
        if not value.isascii():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                raise Unreadable("canon.text", "a text has half a character in it (a lone surrogate)") from None
    elif isinstance(value, int):
        if not -MAX_WHOLE <= value <= MAX_WHOLE:
            raise Unreadable("canon.number", "a whole number is larger than 2^53")
    elif isinstance(value, (dict, list, tuple)):
        if depth > MAX_DEPTH:
            raise Unreadable("canon.depth", f"lists and objects are nested more than {MAX_DEPTH} deep")
        if not isinstance(value, dict):
            for item in value:
                _check(item, depth + 1)
            return
        for key, item in value.items():
            if not is_name(key):
                what = f"a key must be 1 to 32 of a-z 0-9 _ - and begin with a letter: {str(key)[:40]!a}"
                raise Unreadable("canon.key", what)
            _check(item, depth + 1)
    elif isinstance(value, float):
        raise Unreadable("canon.float", "a number with a fraction cannot be recorded")
    elif value is not None:
        raise Unreadable("canon.type", f"a {type(value).__name__} cannot be recorded")


def loads(data: bytes) -> dict[str, Any]:
    """The object whose canonical form these bytes are.

    Args:
        data: Exactly what `dumps` writes for an object, with nothing before or after it.

    Raises:
        NotCanonical: The bytes are anything else. No bytes raise another error.

    >>> loads(b'{"a":1}')
    {'a': 1}
    """
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        raise NotCanonical("it has a byte that is not ASCII") from None
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _shallow(text)
    try:
        value, scanned = _DECODER.raw_decode(text)
        rewritten = _ENCODER.encode(value)
        if rewritten == text and type(value) is dict:
            if "\\ud" in text:
                _check(value, 1)
            return value
    except Unreadable as error:
        raise NotCanonical(error.what) from None
    except NotCanonical:
        raise
    except JSONDecodeError as error:
        why = "" if error.msg == "Expecting value" else f" ({error})"
        raise NotCanonical(f"it is not JSON{why}") from None
    except (ValueError, RecursionError) as error:
        raise NotCanonical(f"it is not JSON ({error})") from None
    if type(value) is not dict:
        raise NotCanonical("it is not an object")
    shorter = min(len(rewritten), len(text))
    at = next((i for i in range(shorter) if rewritten[i] != text[i]), shorter)
    ending = ": there is something after its end" if at == scanned else ""
    raise NotCanonical(f"byte {at + 1} of it is not in canonical form{ending}")


def _shallow(text: str) -> None:
    """Raise NotCanonical when containers are nested too deep, before the parser recurses into them."""
    depth = 0
    for sign in _STRING.sub("", text):
        depth += (sign in "[{") - (sign in "]}")
        if depth > MAX_DEPTH:
            raise NotCanonical(f"lists and objects are nested more than {MAX_DEPTH} deep")


def _object(value: dict[str, Any]) -> dict[str, Any]:
    """Check that the keys are names. `loads` checks their order, and that none is repeated, by writing them again."""
    for key in value:
        if not is_name(key):
            raise NotCanonical(f"the key {key[:40]!a} is not 1 to 32 of a-z 0-9 _ - that begin with a letter")
    return value


def _whole(digits: str) -> int:
    if len(digits) > 15 and (len(digits) > 17 or not -MAX_WHOLE <= int(digits) <= MAX_WHOLE):
        raise NotCanonical("a whole number is larger than 2^53")
    return int(digits)


def _never(text: str) -> NoReturn:
    raise NotCanonical(f"{text[:40]} is not a whole number")


_DECODER = JSONDecoder(object_hook=_object, parse_int=_whole, parse_float=_never, parse_constant=_never)
_ENCODER = JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)
