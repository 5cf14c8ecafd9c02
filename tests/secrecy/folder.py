"""Scripts played by the real command line in a folder."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ledger.cli.app import App
from tests.secrecy.desk import Answer, Desk, Numbers, as_json, command, copied
from tests.secrecy.on_paper import Clock
from tests.secrecy.script import HEX, PUBLIC, Look, Script, Trace
from tests.support import completing

# ---- the real command line ---------------------------------------------------------------------------------------


class FolderDesk(Desk):
    """A desk in a folder."""

    def of_a_copy(self, words: Sequence[str], as_host: tuple[str, ...]) -> Answer:
        what, name, *rest = words
        if what == "copy":
            shutil.copytree("match", name)
            return Answer(0, "", "")
        if what == "join":
            return command(self.app, (*as_host, "join", name, "--yes"))
        answer = command(self.app, ("-g", name, *as_host, *rest, *self.yes(rest[0])))
        self.app.match_name = "match"
        return answer


class Terminal:
    """Plays scripts with the real commands in a folder of its own.

    Attributes:
        raw: Everything that was printed or written for the viewer, for canaries.
    """

    VERBS = (("view",), ("summary",), ("summary", "--news"), ("reveal",), ("scores",), ("final",), ("status",))

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        self.raw: list[str] = []

    def play(self, script: Script, viewer: str) -> Trace:
        """The trace of a script."""

        self.count += 1
        here = self.folder / f"m{self.count}"
        here.mkdir()
        with Clock() as clock, contextlib.chdir(here):
            return self._play(script, viewer, clock, App(), here)

    def _play(self, script: Script, viewer: str, clock: Clock, app: Any, here: Path) -> Trace:
        (here / "match.toml").write_text(toml(script.setup), encoding="utf-8")
        deals = iter((script.first or script.hands, script.hands))
        clock.now = script.steps[0].at
        made = self.run(app, ("new", "match", "--from", "match.toml"))
        assert made.code == 0, made
        app.match_name, app.host_name = "match", script.setup["hosts"][0]
        desk = FolderDesk(app, viewer, app.host_name)
        out: list[tuple[str, str]] = []
        for number, step in enumerate(script.steps):
            clock.now = step.at
            if isinstance(step, Look):
                out += self.everything(app, viewer, here, number) if step.lines is None else []
                out += [(" ".join(line), desk.read(line)) for line in step.lines or ()]
                self.raw += [text for _, text in out[len(out) - len(step.lines or ()) :]]
                for probe in step.probes:
                    found = self.run(app, (*probe, "-n", "--yes"))
                    out.append((f"probe {' '.join(probe)}", self.forward(found, desk)))
                continue
            words = list(desk.resolved(step.words))
            if words[0] == "deal":
                (here / "deal.toml").write_text(toml({"hands": dict(next(deals))}), encoding="utf-8")
                words += ["--from", "deal.toml"]
            before = len(app.match.book.entries) + 1
            found = desk.line(words, step.by)
            app.host_name = desk.host
            if found.code:
                assert step.seen or not step.ok, f"{words}: {found}"
                if step.seen:
                    out.append((f"refusal of {' '.join(step.words)}", self.forward(found, desk)))
                continue
            desk.recorded(step, before)
            if text := self.forward(found, desk):
                out.append(("notice", text))
        out += self.redacted(app, desk, here)
        return Trace(tuple(out))

    def redacted(self, app: Any, desk: Desk, here: Path) -> list[tuple[str, str]]:
        """What stands open in the copy of the log for him."""
        found = self.run(app, ("redact", "--for", desk.viewer, "-o", "copy.jsonl"))
        assert found.code == 0, found
        copy = (here / "copy.jsonl").read_text(encoding="ascii")
        self.raw.append(copy)
        known = desk.hashes()
        rows = HEX.sub(lambda found: known.get(found[0], found[0]), copied(copy)).splitlines()
        return [(f"{json.loads(row)['do']} in the redacted log", row) for row in rows]

    def run(self, app: Any, words: Sequence[str]) -> Answer:
        """One command line."""
        return command(app, words)

    def completed(self, begun: Sequence[str]) -> str:
        """What is offered where an audience is named. What is offered elsewhere only a host reads."""
        words = "\n".join(completing.offered("-g", "match", *begun))
        self.raw.append(words)
        return words

    def forward(self, answer: Answer, desk: Desk) -> str:
        """What of an answer a host would forward to the viewer: his notice and everybody's, or the refusal."""
        if answer.code:
            lines = [line for line in answer.err.splitlines() if not line.startswith("  host only:")]
            text = "\n".join([*lines, f"exit {answer.code}"])
        else:
            text = desk.hashed("\n".join(desk.notices(answer)))
        self.raw.append(text)
        return text

    def everything(self, app: Any, viewer: str, here: Path, number: int) -> list[tuple[str, str]]:
        """Every read verb in every format, printed and into a file: text, file names, exit codes, stderr."""
        out: list[tuple[str, str]] = []
        folder = here / f"out{number}"
        folder.mkdir()
        for who in dict.fromkeys((viewer, PUBLIC)):
            for verb in self.VERBS:
                if verb[0] == "summary" and who == PUBLIC:
                    continue
                audience = (who,) if verb[0] == "summary" else ("--for", who)
                for form in ("text", "discord", "json"):
                    found = self.run(app, (*verb, *audience, "-f", form))
                    text = as_json(json.loads(found.out)) if form == "json" else found.out
                    where = " ".join((*verb, *audience, "-f", form))
                    out.append((where, f"{found.code}\n{text}\n{found.err}"))
                    self.raw.append(found.out + found.err)
        asked = json.loads(self.run(app, ("remind", "-f", "json")).out)["reminders"]
        mine = [(row["channel"], row["text"]) for row in asked if row["who"] == viewer]
        out.append(("remind", json.dumps(mine)))
        self.raw.append(json.dumps(mine))
        for begun in (("view", "--for", ""), ("summary", ""), ("reveal", ""), ("replay", "--for", "")):
            out.append((f"completion of {' '.join(begun)}", self.completed(begun)))
        whose = f"--for {viewer}"
        for line in (
            f"replay {whose}", f"replay {whose} -f json", f"export {whose}", f"export {whose} -f json",
            f"diff 1 now {whose}", f"explain final {whose}",
        ):  # fmt: skip
            found = self.run(app, line.split())
            out.append((line, f"{found.code}\n{found.out}\n{found.err}"))
            self.raw.append(found.out + found.err)
        target = folder / f"{viewer}.txt"
        found = self.run(app, ("view", "--for", viewer, "-o", f"{folder.name}/{viewer}.txt"))
        files = "\n".join(
            f"{path.name} {path.stat().st_mode:o} {path.stat().st_size}" for path in sorted(folder.iterdir())
        )
        out.append(
            (f"files of -o, look {folder.name[:3]}", f"{found.code}\n{files}\n{target.read_text(encoding='utf-8')}")
        )
        self.raw.append(files)
        return [*out, *self.posted(app, viewer)]

    def posted(self, app: Any, viewer: str) -> list[tuple[str, str]]:
        """The texts that wait for him and for everybody, corrections as well; then they are posted.

        Those for others are posted in every second match only: whether they were is nothing he may know.
        """
        out: list[tuple[str, str]] = []
        items = json.loads(self.run(app, ("outbox", "-f", "json")).out)["items"]
        shared_with = {item["channel"]: item["audience"] for item in items if item["covers"]}
        for row in json.loads(self.run(app, ("drift", "-f", "json")).out)["drift"]:
            if shared_with.get(row["channel"]) in (viewer, PUBLIC):
                out.append(("drift", f"{row['channel']}\n{row['what']}"))
                self.raw.append(row["what"])
        numbers = Numbers(())
        for item in items:
            mine = item["audience"] in (viewer, PUBLIC)
            if mine:
                kind = "correction" if item["covers"] else "text"
                text = HEX.sub("(receipt)", item["text"])
                named = " ".join(map(numbers.item, (item["item"], *item["covers"])))
                out.append((f"{kind} in the outbox", f"{named} {item['channel']}\n{text}"))
                self.raw.append(item["text"])
            if mine or self.count % 2:
                done = self.run(app, ("outbox", "done", item["item"]))
                assert done.code == 0, done
        return out


def toml(value: Mapping[str, Any], where: str = "") -> str:
    """A match file as text: scalars and lists first, then the tables."""

    def word(item: Any) -> str:
        if isinstance(item, Mapping):
            return "{ " + ", ".join(f"{key} = {word(held)}" for key, held in item.items()) + " }"
        if isinstance(item, list):
            return f"[{', '.join(map(word, item))}]"
        return json.dumps(item, ensure_ascii=False)

    flat = [f"{key} = {word(item)}" for key, item in value.items() if not isinstance(item, Mapping)]
    tables = [
        f"[{key}]\n" + "\n".join(f"{k} = {word(v)}" for k, v in item.items())
        for key, item in value.items()
        if isinstance(item, Mapping)
    ]
    return "\n".join([*flat, *tables]) + "\n"
