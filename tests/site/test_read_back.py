"""Our published pages, read with our own reader, give the edition."""

from itertools import chain

import pytest

from tests.pages.built_site import Site
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.sources.reading.passages.passages import (
    Partial,
    Passage,
    PassageKind,
    SourceLayout,
)
from variorum_kb.sources.recognise_kind import read_partial

# Number, heading or headword, words, examples.
Provision = tuple[str, str, str, tuple[str, ...]]


def read(site: Site, page: str) -> Partial:
    """Read a page of the site."""
    return read_partial((site.folder / page / "index.html").read_bytes(), page)


def of_passage(passage: Passage) -> Provision:
    """Return the number, heading and words of a page's passage."""
    heading = passage.headword if passage.kind is PassageKind.GLOSSARY else passage.heading
    return passage.number, heading, passage.text, passage.examples


def of_match(subject: Subject) -> Provision:
    """Return the number, heading and words of an edition's provision."""
    return subject.number, subject.heading, subject.text, tuple(subject.examples)


EDITIONS = (
    "1999-05-14",
    "2003-02-10",
    "2006-03-01",
    "2008-06-20",
    "2010-01-22",
    "2015-04-17",
    "2017-11-10",
    "2022-02-11",
    "2025-05-30",
)


def test_editions_are_all(base: KnowledgeBase) -> None:
    """All editions are tried."""
    assert tuple([edition.label for edition in base.editions]) == EDITIONS


@pytest.mark.parametrize("label", EDITIONS)
def test_edition(base: KnowledgeBase, sample_site: Site, label: str) -> None:
    """The pages of an edition have exactly its provisions, word for word."""
    edition = base.edition(label)
    numbers = dict.fromkeys(
        provision.number[0] for provision in base.provisions(edition) if provision.number
    )
    pages = [read(sample_site, f"{label}/{chapter}/") for chapter in numbers]
    pages.append(read(sample_site, f"{label}/glossary/"))

    rows = [of_passage(passage) for passage in chain.from_iterable(page.passages for page in pages)]
    wanted = [of_match(provision) for provision in base.provisions(edition)]

    assert rows == wanted
    assert {page.layout for page in pages} == {SourceLayout.HYPERLINKED}
    assert all(page.ledger.is_complete for page in pages)


@pytest.mark.slow
@pytest.mark.parametrize("label", EDITIONS)
def test_page_says_which_edition(sample_site: Site, label: str) -> None:
    """A page of an edition names the edition."""
    edition = read(sample_site, f"{label}/glossary/").edition

    assert edition is not None
    assert str(edition.day) == label


def test_today(base: KnowledgeBase, sample_site: Site) -> None:
    """A section's page with history gives the present section."""
    latest = base.editions[-1]
    for section in [
        provision for provision in base.provisions(latest) if provision.kind == "section"
    ]:
        wanted = [section, *[subject for _, subject in section.tree()]]

        partial = read(sample_site, f"rule/{section.number}/")

        assert [of_passage(passage) for passage in partial.passages] == [
            of_match(subject) for subject in wanted
        ]


def test_glossary_of_today(base: KnowledgeBase, sample_site: Site) -> None:
    """The current glossary gives all of its entries."""
    wanted = [
        provision
        for provision in base.provisions(base.editions[-1])
        if provision.kind == "glossary"
    ]

    partial = read(sample_site, "glossary/")

    assert [of_passage(passage) for passage in partial.passages] == [
        of_match(subject) for subject in wanted
    ]
