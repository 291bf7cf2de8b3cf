"""The feeds: their contents, and the rules of RFC 4287 that a grammar cannot express."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

from tests.pages.built_site import Site
from tests.site.building import BASE_URL, base_of, build_site
from tests.support.small_bases import DAYS, edition
from variorum_site import urls
from variorum_site.data.reported_changes import in_short

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
    """The feed is valid XML and shows the words of a new rule exactly, with any characters."""
    words = "Ties & <Draws> “all” ]]>"
    documents = {"one.txt": edition(), "two.txt": edition(DAYS[1], rule=words)}

    build_site(base_of(tmp_path, documents), tmp_path / "out")

    (feed,) = feeds_of(tmp_path / "out").values()
    assert words in "".join(feed.itertext())


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
    """Pages of numbers and chapters name no feed, all other pages that of editions."""
    for name, page in sample_site.pages.items():
        to_feeds = [
            posixpath.normpath(posixpath.join(posixpath.dirname(name), item))
            for tag, item in page.links
            if tag == "link" and item.endswith(".atom")
        ]
        is_of_rules = re.fullmatch(r"(rule|glossary|\d{4}-.*)/.+/index.html", name)
        assert to_feeds == ([] if is_of_rules else [urls.EDITIONS_FEED])
