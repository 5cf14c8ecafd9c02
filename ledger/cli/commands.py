"""The one table of commands. A verb that needs nothing but its record takes what the fields of the record say.

Dispatch, `hl --help`, the help of each verb, completion, the tests of secrecy and of the pages read it. It imports next
to nothing. Source: docs/decisions/0030-one-table-of-commands.md.
"""

from __future__ import annotations

from ledger.cli.command import Command
from ledger.cli.commands_setup import SETUP
from ledger.cli.params import ABOUT, DRY, FOR, HOST_LIST, INTO, JSON, LIST, NOTE, PASTE, POINT, READ, WRITE, YES, Param

_ANY, _FIX, _SEE, _TELL, _AUDIT, _TOOLS = "any match", "fix", "see", "tell", "audit", "tools"

TABLE = (
    *SETUP,
    Command(_ANY, "note", "Keep a remark for the hosts."),
    Command(_ANY, "ruling", "Record what a host decided and why.", "With --about it settles a contested entry."),
    Command(
        _ANY, "override", "Set one field of one player, whatever the rules say.",
        "Which fields there are depends on the game; an unknown one is answered with the list.",
    ),
    Command(
        _ANY, "declare", "Declare a result, whatever the rules say: elimination, token, winner or void.",
        "elimination PLAYER... (or nobody), token PLAYER N (N in all), winner PLAYER..., void. The latest of a kind "
        "counts, undo restores the one before. Before the end it is kept, and counts then; void ends the match.",
        module="declare",
        takes=[
            Param("elimination|token|winner|void", name="kind"),
            Param("[PLAYER...]", "Who, or nobody; of a token, the player and how many they have in all.", name="words"),
            *(param for param in WRITE if param is not NOTE),
            Param("--note TEXT", "Why: needed, and told to everybody.", name="note"),
            Param("--private", "The reason is for hosts only."),
        ],
        records=("declare", "reason"),
    ),
    Command(_ANY, "penalty", "Record a penalty.", "With --garnets it takes garnets."),
    Command(_ANY, "breach", "Record that a player broke a rule.", "For a ruling later."),
    Command(_ANY, "award", "Give or take garnets or tokens.", "By a host's decision; a negative amount takes."),
    Command(_ANY, "blank", "Record that a player submits nothing, on purpose."),
    Command(_ANY, "vote", "Record one vote.", "A later vote of the same voter replaces it."),
    Command(_ANY, "gift", "Record to whom a spare token goes."),
    Command(_ANY, "lot", "Draw a lot, or type its outcome in."),
    Command(
        _ANY, "resolve", "Open all submissions of the round at once; a preview without --yes.",
        takes=[Param("--early", "Also while somebody owes a sheet and the deadline lies ahead."), *WRITE],
    ),
    Command(_ANY, "choose", "Record a choice that the rules give to a player."),
    Command(
        _ANY, "deadline", "Move the end of the present phase.",
        "Or of a decision: +6h is that much later than it is, in 6h counts from the moment of the entry.",
    ),
    Command(_ANY, "pause", "Stop the clock; every end moves by as long.", "Nothing ends until it runs again."),
    Command(_ANY, "resume", "Let the clock run again."),
    Command(_ANY, "replace", "Another person takes over a seat.", "The seat keeps its id, cards and garnets."),
    Command(_ANY, "drop", "Record that a player has left.", "They submit nothing more, nobody waits for them (S-G3)."),
    Command(
        _ANY, "amend-setting", "Change settings from now on.", "KEY=VALUE, or several, with the new values.",
        module="settings",
        takes=[Param("KEY=VALUE", name="setting", kind="SETTING", required=True, text=True), *WRITE],
        records=("amend-setting",),
    ),
    Command(
        _FIX, "undo", "Cancel an entry; it stays in the log.",
        "And all that its command recorded; without SEQ the last one you recorded.", module="fix",
        takes=[Param("[SEQ]", kind="LIVE"), *ABOUT], records=("undo",),
    ),
    Command(
        _FIX, "redo", "Take an undo back.", "SEQ is the undo or the entry it struck; without it your last.",
        module="fix", takes=[Param("[SEQ]", kind="UNDONE"), *ABOUT], records=("redo",),
    ),
    Command(
        _FIX, "amend", "Correct an entry.", "Its fields, or at=TIME. The entry itself stays as it is.", module="amend",
        takes=[Param("SEQ", kind="AMENDABLE"), Param("KEY=VALUE...", kind="FIELD", name="words"), *ABOUT],
        records=("amend",),
    ),
    Command(
        _FIX, "confirm", "Record that another host has checked an entry.", module="fix",
        takes=[Param("SEQ", kind="LIVE"), *ABOUT], records=("confirm",),
    ),
    Command(_SEE, "status", "How the match stands, and what needs a host.", module="see",
            takes=[Param("--follow", "Go on: print it anew when something was recorded; until Ctrl-C."), *READ],
            audience="any"),
    Command(
        _SEE, "waiting", "Who still owes what, and until when.", module="desk",
        takes=[Param("--check", "Exit 5 while somebody is missing."), *HOST_LIST],
    ),
    Command(
        _SEE, "log", "The entries as they count, and how each was corrected.",
        "In the order they were recorded. What only says that a text or receipt was posted is left out; --all has it.",
        module="entries",
        takes=[
            Param("--player P", "Only entries that name this player."),
            Param("--kind VERB", "Only entries of this verb."),
            Param("--live", "Hide entries that are undone."),
            Param("--since TIME", "Only entries that count from then on."),
            Param("--until TIME", "Only entries that count before then."),
            Param("--by-time", "In the order in which they count."),
            Param("--all", "Also posted, posting, anchor, join.", name="everything"),
            Param("--no-pager", "Print it at once, also where it is longer than the screen."),
            *HOST_LIST,
        ],
    ),
    Command(_SEE, "show", "One entry: its fields, facts and seal.", module="entries", takes=[Param("SEQ"), *HOST_LIST]),
    Command(
        _SEE, "explain", "Which entries and rules are behind an entry, a player, the result.", module="entries",
        takes=[Param("SEQ|P|final", name="what"), *HOST_LIST], audience="any",
    ),
    Command(_SEE, "board", "Draw the board.", "As far as the audience may know it.", module="see", takes=READ,
            audience="any"),
    Command(_SEE, "scores", "The ranking.", "As far as the audience may know it.", module="see", takes=READ,
            audience="any"),
    Command(_SEE, "view", "The match as one audience may know it.", module="see", takes=READ, audience="any"),
    Command(
        _TELL, "outbox", "The texts that wait to be posted: list, show, next, done, drop, undo, post.",
        "The oldest first. show ITEM prints one. next shows the oldest (Enter: posted, s: skip, q: quit). done ITEM... "
        "(or all) records that they were posted, drop that they will not be, undo ITEM takes that back. post sends "
        "what waits to the webhooks of its channels.", module="outbox",
        takes=[
            Param("[list|show|next|done|drop|undo|post]", kind="next|done|drop|list|show|undo|post", name="what"),
            Param("[ITEM...]", name="items"),
            LIST,
            Param("--copy", "Copy the text as well; says which program took it, and exits with 5 if none did."),
            Param("--follow", "Go on, and show what comes; post: post what comes."),
            Param("--hold SPAN", "post --follow: how long texts are held back; 2m if not given."),
            Param("--edit", "post: a posted text that has changed is edited in place; else a correction is posted."),
            DRY,
            YES,
            JSON,
        ],
        records=("posted", "posting", "undo"),
    ),
    Command(
        _TELL, "webhook", "The webhooks that outbox post sends to: add CHANNEL, list, remove CHANNEL.",
        "CHANNEL is public, a player, or a channel of the match file. add asks for the address, which is not shown, "
        "looks it up at Discord, and keeps it beside the log, readable by its owner only.", module="webhook",
        takes=[Param("add|list|remove", name="what"), Param("[CHANNEL]", kind="CHANNEL")],
    ),
    Command(
        _TELL, "drift", "Posted texts that are no longer true.", "And the corrections to post.", module="desk",
        takes=[LIST],
    ),
    Command(
        _TELL, "remind", "A text for each player who owes something.", "And for nobody else.", module="desk",
        takes=[LIST],
    ),
    Command(
        _TELL, "reveal", "The public text.", "Or that of one round, ready to paste.", module="tell",
        takes=[Param("[ROUND]", name="round_"), *PASTE], audience="any",
    ),
    Command(
        _TELL, "summary", "What one player may know, ready to send.", module="tell",
        takes=[
            Param("[P]", name="player"),
            Param("--all", "One text for each player; with -o DIR a file each, named by channel.", name="everyone"),
            Param("--news", "With what is new since the last text posted to the player."),
            *PASTE,
        ],
        audience="any",
    ),
    Command(_TELL, "final", "The final reveal.", "With -f json the result.", module="tell", takes=PASTE,
            audience="any"),
    Command(
        _AUDIT, "verify", "Check every byte, and replay the match.", "The chain and the seals too.",
        module="verify",
        takes=[
            Param("--receipt HASH", "A published head to check.", name="receipts", many=True),
            Param("--receipts FILE", "A text with published heads.", name="text_file"),
            Param("--signers FILE", "Who may sign: each head in --receipts, and what hosts sent to a shared match."),
            Param("--full", "A closed line is a finding: this log should be whole."),
            LIST,
        ],
    ),
    Command(
        _AUDIT, "audit", "Verify every log in folders and archives, on all cores.",
        "And in the folders below: one line each; with -f json all findings.", module="audit",
        takes=[
            Param("SOURCE...", kind="FILE", name="places"),
            Param("-j, --jobs N", "How many processes; one for each core if not given.", name="workers"),
            Param("--scheduler URL", "Workers of other machines: a Dask scheduler, tls://HOST:PORT."),
            LIST,
        ],
    ),
    Command(
        _AUDIT, "redact", "A copy for one audience: lines they may not open are closed.", "The head is the same.",
        module="export",
        takes=[
            Param("--for P|public", "The audience.", kind=FOR.kind, name="viewer", required=True),
            Param("-o, --output FILE", "The new file.", name="target", required=True),
            Param("--overwrite", "The file may exist."),
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "replay", "The match step by step, for one audience; --step shows one at a time.",
        "What happened, when, and how it was corrected.", module="retell",
        takes=[
            Param("--html FILE", "Write a page in which anyone can watch it.", name="page_file"),
            Param("--check", "With --html: write the page that checks a log in a browser, in place of the match."),
            Param("--audiences A,B", "Further audiences that the page can switch to.", kind=FOR.kind),
            Param("--step", "One step at a time; without a terminal, all steps.", name="by_step"),
            Param("--follow", "Go on, and print each step that comes; until Ctrl-C."),
            *HOST_LIST,
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "diff", "What differs between two moments of the match, or between two logs.",
        "A and B are two moments (SEQ, round:NAME, a time, now, or known:SEQ for what was known at an entry), or two "
        "logs (folders or .jsonl files).", module="diff",
        takes=[
            Param("A", kind="MOMENT", name="first"),
            Param("B", kind="MOMENT", name="second"),
            Param("--check", "Exit 5 if anything differs."),
            Param("--for P|public|host", "Two moments: the audience.", name="viewer"),
            LIST,
            *INTO,
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "evidence", "What differs between the log and an exported Discord chat.",
        "CHAT is JSON, HTML or CSV of DiscordChatExporter, or a folder of such files. It finds messages that look like "
        "something to record and no entry says so, entries whose message is not there, edited messages, wrong authors.",
        module="evidence",
        takes=[
            Param("CHAT...", kind="FILE", name="chats"),
            Param("--check", "Exit 5 if there is any doubt."),
            LIST,
            *INTO,
        ],
    ),
    Command(
        _AUDIT, "read", "What an exported Discord chat calls for, one command after the other.",
        "Each message that looks like something to record, and that no entry says, is shown with the command for it: "
        "take it, change it, skip it. Nothing is recorded unasked. CHAT is JSON, HTML or CSV of "
        "DiscordChatExporter, or a folder of such files. Where nobody sits at a terminal, the commands are listed.",
        module="from_chat",
        takes=[Param("CHAT...", kind="FILE", name="chats"), LIST],
    ),
    Command(
        _AUDIT, "export", "Facts, scores and garnet transfers as rows: csv or json.",
        "As far as the audience may know them.", module="export",
        takes=[
            Param("--only facts|scores|transfers", "One of the three tables."),
            *POINT,
            Param("-f, --format csv|json", "How to write it.", name="fmt", default="csv"),
            *INTO,
        ],
        audience="any",
    ),
    Command(
        _AUDIT, "receipt", "The head of the log: a hash of its history.", "Three lines: match, entries, hash.",
        module="receipt",
        takes=[
            Param("--sign KEY", "Sign it with an ssh key of yours (needs ssh-keygen).", kind="FILE", name="key"),
            Param("--accept", "Accept a copy that was restored on purpose."),
            YES,
            LIST,
        ],
        audience="public",
    ),
    Command(
        _AUDIT, "anchor", "Record in which message a receipt was posted; its id proves when.",
        "RECEIPT is its 64 hex digits, the number of an entry, or the name of a text that was posted; without it the "
        "newest that message can hold.", module="receipt",
        takes=[Param("LINK"), Param("[RECEIPT]", kind="SEQ"), *ABOUT], records=("anchor",),
    ),
    Command(
        _TOOLS, "run", "Run commands from a file, one a line.", "Or from standard input; # begins a comment.",
        module="tools",
        takes=[Param("FILE|-", kind="FILE", name="source"), Param("--keep-going", "Go on after a line that failed.")],
    ),
    Command(
        _TOOLS, "import", "Record the rows of a form's CSV; a preview without --yes.",
        "Each row is an entry of its own. It says what each would do; --yes records. A row that was recorded is "
        "not recorded again, in a later export either.", module="importing",
        takes=[
            Param("FILE"),
            Param("--map MAP.toml", "Which column gives what.", kind="FILE", name="map_", required=True),
            Param("--again", "Also rows whose message is recorded already."),
            Param("--force", "Also what the rules refuse; it stands as contested."),
            Param("-n, --dry-run", "Only say what would happen; so without --yes."),
            Param("-y, --yes", "Record."),
            JSON,
        ],
        records=("*",),
    ),
    Command(
        _TOOLS, "join", "Add what another copy of this match has recorded.",
        "OTHER is that copy: a folder or a .jsonl file; it is not changed. Safe to repeat, and to do the other way "
        "round.", module="join", takes=[Param("OTHER", kind="FILE"), DRY, YES, JSON],
        records=("join", "*"),
    ),
    Command(
        _TOOLS, "share", "Put this match on a server, for hosts elsewhere; its folder becomes a mirror.",
        "URL is git+ssh://HOST/PATH#NAME, git+https://HOST/PATH#NAME, git+file:///PATH#NAME, "
        "postgresql://HOST/DB#NAME or s3://BUCKET/FOLDER#NAME. The server gets encrypted lines; the key is printed for "
        "the other hosts. Without URL it shows where a shared match lies, and its key.", module="shared",
        takes=[
            Param("[URL]"),
            Param("--plain", "Do not encrypt: whoever runs the server can read the match."),
            Param("--key", "Print the key of a shared match, and nothing else.", name="key_only"),
            Param("--move", "Of a shared match: move it to URL, with a new key, and close the place where it was."),
            YES,
        ],
    ),
    Command(
        _TOOLS, "clone", "Make a mirror of a shared match on this machine.",
        "It asks for the key, which is not shown, or reads it from standard input. Without DIR it lies in your data "
        "folder, and -g URL finds it.", module="clone",
        takes=[Param("URL"), Param("[DIR]", kind="FILE", name="folder")],
    ),
    Command(
        _TOOLS, "sync", "Fetch what other hosts have recorded, and settle unknown outcomes.",
        "Every command does so by itself; this one says what came, and fails when the server does not answer.",
        module="shared", takes=[Param("--restore", "Put back what the server has lost from its end."), JSON],
    ),
    Command(
        _TOOLS, "unshare", "Leave a shared match: this folder becomes a match of its own.",
        "The server stays as it is. hl join brings such a copy back.", module="shared", takes=[YES],
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
        _TOOLS, "schema", "Print the JSON Schema of the log, of a match file, or of an answer in JSON.",
        "A part of log, match, view and write is each game's own: GAME, or that of the match here.", module="tools",
        takes=[Param("log|match|view|final|verify|write", name="what"), Param("[GAME]")], audience="none",
    ),
    Command(
        _TOOLS, "doctor", "What this machine lacks, and whether the log's files are in order.", module="doctor",
        takes=[LIST],
    ),
)  # fmt: skip
VERBS = {row.name: row for row in TABLE}
