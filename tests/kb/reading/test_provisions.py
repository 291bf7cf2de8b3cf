"""Rules, their headings, continuations and examples."""

import pytest

from tests.support.edition_texts import RULES, page
from variorum_kb.errors import ParseError
from variorum_kb.model import Edition, Irregular, Kind, Provision
from variorum_kb.reading.edition import read_edition


def read(old: str, new: str) -> Edition:
    assert old in RULES
    return read_edition(page(rules=RULES.replace(old, new)), "a.txt")


def one(edition: Edition, address: str) -> Provision:
    (provision,) = (p for p in edition.provisions if p.address == address)
    return provision


def test_kinds_and_headings() -> None:
    """If a rule's words are a heading, the rule has that heading and no text."""
    edition = read_edition(page(), "a.txt")

    assert [(p.address, p.kind, p.heading) for p in edition.provisions if p.heading] == [
        ("1", Kind.CHAPTER, "Game Concepts"),
        ("100", Kind.SECTION, "General"),
        ("101", Kind.SECTION, "Lamps"),
        ("101.1", Kind.RULE, "Wick"),
    ]
    assert [p.address for p in edition.provisions if p.kind is Kind.SUBRULE] == [
        "100.1a",
        "100.1b",
        "101.1a",
    ]
    assert one(edition, "101.1").text == ""


@pytest.mark.parametrize(
    ("printed", "address", "kind", "meant"),
    [
        ("101.2 A lamp", "101.2", Irregular.PERIOD_MISSING, "101.2."),
        ("101. 2. A lamp", "101.2", Irregular.SPACE_IN_NUMBER, "101.2"),
        ("101.2.A lamp", "101.2", Irregular.SPACE_MISSING, "101.2. A"),
        ("101.2. 101.2. A lamp", "101.2", Irregular.NUMBER_REPEATED, ""),
        ("101.1b. A lamp", "101.1b", Irregular.PERIOD_ADDED, "101.1b"),
        ("101. 1b A lamp", "101.1b", Irregular.SPACE_IN_NUMBER, "101.1b"),
        (" 101.2. A lamp", "101.2", Irregular.INDENTED, "101.2."),
    ],
)
def test_misprinted_numbers(printed: str, address: str, kind: Irregular, meant: str) -> None:
    """A misprinted number is read, kept as printed, and recorded."""
    edition = read("101.2. A lamp", printed)

    provision = one(edition, address)
    assert provision.text == "A lamp with no wick stays dark."
    assert [(odd.kind, odd.meant) for odd in provision.irregularities] == [(kind, meant)]
    assert provision.printed == printed.removesuffix("A lamp").strip()
    assert edition.counts()["rules"] == 7


def test_longer_number_is_no_repetition() -> None:
    """A rule may begin with a number that only begins like its own."""
    provision = one(read("101.2. A lamp", "101.2. 101.2a lamps"), "101.2")

    assert provision.text.startswith("101.2a lamps")
    assert provision.irregularities == ()


def test_malformed_number() -> None:
    """2008-10-01 prints 306.b where 306.3b is meant."""
    edition = read("100.1b A boat", "100.b A boat")

    provision = one(edition, "100.b")
    assert (provision.kind, str(provision.meant)) == (Kind.SUBRULE, "100.1b")
    (odd,) = provision.irregularities
    assert (odd.kind, odd.meant, odd.evidence) == (
        Irregular.MALFORMED_NUMBER,
        "100.1b",
        "it follows 100.1a",
    )


def test_examples_and_continuations() -> None:
    """Examples and paragraphs keep their order; text and examples are separate."""
    edition = read(
        "Example: Another", "Examples: A third.\n     The tide is low.\n\nExample: Another"
    )

    provision = one(edition, "100.2")
    assert provision.text == "The tide turns.\nThe tide is low."
    assert provision.examples == (
        "A keeper lights a lamp.",
        "A third.",
        "Another keeper puts it out.",
    )
    assert [p.marker for p in provision.paragraphs] == ["", "Example:", "Examples:", "", "Example:"]
    assert [odd.kind for odd in provision.irregularities] == [Irregular.BLANK_LINE_ADDED]


def test_repeated_marker() -> None:
    """2014-06-01 prints "Example:Example:" once; the example begins after both."""
    edition = read("Example: Another", "Example:Example: Another")

    provision = one(edition, "100.2")
    assert provision.examples[1] == "Another keeper puts it out."
    assert [(odd.kind, odd.meant) for odd in provision.irregularities] == [
        (Irregular.MARKER_REPEATED, "Example:")
    ]


def test_broken_line() -> None:
    """2003-05-26 has a line break within a sentence; the break is kept and recorded."""
    edition = read("A boat has a lamp.", "A boat\nhas a lamp.")

    provision = one(edition, "100.1b")
    assert provision.text == "A boat\nhas a lamp."
    assert [odd.kind for odd in provision.irregularities] == [Irregular.LINE_BREAK_ADDED]


def test_missing_blank_line() -> None:
    """A missing blank line is recorded, unless many provisions lack one."""
    sections = "\n\n".join(f"101.{number}. Words." for number in range(3, 23))
    many = f"{sections}\n101.23. Close.\n\n"

    few = read_edition(page(rules=RULES + many), "a.txt")
    all_close = read_edition(page(rules=RULES + many.replace("\n\n101", "\n101")), "a.txt")

    odd = [odd.kind for odd in one(few, "101.23").irregularities]
    assert odd == [Irregular.BLANK_LINE_MISSING]
    assert not any(provision.irregularities for provision in all_close.provisions)


def test_stray_characters() -> None:
    """2021-11-19 has a lone letter on a line of its own."""
    edition = read("100.2. The", "f\n\n100.2. The")

    assert one(edition, "100.1b").text == "A boat has a lamp.\nf"
    assert [odd.kind for odd in one(edition, "100.1b").irregularities] == [
        Irregular.STRAY_CHARACTERS
    ]


def test_citation_at_the_start_of_a_paragraph() -> None:
    """A number before small letters begins no rule, unless it is the next number."""
    edition = read("100.2. The", "212.2c), or so.\n\n100.2. the")

    assert one(edition, "100.1b").text == "A boat has a lamp.\n212.2c), or so."
    assert one(edition, "100.2").text == "the tide turns."


@pytest.mark.parametrize(
    ("words", "is_heading"),
    [
        ("Wick", True),
        ("Lamps that burn", True),
        ("Light the Lamps!", True),
        ("∞ (Infinity)", True),
        ("Lamps are lit as follows:", False),
        ("There are three ways to light a lamp.", False),
        ('A keeper may say "Light."', False),
    ],
)
def test_headings_of_rules(*, words: str, is_heading: bool) -> None:
    """If a rule above subrules is not a sentence, it is a heading."""
    provision = one(read("101.1. Wick", f"101.1. {words}"), "101.1")

    assert (provision.heading, provision.text) == ((words, "") if is_heading else ("", words))


@pytest.mark.parametrize(
    ("words", "heading"), [("Oil and Water", "Oil and Water"), ("Oil that burns", "")]
)
def test_heading_without_subrules(words: str, heading: str) -> None:
    """Only a title in capitals is a heading without rules below it."""
    edition = read("101.2. A lamp with no wick stays dark.", f"101.2. {words}")

    assert one(edition, "101.2").heading == heading


def test_error_chapter_out_of_order() -> None:
    """A chapter that is not the next one is refused."""
    rules = f"{RULES}3. Boats\n\n300. General\n\n300.1. A boat floats.\n\n"

    with pytest.raises(ParseError) as caught:
        read_edition(page(rules=rules), "a.txt")

    assert str(caught.value) == (
        "a.txt:41: chapter 3 follows chapter 1: parts are missing or out of order"
    )
