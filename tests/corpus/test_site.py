"""The site of twelve real editions: links, sizes and completeness."""

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.pages.built_site import Site
from tests.site.building import build_site
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.permalinks import anchor_of, slug_of
from variorum_kb.rows import State
from variorum_site import urls
from variorum_site.page_index import PageIndex

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

# Neighbours, among them the great renumbering: a gap between editions takes long to align.
SOME = slice(25, 37)
# The maximum size of a number's or headword's page, except for one page in a hundred.
BUDGET = 32_000
# The larger pages.
LARGE = {"rule/701/index.html", "rule/702/index.html"}


@pytest.fixture(scope="module")
def base_folder(editions: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a base of some editions."""
    folder = tmp_path_factory.mktemp("some-editions")
    list(Builder(folder, now=NOW).build(editions[SOME]))
    return folder


@pytest.fixture(scope="module")
def site(base_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the site of some editions."""
    folder = tmp_path_factory.mktemp("site-of-some-editions")
    build_site(base_folder, folder)
    return Site(folder)


def test_links(site: Site) -> None:
    """Every internal link and anchor of all pages exists."""
    assert list(site.broken()) == []


def test_links_of_feeds(site: Site) -> None:
    """Every link of all feeds exists."""
    assert list(site.broken_in_feeds()) == []


def test_links_of_data(site: Site) -> None:
    """A page names every JSON file except the current edition's, and each can be read."""
    named = {
        posixpath.normpath(posixpath.join(posixpath.dirname(name), href))
        for name, page in site.pages.items()
        for tag, href in page.links
        if tag == "link" and href.endswith(".json")
    }

    files = {name for name in site.files if name.startswith("data/")}
    assert named == files - {"data/current.json"}
    assert [name for name in sorted(named) if not site.json(name)] == [urls.WITNESSES_JSON]


def test_links_of_the_search(site: Site) -> None:
    """Every hit of the search, and every outcome of a former number, has its page and anchor."""
    assert list(site.broken_in_search()) == []


def test_links_of_comparisons(site: Site, base_folder: Path) -> None:
    """Every link of a comparison exists, in every edition."""
    with KnowledgeBase.open(base_folder) as base:
        index = PageIndex(base)
        for edition in index.editions:
            held = [index.states[number] for number in index.whole.held(edition.place)]
            links = list(_compared(edition.label, held))

            assert list(site.lost("compare/index.html", links)) == []


def _compared(label: str, held: Sequence[State]) -> Iterator[str]:
    """Yield the links to an edition's provisions as `41-compare-page.js` makes them."""
    here = ""
    for state in held:
        if state.kind == "glossary":
            yield f"../{label}/glossary/index.html#{slug_of(state.heading)}"
            continue
        if state.kind == "chapter":
            here = ""
            yield f"../{label}/{state.number}/index.html"
            continue
        if state.kind == "section" or not here:
            here = state.number
        yield f"../{label}/{here[0]}/index.html#{anchor_of(state.address)}"


def test_tags(site: Site) -> None:
    """No page has an unclosed tag, a repeated anchor, or inline code."""
    odd = [
        name
        for name, page in site.pages.items()
        if page.unclosed or page.inline or len(set(page.ids)) != len(page.ids)
    ]
    assert odd == []


def test_sizes(site: Site) -> None:
    """Exactly these pages are larger than the budget."""
    sizes = {
        name: (site.folder / name).stat().st_size
        for name in site.files
        if name.startswith(("rule/", "glossary/")) and name.count("/") == 2
    }

    assert {name for name, size in sizes.items() if size > BUDGET} == LARGE
    assert len(LARGE) <= len(sizes) / 100


def test_no_number_is_missing(site: Site, base_folder: Path) -> None:
    """Every printed number or headword has a page and a place in each edition with it."""
    with KnowledgeBase.open(base_folder) as base:
        index = PageIndex(base)
        ids = {name: set(page.ids) for name, page in site.pages.items()}
        for edition in index.editions:
            for state in [index.states[number] for number in index.whole.held(edition.place)]:
                is_entry = state.kind == "glossary"
                own = urls.entry(state.heading) if is_entry else urls.rule(state.number)
                assert urls.file_of(own) in site.files
                if state.kind in {"rule", "subrule"}:
                    there = urls.chapter(edition.label, state.number)
                    assert anchor_of(state.address) in ids[urls.file_of(there)]
