"""Judges by its characters beyond ASCII whether a text was decoded with the right encoding."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Names and words with letters beyond ASCII that rules documents print; facts, not sentences.
# Any one of them settles the encoding of a document: 2007-05-01 has a single such letter.
KNOWN_WORDS = frozenset(
    [
        "Æther",
        "Cátinò",
        "Dandân",
        "El-Hajjâj",
        "Ghazbán",
        "Junún",
        "Juzám",
        "Khabál",
        "Ma’rûf",
        "Ma'rûf",
    ]
)
TYPOGRAPHIC = {
    "’": re.compile(r"[\w)\]}”>*_]’|’\d|(^|[\s(\[“—])’\w"),
    "‘": re.compile(r"(^|[\s(\[“—])‘\S"),
    "“": re.compile(r"(^|[\s(\[‘—–/{-])“\S"),
    "”": re.compile(r"\S”($|[\s.,;:?!)\]—–’'/-])"),
    "—": re.compile(r"(^|\S) *— *(\S|$)"),
    "–": re.compile(r"(^|\w) *– *(\w|$)|–[\dX]|\S–(\S|$)"),
    "™": re.compile(r"\w[”)]?™($|\W)"),
    "®": re.compile(r"\w[”)]?®($|\W)|(^| )®($| )"),
    "©": re.compile(r"(^|\W)©($|[\s\d])"),
    "…": re.compile(r"…"),
    "§": re.compile(r"§ *(\d|§|\[|$)"),
    "¶": re.compile(r"(^|\s|\w)¶($|\s)"),
    "·": re.compile(r"(^|\s)·\s"),
    "→": re.compile(r"→"),
    "•": re.compile(r"(^|\s)•\s"),
    "−": re.compile(r"−[\dX]"),
    "×": re.compile(r"\S ?×"),
    "½": re.compile(r"½"),
    "∞": re.compile(r"∞"),
    "\N{LINE SEPARATOR}": re.compile("\N{LINE SEPARATOR}"),
    "\N{NO-BREAK SPACE}": re.compile(r"\N{NO-BREAK SPACE}"),
}
_LINE_END = re.compile(r"[\r\n]")
_LETTER_IN_WORD = re.compile(r"[a-z’'-]$|^$")
# A word may begin with one of these accented capitals; no other is printed before small letters.
_INITIALS = "ÆÉÖÜÅÁÚÎ"
_COMMON_LETTERS = "áâäàãåæçéêëèíîïìñóôöòõøúûüùýÿœšž"
_WORD_PART = re.compile(r"[^\s\"“”(),;:.!?/\[\]{}<>]*")
_CONTEXTS_PER_CHARACTER = 20
_ASCII = bytes(range(0x80))


@dataclass(frozen=True, slots=True)
class Plausibility:
    """How much sense a decoded text makes.

    Attributes:
        points: Higher is better; comparable between readings of the same bytes.
        share: Share of the characters beyond ASCII that are plausible in their places.
        words: Known words found, first met first.
    """

    points: int
    share: float
    words: tuple[str, ...]


def plausibility_of(text: str, contexts: int = _CONTEXTS_PER_CHARACTER) -> Plausibility:
    """Return how much sense a text makes, judged by some places of each character."""
    points, plausible, total = 0, 0, 0
    known: dict[str, None] = {}
    for character in sorted(set(characters_beyond_ascii(text))):
        for place in _some_places(text, character, contexts):
            total += 1
            word = word_around(text, place) if character.isalpha() else ""
            if word in KNOWN_WORDS:
                known[word] = None
                points, plausible = points + 10, plausible + 1
            elif _is_plausible(text, place):
                points, plausible = points + 1, plausible + 1
            else:
                points -= 5
    return Plausibility(points, plausible / total if total else 1.0, tuple(known))


def characters_beyond_ascii(text: str) -> str:
    """Return the characters of a text that are not ASCII; a pattern takes twice as long."""
    return text.encode().translate(None, _ASCII).decode()


def _some_places(text: str, character: str, contexts: int) -> Iterator[int]:
    place = -1
    for _ in range(contexts):
        place = text.find(character, place + 1)
        if place < 0:
            return
        yield place


def word_around(text: str, place: int) -> str:
    """Return the word around a character, with at most 20 code points on each side."""
    before = _WORD_PART.match(text[max(0, place - 20) : place][::-1])
    after = _WORD_PART.match(text[place : place + 20])
    word = (before[0][::-1] if before else "") + (after[0] if after else "")
    return word.strip("'’_")


def _is_plausible(text: str, place: int) -> bool:
    character = text[place]
    pattern = TYPOGRAPHIC.get(character)
    before, after = text[max(0, place - 2) : place], text[place + 1 : place + 3]
    if pattern is not None:
        here = _LINE_END.split(before)[-1] + character + _LINE_END.split(after)[0]
        return pattern.search(here) is not None
    inside = before[-1:].isalpha() or after[:1].isalpha()
    if character in _COMMON_LETTERS:
        return (inside and _LETTER_IN_WORD.search(after[:1]) is not None) or after[:1] in " .,\r\n"
    return character in _INITIALS and after[:1].islower() and not before[-1:].isalpha()
