"""Citations as rows."""

from variorum_kb.rows import State
from variorum_kb.store.citations import citation_rows


def test_rows() -> None:
    """A rule's heading may cite, a glossary entry's headword does not; known citations stay."""
    rule = State.of(("rule", "100.1", "100.1", "See rule 702.9", "Rule 119.1a-b", "100", "", ""))
    entry = State.of(("glossary", "", "Rule 702.9", "Rule 702.9", "See rule 119", "", "", ""))
    known = [("text", 3, 9, "Tide", ("511",))]

    citations, cited = citation_rows([(1, rule, None), (2, entry, None), (3, rule, known)])

    assert citations == [
        *((1, 0, "heading", 9, 14, ""), (1, 1, "text", 5, 13, "")),
        *((2, 0, "text", 9, 12, ""), (3, 0, "text", 3, 9, "Tide")),
    ]
    assert cited == [
        *((1, 0, 0, "702.9"), (1, 1, 0, "119.1a"), (1, 1, 1, "119.1b")),
        *((2, 0, 0, "119"), (3, 0, 0, "511")),
    ]
