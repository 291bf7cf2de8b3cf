"""Ranges as people write them, and texts that only look like ranges."""

import pytest

from tests.kb.audit.citations.test_find import named
from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.rewriting.rewrite import apply, edits_of


def still_open(text: str) -> list[str]:
    """Return the text of the open citations."""
    return [
        text[citation.start : citation.end]
        for citation in CitationFinder().find(text)
        if citation.is_open
    ]


@pytest.mark.parametrize(
    "dash",
    [
        *("--", " -- ", "---", "\N{FIGURE DASH}", " \N{FIGURE DASH} ", "\N{HORIZONTAL BAR}"),
        *("&ndash;", "&mdash;", "&#8211;", "&#x2013;", "\\u2013", "\\\\u2014", "\\u{2013}"),
        *("\\u2212", "\\x96", "\\N{EN DASH}", "\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}", "\udc96"),
        *("...", "..", "..=", "…", " to ", " through "),
    ],
)
def test_dashes(dash: str) -> None:
    """Any dash in programs, pages and typescripts makes a range."""
    assert named(f"CR 704.5k{dash}704.5n.") == ["704.5k..704.5n"]
    assert named(f'"CR 704.5k{dash}n"') == ["704.5k..704.5n"]
    assert named(f"CR 116.1{dash}116.2") == ["116.1..116.2"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("CR 613.2/3", ["613.2", "613.3"]),
        ("CR 613.2/10.", ["613.2", "613.10"]),
        ("CR 613.2/11", ["613.2"]),  # too far away
        ("CR 613.2/2", ["613.2"]),
        ("CR 613.2a/3", ["613.2a"]),
        ("CR 613/3", ["613"]),
    ],
)
def test_rules_behind_a_slash(text: str, numbers: list[str]) -> None:
    """A number after a slash is a rule of the same section that follows soon."""
    assert named(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "Apply CR 613.1d to an object.",
        "CR 613.1d to as many as there are",
        "CR 702.9a through an effect",
        "CR 702.52a to at least one",
        "CR 702.9a — as it was",
        "CR 704.5k to 2 boats",
        "CR 704.5k, until 3 boats are there",
        "CR 704.5k - a boat",
        "CR 704.5n to k",
        "rule 702.9 - 3 cards",
        "CR 702.9 (boat)",
        "CR 702.9 (an old one)",
        "CR 704.5k.",
        "CR 704.5k - X is chosen",
    ],
)
def test_no_range(text: str) -> None:
    """A sentence that continues, or an amount, is not the end of a range."""
    assert [item.partition("..")[2] for item in named(text)] == [""]
    assert still_open(text) == []


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("rules 704.5k~m", ["rules 704.5k"]),
        ("CR 704.5k -> 704.5m", ["CR 704.5k"]),
        ("CR 704.5k => m", ["CR 704.5k"]),
        ("CR 704.5k → n", ["CR 704.5k"]),
        ("CR 704.5k up to 704.5n", ["CR 704.5k"]),
        ("CR 704.5k up to and including n", ["CR 704.5k"]),
        ("CR 704.5k up\nto 704.5n", []),
        ("CR 704.5k until m", ["CR 704.5k"]),
        ("CR 704.5k up to CR 704.5n", ["CR 704.5k", "CR 704.5n"]),
        ("CR 704.5k - CR 704.5n; CR 704.5p", ["CR 704.5k", "CR 704.5n"]),
        ("CR 704.5n-704.5k", ["CR 704.5n"]),
        ("CR 704.5k - n boats", ["CR 704.5k"]),
        ("CR 704.5k—an", ["CR 704.5k"]),
        ("CR 704.5k–N", ["CR 704.5k"]),
        ("CR 704.5k...n boats", ["CR 704.5k"]),
        ("CR 702.52-702.51", ["CR 702.52"]),
        ("CR `704.5k`–`704.5n`", ["CR `704.5k"]),
        ("CR **704.5k**-**n**", ["CR **704.5k"]),
        ("CR [704.5k](x)–[704.5n](y)", ["CR [704.5k"]),
        ("CR [704.5k][x]–[704.5n][y]", ["CR [704.5k"]),
        ("CR 704.5{k,m}", ["CR 704.5{k", "m"]),
        ("CR 704.5{k-m}", ["CR 704.5{k-m"]),
        ("CR 704.5[km]", ["CR 704.5"]),
        ("CR 704.5 (k, m)", ["CR 704.5"]),
        ("CR 704.5(k and m)", ["CR 704.5"]),
        ("CR 704.5-k", ["CR 704.5"]),
        ("rule 704.5 (k)", ["rule 704.5 (k)"]),
        ("rule 704.5 (s)", ["rule 704.5"]),
    ],
)
def test_open(text: str, is_open: list[str]) -> None:
    """A citation that continues in an unknown form is marked as open."""
    assert still_open(text) == is_open


def test_open_stays() -> None:
    """An open citation is never rewritten under any option; others beside it are."""
    text = "CR 704.5k -> m, CR 704.5k"
    citations = list(CitationFinder().find(text))

    edits = edits_of(text, [(citation, ("704.5j", "704.5j")) for citation in citations])

    assert apply(text, [edit for each in edits for edit in each]) == "CR 704.5k -> m, CR 704.5j"
