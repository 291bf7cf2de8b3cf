"""Words of a text.

Each function has its own definition of a word:

| function           | a word is                                | for                                 |
| ------------------ | ---------------------------------------- | ----------------------------------- |
| `words_of`         | letters and digits, {T}, +1/+1, a slot   | comparing readings                  |
| `hyphenated_words` | letters and digits, and hyphens in them  | telling when words were in use      |
| `ascii_words`      | small letters a to z and digits          | words beside citations in programs  |
| `split_words`      | also signs, a citation and a title       | terms, with everything between them |
| `tokens_of`        | any word or sign, and blanks after it | word diffs                          |

`search_words.py` has the words of search. Answers depend on the differences: a hyphen separates
words in a comparison, but "state-based" is one word in a diff.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from variorum.text.folding import fold

# Stands for a printed citation among the words that are compared.
SLOT = "\ue000"

_WORD = re.compile(
    r"[a-wyz][^\W_]*+(?:'[^\W_]++)*+"  # most words, which begin no other kind
    r"|[+-]?[\dx]+/[+-]?[\dx]+(?![\w/])"  # +1/+1
    r"|\{[^{}\s]*\}"  # {T}
    rf"|{SLOT}"
    r"|[^\W_]+(?:'[^\W_]+)*"
)
_HYPHENATED = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Unlike `lower`, this changes no offset.
_SMALL = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_ASCII = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_PART = re.compile(
    r"""(
      (?: [1-9]\d\d (?: \.\d+[a-z]* (?: -\w+ )? )? | section\ [1-9] ) ,?\ "[^"\n]{1,90}"  # a title
    | [a-z]+ (?: '(?!s\b) [a-z]+ )? (?![^\W_]|')  # can't; most words, looked for first
    | \{ [^{}\s]* \}                              # {T}, {W/U}
    | 's \b                                       # a possessive's ending
    | [^\W_]+ (?: '(?!s\b) [^\W_]+ )*
    | [^\s\w-]                                    # anything between two members
    )""",
    re.VERBOSE,
)
_TOKEN = re.compile(
    r"""
    (?: [+\-\N{MINUS SIGN}]?[\dX]+/[+\-\N{MINUS SIGN}]?[\dX]+(?![\w/])   # +1/+1
      | \{[^{}\s]*\}                                                     # {T}
      | \w+(?:['’.\-/]\w+)*                                              # 702.9b, state-based
      | [^\w\s]
    )? \s* """,
    re.VERBOSE,
)


def words_of(text: str) -> list[str]:
    r"""Return the words of a text, folded; signs between them are left out.

    >>> words_of("{T}: It gets +1/+1 — see rule \ue000.")
    ['{t}', 'it', 'gets', '+1/+1', 'see', 'rule', '\ue000']
    """
    return _WORD.findall(fold(text))


def hyphenated_words(text: str) -> list[str]:
    """Return the words of a text as printed; hyphens join them, other signs are left out.

    >>> hyphenated_words("A player’s state-based actions (1/1).")
    ['A', 'player’s', 'state-based', 'actions', '1', '1']
    """
    return _HYPHENATED.findall(text)


def ascii_words(text: str) -> list[str]:
    """Return the words of a text in small letters, without words of other alphabets.

    >>> ascii_words("# CR 702.9b: can't")
    ['cr', '702', '9b', "can't"]
    """
    return _ASCII.findall(text.casefold())


def ascii_words_at(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield the words of a part of a text as `ascii_words` does, each with its end offset.

    >>> list(ascii_words_at("# CR 702.9b: can't", 2, 11))
    [('cr', 4), ('702', 8), ('9b', 11)]
    """
    for match in _ASCII.finditer(text[start:end].translate(_SMALL)):
        yield match[0], start + match.end()


def split_words(folded: str) -> list[str]:
    r"""Return a folded text in pieces: separators and words in turn.

    Separators are blanks, hyphens and underscores; punctuation marks are words. A citation and the
    title after it are one word, because the title only names the target.

    >>> split_words('a player\'s state-based {w/u}. see rule 510, "draw."')[1::2]
    ['a', 'player', "'s", 'state', 'based', '{w/u}', '.', 'see', 'rule', '510, "draw."']
    """
    return _PART.split(folded)


@lru_cache(maxsize=16384)
def tokens_of(text: str) -> tuple[str, ...]:
    r"""Return the words and signs of a text, each with the spaces after it.

    >>> tokens_of("See rule 702.9b. It’s so.")
    ('See ', 'rule ', '702.9b', '. ', 'It’s ', 'so', '.')
    >>> "".join(tokens_of(" {T}: +1/+1\nso ")) == " {T}: +1/+1\nso "
    True
    """
    return tuple(_TOKEN.findall(text)[:-1])


def set_of(words: str) -> frozenset[str]:
    """Return the words of a string, which is easier to read than a list with quotes."""
    return frozenset(words.split())
