"""The prompt of `hl shell`, made with prompt_toolkit (the extra [shell]), which only this module imports."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory
from prompt_toolkit.shortcuts import CompleteStyle

from ledger.cli.app import App
from ledger.cli.completion import Looking, candidates
from ledger.cli.root import bare, hl


def session(app: App, history: str | None, kept: Callable[[str], str]) -> Callable[[str], str]:
    """A function that asks for a line after a prompt.

    Args:
        history: The file that remembers the lines; None to forget them at the end.
        kept: Tells where a line may be remembered: `file`, `session` or `nowhere`.

    Raises (when the function is called):
        KeyboardInterrupt: Ctrl-C. EOFError: Ctrl-D.
    """
    prompt: PromptSession[str] = PromptSession(
        history=KeptHistory(kept, history or os.devnull),
        completer=ShellWords(app),
        complete_while_typing=False,
        complete_style=CompleteStyle.MULTI_COLUMN,
        enable_history_search=True,
    )
    return prompt.prompt


class KeptHistory(FileHistory):
    def __init__(self, kept: Callable[[str], str], path: str) -> None:
        self.kept = kept
        super().__init__(path)

    def append_string(self, string: str) -> None:
        if self.kept(string) != "nowhere":
            super().append_string(string)

    def store_string(self, string: str) -> None:
        if self.kept(string) == "file":
            super().store_string(string)


class ShellWords(Completer):
    def __init__(self, app: App) -> None:
        self.app = app

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        part = re.split(r"\s", text)[-1]
        try:
            before = shlex.split(text[: len(text) - len(part)])
        except ValueError:  # the cursor is inside quotes
            return
        try:
            for item in candidates(hl, [*bare(before), part], Looking(self.app.match_name, self.app.glance())):
                if item.type == "file":
                    yield from PathCompleter(expanduser=True).get_completions(Document(part), complete_event)
                else:
                    yield Completion(item.value, start_position=-len(part))
        except Exception:  # completion must never disturb typing
            return
