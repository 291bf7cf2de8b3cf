"""The keys by which names of cards are found; pure."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from variorum.cards.card import Card

FULL, PART = range(2)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_APOSTROPHES = str.maketrans("", "", "'’")
# The short form of a name ends before these: "Kruphix, God of Horizons", "Kenrith the King".
_TITLE = re.compile(r",? (?:the|of|from|and|in) |, ")
_OWNER = re.compile(r"\w+['’]s?(?!\w)")
_LEAST_PART, _SHARED = 4, 2


class NameWord(NamedTuple):
    """A word of a text: folded, with its place."""

    word: str
    start: int
    stop: int


def tokens_of(text: str) -> list[NameWord]:
    """Return the words of a text, folded as names are.

    >>> [token.word for token in tokens_of("Jötun Grunt’s / urza's")]
    ['jotun', 'grunts', 'urzas']
    """
    return [
        NameWord(fold_name(match[0]), match.start(), match.end()) for match in _WORD.finditer(text)
    ]


def fold_name(word: str) -> str:
    """Return a word without accents, apostrophes and capitals."""
    plain = word if word.isascii() else unicodedata.normalize("NFKD", word)
    return (
        "".join([letter for letter in plain if not unicodedata.combining(letter)])
        .translate(_APOSTROPHES)
        .lower()
    )


def key_of(name: str) -> str:
    """Return the key of a name: its folded words.

    >>> key_of("Jace's Scrutiny"), key_of("Fire // Ice")
    ('jaces scrutiny', 'fire ice')
    """
    return " ".join([token.word for token in tokens_of(name)])


def shared_words(cards: Iterable[Card]) -> set[str]:
    """Return the words shared by names of several cards that are not legendary: king, throne.

    People do not call a card by one of these words alone.
    """
    seen: dict[str, int] = {}
    for card in cards:
        if "Legendary" not in card.faces[0].type_line:
            for word in {
                token.word for token in tokens_of(_OWNER.sub(" ", card.name).split(" of ")[0])
            }:
                seen[word] = seen.get(word, 0) + 1
    return {word for word, count in seen.items() if count >= _SHARED}


def keys_of(card: Card, shared: Collection[str] = ()) -> Iterator[tuple[str, int]]:
    """Yield the keys of a card, each with its kind: FULL for a whole name, PART for a beginning.

    Args:
        card: The card.
        shared: Words that do not name a card when they stand alone.
    """
    for name in card.names:
        key = key_of(name)
        if key:
            yield key, FULL
    for face in card.faces:
        if "Legendary" in face.type_line or "," in face.name:
            part = key_of(_TITLE.split(face.name, maxsplit=1)[0])
            for beginning in dict.fromkeys((part, part.split(" ")[0] if part else "")):
                if len(beginning) >= _LEAST_PART and beginning not in shared:
                    yield beginning, PART


def variants(key: str) -> list[str]:
    """Return a key, and the key without each ending that may mark a plural or possessive.

    >>> variants("thought reflections"), variants("wraths of god")
    (['thought reflections', 'thought reflection'], ['wraths of god', 'wrath of god'])
    """
    words = key.split(" ")
    keys = [key]
    for place in dict.fromkeys((len(words) - 1, 0)):
        before, after = words[:place], words[place + 1 :]
        keys += [" ".join([*before, singular, *after]) for singular in _singles(words[place])]
    return keys


def _singles(word: str) -> Iterator[str]:
    if len(word) < _LEAST_PART or not word.endswith("s"):
        return
    yield word[:-1]  # "Karakas's" is folded to "karakass"
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    elif word.endswith("ves"):
        yield f"{word[:-3]}f"
    elif word.endswith("es"):
        yield word[:-2]
