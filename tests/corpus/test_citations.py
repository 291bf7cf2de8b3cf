"""Citations of every eighth real edition, as the library resolves them."""

from collections import Counter
from collections.abc import Callable

import pytest

import variorum
from variorum_kb.references.find import find_references

pytestmark = pytest.mark.corpus

# Every eighth edition is enough: neighbours have nearly the same citations.
EVERY = 8


def test_citations(real: variorum.Base, golden: Callable[[str, object], None]) -> None:
    """The library names each citation that is found, with its target; the counts are recorded."""
    columns = ("citations", "ranges", "titles", "dangling", "other title")
    lines = ["\t".join(("effective", *columns))]
    for edition in real.editions[::EVERY]:
        counts = Counter[str]()
        for provision in provisions_of(real, edition.label):
            cites = real.references(provision.address, edition.label).cites
            texts = {"heading": provision.heading if provision.number else ""}
            texts["text"] = "\n".join([provision.text, *provision.examples])
            found = [
                (part, each.start, each.end)
                for part, text in texts.items()
                for each in find_references(text)
            ]
            assert [(each.part, each.start, each.end) for each in cites] == found, provision.address
            counts["citations"] += len(cites)
            counts["ranges"] += sum("-" in each.text or "–" in each.text for each in cites)
            counts["titles"] += sum(bool(each.title) for each in cites)
            counts["dangling"] += sum(each.status != "resolved" for each in cites)
            counts["other title"] += sum(each.title_fits is False for each in cites)
        lines.append("\t".join((edition.label, *(str(counts[column]) for column in columns))))

    golden("../corpus/resolved.tsv", "".join(f"{line}\n" for line in lines))


def provisions_of(base: variorum.Base, edition: str) -> list[variorum.Provision]:
    """Return all provisions of an edition but the glossary's."""
    return [each for chapter in "123456789" for each in below(base, chapter, edition)]


def below(base: variorum.Base, chapter: str, edition: str) -> list[variorum.Provision]:
    """Return a chapter and what is below it; nothing if the edition has no such chapter."""
    try:
        return [base.subject(chapter, edition), *base.below(chapter, edition)]
    except variorum.NotFoundError:
        return []
