"""Citations without a word before them, and citations in dated records."""

from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.dating.record_dates import record_days
from variorum_kb.audit.run import Auditor
from variorum_kb.audit.settings import Settings

QUOTED = "300.1 A turn has five parts: dawn, the first trade phase"


def found(base: KnowledgeBase, text: str, name: str = "a.txt") -> list[tuple[object, ...]]:
    """Return the number, status, edition and rewriting of each citation."""
    auditor = Auditor(base, Settings(to="latest"))
    report = auditor.audit_text(text, Path(name), with_current=True)
    each = [finding.finding for finding in report.findings]
    return [
        (finding["number"], finding["status"], finding["as_of"], finding["rewrite"])
        for finding in each
    ]


@pytest.mark.parametrize(
    "text",
    [
        QUOTED,
        f"// {QUOTED}",
        f"* {QUOTED}",
        QUOTED.replace("1 A", "1. A"),
        QUOTED.replace(", the", ",\n# the"),
        "300.1 A turn has five parts and boats",
        f"300.1{' ' * 110}A turn has five parts",
    ],
)
def test_quoted(base: KnowledgeBase, text: str) -> None:
    """A rule quoted after its number is found, dates itself, and can be rewritten."""
    assert found(base, text) == [("300.1", "another provision", "2008-06-20", "500.1")]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("/**\n * 702.4. Gleam\n */", [("702.4", "702.3")]),
        ("702.4 Gleam\r\n", [("702.4", "702.3")]),
        ("702.4. Gleam 702.4a", [("702.4", "702.3")]),
        ("702.4. Gleam and drift\n", []),
        ("see 702.4. Gleam\n", []),
        ("702.4. Drift\n", []),
    ],
)
def test_heading(base: KnowledgeBase, text: str, numbers: list[tuple[str, str]]) -> None:
    """A line that is a number and its heading is a quotation."""
    assert [(item[0], item[3]) for item in found(base, text)] == numbers


@pytest.mark.parametrize(
    "text",
    [
        *("300.1 A turn has no parts", "300.1 boats", "at 300.1 A turn has five parts", "300.1"),
        # Four words, or words too far from the number.
        *("300.1 A turn has five boats", f"300.1{' ' * 111}A turn has five parts"),
    ],
)
def test_not_quoted(base: KnowledgeBase, text: str) -> None:
    """Other words after a number, or a number later in the line, are not a quotation."""
    assert found(base, text) == []


def test_quoted_dates_what_it_cites(base: KnowledgeBase) -> None:
    """A citation within a quotation has its date, and is not rewritten alone."""
    rule = base.subject("102.1", "2008-06-20")
    text = f"102.1 {rule.state.body}"

    each = found(base, text)

    assert next(item[0] for item in each) == "102.1"
    assert [item[:3] for item in each[1:]] == [("420.5a", "renumbered", "2008-06-20")]
    assert len({item[3] is None for item in each}) == 1


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        # Numbers beside a citation with a word, or several together; rules have all of them.
        ("CR 100.1, [704.5a]", ["100.1", "704.5a"]),
        ("x = '704.5a'; y = '704.5b'; z = '704.5c'", ["704.5a", "704.5b", "704.5c"]),
        ("x = '704.5a'", []),
        ("CR 100.1. Then 704.5a at 388.9z, 388.8z, 388.7z", ["100.1"]),
    ],
)
def test_bare(base: KnowledgeBase, text: str, numbers: list[str]) -> None:
    """Numbers with letters count if nothing else can be meant."""
    assert [item[0] for item in found(base, text)] == numbers


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("rules #704.5k and #704.5m", ["704.5k", "704.5m"]),
        ("rules 704.5k as well as 704.5m, then 704.5n", ["704.5k", "704.5m", "704.5n"]),
        ("rules 704.5k (legends) and 704.5m", ["704.5k", "704.5m"]),
        ("rule <a>704.5k</a> and <a href='#m'>704.5m</a>", []),
        ("rule 704.5k</a> and <a href='#m'>704.5m</a>", ["704.5k", "704.5m"]),
        ("CR\\u00a7702.9 CR&sect;702.9 CR\udca7702.9", ["702.9", "702.9", "702.9"]),
        ('"cr317", card cr317, CR317', ["317"]),
    ],
)
def test_lists(text: str, read: list[str]) -> None:
    """Signs, words and links between numbers are read as people read them."""
    each = list(CitationFinder().find(text))

    assert [citation.first.number for citation in each] == read
    assert not any(citation.is_open for citation in each)


@pytest.mark.parametrize(
    ("name", "text", "days"),
    [
        (
            "a.csv",
            "id,Asked at,x\n1,2008-06-20,CR\n,,CR\n3,2010,CR\n",
            ["2008-06-20", "", "2010-12-28"],
        ),
        ("a.tsv", "date\tx\n20080620\tCR\n", ["2008-06-20"]),
        ("a.jsonl", '{"date": "2008-06-20T10:00Z", "x": "CR"}\n{"x": "CR"}\n', ["2008-06-20", ""]),
        (
            "a.json",
            '[{"created_at": "2008-06", "x": {"y": "CR }"}}, {"x": "CR"}]',
            ["2008-06-28", ""],
        ),
        ("a.txt", "20200601 - CR\n2020-06-01: CR\nCR 20200601\n", ["2020-06-01", "2020-06-01", ""]),
    ],
)
def test_record_days(name: str, text: str, days: list[str]) -> None:
    """Each form of a record's date is read."""
    day = record_days(text, name)

    places = [place for place in range(len(text)) if text.startswith("CR", place)]
    assert day is not None
    assert [day(place) for place in places] == days


def test_record_stays(base: KnowledgeBase) -> None:
    """A citation in a dated record is judged by that day, and never rewritten."""
    assert found(base, "20080620 - CR 300.1\n") == [
        ("300.1", "another provision", "2008-06-20", None)
    ]
    assert record_days("CR 300.1\n", "a.json") is None
