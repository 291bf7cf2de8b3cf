"""The stylesheet of the website."""

import re
from importlib import resources

import variorum_site


def test_the_dark_changes_colours_alone() -> None:
    """Dark mode changes only colours, so the layout need be checked only once."""
    style = (resources.files(variorum_site) / "assets" / "style.css").read_text("utf-8")

    (dark,) = re.findall(r"@media [^{]*prefers-color-scheme[^{]*\{\n(.*?)\n\}", style, re.DOTALL)

    head, *lines, end = dark.splitlines()
    assert (head, end) == ("  :root {", "  }")
    assert len(lines) > 10
    assert all(re.fullmatch(r"    --[a-z-]+: #[0-9a-f]{6};", line) for line in lines)
