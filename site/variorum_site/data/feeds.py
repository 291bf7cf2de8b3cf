"""Atom feeds of changes: for all editions, for a section and for a rule.

Times are the effective dates of editions. Ids depend on numbers and these dates, not on the site's
address, so feed readers do not show old news again when a feed moves or is rebuilt.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.through_time.number_histories import NumberHolder
from variorum_kb.answers.through_time.readings import LifeReading
from variorum_kb.rows import name_of
from variorum_site import urls
from variorum_site.base_url import Linker
from variorum_site.data.reported_changes import ADDED, KINDS, REMOVED, in_short, opening
from variorum_site.group_results import GroupResults, ReportedChange
from variorum_site.page_index import GLOSSARY, PageIndex, page_of_name, titled
from variorum_site.pages.histories import what_happened
from variorum_site.pages.link import Link
from variorum_site.render import templates
from variorum_site.settings import SiteSettings

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed, the newest entry first."""

    id: str
    title: str
    subtitle: str
    updated: str
    self: str
    page: str
    entries: tuple[Entry, ...]


class Feeds:
    """Makes the feeds of a base."""

    def __init__(
        self, index: PageIndex, results: Mapping[str, GroupResults], settings: SiteSettings
    ) -> None:
        """Prepare the feeds of a base.

        Args:
            index: The base's page index.
            results: The results of groups of pages, by the group's name. The feeds use those of
                edition pages and of reported changes.
            settings: The settings of the build.
        """
        self._index = index
        self._base_url = settings.base_url
        self._has_all = settings.has_feeds
        self._results = [results.get(f"edition/{label}", {}) for label in index.labels]
        self._reported = [
            results.get(f"reported/{label}", {}).get("reported", []) for label in index.labels
        ]
        self._by_section = [_by_section(changes) for changes in self._reported]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield all feeds."""
        yield urls.EDITIONS_FEED, _rendered(self.editions())
        if not self._has_all:
            return
        yield from self._rule_files()
        for section in self._index.outline(self._index.current.place).sections.values():
            # A rule's number may name a section that no edition has.
            if not self._index.has_page(urls.rule(section.number)):
                continue
            yield (
                urls.section_feed(section.number),
                _rendered(self.section(section.number, section.heading)),
            )

    # Editions ------------------------------------------------------------------------------------

    def editions(self) -> Feed:
        """Return the feed of all editions."""
        link = Linker(self._base_url, urls.EDITIONS_FEED)
        newest_first = self._index.editions[::-1]
        entries = tuple(
            [
                self._edition(edition, link, is_reported=place < REPORTED)
                for place, edition in enumerate(newest_first)
            ]
        )
        return Feed(
            id=_id("editions"),
            title="Variorum: editions of the Comprehensive Rules",
            subtitle="Each edition, and how much it changed",
            updated=entries[0].updated,
            self=link.to_file(urls.EDITIONS_FEED),
            page=link.to_page(urls.EDITIONS),
            entries=entries,
        )

    def _edition(self, edition: EditionEntry, link: Linker, *, is_reported: bool) -> Entry:
        summary = self._results[edition.place].get("summary")
        words, page = "The first edition here", urls.edition(edition.label)
        if summary is not None:
            counts = {
                "new": summary["new"] + summary["parts"],
                "reworded": summary["substantive"] + summary["sweep"],
                "gone": summary["gone"],
                "only renumbered": summary["moved_only"],
            }
            words, page = _counted(counts), urls.changes(edition.label)
        return Entry(
            id=_id("editions", _key(edition)),
            title=_titled(edition),
            updated=_day(edition),
            page=link.to_page(page),
            summary=f"{words}. {edition.row['rules']} rules in all.",
            parts=_parts(self._reported[edition.place], link) if is_reported else (),
        )

    # Rules ---------------------------------------------------------------------------------------

    def _rule_files(self) -> Iterator[tuple[str, bytes]]:
        """Yield a feed for each rule and subrule in force."""
        for page in self._index.pages:
            bearers = [
                holder for holder in self._index.holders(page) if is_followed(self._index, holder)
            ]
            if bearers:
                number = self._index.states[bearers[0].state].number
                yield urls.rule_feed(number), _rendered(self.rule(number, bearers[0]))

    def rule(self, number: str, holder: NumberHolder) -> Feed:
        """Return the feed of a rule in force: its history, under all its numbers."""
        here = urls.rule_feed(number)
        link = Linker(self._base_url, here)
        readings = self._index.life(holder.end).readings[::-1]
        entries = tuple([self._reading(number, reading, link) for reading in readings])
        return Feed(
            id=_id("rule", number),
            title=f"Variorum: changes of {number}",
            subtitle="What each edition changed in this rule",
            updated=entries[0].updated,
            self=link.to_file(here),
            page=link.to_page(urls.rule(number)),
            entries=entries,
        )

    def _reading(self, number: str, reading: LifeReading, link: Linker) -> Entry:
        edition = self._index.editions[reading.first]
        happened = what_happened(reading)
        words = in_short(reading.pieces) or opening(reading.state)
        name = Link(name_of(reading.state), link.to_page(urls.rule(number)))
        page = urls.changes(edition.label) if reading.first else urls.edition(edition.label)
        return Entry(
            id=_id("rule", name.text, _key(edition)),
            title=f"{_titled(edition)}: {happened}",
            updated=_day(edition),
            page=link.to_page(page),
            summary=f"{name.text}: {happened}.",
            parts=(Part(happened.capitalize(), (Item((name,), "", words),)),),
        )

    # Sections ------------------------------------------------------------------------------------

    def section(self, number: str, heading: str) -> Feed:
        """Return the feed of a section in force, under all its numbers."""
        link = Linker(self._base_url, urls.section_feed(number))
        numbers = self._numbers(number)
        entries: list[Entry] = []
        for edition in reversed(self._index.editions[1:]):
            changes = self._of_section(numbers, edition.place)
            if changes:
                here = numbers.get(edition.place) or numbers[edition.place - 1]
                entries.append(_section_entry(edition, here, number, changes, link))
        first = self._index.editions[min(numbers)]
        return Feed(
            id=_id("section", number),
            title=f"Variorum: changes of {titled(number, heading)}",
            subtitle="What each edition added, reworded, removed and renumbered",
            updated=entries[0].updated if entries else _day(first),
            self=link.to_file(urls.section_feed(number)),
            page=link.to_page(urls.rule(number)),
            entries=tuple(entries),
        )

    def _numbers(self, number: str) -> dict[int, str]:
        """Return the numbers that a section in force has had, by edition place."""
        holder = self._index.holders(urls.rule(number))[0]
        numbers = {
            place: reading.state.number
            for reading in self._index.life(holder.end).readings
            if reading.state.kind == "section"
            for place in range(reading.first, reading.last + 1)
        }
        # The section may have no heading line of its own.
        return numbers or {
            place: number for first, last in holder.runs for place in range(first, last + 1)
        }

    def _of_section(self, numbers: Mapping[int, str], place: int) -> list[ReportedChange]:
        """Return the changes of an edition in a section, under its old and its new number."""
        by_section = self._by_section[place]
        reported = by_section.get(("new", numbers.get(place, "")), []) + [
            change
            for change in by_section.get(("old", numbers.get(place - 1, "")), [])
            if change[0] != ADDED
        ]
        return list({item[:3]: item for item in reported}.values())


def _by_section(changes: Iterable[ReportedChange]) -> dict[tuple[str, str], list[ReportedChange]]:
    """Return changes by the sections of their old and new numbers."""
    by_section: dict[tuple[str, str], list[ReportedChange]] = defaultdict(list)
    for kind, old, new, words in changes:
        for side, name in (("old", old), ("new", new.removeprefix("?"))):
            if name and not name.startswith(GLOSSARY):
                by_section[side, name.partition(".")[0]].append((kind, old, new, words))
    return by_section


def _section_entry(
    edition: EditionEntry, here: str, today: str, changes: Sequence[ReportedChange], link: Linker
) -> Entry:
    counts = _counted({kind: sum(item[0] == kind for item in changes) for kind in KINDS})
    return Entry(
        id=_id("section", here, _key(edition)),
        title=f"{_titled(edition)}: {counts}",
        updated=_day(edition),
        page=link.to_page(urls.changes(edition.label)),
        summary=f"{counts}." if here == today else f"Then section {here}: {counts}.",
        parts=_parts(changes, link),
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


def is_followed(index: PageIndex, holder: NumberHolder) -> bool:
    """Return whether the current holder of a number is a rule or subrule, and so has a feed."""
    state = index.states[holder.state]
    is_here = holder.runs[-1][1] == index.current.place and holder.end.state == holder.state
    return is_here and state.kind in {"rule", "subrule"}


def _counted(counts: Mapping[str, int]) -> str:
    """Return counts in words, without zeros."""
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "no change"


def _titled(edition: EditionEntry) -> str:
    return f"{edition.label} ({edition.set_name})" if edition.set_name else edition.label


def _key(edition: EditionEntry) -> str:
    """Return a permanent key of an edition; its label may get a suffix later."""
    return f"{edition.effective.isoformat()}/{edition.issue}"


def _day(edition: EditionEntry) -> str:
    return f"{edition.effective.isoformat()}T00:00:00Z"


def _id(*parts: str) -> str:
    return uuid.uuid5(_IDS, "/".join(parts)).urn


def _rendered(feed: Feed) -> bytes:
    return templates().get_template("feed.xml").render(feed=feed).encode()
