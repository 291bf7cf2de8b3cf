"""Splits texts into words, with all that a comparison by the website's script needs."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from variorum.citations import find_references
from variorum.history.canonical import Folder
from variorum.history.word_diffs.diff import runs
from variorum.rows import State
from variorum.text import SLOT, tokens_of, words_of

# Stands for a citation among the words to be compared.
CITED = SLOT


class Token(NamedTuple):
    """A word or sign with the spaces after it.

    Attributes:
        text: The word and blanks as printed.
        canon: The normalised words, which are compared.
        citations: The first and the last number of each citation that begins in it.
    """

    text: str
    canon: tuple[str, ...]
    citations: tuple[tuple[str, str], ...]


class Canonical:
    """Gives the normalised words of texts.

    Attributes:
        codes: The characters that stand for words.
    """

    def __init__(self) -> None:
        self._folder = Folder()
        self.codes = self._folder.vocabulary

    def encoded(self, heading: str, body: str) -> str:
        """Return the normalised words of a heading and a body, one character each."""
        return self._folder.canon(State("rule", "", "", heading, body, "", "", "")).whole


def tokens_with_canon(text: str) -> list[Token]:
    r"""Return the words and signs of a text, each with its normalised words.

    >>> for token in tokens_with_canon("See rule 702.9b."):
    ...     print(tuple(token))
    ('See ', ('see',), ())
    ('rule ', ('rule',), ())
    ('702.9b', ('\ue000',), (('702.9b', '702.9b'),))
    ('.', (), ())
    """
    references = find_references(text)
    tokens: list[Token] = []
    start = 0
    for printed in tokens_of(text):
        stop = start + len(printed)
        words, copied = "", start
        cited: list[tuple[str, str]] = []
        for reference in references:
            if reference.start < stop and reference.end > start:
                words += text[copied : max(start, reference.start)]
                copied = min(reference.end, stop)
                if reference.start >= start:
                    words += SLOT
                    cited.append((reference.first, reference.last))
        canon = _words(words + text[copied:stop]) if copied > start else _words(printed)
        tokens.append(Token(printed, canon, tuple(cited)))
        start = stop
    return tokens


@cache
def _words(printed: str) -> tuple[str, ...]:
    return tuple(words_of(printed))


def edits_of(
    before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Yield the edits between two lists: how many items stay, how many go, and the new items."""
    keep = 0
    for run in runs(before, after):
        if run.is_same:
            keep = run.older[1] - run.older[0]
        else:
            yield keep, run.older[1] - run.older[0], after[run.newer[0] : run.newer[1]]
            keep = 0
