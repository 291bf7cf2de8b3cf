"""Tests of the feeds with a validator: Jing and the grammar of RFC 4287 in `atom.rnc`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.browser.browsing import in_java

GRAMMAR = Path(__file__).with_name("atom.rnc")
Validate = Callable[[Sequence[Path]], list[str]]


@pytest.fixture(scope="session")
def jing() -> Validate:
    """Return a function that returns the errors of feeds; skip without Java or Jing."""
    command = in_java("com.thaiopensource.relaxng.util.Driver", "-c", str(GRAMMAR))

    def validate(feeds: Sequence[Path]) -> list[str]:
        process = subprocess.run(
            [*command, *map(str, feeds)], check=False, capture_output=True, text=True
        )
        complaints = [line for line in process.stdout.splitlines() if ": error: " in line]
        assert process.stderr == ""
        assert bool(complaints) == bool(process.returncode)
        return complaints

    return validate


@pytest.fixture(scope="session")
def feeds(jing: Validate, sites: Callable[[str], Path]) -> list[Path]:
    """Return the feeds of the sample rulebook, with a base URL and without."""
    del jing  # without a validator, do not wait for the sites
    return [
        path
        for kind in ("sample", "published")
        for path in sorted((sites(kind) / "feeds").rglob("*.atom"))
    ]


def test_feeds_are_valid(jing: Validate, feeds: Sequence[Path]) -> None:
    """The validator finds no error in any feed, with a base URL and without."""
    assert len(feeds) == 2
    assert not any("&lt;ins&gt;" in feed.read_text("utf-8") for feed in feeds)
    assert jing(feeds) == []


BROKEN = [
    ("<updated>", "<updated>x", "updated"),
    ("T00:00:00Z", "T00:00:00", "updated"),
    ("<author><name>Variorum</name></author>", "", "author"),
    ("<id>urn:uuid:", "<id>", "id"),
    (' type="xhtml"', "", "div"),
    (' xmlns="http://www.w3.org/1999/xhtml"', "", "div"),
    ("<rights>", "<rights>twice</rights><rights>", "rights"),
    (' rel="self"', ' rel=""', "rel"),
    ("<title>", "<title type='markdown'>", "type"),
    ("</feed>", "<surprise/></feed>", "surprise"),
]


def test_error_broken_feeds_are_found(
    jing: Validate, feeds: Sequence[Path], tmp_path: Path
) -> None:
    """The grammar finds the faults of a broken feed, so the validator works."""
    text = feeds[0].read_text("utf-8")
    broken = [tmp_path / f"{place}.atom" for place in range(len(BROKEN))]
    for file, (good, bad, _) in zip(broken, BROKEN, strict=True):
        assert good in text
        file.write_text(text.replace(good, bad), "utf-8")

    complaints = jing(broken)

    for file, (_, _, item) in zip(broken, BROKEN, strict=True):
        own = [complaint for complaint in complaints if f"/{file.name}:" in complaint]
        assert any(f"“{item}”" in texts for texts in own), (file.name, own)


def test_error_what_is_no_xml_is_found(
    jing: Validate, feeds: Sequence[Path], tmp_path: Path
) -> None:
    """A feed whose tags are not closed is not read."""
    broken = tmp_path / "broken.atom"
    broken.write_text(feeds[0].read_text("utf-8").replace("<summary>", "<summary>a < c"), "utf-8")

    with pytest.raises(AssertionError, match="fatal"):
        jing([broken])
