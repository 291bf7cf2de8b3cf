"""Split the words of a command into editions ("july 2009", "M10..M11") and a question."""

import re
from contextlib import suppress

from variorum.answers.editions import EditionEntry, first_day
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import WORDS, parse_questions
from variorum.errors import NoEditionError

# The most words in the name of a set.
_MOST_WORDS = 9
# "M10..M11", and "2005-2008" of years.
_BETWEEN = re.compile(r"(.*?)\.\.\.?(.*)|(\d{4})[-–](\d{4})", re.ASCII)
Words = tuple[str, ...]


def take_edition(base: KnowledgeBase, words: Words) -> tuple[EditionEntry, Words]:
    """Split words into the edition at their beginning and the rest.

    Raises:
        NoEditionError: The words begin with no edition.
    """
    for count in range(min(len(words), _MOST_WORDS), 1, -1):
        with suppress(NoEditionError):
            return base.edition(" ".join(words[:count])), words[count:]
    return base.edition(words[0]), words[1:]


def take_start(base: KnowledgeBase, words: Words) -> tuple[EditionEntry, Words]:
    """Split words into the edition in force when a day, month or year began, and the rest.

    A time before the first edition means the first edition.

    Raises:
        NoEditionError: The words begin with no edition.
    """
    first = base.edition("first")
    for count in range(min(len(words), _MOST_WORDS), 0, -1):
        day = first_day(" ".join(words[:count]), base.today)
        if day:
            return (base.edition(day) if day > first.label else first), words[count:]
    return take_edition(base, words)


def take_pair(base: KnowledgeBase, words: Words) -> tuple[tuple[EditionEntry, EditionEntry], Words]:
    """Split words into the two editions at their beginning, "A B" or "A..B", and the rest.

    The second edition defaults to the current one.

    Raises:
        NoEditionError: The words begin with no edition.
    """
    for place, word in enumerate(words):
        between = None if begins_with_number((word,)) else _BETWEEN.fullmatch(word)
        if between:
            start, stop = between[1] or between[3] or "", between[2] or between[4] or ""
            first = base.edition(" ".join([*words[:place], start]).strip() or "first")
            rest = words[place + 1 :]
            second, rest = edition_and_question(base, (stop, *rest) if stop else rest)
            return (first, second), rest
    first, rest = take_edition(base, words)
    second, rest = edition_and_question(base, rest)
    return (first, second), rest


def edition_and_question(
    base: KnowledgeBase, words: Words, default: str = "current"
) -> tuple[EditionEntry, Words]:
    """Split words into the edition at their beginning, if they begin with one, and the rest."""
    if not words or begins_with_number(words):
        return base.edition(default), words
    try:
        return take_edition(base, words)
    except NoEditionError:
        if not base.has(" ".join(words)):
            raise
        return base.edition(default), words


def begins_with_number(words: Words) -> bool:
    """Return whether words begin with a number rather than a term."""
    return parse_questions(" ".join(words))[0].question[0] != WORDS
