"""The nouns of docs/glossary.md are used in the code, the help and the pages."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_NOUNS = re.compile(r"^\| ([^|`]+?) \| [A-Z`]", re.MULTILINE)


def nouns_of(page: str) -> list[str]:
    """Return the nouns of a glossary, in order."""
    before = page.partition("\n## Words that differ")[0]
    return [noun for row in _NOUNS.findall(before) for noun in row.split(", ")]


def test_every_noun_is_used() -> None:
    """Each noun occurs in the code, its help or another page."""
    glossary = ROOT / "docs" / "glossary.md"
    paths = [
        *ROOT.glob("*/variorum*/**/*.py"),
        *ROOT.glob("*/variorum*/**/*.html"),
        *ROOT.glob("docs/*.md"),
    ]
    words = " ".join(
        path.read_text("utf-8").lower().replace("_", " ") for path in paths if path != glossary
    )
    nouns = nouns_of(glossary.read_text("utf-8"))

    assert len(nouns) > 80
    assert [noun for noun in nouns if noun.lower() not in words] == []


def test_nouns_stand_once() -> None:
    """No noun is explained twice."""
    nouns = nouns_of((ROOT / "docs" / "glossary.md").read_text("utf-8"))

    assert sorted(nouns) == sorted(set(nouns))
