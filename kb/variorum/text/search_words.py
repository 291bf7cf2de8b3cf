"""The words that search compares, in texts and queries; the website's script finds the same words."""

import re
from typing import NamedTuple

from variorum.text.folding import fold_in_place

_WORD = re.compile(
    r"""
    \{ [^{}\s]+ \}                                     # {T}, {W/U}
    | (?<![\w.+]) [+-]? [0-9xyn*]+ (?: \+ [0-9*]+ )?  # +1/+1, 2/2, */1+*
      / [+-]? [0-9xyn*]+ (?: \+ [0-9*]+ )? (?!\w)
    | (?<![\w.]) [+-] [0-9xyn]+ (?!\w)                 # +1 of a loyalty ability
    | [1-9]\d\d \. \d+ [a-z]* (?!\w)                   # 704.5k
    | [^\W_]+ (?: ' [^\W_]+ )*                         # can't
    """,
    re.VERBOSE,
)


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        word: In small letters with straight quotes, without a possessive's ending.
        start: Its first code point in the text.
        stop: The end in the text, exclusive.
    """

    word: str
    start: int
    stop: int


def placed_words(text: str) -> list[Word]:
    """Return the words of a text in their order, with their places.

    >>> [one.word for one in placed_words("{T}: Put a +1/+1 counter; see rule 704.5k.")]
    ['{t}', 'put', 'a', '+1/+1', 'counter', 'see', 'rule', '704.5k']
    >>> [one.word for one in placed_words("The player’s state-based actions can't.")]
    ['the', 'player', 'state', 'based', 'actions', "can't"]
    """
    return [Word(match[0].removesuffix("'s"), *match.span()) for match in find_words(text)]


def find_words(text: str) -> list[re.Match[str]]:
    """Return the matches of a text's words, including a possessive's ending."""
    return list(_WORD.finditer(fold_in_place(text)))


def plain_words(text: str) -> list[str]:
    """Return the words of a text in their order, without their places.

    >>> plain_words("The player’s +1/+1 counters")
    ['the', 'player', '+1/+1', 'counters']
    """
    return [word.removesuffix("'s") for word in _WORD.findall(fold_in_place(text))]
