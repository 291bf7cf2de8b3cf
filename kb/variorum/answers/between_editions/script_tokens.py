"""Splits texts into words, with all that a comparison by the website's script needs."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from variorum.history.canonical import Folder
from variorum.history.word_diffs.diff import runs
from variorum.references.find import Reference, find_references
from variorum.rows import State, full_text
from variorum.text.words import SLOT, tokens_of, words_of

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


def shown(body: str) -> str:
    """Return the words of a body as shown: its text, then its examples."""
    return full_text(body)


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
    if not references:
        return [_plain_token(printed) for printed in tokens_of(text)]
    tokens: list[Token] = []
    start = 0
    for printed in tokens_of(text):
        stop = start + len(printed)
        here = [
            reference
            for reference in references
            if reference.start < stop and reference.end > start
        ]
        tokens.append(_cut_token(printed, start, here) if here else _plain_token(printed))
        start = stop
    return tokens


def _cut_token(printed: str, start: int, references: Sequence[Reference]) -> Token:
    """Return a token that contains citations."""
    parts: list[str] = []
    copied = 0
    for reference in references:
        parts.append(printed[copied : max(0, reference.start - start)])
        if reference.start >= start:
            parts.append(SLOT)
        copied = reference.end - start
    parts.append(printed[copied:])
    cited = tuple(
        [(reference.first, reference.last) for reference in references if reference.start >= start]
    )
    return Token(printed, tuple(words_of("".join(parts))), cited)


@cache
def _plain_token(printed: str) -> Token:
    return Token(printed, tuple(words_of(printed)), ())


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
