"""Suggestions for a misspelt command."""

import difflib
import shlex
from collections.abc import Sequence

from variorum.cli.command_table import COMMANDS, GONE, LIKELY_MEANT, WITH_VALUE
from variorum.errors import WRONG_USAGE, VariorumError

# The least likeness of a word to a command that may be meant.
_MISSPELT_COMMAND = 0.75

_FEWEST_LETTERS = 3


class MisspeltCommandError(VariorumError):
    """A word is neither a command nor in the rules; the message suggests a command."""

    kind, exit_code = "wrong usage", WRONG_USAGE


def misspelt(arguments: Sequence[str]) -> MisspeltCommandError | None:
    """Return the error for arguments whose first word looks like a misspelt command, else None."""
    place = 0
    while place < len(arguments) and arguments[place][:1] == "-":
        place += 2 if arguments[place] in WITH_VALUE else 1
    if place >= len(arguments):
        return None
    word = arguments[place]
    if word in GONE:
        return MisspeltCommandError(f"{word!r} is not a command; {GONE[word]}")
    meant = _meant(word.lower())
    if not meant:
        return None
    typed = shlex.join(["cr", *meant.split(), *arguments[:place], *arguments[place + 1 :]])
    return MisspeltCommandError(f"{word!r} is not a command; type: {typed}")


def _meant(word: str) -> str:
    if word in LIKELY_MEANT:
        return LIKELY_MEANT[word]
    begun = [name for name in COMMANDS if len(word) >= _FEWEST_LETTERS and name.startswith(word)]
    like = difflib.get_close_matches(word, COMMANDS, cutoff=_MISSPELT_COMMAND)
    return begun[0] if len(begun) == 1 else like[0] if like else ""
