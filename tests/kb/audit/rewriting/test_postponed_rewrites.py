"""Postponed rewrites: no line and no quoted rule is rewritten only in part."""

import pytest

from variorum_kb.answers.through_time.citation_statuses import CURRENT, DOUBTFUL, NEVER, RENUMBERED
from variorum_kb.audit.citations.bare_numbers import QuotedRule
from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.citations.number_lists import Citation
from variorum_kb.audit.judging.verdict import CitationVerdict
from variorum_kb.audit.rewriting.postponed_rewrites import hold_back, keep_whole

HEIR = ("300.2", "300.2")
RENUMBERED_NOW = CitationVerdict(RENUMBERED, (HEIR,), "2009-07-11", is_sure=True)
UNCERTAIN = CitationVerdict(DOUBTFUL, (), "2009-07-11")


def citations(text: str) -> list[Citation]:
    """Return the citations of a text."""
    return list(CitationFinder().find(text))


@pytest.mark.parametrize(
    ("verdict", "ignored", "waits"),
    [
        (UNCERTAIN, (), True),
        (UNCERTAIN, (DOUBTFUL,), False),
        (UNCERTAIN._replace(is_pinned=True), (), False),
        (UNCERTAIN._replace(status=CURRENT), (), False),
        (UNCERTAIN._replace(status=NEVER), (), False),
        (UNCERTAIN._replace(status=CURRENT, is_pinned=True), (), False),
    ],
)
def test_hold_back(verdict: CitationVerdict, ignored: tuple[str, ...], waits: bool) -> None:
    """A rewrite waits if its line has another citation whose meaning depends on the line's date."""
    cited = citations("CR 300.1, CR 300.4\nCR 300.1\n")
    judged = list(zip(cited, (RENUMBERED_NOW, verdict, RENUMBERED_NOW), strict=True))

    kept = hold_back(
        judged, [HEIR, None, HEIR], ignored, lambda start: int(start > len("CR 300.1, CR 300.4"))
    )

    assert kept == [None if waits else HEIR, None, HEIR]


def test_lines_of_a_range() -> None:
    """A range wrapped over two lines waits for a doubtful citation in its second line."""
    text = "CR 300.1–\n300.3, CR 300.4\nCR 300.6"
    judged = list(zip(citations(text), (RENUMBERED_NOW, UNCERTAIN, RENUMBERED_NOW), strict=True))

    kept = hold_back(judged, [HEIR, None, HEIR], (), lambda at: text.count("\n", 0, at))

    assert [citation.last is not None for citation, _ in judged] == [True, False, False]
    assert kept == [None, None, HEIR]


@pytest.mark.parametrize(
    ("verdict", "is_sure"),
    [
        (UNCERTAIN, False),
        (RENUMBERED_NOW, True),
        (UNCERTAIN._replace(status=CURRENT), True),
    ],
)
def test_keep_whole(verdict: CitationVerdict, is_sure: bool) -> None:
    """A quoted rule is rewritten only if each of its citations is certain or current."""
    cited = citations("CR 300.1: See rule 300.4. CR 300.1")
    judged = list(zip(cited, (RENUMBERED_NOW, verdict, RENUMBERED_NOW), strict=True))
    quoted = QuotedRule(cited[0], "2009-07-11", cited[1].end)

    kept = keep_whole(judged, [quoted])

    assert kept == [
        (cited[0], RENUMBERED_NOW._replace(is_sure=is_sure)),
        (cited[1], verdict._replace(is_sure=verdict.is_sure and is_sure)),
        (cited[2], RENUMBERED_NOW),
    ]
