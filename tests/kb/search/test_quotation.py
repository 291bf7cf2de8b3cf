"""The texts that have quoted words."""

from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.search.indexes.current_indexes import BaseIndexes
from variorum_kb.search.queries.engine import Searcher
from variorum_kb.search.quotation import (
    QuotationCandidate,
    candidates,
    chosen,
    quoted_part,
    split_quotation,
)
from variorum_kb.text.search_words import plain_words

TEXT = "A boat has a lamp. The lamp burns. It needs oil."
STOWAWAY = (
    "A stowaway whose boat has left the bay is shown to all players and goes to its owner’s hand."
)


@pytest.fixture(scope="module")
def searcher(base: KnowledgeBase) -> Searcher:
    """Return the index of all texts of the sample rulebook."""
    return Searcher(BaseIndexes(base).ever, base)


def found(searcher: Searcher, quotation: str) -> list[QuotationCandidate]:
    """Return the texts that have quoted words."""
    return candidates(searcher, plain_words(quotation), lambda _: True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("704.5k If two", ("704.5k", "If two")),
        ("704.5k. If two", ("704.5k", "If two")),
        ("704.5K If two", ("704.5k", "If two")),
        (" 100.1. This book ", ("100.1", "This book")),
        ("If two", ("", "If two")),
        ("“If two”", ("", "“If two”")),
        ("704.5k", ("", "704.5k")),
        ("704 is a section", ("", "704 is a section")),
        ("704.: If two", ("", "704.: If two")),
        ("100 cards", ("", "100 cards")),
        ("508.1d-f are", ("", "508.1d-f are")),
        ("", ("", "")),
    ],
)
def test_number_before_the_words(text: str, expected: tuple[str, str]) -> None:
    """A number at the beginning of a quotation is not one of its words."""
    number, words = split_quotation(text)

    assert (number, words.strip()) == expected


@pytest.mark.parametrize(
    "text",
    ["CR 704.5k If two", "rule 704.5k: If two", "“704.5k If two”", "(704.5k) If two"],
)
def test_number_by_its_name(text: str) -> None:
    """The number may be in quotes, or after a word such as CR."""
    number, words = split_quotation(text)

    assert (number, words.strip(" :”")) == ("704.5k", "If two")


@pytest.mark.parametrize(
    "quotation",
    [
        "stowaway whose boat has left the bay",
        "is shown to all players and goes to its owner's hand",
        "a STOWAWAY whose “boat” has left — the bay!",
    ],
)
def test_words_in_a_row(searcher: Searcher, quotation: str) -> None:
    """Consecutive words have likeness 1, with any signs between them."""
    best = found(searcher, quotation)[0]

    assert best.likeness == 1.0
    assert best.whole < 1.0
    assert searcher.printed(best.key) == plain_words(STOWAWAY)


@pytest.mark.parametrize(
    "quotation",
    [
        "A stowaway whose boat left the bay is shown to all players and goes to its owner’s hand.",
        "A stowaway whose boat has left the bay is shown to all and goes to hand.",
        "Any stowaway whose ship has left the bay is shown to all players and goes to its owner",
        f"{STOWAWAY} Nobody likes it.",
    ],
)
def test_words_dropped_or_changed(searcher: Searcher, quotation: str) -> None:
    """Words that are nearly those of a text find it, with lower likeness."""
    best = found(searcher, quotation)[0]

    assert searcher.printed(best.key) == plain_words(STOWAWAY)
    assert 0.7 <= best.likeness < 1.0


@pytest.mark.parametrize(
    "quotation",
    [
        "xylophone",
        "hand owner its to goes and players all to shown is bay the left has boat whose stowaway",
        "the of a and the of a and the of a",
    ],
)
def test_other_words(searcher: Searcher, quotation: str) -> None:
    """Words that no text has in this order find nothing."""
    assert found(searcher, quotation) == []


def test_who_may_be_meant(searcher: Searcher) -> None:
    """Only the given candidates are compared."""
    best = found(searcher, STOWAWAY)[0]

    others = candidates(searcher, plain_words(STOWAWAY), lambda key: key != best.key)

    assert best.key not in [candidate.key for candidate in others]


@pytest.mark.parametrize(("count", "end"), [(79, "abcdefg"), (1499, "abcdefgh")])
def test_most_compared(count: int, end: str) -> None:
    """80 texts are compared, or up to 1,500 if so many have all words."""
    texts = [*["hgfedcba"] * count, end, end]

    class Index:
        """All texts, with a letter for each word."""

        keys = range(len(texts))

        def __len__(self) -> int:
            return len(texts)

        def weights(self, word: str) -> list[int]:
            return [key for key in self.keys if word in texts[key]]

    kept = SimpleNamespace(index=Index())
    searcher = cast("Searcher", SimpleNamespace(kept=kept, printed=texts.__getitem__))

    assert [found.key for found in candidates(searcher, "abcdefgh", lambda _: True)] == [count]


@pytest.mark.parametrize(
    ("quotation", "expected"),
    [
        ("boat has a lamp", "A boat has a lamp."),
        ("lamp burns. It needs", "The lamp burns. It needs oil."),
        ("IT NEEDS", "It needs oil."),
        ("needs oil and more oil", "It needs oil."),
    ],
)
def test_quoted_part(quotation: str, expected: str) -> None:
    """Only the quoted sentences are shown."""
    assert quoted_part(TEXT, plain_words(quotation)) == expected


@given(st.text(alphabet="ab .\n“”1"), st.lists(st.sampled_from(["a", "b", "1", "ab"]), min_size=1))
def test_quoted_part_is_a_part(text: str, words: list[str]) -> None:
    """The shown part is in the text, letter for letter."""
    assert quoted_part(text, words) in text


def test_likest_first(searcher: Searcher) -> None:
    """Candidates are in the order of their likeness."""
    several = found(searcher, "A player who has the watch may hoist a boat card from their hand")

    assert len(several) > 3
    assert several == sorted(several, key=lambda item: (-item.likeness, -item.whole, item.key))


@pytest.mark.parametrize(
    ("likenesses", "expected"),
    [
        ([], []),
        ([(1.0, 0.5)], [[0]]),
        ([(1.0, 0.5), (0.98, 0.5)], [[0]]),
        ([(1.0, 0.5), (0.995, 0.5)], [[0], [1]]),
        ([(1.0, 0.5), (1.0, 0.5), (1.0, 0.5)], [[0, 2], [1]]),
        ([(1.0, 1.0), (1.0, 0.5)], [[0]]),
        ([(1.0, 0.5), (0.995, 0.98)], [[1]]),
        ([(1.0, 0.98), (1.0, 0.98)], [[0], [1]]),
    ],
)
def test_chosen(likenesses: list[tuple[float, float]], expected: list[list[int]]) -> None:
    """A text nearly as similar as the best may be meant; one quoted as a whole is preferred."""
    every = [
        QuotationCandidate(key, likeness, whole) for key, (likeness, whole) in enumerate(likenesses)
    ]

    lines = chosen(every, lambda key: key % 2)

    assert [[candidate.key for candidate in line] for line in lines] == expected
