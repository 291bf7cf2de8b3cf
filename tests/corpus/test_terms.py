"""Terms in the real editions: their counts, and whether printed headwords are found."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.score.term_links import verdicts
from tests.support.edition_files import load_edition
from variorum_kb.answers.glossary.terms import Terms
from variorum_kb.model import Edition
from variorum_kb.text.folding import fold_in_place

pytestmark = pytest.mark.corpus

# For each edition: terms in rules and entries, and headwords in any of them.
COUNTS = {
    "1999-04-23": (4175, 130),
    "2003-07-01": (10226, 248),
    "2007-10-01": (17218, 340),
    "2010-06-18": (20500, 405),
    "2018-04-27": (26476, 507),
    "2026-08-07": (37119, 700),
}
# Headwords of the newest edition that its rules print as other words: docs/references.md.
EVERYDAY = {
    "Becomes",
    "Counts As (Obsolete)",
    "During (Obsolete)",
    "If",
    "Instead",
    "Set Aside (Obsolete)",
    "Unless",
    "You, Your",
}


def texts_of(edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield the headword of an entry ("" for a rule) and its words."""
    for provision in edition.provisions:
        yield "", "\n".join(filter(None, [provision.text, *provision.examples]))
    for item in edition.glossary:
        yield item.heading, "\n".join(filter(None, [item.text, *item.examples]))


def count(edition: Edition) -> Counter[str]:
    """Count the terms of an edition in its own words."""
    terms = Terms([provision.heading for provision in edition.glossary])
    return Counter(term.term for own, text in texts_of(edition) for term in terms.find(text, own))


@pytest.mark.parametrize("day", COUNTS)
def test_counts(editions: tuple[Path, ...], day: str) -> None:
    """An edition of each era has the recorded counts of terms."""
    (path,) = [path for path in editions if path.name.startswith(day.replace("-", ""))]

    result = count(load_edition(path))

    assert (result.total(), len(result)) == COUNTS[day]


def test_headwords_are_found(editions: tuple[Path, ...]) -> None:
    """Every headword that a rule of the newest edition prints is found there, except for a few."""
    edition = load_edition(editions[-1])
    terms = Terms([provision.heading for provision in edition.glossary])
    rules = [text for own, text in texts_of(edition) if not own]
    whole = fold_in_place("\n".join(rules))
    printed = {
        provision.heading
        for provision in edition.glossary
        if f" {fold_in_place(provision.heading.partition(' (')[0].partition(', ')[0])} " in whole
    }

    listed = {term.term for text in rules for term in terms.find(text)}

    assert len(printed) > 500
    assert printed - listed == EVERYDAY


def test_read_links() -> None:
    """A reader checked a sample of links: at most one in a hundred was wrong."""
    read = verdicts()

    assert len(read) >= 300
    assert list(read.values()).count("wrong") <= len(read) / 100
