"""Citations rewritten in their own form."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.citations.number_lists import Citation
from variorum_kb.audit.rewriting.rewrite import apply, edits_of
from variorum_kb.model import RuleNumber

Ends = tuple[str, str]


def rewritten(text: str, *chosen: str | Ends | None, bare: bool = False) -> str:
    """Return a text with its citations rewritten, in order."""
    citations = list(CitationFinder(bare=bare).find(text))
    pairs = [(item, item) if isinstance(item, str) else item for item in chosen]
    each = edits_of(text, zip(citations, pairs, strict=True))
    return apply(text, [edit for edits in each for edit in edits])


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("CR 300.1.", ["500.1"], "CR 500.1."),
        ("cr300.1a", ["500.1a"], "cr500.1a"),
        ("CR 300.1A", ["500.1c"], "CR 500.1C"),
        ("CR 300.1AA", ["500.1b"], "CR 500.1B"),
        ("CR 300.1", ["500.1a"], "CR 500.1a"),
        ("CR 300.1A", ["500.2"], "CR 500.2"),
        ("CR 300", ["500"], "CR 500"),
        ("CR 300", ["500.2"], "CR 500.2"),
        ('"rule":\r\n\t"300.1"', ["500.1"], '"rule":\r\n\t"500.1"'),
        ("CR 300.1 and 300.2", ["500.1", None], "CR 500.1 and 300.2"),
        ("CR 300.1 and 300.2", [None, "500.2"], "CR 300.1 and 500.2"),
        ("CR 300.1", ["300.1"], "CR 300.1"),
        ("CR 300.1A", ["300.1a"], "CR 300.1A"),
    ],
)
def test_numbers(text: str, chosen: list[str | None], expected: str) -> None:
    """A number replaces another, with its case; nothing else changes."""
    assert rewritten(text, *chosen) == expected


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("CR 300.1a-c", ("500.1a", "500.1c"), "CR 500.1a-c"),
        ("CR 300.1A–C", ("500.1b", "500.1d"), "CR 500.1B–D"),
        ("CR 300.1a - c", ("500.1a", "500.2c"), "CR 500.1a - 500.2c"),
        ("CR 300.1a to c", ("500.1a", "501.1"), "CR 500.1a to 501.1"),
        ("CR 300.1a-c", ("500.1", "500.3"), "CR 500.1-500.3"),
        ("CR 300.1-4", ("500.2", "500.5"), "CR 500.2-5"),
        ("CR 300.1-4", ("500.2", "501.5"), "CR 500.2-501.5"),
        ("CR 300.1-4", ("500.2a", "500.2c"), "CR 500.2a-500.2c"),
        ("CR 300.1-300.4", ("500.2", "500.5"), "CR 500.2-500.5"),
        ("CR 300–304", ("500", "504"), "CR 500–504"),
        ("CR 300.1a through 300.1c", ("500.1a", "500.1c"), "CR 500.1a through 500.1c"),
        ("CR 300.1a\udc96c", ("500.1a", "500.1c"), "CR 500.1a\udc96c"),
        ("CR 300.1a-c", None, "CR 300.1a-c"),
    ],
)
def test_ranges(text: str, chosen: Ends | None, expected: str) -> None:
    """Both ends of a range are rewritten, the second in its short form if possible."""
    assert rewritten(text, chosen) == expected


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("CR 704.5m/n", ["705.1a", "705.1b"], "CR 705.1a/b"),
        ("CR 704.5M, N", ["705.1a", "705.1b"], "CR 705.1A, B"),
        ("CR 704.5m/n", ["704.5p", None], "CR 704.5p/704.5n"),
        ("CR 704.5m/n", [None, "704.5p"], "CR 704.5m/p"),
        ("CR 704.5m/n", ["705.1a", None], "CR 705.1a/704.5n"),
        ("CR 704.5m/n", [None, "705.1a"], "CR 704.5m/705.1a"),
        ("CR 704.5m/n/p", [None, "705.1a", None], "CR 704.5m/705.1a/704.5p"),
        ("CR 704.5m/n/p", ["705.1a", "704.5b", "704.5c"], "CR 705.1a/704.5b/c"),
        ("CR 704.5m/n", ["705.1", None], "CR 705.1/704.5n"),
        ("CR 704.5m/n", ["705.1", "705.1a"], "CR 705.1/705.1a"),
        ("CR 704.5m/n", ["704.5z", "704.5aa"], "CR 704.5z/aa"),
        ("CR 704.5M/N", ["705.1a", None], "CR 705.1A/704.5N"),
        ("CR 704.5m/n", [None, None], "CR 704.5m/n"),
        # A list of letters must run forwards to be read.
        ("CR 704.5m/n", ["705.1c", "705.1b"], "CR 705.1c/705.1b"),
        ("CR 704.5m/n", ["705.1c", "705.1c"], "CR 705.1c/705.1c"),
    ],
)
def test_letters(text: str, chosen: list[str | None], expected: str) -> None:
    """A bare letter becomes a full number if the number before it now belongs to another rule."""
    assert rewritten(text, *chosen) == expected


def test_rule_shared_with_an_open_one() -> None:
    """A citation stays if it shares its printed rule with one that must stay."""
    text = "CR 704.5m/n -> CR 704.5p/q, 704.6"
    wanted = ["705.1a", "705.1b", "705.1c", "705.1d", "705.2"]

    assert rewritten(text, *wanted) == "CR 704.5m/n -> CR 704.5p/q, 705.2"


_PIECES = st.sampled_from(
    [
        *("CR ", "rule ", "rules ", "see ", "702.9", "702.9a", "704.5Y", "100.1", "a", "c", "n"),
        *("z", "-", "–", " - ", "/", ",", ", ", "; ", " and ", " or ", " to ", "\n// ", "(", ")"),
        *("é", "12"),
        *("CR 704.5m/n", "rules 702.9a–c", "CR 601.2b, c", "CR 702.9-12", " "),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=16).map("".join)


def _moved(number: str) -> str:
    """Return another number, in the same order as the others."""
    rule_number = RuleNumber.parse(number)
    return str(RuleNumber(rule_number.section + 1, rule_number.rule, rule_number.letters))


def _ends(citation: Citation) -> Ends:
    return citation.first.number, (citation.last or citation.first).number


@given(_TEXTS)
def test_rewriting_nothing_keeps_the_text(text: str) -> None:
    """If every citation keeps its number, there are no edits."""
    citations = list(CitationFinder().find(text))

    assert not any(edits_of(text, [(citation, None) for citation in citations]))
    assert not any(edits_of(text, [(citation, _ends(citation)) for citation in citations]))


@given(_TEXTS, st.lists(st.booleans(), min_size=16, max_size=16))
def test_what_is_written_is_read(text: str, choices: list[bool]) -> None:
    """The finder reads exactly the written numbers in the new text."""
    citations = list(CitationFinder().find(text))
    stay = [choices[place % len(choices)] for place in range(len(citations))]
    moved = [(_moved(first), _moved(last)) for first, last in map(_ends, citations)]
    chosen = [None if stays else row for stays, row in zip(stay, moved, strict=True)]

    each = edits_of(text, zip(citations, chosen, strict=True))
    new = apply(text, [edit for edits in each for edit in edits])

    # The rest of an open range is unknown, so it stays.
    wanted = [
        row if row is not None and not old.is_open else _ends(old)
        for row, old in zip(chosen, citations, strict=True)
    ]
    assert [_ends(citation) for citation in CitationFinder().find(new)] == wanted


@given(_TEXTS)
@example("CR 704.5m/n-CR 704.5m/n")
def test_there_and_back(text: str) -> None:
    """Renumbering all citations and back gives the original text."""
    citations = list(CitationFinder().find(text))
    moved = [(_moved(first), _moved(last)) for first, last in map(_ends, citations)]

    there = [e for edits in edits_of(text, zip(citations, moved, strict=True)) for e in edits]
    new = apply(text, there)
    again = list(CitationFinder().find(new))
    back = edits_of(new, zip(again, map(_ends, citations), strict=True))

    assert apply(new, [edit for edits in back for edit in edits]) == text
