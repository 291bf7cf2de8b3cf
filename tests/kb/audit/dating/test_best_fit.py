"""The editions that have most of the cited numbers."""

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.dating.best_fit import Fit, best_fit


@pytest.mark.parametrize(
    ("cited", "fit"),
    [
        ({"511.2": 1}, Fit("2006-03-01", "2008-06-20", 1, 1)),
        ({"705.2": 3}, Fit("2010-01-22", "2025-05-30", 3, 3)),
        ({"511.2": 2, "705.2": 2}, Fit("2006-03-01", "2025-05-30", 2, 4)),
        ({"511.2": 3, "705.2": 2}, Fit("2006-03-01", "2008-06-20", 3, 5)),
        ({"100.1": 1}, Fit("1999-05-14", "2025-05-30", 1, 1)),
        ({"999": 1}, Fit("1999-05-14", "2025-05-30", 0, 1)),
    ],
)
def test_best_fit(base: KnowledgeBase, cited: dict[str, int], fit: Fit) -> None:
    """The best fit is the latest run of editions with the most citations, counting repetitions."""
    assert best_fit(base, cited) == fit
