"""Files for programs: JSON in the forms of the `cr` command (docs/json.md), the feed, the sitemap.

Times of the feed are the effective dates of editions. Its ids depend on these dates, not on the site's
address, so feed readers do not show old news again when a feed moves or is rebuilt.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from variorum.answers.crosswalk import number_table
from variorum.answers.stored import export_edition, listed
from variorum.records import lineage
from variorum.records.answer import json_text
from variorum.rows import EditionRow
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.changes import ChangesGroup
from variorum_site.render import PageFile, render_text

# For how many of the newest editions the feed lists the changes.
REPORTED = 6
# The namespace of ids; with another one, all entries would be new to feed readers.
_IDS = uuid.UUID("e1ebe8c9-3e76-50f2-b038-8524f71cd4b5")
FEEDS = urls.Page("feeds/")


# JSON -----------------------------------------------------------------------------------------------


def _json_file(file: str, value: object) -> PageFile:
    return PageFile(file, json_text(value, is_compact=True).encode())


def catalogue_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the lists of all editions and witnesses, the edition in force, and the passages of witnesses."""
    # A base does not store the names of source files.
    editions = [listed(edition, index.editions, "") for edition in index.editions]
    yield _json_file(urls.EDITIONS_JSON, editions)
    yield _json_file(urls.CURRENT_JSON, export_edition(index.base, index.current))
    yield _json_file(urls.WITNESSES_JSON, index.witnesses.all)
    for witness in index.witnesses.all:
        passages = index.witnesses.passages_of(witness.sha256)
        yield _json_file(urls.data_of(urls.witness(witness.sha256)), passages)


def number_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the files of all numbers of a section, and of all headwords with an initial."""
    files = defaultdict[str, dict[str, list[lineage.NumberedBearer]]](dict)
    for name, bearers in number_table(index.base, index.current, is_whole=True).numbers.items():
        files[urls.data_of(names.page_of_name(name))][name] = bearers
    yield from [_json_file(file, numbers) for file, numbers in files.items()]


# The feed, and the sitemap --------------------------------------------------------------------------


class EditionFigures(NamedTuple):
    """The figures of an edition: its words, how much it changed if it is not the first, and what.

    Only the newest editions have their changes here, for the feed: titles, anchors and changes.
    """

    edition: EditionRow
    words: int
    summary: lineage.DiffSummary | None
    reported: Sequence[ChangesGroup]

    @property
    def changed(self) -> int:
        of = self.summary
        return 0 if of is None else of.substantive + of.new + of.gone

    @property
    def in_words(self) -> str:
        of = self.summary
        if of is None:
            return "The first edition here"
        counts = {
            "reworded": of.substantive,
            "new": of.new,
            "removed": of.gone,
            "split off or copied": of.parts,
            "only renumbered": of.moved_only,
        }
        told = [f"{count} {kind}" for kind, count in counts.items() if count]
        return ", ".join(told) or "no change"


def feed_file(rows: Iterable[EditionFigures], links: LinksOf, base_url: str) -> PageFile:
    """Return the feed of all editions, the newest first, with what the newest ones changed."""
    entries = [
        (
            # A label may get a suffix later.
            _id("editions", f"{row.edition.effective}/{row.edition.issue}"),
            links.to((urls.changes if row.summary else urls.edition)(row.edition.label)),
            row,
        )
        for row in rows
    ]
    here = base_url + urls.EDITIONS_FEED if base_url else urls.asset(FEEDS, urls.EDITIONS_FEED)
    page = links.to(urls.EDITIONS)
    view = {"id": _id("editions"), "here": here, "page": page, "entries": entries[::-1]}
    return PageFile(urls.EDITIONS_FEED, render_text("feed.xml", **view))


def _id(*parts: str) -> str:
    return uuid.uuid5(_IDS, "/".join(parts)).urn


def sitemap_files(base_url: str, files: Iterable[str]) -> Iterator[PageFile]:
    """Yield the list of all pages for search engines, and robots.txt.

    It has no dates, because a page may also change without a new edition.
    """
    pages = [
        file.removesuffix("index.html") for file in files if f"/{file}".endswith("/index.html")
    ]
    addresses = sorted(base_url + page for page in pages if page != urls.OFFLINE)
    yield PageFile(urls.SITEMAP, render_text("sitemap.xml", addresses=addresses))
    # Crawlers read robots.txt only at the root of a host.
    if urlsplit(base_url).path == "/":
        robots = f"User-agent: *\nAllow: /\n\nSitemap: {base_url}{urls.SITEMAP}\n"
        yield PageFile(urls.ROBOTS, robots.encode())
