"""A list of names beside a list of numbers."""

import pytest

from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.citations.parallel_lists import words_beside_each


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CR 701.15a / CR 701.35a: Goad and detain", ["Goad", "detain"]),
        ("// Embalm / Eternalize, CR 702.128a / 702.129a", ["Embalm", "Eternalize"]),
        ("x(); // Goad and detain: CR 701.15a and CR 701.35a", ["Goad", "detain"]),
        ("CR 502.1, CR 502.2 (drift, gleam at dusk)", ["drift", "gleam at dusk)"]),
        ("CR 502.1 / CR 502.2: Tide of Gulls / Gleam", ["Tide of Gulls", "Gleam"]),
        # The sentence continues after the last number.
        (
            "CR 502.1 / CR 502.2: Drift / a boat that gleams, too",
            ["Drift", "a boat that gleams, too"],
        ),
    ],
)
def test_each_its_own(text: str, names: list[str]) -> None:
    """Each number has its own name beside it, and the other names as neighbours."""
    beside = words_beside_each(text, list(CitationFinder().find(text)))

    assert beside == [("", name, "\0".join(names)) for name in names]
