"""Every kind of document is compared somehow."""

from variorum_kb.sources.comparing.compare import COMPARISONS
from variorum_kb.sources.reading.passages import SourceLayout


def test_every_layout_is_compared() -> None:
    """A layout that is added stands in the table, too."""
    assert list(COMPARISONS) == list(SourceLayout)
