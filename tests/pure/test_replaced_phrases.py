"""Phrases that an edition replaced in many provisions."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from variorum.history.aligning.replaced_phrases import replaced_phrases

if TYPE_CHECKING:
    from variorum.history.aligning.likeness import Scale


@pytest.mark.parametrize(
    ("before", "after", "times", "is_replaced"),
    [
        ("abcd", "efgh", 3, True),
        ("abcd", "efgh", 2, False),
        ("abc", "efgh", 3, False),
        ("abcd", "efghi", 3, False),
    ],
)
def test_replaced(before: str, after: str, times: int, *, is_replaced: bool) -> None:
    """At most four words of more than three bits are replaced, in at least three provisions."""
    scale = cast("Scale", SimpleNamespace(bits=len))

    replaced = replaced_phrases([(f"p{before}q", f"p{after}q")] * times, scale)

    assert replaced == ({before: after} if is_replaced else {})
