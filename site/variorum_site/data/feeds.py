"""The Atom feed of editions and their changes.

Times are the effective dates of editions. Ids depend on these dates, not on the site's address, so feed readers do not show old news again when a feed moves or is rebuilt.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from variorum_site import urls
from variorum_site.base_url import Linker
from variorum_site.data.reported_changes import ADDED, KINDS, REMOVED, ReportedChange
from variorum_site.page_index import PageIndex, page_of_name
from variorum_site.pages.front import EditionRow
from variorum_site.pages.link import Link
from variorum_site.render import templates

# The namespace of ids; with another one, all entries would be new to feed readers.
_IDS = uuid.UUID("e1ebe8c9-3e76-50f2-b038-8524f71cd4b5")
# At most this many changes of a kind are listed; the page has the others.
_MOST = 100
# For how many of the newest editions their feed lists the changes.
REPORTED = 12


@dataclass(frozen=True, slots=True)
class Item:
    """A provision that an edition changed: its names before and now, a remark, and a word diff."""

    names: tuple[Link, ...]
    note: str = ""
    words: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Changes of one kind, and how many more there are."""

    title: str
    items: tuple[Item, ...]
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An edition in a feed."""

    id: str
    title: str
    updated: str
    page: str
    summary: str
    parts: tuple[Part, ...] = ()


def feed_files(
    index: PageIndex,
    rows: Mapping[str, EditionRow],
    reported: Mapping[str, Sequence[ReportedChange]],
    base_url: str,
) -> Iterator[tuple[str, bytes]]:
    """Yield the feed of all editions, the newest first.

    Args:
        index: The base's page index.
        rows: The figures of each edition.
        reported: The changes of the newest editions.
        base_url: The address of the site; "" if unknown.
    """
    link = Linker(base_url, urls.EDITIONS_FEED)
    entries = [
        _entry(rows[edition.label], reported.get(edition.label, ()), link)
        for edition in reversed(index.editions)
    ]
    text = (
        templates()
        .get_template("feed.xml")
        .render(
            id=_id("editions"),
            here=link.to_file(urls.EDITIONS_FEED),
            page=link.to_page(urls.EDITIONS),
            entries=entries,
        )
    )
    yield urls.EDITIONS_FEED, text.encode()


def _entry(row: EditionRow, reported: Sequence[ReportedChange], link: Linker) -> Entry:
    edition, summary = row.edition, row.summary
    words, page = "The first edition here", urls.edition(edition.label)
    if summary is not None:
        counts = {
            "reworded": summary.substantive,
            "new": summary.new,
            "removed": summary.gone,
            "split off or copied": summary.parts,
            "only renumbered": summary.moved_only,
        }
        words, page = _counted(counts), urls.changes(edition.label)
    name = f"{edition.label} ({edition.set_name})" if edition.set_name else edition.label
    # An edition's label may get a suffix later.
    key = f"{edition.effective.isoformat()}/{edition.issue}"
    return Entry(
        id=_id("editions", key),
        title=name,
        updated=f"{edition.effective.isoformat()}T00:00:00Z",
        page=link.to_page(page),
        summary=f"{words}. {edition.summary.rules} rules in all.",
        parts=_parts(reported, link),
    )


def _parts(changes: Sequence[ReportedChange], link: Linker) -> tuple[Part, ...]:
    """Return changes grouped by kind."""
    by_kind = {kind: [item for item in changes if item[0] == kind] for kind in KINDS}
    return tuple(
        [
            Part(
                kind.capitalize(),
                tuple([_item(change, link) for change in some[:_MOST]]),
                max(0, len(some) - _MOST),
            )
            for kind, some in by_kind.items()
            if some
        ]
    )


def _item(change: ReportedChange, link: Linker) -> Item:
    kind, old, new, words = change
    before = (_name(old, link),) if old else ()
    after = (_name(new.removeprefix("?"), link),) if new else ()
    if kind == ADDED:
        return Item(after, f"from {old}" if old else "", words)
    if kind == REMOVED:
        return Item(before, f"now in {new.removeprefix('?')}" if new else "", words)
    names = after if old == new else before + after
    return Item(names, "uncertain" if new.startswith("?") else "", words)


def _name(name: str, link: Linker) -> Link:
    return Link(name, link.to_page(page_of_name(name)))


def _counted(counts: Mapping[str, int]) -> str:
    """Return counts in words, without zeros."""
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "no change"


def _id(*parts: str) -> str:
    return uuid.uuid5(_IDS, "/".join(parts)).urn
