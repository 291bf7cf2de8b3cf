"""What we publish, read by our own reader, gives the edition again."""

from itertools import chain

import pytest

from tests.site.reading import Site
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.sources.kinds.table import read_partial
from variorum_kb.sources.reading.passages import Partial, Passage, PassageKind, SourceLayout

# Number, heading or headword, words, examples.
Provision = tuple[str, str, str, tuple[str, ...]]


def read(site: Site, page: str) -> Partial:
    """Read a page of the site."""
    return read_partial((site.folder / page / "index.html").read_bytes(), page)


def of_passage(one: Passage) -> Provision:
    """Return what a passage of a page says."""
    heading = one.headword if one.kind is PassageKind.GLOSSARY else one.heading
    return one.number, heading, one.text, one.examples


def of_match(one: Subject) -> Provision:
    """Return what a provision of an edition says."""
    return one.number, one.heading, one.text, tuple(one.examples)


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
    """Every edition is tried."""
    assert tuple([one.label for one in base.editions]) == EDITIONS


@pytest.mark.parametrize("label", EDITIONS)
def test_edition(base: KnowledgeBase, sample_site: Site, label: str) -> None:
    """The pages of an edition hold its provisions word for word, and nothing more."""
    edition = base.edition(label)
    numbers = dict.fromkeys(one.number[0] for one in base.provisions(edition) if one.number)
    pages = [read(sample_site, f"{label}/{chapter}/") for chapter in numbers]
    pages.append(read(sample_site, f"{label}/glossary/"))

    found = [of_passage(one) for one in chain.from_iterable(page.passages for page in pages)]
    wanted = [of_match(one) for one in base.provisions(edition)]

    assert found == wanted
    assert {page.layout for page in pages} == {SourceLayout.HYPERLINKED}
    assert all(page.ledger.is_complete for page in pages)


@pytest.mark.slow
@pytest.mark.parametrize("label", EDITIONS)
def test_page_says_which_edition(sample_site: Site, label: str) -> None:
    """A page of an edition says of which one it is."""
    found = read(sample_site, f"{label}/glossary/").edition

    assert found is not None
    assert str(found.day) == label


def test_today(base: KnowledgeBase, sample_site: Site) -> None:
    """The page of a section through time gives the section as it is today."""
    latest = base.editions[-1]
    for section in [one for one in base.provisions(latest) if one.kind == "section"]:
        wanted = [section, *[one for _, one in section.tree()]]

        found = read(sample_site, f"rule/{section.number}/")

        assert [of_passage(one) for one in found.passages] == [of_match(one) for one in wanted]


def test_glossary_of_today(base: KnowledgeBase, sample_site: Site) -> None:
    """The glossary of today gives all of its entries."""
    wanted = [one for one in base.provisions(base.editions[-1]) if one.kind == "glossary"]

    found = read(sample_site, "glossary/")

    assert [of_passage(one) for one in found.passages] == [of_match(one) for one in wanted]
