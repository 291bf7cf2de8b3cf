"""Citations of all real editions, counted."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.citation_tables import Resolver, Target
from variorum_kb.build.build import load_edition
from variorum_kb.model import Edition, Kind, Provision
from variorum_kb.references.find import find_references

pytestmark = pytest.mark.corpus

COLUMNS = ("citations", "ranges", "titles", "dangling", "other title", "by meaning")


def test_citations(editions: tuple[Path, ...], golden: Callable[[str, object], None]) -> None:
    """How many citations each edition prints, and how many lead nowhere, is known."""
    lines = ["\t".join(("effective", *COLUMNS))]
    for path in editions:
        edition = load_edition(path)
        counts = count(edition)
        cells = (str(counts[column]) for column in COLUMNS)
        lines.append("\t".join((edition.effective.isoformat(), *cells)))

    golden("citations.tsv", "".join(f"{line}\n" for line in lines))


def count(edition: Edition) -> Counter[str]:
    """Count the citations of an edition."""
    counts: Counter[str] = Counter()
    resolver = Resolver(targets(edition.provisions))
    for one in (*edition.provisions, *edition.glossary):
        headings = () if one.kind is Kind.GLOSSARY else (one.heading,)
        for text in (*headings, one.text, *one.examples):
            for reference in find_references(text):
                outcome = resolver.resolve(reference)
                counts["citations"] += 1
                counts["ranges"] += reference.first != reference.last
                counts["titles"] += bool(reference.title)
                if not outcome.is_resolved:
                    counts["dangling"] += 1
                else:
                    counts["other title"] += outcome.title_fits is False
                    counts["by meaning"] += outcome.by_meaning
    return counts


def targets(provisions: tuple[Provision, ...]) -> list[Target]:
    """Return what can be cited; what has no heading has that of its section."""
    found: list[Target] = []
    section = rule = ""
    for one in provisions:
        meant = "" if one.meant is None or str(one.meant) == one.number else str(one.meant)
        match one.kind:
            case Kind.SECTION:
                section = rule = one.heading
            case Kind.RULE:
                rule = one.heading or section
            case _:
                pass
        heading = one.heading or (rule if one.kind is Kind.SUBRULE else section)
        found.append(Target(one.address, one.number, meant, heading))
    return found
