"""Editions among the words of a command: "july 2009", "M10..M11", and the question behind them."""

from contextlib import suppress

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.editions import first_day
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.questions import WORDS, parse_questions
from variorum_kb.errors import NoEditionError

# No set's name has more words.
_MOST_WORDS = 9
_BETWEEN = ".."
Words = tuple[str, ...]


def take_edition(base: KnowledgeBase, words: Words) -> tuple[EditionEntry, Words]:
    """Return the edition that words begin with, and what follows it.

    Raises:
        NoEditionError: They begin with none.
    """
    for count in range(min(len(words), _MOST_WORDS), 1, -1):
        with suppress(NoEditionError):
            return base.edition(" ".join(words[:count])), words[count:]
    return base.edition(words[0]), words[1:]


def take_start(base: KnowledgeBase, words: Words) -> tuple[EditionEntry, Words]:
    """Return the edition in force when a day, month or year began, and what follows it.

    It is the first edition if that came later.

    Raises:
        NoEditionError: Words begin with no edition.
    """
    first = base.edition("first")
    for count in range(min(len(words), _MOST_WORDS), 0, -1):
        day = first_day(" ".join(words[:count]))
        if day:
            return (base.edition(day) if day > first.label else first), words[count:]
    return take_edition(base, words)


def take_pair(base: KnowledgeBase, words: Words) -> tuple[tuple[EditionEntry, EditionEntry], Words]:
    """Return the two editions that words begin with, "A B" or "A..B", and what follows them.

    The second is the current one where none is named.

    Raises:
        NoEditionError: They begin with none.
    """
    for place, word in enumerate(words):
        if _BETWEEN in word and not begins_with_number((word,)):
            start, _, stop = word.partition(_BETWEEN)
            one = base.edition(" ".join([*words[:place], start]).strip() or "first")
            behind = (stop.lstrip("."), *words[place + 1 :])
            other, rest = _edition_or_current(base, behind if behind[0] else behind[1:])
            return (one, other), rest
    one, rest = take_edition(base, words)
    other, rest = _edition_or_current(base, rest)
    return (one, other), rest


def _edition_or_current(base: KnowledgeBase, words: Words) -> tuple[EditionEntry, Words]:
    if not words or begins_with_number(words):
        return base.edition("current"), words
    try:
        return take_edition(base, words)
    except NoEditionError:
        if not base.subjects.has(" ".join(words)):
            raise
        return base.edition("current"), words


def begins_with_number(words: Words) -> bool:
    """Say whether words are a question for numbers."""
    return parse_questions(" ".join(words))[0].question[0] != WORDS
