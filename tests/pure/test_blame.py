"""The dates of words in a reading: in place, moved, taken over, or found elsewhere."""

from itertools import groupby, product, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.history.blame import WordDates, WordSource, common_runs, words_in
from variorum.history.word_diffs import Run

OLD, NEW = 1, 9
# Points of words that have moved: from the provision divided, from the same section, from anywhere.
MOVED_FROM_ANCESTOR, MOVED_NEARBY, MOVED_FAR = 1.25, 4.5, 6.0


def source(text: str, least: float = MOVED_FROM_ANCESTOR, since: int = OLD) -> WordSource:
    """Return a reading whose words were all added in one edition."""
    return WordSource(text, lambda: [since] * len(words_in(text)), least)


def told(text: str, dating: WordDates) -> list[tuple[int, str]]:
    """Return a text as runs of words with the same date."""
    pairs = zip(dating.since, words_in(text), strict=True)
    runs = groupby(pairs, key=lambda pair: pair[0])
    return [(since, "".join([token for _, token in group]).strip()) for since, group in runs]


def followed(before: str, after: str) -> list[tuple[int, str]]:
    """Return when each word of a reading was added, from the reading before it."""
    dating = WordDates(after, NEW)
    dating.follow(source(before))
    return told(after, dating)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Gulls rest.", "Gulls rest.", [(OLD, "Gulls rest.")]),
        ("A card.", "A red card.", [(OLD, "A"), (NEW, "red"), (OLD, "card.")]),
        # Changes of case, signs and hyphens keep the date of a word.
        ("gulls rest", "Gulls rest!", [(OLD, "Gulls rest!")]),
        # In a changed citation, only the number is new.
        (
            "Boats (see rule 100.2) float.",
            "Boats (see rule 200.4a) float.",
            [(OLD, "Boats (see rule"), (NEW, "200.4a)"), (OLD, "float.")],
        ),
        # Replacing a phrase leaves the words around it.
        (
            "The sailor mends his or her net.",
            "The sailor mends their net.",
            [(OLD, "The sailor mends"), (NEW, "their"), (OLD, "net.")],
        ),
        # A sentence that moves to the other end keeps its date.
        (
            "Gulls circle above the harbor. Every boat returns before the evening tide.",
            "Every boat returns before the evening tide. Gulls circle above the harbor.",
            [(OLD, "Every boat returns before the evening tide. Gulls circle above the harbor.")],
        ),
        # So does a sentence that moves while some of its words are replaced.
        (
            "Gulls circle above the old stone harbor at dawn. Boats with nets return before noon.",
            "Boats with nets return before noon. Today gulls circle above the new harbor at dawn.",
            [
                (OLD, "Boats with nets return before noon."),
                (NEW, "Today"),
                (OLD, "gulls circle above the"),
                (NEW, "new"),
                (OLD, "harbor at dawn."),
            ],
        ),
        # Words of every rule are too common to count as moved.
        (
            "When the player does that, all nets dry in the sun.",
            "All nets dry in the sun. Sails tear on rocks when the player sleeps.",
            [
                (OLD, "All nets dry in the sun."),
                (NEW, "Sails tear on rocks when the player sleeps."),
            ],
        ),
        # With rarer words among them, they are not.
        (
            "Rope: when the player has boats, gulls and nets and sails dry.",
            "Gulls and nets and sails dry. Rocks tear when the player has boats sunk.",
            [
                (OLD, "Gulls and nets and sails dry."),
                (NEW, "Rocks tear"),
                (OLD, "when the player has boats"),
                (NEW, "sunk."),
            ],
        ),
        # A common word among new ones is in its place by chance.
        (
            "Nets dry in the sun.",
            "Nets tear badly on sharp rocks by the lighthouse whenever storms rage.",
            [
                (OLD, "Nets"),
                (NEW, "tear badly on sharp rocks by the lighthouse whenever storms rage."),
            ],
        ),
        # Repeated words did not move.
        (
            "Gulls circle above the harbor.",
            "Gulls circle above the harbor. In fog, gulls circle above the harbor.",
            [
                (OLD, "Gulls circle above the harbor."),
                (NEW, "In fog, gulls circle above the harbor."),
            ],
        ),
    ],
)
def test_follow(before: str, after: str, expected: list[tuple[int, str]]) -> None:
    """Words keep their dates in place and when they move; other words are new."""
    assert followed(before, after) == expected


def test_words_of_a_relative_come_in_a_row() -> None:
    """Words from another rule keep their dates, except single words."""
    text = "A red card is drawn and shown to all."
    dating = WordDates(text, NEW)

    dating.follow(source("A card is drawn."))
    dating.take(source("It is shown to all.", since=3))

    assert told(text, dating) == [
        (OLD, "A"),
        (NEW, "red"),
        (OLD, "card is drawn"),
        (NEW, "and"),
        (3, "shown to all."),
    ]


LOST = "Every captain signs the harbor book at dawn."
INSIDE = "Nets dry, every captain signs the harbor book at dawn."
CITING = "Every captain signs rule 100.1 at dawn."


@pytest.mark.parametrize(
    ("lost", "before", "least", "kept", "is_moved"),
    [
        (LOST, f"Nets dry. {LOST}", MOVED_FAR, [], True),
        (LOST, f"Nets dry. {LOST}", MOVED_FAR, ["Nets dry."], True),
        (LOST, f"Nets dry. {LOST}", MOVED_FAR, [f"Nets dry quickly. {LOST}"], False),
        (LOST, "The captain signs at dawn.", MOVED_NEARBY, [], False),
        (LOST, INSIDE, 6.5, [], True),
        (LOST, INSIDE, 6.75, [], False),
        # A citation weighs as little as a common word.
        (CITING, f"Nets dry. {CITING}", 4.75, [], True),
        (CITING, f"Nets dry. {CITING}", 5, [], False),
    ],
)
def test_take_what_another_lost(
    lost: str, before: str, least: float, kept: list[str], *, is_moved: bool
) -> None:
    """A long enough run comes from another rule if that rule no longer has it."""
    text = f"Boats float. {lost}"
    dating = WordDates(text, NEW)
    dating.follow(source("Boats float."))

    dating.take(source(before, least), kept)

    expected = [(OLD, text)] if is_moved else [(OLD, "Boats float."), (NEW, lost)]
    assert told(text, dating) == expected


@pytest.mark.parametrize(
    ("before", "text", "is_moved"),
    [
        ("Dry gulls and blue nets", "Red gulls like blue", True),
        ("Gulls and like and blue nets", "Red gulls like blue boats", False),
    ],
)
def test_take_what_is_open(before: str, text: str, *, is_moved: bool) -> None:
    """A run comes from another rule if at least half of its words are undated."""
    dating = WordDates(text, NEW)
    dating.follow(source(before))

    dating.take(source(text, since=3))

    assert (told(text, dating) == [(3, text)]) is is_moved


def test_sought_is_what_nothing_had() -> None:
    """If no source has enough consecutive words, they are searched for elsewhere."""
    dating = WordDates(f"Boats float at sea. {LOST}", NEW)

    dating.follow(source("Boats float at sea."))

    assert [*dating.sought()] == ["every captain signs"]
    dating.take(source(LOST))
    assert not [*dating.sought()]


WORDS = st.lists(st.sampled_from(["gull", "boat", "net", "the", "a", "rock"]), max_size=30).map(
    " ".join
)


def shared(older: str, newer: str) -> int:
    """Return how many letters two texts share at the beginning."""
    pairs = zip(older, newer, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def longest_first(older: str, newer: str) -> list[Run]:
    """Return the runs that two texts share, found by trying all places again for each of them."""
    taken: set[int] = set()
    taken_there: set[int] = set()
    chosen: list[Run] = []
    while True:
        lengths = {
            (start, begin): shared(older[start:], newer[begin:])
            for start, begin in product(range(len(older)), range(len(newer)))
        }
        free = [
            (-length, start, begin)
            for (start, begin), most in lengths.items()
            for length in range(3, most + 1)
            if taken.isdisjoint(range(start, start + length))
            and taken_there.isdisjoint(range(begin, begin + length))
        ]
        if not free:
            return chosen
        size, start, begin = min(free)
        chosen.append(Run(start, begin, -size))
        taken |= {*range(start, start - size)}
        taken_there |= {*range(begin, begin - size)}


LETTERS = st.text(alphabet="abcd", max_size=20)


@given(LETTERS, LETTERS)
def test_runs(before: str, after: str) -> None:
    """The longest runs are found first, and are not overlapped."""
    assert [*common_runs(before, after)] == longest_first(before, after)


@given(WORDS, WORDS)
def test_a_date_comes_with_its_word(before: str, after: str) -> None:
    """An old word is in the old text; all words of an unchanged text are old."""
    result = followed(before, after)

    known = set(before.split())
    assert all(since == NEW or set(words.split()) <= known for since, words in result)
    if before == after:
        assert all(since == OLD for since, _ in result)
