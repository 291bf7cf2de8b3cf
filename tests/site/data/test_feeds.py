"""The feeds: their contents, and the rules of RFC 4287 that a grammar cannot express."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

from tests.site.building import BASE_URL, base_of, build_site
from tests.site.reading import Site
from tests.support.small_bases import DAYS, edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_site import urls
from variorum_site.data.feeds import Feeds
from variorum_site.data.reported_changes import in_short
from variorum_site.page_index import PageIndex
from variorum_site.settings import SiteSettings

ATOM = "{http://www.w3.org/2005/Atom}"
HTML = "{http://www.w3.org/1999/xhtml}"
# The address of the feeds of a site without a base URL, for a reader.
SOMEWHERE = "https://reader.example/some/place/"


def feeds_of(folder: Path) -> dict[str, ET.Element]:
    """Return the feeds of a site by their files."""
    files = sorted((folder / "feeds").rglob("*.atom"))
    return {
        path.relative_to(folder).as_posix(): ET.fromstring(path.read_bytes())  # noqa: S314 - ours
        for path in files
    }


def text(element: ET.Element, name: str) -> str:
    return element.findtext(f"{ATOM}{name}") or ""


def href(element: ET.Element, rel: str) -> str:
    (link,) = [match for match in element.findall(f"{ATOM}link") if match.get("rel") == rel]
    return link.get("href", "")


def offences(feed: ET.Element, address: str, files: set[str], root: str) -> Iterator[str]:
    """Yield the faults of a feed found at an address of a site with some files."""
    entries = feed.findall(f"{ATOM}entry")
    ids = [text(element, "id") for element in (feed, *entries)]
    yield from (f"{key}: twice" for key, count in Counter(ids).items() if count > 1)
    yield from (
        f"{identifier}: no absolute address"
        for identifier in ids
        if not urlsplit(identifier).scheme
    )
    if not text(feed, "title") or not feed.findtext(f"{ATOM}author/{ATOM}name"):
        yield "no title or no author"
    times = [datetime.fromisoformat(text(element, "updated")) for element in (feed, *entries)]
    if any(time.tzinfo is None for time in times) or times[0] != max(times):
        yield "its own time is not that of the newest entry"
    if times[1:] != sorted(times[1:], reverse=True):
        yield "the newest is not first"
    if urljoin(address, href(feed, "self")) != address:
        yield "does not lead to itself"
    for item in (feed, *entries):
        page = urljoin(address, href(item, "alternate"))
        file = page.removeprefix(root).partition("#")[0]
        file += "index.html" if file.endswith("/") or not file else ""
        if not page.startswith(root) or file not in files:
            yield f"{page}: no page"
    for link in feed.iter(f"{HTML}a"):
        file = urljoin(address, link.get("href", "")).removeprefix(root)
        file += "index.html" if file.endswith("/") else ""
        if file not in files:
            yield f"{file}: no page"


def test_feeds_are_valid(sample_site: Site) -> None:
    """Each feed keeps the rules that a grammar cannot express, at any address of the site."""
    feeds = feeds_of(sample_site.folder)

    assert urls.EDITIONS_FEED in feeds
    for file, feed in feeds.items():
        wrong = offences(feed, SOMEWHERE + file, sample_site.files, SOMEWHERE)
        assert (file, list(wrong)) == (file, [])


def test_feeds_with_a_base_url(sample_site: Site, published_site: Site) -> None:
    """With the address of the site, links are absolute, and ids are the same as without."""
    without = feeds_of(sample_site.folder)
    for file, feed in feeds_of(published_site.folder).items():
        links = [
            element.get("href", "")
            for element in (*feed.iter(f"{ATOM}link"), *feed.iter(f"{HTML}a"))
        ]
        assert all(link.startswith(BASE_URL) for link in links)
        assert list(offences(feed, BASE_URL + file, sample_site.files, BASE_URL)) == []
        assert [element.text for element in feed.iter(f"{ATOM}id")] == [
            element.text for element in without[file].iter(f"{ATOM}id")
        ]


def test_all_that_is_in_force_has_a_feed(sample_site: Site, index: PageIndex) -> None:
    """Exactly the sections, rules and subrules of the newest edition have feeds."""
    sections = index.outline(index.current.place).sections
    states = [index.states[number] for number in index.whole.held(index.current.place)]
    rules = {state.number for state in states if state.kind in {"rule", "subrule"}}

    assert set(feeds_of(sample_site.folder)) == {
        urls.EDITIONS_FEED,
        *(urls.section_feed(number) for number in sections),
        *(urls.rule_feed(number) for number in rules),
    }


def test_words_in_short() -> None:
    """A word diff has a few words around each change, and is short enough for a list."""
    long = " ".join("abcdefghijklmnop")

    assert in_short([("=", long), ("-", "old"), ("+", "new"), ("=", long)]) == [
        ("=", "… l m n o p"),
        ("-", "old"),
        ("+", "new"),
        ("=", "a b c d e … l m n o p"),
    ]
    assert in_short([("+", "word")] * 62) == [("+", "word")] * 60 + [("=", "…")]


def test_words_are_escaped(tmp_path: Path) -> None:
    """A feed is valid XML and shows a heading exactly, with any characters."""
    heading = "Ties & <Draws> “all” ]]>"
    documents = {
        f"{day}.txt": edition(day).replace(b"Golden Rule", heading.encode()) for day in DAYS[:2]
    }
    kb = base_of(tmp_path, documents)
    with KnowledgeBase.open(kb) as base:
        index = PageIndex(base)
        number, section_outline = next(iter(index.outline(index.current.place).sections.items()))
        feed = Feeds(index, {}, SiteSettings(has_feeds=True)).section(number, heading)
        files = dict(Feeds(index, {}, SiteSettings(has_feeds=True)).files())

    assert section_outline.number == number
    assert heading in feed.title
    for data in files.values():
        ET.fromstring(data)  # noqa: S314 - ours


def test_nothing_changed(index: PageIndex) -> None:
    """A section that no edition changed has a feed without entries, dated like the section."""
    number = next(iter(index.outline(index.current.place).sections))

    feed = Feeds(index, {}, SiteSettings(has_feeds=True)).section(number, "")

    assert feed.entries == ()
    assert feed.updated in {f"{item.effective}T00:00:00Z" for item in index.editions}
    assert feed.title == f"Variorum: changes of {number}"


def test_ids_stay(tmp_path: Path) -> None:
    """A later edition keeps the ids of all entries."""
    days = {f"{day}.txt": edition(day) for day in DAYS}
    few = dict(list(days.items())[:-1])

    for name, some in (("few", few), ("all", days)):
        build_site(base_of(tmp_path / name, some), tmp_path / name / "out")

    for file, feed in feeds_of(tmp_path / "few/out").items():
        later = feeds_of(tmp_path / "all/out")[file]
        ids = {text(element, "id") for element in later.iter(f"{ATOM}entry")}
        assert text(feed, "id") == text(later, "id")
        assert {text(element, "id") for element in feed.iter(f"{ATOM}entry")} <= ids


def test_pages_name_their_feeds(sample_site: Site) -> None:
    """A number's page names its own feed; a chapter names none, all other pages that of editions."""
    for name, page in sample_site.pages.items():
        to_feeds = [
            posixpath.normpath(posixpath.join(posixpath.dirname(name), item))
            for tag, item in page.links
            if tag == "link" and item.endswith(".atom")
        ]
        folder, kind = f"{name}/".split("/")[:2]
        if re.fullmatch(r"(rule|glossary|\d{4}-.*)/.+/index.html", name):
            own = (
                {urls.section_feed(kind), urls.rule_feed(kind)} if folder == "rule" else set[str]()
            )
            assert set(to_feeds) <= own
        else:
            assert to_feeds == [urls.EDITIONS_FEED]
    assert "feeds/section/705.atom" in sample_site.pages["rule/705/index.html"].text
