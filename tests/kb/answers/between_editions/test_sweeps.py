"""Words that were replaced throughout, and words that only seem so."""

from collections.abc import Sequence

import pytest

from variorum_kb.answers.between_editions.sweeps import Remaining, replaced_throughout
from variorum_kb.history.canonical import WordCodes

FIVE = ("tide", "boat", "lamp", "buoy", "keeper")


def swept(
    pairs: Sequence[tuple[str, str]], others: Sequence[str] = ()
) -> list[tuple[str, str, int]]:
    """Return the phrases replaced throughout in some texts, with other texts unchanged."""
    codes = WordCodes()
    encoded = [(codes.encode(old.split()), codes.encode(new.split())) for old, new in pairs]
    remaining = Remaining([new for _, new in encoded], others, codes.decode)
    return [
        (" ".join(codes.decode(old)), " ".join(codes.decode(new)), count)
        for old, new, count in replaced_throughout(encoded, remaining)
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("harbor", "bay", [("harbor", "bay", 5)]),
        ("lamp based effects shine", "lamp based actions shine", [("effects", "actions", 5)]),
        ("its whole oil cost here", "its oil value here", [("whole oil cost", "oil value", 5)]),
        ("comes into play lit", "enters lit", [("comes into play", "enters", 5)]),
        ("see rule \ue000 there", "see \ue000 there", [("rule", "", 5)]),
        ("one \ue000 two", "one two", []),
        ("a b c d e f", "g", [("a b c d e f", "g", 5)]),
        ("a b c d e f g", "h", []),
        ("g", "a b c d e f", [("g", "a b c d e f", 5)]),
    ],
)
def test_replaced(old: str, new: str, expected: list[tuple[str, str, int]]) -> None:
    """Words that all texts lost are named; two replacements around a word count as one."""
    assert swept([(f"{name} {old}", f"{name} {new}") for name in FIVE]) == expected
    assert swept([(f"{name} {old}", f"{name} {new}") for name in FIVE[:4]]) == []


def test_words_that_stay() -> None:
    """Words that most texts keep count only within a longer phrase that was replaced everywhere."""
    pairs = [(f"{name} effects {name}", f"{name} actions {name}") for name in FIVE]
    based = [(f"{name} based effects", f"{name} based actions") for name in FIVE]
    others = [
        "Effects are many.",
        "No effects; other effects.",
        "Effects, all over.",
        "An effects-list.",
    ]

    begun = [(f"based effects {name}", f"based actions {name}") for name in FIVE]
    ended = [(f"effects {name} based effects", f"effects {name} based") for name in FIVE]

    assert swept(pairs, others) == []
    assert swept(based, others) == [("based effects", "based actions", 5)]
    assert swept(begun, others) == [("based effects", "based actions", 5)]
    assert swept(ended) == [("based effects", "based", 5)]
    assert swept(based, others[:2]) == [("effects", "actions", 5)]
    assert swept(based, [*others, "Lamp-\nbased effects."] * 4) == []
