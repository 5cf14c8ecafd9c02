"""Scripts played by the real command line in a folder."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ledger.cli.app import App
from tests.secrecy.desk import Answer, Desk, command
from tests.secrecy.on_paper import Clock
from tests.secrecy.script import Look, Script, Trace
from tests.support.host import toml


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
    """Plays scripts with the real commands in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def play(self, script: Script, viewer: str) -> Trace:
        """The trace of a script."""
        self.count += 1
        here = self.folder / f"m{self.count}"
        here.mkdir()
        with Clock() as clock, contextlib.chdir(here):
            return Trace(tuple(self._play(script, viewer, clock, App(), here)))

    def _play(self, script: Script, viewer: str, clock: Clock, app: App, here: Path) -> list[tuple[str, str]]:
        (here / "match.toml").write_text(toml_file(script.setup), encoding="utf-8")
        deals = iter((script.first or script.hands, script.hands))
        clock.now = script.steps[0].at
        made = command(app, ("new", "match", "--from", "match.toml"))
        assert made.code == 0, made
        app.match_name, app.host_name = "match", script.setup["hosts"][0]
        desk = FolderDesk(app, viewer, script.setup["hosts"][0])
        out: list[tuple[str, str]] = []
        for step in script.steps:
            clock.now = step.at
            if isinstance(step, Look):
                out += [(" ".join(line), desk.read(line)) for line in step.lines or ()]
                for probe in step.probes:
                    found = command(app, (*probe, "-n", "--yes"))
                    out.append((f"probe {' '.join(probe)}", forward(found, desk)))
                continue
            words = list(desk.resolved(step.words))
            if words[0] == "deal":
                (here / "deal.toml").write_text(toml_file({"hands": dict(next(deals))}), encoding="utf-8")
                words += ["--from", "deal.toml"]
            before = len(app.match.book.entries) + 1
            found = desk.line(words, step.by)
            app.host_name = desk.host
            if found.code:
                assert step.seen or not step.ok, f"{words}: {found}"
                if step.seen:
                    out.append((f"refusal of {' '.join(step.words)}", forward(found, desk)))
                continue
            desk.recorded(step, before)
            if text := forward(found, desk):
                out.append(("notice", text))
        copy = ("redact", "--for", viewer, "-o", "FILE")
        return [*out, (" ".join(copy), desk.read(copy))]


def forward(answer: Answer, desk: Desk) -> str:
    """What of an answer a host would forward to the viewer: his notice and everybody's, or the refusal."""
    if answer.code:
        lines = [line for line in answer.err.splitlines() if not line.startswith("  host only:")]
        return "\n".join([*lines, f"exit {answer.code}"])
    return desk.hashed("\n".join(desk.notices(answer)))


def toml_file(value: Mapping[str, Any]) -> str:
    """A file as text, a line a name."""
    return "\n".join(f"{name} = {toml(held)}" for name, held in value.items()) + "\n"
