"""Citations of every eighth real edition, counted and resolved in two ways."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.citation_tables import Resolver, by_base, by_resolver, resolved, resolver_of
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject

pytestmark = pytest.mark.corpus

# Every eighth edition is enough: neighbours have nearly the same citations.
EVERY = 8
COLUMNS = ("citations", "ranges", "titles", "dangling", "other title", "by meaning")


def test_citations(corpus_base: Path, golden: Callable[[str, object], None]) -> None:
    """The base resolves each citation as the simple resolver does; the counts are recorded."""
    lines = ["\t".join(("effective", *COLUMNS))]
    with KnowledgeBase.open(corpus_base) as base:
        for edition in base.editions[::EVERY]:
            resolver, counts = resolver_of(base, edition), Counter[str]()
            for match in base.provisions(edition):
                counts += count(match, resolver)
                message = by_base(match)
                assert message == by_resolver(match, resolver), f"{edition.label} {match.address}"
            cells = (str(counts[column]) for column in COLUMNS)
            lines.append("\t".join((edition.label, *cells)))

    golden("citations.tsv", "".join(f"{line}\n" for line in lines))


def count(match: Subject, resolver: Resolver) -> Counter[str]:
    """Count the citations of a provision."""
    counts: Counter[str] = Counter()
    for _, reference, outcome in resolved(match, resolver):
        counts["citations"] += 1
        counts["ranges"] += reference.first != reference.last
        counts["titles"] += bool(reference.title)
        if not outcome.is_resolved:
            counts["dangling"] += 1
        else:
            counts["other title"] += outcome.title_fits is False
            counts["by meaning"] += outcome.by_meaning
    return counts
