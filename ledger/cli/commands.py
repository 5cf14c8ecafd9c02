"""The one table of commands: what each verb is called, does, takes, prints and records, and for whom it is.

Dispatch, `hl --help`, the help of each verb, completion, the tests of secrecy and of the pages read it. The words and
options of a verb stand as its help shows them; click's parameters are made from them (derive.py), completion looks up
what they may be (complete.py). A verb that needs nothing but its record takes what the fields of the record say.

It imports nothing, and its rows are plain objects: `hl --help` and completion read it at every start.
Source: docs/decisions/0030-one-table-of-commands.md.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from games.records import Field


class Param:
    """A word or an option of a verb.

    Attributes:
        typed: As the help shows it: `SEQ`, `[PLAYER]`, `DIR...`, `-o, --output FILE`; an option of two words without a
            value is bare: `--copy`.
        name: Under which name the verb's function gets it.
        kind: What the value may be, for completion: if not given, what stands in `typed`.
        many: Any number of them.
        text: One text, which may be typed as several words.
    """

    __slots__ = ("count", "default", "field", "help", "kind", "many", "metavar", "name", "required", "spelled", "text",
                 "typed", "words")  # fmt: skip

    def __init__(
        self, typed: str, help: str = "", *, name: str = "", kind: str = "", default: str | None = None,
        required: bool = False, many: bool = False, text: bool = False, count: bool = False, words: int = 1,
        field: Field | None = None,
    ) -> None:  # fmt: skip
        parts = typed.split()
        self.typed, self.help, self.default, self.field = typed, help, default, field
        self.spelled = tuple(part.rstrip(",") for part in parts if part[0] == "-")
        """Every spelling of an option; none: a word in place."""
        self.metavar = parts[-1] if parts[-1][0] != "-" else ""
        bare = self.metavar.strip("[]")
        self.many, self.text, self.count, self.words = many or bare.endswith("..."), text, count, words
        self.kind = kind or bare.removesuffix("...")
        self.required = required or not (self.spelled or typed[0] == "[")
        self.name = name or (self.spelled[-1].strip("-") if self.spelled else self.kind).lower().replace("-", "_")


class Command:
    """One verb.

    Attributes:
        group: Under which heading `hl --help` lists it.
        help: One line. `more`: what `hl VERB --help` says besides.
        module: Where in ledger/cli its function `do_VERB` stands; "": a verb that needs nothing but its record.
        takes: Its words in place, then its options, in the order of the help; of a record: besides its fields.
        records: The entries it may record, as the log names them; `*`: whatever its input says. `run`, `shell` and
            `demo` record nothing themselves: they run other verbs.
        audience: Who may read what it prints: `any` (`--for`, or the player it names), `host`, `public` (everybody, as
            it stands), `none` (it tells nothing of a match).
    """

    __slots__ = ("audience", "group", "help", "module", "more", "name", "records", "takes")

    def __init__(
        self, group: str, name: str, help: str, more: str = "", *, module: str = "",
        takes: Iterable[Param] | None = None, records: tuple[str, ...] = (), audience: Literal["any", "host", "public", "none"] = "host",
    ) -> None:  # fmt: skip
        self.group, self.name, self.help, self.more, self.module = group, name, help, more, module
        self.takes = WRITE if takes is None else tuple(takes)
        self.records = records if module else records or (name,)
        self.audience = audience

    @property
    def writes(self) -> bool:
        """Does it record something?"""
        return bool(self.records)

    @property
    def formats(self) -> tuple[str, ...]:
        """What its `-f` takes."""
        return next((tuple(one.metavar.split("|")) for one in self.takes if one.name == "fmt"), ())


# ---- options that several verbs share ----------------------------------------------------------------------------

FORMATS = "text|discord|md|html|svg|png|json"
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
_READ = (*_POINT, _format(FORMATS), *_INTO)
_PASTE = (*_POINT, _format(FORMATS, "discord"), *_INTO)
HOSTS = (*_POINT, _LIST, *_INTO)
"""Of every list for hosts, and of a game's verb that only looks."""

_DRY = Param("-n, --dry-run", "Only tell what would happen.")
_YES = Param("-y, --yes", "Do not ask.")
_JSON = Param("--json", "Answer as JSON on stdout.", name="as_json")
_NOTE = Param("--note TEXT", "A remark for the hosts, kept beside the entry.")
_ONCE = Param("--once KEY", "Record only once under this key, however often it is run.")
WRITE = (
    Param("--at TIME", "When it counts: 18:42, yesterday 18:42, -20m, an ISO time."),
    Param("--msg LINK", "The Discord message: gives the time, kept as evidence."),
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
    Param("-g, --match MATCH", "The match: a folder with log.jsonl, or a .jsonl file.", kind="FILE"),
    Param("--as HOST", "Who records."),
    Param("--color WHEN", "auto, always or never.", kind="auto|always|never"),
    Param("--no-input", "Never ask; a needed confirmation is exit code 5."),
)
"""Of every verb, before it or after."""
ALONE = (Param("--version", "Show the version."), Param("-h, --help", "Show this text."))

# ---- the verbs ---------------------------------------------------------------------------------------------------

_SETUP, _ANY, _FIX, _SEE, _TELL, _AUDIT, _TOOLS = "set up", "any match", "fix", "see", "tell", "audit", "tools"

TABLE = (
    Command(_SETUP, "games", "List the games.", module="setup", takes=[_LIST], audience="none"),
    Command(
        _SETUP, "template", "Print a match file with every setting, to fill in.",
        "Each with its gap, meaning and default.", module="setup", takes=[Param("GAME")], audience="none",
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
        _SETUP, "assumptions", "List the rules nobody has confirmed yet.", "Those to look at first are in front.",
        module="setup", takes=[_LIST],
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
        takes=[
            Param("--from FILE", 'TOML with [hands]: ann = "R4 B4 R9 B9 R2".', name="source"),
            *WRITE,
        ],
        records=("deal", "hand"),
    ),
    Command(_SETUP, "open", "Start play."),
    Command(_SETUP, "close", "End the present phase or decision now."),
    Command(_SETUP, "reopen", "Go back into the phase that ended last."),
    Command(_ANY, "note", "Keep a remark for the hosts."),
    Command(
        _ANY, "ruling", "Record what a host decided and why.", "With --about it settles a contested entry.",
    ),
    Command(
        _ANY, "override", "Set one field of one player, whatever the rules say.",
        "Which fields there are depends on the game; an unknown one is answered with the list.",
    ),
    Command(_ANY, "penalty", "Record a penalty.", "With --garnets it takes garnets."),
    Command(_ANY, "breach", "Record that a player broke a rule.", "For a ruling later."),
    Command(_ANY, "award", "Give or take garnets or tokens.", "By a host's decision; below zero takes."),
    Command(_ANY, "blank", "Record that a player submits nothing, on purpose."),
    Command(_ANY, "vote", "Record one vote.", "A later vote of the same voter replaces it."),
    Command(_ANY, "gift", "Record to whom a spare token goes."),
    Command(_ANY, "lot", "Draw a lot, or type its outcome in."),
    Command(_ANY, "resolve", "Open all submissions of the round at once; a preview without --yes."),
    Command(_ANY, "choose", "Record a choice that is a player's by the rules."),
    Command(_ANY, "deadline", "Move the end of the present phase.", "Or of a decision: +6h from now, or a time."),
    Command(_ANY, "pause", "Stop the clock; every end moves by as long.", "No end comes until it runs again."),
    Command(_ANY, "resume", "Let the clock run again."),
    Command(_ANY, "replace", "Another person takes over a seat.", "The seat keeps its id, cards and garnets."),
    Command(_ANY, "drop", "Record that a player has left.", "They submit nothing more, nobody waits for them (S-G3)."),
    Command(
        _ANY, "amend-setting", "Change a setting from now on.", "Or from --at: KEY=VALUE.", module="shared",
        takes=[Param("KEY=VALUE", name="setting", kind="SETTING", required=True, text=True), *WRITE],
        records=("amend-setting",),
    ),
    Command(
        _FIX, "undo", "Strike an entry.", "Its whole batch; without SEQ the last one you recorded.", module="fix",
        takes=[Param("[SEQ]", kind="LIVE", name="seq"), *_ABOUT], records=("undo",),
    ),
    Command(
        _FIX, "redo", "Take an undo back.", "SEQ is the undo or the entry it struck; without it your last.",
        module="fix", takes=[Param("[SEQ]", kind="UNDONE", name="seq"), *_ABOUT], records=("redo",),
    ),
    Command(
        _FIX, "amend", "Correct an entry.", "Its fields, or at=TIME. The entry itself stays as it is.", module="fix",
        takes=[Param("SEQ", kind="AMENDABLE", name="seq"), Param("KEY=VALUE...", kind="FIELD", name="words"), *_ABOUT],
        records=("amend",),
    ),
    Command(
        _FIX, "confirm", "Record that another host has checked an entry.", module="fix",
        takes=[Param("SEQ", kind="LIVE", name="seq"), *_ABOUT], records=("confirm",),
    ),
    Command(_SEE, "status", "How the match stands, and what needs a host.", module="see", takes=_READ, audience="any"),
    Command(
        _SEE, "waiting", "Who still owes what, and until when.", module="desk",
        takes=[Param("--check", "Exit 5 while somebody is missing."), *HOSTS],
    ),
    Command(
        _SEE, "log", "The entries, with what became of each.", "In the order they were recorded.", module="see",
        takes=[
            Param("--player P", "Only entries that name this player."),
            Param("--kind VERB", "Only entries of this verb."),
            Param("--live", "Hide entries that are undone."),
            Param("--since TIME", "Only entries that count from then on."),
            Param("--until TIME", "Only entries that count before then."),
            *HOSTS,
        ],
    ),
    Command(_SEE, "show", "One entry: its fields, facts and seal.", module="see", takes=[Param("SEQ"), *HOSTS]),
    Command(
        _SEE, "explain", "Which entries and rules are behind an entry, a player, the result.", module="see",
        takes=[Param("SEQ|P|final", name="what"), *HOSTS],
    ),
    Command(_SEE, "board", "What lies where.", "As far as the audience may know it.", module="see", takes=_READ,
            audience="any"),
    Command(_SEE, "scores", "The ranking.", "As far as the audience may know it.", module="see", takes=_READ,
            audience="any"),
    Command(_SEE, "view", "The match as one audience may know it.", module="see", takes=_READ, audience="any"),
    Command(
        _TELL, "outbox", "The texts that wait to be posted: list, next, done ITEM, drop ITEM.",
        "The oldest first. next shows the oldest (Enter: posted, s: skip, q: quit), done ITEM records that it was "
        "posted, drop ITEM that it will not be.", module="desk",
        takes=[
            Param("[next|done|drop]", kind="next|done|drop|list", name="what"),
            Param("[ITEM]"),
            _LIST,
            Param("--copy", "Copy the text as well."),
            Param("-n, --dry-run", "done and drop: only tell what would happen."),
            _JSON,
        ],
        records=("posted",),
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
            Param("--all", "One text for each player.", name="everyone"),
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
            Param("--audiences A,B", "Whose eyes the page can switch to, besides --for.", kind=_FOR.kind),
            Param("--step", "Walk through it; where nobody sits at a terminal, all pages."),
            *HOSTS,
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
        takes=[Param("LINK"), Param("[RECEIPT]", kind="SEQ", name="receipt"), *_ABOUT], records=("anchor",),
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
        "round.", module="join", takes=[Param("OTHER", kind="FILE", name="other"), _DRY, _YES, _JSON],
        records=("join", "*"),
    ),
    Command(
        _TOOLS, "shell", "Type commands without hl, with completion, until Ctrl-D.", module="shell",
        takes=[Param("--plain", "Without completion and history; needs nothing installed.")],
    ),
    Command(
        _TOOLS, "completion", "Print the script that makes a shell complete hl: bash, zsh, fish.",
        "Its first lines say how.", module="completion", takes=[Param("bash|zsh|fish", name="shell")], audience="none",
    ),
    Command(
        _TOOLS, "doctor", "What this machine lacks, and whether the log's files are in order.", module="doctor",
        takes=[_LIST],
    ),
)  # fmt: skip
VERBS = {row.name: row for row in TABLE}
