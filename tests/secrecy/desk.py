"""A host's desk: command lines of a script, and what of each answer goes to the viewer."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ledger.core.clock
from ledger.cli.app import App
from ledger.cli.texts import file_names
from ledger.cli.verbs import shared_verb
from ledger.exchange.join import join
from ledger.record.plan import Options
from ledger.tell.outbox import outbox
from ledger.tell.redact import may_open
from ledger.tell.texts import Item, letter
from tests.secrecy.on_paper import PaperApp, Sheet
from tests.secrecy.script import HEADS, HEX, PUBLIC, NotAPair, Step
from tests.support.completing import offered
from tests.support.host import Answer, hl

# ---- command lines -------------------------------------------------------------------------------------------------


def command(app: App, words: Sequence[str]) -> Answer:
    """One command line, run by the real `hl`."""
    answer = hl("--no-input", *words, app=app)
    if answer.code == 1:
        raise RuntimeError(f"{' '.join(words)}: {answer.err}")
    return answer


class Desk:
    """A host's desk: types the lines of a script, and hears of each answer what goes to the viewer.

    Attributes:
        seen: The numbers of entries that the viewer knows of, in order: as many in both matches of a pair.
        marks: Of each mark the number of its entry.
    """

    def __init__(self, app: App, viewer: str, host: str) -> None:
        self.app, self.viewer, self.host = app, viewer, host
        self.marks: dict[str, int] = {}
        self.seen: list[int] = []
        self.copies: dict[str, Any] = {}
        self.folder: Path | None = None

    # ---- what is typed ---------------------------------------------------------------------------------------------

    def resolved(self, words: Sequence[str]) -> Iterator[str]:
        """The words with what marks stand for."""
        for word in words:
            if found := re.fullmatch(r"(admit )?@(\w+)", word):
                if found[2] not in self.marks:
                    raise NotAPair(f"{word} was not written")
                yield f"{found[1] or ''}{self.marks[found[2]]}"
            elif found := re.fullmatch(r"%(\d+)([a-z]+)", word):
                name = f"{self.seen[int(found[1])]}{found[2]}"
                yield name if any(item.whole == name for item in self.waiting()) else "nothing"
            elif found := re.fullmatch(r"(.*)%(\d+)", word):
                yield f"{found[1]}{self.seen[int(found[2])]}"
            elif words[0] == "outbox" and (found := re.fullmatch(r"([\w-]+):(\d+)", word)):
                mine = [item.name for item in self.waiting() if item.audience == found[1]]
                yield mine[int(found[2])] if int(found[2]) < len(mine) else "nothing"
            else:
                yield word

    def waiting(self) -> Sequence[Item]:
        """The texts that wait to be posted now."""
        return outbox(self.app.match, ledger.core.clock.now_ms()).waiting

    def recorded(self, step: Step, number: int) -> None:
        """Remember where a step was written."""
        if step.mark:
            self.marks[step.mark] = number
        if step.seen and step.words[0] not in ("copy", "in", "join"):
            self.seen.append(number)

    def line(self, words: Sequence[str], by: str) -> Answer:
        """Run a line of a script."""
        as_host = ("--as", by or self.host)
        if words[0] in ("copy", "in", "join"):
            return self.of_a_copy(words, as_host)
        return command(self.app, (*as_host, *words, *self.yes(words[0])))

    @staticmethod
    def yes(verb: str) -> tuple[str, ...]:
        """The word that keeps a verb from asking, where it takes one."""
        row = shared_verb(verb)
        return ("--yes",) if row is None or "yes" in row.options else ()

    def of_a_copy(self, words: Sequence[str], as_host: tuple[str, ...]) -> Answer:
        raise NotImplementedError

    # ---- what is heard ---------------------------------------------------------------------------------------------

    def named(self, text: str) -> str:
        """To whom a text is: its first line is the name, then perhaps the channel."""
        head = text.split("\n", 1)[0]
        names = {"everybody": PUBLIC, **{seat.name: p for p, seat in self.app.match.table.seats.items()}}
        return next((who for name, who in names.items() if head == name or head.startswith(name + " ")), "")

    def notices(self, answer: Answer) -> list[str]:
        """What of an answer goes to the viewer or to everybody."""
        parts = re.split(r"^--- (?:would go )?to ", answer.out, flags=re.MULTILINE)[1:]
        return [part.strip() for part in parts if self.named(part) in (self.viewer, PUBLIC)]

    def hashes(self) -> Mapping[str, str]:
        """The hashes that are not compared, and what each is: of a line its place among those open to the viewer."""
        match, known, place = self.app.match, dict[str, str](), 0
        opened = may_open(match, self.viewer)
        for entry in match.book.entries:
            place += entry.seq in opened
            known[entry.hash] = f"(receipt of {'open' if entry.seq in opened else 'a closed line after open'} {place})"
        made = [entry.body.args for entry in match.book.entries if entry.body.do == "commit"]  # also one taken back
        return {**known, **{str(args["commitment"]): "(commitment)" for args in made}}

    def hashed(self, text: str) -> str:
        """A text without hashes of lines and commitments."""
        if not HEX.search(text):
            return text
        known = self.hashes()
        return HEX.sub(lambda found: known.get(found[0], found[0]), text)

    def read(self, line: Sequence[str]) -> str:
        """The answer to a command that reads, as far as it goes to the viewer, with the file that it wrote."""
        if line[0] == "__complete":
            return "\n".join(offered(*line[1:], known=self.app.match))
        words = list(self.resolved(line))
        file = self.file() if "FILE" in words else None
        answer = command(self.app, ["--as", self.host, *(str(file) if word == "FILE" else word for word in words)])
        verb, out, err = words[0], answer.out, answer.err
        err = "\n".join(part for part in err.splitlines() if not part.startswith("  host only:"))
        if file is not None:
            data = [
                self.own_files(path) if path.is_dir() else self.told(line, self.of_file(path, file), path == file)
                for path in sorted(file.parent.iterdir())
            ]
            shutil.rmtree(file.parent)
            out, err = "".join([out, *data]), err.replace(str(file), "FILE")
        elif not answer.code:
            out = self.told(line, out, True)
        if not answer.code and (verb in (*PARTS, "redact") or {"-n", "--all"} & {*line}):
            err = ""  # it is for the host
        return self.hashed(f"{answer.code}\n{out}\n{err}")

    def told(self, line: Sequence[str], out: str, whole: bool) -> str:
        """Of what a command has printed or written, that which goes to the viewer."""
        if not whole:
            return out
        verb = line[0]
        if "-n" in line:
            return "\n".join(self.notices(Answer(0, out, "")))
        if verb in PARTS:
            return PARTS[verb](self, line, out)
        if verb == "redact":
            return copied(out)
        if verb == "summary" and "--all" in line:
            return self.own_part(out, "json" in line)
        if verb == "diff":  # it repeats what the host has typed
            out = re.sub(r"^from \S+ to \S+,", "between them,", out)
            out = re.sub(r'"a": "[^"]*", "b": "[^"]*", ', "", out)
        return as_json(json.loads(out), now=not {"--as-of", "--known"} & {*line}) if "json" in line else out

    def file(self) -> Path:
        """The name of a new file, in a folder of its own."""
        return Path(tempfile.mkdtemp(dir=self.folder)) / "told"

    def own_files(self, folder: Path) -> str:
        """Of a file for each player the rights of all, and name and content of what is not called as another's, whose
        private channel a host alone sees."""
        told = [f"{path.stat().st_mode:o}" for path in folder.iterdir()]
        table = self.app.match.table
        names = file_names({who: seat.channel for who, seat in table.seats.items() if who not in table.left})
        others = {name for who, name in names.items() if who != self.viewer}
        for path in sorted(folder.iterdir()):
            if path.stem not in others:
                told.append(path.name)
                data = path.read_bytes().decode("utf-8", "surrogateescape")
                told.append(as_json(json.loads(data)) if path.suffix == ".json" else data)
        return "\n".join(told)

    @staticmethod
    def of_file(path: Path, meant: Path) -> str:
        """What a file holds; of one that was not asked for also its name and rights."""
        data = path.read_bytes().decode("utf-8", "surrogateescape")
        mode = f"{path.stat().st_mode:o}"
        return data if path == meant and mode == "100600" else f"{path.name} {mode}\n{data}"

    def own_part(self, out: str, is_json: bool) -> str:
        """Of a text for each player that of the viewer."""
        if is_json:
            return "\n".join(as_json(one) for one in json.loads(out) if one["audience"] in (self.viewer, PUBLIC))
        return "\n".join(self.notices(Answer(0, out, "")))

    def waiting_parts(self, words: Sequence[str], out: str) -> str:
        """Of the outbox what is for the viewer and everybody, its names counted anew; of `next` the text."""
        if "json" not in words:
            return out if "next" in words else ""
        mine = [item for item in json.loads(out)["items"] if item["audience"] in (self.viewer, PUBLIC)]
        numbers = Numbers(())
        names = [[numbers.item(name) for name in (item["item"], *item["covers"])] for item in mine]
        return json.dumps([[*row, item["channel"], item["text"]] for row, item in zip(names, mine, strict=True)])

    def drifted_parts(self, words: Sequence[str], out: str) -> str:
        """Of what has drifted the texts of the viewer and of everybody."""
        seats = (PUBLIC, *self.app.match.table.seats)
        mine = {letter(place) for place, who in enumerate(seats) if who in (self.viewer, PUBLIC)}
        if out.startswith("{"):
            rows = [row for row in json.loads(out)["drift"] if re.sub(r"\d+|\+.*", "", row["item"]) in mine]
            return json.dumps([[row["channel"], row["what"]] for row in rows])
        parts = re.split(r"^--- correction \d+([a-z]+)\S* to ", out, flags=re.MULTILINE)
        return "\n".join(part.strip() for who, part in zip(parts[1::2], parts[2::2], strict=True) if who in mine)

    def reminding_parts(self, words: Sequence[str], out: str) -> str:
        """Of the reminders the viewer's own."""
        if out.startswith("{"):
            return json.dumps([row for row in json.loads(out)["reminders"] if row["who"] == self.viewer])
        seat = self.app.match.table.seats.get(self.viewer)
        mine = f"{seat.channel or f'a message to {seat.name}'}\n" if seat else "(nobody)"
        parts = re.split(r"^--- to ", out, flags=re.MULTILINE)
        return "\n".join(part.strip() for part in parts if part.startswith(mine))


PARTS: Mapping[str, Callable[[Desk, Sequence[str], str], str]] = {
    "outbox": Desk.waiting_parts, "drift": Desk.drifted_parts, "remind": Desk.reminding_parts,
}  # fmt: skip
"""Lists for hosts of which a part goes to the viewer."""


class PaperDesk(Desk):
    """A desk of a match on paper."""

    def of_a_copy(self, words: Sequence[str], as_host: tuple[str, ...]) -> Answer:
        what, name, *rest = words
        if what == "copy":
            self.copies[name] = Sheet(self.app.match.game, [entry.body for entry in self.app.match.book.entries])
        elif what == "in":
            return command(PaperApp(self.copies[name]), (*as_host, *rest, *self.yes(rest[0])))
        else:
            join(self.app.match, self.copies[name], Options(as_host[1], yes=True), never)
        return Answer(0, "", "")


class Numbers:
    """Numbers of entries as the viewer can know them: counted among the lines that are open to him, in order."""

    def __init__(self, open_: Iterable[int]) -> None:
        self.known = {seq: f"open {place}" for place, seq in enumerate(open_, start=1)}

    def of(self, seq: Any) -> str:
        """An open line by its place among those; another by when it was first named."""
        return self.known.setdefault(seq, f"closed {len(self.known)}")

    def item(self, name: str) -> str:
        """The name of a text: the entry that caused it, and a letter for whom it is."""
        found = re.fullmatch(r"(\d+)(\D.*)", name)
        return f"{self.of(int(found[1]))}{found[2]}" if found else name


LINE = {"seq", "prev", "seal", "salt", "body"}
"""What a line has: of a closed one the first three."""


def copied(copy: str) -> str:
    """What stands open in a copy of the log, line by line, with the numbers that the viewer can know; and whatever else
    any line has."""
    read = [json.loads(line) for line in copy.splitlines()]
    lines = [(line["seq"], line["body"]) for line in read if "body" in line]
    numbers, out = Numbers(seq for seq, _ in lines), []
    rest = ({key: value for key, value in line.items() if key not in LINE} for line in read)
    out += sorted({f"besides {json.dumps(more)}" for more in rest if more})
    for _, body in lines:
        args = body["args"]
        body |= {name: numbers.of(body[name]) for name in ("batch", "joined") if name in body}
        body |= {"once": HEX.sub("(receipt)", body["once"])} if "once" in body else {}
        args |= {name: numbers.of(args[name]) for name in ("target", "about") if name in args}
        args |= {"item": numbers.item(args["item"])} if "item" in args else {}
        args |= {"covers": [numbers.item(name) for name in args["covers"]]} if "covers" in args else {}
        args |= {"digest": "(digest)"} if args.get("digest") else {}
        args |= {"head": "(head)"} if body["do"] == "anchor" else {}
        out.append(json.dumps(body, sort_keys=True))
    return "\n".join(out)


def never(question: str) -> bool:
    raise AssertionError(f"nobody is asked in a test: {question}")


def as_json(value: Any, *, now: bool = True) -> str:
    """JSON as it is printed, with head and number of entries held constant where the match is finished.

    Args:
        now: Does it show the match as it is? An earlier point tells nobody how many entries there are.
    """

    def steady(item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        if now and item.get("status") == "finished":
            return {key: "..." if key in HEADS else held for key, held in item.items()}
        return {key: steady(held) for key, held in item.items()}

    return json.dumps(steady(value), ensure_ascii=False)
