"""The built website: whole pages of each kind, a checksum of all others, and links that lead somewhere."""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import SAMPLE
from tests.pages.built_site import Site
from tests.support.command import run

PAGES = {
    "sample": [
        "",  # the first page
        "rule/",
        "rule/7/",  # a chapter
        "rule/705/",  # a section as one page
        "rule/705.1/",  # a rule of today: history, word by word
        "rule/702.9/",  # a rule that others cite, with terms of the glossary
        "rule/511.2/",  # a renumbered rule
        "rule/511/",  # a section that has another number today
        "rule/705.1/2010-01-22/",  # earlier words of a rule
        "rule/211.1/",  # a rule that was removed
        "rule/702.11/",  # a number printed twice
        "rule/306.b/",  # a misprinted number
        "glossary/",
        "glossary/boat/",
        "glossary/flip-a-coin/",  # an entry that became a section
        "editions/",
        "2008-06-20/",  # an edition: contents and provenance
        "2010-01-22/7/",  # a chapter of an edition, with changes marked
        "2008-06-20/glossary/",
        "2008-06-20/introduction/",
        "changes/",
        "compare/",
        "lint/",
        "search/",
        "offline/",
    ],
    "witnesses": ["witness/", "rule/705.1/", "changes/2017-11-10/"],
    "published": ["data/rule/705.json", "data/glossary/b.json"],
    "made-up": ["", "editions/"],
}


def without_versions(text: str) -> str:
    """Return a page without the checksums of the files that it loads."""
    return re.sub(r"\b[0-9a-f]{8,64}\b(?=\.(?:js|css|json)|\")", "VERSION", text)


@pytest.mark.parametrize(
    ("kind", "page"), [(kind, page) for kind, pages in PAGES.items() for page in pages]
)
def test_page(
    sites: Callable[[str], Path], golden: Callable[[str, str], None], kind: str, page: str
) -> None:
    """Each page is unchanged; of all but the first, what differs from page to page."""
    file = f"{page}index.html" if page.endswith("/") or not page else page
    name = file.removesuffix("/index.html").replace("/", "-")

    text = (sites(kind) / file).read_text("utf-8")

    if page and file.endswith(".html"):
        parts = r"<title>.*?</title>\n|<link rel=\"canonical.*?\n|<main.*</main>\n"
        text = "".join(re.findall(parts, text, re.DOTALL))
    golden(f"pages/{kind}-{name}", without_versions(text).rstrip("\n") + "\n")


@pytest.mark.parametrize("kind", PAGES)
def test_all_files(
    sites: Callable[[str], Path], golden: Callable[[str, str], None], kind: str
) -> None:
    """No file of any folder changes, except the script, the style and their checksums."""
    folders: dict[str, list[int]] = defaultdict(list)
    for path in sorted(sites(kind).rglob("*")):
        name = path.relative_to(sites(kind)).as_posix()
        if path.is_file() and not name.startswith(("static/", "sw.js", ".variorum")):
            text = name + without_versions(path.read_bytes().decode("latin-1"))
            folders[name.partition("/")[0]].append(zlib.crc32(text.encode()))
    lines = [
        f"{zlib.crc32(repr(sums).encode()):08x} {len(sums):3} {name}\n"
        for name, sums in folders.items()
    ]

    golden(f"pages/all-files-{kind}.txt", "".join(lines))


@pytest.mark.parametrize("kind", PAGES)
def test_links_lead_somewhere(sites: Callable[[str], Path], kind: str) -> None:
    """No link of a page, a feed or the search index is dead, and every page is well-formed."""
    site = Site(sites(kind))

    assert list(site.broken()) == []
    assert list(site.broken_in_feeds()) == []
    assert list(site.broken_in_search()) == []
    wrong = {
        name: (page.inline, page.unclosed, [*(Counter(page.ids) - Counter({*page.ids}))])
        for name, page in site.pages.items()
        if page.inline or page.unclosed or len(page.ids) != len({*page.ids}) or "<i>" in page.words
    }
    assert wrong == {}


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder with their bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_later_edition_is_added(tmp_path: Path) -> None:
    """A site that is brought up to date is like one built at once; without news, nothing is written."""
    editions = sorted(SAMPLE.glob("*.txt"))
    base, out = tmp_path / "kb", tmp_path / "out"
    for some in (editions[-3:-1], editions[-3:]):
        assert run(["build", *map(str, some), "--kb", str(base)]).code == 0
        assert run(["site", str(out), "--kb", str(base), "--day", "2026-01-01"]).code == 0
    before = {name: (out / name).stat().st_mtime_ns for name in contents(out)}
    assert run(["site", str(out), "--kb", str(base), "--day", "2026-01-01"]).code == 0
    assert (
        run(["site", str(tmp_path / "at-once"), "--kb", str(base), "--day", "2026-01-01"]).code == 0
    )

    after = {name: (out / name).stat().st_mtime_ns for name in contents(out)}
    assert {name for name in after if after[name] != before.get(name)} <= {".variorum-site.json"}
    assert contents(out) == contents(tmp_path / "at-once")
