"""What counts as a word of the rules, and which words are one."""

import re
from functools import cache
from typing import NamedTuple

# A change of what follows makes every index outdated.
WORDS_VERSION = 1

# Signs that a document may print in several ways, each a single code point, so that places stay.
_SIGNS = {
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
}
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
# Forms that no ending tells, and what is often typed without its apostrophe.
_IRREGULAR = {
    "agreed": "agree",
    "isnt": "isn't",
    "dont": "don't",
    "doesnt": "doesn't",
    "cant": "can't",
    "cannot": "can't",
    "became": "become",
    "began": "begin",
    "begun": "begin",
    "brought": "bring",
    "came": "come",
    "chose": "choose",
    "chosen": "choose",
    "dealt": "deal",
    "does": "do",
    "drawn": "draw",
    "drew": "draw",
    "fought": "fight",
    "gave": "give",
    "given": "give",
    "goes": "go",
    "gone": "go",
    "held": "hold",
    "kept": "keep",
    "left": "leave",
    "lost": "lose",
    "made": "make",
    "met": "meet",
    "paid": "pay",
    "shown": "show",
    "spent": "spend",
    "taken": "take",
    "took": "take",
    "went": "go",
    "won": "win",
}
_VOWELS = frozenset("aeiouy")
# Shorter words have no endings: "is", "as", "its".
_SHORTEST = 3
_SHORT_STEMS = {"die": "di", "tie": "ti", "use": "us"}
_NOUNS = ("ion", "ment", "li")
_FAMILY_LEFT = 4


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        word: In small letters, straight quotes, without a possessive's ending.
        start: In code points from the start of the text.
        stop: Likewise, exclusive.
    """

    word: str
    start: int
    stop: int


def fold(text: str) -> str:
    """Return a text in small letters and straight signs, each sign in its place.

    >>> fold("Can’t −1/−1")
    "can't -1/-1"
    """
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    small = text.lower()
    if len(small) == len(text):
        return small
    # A few capitals have two small letters; places would move.
    signs = [(sign, sign.lower()) for sign in text]
    return "".join([low if len(low) == 1 else sign for sign, low in signs])


def words_of(text: str) -> list[Word]:
    """Return the words of a text in their order.

    >>> [one.word for one in words_of("{T}: Put a +1/+1 counter; see rule 704.5k.")]
    ['{t}', 'put', 'a', '+1/+1', 'counter', 'see', 'rule', '704.5k']
    >>> [one.word for one in words_of("The player’s state-based actions can't.")]
    ['the', 'player', 'state', 'based', 'actions', "can't"]
    """
    return [_word(match) for match in _WORD.finditer(fold(text))]


def plain_words(text: str) -> list[str]:
    """Return the words of a text in their order, without their places.

    >>> plain_words("The player’s +1/+1 counters")
    ['the', 'player', '+1/+1', 'counters']
    """
    return [word.removesuffix("'s") for word in _WORD.findall(fold(text))]


def _word(match: re.Match[str]) -> Word:
    return Word(match[0].removesuffix("'s"), match.start(), match.end())


@cache
def stem_of(word: str) -> str:
    """Return what the forms of a word have in common; it need not be a word.

    Endings of number and tense alone are taken off: the rules mean different things by commander
    and command, controller and control, active and activate, which the usual stemmers merge.

    >>> stem_of("destroyed") == stem_of("destroys") == stem_of("destroy")
    True
    >>> stem_of("sacrificing") == stem_of("sacrificed"), stem_of("died") == stem_of("dies")
    (True, True)
    >>> stem_of("commander") == stem_of("command"), stem_of("can't"), stem_of("704.5k")
    (False, "can't", '704.5k')
    """
    word = _IRREGULAR.get(word, word).replace("colour", "color")
    if not word.isalpha() or len(word) <= _SHORTEST:
        return _short(word)
    if word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        ends = bare != word and (bare[-1:] != "e" or (ending == "ing" and bare[-2:] == "ee"))
        if ends and len(bare) > 1 and _VOWELS.intersection(bare):
            word = bare
            break
    if len(word) == _SHORTEST:
        return _short(word)
    if len(word) > _SHORTEST and word[-1] == "e":
        word = word[:-1]
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return f"{word[:-1]}i" if word[-1] == "y" else word


def _short(word: str) -> str:
    """Return the stem of a word that is too short for endings: "fly" is that of "flying"."""
    known = _SHORT_STEMS.get(word)
    if known is not None:
        return known
    return (
        f"{word[:-1]}i" if len(word) == _SHORTEST and word[-1] == "y" and word.isalpha() else word
    )


def family_of(stem: str) -> str:
    """Return what a stem has in common with the noun or adverb made of it; "" without one.

    >>> family_of(stem_of("regeneration")) == stem_of("regenerate")
    True
    >>> family_of("cast")
    ''
    """
    for ending in _NOUNS:
        bare = stem.removesuffix(ending)
        if bare != stem and len(bare) >= _FAMILY_LEFT:
            return stem_of(bare)
    return ""
