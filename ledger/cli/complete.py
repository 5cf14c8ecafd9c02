"""`hl __complete WORD...`: what the word that is being typed may become, one candidate a line.

Belongs here: from a command line to candidates. Does not belong here: the scripts that ask (completion.py). It must
feel instant, and it never fails aloud: what cannot be read is not completed.
"""

from __future__ import annotations

import sys

from ledger.cli.candidates import CompletionContext, WantsFile, fitting, of_slot, spoken
from ledger.cli.partial_line import Grammar, PartialLine, grammar, match_named, take_apart, verbs

FILE_WANTED = 5
"""Exit code that tells the shell's script to complete a file name instead."""


def main(words: list[str]) -> int:
    """Print the candidates; the exit code. Nothing ever goes to stderr."""
    try:
        found = candidates([_bare(word) for word in words] or [""], CompletionContext())
        sys.stdout.write("".join(f"{word}\n" for word in found))
        sys.stdout.flush()
    except WantsFile:
        return FILE_WANTED
    except BaseException:
        return 0
    return 0


def _bare(word: str) -> str:
    """A word as bash hands it on, without the quotes it was typed in."""
    return word.replace("\\", "").strip("\"'") if word[:1] in "\"'" or "\\" in word else word


def candidates(words: list[str], here: CompletionContext) -> list[str]:
    """What the last of `words` (after `hl`) may become.

    Raises:
        WantsFile: a file name is expected.
    """
    *before, part = words
    if (named := match_named(before)) is not None:
        here = CompletionContext(named)
    game = here.game()
    line = take_apart(before, lambda name: grammar(name, game))
    if line.verb is None and line.option is None and not part.startswith("-"):
        return fitting((*verbs(game), *spoken(game, here)), part)
    if line.verb and line.verb not in verbs(game) and (one := spoken(game, here).get(line.verb)) is not None:
        from games.records import kebab

        line = line._replace(verb=kebab(one.action), words=(*one.first, *line.words))
    known = grammar(line.verb or "", game)
    if line.option is not None:
        return of_slot(line.option, known, line, here, part)
    if part[:1] == "-" and not part[1:2].isdigit():
        name, eq, begun = part.partition("=")
        if eq and (slot := known.options.get(name)) is not None and slot.metavar:
            return [f"{name}={word}" for word in of_slot(slot, known, line, here, begun)]
        return fitting(_options(known, line), part)
    listed = known.words
    if line.verb is None or not listed or (len(line.words) >= len(listed) and not listed[-1].many):
        return fitting(_options(known, line), part)
    return of_slot(listed[min(len(line.words), len(listed) - 1)], known, line, here, part)


def _options(known: Grammar, line: PartialLine) -> list[str]:
    """The options that do not stand there yet, and those that may stand there again."""
    return [name for name, one in known.options.items() if name not in line.used or one.many or one.count]
