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
        offered = candidates([_bare(word) for word in words] or [""], CompletionContext())
        sys.stdout.write("".join(f"{word}\n" for word in offered))
        sys.stdout.flush()
    except WantsFile:
        return FILE_WANTED
    except BaseException:
        return 0
    return 0


def _bare(word: str) -> str:
    """A word as bash hands it on, without the quotes it was typed in."""
    return word.replace("\\", "").strip("\"'") if word[:1] in "\"'" or "\\" in word else word


def candidates(words: list[str], context: CompletionContext) -> list[str]:
    """What the last of `words` (after `hl`) may become.

    Raises:
        WantsFile: a file name is expected.
    """
    *before, part = words
    if (match_name := match_named(before)) is not None:
        context = CompletionContext(match_name)
    game = context.game()
    line = take_apart(before, lambda name: grammar(name, game))
    if line.verb is None and line.option is None and not part.startswith("-"):
        return fitting((*verbs(game), *spoken(game, context)), part)
    if line.verb and line.verb not in verbs(game) and (word := spoken(game, context).get(line.verb)) is not None:
        from games.records import kebab

        line = line._replace(verb=kebab(word.action), words=(*word.first, *line.words))
    known = grammar(line.verb or "", game)
    if line.option is not None:
        return of_slot(line.option, known, line, context, part)
    if part[:1] == "-" and not part[1:2].isdigit():
        name, eq, begun = part.partition("=")
        if eq and (slot := known.options.get(name)) is not None and slot.metavar:
            return [f"{name}={word}" for word in of_slot(slot, known, line, context, begun)]
        return fitting(_options(known, line), part)
    params = known.words
    if line.verb is None or not params or (len(line.words) >= len(params) and not params[-1].many):
        return fitting(_options(known, line), part)
    return of_slot(params[min(len(line.words), len(params) - 1)], known, line, context, part)


def _options(known: Grammar, line: PartialLine) -> list[str]:
    """The options that do not stand there yet, and those that may stand there again."""
    return [name for name, param in known.options.items() if name not in line.used or param.many or param.count]
