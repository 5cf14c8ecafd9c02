"""The one table of commands: what each verb is called, does, takes, prints and records, and for whom it is.

Dispatch, `hl --help`, the help of each verb, completion, the tests of secrecy and of the pages read it. The words and
options of a verb stand as its help shows them; click's parameters are made from them (derive.py), completion looks up
what they may be (complete.py). A verb that needs nothing but its record takes what the fields of the record say.

It imports next to nothing, and its rows are plain objects: `hl --help` and completion read it at every start.
Source: docs/decisions/0030-one-table-of-commands.md.
"""

from __future__ import annotations

from ledger.render import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

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


class Command:
    """One verb.

    Attributes:
        group: Under which heading `hl --help` lists it.
        help: One line. `more`: what `hl VERB --help` says besides.
        module: Where in ledger/cli its function `do_VERB` stands; "": a verb that needs nothing but its record.
        records: The entries it may record, as the log names them; `*`: whatever its input says. `run`, `shell` and
            `demo` record nothing themselves: they run other verbs.
        audience: Who may read what it prints: `any` (`--for`, or the player it names), `host`, `public` (everybody, as
            it stands), `none` (it tells nothing of a match).
    """

    __slots__ = ("_takes", "audience", "group", "help", "module", "more", "name", "records")

    def __init__(
        self, group: str, name: str, help: str, more: str = "", *, module: str = "",
        takes: Iterable[Param] | None = None, records: tuple[str, ...] = (),
        audience: Literal["any", "host", "public", "none"] = "host",
    ) -> None:  # fmt: skip
        self.group, self.name, self.help, self.more, self.module = group, name, help, more, module
        self._takes = WRITE if takes is None else tuple(takes)
        self.records = records if module else records or (name,)
        self.audience = audience

    @property
    def takes(self) -> tuple[Param, ...]:
        """Its words in place, then its options, as its help lists them."""
        return self._takes if self.module else of_record(self.record, self._takes)

    @property
    def record(self) -> type:
        """The record of the entry it writes, of a verb that needs nothing else."""
        from games.records import kebab
        from games.table.actions import TYPED

        return next(cls for cls in TYPED if kebab(cls) == self.name)

    @property
    def writes(self) -> bool:
        """Does it record something?"""
        return bool(self.records)

    @property
    def formats(self) -> tuple[str, ...]:
        """What its `-f` takes."""
        return next((tuple(one.metavar.split("|")) for one in self._takes if one.name == "fmt"), ())


# ---- options that several verbs share ----------------------------------------------------------------------------

_FOR = Param("--for P|public|host", "For whose eyes.", name="viewer")
_POINT = (
    _FOR,
    Param("--as-of SEQ|round:NAME|TIME|now", "The match at that point."),
    Param("--known SEQ", "What was known at that entry: lines 1 to SEQ only."),
)
"""For whom, and at which point of the match."""
_INTO = (
    Param("-o, --output FILE", "Write it to a new file.", name="target"),
    Param("--overwrite", "The file may exist."),
    Param("--copy", "Copy it to the clipboard as well."),
)


def _format(formats: str, default: str = "text") -> Param:
    return Param(f"-f, --format {formats}", "How to print it.", name="fmt", default=default)


_LIST = _format("text|json")
_READ = (*_POINT, _format("|".join(FORMATS)), *_INTO)
_PASTE = (*_POINT, _format("|".join(FORMATS), "discord"), *_INTO)
_HOSTS = (*_POINT, _LIST, *_INTO)
LOOKUP = (Param("PLAYER"), *_HOSTS)
"""Of a game's verb that only looks."""

_DRY = Param("-n, --dry-run", "Only tell what would happen.")
_YES = Param("-y, --yes", "Do not ask.")
_JSON = Param("--json", "Answer as JSON on stdout.", name="as_json")
_NOTE = Param("--note TEXT", "A remark for the hosts, kept beside the entry.")
_ONCE = Param("--once KEY", "Record only once under this key, however often it is run.")
WRITE = (
    Param("--at TIME", "When it counts: 18:42, sat 09:50, 24 Oct 9:50, -20m, an ISO time."),
    Param("--msg LINK", "The Discord message: kept as evidence, gives the time without --at."),
    _NOTE,
    _ONCE,
    Param("--again", "The same message is meant a second time."),
    Param("--force", "Record what the rules refuse; it stands as contested."),
    _DRY,
    _YES,
    _JSON,
)
"""Of every verb that records something of the match."""
_ABOUT = (_NOTE, _ONCE, _DRY, _YES, _JSON)
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

    listed = [field for field in fields(cls) if not field.arg.hidden]
    last = next((field for field in reversed(listed) if field.in_place), None)
    return (*(_of_field(field, last=field is last) for field in listed), *options)


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


NEEDS = {
    "vote": {"vote"}, "gift": {"gift"}, "choose": {"choose"}, "lot": {"lot"}, "resolve": {"rounds"},
    "blank": {"rounds", "vote"}, "deal": {"deal"}, "commit": {"deal", "commit"}, "word": {"deal", "commit"},
}  # fmt: skip
"""Shared verb -> what a game has, at least one of them, if the verb means something in it."""


def means(verb: str, has: frozenset[str]) -> bool:
    """Does a shared verb mean something in a game that has these?"""
    return verb not in NEEDS or not NEEDS[verb].isdisjoint(has)


# ---- the verbs ---------------------------------------------------------------------------------------------------

_SETUP, _ANY, _FIX, _SEE, _TELL, _AUDIT, _TOOLS = "set up", "any match", "fix", "see", "tell", "audit", "tools"

TABLE = (
    Command(
        _SETUP, "games", "List the games.", "Those of other packages run only once they are trusted.", module="setup",
        takes=[_LIST, Param("--trust NAME", "Trust a game of another package on this computer.", kind="GAME")],
        audience="none",
    ),
    Command(
        _SETUP, "page", "Print what the page of a game must say: settings, lines, verbs, facts.",
        "For who writes a game; --check names what a page lacks.", module="setup",
        takes=[Param("GAME"), Param("--check FILE", "The page, in Markdown.", kind="FILE")], audience="none",
    ),
    Command(
        _SETUP, "new-game", "Write the skeleton of a new game: rules, demo, page, tests.", module="setup",
        takes=[Param("NAME"), Param("--into DIR", "The folder it is written into.", kind="FILE")], audience="none",
    ),
    Command(
        _SETUP, "template", "Print a match file with every setting, to fill in.",
        "Each with its gap, meaning and default.", module="setup", takes=[Param("GAME")], audience="none",
    ),
    Command(
        _SETUP, "check", "Tell all that is wrong with a match file, with its lines.",
        "Of a file that holds its own rules it also shows who sees what, and when.", module="setup",
        takes=[Param("FILE.toml", kind="FILE", name="source"), _LIST], audience="none",
    ),
    Command(
        _SETUP, "new", "Make a match from a match file.", "hl template GAME prints one.", module="setup",
        takes=[
            Param("DIR", kind="FILE", name="folder"),
            Param("--from FILE.toml", "The match file.", kind="FILE", name="source", required=True),
            Param("--after OLD", "Take roster, zone, hosts and garnets of an earlier match.", kind="FILE"),
            Param("-n, --dry-run", "Only tell what would be made."),
            _JSON,
        ],
        records=("create", "seat"), audience="none",
    ),
    Command(
        _SETUP, "demo", "Play a bundled match through the real commands.", "Then it tells what to look at.",
        module="demo",
        takes=[
            Param("[GAME]"),
            Param("--into DIR", "The new folder; demo-match if not given, numbered if it is there.", kind="FILE"),
        ],
        audience="none",
    ),
    Command(
        _SETUP, "assumptions", "List the rules nobody has confirmed yet.",
        "Those to look at first are in front. --accept confirms them as they are.", module="setup",
        takes=[
            Param("--accept KEY|all", "Confirm this one, or all of them.", many=True),
            _LIST, *_ABOUT,
        ],
        records=("amend-setting",),
    ),
    Command(_SETUP, "rules", "List every setting with its gap, value and meaning.", module="setup", takes=[_LIST]),
    Command(_SETUP, "alias", "Give a player a further spelling."),
    Command(
        _SETUP, "commit", "Publish what fixes the deal, before players add words.",
        "It does not show the deal; with the players' words, nobody alone can steer it.", records=("commit", "seed"),
    ),
    Command(_SETUP, "word", "Add a player's own words to the deal.", "Any text, as the player sent it."),
    Command(
        _SETUP, "deal", "Deal the cards: drawn and recorded, or read from a file.", module="setup",
        takes=[Param("--from FILE", 'TOML with [hands]: ann = "R4 B4 R9 B9 R2".', name="source"), *WRITE],
        records=("deal", "hand"),
    ),
    Command(_SETUP, "open", "Start play."),
    Command(_SETUP, "close", "End the present phase or decision now."),
    Command(_SETUP, "reopen", "Go back into the phase that ended last."),
    Command(_ANY, "note", "Keep a remark for the hosts."),
    Command(_ANY, "ruling", "Record what a host decided and why.", "With --about it settles a contested entry."),
    Command(
        _ANY, "override", "Set one field of one player, whatever the rules say.",
        "Which fields there are depends on the game; an unknown one is answered with the list.",
    ),
    Command(
        _ANY, "declare", "Declare a result, above the rules: elimination, token, winner or void.",
        "elimination PLAYER... (or nobody), token PLAYER N (N in all), winner PLAYER..., void. The latest of a kind "
        "counts, undo restores the one before. Before the end it is kept, and counts then; void ends the match.",
        module="declare",
        takes=[
            Param("elimination|token|winner|void", name="kind"),
            Param("[PLAYER...]", "Who, or nobody; of a token, the player and how many they have in all.", name="words"),
            *(one for one in WRITE if one is not _NOTE),
            Param("--note TEXT", "Why: needed, and told to everybody.", name="note"),
            Param("--private", "The reason is for hosts alone."),
        ],
        records=("declare", "reason"),
    ),
    Command(_ANY, "penalty", "Record a penalty.", "With --garnets it takes garnets."),
    Command(_ANY, "breach", "Record that a player broke a rule.", "For a ruling later."),
    Command(_ANY, "award", "Give or take garnets or tokens.", "By a host's decision; below zero takes."),
    Command(_ANY, "blank", "Record that a player submits nothing, on purpose."),
    Command(_ANY, "vote", "Record one vote.", "A later vote of the same voter replaces it."),
    Command(_ANY, "gift", "Record to whom a spare token goes."),
    Command(_ANY, "lot", "Draw a lot, or type its outcome in."),
    Command(
        _ANY, "resolve", "Open all submissions of the round at once; a preview without --yes.",
        takes=[Param("--early", "Also while somebody owes a sheet and the deadline lies ahead."), *WRITE],
    ),
    Command(_ANY, "choose", "Record a choice that is a player's by the rules."),
    Command(
        _ANY, "deadline", "Move the end of the present phase.",
        "Or of a decision: +6h is that much later than it is, in 6h counts from the moment of the entry.",
    ),
    Command(_ANY, "pause", "Stop the clock; every end moves by as long.", "No end comes until it runs again."),
    Command(_ANY, "resume", "Let the clock run again."),
    Command(_ANY, "replace", "Another person takes over a seat.", "The seat keeps its id, cards and garnets."),
    Command(_ANY, "drop", "Record that a player has left.", "They submit nothing more, nobody waits for them (S-G3)."),
    Command(
        _ANY, "amend-setting", "Change settings from now on.", "KEY=VALUE, or several, with the new values.",
        module="setup",
        takes=[Param("KEY=VALUE", name="setting", kind="SETTING", required=True, text=True), *WRITE],
        records=("amend-setting",),
    ),
    Command(
        _FIX, "undo", "Strike an entry.", "Its whole batch; without SEQ the last one you recorded.", module="fix",
        takes=[Param("[SEQ]", kind="LIVE"), *_ABOUT], records=("undo",),
    ),
    Command(
        _FIX, "redo", "Take an undo back.", "SEQ is the undo or the entry it struck; without it your last.",
        module="fix", takes=[Param("[SEQ]", kind="UNDONE"), *_ABOUT], records=("redo",),
    ),
    Command(
        _FIX, "amend", "Correct an entry.", "Its fields, or at=TIME. The entry itself stays as it is.", module="fix",
        takes=[Param("SEQ", kind="AMENDABLE"), Param("KEY=VALUE...", kind="FIELD", name="words"), *_ABOUT],
        records=("amend",),
    ),
    Command(
        _FIX, "confirm", "Record that another host has checked an entry.", module="fix",
        takes=[Param("SEQ", kind="LIVE"), *_ABOUT], records=("confirm",),
    ),
    Command(_SEE, "status", "How the match stands, and what needs a host.", module="see", takes=_READ, audience="any"),
    Command(
        _SEE, "waiting", "Who still owes what, and until when.", module="desk",
        takes=[Param("--check", "Exit 5 while somebody is missing."), *_HOSTS],
    ),
    Command(
        _SEE, "log", "The entries, with what became of each.", "In the order they were recorded.", module="see",
        takes=[
            Param("--player P", "Only entries that name this player."),
            Param("--kind VERB", "Only entries of this verb."),
            Param("--live", "Hide entries that are undone."),
            Param("--since TIME", "Only entries that count from then on."),
            Param("--until TIME", "Only entries that count before then."),
            *_HOSTS,
        ],
    ),
    Command(_SEE, "show", "One entry: its fields, facts and seal.", module="see", takes=[Param("SEQ"), *_HOSTS]),
    Command(
        _SEE, "explain", "Which entries and rules are behind an entry, a player, the result.", module="see",
        takes=[Param("SEQ|P|final", name="what"), *_HOSTS], audience="any",
    ),
    Command(_SEE, "board", "What lies where.", "As far as the audience may know it.", module="see", takes=_READ,
            audience="any"),
    Command(_SEE, "scores", "The ranking.", "As far as the audience may know it.", module="see", takes=_READ,
            audience="any"),
    Command(_SEE, "view", "The match as one audience may know it.", module="see", takes=_READ, audience="any"),
    Command(
        _TELL, "outbox", "The texts that wait to be posted: list, show, next, done, drop, undo, post.",
        "The oldest first. show ITEM prints one. next shows the oldest (Enter: posted, s: skip, q: quit). done ITEM... "
        "(or all) records that they were posted, drop that they will not be, undo ITEM takes that back. post sends "
        "what waits to the webhooks of its channels.", module="outbox",
        takes=[
            Param("[list|show|next|done|drop|undo|post]", kind="next|done|drop|list|show|undo|post", name="what"),
            Param("[ITEM...]", name="items"),
            _LIST,
            Param("--copy", "Copy the text as well; says which program took it, and exits with 5 if none did."),
            Param("--follow", "post: go on, and post what comes."),
            Param("--hold SPAN", "post --follow: how long what one player reads is held back; 2m if not given."),
            Param("--edit", "post: a posted text that has changed is edited in place; else a correction is posted."),
            Param("-n, --dry-run", "Only tell what would happen."),
            _YES,
            _JSON,
        ],
        records=("posted", "posting", "undo"),
    ),
    Command(
        _TELL, "webhook", "The webhooks that outbox post sends to: add CHANNEL, list, remove CHANNEL.",
        "CHANNEL is public, a player, or a channel of the match file. add asks for the address, which is not shown, "
        "looks it up at Discord, and keeps it beside the log for its owner alone.", module="post",
        takes=[Param("add|list|remove", name="what"), Param("[CHANNEL]", kind="CHANNEL")],
    ),
    Command(
        _TELL, "drift", "Posted texts that say something else now.", "And the corrections to post.", module="desk",
        takes=[_LIST],
    ),
    Command(
        _TELL, "remind", "A text for each player who owes something.", "And for nobody else.", module="desk",
        takes=[_LIST],
    ),
    Command(
        _TELL, "reveal", "The public text.", "Or that of one round, ready to paste.", module="tell",
        takes=[Param("[ROUND]", name="round_"), *_PASTE], audience="any",
    ),
    Command(
        _TELL, "summary", "What one player may know, ready to send.", module="tell",
        takes=[
            Param("[P]", name="player"),
            Param("--all", "One text for each player; with -o DIR a file each, named by channel.", name="everyone"),
            Param("--news", "With what is new since the last text posted to the player."),
            *_PASTE,
        ],
        audience="any",
    ),
    Command(_TELL, "final", "The final reveal.", "With -f json the result.", module="tell", takes=_PASTE,
            audience="any"),
    Command(
        _AUDIT, "verify", "Check every byte, and that the log folds.", "The chain and the seals as well.",
        module="audit",
        takes=[
            Param("--receipt HASH", "A published head to check.", name="receipts", many=True),
            Param("--receipts FILE", "A text in which published heads stand.", name="listed"),
            Param("--signers FILE", "Who may sign: each head in --receipts must be signed by one."),
            Param("--full", "A closed line is a finding: this log should be whole."),
            _LIST,
        ],
    ),
    Command(
        _AUDIT, "audit", "Verify every log in folders, on all cores.",
        "And in the folders below: one line each; with -f json all findings.", module="audit",
        takes=[
            Param("DIR...", kind="FILE", name="places"),
            Param("-j, --jobs N", "How many processes; one for each core if not given.", name="workers"),
            _LIST,
        ],
    ),
    Command(
        _AUDIT, "redact", "A copy for one audience: what it may not open is closed.", "The head is the same.",
        module="audit",
        takes=[
            Param("--for P|public", "For whose eyes.", kind=_FOR.kind, name="viewer", required=True),
            Param("-o, --output FILE", "The new file.", name="target", required=True),
            Param("--overwrite", "The file may exist."),
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "replay", "The match step by step, for one audience; --step walks through it.",
        "What happened, when, and what became of it.", module="retell",
        takes=[
            Param("--html FILE", "Write a page in which anyone can watch it.", name="page_file"),
            Param("--check", "With --html: write the page that checks a log in a browser, in place of the match."),
            Param("--audiences A,B", "Whose eyes the page can switch to, besides --for.", kind=_FOR.kind),
            Param("--step", "Walk through it; where nobody sits at a terminal, all pages."),
            *_HOSTS,
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "diff", "What differs between two moments of the match, or between two logs.",
        "A and B are two moments (SEQ, round:NAME, a time, now, or known:SEQ for what was known at an entry), or two "
        "logs (folders or .jsonl files).", module="compare",
        takes=[
            Param("A", kind="MOMENT", name="one"),
            Param("B", kind="MOMENT", name="other"),
            Param("--check", "Exit 5 if anything differs."),
            Param("--for P|public|host", "Two moments: for whose eyes.", name="viewer"),
            _LIST,
            *_INTO,
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "evidence", "What differs between the log and an exported Discord chat.",
        "CHAT is JSON of DiscordChatExporter. It finds messages that look like something to record and no entry says "
        "so, entries whose message is not there, edited messages, wrong authors.", module="compare",
        takes=[
            Param("CHAT...", kind="FILE", name="chats"),
            Param("--check", "Exit 5 if there is any doubt."),
            _LIST,
            *_INTO,
        ],
    ),
    Command(
        _AUDIT, "export", "Facts, scores and garnet transfers as rows: csv or json.",
        "As far as the audience may know them.", module="export",
        takes=[
            Param("--only facts|scores|transfers", "One of the three tables."),
            *_POINT,
            Param("-f, --format csv|json", "How to write it.", name="fmt", default="csv"),
            *_INTO,
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "receipt", "The head of the log: enough to pin its history.", "Three lines: match, entries, hash.",
        module="receipt",
        takes=[
            Param("--sign KEY", "Sign it with an ssh key of yours (needs ssh-keygen).", kind="FILE", name="key"),
            Param("--accept", "Adopt a copy that was restored on purpose."),
            _YES,
            _LIST,
        ],
        audience="public",
    ),
    Command(
        _AUDIT, "anchor", "Record where a receipt was posted: a clock that no host can set.",
        "RECEIPT is its 64 hex digits, the number of an entry, or the name of a text that was posted; without it the "
        "newest that message can hold.", module="receipt",
        takes=[Param("LINK"), Param("[RECEIPT]", kind="SEQ"), *_ABOUT], records=("anchor",),
    ),
    Command(
        _TOOLS, "run", "Run commands from a file, one a line.", "Or from standard input; # begins a comment.",
        module="tools",
        takes=[Param("FILE|-", kind="FILE", name="source"), Param("--keep-going", "Go on after a line that failed.")],
    ),
    Command(
        _TOOLS, "import", "Record the rows of a form's CSV; first only tells.",
        "Each row is an entry of its own. It first tells what each would do; --yes records. A row that was recorded is "
        "not recorded again, in a later export either.", module="importing",
        takes=[
            Param("FILE"),
            Param("--map MAP.toml", "Which column gives what.", kind="FILE", name="map_", required=True),
            Param("--again", "Also rows whose message is recorded already."),
            Param("--force", "Also what the rules refuse; it stands as contested."),
            Param("-n, --dry-run", "Only tell what would happen; so without --yes."),
            Param("-y, --yes", "Record."),
            _JSON,
        ],
        records=("*",),
    ),
    Command(
        _TOOLS, "join", "Take over what another copy of this match has recorded.",
        "OTHER is that copy: a folder or a .jsonl file; it is not changed. Safe to repeat, and to do the other way "
        "round.", module="join", takes=[Param("OTHER", kind="FILE"), _DRY, _YES, _JSON],
        records=("join", "*"),
    ),
    Command(
        _TOOLS, "share", "Put this match on a server, for hosts elsewhere; its folder becomes a mirror.",
        "URL is git+ssh://HOST/PATH#NAME, git+https://HOST/PATH#NAME, git+file:///PATH#NAME or "
        "postgresql://HOST/DB#NAME. The server gets sealed lines; the key is printed for the other hosts. "
        "Without URL it shows where a shared match lies, and its key.",
        module="shared",
        takes=[
            Param("[URL]"),
            Param("--plain", "Do not seal: who runs the server can read the match."),
            Param("--key", "Print the key of a shared match, and nothing else.", name="key_only"),
            _YES,
        ],
    ),
    Command(
        _TOOLS, "clone", "Make a mirror of a shared match on this machine.",
        "It asks for the key, which is not shown, or reads it from standard input. Without DIR it lies in your data "
        "folder, and -g URL finds it.", module="shared",
        takes=[Param("URL"), Param("[DIR]", kind="FILE", name="folder")],
    ),
    Command(
        _TOOLS, "sync", "Take over what other hosts have recorded, and settle what is unknown.",
        "Every command does so by itself; this one says what came, and fails when the server does not answer.",
        module="shared", takes=[Param("--restore", "Put back what the server has lost from its end."), _JSON],
    ),
    Command(
        _TOOLS, "unshare", "Leave a shared match: this folder becomes a copy of its own.",
        "The server stays as it is. hl join brings such a copy back.", module="shared", takes=[_YES],
    ),
    Command(
        _TOOLS, "shell", "Type commands without hl, with completion, until Ctrl-D.", module="shell",
        takes=[Param("--plain", "Without completion and history; needs nothing installed.")],
    ),
    Command(
        _TOOLS, "completion", "Print the script that makes a shell complete hl: bash, zsh, fish, PowerShell.",
        "Its first lines say how.", module="completion", takes=[Param("bash|zsh|fish|powershell", name="shell")],
        audience="none",
    ),
    Command(
        _TOOLS, "doctor", "What this machine lacks, and whether the log's files are in order.", module="doctor",
        takes=[_LIST],
    ),
)  # fmt: skip
VERBS = {row.name: row for row in TABLE}
