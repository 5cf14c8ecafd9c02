"""The words and options of verbs, as the help shows them, and those that many verbs share.

click's parameters are made from them (derive.py), completion looks up what they may be (candidates.py). It imports
next to nothing, and its rows are plain objects: `hl --help` and completion read it at every start.
"""

from __future__ import annotations

from ledger.render import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.records import Field


class Param:
    """A word or an option of a verb. Nothing is read off `typed` before somebody asks: most starts need one verb.

    Attributes:
        typed: As the help shows it: `SEQ`, `[PLAYER]`, `DIR...`, `-o, --output FILE`, or without a value `--copy`.
        text: One text, which may be typed as several words. `count`: an option without value that may be repeated.
        words: An option's value is so many words.
        field: The field of a record that it fills.
    """

    __slots__ = ("_kind", "_many", "_name", "_required", "count", "default", "field", "help", "text", "typed", "words")

    def __init__(
        self, typed: str, help: str = "", *, name: str = "", kind: str = "", default: str | None = None,
        required: bool = False, many: bool = False, text: bool = False, count: bool = False, words: int = 1,
        field: Field | None = None,
    ) -> None:  # fmt: skip
        self.typed, self.help, self.default, self.field = typed, help, default, field
        self.text, self.count, self.words = text, count, words
        self._name, self._kind, self._required, self._many = name, kind, required, many

    @property
    def spelled(self) -> tuple[str, ...]:
        """Every spelling of an option; none: a word in place."""
        return tuple(part.rstrip(",") for part in self.typed.split() if part[0] == "-")

    @property
    def metavar(self) -> str:
        """The word or value as the help names it; none: an option without value."""
        return self.typed.removeprefix(", ".join(self.spelled)).strip()

    @property
    def _word(self) -> str:
        return self.metavar.strip("[]").removesuffix("...")

    @property
    def many(self) -> bool:
        """Any number of them."""
        return self._many or "..." in self.metavar

    @property
    def required(self) -> bool:
        return self._required or not (self.spelled or self.typed[0] == "[")

    @property
    def kind(self) -> str:
        """What the value may be, for completion: what the help calls it, if not said."""
        return self._kind or self._word

    @property
    def name(self) -> str:
        """Under which name the verb's function gets it."""
        return self._name or (self.spelled or (self._word,))[-1].strip("-").lower().replace("-", "_")


FOR = Param("--for P|public|host", "The audience.", name="viewer")
POINT = (
    FOR,
    Param("--as-of SEQ|round:NAME|TIME|now", "The match at that point."),
    Param("--known SEQ", "What was known at that entry: lines 1 to SEQ only."),
)
"""For whom, and at which point of the match."""
INTO = (
    Param("-o, --output FILE", "Write it to a new file.", name="target"),
    Param("--overwrite", "The file may exist."),
    Param("--copy", "Copy it to the clipboard as well."),
)


def format_option(names: str, default: str = "text") -> Param:
    return Param(f"-f, --format {names}", "How to print it.", name="fmt", default=default)


LIST = format_option("text|json")
READ = (*POINT, format_option("|".join(FORMATS)), *INTO)
PASTE = (*POINT, format_option("|".join(FORMATS), "discord"), *INTO)
HOST_LIST = (*POINT, LIST, *INTO)
LOOKUP = (Param("PLAYER"), *HOST_LIST)
"""Of a game's verb that only looks."""

DRY = Param("-n, --dry-run", "Only say what would happen.")
YES = Param("-y, --yes", "Do not ask.")
JSON = Param("--json", "Answer as JSON on stdout.", name="json")
NOTE = Param("--note TEXT", "A remark for the hosts, kept beside the entry.")
ONCE = Param("--once KEY", "Record only once under this key, however often it is run.")
WRITE = (
    Param("--at TIME", "When it counts: 18:42, sat 09:50, 24 Oct 9:50, -20m, an ISO time."),
    Param("--msg LINK", "The Discord message: kept as evidence, gives the time without --at."),
    NOTE,
    ONCE,
    Param("--again", "The same message is meant a second time."),
    Param("--force", "Record what the rules refuse; it stands as contested."),
    DRY,
    YES,
    JSON,
)
"""Of every verb that records something of the match."""
ABOUT = (NOTE, ONCE, DRY, YES, JSON)
"""Of a verb about other entries: it acts at once, so it takes no time and forces nothing."""

GLOBAL = (
    Param(
        "-g, --match MATCH",
        "The match: a folder with log.jsonl, a .jsonl file, or a URL.",
        kind="FILE",
    ),
    Param("--as HOST", "Who records."),
    Param("--color WHEN", "auto, always or never.", kind="auto|always|never"),
    Param("--no-input", "Never ask; a needed confirmation is exit code 5."),
)
"""Of every verb, before it or after."""
ALONE = (Param("--version", "Show the version."), Param("-h, --help", "Show this text."))


def of_record(cls: type, options: tuple[Param, ...] = WRITE) -> tuple[Param, ...]:
    """What the verb of a record takes: its fields, in their order, and the options besides."""
    from games.records import fields

    visible = [field for field in fields(cls) if not field.arg.hidden]
    last = next((field for field in reversed(visible) if field.in_place), None)
    return (*(_of_field(field, last=field is last) for field in visible), *options)


def _of_field(field: Field, *, last: bool) -> Param:
    from typing import Literal, get_args, get_origin

    from games.kinds import TEXT

    arg, words = field.arg, get_args(field.base) if get_origin(field.base) is Literal else ()
    if field.in_place:
        text = last and field.base is str and not field.many and (arg.phrase or field.kind in (TEXT, None))
        word = "|".join(words) or field.name.upper() + ("..." if field.many else "")
        typed = word if field.required else f"[{word}]"
        return Param(typed, arg.help, name=field.name, many=arg.phrase, text=text, field=field)
    value = "|".join(words) or (field.kind.name if field.kind else field.name.upper())
    return Param(
        field.option if field.bare else f"{field.option} {value}", arg.help, name=field.name, many=field.many,
        count=arg.counted, words=arg.words, field=field,
    )  # fmt: skip
