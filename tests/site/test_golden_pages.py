"""Whole pages of the sample rulebook's site, of each kind and with all their parts."""

import zlib
from collections import defaultdict
from collections.abc import Callable

import pytest

from tests.conftest import MakeOnce
from tests.pages.built_site import Site
from tests.site.building import build_made_up, contents, heard_site

PAGES = [
    "",  # the first page
    "rule/",
    "rule/7/",  # a chapter
    "rule/705/",  # a section as one page
    "rule/705.1/",  # a rule of today: history, word by word, other documents
    "rule/702.9/",  # a rule that others cite, with terms of the glossary
    "rule/511.2/",  # a renumbered rule
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
    "changes/2006-03-01/",
    "changes/2010-01-22/",  # renumbered, reworded, split, replaced throughout
    "compare/",
    "lint/",
    "search/",
    "search/numbers/",
    "offline/",
    "witness/",
]
FILES = ["feeds/editions.atom", "data/rule/705.1.json", "data/glossary/boat.json"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page or "home")
def test_pages(sample_site: Site, golden: Callable[[str, object], None], page: str) -> None:
    """Each page is unchanged."""
    name = page.rstrip("/").replace("/", "-") or "home"

    golden(f"site/{name}.html", (sample_site.folder / page / "index.html").read_text("utf-8"))


@pytest.mark.parametrize("file", FILES)
def test_files(sample_site: Site, golden: Callable[[str, object], None], file: str) -> None:
    """Each file for programs is unchanged."""
    name = file.replace("/", "-")

    golden(f"site/{name}", (sample_site.folder / file).read_text("utf-8") + "\n")


@pytest.mark.parametrize("kind", ["sample", "heard", "published", "made-up"])
def test_all_files(
    request: pytest.FixtureRequest,
    make_once: MakeOnce,
    golden: Callable[[str, object], None],
    kind: str,
) -> None:
    """No file of any folder changes, except the script, the style and files with their hashes."""
    if kind == "heard":
        out = heard_site(make_once) / "out"
    elif kind == "made-up":
        out = make_once(kind, build_made_up) / "out"
    else:
        site: Site = request.getfixturevalue(f"{kind}_site")
        out = site.folder
    folders: dict[str, list[bytes]] = defaultdict(list)
    for name, data in contents(out).items():
        if not name.startswith(("static/", "sw.js", ".variorum")):
            folders[name.partition("/")[0]].append(name.encode() + data)
    lines = [f"{zlib.crc32(b''.join(files)):08x} {name}\n" for name, files in folders.items()]

    golden(f"site/all-files-{kind}.txt", "".join(lines))
